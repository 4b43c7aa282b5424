/*
 * Retrieval: from a pilot's question to the rules that answer it.
 *
 * Each step is optional and leaves things as they were when it fails: the question is put in the
 * words of rules by a model, embedded, searched by meaning and by words, the two ranks fused, what
 * is not near enough left out, the rest put in a better order by a reranker.
 */
#ifndef RULES_RETRIEVE_H
#define RULES_RETRIEVE_H

#include "base/watch.h"
#include "rules/rules.h"
#include "services/llm.h"

/* Everything borrowed for the call. */
struct rules_query {
	const char *question;                 /* the pilot's words */
	const char *const *countries;         /* any case; n 0: any country */
	size_t ncountries;
	const char *const *tags;              /* normalised; hints */
	size_t ntags;
	const struct watch *watch;            /* may be NULL */
	int64_t until_ms;                     /* end of the turn (clock_mono_ms); 0: none */
	bool no_model;                        /* by words alone: no model is asked for anything */
	struct llm_usage *usage;              /* counted up; may be NULL */
};

struct rules_found {
	const struct rule_hit *hits;          /* best first, at most rag.retrieval.top_k */
	size_t n;
	bool vectors, reranked, reformulated; /* which steps have worked */
};

/* Questions that at least one of the countries answers. Nothing near enough: OK with n 0. Only what
 * ends the turn is an error: the watch's codes, ERR_INTERNAL. */
enum errcode rules_retrieve(struct rules *r, const struct rules_snapshot *set, struct arena *a,
    const struct rules_query *q, struct rules_found *out, struct err *e);

/* -- its steps, for tests -- */

/* Reciprocal rank fusion of two lists, best first; similarity: of `first` where a question is in
 * both. Returns how many are in out, which has room for n1 + n2. */
size_t hits_fuse(struct arena *a, const struct rule_hit *first, size_t n1,
    const struct rule_hit *second, size_t n2, struct rule_hit *out);

#endif
