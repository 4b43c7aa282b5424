/*
 * Airport search: which candidates each kind of search visits, and which of those found are shown.
 *
 * A search looks at each candidate once (search_candidates.h), and loads names only for the few
 * that are shown. So its cost is that of one look at each candidate, whether 5 or 5,000 of them
 * fit.
 */
#include "airports/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "airports/aircon.h"
#include "airports/airindex.h"
#include "airports/areas.h"
#include "airports/friendliness.h"
#include "airports/import.h"
#include "airports/search_candidates.h"
#include "airports/search_text.h"
#include "base/str.h"

/* Length of a route's pieces: longer ones visit more airports beside the route, shorter ones cost
 * more look-ups. */
static const double PIECE_NM = 150;

/* ---- candidates ---------------------------------------------------------------- */

static struct airbox box_around(struct point at, double nm)
{
	struct geo_box b = geo_circle_box(at, nm);

	return (struct airbox){ b.south, b.north, b.west, b.east };
}

static enum errcode search_near(struct airport_search *s, struct aircon *con, struct err *e)
{
	struct airbox box = box_around(s->q->from, s->q->radius_nm);

	return airindex_boxes(con, &box, 1, search_visit, s, e);
}

/*
 * The great circle is cut into pieces, and each piece lies within a circle around its middle. Boxes
 * of such circles need no special care near a pole, and a diagonal route visits only its corridor
 * instead of a continent.
 */
static enum errcode search_route(struct airport_search *s, struct aircon *con, struct err *e)
{
	double piece = fmax(s->q->radius_nm, PIECE_NM);
	size_t n = (size_t)fmax(1, ceil(s->leg.nm / piece));
	struct airbox *boxes = arena_array(s->work, n, sizeof(*boxes));

	piece = s->leg.nm / (double)n;
	for (size_t i = 0; i < n; i++) {
		struct point middle = geo_destination(s->leg.a, s->leg.bearing,
		    ((double)i + 0.5) * piece);
		boxes[i] = box_around(middle, s->q->radius_nm + piece / 2 + 0.1);
	}
	return airindex_boxes(con, boxes, n, search_visit, s, e);
}

static enum errcode search_codes(struct airport_search *s, struct aircon *con, struct err *e)
{
	int64_t *seen = arena_array(s->work, s->q->ncodes, sizeof(*seen));
	size_t n = 0;

	for (size_t i = 0; i < s->q->ncodes; i++) {
		struct airport a;
		bool found;
		enum errcode rc = airdb_by_code(con, s->work, s->q->codes[i], &a, &found, e);

		if (rc != OK)
			return rc;
		for (size_t k = 0; k < n && found; k++)
			found = seen[k] != a.row;
		if (!found)
			continue;
		seen[n++] = a.row;
		search_consider(s, &a);
	}
	return OK;
}

/* ---- the whole ---------------------------------------------------------------------- */

static enum errcode visit_candidates(struct airport_search *s, struct aircon *con, struct err *e)
{
	switch (s->q->kind) {
	case SEARCH_TEXT:
		return search_text(s, con, e);
	case SEARCH_CODES:
		return search_codes(s, con, e);
	case SEARCH_COUNTRY:
		return airindex_country(con, s->q->country, search_visit, s, e);
	case SEARCH_NEAR:
		return search_near(s, con, e);
	case SEARCH_ROUTE:
		return search_route(s, con, e);
	case SEARCH_AREA:
		return area_visit(con, s->q->area, search_visit, s, e);
	}
	return OK;
}

static const char *const *names_of(const struct airport_search *s, unsigned unknown)
{
	const char **names = arena_array(s->mem, FILTERS_MAX + 1, sizeof(*names));
	size_t n = 0;

	for (size_t i = 0; i < s->filters.n; i++)
		if (unknown & 1U << i)
			names[n++] = s->filters.arg[i].filter->name;
	return names;
}

static void fill_hit(const struct airport_search *s, const struct search_found *f,
    const struct airport *a, struct airport_hit *hit)
{
	hit->a = *a;
	if (f->unknown != 0)
		hit->unrecorded = names_of(s, f->unknown);
	hit->friendly = friendly_brief(s->mem, fact_find(s->facts, FACTS_FRIENDLINESS, a->ident),
	    s->q->persona, s->mtow_kg);
	if (s->q->kind == SEARCH_NEAR || s->q->kind == SEARCH_AREA)
		hit->distance_nm = f->distance;
	if (s->q->kind != SEARCH_ROUTE)
		return;
	hit->segment_nm = f->segment;
	hit->enroute_nm = f->distance;
	hit->along_nm = num_round(geo_leg_place(&s->leg, (struct point){ a->lat, a->lon }).along, 2);
}

static size_t least(size_t x, size_t y)
{
	return x < y ? x : y;
}

/* How many lists of this length have been shown before. */
static size_t pages_before(const struct airport_query *q)
{
	enum { MOST = 20 };
	return q->max > 0 ? least(q->skip / q->max, MOST) : 0;
}

static enum errcode fetch_oversized(struct airport_search *s, struct aircon *con, struct err *e)
{
	const size_t n = s->q->skip == 0 ? s->oversized.n : 0;
	struct search_found *found = s->oversized.heap;
	int64_t *rows = arena_array(s->work, n + 1, sizeof(*rows));

	qsort(found, s->oversized.n, sizeof(*found), search_found_cmp);
	for (size_t i = 0; i < n; i++)
		rows[i] = found[i].key.row;
	s->out->oversized = arena_array(s->mem, n + 1, sizeof(*s->out->oversized));
	s->out->noversized = n;
	return airdb_by_rows(con, s->mem, rows, n, s->out->oversized, e);
}

/* Load the names and places of the airports that are shown, for both lists at once. */
static enum errcode fetch(struct airport_search *s, struct aircon *con, struct err *e)
{
	struct airport_hits *out = s->out;
	const size_t skipped = least(s->q->skip, s->fit.n);
	const size_t skipped_maybe = least(UNRECORDED_MAX * pages_before(s->q), s->maybe.n);
	size_t n = s->fit.n + s->maybe.n;
	struct search_found *all = arena_array(s->work, n, sizeof(*all));
	struct airport *airports = arena_array(s->work, n + 1, sizeof(*airports));
	int64_t *rows = arena_array(s->work, n, sizeof(*rows));
	enum errcode rc;

	memcpy(all, s->fit.heap, s->fit.n * sizeof(*all));
	memcpy(all + s->fit.n, s->maybe.heap, s->maybe.n * sizeof(*all));
	qsort(all, s->fit.n, sizeof(*all), search_found_cmp);
	qsort(all + s->fit.n, s->maybe.n, sizeof(*all), search_found_cmp);
	memmove(all, all + skipped, (s->fit.n - skipped) * sizeof(*all));
	memmove(all + s->fit.n - skipped, all + s->fit.n + skipped_maybe, (s->maybe.n - skipped_maybe) * sizeof(*all));
	n -= skipped + skipped_maybe;
	for (size_t i = 0; i < n; i++)
		rows[i] = all[i].key.row;
	rc = airdb_by_rows(con, s->mem, rows, n, airports, e);
	if (rc != OK)
		return rc;
	out->n = s->fit.n - skipped;
	out->nmaybe = s->maybe.n - skipped_maybe;
	out->hits = arena_array(s->mem, n, sizeof(*out->hits));
	out->maybe = out->hits + out->n;
	for (size_t i = 0; i < n; i++)
		fill_hit(s, &all[i], &airports[i], &out->hits[i]);
	rc = fetch_oversized(s, con, e);
	if (rc != OK)
		return rc;
	bool nearer = s->large.key.row == 0 || skipped > 0;
	for (size_t i = 0; i < out->n; i++)
		nearer |= out->hits[i].distance_nm <= s->large.distance;
	if (nearer)
		return OK;
	rc = airdb_by_rows(con, s->mem, &s->large.key.row, 1, airports, e);
	if (rc == OK)
		fill_hit(s, &s->large, airports, &out->large);
	return rc;
}

static enum errcode search(struct aircon *con, struct arena *a, struct arena *work,
    const struct airport_query *q, const struct fact_view *view, struct airport_hits *out,
    struct err *e)
{
	struct airport_search s = {
		.q = q, .mem = a, .work = work, .all_idents = aircon_all_idents(con),
		.fit.max = q->max + q->skip, .maybe.max = UNRECORDED_MAX * (1 + pages_before(q)), .out = out,
		.facts = view, .mtow_kg = filter_aircraft_kg(q->filters),
	};
	bool large = q->include_large || q->kind == SEARCH_CODES;
	struct airdb_facts facts;
	enum errcode rc = airdb_facts(con, a, &facts, e);

	if (rc != OK)
		return rc;
	s.bare = facts.with_procedures == 0 && facts.entries == 0;
	/* around a point and along a route distance orders airports with equal scores */
	s.blind = s.bare && q->kind != SEARCH_NEAR && q->kind != SEARCH_ROUTE;

	*out = (struct airport_hits){ .known = facts.airports, .sample_facts = facts.provenance != NULL &&
		strstr(facts.provenance, FACTS_PROVENANCE) != NULL };
	s.fit.heap = arena_array(work, s.fit.max, sizeof(*s.fit.heap));
	s.maybe.heap = arena_array(work, s.maybe.max, sizeof(*s.maybe.heap));
	s.oversized.max = OVERSIZED_MAX;
	s.oversized.heap = arena_array(work, s.oversized.max, sizeof(*s.oversized.heap));
	rc = filter_set_init(&s.filters, (struct filter_env){ .con = con, .mem = a, .facts = view },
	    q->filters, large, e);
	s.pardoned = s.filters;
	if (!large)
		s.pardoned.arg[0].flag = false;
	if (rc == OK && q->kind == SEARCH_ROUTE)
		geo_leg_init(&s.leg, q->from, q->to);
	if (rc == OK)
		rc = visit_candidates(&s, con, e);
	return rc == OK ? fetch(&s, con, e) : rc;
}

enum errcode airport_search(struct aircon *con, struct arena *a, const struct airport_query *q,
    struct airport_hits *out, struct err *e)
{
	struct arena *work = arena_new();
	struct fact_view view;
	enum errcode rc;

	fact_view_take(&view, q->sources);
	rc = search(con, a, work, q, &view, out, e);
	fact_view_put(&view);
	arena_free(work);
	return rc;
}
