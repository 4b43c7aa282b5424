/*
 * Printing JSON, and values that are kept as printed text. It is our own, because the wire formats
 * need three styles that the library does not have, because the library would print NaN, and because
 * it would keep the text inside the tree.
 */
#include "base/jsn.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* -- numbers -- */

double num_round(double v, int places)
{
	char text[400];
	if (!isfinite(v))
		return v;
	snprintf(text, sizeof(text), "%.*f", places, v);
	return strtod(text, NULL);
}

/* Most numbers here are positions and distances with at most six decimals. If v is the double
 * nearest to k / 10^6, that decimal reads back as v, and no shorter one does. This replaces
 * printf(), which took a tenth of a turn. */
static bool print_millionths(char *out, double v)
{
	char digits[24];
	int n = 0, drop = 0;
	if (fabs(v) >= 1e8)
		return false;
	long long k = llround(v * 1e6);
	if (k == 0 || (double)k / 1e6 != v)
		return false;
	if (k < 0)
		*out++ = '-';
	for (unsigned long long u = (unsigned long long)(k < 0 ? -k : k); u > 0 || n < 7; u /= 10)
		digits[n++] = (char)('0' + u % 10);
	while (digits[drop] == '0')
		drop++;       /* v is not whole, so this loop ends within the decimals */
	while (n > drop) {
		*out++ = digits[--n];
		if (n == 6)
			*out++ = '.';
	}
	*out = '\0';
	return true;
}

static void print_whole(char *out, int64_t v)
{
	char digits[24];
	int n = 0;
	uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	do
		digits[n++] = (char)('0' + u % 10);
	while ((u /= 10) > 0);
	if (v < 0)
		*out++ = '-';
	while (n > 0)
		*out++ = digits[--n];
	*out = '\0';
}

void num_print(char out[32], double v)
{
	if (v == trunc(v) && fabs(v) < 1e15) {
		print_whole(out, (int64_t)v);
		return;
	}
	if (print_millionths(out, v))
		return;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, 32, "%.*g", digits, v);
		if (strtod(out, NULL) == v)
			break;
	}
}

/* -- strings -- */

/* The character after the backslash; 0: the byte is not escaped. 0xc2 begins U+0080 to U+00BF. The
 * first half of those are control characters, which must not reach a terminal. */
static const char escapes[256] = {
	'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b', 't', 'n', 'u', 'f', 'r', 'u', 'u',
	'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u',
	['"'] = '"', ['\\'] = '\\', [0x7f] = 'u', [0xc2] = 'u',
};

/* `also` is escaped too; NUL, which always is: nothing more. */
static void print_string(struct buf *b, const char *s, size_t n, char also)
{
	const char *end = s + n;
	buf_putc(b, '"');
	for (;;) {
		const char *from = s;
		while (s < end && escapes[(unsigned char)*s] == 0 && *s != also)
			s++;
		buf_put(b, from, (size_t)(s - from));
		if (s == end)
			break;
		unsigned char c = (unsigned char)*s++;
		if (c == 0xc2) {
			unsigned char next = s < end ? (unsigned char)*s : 0;
			if (next < 0x80 || next >= 0xa0) {
				buf_putc(b, (char)c);
				continue;
			}
			c = next;
			s++;
		}
		char kind = c < 0x7f && escapes[c] != 0 ? escapes[c] : 'u';
		buf_putc(b, '\\');
		buf_putc(b, kind);
		if (kind == 'u')
			buf_printf(b, "%04x", c);
	}
	buf_putc(b, '"');
}

/* -- trees -- */

/* A string object with this mark is a finished text. */
static char printed_mark;

static bool is_printed(struct json_object *o)
{
	return json_object_get_type(o) == json_type_string &&
	    json_object_get_userdata(o) == &printed_mark;
}

static void newline(struct buf *b, enum jsn_style style, int indent)
{
	if (style == JSN_INDENT)
		buf_printf(b, "\n%*s", indent, "");
}

/* Print a text in JSN_SPACED in another style. */
static void print_again(struct buf *b, const char *s, size_t n, enum jsn_style style, int indent)
{
	bool quoted = false;
	if (style == JSN_SPACED) {
		buf_put(b, s, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const char c = s[i], next = i + 1 < n ? s[i + 1] : '\0';
		const bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
		if (quoted || c == '"') {
			quoted = quoted ? c != '"' : true;
			buf_putc(b, c);
			if (quoted && c == '\\')
				buf_putc(b, s[++i]);
			continue;
		}
		if (c == ' ' && (style == JSN_PLAIN || s[i - 1] == ','))
			continue;
		if (closes && s[i - 1] != '{' && s[i - 1] != '[')
			newline(b, style, indent -= 2);
		buf_putc(b, c);
		if (opens && next != '}' && next != ']')
			newline(b, style, indent += 2);
		else if (c == ',')
			newline(b, style, indent);
	}
}

static void print(struct buf *b, struct json_object *o, enum jsn_style style, int indent)
{
	const char *comma = style == JSN_SPACED ? ", " : ",";
	const char *colon = style == JSN_PLAIN ? ":" : ": ";
	char num[32];
	bool first = true;
	switch (json_object_get_type(o)) {
	case json_type_null:
		buf_puts(b, "null");
		break;
	case json_type_boolean:
		buf_puts(b, json_object_get_boolean(o) ? "true" : "false");
		break;
	case json_type_int:
		print_whole(num, json_object_get_int64(o));
		buf_puts(b, num);
		break;
	case json_type_double:
		if (isfinite(json_object_get_double(o)))
			num_print(num, json_object_get_double(o));
		else
			snprintf(num, sizeof(num), "null");
		buf_puts(b, num);
		break;
	case json_type_string:
		if (is_printed(o)) {
			print_again(b, json_object_get_string(o),
			    (size_t)json_object_get_string_len(o), style, indent);
			break;
		}
		print_string(b, json_object_get_string(o), (size_t)json_object_get_string_len(o), '\0');
		break;
	case json_type_array:
		buf_putc(b, '[');
		for (size_t i = 0; i < json_object_array_length(o); i++) {
			if (!first)
				buf_puts(b, comma);
			first = false;
			newline(b, style, indent + 2);
			print(b, json_object_array_get_idx(o, i), style, indent + 2);
		}
		if (!first)
			newline(b, style, indent);
		buf_putc(b, ']');
		break;
	case json_type_object: {
		buf_putc(b, '{');
		JSN_EACH(o, it) {
			if (!first)
				buf_puts(b, comma);
			first = false;
			newline(b, style, indent + 2);
			print_string(b, it.key, strlen(it.key), '\0');
			buf_puts(b, colon);
			print(b, it.val, style, indent + 2);
		}
		if (!first)
			newline(b, style, indent);
		buf_putc(b, '}');
		break;
	}
	}
}

void jsn_print(struct buf *b, struct json_object *o, enum jsn_style style)
{
	print(b, o, style, 0);
}

void jsn_print_at(struct buf *b, struct json_object *o, int indent)
{
	print(b, o, JSN_INDENT, indent);
}

void jsn_print_str(struct buf *b, const char *s)
{
	size_t n = strlen(s);
	if (utf8_valid(s, n)) {
		print_string(b, s, n, '\0');
		return;
	}
	struct json_object *repaired = jsn_strn(s, n);
	print_string(b, json_object_get_string(repaired),
	    (size_t)json_object_get_string_len(repaired), '\0');
	json_object_put(repaired);
}

void jsn_print_tagless(struct buf *b, const char *s, size_t n)
{
	print_string(b, s, n, '<');
}

char *jsn_text(struct arena *a, struct json_object *o, enum jsn_style style)
{
	struct buf b;
	buf_init(&b, SIZE_MAX / 2);
	jsn_print(&b, o, style);
	char *s = arena_strndup(a, b.p, b.n);
	buf_release(&b);
	return s;
}

/* -- finished texts -- */

struct json_object *jsn_printed(struct json_object *o)
{
	struct buf b;
	if (o == NULL || is_printed(o))
		return jsn_ref(o);
	buf_init(&b, INT_MAX);
	jsn_print(&b, o, JSN_SPACED);
	struct json_object *text = json_object_new_string_len(b.p, (int)b.n);
	if (b.full || text == NULL)
		abort();
	buf_release(&b);
	json_object_set_userdata(text, &printed_mark, NULL);
	return text;
}

/* For json_object_deep_copy(): 2 means that nothing is left to do for this value. */
static int copy_value(struct json_object *o, struct json_object *parent, const char *key, size_t i,
    struct json_object **copy)
{
	if (!is_printed(o))
		return json_c_shallow_copy_default(o, parent, key, i, copy);
	struct arena *work = arena_new();
	struct json_object *tree;
	if (jsn_parse(work, json_object_get_string(o), (size_t)json_object_get_string_len(o),
	    JSN_DEPTH, &tree, NULL, NULL) != OK)
		abort();   /* we printed it */
	*copy = jsn_ref(tree);
	arena_free(work);
	return 2;
}

struct json_object *jsn_copy(struct arena *a, struct json_object *o)
{
	struct json_object *copy = NULL;
	if (o != NULL && is_printed(o))
		(void)copy_value(o, NULL, NULL, 0, &copy);
	else if (o != NULL && json_object_deep_copy(o, &copy, copy_value) != 0)
		abort();   /* this fails only when memory runs out */
	return jsn_own(a, copy);
}
