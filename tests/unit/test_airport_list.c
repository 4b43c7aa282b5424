/*
 * Lists for a map: order, pages, boxes, routes of several legs, and, against every airport tested one
 * by one, that none is left out.
 */
#include "airports/airport_list.h"

#include <math.h>

#include "airports/airindex.h"
#include "airports/search.h"
#include "base/jsn.h"
#include "base/str.h"
#include "tests/unit/airports_fixture.h"

static struct json_object *parse(struct arena *a, const char *text)
{
	struct json_object *o = NULL;
	struct err e;

	if (text != NULL)
		TEST_OK(jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

static const char *idents(struct arena *a, const struct airport_list *list)
{
	const char *text = "";

	for (size_t i = 0; i < list->n; i++)
		text = arena_printf(a, "%s%s%s", text, i > 0 ? " " : "", list->hits[i].a.ident);
	return text;
}

#define EVERYWHERE { 0, 0, 0, 0 }

static const struct {
	struct geo_box box;           /* all 0: everywhere */
	const char *filters;
	bool small;                   /* without large airports */
	size_t skip, max;             /* max 0: any number */
	const char *want;
} boxes[] = {
	{ EVERYWHERE, NULL, false, 0, 0,
	  "LFLL LSZH LFBP LFLY LFHI LFHJ LSZK LF52 NFNM NFVB NZSP AQ01 VYPA KJSY" },
	{ EVERYWHERE, NULL, false, 0, 3, "LFLL LSZH LFBP" },
	{ EVERYWHERE, NULL, false, 2, 2, "LFBP LFLY" },
	{ EVERYWHERE, NULL, false, 13, 5, "KJSY" },
	{ EVERYWHERE, NULL, false, 14, 5, "" },
	{ EVERYWHERE, NULL, true, 0, 2, "LFBP LFLY" },
	{ { 45, 46, 4, 6 }, NULL, false, 0, 0, "LFLL LFLY LFHI LFHJ LF52" },
	{ { 45, 46, 4, 6 }, NULL, false, 1, 2, "LFLY LFHI" },
	{ { 45, 46, 4, 6 }, NULL, false, 9, 2, "" },
	{ { -20, -10, 179, -179 }, NULL, false, 0, 0, "NFNM NFVB" },
	{ { -20, -10, 179, 180 }, NULL, false, 0, 0, "NFVB" },
	{ { -20, -10, -179, 179 }, NULL, false, 0, 0, "" },
	{ { -90, -80, -180, 180 }, NULL, false, 0, 0, "NZSP AQ01" },
	{ EVERYWHERE, "{\"country\":\"fr\"}", false, 0, 0, "LFLL LFBP LFLY LFHI LFHJ LF52" },
	{ EVERYWHERE, "{\"has_avgas\":true}", false, 0, 0, "LFBP LFLY" },
	{ EVERYWHERE, "{\"has_jet_a\":true,\"point_of_entry\":true}", false, 0, 0, "LFLL LFLY" },
	{ EVERYWHERE, "{\"min_runway_length_ft\":2300,\"max_runway_length_ft\":2700}", false, 0, 0, "LFHI LFHJ" },
	{ EVERYWHERE, "{\"has_hard_runway\":false}", false, 0, 0, "LFHI LFHJ LSZK" },
	{ EVERYWHERE, "{\"hotel\":\"at_airport\"}", false, 0, 0, "" },
	/* what the AIP says */
	{ EVERYWHERE, "{\"aip_field\":\"Fuel and oil types\",\"aip_value\":\"avgas\"}", false, 0, 0, "LFLL LFLY" },
	{ EVERYWHERE, "{\"aip_field\":\"fuel\",\"aip_value\":\"100 ll\",\"aip_operator\":\"equals\"}", false, 0, 0,
	  "LFBP" },
	{ EVERYWHERE, "{\"aip_field\":\"402\",\"aip_value\":\"jet\",\"aip_operator\":\"starts_with\"}", false, 0, 0,
	  "LFLL" },
	{ EVERYWHERE, "{\"aip_field\":\"402\",\"aip_value\":\"a-1\",\"aip_operator\":\"ends_with\"}", false, 0, 0,
	  "LFLY" },
	{ EVERYWHERE, "{\"aip_field\":\"Customs\",\"aip_operator\":\"not_empty\"}", false, 0, 0, "LFLY" },
	{ EVERYWHERE, "{\"aip_field\":\"Blank\",\"aip_operator\":\"not_empty\"}", false, 0, 0, "" },
	{ EVERYWHERE, "{\"aip_field\":\"Hotels\",\"aip_value\":\"x\"}", false, 0, 0, "" },
	{ EVERYWHERE, "{\"aip_field\":\"Hotels\",\"country\":\"CH\"}", false, 0, 0, "LSZH LSZK" },   /* no value: no filter */
};

TEST(airport_list, boxes)
{
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		const struct geo_box *b = &boxes[i].box;
		const bool world = b->south == 0 && b->north == 0;
		const struct airport_list_query q = { .filters = parse(f.mem, boxes[i].filters),
			.include_large = !boxes[i].small, .box = world ? NULL : b, .skip = boxes[i].skip,
			.max = boxes[i].max > 0 ? boxes[i].max : 100 };
		struct airport_list list;
		TEST_OK(airport_list_box(f.con, f.mem, &q, &list, &e), e);
		cr_expect_str_eq(idents(f.mem, &list), boxes[i].want, "row %zu: %s", i, idents(f.mem, &list));
	}
	airfix_close(&f);
}

TEST(airport_list, what_an_airport_has)
{
	struct airport_list list;
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	TEST_OK(airport_list_box(f.con, f.mem, &(struct airport_list_query){ .include_large = true, .max = 4 },
	    &list, &e), e);
	const struct airport *a = &list.hits[3].a;
	cr_expect_str_eq(a->ident, "LFLY");
	cr_expect_str_eq(a->name, "Lyon-Bron Airport");
	cr_expect_eq(a->nrunways, 2, "%d", a->nrunways);
	cr_expect_eq(a->nprocedures, 2, "%d", a->nprocedures);
	cr_expect_eq(a->nentries, 4, "%d", a->nentries);
	airfix_close(&f);
}

/* ---- routes --------------------------------------------------------------------- */

/* The nearest of all legs, one by one. */
static bool nearest(const struct airport *a, const struct point *p, size_t n, double radius,
    struct airport_list_hit *hit)
{
	double before = 0, best = 1e9;

	for (size_t i = 0; i + 1 < (n > 1 ? n : 2); i++) {
		struct geo_leg leg;
		geo_leg_init(&leg, p[i], p[n > 1 ? i + 1 : i]);
		const struct geo_place at = geo_leg_place(&leg, (struct point){ a->lat, a->lon });
		if (at.segment <= radius && at.segment < best - 1e-6) {
			best = at.segment;
			hit->segment_nm = num_round(at.segment, 2);
			hit->enroute_nm = n == 1 ? 0 : num_round(before + at.start, 2);
			hit->along_nm = n == 1 ? 0 : num_round(before + at.along, 2);
			hit->leg = i;
		}
		before += leg.nm;
	}
	return best < 1e9;
}

struct brute {
	const struct point *points;
	size_t n;
	double radius;
	const struct geo_box *box;
	struct airport_list_hit *hits;
	size_t found;
};

static bool brute_visit(void *arg, const struct airport *a)
{
	struct brute *b = arg;
	struct airport_list_hit hit = { .a = *a };

	if (!(a->flags & AF_ICAO4) || a->type == TYPE_HELIPORT || a->type == TYPE_BALLOON ||
	    a->type == TYPE_CLOSED || isnan(a->lat))
		return true;
	if (b->box != NULL ? airport_in_box(b->box, a->lat, a->lon) :
	    nearest(a, b->points, b->n, b->radius, &hit)) {
		b->hits[b->found++] = hit;
	}
	return true;
}

static int by_segment(const void *x, const void *y)
{
	const struct airport_list_hit *a = x, *b = y;
	return a->segment_nm != b->segment_nm ? (a->segment_nm < b->segment_nm ? -1 : 1) :
	    (a->a.row > b->a.row) - (a->a.row < b->a.row);
}

static int by_length(const void *x, const void *y)
{
	const struct airport_list_hit *a = x, *b = y;
	const double p = isnan(a->a.longest_ft) ? -1 : a->a.longest_ft;
	const double q = isnan(b->a.longest_ft) ? -1 : b->a.longest_ft;
	return p != q ? (p > q ? -1 : 1) : (a->a.row > b->a.row) - (a->a.row < b->a.row);
}

static void compare(struct airfix *f, struct brute *b, const struct airport_list_query *q)
{
	struct airport_list list;
	struct err e;

	b->found = 0;
	TEST_OK(airindex_all(f->con, brute_visit, b, &e), e);
	qsort(b->hits, b->found, sizeof(*b->hits), b->box != NULL ? by_length : by_segment);
	TEST_OK((b->box != NULL ? airport_list_box : airport_list_route)(f->con, f->mem, q, &list, &e), e);
	cr_assert_eq(list.n, b->found, "%zu, not %zu", list.n, b->found);
	for (size_t i = 0; i < list.n; i++) {
		cr_assert_eq(list.hits[i].a.row, b->hits[i].a.row, "%zu: %s", i, list.hits[i].a.ident);
		cr_assert_eq(list.hits[i].segment_nm, b->hits[i].segment_nm, "%s", list.hits[i].a.ident);
		cr_assert_eq(list.hits[i].enroute_nm, b->hits[i].enroute_nm, "%s", list.hits[i].a.ident);
		cr_assert_eq(list.hits[i].along_nm, b->hits[i].along_nm, "%s", list.hits[i].a.ident);
		cr_assert_eq(list.hits[i].leg, b->hits[i].leg, "%s", list.hits[i].a.ident);
	}
	if (b->box == NULL)
		cr_assert_eq(list.nearby, b->found);
}

TEST(airport_list, all_of_them)
{
	static const struct point trip[] = { { 51.348, -0.559 }, { 49.1, 2.04 }, { 43.548, 6.955 },
		{ 47.46, 8.55 }, { 51.348, -0.559 } };
	static const struct geo_box areas[] = { { 43, 44, 6, 8 }, { 40, 60, -10, 20 }, { -90, 90, -180, 180 },
		{ 30, 50, 10, 35 }, { 35, 70, 170, -10 }, { 51, 52, -1, 1 } };
	const char *path = test_data("euro_aip/airports.db");
	struct airfix f;

	if (path == NULL)
		test_skip("no euro_aip/airports.db in the data set");
	airfix_open(&f, path, false);
	struct brute b = { .points = trip, .hits = arena_array(f.mem, 10000, sizeof(*b.hits)) };
	struct airport_list_query q = { .points = trip, .include_large = true, .max = 10000,
		.enroute_max_nm = NAN };
	for (q.npoints = 1; q.npoints <= 5; q.npoints++) {
		b.n = q.npoints;
		q.radius_nm = b.radius = 20 * (double)q.npoints;
		compare(&f, &b, &q);
	}
	for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++) {
		q.box = b.box = &areas[i];
		compare(&f, &b, &q);
	}
	airfix_close(&f);
}

/* ---- the same airports as a search --------------------------------------------------- */

static int by_row(const void *x, const void *y)
{
	const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
	return (a > b) - (a < b);
}

static void same_airports(struct airfix *f, const struct airport_query *sought, const struct airport_list_query *listed,
    bool route, const char *what)
{
	struct airport_hits hits;
	struct airport_list list;
	struct err e;

	TEST_OK(airport_search(f->con, f->mem, sought, &hits, &e), e);
	TEST_OK((route ? airport_list_route : airport_list_box)(f->con, f->mem, listed, &list, &e), e);
	cr_assert_eq(list.n, hits.n, "%s: %zu, not %zu", what, list.n, hits.n);
	int64_t *a = arena_array(f->mem, list.n + 1, sizeof(*a)), *b = arena_array(f->mem, list.n + 1, sizeof(*b));
	for (size_t i = 0; i < list.n; i++) {
		a[i] = list.hits[i].a.row;
		b[i] = hits.hits[i].a.row;
	}
	qsort(a, list.n, sizeof(*a), by_row);
	qsort(b, list.n, sizeof(*b), by_row);
	cr_assert_eq(memcmp(a, b, list.n * sizeof(*a)), 0, "%s", what);
	if (route && list.n > 0)
		cr_assert_eq(list.nearby, hits.candidates, "%s", what);
}

TEST(airport_list, the_same_airports_as_a_search)
{
	static const char *const conditions[] = { NULL, "{\"has_avgas\":true}", "{\"has_jet_a\":false}",
		"{\"has_hard_runway\":true,\"min_runway_length_ft\":3000}", "{\"max_runway_length_ft\":2000}",
		"{\"point_of_entry\":true}", "{\"has_procedures\":true,\"has_aip_data\":true}",
		"{\"max_landing_fee\":20}", "{\"hotel\":\"any\"}", "{\"max_hours_notice\":24}" };
	static const char *const countries[] = { "FR", "DE", "CH", "MT", "XX" };
	static const struct point ways[][2] = { { { 51.348, -0.559 }, { 43.548, 6.955 } },
		{ { 60.3, 5.2 }, { 36.7, -4.5 } }, { { 45.7, 4.9 }, { 45.7, 4.9 } } };
	const char *path = test_data("euro_aip/airports.db");
	struct airfix f;

	if (path == NULL)
		test_skip("no euro_aip/airports.db in the data set");
	airfix_open(&f, path, false);
	for (size_t c = 0; c < 2 * sizeof(conditions) / sizeof(conditions[0]); c++) {
		const char *condition = conditions[c / 2];
		struct json_object *wanted = jsn_object(f.mem);
		const bool large = c % 2 == 1;

		JSN_EACH(parse(f.mem, condition), it)
			jsn_add(wanted, it.key, jsn_ref(it.val));
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
			same_airports(&f, &(struct airport_query){ .kind = SEARCH_ROUTE, .from = ways[i][0],
			    .to = ways[i][1], .radius_nm = 40, .filters = wanted, .include_large = large, .max = 10000 },
			    &(struct airport_list_query){ .points = ways[i], .npoints = 2, .radius_nm = 40,
			    .filters = wanted, .include_large = large, .max = 10000, .enroute_max_nm = NAN },
			    true, condition);
		for (size_t i = 0; i < sizeof(countries) / sizeof(countries[0]); i++) {
			jsn_add_str(wanted, "country", countries[i]);
			same_airports(&f, &(struct airport_query){ .kind = SEARCH_COUNTRY, .country = countries[i],
			    .filters = wanted, .include_large = large, .max = 10000 },
			    &(struct airport_list_query){ .filters = wanted, .include_large = large, .max = 10000 },
			    false, condition);
		}
	}
	airfix_close(&f);
}

/* One point, cuts, and filters. */
TEST(airport_list, routes)
{
	static const struct point bron = { 45.7294, 4.9389 };
	static const struct {
		const char *filters;
		double radius, most;
		size_t max;
		const char *want;
		size_t nearby;
	} rows[] = {
		{ NULL, 7, 1000, 100, "LFLY LFHJ LFLL LF52", 4 },
		{ NULL, 7, 1000, 2, "LFLY LFHJ", 4 },
		{ "{\"has_hard_runway\":true}", 7, 1000, 100, "LFLY LFLL", 4 },
		{ NULL, 5, 1000, 100, "LFLY LFHJ", 2 },
	};
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct airport_list_query q = { .include_large = true, .points = &bron, .npoints = 1,
			.filters = parse(f.mem, rows[i].filters), .radius_nm = rows[i].radius,
			.max = rows[i].max, .enroute_max_nm = rows[i].most };
		struct airport_list list;
		TEST_OK(airport_list_route(f.con, f.mem, &q, &list, &e), e);
		cr_expect_str_eq(idents(f.mem, &list), rows[i].want, "row %zu: %s", i, idents(f.mem, &list));
		cr_expect_eq(list.nearby, rows[i].nearby, "row %zu: %zu", i, list.nearby);
		cr_expect_eq(list.hits[0].segment_nm, 0);
		cr_expect_eq(list.hits[1].enroute_nm, 0, "from one point there is no way");
	}
	/* out and back: the second leg is never nearer, and a limit to the way cuts the far end off */
	const struct point trip[] = { bron, { 47.4581, 8.5481 }, bron };
	struct airport_list_query q = { .include_large = true, .points = trip, .npoints = 3,
		.radius_nm = 30, .max = 100, .enroute_max_nm = 50 };
	struct airport_list list;
	TEST_OK(airport_list_route(f.con, f.mem, &q, &list, &e), e);
	cr_expect_str_eq(idents(f.mem, &list), "LFLY LFLL LFHJ LF52 LFHI", "%s", idents(f.mem, &list));
	for (size_t i = 0; i < list.n; i++)
		cr_expect_eq(list.hits[i].leg, 0);
	cr_expect_eq(list.nearby, 7, "%zu", list.nearby);
	airfix_close(&f);
}
