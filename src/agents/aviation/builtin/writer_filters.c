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

#include "airports/countries.h"
#include "airports/landing_fee.h"
#include "base/str.h"

struct filter_words {
	const char *filter;
	const char *with;             /* "with …" when true, or when a number or text applies */
	const char *without;          /* "without …" when false */
	const char *unknown;          /* "… is not recorded" */
	const char *fact;             /* the same in a list: "not recorded: …" */
	const char *lack, *lacks;     /* "3 airports …", "one airport …": fail for what is known */
	const char *(*said)(const struct answer *, struct json_object *);   /* builds `with` */
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

	return isfinite(ft) ? arena_printf(w->mem, "a runway of at least %s", md_feet(w->mem, ft))
	                    : NULL;
}

static const char *said_max_runway(const struct answer *w, struct json_object *v)
{
	double ft = number_of(v);

	return isfinite(ft) ? arena_printf(w->mem, "no runway longer than %s", md_feet(w->mem, ft))
	                    : NULL;
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
	return arena_printf(w->mem, "a landing fee of at most %g %s for a %s", fee,
	    md_text(w->mem, str_upper_copy(w->mem, currency, strlen(currency)), 3),
	    called != NULL ? called : md_text(w->mem, str_upper_copy(w->mem, aircraft, strlen(aircraft)), 40));
}

static const char *said_notice(const struct answer *w, struct json_object *v)
{
	double hours = number_of(v);

	return isfinite(hours)
	    ? arena_printf(w->mem, "at most %g %s of notice", hours, hours == 1 ? "hour" : "hours")
	    : NULL;
}

static const char *said_place(const struct answer *w, struct json_object *v, const char *what)
{
	const char *where = jsn_is(v, json_type_string) ? json_object_get_string(v) : "";

	return arena_printf(w->mem, "%s %s", what,
	    streq(where, "at_airport") ? "on the airfield" : "on the airfield or close by");
}

static const char *said_hotel(const struct answer *w, struct json_object *v)
{
	return said_place(w, v, "a hotel");
}

static const char *said_restaurant(const struct answer *w, struct json_object *v)
{
	return said_place(w, v, "a restaurant");
}

static const char *said_trip(const struct answer *w, struct json_object *v)
{
	double min = jsn_get_num(v, "min", NAN), max = jsn_get_num(v, "max", NAN);
	const char *from = md_text(w->mem, jsn_get_str(v, "from", ""), 20);

	if (isfinite(min) && isfinite(max))
		return arena_printf(w->mem, "a distance of %s to %s from %s", md_nm(w->mem, min),
		    md_nm(w->mem, max), from);
	if (isfinite(max))
		return arena_printf(w->mem, "a distance of at most %s from %s",
		    md_nm(w->mem, max), from);
	if (isfinite(min))
		return arena_printf(w->mem, "a distance of at least %s from %s",
		    md_nm(w->mem, min), from);
	return NULL;
}

static const struct filter_words words[] = {
	{ "has_avgas", "AVGAS", "AVGAS", "Fuel", "fuel", "have no AVGAS", "has no AVGAS", NULL },
	{ "has_jet_a", "Jet A fuel", "Jet A fuel", "Fuel", "fuel", "have no Jet A fuel",
	  "has no Jet A fuel", NULL },
	{ "point_of_entry", "customs", "customs", "Customs (point of entry)", "customs",
	  "are not points of entry", "is not a point of entry", NULL },
	{ "has_procedures", "instrument procedures", "instrument procedures",
	  "Whether there are instrument procedures", "instrument procedures",
	  "have no instrument procedures recorded", "has no instrument procedures recorded", NULL },
	{ "has_aip_data", "AIP data", "AIP data", "AIP data", "AIP data", "have no AIP data",
	  "has no AIP data", NULL },
	{ "has_hard_runway", "a hard runway", "a hard runway", "The runway surface", "runway surface",
	  "have no hard runway", "has no hard runway", NULL },
	{ "min_runway_length_ft", NULL, NULL, "The runway length", "runway length",
	  "have shorter runways only", "has shorter runways only", said_min_runway },
	{ "max_runway_length_ft", NULL, NULL, "The runway length", "runway length",
	  "have a longer runway", "has a longer runway", said_max_runway },
	{ "max_landing_fee", NULL, NULL, "The landing fee in that currency", "landing fee in that currency", "cost more", "costs more",
	  said_fee },
	{ "hotel", NULL, NULL, "Whether there is a hotel", "hotels",
	  "have no hotel there", "has no hotel there", said_hotel },
	{ "restaurant", NULL, NULL, "Whether there is a restaurant",
	  "restaurants", "have no restaurant there", "has no restaurant there", said_restaurant },
	{ "trip_distance", NULL, NULL, "The position", "position", "are outside that distance",
	  "is outside that distance", said_trip },
	{ "max_hours_notice", NULL, NULL, "The notice period", "notice period", "need more notice",
	  "needs more notice", said_notice },
	{ "country", NULL, NULL, "The country", "country", "are in another country",
	  "is in another country", NULL },
	{ "exclude_large_airports", NULL, NULL, NULL, NULL,
	  "are large airports, which are left out unless asked for",
	  "is a large airport, which is left out unless asked for", NULL },
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
	if (f->said) {
		const char *said = f->said(w, value);
		if (said)
			phrases_add(with, said);
	} else if (f->with && jsn_is(value, json_type_boolean)) {
		if (json_object_get_boolean(value))
			phrases_add(with, f->with);
		else
			phrases_add(without, f->without);
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
	if (country && *country) {
		const struct country *c = country_by_name(str_fold(w->mem, country));
		s = arena_printf(w->mem, " in %s", c ? c->name : md_country(w->mem, country));
	}
	if (with.n)
		s = arena_printf(w->mem, "%s with %s", s, phrases_join(w->mem, &with));
	if (without.n)
		s = arena_printf(w->mem, "%s%s without %s", s, with.n ? " and" : "",
		    phrases_join(w->mem, &without));
	return s;
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
	phrases_add(notes, "Notice periods are not recorded for these airports, so I could not "
	    "check that limit.");
}

void filters_notes(const struct answer *w, struct phrases *notes)
{
	struct json_object *report = jsn_get(w->result, "filter_report");
	int64_t candidates = jsn_get_int(report, "candidates", 0);
	int64_t large = jsn_get_int(jsn_get(report, "dropped"), "exclude_large_airports", 0);

	JSN_EACH(jsn_get(report, "unknown"), it) {
		const struct filter_words *f = words_of(it.key);
		double n = jsn_is(it.val, json_type_int) ? json_object_get_double(it.val) : 0;
		if (!f || !f->unknown || n < 1)
			continue;
		phrases_add(notes, arena_printf(w->mem,
		    "%s is not recorded for %s of the %s airports considered; %s.", f->unknown,
		    md_count(w->mem, n), md_count(w->mem, (double)candidates),
		    jsn_len(jsn_get(w->result, "unrecorded")) > 0
		        ? "the best of them are listed above, and the others may fit too"
		        : "they are left out but may be suitable"));
	}
	if (large > 0)
		phrases_add(notes, arena_printf(w->mem,
		    "%s large %s left out; ask for large airports to include them.",
		    md_count(w->mem, (double)large), large == 1 ? "airport is" : "airports are"));
}

void filters_lack(struct json_object *filters, struct phrases *facts)
{
	for (size_t i = 0; jsn_is(filters, json_type_array) && i < jsn_len(filters); i++) {
		struct json_object *name = jsn_at(filters, i);
		const struct filter_words *f = jsn_is(name, json_type_string)
		    ? words_of(json_object_get_string(name)) : NULL;
		size_t k = 0;
		while (f && f->fact && k < facts->n && !streq(facts->text[k], f->fact))
			k++;
		if (f && f->fact && k == facts->n)
			phrases_add(facts, f->fact);
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
		buf_printf(w->out, "\nThe database has no airport %s.\n", among);
		return;
	}
	buf_printf(w->out, "\n%s %s %s:\n", md_count(w->mem, (double)candidates),
	    candidates == 1 ? "airport is" : "airports are", among);
	JSN_EACH(jsn_get(report, "dropped"), it) {
		const struct filter_words *f = words_of(it.key);
		struct json_object *value = jsn_get(jsn_get(w->args, "filters"), it.key);
		bool had = jsn_is(value, json_type_boolean) && !json_object_get_boolean(value);
		int64_t dropped = jsn_is(it.val, json_type_int) ? json_object_get_int64(it.val) : 0;
		int64_t blind = jsn_get_int(unknown, it.key, 0), seen = dropped - blind;
		if (!f)
			continue;
		/* a filter for airports without a thing has dropped those that have it */
		if (seen > 0 && had && f->with)
			buf_printf(w->out, "- %s %s %s\n", md_count(w->mem, (double)seen),
			    seen == 1 ? "has" : "have", f->with);
		else if (seen > 0)
			buf_printf(w->out, "- %s %s\n", md_count(w->mem, (double)seen),
			    seen == 1 ? f->lacks : f->lack);
		if (blind > 0 && f->unknown)
			buf_printf(w->out, "- %s is not recorded for %s\n", f->unknown,
			    md_count(w->mem, (double)blind));
	}
}
