/*
 * The rules tools but for the comparison: whole results on a small made-up file, counts on the
 * real one, and what planners and rules files do wrong.
 */
#include "tools/rules_result.h"

#include "tests/unit/rules_tools_call.h"

#define ANSWER "answer_rules_question"
#define BROWSE "browse_rules"
#define LIST "list_rules_for_country"
#define GET "get_answers_for_questions"
#define CATEGORIES "list_rule_categories_and_tags"
#define COUNTRIES "list_rule_countries"

#define NIGHT_FR                                                                           \
	"{\"question_id\":\"Night flight\",\"question_text\":\"May gliders fly by night?\","   \
	"\"question_raw\":\"May gliders fly by night?\",\"question_prefix\":\"\","             \
	"\"category\":\"VFR\",\"tags\":[\"night_vfr\",\"flight_plan\"],\"country_code\":\"FR\"," \
	"\"answer_html\":\"Yes, with a lamp.<br>Ask <b>first</b>.\","                          \
	"\"links\":[\"https://fr.example/night\"],\"last_reviewed\":\"2025-01-02\","           \
	"\"confidence\":0.5}"
#define KITES_FR                                                                           \
	"{\"question_id\":\"Kites\",\"question_text\":\"How high may a kite fly?\","             \
	"\"question_raw\":\"\",\"question_prefix\":\"\",\"category\":\"Airspace\","              \
	"\"tags\":[\"tether\",\"flight_plan\"],\"country_code\":\"FR\",\"answer_html\":\"100 m\"," \
	"\"links\":[],\"last_reviewed\":null,\"confidence\":null}"
#define BALLOONS_FR                                                                        \
	"{\"question_id\":\"Balloons-Tether\",\"question_text\":\"Must a balloon be tethered?\","  \
	"\"question_raw\":\"Tether\",\"question_prefix\":\"Balloons\",\"category\":\"Airspace\","  \
	"\"tags\":[\"tether\"],\"country_code\":\"FR\","                                         \
	"\"answer_html\":\"Within 50 m of houses\",\"links\":[],\"last_reviewed\":null,"         \
	"\"confidence\":null}"

/* Whole results, as text. */
/* A result without rules tells which countries have some. */
#define WITH_RULES ",\"available_countries\":[\"DE\",\"FR\",\"GB\",\"NO\"]"

static const struct {
	const char *name, *tool, *args, *want;
} whole[] = {
	{ "found by tags", ANSWER,
	    "{\"country_code\":\"fr\",\"question\":\"xyzzy quux\",\"tags\":[\"Flight Plan\"]}",
	    "{\"found\":true,\"country_code\":\"FR\",\"count\":2,\"retrieval_mode\":\"tags\","
	    "\"rules\":[" KITES_FR "," NIGHT_FR "],\"formatted_text\":\""
	    "\\n**Airspace** (1 rules):\\n\\n• **How high may a kite fly?**\\n  100 m\\n"
	    "\\n**VFR** (1 rules):\\n\\n• **May gliders fly by night?**\\n"
	    "  Yes, with a lamp. Ask first.\\n  📎 Links: https://fr.example/night\"}" },
	{ "a country without rules", ANSWER,
	    "{\"country_code\":\"pt\",\"question\":\"May gliders fly by night?\"}",
	    "{\"found\":false,\"country_code\":\"PT\",\"count\":0,\"retrieval_mode\":\"tags\","
	    "\"message\":\"No rules found for Portugal (PT). Available countries: DE, FR, GB, NO\"" WITH_RULES "}" },
	{ "not in the rules", ANSWER, "{\"country_code\":\"FR\",\"question\":\"xyzzy quux\"}",
	    "{\"found\":false,\"country_code\":\"FR\",\"count\":0,\"retrieval_mode\":\"tags\","
	    "\"message\":\"Not in my rules: I found none recorded for France (FR) that answers this "
	    "question. Countries with rules: DE, FR, GB, NO\"" WITH_RULES "}" },
	{ "a page", BROWSE, "{\"country_code\":\"FR\",\"limit\":1}",
	    "{\"found\":true,\"country_code\":\"FR\",\"total\":3,\"offset\":0,\"limit\":1,"
	    "\"count\":1,\"has_more\":true,\"rules\":[" KITES_FR "],\"formatted_text\":\""
	    "\\n**Airspace** (1 rules):\\n\\n• **How high may a kite fly?**\\n  100 m\","
	    "\"categories\":[\"Airspace\"],\"next_offset\":1}" },
	{ "the last page, categories sorted and each once", BROWSE,
	    "{\"country_code\":\"FR\",\"offset\":0,\"limit\":3,\"tags\":null}",
	    "{\"found\":true,\"country_code\":\"FR\",\"total\":3,\"offset\":0,\"limit\":3,"
	    "\"count\":3,\"has_more\":false,\"rules\":[" KITES_FR "," NIGHT_FR "," BALLOONS_FR
	    "],\"formatted_text\":\"\\n**Airspace** (2 rules):\\n"
	    "\\n• **How high may a kite fly?**\\n  100 m\\n"
	    "\\n• **Must a balloon be tethered?**\\n  Within 50 m of houses\\n"
	    "\\n**VFR** (1 rules):\\n\\n• **May gliders fly by night?**\\n"
	    "  Yes, with a lamp. Ask first.\\n  📎 Links: https://fr.example/night\","
	    "\"categories\":[\"Airspace\",\"VFR\"],\"next_offset\":null}" },
	{ "beyond the end", BROWSE, "{\"country_code\":\"FR\",\"offset\":3}",
	    "{\"found\":true,\"country_code\":\"FR\",\"total\":3,\"offset\":3,\"limit\":10,"
	    "\"count\":0,\"has_more\":false,\"rules\":[],\"formatted_text\":"
	    "\"This page begins after the last rule. Rules in all: 3\",\"categories\":[],"
	    "\"next_offset\":null}" },
	{ "tags that there are none of", BROWSE,
	    "{\"country_code\":\"DE\",\"tags\":[\"secret\",\"moon\"]}",
	    "{\"found\":false,\"country_code\":\"DE\",\"total\":0,\"message\":"
	    "\"Unknown tags: secret, moon. Available tags: flight_plan, night_vfr, tether\""
	    WITH_RULES ",\"unknown_tags\":[\"secret\",\"moon\"]}" },
	{ "one that there is none of beside one", BROWSE,
	    "{\"country_code\":\"DE\",\"tags\":[\"secret\",\"tether\"],\"offset\":5}",
	    "{\"found\":true,\"country_code\":\"DE\",\"total\":1,\"offset\":5,\"limit\":10,"
	    "\"count\":0,\"has_more\":false,\"rules\":[],\"formatted_text\":"
	    "\"This page begins after the last rule. Rules in all: 1\",\"categories\":[],"
	    "\"next_offset\":null,\"unknown_tags\":[\"secret\"]}" },
	{ "known tags that the country has nothing of", BROWSE,
	    "{\"country_code\":\"NO\",\"tags\":[\"tether\",\"moon\"]}",
	    "{\"found\":false,\"country_code\":\"NO\",\"total\":0,\"message\":"
	    "\"No rule of Norway (NO) has these tags.\"" WITH_RULES ",\"unknown_tags\":[\"moon\"]}" },
	{ "nothing to browse", BROWSE, "{\"country_code\":\"XX\",\"tags\":[\"tether\"]}",
	    "{\"found\":false,\"country_code\":\"XX\",\"total\":0,\"message\":"
	    "\"No rules found for XX. Available countries: DE, FR, GB, NO\"" WITH_RULES "}" },
	{ "listed", LIST,
	    "{\"country_code\":\"FR\",\"category\":\"air\",\"search_term\":\"TETHERED\"}",
	    "{\"found\":true,\"country_code\":\"FR\",\"count\":1,\"total\":1,\"rules\":["
	    BALLOONS_FR "],\"formatted_text\":\"\\n**Airspace** (1 rules):\\n"
	    "\\n• **Must a balloon be tethered?**\\n  Within 50 m of houses\"}" },
	{ "nothing to list", LIST, "{\"country_code\":\"FR\",\"search_term\":\"zebra\"}",
	    "{\"found\":false,\"country_code\":\"FR\",\"count\":0,\"message\":"
	    "\"No rule of France (FR) fits.\"" WITH_RULES "}" },
	{ "by ids", GET,
	    "{\"question_ids\":[\"Night flight\",\"Kite\",\"Night flight\",\"Hidden\"],"
	    "\"countries\":[\"france\",\"DE\",\"PT\"]}",
	    "{\"found\":true,\"questions\":[{\"question_id\":\"Night flight\","
	    "\"question_text\":\"May gliders fly by night?\",\"category\":\"VFR\","
	    "\"tags\":[\"night_vfr\",\"flight_plan\"],\"answers\":{"
	    "\"DE\":{\"answer_html\":\"Yes, with a lamp.\",\"links\":[\"https://de.example\"],"
	    "\"last_reviewed\":null,\"confidence\":null},"
	    "\"FR\":{\"answer_html\":\"Yes, with a lamp.<br>Ask <b>first</b>.\","
	    "\"links\":[\"https://fr.example/night\"],\"last_reviewed\":\"2025-01-02\","
	    "\"confidence\":0.5}}}],\"unknown_ids\":[\"Kite\",\"Hidden\"]}" },
	{ "no such ids", GET, "{\"question_ids\":[\"Hidden\"]}",
	    "{\"found\":false,\"message\":\"No question has such an id.\",\"questions\":[],"
	    "\"unknown_ids\":[\"Hidden\"]}" },
	{ "what there is", CATEGORIES, "{}",
	    "{\"found\":true,\"categories\":[{\"name\":\"Airspace\",\"count\":2},"
	    "{\"name\":\"General\",\"count\":1},{\"name\":\"VFR\",\"count\":1}],"
	    "\"tags\":[{\"name\":\"flight_plan\",\"count\":2},{\"name\":\"night_vfr\",\"count\":1},"
	    "{\"name\":\"tether\",\"count\":2}]}" },
	{ "countries", COUNTRIES, "{}",
	    "{\"found\":true,\"countries\":[{\"code\":\"DE\",\"name\":\"Germany\",\"rules\":2},"
	    "{\"code\":\"FR\",\"name\":\"France\",\"rules\":3},"
	    "{\"code\":\"GB\",\"name\":\"United Kingdom\",\"rules\":3},"
	    "{\"code\":\"NO\",\"name\":\"Norway\",\"rules\":1}]}" },
};

TEST(tools_rules, whole_results)
{
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
		expect_text(rules_text(&f, whole[i].tool, whole[i].args), whole[i].want,
		    whole[i].name);
	rulesfix_close(&f);
}

/* ---- answering --------------------------------------------------------------- */

/* The similarity is the lexical search's own; all else is exact. */
TEST(tools_rules, answer_by_meaning)
{
	struct json_object *o, *rule;
	struct rulesfix f;
	char similarity[32];
	double s;

	rulesfix_open(&f, NULL, NULL);
	o = rules_call(&f, ANSWER,
	    "{\"country_code\":\"UK\",\"question\":\"do frisbees need a radio\"}");
	cr_expect_str_eq(rules_keys(f.mem, o),
	    "found country_code count retrieval_mode rules formatted_text");
	cr_expect(jsn_get_bool(o, "found", false));
	cr_expect_str_eq(jsn_get_str(o, "country_code", ""), "GB");
	cr_expect_str_eq(jsn_get_str(o, "retrieval_mode", ""), "rag");
	cr_expect_eq(jsn_get_int(o, "count", -1), (int64_t)jsn_len(jsn_get(o, "rules")));
	rule = jsn_at(jsn_get(o, "rules"), 0);
	s = jsn_get_num(rule, "similarity", -1);
	cr_expect(s >= 0.25 && s <= 1, "%g", s);
	num_print(similarity, s);
	expect_text(jsn_text(f.mem, rule, JSN_PLAIN), arena_printf(f.mem,
	    "{\"id\":\"Frisbees_GB\",\"question_id\":\"Frisbees\","
	    "\"question_text\":\"Do frisbees need a radio?\",\"similarity\":%s,"
	    "\"country_code\":\"GB\",\"category\":\"General\",\"tags\":[],"
	    "\"answer_html\":\"" FRISBEES_GB "\",\"links\":[\"https://gb.example/f\"],"
	    "\"last_reviewed\":null}", similarity), "the rule");
	cr_expect(starts_with(jsn_get_str(o, "formatted_text", ""), arena_printf(f.mem,
	    "**Q: Do frisbees need a radio?**\nA: " FRISBEES_GB_TEXT "\n(relevance: %.2f)", s)),
	    "%s", jsn_get_str(o, "formatted_text", ""));
	rulesfix_close(&f);
}

/* Blanks of an id become "_", tags are in their normal form in both modes. */
TEST(tools_rules, answer_ids_and_tags)
{
	struct json_object *o, *rule;
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	o = rules_call(&f, ANSWER,
	    "{\"country_code\":\"FR\",\"question\":\"may gliders fly by night\","
	    "\"tags\":[\"night_vfr\",\"night_vfr\",\"Moon\"]}");
	rule = jsn_at(jsn_get(o, "rules"), 0);
	cr_expect_str_eq(jsn_get_str(rule, "id", ""), "Night_flight_FR");
	cr_expect_str_eq(rules_member(f.mem, rule, "tags"), "[\"night_vfr\",\"flight_plan\"]");
	cr_expect_str_eq(rules_member(f.mem, o, "unknown_tags"), "[\"Moon\"]");
	rulesfix_close(&f);
}

/* Rules that only share a tag with the question are shown if they may answer it. Those that are silent on oxygen cannot. */
TEST(tools_rules, tags_do_not_answer_what_no_rule_mentions)
{
	static const struct { const char *question; bool found; } rows[] = {
		{ "may my zebra graze", true }, { "may my zebra graze with oxygen", false },
	};
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *o = rules_call(&f, ANSWER, arena_printf(f.mem,
		    "{\"country_code\":\"FR\",\"question\":\"%s\",\"tags\":[\"tether\"]}", rows[i].question));
		cr_expect_eq(jsn_get_bool(o, "found", !rows[i].found), rows[i].found, "%s", rows[i].question);
		cr_expect_str_eq(jsn_get_str(o, "retrieval_mode", ""), "tags");
	}
	rulesfix_close(&f);
}

/* ---- countries as planners write them ---------------------------------------- */

static const struct {
	const char *text, *code;
} names[] = {
	{ "FR", "FR" }, { "fr", "FR" }, { " fr ", "FR" }, { "France", "FR" }, { "french", "FR" },
	{ "UK", "GB" }, { "uk", "GB" }, { "United Kingdom", "GB" }, { "England", "GB" },
	{ "the UK", "GB" }, { "Deutschland", "DE" }, { "GERMAN", "DE" },
	{ "Österreich", "AT" }, { "pt", "PT" }, { "ZZ", "ZZ" }, { "narnia", "NARNIA" },
	{ "", "" }, { "f", "F" }, { "FR\n\"", "FR" },
};

TEST(tools_rules, country_names)
{
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strchr(names[i].text, '"') == NULL)
			cr_expect_str_eq(rules_country(f.mem, f.set, names[i].text), names[i].code,
			    "%s", names[i].text);
	cr_expect_str_eq(rules_country(f.mem, NULL, "uk"), "GB");
	cr_expect_str_eq(rules_country(f.mem, NULL, NULL), "");
	rulesfix_close(&f);
}

/* ---- pages ------------------------------------------------------------------- */

/* Paging makes sense whatever is asked for. */
static const struct {
	const char *args;
	int64_t offset, limit, count;
	bool more;
	int64_t next;                 /* -1: null */
} pages[] = {
	{ "", 0, 10, 3, false, -1 },
	{ ",\"limit\":0", 0, 1, 1, true, 1 },
	{ ",\"limit\":-7", 0, 1, 1, true, 1 },
	{ ",\"limit\":10000", 0, 50, 3, false, -1 },
	{ ",\"limit\":1e300", 0, 50, 3, false, -1 },
	{ ",\"limit\":2", 0, 2, 2, true, 2 },
	{ ",\"limit\":2,\"offset\":2", 2, 2, 1, false, -1 },
	{ ",\"limit\":1,\"offset\":2", 2, 1, 1, false, -1 },
	{ ",\"offset\":-3", 0, 10, 3, false, -1 },
	{ ",\"offset\":3", 3, 10, 0, false, -1 },
	{ ",\"offset\":99999999999999", 1000000000, 10, 0, false, -1 },
	{ ",\"offset\":-1e300,\"limit\":null", 0, 10, 3, false, -1 },
};

TEST(tools_rules, pages)
{
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct json_object *o = rules_call(&f, BROWSE,
		    arena_printf(f.mem, "{\"country_code\":\"FR\"%s}", pages[i].args));

		cr_expect(jsn_get_bool(o, "found", false), "%s", pages[i].args);
		cr_expect_eq(jsn_get_int(o, "total", -1), 3);
		cr_expect_eq(jsn_get_int(o, "offset", -1), pages[i].offset, "%s", pages[i].args);
		cr_expect_eq(jsn_get_int(o, "limit", -1), pages[i].limit, "%s", pages[i].args);
		cr_expect_eq(jsn_get_int(o, "count", -1), pages[i].count, "%s", pages[i].args);
		cr_expect_eq(jsn_len(jsn_get(o, "rules")), (size_t)pages[i].count);
		cr_expect_eq(jsn_get_bool(o, "has_more", !pages[i].more), pages[i].more, "%s",
		    pages[i].args);
		cr_expect(jsn_has(o, "next_offset"));
		cr_expect_eq(jsn_get_int(o, "next_offset", -1), pages[i].next, "%s",
		    pages[i].args);
	}
	rulesfix_close(&f);
}

/* ---- arguments that are refused ---------------------------------------------- */

static const struct {
	const char *tool, *args, *why;
} refused[] = {
	{ ANSWER, "{\"country_code\":\"FR\"}", "question is required" },
	{ ANSWER, "{\"question\":\"x\"}", "country_code is required" },
	{ ANSWER, "{\"country_code\":\" \",\"question\":\"x\"}", "country_code must not be empty" },
	{ ANSWER, "{\"country_code\":1,\"question\":\"x\"}", "country_code must be text" },
	{ ANSWER, "{\"country_code\":\"FR\",\"question\":\"x\",\"tags\":\"vfr\"}",
	    "tags must be a list of texts" },
	{ ANSWER, "{\"country_code\":\"FR\",\"question\":\"x\",\"tags\":[1]}",
	    "tags must be a list of texts" },
	{ ANSWER, "{\"country_code\":\"FR\",\"question\":\"x\",\"_persona_id\":\"y\"}",
	    "no argument is called _persona_id" },
	{ BROWSE, "{\"country_code\":\"FR\",\"limit\":\"10\"}", "limit must be an integer" },
	{ BROWSE, "{\"country_code\":\"FR\",\"offset\":1.5}", "offset must be an integer" },
	{ GET, "{}", "question_ids is required" },
	{ GET, "{\"question_ids\":[{}]}", "question_ids must be a list of texts" },
	{ COUNTRIES, "{\"country\":\"FR\"}", "no argument is called country" },
};

TEST(tools_rules, refused)
{
	struct arena *a = arena_new();
	struct json_object *args;
	struct err e;

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		TEST_OK(jsn_parse(a, refused[i].args, strlen(refused[i].args), JSN_DEPTH, &args,
		    NULL, &e), e);
		cr_expect_eq(tool_check(toolset_find(tools_builtin, refused[i].tool), args, &e), ERR_INPUT, "%s",
		    refused[i].args);
		cr_expect_not_null(strstr(e.msg, refused[i].why), "%s: %s", refused[i].args, e.msg);
	}
	arena_free(a);
}

/* A call that went past the check fails with it. */
TEST(tools_rules, unknown_arguments_fail)
{
	struct arena *a = arena_new();
	struct json_object *args = jsn_object(a), *result = NULL;
	struct tool_context ctx = { .rules = NULL };
	struct err e;

	jsn_add_str(args, "country_code", "FR");
	jsn_add_str(args, "region", "x");
	cr_expect_eq(tool_call(&ctx, toolset_find(tools_builtin, BROWSE), a, args, NULL, &result, &e), ERR_TOOL);
	cr_expect_not_null(strstr(e.msg, "no argument is called region"), "%s", e.msg);
	arena_free(a);
}

/* ---- without a rule base ----------------------------------------------------- */

#define NOTHING "No country rules are loaded here, so there is nothing to look them up in."

static const struct {
	const char *tool, *args, *want;
} without[] = {
	{ ANSWER, "{\"country_code\":\"uk\",\"question\":\"x\",\"tags\":[\"a\"]}",
	    "{\"found\":false,\"country_code\":\"GB\",\"count\":0,\"retrieval_mode\":\"tags\","
	    "\"message\":\"" NOTHING "\"}" },
	{ BROWSE, "{\"country_code\":\"FR\",\"offset\":4}",
	    "{\"found\":false,\"country_code\":\"FR\",\"total\":0,\"message\":\"" NOTHING "\"}" },
	{ "compare_rules_between_countries", "{\"countries\":[\"FR\",\"gb\"],\"tags\":[\"x\"]}",
	    "{\"found\":false,\"countries\":[\"FR\",\"GB\"],\"tags\":[\"x\"],\"differences\":[],"
	    "\"total_differences\":0,\"message\":\"" NOTHING "\",\"_tool_type\":\"comparison\"}" },
	{ LIST, "{\"country_code\":\"FR\"}",
	    "{\"found\":false,\"country_code\":\"FR\",\"count\":0,\"message\":\"" NOTHING "\"}" },
	{ GET, "{\"question_ids\":[\"a\"],\"countries\":[]}",
	    "{\"found\":false,\"message\":\"" NOTHING "\",\"questions\":[],"
	    "\"unknown_ids\":[\"a\"]}" },
	{ CATEGORIES, "{}", "{\"found\":false,\"message\":\"" NOTHING "\",\"categories\":[],"
	    "\"tags\":[]}" },
	{ COUNTRIES, "{}", "{\"found\":false,\"message\":\"" NOTHING "\",\"countries\":[]}" },
};

TEST(tools_rules, no_rule_base)
{
	struct rulesfix f = { .mem = arena_new() };

	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		expect_text(rules_text(&f, without[i].tool, without[i].args), without[i].want,
		    without[i].tool);
	arena_free(f.mem);
}

/* ---- the rows ---------------------------------------------------------------- */

TEST(tools_rules, catalogue)
{
	/* in the order of the original service; the older ones are offered on demand */
	static const struct {
		const char *name;
		bool older;
	} order[] = {
		{ ANSWER, false }, { BROWSE, false }, { "compare_rules_between_countries", false },
		{ LIST, true }, { GET, true }, { CATEGORIES, true }, { COUNTRIES, true },
	};
	size_t at = 0;

	for (size_t i = 0; i < tools_builtin.n; i++) {
		if (tools_builtin.tools[i]->ui != TOOL_UI_RULES)
			continue;
		cr_assert_lt(at, sizeof(order) / sizeof(order[0]));
		cr_expect_str_eq(tools_builtin.tools[i]->name, order[at].name);
		cr_expect_eq(tools_builtin.tools[i]->older, order[at].older, "%s", tools_builtin.tools[i]->name);
		cr_expect_not(tools_builtin.tools[i]->persona);
		cr_expect_not(tools_builtin.tools[i]->open);
		at++;
	}
	cr_expect_eq(at, sizeof(order) / sizeof(order[0]));
}

/* ---- the real file ----------------------------------------------------------- */

/* Counted in the file itself. */
static int64_t answers_for_pilots(struct rulesfix *f, const char *path)
{
	struct json_object *file, *questions;
	struct err e;
	int64_t n = 0;

	TEST_OK(jsn_load(f->mem, path, 1 << 24, &file, &e), e);
	questions = jsn_get(file, "questions");
	for (size_t i = 0; i < jsn_len(questions); i++) {
		struct json_object *q = jsn_at(questions, i);

		if (strieq(jsn_get_str(q, "category", ""), "ignore"))
			continue;
		JSN_EACH(jsn_get(q, "answers_by_country"), it)
			n += str_trim(str_of(jsn_get_str(it.val, "answer_html", ""))).n > 0;
	}
	return n;
}

TEST(tools_rules, real_file)
{
	const char *path = test_data("rules/rules.json");
	struct json_object *o;
	struct rulesfix f;
	int64_t answers = 0, seen = 0;

	if (path == NULL) {
		test_skip("no data");
		return;
	}
	rulesfix_open(&f, path, NULL);
	o = rules_call(&f, COUNTRIES, "{}");
	cr_expect_eq(jsn_len(jsn_get(o, "countries")), 19);
	for (size_t i = 0; i < jsn_len(jsn_get(o, "countries")); i++)
		answers += jsn_get_int(jsn_at(jsn_get(o, "countries"), i), "rules", 0);
	cr_expect_eq(answers, answers_for_pilots(&f, path), "%ld", (long)answers);

	o = rules_call(&f, CATEGORIES, "{}");
	cr_expect_eq(jsn_len(jsn_get(o, "categories")), 7, "not the one to ignore");

	/* all pages together are all rules, each once */
	for (int64_t offset = 0; offset >= 0;) {
		o = rules_call(&f, BROWSE, arena_printf(f.mem,
		    "{\"country_code\":\"FR\",\"limit\":7,\"offset\":%ld}", (long)offset));
		seen += jsn_get_int(o, "count", 0);
		cr_assert_leq(seen, 1000);
		offset = jsn_get_int(o, "next_offset", -1);
	}
	cr_expect_eq(seen, (int64_t)rulebase_country(f.set->base, "FR")->nentries);

	/* found by tags, 20 at most are shown, with a line about the rest */
	o = rules_call(&f, ANSWER, "{\"country_code\":\"FR\",\"question\":\"xyzzy quux\","
	    "\"tags\":[\"airspace\",\"airfield\",\"flight plan\",\"procedure\"]}");
	cr_expect_str_eq(jsn_get_str(o, "retrieval_mode", ""), "tags");
	cr_expect_gt(jsn_get_int(o, "count", 0), 20);
	cr_expect_eq(jsn_len(jsn_get(o, "rules")), 20);
	cr_expect_not_null(strstr(jsn_get_str(o, "formatted_text", ""), arena_printf(f.mem,
	    "... and %ld more with these tags", (long)jsn_get_int(o, "count", 0) - 20)));
	rulesfix_close(&f);
}
