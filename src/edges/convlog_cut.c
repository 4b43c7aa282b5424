/*
 * The question and the answer matter most, so lists of results are shortened first. An entry keeps
 * its shape: every member is still there, with its type.
 */
#include "edges/convlog_cut.h"

#include "base/str.h"

static const struct convlog_limits {
	size_t items, members, text;      /* limits for the arguments and results of tools */
	size_t calls;
	size_t prose;                     /* bytes of question, answer, thinking and error */
} cuts[CONVLOG_CUTS] = {
	{ 100, 200, 8192, 100, SIZE_MAX },
	{ 20, 100, 1024, 50, 32768 },
	{ 5, 60, 256, 20, 8192 },
	{ 1, 30, 100, 20, 2048 },
	{ 0, 0, 0, 8, 50 },
};

/* A fresh reference. */
static struct json_object *cut_text(struct arena *a, struct json_object *o, size_t max)
{
	const char *s = json_object_get_string(o);
	size_t n = (size_t)json_object_get_string_len(o);
	if (n <= max)
		return jsn_ref(o);
	return jsn_str(arena_printf(a, "%.*s… [cut: %zu bytes]", (int)utf8_cut(s, n, max), s, n));
}

/* A fresh reference. */
static struct json_object *cut_value(struct arena *a, struct json_object *o,
    const struct convlog_limits *l)
{
	size_t n = 0;
	if (jsn_is(o, json_type_string))
		return cut_text(a, o, l->text);
	if (jsn_is(o, json_type_array)) {
		struct json_object *list = jsn_array(a);
		for (size_t i = 0; i < jsn_len(o) && i < l->items; i++)
			jsn_push(list, cut_value(a, jsn_at(o, i), l));
		return jsn_ref(list);
	}
	if (!jsn_is(o, json_type_object))
		return jsn_ref(o);
	struct json_object *copy = jsn_object(a);
	JSN_EACH(o, it)
		if (n++ < l->members)
			jsn_add(copy, it.key, cut_value(a, it.val, l));
	return jsn_ref(copy);
}

/* The calls keep their names. */
static struct json_object *cut_calls(struct arena *a, struct json_object *calls,
    const struct convlog_limits *l)
{
	struct json_object *list = jsn_array(a);
	for (size_t i = 0; i < jsn_len(calls) && i < l->calls; i++) {
		struct json_object *call = jsn_object(a);
		JSN_EACH(jsn_at(calls, i), it)
			jsn_add(call, it.key, streq(it.key, "name") ? jsn_ref(it.val)
			    : cut_value(a, it.val, l));
		jsn_push(list, jsn_ref(call));
	}
	return jsn_ref(list);
}

static struct json_object *marked(struct arena *a, struct json_object *metadata, size_t bytes)
{
	struct json_object *copy = jsn_object(a);
	JSN_EACH(metadata, it)
		jsn_add(copy, it.key, jsn_ref(it.val));
	jsn_add_str(copy, "cut", arena_printf(a, "The entry had %zu bytes, more than "
	    "CONVERSATION_LOG_MAX_ENTRY: lists and texts are shortened.", bytes));
	return jsn_ref(copy);
}

struct json_object *convlog_cut(struct arena *a, struct json_object *entry, int cut, size_t bytes)
{
	static const char *const prose[] = { "question", "answer", "thinking", "error" };
	const struct convlog_limits *l = &cuts[cut];
	struct json_object *out = jsn_object(a);

	JSN_EACH(entry, it)
		jsn_add(out, it.key, jsn_ref(it.val));
	for (size_t i = 0; i < sizeof(prose) / sizeof(prose[0]); i++)
		if (jsn_has(entry, prose[i]))
			jsn_add(out, prose[i], cut_text(a, jsn_get(entry, prose[i]), l->prose));
	jsn_add(out, "tool_calls", cut_calls(a, jsn_get(entry, "tool_calls"), l));
	jsn_add(out, "metadata", marked(a, jsn_get(entry, "metadata"), bytes));
	return out;
}
