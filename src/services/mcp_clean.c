/*
 * Text of strangers. It may reach a model, a page, a terminal and a log, and in each of them there
 * are characters that do something instead of being seen. Those are left out.
 */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "services/mcp_client_own.h"

/* Zero-width, direction, line separators, fillers that are drawn as nothing, marks of musical notation,
 * variation selectors, and the "tag" block, in which whole sentences can be hidden. In ascending order. */
static const struct { uint32_t first, last; } hidden[] = {
	{ 0xAD, 0xAD }, { 0x34F, 0x34F }, { 0x61C, 0x61C }, { 0x115F, 0x1160 }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180F },
	{ 0x200B, 0x200F }, { 0x2028, 0x202E }, { 0x2060, 0x206F }, { 0x3164, 0x3164 }, { 0xFE00, 0xFE0F },
	{ 0xFEFF, 0xFEFF }, { 0xFFA0, 0xFFA0 }, { 0xFFF9, 0xFFFB }, { 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF },
};

static bool unseen(uint32_t cp)
{
	size_t i = 0;

	while (i < sizeof(hidden) / sizeof(hidden[0]) && hidden[i].last < cp)
		i++;
	return i < sizeof(hidden) / sizeof(hidden[0]) && hidden[i].first <= cp;
}

enum { ESC = 0x1b, CSI = 0x9b };      /* CSI: one character for "ESC [" */

/* The length of the command to a terminal that begins at p with ESC or CSI, a character of `len` bytes. */
static size_t command(const char *p, size_t n, size_t len)
{
	const char kind = p[0] != ESC ? '[' : n > len ? p[len] : '\0';
	size_t i = p[0] != ESC ? len : len + 1;

	if (kind == '[')
		while (i < n && !(p[i] >= 0x40 && p[i] <= 0x7e))
			i++;
	else if (kind == ']')
		while (i < n && p[i] != '\a' && p[i] != ESC)
			i++;
	else
		return len;
	/* "ESC \" ends a text */
	if (i < n && p[i] == ESC)
		return i + (i + 1 < n && p[i + 1] == '\\' ? 2 : 0);
	return i < n ? i + 1 : i;
}

static bool kept(uint32_t cp)
{
	return cp == '\n' || cp == '\t' || (cp >= 0x20 && cp != 0x7f && !(cp >= 0x80 && cp < 0xa0));
}

char *mcp_clean(struct arena *a, const char *s, size_t n, size_t max)
{
	struct buf b;
	uint32_t cp;

	buf_init(&b, max + 8);
	for (size_t i = 0, len; i < n && b.n < max; i += len) {
		len = utf8_decode(s + i, n - i, &cp);
		if (len == 0) {
			len = 1;
			buf_puts(&b, "\xef\xbf\xbd");
		} else if (cp == ESC || cp == CSI) {
			len = command(s + i, n - i, len);
		} else if (kept(cp) && !unseen(cp)) {
			buf_put(&b, s + i, len);
		}
	}
	if (b.n > max)
		buf_trunc(&b, utf8_cut(b.p, b.n, max));
	char *out = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return out;
}

char *mcp_clean_line(struct arena *a, const char *s, size_t n, size_t max)
{
	static const char from[] = "\n\t[]<>`*|\\_#~";
	static const char to[] = "  ()()'    ' -";
	char *out = mcp_clean(a, s, n, max);

	for (char *p = out; *p != '\0'; p++) {
		const char *at = strchr(from, *p);
		if (at != NULL)
			*p = to[at - from];
	}
	return out;
}

/* ---- trees ------------------------------------------------------------------------------ */

static struct json_object *copy(struct arena *a, struct json_object *o, int depth, struct mcp_bounds *left);

/* May one more value be taken? */
static bool room(struct mcp_bounds *left, int depth)
{
	if (depth > left->depth || left->values == 0 || left->bytes == 0) {
		left->cut = true;
		return false;
	}
	left->values--;
	return true;
}

static const char *text(struct arena *a, const char *s, size_t n, size_t max, struct mcp_bounds *left)
{
	if (max > left->bytes)
		max = left->bytes;
	const char *out = mcp_clean(a, s, n, max);
	const size_t len = strlen(out);
	left->cut |= n > max && len + 4 > max;
	left->bytes -= len;
	return out;
}

static struct json_object *copy_list(struct arena *a, struct json_object *o, int depth,
    struct mcp_bounds *left)
{
	struct json_object *out = json_object_new_array();

	for (size_t i = 0; i < jsn_len(o) && room(left, depth + 1); i++)
		jsn_push(out, copy(a, jsn_at(o, i), depth + 1, left));
	return out;
}

static struct json_object *copy_object(struct arena *a, struct json_object *o, int depth,
    struct mcp_bounds *left)
{
	struct json_object *out = jsn_new();

	JSN_EACH(o, it) {
		if (!room(left, depth + 1))
			break;
		jsn_add(out, text(a, it.key, strlen(it.key), MCP_KEY_BYTES, left),
		    copy(a, it.val, depth + 1, left));
	}
	return out;
}

/* A fresh reference. */
static struct json_object *copy(struct arena *a, struct json_object *o, int depth, struct mcp_bounds *left)
{
	if (jsn_is(o, json_type_object))
		return copy_object(a, o, depth, left);
	if (jsn_is(o, json_type_array))
		return copy_list(a, o, depth, left);
	if (jsn_is(o, json_type_string))
		return jsn_str(text(a, json_object_get_string(o), (size_t)json_object_get_string_len(o),
		    left->text, left));
	left->bytes -= left->bytes < 16 ? left->bytes : 16;
	return jsn_ref(o);
}

struct json_object *mcp_clean_json(struct arena *a, struct json_object *o, struct mcp_bounds *left)
{
	if (!room(left, 0))
		return NULL;
	return jsn_own(a, copy(a, o, 0, left));
}
