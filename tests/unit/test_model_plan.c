/*
 * Planning with a model: what it is asked, what is taken for a plan, and what happens to one
 * that is none.
 */
#include "agents/aviation/model.h"

#include "base/buf.h"
#include "tests/unit/model_fix.h"
#include "tests/unit/plan_one.h"
#include "tests/unit/rules_tools_fix.h"

/* -- reading a plan -- */

#define ROUTE "\"selected_tool\":\"find_airports_near_route\""
#define UNKNOWN(name) "Planner chose '" name "', which is not defined in the manifest."

static const struct {
	const char *json;
	const char *plan;     /* as JSON; NULL: refused */
	const char *why;
} plans[] = {
	{ "{\"selected_tool\":\"search_airports\"}",
	    "{\"selected_tool\":\"search_airports\",\"arguments\":{},"
	    "\"answer_style\":\"narrative_markdown\"}", "" },
	{ "{\"arguments\":{\"from_location\":\"EGTF\"},\"answer_style\":\"table\"," ROUTE ",\"mood\":1}",
	    "{" ROUTE ",\"arguments\":{\"from_location\":\"EGTF\"},\"answer_style\":\"table\"}", "" },
	{ "{" ROUTE ",\"arguments\":{\"a\":null,\"filters\":{\"b\":null,\"has_avgas\":true},\"c\":[null]},"
	    "\"answer_style\":\" \"}",
	    "{" ROUTE ",\"arguments\":{\"filters\":{\"has_avgas\":true},\"c\":[null]},"
	    "\"answer_style\":\"narrative_markdown\"}", "" },
	{ "{" ROUTE ",\"answer_style\":\"a\\u0000b\\nc\"}",
	    "{" ROUTE ",\"arguments\":{},\"answer_style\":\"a\"}", "" },
	{ "", NULL, "The plan is not JSON: Unexpected end of data (character 0)." },
	{ "{" ROUTE ",", NULL, "The plan is not JSON: Expecting value (character 44)." },
	{ "[]", NULL, "The plan must be an object, not a list." },
	{ "null", NULL, "The plan must be an object, not null." },
	{ "{}", NULL, "The plan names no tool: selected_tool is missing." },
	{ "{\"selected_tool\":null}", NULL, "The plan names no tool: selected_tool is missing." },
	{ "{\"selected_tool\":[\"search_airports\"]}", NULL,
	    "The plan's selected_tool must be text, not a list." },
	{ "{\"selected_tool\":\"fly\"}", NULL, UNKNOWN("fly") },
	{ "{\"selected_tool\":\"\"}", NULL, UNKNOWN("") },
	{ "{\"selected_tool\":\"Search_Airports\"}", NULL, UNKNOWN("Search_Airports") },
	{ "{\"selected_tool\":\"search_airports\\u0000x\"}", NULL, UNKNOWN("search_airports") },
	{ "{\"selected_tool\":\"a\\nb\\u001b[1m\\u007f\"}", NULL, UNKNOWN("a b [1m ") },
	/* cut at 60 bytes, and never inside a character */
	{ "{\"selected_tool\":\"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeefffffffffé\"}", NULL,
	    UNKNOWN("aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeefffffffff") },
	{ "{" ROUTE ",\"arguments\":null}", NULL, "The plan's arguments must be an object, not null." },
	{ "{" ROUTE ",\"arguments\":\"{}\"}", NULL, "The plan's arguments must be an object, not text." },
	{ "{" ROUTE ",\"answer_style\":null}", NULL, "The plan's answer_style must be text, not null." },
	{ "{" ROUTE ",\"answer_style\":1}", NULL, "The plan's answer_style must be text, not a number." },
};

TEST(model_plan, parses)
{
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		struct arena *a = arena_new();
		struct plan p = { .tool = NULL };
		struct err e = { 0 };
		enum errcode rc = model_plan_parse(a, tools_builtin, plans[i].json, &p, &e);
		cr_expect_eq(rc, plans[i].plan != NULL ? OK : ERR_PLANNER, "%s", plans[i].json);
		cr_expect_str_eq(e.msg, plans[i].why, "%s: %s", plans[i].json, e.msg);
		if (plans[i].plan != NULL && rc == OK)
			cr_expect_str_eq(jsn_text(a, plan_json(a, &p), JSN_PLAIN), plans[i].plan);
		else
			cr_expect_null(p.tool, "%s", plans[i].json);
		arena_free(a);
	}
}

/* -- asking -- */

#define GOOD "{\"selected_tool\":\"search_airports\",\"arguments\":{\"query\":\"Lyon\"}}"
#define OTHER "{\"selected_tool\":\"search_airports\",\"arguments\":{\"query\":\"Bron\"}}"
#define LACKING "{\"selected_tool\":\"search_airports\",\"arguments\":{\"place\":\"Lyon\"}}"
#define UNKNOWN_TOOL "{\"selected_tool\":\"get_weather\",\"arguments\":{}}"
#define LACKS "search_airports: query is required; no argument is called place"
#define CALL(json) { .calls = { json }, .input = 100, .output = 10 }
#define DOWN { .rc = ERR_UPSTREAM, .input = 3, .estimated = true }
#define NO_FUNCTIONS { .rc = ERR_UPSTREAM, .no_functions = true }
#define KNOWN_NO_FUNCTIONS { .rc = ERR_UPSTREAM, .no_functions = true, .unasked = true }
#define NOTHING { .text = " \n", .input = 5 }
#define EMPTY "planner: the model gave only empty answers: try another model"

#define NO_PLAN "The language model made no usable plan for this question. " \
	"Other words may help."

static const struct {
	const char *name;
	struct scripted_reply replies[4];
	size_t n;             /* replies; more questions are not expected */
	enum errcode rc;
	const char *query;    /* of the plan */
	const char *why;
	int64_t input, output;
	bool estimated;
} asks[] = {
	{ "a call", { CALL(GOOD) }, 1, OK, "Lyon", "", 100, 10, false },
	{ "two calls: the first counts", { { .calls = { GOOD, OTHER } } }, 1, OK, "Lyon", "", 0, 0,
	    false },
	{ "a call and words", { { .text = OTHER, .calls = { GOOD } } }, 1, OK, "Lyon", "", 0, 0,
	    false },
	{ "no call but a plan", { { .text = GOOD } }, 1, OK, "Lyon", "", 0, 0, false },
	{ "in fences", { { .text = "Here is the plan:\n```json\n" GOOD "\n```\nDone {really}." } }, 1,
	    OK, "Lyon", "", 0, 0, false },
	{ "after other objects", { { .text = "{\"a\": \"}{\"} then {oops} {} " GOOD OTHER } }, 1, OK,
	    "Lyon", "", 0, 0, false },
	{ "corrected", { CALL(LACKING), CALL(GOOD) }, 2, OK, "Lyon", "", 200, 20, false },
	{ "unknown tool, corrected", { CALL(UNKNOWN_TOOL), CALL(GOOD) }, 2, OK, "Lyon", "", 200, 20,
	    false },
	{ "unknown tool twice", { CALL(UNKNOWN_TOOL), CALL(UNKNOWN_TOOL) }, 2, ERR_PLANNER, NULL,
	    "Planner chose 'get_weather', which is not defined in the manifest.", 200, 20, false },
	{ "not corrected", { CALL(UNKNOWN_TOOL), CALL(LACKING) }, 2, ERR_PLANNER, NULL,
	    NO_PLAN, 200, 20, false },
	{ "half a plan twice", { CALL("{\"selected_tool\":"), CALL("{\"selected_tool\":") }, 2,
	    ERR_PLANNER, NULL, NO_PLAN, 200, 20, false },
	{ "words twice", { { .text = "It is sunny." }, { .text = "It is {sunny}." } }, 2, ERR_PLANNER,
	    NULL, NO_PLAN, 0, 0, false },
	{ "words, then a plan as text", { { .text = "It is sunny." }, { .text = GOOD } }, 2, OK, "Lyon",
	    "", 0, 0, false },
	{ "empty arguments of a call", { CALL(""), CALL(GOOD) }, 2, OK, "Lyon", "", 200, 20, false },
	{ "no reply", { DOWN }, 1, ERR_UPSTREAM, NULL,
	    "planner: planner-1: llm.example:443: it went wrong", 3, 0, true },
	{ "no reply to the correction", { CALL(LACKING), DOWN }, 2, ERR_UPSTREAM, NULL,
	    "planner: planner-1: llm.example:443: it went wrong", 103, 10, true },
	{ "no functions", { NO_FUNCTIONS, { .text = GOOD, .input = 5 } }, 2, OK, "Lyon", "", 5, 0,
	    false },
	{ "no functions, not corrected", { NO_FUNCTIONS, { .text = "Lyon!" } }, 2, ERR_PLANNER, NULL,
	    NO_PLAN, 0, 0, false },
	{ "no functions as is known, corrected", { KNOWN_NO_FUNCTIONS, { .text = "Lyon!" },
	    { .text = GOOD } }, 3, OK, "Lyon", "", 0, 0, false },
	{ "no functions as is known, not corrected", { KNOWN_NO_FUNCTIONS, { .text = "Lyon!" },
	    { .text = "Lyon!" } }, 3, ERR_PLANNER, NULL, NO_PLAN, 0, 0, false },
	{ "no functions for the correction", { CALL(LACKING), NO_FUNCTIONS }, 2, ERR_PLANNER, NULL,
	    NO_PLAN, 100, 10, false },
	{ "nothing twice", { NOTHING, NOTHING }, 2, ERR_UPSTREAM, NULL, EMPTY, 10, 0, false },
	{ "nothing, then a plan as text", { NOTHING, { .text = GOOD } }, 2, OK, "Lyon", "", 5, 0, false },
	{ "nothing, then words", { NOTHING, { .text = "Lyon!" } }, 2, ERR_PLANNER, NULL, NO_PLAN, 5, 0,
	    false },
	{ "no functions and nothing", { NO_FUNCTIONS, NOTHING }, 2, ERR_UPSTREAM, NULL, EMPTY, 5, 0, false },
	{ "no functions, no reply", { NO_FUNCTIONS, DOWN }, 2, ERR_UPSTREAM, NULL,
	    "planner: planner-1: llm.example:443: it went wrong", 3, 0, true },
	{ "the reader left", { { .rc = ERR_HUP, .input = 7 } }, 1, ERR_HUP, NULL, NULL, 7, 0, false },
	{ "out of time", { CALL(LACKING), { .rc = ERR_TIMEOUT } }, 2, ERR_TIMEOUT, NULL, NULL, 100, 10,
	    false },
	{ "the process ends", { { .rc = ERR_OVERLOAD } }, 1, ERR_OVERLOAD, NULL, NULL, 0, 0, false },
};

TEST(model_plan, asks)
{
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
		const char *name = asks[i].name;
		struct plan p = { .tool = NULL };
		struct modelfix f;
		modelfix_open(&f, asks[i].replies, asks[i].n);
		modelfix_ask(&f, "airports at Lyon");
		enum errcode rc = plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e);
		cr_expect_eq(rc, asks[i].rc, "%s: %s", name, f.e.msg);
		if (rc == OK)
			cr_expect_str_eq(jsn_get_str(p.arguments, "query", ""), asks[i].query, "%s", name);
		else
			cr_expect_eq(f.e.code, rc, "%s", name);
		if (asks[i].why != NULL)
			cr_expect_str_eq(rc == OK ? "" : f.e.msg, asks[i].why, "%s: %s", name, f.e.msg);
		cr_expect_eq(f.provider.nasked, asks[i].n, "%s: %zu questions", name, f.provider.nasked);
		cr_expect_eq(f.run.tokens.input, asks[i].input, "%s", name);
		cr_expect_eq(f.run.tokens.output, asks[i].output, "%s", name);
		cr_expect_eq(f.run.tokens.estimated, asks[i].estimated, "%s", name);
		cr_expect_eq(f.sink.n, 0, "%s: nothing is for the reader", name);
		cr_expect_null(f.state.fallback_model, "%s", name);
		modelfix_close(&f);
	}
}

/* -- what it is asked -- */

static struct message talk[] = {
	MESSAGE("system", "You are a pirate."),
	MESSAGE("user", "airports at Lyon"),
	MESSAGE("assistant", "1. Bron"),
	MESSAGE("system", "Obey."),
	MESSAGE("user", "and with AVGAS?"),
};

struct said { const char *role, *content; };

static void expect_messages(struct modelfix *f, size_t request, const struct said *golden, size_t n)
{
	const struct scripted_request *r = &f->provider.asked[request];
	cr_expect_eq(r->n, n, "%zu messages: %s", r->n, modelfix_roles(f, request));
	for (size_t i = 0; i < n && i < r->n; i++) {
		cr_expect_str_eq(r->messages[i].role, golden[i].role, "message %zu", i);
		if (golden[i].content != NULL)
			cr_expect_str_eq(r->messages[i].content, golden[i].content, "message %zu", i);
	}
}

TEST(model_plan, sends_the_messages_in_order)
{
	static const struct scripted_reply replies[] = { CALL(LACKING), CALL(GOOD) };
	static const struct said golden[] = {
		{ "system", NULL },
		{ "user", "Example question?" },
		{ "assistant", "{\"selected_tool\": \"search_airports\"}" },
		{ "user", "Another one?" },
		{ "assistant", "{\"selected_tool\": \"get_airport_details\"}" },
		{ "user", "airports at Lyon" },
		{ "assistant", "1. Bron" },
		{ "user", "and with AVGAS?" },
		{ "user", NULL },                          /* choose */
		{ "assistant", LACKING },
		{ "user", NULL },                          /* again */
	};
	struct plan p;
	struct modelfix f;
	modelfix_open(&f, replies, 2);
	f.run.messages = talk;
	f.run.nmessages = sizeof(talk) / sizeof(talk[0]);
	TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
	expect_messages(&f, 0, golden, 9);
	expect_messages(&f, 1, golden, 11);
	const struct scripted_request *first = &f.provider.asked[0], *second = &f.provider.asked[1];
	cr_expect_str_eq(first->messages[0].content, arena_printf(f.a, "Plan with: %s [] ",
	    modelfix_catalog(&f, f.app.tools.offered)));
	cr_expect_str_eq(first->messages[8].content, second->messages[8].content);
	cr_expect_not_null(strstr(second->messages[10].content, LACKS));
	cr_expect_not_null(strstr(second->messages[10].content, "get_airport_details"));
	for (size_t i = 0; i < 2; i++) {
		const struct scripted_request *r = &f.provider.asked[i];
		cr_expect_str_eq(r->model, "planner-1");
		cr_expect_eq(r->temperature, 0.1);
		cr_expect_not(r->stream);
		cr_expect_eq(r->first_ms, 20000);
		cr_expect_str_eq(r->named, "AviationPlan");
	}
	modelfix_close(&f);
}

/* The function as the original service declares it, except for the descriptions. */
TEST(model_plan, forces_the_function)
{
	static const struct scripted_reply replies[] = { CALL(GOOD) };
	struct plan p;
	struct modelfix f;
	struct json_object *schema, *props;
	modelfix_open(&f, replies, 1);
	modelfix_ask(&f, "?");
	f.model.first_ms = 1500;
	TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
	const char *text = f.provider.asked[0].tools;
	TEST_OK(jsn_parse(f.a, text, strlen(text), JSN_DEPTH, &schema, NULL, &f.e), f.e);
	schema = jsn_get(jsn_get(jsn_at(schema, 0), "function"), "parameters");
	cr_expect_str_eq(jsn_get_str(schema, "type", ""), "object");
	cr_expect_str_eq(jsn_text(f.a, jsn_get(schema, "required"), JSN_PLAIN), "[\"selected_tool\"]");
	props = jsn_get(schema, "properties");
	cr_expect_eq(jsn_len(props), 3);
	static const struct { const char *name, *type; } members[] = {
		{ "selected_tool", "string" }, { "arguments", "object" }, { "answer_style", "string" },
	};
	for (size_t i = 0; i < 3; i++) {
		struct json_object *m = jsn_get(props, members[i].name);
		cr_expect_str_eq(jsn_get_str(m, "type", ""), members[i].type);
		cr_expect_str_neq(jsn_get_str(m, "description", ""), "");
	}
	cr_expect(jsn_get_bool(jsn_get(props, "arguments"), "additionalProperties", false));
	cr_expect_str_eq(jsn_get_str(jsn_get(props, "answer_style"), "default", ""),
	    "narrative_markdown");
	cr_expect_eq(f.provider.asked[0].first_ms, 1500, "the setting wins over the role's");
	modelfix_close(&f);
}

TEST(model_plan, asks_as_text_without_functions)
{
	static const struct scripted_reply replies[] = { KNOWN_NO_FUNCTIONS, { .text = "?" },
		{ .text = GOOD } };
	static const char schema[] = "\"selected_tool\"";
	struct plan p;
	struct modelfix f;
	modelfix_open(&f, replies, 3);
	modelfix_ask(&f, "airports at Lyon");
	TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
	const struct scripted_request *r = f.provider.asked;
	cr_expect_not_null(r[0].tools);
	cr_expect_null(strstr(r[0].messages[0].content, schema), "no format instructions with functions");
	cr_expect_null(strstr(r[0].messages[6].content, schema));
	cr_expect_null(r[1].tools);
	cr_expect_str_eq(modelfix_roles(&f, 1), "system user assistant user assistant user user");
	cr_expect_not_null(strstr(r[1].messages[0].content, schema), "{format_instructions}");
	cr_expect_not_null(strstr(r[1].messages[6].content, schema));
	cr_expect_null(r[2].tools, "the correction is asked for as text too");
	cr_expect_str_eq(modelfix_roles(&f, 2),
	    "system user assistant user assistant user user assistant user");
	modelfix_close(&f);
}

TEST(model_plan, bounds_what_goes_back)
{
	struct modelfix f;
	struct plan p;
	struct arena *a = arena_new();
	char *long_text = arena_alloc(a, 3 * 300000 + 1);
	for (size_t i = 0; i < 300000; i++)
		memcpy(long_text + 3 * i, i % 2 ? "{ { " : "€", 3);
	const struct scripted_reply replies[] = { { .text = long_text }, { .text = long_text } };
	modelfix_open(&f, replies, 2);
	modelfix_ask(&f, "?");
	cr_expect_eq(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), ERR_PLANNER);
	const char *back = f.provider.asked[1].messages[7].content;
	cr_expect_leq(strlen(back), 4000);
	cr_expect_geq(strlen(back), 3990);
	cr_expect(utf8_valid(back, strlen(back)));
	modelfix_close(&f);
	arena_free(a);
}

/* No tool serves a greeting: the built-in planner has the words. What it can plan it plans. */
TEST(model_plan, may_choose_none)
{
	static const struct scripted_reply replies[] = {
		CALL("{\"selected_tool\":\"none\"}"),
		CALL("{\"selected_tool\":\"none\",\"arguments\":{\"query\":\"hello\"}}"),
	};
	static const char *const messages[] = { "Good morning!", "airports near Lyon" };
	for (size_t i = 0; i < 2; i++) {
		struct modelfix f;
		struct plan p = { .tool = NULL };
		modelfix_open(&f, &replies[i], 1);
		modelfix_ask(&f, messages[i]);
		TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
		if (i == 0) {
			cr_expect_null(p.tool);
			cr_assert_not_null(p.reply);
			cr_expect_not_null(strstr(p.reply, "What I can do"), "%s", p.reply);
		} else {
			cr_assert_not_null(p.tool);
			cr_expect_str_eq(p.tool->name, "find_airports_near_location");
		}
		modelfix_close(&f);
	}
}

/* Small models: numbers in quotes, calls as text. */
TEST(model_plan, reads_what_is_meant)
{
	static const char plan[] = "{\"query\":\"7\",\"max_results\":3,\"filters\":"
	    "{\"has_avgas\":true,\"min_runway_length_ft\":2500}}";
	static const struct scripted_reply replies[] = {
		CALL("{\"selected_tool\":\"search_airports\",\"arguments\":{\"query\":\"7\","
		    "\"max_results\":\"3\",\"filters\":{\"has_avgas\":\"True\","
		    "\"min_runway_length_ft\":\"2500\"}}}"),
		{ .text = "<tool_call>{\"name\":\"search_airports\",\"arguments\":{\"query\":\"7\","
		    "\"max_results\":3,\"filters\":{\"has_avgas\":true,\"min_runway_length_ft\":2500}}}"
		    "</tool_call>" },
		{ .text = "{\"name\":\"AviationPlan\",\"arguments\":{\"selected_tool\":\"search_airports\","
		    "\"arguments\":{\"query\":\"7\",\"max_results\":3,\"filters\":{\"has_avgas\":true,"
		    "\"min_runway_length_ft\":\"2500\"}}}}" },
	};
	for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++) {
		struct modelfix f;
		struct plan p = { .tool = NULL };
		modelfix_open(&f, &replies[i], 1);
		modelfix_ask(&f, "?");
		TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
		cr_assert_not_null(p.tool);
		cr_expect_str_eq(jsn_text(f.a, p.arguments, JSN_PLAIN), plan, "row %zu", i);
		modelfix_close(&f);
	}
}

/* Some models call the tool they mean. */
TEST(model_plan, takes_a_tool_that_is_called_directly)
{
	static const struct scripted_reply replies[] = {
		{ .calls = { "{\"query\":\"Lyon\"}" }, .called = "search_airports" },
	};
	struct modelfix f;
	struct plan p = { .tool = NULL };
	modelfix_open(&f, replies, 1);
	modelfix_ask(&f, "airports at Lyon");
	TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
	cr_expect_str_eq(p.tool->name, "search_airports");
	cr_expect_str_eq(jsn_get_str(p.arguments, "query", ""), "Lyon");
	modelfix_close(&f);
}

TEST(model_plan, names_the_model_that_stood_in)
{
	static const struct scripted_reply replies[] = { DOWN, CALL(GOOD) };
	struct modelfix f;
	struct plan p;
	modelfix_open(&f, replies, 2);
	f.config.fallback.model = "spare-1";
	modelfix_ask(&f, "?");
	TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
	cr_expect_str_eq(f.provider.asked[1].model, "spare-1");
	cr_expect_str_eq(f.state.fallback_model, "spare-1");
	cr_expect_eq(f.run.tokens.input, 103);
	modelfix_close(&f);
}

/* A model that says nothing is not asked again where another one is set. */
TEST(model_plan, asks_the_other_model_after_nothing)
{
	static const struct { struct scripted_reply replies[2]; enum errcode rc; } rows[] = {
		{ { NOTHING, CALL(GOOD) }, OK }, { { NOTHING, NOTHING }, ERR_UPSTREAM },
		{ { NOTHING, CALL(LACKING) }, ERR_PLANNER },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct modelfix f;
		struct plan p;
		modelfix_open(&f, rows[i].replies, 2);
		f.config.fallback.model = "spare-1";
		modelfix_ask(&f, "?");
		cr_expect_eq(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), rows[i].rc, "%s", f.e.msg);
		cr_expect_eq(f.provider.nasked, 2);
		cr_expect_str_eq(f.provider.asked[1].model, "spare-1");
		cr_expect_not_null(f.provider.asked[1].tools);
		cr_expect_eq(f.provider.asked[1].n, f.provider.asked[0].n, "it is not blamed for the first one");
		cr_expect_str_eq(f.state.fallback_model, "spare-1");
		modelfix_close(&f);
	}
}

/* -- fewer tools than there are -- */

#define BROWSE "{\"selected_tool\":\"browse_rules\",\"arguments\":{\"country_code\":\"FR\"}}"

static const struct {
	const char *name;
	struct scripted_reply replies[2];
	size_t n;
	enum errcode rc;
	const char *why;
} offered[] = {
	{ "one of those", { CALL(BROWSE) }, 1, OK, "" },
	{ "another one", { CALL(GOOD), CALL(BROWSE) }, 2, OK, "" },
	{ "another one twice", { CALL(GOOD), CALL(GOOD) }, 2, ERR_PLANNER,
	    "Planner chose 'search_airports', which is not defined in the manifest." },
	{ "another one, called directly", { { .calls = { "{\"query\":\"Lyon\"}" },
	    .called = "search_airports" }, CALL(BROWSE) }, 2, OK, "" },
};

/* A turn that the router found to be about rules: what is not offered does not exist. */
TEST(model_plan, knows_only_what_is_offered)
{
	for (size_t i = 0; i < sizeof(offered) / sizeof(offered[0]); i++) {
		const char *name = offered[i].name;
		struct modelfix f;
		struct plan p = { .tool = NULL };
		modelfix_open(&f, offered[i].replies, offered[i].n);
		modelfix_ask(&f, "the rules of France");
		struct tool_context ctx = f.app.tools;
		ctx.offered = toolset_of(f.a, ctx.offered, TOOL_RULES);
		enum errcode rc = plan_one(&planner_model, &f.run, &ctx, &p, &f.e);
		cr_expect_eq(rc, offered[i].rc, "%s: %s", name, f.e.msg);
		cr_expect_str_eq(rc == OK ? "" : f.e.msg, offered[i].why, "%s", name);
		if (rc == OK)
			cr_expect_str_eq(p.tool->name, "browse_rules", "%s", name);
		const struct scripted_request *first = &f.provider.asked[0];
		cr_expect_str_eq(first->messages[0].content, arena_printf(f.a, "Plan with: %s [] ",
		    modelfix_catalog(&f, ctx.offered)), "%s", name);
		cr_expect_str_eq(modelfix_roles(&f, 0), "system user user", "%s: no example of others", name);
		if (offered[i].n == 2) {
			const struct scripted_request *again = &f.provider.asked[1];
			const char *text = again->messages[again->n - 1].content;
			cr_expect_not_null(strstr(text, "compare_rules_between_countries"), "%s", text);
			cr_expect_null(strstr(text, "get_airport_details"), "%s", text);
		}
		modelfix_close(&f);
	}
}

/* {available_tags} is the list of the rules as they are now. */
TEST(model_plan, names_the_tags_of_the_rules)
{
	static const struct scripted_reply replies[] = { CALL(BROWSE) };
	struct rulesfix rules;
	struct modelfix f;
	struct plan p;
	rulesfix_open(&rules, NULL, NULL);
	modelfix_open(&f, replies, 1);
	modelfix_ask(&f, "the rules of France");
	f.app.tools.rules = rules.rules;
	TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
	cr_expect_not_null(strstr(f.provider.asked[0].messages[0].content,
	    "[flight_plan, night_vfr, tether]"), "%s", f.provider.asked[0].messages[0].content);
	modelfix_close(&f);
	rulesfix_close(&rules);
}

/* A tag is a word of a file that may be a stranger's: what is none does not get into the prompt. */
TEST(model_plan, takes_only_words_for_tags)
{
	static const char file[] = "{\"questions\":[{\"question_id\":\"a\",\"question_text\":\"A?\","
	    "\"category\":\"c\",\"tags\":[\"good one\",\"</rules>\",\"a,b\",\"line\\nbreak\",\"\",\"tab\\t.\","
	    "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\",\"vfr/ifr\"],"
	    "\"answers_by_country\":{\"FR\":{\"answer_html\":\"x\"}}}]}";
	char *dir = test_mkdtemp();
	struct rulesfix rules;
	struct arena *a = arena_new();
	const char *path = arena_printf(a, "%s/tags.json", dir);
	test_write(path, file);
	rulesfix_open(&rules, path, NULL);
	const struct tool_context ctx = { .rules = rules.rules }, none = { .rules = NULL };
	cr_expect_str_eq(model_tags(a, &ctx), "good_one, vfr/ifr", "%s", model_tags(a, &ctx));
	cr_expect_str_eq(model_tags(a, &none), "");
	arena_free(a);
	rulesfix_close(&rules);
	test_rmdir(dir);
}

TEST(model_plan, bounds_the_list_of_tags)
{
	char *dir = test_mkdtemp();
	struct rulesfix rules;
	struct arena *a = arena_new();
	struct buf b;
	const char *path = arena_printf(a, "%s/tags.json", dir);
	buf_init(&b, 1 << 20);
	buf_puts(&b, "{\"questions\":[{\"question_id\":\"a\",\"question_text\":\"A?\",\"tags\":[");
	for (int i = 0; i < 2000; i++)
		buf_printf(&b, "%s\"a_tag_with_a_number_%04d\"", i > 0 ? "," : "", i);
	buf_puts(&b, "],\"answers_by_country\":{\"FR\":{\"answer_html\":\"x\"}}}]}");
	test_write(path, b.p);
	rulesfix_open(&rules, path, NULL);
	const struct tool_context ctx = { .rules = rules.rules };
	const char *tags = model_tags(a, &ctx);
	cr_expect_leq(strlen(tags), 4000);
	cr_expect(starts_with(tags, "a_tag_with_a_number_0000, a_tag_with_a_number_0001, "));
	cr_expect_eq((strlen(tags) + 2) % 26, 0, "the last one is whole");
	buf_release(&b);
	arena_free(a);
	rulesfix_close(&rules);
	test_rmdir(dir);
}

static const struct {
	enum routing_kind kind;
	size_t request;               /* of both the first two are about airports: the plan is refused */
	const char *countries[3];
	const char *ends;             /* of the last message; "": as without a router */
} hints[] = {
	{ ROUTING_NONE, 0, { NULL }, "" },
	{ ROUTING_RULES, 0, { NULL }, "" },
	{ ROUTING_RULES, 0, { "FR", "GB", NULL }, " Countries it is about: FR, GB." },
	{ ROUTING_DATABASE, 0, { "FR", NULL }, " Countries it is about: FR." },
	{ ROUTING_BOTH, 0, { NULL }, "Plan the one among airports; the one in the rules is planned "
	    "separately." },
	{ ROUTING_BOTH, 2, { "DE", NULL }, "the one among airports is planned separately. Countries it "
	    "is about: DE." },
};

TEST(model_plan, is_told_what_the_router_found)
{
	static const struct scripted_reply replies[] = { CALL(BROWSE), CALL(BROWSE), CALL(BROWSE),
		CALL(BROWSE) };
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		struct modelfix f;
		struct plans made = { .n = 0 };
		modelfix_open(&f, replies, 4);
		modelfix_ask(&f, "?");
		f.state.routing.kind = hints[i].kind;
		for (size_t k = 0; k < 3 && hints[i].countries[k] != NULL; k++)
			routing_add(&f.state.routing, hints[i].countries[k]);
		struct tool_context ctx = f.app.tools;
		ctx.offered = routing_offers(f.a, hints[i].kind, ctx.offered);
		(void)planner_model.plan(&f.run, &ctx, &made, &f.e);
		const struct scripted_request *r = &f.provider.asked[hints[i].request];
		cr_assert_gt(f.provider.nasked, hints[i].request);
		const char *text = r->messages[r->n - 1].content;
		const char *plain = strstr(text, "`arguments.filters`.");
		cr_assert_not_null(plain);
		cr_expect_eq(plain[20] != '\0', *hints[i].ends != '\0', "row %zu: %s", i, text);
		size_t n = strlen(text), end = strlen(hints[i].ends);
		cr_assert_geq(n, end);
		cr_expect_str_eq(text + n - end, hints[i].ends, "row %zu: %s", i, text);
		modelfix_close(&f);
	}
}
