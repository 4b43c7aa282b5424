/*
 * Facts of one airport: radio, light, directions, position.
 *
 * The first sentence gives the fact that was asked for. If the fact is not recorded, the sentence
 * says so and names the place where a pilot finds it.
 */
#include "agents/aviation/builtin/writer_facts.h"

#include <math.h>
#include <string.h>

#include "airports/day.h"
#include "base/str.h"

enum { TEXT_MAX = 60, FREQUENCIES_MAX = 30, SAID_MAX = 8, ISO_DAY = 10, ISO_CLOCK = 11,
	ISO_LENGTH = 17, SOURCE_MAX = 100 };

static struct json_object *part(const struct answer *w, const char *key)
{
	return jsn_get(w->result, key);
}

/* ---- frequencies --------------------------------------------------------------------- */

/* What is asked for, and how the public data calls it. */
static const struct radio {
	const char *words;
	enum saying name;
	const char *types;
} radios[] = {
	{ " tower| twr ", SAY_radio_tower, "TWR|TOWER" },
	{ " ground | gnd ", SAY_radio_ground, "GND|GROUND|RMP" },
	{ " atis", SAY_radio_atis, "ATIS" },
	{ " approach| radar| app ", SAY_radio_approach, "APP|ARR|RDR|RADAR|DIR|GCA|TCA" },
	{ " departure", SAY_radio_departure, "DEP" },
	{ " delivery| clearance", SAY_radio_delivery, "CLD|DEL|PTD" },
	{ " afis | information", SAY_radio_information, "AFIS|INFO|FIS" },
	{ " unicom| ctaf", SAY_radio_unicom, "UNIC|UNICOM|CTAF" },
	{ " a g | air ground| air to ground", SAY_radio_air_ground, "A/G|A/D|RDO|RADIO" },
};

static const struct radio *radio_asked(const struct answer *w)
{
	for (size_t i = 0; i < sizeof(radios) / sizeof(*radios); i++)
		if (md_asks(w, radios[i].words))
			return &radios[i];
	return NULL;
}

static bool has_type(const struct radio *r, struct json_object *o)
{
	const char *types = r->types;
	struct str one;

	while (str_part(&types, '|', &one))
		if (str_ieq(one, jsn_get_str(o, "type", "")))
			return true;
	return false;
}

/* "118.450 (TWR)" */
static const char *frequency_said(const struct answer *w, struct json_object *o)
{
	const char *mhz = md_text(w->mem, jsn_get_str(o, "frequency_mhz", "?"), TEXT_MAX);
	const char *type = md_text(w->mem, jsn_get_str(o, "type", ""), TEXT_MAX);

	return *type ? arena_printf(w->mem, "%s %s", type, mhz) : mhz;
}

/* Frequencies of one kind (NULL: all of them), joined, and how many. */
static const char *frequencies_said(const struct answer *w, const struct radio *r, size_t *n)
{
	struct json_object *list = part(w, "frequencies");
	struct phrases all = { .n = 0 };

	*n = 0;
	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *o = jsn_at(list, i);
		if (r != NULL && !has_type(r, o))
			continue;
		if (++*n <= SAID_MAX)
			phrases_add(&all, r == NULL ? frequency_said(w, o)
			    : md_text(w->mem, jsn_get_str(o, "frequency_mhz", "?"), TEXT_MAX));
	}
	return *n > SAID_MAX ? said(w, frequencies_more, "frequencies", phrases_join(w, &all),
	    "others", md_count(w, (double)(*n - SAID_MAX))) : phrases_join(w, &all);
}

void answer_stands_in(const struct answer *w, const char *airport)
{
	if (w->plan->stands_for == NULL)
		return;
	put_line(w, airport_stands_in, "place", md_place(w, w->plan->stands_for, 100), "airport", airport,
	    "distance", md_nm(w, w->plan->stands_nm));
	buf_puts(w->out, "\n");
}

void answer_frequency(const struct answer *w)
{
	const struct radio *r = radio_asked(w);
	const char *name = details_name(w);
	size_t n, others;
	const char *asked = frequencies_said(w, r, &n), *all = frequencies_said(w, NULL, &others);

	if (others == 0)
		put_line(w, frequency_none, "airport", name);
	else if (r == NULL)
		put_line(w, frequency_all, "airport", name, "frequencies", all);
	else if (n == 0)
		put_line(w, frequency_not_this, "kind", said_as(w, r->name), "airport", name, "frequencies", all);
	else
		put_line_n(w, frequency_this, (double)n, "kind", said_as(w, r->name), "airport", name,
		    "frequencies", asked);
}

void write_frequencies(const struct answer *w)
{
	struct json_object *list = part(w, "frequencies");
	size_t n = jsn_is(list, json_type_array) ? jsn_len(list) : 0;

	const char *all = "";
	for (size_t i = 0; i < n && i < FREQUENCIES_MAX; i++)
		all = arena_printf(w->mem, "%s%s%s", all, i == 0 ? "" : ", ", frequency_said(w, jsn_at(list, i)));
	if (n > 0)
		put_line(w, line_frequencies, "frequencies", all);
}

/* ---- the sun ------------------------------------------------------------------------------ */

/* "15:48" of "2026-12-24T15:48Z"; of another day than the one asked for "00:31 (25 December 2026)".
 * NULL: there is no such time. */
static const char *time_said(const struct answer *w, const char *key)
{
	struct json_object *sun = part(w, "sun");
	const char *iso = jsn_get_str(sun, key, ""), *date = jsn_get_str(sun, "date", "");
	struct day d;

	if (strlen(iso) != ISO_LENGTH)
		return NULL;
	const char *clock = arena_strndup(w->mem, iso + ISO_CLOCK, 5);
	const char *day = arena_strndup(w->mem, iso, ISO_DAY);
	if (streq(day, date) || day_parse(day, day_today(), &d, NULL) != OK)
		return clock;
	return arena_printf(w->mem, "%s (%s)", clock, wording_date(w->wording, w->mem, d.year, d.month, d.day));
}

/* "24 December 2026" */
static const char *sun_date(const struct answer *w)
{
	const char *date = jsn_get_str(part(w, "sun"), "date", "");
	struct day d;

	return day_parse(date, day_today(), &d, NULL) != OK ? md_text(w->mem, date, TEXT_MAX)
	    : wording_date(w->wording, w->mem, d.year, d.month, d.day);
}

/* "civil twilight lasts from 06:09 to 16:25 UTC" */
static const char *twilight_said(const struct answer *w)
{
	const char *begins = time_said(w, "civil_twilight_begins"), *ends = time_said(w,
	    "civil_twilight_ends");

	if (begins != NULL && ends != NULL)
		return said(w, twilight_times, "begins", begins, "ends", ends);
	return streq(jsn_get_str(part(w, "sun"), "civil_twilight", ""), "none")
	    ? said(w, twilight_none) : said(w, twilight_all_night);
}

/* "the sun rises at 06:43 and sets at 15:51 UTC" */
static const char *sun_said(const struct answer *w)
{
	const char *rise = time_said(w, "sunrise"), *set = time_said(w, "sunset");

	if (rise != NULL && set != NULL)
		return said(w, sun_times, "rise", rise, "set", set);
	return streq(jsn_get_str(part(w, "sun"), "sun", ""), "polar night")
	    ? said(w, sun_never) : said(w, sun_always);
}

static bool sun_known(const struct answer *w)
{
	if (jsn_is(part(w, "sun"), json_type_object))
		return true;
	put_line(w, sun_unknown, "airport", details_name(w));
	return false;
}

static bool polar_day(const struct answer *w)
{
	return streq(jsn_get_str(part(w, "sun"), "sun", ""), "polar day");
}

/* The sun, and twilight where there is any. */
static const char *whole_sun_said(const struct answer *w)
{
	return polar_day(w) ? sun_said(w)
	    : said(w, sun_and_twilight, "sun", sun_said(w), "twilight", twilight_said(w));
}

void answer_sun(const struct answer *w)
{
	if (sun_known(w))
		put_line(w, sun_at, "airport", details_name(w), "date", sun_date(w), "sun", whole_sun_said(w));
}

void write_sun(const struct answer *w)
{
	if (jsn_is(part(w, "sun"), json_type_object))
		put_line(w, line_sun, "date", sun_date(w), "sun", whole_sun_said(w));
}

/* ---- lights, and landing after dark ----------------------------------------------------------- */

/* "runways 07/25 and 03/21"; NULL: no open runway has lights. *open: how many open runways there
 * are. */
static const char *lighted_said(const struct answer *w, size_t *n, size_t *open)
{
	struct json_object *list = part(w, "runways");
	struct phrases names = { .n = 0 };

	*n = *open = 0;
	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *r = jsn_at(list, i);
		if (details_runway_closed(r))
			continue;
		++*open;
		if (!jsn_truthy(jsn_get(r, "lighted")))
			continue;
		if (++*n <= SAID_MAX && *details_runway(w, r))
			phrases_add(&names, details_runway(w, r));
	}
	if (*n == 0)
		return NULL;
	if (names.n == 0)
		return said_n(w, lights_runways, (double)*n);
	return said_n(w, lights_runways_named, (double)names.n, "runways", phrases_join(w, &names));
}

/* "runway 07/25 is recorded with lights" */
static const char *lights_said(const struct answer *w)
{
	size_t n, open;
	const char *lighted = lighted_said(w, &n, &open);

	if (lighted != NULL)
		return said_n(w, lights_some, (double)n, "runways", lighted);
	return open == 0 ? said(w, lights_no_runway) : said(w, lights_none);
}

void answer_lights(const struct answer *w)
{
	put_line(w, lights_at, "airport", details_name(w), "lights", lights_said(w));
}

static const char *hours_said(const struct answer *w)
{
	struct json_object *list = part(w, "aip_data");

	for (size_t i = 0; i < jsn_len(list); i++)
		if (streq(jsn_get_str(jsn_at(list, i), "field", ""), "AD Administration")) {
			const char *text = jsn_get_str(jsn_at(list, i), "value", "");
			/* the field of that name in another section is an address */
			if (strpbrk(text, "0123456789") != NULL || strcasestr(text, "HS") != NULL ||
			    strcasestr(text, "H24") != NULL)
				return md_text(w->mem, text, SOURCE_MAX);
		}
	return NULL;
}

bool answer_hours(const struct answer *w, const char *airport)
{
	const char *hours = hours_said(w);

	if (hours != NULL)
		put_line(w, hours_at, "airport", airport, "hours", hours);
	return hours != NULL;
}

/* Night begins and ends with civil twilight in the European rules of the air. */
void answer_night(const struct answer *w)
{
	const char *ends = time_said(w, "civil_twilight_ends"), *set = time_said(w, "sunset"), *light;
	const char *hours = hours_said(w);

	if (!sun_known(w))
		return;
	if (set != NULL && ends != NULL)
		light = said(w, night_light, "set", set, "ends", ends);
	else
		light = polar_day(w) ? said(w, night_never_dark) : whole_sun_said(w);
	put_line(w, night_at, "airport", details_name(w), "lights", lights_said(w), "date", sun_date(w),
	    "light", light, "hours", hours == NULL ? "" : said(w, night_hours, "hours", hours));
}

/* ---- directions ----------------------------------------------------------------------------- */

/* "073°"; NULL: not recorded. */
static const char *degrees_said(const struct answer *w, struct json_object *r, const char *key)
{
	const double v = jsn_get_num(r, key, NAN);
	const long turned = isfinite(v) ? lround(v) % 360 : 0;

	return isfinite(v) && v >= 0 && v <= 360
	    ? arena_printf(w->mem, "%03ld°", turned == 0 ? 360 : turned) : NULL;
}

/* "073°/253°" */
static const char *both_said(const struct answer *w, struct json_object *r, const char *low,
    const char *high)
{
	const char *le = degrees_said(w, r, low), *he = degrees_said(w, r, high);

	return le != NULL && he != NULL ? arena_printf(w->mem, "%s/%s", le, he) : le != NULL ? le : he;
}

static void add_displaced(const struct answer *w, struct json_object *r, const char *ident,
    const char *key, struct phrases *out)
{
	const double ft = jsn_get_num(r, key, NAN);

	if (isfinite(ft) && ft > 0)
		phrases_add(out, said(w, runway_displaced, "end",
		    md_text(w->mem, jsn_get_str(r, ident, ""), TEXT_MAX), "length", md_feet(w, ft)));
}

/* Both displaced thresholds. If they leave nothing of the runway between them, the record is wrong, and the answer says so. */
static void add_thresholds(const struct answer *w, struct json_object *r, struct phrases *out)
{
	const double low = jsn_get_num(r, "le_displaced_threshold_ft", 0), high = jsn_get_num(r, "he_displaced_threshold_ft", 0);
	const double length = jsn_get_num(r, "length_ft", 0);

	add_displaced(w, r, "le_ident", "le_displaced_threshold_ft", out);
	add_displaced(w, r, "he_ident", "he_displaced_threshold_ft", out);
	if (length > 0 && low + high >= length)
		phrases_add(out, said(w, runway_displaced_wrong));
}

const char *runway_ends_said(const struct answer *w, struct json_object *r)
{
	const char *heading = both_said(w, r, "le_heading_true_deg", "he_heading_true_deg");
	struct phrases more = { .n = 0 };

	if (heading != NULL)
		phrases_add(&more, said(w, runway_true, "heading", heading));
	add_thresholds(w, r, &more);
	const char *out = "";
	for (size_t i = 0; i < more.n; i++)
		out = arena_printf(w->mem, "%s, %s", out, more.text[i]);
	return out;
}

/* "13/31 133°/313° true, 131°/311° magnetic, threshold 31 displaced 492 ft (150 m)"; NULL: it is
 * closed, or its headings are not recorded. */
static const char *headings_said(const struct answer *w, struct json_object *r)
{
	const char *heading = both_said(w, r, "le_heading_true_deg", "he_heading_true_deg");
	const char *magnetic = both_said(w, r, "le_heading_magnetic_deg", "he_heading_magnetic_deg");
	struct phrases more = { .n = 0 };
	const char *out;

	if (heading == NULL || details_runway_closed(r))
		return NULL;
	out = arena_printf(w->mem, "%s %s%s%s", details_runway(w, r), said(w, runway_true, "heading", heading),
	    magnetic != NULL ? ", " : "",
	    magnetic != NULL ? said(w, runway_magnetic, "heading", magnetic) : "");
	add_thresholds(w, r, &more);
	for (size_t i = 0; i < more.n; i++)
		out = arena_printf(w->mem, "%s, %s", out, more.text[i]);
	return out;
}

void answer_headings(const struct answer *w)
{
	struct json_object *list = part(w, "runways");
	const char *all = "";
	size_t n = 0;

	for (size_t i = 0; i < jsn_len(list) && n < SAID_MAX; i++) {
		const char *one = headings_said(w, jsn_at(list, i));
		if (one != NULL)
			all = arena_printf(w->mem, "%s%s%s", all, n++ == 0 ? "" : "; ", one);
	}
	if (n == 0)
		put_line(w, headings_unknown, "airport", details_name(w));
	else
		put_line(w, headings_at, "airport", details_name(w), "headings", all);
}

static const char *side_said(const struct answer *w, double east)
{
	return east < 0 ? said(w, variation_west) : said(w, variation_east);
}

void answer_variation(const struct answer *w)
{
	struct json_object *o = part(w, "magnetic_variation");
	const double east = jsn_get_num(o, "degrees_east", NAN);

	if (isfinite(east))
		put_line(w, variation_at, "airport", details_name(w), "degrees",
		    wording_number(w->wording, w->mem, fabs(east)), "side", side_said(w, east),
		    "source", md_text(w->mem, jsn_get_str(o, "source", said(w, variation_source_unknown)), SOURCE_MAX));
	else
		put_line(w, variation_unknown, "airport", details_name(w));
}

/* ---- position and codes ------------------------------------------------------------------------ */

/* "46°13'09"N", as publications write it */
static const char *angle_said(const struct answer *w, double v, const char *letters)
{
	const long seconds = lround(fabs(v) * 3600);

	return arena_printf(w->mem, "%02ld°%02ld′%02ld″%c", seconds / 3600, seconds / 60 % 60,
	    seconds % 60, letters[v < 0]);
}

/* NULL: not recorded. */
static const char *position_said(const struct answer *w)
{
	struct json_object *a = part(w, "airport");
	const double lat = jsn_get_num(a, "latitude_deg", NAN), lon = jsn_get_num(a, "longitude_deg", NAN);

	if (!isfinite(lat) || !isfinite(lon))
		return NULL;
	return arena_printf(w->mem, "%s %s (%.4f, %.4f)", angle_said(w, lat, "NS"),
	    angle_said(w, lon, "EW"), lat, lon);
}

void answer_position(const struct answer *w)
{
	const char *position = position_said(w);

	if (position != NULL)
		put_line(w, position_at, "airport", details_name(w), "position", position);
	else
		put_line(w, position_unknown, "airport", details_name(w));
}

/* "ICAO LSGS, IATA SIR"; "" when there are none */
static const char *codes_said(const struct answer *w)
{
	static const struct { const char *key; enum saying name; } kinds[] = {
		{ "icao", SAY_code_icao }, { "iata", SAY_code_iata }, { "local", SAY_code_local },
	};
	const char *out = "";

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const char *code = jsn_get_str(part(w, "codes"), kinds[i].key, "");
		if (*code)
			out = arena_printf(w->mem, "%s%s%s", out, *out ? ", " : "",
			    said_as(w, kinds[i].name, "code", md_text(w->mem, code, TEXT_MAX)));
	}
	return out;
}

void answer_codes(const struct answer *w)
{
	const char *codes = codes_said(w);

	if (*codes)
		put_line(w, codes_of, "airport", details_name(w), "codes", codes);
	else
		put_line(w, codes_none, "airport", details_name(w));
}

void write_position(const struct answer *w)
{
	const char *position = position_said(w), *codes = codes_said(w);
	struct json_object *o = part(w, "magnetic_variation");
	const double east = jsn_get_num(o, "degrees_east", NAN);

	if (position != NULL)
		put_line(w, line_position, "position", position);
	if (*codes)
		put_line(w, line_codes, "codes", codes);
	if (isfinite(east))
		put_line(w, line_variation, "degrees", wording_number(w->wording, w->mem, fabs(east)),
		    "side", side_said(w, east), "source", md_text(w->mem, jsn_get_str(o, "source", "?"), SOURCE_MAX));
}
