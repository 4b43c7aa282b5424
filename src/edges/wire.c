/*
 * A row gives the names of the members that show an event's parts; a part without a name is not
 * shown. `whole` rows send their data as it is. The id and the time of a call stand last, if the
 * call has them.
 */
#include "edges/wire.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/jsn.h"
#include "base/str.h"

#define CALL_ID "tool_call_id"
#define TIME "time_us"

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
	if (ev->call_id != NULL) {
		buf_printf(b, "%s\"" CALL_ID "\": ", before);
		jsn_print_str(b, ev->call_id);
		buf_printf(b, ", \"" TIME "\": %lld", (long long)ev->time_us);
	}
	buf_putc(b, '}');
}

static const char *text_of(struct arena *a, struct json_object *o, const char *member)
{
	return member == NULL ? NULL : arena_strdup(a, jsn_get_str(o, member, ""));
}

static struct json_object *part_of(struct json_object *o, const char *member)
{
	return member == NULL ? NULL : jsn_get(o, member);
}

enum errcode wire_read(struct arena *a, const char *name, const char *json, size_t n, struct event *ev,
    struct err *e)
{
	struct json_object *o;
	int kind = 0;

	while (kind < EV__MAX && !streq(event_name((enum event_kind)kind), name))
		kind++;
	if (kind == EV__MAX)
		return err_set(e, ERR_DATA, "'%.40s' is the name of no event", name);
	if (jsn_parse(a, json, n, JSN_DEPTH, &o, NULL, e) != OK || !jsn_is(o, json_type_object))
		return err_set(e, ERR_DATA, "the data of an event '%s' is no JSON object", name);
	const struct wire_row *r = &rows[kind];
	*ev = (struct event){
		.kind = (enum event_kind)kind,
		.name = text_of(a, o, r->name),
		.text = text_of(a, o, r->text),
		.data = r->whole ? o : part_of(o, r->data),
		.result = part_of(o, r->result),
		.call_id = r->whole ? NULL : arena_strdup(a, jsn_get_str(o, CALL_ID, NULL)),
		.time_us = r->whole ? 0 : jsn_get_int(o, TIME, 0),
	};
	return OK;
}
