/*
 * A plain sum decides. Two signs count against the first hit. One: the question does not sound like one about
 * rules. Two: the question and the hit both name known topics, but the search by words finds little in common.
 * Without the second, questions that are close to a rule but about something else pass, because their vectors are
 * near.
 *
 * More was tried: how far the first hits lie apart, how many words of the question the encoder knows, how long it
 * is, a regression over all of these. On authors and matters that the encoder was not taught none of it refused
 * better.
 */
#include "rules/refusal.h"

#include <math.h>

/* How much the sound of the question counts. A question may sound like one about rules although no rule answers
 * it. So the sound never counts for a hit, and at most ASKS_LEAST against it. */
static const double ASKS_WEIGH = 0.1, ASKS_LEAST = -3;

/* SILENCE_WEIGH is subtracted if the search by words knows both texts and finds nothing in common. From the
 * similarity WORDS_SPEAK on it has found enough. */
static const double SILENCE_WEIGH = 0.25, WORDS_SPEAK = 0.5;

/* The sum of a question that is just answered, with a threshold of JUST. Chosen with scripts/quality --unseen,
 * like the numbers above. */
static const double SUM_JUST = 0.34, JUST = 0.25;

/* A further hit must have at least this share of the first hit's similarity. */
static const double BESIDE = 0.5;

static double words_of(const struct rule_question *question, struct hits words)
{
	double most = 0;
	for (size_t i = 0; i < words.n; i++)
		if (words.hit[i].question == question)
			most = fmax(most, words.hit[i].similarity);
	return most;
}

static double against(const struct rule_question *first, const struct refusal_signs *signs)
{
	double silence = fmax(0, 1 - words_of(first, signs->words) / WORDS_SPEAK);
	return SILENCE_WEIGH * signs->known * silence - ASKS_WEIGH * fmax(ASKS_LEAST, fmin(signs->asks, 0));
}

void refusal_judge(struct hits *fused, const struct refusal_signs *signs, double threshold)
{
	size_t n = 0;

	if (fused->n > 0 && fused->hit[0].similarity > 0) {
		double first = fused->hit[0].similarity;
		double similarity = fmin(1, JUST / SUM_JUST * (first - against(fused->hit[0].question, signs)));
		if (similarity > 0 && similarity >= threshold)
			for (; n < fused->n && fused->hit[n].similarity >= BESIDE * first; n++)
				fused->hit[n].similarity *= similarity / first;
	}
	fused->n = n;
}
