/*
 * Vectors are read from the file for each search. There are at most some thousands of them, so that
 * takes milliseconds, and an idle process holds none.
 */
#include "knowledge/by_meaning.h"

#include <stdlib.h>
#include <string.h>

#include "drivers/db.h"
#include "services/vectors.h"

enum { RANK_OFFSET = 60 };            /* how much less the first rank counts than all together */

static const char SQL_VECTORS[] = "SELECT id, vector FROM vectors";

static int by_relevance(const void *pa, const void *pb)
{
	const struct chunk_hit *a = pa, *b = pb;
	if (a->relevance != b->relevance)
		return a->relevance > b->relevance ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Keep the best ones: cut when the list is twice as long as it needs to be. */
static void keep(struct chunk_hit *best, size_t *n, struct chunk_hit h)
{
	best[(*n)++] = h;
	if (*n < 2 * POOL)
		return;
	qsort(best, *n, sizeof(*best), by_relevance);
	*n = POOL;
}

enum errcode by_meaning(struct db *db, struct arena *a, const float *query, size_t dims,
    double least, struct chunk_hit hits[POOL], size_t *n, struct err *e)
{
	struct chunk_hit best[2 * POOL];
	float *unit = arena_array(a, dims, sizeof(*unit)), *v = arena_array(a, dims, sizeof(*v));
	struct db_stmt *s = db_prepare(db, SQL_VECTORS, e);
	enum db_step step;
	size_t found = 0;

	*n = 0;
	memcpy(unit, query, dims * sizeof(*unit));
	vector_unit(unit, dims);
	while ((step = db_step(s, e)) == DB_ROW) {
		if (!vector_decode(v, db_blob(s, 1), db_bytes(s, 1), dims)) {
			db_done(s);
			return err_set(e, ERR_DATA, "a vector of the knowledge base is damaged, or the "
			    "provider has changed the model: remove the file and run aviation-agent ingest DIR");
		}
		double cos = vector_dot(unit, v, dims);
		if (cos >= least)
			keep(best, &found, (struct chunk_hit){ .id = db_int_at(s, 0), .relevance = cos > 1 ? 1 : cos });
	}
	enum errcode rc = db_end(s, step, e);
	if (rc != OK)
		return rc;
	qsort(best, found, sizeof(*best), by_relevance);
	*n = found < POOL ? found : POOL;
	memcpy(hits, best, *n * sizeof(*hits));
	return OK;
}

struct standing {
	struct chunk_hit hit;
	double score;
};

static int by_score(const void *pa, const void *pb)
{
	const struct standing *a = pa, *b = pb;
	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return by_relevance(&a->hit, &b->hit);
}

size_t fuse_hits(struct arena *a, const struct chunk_hit *first, size_t n1,
    const struct chunk_hit *second, size_t n2, struct chunk_hit *out)
{
	struct standing *all = arena_array(a, n1 + n2, sizeof(*all));
	size_t n = 0;
	for (; n < n1; n++)
		all[n] = (struct standing){ first[n], 1.0 / (double)(RANK_OFFSET + n + 1) };
	for (size_t i = 0; i < n2; i++) {
		double score = 1.0 / (double)(RANK_OFFSET + i + 1);
		size_t k = 0;
		while (k < n1 && all[k].hit.id != second[i].id)
			k++;
		if (k == n1) {
			all[n++] = (struct standing){ second[i], score };
			continue;
		}
		all[k].score += score;
		if (all[k].hit.relevance < second[i].relevance)
			all[k].hit.relevance = second[i].relevance;
	}
	qsort(all, n, sizeof(*all), by_score);
	for (size_t i = 0; i < n; i++)
		out[i] = all[i].hit;
	return n;
}
