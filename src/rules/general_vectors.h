/*
 * Finds the general rule (rules/general_rules.h) that is nearest to a question, by the built-in vectors.
 */
#ifndef RULES_GENERAL_VECTORS_H
#define RULES_GENERAL_VECTORS_H

#include "base/arena.h"
#include "rules/general_rules.h"

struct encoder;
struct general_vectors;

/* The vectors of all general rules; they live in the arena. Takes tens of milliseconds. */
struct general_vectors *general_vectors_new(struct arena *a, const struct encoder *m);

/* The general rule nearest to the vector of a question, and their cosine. Rules that are about the same matter as `hit`, the vector of
 * a country's rule, are left out. hit NULL: no rule is left out. Returns NULL, with cosine 0, if no rule is left. */
const struct general_rule *general_nearest(const struct general_vectors *v, const float *question, const float *hit, double *cosine);

/* The general rule that a question is about, by its vector, and their cosine. NULL with cosine 0: none is near enough. */
const struct general_rule *general_about(const struct general_vectors *v, const float *question, double *cosine);
/* The same for a text. */
const struct general_rule *general_find(const struct general_vectors *v, const char *text);

#endif
