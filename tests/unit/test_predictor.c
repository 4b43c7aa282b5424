/*
 * Suggestions: the shipped templates, context of every shape, ranking, and broken files.
 */
#include <unistd.h>

#include "agents/aviation/predictor.h"
#include "base/jsn.h"
#include "base/str.h"
#include "tests/unit/rules_fix.h"
#include "tests/unit/test.h"

#define SHIPPED TEST_SRCDIR "/conf/next_query_predictor/default.json"
#define Q(text, tool, category, priority) \
	"{\"text\":\"" text "\",\"tool\":\"" tool "\",\"category\":\"" category "\",\"priority\":" #priority "}"

static enum errcode never_called(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	(void)self, (void)ctx, (void)a, (void)args, (void)result;
	return err_set(e, ERR_INTERNAL, "a stand-in was called");
}

static const struct tool stand_ins[] = {
	{ .name = "get_notification_for_airport", .doc = "Notice.", .domain = TOOL_NOTIFICATIONS,
	  .ui = TOOL_UI_AIRPORT, .result = RESULT_NOTICE, .call = never_called },
	{ .name = "a_tool_without_templates" },
};

/* The tool of that name, or one that stands in for it where it is not built in. */
static const struct tool *tool_named(const char *name)
{
	const struct tool *t = toolset_find(tools_builtin, name);

	for (size_t i = 0; !t && i < sizeof(stand_ins) / sizeof(*stand_ins); i++)
		if (!strcmp(stand_ins[i].name, name))
			t = &stand_ins[i];
	return t;
}

static struct json_object *suggestions(struct arena *a, const struct predictor *p,
    const char *tool, const char *args, const struct predicting *more, int max)
{
	struct err e = { .code = OK };
	struct plan plan = { .tool = tool ? tool_named(tool) : NULL };
	struct predicting from = *more;

	if (args)
		TEST_OK(jsn_parse(a, args, strlen(args), JSN_DEPTH, &plan.arguments, NULL, &e), e);
	from.plan = &plan;
	return predictor_suggest(p, a, &from, max);
}

static char *suggest(struct arena *a, const struct predictor *p, const char *tool,
    const char *args, const char *text, int max)
{
	const struct predicting from = { .user_text = text };

	return jsn_text(a, suggestions(a, p, tool, args, &from, max), JSN_PLAIN);
}

/* Their texts, each with "|" after it. */
static const char *texts(struct arena *a, struct json_object *list)
{
	const char *out = "";

	for (size_t i = 0; i < jsn_len(list); i++)
		out = arena_printf(a, "%s%s|", out, jsn_get_str(jsn_at(list, i), "text", "?"));
	return out;
}

#define ROUTE "find_airports_near_route"
#define NEAR "find_airports_near_location"
#define DETAILS "get_airport_details"
#define EGTF_LFMD "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\"}"
#define CUSTOMS Q("Which airports have customs facilities on this route?", ROUTE, "route", 5)
#define AVGAS Q("Show me airports with AVGAS along this route", ROUTE, "route", 4)

/* Rows that do not depend on which of the rules tools are built in. */
static const struct {
	const char *tool, *args;
	int max;
	const char *expect;
} rows[] = {
	/* an applied filter is not suggested; its false value and null count as missing */
	{ ROUTE, "{\"from_location\":\"Paris\",\"to_location\":\"Lyon\","
	         "\"filters\":{\"point_of_entry\":true,\"has_avgas\":true}}", 1, NULL },
	{ ROUTE, "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\",\"filters\":null}", 1,
	  "[" CUSTOMS "]" },
	{ ROUTE, "{\"from_location\":\"EGTF\",\"filters\":{\"point_of_entry\":false}}", 1,
	  "[" CUSTOMS "]" },
	{ ROUTE, "{\"from_location\":7,\"to_location\":[],\"filters\":\"AVGAS\"}", 1, "[" CUSTOMS "]" },
	{ ROUTE, NULL, 1, "[" CUSTOMS "]" },
	{ NEAR, "{\"location_query\":\"Lac d'Annecy\",\"filters\":{\"has_avgas\":true}}", 1,
	  "[" Q("Show me airports with a hard runway near Lac d'Annecy", NEAR, "route", 3) "]" },
	{ NEAR, "{\"location_query\":12,\"filters\":{\"has_avgas\":true}}", 1,
	  "[" Q("Show me airports with a hard runway near this location", NEAR, "route", 3) "]" },
	{ "search_airports", "{\"query\":\"Lyon\"}", 4,
	  "[" Q("Show only airports with customs facilities", "search_airports", "route", 3) "]" },
	{ "search_airports", "{\"query\":\"Lyon\",\"filters\":{\"point_of_entry\":true}}", 4, "[]" },
	{ "get_notification_for_airport", "{\"icao\":\"LFRG\"}", 4,
	  "[" Q("Tell me more about LFRG", DETAILS, "details", 3) "]" },
	{ DETAILS, "{}", 4, "[]" },
	{ DETAILS, "{\"icao_code\":7,\"filters\":{\"country\":\"FR\"}}", 4, "[]" },
	{ "compare_rules_between_countries", "{\"countries\":[null,\"FR\",\"GB\"]}", 1,
	  "[" Q("Which airports have customs in France?", "search_airports", "route", 5) "]" },
	{ "answer_rules_question", "{\"country_code\":\"FR\"}", 1,
	  "[" Q("Which airports have customs in France?", "search_airports", "route", 5) "]" },
	{ "answer_rules_question", "{\"question\":\"?\"}", 4, "[]" },
	{ "a_tool_without_templates", "{\"icao\":\"LFRG\"}", 4, "[]" },
	{ NULL, "{}", 4, "[]" },
	{ ROUTE, "{}", 0, "[]" },
	{ ROUTE, "{}", -3, "[]" },
};

TEST(predictor, suggests_from_any_plan)
{
	struct err e = { .code = OK };
	struct predictor *p = NULL;

	TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, NULL, &e), e);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena *a = arena_new();
		char *got = suggest(a, p, rows[i].tool, rows[i].args, "", rows[i].max);

		if (rows[i].expect)
			cr_expect_str_eq(got, rows[i].expect, "row %zu: %s", i, got);
		else
			cr_expect(!strstr(got, "AVGAS") && !strstr(got, "customs facilities"),
			    "row %zu: %s", i, got);
		arena_free(a);
	}
	predictor_free(p);
}

/* What the look-up did not find is not suggested again. */
static const struct {
	const char *tool, *args, *result;
	const char *has[2], *hasnt[4];
} looked_up[] = {
	{ NEAR, "{\"location_query\":\"Xyzzy\",\"filters\":{\"country\":\"FR\"}}", "{\"found\":false}",
	  { "landing requirements for France" }, { "Xyzzy", "this location" } },
	{ NEAR, "{\"location_query\":\"Paris\"}", "{\"found\":true,\"count\":0,\"airports\":[],"
	  "\"filter_report\":{\"candidates\":7}}", { "AVGAS near Paris" }, { NULL } },
	{ ROUTE, EGTF_LFMD, "{\"found\":false}", { NULL },
	  { "EGTF", "LFMD", "this route", "customs facilities" } },
	{ ROUTE, EGTF_LFMD, "{\"count\":0,\"airports\":[]}",
	  { "Tell me more about EGTF", "flight plan for this route" }, { "customs facilities", "AVGAS" } },
	{ ROUTE, EGTF_LFMD, "{\"count\":0,\"airports\":[],\"filter_report\":{\"candidates\":5}}",
	  { "customs facilities" }, { NULL } },
	{ ROUTE, EGTF_LFMD, "{\"count\":1,\"airports\":[{}]}", { "customs facilities" }, { NULL } },
	{ "search_airports", "{\"query\":\"Qq\"}", "{\"count\":0,\"airports\":[]}", { NULL },
	  { "customs" } },
	{ DETAILS, "{\"icao_code\":\"ZZZZ\",\"filters\":{\"country\":\"FR\"}}", "{\"found\":false}", { NULL },
	  { "ZZZZ", "France" } },
	{ DETAILS, "{\"icao_code\":\"LFLY\"}", "{\"found\":true}", { NULL }, { "ZZZZ" } },
	{ "answer_rules_question", "{\"country_code\":\"FR\"}", "{\"found\":false}",
	  { "Which airports have customs in France?" }, { NULL } },
};

TEST(predictor, suggests_nothing_about_a_place_that_was_not_found)
{
	struct err e = { .code = OK };
	struct predictor *p = NULL;

	TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, NULL, &e), e);
	for (size_t i = 0; i < sizeof(looked_up) / sizeof(*looked_up); i++) {
		struct arena *a = arena_new();
		struct predicting from = { .user_text = "" };

		TEST_OK(jsn_parse(a, looked_up[i].result, strlen(looked_up[i].result), JSN_DEPTH,
		    &from.result, NULL, &e), e);
		const char *got = texts(a, suggestions(a, p, looked_up[i].tool, looked_up[i].args, &from, 20));
		for (size_t j = 0; j < 2 && looked_up[i].has[j]; j++)
			cr_expect(strstr(got, looked_up[i].has[j]), "row %zu: %s", i, got);
		for (size_t j = 0; j < 4 && looked_up[i].hasnt[j]; j++)
			cr_expect(!strstr(got, looked_up[i].hasnt[j]), "row %zu: %s", i, got);
		arena_free(a);
	}
	predictor_free(p);
}

/* ---- questions of the rule base ------------------------------------------------- */

/* The original service's vector without rules: best of each category first, the fallback question second. */
TEST(predictor, follows_the_original_service_without_rules)
{
	static const char expect[] = "Which airports have customs facilities on this route?|"
	    "What are the customs rules for countries along this route?|"
	    "What are the procedures at EGTF?|Show me airports with AVGAS along this route|";
	struct arena *a = arena_new();
	struct err e = { .code = OK };
	struct predictor *p = NULL;
	const struct predicting from = { .user_text = "EGTF to LFMD" };

	TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, NULL, &e), e);
	const char *got = texts(a, suggestions(a, p, ROUTE, EGTF_LFMD, &from, 4));
	cr_expect_str_eq(got, expect, "%s", got);
	predictor_free(p);
	arena_free(a);
}

/* And with the reference rules, of which only hashes are in this file. The plan
 * names its destination's country, so the question is offered for that. */
TEST(predictor, follows_the_original_service_with_rules)
{
	static const char *const expect[] = {
		"Which airports have customs facilities on this route?", NULL,
		"What are the procedures at EGTF?", "Show me airports with AVGAS along this route",
	};
	static const char *const plans[] = { EGTF_LFMD,
		"{\"from_location\":\"EGTF\",\"to_location\":\"Xanadu\"}",
		"{\"from_location\":\"EGTF\",\"to_location\":\"KJFK\"}" };
	static const char *const countries_named[] = { "France", "United Kingdom", "United Kingdom" };
	const char *path = test_data("rules/rules.json");
	struct arena *a = arena_new();
	struct rulebase *rules = NULL;
	struct predictor *p = NULL;
	struct err e = { .code = OK };
	const struct rule_question *first = NULL;

	if (path == NULL)
		test_skip("the reference rules are not here");
	TEST_OK(rulebase_load(&rules, path, &e), e);
	TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, NULL, &e), e);
	for (size_t i = 0; i < rules->nquestions && first == NULL; i++)
		if (streq(rules->questions[i].category, "International"))
			first = &rules->questions[i];
	cr_assert_not_null(first);
	for (size_t k = 0; k < 3; k++) {
		const struct predicting from = { .user_text = "EGTF to LFMD", .rules = rules };
		struct json_object *got = suggestions(a, p, ROUTE, plans[k], &from, 4);
		cr_assert_eq(jsn_len(got), 4);
		for (size_t i = 0; i < 4; i++) {
			const char *text = expect[i] != NULL ? expect[i]
			    : arena_printf(a, "%s (%s)", first->text, countries_named[k]);
			cr_expect_str_eq(jsn_get_str(jsn_at(got, i), "text", ""), text, "place %zu", i);
		}
		struct json_object *second = jsn_at(got, 1);
		cr_expect_str_eq(jsn_get_str(second, "tool", ""), "answer_rules_question");
		cr_expect_str_eq(jsn_get_str(second, "category", ""), "rules");
		cr_expect_eq(jsn_get_int(second, "priority", 0), 5);
	}
	/* literally, where no country is named */
	const struct predicting from = { .rules = rules };
	struct json_object *got = suggestions(a, p, ROUTE, "{}", &from, 4);
	cr_expect_str_eq(jsn_get_str(jsn_at(got, 1), "text", ""), first->text);
	predictor_free(p);
	rulebase_free(rules);
	arena_free(a);
}

/* A made-up base: two questions of one category are one text, one has no answer of France, the third
 * is of a category that pilots do not see. */
static const char some_rules[] =
	"{'questions': ["
	"{'question_id': '1', 'question_text': 'Who waves?', 'category': 'International',"
	" 'answers_by_country': {'GB': {'answer_html': 'The tower.'}}},"
	"{'question_id': '2', 'question_text': 'Who waves?', 'category': 'International',"
	" 'answers_by_country': {'FR': {'answer_html': 'All.'}}},"
	"{'question_id': '3', 'question_text': 'Who sings?', 'category': 'International',"
	" 'answers_by_country': {'FR': {'answer_html': 'None.'}, 'GB': {'answer_html': 'None.'}}},"
	"{'question_id': '4', 'question_text': 'Hidden?', 'category': 'ignore',"
	" 'answers_by_country': {'FR': {'answer_html': 'x'}}},"
	"{'question_id': '5', 'question_text': ' ', 'category': 'VFR',"
	" 'answers_by_country': {'FR': {'answer_html': 'x'}}},"
	"{'question_id': '6', 'question_text': 'Which hat?', 'category': 'vfr',"
	" 'answers_by_country': {'FR': {'answer_html': 'x'}}},"
	"{'question_id': '7', 'question_text': 'Whose field?', 'category': 'Airfields',"
	" 'answers_by_country': {'GB': {'answer_html': 'x'}}}]}";

static const struct {
	const char *args;
	int questions;                /* max_questions of International */
	const char *expect;           /* texts of the category "rules" */
} asked[] = {
	{ "{}", 1, "Who waves?|Whose field?|" },
	{ "{}", 2, "Who waves?|Who sings?|Whose field?|" },
	{ "{}", 0, "Whose field?|" },
	{ "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\"}", 9,
	    "Who waves? (France)|Who sings? (France)|" },
	{ "{\"from_location\":\"LFMD\",\"to_location\":\"EGTF\"}", 1,
	    "Who waves? (United Kingdom)|Whose field? (United Kingdom)|" },
	/* no rules of the destination's country, or it is not known: the departure's */
	{ "{\"from_location\":\"EGTF\",\"to_location\":\"EDDF\"}", 1,
	    "Who waves? (United Kingdom)|Whose field? (United Kingdom)|" },
	{ "{\"from_location\":\"EGTF\",\"to_location\":\"Cannes\"}", 1,
	    "Who waves? (United Kingdom)|Whose field? (United Kingdom)|" },
	{ "{\"from_location\":\"EDDF\",\"to_location\":\"EDDM\"}", 1, "Who waves?|Whose field?|" },
	{ "{\"from_location\":\"egtf\",\"to_location\":5}", 1, "Who waves?|Whose field?|" },
	/* the plan names one itself */
	{ "{\"filters\":{\"country\":\"FR\"}}", 1, "Who waves? (France)|" },
	{ "{\"filters\":{\"country\":\"France\"}}", 1, "Who waves? (France)|" },
	{ "{\"filters\":{\"country\":\"DE\"}}", 1, "Who waves?|Whose field?|" },
};

/* The original service suggests rule questions without any country. */
TEST(predictor, rule_questions_are_those_of_the_base)
{
	struct rulebase *rules = NULL;
	struct err e = { .code = OK };
	char *dir = test_mkdtemp(), file[1000], path[600];

	TEST_OK(rules_fix_load(&rules, some_rules, &e), e);
	snprintf(path, sizeof(path), "%s/t.json", dir);
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		struct arena *a = arena_new();
		struct predictor *p = NULL;
		const struct predicting from = { .rules = rules };
		snprintf(file, sizeof(file), "{'templates': {'" ROUTE "': {'filters': [], 'entities': [],"
		    " 'rule_categories': [{'name': 'International', 'priority': 5, 'max_questions': %d},"
		    " {'name': 'VFR', 'priority': 4}, {'name': 'ignore', 'priority': 9},"
		    " {'name': 'Airfields', 'priority': 3}], 'fallback_queries': ['never?']}}}",
		    asked[i].questions);
		rules_fix_write(path, file);
		TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, path, &e), e);
		const char *got = texts(a, suggestions(a, p, ROUTE, asked[i].args, &from, 20));
		cr_expect_str_eq(got, asked[i].expect, "row %zu: %s", i, got);
		predictor_free(p);
		arena_free(a);
	}
	rulebase_free(rules);
	test_rmdir(dir);
}

/* What a site does not offer is not suggested. */
TEST(predictor, suggests_what_is_offered)
{
	static const struct tool *route;
	const struct tool_context airports = { .offered = { &route, 1 } };
	const struct predicting from = { .tools = &airports };
	struct arena *a = arena_new();
	struct predictor *p = NULL;
	struct err e = { .code = OK };

	route = toolset_find(tools_builtin, ROUTE);
	TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, NULL, &e), e);
	const char *got = texts(a, suggestions(a, p, ROUTE, EGTF_LFMD, &from, 20));
	cr_expect_str_eq(got, "Which airports have customs facilities on this route?|"
	    "Show me airports with AVGAS along this route|", "%s", got);
	predictor_free(p);
	arena_free(a);
}

/* After a question about rules: the same for all three tools, and with countries[]. */
TEST(predictor, suggests_after_rules)
{
	static const struct {
		const char *tool, *args, *text, *expect;
	} after[] = {
		{ "answer_rules_question", "{\"country_code\":\"FR\",\"question\":\"?\"}", "rules?",
		  "Which airports have customs in France?|What are the VFR weather minimums for France?|"
		  "Compare rules with neighboring countries|" },
		{ "browse_rules", "{\"country_code\":\"FR\"}", "the vfr rules",
		  "Which airports have customs in France?|Compare rules with neighboring countries|" },
		{ "compare_rules_between_countries", "{\"countries\":[\"FR\",\"GB\"]}", "",
		  "Which airports have customs in France?|What are the VFR weather minimums for France?|" },
		{ "compare_rules_between_countries", "{\"countries\":[\"FR\"]}", "",
		  "Which airports have customs in France?|What are the VFR weather minimums for France?|"
		  "Compare rules with neighboring countries|" },
		{ "compare_rules_between_countries", "{\"countries\":\"FR\"}", "", "" },
		{ "list_rules_for_country", "{\"country_code\":\"FR\"}", "", "" },
	};
	struct predictor *p = NULL;
	struct err e = { .code = OK };

	TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, NULL, &e), e);
	for (size_t i = 0; i < sizeof(after) / sizeof(*after); i++) {
		struct arena *a = arena_new();
		const struct predicting from = { .user_text = after[i].text };
		const char *got = texts(a, suggestions(a, p, after[i].tool, after[i].args, &from, 20));
		cr_expect_str_eq(got, after[i].expect, "row %zu: %s", i, got);
		arena_free(a);
	}
	predictor_free(p);
}

/* A country without rules is no help to offer rules of; airports it may have. */
TEST(predictor, suggests_no_rules_of_a_country_without)
{
	static const struct {
		const char *tool, *args, *expect;
	} wanted[] = {
		{ "answer_rules_question", "{\"country_code\":\"ES\",\"question\":\"?\"}",
		  "Which airports have customs in Spain?|" },
		{ "answer_rules_question", "{\"country_code\":\"Atlantis\",\"question\":\"?\"}",
		  "" },
		{ "browse_rules", "{\"country_code\":\"uk\"}", "Which airports have customs in United Kingdom?|"
		  "What are the VFR weather minimums for United Kingdom?|Compare rules with neighboring countries|" },
		{ "search_airports", "{\"query\":\"Spain\",\"filters\":{\"country\":\"ES\"}}",
		  "Show only airports with customs facilities|" },
		{ "search_airports", "{\"query\":\"France\",\"filters\":{\"country\":\"FR\"}}",
		  "What are the VFR rules for France?|Show only airports with customs facilities|" },
	};
	struct rulebase *rules = NULL;
	struct predictor *p = NULL;
	struct err e = { .code = OK };

	TEST_OK(rules_fix_load(&rules, some_rules, &e), e);
	TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, NULL, &e), e);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		struct arena *a = arena_new();
		const struct predicting from = { .rules = rules };
		const char *got = texts(a, suggestions(a, p, wanted[i].tool, wanted[i].args, &from, 20));
		cr_expect_str_eq(got, wanted[i].expect, "row %zu: %s", i, got);
		arena_free(a);
	}
	predictor_free(p);
	rulebase_free(rules);
}

/* ---- files made for the test ------------------------------------------------- */

/* Every shipped template has a text in every language: a suggestion that is the same as in English has none. */
TEST(predictor, suggests_in_the_language_of_the_pilot)
{
	static const struct { const char *tool, *args; const char *french, *german; } cases[] = {
		{ "search_airports", "{\"query\":\"DE\",\"filters\":{\"country\":\"DE\"}}",
		  "Quelles sont les règles VFR (Allemagne)\u00a0?|Montrer seulement les aérodromes avec douane|",
		  "Welche VFR-Regeln gelten (Deutschland)?|Nur Flugplätze mit Zoll zeigen|" },
		{ "find_airports_near_location", "{\"location_query\":\"Lyon\"}",
		  "Aérodromes avec AVGAS près de Lyon|Aérodromes avec piste en dur près de Lyon|",
		  "Flugplätze mit AVGAS bei Lyon|Flugplätze mit befestigter Bahn bei Lyon|" },
	};
	static const struct { const char *tool, *args; } plans[] = {
		{ "search_airports", "{\"query\":\"DE\",\"filters\":{\"country\":\"DE\"}}" },
		{ "find_airports_near_location", "{\"location_query\":\"Lyon\",\"filters\":{\"country\":\"FR\"}}" },
		{ "find_airports_near_route", "{\"from_location\":\"EGTF\",\"to_location\":\"LFMD\"}" },
		{ "get_airport_details", "{\"icao_code\":\"EGTF\"}" },
		{ "get_notification_for_airport", "{\"icao\":\"LFRG\"}" },
		{ "answer_rules_question", "{\"country_code\":\"FR\"}" },
		{ "browse_rules", "{\"country_code\":\"FR\"}" },
		{ "compare_rules_between_countries", "{\"countries\":[\"FR\"]}" },
	};
	struct arena *a = arena_new();
	struct predictor *p;
	struct err e = { .code = OK };

	TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, NULL, &e), e);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct predicting french = { .wording = messages_in("fr") }, german = { .wording = messages_in("de") };
		cr_expect_str_eq(texts(a, suggestions(a, p, cases[i].tool, cases[i].args, &french, 2)), cases[i].french);
		cr_expect_str_eq(texts(a, suggestions(a, p, cases[i].tool, cases[i].args, &german, 2)), cases[i].german);
	}
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		const struct predicting plain = { .user_text = "" };
		struct json_object *english = suggestions(a, p, plans[i].tool, plans[i].args, &plain, 20);
		for (size_t l = 0; l < 2; l++) {
			const struct predicting from = { .wording = messages_in(l == 0 ? "fr" : "de") };
			struct json_object *list = suggestions(a, p, plans[i].tool, plans[i].args, &from, 20);
			cr_expect_eq(jsn_len(list), jsn_len(english), "plan %zu", i);
			for (size_t k = 0; k < jsn_len(list); k++)
				cr_expect_neq(strcmp(jsn_get_str(jsn_at(list, k), "text", ""),
				    jsn_get_str(jsn_at(english, k), "text", "")), 0, "plan %zu: %s", i,
				    jsn_get_str(jsn_at(list, k), "text", ""));
		}
	}
	predictor_free(p);
	arena_free(a);
}

static char *write_file(const char *dir, const char *text)
{
	static char path[600];
	FILE *f;

	snprintf(path, sizeof(path), "%s/t.json", dir);
	f = fopen(path, "w");
	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

/* Best of each category first, then the rest; equal priorities in the order of the file; a text
 * said twice is shown once, at its higher priority. */
TEST(predictor, ranks_by_priority_and_category)
{
	static const char file[] = "{\"templates\":{\"" ROUTE "\":{\"filters\":["
	    "{\"filter\":\"has_avgas\",\"query_template\":\"a4\",\"tool_name\":\"" ROUTE "\","
	    "\"category\":\"route\",\"priority\":4},"
	    "{\"filter\":\"point_of_entry\",\"query_template\":\"b5\",\"tool_name\":\"" ROUTE "\","
	    "\"category\":\"route\",\"priority\":5},"
	    "{\"filter\":\"has_jet_a\",\"query_template\":\"b5\",\"tool_name\":\"" ROUTE "\","
	    "\"category\":\"other\",\"priority\":1}],"
	    "\"entities\":["
	    "{\"entity_type\":\"icao_codes\",\"query_template\":\"c {icao} {icao}\","
	    "\"tool_name\":\"" DETAILS "\",\"category\":\"details\",\"priority\":3},"
	    "{\"entity_type\":\"locations\",\"query_template\":\"d {location}\","
	    "\"tool_name\":\"" DETAILS "\",\"category\":\"details\",\"priority\":3},"
	    "{\"entity_type\":\"countries\",\"query_template\":\"e {country}\","
	    "\"tool_name\":\"" DETAILS "\",\"category\":\"route\",\"priority\":4}],"
	    "\"fallback_queries\":[]}}}";
	static const char args[] = "{\"from_location\":\"Paris\",\"to_location\":\"LFMD\","
	    "\"filters\":{\"country\":\"FR\"}}";
	static const struct {
		int max;
		const char *order;
	} cuts[] = {
		{ 10, "b5|c LFMD LFMD|a4|e France|d Paris|" },
		{ 3, "b5|c LFMD LFMD|a4|" },
		{ 1, "b5|" },
	};
	char *dir = test_mkdtemp();
	struct err e = { .code = OK };
	struct predictor *p = NULL;

	TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, write_file(dir, file), &e), e);
	for (size_t i = 0; i < sizeof(cuts) / sizeof(*cuts); i++) {
		struct arena *a = arena_new();
		const struct predicting from = { .user_text = NULL };
		const char *order = texts(a, suggestions(a, p, ROUTE, args, &from, cuts[i].max));
		cr_expect_str_eq(order, cuts[i].order, "max %d: %s", cuts[i].max, order);
		arena_free(a);
	}
	predictor_free(p);
	test_rmdir(dir);
}

/* A condition on the user's words, one on the number of countries; a target that does not exist. */
TEST(predictor, keeps_the_conditions_of_a_row)
{
	static const char file[] = "{\"templates\":{\"search_airports\":{\"filters\":[],\"entities\":["
	    "{\"entity_type\":\"countries\",\"query_template\":\"vfr\",\"tool_name\":\"" ROUTE "\","
	    "\"category\":\"a\",\"priority\":3,\"unless_text\":\"vfr\"},"
	    "{\"entity_type\":\"countries\",\"query_template\":\"one\",\"tool_name\":\"" ROUTE "\","
	    "\"category\":\"a\",\"priority\":2,\"only_one\":true},"
	    "{\"entity_type\":\"countries\",\"query_template\":\"icao\",\"tool_name\":\"" ROUTE "\","
	    "\"category\":\"a\",\"priority\":1,\"requires\":\"icao_codes\"},"
	    "{\"entity_type\":\"countries\",\"query_template\":\"no\",\"tool_name\":\"no_such_tool\","
	    "\"category\":\"b\",\"priority\":9}]}}}";
	static const struct {
		const char *args, *text;
		bool vfr, one, icao;
	} cases[] = {
		{ "{\"country\":\"FR\"}", "rules?", true, true, false },
		{ "{\"country\":\"FR\",\"country_code\":\"fr\"}", "VFR rules?", false, true, false },
		{ "{\"countries\":[\"FR\",\"GB\"],\"icao\":\"LFPT\"}", "?", true, false, true },
		{ "{}", "?", false, false, false },
	};
	char *dir = test_mkdtemp();
	struct err e = { .code = OK };
	struct predictor *p = NULL;

	TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, write_file(dir, file), &e), e);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena *a = arena_new();
		char *got = suggest(a, p, "search_airports", cases[i].args, cases[i].text, 10);

		cr_expect_eq(strstr(got, "\"vfr\"") != NULL, cases[i].vfr, "case %zu: %s", i, got);
		cr_expect_eq(strstr(got, "\"one\"") != NULL, cases[i].one, "case %zu: %s", i, got);
		cr_expect_eq(strstr(got, "\"icao\"") != NULL, cases[i].icao, "case %zu: %s", i, got);
		cr_expect_null(strstr(got, "\"no\""), "case %zu: %s", i, got);
		arena_free(a);
	}
	predictor_free(p);
	test_rmdir(dir);
}

/* What a site's file does not mention is as in the shipped file. */
TEST(predictor, shipped_templates_fill_the_gaps_of_a_file)
{
	static const char *const files[] = { NULL, "{\"templates\":{}}",
		"{\"templates\":{\"" ROUTE "\":{},\"get_airport_details\":{\"entities\":null}}}" };
	static const char *const args = "{\"from_location\":\"EGTF\",\"location_query\":\"LFMD\","
	    "\"icao_code\":\"EGKB\",\"country_code\":\"GB\"}";
	static const char *const names[] = { "search_airports", NEAR, ROUTE, DETAILS,
		"get_notification_for_airport", "answer_rules_question",
		"compare_rules_between_countries" };
	char *dir = test_mkdtemp();
	struct err e = { .code = OK };
	struct predictor *shipped = NULL;
	struct rulebase *rules = NULL;
	struct toolset tools = tools_builtin;

	TEST_OK(rules_fix_load(&rules, some_rules, &e), e);
	TEST_OK(predictor_load(&shipped, tools, SHIPPED, NULL, &e), e);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct predictor *p = NULL;

		TEST_OK(predictor_load(&p, tools, SHIPPED, files[i] ? write_file(dir, files[i]) : NULL, &e), e);
		for (size_t j = 0; j < sizeof(names) / sizeof(*names); j++) {
			for (size_t k = 0; k < 2; k++) {
				struct arena *a = arena_new();
				const struct predicting from = { .rules = k == 0 ? NULL : rules };
				const char *one = texts(a, suggestions(a, shipped, names[j], args, &from, 20));
				const char *two = texts(a, suggestions(a, p, names[j], args, &from, 20));

				cr_expect_str_eq(one, two, "file %zu, %s", i, names[j]);
				cr_expect_str_neq(one, "", "nothing for %s", names[j]);
				arena_free(a);
			}
		}
		predictor_free(p);
	}
	predictor_free(shipped);
	rulebase_free(rules);
	test_rmdir(dir);
}

/* An empty list means none. */
TEST(predictor, empty_list_means_none)
{
	char *dir = test_mkdtemp();
	struct arena *a = arena_new();
	struct err e = { .code = OK };
	struct predictor *p = NULL;

	TEST_OK(predictor_load(&p, tools_builtin, SHIPPED, write_file(dir, "{\"templates\":{\"" ROUTE "\":{\"filters\":[],"
	    "\"entities\":[],\"fallback_queries\":[]}}}"), &e), e);
	cr_expect_str_eq(suggest(a, p, ROUTE, "{\"from_location\":\"EGTF\"}", "", 9), "[]");
	predictor_free(p);
	arena_free(a);
	test_rmdir(dir);
}

#define ITEM "\"tool_name\":\"" ROUTE "\",\"category\":\"c\",\"priority\":1"
static const struct {
	const char *file, *says;      /* what the message must name besides the path */
} broken[] = {
	{ "{\"templates\":", "line" },
	{ "[]", "\"templates\" must be an object" },
	{ "{\"templates\":[]}", "\"templates\" must be an object" },
	{ "{\"templates\":{\"t\":[]}}", "templates.t must be an object" },
	{ "{\"templates\":{\"t\":{\"filters\":{}}}}", "templates.t.filters must be a list" },
	{ "{\"templates\":{\"t\":{\"filters\":[7]}}}", "templates.t.filters[0] must be an object" },
	{ "{\"templates\":{\"t\":{\"filters\":[{" ITEM ",\"query_template\":\"q\"}]}}}",
	  "templates.t.filters[0].filter is missing" },
	{ "{\"templates\":{\"t\":{\"filters\":[{\"filter\":\"has_beer\"," ITEM
	  ",\"query_template\":\"q\"}]}}}", "templates.t.filters[0].filter \"has_beer\" is not" },
	{ "{\"templates\":{\"t\":{\"filters\":[{\"filter\":\"has_avgas\"," ITEM
	  ",\"query_template\":\"near {icao}\"}]}}}", "templates.t.filters[0].query_template" },
	{ "{\"templates\":{\"t\":{\"entities\":[{\"entity_type\":\"planets\"," ITEM
	  ",\"query_template\":\"q\"}]}}}", "templates.t.entities[0].entity_type must be" },
	{ "{\"templates\":{\"t\":{\"entities\":[{\"entity_type\":\"countries\"," ITEM
	  ",\"query_template\":\"\"}]}}}", "templates.t.entities[0].query_template must be text" },
	{ "{\"templates\":{\"t\":{\"entities\":[{\"entity_type\":\"countries\"," ITEM
	  ",\"query_template\":\"in {country\"}]}}}", "unknown placeholder" },
	{ "{\"templates\":{\"t\":{\"entities\":[{\"entity_type\":\"countries\",\"tool_name\":\"x\","
	  "\"category\":\"c\",\"priority\":\"high\",\"query_template\":\"q\"}]}}}",
	  "templates.t.entities[0].priority must be an integer" },
	{ "{\"templates\":{\"t\":{\"entities\":[{\"entity_type\":\"countries\",\"tool_name\":\"x\","
	  "\"category\":\"c\",\"priority\":1.5,\"query_template\":\"q\"}]}}}",
	  "templates.t.entities[0].priority must be an integer" },
	{ "{\"templates\":{\"t\":{\"entities\":[{\"entity_type\":\"countries\"," ITEM
	  ",\"query_template\":\"q\",\"only_one\":1}]}}}", "only_one must be true or false" },
	{ "{\"templates\":{\"t\":{\"rule_categories\":[{\"priority\":1}]}}}",
	  "templates.t.rule_categories[0].name is missing" },
	{ "{\"templates\":{\"t\":{\"rule_categories\":[{\"name\":\"VFR\",\"priority\":1,"
	  "\"max_questions\":-1}]}}}", "templates.t.rule_categories[0].max_questions" },
	{ "{\"templates\":{\"t\":{\"fallback_queries\":[\"ok\",9]}}}",
	  "templates.t.fallback_queries[1] must be text" },
};

TEST(predictor, names_file_tool_and_key_of_a_mistake)
{
	char *dir = test_mkdtemp();

	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct err e = { .code = OK };
		struct predictor *p = NULL;
		const char *path = write_file(dir, broken[i].file);

		cr_expect_eq(predictor_load(&p, tools_builtin, SHIPPED, path, &e), ERR_CONFIG, "row %zu", i);
		cr_expect_null(p);
		cr_expect(strstr(e.msg, path), "row %zu: %s", i, e.msg);
		if (i > 0)
			cr_expect(strstr(e.msg, broken[i].says), "row %zu: %s", i, e.msg);
	}
	test_rmdir(dir);
}

TEST(predictor, missing_file_is_an_error)
{
	struct err e = { .code = OK };
	struct predictor *p = NULL;

	cr_expect_neq(predictor_load(&p, tools_builtin, SHIPPED, "/nonexistent/templates.json", &e), OK);
	cr_expect(strstr(e.msg, "/nonexistent/templates.json"), "%s", e.msg);
	cr_expect_null(p);
}
