/*
 * The result of an external tool in words. Nothing is known of its shape, so it is shown as it is: its
 * text line by line, or its members as a list. All of it goes through md_text(), so it cannot become
 * markup, a link or a picture of the page.
 */
#include "agents/aviation/builtin/writer.h"

#include <string.h>

#include "base/str.h"

enum { LINES_MAX = 60, LINE_BYTES = 400, VALUE_BYTES = 200, MEMBERS_MAX = 12, DEEP = 3 };

/* What is still to be written. */
struct listing {
	const struct answer *w;
	size_t lines, left_out;
};

static bool may_write(struct listing *l)
{
	if (l->lines == LINES_MAX)
		l->left_out++;
	else
		l->lines++;
	return l->left_out == 0;
}

/* "wind_speed" → "wind speed" */
static const char *words(struct arena *a, const char *name)
{
	char *out = arena_strdup(a, md_text(a, name, 60));

	for (char *p = out; *p != '\0'; p++)
		if (*p == '_')
			*p = ' ';
	return out;
}

static bool is_plain(struct json_object *v)
{
	return !jsn_is(v, json_type_object) && !jsn_is(v, json_type_array);
}

static const char *scalar(const struct answer *w, struct json_object *v)
{
	struct arena *a = w->mem;

	if (jsn_is(v, json_type_string))
		return md_text(a, json_object_get_string(v), VALUE_BYTES);
	if (jsn_is(v, json_type_boolean))
		return json_object_get_boolean(v) ? said(w, is_yes) : said(w, is_no);
	return v == NULL ? said(w, external_unknown) : jsn_text(a, v, JSN_PLAIN);
}

/* A value in one line. */
static const char *inline_text(const struct answer *w, struct json_object *v, int depth)
{
	struct arena *a = w->mem;
	const char *out = "";
	size_t n = 0;

	if (is_plain(v))
		return scalar(w, v);
	if (depth == DEEP)
		return "…";
	for (size_t i = 0; jsn_is(v, json_type_array) && i < jsn_len(v) && i < MEMBERS_MAX; i++)
		out = arena_printf(a, "%s%s%s", out, i > 0 ? ", " : "", inline_text(w, jsn_at(v, i), depth + 1));
	JSN_EACH(v, it)
		if (n++ < MEMBERS_MAX)
			out = arena_printf(a, "%s%s%s %s", out, n > 1 ? ", " : "", words(a, it.key),
			    inline_text(w, it.val, depth + 1));
	return jsn_len(v) > MEMBERS_MAX ? arena_printf(a, "%s, …", out) : out;
}

static void put_list(struct listing *l, struct json_object *list)
{
	for (size_t i = 0; i < jsn_len(list); i++)
		if (may_write(l))
			buf_printf(l->w->out, "%zu. %s\n", i + 1, inline_text(l->w, jsn_at(list, i), 0));
}

static void put_members(struct listing *l, struct json_object *o)
{
	struct arena *a = l->w->mem;

	JSN_EACH(o, it) {
		struct json_object *first = jsn_is(it.val, json_type_array) ? jsn_at(it.val, 0) : NULL;
		if (!may_write(l))
			continue;
		if (is_plain(it.val) || is_plain(first) || jsn_is(it.val, json_type_object)) {
			if (!jsn_is(it.val, json_type_array) || first != NULL)
				buf_printf(l->w->out, "- **%s**: %s\n", words(a, it.key), inline_text(l->w, it.val, 0));
			continue;
		}
		buf_printf(l->w->out, "\n**%s**\n", words(a, it.key));
		put_list(l, it.val);
	}
}

static void put_text(struct listing *l, const char *text)
{
	bool blank = true;

	while (*text != '\0') {
		const size_t n = strcspn(text, "\n");
		const char *line = md_line(l->w->mem, arena_strndup(l->w->mem, text, n), LINE_BYTES);
		if (*line == '\0' && !blank)
			buf_putc(l->w->out, '\n');
		else if (*line != '\0' && may_write(l))
			buf_printf(l->w->out, "%s\n", line);
		blank = *line == '\0';
		text += n + (text[n] == '\n');
	}
}

static void put_parts(struct listing *l, struct json_object *parts)
{
	for (size_t i = 0; i < jsn_len(parts); i++) {
		struct json_object *p = jsn_at(parts, i);
		const char *type = jsn_get_str(p, "mime_type", jsn_get_str(p, "type", said(l->w, external_file)));
		if (may_write(l))
			put_line(l->w, external_part, "part", arena_printf(l->w->mem, "%s%s%s", md_text(l->w->mem, type, 80),
			    jsn_has(p, "name") ? ", " : "", md_text(l->w->mem, jsn_get_str(p, "name", ""), 80)));
	}
}

void write_external(const struct answer *w)
{
	const char *text = jsn_get_str(w->result, "text", "");
	struct json_object *data = jsn_get(w->result, "data"), *parts = jsn_get(w->result, "parts");
	struct listing l = { .w = w };
	struct phrases notes = { .n = 0 };

	buf_printf(w->out, "%s\n\n", said(w, external_head,
	    "title", md_text(w->mem, jsn_get_str(w->result, "title", said(w, external_title)), 100),
	    "source", md_text(w->mem, jsn_get_str(w->result, "source", "?"), 40)));
	if (jsn_get_bool(w->result, "failed", false))
		buf_printf(w->out, "%s\n\n", said(w, external_failed));
	put_text(&l, text);
	if (*text != '\0' && data != NULL)
		buf_putc(w->out, '\n');
	if (jsn_is(data, json_type_array))
		put_list(&l, data);
	else if (jsn_is(data, json_type_object))
		put_members(&l, data);
	else if (data != NULL && may_write(&l))
		buf_printf(w->out, "%s\n", scalar(w, data));
	put_parts(&l, parts);
	if (l.lines == 0)
		put_line(w, external_nothing);
	if (l.left_out > 0 || jsn_get_bool(w->result, "shortened", false))
		phrases_add(&notes, said(w, external_longer));
	phrases_add(&notes, said(w, external_unchecked));
	write_notes(w, &notes, false);
}
