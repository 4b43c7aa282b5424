/*
 * What is known of an airfield's hospitality, fees and reviews, in a few words.
 */
#include "agents/aviation/builtin/writer.h"

#include <math.h>
#include <string.h>

#include "airports/landing_fee.h"
#include "base/str.h"

static void add_amenity(const struct answer *w, struct phrases *p, struct json_object *o,
    const char *what)
{
	static const struct { const char *value, *before, *after; } rows[] = {
		{ "at_airport", "", " on the airfield" },
		{ "vicinity", "", " close by" },
		{ "none", "no ", "" },
	};
	const char *value = jsn_get_str(o, what, "");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (streq(rows[i].value, value))
			phrases_add(p, arena_printf(w->mem, "%s%s%s", rows[i].before, what, rows[i].after));
}

/* "Cessna 172, 1,157 kg": the aircraft whose fee is shown. */
static const char *fee_aircraft(const struct answer *w, double kg)
{
	const char *name = jsn_get_str(jsn_get(w->args, "filters"), "fee_aircraft", FEE_AIRCRAFT);
	double its_kg = NAN;
	const char *called = aircraft_mass(name, &its_kg) && its_kg == kg ? aircraft_called(name) : NULL;

	return arena_printf(w->mem, "%s%s%s kg", called != NULL ? called : "", called != NULL ? ", " : "",
	    md_count(w->mem, kg));
}

/* "landing fee 12 EUR (Cessna 172, 1,157 kg)" */
static void add_fee(const struct answer *w, struct phrases *p, struct json_object *fee)
{
	double amount = jsn_get_num(fee, "fee", NAN), kg = jsn_get_num(fee, "mtow_kg", NAN);
	char text[32];

	if (!isfinite(amount))
		return;
	num_print(text, amount);
	phrases_add(p, arena_printf(w->mem, "landing fee %s %s%s", text,
	    md_text(w->mem, jsn_get_str(fee, "currency", "(currency not recorded)"), 24),
	    isfinite(kg) ? arena_printf(w->mem, " (%s)", fee_aircraft(w, kg)) : ""));
}

static void add_rating(const struct answer *w, struct phrases *p, struct json_object *o)
{
	double rating = jsn_get_num(o, "rating", NAN);
	int64_t reviews = jsn_get_int(o, "review_count", 0);

	if (isfinite(rating) && reviews > 0)
		phrases_add(p, arena_printf(w->mem, "rated %.1f of 5 in %s %s", rating,
		    md_count(w->mem, (double)reviews), reviews == 1 ? "review" : "reviews"));
}

const char *friendliness_said(const struct answer *w, struct json_object *airport)
{
	struct json_object *o = jsn_get(airport, "friendliness");
	struct phrases p = { .n = 0 };
	const char *said = NULL;

	if (!jsn_is(o, json_type_object))
		return NULL;
	add_amenity(w, &p, o, "restaurant");
	add_amenity(w, &p, o, "hotel");
	add_fee(w, &p, jsn_get(o, "landing_fee"));
	add_rating(w, &p, o);
	for (size_t i = 0; i < p.n; i++)
		said = said == NULL ? p.text[i] : arena_printf(w->mem, "%s · %s", said, p.text[i]);
	return said;
}

/* ---- one airport -------------------------------------------------------------- */

enum { SUMMARY_MAX = 400, DATE_BYTES = 10 };

static struct json_object *known(const struct answer *w)
{
	return jsn_get(w->result, "friendliness");
}

static bool answer_amenity(const struct answer *w, const char *airport, const char *what, const char *key)
{
	const char *value = jsn_get_str(known(w), key, "");

	if (streq(value, "at_airport"))
		buf_printf(w->out, "Yes: %s has a %s on the airfield.\n", airport, what);
	else if (streq(value, "vicinity"))
		buf_printf(w->out, "Yes: there is a %s close to %s.\n", what, airport);
	else if (streq(value, "none"))
		buf_printf(w->out, "No: %s has no %s, as far as is recorded.\n", airport, what);
	else
		return false;
	return true;
}

bool answer_restaurant(const struct answer *w, const char *airport)
{
	return answer_amenity(w, airport, "restaurant", "restaurant_info");
}

bool answer_hotel(const struct answer *w, const char *airport)
{
	return answer_amenity(w, airport, "hotel", "hotel_info");
}

/* "8 EUR below 750 kg, 12 EUR below 1,200 kg and 70 EUR above"; NULL: none. */
static const char *fees_said(const struct answer *w)
{
	struct json_object *fees = jsn_get(known(w), "landing_fees"), *bands = jsn_get(fees, "bands");
	const char *currency = md_text(w->mem, jsn_get_str(fees, "currency", "(currency not recorded)"), 24);
	const char *date = jsn_get_str(fees, "fee_last_updated_utc", "");
	struct phrases p = { .n = 0 };

	for (size_t i = 0; jsn_is(bands, json_type_array) && i < jsn_len(bands); i++) {
		double amount = jsn_get_num(jsn_at(bands, i), "fee", NAN);
		double below = jsn_get_num(jsn_at(bands, i), "below_kg", NAN);
		char text[32];

		if (!isfinite(amount))
			continue;
		num_print(text, amount);
		phrases_add(&p, arena_printf(w->mem, "%s %s %s", text, currency, isfinite(below)
		    ? arena_printf(w->mem, "below %s kg", md_count(w->mem, below)) : "for heavier aircraft"));
	}
	if (p.n == 0)
		return NULL;
	return *date == '\0' ? phrases_join(w->mem, &p) : arena_printf(w->mem, "%s (as of %s)",
	    phrases_join(w->mem, &p), md_text(w->mem, arena_strndup(w->mem, date,
	        utf8_cut(date, strlen(date), DATE_BYTES)), DATE_BYTES));
}

/* The aircraft that the question names; NULL: none. Types have one word or two ("sr22", "cessna 172"). */
static const char *aircraft_asked(const struct answer *w)
{
	for (const char *p = w->question; *(p += strspn(p, " ")) != '\0'; p += strcspn(p, " ")) {
		const size_t one = strcspn(p, " "), gap = one + strspn(p + one, " ");
		const size_t lengths[] = { gap + strcspn(p + gap, " "), one };
		for (size_t i = 0; i < 2; i++) {
			const char *name = arena_strndup(w->mem, p, lengths[i]);
			if (aircraft_called(name) != NULL)
				return name;
		}
	}
	return NULL;
}

/* The fee for the aircraft that the question names. False: it names none, or no fee is recorded for it. */
static bool answer_own_fee(const struct answer *w, const char *airport)
{
	struct json_object *fees = jsn_get(known(w), "landing_fees"), *bands = jsn_get(fees, "bands");
	const char *aircraft = w->plan->mass != NULL ? w->plan->mass : aircraft_asked(w);
	double kg = NAN;

	if (aircraft == NULL || !aircraft_mass(aircraft, &kg) || jsn_len(bands) == 0)
		return false;
	const char *called = aircraft_called(aircraft) == NULL ? arena_printf(w->mem, "an aircraft of %s kg", md_count(w->mem, kg))
	    : arena_printf(w->mem, "a %s (%s kg)", aircraft_called(aircraft), md_count(w->mem, kg));
	for (size_t i = 0; jsn_is(bands, json_type_array) && i < jsn_len(bands); i++) {
		double amount = jsn_get_num(jsn_at(bands, i), "fee", NAN);
		char text[32];
		if (!(kg < jsn_get_num(jsn_at(bands, i), "below_kg", INFINITY)))
			continue;
		if (!isfinite(amount))
			break;
		num_print(text, amount);
		buf_printf(w->out, "The landing fee at %s for %s is %s %s.\n", airport,
		    called, text,
		    md_text(w->mem, jsn_get_str(fees, "currency", "(currency not recorded)"), 24));
		return true;
	}
	buf_printf(w->out, "The landing fee at %s for %s is not recorded.\n", airport, called);
	return false;
}

bool answer_fees(const struct answer *w, const char *airport)
{
	const char *said = fees_said(w);

	answer_own_fee(w, airport);

	if (said != NULL)
		buf_printf(w->out, "Landing fees at %s: %s.\n", airport, said);
	return said != NULL;
}

/* "4.4 of 5 in 16 reviews. A summary. (cheap, good)"; NULL: there are none. */
static const char *reviews_said(const struct answer *w)
{
	double rating = jsn_get_num(known(w), "rating", NAN);
	int64_t n = jsn_get_int(known(w), "review_count", 0);
	const char *text = jsn_get_str(known(w), "summary_text", "");
	const char *said = NULL;

	if (n > 0 && isfinite(rating))
		said = arena_printf(w->mem, "%.1f of 5 in %s %s", rating, md_count(w->mem, (double)n),
		    n == 1 ? "review" : "reviews");
	if (*text == '\0')
		return said;
	text = md_text(w->mem, text, SUMMARY_MAX);
	return said == NULL ? text : arena_printf(w->mem, "%s. %s", said, text);
}

bool answer_reviews(const struct answer *w, const char *airport)
{
	const char *said = reviews_said(w);

	if (said != NULL)
		buf_printf(w->out, "What pilots say of %s: %s\n", airport, said);
	return said != NULL;
}

static void line(const struct answer *w, const char *label, const char *said)
{
	if (said != NULL)
		buf_printf(w->out, "- %s: %s\n", label, said);
}

void write_friendliness(const struct answer *w)
{
	static const struct { const char *key, *label; } amenities[] = {
		{ "restaurant_info", "Restaurant" }, { "hotel_info", "Hotel" },
	};

	for (size_t i = 0; i < sizeof(amenities) / sizeof(amenities[0]); i++) {
		const char *value = jsn_get_str(known(w), amenities[i].key, "");
		line(w, amenities[i].label, streq(value, "at_airport") ? "on the airfield" :
		    streq(value, "vicinity") ? "close by" : streq(value, "none") ? "none" : NULL);
	}
	line(w, "Landing fees", fees_said(w));
	line(w, "Reviews", reviews_said(w));
}
