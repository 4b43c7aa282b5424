/*
 * Data for the model: a tool's result within a budget, other texts within one, and the block around
 * them.
 *
 * Everything is cut at one level, in bytes: a list keeps the elements, and a text the beginning,
 * that fit into the level. So the longest lists and texts lose first, and those shorter than the
 * level lose nothing. Halving finds the highest level at which the whole fits. A try stops as soon
 * as it is over the budget, and an element as soon as it is over its list's level, so a large
 * result costs little more than a small one.
 */
#include "agents/aviation/model.h"

#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "services/tokens.h"

enum {
	LEVEL_MIN = 240,          /* names, codes and short lists stay whole */
	TOKEN_BYTES = 8,          /* more bytes than any token stands for in tokens_guess() */
	NOTES_MAX = 20,           /* places named in _shortened */
	PATH_MAX_BYTES = 120,
};

/* -- printing at a level -- */

/* A list or text that lost its end. */
struct cut {
	struct cut *next;
	const char *path;         /* "rules[].answer_html" */
	bool text;
	size_t kept, total;       /* elements or characters */
};

/* Where the printer is: members, and elements of lists. */
struct cut_place {
	const struct cut_place *up;
	const char *key;          /* NULL: an element */
};

struct cutter {
	struct arena *mem;
	struct buf *out;
	size_t level;
	size_t stop;              /* text beyond this length is thrown away */
	struct cut *cuts;         /* newest first */
};

/* No result of a tool is nested deeper than these blanks reach. */
static void newline(struct cutter *c, size_t indent)
{
	static const char line[] =
	    "\n                                                                ";
	const size_t most = sizeof(line) - 2;

	buf_put(c->out, line, 1 + (indent < most ? indent : most));
}

static void put_path(struct buf *b, const struct cut_place *p)
{
	if (p == NULL)
		return;
	put_path(b, p->up);
	if (p->key != NULL)
		buf_printf(b, "%s%s", b->n > 0 ? "." : "", p->key);
	else
		buf_puts(b, "[]");
}

static void note(struct cutter *c, const struct cut_place *at, bool text, size_t kept,
    size_t total)
{
	struct cut *cut = arena_alloc(c->mem, sizeof(*cut));
	struct buf path;

	buf_init(&path, PATH_MAX_BYTES);
	put_path(&path, at);
	/* a text over its limit may end in half a character */
	while (!utf8_valid(path.p, path.n))
		buf_trunc(&path, path.n - 1);
	*cut = (struct cut){ c->cuts, arena_strndup(c->mem, path.p, path.n), text, kept, total };
	c->cuts = cut;
	buf_release(&path);
}

static void print(struct cutter *c, struct json_object *v, const struct cut_place *at,
    size_t indent);

static void print_text(struct cutter *c, struct json_object *v, const struct cut_place *at)
{
	const char *s = json_object_get_string(v);
	size_t n = (size_t)json_object_get_string_len(v), keep = utf8_cut(s, n, c->level);

	jsn_print_tagless(c->out, s, keep);
	if (keep < n)
		note(c, at, true, utf8_count(s, keep), utf8_count(s, n));
}

static void print_list(struct cutter *c, struct json_object *v, const struct cut_place *at,
    size_t indent)
{
	const size_t n = jsn_len(v), start = c->out->n, outer = c->stop;
	const struct cut_place here = { at, NULL };
	size_t kept = 0;

	buf_putc(c->out, '[');
	for (; kept < n && c->out->n <= outer; kept++) {
		const size_t before = c->out->n;
		struct cut *const cuts = c->cuts;

		/* the first element stays, however long it is */
		if (kept > 0 && c->level < outer - start)
			c->stop = start + c->level;
		buf_puts(c->out, kept > 0 ? "," : "");
		newline(c, indent + 2);
		print(c, jsn_at(v, kept), &here, indent + 2);
		if (kept > 0 && c->out->n > c->stop && c->stop < outer) {
			buf_trunc(c->out, before);
			c->cuts = cuts;
			break;
		}
	}
	c->stop = outer;
	if (n > 0)
		newline(c, indent);
	buf_putc(c->out, ']');
	if (kept < n)
		note(c, at, false, kept, n);
}

static void print_member(struct cutter *c, const char *key, struct json_object *v,
    const struct cut_place *at, size_t indent)
{
	const struct cut_place here = { at, key };

	newline(c, indent);
	jsn_print_tagless(c->out, key, strlen(key));
	buf_put(c->out, ": ", 2);
	print(c, v, &here, indent);
}

static void print_object(struct cutter *c, struct json_object *v, const struct cut_place *at,
    size_t indent)
{
	bool any = false;

	buf_putc(c->out, '{');
	JSN_EACH(v, it) {
		if (c->out->n > c->stop)
			break;
		buf_puts(c->out, any ? "," : "");
		any = true;
		print_member(c, it.key, it.val, at, indent + 2);
	}
	if (any)
		newline(c, indent);
	buf_putc(c->out, '}');
}

static void print(struct cutter *c, struct json_object *v, const struct cut_place *at,
    size_t indent)
{
	switch (json_object_get_type(v)) {
	case json_type_string:
		print_text(c, v, at);
		break;
	case json_type_array:
		print_list(c, v, at, indent);
		break;
	case json_type_object:
		print_object(c, v, at, indent);
		break;
	case json_type_null:
	case json_type_boolean:
	case json_type_int:
	case json_type_double:
		jsn_print(c->out, v, JSN_PLAIN);
		break;
	}
}

/* -- what was cut -- */

/* Cuts at the same place of several elements are one: {"rules[].links": "12 of 40"}. */
static void put_notes(struct buf *out, const struct cut *cuts)
{
	struct cut places[NOTES_MAX];
	size_t n = 0, others = 0;

	for (const struct cut *cut = cuts; cut != NULL; cut = cut->next) {
		size_t i = 0;
		while (i < n && !streq(places[i].path, cut->path))
			i++;
		if (i == NOTES_MAX) {
			others++;
			continue;
		}
		if (i == n)
			places[n++] = (struct cut){ .path = cut->path, .text = cut->text };
		places[i].kept += cut->kept;
		places[i].total += cut->total;
	}
	buf_puts(out, "\n  \"_shortened\": {");
	/* newest first, so the last one here is the first in the result */
	for (size_t i = n; i-- > 0;) {
		buf_puts(out, i + 1 < n ? ",\n    " : "\n    ");
		jsn_print_tagless(out, places[i].path, strlen(places[i].path));
		buf_printf(out, ": \"%zu of %zu%s\"", places[i].kept, places[i].total,
		    places[i].text ? " characters" : "");
	}
	if (others > 0)
		buf_printf(out, ",\n    \"and more\": \"%zu lists and texts\"", others);
	buf_puts(out, "\n  }");
}

/* -- a result -- */

/* Members that draw, that the prompt shows elsewhere, or that repeat what is in a list. */
static const struct {
	const char *member, *list;       /* list NULL: always */
} left_out_rows[] = {
	{ "visualization", NULL }, { "pretty", NULL }, { "_shortened", NULL },
	{ "formatted_text", "rules" }, { "rules_context", "differences" },
	{ "comparison", "differences" },
};

static bool left_out(struct json_object *result, const char *member)
{
	for (size_t i = 0; i < sizeof(left_out_rows) / sizeof(left_out_rows[0]); i++)
		if (streq(member, left_out_rows[i].member))
			return left_out_rows[i].list == NULL ||
			    jsn_len(jsn_get(result, left_out_rows[i].list)) > 0;
	return false;
}

/* The result at a level; false: it is longer than `stop` bytes, and the text is not complete. */
static bool render(struct json_object *result, size_t level, size_t stop, struct buf *text)
{
	struct buf body;
	struct cutter c = { .mem = arena_new(), .out = &body, .level = level, .stop = stop };
	bool object = jsn_is(result, json_type_object), any = false;

	buf_init(&body, SIZE_MAX / 2);
	if (!object)
		print(&c, result, NULL, 0);
	JSN_EACH(result, it) {
		if (left_out(result, it.key))
			continue;
		if (body.n > stop)
			break;
		buf_puts(&body, any ? "," : "");
		any = true;
		print_member(&c, it.key, it.val, NULL, 2);
	}
	buf_clear(text);
	buf_puts(text, object ? "{" : "");
	if (object && c.cuts != NULL) {
		put_notes(text, c.cuts);
		buf_putc(text, ',');
	}
	buf_put(text, body.p, body.n);
	buf_puts(text, any ? "\n}" : object ? "}" : "");
	bool whole = body.n <= stop;
	buf_release(&body);
	arena_free(c.mem);
	return whole;
}

static size_t bytes_of(int64_t tokens)
{
	if (tokens < 0)
		return 0;
	return tokens > INT32_MAX ? (size_t)INT32_MAX * TOKEN_BYTES : (size_t)tokens * TOKEN_BYTES;
}

static bool fits(struct json_object *result, size_t level, int64_t max_tokens, struct buf *text)
{
	return render(result, level, bytes_of(max_tokens), text) &&
	    tokens_guess(text->p, text->n) <= max_tokens;
}

const char *model_result(struct arena *a, struct json_object *result, int64_t max_tokens)
{
	size_t low = LEVEL_MIN, high = bytes_of(max_tokens);
	struct buf text;

	buf_init(&text, SIZE_MAX / 2);
	if (!fits(result, SIZE_MAX, max_tokens, &text)) {
		while (low + low / 32 < high) {
			size_t level = low + (high - low) / 2;
			if (fits(result, level, max_tokens, &text))
				low = level;
			else
				high = level;
		}
		render(result, low, SIZE_MAX, &text);
	}
	const char *out = arena_strndup(a, text.p, text.n);
	buf_release(&text);
	return out;
}

/* -- other texts -- */

const char *model_cut(struct arena *a, const char *text, int64_t max_tokens)
{
	enum { NOTE_TOKENS = 24 };
	const size_t n = strlen(text);
	size_t low = 0, high = bytes_of(max_tokens);

	if (tokens_guess(text, n) <= max_tokens)
		return text;
	for (high = high < n ? high : n; low + 1 < high;) {
		size_t mid = low + (high - low) / 2;
		if (tokens_guess(text, mid) + NOTE_TOKENS <= max_tokens)
			low = mid;
		else
			high = mid;
	}
	size_t keep = utf8_cut(text, n, low);
	const char *line = memrchr(text, '\n', keep);
	if (line != NULL && (size_t)(line - text) > keep / 2)
		keep = (size_t)(line - text);
	return arena_printf(a, "%.*s\n[Shortened: the first %zu of %zu characters.]", (int)keep, text,
	    utf8_count(text, keep), utf8_count(text, n));
}

const char *model_data(struct arena *a, const char *name, const char *text)
{
	struct buf b;

	buf_init(&b, SIZE_MAX / 2);
	buf_printf(&b, "<%s>\n", name);
	for (const char *p = text; *p != '\0';) {
		size_t n = strcspn(p, "<");
		buf_put(&b, p, n);
		p += n;
		if (*p == '<') {
			buf_puts(&b, "&lt;");
			p++;
		}
	}
	buf_printf(&b, "\n</%s>", name);
	const char *out = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return out;
}
