/*
 * The four airport tools: shapes of their results, member by member, and the original service's
 * vectors on the real European database.
 */
#include "tools/tool.h"

#include <math.h>

#include "airports/import.h"
#include "airports/notice.h"
#include "airports/persona.h"
#include "airports/place.h"
#include "airports/variation.h"
#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/airports_fixture.h"

static struct json_object *parse(struct arena *a, const char *text)
{
	struct json_object *o = NULL;
	struct err e;

	TEST_OK(jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

/* Arguments go through the validation a plan goes through. */
static struct json_object *call(struct airfix *f, const char *tool, const char *args)
{
	struct tool_context ctx = { .airports = f->db };
	const struct tool *t = toolset_find(tools_builtin, tool);
	struct json_object *o = parse(f->mem, args), *result = NULL;
	struct err e;

	cr_assert_not_null(t);
	TEST_OK(tool_check(t, o, &e), e);
	TEST_OK(tool_call(&ctx, t, f->mem, o, "ifr_touring_sr22", &result, &e), e);
	return result;
}

static const char *keys(struct arena *a, struct json_object *o)
{
	const char *text = "";

	JSN_EACH(o, it)
		text = arena_printf(a, "%s%s%s", text, *text != '\0' ? " " : "", it.key);
	return text;
}

static const char *text_of(struct arena *a, struct json_object *o, const char *key)
{
	return jsn_text(a, jsn_get(o, key), JSN_PLAIN);
}

/* "IDENT segment/enroute, …" or "IDENT distance, …" or "IDENT …" */
static const char *places(struct arena *a, struct json_object *result)
{
	struct json_object *list = jsn_get(result, "airports");
	const char *text = "";

	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *o = jsn_at(list, i);
		char seg[32], enr[32], dist[32];

		num_print(seg, jsn_get_num(o, "segment_distance_nm", 0));
		num_print(enr, jsn_get_num(o, "enroute_distance_nm", 0));
		num_print(dist, jsn_get_num(o, "distance_nm", 0));
		text = arena_printf(a, "%s%s%s%s%s%s%s", text, i > 0 ? ", " : "",
		    jsn_get_str(o, "ident", "?"),
		    jsn_has(o, "segment_distance_nm") || jsn_has(o, "distance_nm") ? " " : "",
		    jsn_has(o, "segment_distance_nm") ? seg : jsn_has(o, "distance_nm") ? dist : "",
		    jsn_has(o, "enroute_distance_nm") ? "/" : "",
		    jsn_has(o, "enroute_distance_nm") ? enr : "");
	}
	return text;
}

/* ---- the original service's vectors ---------------------------------------------------- */

#define ROUTE "find_airports_near_route"
#define NEAR "find_airports_near_location"
#define SEARCH "search_airports"
#define DETAILS "get_airport_details"

static const struct vector {
	const char *tool, *args;
	int count;
	const char *want;
} vectors[] = {
	{ ROUTE, "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\"}", 100,
	    "LFLA 11.77/262.63, LFOZ 31.5/232.63, LFQB 44.6/253.69, LFSD 47.73/329.78, "
	    "LFQG 29/297.96" },
	{ ROUTE, "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\",\"filters\":{\"has_avgas\":true}}",
	    10, "LFPT 4.34/167.95, LFPN 4.87/186.67, LFAT 38.9/96.38, LFRG 47.16/122.15, "
	    "LFMD 0/558.28" },
	{ ROUTE, "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\",\"max_distance_nm\":20,"
	    "\"include_large_airports\":true,\"filters\":{\"point_of_entry\":true}}", 17,
	    "LFLA 11.77/262.63, LFPV 0.93/187.62, LFPO 2.7/193.3, LFPB 13/183.81, LFPG 18.41/184.49" },
	{ NEAR, "{\"location_query\":\"EGTF\",\"max_distance_nm\":20}", 10,
	    "EGLF 9.24, EGTF 0, EGLK 10.92, EGLM 12.21, EGWU 13.38" },
	{ NEAR, "{\"location_query\":\"LSGG\",\"filters\":{\"has_hard_runway\":true,"
	    "\"min_runway_length_ft\":3000}}", 9,
	    "LFLI 7.18, LFLP 18.57, LFLB 37.27, LSMP 49.28, LSGK 49.51" },
	{ SEARCH, "{\"query\":\"France\"}", 5, "LFAC, LFAQ, LFAT, LFBE, LFBF" },
	/* EDXW is the 428th airport of Germany; the original filters the first 200 */
	{ SEARCH, "{\"query\":\"Germany\",\"filters\":{\"has_avgas\":true}}", 3, "EDFE, EDXW, EDAZ" },
	{ SEARCH, "{\"query\":\"Lyon\"}", 3, "LFLY, LFHJ, LFKL" },
	/* two words of four letters that are not idents are text: the original service finds
	 * none */
	{ SEARCH, "{\"query\":\"Lyon Bron\"}", 1, "LFLY" },
	{ SEARCH, "{\"query\":\"LFPG, LFPO and EGLL\"}", 3, "EGLL, LFPG, LFPO" },
	/* a code typed alone finds its airport, large or not: the original finds none */
	{ SEARCH, "{\"query\":\"CDG\"}", 1, "LFPG" },
	{ SEARCH, "{\"query\":\"CDG\",\"include_large_airports\":true}", 1, "LFPG" },
};

TEST(tools_airports, vectors)
{
	const char *path = test_data("euro_aip/airports.db");
	struct airfix f;

	if (path == NULL) {
		test_skip("no data");
		return;
	}
	airfix_open(&f, path, false);
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		const struct vector *v = &vectors[i];
		struct json_object *r = call(&f, v->tool, v->args);

		cr_expect_eq(jsn_get_int(r, "count", -1), v->count, "%s: count %d", v->args,
		    (int)jsn_get_int(r, "count", -1));
		cr_expect_str_eq(places(f.mem, r), v->want, "%s: %s", v->args, places(f.mem, r));
	}
	airfix_close(&f);
}

/* ---- a part of a route ------------------------------------------------------------------ */

static size_t in_middle_third(struct json_object *r)
{
	struct json_object *list = jsn_get(r, "airports");
	const double nm = jsn_get_num(jsn_get(r, "flight"), "distance_nm", 0);
	size_t n = 0;

	for (size_t i = 0; i < jsn_len(list); i++) {
		const double along = jsn_get_num(jsn_at(list, i), "along_track_distance_nm", -1);
		n += along > nm / 3 && along < 2 * nm / 3;
	}
	return n;
}

TEST(tools_airports, halfway_is_the_middle_third_of_a_route)
{
	static const char args[] = "{\"from_location\":\"LFBP\",\"to_location\":\"LSZH\",\"max_results\":100,\"include_large_airports\":true%s}";
	struct airfix f;

	airfix_open(&f, NULL, false);
	struct json_object *all = call(&f, ROUTE, arena_printf(f.mem, args, "")), *middle = call(&f, ROUTE, arena_printf(f.mem, args, ",\"halfway\":true"));
	const size_t n = jsn_len(jsn_get(middle, "airports"));

	cr_expect_gt(n, 0);
	cr_expect_gt(jsn_len(jsn_get(all, "airports")), n);
	cr_expect_eq(in_middle_third(middle), n);
	cr_expect_eq(in_middle_third(all), n);
	airfix_close(&f);
}

/* ---- shapes ----------------------------------------------------------------------- */

#define SUMMARY                                                                       \
	"ident name municipality country iso_country latitude_deg longitude_deg "     \
	"longest_runway_length_ft point_of_entry has_aip_data has_procedures has_hard_runway"

TEST(tools_airports, summary)
{
	struct airfix f;
	struct json_object *r;

	airfix_open(&f, NULL, false);
	r = call(&f, SEARCH, "{\"query\":\"Lyon\"}");
	cr_expect_str_eq(jsn_text(f.mem, jsn_at(jsn_get(r, "airports"), 0), JSN_PLAIN),
	    "{\"ident\":\"LFLY\",\"name\":\"Lyon-Bron Airport\",\"municipality\":\"Lyon\","
	    "\"country\":\"FR\",\"iso_country\":\"FR\",\"latitude_deg\":45.7294,"
	    "\"longitude_deg\":4.9389,\"longest_runway_length_ft\":5971,\"point_of_entry\":true,"
	    "\"has_aip_data\":true,\"has_procedures\":true,\"has_hard_runway\":true}");
	r = call(&f, SEARCH, "{\"query\":\"ZZZZ\"}");
	cr_expect_str_eq(jsn_text(f.mem, jsn_at(jsn_get(r, "airports"), 0), JSN_PLAIN),
	    "{\"ident\":\"ZZZZ\",\"name\":\"Nowhere\",\"municipality\":null,\"country\":null,"
	    "\"iso_country\":null,\"latitude_deg\":null,\"longitude_deg\":null,"
	    "\"longest_runway_length_ft\":null,\"point_of_entry\":false,\"has_aip_data\":false,"
	    "\"has_procedures\":false,\"has_hard_runway\":false}");
	r = call(&f, SEARCH, "{\"query\":\"LFLL\"}");
	cr_expect_str_eq(keys(f.mem, jsn_at(jsn_get(r, "airports"), 0)), SUMMARY " type");
	airfix_close(&f);
}

/* "The nearest airport" was never the large one, and nothing said so. */
TEST(tools_airports, a_nearer_large_airport_is_named)
{
	static const struct { const char *args, *ident; } rows[] = {
		{ "{\"location_query\":\"45.72, 5.08\",\"priority_strategy\":\"nearest\"}", "LFLL" },
		{ "{\"location_query\":\"45.72, 5.08\"}", "LFLL" },
		{ "{\"location_query\":\"45.72, 5.08\",\"priority_strategy\":\"nearest\",\"include_large_airports\":true}", NULL },
		{ "{\"location_query\":\"45.72, 4.94\",\"priority_strategy\":\"nearest\"}", NULL },
		{ "{\"location_query\":\"45.72, 5.08\",\"priority_strategy\":\"nearest\",\"filters\":{\"country\":\"CH\"}}", NULL },
	};
	struct airfix f;

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *r = call(&f, NEAR, rows[i].args);
		struct json_object *large = jsn_get(jsn_get(r, "filter_report"), "nearest_large");
		cr_expect(streq(jsn_get_str(large, "ident", NULL), rows[i].ident), "%s", rows[i].args);
	}
	airfix_close(&f);
}

/* Customs and instrument procedures are mostly at large airports, and the answer told only how many of them it left out. */
TEST(tools_airports, large_airports_that_only_their_size_leaves_out_are_named)
{
	static const struct { const char *tool, *args, *large; } rows[] = {
		{ NEAR, "{\"location_query\":\"Lyon\"}", "[{\"ident\":\"LFLL\",\"name\":\"Lyon Saint-Exupéry Airport\"}]" },
		{ SEARCH, "{\"query\":\"France\",\"filters\":{\"point_of_entry\":true}}", "[{\"ident\":\"LFLL\",\"name\":\"Lyon Saint-Exupéry Airport\"}]" },
		{ NEAR, "{\"location_query\":\"Lyon\",\"include_large_airports\":true}", NULL },
		{ NEAR, "{\"location_query\":\"Lyon\",\"filters\":{\"has_hard_runway\":false}}", NULL },
		{ NEAR, "{\"location_query\":\"Lyon\",\"filters\":{\"country\":\"CH\"}}", NULL },
	};
	struct airfix f;

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *r = call(&f, rows[i].tool, rows[i].args);
		struct json_object *large = jsn_get(jsn_get(r, "filter_report"), "large");
		const char *got = large != NULL ? jsn_text(f.mem, large, JSN_PLAIN) : NULL;
		cr_expect(streq(got, rows[i].large), "%s: %s", rows[i].args, got);
	}
	airfix_close(&f);
}

TEST(tools_airports, search_shape)
{
	struct airfix f;
	struct json_object *r, *vis;

	airfix_open(&f, NULL, false);
	r = call(&f, SEARCH, "{\"query\":\"France\",\"max_results\":2,\"filters\":"
	    "{\"has_hard_runway\":true,\"has_avgas\":true}}");
	cr_expect_str_eq(keys(f.mem, r),
	    "count total_found airports unrecorded filter_profile database_airports filter_report "
	    "visualization");
	cr_expect_str_eq(places(f.mem, r), "LFLY, LFBP");
	cr_expect_str_eq(text_of(f.mem, r, "filter_profile"),
	    "{\"search_query\":\"France\",\"country\":\"FR\","
	    "\"has_hard_runway\":true,\"has_avgas\":true}");
	/* LFLL is large; LFHJ's hard runway is closed, LFHI's is grass, of LF52 nothing is known */
	cr_expect_str_eq(text_of(f.mem, r, "filter_report"),
	    "{\"candidates\":6,\"dropped\":{\"exclude_large_airports\":1,\"has_hard_runway\":3},"
	    "\"unknown\":{\"has_hard_runway\":1}}");
	cr_expect_eq(jsn_len(jsn_get(r, "unrecorded")), 1);
	struct json_object *maybe = jsn_at(jsn_get(r, "unrecorded"), 0);
	cr_expect_str_eq(keys(f.mem, maybe), SUMMARY " unrecorded");
	cr_expect_str_eq(jsn_get_str(maybe, "ident", ""), "LF52");
	cr_expect_str_eq(text_of(f.mem, maybe, "unrecorded"), "[\"has_hard_runway\",\"has_avgas\"]");
	vis = jsn_get(r, "visualization");
	cr_expect_str_eq(text_of(f.mem, vis, "unrecorded"), text_of(f.mem, r, "unrecorded"));
	cr_expect_str_eq(keys(f.mem, vis), "type data unrecorded");
	cr_expect_str_eq(jsn_get_str(vis, "type", ""), "markers");
	cr_expect_str_eq(text_of(f.mem, vis, "data"), text_of(f.mem, r, "airports"));

	r = call(&f, SEARCH, "{\"query\":\"Suisse\"}");
	cr_expect_str_eq(places(f.mem, r), "LSZK");
	r = call(&f, SEARCH, "{\"query\":\"xyzzy\"}");
	cr_expect_str_eq(jsn_text(f.mem, r, JSN_PLAIN), "{\"count\":0,\"total_found\":0,"
	    "\"airports\":[],\"filter_profile\":{\"search_query\":\"xyzzy\"},\"database_airports\":18,"
	    "\"visualization\":{\"type\":\"markers\",\"data\":[]}}");
	airfix_close(&f);
}

/* Codes or words? Whatever exists decides. */
static const struct {
	const char *query, *want;
} readings[] = {
	{ "LFLL LFLY", "LFLY, LFLL" },
	{ "lfll, lfly & lszh", "LFLY, LFLL, LSZH" },
	{ "LFLL and QQQQ", "LFLL" },
	{ "LFLL LFLL", "LFLL" },
	{ "Lyon Bron", "LFLY" },
	{ "Bron LFLY", "LFLY" },
	{ "QQQQ RRRR", "" },
	{ "LYS, LSZH", "LFLL, LSZH" },
	{ "LYS QQQ", "" },
	{ "Lys Pau", "" },
	{ "LFLL", "LFLL" },
	/* a country without airports here is looked for as text */
	{ "Jersey", "KJSY" },
	{ "and or", "" },
};

TEST(tools_airports, codes_or_words)
{
	struct airfix f;

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		const char *args = arena_printf(f.mem, "{\"query\":\"%s\",\"max_results\":1}",
		    readings[i].query);
		struct json_object *r = call(&f, SEARCH, args);
		cr_expect_str_eq(places(f.mem, r), readings[i].want, "%s: %s", args,
		    places(f.mem, r));
	}
	airfix_close(&f);
}

/* The bigger Perth is in Australia, but nobody flies there from Lyon in a light aircraft. */
TEST(tools_airports, an_end_of_a_route_is_not_overseas)
{
	static const char more[] = "INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg, iso_country, municipality,"
		" scheduled_service) VALUES"
		" ('YPPH', 'Perth International Airport', 'large_airport', -31.94, 115.97, 'AU', 'Perth', 'yes'),"
		" ('YPJT', 'Perth Jandakot Airport', 'large_airport', -32.10, 115.88, 'AU', 'Perth', 'yes'),"
		" ('EGPT', 'Perth/Scone Airport', 'small_airport', 56.44, -3.37, 'GB', 'Perth', 'no'),"
		" ('YBCV', 'Charleville Airport', 'large_airport', -26.41, 146.26, 'AU', 'Charleville', 'yes'),"
		" ('LFQV', 'Charleville-Mézières Airfield', 'small_airport', 49.78, 4.65, 'FR', 'Belval', 'no');";
	static const char *const rows[][3] = {
		{ "Perth", "LFLY", "EGPT LFLY" }, { "Lyon Bron", "Perth", "LFLY EGPT" },
		{ "Charleville", "Lyon Bron", "LFQV LFLY" },
		{ "Perth, Australia", "LFLY", "YPPH LFLY" }, { "YPPH", "LFLY", "YPPH LFLY" },
	};
	char path[600], *dir = test_mkdtemp();
	struct db *db;
	struct airfix f;
	struct err e = { OK, "" };

	snprintf(path, sizeof(path), "%s/airports.db", dir);
	TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
	TEST_OK(db_exec(db, fixture_sql, &e), e);
	TEST_OK(db_exec(db, more, &e), e);
	db_close(db);
	airfix_open(&f, path, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *r = call(&f, ROUTE, arena_printf(f.mem, "{\"from_location\":\"%s\",\"to_location\":\"%s\"}",
		    rows[i][0], rows[i][1]));
		struct json_object *route = jsn_get(jsn_get(r, "visualization"), "route");
		const char *ends = arena_printf(f.mem, "%s %s", jsn_get_str(jsn_get(route, "from"), "icao", "?"),
		    jsn_get_str(jsn_get(route, "to"), "icao", "?"));
		cr_expect_str_eq(ends, rows[i][2], "%s to %s: %s", rows[i][0], rows[i][1], ends);
	}
	airfix_close(&f);
	test_rmdir(dir);
}

TEST(tools_airports, near_shape)
{
	struct airfix f;
	struct json_object *r, *vis;

	airfix_open(&f, NULL, false);
	r = call(&f, NEAR, "{\"location_query\":\"LFLL\",\"max_distance_nm\":12.5,\"max_results\":1,"
	    "\"filters\":{\"country\":\"FR\"}}");
	cr_expect_str_eq(keys(f.mem, r), "found count total_found center airports filter_profile database_airports "
	    "filter_report resolved visualization");
	cr_expect_eq(jsn_get_int(r, "count", 0), 3);
	cr_expect_eq(jsn_get_int(r, "total_found", 0), 3);
	cr_expect_str_eq(text_of(f.mem, r, "center"),
	    "{\"lat\":45.7256,\"lon\":5.0811,\"label\":\"Lyon Saint-Exupéry Airport (LFLL)\"}");
	cr_expect_str_eq(places(f.mem, r), "LFLY 5.96");
	cr_expect_str_eq(keys(f.mem, jsn_at(jsn_get(r, "airports"), 0)), SUMMARY " distance_nm");
	cr_expect_str_eq(text_of(f.mem, r, "filter_profile"), "{\"location_query\":\"LFLL\","
	    "\"radius_nm\":12.5,\"country\":\"FR\"}");
	vis = jsn_get(r, "visualization");
	cr_expect_str_eq(keys(f.mem, vis), "type point markers radius_nm");
	cr_expect_str_eq(jsn_get_str(vis, "type", ""), "point_with_markers");
	cr_expect_str_eq(text_of(f.mem, vis, "point"),
	    "{\"label\":\"Lyon Saint-Exupéry Airport (LFLL)\",\"lat\":45.7256,\"lon\":5.0811}");
	cr_expect_str_eq(text_of(f.mem, vis, "markers"), text_of(f.mem, r, "airports"));

	/* on data that record no restaurant: none is known to fit, and all may */
	r = call(&f, NEAR, "{\"location_query\":\"LFLL\",\"max_distance_nm\":12.5,"
	    "\"filters\":{\"restaurant\":\"any\",\"country\":\"FR\"}}");
	cr_expect_eq(jsn_len(jsn_get(r, "airports")), 0);
	cr_expect_eq(jsn_len(jsn_get(r, "unrecorded")), 3);
	cr_expect_str_eq(keys(f.mem, jsn_at(jsn_get(r, "unrecorded"), 0)),
	    SUMMARY " distance_nm unrecorded");
	cr_expect_str_eq(keys(f.mem, jsn_get(r, "visualization")),
	    "type point markers radius_nm unrecorded");
	airfix_close(&f);
}

TEST(tools_airports, near_a_point)
{
	struct airfix f;
	struct json_object *r, *result = NULL, *args;
	struct tool_context ctx = { 0 };
	struct err e;

	airfix_open(&f, NULL, false);
	r = call(&f, NEAR, "{\"location_query\":\"45.7294, 4.9389\",\"max_distance_nm\":1}");
	cr_expect_str_eq(places(f.mem, r), "LFLY 0");
	/* centre given by the caller; nothing is looked up */
	ctx.airports = f.db;
	args = parse(f.mem, "{\"location_query\":\"Xyzzyville\",\"center_lat\":45.7294,"
	    "\"center_lon\":4.9389,\"max_distance_nm\":1}");
	TEST_OK(tool_call(&ctx, toolset_find(tools_builtin, NEAR), f.mem, args, NULL, &result, &e), e);
	cr_expect_str_eq(places(f.mem, result), "LFLY 0");
	cr_expect_str_eq(text_of(f.mem, result, "center"),
	    "{\"lat\":45.7294,\"lon\":4.9389,\"label\":\"Xyzzyville\"}");
	args = parse(f.mem, "{\"center_lat\":145,\"center_lon\":4.9,\"location_query\":\"LSZH\"}");
	TEST_OK(tool_call(&ctx, toolset_find(tools_builtin, NEAR), f.mem, args, NULL, &result, &e), e);
	cr_expect_str_eq(places(f.mem, result), "LSZK 9.82", "%s", places(f.mem, result));
	airfix_close(&f);
}

TEST(tools_airports, near_nowhere)
{
	struct airfix f;
	struct json_object *r;

	airfix_open(&f, NULL, false);
	r = call(&f, NEAR, "{\"location_query\":\"Xyzzyville\"}");
	cr_expect_str_eq(keys(f.mem, r), "found pretty reason");
	cr_expect_not(jsn_get_bool(r, "found", true));
	cr_expect(starts_with(jsn_get_str(r, "pretty", ""), "Could not geocode 'Xyzzyville': "));
	cr_expect_null(strstr(jsn_get_str(r, "pretty", ""), "GEOAPIFY"));
	airfix_close(&f);
}

TEST(tools_airports, route_shape)
{
	struct airfix f;
	struct json_object *r, *vis;

	airfix_open(&f, NULL, false);
	r = call(&f, ROUTE, "{\"from_location\":\"lfly\",\"to_location\":\"ZRH\",\"max_results\":3,"
	    "\"max_distance_nm\":40,\"filters\":{\"has_avgas\":null}}");
	cr_expect_str_eq(keys(f.mem, r), "count total_found airports filter_profile database_airports filter_report "
	    "substitutions flight resolved visualization");
	cr_expect_str_eq(text_of(f.mem, r, "filter_profile"), "{\"route_distance\":40}");
	cr_expect_str_eq(text_of(f.mem, r, "substitutions"), "{\"from\":null,\"to\":null}");
	cr_expect_str_eq(keys(f.mem, jsn_at(jsn_get(r, "airports"), 0)),
	    SUMMARY " segment_distance_nm enroute_distance_nm along_track_distance_nm");
	cr_expect_eq(jsn_get_int(r, "count", 0), 5);
	cr_expect_eq(jsn_len(jsn_get(r, "airports")), 3);
	vis = jsn_get(r, "visualization");
	cr_expect_str_eq(keys(f.mem, vis), "type route markers radius_nm");
	cr_expect_str_eq(text_of(f.mem, vis, "route"),
	    "{\"from\":{\"icao\":\"LFLY\",\"name\":\"Lyon-Bron Airport\",\"municipality\":\"Lyon\","
	    "\"lat\":45.7294,\"lon\":4.9389},\"to\":{\"icao\":\"LSZH\",\"name\":\"Zürich Airport\","
	    "\"municipality\":\"Zürich\",\"lat\":47.4581,\"lon\":8.5481}}");
	cr_expect_str_eq(text_of(f.mem, vis, "markers"), text_of(f.mem, r, "airports"));

	r = call(&f, ROUTE, "{\"from_location\":\"lfly\",\"to_location\":\"ZRH\","
	    "\"max_distance_nm\":40,\"filters\":{\"hotel\":\"any\"}}");
	cr_expect_str_eq(keys(f.mem, r), "count total_found airports unrecorded filter_profile "
	    "database_airports filter_report substitutions flight resolved visualization");
	cr_expect_eq(jsn_len(jsn_get(r, "unrecorded")), 5);
	cr_expect_str_eq(keys(f.mem, jsn_at(jsn_get(r, "unrecorded"), 0)),
	    SUMMARY " segment_distance_nm enroute_distance_nm along_track_distance_nm unrecorded");
	airfix_close(&f);
}

/* The flight itself: distance and track of the original's golden route, and the time at the
 * persona's cruise speed, if it has one. */
TEST(tools_airports, route_flight)
{
	static const struct persona list[] = {
		{ .id = "fast", .number = 0, .cruise_kt = 170 },
		{ .id = "unknown_speed", .number = 1, .cruise_kt = NAN },
	};
	static const struct personas personas = { .list = list, .n = 2, .standard = &list[0] };
	static const struct { const char *persona, *want, *more; } rows[] = {
		{ "fast", "{\"distance_nm\":558.3,\"initial_true_track_deg\":144.1,\"cruise_kt\":170,"
		    "\"time_min\":197}", "" },
		{ "unknown_speed", "{\"distance_nm\":558.3,\"initial_true_track_deg\":144.1}", "" },
		/* a speed that the pilot named */
		{ "fast", "{\"distance_nm\":558.3,\"initial_true_track_deg\":144.1,\"cruise_kt\":100,"
		    "\"time_min\":335}", ",\"cruise_kt\":100" },
		{ "unknown_speed", "{\"distance_nm\":558.3,\"initial_true_track_deg\":144.1,\"cruise_kt\":97.5,"
		    "\"time_min\":344}", ",\"cruise_kt\":97.5" },
	};
	struct airfix f;

	airfix_start(&f, NULL, "INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg) "
	    "VALUES('EGTF', 'Fairoaks', 'small_airport', 51.348099, -0.558889), "
	    "('LFMD', 'Cannes', 'small_airport', 43.547998, 6.955176);", false);
	const struct tool_context ctx = { .airports = f.db, .personas = &personas };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *r = NULL;
		struct err e = { OK, "" };

		TEST_OK(tool_call(&ctx, toolset_find(tools_builtin, ROUTE), f.mem, parse(f.mem,
		    arena_printf(f.mem, "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\"%s}", rows[i].more)),
		    rows[i].persona, &r, &e), e);
		cr_expect_str_eq(text_of(f.mem, r, "flight"), rows[i].want);
	}
	/* to the same airport: no track */
	cr_expect_str_eq(text_of(f.mem, call(&f, ROUTE,
	    "{\"from_location\":\"EGTF\",\"to_location\":\"EGTF\"}"), "flight"), "{\"distance_nm\":0}");
	airfix_close(&f);
}

TEST(tools_airports, route_substitutions)
{
	struct airfix f;
	struct json_object *r, *from;

	airfix_open(&f, NULL, false);
	/* a town: the nearest airport, of whatever size */
	r = call(&f, ROUTE, "{\"from_location\":\"Morestel\",\"to_location\":\"Zürich\"}");
	from = jsn_get(jsn_get(r, "substitutions"), "from");
	cr_expect_str_eq(keys(f.mem, from),
	    "original resolved was_geocoded geocoded_location distance_nm");
	cr_expect_str_eq(jsn_get_str(from, "original", ""), "Morestel");
	cr_expect_str_eq(jsn_get_str(from, "resolved", ""), "LFHI");
	cr_expect(jsn_get_bool(from, "was_geocoded", false));
	cr_expect_not_null(jsn_get(jsn_get(r, "substitutions"), "to"));
	/* this is the distance between the towns, not between their airports */
	cr_expect_gt(jsn_get_num(jsn_get(r, "flight"), "places_distance_nm", 0), 100);
	r = call(&f, ROUTE, "{\"from_location\":\"LFLY\",\"to_location\":\"LSZH\"}");
	cr_expect(!jsn_has(jsn_get(r, "flight"), "places_distance_nm"));
	/* coordinates */
	r = call(&f, ROUTE, "{\"from_location\":\"45.70, 5.00\",\"to_location\":\"LSZH\"}");
	from = jsn_get(jsn_get(r, "substitutions"), "from");
	cr_expect_str_eq(jsn_get_str(from, "resolved", ""), "LFLY");
	cr_expect_eq(jsn_get_num(from, "distance_nm", 0), 3.1);
	/* a town: of the airports with its name the nearest, not the heliport between */
	r = call(&f, ROUTE, "{\"from_location\":\"Lyon\",\"to_location\":\"lyon airport\"}");
	from = jsn_get(jsn_get(r, "substitutions"), "from");
	cr_expect_str_eq(jsn_get_str(from, "resolved", ""), "LFLY");
	cr_expect_str_eq(jsn_get_str(from, "geocoded_location", ""), "Lyon, France");
	cr_expect_str_eq(jsn_get_str(jsn_get(jsn_get(r, "substitutions"), "to"), "resolved", ""), "LFLL");
	/* an airport by its name */
	r = call(&f, ROUTE, "{\"from_location\":\"Lyon Bron\",\"to_location\":\"LSZH\"}");
	from = jsn_get(jsn_get(r, "substitutions"), "from");
	cr_expect_str_eq(jsn_get_str(from, "resolved", ""), "LFLY");
	airfix_close(&f);
}

/* How each place was understood, and what else it could have been. */
TEST(tools_airports, resolved)
{
	static const char change[] = "INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg,"
	    " iso_country, iso_region, municipality) VALUES"
	    " ('EGXC', 'Twinham Airport', 'medium_airport', 52.2, 0.18, 'GB', 'GB-ENG', 'Twinham'),"
	    " ('KXCC', 'Twinham Field', 'medium_airport', 38.5, -76.0, 'US', 'US-MD', 'Twinham'),"
	    " ('KXCD', 'Else Field', 'medium_airport', 38.9, -77.0, 'US', 'US-MD', 'Elseham'),"
	    " ('LFXA', 'Ajaccio Airport', 'medium_airport', 41.92, 8.8, 'FR', 'FR-COR', 'Ajaccio'),"
	    " ('LFXB', 'Corte Airfield', 'small_airport', 42.29, 9.19, 'FR', 'FR-COR', 'Corte');";
	static const struct {
		const char *tool, *args, *has[4];
	} rows[] = {
		{ NEAR, "{\"location_query\":\"lfly\"}", { "{\"role\":\"location\",\"query\":\"lfly\",\"how\":\"code\","
		  "\"place\":\"Lyon-Bron Airport (LFLY)\",\"country\":\"FR\",\"lat\":45.7294,\"lon\":4.9389,"
		  "\"airport\":\"LFLY\",\"unsure\":false,\"alternatives\":[]}" } },
		{ NEAR, "{\"location_query\":\"ZRH\"}", { "\"how\":\"iata\"", "\"airport\":\"LSZH\"" } },
		{ NEAR, "{\"location_query\":\"434240N 0065740E\"}", { "\"how\":\"coordinates\"",
		  "\"place\":\"43.7111, 6.9611\",\"country\":null" } },
		{ NEAR, "{\"location_query\":\"Twinham\"}", { "\"how\":\"gazetteer\"",
		  "\"place\":\"Twinham, United Kingdom\",\"country\":\"GB\"",
		  "\"unsure\":true,\"alternatives\":[{\"place\":\"Twinham, United States\",\"country\":\"US\"" } },
		{ NEAR, "{\"location_query\":\"Twinham in the US\"}", { "\"place\":\"Twinham, United States\"",
		  "\"alternatives\":[]" } },
		/* the results must be in a country, so the place is probably there */
		{ NEAR, "{\"location_query\":\"Twinham\",\"filters\":{\"country\":\"US\"}}",
		  { "\"place\":\"Twinham, United States\"" } },
		/* the other end is certain: the nearer Twinham is likelier */
		{ ROUTE, "{\"from_location\":\"KXCD\",\"to_location\":\"Twinham\"}",
		  { "\"role\":\"departure\"", "\"role\":\"destination\"", "\"place\":\"Twinham, United States\"",
		    "{\"place\":\"Twinham, United Kingdom\"" } },
		{ ROUTE, "{\"from_location\":\"Twinham\",\"to_location\":\"38.9, -77\"}",
		  { "\"place\":\"Twinham, United States\"", "\"airport\":\"KXCC\"" } },
		{ ROUTE, "{\"from_location\":\"LFLY\",\"to_location\":\"Twinham\"}",
		  { "\"place\":\"Twinham, United Kingdom\"" } },
		{ ROUTE, "{\"from_location\":\"LFLY\",\"to_location\":\"Corsica\"}",
		  { "\"how\":\"area\",\"place\":\"Corsica, France\"", "\"airport\":\"LFXA\",\"area\":{\"name\":\"Corsica\","
		    "\"article\":false,\"countries\":[\"FR\"]}",
		    "\"alternatives\":[{\"place\":\"Corte Airfield (LFXB)\"" } },
	};
	struct airfix f;

	airfix_start(&f, NULL, change, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text = text_of(f.mem, call(&f, rows[i].tool, rows[i].args), "resolved");

		for (size_t k = 0; k < 4 && rows[i].has[k] != NULL; k++)
			cr_expect_not_null(strstr(text, rows[i].has[k]), "%s: %s in %s", rows[i].args,
			    rows[i].has[k], text);
	}
	airfix_close(&f);
}

/* An area lists its own airports, the air base last. If a distance is given, or the area has no airfield, the search is around a point. */
TEST(tools_airports, areas)
{
	static const char change[] = "INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg,"
	    " iso_country, iso_region, municipality) VALUES"
	    " ('LFXA', 'Ajaccio Airport', 'medium_airport', 41.92, 8.8, 'FR', 'FR-COR', 'Ajaccio'),"
	    " ('LFKS', 'Solenzara Air Base', 'medium_airport', 42.1, 9.2, 'FR', 'FR-COR', 'Solenzara'),"
	    " ('LFXB', 'Corte Airfield', 'small_airport', 42.29, 9.19, 'FR', 'FR-COR', 'Corte'),"
	    " ('LIXX', 'Olbia', 'medium_airport', 40.9, 9.5, 'IT', 'IT-88', 'Olbia'),"
	    " ('EGXW', 'Sandown', 'small_airport', 50.65, -1.18, 'GB', NULL, 'Sandown'),"
	    " ('EGXS', 'Southampton', 'medium_airport', 50.95, -1.36, 'GB', NULL, 'Southampton'),"
	    " ('EGXN', 'Carlisle', 'medium_airport', 54.94, -2.81, 'GB', NULL, 'Carlisle');";
	static const struct {
		const char *tool, *args, *idents, *area;
	} rows[] = {
		{ NEAR, "{\"location_query\":\"Corsica\"}", "LFXA LFXB LFKS", "Corsica" },
		{ NEAR, "{\"location_query\":\"in Corse\"}", "LFXA LFXB LFKS", "Corsica" },
		{ NEAR, "{\"location_query\":\"Corsica, France\",\"max_distance_nm\":50}", "LFKS LFXB LFXA", NULL },
		{ NEAR, "{\"location_query\":\"Corsica\",\"max_distance_nm\":90}", "LFKS LFXB LFXA LIXX", NULL },
		{ NEAR, "{\"location_query\":\"Isle of Wight\"}", "EGXW", "Isle of Wight" },
		{ NEAR, "{\"location_query\":\"the Lake District\"}", "EGXN", NULL },
		{ NEAR, "{\"location_query\":\"Corsica, Italy\"}", NULL, NULL },
		{ SEARCH, "{\"query\":\"the Isle of Wight\"}", "EGXW", "Isle of Wight" },
		{ SEARCH, "{\"query\":\"Corsica\",\"filters\":{\"has_hard_runway\":true}}", "", "Corsica" },
	};
	struct airfix f;

	airfix_start(&f, NULL, change, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *r = call(&f, rows[i].tool, rows[i].args), *list = jsn_get(r, "airports");
		const char *text = "";

		for (size_t k = 0; k < jsn_len(list); k++)
			text = arena_printf(f.mem, "%s%s%s", text, k > 0 ? " " : "",
			    jsn_get_str(jsn_at(list, k), "ident", ""));
		cr_expect_str_eq(rows[i].idents != NULL ? text : jsn_get_bool(r, "found", true) ? "found" : "",
		    rows[i].idents != NULL ? rows[i].idents : "", "%s: %s", rows[i].args, text);
		cr_expect_eq(jsn_has(r, "area"), rows[i].area != NULL, "%s", rows[i].args);
		if (rows[i].area != NULL)
			cr_expect_str_eq(jsn_get_str(jsn_get(r, "area"), "name", ""), rows[i].area);
	}
	airfix_close(&f);
}

/* Coordinates of no place are refused with the reason, and not looked up as a name. */
TEST(tools_airports, impossible_coordinates)
{
	static const char *const rows[][3] = {
		{ NEAR, "{\"location_query\":\"91, 5\"}", "these coordinates are not on Earth: a latitude" },
		{ NEAR, "{\"location_query\":\"434299N 0065740E\"}", "minutes and seconds go from 0 to 59" },
		{ ROUTE, "{\"from_location\":\"LFLY\",\"to_location\":\"45, 200\"}", "a longitude goes from -180" },
		{ ROUTE, "{\"from_location\":\"N95 E5\",\"to_location\":\"LFLY\"}", "a latitude" },
	};
	struct airfix f;

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *r = call(&f, rows[i][0], rows[i][1]);

		cr_expect_not(jsn_get_bool(r, "found", true));
		cr_expect_not_null(strstr(jsn_get_str(r, "reason", ""), rows[i][2]), "%s: %s", rows[i][1],
		    jsn_get_str(r, "reason", ""));
	}
	airfix_close(&f);
}

TEST(tools_airports, route_to_nowhere)
{
	struct airfix f;
	struct json_object *r;

	airfix_open(&f, NULL, false);
	r = call(&f, ROUTE, "{\"from_location\":\"Xyzzy\",\"to_location\":\"Plugh\"}");
	cr_expect_str_eq(keys(f.mem, r), "found error pretty reason");
	cr_expect_str_eq(jsn_get_str(r, "error", ""), "Could not find or geocode departure location "
	    "'Xyzzy'. Please verify the ICAO code or location name.");
	cr_expect_str_eq(jsn_get_str(r, "pretty", ""),
	    "Could not find airport or location 'Xyzzy'.");
	r = call(&f, ROUTE, "{\"from_location\":\"LFLY\",\"to_location\":\"Plugh\"}");
	cr_expect_str_eq(jsn_get_str(r, "error", ""), "Could not find or geocode destination location "
	    "'Plugh'. Please verify the ICAO code or location name.");
	/* a place with no airport within reach */
	r = call(&f, ROUTE, "{\"from_location\":\"0, -30\",\"to_location\":\"LFLY\"}");
	cr_expect_not(jsn_get_bool(r, "found", true));
	cr_expect_not_null(strstr(jsn_get_str(r, "reason", ""), "no airport within 100 NM"));
	airfix_close(&f);
}

TEST(tools_airports, details)
{
	struct airfix f;
	struct json_object *r;

	airfix_open(&f, NULL, false);
	r = call(&f, DETAILS, "{\"icao_code\":\"lfly\"}");
	cr_expect_str_eq(keys(f.mem, r), "found airport runways runway_summary procedures aip_data "
	    "fuel codes frequencies sun visualization");
	cr_expect_str_eq(keys(f.mem, jsn_get(r, "airport")), SUMMARY " elevation_ft type");
	cr_expect_eq(jsn_get_num(jsn_get(r, "airport"), "elevation_ft", -1), 659);
	cr_expect_str_eq(text_of(f.mem, r, "runways"),
	    "[{\"le_ident\":\"16\",\"he_ident\":\"34\",\"length_ft\":5971,\"width_ft\":148,"
	    "\"surface\":\"ASP\",\"lighted\":true},"
	    "{\"le_ident\":\"16L\",\"he_ident\":\"34R\",\"length_ft\":2460.5,\"width_ft\":60,"
	    "\"surface\":\"GRASS\",\"lighted\":false,\"closed\":true}]");
	cr_expect_str_eq(text_of(f.mem, r, "runway_summary"),
	    "{\"count\":1,\"longest_ft\":5971,\"has_hard_surface\":true}");
	cr_expect_str_eq(text_of(f.mem, r, "procedures"), "{\"count\":2,\"by_type\":{\"approach\":2},"
	    "\"list\":[{\"name\":\"ILS RWY 34\",\"type\":\"approach\",\"approach_type\":\"ILS\"},"
	    "{\"name\":\"RNP RWY 16\",\"type\":\"approach\",\"approach_type\":\"RNP\"}]}");
	cr_expect_str_eq(text_of(f.mem, r, "codes"),
	    "{\"ident\":\"LFLY\",\"icao\":\"LFLY\",\"iata\":\"LYN\",\"local\":null}");
	cr_expect_str_eq(text_of(f.mem, r, "frequencies"), "[]", "a database without that table");
	cr_expect_str_eq(text_of(f.mem, r, "aip_data"),
	    "[{\"field\":\"Fuel and oil types\",\"value\":\"AVGAS 100LL, JET A-1\"},"
	    "{\"field\":\"Customs and immigration\",\"value\":\"O/R\"}]");
	cr_expect_str_eq(text_of(f.mem, r, "fuel"), "{\"avgas\":true,\"jet_a\":true}");
	cr_expect_str_eq(text_of(f.mem, r, "visualization"),
	    "{\"type\":\"marker_with_details\",\"marker\":{\"ident\":\"LFLY\",\"lat\":45.7294,"
	    "\"lon\":4.9389,\"zoom\":12}}");
	r = call(&f, DETAILS, "{\"icao_code\":\"NZSP\"}");
	cr_expect_str_eq(text_of(f.mem, r, "visualization"),
	    "{\"type\":\"marker_with_details\",\"marker\":{\"ident\":\"NZSP\",\"lat\":-90,\"lon\":0,\"zoom\":12,"
	    "\"use\":\"mountain\"}}");
	airfix_close(&f);
}

static const struct {
	const char *code, *fuel;      /* NULL: not found */
} codes[] = {
	{ "LFLL", "{\"avgas\":false,\"jet_a\":true}" },
	{ "LYS", "{\"avgas\":false,\"jet_a\":true}" },
	{ "LFBP", "{\"avgas\":true,\"jet_a\":false}" },
	{ "LFHJ", "{\"avgas\":null,\"jet_a\":null}" },
	{ "FR-0042", "{\"avgas\":null,\"jet_a\":null}" },
	{ "LFHP", "{\"avgas\":null,\"jet_a\":null}" },     /* heliports are known by their code */
	{ "QQQQ", NULL },
};

static const struct {
	const char *said, *pretty;
} unknown[] = {
	{ "zzz", "Airport ZZZ not found." }, { "us-0123", "Airport US-0123 not found." },
	{ "Zürich", "Airport Zürich not found." }, { "zürich", "Airport zürich not found." },
	{ "Bern", "Airport Bern not found." }, { "biggin hill", "Airport biggin hill not found." },
	{ "fairoaks", "Airport fairoaks not found." },
};

/* A swap first, then the larger airports; never the one that is closed or another country's. */
TEST(tools_airports, a_wrong_code_brings_similar_ones)
{
	static const struct { const char *code, *first; } rows[] = {
		{ "LFLX", "LFLL" }, { "lflx", "LFLL" }, { "LFPB ", NULL }, { "LFH", NULL }, { "QQQQ", NULL }, { "EGLX", NULL },
		{ "LF\u00e9x", NULL }, { "LFJH", "LFHJ" }, { "LF%_", NULL },
	};
	struct airfix f;

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *r = call(&f, DETAILS, arena_printf(f.mem, "{\"icao_code\":\"%s\"}", rows[i].code));
		struct json_object *similar = jsn_get(r, "similar");
		cr_expect_leq(jsn_len(similar), (size_t)3);
		cr_expect_eq(rows[i].first != NULL, jsn_len(similar) > 0, "%s: %s", rows[i].code, jsn_text(f.mem, r, JSN_PLAIN));
		if (rows[i].first != NULL)
			cr_expect_str_eq(jsn_get_str(jsn_at(similar, 0), "ident", ""), rows[i].first, "%s: %s", rows[i].code,
			    jsn_text(f.mem, r, JSN_PLAIN));
	}
	airfix_close(&f);
}

TEST(tools_airports, details_know_every_code)
{
	struct airfix f;

	airfix_open(&f, NULL, false);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct json_object *r = call(&f, DETAILS,
		    arena_printf(f.mem, "{\"icao_code\":\"%s\"}", codes[i].code));
		cr_expect_eq(jsn_get_bool(r, "found", false), codes[i].fuel != NULL, "%s",
		    codes[i].code);
		if (codes[i].fuel != NULL)
			cr_expect_str_eq(text_of(f.mem, r, "fuel"), codes[i].fuel, "%s: %s",
			    codes[i].code, text_of(f.mem, r, "fuel"));
	}
	cr_expect_str_eq(jsn_text(f.mem, call(&f, DETAILS, "{\"icao_code\":\" qqqq \"}"), JSN_PLAIN),
	    "{\"found\":false,\"pretty\":\"Airport QQQQ not found.\"}");
	/* a name stays as it was typed */
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		cr_expect_str_eq(jsn_get_str(call(&f, DETAILS, arena_printf(f.mem, "{\"icao_code\":\"%s\"}",
		    unknown[i].said)), "pretty", ""), unknown[i].pretty);
	airfix_close(&f);
}

/* ---- facts of one airport --------------------------------------------------------------- */

/* A database with what other programs write: ends of runways, frequencies, navaids. */
static const char facts_sql[] =
	"ALTER TABLE runways ADD le_latitude_deg REAL; ALTER TABLE runways ADD le_longitude_deg REAL;"
	"ALTER TABLE runways ADD le_elevation_ft REAL; ALTER TABLE runways ADD le_heading_degT REAL;"
	"ALTER TABLE runways ADD le_displaced_threshold_ft REAL;"
	"ALTER TABLE runways ADD he_latitude_deg REAL; ALTER TABLE runways ADD he_longitude_deg REAL;"
	"ALTER TABLE runways ADD he_elevation_ft REAL; ALTER TABLE runways ADD he_heading_degT REAL;"
	"ALTER TABLE runways ADD he_displaced_threshold_ft REAL;"
	"ALTER TABLE procedures ADD runway_ident TEXT;"
	"UPDATE procedures SET runway_ident = '34' WHERE approach_type = 'ILS';"
	"UPDATE runways SET le_heading_degT = 160.5, he_displaced_threshold_ft = 328, "
	"  he_elevation_ft = 650 WHERE le_ident = '16';"
	/* no heading is recorded: it follows from the positions of the ends */
	"UPDATE runways SET le_latitude_deg = 45.0, le_longitude_deg = 5.0, he_latitude_deg = 45.01,"
	"  he_longitude_deg = 5.0 WHERE airport_icao = 'LFHI';"
	"CREATE TABLE frequencies(id INTEGER PRIMARY KEY, airport_icao TEXT, type TEXT,"
	"  description TEXT, frequency_mhz REAL);"
	"INSERT INTO frequencies(airport_icao, type, description, frequency_mhz) VALUES"
	" ('LFLY', 'TWR', 'Bron Tower', 118.1), ('LFLY', 'ATIS', NULL, 136.005),"
	" ('LFLY', 'GND', 'nothing', 0), ('LFLL', 'TWR', 'other', 120.0);"
	"CREATE TABLE navaids(ident TEXT, name TEXT, type TEXT, latitude_deg REAL, longitude_deg REAL,"
	"  magnetic_variation_deg REAL, associated_airport TEXT);"
	"INSERT INTO navaids VALUES('FAR', 'Far', 'NDB', 46.5, 4.9389, -9, NULL),"
	" ('LSE', 'Lyon', 'VOR-DME', 45.75, 5.08, 1.5, 'LFLL'), ('BAD', 'x', 'NDB', 45.73, 4.93, 999, NULL);"
	"INSERT INTO aip_entries(airport_icao, section, field, value, std_field, std_field_id) VALUES"
	" ('LFBP', 'admin', 'VAR', '2° 30'' W (2020) / 0.1°E', 'Magnetic Variation / Annual Change', 205);";

TEST(tools_airports, facts_of_one_airport)
{
	struct airfix f;
	struct json_object *r;

	airfix_start(&f, NULL, facts_sql, false);
	r = call(&f, DETAILS, "{\"icao_code\":\"LFLY\",\"date\":\"2024-12-21\"}");
	cr_expect_str_eq(text_of(f.mem, r, "frequencies"),
	    "[{\"type\":\"TWR\",\"description\":\"Bron Tower\",\"frequency_mhz\":\"118.100\"},"
	    "{\"type\":\"ATIS\",\"description\":null,\"frequency_mhz\":\"136.005\"}]");
	cr_expect_str_eq(jsn_text(f.mem, jsn_at(jsn_get(r, "runways"), 0), JSN_PLAIN),
	    "{\"le_ident\":\"16\",\"he_ident\":\"34\",\"length_ft\":5971,\"width_ft\":148,"
	    "\"surface\":\"ASP\",\"lighted\":true,\"le_heading_true_deg\":160.5,"
	    "\"le_heading_magnetic_deg\":159,\"he_heading_true_deg\":340.5,"
	    "\"he_heading_magnetic_deg\":339,\"he_displaced_threshold_ft\":328,"
	    "\"he_elevation_ft\":650}");
	cr_expect_str_eq(text_of(f.mem, r, "magnetic_variation"),
	    "{\"degrees_east\":1.5,\"source\":\"VOR-DME LSE, 6 NM away (undated)\"}");
	cr_expect_str_eq(jsn_text(f.mem, jsn_at(jsn_get(jsn_get(r, "procedures"), "list"), 0), JSN_PLAIN),
	    "{\"name\":\"ILS RWY 34\",\"type\":\"approach\",\"approach_type\":\"ILS\",\"runway\":\"34\"}");
	cr_expect_str_eq(text_of(f.mem, r, "sun"),
	    "{\"date\":\"2024-12-21\",\"sun\":\"rises and sets\",\"civil_twilight\":\"begins and ends\","
	    "\"civil_twilight_begins\":\"2024-12-21T06:44Z\",\"sunrise\":\"2024-12-21T07:18Z\","
	    "\"sunset\":\"2024-12-21T15:59Z\",\"civil_twilight_ends\":\"2024-12-21T16:33Z\","
	    "\"method\":\"computed for a level horizon; UTC\"}");
	r = call(&f, DETAILS, "{\"icao_code\":\"LFHI\"}");
	cr_expect_eq(jsn_get_num(jsn_at(jsn_get(r, "runways"), 0), "le_heading_true_deg", -1), 0);
	cr_expect_eq(jsn_get_num(jsn_at(jsn_get(r, "runways"), 0), "he_heading_true_deg", -1), 180);
	/* the airport's own publication comes before a navaid */
	r = call(&f, DETAILS, "{\"icao_code\":\"LFBP\"}");
	cr_expect_str_eq(text_of(f.mem, r, "magnetic_variation"),
	    "{\"degrees_east\":-2.5,\"source\":\"AIP: 2° 30' W (2020) / 0.1°E\"}");
	/* no navaid within reach, no position */
	cr_expect_not(jsn_has(call(&f, DETAILS, "{\"icao_code\":\"VYPA\"}"), "magnetic_variation"));
	cr_expect_not(jsn_has(call(&f, DETAILS, "{\"icao_code\":\"ZZZZ\"}"), "sun"));
	/* polar night at the South Pole in June */
	r = call(&f, DETAILS, "{\"icao_code\":\"NZSP\",\"date\":\"2026-06-21\"}");
	cr_expect_str_eq(text_of(f.mem, r, "sun"),
	    "{\"date\":\"2026-06-21\",\"sun\":\"polar night\",\"civil_twilight\":\"none\","
	    "\"civil_twilight_begins\":null,\"sunrise\":null,\"sunset\":null,"
	    "\"civil_twilight_ends\":null,\"method\":\"computed for a level horizon; UTC\"}");
	airfix_close(&f);
}

/* The notice database's row of an airport is in its details. */
TEST(tools_airports, details_tell_the_notice)
{
	const char *path = test_data("euro_aip/ga_notifications.db");
	struct json_object *r = NULL;
	struct airfix f;
	struct err e = { OK, "" };

	if (path == NULL) {
		test_skip("no data");
		return;
	}
	airfix_start(&f, NULL, "INSERT INTO airports(icao_code, name, type) VALUES"
	    "('EGTF', 'Fairoaks', 'small_airport');", false);
	struct notices *notices = notices_new(path, NULL);
	const struct fact_sources sources = { .of = { [FACTS_NOTICE] = notices_source(notices) } };
	const struct tool_context ctx = { .airports = f.db, .sources = &sources };
	TEST_OK(tool_call(&ctx, toolset_find(tools_builtin, DETAILS), f.mem,
	    parse(f.mem, "{\"icao_code\":\"EGTF\"}"), NULL, &r, &e), e);
	cr_expect_str_eq(jsn_get_str(jsn_get(r, "notification"), "summary", ""), "By arrangement");
	cr_expect_not(jsn_has(call(&f, DETAILS, "{\"icao_code\":\"LFHJ\"}"), "notification"));
	notices_free(notices);
	airfix_close(&f);
}

static const struct {
	const char *date, *why;
} no_dates[] = {
	{ "\"2026-02-30\"", "There is no 30 February 2026" }, { "\"soon\"", "\"soon\" is not a date" },
	{ "17", "date must be text" }, { "\"2026-06-21\\u0000\"", "NUL" },
};

TEST(tools_airports, a_day_that_does_not_exist_is_refused)
{
	struct airfix f;

	airfix_open(&f, NULL, false);
	const struct tool_context ctx = { .airports = f.db };
	const struct tool *t = toolset_find(tools_builtin, DETAILS);
	for (size_t i = 0; i < sizeof(no_dates) / sizeof(no_dates[0]); i++) {
		struct json_object *o = parse(f.mem, arena_printf(f.mem,
		    "{\"icao_code\":\"LFLY\",\"date\":%s}", no_dates[i].date)), *result = NULL;
		struct err e = { OK, "" };

		cr_expect_eq(tool_call(&ctx, t, f.mem, o, NULL, &result, &e), ERR_TOOL);
		cr_expect_not_null(strstr(e.msg, no_dates[i].why), "%s", e.msg);
	}
	airfix_close(&f);
}

static const struct { const char *text; double east; } variations[] = {
	{ "0.59°E 2022 0.19°E", 0.59 }, { "0.22°W 2022 0.20°E", -0.22 }, { "1.5208°E", 1.5208 },
	{ "3° E (2020)", 3 }, { "VAR 2° 30' W", -2.5 }, { "2°30′W", -2.5 }, { "12 E", 12 },
	{ "1.20°E 0.39°E 2027", 1.2 }, { "2022: 3°E", 3 },
	{ "", NAN }, { "NIL", NAN }, { "3°", NAN }, { "200°E", NAN }, { "3 EAST", NAN },
	{ "2° 75' W", NAN }, { "nan E", NAN },
};

TEST(tools_airports, variation_of_a_publication)
{
	for (size_t i = 0; i < sizeof(variations) / sizeof(variations[0]); i++) {
		const double v = variation_parse(variations[i].text);

		cr_expect(isnan(variations[i].east) ? isnan(v) : fabs(v - variations[i].east) < 1e-9,
		    "%s: %g", variations[i].text, v);
	}
	cr_expect(isnan(variation_parse(NULL)));
}

/* The real files: imported, and asked. */
TEST(tools_airports, facts_of_the_real_set, .timeout = 240)
{
	const char *file = test_data("ourairports/airport-frequencies.csv");
	struct import_stats stats;
	struct json_object *r;
	struct airfix f;
	struct err e;

	if (file == NULL) {
		test_skip("no data");
		return;
	}
	char *dir = test_mkdtemp(), *from = strndup(file, (size_t)(strrchr(file, '/') - file)), *path;
	cr_assert_gt(asprintf(&path, "%s/real.db", dir), 0);
	const struct import_options o = { .out = path, .dir = from };
	TEST_OK(import_ourairports(&o, NULL, NULL, &stats, &e), e);
	cr_expect_gt(stats.frequencies, 25000);
	cr_expect_gt(stats.variations, 8000);
	airfix_open(&f, path, false);
	r = call(&f, DETAILS, "{\"icao_code\":\"LFAT\"}");
	cr_expect_not_null(strstr(text_of(f.mem, r, "frequencies"),
	    "{\"type\":\"TWR\",\"description\":\"TWR\",\"frequency_mhz\":\"118.450\"}"));
	cr_expect_str_eq(text_of(f.mem, r, "codes"),
	    "{\"ident\":\"LFAT\",\"icao\":\"LFAT\",\"iata\":\"LTQ\",\"local\":null}");
	r = call(&f, DETAILS, "{\"icao_code\":\"LSGS\"}");
	cr_expect_not_null(strstr(text_of(f.mem, r, "magnetic_variation"), "VOR-DME SIO, 2 NM away"));
	cr_expect_not_null(strstr(text_of(f.mem, r, "runways"), "\"le_heading_true_deg\":73"));
	airfix_close(&f);
	free(path);
	free(from);
	test_rmdir(dir);
}

/* ---- older tools: a country's points of entry, and counts --------------------------------- */

#define ENTRIES "get_border_crossing_airports"
#define COUNTS "get_airport_statistics"

TEST(tools_airports, points_of_entry)
{
	struct airfix f;
	struct json_object *r;

	airfix_open(&f, NULL, false);
	r = call(&f, ENTRIES, "{}");
	cr_expect_str_eq(keys(f.mem, r),
	    "found count by_country airports pretty filter_profile visualization");
	cr_expect_eq(jsn_get_int(r, "count", -1), 2);
	cr_expect_str_eq(keys(f.mem, jsn_get(r, "by_country")), "FR");
	cr_expect_str_eq(places(f.mem, r), "LFLY, LFLL");
	cr_expect_str_eq(keys(f.mem, jsn_at(jsn_get(r, "airports"), 0)), SUMMARY);
	cr_expect_str_eq(text_of(f.mem, r, "filter_profile"), "{\"point_of_entry\":true}");
	cr_expect_str_eq(keys(f.mem, jsn_get(r, "visualization")), "type data markers style");
	cr_expect_str_eq(jsn_get_str(jsn_get(r, "visualization"), "style", ""), "customs");
	r = call(&f, ENTRIES, "{\"country\":\"france\"}");
	cr_expect_str_eq(text_of(f.mem, r, "filter_profile"),
	    "{\"point_of_entry\":true,\"country\":\"FR\"}");
	cr_expect_str_eq(jsn_get_str(r, "pretty", ""), "2 airports are recorded as points of entry in France.");
	r = call(&f, ENTRIES, "{\"country\":\"CH\"}");
	cr_expect_not(jsn_get_bool(r, "found", true));
	cr_expect_str_eq(jsn_get_str(r, "pretty", ""), "No point of entry is recorded in Switzerland.");
	r = call(&f, ENTRIES, "{\"country\":\"Narnia\"}");
	cr_expect_not(jsn_get_bool(r, "found", true));
	cr_expect_not_null(strstr(jsn_get_str(r, "pretty", ""), "“Narnia” is not a country"));
	airfix_close(&f);
	/* a database without that kind of data says so */
	airfix_open_bare(&f);
	r = call(&f, ENTRIES, "{\"country\":\"FR\"}");
	cr_expect_not(jsn_get_bool(r, "found", true));
	cr_expect_not_null(strstr(jsn_get_str(r, "pretty", ""), "has no data on border crossings"));
	airfix_close(&f);
}

TEST(tools_airports, statistics)
{
	struct airfix f;
	struct json_object *r;

	airfix_open(&f, NULL, false);
	r = call(&f, COUNTS, "{\"country\":\"FR\"}");
	cr_expect_str_eq(keys(f.mem, r), "found country stats pretty");
	/* LFLY, LFLL, LFHJ, LFHI, LF52, LFBP: no heliport, no closed airfield, no long ident */
	cr_expect_str_eq(text_of(f.mem, r, "stats"), "{\"total_airports\":6,\"with_customs\":2,"
	    "\"with_avgas\":2,\"with_jet_a\":2,\"with_procedures\":3,\"with_hard_runway\":3,"
	    "\"with_lighted_runway\":3,\"with_aip_data\":3,\"with_fuel_data\":3,"
	    "\"with_customs_pct\":33.3,\"with_avgas_pct\":33.3,\"with_jet_a_pct\":33.3,"
	    "\"with_procedures_pct\":50,\"with_hard_runway_pct\":50,\"with_lighted_runway_pct\":50,"
	    "\"with_aip_data_pct\":50,\"with_fuel_data_pct\":50}");
	r = call(&f, COUNTS, "{\"country\":\"Japan\"}");
	cr_expect_not(jsn_get_bool(r, "found", true));
	cr_expect_eq(jsn_get_int(jsn_get(r, "stats"), "total_airports", -1), 0);
	cr_expect_eq(jsn_get_num(jsn_get(r, "stats"), "with_avgas_pct", -1), 0);
	airfix_close(&f);
}

/* expected_derived.csv: the numbers of the original's data model. */
TEST(tools_airports, statistics_of_the_real_database)
{
	const char *path = test_data("euro_aip/airports.db");
	struct json_object *r;
	struct airfix f;

	if (path == NULL) {
		test_skip("no data");
		return;
	}
	airfix_open(&f, path, false);
	r = jsn_get(call(&f, COUNTS, "{}"), "stats");
	cr_expect_eq(jsn_get_int(r, "total_airports", -1), 3226);
	cr_expect_eq(jsn_get_int(r, "with_customs", -1), 620, "%s", jsn_text(f.mem, r, JSN_PLAIN));
	r = call(&f, ENTRIES, "{\"country\":\"FR\"}");
	cr_expect_eq(jsn_get_int(r, "count", -1), 78);
	cr_expect_eq(jsn_len(jsn_get(r, "airports")), 10);
	cr_expect_eq(jsn_len(jsn_get(jsn_get(r, "visualization"), "data")), 78);
	r = call(&f, ENTRIES, "{}");
	cr_expect_eq(jsn_len(jsn_get(r, "by_country")), 5);
	cr_expect_eq(jsn_len(jsn_get(jsn_get(r, "visualization"), "data")), 200);
	airfix_close(&f);
}

