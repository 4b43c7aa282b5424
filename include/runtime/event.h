/*
 * Events: what a run tells the world while it happens.
 *
 * A node emits what it knows; sinks render. Adding a kind is a row here and, in each sink
 * that shows it, a row in its table of wire names.
 */
#ifndef RUNTIME_EVENT_H
#define RUNTIME_EVENT_H

#include <stdint.h>

struct json_object;

enum event_kind {
	EV_PLAN,            /* data: the plan */
	EV_THINKING,        /* text: a piece of the reasoning shown to the user */
	EV_TOOL_START,      /* name: tool; data: arguments */
	EV_TOOL_END,        /* name: tool; data: arguments; result */
	EV_TEXT,            /* text: a piece of the answer */
	EV_THINKING_DONE,
	EV_ERROR,           /* name: machine-readable code; text: for the user */
	EV_UI_PAYLOAD,      /* data */
	EV_FINAL,           /* data: the agent's state at the end */
	EV_DONE,            /* data: ids, tokens, metadata; the one terminal event */
	EV__MAX
};

/* Only borrowed for the call of emit(). */
struct event {
	enum event_kind kind;
	const char *name, *text;
	struct json_object *data, *result;
	/* of EV_TOOL_START and EV_TOOL_END, where the agent's calls have ids: the id of the call, and when it was
	 * emitted (Unix time). NULL and 0: not told */
	const char *call_id;
	int64_t time_us;
	int64_t seq;        /* its number in the run, from 1; runtime/runlog.h sets it */
};

const char *event_name(enum event_kind kind);   /* "plan", "tool_call_start", "message", … */

#endif
