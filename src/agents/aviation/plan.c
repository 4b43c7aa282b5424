/*
 * A plan on the wire and in words. The words are put together from the plan; no model writes them.
 * Values print as Python prints them, because clients show this text.
 */
#include "agents/aviation/plan.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"

enum { REASONING_MAX = 16384 };

struct json_object *plan_json(struct arena *a, const struct plan *p)
{
	if (p->tool == NULL)
		return NULL;
	struct json_object *o = jsn_object(a);
	jsn_add_str(o, "selected_tool", p->tool->name);
	jsn_add(o, "arguments", jsn_ref(p->arguments));
	jsn_add_str(o, "answer_style", p->answer_style);
	return o;
}

/* Python's repr() of text: single quotes unless only single quotes are inside. */
static void put_repr(struct buf *b, const char *s)
{
	char quote = strchr(s, '\'') != NULL && strchr(s, '"') == NULL ? '"' : '\'';
	buf_putc(b, quote);
	for (; *s != '\0'; s++) {
		if (*s == quote || *s == '\\')
			buf_printf(b, "\\%c", *s);
		else if (*s == '\n')
			buf_puts(b, "\\n");
		else if (*s == '\r')
			buf_puts(b, "\\r");
		else if (*s == '\t')
			buf_puts(b, "\\t");
		else if ((unsigned char)*s < 0x20 || *s == 0x7f)
			buf_printf(b, "\\x%02x", (unsigned char)*s);
		else
			buf_putc(b, *s);
	}
	buf_putc(b, quote);
}

/* str() at the top, repr() inside lists and dicts. */
static void put_python(struct buf *b, struct json_object *v, bool top)
{
	char num[32];
	bool first = true;
	switch (json_object_get_type(v)) {
	case json_type_null:
		buf_puts(b, "None");
		break;
	case json_type_boolean:
		buf_puts(b, json_object_get_boolean(v) ? "True" : "False");
		break;
	case json_type_int:
		buf_printf(b, "%lld", (long long)json_object_get_int64(v));
		break;
	case json_type_double:
		num_print(num, json_object_get_double(v));
		buf_puts(b, num);
		break;
	case json_type_string:
		if (top)
			buf_puts(b, json_object_get_string(v));
		else
			put_repr(b, json_object_get_string(v));
		break;
	case json_type_array:
		buf_putc(b, '[');
		for (size_t i = 0; i < jsn_len(v); i++) {
			buf_puts(b, i > 0 ? ", " : "");
			put_python(b, jsn_at(v, i), false);
		}
		buf_putc(b, ']');
		break;
	case json_type_object:
		buf_putc(b, '{');
		JSN_EACH(v, it) {
			buf_puts(b, first ? "" : ", ");
			first = false;
			put_repr(b, it.key);
			buf_puts(b, ": ");
			put_python(b, it.val, false);
		}
		buf_putc(b, '}');
		break;
	}
}

/* ". with <what>: k=v, k=v", or nothing when there are none. */
static void put_members(struct buf *b, const char *what, struct json_object *o, const char *skip)
{
	bool first = true;
	JSN_EACH(o, it) {
		if (skip != NULL && strcmp(it.key, skip) == 0)
			continue;
		if (first)
			buf_printf(b, ". with %s: ", what);
		else
			buf_puts(b, ", ");
		first = false;
		buf_printf(b, "%s=", it.key);
		put_python(b, it.val, true);
	}
}

const char *plan_reasoning(struct arena *a, const struct plan *p)
{
	if (p->tool == NULL)
		return "";
	struct buf b;
	buf_init(&b, REASONING_MAX);
	buf_printf(&b, "Selected tool: %s", p->tool->name);
	put_members(&b, "filters", jsn_get(p->arguments, "filters"), NULL);
	put_members(&b, "arguments", p->arguments, "filters");
	buf_putc(&b, '.');
	const char *text = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return text;
}

enum errcode plan_unknown(const char *tool, struct err *e)
{
	return err_set(e, ERR_PLANNER, "Planner chose '%s', which is not defined in the manifest.",
	    tool);
}

enum errcode plan_check(const struct plan *p, const struct tool_context *ctx, struct err *e)
{
	if (p->fault != NULL)
		return err_set(e, ERR_PLANNER, "%s", p->fault);
	if (p->tool == NULL)
		return p->reply != NULL ? OK : err_set(e, ERR_PLANNER, "The planner chose no tool.");
	if (!tool_offered(ctx, p->tool))
		return plan_unknown(p->tool->name, e);
	if (tool_check(p->tool, p->arguments, e) != OK)
		return err_set(e, ERR_PLANNER, "%s", e->msg);
	return OK;
}
