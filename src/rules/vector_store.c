/*
 * The scan that finds the nearest vectors. A base has some hundred questions: a scan of all of them
 * takes less time than an index would save.
 */
#include "rules/vector_store.h"

#include <stdlib.h>
#include <string.h>

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
