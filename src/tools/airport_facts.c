/*
 * The parts of an airport as JSON: what the original service has comes first in each object, with
 * its names.
 */
#include "tools/airport_facts.h"

#include <math.h>
#include <stdio.h>

#include "airports/geo.h"
#include "base/str.h"

enum { PROCEDURES_LISTED = 60, ISO_MINUTE = 40 };

static void add_known(struct json_object *o, const char *key, double v)
{
	if (!isnan(v))
		jsn_add_num(o, key, v);
}

/* ---- runways --------------------------------------------------------------------- */

static double turned(double degrees)
{
	const double v = fmod(degrees, 360);

	return v < 0 ? v + 360 : v;
}

/* The recorded heading of an end, or else what follows from the positions of both ends, or from the
 * other end's heading; NaN: unknown. */
static double heading_of(const struct runway_end *end, const struct runway_end *other)
{
	if (end->heading_true >= 0 && end->heading_true <= 360)
		return end->heading_true;
	if (!isnan(end->lat) && !isnan(end->lon) && !isnan(other->lat) && !isnan(other->lon) &&
	    (end->lat != other->lat || end->lon != other->lon))
		return num_round(geo_bearing_deg((struct point){ end->lat, end->lon },
		    (struct point){ other->lat, other->lon }), 1);
	if (other->heading_true >= 0 && other->heading_true <= 360)
		return turned(other->heading_true + 180);
	return (double)NAN;
}

static void add_end(struct json_object *o, const char *const keys[4], const struct runway_end *end,
    const struct runway_end *other, const struct variation *variation)
{
	const double heading = heading_of(end, other);

	add_known(o, keys[0], heading);
	if (!isnan(heading) && !isnan(variation->east_deg))
		jsn_add_num(o, keys[1], num_round(turned(heading - variation->east_deg), 0));
	if (end->displaced_ft > 0)
		jsn_add_num(o, keys[2], end->displaced_ft);
	add_known(o, keys[3], end->elevation_ft);
}

struct json_object *runways_json(const struct runway *v, size_t n, const struct variation *variation)
{
	static const char *const low[] = { "le_heading_true_deg", "le_heading_magnetic_deg",
		"le_displaced_threshold_ft", "le_elevation_ft" };
	static const char *const high[] = { "he_heading_true_deg", "he_heading_magnetic_deg",
		"he_displaced_threshold_ft", "he_elevation_ft" };
	struct json_object *arr = json_object_new_array();

	for (size_t i = 0; i < n; i++) {
		const struct runway *r = &v[i];
		struct json_object *o = jsn_new();

		jsn_add_str(o, "le_ident", r->le_ident);
		jsn_add_str(o, "he_ident", r->he_ident);
		jsn_add_num(o, "length_ft", r->length_ft);
		jsn_add_num(o, "width_ft", r->width_ft);
		jsn_add_str(o, "surface", r->surface);
		jsn_add_bool(o, "lighted", r->lighted);
		if (r->closed)
			jsn_add_bool(o, "closed", true);
		add_end(o, low, &r->le, &r->he, variation);
		add_end(o, high, &r->he, &r->le, variation);
		jsn_push(arr, o);
	}
	return arr;
}

struct json_object *variation_json(const struct variation *v)
{
	struct json_object *o;

	if (isnan(v->east_deg))
		return NULL;
	o = jsn_new();
	jsn_add_num(o, "degrees_east", num_round(v->east_deg, 2));
	jsn_add_str(o, "source", v->source);
	return o;
}

/* ---- procedures, frequencies, codes ------------------------------------------------- */

struct json_object *procedures_json(const struct procedure *v, size_t n)
{
	struct json_object *o = jsn_new(), *types = jsn_new(), *list = json_object_new_array();

	jsn_add_int(o, "count", (int64_t)n);
	for (size_t i = 0; i < n; i++) {
		const char *type = v[i].type != NULL ? v[i].type : "other";

		jsn_add_int(types, type, jsn_get_int(types, type, 0) + 1);
		if (i >= PROCEDURES_LISTED)
			continue;
		struct json_object *p = jsn_new();
		jsn_add_str(p, "name", v[i].name);
		jsn_add_str(p, "type", v[i].type);
		if (v[i].approach_type != NULL)
			jsn_add_str(p, "approach_type", v[i].approach_type);
		if (v[i].runway != NULL)
			jsn_add_str(p, "runway", v[i].runway);
		jsn_push(list, p);
	}
	jsn_add(o, "by_type", types);
	jsn_add(o, "list", list);
	return o;
}

struct json_object *frequencies_json(const struct frequency *v, size_t n)
{
	struct json_object *arr = json_object_new_array();
	char mhz[32];

	for (size_t i = 0; i < n; i++) {
		struct json_object *o = jsn_new();

		jsn_add_str(o, "type", v[i].type);
		jsn_add_str(o, "description", v[i].description);
		/* as text, because a pilot dials all three decimals */
		snprintf(mhz, sizeof(mhz), "%.3f", v[i].mhz);
		jsn_add_str(o, "frequency_mhz", mhz);
		jsn_push(arr, o);
	}
	return arr;
}

struct json_object *codes_json(const char *ident, const struct airport_codes *codes)
{
	struct json_object *o = jsn_new();

	jsn_add_str(o, "ident", ident);
	jsn_add_str(o, "icao", codes->icao);
	jsn_add_str(o, "iata", codes->iata);
	jsn_add_str(o, "local", codes->local);
	return o;
}

/* ---- the sun ------------------------------------------------------------------------ */

/* "2026-12-24T15:48Z" */
static void add_time(struct json_object *o, const char *key, struct day d, double minutes)
{
	char text[ISO_MINUTE], day[DAY_TEXT];

	if (isnan(minutes)) {
		jsn_add(o, key, NULL);
		return;
	}
	const int64_t at = day_number(d) * 1440 + (int64_t)lround(minutes);
	day_iso(day, day_of_number(at / 1440));
	snprintf(text, sizeof(text), "%sT%02d:%02dZ", day, (int)(at % 1440) / 60, (int)(at % 60));
	jsn_add_str(o, key, text);
}

struct json_object *sun_json(struct day d, const struct airport *airport)
{
	static const char *const states[] = { [SUN_CROSSES] = "rises and sets",
		[SUN_ABOVE] = "polar day", [SUN_BELOW] = "polar night" };
	static const char *const lights[] = { [SUN_CROSSES] = "begins and ends",
		[SUN_ABOVE] = "all night", [SUN_BELOW] = "none" };
	char day[DAY_TEXT];

	if (isnan(airport->lat) || isnan(airport->lon))
		return NULL;
	const struct sun_day sun = sun_on(d, (struct point){ airport->lat, airport->lon });
	struct json_object *o = jsn_new();
	day_iso(day, d);
	jsn_add_str(o, "date", day);
	jsn_add_str(o, "sun", states[sun.sun.crosses]);
	jsn_add_str(o, "civil_twilight", lights[sun.light.crosses]);
	add_time(o, "civil_twilight_begins", d, sun.light.up);
	add_time(o, "sunrise", d, sun.sun.up);
	add_time(o, "sunset", d, sun.sun.down);
	add_time(o, "civil_twilight_ends", d, sun.light.down);
	jsn_add_str(o, "method", "computed for a level horizon; UTC");
	return o;
}
