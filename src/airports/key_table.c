/*
 * Rows of the same key lie behind each other in the same run of slots, so their order is kept.
 */
#include "airports/key_table.h"

#include <stdint.h>

#include "base/str.h"

struct key_slot {
	const char *key;              /* NULL: free */
	const void *row;
};

static struct key_slot *slot_at(const struct key_table *t, uint64_t at)
{
	return &t->slot[at & (t->nslots - 1)];
}

void key_table_init(struct key_table *t, struct arena *a, size_t most)
{
	for (t->nslots = 2; t->nslots < 2 * most; t->nslots *= 2)
		;
	t->slot = arena_array(a, t->nslots, sizeof(*t->slot));
}

void key_table_put(struct key_table *t, const char *key, const void *row)
{
	uint64_t at = str_hash(key);

	while (slot_at(t, at)->key != NULL)
		at++;
	*slot_at(t, at) = (struct key_slot){ key, row };
}

const void *key_table_row(const struct key_table *t, const char *key, size_t i)
{
	if (t->nslots == 0)
		return NULL;
	for (uint64_t at = str_hash(key); slot_at(t, at)->key != NULL; at++)
		if (streq(slot_at(t, at)->key, key) && i-- == 0)
			return slot_at(t, at)->row;
	return NULL;
}
