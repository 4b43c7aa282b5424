/*
 * Lists of airports beside a route and around a place.
 */
#include "edges/api.h"

#include <math.h>
#include <string.h>

#include "airports/airport_list.h"
#include "airports/place.h"
#include "airports/search.h"
#include "base/jsn_put.h"
#include "base/str.h"
#include "edges/airport_summary.h"

/* As far as an answer of the chat may reach: the page asks for the airports within the radius of the answer. Beside a
 * route less, because each of its legs is measured: with all airports of the world a wider one takes over 100 ms. */
enum { REACH_MAX_NM = 5000, BESIDE_MAX_NM = 1000 };

/* ---- beside a route ------------------------------------------------------------------ */

enum { ROUTE_MAX = 20, IDENT_MIN = 2, IDENT_MAX = 8 };

static bool refuse(struct http_req *r, struct http_res *w, const char *why)
{
	http_detail(w, r->mem, 400, why);
	return false;
}

static bool is_code(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", ascii_upper(s.p[i])) == NULL)
			return false;
	return s.n >= IDENT_MIN && s.n <= IDENT_MAX;
}

/* The codes of a list, in capitals. False: 400 was sent. */
static bool read_codes(struct http_req *r, struct http_res *w, const char *text,
    const char *codes[ROUTE_MAX], size_t *n)
{
	struct str part;

	for (*n = 0; str_part(&text, ',', &part);) {
		part = str_trim(part);
		if (part.n == 0)
			continue;
		if (!is_code(part))
			return refuse(r, w, arena_printf(r->mem, "'%.*s' is not an airport code",
			    (int)utf8_cut(part.p, part.n, IDENT_MAX), part.p));
		if (*n == ROUTE_MAX)
			return refuse(r, w, arena_printf(r->mem,
			    "A route has at most %d airports", ROUTE_MAX));
		codes[(*n)++] = str_upper_copy(r->mem, part.p, part.n);
	}
	return *n > 0 || refuse(r, w, "A route needs at least one airport code");
}

struct way {
	const char *codes[ROUTE_MAX];         /* as asked for, then the airports' own */
	struct point points[ROUTE_MAX];
	size_t n;
};

/* The airports of the codes. False: the answer was sent and the call has ended. */
static bool find_way(struct call *c, struct way *way)
{
	for (size_t i = 0; i < way->n; i++) {
		struct airport a;
		bool found;
		const enum errcode rc = call_airport(c, way->codes[i], &a, &found);

		if (rc != OK) {
			call_end(c, rc);
			return false;
		}
		if (!found || isnan(a.lat)) {
			call_drop(c);
			http_detail(c->w, c->mem, 404, arena_printf(c->mem, found ?
			    "The position of airport %s is not known" : "Airport %s not found",
			    way->codes[i]));
			return false;
		}
		way->codes[i] = a.ident;
		way->points[i] = (struct point){ a.lat, a.lon };
	}
	return true;
}

static void put_beside(struct call *c, const struct way *way, const struct airport_list_hit *hit,
    const struct param_value *v)
{
	struct buf *b = &c->text;

	jsn_put_open(b, NULL, '{');
	jsn_put_open(b, "airport", '{');
	airport_summary_put(c, &hit->a, v);
	jsn_put_close(b, '}');
	jsn_put_num(b, "segment_distance_nm", hit->segment_nm);
	jsn_put_num(b, "enroute_distance_nm", hit->enroute_nm);
	jsn_put_num(b, "along_track_distance_nm", hit->along_nm);
	jsn_put_open(b, "closest_segment", '[');
	jsn_put_str(b, NULL, way->codes[hit->leg]);
	jsn_put_str(b, NULL, way->codes[way->n > 1 ? hit->leg + 1 : hit->leg]);
	jsn_put_close(b, ']');
	jsn_put_close(b, '}');
}

static void put_route(struct call *c, const struct way *way, const struct airport_list_query *q,
    const struct airport_list *list, const struct param_value *v)
{
	struct buf *b = &c->text;

	jsn_put_open(b, NULL, '{');
	jsn_put_open(b, "route_airports", '[');
	for (size_t i = 0; i < way->n; i++)
		jsn_put_str(b, NULL, way->codes[i]);
	jsn_put_close(b, ']');
	jsn_put_num(b, "segment_distance_nm", q->radius_nm);
	jsn_put_int(b, "airports_found", (int64_t)list->n);
	jsn_put_int(b, "total_nearby", (int64_t)list->nearby);
	jsn_put_tree(b, "filters_applied", q->filters);
	jsn_put_open(b, "airports", '[');
	for (size_t i = 0; i < list->n; i++)
		put_beside(c, way, &list->hits[i], v);
	jsn_put_close(b, ']');
	jsn_put_close(b, '}');
}

void api_airports_route(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	enum { P_AIRPORTS = P_OWN, P_SEGMENT, P_DISTANCE, P_ENROUTE, P__MAX };
	static const struct param rows[P__MAX] = {
		LIST_PARAMS(10000, "1000"),
		[P_AIRPORTS] = { "airports", PARAM_TEXT, PARAM_REQUIRED, .max = 1000 },
		[P_SEGMENT] = { "segment_distance_nm", PARAM_NUMBER, .min = 0.1, .max = BESIDE_MAX_NM },
		/* its name in older clients */
		[P_DISTANCE] = { "distance_nm", PARAM_NUMBER, .min = 0.1, .max = BESIDE_MAX_NM, .absent = "50" },
		[P_ENROUTE] = { "enroute_distance_max_nm", PARAM_NUMBER, .max = 1e6 },
	};
	struct param_value v[P__MAX];
	struct airport_list list = { .n = 0 };
	struct json_object *wanted;
	struct way way;
	struct call c;

	(void)rt;
	if (!params_read(r, w, rows, P__MAX, v) || !filters_read(r, w, v, &wanted) ||
	    !read_codes(r, w, v[P_AIRPORTS].text, way.codes, &way.n) ||
	    !call_begin(&c, e, r, w, CALL_AIRPORTS | CALL_FACTS) || !find_way(&c, &way))
		return;
	const struct airport_list_query q = { .filters = wanted, .facts = &c.facts,
		.include_large = v[P_LARGE].flag, .max = (size_t)v[P_LIMIT].number,
		.points = way.points, .npoints = way.n,
		.radius_nm = v[v[P_SEGMENT].set ? P_SEGMENT : P_DISTANCE].number,
		.enroute_max_nm = v[P_ENROUTE].set ? v[P_ENROUTE].number : NAN };
	const enum errcode rc = airport_list_route(c.con, c.mem, &q, &list, &c.err);
	if (rc == OK)
		put_route(&c, &way, &q, &list, v);
	call_end(&c, rc);
}

/* ---- around a place ------------------------------------------------------------------ */

/* Where to search, and its name. The geocoder, which costs money, is for answers: it is not asked here. */
static enum errcode resolve(struct call *c, const struct param_value *q, const struct param_value *lat,
    const struct param_value *lon, struct place *p, bool *found)
{
	*found = lat->set && lon->set;
	if (!*found)
		return place_resolve(c->con, c->mem, NULL, q->text, NULL, p, found, &c->err);
	*p = (struct place){ .source = PLACE_COORDS, .lat = lat->number, .lon = lon->number,
		.label = q->set ? q->text : arena_printf(c->mem, "%.4f, %.4f", lat->number, lon->number) };
	return OK;
}

/* Pages of the original service put this into their HTML. */
static const char *html_safe(struct arena *a, const char *text)
{
	const char *out = "";

	for (size_t n; *text != '\0'; text += n) {
		n = strcspn(text, "<>&\"'");
		out = arena_printf(a, "%s%.*s", out, (int)n, text);
		if (text[n] != '\0')
			out = arena_printf(a, "%s&#%d;", out, text[n++]);
	}
	return out;
}

static void put_spot(struct buf *b, const char *name, const struct place *p)
{
	jsn_put_open(b, name, '{');
	jsn_put_num(b, "lat", p->lat);
	jsn_put_num(b, "lon", p->lon);
	jsn_put_str(b, "label", p->label);
	jsn_put_close(b, '}');
}

struct around {
	const char *text;                     /* as asked for; NULL: only a point was given */
	struct place place;
	double radius_nm;
	struct json_object *conditions;       /* filters */
	struct airport_hits hits;
};

static void put_profile(struct call *c, const struct around *at)
{
	struct json_object *profile = jsn_object(c->mem);

	jsn_add_str(profile, "location_query", at->text);
	jsn_add_num(profile, "radius_nm", at->radius_nm);
	filter_profile(c->mem, profile, at->conditions);
	jsn_put_tree(&c->text, "filter_profile", profile);
}

/* The list of airports is printed once, and its text is put in again as the markers of the map. */
static void put_around(struct call *c, const struct around *at, const struct param_value *v)
{
	struct buf *b = &c->text;
	const size_t n = at->hits.n;

	jsn_put_open(b, NULL, '{');
	jsn_put_bool(b, "found", true);
	jsn_put_int(b, "count", (int64_t)n);
	put_spot(b, "center", &at->place);
	jsn_put_open(b, "airports", '[');
	const size_t list = b->n - 1;
	for (size_t i = 0; i < n; i++) {
		const struct airport_hit *hit = &at->hits.hits[i];
		jsn_put_open(b, NULL, '{');
		airport_summary_put(c, &hit->a, v);
		jsn_put_str(b, "country", hit->a.country);
		jsn_put_num(b, "distance_nm", hit->distance_nm);
		jsn_put_close(b, '}');
	}
	jsn_put_close(b, ']');
	const char *markers = arena_strndup(c->mem, b->p + list, b->n - list);
	jsn_put_str(b, "pretty", html_safe(c->mem, arena_printf(c->mem, "%zu airport%s within %g NM of %s",
	    n, n == 1 ? "" : "s", at->radius_nm, at->place.label)));
	put_profile(c, at);
	jsn_put_open(b, "visualization", '{');
	jsn_put_str(b, "type", "point_with_markers");
	put_spot(b, "point", &at->place);
	jsn_put_text(b, "markers", markers);
	jsn_put_num(b, "radius_nm", at->radius_nm);
	jsn_put_close(b, '}');
	jsn_put_close(b, '}');
}

static void put_nowhere(struct call *c, const struct around *at)
{
	struct buf *b = &c->text;

	jsn_put_open(b, NULL, '{');
	jsn_put_bool(b, "found", false);
	jsn_put_int(b, "count", 0);
	jsn_put_null(b, "center");
	jsn_put_text(b, "airports", "[]");
	jsn_put_str(b, "pretty", html_safe(c->mem, arena_printf(c->mem, "Could not find '%s': %s.", at->text,
	    at->place.why != NULL ? at->place.why : "no such place is known")));
	put_profile(c, at);
	jsn_put_null(b, "visualization");
	jsn_put_close(b, '}');
}

void api_airports_locate(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	enum { P_Q = P_OWN, P_RADIUS, P_LAT, P_LON, P__MAX };
	static const struct param rows[P__MAX] = {
		LIST_PARAMS(10000, "1000"),
		[P_Q] = { "q", PARAM_TEXT, .max = 200 },
		[P_RADIUS] = { "radius_nm", PARAM_NUMBER, .min = 0.1, .max = REACH_MAX_NM, .absent = "50" },
		/* a page sends whatever it has; without a usable centre, q is looked up */
		[P_LAT] = { "center_lat", PARAM_NUMBER, PARAM_LENIENT, .min = -90, .max = 90 },
		[P_LON] = { "center_lon", PARAM_NUMBER, PARAM_LENIENT, .min = -180, .max = 180 },
	};
	/* if there is nothing else to go by, what is wrong with the centre is told */
	static const struct param strict[2] = {
		{ "center_lat", PARAM_NUMBER, .min = -90, .max = 90 },
		{ "center_lon", PARAM_NUMBER, .min = -180, .max = 180 },
	};
	struct param_value v[P__MAX], centre[2];
	struct around at = { .text = NULL };
	struct call c;
	bool found = false;

	(void)rt;
	if (!params_read(r, w, rows, P__MAX, v) || !filters_read(r, w, v, &at.conditions))
		return;
	if (!v[P_Q].set && !(v[P_LAT].set && v[P_LON].set)) {
		if (params_read(r, w, strict, 2, centre))
			http_detail(w, r->mem, 400, "Either q or center_lat and center_lon are needed");
		return;
	}
	if (!call_begin(&c, e, r, w, CALL_AIRPORTS | CALL_FACTS))
		return;
	at.text = v[P_Q].text;
	at.radius_nm = v[P_RADIUS].number;
	enum errcode rc = resolve(&c, &v[P_Q], &v[P_LAT], &v[P_LON], &at.place, &found);
	if (rc == OK && found) {
		const struct airport_query q = { .kind = SEARCH_NEAR, .from = { at.place.lat, at.place.lon },
			.radius_nm = at.radius_nm, .filters = at.conditions, .sources = &c.sources,
			.persona = persona_or_standard(e->parts.personas, NULL),
			.include_large = v[P_LARGE].flag, .max = (size_t)v[P_LIMIT].number };
		rc = airport_search(c.con, c.mem, &q, &at.hits, &c.err);
	}
	if (rc == OK && found)
		put_around(&c, &at, v);
	else if (rc == OK)
		put_nowhere(&c, &at);
	call_end(&c, rc);
}
