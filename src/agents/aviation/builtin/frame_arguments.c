/*
 * Numbers are put within the bounds of the tool, and texts within its length, so that a plan is never
 * refused for a value that the pilot wrote. An argument or a filter that does not exist is left out, and
 * what was left out is told (frame_unused.c).
 */
#include "agents/aviation/builtin/frame_arguments_own.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/aviation/builtin/amounts.h"
#include "agents/aviation/builtin/reading_marks.h"
#include "airports/aircraft.h"
#include "airports/area.h"
#include "airports/countries.h"
#include "airports/day.h"
#include "airports/filter.h"
#include "airports/landing_fee.h"
#include "airports/persona.h"
#include "airports/place.h"
#include "base/jsn.h"
#include "base/str.h"

enum { TEXT_LIMIT = 200, CLOSEST_NM = 150, AROUND_NM = 25, RESULTS = 5, RESULTS_MOST = 100 };

static const char *value(const struct look *l, enum label label)
{
	return frame_get(l->f, label);
}

static void put_text(const struct look *l, struct plan *out, const char *name, const char *text)
{
	const size_t n = strlen(text);
	jsn_add_str(out->arguments, name,
	    arena_strndup(l->p->mem, text, utf8_cut(text, n, n < TEXT_LIMIT ? n : TEXT_LIMIT)));
}

void plan_put_number(const struct tool *t, struct plan *out, const char *name, double v)
{
	const struct tool_arg *arg = tool_arg_find(t, name);
	if (arg == NULL || isnan(v))
		return;
	if (arg->min < arg->max)
		v = fmin(fmax(v, arg->min), arg->max);
	if (arg->type == ARG_INTEGER)
		jsn_add_int(out->arguments, name, (int64_t)fmin(fmax(v, 0), 1e6));
	else
		jsn_add_num(out->arguments, name, v);
}

/* ---- filters ------------------------------------------------------------------------------ */

struct filling {
	const struct look *l;
	struct json_object *values;
};

typedef void filter_fn(const struct filling *f, const char *name, const char *text);

static void flag(const struct filling *f, const char *name, const char *text)
{
	jsn_add_bool(f->values, name, !streq(text, "false"));
}

static void at_least(const struct filling *f, const char *name, const char *text)
{
	const double v = amount_feet(text);
	if (!isnan(v))
		jsn_add_num(f->values, name, fmin(floor(v), 1e6));
}

static void at_most(const struct filling *f, const char *name, const char *text)
{
	const double v = amount_feet(text);
	if (!isnan(v))
		jsn_add_num(f->values, name, fmin(ceil(v), 1e6));
}

/* A fee with its currency, and for which aircraft it is meant. */
static void fee(const struct filling *f, const char *name, const char *text)
{
	const double v = amount_number(text);
	const char *currency = amount_currency(f->l->p->mem, text), *aircraft = value(f->l, LABEL_AIRCRAFT);
	double kg;

	if (isnan(v))
		return;
	jsn_add_num(f->values, name, fmin(v, 1e6));
	if (currency != NULL && !streq(currency, "EUR"))
		jsn_add_str(f->values, "fee_currency", currency);
	if (aircraft != NULL && aircraft_mass(aircraft, &kg))
		jsn_add_str(f->values, "fee_aircraft", aircraft);
}

static void site(const struct filling *f, const char *name, const char *text)
{
	if (!streq(text, "false"))
		jsn_add_str(f->values, name, text);
}

static const struct {
	enum label label;
	const char *filter;
	filter_fn *put;
} filter_rows[] = {
	{ LABEL_AVGAS, "has_avgas", flag },
	{ LABEL_JET_A, "has_jet_a", flag },
	{ LABEL_FUEL, "has_fuel", flag },
	{ LABEL_HARD, "has_hard_runway", flag },
	{ LABEL_ENTRY, "point_of_entry", flag },
	{ LABEL_PROCEDURES, "has_procedures", flag },
	{ LABEL_MIN_RUNWAY, "min_runway_length_ft", at_least },
	{ LABEL_MAX_RUNWAY, "max_runway_length_ft", at_most },
	{ LABEL_MAX_FEE, "max_landing_fee", fee },
	{ LABEL_HOTEL, "hotel", site },
	{ LABEL_RESTAURANT, "restaurant", site },
};

/* "A fuel stop with AVGAS": the fuel that is named is the one that is wanted. */
static bool names_fuel(const struct look *l)
{
	return streq(value(l, LABEL_AVGAS), "true") || streq(value(l, LABEL_JET_A), "true");
}

/* Adds to the list each code that is not in it yet. NULL is an empty list. */
static const char *with_codes(struct arena *a, const char *list, const char *codes)
{
	for (struct str code; str_part(&codes, ',', &code);) {
		const char *rest = list;
		bool has = false;
		for (struct str part; rest != NULL && str_part(&rest, ',', &part);)
			has |= part.n == code.n && memcmp(part.p, code.p, code.n) == 0;
		if (!has)
			list = arena_printf(a, "%s%s%.*s", list != NULL ? list : "", list != NULL ? "," : "", (int)code.n, code.p);
	}
	return list;
}

/* The code of the airport to leave out; NULL: there is none. An airport is left out if the message asks for others ("another one around
 * Dinard"), or how far one gets from it ("two hours from Augsburg"). If the place has no airport of its own, or comes from an earlier message
 * ("and the others?"), only the airport that the talk was about last can be left out. */
static const char *airport_to_leave_out(const struct look *l)
{
	const struct frame_slot *near = &l->f->slot[LABEL_NEAR];
	const char *text = l->at != NULL && l->ground == NULL ? l->at : near->n > 0 ? l->ground : NULL;
	const char *current = *l->p->talk->current != '\0' ? l->p->talk->current : NULL;
	struct place place;

	if (frame_plan_kind(l->f) != PLAN_NEAR || text == NULL)
		return NULL;
	const bool reach = value(l, LABEL_REACH) != NULL;
	/* the offset of the next page counts that airport too, so it must stay in the list */
	if (l->f->more || (!reach && !reading_says(l->p->reading, "other_airports")))
		return NULL;
	if (text == l->ground && !reach && reading_marked(l->p->reading, LABEL_NEAR) == NULL)
		return current;
	if (place_is_ident(l->p, text))
		return text;
	return place_airport_meant(l->p, text, &place) && (!place.nearest || streq(place.airport.ident, current)) ? place.airport.ident : NULL;
}

/* "Not in Switzerland", "except Calais": what the wishes refuse. A place without an airport cannot be left out, and the answer says so. */
static void put_refused(const struct look *l, struct json_object *values)
{
	const struct frame_slot *wish = &l->f->slot[LABEL_WISH];
	const char *all = airport_to_leave_out(l);

	for (size_t i = 0; i < wish->n; i++) {
		const char *codes = place_refused(l->p, &wish->value[i]);
		if (codes != NULL)
			all = with_codes(l->p->mem, all, codes);
	}
	if (all != NULL)
		jsn_add_str(values, "exclude", all);
}

/* `country`: the filter on one, ISO-2; NULL: none. */
static struct json_object *filters_of(const struct look *l, const char *country)
{
	struct json_object *values = jsn_object(l->p->mem);
	const struct filling f = { l, values };

	if (country != NULL)
		jsn_add_str(values, "country", country);
	for (size_t i = 0; i < sizeof(filter_rows) / sizeof(filter_rows[0]); i++) {
		const struct filter *filter = filter_find(filter_rows[i].filter);
		const char *text = value(l, filter_rows[i].label);
		if (filter != NULL && text != NULL && !(filter_rows[i].label == LABEL_FUEL && names_fuel(l)))
			filter_rows[i].put(&f, filter->name, text);
	}
	put_refused(l, values);
	return values;
}

/* If the tool has an argument for the notice, it is used; else the notice is one of the filters. */
static void put_notice(const struct look *l, const struct tool *t, struct plan *out, double hours)
{
	struct json_object *values = jsn_get(out->arguments, "filters");

	if (isnan(hours) || tool_arg_find(t, "max_hours_notice") != NULL || tool_arg_find(t, "filters") == NULL) {
		plan_put_number(t, out, "max_hours_notice", hours);
		return;
	}
	if (values == NULL) {
		values = jsn_object(l->p->mem);
		jsn_add(out->arguments, "filters", jsn_ref(values));
	}
	jsn_add_num(values, "max_hours_notice", hours);
}

/* ---- searches ------------------------------------------------------------------------------ */

/* The speed that the pilot names, else the usual speed of the aircraft that he names. NaN: he names neither, or the aircraft is not known. */
static double named_speed(const struct look *l)
{
	const double said = amount_knots(value(l, LABEL_SPEED));
	return !isnan(said) ? said : aircraft_cruise_kt(value(l, LABEL_AIRCRAFT));
}

/* named_speed(), else the speed of the persona. NaN: no speed is known. */
static double speed(const struct look *l)
{
	const struct personas *all = l->p->ctx->personas;
	const double named = named_speed(l);
	return !isnan(named) ? named : all == NULL ? NAN : persona_or_standard(all, l->p->persona_id)->cruise_kt;
}

/* The distance in NM that the frame names; NaN: none. */
static double distance(const struct look *l)
{
	const double radius = amount_nm(value(l, LABEL_RADIUS)), hours = amount_hours(value(l, LABEL_REACH));
	return !isnan(radius) ? radius : hours * speed(l);
}

size_t frame_pages(const struct planning *p, const struct frame *f)
{
	const struct dialogue *d = &p->talk->dialogue;
	size_t n = f->more;
	for (size_t i = d->n; f->more && i-- > 0 && d->frame[i]->plan == f->plan && d->frame[i]->more;)
		n++;
	return n;
}

/* How many airports the answers before have shown, of which further ones are wanted. */
static size_t shown_before(const struct planning *p, const struct frame *f)
{
	const struct dialogue *d = &p->talk->dialogue;
	const struct frame *newer = f;
	size_t n = 0;

	for (size_t i = d->n; newer->more && i-- > 0;) {
		if (d->frame[i]->plan != f->plan)
			continue;
		const double count = amount_number(frame_get(d->frame[i], LABEL_COUNT));
		n += count > 0 ? (size_t)fmin(count, RESULTS_MOST) : RESULTS;
		newer = d->frame[i];
	}
	return n;
}

enum { LARGE_RUNWAY_FT = 7500 };

/* Large airports are left out unless a pilot asks for them. A wish for a runway of LARGE_RUNWAY_FT counts as asking, and so does one for customs
 * in a country or an area, because most airports that fit are large. */
static bool wants_large(const struct look *l)
{
	const char *large = value(l, LABEL_LARGE);

	if (large != NULL)
		return streq(large, "true");
	return amount_feet(value(l, LABEL_MIN_RUNWAY)) >= LARGE_RUNWAY_FT ||
	    (frame_plan_kind(l->f) == PLAN_SEARCH && streq(value(l, LABEL_ENTRY), "true"));
}

/* What a pilot wants first, as the tools call it. The distance to a route is not what "nearest" means. */
static const struct { const char *value, *strategy; bool everywhere; } orders[] = {
	{ "fee", "landing_fee", true }, { "runway", "longest_runway", true }, { "distance", "nearest", false },
	{ "highest", "highest", true }, { "lowest", "lowest", true },
};

/* What all searches share. */
static void put_common(const struct look *l, const struct tool *t, struct plan *out, const char *country)
{
	const double said = distance(l), count = amount_number(value(l, LABEL_COUNT));
	const size_t shown = shown_before(l->p, l->f);
	struct json_object *values = filters_of(l, country);
	const bool wishes = jsn_len(values) > (size_t)jsn_has(values, "exclude");
	const struct tool_arg *arg = tool_arg_find(t, "max_distance_nm");

	if (said > 0)
		plan_put_number(t, out, "max_distance_nm", num_round(said, 1));
	else if (streq(value(l, LABEL_ORDER), "distance") && wishes)
		/* "nearest with customs", "nearest in Croatia" ask for an airport even if it is farther away than usual */
		plan_put_number(t, out, "max_distance_nm", CLOSEST_NM);
	if (arg != NULL && !isnan(said) && !(said > 0 && (arg->min >= arg->max || (said >= arg->min && said <= arg->max)))) {
		char text[32];
		num_print(text, num_round(said, 1));
		out->distance = arena_strdup(l->p->mem, text);
	}
	if (arg != NULL && out->distance == NULL && said > 0 && isnan(amount_nm(value(l, LABEL_RADIUS))) && isnan(amount_knots(value(l, LABEL_SPEED))))
		out->assumed_kt = arena_printf(l->p->mem, "%.0f", speed(l));
	if (count > 0)
		plan_put_number(t, out, "max_results", count);
	if (shown > 0)
		plan_put_number(t, out, "offset", (double)shown);
	if (tool_arg_find(t, "filters") != NULL && jsn_len(values) > 0)
		jsn_add(out->arguments, "filters", jsn_ref(values));
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (streq(value(l, LABEL_ORDER), orders[i].value) && tool_arg_find(t, "priority_strategy") != NULL &&
		    (orders[i].everywhere || t->result == RESULT_AIRPORTS_NEAR))
			jsn_add_str(out->arguments, "priority_strategy", orders[i].strategy);
	if (wants_large(l) && tool_arg_find(t, "include_large_airports") != NULL)
		jsn_add_bool(out->arguments, "include_large_airports", true);
	put_notice(l, t, out, amount_hours(value(l, LABEL_MAX_NOTICE)));
	out->mass = value(l, LABEL_AIRCRAFT);
}

static const char *place(const struct look *l, enum label label)
{
	const struct frame_slot *slot = &l->f->slot[label];
	return slot->n > 0 ? place_text(l->p, &slot->value[slot->n - 1]) : NULL;
}

/* In whole knots; one that no aircraft has is left out. */
static void put_speed(const struct look *l, const struct tool *t, struct plan *out)
{
	const struct tool_arg *arg = tool_arg_find(t, "cruise_kt");
	const double said = amount_knots(value(l, LABEL_SPEED));
	/* the aircraft tells the speed where its flight is asked about, and not where only its landing fee is */
	const bool asks = frame_has(l->f, LABEL_ASK, "time") || frame_has(l->f, LABEL_ASK, "distance");
	const double knots = !isnan(said) ? said : asks ? named_speed(l) : NAN;

	if (arg == NULL || !(knots >= arg->min && knots <= arg->max))
		return;
	plan_put_number(t, out, arg->name, round(knots));
	if (isnan(said))
		out->assumed_kt = arena_printf(l->p->mem, "%.0f", knots);
}

bool look_can_be_halfway(const struct look *l, const struct tool *t)
{
	return l->f->slot[LABEL_VIA].n == 0 && tool_arg_find(t, "halfway") != NULL;
}

void frame_fill_route(const struct look *l, const struct tool *t, struct plan *out)
{
	const struct frame_slot *via = &l->f->slot[LABEL_VIA];
	/* an airport of the last answer may be the end that is not named */
	const char *from = l->from != NULL ? l->from : place(l, LABEL_FROM), *to = l->to != NULL ? l->to : place(l, LABEL_TO);

	if (from != NULL || l->at != NULL)
		put_text(l, out, "from_location", from != NULL ? from : l->at);
	if (to != NULL || l->at != NULL)
		put_text(l, out, "to_location", to != NULL ? to : l->at);
	if (via->n > 0 && tool_arg_find(t, "via") != NULL) {
		struct json_object *list = json_object_new_array();
		for (size_t i = 0; i < via->n; i++)
			jsn_push(list, jsn_str(place_text(l->p, &via->value[i])));
		jsn_add(out->arguments, "via", list);
	}
	put_common(l, t, out, l->country);
	put_speed(l, t, out);
	if (frame_has(l->f, LABEL_WISH, WISH_HALFWAY) && look_can_be_halfway(l, t))
		jsn_add_bool(out->arguments, "halfway", true);
	out->only_flight = look_asks_flight_only(l);
}

/* "Near Lake Garda" means the fields around it. An area that is known by its shape, and a small one, has few inside. */
static bool is_around_area(const struct look *l, const char *centre)
{
	enum { SMALL_NM = 40 };
	struct place place;
	bool found = false;

	/* the place may come from an earlier message */
	const bool area = l->f->kind != NULL || reading_says(l->p->reading, "place.area");
	if (l->p->con == NULL || centre == NULL || l->f->slot[LABEL_NEAR].n == 0 || !area)
		return false;
	place_resolve(l->p->con, l->p->mem, NULL, centre, NULL, &place, &found, NULL);
	return found && place.area != NULL && place.area->nregions == 0 && place.area->ncorners > 0 && place.area->reach_nm < SMALL_NM;
}

void frame_fill_near(const struct look *l, const struct tool *t, struct plan *out)
{
	const char *country = l->country, *centre = l->ground != NULL ? l->ground : l->at;

	if (centre == NULL && country != NULL) {
		centre = country_by_code(country) != NULL ? country_by_code(country)->name : country;
		country = NULL;
	}
	if (centre != NULL)
		put_text(l, out, "location_query", centre);
	put_common(l, t, out, country);
	if (!jsn_has(out->arguments, "max_distance_nm") && out->distance == NULL && is_around_area(l, centre))
		plan_put_number(t, out, "max_distance_nm", AROUND_NM);
}

static const char *as_named(const struct look *l)
{
	const struct frame_slot *at = &l->f->slot[LABEL_AT];
	const char *list = NULL;

	for (size_t i = 0; i < at->n; i++)
		list = list == NULL ? place_text(l->p, &at->value[i])
		    : arena_printf(l->p->mem, "%s, %s", list, place_text(l->p, &at->value[i]));
	return list;
}

void frame_fill_search(const struct look *l, const struct tool *t, struct plan *out)
{
	const struct country *country = l->country != NULL ? country_by_code(l->country) : NULL;

	if (l->ground != NULL)
		put_text(l, out, "query", l->ground);
	else if (l->at != NULL)
		put_text(l, out, "query", l->at);
	else if (country != NULL)
		put_text(l, out, "query", country->name);
	if (l->ground == NULL && l->at != NULL)
		out->named = as_named(l);
	put_common(l, t, out, l->country);
}

void frame_fill_counted(const struct look *l, const struct tool *t, struct plan *out)
{
	(void)t;
	if (l->country != NULL)
		put_text(l, out, "country", l->country);
}

/* ---- one airport --------------------------------------------------------------------------- */

/* The year that stands in the words of the day, or right behind them; 0: none does. */
static int year_said(const char *message, const char *words)
{
	enum { DIGITS = 4 };
	const char *at = words != NULL ? strstr(message, words) : NULL;
	const char *end = at != NULL ? at + strlen(words) + strspn(at + strlen(words), " ,.") + DIGITS : NULL;

	for (; at != NULL && *at != '\0' && at + DIGITS <= end; at++)
		if (strspn(at, "0123456789") == DIGITS && (at == message || !isdigit((unsigned char)at[-1])))
			return (int)strtol(at, NULL, 10);
	return 0;
}

const char *frame_date(const struct planning *p, const struct frame *f)
{
	const struct frame_slot *slot = &f->slot[LABEL_DAY];
	const struct day today = day_today();
	struct day d = { today.year, 0, 0 };
	char text[DAY_TEXT];

	if (slot->n == 0)
		return NULL;
	const struct frame_value *value = &slot->value[slot->n - 1];
	if (sscanf(value->text, "%2d-%2d", &d.day, &d.month) != 2)
		return value->text;
	const int year = year_said(p->message, value->words);
	if (year != 0)
		d.year = year;
	else if (day_number(d) < day_number(today))
		d.year++;
	day_iso(text, d);
	return arena_strdup(p->mem, text);
}

static void put_airport(const struct look *l, struct plan *out, const char *name)
{
	struct place place;
	const bool found = l->at != NULL && place_airport_meant(l->p, l->at, &place);

	if (l->at != NULL)
		put_text(l, out, name, found ? place.airport.ident : l->at);
	if (!found || !place.nearest || place.source == PLACE_COORDS)
		return;
	out->stands_for = place.label;
	out->stands_nm = place.distance_nm;
}

void frame_fill_details(const struct look *l, const struct tool *t, struct plan *out)
{
	const char *day = frame_date(l->p, l->f);
	struct day parsed;

	put_airport(l, out, "icao_code");
	if (day != NULL && tool_arg_find(t, "date") != NULL &&
	    day_parse(day, day_today(), &parsed, NULL) == OK)
		jsn_add_str(out->arguments, "date", day);
	out->mass = value(l, LABEL_AIRCRAFT);
}

/* "Sunday" for "sunday"; other days stay. */
static const char *weekday(struct arena *a, const char *day)
{
	static const char *const names[] = { "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (streq(day, names[i]))
			return arena_printf(a, "%c%s", toupper((unsigned char)*day), day + 1);
	return day;
}

void frame_fill_notice(const struct look *l, const struct tool *t, struct plan *out)
{
	const char *day = frame_date(l->p, l->f), *time = value(l, LABEL_TIME);

	put_airport(l, out, "icao");
	if (day != NULL)
		jsn_add_str(out->arguments, "day_of_week", weekday(l->p->mem, day));
	if (time != NULL && tool_arg_find(t, "time") != NULL)
		jsn_add_str(out->arguments, "time", time);
}
