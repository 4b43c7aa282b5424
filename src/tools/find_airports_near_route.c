/*
 * find_airports_near_route: along the great circle between two airports.
 *
 * If an end is not an airport, an airport near it is used, and the result says so: a pilot must see
 * that "Cambridge" was taken as EGSC.
 */
#include "airports/countries.h"
#include "airports/geo.h"
#include "airports/persona.h"
#include "tools/airport_result.h"
#include "tools/place_result.h"

/* an airport may stand for a place up to this distance */
static const double NEAREST_NM = 100;

struct end {
	const char *role;             /* "departure", "destination" */
	const char *text;             /* as the caller gave it */
	bool found;
	struct place place;           /* why, if it was not found */
};

/* Was the place named by its code or its position? Then it helps to find the other end, since light
 * aircraft fly to the nearer Cambridge. */
static bool certain(const struct end *end)
{
	return end->found && end->place.source <= PLACE_COORDS;
}

/* other: the other end, if it is known well enough to help; NULL: it cannot help */
static enum errcode resolve(struct search_call *s, struct end *end, const struct end *other,
    struct err *e)
{
	const struct point there = { other != NULL ? other->place.lat : 0, other != NULL ? other->place.lon : 0 };
	const struct place_context context = { s->ctx->geocoder, s->ctx->watch,
		other != NULL ? other->place.airport.country : NULL, other != NULL ? &there : NULL };

	return place_airport(s->con, s->mem, &context, end->text, PLACE_END, NEAREST_NM,
	    &end->place, &end->found, e);
}

/* Is this end so far from the other one that the pilot probably means another place with this name? In "Perth to Wick", the Perth in
 * Australia is not meant. */
static bool is_overseas(const struct end *end, const struct end *other)
{
	return end->found && other->found && !certain(end) && !country_preferred(end->place.airport.country) &&
	    country_preferred(other->place.airport.country) &&
	    geo_distance_nm((struct point){ end->place.lat, end->place.lon }, (struct point){ other->place.lat, other->place.lon }) > PLACE_OVERSEAS_NM;
}

/* The end that is certain is looked up first, because it helps to find the other one. An end that would lie overseas is looked up again, near the
 * other end. */
static enum errcode resolve_both(struct search_call *s, struct end ends[2], struct err *e)
{
	double lat, lon;
	size_t first = 0;
	enum errcode rc = OK;

	/* a look-up by code or position costs next to nothing */
	for (size_t i = 0; i < 2 && rc == OK; i++) {
		struct airport a;
		bool code;

		rc = airdb_by_code(s->con, s->mem, ends[i].text, &a, &code, e);
		if (rc == OK && i == 1 && (code || place_coords(ends[i].text, &lat, &lon)))
			first = 1;
		else if (rc == OK && (code || place_coords(ends[i].text, &lat, &lon)))
			break;
	}
	if (rc == OK)
		rc = resolve(s, &ends[first], NULL, e);
	if (rc == OK)
		rc = resolve(s, &ends[1 - first], certain(&ends[first]) ? &ends[first] : NULL, e);
	for (size_t i = 0; i < 2 && rc == OK; i++)
		if (is_overseas(&ends[i], &ends[1 - i])) {
			struct end nearer = { .role = ends[i].role, .text = ends[i].text };
			rc = resolve(s, &nearer, &ends[1 - i], e);
			if (nearer.found)
				ends[i] = nearer;
		}
	return rc;
}

static struct json_object *not_found(struct arena *a, const struct end *end)
{
	struct json_object *o = jsn_object(a);

	jsn_add_bool(o, "found", false);
	jsn_add_str(o, "error", arena_printf(a, "Could not find or geocode %s location '%s'. "
	    "Please verify the ICAO code or location name.", end->role, end->text));
	jsn_add_str(o, "pretty", arena_printf(a, "Could not find airport or location '%s'.",
	    end->text));
	jsn_add_str(o, "reason", end->place.why);
	return o;
}

static struct json_object *substitution(const struct end *end)
{
	const struct place *p = &end->place;
	struct json_object *o;

	if (p->source == PLACE_IDENT || p->source == PLACE_IATA)
		return NULL;
	o = jsn_new();
	jsn_add_str(o, "original", end->text);
	jsn_add_str(o, "resolved", p->airport.ident);
	jsn_add_bool(o, "was_geocoded", true);
	jsn_add_str(o, "geocoded_location", p->label);
	jsn_add_num(o, "distance_nm", num_round(p->distance_nm, 1));
	return o;
}

static struct json_object *route_end(const struct airport *a)
{
	struct json_object *o = jsn_new();

	jsn_add_str(o, "icao", a->ident);
	jsn_add_str(o, "name", a->name);
	jsn_add_str(o, "municipality", a->municipality);
	jsn_add_num(o, "lat", a->lat);
	jsn_add_num(o, "lon", a->lon);
	return o;
}

static struct json_object *hit_of(const struct airport_hit *hit)
{
	struct json_object *o = airport_summary(&hit->a);

	jsn_add_num(o, "segment_distance_nm", hit->segment_nm);
	jsn_add_num(o, "enroute_distance_nm", hit->enroute_nm);
	jsn_add_num(o, "along_track_distance_nm", hit->along_nm);
	return o;
}

/* Is this end a town or another place, so that an airport near it is used? */
static bool is_replaced(const struct end *end)
{
	return end->place.distance_nm > 0;
}

/* Nobody knows which point of Bavaria is meant. */
static bool is_area(const struct end *end)
{
	return end->place.area != NULL;
}

/* The flight along the great circle, and if an airport replaces a place, the distance between the places. The time is without wind, at the speed that the pilot named
 * or else that of the persona. */
static struct json_object *flight_of(const struct search_call *s, const struct end ends[2])
{
	struct json_object *o = jsn_new();
	const double nm = geo_distance_nm(s->q.from, s->q.to);
	const struct persona *persona = s->ctx->personas == NULL ? NULL :
	    persona_or_standard(s->ctx->personas, jsn_get_str(s->args, "_persona_id", NULL));

	jsn_add_num(o, "distance_nm", num_round(nm, 1));
	if (nm > 0)
		jsn_add_num(o, "initial_true_track_deg", num_round(geo_bearing_deg(s->q.from, s->q.to), 1));
	const double kt = jsn_get_num(s->args, "cruise_kt", persona != NULL ? persona->cruise_kt : 0);
	if (kt > 0) {
		jsn_add_num(o, "cruise_kt", kt);
		jsn_add_num(o, "time_min", num_round(nm / kt * 60, 0));
	}
	if ((is_replaced(&ends[0]) || is_replaced(&ends[1])) && !is_area(&ends[0]) && !is_area(&ends[1]))
		jsn_add_num(o, "places_distance_nm", num_round(geo_distance_nm((struct point){ ends[0].place.lat, ends[0].place.lon },
		    (struct point){ ends[1].place.lat, ends[1].place.lon }), 1));
	return o;
}

static struct json_object *result_of(const struct search_call *s, const struct end ends[2])
{
	struct json_object *o = jsn_object(s->mem), *profile = jsn_new();
	struct json_object *subs = jsn_new(), *route = jsn_new();

	result_add_count(o, s, AIRPORTS_MAX);
	jsn_add_num(profile, "route_distance", s->q.radius_nm);
	result_add_airports(o, s, hit_of, profile);
	jsn_add(subs, "from", substitution(&ends[0]));
	jsn_add(subs, "to", substitution(&ends[1]));
	jsn_add(o, "substitutions", subs);
	jsn_add(o, "flight", flight_of(s, ends));
	for (size_t i = 0; i < 2; i++)
		result_add_resolved(o, ends[i].role, ends[i].text, &ends[i].place);
	jsn_add(route, "from", route_end(&ends[0].place.airport));
	jsn_add(route, "to", route_end(&ends[1].place.airport));
	result_add_visualization(o, s, "route_with_markers", "route", route, "markers");
	return o;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	struct end ends[2] = {
		{ .role = "departure", .text = jsn_get_str(args, "from_location", "") },
		{ .role = "destination", .text = jsn_get_str(args, "to_location", "") },
	};
	const struct end *lost = NULL;
	struct search_call s;
	enum errcode rc = search_call_open(&s, ctx, a, args, e);
	(void)self;

	if (rc != OK)
		return rc;
	rc = resolve_both(&s, ends, e);
	for (size_t i = 2; i-- > 0 && rc == OK;)
		if (!ends[i].found)
			lost = &ends[i];
	if (rc == OK && lost == NULL) {
		const struct airport *from = &ends[0].place.airport, *to = &ends[1].place.airport;

		s.q.kind = SEARCH_ROUTE;
		s.q.halfway = jsn_get_bool(args, "halfway", false);
		s.q.from = (struct point){ from->lat, from->lon };
		s.q.to = (struct point){ to->lat, to->lon };
		rc = search_call_run(&s, e);
	}
	airdb_put(s.con);
	if (rc == OK)
		*result = lost != NULL ? not_found(a, lost) : result_of(&s, ends);
	return rc;
}

static const struct tool_arg rows[] = {
	{ .name = "from_location", .type = ARG_STRING, .required = true,
	    .doc = "Departure: code or town." },
	{ .name = "to_location", .type = ARG_STRING, .required = true,
	    .doc = "Destination, likewise." },
	ARG_ROW_DISTANCE("Largest distance from the track in NM."),
	ARG_ROWS_SEARCH,
	ARG_ROW_NOTICE,
	{ .name = "cruise_kt", .type = ARG_NUMBER, .min = 20, .max = 700,
	    .doc = "Its speed." },
	{ .name = "halfway", .type = ARG_BOOLEAN, .def = "false", .programs = true,
	    .doc = "Only beside the middle third of the route." },
};

const struct tool tool_find_airports_near_route = {
	.name = "find_airports_near_route",
	.doc = "Finds airports along the track between two places: alternates, stops for "
	    "fuel, customs, food.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.persona = true,
	.open = true,
	.domain = TOOL_AIRPORTS,
	.ui = TOOL_UI_ROUTE,
	.result = RESULT_AIRPORTS_ROUTE,
	.call = call,
};
