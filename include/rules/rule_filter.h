/*
 * Questions to the rule base that need no search. Pure, but for the arena.
 */
#ifndef RULES_RULE_FILTER_H
#define RULES_RULE_FILTER_H

#include "rules/rulebase.h"

/* The tags of a request: normalised, without empty ones, then suppressed (vfr_ifr_transition
 * removes vfr and ifr, ifr removes vfr). Order and repetitions are kept. */
struct rule_tags {
	const char *const *tag;
	size_t n;
};
struct rule_tags rule_tags(struct arena *a, const char *const *tags, size_t n);

/* All conditions must hold; NULL or n 0: no such condition. */
struct rule_filter {
	const char *category;         /* substring of the category, case ignored */
	struct rule_tags tags;        /* any of them */
	const char *search;           /* substring of question or answer; case, accents ignored */
};

/* A country's entries that pass, by lower-case question text; *n 0 for an unknown country. */
const struct rule_entry *const *rules_for_country(const struct rulebase *b, struct arena *a,
    const char *country, const struct rule_filter *f, size_t *n);

/* Questions with any of the tags (without tags: all), in the file's order. */
const struct rule_question *const *rules_by_tags(const struct rulebase *b, struct arena *a,
    struct rule_tags tags, size_t *n);

/* The entries as Markdown: grouped by category, or the first 20 in one list. */
const char *rules_display(struct arena *a, const struct rule_entry *const *entries, size_t n,
    bool grouped);

#endif
