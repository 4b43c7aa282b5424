/*
 * Evidence comes from its sources in any order. It is put in order once, when all have spoken: by first
 * word with a counting sort, and the few of one word by length.
 */
#include "language/evidence.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

enum { ROOM = 64 };

static void put(struct arena *a, struct evidence **list, size_t *n, size_t *room, struct evidence x)
{
	if (*n == EVIDENCE_MAX)
		return;
	if (*n == *room) {
		*room = *room == 0 ? ROOM : 2 * *room;
		struct evidence *more = arena_array(a, *room, sizeof(*more));
		if (*n > 0)
			memcpy(more, *list, *n * sizeof(*more));
		*list = more;
	}
	(*list)[(*n)++] = x;
}

void evidence_add(struct evidences *out, size_t first, size_t last, const char *kind, const char *value)
{
	put(out->mem, &out->at, &out->n, &out->room, (struct evidence){ first, last, kind, value });
}

void evidence_add_exact(struct evidences *out, size_t word, const char *kind)
{
	put(out->mem, &out->exact, &out->nexact, &out->exact_room, (struct evidence){ word, word, kind, NULL });
}

/* Stable, so that evidence of equal spans stays in the order of its sources. */
static void put_in_order(struct evidences *e)
{
	size_t begin[WORDS_MAX + 1] = { 0 };
	struct evidence *at;

	if (e->n < 2)
		return;
	at = arena_array(e->mem, e->n, sizeof(*at));
	for (size_t i = 0; i < e->n; i++)
		begin[e->at[i].first + 1]++;
	for (size_t i = 1; i <= WORDS_MAX; i++)
		begin[i] += begin[i - 1];
	for (size_t i = 0; i < e->n; i++) {
		size_t *place = &begin[e->at[i].first];
		at[(*place)++] = e->at[i];
	}
	for (size_t i = 1; i < e->n; i++) {
		const struct evidence x = at[i];
		size_t k = i;
		for (; k > 0 && at[k - 1].first == x.first && at[k - 1].last < x.last; k--)
			at[k] = at[k - 1];
		at[k] = x;
	}
	e->at = at;
	e->room = e->n;
}

struct evidences *evidence_of(struct arena *a, const struct words *w, const struct evidence_source *source,
    size_t n)
{
	struct evidences *e = arena_alloc(a, sizeof(*e));

	e->mem = a;
	for (size_t i = 0; i < n; i++)
		source[i].find(source[i].self, w, e);
	put_in_order(e);
	return e;
}

const struct evidence *evidence_in(const struct evidences *e, size_t first, size_t last, const char *kind)
{
	const struct evidence *best = NULL;

	for (size_t i = 0; i < e->n && e->at[i].first <= last; i++) {
		const struct evidence *x = &e->at[i];
		if (x->first < first || x->last > last || !streq(x->kind, kind))
			continue;
		if (best == NULL || x->last - x->first > best->last - best->first)
			best = x;
	}
	for (size_t i = 0; best == NULL && i < e->nexact && e->exact[i].first <= last; i++)
		if (e->exact[i].first >= first && streq(e->exact[i].kind, kind))
			best = &e->exact[i];
	return best;
}

bool evidence_fits_not(const char *kind)
{
	return one_of(kind, "not|no|lift|drop|drop.half|drop.behind|also|only|place.code_shape|place.code_unknown|"
	    "follow.add|follow.instead|follow.correct|number_word");
}
