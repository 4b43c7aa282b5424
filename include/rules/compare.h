/*
 * Comparison of countries: which questions their answers differ in most.
 *
 * How far answers differ is measured by their vectors where there are some, else by their words.
 * A country without an answer is reported; it is not taken for one that agrees.
 */
#ifndef RULES_COMPARE_H
#define RULES_COMPARE_H

#include "base/watch.h"
#include "rules/rule_filter.h"
#include "rules/rules.h"
#include "services/llm.h"

struct rules_comparing {
	const char *const *countries;         /* upper case, each once */
	size_t ncountries;
	struct rule_tags tags;                /* only questions with one of them; n 0: all */
	const char *question;                 /* of these only what answers this one; NULL: all.
	                                       * Where nothing does, the tags alone count */
	const struct watch *watch;
	int64_t until_ms;                     /* as of struct rules_query */
	bool no_model;                        /* and no vectors are used */
	struct llm_usage *usage;
};

struct rule_difference {
	const struct rule_question *question;
	double score;                         /* 0 to 2: mean of 1 - cosine over all pairs */
};

struct rules_compared {
	/* As many as are shown: most different first, then in the file's order; with `question`
	 * what answers it best first. */
	const struct rule_difference *differences;
	size_t n;
	size_t total;                         /* questions compared */
	bool filtered;                        /* more than send_all_threshold: similar ones left out */
	bool vectors;                         /* measured by vectors, as far as there are some */
	/* All questions compared, and those of them that not all of the countries have an answer to;
	 * both in the file's order. */
	const struct rule_question *const *questions;
	const struct rule_question *const *incomplete;
	size_t nincomplete;
};

/*
 * The comparison.* settings apply. Fewer than two countries: no differences. With `question` all
 * that is found is shown; when nothing is found, what has the tags is compared, and without tags
 * nothing. Only what ends the turn is an error.
 */
enum errcode rules_compare(struct rules *r, const struct rules_snapshot *set, struct arena *a,
    const struct rules_comparing *c, struct rules_compared *out, struct err *e);

/* -- for tests -- */

/* What rounding makes of no difference at all. */
#define DIFFERENCE_NONE 1e-6

/* Mean over all pairs of 1 - cosine of unit vectors, 0 for fewer than two; never negative. */
double vectors_difference(const float *const *vectors, size_t n, size_t dims);
/* The same for texts, by their words (rules/textdiff.c). */
double texts_difference(struct arena *a, const char *const *texts, size_t n);

#endif
