/*
 * find_airports_near_location: around an airport, a place or a pair of coordinates; in an area.
 */
#include <math.h>

#include "tools/airport_result.h"
#include "tools/place_result.h"

/* An area without an airfield is searched around its middle, within this distance. */
static const double AROUND_NM = 50;

/* A caller that knows the point already also passes it as center_lat and center_lon. */
static bool given(struct json_object *args, struct place *p)
{
	*p = (struct place){ .source = PLACE_COORDS, .label = jsn_get_str(args, "location_query", ""),
		.lat = jsn_get_num(args, "center_lat", NAN), .lon = jsn_get_num(args, "center_lon", NAN) };
	return fabs(p->lat) <= 90 && fabs(p->lon) <= 180;
}

/* A country that the results must be in is probably the country of the place too. */
static enum errcode resolve(struct search_call *s, struct place *p, bool *found, struct err *e)
{
	const struct place_context context = { s->ctx->geocoder, s->ctx->watch,
		jsn_get_str(s->q.filters, "country", NULL), NULL };

	*found = given(s->args, p);
	return *found ? OK : place_resolve(s->con, s->mem, &context, p->label, NULL, p, found, e);
}

/* A region of the database and a country have no shape; then the airports tell how far it reaches. Pages show this
 * number to their users, so it is a whole one. */
static double reach_of(const struct search_call *s)
{
	double nm = s->q.area->reach_nm;

	for (size_t i = 0; s->q.area->reach_nm == 0 && i < s->hits.n; i++)
		nm = fmax(nm, s->hits.hits[i].distance_nm);
	return ceil(nm);
}

/* The airports of an area, unless a distance was asked for: then those around its middle. */
static enum errcode search(struct search_call *s, const struct place *p, struct err *e)
{
	enum errcode rc;

	s->q.from = (struct point){ p->lat, p->lon };
	s->q.kind = SEARCH_NEAR;
	if (p->area == NULL || jsn_has(s->args, "max_distance_nm"))
		return search_call_run(s, e);
	s->q.kind = SEARCH_AREA;
	s->q.area = p->area;
	rc = search_call_run(s, e);
	if (rc != OK || s->hits.candidates > 0) {
		s->q.radius_nm = rc == OK ? reach_of(s) : AROUND_NM;
		return rc;
	}
	s->q.kind = SEARCH_NEAR;
	return search_call_run(s, e);
}

static struct json_object *not_found(struct arena *a, const char *query, const char *why)
{
	struct json_object *o = jsn_object(a);

	jsn_add_bool(o, "found", false);
	jsn_add_str(o, "pretty", arena_printf(a, "Could not geocode '%s': %s.", query, why));
	jsn_add_str(o, "reason", why);
	return o;
}

static struct json_object *spot(const struct place *p, bool label_first)
{
	struct json_object *o = jsn_new();

	if (label_first)
		jsn_add_str(o, "label", p->label);
	jsn_add_num(o, "lat", p->lat);
	jsn_add_num(o, "lon", p->lon);
	if (!label_first)
		jsn_add_str(o, "label", p->label);
	return o;
}

static struct json_object *hit_of(const struct airport_hit *hit)
{
	struct json_object *o = airport_summary(&hit->a);

	jsn_add_num(o, "distance_nm", hit->distance_nm);
	return o;
}

static struct json_object *result_of(const struct search_call *s, const struct place *p)
{
	struct json_object *o = jsn_object(s->mem), *profile = jsn_new();

	jsn_add_bool(o, "found", true);
	result_add_count(o, s, AIRPORTS_MAX);
	jsn_add(o, "center", spot(p, false));
	jsn_add(profile, "location_query", jsn_ref(jsn_get(s->args, "location_query")));
	jsn_add_num(profile, "radius_nm", s->q.radius_nm);
	result_add_airports(o, s, hit_of, profile);
	result_add_resolved(o, "location", jsn_get_str(s->args, "location_query", ""), p);
	if (s->q.kind == SEARCH_AREA)
		result_add_area(o, s->q.area);
	result_add_visualization(o, s, "point_with_markers", "point", spot(p, true), "markers");
	return o;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	struct search_call s;
	struct place place;
	bool found = false;
	enum errcode rc = search_call_open(&s, ctx, a, args, e);
	(void)self;

	if (rc != OK)
		return rc;
	rc = resolve(&s, &place, &found, e);
	if (rc == OK && found)
		rc = search(&s, &place, e);
	airdb_put(s.con);
	if (rc == OK)
		*result = found ? result_of(&s, &place)
		    : not_found(a, jsn_get_str(args, "location_query", ""), place.why);
	return rc;
}

static const struct tool_arg rows[] = {
	{ .name = "location_query", .type = ARG_STRING, .required = true,
	    .doc = "Place, code, region, or coordinates (48.85, 2.29)." },
	ARG_ROW_DISTANCE("Radius in NM."),
	ARG_ROWS_SEARCH,
	ARG_ROW_NOTICE,
};

const struct tool tool_find_airports_near_location = {
	.name = "find_airports_near_location",
	.doc = "Finds airports around one place: town, lake, landmark, airport or coordinates.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.persona = true,
	.open = true,
	.domain = TOOL_AIRPORTS,
	.ui = TOOL_UI_ROUTE,
	.result = RESULT_AIRPORTS_NEAR,
	.call = call,
};
