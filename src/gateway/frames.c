#include "gateway/frames.h"

#include <string.h>

#include "base/clock.h"
#include "base/jsn.h"
#include "base/str.h"

enum { DEPTH = 8 };

static enum errcode read_message(struct client_frame *f, struct arena *a, struct json_object *o,
    struct err *e)
{
	struct json_object *id = jsn_get(o, "conversation_id"), *content = jsn_get(o, "content");
	if (id != NULL && !jsn_is(id, json_type_string))
		return err_set(e, ERR_INPUT, "conversation_id must be text.");
	if (!jsn_is(content, json_type_string) || jsn_get_str(o, "content", "")[0] == '\0')
		return err_set(e, ERR_INPUT, "content must be text of at least one character.");
	f->kind = FRAME_MESSAGE;
	f->conversation_id = arena_strdup(a, jsn_get_str(o, "conversation_id", NULL));
	f->content = arena_strdup(a, jsn_get_str(o, "content", ""));
	return OK;
}

enum errcode frame_read(struct client_frame *f, struct arena *a, const char *p, size_t n,
    struct err *e)
{
	struct json_object *o;
	*f = (struct client_frame){ .kind = FRAME_PING };
	if (jsn_parse(a, p, n, DEPTH, &o, NULL, NULL) != OK || !jsn_is(o, json_type_object))
		return err_set(e, ERR_INPUT, "A frame must be one JSON object.");
	if (jsn_get(o, "type") != NULL && !jsn_is(jsn_get(o, "type"), json_type_string))
		return err_set(e, ERR_INPUT, "type must be text.");
	const char *type = jsn_get_str(o, "type", "message");
	if (streq(type, "ping"))
		return OK;
	if (!streq(type, "message"))
		return err_set(e, ERR_INPUT, "type must be \"message\" or \"ping\".");
	return read_message(f, a, o, e);
}

const char *frame_error(struct arena *a, const char *message, const char *code)
{
	struct json_object *o = jsn_object(a);
	jsn_add_str(o, "type", "error");
	jsn_add_str(o, "message", message);
	jsn_add_str(o, "code", code);
	return jsn_text(a, o, JSN_PLAIN);
}

/* -- HTTP errors -- */

static const struct status_row {
	int status;
	const char *code, *message;
} statuses[] = {
	{ 400, "INVALID_FORMAT", "The message is not valid." },
	{ 401, "UNAUTHORIZED", "Please sign in again." },
	{ 403, "ACCESS_DENIED", "This conversation does not exist." },
	{ 404, "ACCESS_DENIED", "This conversation does not exist." },
	{ 409, "TURN_IN_PROGRESS", "This conversation is already being answered. Please wait for that answer." },
	{ 413, "PAYLOAD_TOO_LARGE", "The message is too long." },
	{ 422, "INVALID_FORMAT", "The message is not valid." },
	{ 429, "RATE_LIMITED", "You have sent too many messages. Please wait a moment." },
	{ 502, "UNAVAILABLE", "The assistant cannot be reached. Please try again." },
	{ 503, "UNAVAILABLE", "The assistant is busy. Please try again in a moment." },
	{ 504, "UNAVAILABLE", "The assistant does not answer. Please try again." },
};

static const struct status_row *row_of(int status)
{
	static const struct status_row other = { 0, "INTERNAL_ERROR", "Something went wrong. Please try again." };
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (statuses[i].status == status)
			return &statuses[i];
	return &other;
}

const char *frame_of_status(struct arena *a, int status, const char *body, size_t n)
{
	const struct status_row *r = row_of(status);
	const char *message = r->message, *code = r->code;
	struct json_object *o;
	if (jsn_parse(a, body, n, JSN_DEPTH, &o, NULL, NULL) == OK) {
		message = jsn_get_str(o, "message", jsn_get_str(o, "detail", message));
		if (streq(jsn_get_str(o, "type", ""), "error"))
			code = jsn_get_str(o, "code", code);
	}
	return frame_error(a, message, code);
}

/* -- the aviation agent -- */

static const char *token(struct arena *a, struct json_object *data, bool *last)
{
	struct json_object *o = jsn_object(a);
	(void)last;
	jsn_add_str(o, "type", "token");
	jsn_add_str(o, "content", jsn_get_str(data, "content", ""));
	return jsn_text(a, o, JSN_PLAIN);
}

static const char *tool(struct arena *a, struct json_object *data, const char *type,
    const char *member, const char *from)
{
	struct json_object *o = jsn_object(a);
	char now[CLOCK_ISO_SIZE];
	clock_iso_utc(now, clock_wall_us());
	jsn_add_str(o, "type", type);
	jsn_add_str(o, "tool_name", jsn_get_str(data, "name", ""));
	jsn_add_str(o, member, jsn_text(a, jsn_get(data, from), JSN_PLAIN));
	jsn_add_str(o, "source", "local");
	jsn_add_str(o, "timestamp", now);
	return jsn_text(a, o, JSN_PLAIN);
}

static const char *tool_start(struct arena *a, struct json_object *data, bool *last)
{
	(void)last;
	return tool(a, data, "tool_start", "tool_input", "arguments");
}

static const char *tool_complete(struct arena *a, struct json_object *data, bool *last)
{
	(void)last;
	return tool(a, data, "tool_complete", "tool_result", "result");
}

static const char *failed(struct arena *a, struct json_object *data, bool *last)
{
	const char *code = jsn_get_str(data, "code", "");
	*last = true;
	return frame_error(a, jsn_get_str(data, "message", ""), streq(code, "timeout") ? "TIMEOUT" :
	    streq(code, "cancelled") ? "CANCELLED" : "LLM_ERROR");
}

static const char *complete(struct arena *a, struct json_object *data, bool *last)
{
	struct json_object *o = jsn_object(a);
	*last = true;
	jsn_add_str(o, "type", "complete");
	jsn_add_str(o, "message_id", jsn_get_str(data, "message_id", jsn_get_str(data, "run_id", "unknown")));
	jsn_add_str(o, "conversation_id", jsn_get_str(data, "thread_id", ""));
	return jsn_text(a, o, JSN_PLAIN);
}

static const struct {
	const char *event;
	const char *(*frame)(struct arena *a, struct json_object *data, bool *last);
} chat_events[] = {
	{ "message", token }, { "tool_call_start", tool_start }, { "tool_call_end", tool_complete },
	{ "error", failed }, { "done", complete },
};

const char *frame_of_chat_event(struct arena *a, const char *event, const char *data, size_t n,
    bool *last)
{
	struct json_object *o;
	*last = false;
	for (size_t i = 0; i < sizeof(chat_events) / sizeof(chat_events[0]); i++)
		if (streq(chat_events[i].event, event) && jsn_parse(a, data, n, JSN_DEPTH, &o, NULL, NULL) == OK)
			return chat_events[i].frame(a, o, last);
	return NULL;
}
