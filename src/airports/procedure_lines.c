/*
 * An aircraft that lands on runway 09 comes from the direction in which runway 27 points. So the line begins at the
 * end of 09 and goes along the true heading of 27. Where that heading is not recorded, the direction follows from
 * the heading of this end, or from the positions of both. The far point is the destination of a great circle, see
 * geo_destination().
 */
#include "airports/procedure_lines.h"

#include <math.h>
#include <string.h>

#include "base/str.h"

static const char *const ranks[] = { "ILS", "RNP", "RNAV", "VOR", "NDB", "LOC", "LDA", "SDF" };

int approach_precision(const char *type)
{
	for (size_t i = 0; type != NULL && i < sizeof(ranks) / sizeof(ranks[0]); i++)
		if (strieq(type, ranks[i]))
			return (int)i + 1;
	return APPROACH_UNRANKED;
}

const struct procedure *approach_best(const struct procedure *v, size_t n, const char *runway_end)
{
	const struct procedure *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (v[i].type != NULL && strieq(v[i].type, "approach") && v[i].runway != NULL &&
		    strieq(v[i].runway, runway_end) && (best == NULL ||
		    approach_precision(v[i].approach_type) < approach_precision(best->approach_type)))
			best = &v[i];
	return best;
}

static const char *category_of(const char *type)
{
	return streq(type, "ILS") ? "precision" :
	    streq(type, "RNP") || streq(type, "RNAV") ? "rnp" : "non-precision";
}

static bool placed(const struct runway_end *end)
{
	return isfinite(end->lat) && isfinite(end->lon) && fabs(end->lat) <= 90 && fabs(end->lon) <= 180;
}

/* Degrees; NaN: not known. */
static double outward(const struct runway_end *end, const struct runway_end *other)
{
	if (isfinite(other->heading_true))
		return other->heading_true;
	if (isfinite(end->heading_true))
		return fmod(end->heading_true + 180, 360);
	if (placed(other) && (other->lat != end->lat || other->lon != end->lon))
		return geo_bearing_deg((struct point){ other->lat, other->lon },
		    (struct point){ end->lat, end->lon });
	return (double)NAN;
}

size_t procedure_lines(struct arena *a, const struct runway *runways, size_t nrunways,
    const struct procedure *procedures, size_t nprocedures, double nm, struct procedure_line **out)
{
	struct procedure_line *v = arena_array(a, 2 * nrunways, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < 2 * nrunways; i++) {
		const struct runway *r = &runways[i / 2];
		const bool high = i % 2 == 1;
		const struct runway_end *end = high ? &r->he : &r->le, *other = high ? &r->le : &r->he;
		const char *ident = high ? r->he_ident : r->le_ident;
		const double direction = outward(end, other);

		if (r->closed || ident == NULL || !placed(end) || isnan(direction))
			continue;
		const struct procedure *best = approach_best(procedures, nprocedures, ident);
		if (best == NULL || best->approach_type == NULL)
			continue;
		const char *type = str_upper_copy(a, best->approach_type, strlen(best->approach_type));
		const struct point start = { end->lat, end->lon };
		v[n++] = (struct procedure_line){ ident, start, geo_destination(start, direction, nm), type,
			best->name, category_of(type) };
	}
	*out = v;
	return n;
}
