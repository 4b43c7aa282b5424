/*
 * A model rewrites a pilot's question in the words of rules.
 */
#ifndef RULES_REFORMULATE_H
#define RULES_REFORMULATE_H

#include "rules/retrieval_turn.h"

/* *out: the new wording, or `question` itself if there is none for any reason, which is logged
 * without either text. Takes some seconds at most. Only the end of the turn is an error. */
enum errcode rules_reformulate(const struct retrieval_turn *t, struct arena *a,
    const char *question, const char **out, struct err *e);

#endif
