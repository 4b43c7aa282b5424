/*
 * A hash table whose size is known when it is made.
 */
#include "airports/notice_table.h"

#include "base/str.h"

static struct notice **slot_of(const struct notice_table *t, const char *icao)
{
	size_t i = (size_t)str_hash(icao) & (t->nslots - 1);

	while (t->slot[i] != NULL && !streq(t->slot[i]->icao, icao))
		i = (i + 1) & (t->nslots - 1);
	return &t->slot[i];
}

struct notice_table *notice_table_new(struct arena *mem, size_t airports)
{
	struct notice_table *t = arena_alloc(mem, sizeof(*t));

	t->nslots = 16;
	while (t->nslots < 2 * airports)
		t->nslots *= 2;
	t->slot = arena_array(mem, t->nslots, sizeof(*t->slot));
	return t;
}

static int rank(const struct notice *n)
{
	int about = strieq(n->about, "customs") ? 0 : strieq(n->about, "immigration") ? 1
	    : n->about != NULL ? 2 : 3;

	return about + (n->confidence > 0 ? 0 : 8);
}

/* customs, immigration, others, none; those that could not be read last; of equals the newest. */
static bool comes_before(const struct notice *a, const struct notice *b)
{
	return rank(a) != rank(b) ? rank(a) < rank(b) : a->id > b->id;
}

void notice_table_add(struct notice_table *t, struct notice *n)
{
	struct notice **at = slot_of(t, n->icao);

	t->rows++;
	t->airports += *at == NULL;
	while (*at != NULL && !comes_before(n, *at))
		at = &(*at)->next;
	n->next = *at;
	*at = n;
}

struct notice *notice_table_find(const struct notice_table *t, const char *icao)
{
	return *slot_of(t, icao);
}
