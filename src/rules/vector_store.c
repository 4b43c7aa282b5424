/*
 * Arithmetic of vectors, and the scan that finds the nearest ones. A base has some hundred
 * questions: a scan of all of them takes less time than an index would save.
 */
#include "rules/vector_store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16 };

/* Several independent sums, of which the compiler makes vector instructions. A single sum would
 * have to be added up in order. */
double vector_dot(const float *a, const float *b, size_t dims)
{
	float lane[LANES] = { 0 };
	double sum = 0;
	size_t i = 0;
	for (; i + LANES <= dims; i += LANES)
		for (size_t k = 0; k < LANES; k++)
			lane[k] += a[i + k] * b[i + k];
	for (size_t k = 0; k < LANES; k++)
		sum += (double)lane[k];
	for (; i < dims; i++)
		sum += (double)a[i] * (double)b[i];
	return isfinite(sum) ? sum : 0;
}

static double length(const float *v, size_t dims)
{
	double sum = 0;
	for (size_t i = 0; i < dims; i++)
		sum += (double)v[i] * (double)v[i];
	return sqrt(sum);
}

void vector_unit(float *v, size_t dims)
{
	double len = length(v, dims);
	if (!isfinite(len))
		memset(v, 0, dims * sizeof(*v));
	for (size_t i = 0; isfinite(len) && len > 0 && i < dims; i++)
		v[i] = (float)((double)v[i] / len);
}

/* -- the scan -- */

bool vector_store_answered(const struct rule_question *q, const char *const *countries, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rule_answer(q, countries[i]) != NULL)
			return true;
	return n == 0 && q->nentries > 0;
}

static int by_similarity(const void *pa, const void *pb)
{
	const struct rule_hit *a = pa, *b = pb;
	if (a->similarity != b->similarity)
		return a->similarity > b->similarity ? -1 : 1;
	return (a->question->index > b->question->index) - (a->question->index < b->question->index);
}

void vector_store_sort(struct rule_hit *hits, size_t n)
{
	qsort(hits, n, sizeof(*hits), by_similarity);
}

size_t vector_store_scan(struct arena *a, const struct rulebase *b, const float *const *vectors,
    const float *query, size_t dims, const char *const *countries, size_t ncountries,
    struct rule_hit *hits, size_t max)
{
	struct rule_hit *all = arena_array(a, b->nquestions, sizeof(*all));
	float *unit = arena_array(a, dims, sizeof(*unit));
	size_t n = 0;
	memcpy(unit, query, dims * sizeof(*unit));
	vector_unit(unit, dims);
	for (size_t i = 0; i < b->nquestions; i++) {
		const struct rule_question *q = &b->questions[i];
		if (vectors[i] == NULL || !vector_store_answered(q, countries, ncountries))
			continue;
		double cos = vector_dot(unit, vectors[i], dims);
		all[n++] = (struct rule_hit){ q, cos < 0 ? 0 : cos > 1 ? 1 : cos };
	}
	vector_store_sort(all, n);
	if (n > max)
		n = max;
	if (n > 0)
		memcpy(hits, all, n * sizeof(*hits));
	return n;
}

void vector_store_close(struct vector_store *v)
{
	if (v != NULL)
		v->ops->close(v);
}
