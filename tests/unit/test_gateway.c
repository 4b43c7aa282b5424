/*
 * Frames of the WebSocket gateway: reading, and what becomes of HTTP answers and events.
 */
#include "test.h"

#include "gateway/frames.h"
#include "gateway/relay.h"

static const struct {
	const char *text;
	bool ok;
} frames[] = {
	{ "{\"type\":\"ping\"}", true },
	{ "{\"content\":\"x\"}", true },
	{ "{\"type\":\"message\",\"content\":\"x\",\"conversation_id\":\"a\",\"more\":1}", true },
	{ "{\"type\":null,\"content\":\"x\"}", true },
	{ "", false },
	{ "null", false },
	{ "[]", false },
	{ "{\"type\":\"token\",\"content\":\"x\"}", false },
	{ "{\"type\":\"Message\",\"content\":\"x\"}", false },
	{ "{\"type\":[],\"content\":\"x\"}", false },
	{ "{\"content\":\"\"}", false },
	{ "{\"content\":null}", false },
	{ "{\"content\":\"x\",\"conversation_id\":[]}", false },
	{ "{\"content\":\"x\"} {}", false },
	{ "{\"content\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}", false },
};

TEST(gateway, reads_frames)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		struct client_frame f;
		struct err e = { 0 };
		enum errcode rc = frame_read(&f, a, frames[i].text, strlen(frames[i].text), &e);
		cr_expect_eq(rc, frames[i].ok ? OK : ERR_INPUT, "%s: %s", frames[i].text, e.msg);
		cr_expect(rc == OK || *e.msg != '\0');
	}
	arena_free(a);
}

static const struct {
	int status;
	const char *body, *frame;
} answers[] = {
	{ 404, "{\"type\":\"error\",\"message\":\"No.\",\"code\":\"ACCESS_DENIED\"}",
	    "{\"type\":\"error\",\"message\":\"No.\",\"code\":\"ACCESS_DENIED\"}" },
	{ 409, "{\"detail\":\"Wait.\"}", "{\"type\":\"error\",\"message\":\"Wait.\",\"code\":\"TURN_IN_PROGRESS\"}" },
	{ 502, "<html>Bad Gateway</html>",
	    "{\"type\":\"error\",\"message\":\"The assistant cannot be reached. Please try again.\",\"code\":\"UNAVAILABLE\"}" },
	{ 429, "{\"detail\":[1,2]}",
	    "{\"type\":\"error\",\"message\":\"You have sent too many messages. Please wait a moment.\",\"code\":\"RATE_LIMITED\"}" },
	{ 418, "[]",
	    "{\"type\":\"error\",\"message\":\"Something went wrong. Please try again.\",\"code\":\"INTERNAL_ERROR\"}" },
};

TEST(gateway, makes_frames_of_http_errors)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		cr_expect_str_eq(frame_of_status(a, answers[i].status, answers[i].body, strlen(answers[i].body)),
		    answers[i].frame);
	arena_free(a);
}

static const struct {
	const char *event, *data, *frame;      /* frame NULL: the client gets none */
	bool last;
} events[] = {
	{ "message", "{\"content\":\"Hel\"}", "{\"type\":\"token\",\"content\":\"Hel\"}", false },
	{ "plan", "{}", NULL, false },
	{ "message", "broken", NULL, false },
	{ "done", "{\"thread_id\":\"t\",\"run_id\":\"r\"}",
	    "{\"type\":\"complete\",\"message_id\":\"r\",\"conversation_id\":\"t\"}", true },
	{ "error", "{\"message\":\"Sorry.\",\"code\":\"timeout\"}",
	    "{\"type\":\"error\",\"message\":\"Sorry.\",\"code\":\"TIMEOUT\"}", true },
};

TEST(gateway, makes_frames_of_events)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		bool last;
		const char *frame = frame_of_chat_event(a, events[i].event, events[i].data, strlen(events[i].data), &last);
		cr_expect_eq(last, events[i].last, "%s", events[i].event);
		cr_expect((frame == NULL) == (events[i].frame == NULL), "%s", events[i].event);
		if (frame != NULL && events[i].frame != NULL)
			cr_expect_str_eq(frame, events[i].frame);
	}
	arena_free(a);
}

TEST(gateway, knows_its_paths)
{
	cr_expect_not_null(relay_agent_at("/ws/onboarding"));
	cr_expect_not_null(relay_agent_at("/ws/chat"));
	cr_expect_null(relay_agent_at("/ws/chat/"));
	cr_expect_null(relay_agent_at(""));
}
