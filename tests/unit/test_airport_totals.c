/*
 * Counts of a whole database, and lists of procedures.
 */
#include "tests/unit/test.h"

#include "airports/airport_totals.h"
#include "airports/procedure_list.h"
#include "base/jsn.h"
#include "base/str.h"
#include "tests/unit/airports_fixture.h"

static struct json_object *document(struct airfix *f, const char *name)
{
	struct json_object *o = NULL;
	struct err e = { OK, "" };
	const char *json;

	TEST_OK(airport_totals(f->con, f->mem, name, &json, &e), e);
	TEST_OK(jsn_parse(f->mem, json, strlen(json), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

static const char *text_of(struct airfix *f, const char *name, const char *member)
{
	struct json_object *o = document(f, name);

	return jsn_text(f->mem, member != NULL ? jsn_get(o, member) : o, JSN_PLAIN);
}

/* Two rows for one thing, texts that mean nothing, an odd spelling, and facts of airports that searches do not show. */
static const char odd[] =
	"INSERT INTO runways(airport_icao, le_ident, he_ident, length_ft, surface, lighted) VALUES"
	" ('LFLY', '16', '34', 5971, 'ASP', 1), ('LFHI', 'x', 'y', 'nan', '', NULL), ('LFHP', 'H', 'H', 60, 'CON', 1),"
	" ('FR-0042', '01', '19', 900, 'Grass', 0), ('LFHI', '02', '20', 0, 'NaN', 0);"
	"INSERT INTO procedures(airport_icao, name, procedure_type, approach_type) VALUES"
	" ('LFLY', 'ILS RWY 34', 'approach', NULL), ('LFLL', 'SID', 'Departure', NULL), ('LFLL', 'odd', 'nan', 'nan'),"
	" ('LFHP', 'H1', 'approach', 'RNP');"
	"INSERT INTO aip_entries(airport_icao, section, field, value, std_field, std_field_id) VALUES"
	" ('LFLY', 'handling', 'Fuel', 'AVGAS', 'Fuel and oil types', 402), ('LFHI', 'nan', 'x\"y', 'z', 'q\"', NULL);"
	"INSERT INTO border_crossing_points(icao_code, country_iso, airport_name, source, matched_airport_icao)"
	" VALUES ('LSZH', 'CH', 'Zurich', '', 'LSZH');"
	"UPDATE airports SET sources = ' a , b,,a' WHERE icao_code = 'LFLY';"
	"UPDATE airports SET sources = 'b' WHERE icao_code IN ('LFLL', 'LFHP');";

static const struct {
	const char *document, *member, *holds;
} totals[] = {
	{ "procedures/statistics", NULL, "{\"total_procedures\":6,\"airports_with_procedures\":3,\"procedure_types\":{\"approach\":4,"
	    "\"departure\":1},\"approach_types\":{\"ILS\":3,\"RNP\":1},\"average_procedures_per_airport\":0.4}" },
	{ "filters/procedure-types", NULL, "[{\"type\":\"approach\",\"count\":4},{\"type\":\"departure\",\"count\":1}]" },
	{ "filters/aip-sections", NULL, "[{\"section\":\"admin\",\"count\":2},{\"section\":\"handling\",\"count\":3},"
	    "{\"section\":\"operational\",\"count\":1}]" },
	{ "filters/aip-fields", NULL, "[{\"field\":\"Customs and immigration\",\"count\":1},{\"field\":\"Fuel and oil types\",\"count\":3},"
	    "{\"field\":\"Remarks\",\"count\":1},{\"field\":\"q\\\"\",\"count\":1}]" },
	{ "filters/sources", NULL, "[{\"source\":\"a\",\"count\":1},{\"source\":\"b\",\"count\":2}]" },
	{ "filters/border-crossing", NULL, "{\"total_entries\":3,\"countries_count\":2,\"matched_count\":1,\"unmatched_count\":2,"
	    "\"match_rate\":0.3333,\"by_source\":{\"test\":2,\"unknown\":1},\"by_country\":{\"CH\":1,\"FR\":2}}" },
	{ "statistics/runway-statistics", "lengths", "{\"min\":2067,\"max\":13123,\"average\":5585.055555555556,\"count\":9,\"distribution\":"
	    "[{\"category\":\"Short (< 3000 ft)\",\"count\":5,\"percentage\":55.6},{\"category\":\"Medium (3000-6000 ft)\",\"count\":1,"
	    "\"percentage\":11.1},{\"category\":\"Long (6000-9000 ft)\",\"count\":1,\"percentage\":11.1},"
	    "{\"category\":\"Very Long (> 9000 ft)\",\"count\":2,\"percentage\":22.2}]}" },
	{ "filters/runway-characteristics", "surfaces", "[{\"surface\":\"asp\",\"count\":3},{\"surface\":\"con\",\"count\":2},"
	    "{\"surface\":\"grass\",\"count\":4}]" },
	{ "filters/runway-characteristics", "lighting", "[{\"lighting\":\"lighted\",\"count\":4},{\"lighting\":\"unlighted\",\"count\":6}]" },
	{ "statistics/data-quality", NULL, "{\"total_airports\":15,\"coverage\":{\"coordinates\":{\"count\":14,\"percentage\":93.3},"
	    "\"runways\":{\"count\":7,\"percentage\":46.7},\"procedures\":{\"count\":3,\"percentage\":20},"
	    "\"aip_data\":{\"count\":4,\"percentage\":26.7},\"complete_data\":{\"count\":3,\"percentage\":20}}}" },
	{ "statistics/overview", "sources_used", "[\"a\",\"b\"]" },
	{ "statistics/overview", "created_at", "null" },
};

TEST(airport_totals, counts)
{
	struct airfix f;

	airfix_start(&f, NULL, odd, false);
	for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++)
		cr_expect_str_eq(text_of(&f, totals[i].document, totals[i].member), totals[i].holds, "%s %s: %s",
		    totals[i].document, totals[i].member, text_of(&f, totals[i].document, totals[i].member));
	airfix_close(&f);
}

TEST(airport_totals, countries)
{
	struct airfix f;

	airfix_start(&f, NULL, "", false);
	cr_expect_str_eq(text_of(&f, "filters/countries", NULL), "[{\"code\":\"FR\",\"name\":\"France\",\"count\":6},"
	    "{\"code\":\"AQ\",\"name\":\"Antarctica\",\"count\":2},{\"code\":\"FJ\",\"name\":\"Fiji\",\"count\":2},"
	    "{\"code\":\"MM\",\"name\":\"Myanmar\",\"count\":1},{\"code\":\"CH\",\"name\":\"Switzerland\",\"count\":2},"
	    "{\"code\":\"US\",\"name\":\"United States\",\"count\":1}]");
	struct json_object *all = document(&f, "statistics/by-country");
	int64_t sum = 0;
	for (size_t i = 0; i < jsn_len(all); i++)
		sum += jsn_get_int(jsn_at(all, i), "total_airports", 0);
	cr_expect_eq(sum, jsn_get_int(document(&f, "statistics/overview"), "total_airports", 0));
	cr_expect_str_eq(jsn_get_str(jsn_at(all, jsn_len(all) - 1), "country", ""), "Unknown");
	airfix_close(&f);
}

TEST(airport_totals, all_idents_and_no_such_document)
{
	struct airfix four, all;
	struct err e = { OK, "" };
	const char *json;

	airfix_start(&four, NULL, "", false);
	airfix_start(&all, NULL, "", true);
	cr_expect_eq(jsn_get_int(document(&all, "statistics/overview"), "total_airports", 0),
	    jsn_get_int(document(&four, "statistics/overview"), "total_airports", 0) + 1, "FR-0042");
	cr_expect_eq(airport_totals(four.con, four.mem, "filters/nothing", &json, &e), ERR_NOTFOUND);
	airfix_close(&all);
	airfix_close(&four);
}

TEST(airport_totals, a_database_without_details)
{
	struct airfix f;

	airfix_open_bare(&f);
	cr_expect_str_eq(text_of(&f, "statistics/procedure-distribution", NULL), "{\"procedure_types\":[],\"approach_types\":[]}");
	cr_expect_str_eq(text_of(&f, "statistics/aip-data-distribution", NULL), "{\"sections\":[],\"fields\":[],\"sources\":[]}");
	cr_expect_eq(jsn_get_num(document(&f, "filters/border-crossing"), "match_rate", -1), 0);
	airfix_close(&f);
}

/* Only the columns that every such database has. */
static const char bare_columns[] =
	"ALTER TABLE procedures DROP COLUMN approach_type; ALTER TABLE border_crossing_points DROP COLUMN country_iso;"
	"ALTER TABLE airports DROP COLUMN sources; ALTER TABLE airports ADD COLUMN updated_at TEXT;";

TEST(airport_totals, columns_that_are_not_there)
{
	struct airfix f;

	airfix_start(&f, NULL, bare_columns, false);
	cr_expect_str_eq(text_of(&f, "procedures/statistics", "approach_types"), "{}");
	cr_expect_str_eq(text_of(&f, "procedures/statistics", "procedure_types"), "{\"approach\":4}");
	cr_expect_str_eq(text_of(&f, "filters/sources", NULL), "[]");
	cr_expect_str_eq(text_of(&f, "statistics/overview", "updated_at"), "null");
	cr_expect_str_eq(text_of(&f, "filters/border-crossing", "by_source"), "{\"unknown\":2}");
	cr_expect_str_eq(text_of(&f, "filters/border-crossing", "by_country"), "{}");
	airfix_close(&f);
}

TEST(airport_totals, an_index_without_counts)
{
	struct airfix f;
	struct err e = { OK, "" };
	const char *json;
	struct airport a;
	bool found;

	/* a view with a column that cannot be read: no query on it works */
	airfix_start(&f, NULL, "ALTER TABLE border_crossing_points RENAME TO b; CREATE VIEW border_crossing_points AS "
	    "SELECT icao_code, matched_airport_icao, abs(-9223372036854775808) AS country_iso, 'x' AS source FROM b;", false);
	cr_expect_eq(airport_totals(f.con, f.mem, "filters/all", &json, &e), ERR_NOTFOUND);
	TEST_OK(airdb_by_code(f.con, f.mem, "LFLY", &a, &found, &e), e);
	cr_expect(found, "searches work");
	airfix_close(&f);
}

/* A list that does not fit is not cut into broken JSON: the index goes without counts. */
TEST(airport_totals, a_name_that_is_too_long)
{
	struct airfix f;
	struct err e = { OK, "" };
	const char *json;
	struct airport a;
	bool found;

	airfix_start(&f, NULL, "INSERT INTO aip_entries(airport_icao, section, field, value, std_field, std_field_id) "
	    "VALUES ('LFLY', 'handling', 'Fuel', 'AVGAS', printf('%.*c', 9 << 20, 'x'), 402);", false);
	cr_expect_eq(airport_totals(f.con, f.mem, "filters/aip-fields", &json, &e), ERR_NOTFOUND);
	TEST_OK(airdb_by_code(f.con, f.mem, "LFLY", &a, &found, &e), e);
	cr_expect(found, "searches work");
	airfix_close(&f);
}

/* ---- procedures ------------------------------------------------------------------------ */

static const struct {
	const char *what;
	struct procedure_wish wish;
	const char *found;            /* "LFLY ILS RWY 34|…" */
} wishes[] = {
	{ "all, by ident", { .limit = 100 }, "LFBP ILS RWY 31|LFLL ILS RWY 35R|LFLL SID|LFLL odd|LFLY ILS RWY 34|LFLY RNP RWY 16" },
	{ "a page", { .limit = 2, .offset = 3 }, "LFLL odd|LFLY ILS RWY 34" },
	{ "by type", { .limit = 100, .type = "DEPARTURE" }, "LFLL SID" },
	{ "by approach", { .limit = 100, .approach_type = "rnp" }, "LFLY RNP RWY 16" },
	{ "of an airport", { .limit = 100, .airport = "LFLY" }, "LFLY ILS RWY 34|LFLY RNP RWY 16" },
	{ "of an airport that is not shown", { .limit = 100, .airport = "NOPE" }, "" },
	{ "none", { .limit = 100, .runway = "09" }, "" },
	{ "beyond the end", { .limit = 100, .offset = 100 }, "" },
};

TEST(procedure_list, wishes)
{
	struct airfix f;
	struct err e = { OK, "" };

	airfix_start(&f, NULL, odd, false);
	for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++) {
		struct listed_procedure *v;
		const char *text = "";
		size_t n;

		TEST_OK(procedure_list(f.con, f.mem, &wishes[i].wish, &v, &n, &e), e);
		for (size_t k = 0; k < n; k++)
			text = arena_printf(f.mem, "%s%s%s %s", text, k > 0 ? "|" : "", v[k].ident, v[k].procedure.name);
		cr_expect_str_eq(text, wishes[i].found, "%s: %s", wishes[i].what, text);
	}
	airfix_close(&f);
}
