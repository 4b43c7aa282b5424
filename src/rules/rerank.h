/*
 * Sorts the questions that were found by how well they answer the pilot's question.
 */
#ifndef RULES_RERANK_H
#define RULES_RERANK_H

#include "rules/retrieval_turn.h"

/* Is there a reranker: is it switched on, and is its provider known and usable? */
bool rules_reranks(const struct rules_config *c);

/*
 * Sort hits[0..*n) by how well they answer `question`, and keep `top` of them; then *done is true.
 * If it fails, which is logged, the first `top` stay in their order. Similarities do not change.
 * Only the end of the turn is an error.
 */
enum errcode rules_rerank(const struct retrieval_turn *t, struct arena *a, const char *question,
    struct rule_hit *hits, size_t *n, size_t top, bool *done, struct err *e);

#endif
