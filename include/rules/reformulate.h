/*
 * A pilot's question in the words of rules, by a model (contract rules.md §4.2).
 */
#ifndef RULES_REFORMULATE_H
#define RULES_REFORMULATE_H

#include "base/arena.h"
#include "base/behavior.h"
#include "base/errs.h"
#include "base/watch.h"
#include "services/llm.h"

/* *out: the new wording, or `question` itself when there is none, whatever the reason; that is
 * logged, without either text. Takes some seconds at most. Only what ends the turn is an error.
 * usage is counted up. */
enum errcode rules_reformulate(struct llm *llm, const struct behavior *b, struct arena *a,
    const char *question, const struct watch *w, struct llm_usage *usage, const char **out,
    struct err *e);

#endif
