#include "language/train/seen.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/heap.h"

enum { SLOTS = 1 << 16 };

struct seen_slot {
	uint64_t feature;
	struct seen_count count;      /* no author: the slot is free */
	uint32_t author, message;     /* those that had it last */
};

struct seen {
	size_t n, nslots;             /* nslots: a power of two */
	struct seen_slot *slot;
};

struct seen *seen_new(void)
{
	struct seen *s = heap_new(sizeof(*s));
	*s = (struct seen){ .nslots = SLOTS, .slot = heap_new(SLOTS * sizeof(*s->slot)) };
	return s;
}

void seen_free(struct seen *s)
{
	if (s == NULL)
		return;
	free(s->slot);
	free(s);
}

static struct seen_slot *slot_of(const struct seen *s, uint64_t feature)
{
	size_t i = (size_t)feature & (s->nslots - 1);
	while (s->slot[i].count.authors != 0 && s->slot[i].feature != feature)
		i = (i + 1) & (s->nslots - 1);
	return &s->slot[i];
}

static void grow(struct seen *s)
{
	struct seen_slot *old = s->slot;
	const size_t n = s->nslots;
	s->nslots *= 2;
	s->slot = heap_new(s->nslots * sizeof(*s->slot));
	for (size_t i = 0; i < n; i++)
		if (old[i].count.authors != 0)
			*slot_of(s, old[i].feature) = old[i];
	free(old);
}

void seen_add(struct seen *s, const uint64_t *feature, size_t n, uint32_t author, uint32_t message)
{
	for (size_t i = 0; i < n; i++) {
		struct seen_slot *x = slot_of(s, feature[i]);
		const bool first = x->count.authors == 0;
		x->count.authors += first || x->author != author;
		x->count.messages += first || x->message != message;
		x->feature = feature[i];
		x->author = author;
		x->message = message;
		if (first && ++s->n * 2 > s->nslots)
			grow(s);
	}
}

struct seen_count seen_of(const struct seen *s, uint64_t feature)
{
	return slot_of(s, feature)->count;
}
