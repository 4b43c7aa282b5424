/*
 * A plain sum decides. It is mostly the cosine of the question and the first hit. Comparing word by word puts rules into a
 * better order, but it cannot tell whether any rule answers: a rule about something else may have the same words.
 *
 * Three signs count against the hit. One: the question does not sound like one about rules. Two: the question and the hit
 * both name known topics, but the search by words finds little in common. Three: the question is nearer to another matter of flying,
 * one of the general rules, than to the hit.
 *
 * More was tried: how far the first hits lie apart, how many words of the question the encoder knows, how long it is, a
 * regression over all of these. On authors and matters that the encoder was not taught none of it refused better.
 */
#include "rules/refusal.h"

#include <math.h>

/* What the cosine, the similarity of the hit, and the search by words count. Chosen with scripts/quality encoder and on
 * tests/quality/rules_heldout2.tsv, like the numbers below. They are scaled, and ALWAYS is added, so that the weakest question
 * that should be answered gets the shipped threshold. */
static const double COSINE_WEIGHS = 1.05, HIT_WEIGHS = 0.18, LEXICAL_WEIGHS = 0.15, ALWAYS = -0.015;

/* How much the sound of the question counts. A question may sound like one about rules although no rule answers
 * it. So the sound never counts for a hit, and at most ASKS_LEAST against it. */
static const double ASKS_WEIGH = 0.09, ASKS_LEAST = -3;

/* SILENCE_WEIGH is subtracted if the search by words knows both texts and finds nothing in common. From the
 * similarity WORDS_SPEAK on it has found enough. */
static const double SILENCE_WEIGH = 0.45, WORDS_SPEAK = 0.5;

/* Subtracted for each unit by which the question is nearer to a general rule about another matter than to the hit. Less is subtracted if
 * the search by words has found something in common. */
static const double RIVAL_WEIGHS = 0.6;

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

static double sum_of(const struct rule_hit *first, const struct refusal_signs *signs)
{
	double words = words_of(first->question, signs->words), silence = fmax(0, 1 - words / WORDS_SPEAK);
	return ALWAYS + COSINE_WEIGHS * signs->cosine + HIT_WEIGHS * first->similarity + LEXICAL_WEIGHS * words -
	    SILENCE_WEIGH * signs->known * silence + ASKS_WEIGH * fmax(ASKS_LEAST, fmin(signs->asks, 0)) -
	    RIVAL_WEIGHS * silence * fmax(0, signs->rival - signs->cosine);
}

void refusal_judge(struct hits *fused, const struct refusal_signs *signs, double threshold)
{
	size_t n = 0;

	if (fused->n > 0 && fused->hit[0].similarity > 0) {
		double first = fused->hit[0].similarity;
		double similarity = fmin(1, sum_of(&fused->hit[0], signs));
		if (similarity > 0 && similarity >= threshold)
			for (; n < fused->n && fused->hit[n].similarity >= BESIDE * first; n++)
				fused->hit[n].similarity *= similarity / first;
	}
	fused->n = n;
}
