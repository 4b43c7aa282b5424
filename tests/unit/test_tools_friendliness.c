/*
 * Friendliness in the tools: members of results, order by persona, and the tools on fees, reviews and
 * fuel prices, on the real European data.
 */
#include "tools/tool.h"

#include "airports/friendliness.h"
#include "base/str.h"
#include "tests/unit/airports_fixture.h"

struct tools_fix {
	struct airfix air;
	struct personas personas;
	struct friendliness *friendly;
	struct fact_sources sources;
	struct tool_context ctx;
};

/* False: the real data is not here. */
static bool start(struct tools_fix *f, bool with_friendliness)
{
	const char *airports = test_data("euro_aip/airports.db"), *persona_db = NULL;
	struct err e = { OK, "" };

	if (airports == NULL)
		return false;
	airfix_open(&f->air, airports, false);
	if (with_friendliness)
		persona_db = test_data("euro_aip/ga_persona.db");
	TEST_OK(personas_load(&f->personas, f->air.mem, TEST_SRCDIR "/conf/personas.json", &e), e);
	f->friendly = friendliness_new(persona_db, &f->personas);
	f->sources = (struct fact_sources){ .of[FACTS_FRIENDLINESS] = friendliness_source(f->friendly) };
	f->ctx = (struct tool_context){ .airports = f->air.db, .sources = &f->sources,
		.personas = &f->personas };
	return true;
}

static void finish(struct tools_fix *f)
{
	friendliness_free(f->friendly);
	airfix_close(&f->air);
}

static struct json_object *call(struct tools_fix *f, const char *tool, const char *args,
    const char *persona)
{
	struct json_object *o = NULL, *result = NULL;
	const struct tool *t = toolset_find(tools_builtin, tool);
	struct err e = { OK, "" };

	TEST_OK(jsn_parse(f->air.mem, args, strlen(args), JSN_DEPTH, &o, NULL, &e), e);
	cr_assert_not_null(t);
	TEST_OK(tool_check(t, o, &e), e);
	TEST_OK(tool_call(&f->ctx, t, f->air.mem, o, persona, &result, &e), e);
	return result;
}

static const char *idents(struct tools_fix *f, struct json_object *list)
{
	const char *text = "";

	for (size_t i = 0; i < jsn_len(list); i++)
		text = arena_printf(f->air.mem, "%s%s%s", text, i > 0 ? " " : "",
		    jsn_get_str(jsn_at(list, i), "ident", "?"));
	return text;
}

#define ROUTE "find_airports_near_route"
#define EGTF_LFMD "\"from_location\":\"EGTF\",\"to_location\":\"LFMD\""

static const struct {
	const char *tool, *args, *persona;
	int64_t total;
	const char *idents;
	bool unrecorded;
} searches[] = {
	/* known to have a restaurant; of the others nothing is recorded */
	{ ROUTE, "{" EGTF_LFMD ",\"filters\":{\"restaurant\":\"any\"}}", "ifr_touring_sr22", 6,
	  "LFPN LFRG LFAT LFMD EGTK", true },
	{ ROUTE, "{" EGTF_LFMD ",\"filters\":{\"hotel\":\"at_airport\"}}", "ifr_touring_sr22", 3, "EGLF EGMC EGKB",
	  true },
	{ "search_airports", "{\"query\":\"France\",\"filters\":{\"max_landing_fee\":20}}", "ifr_touring_sr22",
	  4, "LFKC LFAT LFQA LFLX", true },
	/* another kind of pilot sees another order */
	{ "search_airports", "{\"query\":\"France\",\"filters\":{\"max_landing_fee\":20}}", "vfr_budget",
	  4, "LFQA LFKC LFLX LFAT", true },
	/* a heavier aircraft pays more: LFKC 21 EUR */
	{ "search_airports", "{\"query\":\"France\",\"filters\":{\"max_landing_fee\":20,"
	  "\"fee_aircraft\":\"SR22\"}}", "ifr_touring_sr22", 3, "LFAT LFQA LFLX", true },
	/* fees in pounds are not compared with euros */
	{ "find_airports_near_location", "{\"location_query\":\"EGTF\",\"filters\":{\"max_landing_fee\":99}}",
	  "ifr_touring_sr22", 0, "", true },
	{ "find_airports_near_location", "{\"location_query\":\"EGTF\",\"filters\":{\"max_landing_fee\":20,"
	  "\"fee_currency\":\"GBP\"}}", "ifr_touring_sr22", 1, "EGTF", true },
};

TEST(tools_friendliness, searches)
{
	struct tools_fix f;

	if (!start(&f, true))
		test_skip("the real data is not here");
	for (size_t i = 0; i < sizeof(searches) / sizeof(searches[0]); i++) {
		struct json_object *r = call(&f, searches[i].tool, searches[i].args, searches[i].persona);
		struct json_object *maybe = jsn_get(r, "unrecorded");

		cr_expect_eq(jsn_get_int(r, "total_found", -1), searches[i].total, "%s: %lld",
		    searches[i].args, (long long)jsn_get_int(r, "total_found", -1));
		cr_expect_str_eq(idents(&f, jsn_get(r, "airports")), searches[i].idents, "%s %s: %s",
		    searches[i].args, searches[i].persona, idents(&f, jsn_get(r, "airports")));
		cr_expect_eq(jsn_len(maybe) > 0, searches[i].unrecorded, "%s", searches[i].args);
		cr_expect_leq(jsn_len(maybe), 10);
		cr_expect_eq(jsn_get(jsn_get(r, "visualization"), "unrecorded"), maybe);
	}
	finish(&f);
}

TEST(tools_friendliness, members_of_a_search)
{
	struct tools_fix f;
	struct json_object *r;

	if (!start(&f, true))
		test_skip("the real data is not here");
	r = call(&f, "search_airports", "{\"query\":\"LFAT\"}", "lunch_stop");
	cr_expect_str_eq(jsn_text(f.air.mem, jsn_get(jsn_at(jsn_get(r, "airports"), 0), "friendliness"),
	    JSN_PLAIN), "{\"score\":0.6,\"rating\":4.4,\"review_count\":16,\"hotel\":\"vicinity\","
	    "\"restaurant\":\"at_airport\",\"landing_fee\":{\"fee\":12,\"currency\":\"EUR\",\"fee_band\":"
	    "\"fee_band_750_1199kg\",\"fee_last_updated_utc\":\"2025-06-01T00:00:00Z\",\"mtow_kg\":1157},"
	    "\"tags\":[\"cheap\",\"excellent\",\"good\",\"simple\",\"very_positive\",\"walking\"],"
	    "\"summary\":\"Sample text: classic cross-border lunch stop, good food in town, low fees.\"}");
	r = call(&f, "search_airports", "{\"query\":\"LFAC\"}", "lunch_stop");
	cr_expect_not(jsn_has(jsn_at(jsn_get(r, "airports"), 0), "friendliness"));
	r = jsn_get(call(&f, "get_airport_details", "{\"icao_code\":\"LFAT\"}", NULL), "friendliness");
	cr_expect_str_eq(jsn_get_str(r, "restaurant_info", ""), "at_airport");
	cr_expect_eq(jsn_get_num(r, "rating", 0), 4.43);
	cr_expect_eq(jsn_len(jsn_get(jsn_get(r, "landing_fees"), "bands")), 6);
	/* no persona is asked for: the standard one's score */
	cr_expect_float_eq(jsn_get_num(r, "score", 0), 0.6173, 1e-6);
	cr_expect_not(jsn_has(call(&f, "get_airport_details", "{\"icao_code\":\"LFAC\"}", NULL),
	    "friendliness"));
	finish(&f);
}

static const struct {
	const char *tool, *args;
	bool found;
	const char *pretty;
} singles[] = {
	{ "get_airport_pricing", "{\"icao_code\":\"lfat\"}", true,
	  "Landing fee of Le Touquet-Côte d'Opale Airport (LFAT) for 1157 kg: 12 EUR." },
	{ "get_airport_pricing", "{\"icao_code\":\"LFAT\",\"aircraft\":\"SR22\"}", true,
	  "Landing fee of Le Touquet-Côte d'Opale Airport (LFAT) for 1633 kg: 18 EUR." },
	{ "get_airport_pricing", "{\"icao_code\":\"EGTF\",\"aircraft\":\"PC12\"}", true,
	  "No landing fee of Fairoaks Airport (EGTF) is recorded for 4740 kg." },
	{ "get_airport_pricing", "{\"icao_code\":\"LFAC\"}", false,
	  "No landing fee is recorded for Calais Marck Airport (LFAC). Call the airfield before you fly." },
	{ "get_airport_pricing", "{\"icao_code\":\"QQQQ\"}", false, "Airport QQQQ not found." },
	{ "get_pilot_reviews", "{\"icao_code\":\"LFAT\"}", true,
	  "Le Touquet-Côte d'Opale Airport (LFAT): rated 4.4 of 5 in 16 reviews. Sample text: classic "
	  "cross-border lunch stop, good food in town, low fees." },
	{ "get_pilot_reviews", "{\"icao_code\":\"EBAW\"}", false,
	  "No review of Antwerp International Airport (Deurne) (EBAW) is recorded." },
	{ "get_fuel_prices", "{\"icao_code\":\"LFAT\"}", false, "Fuel prices are not recorded here. Fuel at "
	  "Le Touquet-Côte d'Opale Airport (LFAT): AVGAS yes, Jet A yes. Call the airfield for the price." },
	{ "get_fuel_prices", "{\"icao_code\":\"LFAC\"}", false, "Fuel prices are not recorded here. Fuel at "
	  "Calais Marck Airport (LFAC): AVGAS not recorded, Jet A not recorded. Call the airfield for the price." },
};

TEST(tools_friendliness, one_airport)
{
	struct tools_fix f;
	struct err e = { OK, "" };
	struct json_object *o;

	if (!start(&f, true))
		test_skip("the real data is not here");
	for (size_t i = 0; i < sizeof(singles) / sizeof(singles[0]); i++) {
		o = call(&f, singles[i].tool, singles[i].args, "lunch_stop");
		cr_expect_eq(jsn_get_bool(o, "found", !singles[i].found), singles[i].found, "%s", singles[i].args);
		cr_expect_str_eq(jsn_get_str(o, "pretty", ""), singles[i].pretty);
		cr_expect_eq(*jsn_get_str(o, "reason", "") != '\0', !singles[i].found, "%s", singles[i].args);
		cr_expect_not(tools_builtin.n == 0 || !toolset_find(tools_builtin, singles[i].tool)->older);
	}
	o = call(&f, "get_pilot_reviews", "{\"icao_code\":\"LFAT\"}", "lunch_stop");
	cr_expect_str_eq(jsn_get_str(jsn_get(o, "explained"), "persona_id", ""), "lunch_stop");
	o = jsn_object(f.air.mem);
	jsn_add_str(o, "icao_code", "LFAT");
	jsn_add_str(o, "aircraft", "Zeppelin");
	cr_expect_eq(tool_check(toolset_find(tools_builtin, "get_airport_pricing"), o, &e), ERR_INPUT);
	cr_expect(strstr(e.msg, "aircraft must be a type such as SR22") != NULL, "%s", e.msg);
	finish(&f);
}

/* The original took any name for the usual order, and told nobody. So does this: a client of the original
 * sends one that it never had. */
TEST(tools_friendliness, an_unknown_strategy_gives_the_usual_order)
{
	struct tools_fix f;
	static const char *const usual = "{" EGTF_LFMD ",\"filters\":{\"restaurant\":\"any\"}}";
	static const char *const odd = "{" EGTF_LFMD ",\"filters\":{\"restaurant\":\"any\"},"
	    "\"priority_strategy\":\"cost_optimized\"}";

	if (!start(&f, true))
		test_skip("the real data is not here");
	const char *expected = idents(&f, jsn_get(call(&f, ROUTE, usual, "lunch_stop"), "airports"));
	cr_expect_str_eq(idents(&f, jsn_get(call(&f, ROUTE, odd, "lunch_stop"), "airports")), expected);
	cr_expect_neq(*expected, '\0');
	finish(&f);
}

/* Without the database everything that needs it is "not recorded", and nothing fails. */
TEST(tools_friendliness, no_database)
{
	struct tools_fix f;
	struct json_object *r;

	if (!start(&f, false))
		test_skip("the real data is not here");
	r = call(&f, ROUTE, "{" EGTF_LFMD ",\"filters\":{\"restaurant\":\"any\"}}", "lunch_stop");
	cr_expect_eq(jsn_get_int(r, "total_found", -1), 0);
	cr_expect_eq(jsn_len(jsn_get(r, "unrecorded")), 10);
	r = call(&f, "get_airport_pricing", "{\"icao_code\":\"LFAT\"}", "lunch_stop");
	cr_expect_not(jsn_get_bool(r, "found", true));
	f.ctx.sources = NULL;
	f.ctx.personas = NULL;
	r = call(&f, "get_pilot_reviews", "{\"icao_code\":\"LFAT\"}", "lunch_stop");
	cr_expect_not(jsn_get_bool(r, "found", true));
	finish(&f);
}
