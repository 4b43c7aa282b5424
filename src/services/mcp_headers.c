/*
 * Arguments that a server wants to see in the headers too: properties of its schema with
 * "x-mcp-header". A proxy can then route by them. A mark that breaks the rules makes the tool
 * unusable, because the server would refuse every call.
 */
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "services/mcp_client_own.h"

#define MARK "x-mcp-header"

enum { MARKS_MAX = 32, DEPTH = 16, NAME_BYTES = 64 };

/* A mark, and where its argument is. */
struct mark {
	const char *name;
	const char *path[DEPTH];
	int depth;
};

struct marks {
	struct mark list[MARKS_MAX];
	size_t n;
	const char *fault;            /* NULL: all are good */
};

static bool token(const char *s)
{
	const size_t n = strspn(s, "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
	return n > 0 && n <= NAME_BYTES && s[n] == '\0';
}

static bool known(const struct marks *m, const char *name)
{
	for (size_t i = 0; i < m->n; i++)
		if (strcasecmp(m->list[i].name, name) == 0)
			return true;
	return false;
}

static void add_mark(struct marks *m, struct json_object *property, const struct mark *at)
{
	const char *name = jsn_get_str(property, MARK, "");

	if (!one_of(jsn_get_str(property, "type", ""), "string|integer|boolean"))
		m->fault = "is at an argument that is no text, integer or boolean";
	else if (!token(name))
		m->fault = "is no name of a header";
	else if (known(m, name))
		m->fault = "stands twice";
	else if (m->n == MARKS_MAX)
		m->fault = "stands too often";
	else {
		m->list[m->n] = *at;
		m->list[m->n++].name = name;
	}
}

/* Any mark below here is at a place that cannot be reached. */
static bool marked(struct json_object *o, int depth)
{
	if (depth > DEPTH)
		return false;
	for (size_t i = 0; jsn_is(o, json_type_array) && i < jsn_len(o); i++)
		if (marked(jsn_at(o, i), depth + 1))
			return true;
	JSN_EACH(o, it)
		if (streq(it.key, MARK) || marked(it.val, depth + 1))
			return true;
	return false;
}

static void find_marks(struct marks *m, struct json_object *schema, const struct mark *at)
{
	JSN_EACH(schema, it)
		if (!streq(it.key, "properties") && !streq(it.key, MARK) && !streq(it.key, "default") &&
		    !streq(it.key, "enum") && !streq(it.key, "const") && !streq(it.key, "examples") &&
		    marked(it.val, 0))
			m->fault = "is at a place that cannot be reached by names alone";
	JSN_EACH(jsn_get(schema, "properties"), it) {
		struct mark inside = *at;
		if (inside.depth == DEPTH)
			return;
		inside.path[inside.depth++] = it.key;
		if (jsn_has(it.val, MARK))
			add_mark(m, it.val, &inside);
		find_marks(m, it.val, &inside);
	}
}

enum errcode mcp_headers_check(struct json_object *schema, struct err *e)
{
	struct marks m = { .n = 0 };

	find_marks(&m, schema, &(struct mark){ .depth = 0 });
	if (jsn_has(schema, MARK))
		m.fault = "is at the schema itself";
	return m.fault == NULL ? OK : err_set(e, ERR_UPSTREAM, "its " MARK " %s", m.fault);
}

static const char *value_of(struct arena *a, struct json_object *v)
{
	if (jsn_is(v, json_type_string))
		return mcp_header_write(a, json_object_get_string(v), (size_t)json_object_get_string_len(v));
	if (jsn_is(v, json_type_int) || jsn_is(v, json_type_boolean))
		return jsn_text(a, v, JSN_PLAIN);
	if (jsn_is(v, json_type_double)) {
		const char *text = jsn_text(a, v, JSN_PLAIN);
		return strpbrk(text, ".eE") == NULL ? text : NULL;
	}
	return NULL;
}

const char *const *mcp_headers_of(struct arena *a, struct json_object *schema, struct json_object *args)
{
	struct marks m = { .n = 0 };
	const char **out = arena_array(a, MARKS_MAX + 1, sizeof(*out));
	size_t n = 0;

	find_marks(&m, schema, &(struct mark){ .depth = 0 });
	for (size_t i = 0; i < m.n; i++) {
		struct json_object *v = args;
		for (int k = 0; k < m.list[i].depth; k++)
			v = jsn_get(v, m.list[i].path[k]);
		const char *text = v != NULL ? value_of(a, v) : NULL;
		if (text != NULL)
			out[n++] = arena_printf(a, MCP_HEADER_PARAM "%s: %s", m.list[i].name, text);
	}
	return out;
}
