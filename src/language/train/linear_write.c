/*
 * A file is built in memory and written at once. Features go into the table in the order of their
 * numbers, so the place of each depends on nothing else.
 */
#include "language/train/linear_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/replace_file.h"
#include "language/linear_format.h"

static int by_feature(const void *pa, const void *pb)
{
	const struct linear_entry *a = pa, *b = pb;
	if (a->feature != b->feature)
		return a->feature < b->feature ? -1 : 1;
	return (a->class > b->class) - (a->class < b->class);
}

/* Append at the next multiple of eight; where it begins. */
static uint32_t put(struct buf *b, const void *p, size_t n)
{
	static const char zeros[8];
	uint32_t at = (uint32_t)b->n;
	buf_put(b, p, n);
	buf_put(b, zeros, (8 - b->n % 8) % 8);
	return at;
}

static int16_t weight_of(int weight)
{
	return weight > INT16_MAX ? INT16_MAX : weight < -INT16_MAX ? -INT16_MAX : (int16_t)weight;
}

/* Sort the entries, and leave out those of no weight; how many features there are. */
static size_t prepare(const struct linear_draft *d, size_t *n)
{
	size_t features = 0;
	*n = 0;
	if (d->n > 0)
		qsort(d->entry, d->n, sizeof(*d->entry), by_feature);
	for (size_t i = 0; i < d->n; i++) {
		if (d->entry[i].weight == 0)
			continue;
		features += *n == 0 || d->entry[*n - 1].feature != d->entry[i].feature;
		d->entry[(*n)++] = d->entry[i];
	}
	return features;
}

static void put_features(struct buf *b, struct linear_section *s, const struct linear_draft *d)
{
	struct arena *a = arena_new();
	size_t n, features = prepare(d, &n), nslots = features + features / 3 + 1, last = 0, used = 0;
	struct linear_slot *slot = arena_array(a, nslots + 1, sizeof(*slot));
	struct linear_weight *weight = arena_array(a, n + 1, sizeof(*weight));

	for (size_t i = 0; i < n; i++) {              /* at first a slot holds the index of an entry */
		if (i > 0 && d->entry[i].feature == d->entry[i - 1].feature)
			continue;
		last = linear_place(d->entry[i].feature, nslots);
		while (slot[last].tag != 0)
			last = last + 1 < nslots ? last + 1 : 0;
		slot[last] = (struct linear_slot){ linear_tag(d->entry[i].feature), (uint32_t)i };
	}
	for (size_t k = 0; k < nslots; k++) {
		size_t i = slot[k].first;
		slot[k].first = (uint32_t)used;
		for (size_t j = i; slot[k].tag != 0 && j < n && d->entry[j].feature == d->entry[i].feature; j++)
			weight[used++] = (struct linear_weight){ (uint16_t)d->entry[j].class,
				weight_of(d->entry[j].weight) };
	}
	slot[nslots].first = (uint32_t)used;
	s->nslots = (uint32_t)nslots;
	s->nweights = (uint32_t)used;
	s->slots = put(b, slot, (nslots + 1) * sizeof(*slot));
	s->weights = put(b, weight, used * sizeof(*weight));
	arena_free(a);
}

static void put_model(struct buf *b, struct linear_section *s, const struct linear_draft *d)
{
	struct buf names;
	buf_init(&names, LINEAR_BYTES);
	for (size_t i = 0; i < d->nclasses; i++)
		buf_put(&names, d->class_name[i], strlen(d->class_name[i]) + 1);
	strncpy(s->name, d->name, sizeof(s->name) - 1);
	s->nclasses = (uint32_t)d->nclasses;
	s->nnumbers = (uint32_t)d->nnumbers;
	s->names_bytes = (uint32_t)names.n;
	s->names = put(b, names.p, names.n);
	s->numbers = put(b, d->number, d->nnumbers * sizeof(*d->number));
	put_features(b, s, d);
	buf_release(&names);
}

enum errcode linear_write(const char *path, const struct linear_draft *draft, size_t n, struct err *e)
{
	struct linear_head head = { .magic = LINEAR_MAGIC, .version = LINEAR_VERSION, .nmodels = (uint32_t)n };
	struct linear_section section[LINEAR_MODELS] = { 0 };
	struct buf b;

	if (n > LINEAR_MODELS)
		return err_set(e, ERR_INTERNAL, "%s: more than %d models", path, LINEAR_MODELS);
	buf_init(&b, LINEAR_BYTES);
	put(&b, &head, sizeof(head));
	put(&b, section, n * sizeof(section[0]));
	for (size_t i = 0; i < n; i++)
		put_model(&b, &section[i], &draft[i]);
	head.bytes = b.n;
	memcpy(b.p + sizeof(head), section, n * sizeof(section[0]));
	memcpy(b.p, &head, sizeof(head));
	head.sum = linear_sum(b.p, b.n);
	memcpy(b.p, &head, sizeof(head));
	enum errcode rc = b.full ? err_set(e, ERR_IO, "%s: the models are larger than %d bytes", path, LINEAR_BYTES)
	    : replace_with(path, b.p, b.n, e);
	buf_release(&b);
	return rc;
}
