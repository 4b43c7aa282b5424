/*
 * json-c behind checks. Reading looks at the type before the value, because the library converts
 * silently ("12abc" reads as 12) and may write into the tree while reading. Parsing is in
 * jsn_parse.c, printing in jsn_print.c.
 */
#include "base/jsn.h"

#include <json-c/linkhash.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/* Slots of a new object. json-c begins with 16, of 40 bytes each, and doubles them for an airport.
 * Most objects have fewer than five members, and a turn has many objects that live as long as the
 * turn. */
enum { FEW_MEMBERS = 6 };

/* -- ownership -- */

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
