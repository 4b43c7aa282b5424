/*
 * What tests of the vector index share: a rule base made of numbers, and a provider that always
 * gives a text the same vector and misbehaves at a request that the test chooses.
 */
#ifndef TESTS_UNIT_INDEX_FIX_H
#define TESTS_UNIT_INDEX_FIX_H

#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "base/str.h"
#include "rules/vector_file.h"
#include "rules/vector_store.h"
#include "services/llm.h"
#include "tests/unit/test.h"

/* -- rules -- */

struct fix_rules {
	size_t questions, countries;
	/* this answer of question 0 has other words; 0: no answer has */
	size_t changed;
};

/* Question i has the answers of countries AA, AB, …; in each third question all of them share one. */
static inline struct rulebase *fix_base(struct arena *a, struct fix_rules r)
{
	struct rulebase *b = arena_alloc(a, sizeof(*b));
	struct rule_question *q = arena_array(a, r.questions, sizeof(*q));
	b->questions = q;
	b->nquestions = r.questions;
	for (size_t i = 0; i < r.questions; i++) {
		struct rule_entry *en = arena_array(a, r.countries, sizeof(*en));
		q[i] = (struct rule_question){ .index = i, .id = arena_printf(a, "q%zu", i),
			.text = arena_printf(a, "May I do number %zu?", i), .raw = "", .prefix = "",
			.category = "General", .entries = en, .nentries = r.countries };
		for (size_t k = 0; k < r.countries; k++) {
			const char *more = i == 0 && k + 1 == r.changed ? ", since today" : "";
			en[k] = (struct rule_entry){ .question = &q[i], .text = "" };
			snprintf(en[k].country, sizeof(en[k].country), "%c%c", (char)('A' + k / 26),
			    (char)('A' + k % 26));
			en[k].html = i % 3 == 2 ? arena_printf(a, "Yes to %zu%s", i, more) :
			    arena_printf(a, "Yes to %zu in %s%s", i, en[k].country, more);
		}
	}
	return b;
}

/* -- a provider -- */

enum fix_manner { FIX_GOOD, FIX_REFUSES, FIX_NAN, FIX_ZERO, FIX_NOTHING, FIX_LONG, FIX_LONGER, FIX_KILLED,
	FIX_WAITS };

struct fix_provider {
	struct llm_provider base;
	size_t dims;
	uint64_t salt;                /* a different model: different vectors */
	int at;                       /* the request at which it misbehaves, from 1; 0: none */
	enum fix_manner manner;
	/* FIX_WAITS: a byte is written, then the request waits until it is ended */
	int fd;
	int requests;
	size_t texts, longest;        /* bytes of a request; of a text */
};

static inline void fix_vector(float *v, size_t dims, const char *text, uint64_t salt)
{
	uint64_t x = str_hash(text) ^ (salt * UINT64_C(0x9e3779b97f4a7c15));
	for (size_t i = 0; i < dims; i++) {
		x = (x ^ (x >> 29)) * UINT64_C(0xbf58476d1ce4e5b9) + 1;
		v[i] = (float)((double)(int64_t)x / 1e18);
	}
}

static inline enum errcode fix_embed(struct llm_provider *lp, struct arena *a,
    const struct llm_embed_request *req, const struct watch *w, float **vectors, size_t *dims,
    struct llm_usage *usage, struct llm_fault *fault, struct err *e)
{
	struct fix_provider *p = (struct fix_provider *)lp;
	bool bad = ++p->requests == p->at;
	const size_t n = req->n;
	char byte = 0;
	(void)w;
	*fault = (struct llm_fault){ .retry_after_ms = -1 };
	if (bad && p->manner == FIX_KILLED)
		raise(SIGKILL);
	if (bad && p->manner == FIX_WAITS && write(p->fd, &byte, 1) == 1)
		for (;;)
			pause();
	if (bad && p->manner == FIX_REFUSES)
		return err_set(e, ERR_UPSTREAM, "quota");
	*usage = (struct llm_usage){ .input = (int64_t)n };
	*dims = !bad ? p->dims : p->manner == FIX_NOTHING ? 0 : p->manner == FIX_LONG ? p->dims + 1 :
	    p->manner == FIX_LONGER ? VECTOR_FILE_DIMS + 1 : p->dims;
	*vectors = arena_array(a, n * *dims + 1, sizeof(**vectors));
	cr_expect(req->ungated, "chats have nothing to do with it");
	for (size_t i = 0; i < n; i++) {
		const char *text = req->texts[i];
		cr_assert(utf8_valid(text, strlen(text)) && *text != '\0');
		fix_vector(*vectors + i * *dims, *dims, text, p->salt + str_hash(req->model));
		if (strlen(text) > p->longest)
			p->longest = strlen(text);
	}
	for (size_t i = 0; bad && i < *dims; i++)
		if (p->manner == FIX_NAN || p->manner == FIX_ZERO)
			(*vectors)[i] = p->manner == FIX_NAN ? NAN : 0;
	p->texts = n > p->texts ? n : p->texts;
	return OK;
}

static inline void fix_close(struct llm_provider *p)
{
	(void)p;
}

static const struct llm_provider_ops fix_ops = { .name = "fix", .embed = fix_embed,
	.close = fix_close };

/* One index run. */
static inline enum errcode fix_index(struct fix_provider p, const struct index_options *o,
    const struct rulebase *b, const struct watch *w, struct index_stats *stats, struct err *e)
{
	struct llm_config c = { .backoff_ms = 1 };
	p.base.ops = &fix_ops;
	p.dims = p.dims != 0 ? p.dims : 16;
	struct llm *llm = llm_open(&p.base, &c);
	enum errcode rc = rules_index(o, b, llm, w, NULL, NULL, stats, e);
	cr_expect_leq(p.texts, 100);
	cr_expect_leq(p.longest, VECTOR_FILE_TEXT_BYTES);
	llm_close(llm);
	return rc;
}

#endif
