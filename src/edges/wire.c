/*
 * A row names the members under which an event's parts are shown; a part without a name
 * is not shown. `whole` rows send their data as it is.
 */
#include "edges/wire.h"

#include <stdbool.h>

static const struct wire_row {
	bool whole;
	const char *name, *text, *data, *result;    /* in the order they are printed */
} rows[EV__MAX] = {
	[EV_PLAN]          = { .whole = true },
	[EV_THINKING]      = { .text = "content" },
	[EV_TOOL_START]    = { .name = "name", .data = "arguments" },
	[EV_TOOL_END]      = { .name = "name", .data = "arguments", .result = "result" },
	[EV_TEXT]          = { .text = "content" },
	[EV_THINKING_DONE] = { .whole = false },
	[EV_ERROR]         = { .text = "message", .name = "code" },
	[EV_UI_PAYLOAD]    = { .whole = true },
	[EV_FINAL]         = { .whole = true },
	[EV_DONE]          = { .whole = true },
};

struct json_object *wire_data(struct arena *a, const struct event *ev)
{
	const struct wire_row *r = &rows[ev->kind];
	if (r->whole)
		return ev->data;
	struct json_object *o = jsn_object(a);
	/* `error` shows its text first */
	if (r->text != NULL)
		jsn_add_str(o, r->text, ev->text);
	if (r->name != NULL)
		jsn_add_str(o, r->name, ev->name);
	if (r->data != NULL)
		jsn_add(o, r->data, jsn_ref(ev->data));
	if (r->result != NULL)
		jsn_add(o, r->result, jsn_ref(ev->result));
	return o;
}
