/*
 * Text of strangers. It may reach a model, a page, a terminal and a log, and in each of them there
 * are characters that do something instead of being seen. Those are left out.
 */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "services/mcp_client_own.h"

/* Zero-width, direction, line separators, variation selectors of tags, and the "tag" block, in which
 * whole sentences can be hidden. */
static bool unseen(uint32_t cp)
{
	return cp == 0xAD || cp == 0x61C || cp == 0x180E || cp == 0xFEFF || cp == 0x3164
	    || (cp >= 0x200B && cp <= 0x200F) || (cp >= 0x2028 && cp <= 0x202E)
	    || (cp >= 0x2060 && cp <= 0x206F) || (cp >= 0xFE00 && cp <= 0xFE0F)
	    || (cp >= 0xFFF9 && cp <= 0xFFFB) || (cp >= 0xE0000 && cp <= 0xE0FFF);
}

/* The length of the command to a terminal that begins at p, which is ESC or the C1 form of "ESC [". */
static size_t command(const char *p, size_t n)
{
	size_t i = 1;

	if (i < n && p[i] == '[')
		for (i++; i < n && !(p[i] >= 0x40 && p[i] <= 0x7e); i++)
			;
	else if (i < n && p[i] == ']')
		for (i++; i < n && p[i] != '\a' && p[i] != 0x1b; i++)
			;
	else
		return 1;
	return i < n && p[i] != 0x1b ? i + 1 : i;
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
		} else if (cp == 0x1b) {
			len = command(s + i, n - i);
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
