/*
 * The names of events on the wire.
 */
#include "runtime/event.h"

const char *event_name(enum event_kind kind)
{
	static const char *const names[EV__MAX] = {
		[EV_PLAN]          = "plan",
		[EV_THINKING]      = "thinking",
		[EV_TOOL_START]    = "tool_call_start",
		[EV_TOOL_END]      = "tool_call_end",
		[EV_TEXT]          = "message",
		[EV_THINKING_DONE] = "thinking_done",
		[EV_ERROR]         = "error",
		[EV_UI_PAYLOAD]    = "ui_payload",
		[EV_FINAL]         = "final_answer",
		[EV_DONE]          = "done",
	};
	return names[kind];
}
