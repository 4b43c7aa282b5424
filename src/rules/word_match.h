/*
 * For each word of a question: does a rule have a word that means the same, or nearly? Two texts may be about different
 * things although their vectors are near, and the other way round. Their words, one by one, tell more.
 */
#ifndef RULES_WORD_MATCH_H
#define RULES_WORD_MATCH_H

#include <stdatomic.h>

#include "language/encoder.h"
#include "rules/lexical.h"

struct word_match;

/* Read the words of all rules. The arena and the encoder must outlive the result. NULL: *stop became true. */
struct word_match *word_match_new(struct arena *a, const struct encoder *encoder, const struct rulebase *b,
    const atomic_bool *stop);

/* match[i], of n: how many of the text's words the rule of hits[i] also has, as a share of their weights, 0 to 1. A word that is
 * only similar counts in part. Temporary memory comes from the scratch arena. Thread-safe. */
void word_match_search(const struct word_match *m, struct arena *scratch, const char *text, const struct rule_hit *hits,
    size_t n, double *match);

#endif
