/*
 * Lists of airports for a map: all that pass the filters, in a box of the map or along a route.
 *
 * A search (search.h) puts the airports first that suit the pilot best, and shows a few. A list shows
 * whatever is there, page by page. Both look at the same airports (search.h tells which), with the
 * same filters and distances, so a map shows each airport that an answer names.
 */
#ifndef AIRPORTS_AIRPORT_LIST_H
#define AIRPORTS_AIRPORT_LIST_H

#include "airports/airdb.h"
#include "airports/fact_source.h"
#include "airports/filter.h"
#include "airports/geo.h"

struct airport_list_query {
	struct json_object *filters;          /* as in struct airport_query; NULL: none */
	const struct fact_view *facts;
	bool include_large;
	size_t skip, max;                     /* of those that pass */

	/* airport_list_box() */
	const struct geo_box *box;            /* NULL: the whole world */

	/* airport_list_route(): at least one point */
	const struct point *points;
	size_t npoints;
	double radius_nm;
	double enroute_max_nm;                /* NaN: any */
};

struct airport_list_hit {
	struct airport a;
	/* of a route, rounded to 2 decimals: the distance from the nearest leg; the lengths of the legs
	 * before and straight from the start of the nearest leg; the way flown along the route to the point
	 * beside the airport, as find_airports_near_route has it */
	double segment_nm, enroute_nm, along_nm;
	size_t leg;                           /* the nearest; the first of equals */
};

struct airport_list {
	struct airport_list_hit *hits;
	size_t n;
	size_t nearby;                        /* of a route: airports beside it, before filters and cut */
};

/* The longest runway first, then in table order. Results in the arena. ERR_INPUT: a filter's value is
 * not acceptable. */
enum errcode airport_list_box(struct aircon *con, struct arena *a, const struct airport_list_query *q,
    struct airport_list *out, struct err *e);
/* Within radius_nm of the route, the nearest first, then in table order. A route of one point is that
 * point: segment_nm is the distance from it, and enroute_nm and along_nm are 0. */
enum errcode airport_list_route(struct aircon *con, struct arena *a, const struct airport_list_query *q,
    struct airport_list *out, struct err *e);

/* Is the point in the box? west > east crosses the 180th meridian. */
bool airport_in_box(const struct geo_box *box, double lat, double lon);

#endif
