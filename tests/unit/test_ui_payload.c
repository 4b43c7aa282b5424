/*
 * UI payload: each kind's members, what is taken over from the result, when there is none.
 */
#include "agents/aviation/ui_payload.h"
#include "tests/unit/rules_tools_call.h"
#include "tests/unit/test.h"

static const struct tool notice_tool = {
	.name = "get_notification_for_airport", .result = RESULT_NOTICE, .ui = TOOL_UI_AIRPORT,
};

static struct json_object *parse(struct arena *a, const char *text)
{
	struct json_object *o = NULL;
	struct err e = { .code = OK };

	if (text)
		TEST_OK(jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

#define ROUTE(from, to, markers) \
	"{\"type\":\"route_with_markers\",\"route\":{\"from\":{\"icao\":\"" from "\"}," \
	"\"to\":{\"icao\":\"" to "\"}},\"markers\":" markers "}"

static const struct {
	const char *tool;             /* of the tool table, else a row above */
	const struct tool *own;
	const char *args, *result, *suggested;
	bool mcp_raw;
	const char *expect;           /* NULL: no payload */
} rows[] = {
	{ "find_airports_near_route", NULL, "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\"}",
	  "{\"count\":1,\"airports\":[{\"ident\":\"LFPT\"}],\"filter_profile\":{\"route_distance\":50},"
	  "\"substitutions\":{},\"unrecorded\":[{\"ident\":\"LFXX\"}],"
	  "\"visualization\":" ROUTE("EGTF", "LFMD", "[]") "}",
	  "[{\"text\":\"x\"}]", false,
	  "{\"kind\":\"route\",\"tool\":\"find_airports_near_route\",\"departure\":\"EGTF\","
	  "\"destination\":\"LFMD\",\"filters\":{\"route_distance\":50},"
	  "\"visualization\":" ROUTE("EGTF", "LFMD", "[]") ",\"airports\":[{\"ident\":\"LFPT\"}],"
	  "\"unrecorded\":[{\"ident\":\"LFXX\"}],\"suggested_queries\":[{\"text\":\"x\"}]}" },
	/* the names of older callers; an empty one does not hide the next; ifr only when given */
	{ "find_airports_near_route", NULL,
	  "{\"from_location\":\"\",\"from_icao\":\"EGLL\",\"destination\":\"LFPG\",\"ifr\":false}",
	  "{\"count\":0}", "[]", false,
	  "{\"kind\":\"route\",\"tool\":\"find_airports_near_route\",\"departure\":\"EGLL\","
	  "\"destination\":\"LFPG\",\"ifr\":false}" },
	{ "search_airports", NULL, "{\"query\":\"Lyon\"}", "{\"count\":0,\"airports\":[]}", NULL, false,
	  "{\"kind\":\"route\",\"tool\":\"search_airports\",\"departure\":null,\"destination\":null,"
	  "\"airports\":[]}" },
	{ "find_airports_near_location", NULL, "{\"location_query\":\"Paris\",\"ifr\":null}",
	  "{\"found\":false}", NULL, false,
	  "{\"kind\":\"route\",\"tool\":\"find_airports_near_location\",\"departure\":null,"
	  "\"destination\":null}" },
	{ "get_airport_details", NULL, "{\"icao_code\":\"egkb\"}", "{\"found\":true}", NULL, true,
	  "{\"kind\":\"airport\",\"tool\":\"get_airport_details\",\"icao\":\"egkb\","
	  "\"mcp_raw\":{\"found\":true}}" },
	{ NULL, &notice_tool, "{\"icao\":\"LFRG\",\"icao_code\":\"LFAT\"}", "{\"found\":false}", NULL,
	  false, "{\"kind\":\"airport\",\"tool\":\"get_notification_for_airport\",\"icao\":\"LFRG\"}" },
	/* rules: tags in the form rules are stored with, categories from what was found */
	{ "answer_rules_question", NULL, "{\"country_code\":\"FR\",\"tags\":[\"Flight Plan\",7,\" VFR \"]}",
	  "{\"found\":true,\"country_code\":\"FR\",\"rules\":[{\"category\":\"VFR\"},"
	  "{\"category\":\"International\",\"country_code\":\"FR\"},{\"category\":\"VFR\"}]}", NULL, false,
	  "{\"kind\":\"rules\",\"tool\":\"answer_rules_question\",\"region\":\"FR\",\"topic\":null,"
	  "\"show_rules\":{\"countries\":[\"FR\"],\"tags_by_country\":{\"FR\":[\"flight_plan\",\"vfr\"]},"
	  "\"categories_by_country\":{\"FR\":[\"VFR\",\"International\"]}}}" },
	{ "answer_rules_question", NULL, "{\"country_code\":\"XX\",\"category\":\"VFR\"}",
	  "{\"found\":false,\"country_code\":\"XX\"}", NULL, false,
	  "{\"kind\":\"rules\",\"tool\":\"answer_rules_question\",\"region\":\"XX\",\"topic\":\"VFR\","
	  "\"show_rules\":{\"countries\":[\"XX\"],\"tags_by_country\":{},\"categories_by_country\":{}}}" },
	{ "compare_rules_between_countries", NULL, "{\"countries\":[\"FR\",\"GB\"],\"tags\":[\"vfr\"]}",
	  "{\"found\":true,\"countries\":[\"FR\",\"GB\",3],\"differences\":[{\"category\":\"Airspace\","
	  "\"answers\":{\"FR\":\"a\",\"GB\":\"b\"}},{\"category\":\"VFR\",\"answers\":{\"GB\":\"c\"}}]}",
	  NULL, false,
	  "{\"kind\":\"rules\",\"tool\":\"compare_rules_between_countries\",\"region\":null,"
	  "\"topic\":null,\"show_rules\":{\"countries\":[\"FR\",\"GB\"],"
	  "\"tags_by_country\":{\"FR\":[\"vfr\"],\"GB\":[\"vfr\"]},"
	  "\"categories_by_country\":{\"FR\":[\"Airspace\"],\"GB\":[\"Airspace\",\"VFR\"]}}}" },
	{ "compare_rules_between_countries", NULL, "{}", "{\"found\":true,\"countries\":[]}", NULL, false,
	  "{\"kind\":\"rules\",\"tool\":\"compare_rules_between_countries\",\"region\":null,"
	  "\"topic\":null}" },
	/* a tag that no rule has would hide them all */
	{ "browse_rules", NULL, "{\"country_code\":\"uk\",\"tags\":[\"VFR\",\"Mood\"],\"limit\":5}",
	  "{\"found\":true,\"country_code\":\"GB\",\"rules\":[],\"unknown_tags\":[\"Mood\"]}", NULL, false,
	  "{\"kind\":\"rules\",\"tool\":\"browse_rules\",\"region\":\"uk\",\"topic\":null,"
	  "\"show_rules\":{\"countries\":[\"GB\"],\"tags_by_country\":{\"GB\":[\"vfr\"]},"
	  "\"categories_by_country\":{}}}" },
	{ "get_answers_for_questions", NULL,
	  "{\"question_ids\":[\"a\"],\"countries\":[\"FR\",7,\"GB\"]}",
	  "{\"found\":true,\"questions\":[{\"category\":\"VFR\",\"answers\":{\"FR\":{}}}]}", NULL, false,
	  "{\"kind\":\"rules\",\"tool\":\"get_answers_for_questions\",\"region\":null,\"topic\":null,"
	  "\"show_rules\":{\"countries\":[\"FR\",\"GB\"],\"tags_by_country\":{},"
	  "\"categories_by_country\":{\"FR\":[\"VFR\"]}}}" },
	{ "list_rule_countries", NULL, "{}",
	  "{\"found\":true,\"countries\":[{\"code\":\"FR\"}]}", NULL, false,
	  "{\"kind\":\"rules\",\"tool\":\"list_rule_countries\",\"region\":null,\"topic\":null}" },
	/* nothing to draw */
	{ "get_airport_details", NULL, "{\"icao_code\":\"EGKB\"}", "{}", NULL, true, NULL },
	{ "get_airport_details", NULL, "{\"icao_code\":\"EGKB\"}", NULL, NULL, true, NULL },
	{ NULL, NULL, "{}", "{\"found\":true}", NULL, true, NULL },
};

/* -- results as the tools make them -- */

static const struct {
	const char *tool, *args, *show;
} real[] = {
	{ "answer_rules_question",
	  "{\"country_code\":\"fr\",\"question\":\"May gliders fly by night?\",\"tags\":[\"Night VFR\"]}",
	  "{\"countries\":[\"FR\"],\"tags_by_country\":{\"FR\":[\"night_vfr\"]},"
	  "\"categories_by_country\":{\"FR\":[\"VFR\"]}}" },
	{ "answer_rules_question", "{\"country_code\":\"XX\",\"question\":\"?\"}",
	  "{\"countries\":[\"XX\"],\"tags_by_country\":{},\"categories_by_country\":{}}" },
	{ "browse_rules", "{\"country_code\":\"FR\",\"tags\":[\"tether\",\"no such\"]}",
	  "{\"countries\":[\"FR\"],\"tags_by_country\":{\"FR\":[\"tether\"]},"
	  "\"categories_by_country\":{\"FR\":[\"Airspace\"]}}" },
	{ "compare_rules_between_countries", "{\"countries\":[\"FR\",\"DE\",\"XX\"],\"tags\":[\"tether\"]}",
	  "{\"countries\":[\"FR\",\"DE\",\"XX\"],"
	  "\"tags_by_country\":{\"FR\":[\"tether\"],\"DE\":[\"tether\"],\"XX\":[\"tether\"]},"
	  "\"categories_by_country\":{\"FR\":[\"Airspace\"],\"DE\":[\"Airspace\"]}}" },
	/* what is no code, a panel cannot ask for */
	{ "compare_rules_between_countries", "{\"countries\":[\"fr\",\"Germany\",\"Atlantis, too\"]}",
	  "{\"countries\":[\"FR\",\"DE\"],\"tags_by_country\":{},"
	  "\"categories_by_country\":{\"FR\":[\"Airspace\",\"VFR\"],\"DE\":[\"Airspace\",\"VFR\"]}}" },
	{ "answer_rules_question", "{\"country_code\":\"Atlantis\",\"question\":\"?\"}", "null" },
	{ "list_rules_for_country", "{\"country_code\":\"GB\",\"category\":\"vfr\"}",
	  "{\"countries\":[\"GB\"],\"tags_by_country\":{},\"categories_by_country\":{\"GB\":[\"VFR\"]}}" },
	{ "get_answers_for_questions", "{\"question_ids\":[\"Kites\"],\"countries\":[\"GB\"]}",
	  "{\"countries\":[\"GB\"],\"tags_by_country\":{},"
	  "\"categories_by_country\":{\"GB\":[\"Airspace\"]}}" },
	{ "list_rule_categories_and_tags", "{}", "null" },
	{ "list_rule_countries", "{}", "null" },
};

TEST(ui_payload, shows_rules_of_real_results)
{
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	for (size_t i = 0; i < sizeof(real) / sizeof(*real); i++) {
		struct plan plan = { .tool = toolset_find(tools_builtin, real[i].tool),
			.arguments = parse(f.mem, real[i].args) };
		struct writing w = { { { &plan, rules_call(&f, real[i].tool, real[i].args), NULL } }, 1 };
		struct json_object *p = ui_payload_build(f.mem, &w, NULL, false);
		cr_expect_str_eq(jsn_get_str(p, "kind", ""), "rules");
		cr_expect_str_eq(jsn_text(f.mem, jsn_get(p, "show_rules"), JSN_PLAIN), real[i].show,
		    "%s: %s", real[i].tool, jsn_text(f.mem, jsn_get(p, "show_rules"), JSN_PLAIN));

		/* in a turn about both it stands beside what the map needs */
		const struct plan route = { .tool = toolset_find(tools_builtin, "search_airports"),
			.arguments = parse(f.mem, "{\"query\":\"France\"}") };
		struct json_object *map = parse(f.mem, "{\"count\":0,\"airports\":[]}");
		w = (struct writing){ { { &route, map, NULL }, w.found[0] }, 2 };
		p = ui_payload_build(f.mem, &w, NULL, false);
		cr_expect_str_eq(jsn_get_str(p, "kind", ""), "route");
		cr_expect_str_eq(jsn_get_str(p, "tool", ""), "search_airports");
		cr_expect(jsn_has(p, "airports"));
		cr_expect_str_eq(jsn_text(f.mem, jsn_get(p, "show_rules"), JSN_PLAIN), real[i].show);
	}
	rulesfix_close(&f);
}

TEST(ui_payload, follows_the_tool_and_its_result)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena *a = arena_new();
		struct plan plan = {
			.tool = rows[i].tool ? toolset_find(tools_builtin, rows[i].tool) : rows[i].own,
			.arguments = parse(a, rows[i].args),
		};
		const struct writing w = { { { &plan, parse(a, rows[i].result), NULL } }, 1 };
		struct json_object *p = ui_payload_build(a, &w, parse(a, rows[i].suggested),
		    rows[i].mcp_raw);

		cr_expect(!rows[i].tool || plan.tool, "row %zu: no tool %s", i, rows[i].tool);
		if (rows[i].expect)
			cr_expect_str_eq(jsn_text(a, p, JSN_PLAIN), rows[i].expect, "row %zu: %s", i,
			    jsn_text(a, p, JSN_PLAIN));
		else
			cr_expect_null(p, "row %zu", i);
		arena_free(a);
	}
}

/* -- what the page can draw -- */

#define LYON "{\"ident\":\"LFLY\",\"name\":\"Bron\",\"latitude_deg\":45.7,\"longitude_deg\":4.9}"
#define DETAILS(marker) "{\"type\":\"marker_with_details\",\"marker\":" marker "}"
#define LYON_MARKED DETAILS("{\"ident\":\"LFLY\",\"lat\":45.7,\"lon\":4.9,\"zoom\":12}")
#define POINT "{\"type\":\"point_with_markers\",\"point\":{\"label\":\"x\",\"lat\":0,\"lon\":2}," \
	"\"markers\":[],\"radius_nm\":50}"

static const struct {
	const char *visualization, *airport;    /* of the result; airport may be NULL */
	bool rules;                             /* beside rules that are shown */
	const char *expect;                     /* "same", or NULL: none */
} drawn[] = {
	/* nothing to show */
	{ "null", NULL, false, NULL },
	{ "{}", NULL, false, NULL },
	{ "[]", NULL, false, NULL },
	{ "7", NULL, false, NULL },
	{ "{\"type\":\"markers\",\"data\":[]}", NULL, false, NULL },
	{ "{\"type\":\"markers\"}", NULL, false, NULL },
	{ "{\"type\":\"markers\",\"data\":[],\"unrecorded\":[" LYON "]}", NULL, false, NULL },
	{ "{\"type\":\"pie_chart\",\"data\":[1]}", NULL, false, NULL },
	{ "{\"type\":\"markers\",\"data\":[" LYON "]}", NULL, false, "same" },
	{ "{\"type\":\"markers\",\"markers\":[" LYON "]}", NULL, true, "same" },
	/* a route is something to show, without airports too */
	{ ROUTE("EGTF", "lfmd", "[]"), NULL, false, "same" },
	{ ROUTE("EGTF", "LFMD", "[" LYON "]"), NULL, true, "same" },
	{ ROUTE("EGTF", "LFMD", "null"), NULL, false, NULL },
	/* but the page finds none between codes that are not four letters */
	{ ROUTE("EGTF", "EG2A", "[]"), NULL, false, NULL },
	{ ROUTE("", "LFMD", "[]"), NULL, false, NULL },
	{ ROUTE("US-0123", "LFMD", "[" LYON "]"), NULL, false,
	  "{\"type\":\"markers\",\"route\":{\"from\":{\"icao\":\"US-0123\"},\"to\":{\"icao\":\"LFMD\"}},"
	  "\"data\":[" LYON "]}" },
	{ "{\"type\":\"route_with_markers\",\"route\":7,\"markers\":[]}", NULL, false, NULL },
	/* a place is something to show */
	{ POINT, NULL, true, "same" },
	{ "{\"type\":\"point_with_markers\",\"point\":{\"lat\":1,\"lng\":2}}", NULL, false, "same" },
	{ "{\"type\":\"point_with_markers\",\"point\":{\"lat\":1},\"markers\":[" LYON "]}", NULL, false,
	  NULL },
	/* one airport: its panel and that of the rules would race */
	{ LYON_MARKED, LYON, false, "same" },
	{ LYON_MARKED, LYON, true, "{\"type\":\"markers\",\"data\":[" LYON "]}" },
	{ DETAILS("{\"ident\":\"LFLY\",\"name\":\"Bron\",\"lat\":45.7,\"lon\":4.9}"), NULL, true,
	  "{\"type\":\"markers\",\"data\":[" LYON "]}" },
	{ DETAILS("{\"ident\":\"LFLY\"}"), NULL, false, "same" },
	{ DETAILS("{\"ident\":\"LFLY\"}"), NULL, true, NULL },
	{ DETAILS("{\"ident\":\"\"}"), NULL, false, NULL },
	/* of several, what can be drawn */
	{ "[{\"type\":\"markers\",\"data\":[]},7," POINT "]", NULL, false, "[" POINT "]" },
	{ "[{\"type\":\"markers\",\"data\":[]}]", NULL, false, NULL },
};

TEST(ui_payload, shows_only_what_the_page_can_draw)
{
	static const struct tool external = { .name = "external", .ui = TOOL_UI_ROUTE };
	const struct plan rules = { .tool = toolset_find(tools_builtin, "answer_rules_question") };

	for (size_t i = 0; i < sizeof(drawn) / sizeof(*drawn); i++) {
		struct arena *a = arena_new();
		struct plan plan = { .tool = &external, .arguments = parse(a, "{}") };
		struct plan asked = rules;
		struct writing w = { { { &plan, NULL, NULL } }, 1 };
		const char *expect = drawn[i].expect;

		asked.arguments = plan.arguments;
		w.found[0].result = parse(a, arena_printf(a, "{\"visualization\":%s%s%s}", drawn[i].visualization,
		    drawn[i].airport ? ",\"airport\":" : "", drawn[i].airport ? drawn[i].airport : ""));
		if (drawn[i].rules)
			w.found[w.n++] = (struct finding){ &asked,
				parse(a, "{\"found\":true,\"country_code\":\"FR\"}"), NULL };
		struct json_object *v = jsn_get(ui_payload_build(a, &w, NULL, false), "visualization");
		if (expect == NULL)
			cr_expect_null(v, "row %zu: %s", i, jsn_text(a, v, JSN_PLAIN));
		else
			cr_expect_str_eq(jsn_text(a, v, JSN_PLAIN), strcmp(expect, "same") == 0
			    ? jsn_text(a, parse(a, drawn[i].visualization), JSN_PLAIN)
			    : jsn_text(a, parse(a, expect), JSN_PLAIN),
			    "row %zu: %s", i, jsn_text(a, v, JSN_PLAIN));
		arena_free(a);
	}
}

/* -- several look-ups -- */

#define NICE "{\"ident\":\"LFMN\",\"name\":\"Nice\",\"latitude_deg\":43.7,\"longitude_deg\":7.2}"
#define NEAR(airports) "{\"airports\":[" airports "],\"filter_profile\":{\"radius_nm\":50}," \
	"\"visualization\":{\"type\":\"point_with_markers\",\"point\":{\"lat\":1,\"lon\":2}," \
	"\"markers\":[" airports "]}}"
#define ONE "{\"airport\":" NICE ",\"visualization\":{\"type\":\"marker_with_details\"," \
	"\"marker\":{\"ident\":\"LFMN\",\"lat\":43.7,\"lon\":7.2}}}"
#define RULES(country, category) "{\"found\":true,\"country_code\":\"" country "\"," \
	"\"rules\":[{\"category\":\"" category "\"}]}"
#define POINTED(markers) "\"visualization\":{\"type\":\"point_with_markers\"," \
	"\"point\":{\"lat\":1,\"lon\":2},\"markers\":[" markers "]}"

static const struct {
	const char *what;
	struct { const char *tool, *args, *result; } of[LOOKUPS_MAX];
	const char *has[4], *hasnt;           /* parts of the payload */
} several[] = {
	{ "two searches: one map and one list of all airports, each once",
	  { { "find_airports_near_location", "{\"location_query\":\"Lyon\"}", NEAR(LYON) },
	    { "find_airports_near_location", "{\"location_query\":\"Nice\"}", NEAR(LYON "," NICE) } },
	  { "\"kind\":\"route\",\"tool\":\"find_airports_near_location\"", POINTED(LYON "," NICE),
	    "\"airports\":[" LYON "," NICE "]" }, "show_rules" },
	{ "a search and one airport: it is a marker among others",
	  { { "find_airports_near_location", "{\"location_query\":\"Lyon\"}", NEAR(LYON) },
	    { "get_airport_details", "{\"icao_code\":\"LFMN\"}", ONE } },
	  { "\"kind\":\"route\"", POINTED(LYON "," NICE), "\"airports\":[" LYON "]" }, "marker_with" },
	{ "two airports: markers, and no panel that another one replaces",
	  { { "get_airport_details", "{\"icao_code\":\"LFMN\"}", ONE },
	    { "get_airport_details", "{\"icao_code\":\"LFLY\"}",
	      "{\"airport\":" LYON ",\"visualization\":" LYON_MARKED "}" } },
	  { "\"kind\":\"airport\",\"tool\":\"get_airport_details\",\"icao\":\"LFMN\"",
	    "{\"type\":\"markers\",\"data\":[" NICE "," LYON "]}" }, "marker_with" },
	{ "rules first, airports lead",
	  { { "answer_rules_question", "{\"country_code\":\"FR\"}", RULES("FR", "VFR") },
	    { "get_airport_details", "{\"icao_code\":\"LFMN\"}", ONE } },
	  { "\"kind\":\"airport\",\"tool\":\"get_airport_details\"",
	    "{\"type\":\"markers\",\"data\":[" NICE "]}", "\"countries\":[\"FR\"]" }, "marker_with" },
	{ "rules of two countries",
	  { { "answer_rules_question", "{\"country_code\":\"FR\",\"tags\":[\"vfr\"]}",
	      RULES("FR", "VFR") },
	    { "answer_rules_question", "{\"country_code\":\"DE\"}", RULES("DE", "IFR") } },
	  { "\"kind\":\"rules\",\"tool\":\"answer_rules_question\",\"region\":\"FR\"",
	    "\"show_rules\":{\"countries\":[\"FR\",\"DE\"],\"tags_by_country\":{\"FR\":[\"vfr\"]},"
	    "\"categories_by_country\":{\"FR\":[\"VFR\"],\"DE\":[\"IFR\"]}}" }, "visualization" },
	{ "twice the same country: tags of one look-up hide nothing of the other",
	  { { "answer_rules_question", "{\"country_code\":\"FR\",\"tags\":[\"vfr\"]}",
	      RULES("FR", "VFR") },
	    { "answer_rules_question", "{\"country_code\":\"FR\"}", RULES("FR", "IFR") } },
	  { "\"show_rules\":{\"countries\":[\"FR\"],\"tags_by_country\":{},"
	    "\"categories_by_country\":{\"FR\":[\"VFR\",\"IFR\"]}}" }, "visualization" },
	{ "the first has nothing to show",
	  { { "find_airports_near_location", "{\"location_query\":\"Lyon\"}", "{}" },
	    { "get_airport_details", "{\"icao_code\":\"LFMN\"}", ONE } },
	  { "\"kind\":\"airport\"", "marker_with_details" }, "show_rules" },
};

TEST(ui_payload, one_of_several_look_ups)
{
	for (size_t i = 0; i < sizeof(several) / sizeof(*several); i++) {
		struct arena *a = arena_new();
		struct plan plans[LOOKUPS_MAX];
		struct writing w = { .n = 0 };
		for (size_t k = 0; k < LOOKUPS_MAX && several[i].of[k].tool != NULL; k++) {
			plans[k] = (struct plan){ .tool = toolset_find(tools_builtin, several[i].of[k].tool),
				.arguments = parse(a, several[i].of[k].args) };
			w.found[w.n++] = (struct finding){ &plans[k], parse(a, several[i].of[k].result), NULL };
		}
		const char *text = jsn_text(a, ui_payload_build(a, &w, NULL, false), JSN_PLAIN);
		for (size_t k = 0; k < 4 && several[i].has[k] != NULL; k++)
			cr_expect(strstr(text, several[i].has[k]) != NULL, "%s lacks %s:\n%s", several[i].what,
			    several[i].has[k], text);
		cr_expect(strstr(text, several[i].hasnt) == NULL, "%s has %s:\n%s", several[i].what,
		    several[i].hasnt, text);
		arena_free(a);
	}
}
