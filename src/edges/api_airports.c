/*
 * Lists of airports without a place: those in a box of the map, and those that a text means.
 */
#include "edges/api.h"

#include <math.h>

#include "airports/airport_list.h"
#include "airports/place.h"
#include "airports/search.h"
#include "base/jsn_put.h"
#include "base/str.h"
#include "edges/airport_summary.h"

/* ---- the box ------------------------------------------------------------------------- */

enum { BOX_VALUES = 4 };

static const char *read_numbers(struct arena *a, const char *text, double v[BOX_VALUES])
{
	struct str part;
	size_t commas = 0, n = 0;

	/* a last value that is empty counts too */
	for (const char *p = text; *p != '\0'; p++)
		commas += *p == ',';
	if (commas + 1 != BOX_VALUES)
		return "bbox must have 4 values: north,south,east,west";
	for (const char *p = text; str_part(&p, ',', &part) && n < BOX_VALUES; n++)
		if (!str_to_double(arena_strndup(a, part.p, part.n), &v[n]))
			break;
	return n == BOX_VALUES ? NULL : "bbox values must be valid numbers";
}

/* Further round the world nobody drags a map; the sums below stay exact. */
enum { TURNS_MAX = 100 };

static double no_further(double lon)
{
	return fmin(fmax(lon, -360.0 * TURNS_MAX), 360.0 * TURNS_MAX);
}

/*
 * A map that was dragged round the world counts its longitudes on. The box is turned back until its middle
 * is on the map. If it still reaches over the 180th meridian, a narrow box goes on behind it, and a wide one
 * is cut there: it shows the whole world once, and pages draw no airport twice.
 */
static void set_longitudes(struct geo_box *box, double west, double east)
{
	const double width = east - west;

	if (width >= 360) {
		west = -180;
		east = 180;
	} else if (width >= 0) {
		const double back = 360 * round((west + east) / 2 / 360);
		west -= back;
		east -= back;
	}
	if (width > 180) {
		west = fmax(west, -180);
		east = fmin(east, 180);
	}
	box->west = fabs(west) <= 180 ? west : remainder(west, 360);
	box->east = fabs(east) <= 180 ? east : remainder(east, 360);
}

/* "north,south,east,west". False: 400 was sent. */
static bool read_box(struct http_req *r, struct http_res *w, const char *text, struct geo_box *box)
{
	enum { NORTH, SOUTH, EAST, WEST };
	double v[BOX_VALUES] = { 0 };
	const char *fault = read_numbers(r->mem, text, v);

	if (fault == NULL && v[SOUTH] > v[NORTH])
		fault = "bbox south must be <= north";
	if (fault != NULL) {
		http_detail(w, r->mem, 400, fault);
		return false;
	}
	box->south = fmin(fmax(v[SOUTH], -90), 90);
	box->north = fmin(fmax(v[NORTH], -90), 90);
	set_longitudes(box, no_further(v[WEST]), no_further(v[EAST]));
	return true;
}

/* ---- in the box ---------------------------------------------------------------------- */

enum { SKIP_MAX = 100000 };

static void put_one(struct call *c, const struct airport *a, const struct param_value *v)
{
	jsn_put_open(&c->text, NULL, '{');
	airport_summary_put(c, a, v);
	jsn_put_close(&c->text, '}');
}

void api_airports(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	enum { P_BOX = P_OWN, P_OFFSET, P__MAX };
	static const struct param rows[P__MAX] = {
		LIST_PARAMS(10000, "1000"),
		[P_BOX] = { "bbox", PARAM_TEXT, .max = 200 },
		[P_OFFSET] = { "offset", PARAM_INT, .max = 1e15, .absent = "0" },
	};
	struct param_value v[P__MAX];
	struct airport_list list = { .n = 0 };
	struct json_object *wanted;
	struct geo_box box;
	struct call c;

	(void)rt;
	if (!params_read(r, w, rows, P__MAX, v) || !filters_read(r, w, v, &wanted) ||
	    (v[P_BOX].set && !read_box(r, w, v[P_BOX].text, &box)))
		return;
	if (v[P_OFFSET].number > SKIP_MAX) {
		http_detail(w, r->mem, 400, "Offset too large");
		return;
	}
	if (!call_begin(&c, e, r, w, CALL_AIRPORTS | CALL_FACTS))
		return;
	const struct airport_list_query q = { .filters = wanted, .facts = &c.facts,
		.include_large = v[P_LARGE].flag, .box = v[P_BOX].set ? &box : NULL,
		.skip = (size_t)v[P_OFFSET].number, .max = (size_t)v[P_LIMIT].number };
	const enum errcode rc = airport_list_box(c.con, c.mem, &q, &list, &c.err);
	jsn_put_open(&c.text, NULL, '[');
	for (size_t i = 0; i < list.n; i++)
		put_one(&c, &list.hits[i].a, v);
	jsn_put_close(&c.text, ']');
	call_end(&c, rc);
}

/* ---- by words ------------------------------------------------------------------------ */

/* A text that no airport has in its name may be a place. */
static const double AROUND_NM = 50;

static enum errcode search(struct call *c, struct airport_query *q, struct airport_hits *hits)
{
	struct place place;
	bool found;
	enum errcode rc = airport_find(c->con, c->mem, q, hits, &c->err);

	if (rc != OK || hits->n > 0 || hits->candidates > 0)
		return rc;
	rc = place_resolve(c->con, c->mem, NULL, q->text, NULL, &place, &found, &c->err);
	if (rc != OK || !found)
		return rc;
	q->kind = SEARCH_NEAR;
	q->from = (struct point){ place.lat, place.lon };
	q->radius_nm = AROUND_NM;
	return airport_search(c->con, c->mem, q, hits, &c->err);
}

void api_airports_search(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	static const struct param words = { "query", PARAM_TEXT, PARAM_VERBATIM, .min = 1, .max = 100 };
	static const struct param rows[P_OWN] = { LIST_PARAMS(100, "20") };
	struct param_value v[P_OWN];
	struct airport_hits hits = { .n = 0 };
	struct json_object *wanted;
	struct call c;

	(void)rt;
	if (!params_path(r, w, &words, r->arg) || !params_read(r, w, rows, P_OWN, v) ||
	    !filters_read(r, w, v, &wanted) || !call_begin(&c, e, r, w, CALL_AIRPORTS | CALL_FACTS))
		return;
	struct airport_query q = { .text = r->arg, .filters = wanted, .sources = &c.sources,
		.include_large = v[P_LARGE].flag, .max = (size_t)v[P_LIMIT].number };
	const enum errcode rc = search(&c, &q, &hits);
	jsn_put_open(&c.text, NULL, '[');
	for (size_t i = 0; i < hits.n && i < (size_t)v[P_LIMIT].number; i++)
		put_one(&c, &hits.hits[i].a, v);
	jsn_put_close(&c.text, ']');
	call_end(&c, rc);
}
