/*
 * A plain sum decides, in which two signs speak against the first hit: the question does not sound like one about rules, or
 * both name topics that the search by words knows and it finds little in common. Without the second, questions that are close
 * to a rule but about something else pass, because their vectors are near.
 *
 * More was tried: how far the first hits lie apart, how many words of the question the encoder knows, how long it is, a
 * regression over all of these. On authors and matters that the encoder was not taught none of it refused better.
 */
#include "rules/refusal.h"

#include <math.h>

/* What the sound counts. That a question sounds like one about rules is no sign that one answers it, so it never counts for a
 * hit; and it never counts more than ASKS_LEAST against one. */
static const double ASKS_WEIGH = 0.1, ASKS_LEAST = -3;

/* What it counts if the words know both and find nothing in common, and from which similarity on they have found enough. */
static const double SILENCE_WEIGH = 0.5, WORDS_SPEAK = 0.5;

/* The sum of a question that is just answered, with a threshold of JUST. Chosen as the numbers above: on what
 * scripts/quality --unseen measures, and on tests/quality/rules_tuning.tsv with an encoder that was not taught it. */
static const double SUM_JUST = 0.36, JUST = 0.25;

/* Of what the first hit has, a further one must have this share. */
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
