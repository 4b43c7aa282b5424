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
	const char *words, *said, *types;
} radios[] = {
	{ " tower| twr ", "tower", "TWR|TOWER" },
	{ " ground | gnd ", "ground", "GND|GROUND|RMP" },
	{ " atis", "ATIS", "ATIS" },
	{ " approach| radar| app ", "approach", "APP|ARR|RDR|RADAR|DIR|GCA|TCA" },
	{ " departure", "departure", "DEP" },
	{ " delivery| clearance", "clearance delivery", "CLD|DEL|PTD" },
	{ " afis | information", "flight information", "AFIS|INFO|FIS" },
	{ " unicom| ctaf", "UNICOM", "UNIC|UNICOM|CTAF" },
	{ " a g | air ground| air to ground", "air to ground", "A/G|A/D|RDO|RADIO" },
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
	return *n > SAID_MAX ? arena_printf(w->mem, "%s and %zu more", phrases_join(w, &all),
	    *n - SAID_MAX) : phrases_join(w, &all);
}

void answer_frequency(const struct answer *w)
{
	const struct radio *r = radio_asked(w);
	const char *name = details_name(w);
	size_t n, others;
	const char *said = frequencies_said(w, r, &n), *all = frequencies_said(w, NULL, &others);

	if (others == 0)
		buf_printf(w->out, "No radio frequency is recorded here for %s: look in the AIP (AD 2.18) "
		    "or on its chart.\n", name);
	else if (r == NULL)
		buf_printf(w->out, "The radio frequencies of %s, in MHz: %s.\n", name, all);
	else if (n == 0)
		buf_printf(w->out, "No %s frequency is recorded here for %s; recorded, in MHz: %s.\n",
		    r->said, name, all);
	else
		buf_printf(w->out, "The %s %s of %s %s %s MHz.\n", r->said,
		    n == 1 ? "frequency" : "frequencies", name, n == 1 ? "is" : "are", said);
}

void write_frequencies(const struct answer *w)
{
	struct json_object *list = part(w, "frequencies");
	size_t n = jsn_is(list, json_type_array) ? jsn_len(list) : 0;

	for (size_t i = 0; i < n && i < FREQUENCIES_MAX; i++)
		buf_printf(w->out, "%s%s", i == 0 ? "- Frequencies (MHz): " : ", ",
		    frequency_said(w, jsn_at(list, i)));
	if (n > 0)
		buf_puts(w->out, "\n");
}

/* ---- the sun ------------------------------------------------------------------------------ */

/* "15:48" of "2026-12-24T15:48Z"; of another day than the one asked for "00:31 (25 December 2026)".
 * NULL: there is no such time. */
static const char *time_said(const struct answer *w, const char *key)
{
	struct json_object *sun = part(w, "sun");
	const char *iso = jsn_get_str(sun, key, ""), *date = jsn_get_str(sun, "date", "");
	char said[DAY_TEXT];
	struct day d;

	if (strlen(iso) != ISO_LENGTH)
		return NULL;
	const char *clock = arena_strndup(w->mem, iso + ISO_CLOCK, 5);
	const char *day = arena_strndup(w->mem, iso, ISO_DAY);
	if (streq(day, date) || day_parse(day, day_today(), &d, NULL) != OK)
		return clock;
	day_said(said, d);
	return arena_printf(w->mem, "%s (%s)", clock, said);
}

/* "24 December 2026" */
static const char *sun_date(const struct answer *w)
{
	const char *date = jsn_get_str(part(w, "sun"), "date", "");
	char said[DAY_TEXT];
	struct day d;

	if (day_parse(date, day_today(), &d, NULL) != OK)
		return md_text(w->mem, date, TEXT_MAX);
	day_said(said, d);
	return arena_strdup(w->mem, said);
}

/* "civil twilight lasts from 06:09 to 16:25 UTC" */
static const char *twilight_said(const struct answer *w)
{
	const char *begins = time_said(w, "civil_twilight_begins"), *ends = time_said(w,
	    "civil_twilight_ends");

	if (begins != NULL && ends != NULL)
		return arena_printf(w->mem, "civil twilight begins at %s and ends at %s UTC", begins, ends);
	return streq(jsn_get_str(part(w, "sun"), "civil_twilight", ""), "none")
	    ? "there is no civil twilight either" : "civil twilight lasts all night";
}

/* "the sun rises at 06:43 and sets at 15:51 UTC" */
static const char *sun_said(const struct answer *w)
{
	const char *rise = time_said(w, "sunrise"), *set = time_said(w, "sunset");

	if (rise != NULL && set != NULL)
		return arena_printf(w->mem, "the sun rises at %s and sets at %s UTC", rise, set);
	return streq(jsn_get_str(part(w, "sun"), "sun", ""), "polar night")
	    ? "the sun does not rise (polar night)" : "the sun does not set (polar day)";
}

static bool sun_known(const struct answer *w)
{
	if (jsn_is(part(w, "sun"), json_type_object))
		return true;
	buf_printf(w->out, "The position of %s is not recorded, so sunrise and sunset cannot be computed.\n",
	    details_name(w));
	return false;
}

static bool polar_day(const struct answer *w)
{
	return streq(jsn_get_str(part(w, "sun"), "sun", ""), "polar day");
}

void answer_sun(const struct answer *w)
{
	if (sun_known(w))
		buf_printf(w->out, "At %s on %s %s%s%s.\n", details_name(w), sun_date(w), sun_said(w),
		    polar_day(w) ? "" : "; ", polar_day(w) ? "" : twilight_said(w));
}

void write_sun(const struct answer *w)
{
	if (jsn_is(part(w, "sun"), json_type_object))
		buf_printf(w->out, "- On %s %s%s%s\n", sun_date(w), sun_said(w),
		    polar_day(w) ? "" : "; ", polar_day(w) ? "" : twilight_said(w));
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
		return *n == 1 ? "a runway" : "runways";
	return arena_printf(w->mem, "runway%s %s", names.n == 1 ? "" : "s", phrases_join(w, &names));
}

/* "runway 07/25 is recorded with lights" */
static const char *lights_said(const struct answer *w)
{
	size_t n, open;
	const char *lighted = lighted_said(w, &n, &open);

	if (lighted != NULL)
		return arena_printf(w->mem, "%s %s recorded with lights", lighted, n == 1 ? "is" : "are");
	return open == 0 ? "no open runway is recorded" : "no runway lights are recorded";
}

void answer_lights(const struct answer *w)
{
	buf_printf(w->out, "At %s %s.\n", details_name(w), lights_said(w));
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
		buf_printf(w->out, "Opening hours at %s, according to the AIP: %s.\n", airport, hours);
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
		light = arena_printf(w->mem, "the sun sets at %s UTC and civil twilight ends at %s UTC",
		    set, ends);
	else
		light = polar_day(w) ? "the sun does not set, so it does not get dark"
		    : arena_printf(w->mem, "%s; %s", sun_said(w), twilight_said(w));
	buf_printf(w->out, "At %s %s; on %s %s. It is not recorded here whether it is open and approved for "
	    "flights at night%s. Ask the airport or look in the AIP (AD 2.3 and AD 2.14).\n",
	    details_name(w), lights_said(w), sun_date(w), light, hours == NULL ? "" :
	    arena_printf(w->mem, " (its AIP entry on hours: %s)", hours));
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
		phrases_add(out, arena_printf(w->mem, "threshold %s displaced %s",
		    md_text(w->mem, jsn_get_str(r, ident, ""), TEXT_MAX), md_feet(w, ft)));
}

void write_runway_ends(const struct answer *w, struct json_object *r)
{
	const char *heading = both_said(w, r, "le_heading_true_deg", "he_heading_true_deg");
	struct phrases more = { .n = 0 };

	if (heading != NULL)
		phrases_add(&more, arena_printf(w->mem, "%s true", heading));
	add_displaced(w, r, "le_ident", "le_displaced_threshold_ft", &more);
	add_displaced(w, r, "he_ident", "he_displaced_threshold_ft", &more);
	for (size_t i = 0; i < more.n; i++)
		buf_printf(w->out, ", %s", more.text[i]);
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
	out = arena_printf(w->mem, "%s %s true%s%s", details_runway(w, r), heading,
	    magnetic != NULL ? ", " : "",
	    magnetic != NULL ? arena_printf(w->mem, "%s magnetic", magnetic) : "");
	add_displaced(w, r, "le_ident", "le_displaced_threshold_ft", &more);
	add_displaced(w, r, "he_ident", "he_displaced_threshold_ft", &more);
	for (size_t i = 0; i < more.n; i++)
		out = arena_printf(w->mem, "%s, %s", out, more.text[i]);
	return out;
}

void answer_headings(const struct answer *w)
{
	struct json_object *list = part(w, "runways");
	size_t said = 0;

	for (size_t i = 0; i < jsn_len(list) && said < SAID_MAX; i++) {
		const char *one = headings_said(w, jsn_at(list, i));
		if (one == NULL)
			continue;
		if (said++ == 0)
			buf_printf(w->out, "Runway headings at %s: %s", details_name(w), one);
		else
			buf_printf(w->out, "; %s", one);
	}
	if (said == 0)
		buf_printf(w->out, "No runway headings are recorded here for %s: look on its chart.\n",
		    details_name(w));
	else
		buf_puts(w->out, ".\n");
}

void answer_variation(const struct answer *w)
{
	struct json_object *o = part(w, "magnetic_variation");
	const double east = jsn_get_num(o, "degrees_east", NAN);

	if (isfinite(east))
		buf_printf(w->out, "The magnetic variation at %s is %g° %s (%s).\n", details_name(w),
		    fabs(east), east < 0 ? "west" : "east",
		    md_text(w->mem, jsn_get_str(o, "source", "source not recorded"), SOURCE_MAX));
	else
		buf_printf(w->out, "The magnetic variation at %s is not recorded here: look in the AIP "
		    "(AD 2.2) or on a current chart.\n", details_name(w));
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
	const char *said = position_said(w);

	buf_printf(w->out, said != NULL ? "%s lies at %s.\n" : "The position of %s is not recorded.%s\n",
	    details_name(w), said != NULL ? said : "");
}

/* "ICAO LSGS, IATA SIR"; "" when there are none */
static const char *codes_said(const struct answer *w)
{
	static const char *const keys[][2] = { { "icao", "ICAO" }, { "iata", "IATA" },
		{ "local", "local" } };
	const char *out = "";

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *code = jsn_get_str(part(w, "codes"), keys[i][0], "");
		if (*code)
			out = arena_printf(w->mem, "%s%s%s %s", out, *out ? ", " : "", keys[i][1],
			    md_text(w->mem, code, TEXT_MAX));
	}
	return out;
}

void answer_codes(const struct answer *w)
{
	const char *said = codes_said(w);

	if (*said)
		buf_printf(w->out, "The codes of %s: %s.\n", details_name(w), said);
	else
		buf_printf(w->out, "No ICAO or IATA code is recorded for %s.\n", details_name(w));
}

void write_position(const struct answer *w)
{
	const char *position = position_said(w), *codes = codes_said(w);
	struct json_object *o = part(w, "magnetic_variation");
	const double east = jsn_get_num(o, "degrees_east", NAN);

	if (position != NULL)
		buf_printf(w->out, "- Position: %s\n", position);
	if (*codes)
		buf_printf(w->out, "- Codes: %s\n", codes);
	if (isfinite(east))
		buf_printf(w->out, "- Magnetic variation: %g° %s (%s)\n", fabs(east),
		    east < 0 ? "west" : "east", md_text(w->mem, jsn_get_str(o, "source", "?"), SOURCE_MAX));
}
