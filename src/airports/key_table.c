/*
 * A hash table whose slots hold only numbers of rows, because more than half of them are free. Rows of the same
 * key lie behind each other in the same run of slots, so their order is kept.
 */
#include "airports/key_table.h"

#include "base/str.h"

struct key_row {
	const char *key;
	const void *row;
};

/* The number at a slot, wherever the counting has come to. */
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
}

void key_table_put(struct key_table *t, const char *key, const void *row)
{
	uint64_t at = str_hash(key);

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
