/*
 * A pilot's question in the words of rules, by a model (contract rules.md §4.2).
 */
#ifndef RULES_REFORMULATE_H
#define RULES_REFORMULATE_H

#include "rules/retrieve.h"

/* *out: the new wording, or `question` itself when there is none, whatever the reason; that is
 * logged, without either text. Takes some seconds at most. Only what ends the turn is an error.
 * Of q only watch and time are used; usage is counted up. */
enum errcode rules_reformulate(const struct rules_config *c, struct arena *a,
    const struct rules_query *q, const char *question, struct llm_usage *usage,
    const char **out, struct err *e);

#endif
