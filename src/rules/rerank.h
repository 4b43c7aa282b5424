/*
 * Questions found, put in the order in which they answer the pilot's (contract rules.md §4).
 */
#ifndef RULES_RERANK_H
#define RULES_RERANK_H

#include "rules/retrieve.h"

/* Is there a reranker: switched on, its provider known and usable? */
bool rules_reranks(const struct rules_config *c);

/*
 * Reorder hits[0..*n) by how well they answer `question` and keep `top` of them; *done. When it
 * fails, which is logged, the first `top` stay in their order. Similarities stay as they are.
 * Only what ends the turn is an error. Of q only watch, time and no_model are used; usage is counted
 * up.
 */
enum errcode rules_rerank(const struct rules_config *c, struct arena *a,
    const struct rules_query *q, const char *question, struct rule_hit *hits, size_t *n,
    size_t top, struct llm_usage *usage, bool *done, struct err *e);

#endif
