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
#define TOOL(name, json) { .calls = { json }, .called = name }
#define DOWN { .rc = ERR_UPSTREAM, .input = 3, .estimated = true }
#define NO_FUNCTIONS { .rc = ERR_UPSTREAM, .no_functions = true }
#define KNOWN_NO_FUNCTIONS { .rc = ERR_UPSTREAM, .no_functions = true, .unasked = true }
#define NOTHING { .text = " \n", .input = 5 }
#define EMPTY "planner: the model gave only empty answers: try another model"

#define NO_PLAN "The language model made no usable plan for this question. " \
	"Ask it in other words."

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
	{ "the same call twice", { { .calls = { GOOD, GOOD } } }, 1, OK, "Lyon", "", 0, 0, false },
	{ "a call and words", { { .text = OTHER, .calls = { GOOD } } }, 1, OK, "Lyon", "", 0, 0,
	    false },
	{ "no call but a plan", { { .text = GOOD } }, 1, OK, "Lyon", "", 0, 0, false },
	{ "in fences", { { .text = "Here is the plan:\n```json\n" GOOD "\n```\nDone {really}." } }, 1,
	    OK, "Lyon", "", 0, 0, false },
	{ "after other objects", { { .text = "{\"a\": \"}{\"} then {oops} {} " GOOD OTHER } }, 1, OK,
	    "Lyon", "", 0, 0, false },
	{ "a tool called", { TOOL("search_airports", "{\"query\":\"Lyon\"}") }, 1, OK, "Lyon", "", 0, 0,
	    false },
	{ "a tool called, corrected", { TOOL("search_airports", "{\"place\":\"Lyon\"}"),
	    TOOL("search_airports", "{\"query\":\"Lyon\"}") }, 2, OK, "Lyon", "", 0, 0, false },
	{ "a tool called with half an object, corrected", { TOOL("search_airports", "{\"query\":"),
	    TOOL("search_airports", "{\"query\":\"Lyon\"}") }, 2, OK, "Lyon", "", 0, 0, false },
	{ "a tool called with a list", { TOOL("search_airports", "[]"), TOOL("search_airports", "7") }, 2,
	    ERR_PLANNER, NULL, NO_PLAN, 0, 0, false },
	{ "an unknown function twice", { TOOL("get_weather", "{}"), TOOL("get_weather", "{}") }, 2,
	    ERR_PLANNER, NULL, "Planner chose 'get_weather', which is not defined in the manifest.", 0, 0,
	    false },
	{ "a plan in the call of another function", { TOOL("plan", GOOD) }, 1, OK, "Lyon", "", 0, 0,
	    false },
	{ "no tool and then a plan as text", { { .text = "none of them" }, { .text = GOOD } }, 2, OK, "Lyon",
	    "", 0, 0, false },
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
	expect_messages(&f, 0, golden, 5);
	expect_messages(&f, 1, golden, 7);
	const struct scripted_request *first = &f.provider.asked[0], *second = &f.provider.asked[1];
	cr_expect(starts_with(first->messages[0].content, "Plan with: The tools are the functions"));
	const char *examples = strstr(first->messages[0].content, " [] \n\n## Examples");
	cr_assert_not_null(examples, "%s", first->messages[0].content);
	cr_expect_str_eq(examples, " [] \n\n## Examples\n\n- Example question? → search_airports {}\n"
	    "- Another one? → get_airport_details {}");
	cr_expect_str_eq(first->messages[4].content, second->messages[4].content);
	cr_expect_not_null(strstr(second->messages[6].content, LACKS));
	cr_expect_not_null(strstr(second->messages[6].content, "get_airport_details"));
	for (size_t i = 0; i < 2; i++) {
		const struct scripted_request *r = &f.provider.asked[i];
		cr_expect_str_eq(r->model, "planner-1");
		cr_expect_eq(r->temperature, 0.1);
		cr_expect_not(r->stream);
		cr_expect_eq(r->first_ms, 20000);
		cr_expect_eq(r->choice, LLM_REQUIRED);
	}
	cr_expect_str_eq(first->tools, second->tools);
	modelfix_close(&f);
}

/* -- the tools as functions -- */

/* A function of the n-th request; NULL: there is none of that name. */
static struct json_object *function_named(struct modelfix *f, size_t request, const char *name)
{
	const char *text = f->provider.asked[request].tools;
	struct json_object *list, *found = NULL;
	TEST_OK(jsn_parse(f->a, text, strlen(text), JSN_DEPTH, &list, NULL, &f->e), f->e);
	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *o = jsn_get(jsn_at(list, i), "function");
		cr_expect_str_eq(jsn_get_str(jsn_at(list, i), "type", ""), "function");
		if (streq(jsn_get_str(o, "name", ""), name)) {
			cr_expect_null(found, "%s stands there twice", name);
			found = o;
		}
	}
	return found;
}

/* Each tool is a function with the arguments of its rows, and one more says that none serves. */
TEST(model_plan, offers_each_tool_as_a_function)
{
	static const struct scripted_reply replies[] = { CALL(GOOD) };
	struct plan p;
	struct modelfix f;
	modelfix_open(&f, replies, 1);
	modelfix_ask(&f, "?");
	f.model.first_ms = 1500;
	TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
	cr_expect_eq(f.provider.asked[0].first_ms, 1500, "the setting wins over the role's");
	for (size_t i = 0; i < tools_builtin.n; i++) {
		const struct tool *t = tools_builtin.tools[i];
		struct json_object *o = function_named(&f, 0, t->name);
		struct json_object *schema = jsn_get(o, "parameters"), *props = jsn_get(schema, "properties");
		cr_assert_eq(o != NULL, !t->older, "%s", t->name);
		if (t->older)
			continue;
		struct json_object *full = tool_schema(f.a, t);
		cr_expect_str_eq(jsn_get_str(o, "description", ""), f.model.docs[i]);
		cr_expect_str_eq(jsn_get_str(schema, "type", ""), "object");
		cr_expect(json_object_equal(jsn_get(schema, "required"), jsn_get(full, "required")),
		    "%s", t->name);
		cr_expect(jsn_has(props, "answer_style"));
		for (size_t k = 0; k < t->nargs; k++) {
			struct json_object *have = jsn_get(props, t->args[k].name);
			struct json_object *want = jsn_get(jsn_get(full, "properties"), t->args[k].name);
			if (streq(t->args[k].name, "priority_strategy"))
				continue;              /* there is one */
			if (t->args[k].programs) {
				cr_expect_null(have, "%s: %s is for programs", t->name, t->args[k].name);
				continue;
			}
			cr_assert_not_null(have, "%s: %s", t->name, t->args[k].name);
			cr_expect_str_eq(jsn_get_str(have, "type", ""), jsn_get_str(want, "type", "?"));
			cr_expect_eq(jsn_len(jsn_get(have, "properties")),
			    jsn_len(jsn_get(want, "properties")));
		}
	}
	struct json_object *filters = jsn_get(jsn_get(jsn_get(jsn_get(function_named(&f, 0,
	    "search_airports"), "parameters"), "properties"), "filters"), "properties");
	cr_expect_str_eq(jsn_text(f.a, jsn_get(filters, "has_avgas"), JSN_PLAIN), "{\"type\":\"boolean\"}");
	cr_expect_str_eq(jsn_text(f.a, jsn_get(filters, "hotel"), JSN_PLAIN),
	    "{\"type\":\"string\",\"enum\":[\"at_airport\",\"vicinity\"]}");
	cr_expect_not_null(function_named(&f, 0, "no_tool"));
	/* what the filters mean is said once */
	const char *system = f.provider.asked[0].messages[0].content, *told = strstr(system, "- has_jet_a: ");
	cr_assert_not_null(told, "%s", system);
	cr_expect_null(strstr(told + 1, "- has_jet_a: "));
	modelfix_close(&f);
}

#define NEAR "{\"location_query\":\"Lyon\",\"answer_style\":\"table\"}"

static const struct {
	const char *name;
	struct scripted_reply replies[2];
	size_t n;
	const char *plans;     /* "tool argument, …" */
} several[] = {
	{ "two tools", { { .calls = { NEAR, "{\"country_code\":\"FR\",\"question\":\"Q?\"}" },
	    .names = { "find_airports_near_location", "answer_rules_question" } } }, 1,
	    "find_airports_near_location table answer_rules_question narrative_markdown" },
	{ "the same twice", { { .calls = { NEAR, NEAR }, .called = "find_airports_near_location" } }, 1,
	    "find_airports_near_location table" },
	{ "one of them is for nothing", { { .calls = { "{}", NEAR },
	    .names = { "no_tool", "find_airports_near_location" } } }, 1, "find_airports_near_location table" },
	{ "in the older form", { { .calls = { GOOD, OTHER } } }, 1,
	    "search_airports narrative_markdown search_airports narrative_markdown" },
	{ "both corrected", { { .calls = { NEAR, "{\"country_code\":\"FR\"}" },
	    .names = { "find_airports_near_location", "answer_rules_question" } },
	    { .calls = { NEAR, "{\"country_code\":\"FR\",\"question\":\"Q?\"}" },
	    .names = { "find_airports_near_location", "answer_rules_question" } } }, 2,
	    "find_airports_near_location table answer_rules_question narrative_markdown" },
	{ "the good one, when the other stays wrong", { { .calls = { NEAR, "{\"country_code\":\"FR\"}" },
	    .names = { "find_airports_near_location", "answer_rules_question" } },
	    { .text = "I cannot." } }, 2, "find_airports_near_location table not answer_rules_question" },
	{ "the good one, when nothing more comes", { { .calls = { NEAR, "{\"country_code\":\"FR\"}" },
	    .names = { "find_airports_near_location", "answer_rules_question" } }, DOWN }, 2,
	    "find_airports_near_location table not answer_rules_question" },
	{ "the good one, when the other names no tool", { { .calls = { "{}", NEAR },
	    .names = { "book_hotel", "find_airports_near_location" } }, DOWN }, 2,
	    "find_airports_near_location table not (none)" },
};

#define NEAR_TO(place) "{\"location_query\":\"" place "\"}"
#define NEAR_TOOL "find_airports_near_location"

/* A turn looks up three things. A fourth one was dropped without a word. */
TEST(model_plan, keeps_what_is_too_much_to_be_named)
{
	static const struct scripted_reply four[] = {
		{ .calls = { NEAR_TO("Lyon"), NEAR_TO("Nice"), NEAR_TO("Bern"), NEAR_TO("Turin") },
		    .names = { NEAR_TOOL, NEAR_TOOL, NEAR_TOOL, NEAR_TOOL } },
	};
	static const struct scripted_reply faulty[] = {
		{ .calls = { NEAR_TO("Lyon"), NEAR_TO("Nice"), "{\"country_code\":\"FR\"}", NEAR_TO("Bern") },
		    .names = { NEAR_TOOL, NEAR_TOOL, "answer_rules_question", NEAR_TOOL } },
		DOWN,
	};
	static const struct {
		const struct scripted_reply *replies;
		size_t n;
		const char *over;     /* the tool that is named */
		bool fault;
	} rows[] = {
		{ four, 1, NEAR_TOOL, false }, { faulty, 2, "answer_rules_question", true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct modelfix f;
		struct plans out = { .n = 0 };
		modelfix_open(&f, rows[i].replies, rows[i].n);
		modelfix_ask(&f, "airports near Lyon, Nice, Bern and Turin");
		TEST_OK(planner_model.plan(&f.run, &f.app.tools, &out, &f.e), f.e);
		cr_expect_eq(out.n, (size_t)3, "row %zu: %zu", i, out.n);
		cr_assert_eq(out.nover, (size_t)1, "row %zu: %zu", i, out.nover);
		const struct plan *over = &out.over[0];
		cr_expect_str_eq((over->tool != NULL ? over->tool : over->wanted)->name, rows[i].over);
		cr_expect_eq(over->fault != NULL, rows[i].fault);
		modelfix_close(&f);
	}
}

TEST(model_plan, takes_several_calls)
{
	for (size_t i = 0; i < sizeof(several) / sizeof(several[0]); i++) {
		struct modelfix f;
		struct plans out = { .n = 0 };
		const char *got = "";
		modelfix_open(&f, several[i].replies, several[i].n);
		modelfix_ask(&f, "airports near Lyon, and a rule of France");
		TEST_OK(planner_model.plan(&f.run, &f.app.tools, &out, &f.e), f.e);
		for (size_t k = 0; k < out.n; k++) {
			cr_expect_not(jsn_has(out.plan[k].arguments, "answer_style"));
			const struct plan *p = &out.plan[k];
			got = arena_printf(f.a, "%s%s%s %s", got, k > 0 ? " " : "",
			    p->tool != NULL ? p->tool->name : "not",
			    p->tool != NULL ? p->answer_style : p->wanted != NULL ? p->wanted->name : "(none)");
			cr_expect_eq(p->fault != NULL, p->tool == NULL);
		}
		cr_expect_str_eq(got, several[i].plans, "%s: %s", several[i].name, got);
		cr_expect_eq(f.provider.nasked, several[i].n, "%s", several[i].name);
		modelfix_close(&f);
	}
}

/* What was called goes back as it was called, and each call is answered. */
TEST(model_plan, answers_each_rejected_call)
{
	static const struct scripted_reply replies[] = {
		{ .calls = { NEAR, "{\"country_code\":\"FR\"}" },
		    .names = { "find_airports_near_location", "answer_rules_question" } },
		{ .calls = { NEAR }, .called = "find_airports_near_location" },
	};
	struct modelfix f;
	struct plan p;
	modelfix_open(&f, replies, 2);
	modelfix_ask(&f, "?");
	TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
	const struct scripted_request *r = &f.provider.asked[1];
	cr_expect_str_eq(modelfix_roles(&f, 1), "system user user assistant tool tool");
	cr_assert_eq(r->messages[3].ncalls, (size_t)2);
	cr_expect_str_eq(r->messages[3].calls[1].name, "answer_rules_question");
	cr_expect_str_eq(r->messages[3].calls[0].arguments, NEAR);
	for (size_t i = 0; i < 2; i++)
		cr_expect_str_eq(r->messages[4 + i].call_id, r->messages[3].calls[i].id);
	cr_expect_not_null(strstr(r->messages[4].content, "Nothing is wrong"));
	cr_expect_not_null(strstr(r->messages[5].content, "answer_rules_question: question is required"),
	    "%s", r->messages[5].content);
	cr_expect_not_null(r->tools);
	modelfix_close(&f);
}

/* What a server might refuse goes back as text: calls of no function, and broken arguments. */
TEST(model_plan, quotes_calls_that_cannot_go_back)
{
	static const struct scripted_reply replies[][2] = {
		{ TOOL("get_weather", "{}"), CALL(GOOD) },
		{ TOOL("search_airports", "{\"query\":"), CALL(GOOD) },
	};
	static const char *const quoted[] = { "get_weather {}", "search_airports {\"query\":" };
	for (size_t i = 0; i < 2; i++) {
		struct modelfix f;
		struct plan p;
		modelfix_open(&f, replies[i], 2);
		modelfix_ask(&f, "?");
		TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
		cr_expect_str_eq(modelfix_roles(&f, 1), "system user user assistant user");
		cr_expect_str_eq(f.provider.asked[1].messages[3].content, quoted[i]);
		cr_expect_not_null(f.provider.asked[1].tools, "functions all the same");
		modelfix_close(&f);
	}
}

TEST(model_plan, takes_the_function_for_no_tool)
{
	static const struct scripted_reply replies[] = { TOOL("no_tool", "{}"), TOOL("no_tool", "") };
	static const char *const messages[] = { "Good morning!", "airports near Lyon" };
	for (size_t i = 0; i < 2; i++) {
		struct modelfix f;
		struct plan p = { .tool = NULL };
		modelfix_open(&f, &replies[i], 1);
		modelfix_ask(&f, messages[i]);
		TEST_OK(plan_one(&planner_model, &f.run, &f.app.tools, &p, &f.e), f.e);
		/* the built-in planner has words for it, or knows better */
		cr_expect_eq(p.tool != NULL, i == 1);
		cr_expect_eq(p.reply != NULL, i == 0);
		modelfix_close(&f);
	}
}

/* -- the plan as text -- */

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
	cr_expect_null(strstr(r[0].messages[2].content, schema));
	cr_expect_null(strstr(r[0].messages[0].content, "- search_airports: "), "nor the tools once more");
	cr_expect_not_null(strstr(r[1].messages[0].content, "- search_airports: About search_airports.\n"
	    "  query (string, required): "), "%s", r[1].messages[0].content);
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
	const char *back = f.provider.asked[1].messages[7].content;       /* two examples before it */
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
		cr_expect_not_null(function_named(&f, 0, "browse_rules"), "%s", name);
		cr_expect_null(function_named(&f, 0, "search_airports"), "%s", name);
		cr_expect_null(strstr(first->messages[0].content, "- has_avgas"), "%s", name);
		cr_expect_null(strstr(first->messages[0].content, "Examples"), "%s: no example of others", name);
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
	{ ROUTING_BOTH, 0, { NULL }, "among airports and in the rules: call a function for each." },
	{ ROUTING_BOTH, 1, { "DE", NULL }, "Plan the one among airports; the one in the rules is planned "
	    "separately. Countries it is about: DE." },
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
		const char *plain = strstr(text, "call `no_tool`.");
		cr_assert_not_null(plain);
		cr_expect_eq(plain[15] != '\0', *hints[i].ends != '\0', "row %zu: %s", i, text);
		size_t n = strlen(text), end = strlen(hints[i].ends);
		cr_assert_geq(n, end);
		cr_expect_str_eq(text + n - end, hints[i].ends, "row %zu: %s", i, text);
		modelfix_close(&f);
	}
}

#define PLACE TOOL("find_airports_near_location", "{\"location_query\":\"Lyon\"}")
#define RULE TOOL("browse_rules", "{\"country_code\":\"FR\"}")
#define TWO { .calls = { "{\"location_query\":\"Lyon\"}", "{\"country_code\":\"FR\"}" }, \
	.names = { "find_airports_near_location", "browse_rules" } }

static const struct {
	const char *name;
	struct scripted_reply replies[4];
	size_t n;
	enum errcode rc;
	const char *plans;     /* tools; "!about: why" */
	const char *roles;     /* of the last request */
} boths[] = {
	{ "in one reply", { TWO }, 1, OK, " find_airports_near_location browse_rules", "system user user" },
	{ "one after the other", { PLACE, RULE }, 2, OK, " find_airports_near_location browse_rules",
	    "system user user" },
	{ "the rules first", { RULE, PLACE }, 2, OK, " browse_rules find_airports_near_location",
	    "system user user" },
	{ "as text", { KNOWN_NO_FUNCTIONS, { .text = GOOD }, KNOWN_NO_FUNCTIONS, { .text = BROWSE } }, 4, OK,
	    " search_airports browse_rules", "system user user" },
	{ "only airports", { PLACE, { .text = "?" }, { .text = "?" } }, 3, OK,
	    " find_airports_near_location !rules: " NO_PLAN, "system user user assistant user" },
	{ "no reply about the rules", { PLACE, DOWN }, 2, ERR_UPSTREAM, NULL, "system user user" },
	{ "neither", { { .text = "?" }, { .text = "?" }, RULE }, 3, OK,
	    " !airports: " NO_PLAN " browse_rules", "system user user" },
};

/* The router saw a question about both. */
TEST(model_plan, plans_both)
{
	for (size_t i = 0; i < sizeof(boths) / sizeof(boths[0]); i++) {
		struct modelfix f;
		struct plans out = { .n = 0 };
		const char *got = "";
		modelfix_open(&f, boths[i].replies, boths[i].n);
		f.model.nexamples = 0;
		modelfix_ask(&f, "airports near Lyon, and the rules of France");
		f.state.routing.kind = ROUTING_BOTH;
		cr_expect_eq(planner_model.plan(&f.run, &f.app.tools, &out, &f.e), boths[i].rc, "%s: %s",
		    boths[i].name, f.e.msg);
		for (size_t k = 0; k < out.n; k++)
			got = out.plan[k].tool != NULL ? arena_printf(f.a, "%s %s", got, out.plan[k].tool->name)
			    : arena_printf(f.a, "%s !%s: %s", got, out.plan[k].about, out.plan[k].fault);
		if (boths[i].plans != NULL)
			cr_expect_str_eq(got, boths[i].plans, "%s: %s", boths[i].name, got);
		cr_expect_eq(f.provider.nasked, boths[i].n, "%s: %zu", boths[i].name, f.provider.nasked);
		cr_expect_str_eq(modelfix_roles(&f, boths[i].n - 1), boths[i].roles, "%s", boths[i].name);
		modelfix_close(&f);
	}
}
