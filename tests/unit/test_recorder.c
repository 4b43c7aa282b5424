/*
 * What the conversation log learns of a turn from its events.
 */
#include "tests/unit/test.h"

#include "edges/recorder.h"

TEST(recorder, keeps_calls_and_the_first_error)
{
	struct arena *a = arena_new();
	struct recorder r;
	struct json_object *args = jsn_object(a), *result = jsn_object(a);
	jsn_add_str(args, "query", "Lyon");
	jsn_add_int(result, "count", 2);
	const struct event events[] = {
		{ .kind = EV_THINKING, .text = "thinking" },
		{ .kind = EV_TOOL_START, .name = "look", .data = args },
		{ .kind = EV_TOOL_END, .name = "look", .data = args, .result = result },
		{ .kind = EV_THINKING, .text = "\n\nmore" },
		{ .kind = EV_TOOL_START, .name = "again", .data = args },
		{ .kind = EV_ERROR, .name = "tool_failed", .text = "first" },
		{ .kind = EV_ERROR, .name = "store_unavailable", .text = "second" },
	};
	struct run run = { .mem = a };
	recorder_init(&r, &run);
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		cr_expect_eq(run_emit(&run, &events[i]), OK);
	cr_expect_str_eq(jsn_text(a, r.tool_calls, JSN_PLAIN),
	    "[{\"name\":\"look\",\"arguments\":{\"query\":\"Lyon\"},\"result\":{\"count\":2}},"
	    "{\"name\":\"again\",\"arguments\":{\"query\":\"Lyon\"},\"result\":null}]");
	cr_expect_str_eq(r.error, "first");
	cr_expect_str_eq(r.thinking, "thinking\n\nmore");
	cr_expect_not(r.has_ui);
	arena_free(a);
}
