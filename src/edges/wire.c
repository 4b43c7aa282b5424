/*
 * A row gives the names of the members that show an event's parts; a part without a name is not
 * shown. `whole` rows send their data as it is.
 */
#include "edges/wire.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/jsn.h"

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

void wire_print(struct buf *b, const struct event *ev)
{
	const struct wire_row *r = &rows[ev->kind];
	if (r->whole) {
		jsn_print(b, ev->data, JSN_SPACED);
		return;
	}
	/* `error` prints its text first */
	const struct { const char *name, *text; struct json_object *data; } parts[] = {
		{ r->text, ev->text, NULL }, { r->name, ev->name, NULL },
		{ r->data, NULL, ev->data }, { r->result, NULL, ev->result },
	};
	const char *before = "";
	buf_putc(b, '{');
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].name == NULL)
			continue;
		buf_puts(b, before);
		jsn_print_str(b, parts[i].name);
		buf_puts(b, ": ");
		if (parts[i].text != NULL)
			jsn_print_str(b, parts[i].text);
		else
			jsn_print(b, parts[i].data, JSN_SPACED);
		before = ", ";
	}
	buf_putc(b, '}');
}
