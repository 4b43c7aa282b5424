/*
 * Lists of airports: text search, around a point, along a route.
 *
 * The three differ in the first sentence of the answer and in how a position is given. The rest is
 * the same: sentence, airports that fit, airports that may fit, notes.
 */
#include "agents/aviation/builtin/writer.h"
#include "agents/aviation/builtin/asked_facts.h"
#include "agents/aviation/builtin/writer_flights.h"

#include <math.h>
#include <string.h>

#include "airports/aircraft.h"
#include "airports/countries.h"
#include "airports/geo.h"
#include "base/str.h"

struct list_kind {
	enum tool_result result;
	/* Is this airport the place of the question itself ("your departure")? NULL: no. */
	const char *(*role)(const struct answer *, struct json_object *airport);
	/* "4.3 NM from the route, 168 NM along it" */
	const char *(*position)(const struct answer *, struct json_object *airport);
	const char *(*place)(const struct answer *);      /* "lie within 50 NM of Paris" */
	const char *(*considered)(const struct answer *); /* "within 50 NM of Paris" */
	/* how the shown airports of a long list were chosen */
	bool middle;                  /* its order begins in the middle of the route */
	/* what to try if the filters left nothing */
	enum saying fewer;
	enum saying next;                                /* … if there were no filters */
};

/* ---- route ------------------------------------------------------------- */

/* In NM, "50"; NULL: the result does not tell. */
static const char *radius_of(const struct answer *w, const char *member)
{
	struct json_object *profile = jsn_get(w->result, "filter_profile");
	double nm = jsn_get_num(profile, member,
	    jsn_get_num(jsn_get(w->result, "visualization"), "radius_nm", NAN));

	return isfinite(nm) ? wording_number(w->wording, w->mem, nm) : NULL;
}

/* The largest distance that the tools accept. */
static const double WIDEST_NM = 1000;

/* A distance to try next, because nothing was found within the one that was used. */
static const char *wider(const struct answer *w)
{
	static const double twice_from = 100;
	const double nm = jsn_get_num(w->args, "max_distance_nm", 0);

	return wording_number(w->wording, w->mem, nm < twice_from ? twice_from : fmin(2 * nm, WIDEST_NM));
}

static bool is_halfway(const struct answer *w)
{
	return jsn_get_bool(w->args, "halfway", false);
}

static const char *route_place(const struct answer *w)
{
	const double nm = flight_length(w);
	const char *radius = radius_of(w, "route_distance");
	const char *length = isfinite(nm) ? said(w, route_length, "distance", md_nm(w, nm)) : "";
	const char *from = flight_end_name(w, "from", "from_location"), *to = flight_end_name(w, "to", "to_location");

	if (radius != NULL && is_halfway(w))
		return said(w, route_middle_within, "radius", radius, "length", length, "from", from, "to", to);
	return radius != NULL
	    ? said(w, route_within, "radius", radius, "length", length, "from", from, "to", to)
	    : said(w, route_near, "length", length, "from", from, "to", to);
}

static const char *route_considered(const struct answer *w)
{
	const char *radius = radius_of(w, "route_distance");

	return radius == NULL ? said(w, route_among_near) : is_halfway(w) ? said(w, route_among_middle, "radius", radius)
	    : said(w, route_among_within, "radius", radius);
}

static const char *route_role(const struct answer *w, struct json_object *airport)
{
	const char *ident = jsn_get_str(airport, "ident", "");

	if (*ident && streq(ident, jsn_get_str(flight_end(w, "from"), "icao", NULL)))
		return said(w, item_departure);
	if (*ident && streq(ident, jsn_get_str(flight_end(w, "to"), "icao", NULL)))
		return said(w, item_destination);
	return NULL;
}

static const char *route_position(const struct answer *w, struct json_object *airport)
{
	double off = jsn_get_num(airport, "segment_distance_nm", NAN);
	double along = jsn_get_num(airport, "along_track_distance_nm", NAN);
	double direct = jsn_get_num(airport, "enroute_distance_nm", NAN);
	const char *s = "";

	if (isfinite(off))
		s = said(w, item_off_route, "distance", md_nm(w, off));
	if (isfinite(along))
		s = arena_printf(w->mem, "%s%s%s", s, *s ? ", " : "",
		    said(w, item_along_route, "distance", md_nm(w, along)));
	else if (isfinite(direct))
		s = arena_printf(w->mem, "%s%s%s", s, *s ? ", " : "",
		    said(w, item_from_departure, "distance", md_nm(w, direct)));
	return s;
}

/* ---- around a point ----------------------------------------------------- */

static const char *near_considered(const struct answer *w)
{
	if (places_area(w) != NULL)
		return places_area(w);
	const char *radius = radius_of(w, "radius_nm");
	const char *label = md_place(w, jsn_get_str(jsn_get(w->result, "center"), "label",
	    jsn_get_str(w->args, "location_query", said(w, near_that_place))), 120);

	return radius != NULL ? said(w, near_within, "radius", radius, "place", label)
	    : said(w, near_place, "place", label);
}

static const char *near_position(const struct answer *w, struct json_object *airport)
{
	double nm = jsn_get_num(airport, "distance_nm", NAN);

	return isfinite(nm) && places_area(w) == NULL ? said(w, item_away, "distance", md_nm(w, nm)) : "";
}

/* ---- text search -------------------------------------------------------- */

static const char *search_query(const struct answer *w)
{
	return jsn_get_str(jsn_get(w->result, "filter_profile"), "search_query",
	    jsn_get_str(w->args, "query", ""));
}

/* What was searched for, for the pilot. */
static const char *sought(const struct answer *w)
{
	return md_text(w->mem, w->plan->named != NULL ? w->plan->named : search_query(w), 100);
}

static bool query_is_country(const struct answer *w)
{
	const char *q = search_query(w);

	return country_by_code(q) || country_by_name(str_fold(w->mem, q));
}

static const char *search_place(const struct answer *w)
{
	if (places_area(w) != NULL)
		return places_area(w);
	if (query_is_country(w))
		return "";
	return said(w, search_for, "query", sought(w));
}

static const char *search_considered(const struct answer *w)
{
	if (places_area(w) != NULL)
		return places_area(w);
	if (query_is_country(w))
		return md_in_country(w, search_query(w));
	return said(w, search_among, "query", sought(w));
}

/* ---- the common shape ------------------------------------------------------ */

static const struct list_kind kinds[] = {
	{ RESULT_AIRPORTS_ROUTE, route_role, route_position, route_place, route_considered,
	  true, SAY_route_fewer, SAY_route_next },
	{ RESULT_AIRPORTS_NEAR, NULL, near_position, near_considered, near_considered,
	  false, SAY_near_fewer, SAY_near_next },
	{ RESULT_AIRPORTS_FOUND, NULL, NULL, search_place, search_considered,
	  false, SAY_search_fewer, SAY_search_next },
};

static const struct list_kind *kind_of(const struct answer *w)
{
	size_t i = 0;

	while (i + 1 < sizeof(kinds) / sizeof(*kinds) && kinds[i].result != w->plan->tool->result)
		i++;
	return &kinds[i];
}

static const char *runway_said(const struct answer *w, struct json_object *airport)
{
	double ft = jsn_get_num(airport, "longest_runway_length_ft", NAN);
	const bool hard = jsn_get_bool(airport, "has_hard_runway", false), soft = jsn_get_bool(airport, "has_soft_runway", false);

	if (!isfinite(ft))
		return hard ? said(w, item_runway_hard_only) : said(w, item_runway_unknown);
	/* the longest may be either */
	if (hard && soft)
		return said(w, item_runway_both, "length", md_feet(w, ft));
	return hard ? said(w, item_runway_hard, "length", md_feet(w, ft)) : soft ? said(w, item_runway_soft, "length", md_feet(w, ft))
	    : said(w, item_runway, "length", md_feet(w, ft));
}

static const char *height_said(const struct answer *w, struct json_object *airport)
{
	const double ft = jsn_get_num(airport, "elevation_ft", NAN);

	return !jsn_has(airport, "elevation_ft") ? NULL : isfinite(ft) ? said(w, item_elevation, "elevation", md_feet(w, ft))
	    : said(w, item_elevation_unknown);
}

static void add_detail(struct buf *b, const char *s)
{
	if (s && *s)
		buf_printf(b, " · %s", s);
}

static const char *notice_said(const struct answer *w, struct json_object *airport)
{
	struct json_object *n = jsn_get(airport, "notification");
	const char *summary = jsn_get_str(n, "summary", "");
	const char *day = jsn_get_str(n, "day_rule", "");
	double hours = jsn_get_num(n, "hours_notice", NAN);

	if (*day)
		return said(w, item_notice_day, "rule", md_notice(w, day, 120));
	if (*summary) {
		summary = md_notice(w, summary, 120);
		return strstr(summary, said(w, item_notice_word)) != NULL ? summary
		    : said(w, item_notice, "rule", summary);
	}
	if (jsn_get_bool(n, "is_h24", false))
		return said(w, item_notice_none);
	if (isfinite(hours))
		return said(w, item_notice_hours, "hours", wording_number(w->wording, w->mem, hours));
	return NULL;
}

/* What may help if nothing was found. */
static void write_what_to_try(const struct answer *w, const struct list_kind *k)
{
	const bool filtered = jsn_get_int(jsn_get(w->result, "filter_report"), "candidates", 0) > 0;
	const bool widest = jsn_get_num(w->args, "max_distance_nm", 0) >= WIDEST_NM;
	/* the words for a search by name propose no distance */
	const enum saying what = is_halfway(w) ? SAY_route_whole : !filtered ? k->next : widest ? SAY_search_fewer : k->fewer;

	if (filtered || is_halfway(w) || !widest)
		buf_printf(w->out, "\n%s\n", said(w, list_try, "what", said_as(w, what, "wider", wider(w))));
}

/* Two lines an airport: name and place, then the facts. The two blanks are Markdown's line break.
 * lacks: the facts that are not recorded for it, or NULL. */
static void write_airport(const struct answer *w, const struct list_kind *k, size_t number,
    struct json_object *airport, const char *lacks)
{
	const char *name = jsn_get_str(airport, "name", "");
	const char *ident = jsn_get_str(airport, "ident", "");
	const char *where = md_where(w, airport), *role = k->role ? k->role(w, airport) : NULL;
	const char *use = md_use(w, airport);
	const char *position = k->position ? k->position(w, airport) : "";
	struct buf *b = w->out;

	buf_printf(b, "%zu. **%s**", number,
	    *name || *ident ? md_text(w->mem, *name ? name : ident, 100) : said(w, item_unnamed));
	if (*name && *ident)
		buf_printf(b, " (%s)", md_text(w->mem, ident, 20));
	if (*where)
		buf_printf(b, ", %s", where);
	buf_puts(b, "  \n   ");
	if (role)
		buf_printf(b, "%s · ", role);
	if (use)
		buf_printf(b, "**%s** · ", use);
	if (*position)
		buf_printf(b, "%s · ", position);
	buf_puts(b, runway_said(w, airport));
	add_detail(b, height_said(w, airport));
	add_detail(b, jsn_get_bool(airport, "point_of_entry", false)
	    ? said(w, item_customs) : NULL);
	add_detail(b, jsn_get_bool(airport, "has_procedures", false)
	    ? said(w, item_procedures) : NULL);
	add_detail(b, notice_said(w, airport));
	add_detail(b, friendliness_said(w, airport));
	add_detail(b, lacks);
	buf_putc(b, '\n');
}

/* Airports that may fit, but for which a wanted fact is not recorded. Their numbers continue those of
 * the airports that fit, so that "the third one" means one airport only. */
static void write_maybe(const struct answer *w, const struct list_kind *k, size_t shown)
{
	struct json_object *list = jsn_get(w->result, "unrecorded");
	size_t n = jsn_is(list, json_type_array) ? jsn_len(list) : 0;
	struct phrases all = { .n = 0 };
	bool same = true;

	for (size_t i = 0; i < n; i++) {
		struct phrases one = { .n = 0 };
		size_t before = all.n;
		filters_lack(w, jsn_get(jsn_at(list, i), "unrecorded"), &one);
		filters_lack(w, jsn_get(jsn_at(list, i), "unrecorded"), &all);
		same = same && one.n == all.n && (i == 0 || all.n == before);
	}
	if (n == 0)
		return;
	buf_printf(w->out, "\n%s\n\n", same ? said(w, maybe_any, "facts", phrases_join(w, &all))
	    : said(w, maybe_some, "facts", phrases_join(w, &all)));
	for (size_t i = 0; i < n; i++) {
		struct phrases one = { .n = 0 };
		filters_lack(w, jsn_get(jsn_at(list, i), "unrecorded"), &one);
		write_airport(w, k, shown + i + 1, jsn_at(list, i), same ? NULL
		    : said(w, item_lacks, "facts", phrases_join(w, &one)));
	}
}

static bool lists(const struct answer *w, const char *list, const char *ident)
{
	struct json_object *all = jsn_get(w->result, list);
	for (size_t i = 0; i < jsn_len(all); i++)
		if (strieq(ident, jsn_get_str(jsn_at(all, i), "ident", "")))
			return true;
	return false;
}

/* Codes of a search such as "LFPG, LFPO and EGLL" that are not among the results, nor among those that may fit. */
static const char *missing_codes(const struct answer *w)
{
	const char *q = search_query(w);
	struct phrases missing = { .n = 0 };
	size_t codes = 0;

	while (*(q += strspn(q, " ,\t"))) {
		size_t n = strcspn(q, " ,\t");
		const char *word = arena_strndup(w->mem, q, n);

		q += n;
		if (strieq(word, "and") || strieq(word, "or") || streq(word, "&"))
			continue;
		if (n != 4)
			return NULL;
		codes++;
		if (!lists(w, "airports", word) && !lists(w, "unrecorded", word))
			phrases_add(&missing, md_text(w->mem, word, 20));
	}
	return codes > 1 && missing.n && missing.n < codes
	    ? phrases_join(w, &missing) : NULL;
}

/* A database without AIP data knows nothing about customs, procedures and fuel; the answer must not
 * look as if there were none. */
static bool nothing_but_runways(struct json_object *list)
{
	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *o = jsn_at(list, i);
		if (jsn_get_bool(o, "point_of_entry", false) ||
		    jsn_get_bool(o, "has_procedures", false) ||
		    jsn_get_bool(o, "has_aip_data", false))
			return false;
	}
	return jsn_len(list) > 0;
}

/* What comes first, if it was asked for, and how the first sentence says so. */
static const struct list_order {
	const char *strategy;
	enum saying all, best, some;
} orders[] = {
	{ "", SAY_list_all, SAY_list_best, SAY_list_some },
	{ "landing_fee", SAY_list_all_by_fee, SAY_list_best_by_fee, SAY_list_some_by_fee },
	{ "longest_runway", SAY_list_all_by_runway, SAY_list_best_by_runway, SAY_list_some_by_runway },
	{ "nearest", SAY_list_all_by_distance, SAY_list_best_by_distance, SAY_list_some_by_distance },
	{ "highest", SAY_list_all_highest, SAY_list_best_highest, SAY_list_some_highest },
	{ "lowest", SAY_list_all_lowest, SAY_list_best_lowest, SAY_list_some_lowest },
};

/* Is a landing fee recorded for any listed airport? */
static bool has_fee(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "airports");

	for (size_t i = 0; i < jsn_len(list); i++)
		if (jsn_has(jsn_get(jsn_at(list, i), "friendliness"), "landing_fee"))
			return true;
	return false;
}

/* If no fee is recorded, the list has its usual order, and a note says so. */
static const struct list_order *order_of(const struct answer *w)
{
	const char *strategy = jsn_get_str(w->args, "priority_strategy", "");
	size_t i = sizeof(orders) / sizeof(orders[0]);

	if (streq(strategy, "landing_fee") && !has_fee(w))
		return &orders[0];
	while (--i > 0 && !streq(orders[i].strategy, strategy))
		;
	return &orders[i];
}

/* Are they in the order of their landing fees? */
static bool by_fee(const struct answer *w)
{
	return streq(jsn_get_str(w->args, "priority_strategy", ""), "landing_fee");
}

static void fees_note(const struct answer *w, struct phrases *notes)
{
	struct json_object *list = jsn_get(w->result, "airports");
	const size_t n = jsn_is(list, json_type_array) ? jsn_len(list) : 0;
	size_t known = 0;
	bool mixed = false;
	const char *currency = NULL;

	for (size_t i = 0; i < n; i++) {
		struct json_object *fee = jsn_get(jsn_get(jsn_at(list, i), "friendliness"), "landing_fee");
		const char *its = jsn_get_str(fee, "currency", "");
		known += fee != NULL;
		mixed |= fee != NULL && currency != NULL && !streq(its, currency);
		currency = fee != NULL && currency == NULL ? its : currency;
	}
	if (!by_fee(w) || n == 0)
		return;
	if (known == 0)
		phrases_add(notes, said(w, list_fees_none));
	else if (known < n)
		phrases_add(notes, said(w, list_fees_some, "lacking", md_count(w, (double)(n - known)),
		    "all", md_count(w, (double)n)));
	if (mixed)
		phrases_add(notes, said(w, list_fees_mixed));
}

/* ", and of these the ones with customs": what is preferred. It is said only if a listed airport has it and the question did not
 * ask for it. */
static const char *preferred(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "airports"), *asked = jsn_get(w->args, "filters");
	bool customs = false, procedures = false;

	for (size_t i = 0; i < jsn_len(list); i++) {
		customs |= jsn_get_bool(jsn_at(list, i), "point_of_entry", false);
		procedures |= jsn_get_bool(jsn_at(list, i), "has_procedures", false);
	}
	customs &= !jsn_get_bool(asked, "point_of_entry", false);
	procedures &= !jsn_get_bool(asked, "has_procedures", false);
	if (!customs && !procedures)
		return "";
	return !procedures ? said(w, list_prefer_customs) : !customs ? said(w, list_prefer_procedures)
	    : said(w, list_prefer_both);
}

/* How many of the first are left out, because an answer before has shown them. */
static size_t offset_of(const struct answer *w)
{
	return (size_t)fmax(jsn_get_num(w->args, "offset", 0), 0);
}

static void write_headline(const struct answer *w, const struct list_kind *k, int64_t total,
    bool at_least, size_t shown)
{
	const char *place = k->place(w), *filters = filters_said(w);
	const char *least = at_least ? said(w, list_at_least) : "", *count = md_count(w, (double)shown), *found;
	const size_t offset = offset_of(w);
	const struct list_order *order = order_of(w);

	if (k->result == RESULT_AIRPORTS_FOUND)
		found = said_n(w, list_found, (double)total, "filters", filters, "least", least,
		    "place", *place ? arena_printf(w->mem, " %s", place) : "");
	else
		found = said_n(w, list_lie, (double)total, "filters", filters, "least", least, "place", place);
	if (shown == 0 && total == 0)
		say(w, list_none_further, "filters", filters, "place", *place ? arena_printf(w->mem, " %s", place) : "");
	else if (shown == 0)
		say(w, list_no_more, "found", found);
	else if (offset > 0)
		say(w, list_further, "found", found, "first", md_count(w, (double)(offset + 1)),
		    "last", md_count(w, (double)(offset + shown)));
	else if ((size_t)total == shown)
		say_as(w, order->all, "found", found);
	else if (shown == 1)
		say_as(w, order->best, "found", found);
	else if (k->middle && order == orders)
		say(w, list_some_middle, "found", found, "shown", count, "preferred", preferred(w));
	else
		say_as(w, order->some, "found", found, "shown", count);
	buf_puts(w->out, "\n\n");
}

/* Says which speed was used because the pilot named none, and for which aircraft. */
static const char *speed_note(const struct answer *w)
{
	const char *speed = md_text(w->mem, w->plan->assumed_kt, 10);
	const char *aircraft = isnan(aircraft_cruise_kt(w->plan->mass)) ? NULL : aircraft_called(w->plan->mass);
	return aircraft != NULL ? said(w, list_speed_of_aircraft, "speed", speed, "aircraft", aircraft)
	    : said(w, list_speed_assumed, "speed", speed);
}

/* A distance that was named, and what was used instead of it. */
static const char *distance_note(const struct answer *w)
{
	const double used = jsn_get_num(w->args, "max_distance_nm", NAN);
	const char *named = md_text(w->mem, w->plan->distance, 20);

	if (isnan(used))
		return said(w, list_distance_refused, "named", named);
	return said(w, list_distance_unused, "named", named, "used", md_count(w, used));
}

/* Airports near a place that do not stand in the order of their distances? */
static bool in_rings(const struct answer *w, const struct list_kind *k, struct json_object *list)
{
	double last = 0;
	bool descends = false;

	if (k->result != RESULT_AIRPORTS_NEAR || places_area(w) != NULL || *order_of(w)->strategy != '\0')
		return false;
	for (size_t i = 0; i < jsn_len(list); i++) {
		const double nm = jsn_get_num(jsn_at(list, i), "distance_nm", last);
		descends |= nm < last;
		last = nm;
	}
	return descends;
}

static struct point point_of(struct json_object *airport)
{
	return (struct point){ jsn_get_num(airport, "latitude_deg", NAN), jsn_get_num(airport, "longitude_deg", NAN) };
}

static bool is_named(const struct answer *w, struct json_object *airport)
{
	const char *code = jsn_get_str(airport, "ident", "");

	return *code != '\0' && strcasestr(search_query(w), code) != NULL;
}

/* "How far are Straubing and Vilshofen apart?": the message names two airports, and asks for the distance between them. */
static void write_apart(const struct answer *w, struct json_object *list)
{
	struct json_object *a = jsn_at(list, 0), *b = jsn_at(list, 1);
	const bool two = jsn_len(list) == 2 && w->plan->tool->result == RESULT_AIRPORTS_FOUND && is_named(w, a) && is_named(w, b);
	const double nm = geo_distance_nm(point_of(a), point_of(b));

	if (two && md_asks(w, " how far") && isfinite(nm))
		put_line(w, list_apart, "one", md_airport(w, a), "other", md_airport(w, b), "distance", md_nm(w, nm));
}

/* Wishes by which the airports were not chosen. They stand above the list, because a reader takes the list for what was asked. */
static void write_unused(const struct answer *w)
{
	const char *words = w->plan->unused;

	if (words != NULL)
		put_line(w, list_unused, "words", md_text(w->mem, words, 100));
	if (words != NULL && md_has(asked_folded(w->mem, words), MD_UNLEADED))
		put_line(w, list_unleaded);
	if (w->plan->distance != NULL)
		buf_printf(w->out, "%s\n", distance_note(w));
	if (words != NULL || w->plan->distance != NULL)
		buf_puts(w->out, "\n");
}

void write_airport_list(const struct answer *w)
{
	const struct list_kind *k = kind_of(w);
	struct json_object *list = jsn_get(w->result, "airports");
	size_t shown = jsn_is(list, json_type_array) ? jsn_len(list) : 0;
	int64_t count = jsn_get_int(w->result, "count", (int64_t)shown);
	int64_t total = jsn_get_int(w->result, "total_found", count);
	size_t maybe = jsn_len(jsn_get(w->result, "unrecorded"));
	struct json_object *named = shown > 0 ? list : jsn_get(w->result, "unrecorded");
	struct phrases notes = { .n = 0 };
	const char *missing;

	if (jsn_has(w->result, "found") && !jsn_get_bool(w->result, "found", true)) {
		places_not_found(w);
		return;
	}
	places_first(w);
	write_unused(w);
	if (total < (int64_t)shown)
		total = (int64_t)shown;
	if (writer_asks_flight(w)) {
		writer_flight(w);
		buf_puts(w->out, "\n");
	}
	if (w->plan->only_flight && writer_asks_flight(w)) {
		put_line(w, flight_only);
		if (w->plan->assumed_kt != NULL)
			phrases_add(&notes, speed_note(w));
		places_notes(w, &notes);
		write_notes(w, &notes, true);
		return;
	}
	if (shown + maybe == 0 && offset_of(w) > 0) {
		write_headline(w, k, total, false, 0);
	} else if (shown == 0) {
		const char *at = k->place(w), *place = *at ? arena_printf(w->mem, " %s", at) : "";
		const char *filters = filters_said(w);
		buf_printf(w->out, "%s\n", maybe > 0
		    ? said(w, list_none_known, "filters", filters, "place", place)
		    : said(w, list_none, "filters", filters, "place", place));
		filters_why_empty(w, k->considered(w));
		if (maybe == 0)
			write_what_to_try(w, k);
	} else {
		write_apart(w, list);
		/* If a tool has no total of its own, it stops counting at a hundred. */
		write_headline(w, k, total, !jsn_has(w->result, "total_found") && total == 100,
		    shown);
		for (size_t i = 0; i < shown; i++)
			write_airport(w, k, i + 1, jsn_at(list, i), NULL);
	}
	write_maybe(w, k, shown);

	int64_t known = jsn_get_int(w->result, "database_airports", 0);
	if (known > 0)
		phrases_add(&notes, said(w, list_small_database, "airports", md_count(w, (double)known)));
	if (w->plan->assumed_kt != NULL)
		phrases_add(&notes, speed_note(w));
	fees_note(w, &notes);
	if (in_rings(w, k, named))
		phrases_add(&notes, said(w, list_rings));
	if (jsn_get_bool(w->result, "sample_facts", false))
		phrases_add(&notes, said(w, notes_sample));
	places_notes(w, &notes);
	if (shown == 0) {
		filters_large_note(w, &notes);
	} else {
		filters_notes(w, &notes);
		if (total > (int64_t)(offset_of(w) + shown))
			phrases_add(&notes, said(w, list_shown, "shown", md_count(w, (double)(offset_of(w) + shown)),
			    "total", md_count(w, (double)total)));
		missing = k->result == RESULT_AIRPORTS_FOUND ? missing_codes(w) : NULL;
		if (missing)
			phrases_add(&notes, jsn_len(jsn_get(w->args, "filters")) > 0 ? said(w, list_codes_unfit, "codes", missing)
			    : said(w, list_codes_missing, "codes", missing));
	}
	filters_notice(w, &notes, named);
	if (nothing_but_runways(named))
		phrases_add(&notes, said(w, list_only_runways));
	write_notes(w, &notes, shown + maybe > 0);
}
