/*
 * What is known of an airfield's hospitality, fees and reviews, in a few words.
 */
#include "agents/aviation/builtin/writer.h"

#include <math.h>
#include <string.h>

#include "agents/aviation/builtin/writer_aip.h"
#include "airports/aircraft.h"
#include "airports/landing_fee.h"
#include "base/str.h"

/* What is recorded of a restaurant or a hotel, and what is then said of it. */
struct amenity_words {
	const char *value;
	enum saying in_list, sentence, line;
};
enum { AMENITY_VALUES = 3 };

static const struct amenity_words restaurant_words[AMENITY_VALUES] = {
	{ "at_airport", SAY_friendly_restaurant_there, SAY_restaurant_there, SAY_line_restaurant_there },
	{ "vicinity", SAY_friendly_restaurant_near, SAY_restaurant_near, SAY_line_restaurant_near },
	{ "none", SAY_friendly_restaurant_none, SAY_restaurant_none, SAY_line_restaurant_none },
};
static const struct amenity_words hotel_words[AMENITY_VALUES] = {
	{ "at_airport", SAY_friendly_hotel_there, SAY_hotel_there, SAY_line_hotel_there },
	{ "vicinity", SAY_friendly_hotel_near, SAY_hotel_near, SAY_line_hotel_near },
	{ "none", SAY_friendly_hotel_none, SAY_hotel_none, SAY_line_hotel_none },
};

/* NULL: nothing is recorded. */
static const struct amenity_words *amenity(const struct amenity_words *words, struct json_object *o,
    const char *key)
{
	for (size_t i = 0; i < AMENITY_VALUES; i++)
		if (streq(words[i].value, jsn_get_str(o, key, "")))
			return &words[i];
	return NULL;
}

static void add_amenity(const struct answer *w, struct phrases *p, const struct amenity_words *recorded)
{
	if (recorded != NULL)
		phrases_add(p, said_as(w, recorded->in_list));
}

/* "Cessna 172, 1,157 kg": the aircraft whose fee is shown. */
static const char *fee_aircraft(const struct answer *w, double kg)
{
	const char *name = jsn_get_str(jsn_get(w->args, "filters"), "fee_aircraft", FEE_AIRCRAFT);
	double its_kg = NAN;
	const char *called = aircraft_mass(name, &its_kg) && its_kg == kg ? aircraft_called(name) : NULL;

	return arena_printf(w->mem, "%s%s%s kg", called != NULL ? called : "", called != NULL ? ", " : "",
	    md_count(w, kg));
}

/* "18.5", with the digits that the data has. */
static const char *amount_said(const struct answer *w, double amount)
{
	return wording_number(w->wording, w->mem, amount);
}

static const char *currency_of(const struct answer *w, struct json_object *fees)
{
	const char *currency = jsn_get_str(fees, "currency", NULL);

	return currency != NULL ? md_text(w->mem, currency, 24) : said(w, friendly_currency_unknown);
}

/* "landing fee 12 EUR (Cessna 172, 1,157 kg)" */
static void add_fee(const struct answer *w, struct phrases *p, struct json_object *fee)
{
	double amount = jsn_get_num(fee, "fee", NAN), kg = jsn_get_num(fee, "mtow_kg", NAN);

	if (isfinite(amount))
		phrases_add(p, said(w, friendly_fee, "fee", amount_said(w, amount), "currency", currency_of(w, fee),
		    "aircraft", isfinite(kg) ? arena_printf(w->mem, " (%s)", fee_aircraft(w, kg)) : ""));
}

static void add_rating(const struct answer *w, struct phrases *p, struct json_object *o)
{
	double rating = jsn_get_num(o, "rating", NAN);
	int64_t reviews = jsn_get_int(o, "review_count", 0);

	if (isfinite(rating) && reviews > 0)
		phrases_add(p, said_n(w, friendly_rated, (double)reviews, "rating",
		    wording_decimals(w->wording, w->mem, rating, 1)));
}

const char *friendliness_said(const struct answer *w, struct json_object *airport)
{
	struct json_object *o = jsn_get(airport, "friendliness");
	struct phrases p = { .n = 0 };
	const char *all = NULL;

	if (!jsn_is(o, json_type_object))
		return NULL;
	add_amenity(w, &p, amenity(restaurant_words, o, "restaurant"));
	add_amenity(w, &p, amenity(hotel_words, o, "hotel"));
	add_fee(w, &p, jsn_get(o, "landing_fee"));
	add_rating(w, &p, o);
	for (size_t i = 0; i < p.n; i++)
		all = all == NULL ? p.text[i] : arena_printf(w->mem, "%s · %s", all, p.text[i]);
	return all;
}

/* ---- one airport -------------------------------------------------------------- */

enum { SUMMARY_MAX = 400, DATE_BYTES = 10 };

static struct json_object *known(const struct answer *w)
{
	return jsn_get(w->result, "friendliness");
}

static bool answer_amenity(const struct answer *w, const char *airport, const struct amenity_words *recorded)
{
	if (recorded != NULL)
		buf_printf(w->out, "%s\n", said_as(w, recorded->sentence, "airport", airport));
	return recorded != NULL;
}

bool answer_restaurant(const struct answer *w, const char *airport)
{
	return answer_amenity(w, airport, amenity(restaurant_words, known(w), "restaurant_info"));
}

bool answer_hotel(const struct answer *w, const char *airport)
{
	const struct amenity_words *recorded = amenity(hotel_words, known(w), "hotel_info");
	const bool told = answer_amenity(w, airport, recorded);

	/* only the AIP may name it */
	if (told && recorded->sentence != SAY_hotel_none && aip_value(w, "Hotels") == NULL)
		put_line(w, hotel_unnamed);
	return told;
}

/* "8 EUR below 750 kg, 12 EUR below 1,200 kg and 70 EUR above"; NULL: none. */
static const char *fees_said(const struct answer *w)
{
	struct json_object *fees = jsn_get(known(w), "landing_fees"), *bands = jsn_get(fees, "bands");
	const char *currency = currency_of(w, fees);
	const char *date = jsn_get_str(fees, "fee_last_updated_utc", "");
	struct phrases p = { .n = 0 };

	for (size_t i = 0; jsn_is(bands, json_type_array) && i < jsn_len(bands); i++) {
		double amount = jsn_get_num(jsn_at(bands, i), "fee", NAN);
		double below = jsn_get_num(jsn_at(bands, i), "below_kg", NAN);

		if (isfinite(amount))
			phrases_add(&p, isfinite(below) ? said(w, fee_below, "fee", amount_said(w, amount),
			    "currency", currency, "mass", md_count(w, below))
			    : said(w, fee_above, "fee", amount_said(w, amount), "currency", currency));
	}
	if (p.n == 0)
		return NULL;
	return *date == '\0' ? phrases_join(w, &p) : said(w, fees_as_of, "fees", phrases_join(w, &p),
	    "date", md_text(w->mem, arena_strndup(w->mem, date, utf8_cut(date, strlen(date), DATE_BYTES)),
	        DATE_BYTES));
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
	const char *called = aircraft_called(aircraft) == NULL ? said(w, fee_mass, "mass", md_count(w, kg))
	    : said(w, fee_aircraft, "aircraft", aircraft_called(aircraft), "mass", md_count(w, kg));
	for (size_t i = 0; jsn_is(bands, json_type_array) && i < jsn_len(bands); i++) {
		double amount = jsn_get_num(jsn_at(bands, i), "fee", NAN);
		if (!(kg < jsn_get_num(jsn_at(bands, i), "below_kg", INFINITY)))
			continue;
		if (!isfinite(amount))
			break;
		buf_printf(w->out, "%s\n", said(w, fee_own, "airport", airport, "aircraft", called,
		    "fee", amount_said(w, amount), "currency", currency_of(w, fees)));
		return true;
	}
	buf_printf(w->out, "%s\n", said(w, fee_own_unknown, "airport", airport, "aircraft", called));
	return false;
}

bool answer_fees(const struct answer *w, const char *airport)
{
	const char *fees = fees_said(w);

	answer_own_fee(w, airport);
	if (fees != NULL)
		buf_printf(w->out, "%s\n", said(w, fees_at, "airport", airport, "fees", fees));
	return fees != NULL;
}

/* "4.4 of 5 in 16 reviews. A summary. (cheap, good)"; NULL: there are none. */
static const char *reviews_said(const struct answer *w)
{
	double rating = jsn_get_num(known(w), "rating", NAN);
	int64_t n = jsn_get_int(known(w), "review_count", 0);
	const char *text = jsn_get_str(known(w), "summary_text", "");
	const char *rated = NULL;

	if (n > 0 && isfinite(rating))
		rated = said_n(w, reviews_rating, (double)n, "rating",
		    wording_decimals(w->wording, w->mem, rating, 1));
	if (*text == '\0')
		return rated;
	text = md_text(w->mem, text, SUMMARY_MAX);
	return rated == NULL ? text : arena_printf(w->mem, "%s. %s", rated, text);
}

bool answer_reviews(const struct answer *w, const char *airport)
{
	const char *reviews = reviews_said(w);

	if (reviews != NULL)
		buf_printf(w->out, "%s\n", said(w, reviews_at, "airport", airport, "reviews", reviews));
	return reviews != NULL;
}

static void write_amenity(const struct answer *w, const struct amenity_words *recorded)
{
	if (recorded != NULL)
		buf_printf(w->out, "%s\n", said_as(w, recorded->line));
}

void write_friendliness(const struct answer *w)
{
	const char *fees = fees_said(w), *reviews = reviews_said(w);

	write_amenity(w, amenity(restaurant_words, known(w), "restaurant_info"));
	write_amenity(w, amenity(hotel_words, known(w), "hotel_info"));
	if (fees != NULL)
		buf_printf(w->out, "%s\n", said(w, line_fees, "fees", fees));
	if (reviews != NULL)
		buf_printf(w->out, "%s\n", said(w, line_reviews, "reviews", reviews));
}
