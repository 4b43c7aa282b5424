/*
 * A row for each provider. A provider gives an order of indexes, which may be incomplete. The
 * questions that it does not name follow in their old order, so that no provider can remove an
 * answer.
 */
#include "rules/rerank.h"

#include <stdlib.h>

#include "base/str.h"
#include "services/timebox.h"
#include "services/cohere.h"

/* One attempt: the order of texts, at most top, best first. */
struct ranking {
	const struct rules_config *config;
	struct arena *mem;
	const char *question;
	const char *const *texts;
	size_t n, top;
	const struct timebox *step;
	struct llm_usage *usage;
	size_t *order, norder;         /* room for n */
};

static enum errcode by_cohere(struct ranking *r, struct err *e)
{
	return cohere_rerank(r->config->cohere, r->mem, r->config->options->rerank_cohere_model,
	    r->question, r->texts, r->n, r->top, &r->step->watch, r->order, &r->norder, e);
}

struct scored {
	double cosine;
	size_t at;
};

static int by_cosine(const void *a, const void *b)
{
	const struct scored *x = a, *y = b;
	return x->cosine != y->cosine ? (x->cosine < y->cosine ? 1 : -1)
	    : (x->at > y->at) - (x->at < y->at);
}

/* Question and texts go out together, in one request. */
static enum errcode by_openai(struct ranking *r, struct err *e)
{
	const char **texts = arena_array(r->mem, r->n + 1, sizeof(*texts));
	struct scored *scored = arena_array(r->mem, r->n, sizeof(*scored));
	struct llm_usage used = { 0 };
	float *vectors;
	size_t dims;
	texts[0] = r->question;
	for (size_t i = 0; i < r->n; i++)
		texts[i + 1] = r->texts[i];
	const struct llm_embed_request req = { .model = r->config->options->rerank_openai_model,
		.texts = texts, .n = r->n + 1, .first_ms = r->step->first_ms };
	enum errcode rc = llm_embed(r->config->llm, r->mem, &req, &r->step->watch, &vectors, &dims,
	    &used, e);
	llm_usage_add(r->usage, &used);
	if (rc != OK)
		return rc;
	for (size_t i = 0; i <= r->n; i++)
		vector_unit(vectors + i * dims, dims);
	for (size_t i = 0; i < r->n; i++)
		scored[i] = (struct scored){ vector_dot(vectors, vectors + (i + 1) * dims, dims), i };
	qsort(scored, r->n, sizeof(*scored), by_cosine);
	for (size_t i = 0; i < r->n; i++)
		r->order[r->norder++] = scored[i].at;
	return OK;
}

static bool has_cohere(const struct rules_config *c)
{
	return c->cohere != NULL;
}

static bool has_llm(const struct rules_config *c)
{
	return c->llm != NULL && llm_embeds(c->llm);
}

static const struct provider {
	const char *name;
	bool model;                    /* it is the language model */
	bool (*usable)(const struct rules_config *c);
	enum errcode (*rank)(struct ranking *r, struct err *e);
} providers[] = {
	{ "cohere", false, has_cohere, by_cohere },
	{ "openai", true, has_llm, by_openai },
};

static const struct provider *provider_of(const struct rules_config *c)
{
	for (size_t i = 0; i < sizeof(providers) / sizeof(providers[0]); i++)
		if (streq(c->options->rerank_provider, providers[i].name))
			return c->options->rerank && providers[i].usable(c) ? &providers[i] : NULL;
	return NULL;
}

bool rules_reranks(const struct rules_config *c)
{
	return provider_of(c) != NULL;
}

/* The named questions first, then the others. */
static void reorder(struct arena *a, struct rule_hit *hits, size_t n, const size_t *order,
    size_t norder)
{
	struct rule_hit *old = arena_array(a, n, sizeof(*old));
	bool *taken = arena_array(a, n, sizeof(*taken));
	size_t k = 0;
	for (size_t i = 0; i < n; i++)
		old[i] = hits[i];
	for (size_t i = 0; i < norder; i++) {
		hits[k++] = old[order[i]];
		taken[order[i]] = true;
	}
	for (size_t i = 0; i < n; i++)
		if (!taken[i])
			hits[k++] = old[i];
}

enum errcode rules_rerank(const struct retrieval_turn *t, struct arena *a, const char *question,
    struct rule_hit *hits, size_t *n, size_t top, bool *done, struct err *e)
{
	const struct provider *p = provider_of(t->config);
	enum errcode rc = OK;
	struct timebox step;
	*done = false;
	if (p != NULL && *n > 1 && !(p->model && t->no_model) &&
	    timebox_begin(&step, TIMEBOX_RERANK, t->watch, t->until_ms,
	    p->model ? t->config->llm_first_ms : 0)) {
		const char **texts = arena_array(a, *n, sizeof(*texts));
		for (size_t i = 0; i < *n; i++)
			texts[i] = *hits[i].question->text != '\0' ? hits[i].question->text
			    : hits[i].question->id;      /* no provider accepts an empty text */
		struct ranking r = { .config = t->config, .mem = a, .question = question, .texts = texts,
			.n = *n, .top = top < *n ? top : *n, .step = &step, .usage = t->usage,
			.order = arena_array(a, *n, sizeof(*r.order)) };
		rc = timebox_end(&step, p->rank(&r, e), done, e);
		if (*done)
			reorder(a, hits, *n, r.order, r.norder);
	}
	if (*n > top)
		*n = top;
	return rc;
}
