/*
 * Filters in words: what was asked for, what was not recorded, what was left out.
 *
 * Public data knows the fuel of few airfields. "None has AVGAS" and "nothing is recorded" are
 * different answers for a pilot. So the answer always says what each filter dropped, and how much
 * of that only because data is missing.
 */
#include "agents/aviation/builtin/writer.h"

#include <math.h>
#include <string.h>

#include "airports/aircraft.h"
#include "airports/filter.h"
#include "airports/landing_fee.h"
#include "base/str.h"

/* What a filter is called in answers; SAY_NONE: nothing. */
struct filter_words {
	const char *filter;
	enum saying want;            /* "with …" and "without …" */
	enum saying unknown;         /* "… is not recorded" */
	enum saying fact;            /* the same in a list: "not recorded: …" */
	enum saying lack, had;       /* "3 have no …"; "3 have …", for a filter that wants none */
	const char *(*build)(const struct answer *, struct json_object *);  /* builds `want` with values */
};

static double number_of(struct json_object *v)
{
	double d = NAN;

	if (jsn_is(v, json_type_int) || jsn_is(v, json_type_double))
		return json_object_get_double(v);
	if (jsn_is(v, json_type_string) && str_to_double(json_object_get_string(v), &d))
		return d;
	return NAN;
}

static const char *said_min_runway(const struct answer *w, struct json_object *v)
{
	double ft = number_of(v);

	return isfinite(ft) ? said(w, want_min_runway, "length", md_feet(w, ft)) : NULL;
}

static const char *said_max_runway(const struct answer *w, struct json_object *v)
{
	double ft = number_of(v);

	return isfinite(ft) ? said(w, want_max_runway, "length", md_feet(w, ft)) : NULL;
}

static const char *said_fee(const struct answer *w, struct json_object *v)
{
	struct json_object *asked = jsn_get(w->args, "filters");
	const char *aircraft = jsn_get_str(asked, "fee_aircraft", FEE_AIRCRAFT);
	const char *called = aircraft_called(aircraft);
	const char *currency = jsn_get_str(asked, "fee_currency", "EUR");
	double fee = number_of(v);

	if (!isfinite(fee))
		return NULL;
	const char *of = called != NULL ? called : md_text(w->mem, str_upper_copy(w->mem, aircraft, strlen(aircraft)), 40);
	if (fee <= 0)
		return said(w, want_free, "aircraft", of);
	return said(w, want_fee, "fee", wording_number(w->wording, w->mem, fee),
	    "currency", md_text(w->mem, str_upper_copy(w->mem, currency, strlen(currency)), 3), "aircraft", of);
}

static const char *said_notice(const struct answer *w, struct json_object *v)
{
	double hours = number_of(v);

	return isfinite(hours)
	    ? said_n(w, want_notice, hours, "hours", wording_number(w->wording, w->mem, hours)) : NULL;
}

/* Must it be on the airfield, and not only close by? */
static bool there(struct json_object *v)
{
	return jsn_is(v, json_type_string) && streq(json_object_get_string(v), "at_airport");
}

static const char *said_hotel(const struct answer *w, struct json_object *v)
{
	return there(v) ? said(w, want_hotel_there) : said(w, want_hotel);
}

static const char *said_restaurant(const struct answer *w, struct json_object *v)
{
	return there(v) ? said(w, want_restaurant_there) : said(w, want_restaurant);
}

static const char *said_trip(const struct answer *w, struct json_object *v)
{
	double min = jsn_get_num(v, "min", NAN), max = jsn_get_num(v, "max", NAN);
	const char *from = md_text(w->mem, jsn_get_str(v, "from", ""), 20);

	if (isfinite(min) && isfinite(max))
		return said(w, want_trip_between, "min", md_nm(w, min), "max", md_nm(w, max), "from", from);
	if (isfinite(max))
		return said(w, want_trip_max, "max", md_nm(w, max), "from", from);
	if (isfinite(min))
		return said(w, want_trip_min, "min", md_nm(w, min), "from", from);
	return NULL;
}

static const struct filter_words words[] = {
	{ "has_avgas", SAY_want_avgas, SAY_unknown_fuel, SAY_fact_fuel, SAY_lack_avgas, SAY_had_avgas, NULL },
	{ "has_jet_a", SAY_want_jet_a, SAY_unknown_fuel, SAY_fact_fuel, SAY_lack_jet_a, SAY_had_jet_a, NULL },
	{ "has_fuel", SAY_want_fuel, SAY_unknown_fuel, SAY_fact_fuel, SAY_lack_fuel, SAY_had_fuel, NULL },
	{ "point_of_entry", SAY_want_customs, SAY_unknown_customs, SAY_fact_customs, SAY_lack_customs, SAY_had_customs, NULL },
	{ "has_procedures", SAY_want_procedures, SAY_unknown_procedures, SAY_fact_procedures, SAY_lack_procedures,
	  SAY_had_procedures, NULL },
	{ "has_aip_data", SAY_want_aip, SAY_unknown_aip, SAY_fact_aip, SAY_lack_aip, SAY_had_aip, NULL },
	{ "has_hard_runway", SAY_want_hard, SAY_unknown_surface, SAY_fact_surface, SAY_lack_hard, SAY_had_hard, NULL },
	{ "min_runway_length_ft", SAY_NONE, SAY_unknown_length, SAY_fact_length, SAY_lack_min_runway, SAY_NONE, said_min_runway },
	{ "max_runway_length_ft", SAY_NONE, SAY_unknown_length, SAY_fact_length, SAY_lack_max_runway, SAY_NONE, said_max_runway },
	{ "max_landing_fee", SAY_NONE, SAY_unknown_fee, SAY_fact_fee, SAY_lack_fee, SAY_NONE, said_fee },
	{ "hotel", SAY_NONE, SAY_unknown_hotel, SAY_fact_hotel, SAY_lack_hotel, SAY_NONE, said_hotel },
	{ "restaurant", SAY_NONE, SAY_unknown_restaurant, SAY_fact_restaurant, SAY_lack_restaurant, SAY_NONE, said_restaurant },
	{ "trip_distance", SAY_NONE, SAY_unknown_position, SAY_fact_position, SAY_lack_trip, SAY_NONE, said_trip },
	{ "max_hours_notice", SAY_NONE, SAY_unknown_notice, SAY_fact_notice, SAY_lack_notice, SAY_NONE, said_notice },
	{ "country", SAY_NONE, SAY_unknown_country, SAY_fact_country, SAY_lack_country, SAY_NONE, NULL },
	{ "exclude_large_airports", SAY_NONE, SAY_NONE, SAY_NONE, SAY_lack_size, SAY_NONE, NULL },
	{ "exclude", SAY_NONE, SAY_NONE, SAY_NONE, SAY_lack_excluded, SAY_NONE, NULL },
};

static const struct filter_words *words_of(const char *filter)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i].filter, filter))
			return &words[i];
	return NULL;
}

static void collect(const struct answer *w, const char *filter, struct json_object *value,
    struct phrases *with, struct phrases *without)
{
	const struct filter_words *f = words_of(filter);

	if (!f || !value)
		return;
	if (f->build) {
		const char *text = f->build(w, value);
		if (text)
			phrases_add(with, text);
	} else if (f->want != SAY_NONE && jsn_is(value, json_type_boolean)) {
		phrases_add(json_object_get_boolean(value) ? with : without, said_as(w, f->want));
	}
}

const char *filters_said(const struct answer *w)
{
	struct json_object *asked = jsn_get(w->args, "filters");
	struct json_object *profile = jsn_get(w->result, "filter_profile");
	const char *country = jsn_get_str(profile, "country", jsn_get_str(asked, "country", NULL));
	struct phrases with = { .n = 0 }, without = { .n = 0 };
	const char *s = "";

	JSN_EACH(asked, it)
		collect(w, it.key, it.val, &with, &without);
	if (!jsn_get(asked, "max_hours_notice"))
		collect(w, "max_hours_notice", jsn_get(profile, "max_hours_notice"), &with, &without);
	if (country && *country)
		s = arena_printf(w->mem, " %s", md_in_country(w, country));
	const char *things = phrases_join(w, &with), *others = phrases_join(w, &without);
	if (with.n && without.n)
		return arena_printf(w->mem, "%s%s", s, said(w, filters_and_without, "things", things, "others", others));
	return arena_printf(w->mem, "%s%s", s, with.n ? said(w, filters_with, "things", things)
	    : without.n ? said(w, filters_without, "things", others) : "");
}

/* A limit on notice is not checked for airports without data on notice. */
void filters_notice(const struct answer *w, struct phrases *notes, struct json_object *airports)
{
	bool limited = jsn_get(jsn_get(w->result, "filter_profile"), "max_hours_notice") ||
	    jsn_get(jsn_get(w->args, "filters"), "max_hours_notice");

	if (!limited || jsn_len(airports) == 0)
		return;
	for (size_t i = 0; i < jsn_len(airports); i++)
		if (jsn_get(jsn_at(airports, i), "notification"))
			return;
	phrases_add(notes, said(w, filter_notice_unchecked));
}

/* "CH,LFAC": "Switzerland and LFAC" */
static const char *excluded(const struct answer *w)
{
	const char *rest = jsn_get_str(jsn_get(w->args, "filters"), "exclude", NULL);
	struct phrases places = { .n = 0 };
	struct str part;

	while (rest != NULL && str_part(&rest, ',', &part)) {
		const struct str code = str_trim(part);
		phrases_add(&places, str_ieq(code, FILTER_MILITARY) ? said(w, filter_military)
		    : md_country(w, arena_strndup(w->mem, code.p, code.n)));
	}
	return places.n > 0 ? phrases_join(w, &places) : NULL;
}

/* The names of large airports that are left out, without the nearest, which has a note of its own. *n: how many names. NULL: there are
 * none. */
static const char *oversized(const struct answer *w, struct json_object *report, size_t *n)
{
	const char *nearest = jsn_get_str(jsn_get(report, "nearest_large"), "ident", NULL);
	struct json_object *list = jsn_get(report, "large");
	struct phrases names = { .n = 0 };

	for (size_t i = 0; jsn_is(list, json_type_array) && i < jsn_len(list); i++)
		if (!streq(jsn_get_str(jsn_at(list, i), "ident", NULL), nearest))
			phrases_add(&names, md_airport(w, jsn_at(list, i)));
	*n = names.n;
	return names.n > 0 ? phrases_join(w, &names) : NULL;
}

void filters_large_note(const struct answer *w, struct phrases *notes)
{
	struct json_object *report = jsn_get(w->result, "filter_report"), *nearest = jsn_get(report, "nearest_large");
	const int64_t others = jsn_get_int(jsn_get(report, "dropped"), "exclude_large_airports", 0) - (nearest != NULL);
	size_t n;
	const char *names = oversized(w, report, &n);

	if (nearest != NULL)
		phrases_add(notes, said(w, filter_large_nearest, "airport", md_airport(w, nearest), "distance",
		    md_nm(w, jsn_get_num(nearest, "distance_nm", 0))));
	if (names != NULL)
		phrases_add(notes, others > (int64_t)n ? said(w, filter_large_some, "airports", names) : said(w, filter_large_named, "airports", names));
}

void filters_notes(const struct answer *w, struct phrases *notes)
{
	const char *out = excluded(w);

	struct json_object *report = jsn_get(w->result, "filter_report");
	int64_t candidates = jsn_get_int(report, "candidates", 0);
	int64_t large = jsn_get_int(jsn_get(report, "dropped"), "exclude_large_airports", 0);
	struct json_object *nearest = jsn_get(report, "nearest_large");

	JSN_EACH(jsn_get(report, "unknown"), it) {
		const struct filter_words *f = words_of(it.key);
		double n = jsn_is(it.val, json_type_int) ? json_object_get_double(it.val) : 0;
		if (!f || f->unknown == SAY_NONE || n < 1)
			continue;
		phrases_add(notes, said_as(w, jsn_len(jsn_get(w->result, "unrecorded")) > 0 ? SAY_filter_unknown_listed
		    : SAY_filter_unknown, "fact", said_as(w, f->unknown), "lacking", md_count(w, n),
		    "all", md_count(w, (double)candidates)));
	}
	if (out != NULL)
		phrases_add(notes, said(w, filter_excluded, "places", out));
	filters_large_note(w, notes);
	if (large > (nearest != NULL) && jsn_len(jsn_get(report, "large")) == 0)
		phrases_add(notes, said_n(w, filter_large, (double)large));
}

void filters_lack(const struct answer *w, struct json_object *names, struct phrases *facts)
{
	for (size_t i = 0; jsn_is(names, json_type_array) && i < jsn_len(names); i++) {
		struct json_object *name = jsn_at(names, i);
		const struct filter_words *f = jsn_is(name, json_type_string)
		    ? words_of(json_object_get_string(name)) : NULL;
		size_t k = 0;
		if (!f || f->fact == SAY_NONE)
			continue;
		const char *fact = said_as(w, f->fact);
		while (k < facts->n && !streq(facts->text[k], fact))
			k++;
		if (k == facts->n)
			phrases_add(facts, fact);
	}
}

void filters_why_empty(const struct answer *w, const char *among)
{
	struct json_object *report = jsn_get(w->result, "filter_report");
	struct json_object *unknown = jsn_get(report, "unknown");
	int64_t candidates = jsn_get_int(report, "candidates", -1);

	if (candidates < 0)
		return;
	if (candidates == 0) {
		buf_printf(w->out, "\n%s\n", said(w, empty_database, "among", among));
		return;
	}
	buf_printf(w->out, "\n%s\n", said_n(w, empty_candidates, (double)candidates, "among", among));
	JSN_EACH(jsn_get(report, "dropped"), it) {
		const struct filter_words *f = words_of(it.key);
		struct json_object *value = jsn_get(jsn_get(w->args, "filters"), it.key);
		bool had = jsn_is(value, json_type_boolean) && !json_object_get_boolean(value);
		int64_t dropped = jsn_is(it.val, json_type_int) ? json_object_get_int64(it.val) : 0;
		int64_t blind = jsn_get_int(unknown, it.key, 0), seen = dropped - blind;
		if (!f)
			continue;
		/* a filter for airports without a thing has dropped those that have it */
		if (seen > 0)
			buf_printf(w->out, "- %s\n", said_as_n(w, had && f->had != SAY_NONE ? f->had : f->lack,
			    (double)seen));
		if (blind > 0 && f->unknown != SAY_NONE)
			buf_printf(w->out, "- %s\n", said(w, empty_unknown, "fact", said_as(w, f->unknown),
			    "lacking", md_count(w, (double)blind)));
	}
}
