/*
 * Vectors of a Chroma server, in the two collections that installations of the original service
 * have.
 *
 * The server holds each question once per country, all with the same vector, and also questions
 * that were never answered or that pilots must not see. So the request asks for more records than
 * are needed: as many as the nearest questions can have, and those among them that the rule base
 * does not show. A record counts only if the rule base knows its question.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsn.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"
#include "rules/vector_store.h"
#include "services/chroma.h"

struct chroma_vectors {
	struct vector_store vectors;        /* first */
	struct chroma *chroma;
	const struct rulebase *base;
	char *about;
};

/* -- questions -- */

/* {"country_code": {"$in": ["FR", …]}}; NULL: any country. */
static struct json_object *filter(struct arena *a, const char *const *countries, size_t n)
{
	if (n == 0)
		return NULL;
	struct json_object *where = jsn_object(a), *in = jsn_new();
	struct json_object *codes = jsn_ref(jsn_array(a));
	for (size_t i = 0; i < n; i++) {
		const char *code = str_upper_copy(a, countries[i], strlen(countries[i]));
		jsn_push(codes, jsn_str(code));
	}
	jsn_add(in, "$in", codes);
	jsn_add(where, "country_code", in);
	return where;
}

static size_t shown(const struct rulebase *b, const char *const *countries, size_t n)
{
	size_t k = 0;
	for (size_t i = 0; i < b->nquestions; i++)
		k += vector_store_answered(&b->questions[i], countries, n);
	return k;
}

/* The best record of each question. *unknown: records of questions the base does not have. */
static size_t best_of(const struct rulebase *b, struct arena *a, const struct chroma_hit *found,
    size_t nfound, const char *const *countries, size_t n, struct rule_hit *best,
    size_t *unknown)
{
	size_t *place = arena_array(a, b->nquestions + 1, sizeof(*place));     /* in best, from 1 */
	size_t nbest = 0;
	*unknown = 0;
	for (size_t i = 0; i < nfound; i++) {
		const char *id = jsn_get_str(found[i].metadata, "question_id", NULL);
		const struct rule_question *q = id == NULL ? NULL : rulebase_question(b, id);
		/* the distance of unit vectors is 2 - 2 cos */
		double similarity = fmin(1, fmax(0, 1 - found[i].distance / 2));
		*unknown += q == NULL;
		if (q == NULL || !vector_store_answered(q, countries, n))
			continue;
		if (place[q->index] == 0) {
			best[nbest++] = (struct rule_hit){ q, similarity };
			place[q->index] = nbest;
		} else if (best[place[q->index] - 1].similarity < similarity) {
			best[place[q->index] - 1].similarity = similarity;
		}
	}
	vector_store_sort(best, nbest);
	return nbest;
}

static enum errcode search(struct vector_store *v, struct arena *a, const struct vector_query *query,
    const char *const *countries, size_t ncountries, const struct watch *w,
    struct rule_hit *hits, size_t max, size_t *n, struct err *e)
{
	struct chroma_vectors *s = (struct chroma_vectors *)v;
	const struct rulebase *b = s->base;
	const size_t dims = query->dims;
	float *unit = arena_array(a, dims, sizeof(*unit));
	struct rule_hit *best = arena_array(a, b->nquestions + 1, sizeof(*best));
	size_t all = b->facts.questions, known = shown(b, countries, ncountries);
	size_t each = ncountries > 0 ? ncountries : b->ncountries, nfound = 0, unknown = 0;
	*n = 0;
	if (max > known)
		max = known;
	if (max == 0)
		return OK;
	memcpy(unit, query->vector, dims * sizeof(*unit));
	vector_unit(unit, dims);
	/* again, for more, when the server has many questions that this base does not know */
	size_t want = (max + (all > known ? all - known : 0)) * each;
	for (;; want *= 4) {
		struct chroma_hit *found;
		if (want > CHROMA_HITS_MAX)
			want = CHROMA_HITS_MAX;
		enum errcode rc = chroma_query(s->chroma, a, CHROMA_QUESTIONS, unit, dims,
		    filter(a, countries, ncountries), want, w, &found, &nfound, e);
		if (rc != OK)
			return rc;
		*n = best_of(b, a, found, nfound, countries, ncountries, best, &unknown);
		if (*n >= max || nfound < want || want == CHROMA_HITS_MAX)
			break;
	}
	if (unknown > 0)
		log_msg(LOG_DEBUG, "chroma_unknown", "records=%zu unknown=%zu", nfound, unknown);
	if (nfound > 0 && unknown == nfound)
		return err_set(e, ERR_DATA, "VECTOR_DB_URL: the questions of %s at %s are none of those in "
		    "RULES_JSON: fill the collection from the same file", CHROMA_QUESTIONS,
		    chroma_host(s->chroma));
	*n = *n < max ? *n : max;
	memcpy(hits, best, *n * sizeof(*hits));
	return OK;
}

/* -- answers -- */

static const char *answer_id(struct arena *a, const struct rule_entry *entry)
{
	char *id = arena_printf(a, "%s_%s_answer", entry->question->id, entry->country);
	for (char *p = id; *p != '\0'; p++)
		if (*p == ' ')
			*p = '_';
	return id;
}

static enum errcode answers(struct vector_store *v, struct arena *a,
    const struct rule_entry *const *entries, size_t n, const struct watch *w,
    const float **out, size_t *dims, struct err *e)
{
	struct chroma_vectors *s = (struct chroma_vectors *)v;
	const char **ids = arena_array(a, n + 1, sizeof(*ids));
	float **rows = arena_array(a, n + 1, sizeof(*rows));
	for (size_t i = 0; i < n; i++)
		ids[i] = answer_id(a, entries[i]);
	enum errcode rc = chroma_vectors(s->chroma, a, CHROMA_ANSWERS, ids, n, w, rows, dims, e);
	for (size_t i = 0; rc == OK && i < n; i++) {
		if (rows[i] != NULL)
			vector_unit(rows[i], *dims);
		out[i] = rows[i];
	}
	return rc;
}

static void close_chroma(struct vector_store *v)
{
	struct chroma_vectors *s = (struct chroma_vectors *)v;
	free(s->about);
	free(s);
}

static const struct vector_store_ops ops = { search, answers, close_chroma };

enum errcode vector_store_open_chroma(struct vector_store **out, struct chroma *c,
    const struct rulebase *b, struct err *e)
{
	struct chroma_vectors *s = heap_new(sizeof(*s));
	char *about = heap_printf("Chroma at %s", chroma_host(c));
	(void)e;
	*s = (struct chroma_vectors){ { .ops = &ops, .about = about }, c, b, about };
	*out = &s->vectors;
	return OK;
}
