/*
 * From the hits by meaning and the hits by words to one list.
 */
#ifndef RULES_FUSION_H
#define RULES_FUSION_H

#include "base/arena.h"
#include "rules/lexical.h"

struct hits {
	struct rule_hit *hit;         /* best first */
	size_t n;
};

/* Reciprocal rank fusion, for similarities that cannot be compared. The similarity of a question that is in both is that
 * of the first list. */
struct hits fusion_by_ranks(struct arena *a, struct hits first, struct hits second);

/* The weighted sum of both similarities, for cosines of the built-in vectors: more than 1 is possible, and
 * refusal_judge() makes a similarity of it. A question that is missing from a list has similarity 0 there. If a
 * question is twice in the list by words, the larger similarity counts. nquestions: number of questions in the
 * base. */
struct hits fusion_by_weights(struct arena *a, size_t nquestions, struct hits meaning, struct hits words);

#endif
