/*
 * The airport that stands for a place: the airport itself, the town's, or the nearest. This one
 * rule serves all callers who need an airport and were given a town.
 */
#include "airports/airdb.h"
#include "airports/areas.h"
#include "airports/gazetteer.h"
#include "airports/place.h"
#include "airports/place_by_name.h"
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

/* "Fife": the airport in this area that has exactly its name. */
static enum errcode namesake(struct aircon *con, struct arena *a, const struct area *area, const char *text, struct airport *out, bool *found,
    struct err *e)
{
	char key[PLACE_KEY_MAX], own[PLACE_KEY_MAX];
	struct gaz_hit *hits;
	size_t n;

	*found = false;
	place_key(key, text, false, NULL);
	enum errcode rc = gazetteer_find(con, a, key, &hits, &n, e);
	for (size_t i = 0; rc == OK && i < n && !*found; i++) {
		if (hits[i].kind != GAZ_AIRPORT)
			continue;
		rc = airdb_by_rows(con, a, &hits[i].row, 1, out, e);
		if (rc != OK)
			return rc;
		place_key(own, out->name, false, NULL);
		*found = streq(own, key) && town_flown_to(out) && airport_use(out) != USE_MILITARY &&
		    area_holds(area, (struct point){ out->lat, out->lon });
	}
	return rc;
}

/* The airport that an area is known for; the next ones are what else could be meant. */
static enum errcode of_area(struct aircon *con, struct arena *a, const char *text, struct place *p, bool *found,
    struct err *e)
{
	struct airport best[PLACE_OTHERS];
	struct place as = { 0 };
	size_t n = 1;
	enum errcode rc = namesake(con, a, p->area, text, best, found, e);

	if (rc == OK && !*found)
		rc = area_airports(con, a, p->area, PLACE_OTHERS, best, &n, e);
	*found = rc == OK && n > 0;
	if (!*found)
		return rc;
	p->is_airport = true;
	p->airport = best[0];
	p->distance_nm = geo_distance_nm((struct point){ p->lat, p->lon },
	    (struct point){ best[0].lat, best[0].lon });
	for (size_t i = 1; i < n; i++) {
		place_be_airport(a, &as, p->source, &best[i]);
		if (p->nothers < PLACE_OTHERS)
			p->other[p->nothers++] = (struct place_other){ as.label, as.country, as.lat, as.lon };
	}
	return OK;
}

enum errcode place_airport(struct aircon *con, struct arena *a, const struct place_context *ctx,
    const char *text, enum place_wish wish, double max_nm, struct place *out, bool *found,
    struct err *e)
{
	struct err local;
	struct airport ap;
	struct town t;
	enum errcode rc;

	if (e == NULL)
		e = &local;
	rc = place_resolve(con, a, ctx, text, NULL, out, found, e);
	if (rc != OK || !*found)
		return rc;
	out->distance_nm = 0;
	if (out->is_airport && (out->source == PLACE_IDENT || out->source == PLACE_IATA ||
	    town_flown_to(&out->airport) || full_name(out)))
		return OK;
	*found = false;
	if (out->area != NULL)
		rc = of_area(con, a, text, out, found, e);
	if (rc != OK || *found)
		return rc;
	t = (struct town){ .country = out->country, .name = out->name, .lat = out->lat, .lon = out->lon };
	if (t.name != NULL)
		rc = town_airport(con, a, &t, out->airport_said ? PLACE_MAIN : wish, &ap,
		    &out->distance_nm, found, e);
	if (rc == OK && !*found) {
		rc = place_nearest(con, a, out->lat, out->lon, out->country, max_nm, &ap,
		    &out->distance_nm, found, e);
		out->nearest = true;
	}
	if (rc == OK && !*found)
		out->why = arena_printf(a, "there is no airport within %g NM of %s", max_nm,
		    out->label);
	if (rc == OK && *found) {
		out->is_airport = true;
		out->airport = ap;
	}
	return rc;
}
