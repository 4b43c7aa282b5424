/*
 * The database as a source of facts.
 */
#include "airports/friendliness.h"

#include <stdlib.h>
#include <string.h>

#include "airports/fact_file.h"
#include "airports/friendliness_read.h"
#include "base/heap.h"
#include "base/str.h"

struct friendliness {
	struct fact_file *file;
	struct fact_source source;
	struct personas personas;
};

const char *const amenity_names[AMENITY__MAX] = {
	[AMENITY_NONE] = "none", [AMENITY_VICINITY] = "vicinity",
	[AMENITY_AT_AIRPORT] = "at_airport", [AMENITY_UNKNOWN] = "unknown",
};

static void find(const void *facts, const char *const *idents, size_t n, const void **records)
{
	for (size_t i = 0; i < n; i++)
		records[i] = idents[i] != NULL ? friendly_find(facts, idents[i]) : NULL;
}

struct friendliness *friendliness_new(const char *path, const struct personas *personas)
{
	struct friendliness *f = heap_new(sizeof(*f));

	f->personas = *personas;
	f->file = fact_file_new("friendliness", path, friendliness_read, &f->personas);
	f->source = (struct fact_source){ fact_file_take, fact_file_put, find, f->file };
	return f;
}

void friendliness_free(struct friendliness *f)
{
	if (f == NULL)
		return;
	fact_file_free(f->file);
	free(f);
}

const struct fact_source *friendliness_source(const struct friendliness *f)
{
	return &f->source;
}

enum fact_state friendliness_state(struct friendliness *f, size_t *nairfields, struct err *why)
{
	enum fact_state state = fact_file_state(f->file, why);
	const struct friendly_content *c = fact_file_take(f->file);

	if (nairfields != NULL)
		*nairfields = c != NULL ? c->n : 0;
	if (c != NULL)
		fact_file_put(f->file, c);
	return state;
}

/* Does an amenity fit what is asked for? */
static bool fits(enum amenity has, const char *wanted)
{
	if (wanted == NULL)
		return true;
	if (streq(wanted, "at_airport"))
		return has == AMENITY_AT_AIRPORT;
	return has == AMENITY_AT_AIRPORT || has == AMENITY_VICINITY;
}

const char *const *friendly_with(struct arena *a, const struct fact_view *facts, const char *hotel,
    const char *restaurant, size_t *n)
{
	static const char words[] = "at_airport|vicinity|any";
	const struct friendly_content *c = facts->facts[FACTS_FRIENDLINESS];
	const char **found = arena_array(a, c != NULL ? c->n + 1 : 1, sizeof(*found));

	*n = 0;
	if (c == NULL || (hotel == NULL && restaurant == NULL) ||
	    (hotel != NULL && !one_of(hotel, words)) ||
	    (restaurant != NULL && !one_of(restaurant, words)))
		return found;
	for (size_t i = 0; i < c->n; i++)
		if (fits(c->list[i].hotel, hotel) && fits(c->list[i].restaurant, restaurant))
			found[(*n)++] = c->list[i].icao;
	return found;
}
