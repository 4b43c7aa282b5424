/*
 * The airport that stands for a place: the airport itself, the town's, or the nearest. This one
 * rule serves all callers who need an airport and were given a town.
 */
#include "airports/place.h"
#include "airports/place_key.h"
#include "airports/town_airport.h"
#include "base/str.h"

/* Does the text give this name word for word? Only then a heliport is meant. */
static bool full_name(const struct place *p)
{
	char key[PLACE_KEY_MAX];

	place_key(key, p->airport.name, false, NULL);
	return streq(key, p->name);
}

enum errcode place_airport(struct aircon *con, struct arena *a, const struct geocoding *g,
    const char *text, enum place_wish wish, double max_nm, struct place *out, bool *found,
    struct err *e)
{
	struct err local;
	struct airport ap;
	struct town t;
	enum errcode rc;

	if (e == NULL)
		e = &local;
	rc = place_resolve(con, a, g, text, NULL, out, found, e);
	if (rc != OK || !*found)
		return rc;
	out->distance_nm = 0;
	if (out->is_airport && (out->source == PLACE_IDENT || out->source == PLACE_IATA ||
	    town_flown_to(&out->airport) || full_name(out)))
		return OK;
	*found = false;
	t = (struct town){ .country = out->country, .name = out->name, .lat = out->lat, .lon = out->lon };
	if (t.name != NULL)
		rc = town_airport(con, a, &t, out->airport_said ? PLACE_MAIN : wish, &ap,
		    &out->distance_nm, found, e);
	if (rc == OK && !*found)
		rc = place_nearest(con, a, out->lat, out->lon, out->country, max_nm, &ap,
		    &out->distance_nm, found, e);
	if (rc == OK && !*found)
		out->why = arena_printf(a, "there is no airport within %g NM of %s", max_nm,
		    out->label);
	if (rc == OK && *found) {
		out->is_airport = true;
		out->airport = ap;
	}
	return rc;
}
