/*
 * Events to the bytes a client of the service reads.
 */
#include "tests/unit/test.h"

#include "edges/sink_sse.h"
#include "edges/wire.h"
#include "services/sse.h"
#include "tests/unit/http_mem.h"

struct fixture {
	struct arena *a;
	struct http_mem mem;
	struct http_res w;
	struct sink_sse sse;
};

static void open_stream(struct fixture *f)
{
	f->a = arena_new();
	http_mem_init(&f->mem);
	http_res_init(&f->w, &f->mem.io);
	sink_sse_init(&f->sse, &f->w, false);
	cr_assert_eq(sink_sse_open(&f->sse), OK);
}

static void close_stream(struct fixture *f)
{
	sink_sse_release(&f->sse);
	http_res_release(&f->w);
	buf_release(&f->mem.out);
	arena_free(f->a);
}

static struct json_object *json(struct arena *a, const char *text)
{
	struct json_object *o;
	cr_assert_eq(jsn_parse(a, text, strlen(text), 8, &o, NULL, NULL), OK, "%s", text);
	return o;
}

static const struct {
	enum event_kind kind;
	const char *name, *text, *data, *result, *frame;
} rows[] = {
	{ EV_PLAN, NULL, NULL, "{\"selected_tool\":\"t\",\"arguments\":{\"a\":1}}", NULL,
	  "event: plan\ndata: {\"selected_tool\": \"t\", \"arguments\": {\"a\": 1}}\n\n" },
	{ EV_THINKING, NULL, "why", NULL, NULL,
	  "event: thinking\ndata: {\"content\": \"why\"}\n\n" },
	{ EV_TOOL_START, "t", NULL, "{}", NULL,
	  "event: tool_call_start\ndata: {\"name\": \"t\", \"arguments\": {}}\n\n" },
	{ EV_TOOL_END, "t", NULL, "{}", "{\"count\":0}",
	  "event: tool_call_end\ndata: {\"name\": \"t\", \"arguments\": {}, \"result\": "
	  "{\"count\": 0}}\n\n" },
	{ EV_TEXT, NULL, "Zürich / \"two\nlines\"", NULL, NULL,
	  "event: message\ndata: {\"content\": \"Zürich / \\\"two\\nlines\\\"\"}\n\n" },
	{ EV_THINKING_DONE, NULL, NULL, NULL, NULL, "event: thinking_done\ndata: {}\n\n" },
	{ EV_ERROR, "tool_failed", "It failed.", NULL, NULL,
	  "event: error\ndata: {\"message\": \"It failed.\", \"code\": \"tool_failed\"}\n\n" },
	{ EV_UI_PAYLOAD, NULL, NULL, "{\"kind\":\"route\"}", NULL,
	  "event: ui_payload\ndata: {\"kind\": \"route\"}\n\n" },
	{ EV_FINAL, NULL, NULL, "{\"state\":{}}", NULL,
	  "event: final_answer\ndata: {\"state\": {}}\n\n" },
	{ EV_DONE, NULL, NULL, "{\"run_id\":\"r\"}", NULL,
	  "event: done\ndata: {\"run_id\": \"r\"}\n\n" },
};

TEST(sink_sse, every_event)
{
	cr_assert_eq(sizeof(rows) / sizeof(rows[0]), (size_t)EV__MAX);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		open_stream(&f);
		size_t before = f.mem.out.n, writes = f.mem.writes;
		struct event ev = { .kind = rows[i].kind, .name = rows[i].name, .text = rows[i].text,
			.data = rows[i].data != NULL ? json(f.a, rows[i].data) : NULL,
			.result = rows[i].result != NULL ? json(f.a, rows[i].result) : NULL };
		cr_assert_eq(sink_emit(&f.sse.sink, &ev), OK);
		cr_assert_str_eq(f.mem.out.p + before, rows[i].frame);
		cr_assert_eq(f.mem.writes, writes + 1, "one event, one write");
		close_stream(&f);
	}
}

static enum errcode print_again(void *arg, const char *name, const char *data, size_t n, struct err *e)
{
	struct fixture *f = arg;
	struct event ev;
	enum errcode rc = wire_read(f->a, name, data, n, &ev, e);
	return rc == OK ? sink_emit(&f->sse.sink, &ev) : rc;
}

/* What was written for one reader can be read back and written for another. */
TEST(sink_sse, events_can_be_read_back)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture f;
		struct sse_parser p;
		struct err e;
		open_stream(&f);
		size_t before = f.mem.out.n;
		sse_parser_init(&p, 1 << 16);
		TEST_OK(sse_feed(&p, rows[i].frame, strlen(rows[i].frame), print_again, &f, &e), e);
		cr_expect_str_eq(f.mem.out.p + before, rows[i].frame);
		sse_parser_release(&p);
		close_stream(&f);
	}
}

TEST(sink_sse, what_is_no_event_is_not_read)
{
	static const char *const odd[][2] = {
		{ "nothing", "{}" }, { "message", "" }, { "message", "[1]" }, { "message", "{" }, { "done", "null" },
	};
	struct arena *a = arena_new();
	struct event ev;
	struct err e;

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		cr_expect_eq(wire_read(a, odd[i][0], odd[i][1], strlen(odd[i][1]), &ev, &e), ERR_DATA, "%zu", i);
	TEST_OK(wire_read(a, "message", "{}", 2, &ev, &e), e);
	cr_expect_str_eq(ev.text, "");
	arena_free(a);
}

/* Readers count CR as a line break too. */
TEST(sink_sse, text_cannot_forge_an_event)
{
	struct fixture f;
	struct event ev = { .kind = EV_TEXT, .text = "a\n\nevent: done\r\rdata: b\r\n" };
	open_stream(&f);
	size_t before = f.mem.out.n;
	cr_assert_eq(sink_emit(&f.sse.sink, &ev), OK);
	cr_assert_str_eq(f.mem.out.p + before,
	    "event: message\ndata: {\"content\": \"a\\n\\nevent: done\\r\\rdata: b\\r\\n\"}\n\n");
	close_stream(&f);
}

TEST(sink_sse, events_wait_for_the_flush)
{
	struct fixture f;
	struct event ev = { .kind = EV_TEXT, .text = "x" };
	open_stream(&f);
	size_t flushes = f.mem.flushes;
	for (int i = 0; i < 3; i++)
		cr_assert_eq(sink_emit(&f.sse.sink, &ev), OK);
	cr_assert_eq(f.mem.flushes, flushes);
	cr_assert_eq(sink_flush(&f.sse.sink), OK);
	cr_assert_eq(f.mem.flushes, flushes + 1);
	f.mem.hup_after = f.mem.writes + 1;
	cr_assert_eq(sink_emit(&f.sse.sink, &ev), ERR_HUP);
	cr_assert_eq(sink_flush(&f.sse.sink), ERR_HUP);
	close_stream(&f);
}

TEST(sink_sse, opening)
{
	struct fixture f;
	open_stream(&f);
	cr_assert_not_null(strstr(f.mem.out.p, "Status: 200 OK\r\n"));
	cr_assert_not_null(strstr(f.mem.out.p,
	    "Content-Type: text/event-stream; charset=utf-8\r\n"));
	cr_assert_not_null(strstr(f.mem.out.p, "Cache-Control: no-cache\r\n"));
	cr_assert_not_null(strstr(f.mem.out.p, "X-Accel-Buffering: no\r\n"));
	cr_assert_null(strstr(f.mem.out.p, "Content-Length"));
	cr_assert_str_eq(http_mem_content(&f.mem), ": open\n\n");
	cr_assert_eq(f.mem.flushes, 1);
	close_stream(&f);
}

TEST(sink_sse, heartbeat)
{
	struct fixture f;
	open_stream(&f);
	cr_assert_eq(sink_tick(&f.sse.sink), OK);
	cr_assert_str_eq(http_mem_content(&f.mem), ": open\n\n: ping\n\n");
	f.mem.gone = true;
	cr_assert_eq(sink_tick(&f.sse.sink), ERR_HUP);
	close_stream(&f);
}

TEST(sink_sse, a_reader_who_left_ends_the_run)
{
	struct fixture f;
	struct event ev = { .kind = EV_TEXT, .text = "x" };
	open_stream(&f);
	cr_assert_eq(sink_emit(&f.sse.sink, &ev), OK);
	f.mem.hup_after = f.mem.writes + 1;
	cr_assert_eq(sink_emit(&f.sse.sink, &ev), ERR_HUP);
	/* and stays away: nothing more is even tried */
	size_t writes = f.mem.writes;
	cr_assert_eq(sink_emit(&f.sse.sink, &ev), ERR_HUP);
	cr_assert_eq(f.mem.writes, writes);
	close_stream(&f);
}
