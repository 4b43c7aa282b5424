/*
 * The result of a call, bounded. Pictures, sounds and files are only named: nobody asked for them,
 * and addresses in a result are never fetched.
 */
#include "services/mcp_result.h"

#include <string.h>

#include "base/str.h"
#include "services/mcp_client_own.h"

enum { SAID_MAX = 300, TYPE_MAX = 80, ADDRESS_MAX = 300 };

/* ---- parts --------------------------------------------------------------------------------- */

static void add_line(struct json_object *o, struct arena *a, const char *name, const char *text,
    size_t max)
{
	if (text != NULL)
		jsn_add_str(o, name, mcp_clean_line(a, text, strlen(text), max));
}

/* A part that is no text: what it is, and how large. */
static void add_part(struct json_object *parts, struct arena *a, struct json_object *block)
{
	struct json_object *o = jsn_new(), *inside = jsn_get(block, "resource");
	struct json_object *from = inside != NULL ? inside : block;
	const char *data = jsn_get_str(from, "data", jsn_get_str(from, "blob", NULL));

	add_line(o, a, "type", jsn_get_str(block, "type", "?"), TYPE_MAX);
	add_line(o, a, "name", jsn_get_str(from, "name", NULL), TYPE_MAX);
	add_line(o, a, "uri", jsn_get_str(from, "uri", NULL), ADDRESS_MAX);
	add_line(o, a, "mime_type", jsn_get_str(from, "mimeType", NULL), TYPE_MAX);
	if (data != NULL)
		jsn_add_int(o, "bytes", (int64_t)(strlen(data) / 4 * 3));
	jsn_push(parts, o);
}

/* The text of a block; NULL: it is none. */
static struct json_object *text_of(struct json_object *block)
{
	struct json_object *v = NULL;

	if (streq(jsn_get_str(block, "type", ""), "text"))
		v = jsn_get(block, "text");
	else if (streq(jsn_get_str(block, "type", ""), "resource"))
		v = jsn_get(jsn_get(block, "resource"), "text");
	return jsn_is(v, json_type_string) ? v : NULL;
}

/* All texts, with a blank line between two. */
static const char *texts(struct arena *a, struct json_object *content, bool *cut)
{
	struct buf b;

	buf_init(&b, MCP_TEXT_MAX);
	for (size_t i = 0; i < jsn_len(content); i++) {
		struct json_object *v = text_of(jsn_at(content, i));
		if (v == NULL)
			continue;
		const size_t n = (size_t)json_object_get_string_len(v);
		buf_puts(&b, b.n > 0 ? "\n\n" : "");
		buf_puts(&b, mcp_clean(a, json_object_get_string(v), n, MCP_TEXT_MAX));
		*cut |= n > MCP_TEXT_MAX;
	}
	*cut |= b.full;
	const char *out = arena_strndup(a, b.p, utf8_cut(b.p, b.n, b.n));
	buf_release(&b);
	return out;
}

static struct json_object *parts_of(struct arena *a, struct json_object *content, bool *cut)
{
	struct json_object *parts = jsn_array(a);

	for (size_t i = 0; i < jsn_len(content); i++)
		if (text_of(jsn_at(content, i)) == NULL && jsn_is(jsn_at(content, i), json_type_object)) {
			*cut |= jsn_len(parts) == MCP_PARTS_MAX;
			if (jsn_len(parts) < MCP_PARTS_MAX)
				add_part(parts, a, jsn_at(content, i));
		}
	return parts;
}

/* ---- the whole -------------------------------------------------------------------------------- */

/* A text that is an object or a list is read as one. */
static struct json_object *json_in(struct arena *a, const char *text)
{
	const struct str s = str_trim(str_of(text));
	struct json_object *o = NULL;

	if (s.n == 0 || (s.p[0] != '{' && s.p[0] != '[') || jsn_values(s.p, s.n) > MCP_REPLY_VALUES ||
	    jsn_parse(a, s.p, s.n, JSN_DEPTH, &o, NULL, NULL) != OK)
		return NULL;
	return o;
}

static const char *title_of(struct arena *a, const struct mcp_pin *pin)
{
	char *words = arena_strdup(a, pin->title != NULL ? pin->title : pin->name);

	for (char *p = words; pin->title == NULL && *p != '\0'; p++)
		if (*p == '_' || *p == '-' || *p == '.')
			*p = ' ';
	return words;
}

/* Only the server says why a tool failed. So its words become a result that names the server, never an error of ours:
 * the user would take an error for our own words. */
static struct json_object *failure_of(struct arena *a, const struct mcp_remote *s, const struct mcp_pin *pin,
    const char *text)
{
	struct json_object *o = jsn_object(a);

	jsn_add_str(o, "source", s->name);
	jsn_add_str(o, "tool", pin->name);
	jsn_add_str(o, "title", title_of(a, pin));
	jsn_add_bool(o, "failed", true);
	jsn_add_str(o, "text", mcp_clean_line(a, text, strlen(text), SAID_MAX));
	return o;
}

enum errcode mcp_result_make(struct json_object **out, struct arena *a, const struct mcp_remote *s,
    const struct mcp_pin *pin, struct json_object *result, struct err *e)
{
	struct json_object *content = jsn_get(result, "content"), *data = jsn_get(result, "structuredContent");
	struct mcp_bounds left = { .depth = MCP_DATA_DEPTH, .values = MCP_DATA_VALUES, .text = MCP_TEXT_MAX,
		.bytes = MCP_DATA_BYTES };
	struct json_object *o = jsn_object(a), *parts;
	bool cut = false;

	if (content != NULL && !jsn_is(content, json_type_array))
		return err_set(e, ERR_UPSTREAM, "the result of %s has no list of content", pin->name);
	const char *text = texts(a, content, &cut);
	const bool failed = jsn_get_bool(result, "isError", false);
	if (failed && *text == '\0')
		return err_set(e, ERR_TOOL, "the external service %s says that it failed, and not why", s->name);
	if (failed) {
		*out = failure_of(a, s, pin, text);
		return OK;
	}
	struct json_object *same = json_in(a, text);
	if (data == NULL || (same != NULL && json_object_equal(same, data) != 0)) {
		data = data != NULL ? data : same;
		text = same != NULL ? "" : text;
	}
	parts = parts_of(a, content, &cut);
	jsn_add_str(o, "source", s->name);
	jsn_add_str(o, "tool", pin->name);
	jsn_add_str(o, "title", title_of(a, pin));
	if (*text != '\0')
		jsn_add_str(o, "text", text);
	if (data != NULL)
		jsn_add(o, "data", jsn_ref(mcp_clean_json(a, data, &left)));
	if (jsn_len(parts) > 0)
		jsn_add(o, "parts", jsn_ref(parts));
	if (cut || left.cut)
		jsn_add_bool(o, "shortened", true);
	*out = o;
	return OK;
}
