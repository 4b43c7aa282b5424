/*
 * The onboarding protocol: the bytes of each event, one terminal event, and the answer in one piece.
 */
#include "edges/sink_turn.h"

#include "tests/unit/http_mem.h"
#include "tests/unit/test.h"

#define AT_US INT64_C(1767261600000000)         /* 2026-01-01T10:00:00Z */
#define RESULT "{\"field_name\":\"employee_name\",\"value\":\"Ada\",\"status\":\"success\",\"message\":\"Data recorded\"}"

struct reader {
	struct arena *a;
	struct http_mem m;
	struct http_res w;
	struct sink_turn s;
};

static void reader_up(struct reader *r, bool stream)
{
	*r = (struct reader){ .a = arena_new() };
	http_mem_init(&r->m);
	http_res_init(&r->w, &r->m.io);
	sink_turn_init(&r->s, &r->w, r->a, "c-1", 12, stream);
	if (stream) {
		cr_assert_eq(sink_turn_open(&r->s), OK);
		buf_clear(&r->m.out);
	}
}

static void reader_down(struct reader *r)
{
	sink_turn_release(&r->s);
	http_res_release(&r->w);
	buf_release(&r->m.out);
	arena_free(r->a);
}

static void emit(struct reader *r, struct event ev)
{
	cr_assert_eq(sink_emit(&r->s.sink, &ev), OK);
}

static struct json_object *parsed(struct reader *r, const char *text)
{
	struct json_object *o;
	struct err e;

	TEST_OK(jsn_parse(r->a, text, strlen(text), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

static void one_turn(struct reader *r, const char *done)
{
	struct json_object *args = parsed(r, "{\"field_name\": \"employee_name\", \"value\": \"Ada\"}");
	struct json_object *result = jsn_own(r->a, jsn_str(RESULT));

	emit(r, (struct event){ .kind = EV_TEXT, .text = "Let me note \"that\".\n", .seq = 1 });
	emit(r, (struct event){ .kind = EV_TOOL_START, .name = "write_data", .data = args, .call_id = "call_1",
	    .time_us = AT_US, .seq = 3 });
	emit(r, (struct event){ .kind = EV_TOOL_END, .name = "write_data", .data = args, .result = result,
	    .call_id = "call_1", .time_us = AT_US, .seq = 4 });
	emit(r, (struct event){ .kind = EV_THINKING, .text = "not shown", .seq = 5 });
	emit(r, (struct event){ .kind = EV_TEXT, .text = "Thank you.", .seq = 6 });
	emit(r, (struct event){ .kind = EV_DONE, .data = parsed(r, done), .seq = 7 });
}

TEST(sink_turn, writes_the_protocol_byte_for_byte)
{
	struct reader r;

	reader_up(&r, true);
	one_turn(&r, "{\"message_id\": \"0123\"}");
	cr_expect_str_eq(r.m.out.p,
	    "id: 12.1\nevent: token\ndata: {\"type\":\"token\",\"content\":\"Let me note \\\"that\\\".\\n\"}\n\n"
	    "id: 12.3\nevent: tool_start\ndata: {\"type\":\"tool_start\",\"tool_name\":\"write_data\",\"tool_input\":"
	    "\"{\\\"field_name\\\":\\\"employee_name\\\",\\\"value\\\":\\\"Ada\\\"}\",\"source\":\"local\",\"timestamp\":"
	    "\"2026-01-01T10:00:00Z\",\"tool_call_id\":\"call_1\"}\n\n"
	    "id: 12.4\nevent: tool_complete\ndata: {\"type\":\"tool_complete\",\"tool_name\":\"write_data\",\"tool_result\":"
	    "\"{\\\"field_name\\\":\\\"employee_name\\\",\\\"value\\\":\\\"Ada\\\",\\\"status\\\":\\\"success\\\",\\\"message\\\":"
	    "\\\"Data recorded\\\"}\",\"source\":\"local\",\"timestamp\":\"2026-01-01T10:00:00Z\",\"tool_call_id\":\"call_1\"}\n\n"
	    "id: 12.6\nevent: token\ndata: {\"type\":\"token\",\"content\":\"Thank you.\"}\n\n"
	    "id: 12.7\nevent: complete\ndata: {\"type\":\"complete\",\"message_id\":\"0123\",\"conversation_id\":\"c-1\"}\n\n");
	buf_clear(&r.m.out);
	cr_expect_eq(sink_tick(&r.s.sink), OK);
	cr_expect_str_eq(r.m.out.p, ": hb\n\n");
	reader_down(&r);
}

static const struct {
	const char *error, *done, *frame;
} ends[] = {
	{ "upstream_failed", "{\"message_id\": \"1\"}", "{\"type\":\"error\",\"message\":\"No.\",\"code\":\"LLM_ERROR\"}" },
	{ "too_many_steps", "{}", "{\"type\":\"error\",\"message\":\"No.\",\"code\":\"STEP_LIMIT\"}" },
	{ "timeout", "{}", "{\"type\":\"error\",\"message\":\"No.\",\"code\":\"TIMEOUT\"}" },
	{ "store_unavailable", "{}", "{\"type\":\"error\",\"message\":\"No.\",\"code\":\"INTERNAL_ERROR\"}" },
	{ "from a later version", "{}", "{\"type\":\"error\",\"message\":\"No.\",\"code\":\"INTERNAL_ERROR\"}" },
	{ NULL, "{\"status\": \"cancelled\"}",
	    "{\"type\":\"error\",\"message\":\"The answer was stopped.\",\"code\":\"CANCELLED\"}" },
};

/* An error is held until the run has ended, so nothing comes after it. */
TEST(sink_turn, ends_with_one_error)
{
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct reader r;

		reader_up(&r, true);
		if (ends[i].error != NULL)
			emit(&r, (struct event){ .kind = EV_ERROR, .name = ends[i].error, .text = "No.", .seq = 1 });
		emit(&r, (struct event){ .kind = EV_ERROR, .name = "internal_error", .text = "a second one", .seq = 2 });
		cr_expect_eq(r.m.out.n, 0);
		if (ends[i].error == NULL) {
			reader_down(&r);
			reader_up(&r, true);
		}
		emit(&r, (struct event){ .kind = EV_DONE, .data = parsed(&r, ends[i].done), .seq = 3 });
		cr_expect_str_eq(r.m.out.p, arena_printf(r.a, "id: 12.3\nevent: error\ndata: %s\n\n", ends[i].frame));
		reader_down(&r);
	}
}

TEST(sink_turn, collects_one_answer)
{
	struct reader r;

	reader_up(&r, false);
	one_turn(&r, "{\"message_id\": \"0123\"}");
	sink_turn_send(&r.s);
	cr_expect_str_eq(http_mem_content(&r.m), "{\"type\":\"complete\",\"message_id\":\"0123\",\"conversation_id\":\"c-1\","
	    "\"content\":\"Thank you.\",\"tools\":[{\"tool_name\":\"write_data\",\"tool_result\":"
	    "\"{\\\"field_name\\\":\\\"employee_name\\\",\\\"value\\\":\\\"Ada\\\",\\\"status\\\":\\\"success\\\",\\\"message\\\":"
	    "\\\"Data recorded\\\"}\",\"source\":\"local\",\"timestamp\":\"2026-01-01T10:00:00Z\",\"tool_call_id\":\"call_1\","
	    "\"tool_input\":\"{\\\"field_name\\\":\\\"employee_name\\\",\\\"value\\\":\\\"Ada\\\"}\"}]}");
	reader_down(&r);
	reader_up(&r, false);
	emit(&r, (struct event){ .kind = EV_ERROR, .name = "timeout", .text = "Too slow.", .seq = 1 });
	emit(&r, (struct event){ .kind = EV_DONE, .data = parsed(&r, "{}"), .seq = 2 });
	sink_turn_send(&r.s);
	cr_expect_eq(r.w.status, 504);
	cr_expect_str_eq(http_mem_content(&r.m), "{\"type\":\"error\",\"message\":\"Too slow.\",\"code\":\"TIMEOUT\"}");
	reader_down(&r);
	reader_up(&r, false);           /* the events broke off */
	emit(&r, (struct event){ .kind = EV_TEXT, .text = "Tha", .seq = 1 });
	sink_turn_send(&r.s);
	cr_expect_eq(r.w.status, 500);
	reader_down(&r);
}

/* The events of an older run that cannot be read any more: the client is told, with no id to go on from. */
TEST(sink_turn, tells_that_a_stream_broke_off)
{
	struct reader r;

	reader_up(&r, true);
	emit(&r, (struct event){ .kind = EV_TEXT, .text = "Tha", .seq = 1 });
	buf_clear(&r.m.out);
	sink_turn_broken(&r.s);
	cr_expect_str_eq(r.m.out.p, "event: error\ndata: {\"type\":\"error\",\"message\":"
	    "\"Something went wrong inside the service.\",\"code\":\"INTERNAL_ERROR\"}\n\n");
	reader_down(&r);
}
