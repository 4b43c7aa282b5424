/*
 * Search: what each kind finds and in which order, and, against every airport of the database
 * tested one by one, that the index hides none of them.
 */
#include "airports/search.h"

#include <math.h>

#include "airports/airindex.h"
#include "airports/countries.h"
#include "airports/friendliness.h"
#include "airports/priority.h"
#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/airports_fixture.h"

static struct json_object *parse(struct arena *a, const char *text)
{
	struct json_object *o = NULL;
	struct err e;

	if (text == NULL)
		return NULL;
	TEST_OK(jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

static const char *idents(struct arena *a, const struct airport_hits *hits)
{
	const char *text = "";

	for (size_t i = 0; i < hits->n; i++)
		text = arena_printf(a, "%s%s%s", text, i > 0 ? " " : "", hits->hits[i].a.ident);
	return text;
}

/* ---- by text, country, code --------------------------------------------------- */

static const struct text_row {
	const char *text, *filters;
	int large;
	const char *want;
	size_t total;
} texts[] = {
	{ "Lyon", NULL, 0, "LFLY LFHJ", 2 },
	{ "Lyon", NULL, 1, "LFLY LFLL LFHJ", 3 },
	{ "  lyon\t", NULL, 0, "LFLY LFHJ", 2 },
	{ "lyo", NULL, 0, "LFLY LFHJ", 2 },
	{ "Lyon Bron", NULL, 0, "LFLY", 1 },
	{ "bron, LYON", NULL, 0, "LFLY", 1 },
	{ "Lyon-Bron", NULL, 0, "LFLY", 1 },
	{ "Lyon   Saint", NULL, 1, "LFLL", 1 },
	{ "saint exupery lyon", NULL, 1, "LFLL", 1 },
	{ "Lyon Zurich", NULL, 1, "", 0 },
	/* what is not part of the name */
	{ "Lyon airport", NULL, 0, "LFLY LFHJ", 2 },
	{ "the airport of Lyon", NULL, 0, "LFLY LFHJ", 2 },
	{ "Lyon, France", NULL, 0, "LFLY LFHJ", 2 },
	{ "Lyon (France)", NULL, 0, "LFLY LFHJ", 2 },
	{ "Lyon (Switzerland)", NULL, 1, "", 0 },
	{ "Bron Lyon France", NULL, 0, "LFLY", 1 },
	{ "airport", NULL, 0, "LFLY LFBP NFNM NFVB VYPA", 5 },
	{ "Lyon", "{\"has_avgas\":true}", 1, "LFLY", 1 },
	{ "Lyon", "{\"has_avgas\":false}", 1, "LFLL", 1 },
	{ "Lyon", "{\"has_hard_runway\":true}", 1, "LFLY LFLL", 2 },     /* LFHJ's is closed */
	{ "zurich", NULL, 0, "LSZK", 1 },
	{ "ZÜRICH", NULL, 0, "LSZK", 1 },
	/* a code typed alone finds its airport, however large */
	{ "LSZH", NULL, 0, "LSZH", 1 },
	{ "lszh", NULL, 0, "LSZH", 1 },
	{ "ZRH", NULL, 0, "LSZH", 1 },
	{ "ZRH", "{\"country\":\"FR\"}", 0, "", 0 },
	{ "PAU", NULL, 0, "VYPA LFBP", 2 },
	{ "Pau", NULL, 0, "LFBP VYPA", 2 },
	{ "FR", NULL, 0, "LFLY LFBP LFHJ LFHI LF52", 5 },
	{ "zz", NULL, 0, "ZZZZ", 1 },
	/* neither closed nor for helicopters or balloons */
	{ "hospital", NULL, 1, "", 0 },
	{ "LFHP", NULL, 1, "", 0 },
	{ "old field", NULL, 1, "", 0 },
	{ "balloons", NULL, 1, "", 0 },
	{ "long ident", NULL, 1, "", 0 },
	{ "xyzzy", NULL, 1, "", 0 },
	{ "", NULL, 1, "", 0 },
	{ " \t ", NULL, 1, "", 0 },
	{ "...", NULL, 1, "", 0 },
	{ "a b c d e f g h i j k l m n o p", NULL, 1, "", 0 },
	{ "\"' OR 1=1; --", NULL, 1, "", 0 },
	{ "lyon\" NOT \"bron", NULL, 1, "", 0 },
	{ "%", NULL, 1, "", 0 },
};

TEST(search, text)
{
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct text_row *row = &texts[i];
		struct airport_query q = {
			.kind = SEARCH_TEXT, .text = row->text, .filters = parse(f.mem, row->filters),
			.include_large = row->large, .max = 20,
		};
		struct airport_hits hits;

		TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
		cr_expect_str_eq(idents(f.mem, &hits), row->want, "'%s' %s: %s", row->text,
		    row->filters ? row->filters : "", idents(f.mem, &hits));
		cr_expect_eq(hits.total, row->total, "'%s': %zu", row->text, hits.total);
		cr_expect_eq(hits.n, row->total, "'%s'", row->text);
	}
	airfix_close(&f);
}

TEST(search, every_ident_on_request)
{
	struct airport_query q = { .kind = SEARCH_TEXT, .text = "long ident", .max = 5 };
	struct airport_hits hits;
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, true);
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "FR-0042");
	airfix_close(&f);
}

TEST(search, country_and_codes)
{
	static const char *const codes[] = { "LFLL", "lfly", "LFLL", "QQQQ", "LFHP", "LFXX" };
	struct airport_query q = { .kind = SEARCH_COUNTRY, .country = "FR", .max = 2 };
	struct airport_hits hits;
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LFLY LFBP");
	cr_expect_eq(hits.total, 5);
	cr_expect_eq(hits.candidates, 6);
	cr_expect_eq(hits.report.n, 1);
	cr_expect_eq(hits.report.row[0].dropped, 1);
	q = (struct airport_query){ .kind = SEARCH_CODES, .codes = codes, .ncodes = 6, .max = 6 };
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LFLY LFLL");
	cr_expect_eq(hits.total, 2);
	q.max = 0;
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_eq(hits.n, 0);
	cr_expect_eq(hits.total, 2);
	airfix_close(&f);
}

TEST(search, wrong_filters_are_an_error)
{
	struct airport_query q = { .kind = SEARCH_TEXT, .text = "Lyon", .max = 5 };
	struct airport_hits hits;
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	q.filters = parse(f.mem, "{\"has_avgas\":\"false\"}");
	cr_expect_eq(airport_search(f.con, f.mem, &q, &hits, &e), ERR_INPUT);
	airfix_close(&f);
}

TEST(search, reports_what_is_not_known)
{
	struct airport_query q = { .kind = SEARCH_COUNTRY, .country = "FR", .max = 9,
		.include_large = true };
	struct airport_hits hits;
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	q.filters = parse(f.mem, "{\"has_avgas\":true,\"min_runway_length_ft\":8000}");
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LFBP");
	cr_expect_eq(hits.candidates, 6);
	cr_assert_eq(hits.report.n, 2);
	cr_expect_str_eq(hits.report.row[0].name, "has_avgas");
	cr_expect_eq(hits.report.row[0].dropped, 2);        /* LFLL has none, of LF52 nobody knows */
	cr_expect_eq(hits.report.row[0].unknown, 1);
	cr_expect_eq(hits.report.row[1].dropped, 3);        /* too short, whatever the fuel */
	cr_expect_eq(hits.report.row[1].unknown, 0);
	cr_assert_eq(hits.nmaybe, 1);
	cr_expect_str_eq(hits.maybe[0].a.ident, "LF52");
	cr_expect_str_eq(hits.maybe[0].unrecorded[0], "has_avgas");
	cr_expect_str_eq(hits.maybe[0].unrecorded[1], "min_runway_length_ft");
	cr_expect_null(hits.maybe[0].unrecorded[2]);
	cr_expect_null(hits.hits[0].unrecorded);
	airfix_close(&f);
}

/* The best ten airports that may fit, in the order of all searches, with their places. */
TEST(search, names_the_best_of_what_is_not_recorded)
{
	struct airport_query q = { .kind = SEARCH_NEAR, .from = { 45.7294, 4.9389 }, .radius_nm = 400,
		.max = 2 };
	struct airport_hits hits;
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	q.filters = parse(f.mem, "{\"has_avgas\":true}");
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LFLY LFBP");
	cr_expect_eq(hits.total, 2);
	struct airport_hits maybe = { .hits = hits.maybe, .n = hits.nmaybe };
	cr_expect_str_eq(idents(f.mem, &maybe), "LFHJ LF52 LFHI LSZK", "%s", idents(f.mem, &maybe));
	cr_expect_float_eq(hits.maybe[0].distance_nm, 4.63, 0.1);
	/* where nothing is recorded of any airport, the bigger one is the better guess */
	q.filters = parse(f.mem, "{\"restaurant\":\"any\"}");
	q.max = 1;
	q.radius_nm = 9000;
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_eq(hits.n, 0);
	cr_expect_eq(hits.nmaybe, UNRECORDED_MAX);
	cr_expect_str_eq(hits.maybe[0].a.ident, "LFLY");
	airfix_close(&f);
}

/* A source of friendliness with these records, in memory. */
static const void *take_these(void *self)
{
	return self;
}

static void put_these(void *self, const void *facts)
{
	(void)self;
	(void)facts;
}

static void find_these(const void *facts, const char *const *idents, size_t n, const void **records)
{
	for (size_t i = 0; i < n; i++) {
		const struct friendly *r = facts;
		while (r->icao != NULL && !streq(r->icao, idents[i]))
			r++;
		records[i] = r->icao != NULL ? r : NULL;
	}
}

#define NO_FEES .fee = { NAN, NAN, NAN, NAN, NAN, NAN }, .rating = NAN

/* In the original every airport without reviews came before every one with reviews, because its
 * score was 30 to 80 and the others' 0 to 1. */
TEST(search, a_persona_orders_airports_with_and_without_reviews_on_one_scale)
{
	static const double well[] = { 0.9, 0.2 }, badly[] = { 0.1, NAN };
	static const struct persona first = { .id = "a", .number = 0 }, second = { .id = "b", .number = 1 };
	struct friendly records[] = {
		{ .icao = "LFHJ", .score = well, .hotel = AMENITY_MISSING, .restaurant = AMENITY_AT_AIRPORT,
		  .reviews = 3, NO_FEES },
		{ .icao = "LFLY", .score = badly, .hotel = AMENITY_MISSING, .restaurant = AMENITY_MISSING,
		  NO_FEES },
		{ .icao = NULL },
	};
	const struct fact_source source = { take_these, put_these, find_these, records };
	const struct fact_sources sources = { { [FACTS_FRIENDLINESS] = &source } };
	/* LFLY, LFHJ and LF52 lie within 15 NM: one ring */
	struct airport_query q = { .kind = SEARCH_NEAR, .from = { 45.70, 4.88 }, .radius_nm = 12, .max = 9 };
	struct airport_hits hits;
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LFLY LFHJ LF52", "%s", idents(f.mem, &hits));
	cr_expect_null(hits.hits[0].friendly);
	q.sources = &sources;
	q.persona = &first;
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	/* 0.9, no reviews 0.3, 0.1 */
	cr_expect_str_eq(idents(f.mem, &hits), "LFHJ LF52 LFLY", "%s", idents(f.mem, &hits));
	cr_expect_str_eq(jsn_text(f.mem, hits.hits[0].friendly, JSN_PLAIN),
	    "{\"score\":0.9,\"review_count\":3,\"restaurant\":\"at_airport\"}");
	cr_expect_null(hits.hits[1].friendly);
	/* another persona, another order: no review of LFLY describes what this one looks for */
	q.persona = &second;
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LFLY LF52 LFHJ", "%s", idents(f.mem, &hits));
	/* where nothing has a position, those with reviews come first */
	q.kind = SEARCH_TEXT;
	q.text = "Lyon";
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LFHJ LFLY", "%s", idents(f.mem, &hits));
	airfix_close(&f);
}

TEST(search, the_lowest_fee_first_and_no_recorded_fee_last)
{
	static const double no_score[] = { NAN };
	struct friendly records[] = {
		{ .icao = "LFHJ", .score = no_score, .fee = { NAN, 20, NAN, NAN, NAN, NAN }, .rating = NAN, .currency = "EUR" },
		{ .icao = "LF52", .score = no_score, .fee = { NAN, 8, NAN, NAN, NAN, NAN }, .rating = NAN, .currency = "EUR" },
		{ .icao = NULL },
	};
	const struct fact_source source = { take_these, put_these, find_these, records };
	const struct fact_sources sources = { { [FACTS_FRIENDLINESS] = &source } };
	struct airport_query q = { .kind = SEARCH_NEAR, .from = { 45.70, 4.88 }, .radius_nm = 12, .max = 9,
		.sources = &sources, .order = ORDER_FEE };
	struct airport_hits hits;
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LF52 LFHJ LFLY", "%s", idents(f.mem, &hits));
	/* no exchange rates: another currency comes after the euro, however low the number is */
	records[1].currency = "CHF";
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LFHJ LF52 LFLY", "%s", idents(f.mem, &hits));
	/* an amount without a currency */
	records[1].currency = NULL;
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LFHJ LF52 LFLY", "%s", idents(f.mem, &hits));
	airfix_close(&f);
}

static bool put_last(const struct airport *a)
{
	return priority_late(a) || airport_use(a) == USE_MILITARY;
}

TEST(search, an_air_base_is_not_the_nearest)
{
	struct airport_query q = { .kind = SEARCH_NEAR, .radius_nm = 60, .max = 5, .order = ORDER_DISTANCE };
	struct airport_hits hits;
	struct airfix f;
	struct err e;
	const char *path = test_data("euro_aip/airports.db");

	if (path == NULL)
		test_skip("no data");
	airfix_open(&f, path, false);
	q.from = (struct point){ 49.757, 6.641 };      /* Trier, with Spangdahlem beside it */
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_assert_eq(hits.n, (size_t)5);
	for (size_t i = 0; i < hits.n; i++)
		cr_expect_neq(airport_use(&hits.hits[i].a), USE_MILITARY, "%s", hits.hits[i].a.ident);
	airfix_close(&f);
}

TEST(search, the_longest_runway_or_the_nearest_first_and_further_ones)
{
	struct airport_query q = { .kind = SEARCH_NEAR, .from = { 45.70, 4.88 }, .radius_nm = 400, .max = 100, .order = ORDER_RUNWAY };
	struct airport_hits all, part;
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	TEST_OK(airport_search(f.con, f.mem, &q, &all, &e), e);
	cr_assert_gt(all.n, (size_t)3);
	for (size_t i = 1; i < all.n; i++)
		cr_expect(put_last(&all.hits[i].a) || isnan(all.hits[i].a.longest_ft) ||
		    all.hits[i - 1].a.longest_ft >= all.hits[i].a.longest_ft, "%s", all.hits[i].a.ident);
	q.order = ORDER_DISTANCE;
	TEST_OK(airport_search(f.con, f.mem, &q, &all, &e), e);
	for (size_t i = 1; i < all.n; i++)
		cr_expect(put_last(&all.hits[i].a) || all.hits[i - 1].distance_nm <= all.hits[i].distance_nm, "%s",
		    all.hits[i].a.ident);
	/* page by page they are the same */
	q.max = 2;
	for (q.skip = 0; q.skip < all.n + q.max; q.skip += q.max) {
		TEST_OK(airport_search(f.con, f.mem, &q, &part, &e), e);
		cr_expect_eq(part.total, all.total);
		cr_expect_eq(part.n, all.n <= q.skip ? 0 : all.n - q.skip < 2 ? all.n - q.skip : 2, "%zu after %zu", part.n, q.skip);
		for (size_t i = 0; i < part.n; i++)
			cr_expect_str_eq(part.hits[i].a.ident, all.hits[q.skip + i].a.ident);
	}
	airfix_close(&f);
}

TEST(search, what_may_fit_is_shown_once)
{
	struct err e;
	struct airport_query q = { .kind = SEARCH_NEAR, .from = { 45.7294, 4.9389 }, .radius_nm = 400, .max = 1 };
	struct airport_hits hits;
	struct airfix f;

	airfix_open(&f, NULL, false);
	q.filters = jsn_object(f.mem);
	jsn_add_num(q.filters, "max_hours_notice", 2);
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect(hits.nmaybe > 0 && hits.nmaybe < UNRECORDED_MAX, "%zu", hits.nmaybe);
	q.skip = 1;
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_eq(hits.nmaybe, (size_t)0, "%zu", hits.nmaybe);
	airfix_close(&f);
}

/* A pilot who is told to call somebody is told of civil airfields first. */
TEST(search, what_may_fit_is_civil_first)
{
	struct airport_query q = { .kind = SEARCH_NEAR, .from = { 45.7294, 4.9389 }, .radius_nm = 400,
		.max = 2 };
	struct airport_hits hits;
	struct airfix f;
	struct err e;

	airfix_start(&f, NULL, "UPDATE airports SET name = 'Corbas Air Base' WHERE icao_code = 'LFHJ'",
	    false);
	q.filters = parse(f.mem, "{\"has_avgas\":true}");
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	struct airport_hits maybe = { .hits = hits.maybe, .n = hits.nmaybe };
	cr_expect_str_eq(idents(f.mem, &maybe), "LF52 LFHI LSZK LFHJ", "%s", idents(f.mem, &maybe));
	airfix_close(&f);
}

TEST(search, public_data_knows_neither_procedures_nor_entries)
{
	struct airport_query q = { .kind = SEARCH_COUNTRY, .country = "FR", .max = 9,
		.include_large = true };
	struct airport_hits hits;
	struct airfix f;
	struct err e;

	airfix_open_bare(&f);
	/* size stands in for what is not known */
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LFLY LFLL LFBP LFHJ LFHI LF52", "%s",
	    idents(f.mem, &hits));
	for (int i = 0; i < 2; i++) {
		q.filters = parse(f.mem, i == 0 ? "{\"has_procedures\":true}"
		    : "{\"point_of_entry\":true}");
		TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
		cr_expect_eq(hits.total, 0);
		cr_expect_eq(hits.report.row[0].dropped, 6);
		cr_expect_eq(hits.report.row[0].unknown, 6);
	}
	airfix_close(&f);
}

/* A sample of points of entry is no list: the other airports may be points of entry as well. */
TEST(search, sample_facts_say_nothing_of_other_airports)
{
	struct airport_query q = { .kind = SEARCH_COUNTRY, .country = "FR", .max = 9,
		.include_large = true };
	struct airport_hits hits;
	struct airfix f;
	struct err e;

	airfix_start(&f, NULL, "DELETE FROM border_crossing_points; INSERT INTO border_crossing_points"
	    "(icao_code, country_iso, airport_name, source) VALUES('LFHJ', 'FR', 'x', 'sample of 2026-11-22')",
	    false);
	q.filters = parse(f.mem, "{\"point_of_entry\":true}");
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits), "LFHJ", "%s", idents(f.mem, &hits));
	cr_expect_eq(hits.report.row[0].unknown, hits.report.row[0].dropped);
	cr_expect_gt(hits.report.row[0].unknown, 0);
	airfix_close(&f);
}

/* ---- by place ----------------------------------------------------------------- */

static const struct {
	struct point at;
	double nm;
	const char *want;
} spots[] = {
	{ { 45.7294, 4.9389 }, 10, "LFLY LFHJ LF52" },
	{ { 45.7294, 4.9389 }, 0.1, "LFLY" },
	{ { -16.7, 180 }, 30, "NFVB NFNM" },
	{ { -16.7, -179.95 }, 30, "NFNM NFVB" },
	/* a skiway comes after an ordinary airfield, however near it is */
	{ { -89.99, 77 }, 60, "AQ01 NZSP" },
	{ { -89.7, -30 }, 50, "AQ01 NZSP" },
	/* unless it is the place that was asked for */
	{ { -90, 0 }, 60, "NZSP AQ01" },
	{ { 0, 0 }, 100, "" },
};

TEST(search, near)
{
	struct airfix f;
	struct err e;

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(spots) / sizeof(spots[0]); i++) {
		struct airport_query q = { .kind = SEARCH_NEAR, .from = spots[i].at,
			.radius_nm = spots[i].nm, .max = 10 };
		struct airport_hits hits;

		TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
		cr_expect_str_eq(idents(f.mem, &hits), spots[i].want, "row %zu: %s", i,
		    idents(f.mem, &hits));
		for (size_t k = 0; k < hits.n; k++)
			cr_expect_eq(hits.hits[k].distance_nm, num_round(geo_distance_nm(spots[i].at,
			    (struct point){ hits.hits[k].a.lat, hits.hits[k].a.lon }), 2));
	}
	airfix_close(&f);
}

TEST(search, golden_order)
{
	const char *path = test_data("euro_aip/sources/airports_small.db");
	struct airport_query q = { .kind = SEARCH_ROUTE, .from = { 51.348099, -0.558889 },
		.to = { 43.547998, 6.955176 }, .radius_nm = 700, .include_large = true, .max = 100 };
	struct airport_hits hits;
	struct airfix f;
	struct err e;

	if (path == NULL) {
		test_skip("no data");
		return;
	}
	airfix_open(&f, path, false);
	TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
	cr_expect_str_eq(idents(f.mem, &hits),
	    "LFLX LFPT LFQA LFAT LFAQ LFMD EGLL EGLF EGKA EGKB EGBJ EGTF");
	cr_expect_eq(hits.hits[0].segment_nm, 81.02);
	cr_expect_eq(hits.hits[0].enroute_nm, 284.02);
	/* abeam the route after 272 NM: 284.02 is the slant distance from the start */
	cr_expect_eq(hits.hits[0].along_nm, 272.24, "%.17g", hits.hits[0].along_nm);
	airfix_close(&f);
}

/* All airports, to be searched without an index. */
struct all {
	struct arena *mem;
	struct airport *v;
	size_t n, size;
};

static bool add_airport(void *arg, const struct airport *a)
{
	struct all *all = arg;

	cr_assert_lt(all->n, all->size);
	all->v[all->n] = *a;
	if (a->country != NULL)
		all->v[all->n].country = arena_strdup(all->mem, a->country);
	all->v[all->n++].ident = arena_strdup(all->mem, a->ident);
	return true;
}

static void load_all(struct airfix *f, struct all *all)
{
	struct err e;

	*all = (struct all){ .mem = f->mem, .size = 100000 };
	all->v = arena_array(f->mem, all->size, sizeof(*all->v));
	TEST_OK(airindex_all(f->con, add_airport, all, &e), e);
	cr_assert_gt(all->n, 0);
}

struct truth {
	struct priority key;
	const char *ident;
};

static int truth_cmp(const void *a, const void *b)
{
	const struct truth *x = a, *y = b;

	return priority_cmp(&x->key, &y->key);
}

static struct geo_place seen_from(struct point p, struct point a, struct point b)
{
	struct geo_leg leg;

	geo_leg_init(&leg, a, b);
	return geo_leg_place(&leg, p);
}

/* What the search must find, from the definition. */
static size_t truth_of(const struct all *all, const struct airport_query *q, struct truth *out)
{
	double total = geo_distance_nm(q->from, q->to);
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct airport *a = &all->v[i];
		struct point at = { a->lat, a->lon };
		double nm;

		if (isnan(a->lat) || !(a->flags & AF_ICAO4) || a->type == TYPE_LARGE
		    || a->type == TYPE_HELIPORT || a->type == TYPE_BALLOON)
			continue;
		nm = q->kind == SEARCH_NEAR ? geo_distance_nm(q->from, at)
		    : seen_from(at, q->from, q->to).segment;
		if (!(nm <= q->radius_nm))
			continue;
		nm = num_round(nm, 2);
		out[n++] = (struct truth){ { q->kind == SEARCH_NEAR ? priority_near(nm)
		    : priority_route(seen_from(at, q->from, q->to).along, total),
		    priority_score(a), nm, a->row,
		    priority_late(a) && !(q->kind == SEARCH_NEAR && nm == 0) }, a->ident };
	}
	qsort(out, n, sizeof(*out), truth_cmp);
	return n;
}

static const struct {
	struct point from, to;
	double nm;
} lines[] = {
	{ { 51.348099, -0.558889 }, { 43.547998, 6.955176 }, 50 },
	{ { 51.348099, -0.558889 }, { 43.547998, 6.955176 }, 5 },
	{ { 40.6, -73.8 }, { 33.9, -118.4 }, 50 },
	{ { 64.1, -21.9 }, { 32, 34.9 }, 100 },            /* Iceland to Israel */
	{ { 69.7, 18.9 }, { 69.0, 33.0 }, 60 },            /* east along the Arctic coast */
	{ { 35, -120 }, { 35, 140 }, 400 },                /* over the ocean and the date line */
	{ { 60, 10 }, { 65, -150 }, 300 },                 /* close by the pole */
	{ { 48, 2 }, { 48, 2 }, 100 },                     /* no route at all */
	{ { 48, 2 }, { 48.0001, 2 }, 1000 },
	{ { 38, -28 }, { 28, -16 }, 1000 },
};

static void compare_with_truth(const char *path)
{
	struct airfix f;
	struct all all;
	struct truth *truth;
	struct err e;
	size_t seen = 0;

	airfix_open(&f, path, false);
	load_all(&f, &all);
	truth = arena_array(f.mem, all.n, sizeof(*truth));
	for (size_t i = 0; i < 2 * sizeof(lines) / sizeof(lines[0]); i++) {
		struct airport_query q = { .kind = i % 2 ? SEARCH_NEAR : SEARCH_ROUTE,
			.from = lines[i / 2].from, .to = lines[i / 2].to,
			.radius_nm = lines[i / 2].nm, .max = 100 };
		struct airport_hits hits;
		size_t n = truth_of(&all, &q, truth);

		TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
		cr_expect_eq(hits.total, n, "row %zu: %zu, not %zu", i, hits.total, n);
		cr_assert_eq(hits.n, n < 100 ? n : 100);
		for (size_t k = 0; k < hits.n; k++)
			cr_assert_str_eq(hits.hits[k].a.ident, truth[k].ident, "row %zu, place %zu", i, k);
		seen += n;
	}
	cr_expect_gt(seen, 5);
	airfix_close(&f);
}

/* ---- by text, against every text ------------------------------------------------- */

/* An airport's four folded texts, a line each. */
static const char **load_texts(struct airfix *f, const struct all *all)
{
	const char **texts_of = arena_array(f->mem, all->n, sizeof(*texts_of));
	int64_t *rows = arena_array(f->mem, all->n, sizeof(*rows));
	struct airport *v = arena_array(f->mem, all->n, sizeof(*v));
	struct err e;

	for (size_t i = 0; i < all->n; i++)
		rows[i] = all->v[i].row;
	TEST_OK(airdb_by_rows(f->con, f->mem, rows, all->n, v, &e), e);
	for (size_t i = 0; i < all->n; i++)
		texts_of[i] = str_fold(f->mem, arena_printf(f->mem, "%s\n%s\n%s\n%s\n", v[i].ident,
		    v[i].name ? v[i].name : "", v[i].municipality ? v[i].municipality : "",
		    v[i].iata ? v[i].iata : ""));
	return texts_of;
}

struct rows_seen {
	const struct all *all;
	const char **texts;
	const char *needle;
	size_t next, n;
};

/* The next one in table order that contains the needle? */
static bool expect_row(void *arg, const struct airport *a)
{
	struct rows_seen *s = arg;

	while (s->next < s->all->n && strstr(s->texts[s->next], s->needle) == NULL)
		s->next++;
	cr_assert_lt(s->next, s->all->n, "'%s': one too many", s->needle);
	cr_assert_eq(a->row, s->all->v[s->next].row, "'%s': %s", s->needle, a->ident);
	s->next++;
	s->n++;
	return true;
}

/* Needles of one to nine characters cut from wherever in the texts. */
static void find_pieces(struct airfix *f, const struct all *all, const char **texts_of)
{
	struct err e;

	for (size_t i = 0; i < 60; i++) {
		const char *text = texts_of[i * 7919 % all->n];
		size_t len = i % 9 + 1, from = i * 31 % strlen(text);
		char *needle = arena_strndup(f->mem, text + from, strnlen(text + from, len));
		struct rows_seen s = { .all = all, .texts = texts_of, .needle = needle };

		needle[strcspn(needle, "\n")] = '\0';
		if (*needle == '\0' || !utf8_valid(needle, strlen(needle)))
			continue;
		TEST_OK(airindex_text(f->con, needle, expect_row, &s, &e), e);
		while (s.next < all->n && strstr(texts_of[s.next], needle) == NULL)
			s.next++;
		cr_expect_eq(s.next, all->n, "'%s': one is missing after %zu", needle, s.n);
		cr_expect_gt(s.n, 0, "'%s'", needle);
	}
}

static const char *const common[] = {
	"airport", "Airport", "field", "san", "saint", "sa", "in", "US", "us", "DE", "de", "FR",
	"GB", "UK", "a", "LF", "lfl", "LFLY", "PAU", "ü", "zurich", "lyon",
};

/* What a search for one word must find, from the definition. */
static size_t text_truth(struct airfix *f, const struct all *all, const char **texts_of,
    const struct airport_query *q, struct truth *out, size_t *candidates)
{
	const struct country *c = strlen(q->text) == 2 ? country_by_code(q->text) : NULL;
	const char *folded = str_fold(f->mem, q->text);
	struct airport code;
	struct err e;
	bool found;
	size_t n = 0;

	*candidates = 0;
	TEST_OK(airdb_by_code(f->con, f->mem, q->text, &code, &found, &e), e);
	for (size_t i = 0; i < all->n; i++) {
		const struct airport *a = &all->v[i];
		bool exact = found && a->row == code.row;
		bool there = c != NULL && a->country != NULL && streq(a->country, c->code);

		if (!(a->flags & AF_ICAO4) || a->type == TYPE_HELIPORT || a->type == TYPE_BALLOON
		    || !(exact || there || strstr(texts_of[i], folded) != NULL))
			continue;
		++*candidates;
		if (a->type == TYPE_LARGE && !q->include_large && !exact)
			continue;
		out[n++] = (struct truth){ {
		    exact && strpbrk(q->text, "abcdefghijklmnopqrstuvwxyz") == NULL ? 0
		    : there && !exact ? 1 : 2, priority_score(a), 0, a->row, !exact && priority_late(a) }, a->ident };
	}
	qsort(out, n, sizeof(*out), truth_cmp);
	return n;
}

static void compare_texts(const char *path)
{
	struct airfix f;
	struct all all;
	struct truth *truth;
	const char **texts_of;
	struct err e;
	size_t seen = 0;

	airfix_open(&f, path, false);
	load_all(&f, &all);
	texts_of = load_texts(&f, &all);
	truth = arena_array(f.mem, all.n, sizeof(*truth));
	find_pieces(&f, &all, texts_of);
	for (size_t i = 0; i < 2 * sizeof(common) / sizeof(common[0]); i++) {
		struct airport_query q = { .kind = SEARCH_TEXT, .text = common[i / 2],
			.include_large = i % 2, .max = 50 };
		struct airport_hits hits;
		size_t candidates, n = text_truth(&f, &all, texts_of, &q, truth, &candidates);

		TEST_OK(airport_search(f.con, f.mem, &q, &hits, &e), e);
		cr_expect_eq(hits.total, n, "'%s': %zu, not %zu", q.text, hits.total, n);
		cr_expect_eq(hits.candidates, candidates, "'%s': %zu", q.text, hits.candidates);
		cr_assert_eq(hits.n, n < 50 ? n : 50);
		for (size_t k = 0; k < hits.n; k++)
			cr_assert_str_eq(hits.hits[k].a.ident, truth[k].ident, "'%s', place %zu",
			    q.text, k);
		seen += n;
	}
	cr_expect_gt(seen, 20);
	airfix_close(&f);
}

TEST(search, hides_nothing_of_the_fixture)
{
	compare_with_truth(NULL);
	compare_texts(NULL);
}

TEST(search, hides_nothing_of_europe)
{
	const char *path = test_data("euro_aip/airports.db");

	if (path == NULL) {
		test_skip("no data");
		return;
	}
	compare_with_truth(path);
	compare_texts(path);
}
