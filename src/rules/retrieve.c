/*
 * The steps in their order. There are two lists, by meaning and by words, which are fused into one
 * (rules/fusion.h). The search by words uses the pilot's words. If a model has rewritten the question, its words
 * are searched too, so that a question in another language finds something even without a search by meaning.
 *
 * A question that is not near enough is left out. If only ranks are fused, this is done in each of the two lists.
 * If the similarities are added, the one list is judged as a whole (rules/refusal.h).
 */
#include "rules/retrieve.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "language/encoder.h"
#include "rules/fusion.h"
#include "rules/general_vectors.h"
#include "rules/reformulate.h"
#include "rules/refusal.h"
#include "rules/rerank.h"
#include "services/timebox.h"

enum {
	/* bytes; a longer text is no question, and models have limits */
	QUESTION_MAX = 4000,
	/* most hits of each list: the fusion needs enough to find common ones, and all of them if it adds */
	POOL_MIN = 20,
	POOL_MAX = 1000,
};

struct retrieval {
	struct retrieval_turn turn;
	const struct rules_snapshot *set;
	struct arena *mem;
	const struct rules_query *q;
	const char *question;          /* the pilot's, trimmed and bounded */
	const char *const *countries;  /* upper case, each once, with rules */
	size_t ncountries;
	size_t top, candidates, pool;  /* results; what is reranked; of each list */
	float *vector;                 /* of the question, or of its rewording; NULL: none was asked for; zero: no word */
	struct llm_usage uncounted;
};

/* -- the two lists -- */

static struct hits near_enough(const struct retrieval *t, struct hits h)
{
	size_t n = 0;
	for (size_t i = 0; i < h.n; i++)
		if (h.hit[i].similarity >= t->turn.config->options->threshold)
			h.hit[n++] = h.hit[i];
	h.n = n;
	return h;
}

static enum errcode by_words(struct retrieval *t, const char *text, struct hits *out,
    struct err *e)
{
	out->hit = arena_array(t->mem, t->pool, sizeof(*out->hit));
	enum errcode rc = lexical_search(t->set->lexical, t->mem, text, t->countries, t->ncountries,
	    t->q->tags, t->q->ntags, out->hit, t->pool, &out->n, e);
	if (rc != OK)
		return err_set(e, ERR_INTERNAL, "%s", e->msg);
	return OK;
}

static enum errcode embed(struct retrieval *t, const char *text, size_t *dims, bool *done, struct err *e)
{
	const struct encoder *encoder = t->set->vectors->encoder;
	struct llm_usage used = { 0 };
	struct timebox step;
	if (encoder != NULL) {
		t->vector = arena_array(t->mem, ENCODER_DIMS, sizeof(*t->vector));
		*dims = ENCODER_DIMS;
		*done = encoder_vector(encoder, text, t->vector);
		return OK;
	}
	*done = false;
	if (!timebox_begin(&step, TIMEBOX_EMBED, t->turn.watch, t->turn.until_ms, t->turn.config->llm_first_ms))
		return OK;
	const struct llm_embed_request req = { .model = t->turn.config->options->embedding_model,
		.texts = &text, .n = 1, .first_ms = step.first_ms };
	enum errcode rc = llm_embed(t->turn.config->llm, t->mem, &req, &step.watch, &t->vector, dims, &used, e);
	llm_usage_add(t->turn.usage, &used);
	return timebox_end(&step, rc, done, e);
}

/* *done: the search was made. */
static enum errcode by_meaning(struct retrieval *t, const char *text, struct hits *out, bool *done,
    struct err *e)
{
	struct vector_store *v = t->set->vectors;
	struct timebox step;
	struct vector_query query = { .text = text };
	enum errcode rc = embed(t, text, &query.dims, done, e);
	if (rc != OK || !*done)
		return rc;
	*done = false;
	if (!timebox_begin(&step, TIMEBOX_SEARCH, t->turn.watch, t->turn.until_ms, 0))
		return OK;
	query.vector = t->vector;
	out->hit = arena_array(t->mem, t->pool, sizeof(*out->hit));
	rc = v->ops->search(v, t->mem, &query, t->countries, t->ncountries, &step.watch,
	    out->hit, t->pool, &out->n, e);
	rc = timebox_end(&step, rc, done, e);
	if (!*done)
		out->n = 0;
	return rc;
}

/* -- the whole -- */

/* Countries that have rules, in upper case, each once. False: none of the requested ones has
 * rules. */
static bool take_countries(struct retrieval *t)
{
	const char **codes = arena_array(t->mem, t->q->ncountries + 1, sizeof(*codes));
	for (size_t i = 0; i < t->q->ncountries; i++) {
		const struct rule_country *c = rulebase_country(t->set->base, t->q->countries[i]);
		size_t k = 0;
		while (c != NULL && k < t->ncountries && !streq(codes[k], c->code))
			k++;
		if (c != NULL && k == t->ncountries)
			codes[t->ncountries++] = c->code;
	}
	t->countries = codes;
	return t->ncountries > 0 || t->q->ncountries == 0;
}

static size_t between(size_t least, size_t n, size_t most)
{
	return n < least ? least : n > most ? most : n;
}

static bool has_built_in_vectors(const struct rules_snapshot *set)
{
	return set->vectors != NULL && set->vectors->encoder != NULL;
}

/* Are similarities added? Otherwise ranks are fused. */
static bool adds(const struct retrieval *t)
{
	return t->q->search == RULES_BY_BOTH && has_built_in_vectors(t->set);
}

static void set_sizes(struct retrieval *t)
{
	const struct rules_options *b = t->turn.config->options;
	size_t all = t->set->base->nquestions;
	size_t times = rules_reranks(t->turn.config) ? between(1, (size_t)b->multiplier, POOL_MAX)
	    : 1;
	t->top = (size_t)b->top_k;
	t->candidates = between(t->top, t->top * times, POOL_MAX);
	t->pool = between(1, adds(t) ? POOL_MAX : between(POOL_MIN, t->candidates, POOL_MAX), all);
}

/* If the result cannot be used, do not begin: rewriting and embedding cost time and money. */
static bool has_meaning(const struct retrieval *t)
{
	if (t->q->search == RULES_BY_WORDS)
		return false;
	if (has_built_in_vectors(t->set))
		return true;
	return t->set->vectors != NULL && t->turn.config->llm != NULL && llm_embeds(t->turn.config->llm) &&
	    !t->q->no_model && !timebox_rests(TIMEBOX_EMBED) && !timebox_rests(TIMEBOX_SEARCH);
}

static struct hits together(struct arena *a, struct hits x, struct hits y)
{
	struct hits out = { arena_array(a, x.n + y.n + 1, sizeof(*out.hit)), x.n + y.n };
	if (x.n > 0)
		memcpy(out.hit, x.hit, x.n * sizeof(*x.hit));
	if (y.n > 0)
		memcpy(out.hit + x.n, y.hit, y.n * sizeof(*y.hit));
	return out;
}

/* The words of the question, and those of a model if there are any. */
static enum errcode all_words(struct retrieval *t, const char *wording, struct hits *words, struct err *e)
{
	struct hits more = { 0 };
	enum errcode rc = by_words(t, t->question, words, e);
	if (rc == OK && wording != t->question)
		rc = by_words(t, wording, &more, e);
	if (rc != OK)
		return rc;
	if (adds(t)) {
		*words = together(t->mem, *words, more);
		return OK;
	}
	*words = near_enough(t, *words);
	if (wording != t->question)
		*words = fusion_by_ranks(t->mem, *words, near_enough(t, more));
	return OK;
}

/* The general rule that is nearer to the question than the first hit; NULL: none is. *rival: the cosine of the nearest one that is about
 * another matter than the hit. */
static const struct general_rule *general_of(const struct retrieval *t, const float *hit, double cosine_of_hit, double *rival)
{
	double cosine;

	*rival = 0;
	if (t->vector == NULL || t->set->general == NULL)
		return NULL;
	(void)general_nearest(t->set->general, t->vector, hit, rival);
	const struct general_rule *general = general_about(t->set->general, t->vector, &cosine);
	return cosine > cosine_of_hit ? general : NULL;
}

static void refuse(const struct retrieval *t, struct hits *fused, struct hits words, const struct general_rule **general)
{
	const struct rule_question *first = fused->n > 0 ? fused->hit[0].question : NULL;
	const float *hit = first != NULL ? vector_store_builtin_of(t->set->vectors, first) : NULL;
	struct refusal_signs signs = {
		.asks = (double)encoder_asks_rule(t->set->vectors->encoder, t->question),
		.cosine = hit != NULL && t->vector != NULL ? fmax(0, vector_dot(t->vector, hit, ENCODER_DIMS)) : 0,
		.known = first != NULL ? lexical_knows(t->set->lexical, t->mem, t->question, first) : 0,
		.words = words,
	};

	*general = general_of(t, hit, signs.cosine, &signs.rival);
	refusal_judge(fused, &signs, t->turn.config->options->threshold);
}

/* Drop the rules that do not mention a subject of the question that is in a "must" row, such as oxygen. wording: the question in the words
 * of a model, which may be English where the pilot's are not. */
static void drop_without_musts(const struct retrieval *t, const char *wording, struct hits *h)
{
	const uint64_t musts = lexical_musts(t->mem, t->question) | (wording != t->question ? lexical_musts(t->mem, wording) : 0);
	size_t n = 0;

	for (size_t i = 0; i < h->n; i++)
		if (lexical_mentions(t->set->lexical, h->hit[i].question, musts, t->countries, t->ncountries))
			h->hit[n++] = h->hit[i];
	h->n = n;
}

static enum errcode find(struct retrieval *t, struct hits *out, struct rules_found *found,
    struct err *e)
{
	bool meaning = has_meaning(t);
	const char *wording = t->question;
	struct hits words = { 0 }, near = { 0 };
	enum errcode rc = OK;
	/* without a search by meaning this gains little, and the turn would wait for it */
	if (meaning && t->turn.config->llm != NULL && !t->q->no_model && t->turn.config->options->reformulate)
		rc = rules_reformulate(&t->turn, t->mem, t->question, &wording, e);
	found->reformulated = wording != t->question;
	if (rc == OK && meaning)
		rc = by_meaning(t, wording, &near, &found->vectors, e);
	if (rc == OK && t->q->search != RULES_BY_MEANING)
		rc = all_words(t, wording, &words, e);
	if (rc != OK)
		return rc;
	if (adds(t)) {
		*out = fusion_by_weights(t->mem, t->set->base->nquestions, near, words);
		drop_without_musts(t, wording, out);
		refuse(t, out, words, &found->general);
	} else {
		*out = found->vectors ? fusion_by_ranks(t->mem, near_enough(t, near), words) : words;
	}
	return OK;
}

/* False: there is nothing to search, or nowhere. */
static bool begin(struct retrieval *t, struct rules *r, const struct rules_snapshot *set, struct arena *a,
    const struct rules_query *q)
{
	const struct str text = str_trim(str_of(q->question));

	*t = (struct retrieval){ .set = set, .mem = a, .q = q,
		.turn = { .config = rules_config(r), .watch = q->watch, .until_ms = q->until_ms,
			.no_model = q->no_model, .usage = q->usage != NULL ? q->usage : &t->uncounted } };
	t->question = arena_strndup(a, text.p, utf8_cut(text.p, text.n, QUESTION_MAX));
	if (*t->question == '\0' || !take_countries(t))
		return false;
	set_sizes(t);
	return true;
}

/* The rules nearest to a question, by the built-in vectors and the words. False: there are no such vectors, or the search failed. */
static bool find_nearest(struct rules *r, const struct rules_snapshot *set, struct arena *a, const char *question, struct hits *out)
{
	const struct rules_query q = { .question = question, .no_model = true };
	struct retrieval t;
	struct rules_found found = { .n = 0 };
	struct err e = { 0 };

	*out = (struct hits){ 0 };
	return has_built_in_vectors(set) && begin(&t, r, set, a, &q) && find(&t, out, &found, &e) == OK;
}

double rules_nearness(struct rules *r, const struct rules_snapshot *set, struct arena *a, const char *question)
{
	struct hits h;
	return find_nearest(r, set, a, question, &h) && h.n > 0 ? h.hit[0].similarity : 0;
}

bool rules_none_near(struct rules *r, const struct rules_snapshot *set, struct arena *a, const char *question)
{
	struct hits h;
	return find_nearest(r, set, a, question, &h) && h.n == 0;
}

const struct general_rule *rules_general(const struct rules_snapshot *set, const char *question)
{
	return set != NULL && set->general != NULL ? general_find(set->general, question) : NULL;
}

enum errcode rules_retrieve(struct rules *r, const struct rules_snapshot *set, struct arena *a,
    const struct rules_query *q, struct rules_found *out, struct err *e)
{
	struct retrieval t;
	struct hits h = { 0 };
	const int64_t began_ms = clock_mono_ms();

	*out = (struct rules_found){ .n = 0 };
	if (!begin(&t, r, set, a, q))
		return OK;
	enum errcode rc = find(&t, &h, out, e);
	if (rc != OK)
		return rc;
	if (h.n > t.candidates)
		h.n = t.candidates;
	rc = rules_rerank(&t.turn, a, t.question, h.hit, &h.n, t.top, &out->reranked, e);
	out->hits = h.hit;
	out->n = h.n;
	log_msg(LOG_INFO, "rules_retrieve", "countries=%zu reformulated=%d vectors=%d reranked=%d "
	    "found=%zu ms=%lld", t.ncountries, out->reformulated, out->vectors, out->reranked, out->n,
	    (long long)(clock_mono_ms() - began_ms));
	return rc;
}
