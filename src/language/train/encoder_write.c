/*
 * From what was learned to the file of an encoder: a table of features, and the rows of their vectors with the clusters of their
 * words.
 */
#include "language/train/encoder_train_own.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/replace_file.h"
#include "language/encoder_format.h"
#include "language/linear_format.h"
#include "language/train/clusters.h"

/* How many clusters of words there are, from the largest ones to the smallest. */
enum { CLUSTERS_MOST = 800 };
static const size_t nclusters[EVIDENCE_CLUSTERS] = { 48, 200, CLUSTERS_MOST };

/* A row with the sense of its word. */
static void whole_row(const struct train *t, const struct train_feature *f, float row[ENCODER_DIMS])
{
	float sense[ENCODER_DIMS] = { 0 };

	memcpy(row, t->row[f->row], ENCODER_DIMS * sizeof(*row));
	for (size_t d = 0; d < ENCODER_DIMS && f->sense != 0; d++)
		sense[d] = encoder_rareness(t, f) * t->sense[f->sense - 1].vector[d];
	encoder_turn(t, sense, row);
}

static void put_row(const struct train *t, struct encoder_row *out, const struct train_feature *f)
{
	float row[ENCODER_DIMS], most = 0, asks = t->asks[f->row] * ENCODER_ASKS_ONE;

	whole_row(t, f, row);
	for (size_t d = 0; d < ENCODER_DIMS; d++)
		most = fmaxf(most, fabsf(row[d]));
	out->scale = most / INT8_MAX;
	for (size_t d = 0; d < ENCODER_DIMS && most > 0; d++)
		out->v[d] = (int8_t)lroundf(row[d] / out->scale);
	out->asks = (int16_t)lroundf(fmaxf(INT16_MIN, fminf(asks, INT16_MAX)));
	out->rare = (uint16_t)lroundf(encoder_rareness(t, f) * ENCODER_RARE_ONE);
}

static int by_feature(const void *pa, const void *pb)
{
	const struct train_feature *const *a = pa, *const *b = pb;
	return ((*a)->feature > (*b)->feature) - ((*a)->feature < (*b)->feature);
}

/* Find the clusters of all words that own a row. Below CLUSTERS_MOST words there are none. */
static void make_clusters(const struct train *t, const struct train_feature *const *known, size_t n, struct encoder_row *row)
{
	float (*vector)[ENCODER_DIMS] = arena_array(t->mem, n + 1, sizeof(*vector));
	float (*centre)[ENCODER_DIMS] = arena_array(t->mem, CLUSTERS_MOST, sizeof(*centre));
	uint16_t *of = arena_array(t->mem, n + 1, sizeof(*of));
	uint32_t *at = arena_array(t->mem, n + 1, sizeof(*at));
	size_t words = 0;

	for (size_t i = 0; i < n; i++) {
		if (!known[i]->owns || !known[i]->word)
			continue;
		at[words] = known[i]->row;
		whole_row(t, known[i], vector[words]);
		const float length = sqrtf(clusters_dot(vector[words], vector[words])) + 1e-6F;
		for (size_t d = 0; d < ENCODER_DIMS; d++)
			vector[words][d] /= length;
		words++;
	}
	for (size_t k = 0; k < EVIDENCE_CLUSTERS && words >= CLUSTERS_MOST; k++) {
		clusters_find(vector, words, nclusters[k], of, centre);
		for (size_t i = 0; i < words; i++)
			row[at[i]].clusters.at[k] = (uint16_t)(of[i] + 1);
	}
}

enum errcode encoder_write(const struct train *t, const char *path, struct err *e)
{
	static const char zeros[8];
	struct encoder_head head = { .magic = ENCODER_MAGIC, .version = ENCODER_VERSION, .dims = ENCODER_DIMS,
		.nslots = SLOTS, .nrows = (uint32_t)t->nrows, .strange = STRANGE, .asks = t->asks_always };
	struct encoder_slot *slot = arena_array(t->mem, SLOTS, sizeof(*slot));
	struct encoder_row *row = arena_array(t->mem, t->nrows + 1, sizeof(*row));
	const struct train_feature **known = arena_array(t->mem, t->nslots, sizeof(const struct train_feature *));
	size_t n = 0;
	struct buf b;

	for (size_t i = 0; i < t->nslots; i++)
		if (t->feature[i].used && t->feature[i].row != NO_ROW)
			known[n++] = &t->feature[i];
	qsort(known, n, sizeof(const struct train_feature *), by_feature);
	if (n > SLOTS_USED)
		return err_set(e, ERR_DATA, "the lessons and the words with a sense have %zu features, of which %d fit", n,
		    (int)SLOTS_USED);
	for (size_t i = 0; i < n; i++) {
		size_t k = (size_t)known[i]->feature & (SLOTS - 1);
		while (slot[k].tag != 0)
			k = (k + 1) & (SLOTS - 1);
		slot[k] = (struct encoder_slot){ encoder_tag(known[i]->feature),
			known[i]->row | (known[i]->lessons >= LEAST ? 0 : ENCODER_UNTAUGHT) };
		if (known[i]->owns)
			put_row(t, &row[known[i]->row], known[i]);
	}
	make_clusters(t, known, n, row);
	buf_init(&b, ENCODER_FILE_BYTES);
	buf_put(&b, &head, sizeof(head));
	buf_put(&b, slot, SLOTS * sizeof(*slot));
	buf_put(&b, row, t->nrows * sizeof(*row));
	buf_put(&b, zeros, (8 - b.n % 8) % 8);
	head.bytes = b.n;
	memcpy(b.p, &head, sizeof(head));
	head.sum = linear_sum(b.p, b.n);
	memcpy(b.p, &head, sizeof(head));
	enum errcode rc = replace_with(path, b.p, b.n, e);
	buf_release(&b);
	return rc;
}
