/*
 * A list in a large box reads the airports by length of runway and stops when its page is full. In a
 * small box few of them fit, so the R*Tree finds its airports, and they are sorted here. Either way
 * gives the same list.
 */
#include "airports/airport_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "airports/aircon.h"
#include "airports/airindex.h"
#include "airports/search_candidates.h"

/* Boxes over this many square degrees are large. To read all airports by length takes about as long
 * as to sort those in such a box of Europe. */
static const double LARGE = 600;

/* Length of the pieces in which a route is looked up, and most pieces of all legs: see search.c. */
static const double PIECE_NM = 150;
enum { PIECES_MAX = 300 };

/* Legs out and back are equally near; rounding must not decide between them. */
static const double SAME_NM = 1e-6;

struct listed {
	int64_t row;
	double key;                   /* ascending */
	double segment, enroute, along;
	size_t leg;
};

struct listing {
	const struct airport_list_query *q;
	struct arena *work;
	bool all_idents;
	struct filter_set filters;
	struct geo_leg *legs;
	double *before;               /* of each leg: the length of the legs before it */
	size_t nlegs;
	struct listed *list;
	size_t n, room, passed, nearby;
};

static void keep(struct listing *l, struct listed item)
{
	if (l->n == l->room) {
		const size_t room = l->room > 0 ? 2 * l->room : 256;
		struct listed *list = arena_array(l->work, room, sizeof(*list));
		if (l->n > 0)
			memcpy(list, l->list, l->n * sizeof(*list));
		l->list = list;
		l->room = room;
	}
	l->list[l->n++] = item;
}

static int by_key(const void *pa, const void *pb)
{
	const struct listed *a = pa, *b = pb;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* ---- in a box ----------------------------------------------------------------------- */

bool airport_in_box(const struct geo_box *box, double lat, double lon)
{
	if (lat < box->south || lat > box->north)
		return false;
	if (box->west > box->east)
		return lon >= box->west || lon <= box->east;
	return lon >= box->west && lon <= box->east;
}

static bool passes(struct listing *l, const struct airport *a)
{
	unsigned unknown;

	return filter_set_test(&l->filters, a, NULL, &unknown) == FIT_YES;
}

static bool listed_in_box(struct listing *l, const struct airport *a)
{
	return search_shows(a, l->all_idents) &&
	    (l->q->box == NULL || airport_in_box(l->q->box, a->lat, a->lon)) && passes(l, a);
}

/* Visited by length of runway. */
static bool take_ranked(void *arg, const struct airport *a)
{
	struct listing *l = arg;

	if (l->n == l->q->max)
		return false;
	if (listed_in_box(l, a) && l->passed++ >= l->q->skip)
		keep(l, (struct listed){ .row = a->row });
	return true;
}

static bool take_sorted(void *arg, const struct airport *a)
{
	struct listing *l = arg;

	if (listed_in_box(l, a))
		keep(l, (struct listed){ .row = a->row, .key = isnan(a->longest_ft) ? 1 : -a->longest_ft });
	return true;
}

static bool large(const struct geo_box *b)
{
	const double width = b->west > b->east ? b->east - b->west + 360 : b->east - b->west;

	return width * (b->north - b->south) > LARGE;
}

/* The page of a sorted list. */
static void cut(struct listing *l)
{
	const size_t skip = l->q->skip < l->n ? l->q->skip : l->n;

	qsort(l->list, l->n, sizeof(*l->list), by_key);
	l->list += skip;
	l->n -= skip;
	if (l->n > l->q->max)
		l->n = l->q->max;
}

static enum errcode visit_box(struct listing *l, struct aircon *con, struct err *e)
{
	const struct geo_box *b = l->q->box;

	if (b == NULL || large(b))
		return airindex_ranked(con, take_ranked, l, e);
	const struct airbox box = { b->south, b->north, b->west, b->east };
	const enum errcode rc = airindex_boxes(con, &box, 1, take_sorted, l, e);
	if (rc == OK && l->n > 0)
		cut(l);
	return rc;
}

/* ---- along a route ------------------------------------------------------------------ */

/* The nearest leg. False: none is near. */
static bool beside(const struct listing *l, const struct airport *a, struct listed *at)
{
	const struct point p = { a->lat, a->lon };
	double best = l->q->radius_nm;
	struct geo_place place;
	bool found = false;

	for (size_t i = 0; i < l->nlegs; i++) {
		if (!geo_leg_near(&l->legs[i], p, best, &place) || (found && place.segment > best - SAME_NM))
			continue;
		found = true;
		best = place.segment;
		at->segment = search_round2(place.segment);
		at->enroute = search_round2(l->before[i] + place.start);
		at->along = search_round2(l->before[i] + place.along);
		at->leg = i;
	}
	return found;
}

static bool take_beside(void *arg, const struct airport *a)
{
	struct listing *l = arg;
	struct listed at = { .row = a->row };

	if (!search_shows(a, l->all_idents) || !beside(l, a, &at))
		return true;
	l->nearby++;
	if (l->q->npoints == 1)
		at.enroute = at.along = 0;
	if (!(at.enroute > l->q->enroute_max_nm) && passes(l, a)) {
		at.key = at.segment;
		keep(l, at);
	}
	return true;
}

/* The boxes of the circles around the pieces of a leg. */
static size_t add_boxes(const struct listing *l, const struct geo_leg *leg, double longest,
    struct airbox *boxes)
{
	const size_t n = (size_t)fmax(1, ceil(leg->nm / longest));
	const double piece = leg->nm / (double)n;

	for (size_t i = 0; i < n; i++) {
		const struct point middle = geo_destination(leg->a, leg->bearing, ((double)i + 0.5) * piece);
		const struct geo_box b = geo_circle_box(middle, l->q->radius_nm + piece / 2 + 0.1);
		boxes[i] = (struct airbox){ b.south, b.north, b.west, b.east };
	}
	return n;
}

static enum errcode visit_route(struct listing *l, struct aircon *con, struct err *e)
{
	double total = 0;
	size_t n = 0;

	l->nlegs = l->q->npoints > 1 ? l->q->npoints - 1 : 1;
	l->legs = arena_array(l->work, l->nlegs, sizeof(*l->legs));
	l->before = arena_array(l->work, l->nlegs, sizeof(*l->before));
	for (size_t i = 0; i < l->nlegs; i++) {
		geo_leg_init(&l->legs[i], l->q->points[i], l->q->points[l->q->npoints > 1 ? i + 1 : i]);
		l->before[i] = total;
		total += l->legs[i].nm;
	}
	const double piece = fmax(fmax(l->q->radius_nm, PIECE_NM), total / PIECES_MAX);
	struct airbox *boxes = arena_array(l->work, PIECES_MAX + l->nlegs, sizeof(*boxes));
	for (size_t i = 0; i < l->nlegs; i++)
		n += add_boxes(l, &l->legs[i], piece, boxes + n);
	const enum errcode rc = airindex_boxes(con, boxes, n, take_beside, l, e);
	if (rc == OK && l->n > 0)
		cut(l);
	return rc;
}

/* ---- both --------------------------------------------------------------------------- */

static enum errcode fetch(const struct listing *l, struct aircon *con, struct arena *a,
    struct airport_list *out, struct err *e)
{
	int64_t *rows = arena_array(l->work, l->n + 1, sizeof(*rows));
	struct airport *airports = arena_array(l->work, l->n + 1, sizeof(*airports));

	for (size_t i = 0; i < l->n; i++)
		rows[i] = l->list[i].row;
	const enum errcode rc = airdb_by_rows(con, a, rows, l->n, airports, e);
	if (rc != OK)
		return rc;
	*out = (struct airport_list){ .n = l->n, .nearby = l->nearby };
	out->hits = arena_array(a, l->n + 1, sizeof(*out->hits));
	for (size_t i = 0; i < l->n; i++)
		out->hits[i] = (struct airport_list_hit){ airports[i], l->list[i].segment,
			l->list[i].enroute, l->list[i].along, l->list[i].leg };
	return OK;
}

static enum errcode list(struct aircon *con, struct arena *a, const struct airport_list_query *q,
    enum errcode (*visit)(struct listing *, struct aircon *, struct err *), struct airport_list *out,
    struct err *e)
{
	struct arena *work = arena_new();
	struct listing l = { .q = q, .work = work, .all_idents = aircon_all_idents(con) };
	const struct filter_env env = { .con = con, .mem = work, .facts = q->facts };
	enum errcode rc = filter_set_init(&l.filters, env, q->filters, q->include_large, e);

	if (rc == OK)
		rc = visit(&l, con, e);
	if (rc == OK)
		rc = fetch(&l, con, a, out, e);
	arena_free(work);
	return rc;
}

enum errcode airport_list_box(struct aircon *con, struct arena *a, const struct airport_list_query *q,
    struct airport_list *out, struct err *e)
{
	return list(con, a, q, visit_box, out, e);
}

enum errcode airport_list_route(struct aircon *con, struct arena *a, const struct airport_list_query *q,
    struct airport_list *out, struct err *e)
{
	return list(con, a, q, visit_route, out, e);
}
