/*
 * find_airports_near_route: along the great circle between two airports.
 *
 * If an end is not an airport, an airport near it is used, and the result says so: a pilot must see
 * that "Cambridge" was taken as EGSC.
 */
#include "airports/geo.h"
#include "airports/persona.h"
#include "airports/place.h"
#include "tools/airport_result.h"

/* an airport may stand for a place up to this distance */
static const double NEAREST_NM = 100;

struct end {
	const char *role;             /* "departure", "destination" */
	const char *text;             /* as the caller gave it */
	struct airport airport;
	bool substituted;
	const char *label;            /* if substituted: the place */
	double distance_nm;           /* if substituted: the distance from there to the airport */
	const char *why;              /* the reason, as a clause; NULL: it was found */
};

static enum errcode resolve(struct search_call *s, struct end *end, struct err *e)
{
	const struct geocoding geocoding = { s->ctx->geocoder, s->ctx->watch };
	struct place place;
	bool found;
	enum errcode rc;

	rc = place_airport(s->con, s->mem, &geocoding, end->text, PLACE_END, NEAREST_NM,
	    &place, &found, e);
	if (rc != OK)
		return rc;
	if (!found) {
		end->why = place.why;
		return OK;
	}
	end->substituted = place.source != PLACE_IDENT && place.source != PLACE_IATA;
	end->label = place.label;
	end->airport = place.airport;
	end->distance_nm = place.distance_nm;
	return OK;
}

static struct json_object *not_found(struct arena *a, const struct end *end)
{
	struct json_object *o = jsn_object(a);

	jsn_add_bool(o, "found", false);
	jsn_add_str(o, "error", arena_printf(a, "Could not find or geocode %s location '%s'. "
	    "Please verify the ICAO code or location name.", end->role, end->text));
	jsn_add_str(o, "pretty", arena_printf(a, "Could not find airport or location '%s'.",
	    end->text));
	jsn_add_str(o, "reason", end->why);
	return o;
}

static struct json_object *substitution(const struct end *end)
{
	struct json_object *o;

	if (!end->substituted)
		return NULL;
	o = jsn_new();
	jsn_add_str(o, "original", end->text);
	jsn_add_str(o, "resolved", end->airport.ident);
	jsn_add_bool(o, "was_geocoded", true);
	jsn_add_str(o, "geocoded_location", end->label);
	jsn_add_num(o, "distance_nm", num_round(end->distance_nm, 1));
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

/* The flight itself along the great circle; the time is that of the persona's cruise speed without
 * wind. */
static struct json_object *flight_of(const struct search_call *s)
{
	struct json_object *o = jsn_new();
	const double nm = geo_distance_nm(s->q.from, s->q.to);
	const struct persona *persona = s->ctx->personas == NULL ? NULL :
	    persona_or_standard(s->ctx->personas, jsn_get_str(s->args, "_persona_id", NULL));

	jsn_add_num(o, "distance_nm", num_round(nm, 1));
	if (nm > 0)
		jsn_add_num(o, "initial_true_track_deg", num_round(geo_bearing_deg(s->q.from, s->q.to), 1));
	if (persona != NULL && persona->cruise_kt > 0) {
		jsn_add_num(o, "cruise_kt", persona->cruise_kt);
		jsn_add_num(o, "time_min", num_round(nm / persona->cruise_kt * 60, 0));
	}
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
	jsn_add(o, "flight", flight_of(s));
	jsn_add(route, "from", route_end(&ends[0].airport));
	jsn_add(route, "to", route_end(&ends[1].airport));
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
	for (size_t i = 0; i < 2 && rc == OK && lost == NULL; i++) {
		rc = resolve(&s, &ends[i], e);
		if (ends[i].why != NULL)
			lost = &ends[i];
	}
	if (rc == OK && lost == NULL) {
		s.q.kind = SEARCH_ROUTE;
		s.q.from = (struct point){ ends[0].airport.lat, ends[0].airport.lon };
		s.q.to = (struct point){ ends[1].airport.lat, ends[1].airport.lon };
		rc = search_call_run(&s, e);
	}
	airdb_put(s.con);
	if (rc == OK)
		*result = lost != NULL ? not_found(a, lost) : result_of(&s, ends);
	return rc;
}

static const struct tool_arg rows[] = {
	{ .name = "from_location", .type = ARG_STRING, .required = true,
	    .doc = "Departure: code, airport or town." },
	{ .name = "to_location", .type = ARG_STRING, .required = true,
	    .doc = "Destination, likewise." },
	ARG_ROW_DISTANCE("Largest distance from the track in NM."),
	ARG_ROWS_SEARCH,
	ARG_ROW_NOTICE,
};

const struct tool tool_find_airports_near_route = {
	.name = "find_airports_near_route",
	.doc = "Find airports along a flight between two places: fuel stops, alternates, customs "
	    "stops, lunch stops \"between EGTF and LFMD\". Those near the middle of the route "
	    "come first. Towns are replaced by their airport, which the result reports.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.persona = true,
	.open = true,
	.domain = TOOL_AIRPORTS,
	.ui = TOOL_UI_ROUTE,
	.result = RESULT_AIRPORTS_ROUTE,
	.call = call,
};
