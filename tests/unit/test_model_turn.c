/*
 * Whole turns with a model by script, a small airport database, and the real runtime and
 * store: what a client reads when the model works, fails, or is away.
 */
#include "agents/aviation/model.h"

#include "services/store_backend.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/model_fix.h"

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
		const struct message question = { "user", "Tell me about airports at Lyon-Bron" };
		const struct turn_request req = { .messages = &question, .nmessages = 1 };
		struct modelfix f;
		struct store *store;
		int64_t retry_ms;
		modelfix_open(&f, turns[i].replies, turns[i].n);
		TEST_OK(store_memory_new(&store, 0, 10, 1 << 20, &f.e), f.e);
		f.app.tools.airports = air.db;
		f.app.spare_planner = turns[i].spare ? &planner_builtin : NULL;
		f.app.spare_writer = turns[i].spare ? &writer_builtin : NULL;
		f.run = (struct run){ .mem = f.a, .graph = &aviation_graph, .app = &f.app,
			.sink = &f.sink.sink, .store = store,
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
