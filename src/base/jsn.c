/*
 * json-c behind checks. Reading looks at the type before the value, because the library converts
 * silently ("12abc" reads as 12) and may write into the tree while reading. Printing is in
 * jsn_print.c.
 */
#include "base/jsn.h"

#include <json-c/json_tokener.h>
#include <json-c/linkhash.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* Slots of a new object. json-c begins with 16, of 40 bytes each, and doubles them for an airport.
 * Most objects have fewer than five members, and a turn has many objects that live as long as the
 * turn. */
enum { FEW_MEMBERS = 6 };

/* A list or object counts as this many values: the parser makes up to 800 bytes of it, and of a
 * number about 100. */
enum { CONTAINER = 8 };

/* -- parsing -- */

static void put_root(void *p)
{
	json_object_put(p);
}

struct json_object *jsn_own(struct arena *a, struct json_object *o)
{
	if (o != NULL)
		arena_defer(a, put_root, o);
	return o;
}

struct json_object *jsn_ref(struct json_object *o)
{
	return json_object_get(o);
}

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

struct json_object *jsn_new(void)
{
	struct json_object *o = json_object_new_object();
	if (o == NULL || lh_table_resize(json_object_get_object(o), FEW_MEMBERS) != 0)
		abort();
	return o;
}

struct json_object *jsn_object(struct arena *a)
{
	return jsn_own(a, jsn_new());
}

struct json_object *jsn_array(struct arena *a)
{
	return jsn_own(a, json_object_new_array());
}

/* -- reading -- */

bool jsn_is(struct json_object *o, enum json_type t)
{
	return json_object_get_type(o) == t;
}

const char *jsn_kind(struct json_object *o)
{
	switch (json_object_get_type(o)) {
	case json_type_null:
		return "null";
	case json_type_boolean:
		return "a boolean";
	case json_type_double:
	case json_type_int:
		return "a number";
	case json_type_object:
		return "an object";
	case json_type_array:
		return "a list";
	case json_type_string:
		return "text";
	}
	return "unknown";
}

bool jsn_has(struct json_object *o, const char *key)
{
	return jsn_is(o, json_type_object) && json_object_object_get_ex(o, key, NULL);
}

struct json_object *jsn_get(struct json_object *o, const char *key)
{
	struct json_object *v = NULL;
	if (jsn_is(o, json_type_object))
		json_object_object_get_ex(o, key, &v);
	return v;
}

const char *jsn_get_str(struct json_object *o, const char *key, const char *def)
{
	struct json_object *v = jsn_get(o, key);
	return jsn_is(v, json_type_string) ? json_object_get_string(v) : def;
}

bool jsn_get_bool(struct json_object *o, const char *key, bool def)
{
	struct json_object *v = jsn_get(o, key);
	return jsn_is(v, json_type_boolean) ? json_object_get_boolean(v) : def;
}

double jsn_get_num(struct json_object *o, const char *key, double def)
{
	struct json_object *v = jsn_get(o, key);
	if (jsn_is(v, json_type_int))
		return (double)json_object_get_int64(v);
	return jsn_is(v, json_type_double) ? json_object_get_double(v) : def;
}

int64_t jsn_get_int(struct json_object *o, const char *key, int64_t def)
{
	struct json_object *v = jsn_get(o, key);
	return jsn_is(v, json_type_int) ? json_object_get_int64(v) : def;
}

size_t jsn_len(struct json_object *o)
{
	if (jsn_is(o, json_type_array))
		return json_object_array_length(o);
	if (jsn_is(o, json_type_object))
		return (size_t)json_object_object_length(o);
	return 0;
}

struct json_object *jsn_at(struct json_object *o, size_t i)
{
	return jsn_is(o, json_type_array) ? json_object_array_get_idx(o, i) : NULL;
}

bool jsn_truthy(struct json_object *o)
{
	switch (json_object_get_type(o)) {
	case json_type_null:
		return false;
	case json_type_boolean:
		return json_object_get_boolean(o);
	case json_type_int:
		return json_object_get_int64(o) != 0;
	case json_type_double:
		return json_object_get_double(o) != 0.0;
	case json_type_string:
		return json_object_get_string_len(o) > 0;
	case json_type_array:
	case json_type_object:
		return jsn_len(o) > 0;
	}
	return false;
}

struct jsn_iter jsn_iter(struct json_object *o)
{
	struct jsn_iter it = { .any = jsn_is(o, json_type_object) };
	if (it.any) {
		it.at = json_object_iter_begin(o);
		it.end = json_object_iter_end(o);
	}
	return it;
}

bool jsn_next(struct jsn_iter *it)
{
	if (!it->any || json_object_iter_equal(&it->at, &it->end))
		return false;
	it->key = json_object_iter_peek_name(&it->at);
	it->val = json_object_iter_peek_value(&it->at);
	json_object_iter_next(&it->at);
	return true;
}

/* -- building -- */

void jsn_add(struct json_object *o, const char *key, struct json_object *v)
{
	if (json_object_object_add(o, key, v) != 0)
		abort();
}

void jsn_push(struct json_object *arr, struct json_object *v)
{
	if (json_object_array_add(arr, v) != 0)
		abort();
}

struct json_object *jsn_strn(const char *s, size_t n)
{
	if (utf8_valid(s, n))
		return json_object_new_string_len(s, (int)n);
	struct buf b;
	buf_init(&b, 3 * n + 1);
	for (size_t i = 0; i < n;) {
		size_t len = utf8_len(s + i, n - i);
		if (len == 0)
			buf_puts(&b, "\xef\xbf\xbd");
		else
			buf_put(&b, s + i, len);
		i += len == 0 ? 1 : len;
	}
	struct json_object *o = json_object_new_string_len(b.p, (int)b.n);
	buf_release(&b);
	return o;
}

struct json_object *jsn_str(const char *s)
{
	return s == NULL ? NULL : jsn_strn(s, strlen(s));
}

struct json_object *jsn_num(double v)
{
	if (!isfinite(v))
		return NULL;
	if (v == trunc(v) && fabs(v) < 9e15)
		return json_object_new_int64((int64_t)v);
	return json_object_new_double(v);
}

void jsn_add_str(struct json_object *o, const char *key, const char *s)
{
	jsn_add(o, key, jsn_str(s));
}

void jsn_add_int(struct json_object *o, const char *key, int64_t v)
{
	jsn_add(o, key, json_object_new_int64(v));
}

void jsn_add_num(struct json_object *o, const char *key, double v)
{
	jsn_add(o, key, jsn_num(v));
}

void jsn_add_bool(struct json_object *o, const char *key, bool v)
{
	jsn_add(o, key, json_object_new_boolean(v));
}
