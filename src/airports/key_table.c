/*
 * A hash table. At least half of its slots are free, so a slot holds only the number of a row, and not the row itself. Rows of the same key
 * stay in the order in which they were put, because they lie one after the other.
 */
#include "airports/key_table.h"

#include <stdlib.h>

#include "base/str.h"

struct key_row {
	const char *key;
	const void *row;
};

/* The slot with the number `at`. After the last slot comes the first one again. */
static uint32_t *slot_at(const struct key_table *t, uint64_t at)
{
	return &t->slot[at & (t->nslots - 1)];
}

void key_table_init(struct key_table *t, struct arena *a, size_t most)
{
	for (t->nslots = 2; t->nslots < 2 * most; t->nslots *= 2)
		;
	t->slot = arena_array(a, t->nslots, sizeof(*t->slot));
	t->row = arena_array(a, most + 1, sizeof(*t->row));
	t->nrows = 0;
	t->most = most;
}

void key_table_put(struct key_table *t, const char *key, const void *row)
{
	uint64_t at = str_hash(key);

	if (t->nrows == t->most)
		abort();                      /* the caller has counted wrong, and the memory behind the rows is not ours */
	while (*slot_at(t, at) != 0)
		at++;
	t->row[++t->nrows] = (struct key_row){ key, row };
	*slot_at(t, at) = (uint32_t)t->nrows;
}

const void *key_table_row(const struct key_table *t, const char *key, size_t i)
{
	if (t->nslots == 0)
		return NULL;
	for (uint64_t at = str_hash(key); *slot_at(t, at) != 0; at++) {
		const struct key_row *r = &t->row[*slot_at(t, at)];
		if (streq(r->key, key) && i-- == 0)
			return r->row;
	}
	return NULL;
}
