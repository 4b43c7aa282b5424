/*
 * Whole turns with a model by script, a small airport database, and the real runtime and
 * store: what a client reads when the model works, fails, or is away.
 */
#include "agents/aviation/model.h"

#include "tests/unit/airports_fixture.h"
#include "tests/unit/model_fix.h"
#include "tests/unit/rules_tools_fix.h"

#define PLAN "{\"selected_tool\":\"search_airports\",\"arguments\":{\"query\":\"Lyon-Bron\"}}"
#define UNKNOWN "{\"selected_tool\":\"get_weather\"}"
#define PLANNED { .calls = { PLAN }, .input = 100, .output = 10 }
#define DOWN { .rc = ERR_UPSTREAM }
#define TOOL_EVENTS "plan thinking tool_call_start tool_call_end"
#define SORRY "I encountered an error: "

static const struct {
	const char *name;
	struct scripted_reply replies[3];
	size_t n;
	bool spare;
	const char *events, *answer, *code;
	bool degraded;
	int64_t tokens;
} turns[] = {
	{ "all well", { PLANNED, { .text = "One| airport.", .input = 200, .output = 20 } }, 2, true,
	    TOOL_EVENTS " message thinking_done ui_payload final_answer done", "One airport.", "", false,
	    330 },
	{ "no planner", { DOWN }, 1, true,
	    "plan thinking thinking tool_call_start tool_call_end message thinking_done ui_payload "
	    "final_answer done", "Lyon-Bron", "", true, 0 },
	{ "no writer", { PLANNED, DOWN }, 2, true,
	    TOOL_EVENTS " thinking message thinking_done ui_payload final_answer done", "Lyon-Bron", "",
	    true, 110 },
	{ "no planner and no spare", { DOWN }, 1, false, "message error final_answer done",
	    SORRY "The language model did not answer. Please try again.", "upstream_failed", false, 0 },
	{ "no writer and no spare", { PLANNED, DOWN }, 2, false,
	    TOOL_EVENTS " message thinking_done error final_answer done",
	    "Error formatting response: The answer could not be written. Please try again.",
	    "formatter_failed", false, 110 },
	{ "unknown tool twice", { { .calls = { UNKNOWN } }, { .calls = { UNKNOWN } } }, 2, true,
	    "message error final_answer done", SORRY "Planner chose 'get_weather', which is not defined "
	    "in the manifest. Please try again.", "planner_failed", false, 0 },
	{ "a call beside one that cannot be used", { { .calls = { "{\"query\":\"Lyon-Bron\"}",
	    "{\"icao_code\":\"LFLY\",\"runway\":\"16\"}" },
	    .names = { "search_airports", "get_airport_details" } }, { .text = "I cannot." },
	    { .text = "One airport." } }, 3, true,
	    TOOL_EVENTS " message thinking_done ui_payload final_answer done", "One airport.\n\nAs for the "
	    "airports (LFLY): " SORRY "The language model made no usable plan for this question. Ask it in "
	    "other words. Please try again.", "", false, 0 },
	{ "a fourth call", { { .calls = { "{\"query\":\"Lyon-Bron\"}", "{\"query\":\"a\"}", "{\"query\":\"b\"}",
	    "{\"query\":\"<c>\"}" }, .names = { "search_airports", "search_airports", "search_airports",
	    "search_airports" } }, { .text = "One airport." } }, 2, true,
	    TOOL_EVENTS " " TOOL_EVENTS " " TOOL_EVENTS " message thinking_done ui_payload final_answer done",
	    "One airport.\n\nI look up at most 3 things for one message. Left out: airports (‹c>). Please ask "
	    "for that in another message.", "", false, 0 },
	{ "a call beside one of a tool that does not exist", { { .calls = { "{}",
	    "{\"query\":\"Lyon-Bron\"}" }, .names = { "get_weather", "search_airports" } }, DOWN,
	    { .text = "One airport." } }, 3, true,
	    TOOL_EVENTS " message thinking_done ui_payload final_answer done", "One airport.\n\nAs for the "
	    "rest: " SORRY "Planner chose 'get_weather', which is not defined in the manifest. Please try "
	    "again.", "", false, 0 },
	{ "cut off in the middle", { PLANNED, { .text = "One| air", .rc = ERR_UPSTREAM } }, 2, true,
	    TOOL_EVENTS " message thinking_done error final_answer done",
	    "Error formatting response: The answer could not be written. Please try again.",
	    "formatter_failed", false, 110 },
};

static const char *names(const struct modelfix *f)
{
	const char *out = "";
	for (size_t i = 0; i < f->sink.n; i++)
		if (i == 0 || f->sink.events[i].kind != EV_TEXT || f->sink.events[i - 1].kind != EV_TEXT)
			out = arena_printf(f->a, "%s%s%s", out, i > 0 ? " " : "",
			    event_name(f->sink.events[i].kind));
	return out;
}

static struct json_object *data(const struct modelfix *f, enum event_kind kind)
{
	for (size_t i = f->sink.n; i-- > 0;)
		if (f->sink.events[i].kind == kind)
			return f->sink.events[i].data;
	return NULL;
}

TEST(model_turn, events_of_success_and_failure, .timeout = 60)
{
	struct airfix air;
	airfix_open(&air, NULL, false);
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
		const char *name = turns[i].name;
		const struct message question = MESSAGE("user", "Tell me about airports at Lyon-Bron");
		const struct turn_request req = { .messages = &question, .nmessages = 1 };
		struct modelfix f;
		struct store *store;
		int64_t retry_ms;
		modelfix_open(&f, turns[i].replies, turns[i].n);
		TEST_OK(store_memory_new(&store, 0, 10, 1 << 20, &f.e), f.e);
		f.app.tools.airports = air.db;
		f.app.spare_planner = turns[i].spare ? &planner_builtin : NULL;
		f.app.spare_writer = turns[i].spare ? &writer_builtin : NULL;
		f.run = (struct run){ .mem = f.a, .agent = &aviation_agent, .app = &f.app,
			.log.first.sink = &f.sink.sink, .store = store,
			.limits = { .lease_ms = 10000, .history_messages = 40 } };
		TEST_OK(run_begin(&f.run, &req, &retry_ms, &f.e), f.e);
		cr_expect_eq(run_turn(&f.run), OK, "%s", name);

		struct json_object *state = jsn_get(data(&f, EV_FINAL), "state");
		struct json_object *done = data(&f, EV_DONE), *meta = jsn_get(done, "metadata");
		const char *answer = jsn_get_str(state, "final_answer", "");
		cr_expect_str_eq(names(&f), turns[i].events, "%s: %s", name, names(&f));
		cr_expect_not_null(strstr(answer, turns[i].answer), "%s: %s", name, answer);
		cr_expect_eq(jsn_get_bool(meta, "degraded", false), turns[i].degraded, "%s", name);
		cr_expect_eq(jsn_get_int(jsn_get(done, "tokens"), "total", -1), turns[i].tokens, "%s",
		    name);
		cr_expect_eq(f.provider.nasked, turns[i].n, "%s: nobody waits twice", name);
		for (size_t k = 0; k < f.sink.n; k++)
			if (f.sink.events[k].kind == EV_ERROR)
				cr_expect_str_eq(f.sink.events[k].name, turns[i].code, "%s", name);
		cr_expect_eq(*turns[i].code == '\0', f.run.error.code == OK, "%s", name);
		cr_expect_null(strstr(sink_mem_text(&f.sink), "llm.example"), "%s", name);
		store_close(store);
		modelfix_close(&f);
	}
	airfix_close(&air);
}

/* -- turns about rules -- */

#define NIGHT "May gliders fly by night?"
#define ASK_FR "{\"selected_tool\":\"answer_rules_question\",\"arguments\":{\"country_code\":\"FR\"," \
	"\"question\":\"" NIGHT "\"}}"
#define COMPARE "{\"selected_tool\":\"compare_rules_between_countries\",\"arguments\":" \
	"{\"countries\":[\"FR\",\"DE\"]}}"
#define LONELY "{\"selected_tool\":\"compare_rules_between_countries\",\"arguments\":" \
	"{\"countries\":[\"FR\",\"XX\"]}}"
#define SAID(json) { .calls = { json }, .input = 100, .output = 10 }
#define ROUTED(json) { .calls = { json }, .called = "AviationRoute", .input = 50, .output = 5 }
#define WRITTEN { .text = "Written.", .input = 200, .output = 20 }
#define ONE TOOL_EVENTS " message thinking_done ui_payload final_answer done"
#define TWO TOOL_EVENTS " " ONE

static const struct {
	const char *name;
	bool router;
	struct scripted_reply replies[4];
	size_t n;
	const char *events, *answer;
	const char *purposes;         /* of what was asked */
	const char *kind, *shown;     /* of the ui_payload */
	int64_t tokens;
} rules_turns[] = {
	{ "a question", false, { SAID(ASK_FR), WRITTEN }, 2, ONE, "Written.", "planner formatter ",
	    "rules", "[\"FR\"]", 330 },
	{ "a comparison", false, { SAID(COMPARE), WRITTEN }, 2, ONE,
	    "Written.\n\n*4 questions were compared. No answer is recorded for France (1 "
	    "question), Germany (2 questions).*", "planner comparison ", "rules",
	    "[\"FR\",\"DE\"]", 330 },
	{ "one country to compare", false, { SAID(LONELY) }, 1, ONE,
	    "A comparison needs the rules of two countries", "planner ", "rules", "[\"FR\",\"XX\"]", 110 },
	{ "routed to rules", true, { ROUTED("{\"kind\":\"rules\",\"countries\":[\"FR\"]}"), SAID(ASK_FR),
	    WRITTEN }, 3, ONE, "Written.", "router planner formatter ", "rules", "[\"FR\"]", 385 },
	{ "routed to the database", true, { ROUTED("{\"kind\":\"database\",\"countries\":[]}"),
	    SAID(PLAN), WRITTEN }, 3, ONE, "Written.", "router planner formatter ", "route", "null", 385 },
	{ "routed to both", true, { ROUTED("{\"kind\":\"both\",\"countries\":[\"FR\"]}"), SAID(PLAN),
	    SAID(ASK_FR), WRITTEN }, 4, TWO, "Written.", "router planner planner formatter ", "route",
	    "[\"FR\"]", 495 },
	{ "both, with a comparison", true, { ROUTED("{\"kind\":\"both\",\"countries\":[]}"), SAID(PLAN),
	    SAID(COMPARE), WRITTEN }, 4, TWO, "Written.\n\n*4 questions were compared. No answer",
	    "router planner planner formatter ", "route",
	    "[\"FR\",\"DE\"]", 495 },
	{ "both, and the rules planner mixes them up", true, { ROUTED("{\"kind\":\"both\"}"), SAID(PLAN),
	    SAID(PLAN), SAID(ASK_FR) }, 4, TOOL_EVENTS " " TOOL_EVENTS " thinking message thinking_done "
	    "ui_payload final_answer done", NIGHT, "router planner planner planner formatter ", "route",
	    "[\"FR\"]", 385 },
};

TEST(model_turn, turns_about_rules, .timeout = 60)
{
	struct airfix air;
	struct rulesfix rules;
	airfix_open(&air, NULL, false);
	rulesfix_open(&rules, NULL, NULL);
	for (size_t i = 0; i < sizeof(rules_turns) / sizeof(rules_turns[0]); i++) {
		const char *name = rules_turns[i].name, *purposes = "";
		struct modelfix f;
		modelfix_open(&f, rules_turns[i].replies, rules_turns[i].n);
		f.app.tools.airports = air.db;
		f.app.tools.rules = rules.rules;
		f.app.router = rules_turns[i].router ? &router_model : NULL;
		f.app.spare_planner = &planner_builtin;
		f.app.spare_writer = &writer_builtin;
		modelfix_turn(&f, "airports at Lyon-Bron, and may gliders fly by night in France?");
		struct json_object *state = jsn_get(data(&f, EV_FINAL), "state");
		struct json_object *ui = data(&f, EV_UI_PAYLOAD), *done = data(&f, EV_DONE);
		const char *answer = jsn_get_str(state, "final_answer", "");
		cr_expect_str_eq(names(&f), rules_turns[i].events, "%s: %s", name, names(&f));
		cr_expect_not_null(strstr(answer, rules_turns[i].answer), "%s: %s", name, answer);
		for (size_t k = 0; k < f.provider.nasked; k++)
			purposes = arena_printf(f.a, "%s%s ", purposes, f.provider.asked[k].purpose);
		cr_expect_str_eq(purposes, rules_turns[i].purposes, "%s: %s", name, purposes);
		cr_expect_str_eq(jsn_get_str(ui, "kind", ""), rules_turns[i].kind, "%s", name);
		const char *shown = jsn_text(f.a, jsn_get(jsn_get(ui, "show_rules"), "countries"), JSN_PLAIN);
		cr_expect_str_eq(shown, rules_turns[i].shown, "%s: %s", name, shown);
		cr_expect_eq(jsn_get_int(jsn_get(done, "tokens"), "total", -1), rules_turns[i].tokens,
		    "%s", name);
		modelfix_close(&f);
	}
	rulesfix_close(&rules);
	airfix_close(&air);
}

/* Where the look-up among airports suggests nothing, the one in the rules may. */
TEST(model_turn, suggestions_of_either_look_up, .timeout = 60)
{
	static const struct scripted_reply replies[] = { ROUTED("{\"kind\":\"both\",\"countries\":[]}"),
		SAID("{\"selected_tool\":\"search_airports\",\"arguments\":{\"query\":\"Lyon\","
		    "\"filters\":{\"point_of_entry\":true}}}"), SAID(ASK_FR), WRITTEN };
	struct airfix air;
	struct rulesfix rules;
	struct modelfix f;
	struct predictor *p;
	airfix_open(&air, NULL, false);
	rulesfix_open(&rules, NULL, NULL);
	modelfix_open(&f, replies, 4);
	TEST_OK(predictor_load(&p, tools_builtin, MODELFIX_TEMPLATES, NULL, &f.e), f.e);
	f.app.tools.airports = air.db;
	f.app.tools.rules = rules.rules;
	f.app.router = &router_model;
	f.app.predictor = p;
	f.app.suggestions_max = 4;
	modelfix_turn(&f, "airports with customs in Lyon, and may gliders fly by night in France?");
	cr_expect_str_eq(names(&f), TWO, "%s", names(&f));
	struct json_object *list = jsn_get(data(&f, EV_UI_PAYLOAD), "suggested_queries");
	cr_expect_str_eq(jsn_get_str(jsn_at(list, 0), "text", ""), "Which airports have customs in France?");
	modelfix_close(&f);
	predictor_free(p);
	rulesfix_close(&rules);
	airfix_close(&air);
}

/* Nothing of a model: router, planner and writer that are built in. */
TEST(model_turn, both_without_a_model, .timeout = 60)
{
	struct airfix air;
	struct rulesfix rules;
	struct modelfix f;
	airfix_open(&air, NULL, false);
	rulesfix_open(&rules, NULL, NULL);
	modelfix_open(&f, NULL, 0);
	f.app.tools.airports = air.db;
	f.app.tools.rules = rules.rules;
	f.app.router = &router_builtin;
	f.app.planner = &planner_builtin;
	f.app.writer = &writer_builtin;
	modelfix_turn(&f, "airports near LFLY with customs, and may gliders fly by night in France?");
	struct json_object *state = jsn_get(data(&f, EV_FINAL), "state");
	const char *answer = jsn_get_str(state, "final_answer", "");
	cr_expect_str_eq(names(&f), TWO, "%s", names(&f));
	cr_expect_not_null(strstr(answer, "Yes, with a lamp."), "%s", answer);
	cr_expect(jsn_has(state, "tool_result") && jsn_has(state, "rules_result"));
	cr_expect_eq(f.provider.nasked, 0);
	modelfix_close(&f);
	rulesfix_close(&rules);
	airfix_close(&air);
}

/* A router may send to both what is about one: nothing is said of the other. */
TEST(model_turn, a_half_with_nothing_to_look_up, .timeout = 60)
{
	static const struct scripted_reply replies[] = { ROUTED("{\"kind\":\"both\",\"countries\":[]}") };
	struct airfix air;
	struct rulesfix rules;
	struct modelfix f;
	airfix_open(&air, NULL, false);
	rulesfix_open(&rules, NULL, NULL);
	modelfix_open(&f, replies, 1);
	f.app.tools.airports = air.db;
	f.app.tools.rules = rules.rules;
	f.app.router = &router_model;
	f.app.planner = &planner_builtin;
	f.app.writer = &writer_builtin;
	modelfix_turn(&f, "may gliders fly by night in France?");
	const char *answer = jsn_get_str(jsn_get(data(&f, EV_FINAL), "state"), "final_answer", "");
	cr_expect_not_null(strstr(answer, "Yes, with a lamp."), "%s", answer);
	cr_expect_null(strstr(answer, "As for the airports"), "%s", answer);
	cr_expect_null(strstr(answer, "What I can do"), "%s", answer);
	modelfix_close(&f);
	rulesfix_close(&rules);
	airfix_close(&air);
}
