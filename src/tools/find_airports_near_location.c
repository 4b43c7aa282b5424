/*
 * find_airports_near_location: around an airport, a place or a pair of coordinates.
 */
#include <math.h>

#include "airports/place.h"
#include "tools/airport_result.h"

struct centre {
	struct point at;
	const char *label;
	const char *why;              /* the reason, as a clause; NULL: found */
};

/* A caller that knows the point already also passes it as center_lat and center_lon. */
static bool given(struct json_object *args, struct centre *c)
{
	c->at.lat = jsn_get_num(args, "center_lat", NAN);
	c->at.lon = jsn_get_num(args, "center_lon", NAN);
	c->label = jsn_get_str(args, "location_query", "");
	return fabs(c->at.lat) <= 90 && fabs(c->at.lon) <= 180;
}

static enum errcode centre_of(struct search_call *s, struct centre *c, struct err *e)
{
	const struct geocoding geocoding = { s->ctx->geocoder, s->ctx->watch };
	struct place place;
	bool found;
	enum errcode rc;

	c->why = NULL;
	if (given(s->args, c))
		return OK;
	rc = place_resolve(s->con, s->mem, &geocoding, c->label, NULL, &place, &found, e);
	if (rc != OK)
		return rc;
	if (!found) {
		c->why = place.why;
		return OK;
	}
	c->at = (struct point){ place.lat, place.lon };
	c->label = place.label;
	return OK;
}

static struct json_object *not_found(struct arena *a, const struct centre *c)
{
	struct json_object *o = jsn_object(a);

	jsn_add_bool(o, "found", false);
	jsn_add_str(o, "pretty", arena_printf(a, "Could not geocode '%s': %s.", c->label, c->why));
	jsn_add_str(o, "reason", c->why);
	return o;
}

static struct json_object *spot(const struct centre *c, bool label_first)
{
	struct json_object *o = jsn_new();

	if (label_first)
		jsn_add_str(o, "label", c->label);
	jsn_add_num(o, "lat", c->at.lat);
	jsn_add_num(o, "lon", c->at.lon);
	if (!label_first)
		jsn_add_str(o, "label", c->label);
	return o;
}

static struct json_object *hit_of(const struct airport_hit *hit)
{
	struct json_object *o = airport_summary(&hit->a);

	jsn_add_num(o, "distance_nm", hit->distance_nm);
	return o;
}

static struct json_object *result_of(const struct search_call *s, const struct centre *c)
{
	struct json_object *o = jsn_object(s->mem), *profile = jsn_new();

	jsn_add_bool(o, "found", true);
	result_add_count(o, s, AIRPORTS_MAX);
	jsn_add(o, "center", spot(c, false));
	jsn_add(profile, "location_query", jsn_ref(jsn_get(s->args, "location_query")));
	jsn_add_num(profile, "radius_nm", s->q.radius_nm);
	result_add_airports(o, s, hit_of, profile);
	result_add_visualization(o, s, "point_with_markers", "point", spot(c, true), "markers");
	return o;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	struct search_call s;
	struct centre centre;
	enum errcode rc = search_call_open(&s, ctx, a, args, e);
	(void)self;

	if (rc != OK)
		return rc;
	rc = centre_of(&s, &centre, e);
	if (rc == OK && centre.why == NULL) {
		s.q.kind = SEARCH_NEAR;
		s.q.from = centre.at;
		rc = search_call_run(&s, e);
	}
	airdb_put(s.con);
	if (rc == OK)
		*result = centre.why != NULL ? not_found(a, &centre) : result_of(&s, &centre);
	return rc;
}

static const struct tool_arg rows[] = {
	{ .name = "location_query", .type = ARG_STRING, .required = true,
	    .doc = "Place, code, or coordinates such as \"48.85, 2.29\"." },
	ARG_ROW_DISTANCE("Radius in NM."),
	ARG_ROWS_SEARCH,
	ARG_ROW_NOTICE,
};

const struct tool tool_find_airports_near_location = {
	.name = "find_airports_near_location",
	.doc = "Find airports within a distance of one place: \"airfields near Lake Bled\", \"AVGAS "
	    "within 40 NM of EGTF\". The place may be a town, a landmark, an airport or "
	    "coordinates. For airports between two places use find_airports_near_route.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.persona = true,
	.open = true,
	.domain = TOOL_AIRPORTS,
	.ui = TOOL_UI_ROUTE,
	.result = RESULT_AIRPORTS_NEAR,
	.call = call,
};
