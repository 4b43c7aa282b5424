/*
 * Text to a tree of values. json-c accepts more than JSON even when strict; what it lets through is
 * refused here, before or after its parser has run.
 */
#include "base/jsn.h"

#include <json-c/json_tokener.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* A list or object counts as this many values: the parser makes up to 800 bytes of it, and of a
 * number about 100. */
enum { CONTAINER = 8 };

/* json-c accepts NaN and Infinity even when strict */
static bool finite_tree(struct json_object *o)
{
	switch (json_object_get_type(o)) {
	case json_type_double:
		return isfinite(json_object_get_double(o));
	case json_type_array:
		for (size_t i = 0; i < json_object_array_length(o); i++)
			if (!finite_tree(json_object_array_get_idx(o, i)))
				return false;
		return true;
	case json_type_object: {
		JSN_EACH(o, it)
			if (!finite_tree(it.val))
				return false;
		return true;
	}
	case json_type_null:
	case json_type_boolean:
	case json_type_int:
	case json_type_string:
		break;
	}
	return true;
}

static bool word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static const char *parse_why(enum json_tokener_error je)
{
	static const struct { enum json_tokener_error je; const char *why; } rows[] = {
		{ json_tokener_continue, "Unexpected end of data" },
		{ json_tokener_error_depth, "Too deeply nested" },
		{ json_tokener_error_parse_string, "Invalid control character at" },
		{ json_tokener_error_parse_object_key_name,
		    "Expecting property name enclosed in double quotes" },
		{ json_tokener_error_parse_object_key_sep, "Expecting ':' delimiter" },
		{ json_tokener_error_parse_object_value_sep, "Expecting ',' delimiter" },
		{ json_tokener_error_parse_array, "Expecting ',' delimiter" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].je == je)
			return rows[i].why;
	return "Expecting value";
}

/* The library's own check accepts overlong forms and surrogates. */
static const char *broken_utf8(const char *p, size_t n, size_t *at)
{
	if (utf8_valid(p, n))
		return NULL;
	*at = 0;
	for (size_t len; (len = utf8_len(p + *at, n - *at)) > 0; *at += len)
		;
	return "Invalid UTF-8";
}

/* Is the string that ended before p a member's name? */
static bool is_name(const char *p, size_t n)
{
	while (n > 0 && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
		p++, n--;
	return n > 0 && *p == ':';
}

size_t jsn_values(const char *p, size_t n)
{
	size_t values = 0;
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '"')
			for (i++; i < n && p[i] != '"'; i++)
				i += p[i] == '\\';
		else if (p[i] == ',')
			values++;
		else if (p[i] == '[' || p[i] == '{' || p[i] == ':')
			values += CONTAINER;
	}
	return values;
}

/* Check what the library accepts even when strict: quotes of the wrong kind, a point without digits
 * after it, raw control bytes in strings, names that it would cut at a NUL, and more values than
 * there is memory for. Returns NULL or the reason, with its offset in bytes. */
static const char *prescan(const char *p, size_t n, size_t *at)
{
	bool in_string = false;
	/* just after the last "\u0000" in this string; 0: none */
	size_t values = 0, nul = 0;
	for (size_t i = 0; i < n; i++) {
		*at = i;
		if (in_string) {
			if ((unsigned char)p[i] < 0x20)
				return "Invalid control character at";
			if (p[i] == '\\' && n - i > 6 && memcmp(p + i, "\\u0000", 6) == 0)
				nul = i + 6;
			if (p[i] == '\\')
				i++;
			else if (p[i] == '"')
				in_string = false;
			if (!in_string && nul > 0 && is_name(p + i + 1, n - i - 1)) {
				*at = nul - 6;
				return "Property name with a NUL character at";
			}
		} else if (p[i] == '"') {
			in_string = true;
			nul = 0;
		} else if (p[i] == '\'' ||
		    (p[i] == '.' && (i + 1 == n || p[i + 1] < '0' || p[i + 1] > '9'))) {
			return "Expecting value";
		} else if (p[i] == ',' || p[i] == '[' || p[i] == '{') {
			values += p[i] == ',' ? 1 : CONTAINER;
			if (values > JSN_VALUES)
				return "Too many values";
		}
	}
	return NULL;
}

static enum errcode parse(struct arena *a, const char *p, size_t n, int depth, bool utf8,
    struct json_object **out, struct jsn_fault *fault, struct err *e)
{
	struct jsn_fault spare;
	if (fault == NULL)
		fault = &spare;
	*out = NULL;
	*fault = (struct jsn_fault){ 0, "no memory for a parser" };
	struct json_tokener *tok = json_tokener_new_ex(depth);
	if (tok == NULL)
		return err_set(e, ERR_INTERNAL, "json: %s", fault->why);
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT);
	enum errcode rc = OK;
	size_t at = 0;
	const char *why = utf8 ? broken_utf8(p, n, &at) : NULL;
	if (why == NULL)
		why = prescan(p, n, &at);
	struct json_object *o = NULL;
	if (n > (size_t)INT32_MAX) {
		why = "Too long";
	} else if (why == NULL) {
		/* a value at the very end (a bare number) is complete only when the parser sees the
		 * end of the text, which is the NUL */
		o = json_tokener_parse_ex(tok, p, (int)n);
		at = json_tokener_get_parse_end(tok);
		if (json_tokener_get_error(tok) == json_tokener_continue && n > 0)
			o = json_tokener_parse_ex(tok, "", 1);
		enum json_tokener_error je = json_tokener_get_error(tok);
		if (je != json_tokener_success) {
			why = parse_why(je);
			/* the library stops inside a wrong word, but people look where the word
			 * begins */
			while (at > 0 && at <= n && word_byte(p[at - 1]))
				at--;
		} else {
			while (at < n && strchr(" \t\r\n", p[at]) != NULL && p[at] != '\0')
				at++;
			if (at < n)
				why = "Extra data";
		}
	}
	json_tokener_free(tok);
	if (why == NULL && !finite_tree(o)) {
		why = "Out of range float values are not JSON compliant";
		at = 0;
	}
	if (why != NULL) {
		json_object_put(o);
		if (at > n)
			at = n;
		fault->offset = utf8_count(p, at);
		fault->why = why;
		rc = err_set(e, ERR_INPUT, "not JSON: %s (character %zu)", why, fault->offset);
	} else {
		*out = jsn_own(a, o);
	}
	return rc;
}

enum errcode jsn_parse(struct arena *a, const char *p, size_t n, int depth,
    struct json_object **out, struct jsn_fault *fault, struct err *e)
{
	return parse(a, p, n, depth, true, out, fault, e);
}

/* The number of "\uXXXX" at p; -1: there is none. */
static long unicode_escape(const char *p, size_t n)
{
	long v = 0;
	if (n < 6 || p[0] != '\\' || p[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++) {
		int digit = hex_value(p[i]);
		if (digit < 0)
			return -1;
		v = v << 4 | digit;
	}
	return v;
}

/* The library makes U+FFFD of half a surrogate pair, although the other half may follow in the next
 * piece. So the half is written as a character of that number before the library sees it. */
static size_t keep_halves(char *p, size_t n)
{
	size_t to = 0;
	for (size_t i = 0; i < n;) {
		long unit = unicode_escape(p + i, n - i);
		size_t len = p[i] == '\\' && i + 1 < n ? 2 : 1;
		if (unit >= 0xd800 && unit <= 0xdfff) {
			long low = unit < 0xdc00 ? unicode_escape(p + i + 6, n - i - 6) : -1;
			if (low < 0xdc00 || low > 0xdfff) {
				p[to++] = (char)0xed;
				p[to++] = (char)(0x80 | (unit >> 6 & 0x3f));
				p[to++] = (char)(0x80 | (unit & 0x3f));
				i += 6;
				continue;
			}
			len = 12;
		}
		memmove(p + to, p + i, len);
		to += len;
		i += len;
	}
	return to;
}

enum errcode jsn_parse_pieces(struct arena *a, const char *p, size_t n, int depth,
    struct json_object **out, struct jsn_fault *fault, struct err *e)
{
	if (memmem(p, n, "\\ud", 3) != NULL || memmem(p, n, "\\uD", 3) != NULL) {
		char *copy = arena_strndup(a, p, n);
		n = keep_halves(copy, n);
		p = copy;
	}
	return parse(a, p, n, depth, false, out, fault, e);
}

enum errcode jsn_load(struct arena *a, const char *path, size_t max,
    struct json_object **out, struct err *e)
{
	struct buf b;
	struct jsn_fault fault;
	*out = NULL;
	buf_init(&b, max);
	enum errcode rc = buf_load(&b, path, e);
	if (rc == OK && jsn_parse(a, b.p, b.n, JSN_DEPTH, out, &fault, e) != OK) {
		size_t line = 1, seen = 0;
		for (size_t i = 0; i < b.n && seen < fault.offset; i++) {
			seen += ((unsigned char)b.p[i] & 0xc0) != 0x80;
			line += b.p[i] == '\n';
		}
		rc = err_set(e, ERR_CONFIG, "%s:%zu: not JSON: %s", path, line, fault.why);
	}
	buf_release(&b);
	return rc;
}
