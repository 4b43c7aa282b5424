/*
 * The vectors are made anew for each search, of the pieces that have a word of the question. There are at
 * most POOL of them, so it takes a few milliseconds at most, and the file need not be made again when the
 * encoder was taught more. A piece without such a word is not looked at: of the questions in tests/quality none
 * lost its answer by that.
 */
#include "knowledge/by_encoder.h"

#include <math.h>
#include <stdlib.h>

#include "drivers/db.h"
#include "language/encoder.h"
#include "services/vectors.h"

/* What the words count when a cosine counts 1, and the sum of a piece that is just found, with a threshold of
 * JUST. Chosen on tests/quality/knowledge.txt and knowledge_open.txt; from 1.25 to 2 the weight changes little. */
static const double WORDS_WEIGH = 1.5, SUM_JUST = 0.80, JUST = 0.35;

static const char SQL_PIECE[] = "SELECT heading, text FROM chunks WHERE id = ?1";

static int by_order(const void *pa, const void *pb)
{
	const struct chunk_hit *a = pa, *b = pb;
	if (a->order != b->order)
		return a->order > b->order ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static enum errcode cosine(struct db *db, struct arena *a, const struct encoder *encoder,
    const float query[ENCODER_DIMS], int64_t id, double *out, struct err *e)
{
	struct db_stmt *s = db_query(db, SQL_PIECE, e, DB_INT(id));
	enum db_step step = db_step(s, e);
	float piece[ENCODER_DIMS];
	*out = 0;
	if (step == DB_ROW) {
		encoder_vector(encoder, arena_printf(a, "%s\n%s", db_text(s, 0), db_text(s, 1)), piece);
		*out = vector_dot(query, piece, ENCODER_DIMS);
	}
	return db_end(s, step, e);
}

enum errcode by_encoder(struct db *db, struct arena *a, const struct encoder *encoder, const char *text,
    double least, struct chunk_hit hits[POOL], size_t *n, struct err *e)
{
	float query[ENCODER_DIMS];
	size_t found = 0;

	encoder_vector(encoder, text, query);
	for (size_t i = 0; i < *n; i++) {
		double near;
		enum errcode rc = cosine(db, a, encoder, query, hits[i].id, &near, e);
		if (rc != OK)
			return rc;
		const double sum = near + WORDS_WEIGH * hits[i].order;
		const double relevance = fmin(1, JUST / SUM_JUST * sum);
		if (relevance >= least)
			hits[found++] = (struct chunk_hit){ hits[i].id, relevance, sum };
	}
	*n = found;
	qsort(hits, found, sizeof(*hits), by_order);
	return OK;
}
