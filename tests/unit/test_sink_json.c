/*
 * A run collected into one answer.
 */
#include "tests/unit/test.h"

#include "edges/sink_json.h"
#include "tests/unit/http_mem.h"

struct fixture {
	struct arena *a;
	struct http_mem mem;
	struct http_res w;
	struct sink_json s;
};

static void setup(struct fixture *f)
{
	f->a = arena_new();
	http_mem_init(&f->mem);
	http_res_init(&f->w, &f->mem.io);
	sink_json_init(&f->s, f->a, &f->w);
}

static void teardown(struct fixture *f)
{
	sink_json_release(&f->s);
	http_res_release(&f->w);
	buf_release(&f->mem.out);
	arena_free(f->a);
}

/* The data of an event is gone after emit(): give each its own short-lived arena. */
static enum errcode emit(struct fixture *f, enum event_kind kind, const char *name,
    const char *text, const char *data)
{
	struct arena *a = arena_new();
	struct event ev = { .kind = kind, .name = arena_strdup(a, name),
		.text = arena_strdup(a, text) };
	if (data != NULL)
		cr_assert_eq(jsn_parse(a, data, strlen(data), 8, &ev.data, NULL, NULL), OK);
	enum errcode rc = sink_emit(&f->s.sink, &ev);
	arena_free(a);
	return rc;
}

static const char *response(struct fixture *f)
{
	return jsn_text(f->a, sink_json_response(&f->s), JSN_PLAIN);
}

TEST(sink_json, whole_turn)
{
	struct fixture f;
	setup(&f);
	emit(&f, EV_PLAN, NULL, NULL, "{\"selected_tool\":\"t\"}");
	emit(&f, EV_THINKING, NULL, "hm", NULL);
	emit(&f, EV_TOOL_START, "t", NULL, "{}");
	emit(&f, EV_TOOL_END, "t", NULL, "{}");
	emit(&f, EV_TEXT, NULL, "one ", NULL);
	emit(&f, EV_TEXT, NULL, "two", NULL);
	emit(&f, EV_THINKING_DONE, NULL, NULL, NULL);
	emit(&f, EV_UI_PAYLOAD, NULL, NULL, "{\"kind\":\"route\"}");
	emit(&f, EV_FINAL, NULL, NULL, "{\"state\":{\"final_answer\":\"one two\"}}");
	cr_assert_eq(emit(&f, EV_DONE, NULL, NULL, "{\"session_id\":\"s\",\"thread_id\":\"th\","
	    "\"run_id\":\"r\",\"tokens\":{\"total\":3},\"metadata\":{}}"), OK);
	cr_assert_str_eq(response(&f), "{\"answer\":\"one two\",\"planner_meta\":{\"selected_tool\":"
	    "\"t\"},\"ui_payload\":{\"kind\":\"route\"},\"thread_id\":\"th\",\"run_id\":\"r\","
	    "\"session_id\":\"s\",\"tokens\":{\"total\":3},\"metadata\":{}}");
	teardown(&f);
}

TEST(sink_json, four_members_even_when_nothing_came)
{
	struct fixture f;
	setup(&f);
	struct json_object *o = sink_json_response(&f.s);
	cr_assert_str_eq(jsn_get_str(o, "answer", "?"), "");
	cr_assert(jsn_has(o, "planner_meta") && jsn_get(o, "planner_meta") == NULL);
	cr_assert(jsn_has(o, "ui_payload") && jsn_get(o, "ui_payload") == NULL);
	cr_assert(jsn_has(o, "thread_id"));
	cr_assert(!jsn_has(o, "error"));
	teardown(&f);
}

TEST(sink_json, the_first_failure_is_told)
{
	struct fixture f;
	setup(&f);
	emit(&f, EV_ERROR, "tool_failed", "The look-up failed.", NULL);
	emit(&f, EV_TEXT, NULL, "Sorry.", NULL);
	emit(&f, EV_ERROR, "store_unavailable", "Not saved.", NULL);
	struct json_object *o = sink_json_response(&f.s), *error = jsn_get(o, "error");
	cr_assert_str_eq(jsn_get_str(o, "answer", ""), "Sorry.");
	cr_assert_str_eq(jsn_get_str(error, "code", ""), "tool_failed");
	cr_assert_str_eq(jsn_get_str(error, "message", ""), "The look-up failed.");
	teardown(&f);
}

TEST(sink_json, a_reader_who_left_ends_the_run)
{
	struct fixture f;
	setup(&f);
	cr_assert_eq(emit(&f, EV_TEXT, NULL, "a", NULL), OK);
	cr_assert_eq(sink_tick(&f.s.sink), OK);
	f.mem.gone = true;
	cr_assert_eq(emit(&f, EV_TEXT, NULL, "b", NULL), ERR_HUP);
	cr_assert_eq(sink_tick(&f.s.sink), ERR_HUP);
	teardown(&f);
}
