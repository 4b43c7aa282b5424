/*
 * A tool that is added when the program starts, under a name of its own and with a kind of result that
 * exists: a model plans it, it is called, the built-in writer writes it, the page gets its payload
 * and suggestions follow, and nothing else of the program knows it.
 */
#include "tests/unit/model_fix.h"
#include "tests/unit/reader_fix.h"

#define NEW_NAME "strips_around"
#define ARGS "{\"location_query\":\"Bled\",\"radius\":30}"

static const char schema_text[] =
    "{\"type\":\"object\",\"properties\":{\"location_query\":{\"type\":\"string\","
    "\"description\":\"The place.\"},\"radius\":{\"type\":\"number\",\"minimum\":1,\"maximum\":99}},"
    "\"required\":[\"location_query\"]}";

static const char result_text[] =
    "{\"found\":true,\"count\":1,\"total_found\":1,"
    "\"center\":{\"lat\":46.36,\"lon\":14.1,\"label\":\"Bled\"},"
    "\"airports\":[{\"ident\":\"LJBL\",\"name\":\"Lesce\",\"iso_country\":\"SI\",\"country\":\"SI\","
    "\"latitude_deg\":46.36,\"longitude_deg\":14.17,\"distance_nm\":3.2}],"
    "\"filter_profile\":{\"location_query\":\"Bled\",\"radius_nm\":30},"
    "\"visualization\":{\"type\":\"point_with_markers\","
    "\"point\":{\"label\":\"Bled\",\"lat\":46.36,\"lon\":14.1},\"markers\":[{\"ident\":\"LJBL\"}]}}";

/* What an external tool's row would have: where its results come from. */
struct remote_tool {
	const char *result;
	size_t called;
};

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	struct remote_tool *remote = self;

	remote->called++;
	cr_expect_not_null(ctx->watch);
	cr_expect_str_eq(jsn_text(a, args, JSN_PLAIN), ARGS);
	return jsn_parse(a, remote->result, strlen(remote->result), JSN_DEPTH, result, NULL, e);
}

static struct json_object *parse(struct arena *a, const char *text)
{
	struct json_object *o = NULL;
	struct err e;

	TEST_OK(jsn_parse(a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

static const struct event *last(const struct modelfix *f, enum event_kind kind)
{
	for (size_t i = f->sink.n; i-- > 0;)
		if (f->sink.events[i].kind == kind)
			return &f->sink.events[i];
	return NULL;
}

TEST(new_tool, is_planned_called_written_and_shown, .timeout = 60)
{
	static const struct scripted_reply replies[] = { { .calls = { ARGS }, .called = NEW_NAME } };
	struct remote_tool remote = { .result = result_text };
	struct tool row = { .name = NEW_NAME, .doc = "Airstrips around a place.",
		.domain = TOOL_EXTERNAL, .ui = TOOL_UI_ROUTE, .result = RESULT_AIRPORTS_NEAR,
		.self = &remote, .call = call };
	const struct tool *rows[] = { &row };
	struct toolset table = tools_builtin;
	struct predictor *p;
	struct modelfix f;

	modelfix_open(&f, replies, 1);
	TEST_OK(tool_args_read(&row, f.a, parse(f.a, schema_text), &f.e), f.e);
	TEST_OK(toolset_add(&table, f.a, rows, 1, &f.e), f.e);
	TEST_OK(predictor_load(&p, table, MODELFIX_TEMPLATES, NULL, &f.e), f.e);
	modelfix_tools(&f, table);
	f.app.writer = &writer_builtin;
	f.app.predictor = p;
	f.app.suggestions_max = 4;
	modelfix_turn(&f, "airstrips around Bled");

	cr_expect_eq(remote.called, 1);
	cr_expect_eq(f.run.error.code, OK, "%s", f.run.error.msg);
	cr_expect_str_eq(last(&f, EV_TOOL_END)->name, NEW_NAME);
	/* the writer's words for airports near a place */
	struct json_object *state = jsn_get(last(&f, EV_FINAL)->data, "state");
	const char *answer = jsn_get_str(state, "final_answer", "");
	cr_expect(starts_with(answer, "**One airport** lies within 30 NM of Bled:"), "%s", answer);
	cr_expect_not_null(strstr(answer, "1. **Lesce** (LJBL), Slovenia"), "%s", answer);
	cr_expect_not_null(strstr(answer, "3.2 NM"), "%s", answer);
	/* the page's payload */
	struct json_object *ui = last(&f, EV_UI_PAYLOAD)->data;
	cr_expect_str_eq(jsn_get_str(ui, "kind", ""), "route");
	cr_expect_str_eq(jsn_get_str(ui, "tool", ""), NEW_NAME);
	cr_expect_eq(jsn_len(jsn_get(ui, "airports")), 1);
	cr_expect_str_eq(jsn_get_str(jsn_get(ui, "visualization"), "type", ""), "point_with_markers");
	/* what is suggested after a search near a place */
	struct json_object *list = jsn_get(ui, "suggested_queries");
	cr_expect_str_eq(jsn_get_str(jsn_at(list, 0), "text", ""), "Which airports have AVGAS near Bled");
	modelfix_close(&f);
	predictor_free(p);
}

/* With the built-in search switched off, the built-in planner takes the tool that gives the like. */
TEST(new_tool, serves_the_built_in_planner)
{
	struct remote_tool remote = { .result = result_text };
	struct tool row = { .name = NEW_NAME, .doc = "Airstrips around a place.",
		.domain = TOOL_EXTERNAL, .ui = TOOL_UI_ROUTE, .result = RESULT_AIRPORTS_NEAR,
		.self = &remote, .call = call };
	struct behavior_switch off = { "find_airports_near_location", NULL, false };
	const struct tool *rows[] = { &row };
	struct toolset table = tools_builtin;
	struct arena *a = arena_new();
	struct message m = { .role = "user", .content = "airports near Bled" };
	struct run run = { .mem = a, .messages = &m, .nmessages = 1 };
	struct plans plans = { .n = 0 };
	struct err e;

	TEST_OK(tool_args_read(&row, a, parse(a, schema_text), &e), e);
	TEST_OK(toolset_add(&table, a, rows, 1, &e), e);
	const struct tool_context ctx = { .table = table,
		.offered = toolset_offered(a, table, (struct behavior_switches){ &off, 1 }) };
	reader_open();
	TEST_OK(planner_builtin.plan(&run, &ctx, &plans, &e), e);
	cr_assert_eq(plans.n, 1);
	cr_assert_not_null(plans.plan[0].tool, "%s", plans.plan[0].reply);
	cr_expect_str_eq(plans.plan[0].tool->name, NEW_NAME);
	cr_expect_str_eq(jsn_get_str(plans.plan[0].arguments, "location_query", ""), "Bled");
	arena_free(a);
}

#define STYLED "{\"place\":\"Bled\",\"answer_style\":\"metar\"}"

static enum errcode styled(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	size_t *called = self;
	(void)ctx;

	++*called;
	cr_expect_str_eq(jsn_text(a, args, JSN_PLAIN), STYLED);
	return jsn_parse(a, "{\"pretty\":\"Sunny.\"}", 19, JSN_DEPTH, result, NULL, e);
}

/* Each function of the model has an argument for the style of the answer. A tool may have one of the
 * same name, which is its own; and it has its own word for what it looks up. */
TEST(new_tool, has_an_argument_of_the_name_of_ours, .timeout = 60)
{
	static const struct scripted_reply replies[] = { { .calls = { STYLED, "{\"country_code\":\"FR\"}" },
	    .names = { "get_weather", "answer_rules_question" } }, { .text = "No more." } };
	static const char schema[] = "{\"type\":\"object\",\"properties\":{\"place\":{\"type\":\"string\"},"
	    "\"answer_style\":{\"type\":\"string\",\"enum\":[\"metar\",\"words\"]}}}";
	size_t called = 0;
	struct tool row = { .name = "get_weather", .doc = "The weather.", .domain = TOOL_EXTERNAL,
		.about = "weather", .self = &called, .call = styled };
	const struct tool *rows[] = { &row };
	struct toolset table = tools_builtin;
	struct modelfix f;

	modelfix_open(&f, replies, 2);
	TEST_OK(tool_args_read(&row, f.a, parse(f.a, schema), &f.e), f.e);
	TEST_OK(toolset_add(&table, f.a, rows, 1, &f.e), f.e);
	modelfix_tools(&f, table);
	f.app.writer = &writer_builtin;
	modelfix_turn(&f, "weather at Bled, and a rule of France");

	cr_expect_eq(called, 1);
	const char *tools = f.provider.asked[0].tools, *own = strstr(tools, "get_weather");
	cr_assert_not_null(own);
	cr_expect_not_null(strstr(own, "\"answer_style\":{\"type\":\"string\",\"enum\""), "%s", own);
	const struct aviation_state *st = f.run.state;
	cr_expect_str_eq(st->lookup[0].about, "weather");
	cr_expect_str_eq(st->lookup[0].plan.answer_style, MODEL_STYLE);
	const char *answer = jsn_get_str(jsn_get(last(&f, EV_FINAL)->data, "state"), "final_answer", "");
	cr_expect(starts_with(answer, "Sunny.\n\nAs for the rules: "), "%s", answer);
	modelfix_close(&f);
}
