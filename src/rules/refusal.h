/*
 * Does any rule answer the question? Ranking only says which rule is nearest. A question about something else has a
 * nearest rule too, so this file decides.
 */
#ifndef RULES_REFUSAL_H
#define RULES_REFUSAL_H

#include "rules/fusion.h"

/* What is known of a question besides its hits. */
struct refusal_signs {
	double asks;                  /* encoder_asks_rule() */
	double cosine;                /* of the question and the first hit */
	double rival;                 /* cosine of the question and the nearest general rule about another matter than the first hit */
	double known;                 /* how much the words know of it and of the first hit (lexical_knows()) */
	struct hits words;            /* the hits by words, in any order */
};

/*
 * Keep the fused hits that answer the question: none if the first is not near enough for the threshold; else the
 * first, and those that are at least half as near. The similarity of the hits becomes a number from 0 to 1; a
 * higher threshold refuses more.
 */
void refusal_judge(struct hits *fused, const struct refusal_signs *signs, double threshold);

#endif
