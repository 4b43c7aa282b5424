/*
 * Retrieval: from a pilot's question to the rules that answer it.
 *
 * Each step is optional and changes nothing if it fails: a model rewrites the question in the words
 * of rules; the question is embedded; it is searched by meaning and by words; the two lists are
 * fused; questions that are not near enough are left out; a reranker puts the rest into a better
 * order.
 */
#ifndef RULES_RETRIEVE_H
#define RULES_RETRIEVE_H

#include "base/watch.h"
#include "rules/general_rules.h"
#include "rules/rules.h"
#include "services/llm.h"

/* Which lists are searched. Only measuring asks for one alone. */
enum rules_search { RULES_BY_BOTH, RULES_BY_WORDS, RULES_BY_MEANING };

/* Only borrowed for the call. */
struct rules_query {
	const char *question;                 /* the pilot's words */
	const char *const *countries;         /* any case; n 0: any country */
	size_t ncountries;
	const char *const *tags;              /* normalised; hints */
	size_t ntags;
	const struct watch *watch;            /* may be NULL */
	int64_t until_ms;                     /* end of the turn (clock_mono_ms); 0: none */
	bool no_model;                        /* search by words only: no model is used */
	struct llm_usage *usage;              /* added to; may be NULL */
	enum rules_search search;
};

struct rules_found {
	const struct rule_hit *hits;          /* best first, at most rag.retrieval.top_k */
	size_t n;
	/* a general rule that is nearer to the question than the first hit; NULL: there is none, or there are no built-in vectors */
	const struct general_rule *general;
	bool vectors, reranked, reformulated; /* the steps that have worked */
};

/* Questions that at least one of the countries answers. If none is near enough: OK with n 0. Only
 * the end of the turn is an error: the watch's codes, ERR_INTERNAL. */
enum errcode rules_retrieve(struct rules *r, const struct rules_snapshot *set, struct arena *a,
    const struct rules_query *q, struct rules_found *out, struct err *e);

/* The similarity (at most 1) of the rule nearest to a question, among all countries, by the built-in vectors and the words. 0: no
 * rule is near enough, or there are no built-in vectors. Asks no provider. */
double rules_nearness(struct rules *r, const struct rules_snapshot *set, struct arena *a, const char *question);
/* Is no rule of any country near enough to a question? False also if there are no built-in vectors, or if the search failed. */
bool rules_none_near(struct rules *r, const struct rules_snapshot *set, struct arena *a, const char *question);

/* The general rule that a question is about, for a question that no rule of a country answers. NULL: none is near enough, or there are
 * no built-in vectors. set: NULL is allowed. */
const struct general_rule *rules_general(const struct rules_snapshot *set, const char *question);

#endif
