/*
 * Comparison of countries: the questions in which their answers differ most.
 *
 * The distance between answers is measured by their vectors if there are some, else by their words. Yes and no, and numbers,
 * count in both.
 * A country without an answer is reported; it does not count as one that agrees.
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
	/* only questions that this one is about; NULL: all. If there are none, only the tags
	 * decide */
	const char *question;
	const struct watch *watch;
	int64_t until_ms;                     /* as in struct rules_query */
	bool no_model;                        /* and none of its vectors are used */
	struct llm_usage *usage;
};

struct rule_difference {
	const struct rule_question *question;
	double score;                         /* 0 to 2: answers_difference() */
};

struct rules_compared {
	/* The differences to show: the most different first, then in the file's order; with
	 * `question` those that answer it best first. */
	const struct rule_difference *differences;
	size_t n;
	size_t total;                         /* questions compared */
	/* there were more than send_all_threshold, and similar ones were left out */
	bool filtered;
	bool vectors;                         /* measured by vectors, where there are some */
	/* All questions that were compared, and those of them that not all countries answer; both
	 * in the file's order. */
	const struct rule_question *const *questions;
	const struct rule_question *const *incomplete;
	size_t nincomplete;
	/* a general rule about the question that is nearer to it than what was found; NULL: there is none, or there is no question */
	const struct general_rule *general;
};

/*
 * The comparison.* settings apply. Fewer than two countries: no differences. With `question`
 * everything that is found is shown. If nothing is found, the questions with the tags are compared,
 * and without tags none. Only the end of the turn is an error.
 */
enum errcode rules_compare(struct rules *r, const struct rules_snapshot *set, struct arena *a,
    const struct rules_comparing *c, struct rules_compared *out, struct err *e);

/* -- for tests -- */

/* The largest distance that rounding makes of equal vectors. */
#define DIFFERENCE_NONE 1e-6

/*
 * The mean of 1 - cosine over all pairs of answers; 0 for fewer than two; never negative. vectors: unit vectors of what they
 * mean; NULL: their words count. Whatever the vectors say, yes and no, "not" and different numbers tell answers apart
 * (rules/textdiff.c).
 */
double answers_difference(struct arena *a, const char *const *texts, const float *const *vectors, size_t n, size_t dims);

#endif
