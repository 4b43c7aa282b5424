/*
 * Argument rows as a JSON schema, and rows from one.
 *
 * A row keeps a schema that came from elsewhere as text: a tree of json-c may not be shared by
 * threads, and a turn's schema is read by one alone.
 */
#include <math.h>
#include <string.h>

#include "base/jsn.h"
#include "base/str.h"
#include "tools/tool.h"

static const char *const type_names[] = {
	[ARG_STRING] = "string", [ARG_INTEGER] = "integer", [ARG_NUMBER] = "number",
	[ARG_BOOLEAN] = "boolean", [ARG_OBJECT] = "object", [ARG_STRINGS] = "array",
};
enum { NTYPES = sizeof(type_names) / sizeof(type_names[0]) };

/* ---- rows as a schema ------------------------------------------------------------ */

static struct json_object *arg_schema(struct arena *a, const struct tool_arg *arg)
{
	struct json_object *o = NULL, *def = NULL;

	if (arg->json != NULL
	    && jsn_parse(a, arg->json, strlen(arg->json), JSN_DEPTH, &o, NULL, NULL) == OK)
		return jsn_ref(o);
	o = jsn_new();
	jsn_add_str(o, "type", type_names[arg->type]);
	jsn_add_str(o, "description", arg->doc);
	if (arg->type == ARG_STRINGS) {
		struct json_object *items = jsn_new();
		jsn_add_str(items, "type", "string");
		jsn_add(o, "items", items);
	}
	if (arg->schema != NULL)
		JSN_EACH(arg->schema(a), it)
			if (!jsn_has(o, it.key))
				jsn_add(o, it.key, jsn_ref(it.val));
	if (arg->def != NULL
	    && jsn_parse(a, arg->def, strlen(arg->def), JSN_DEPTH, &def, NULL, NULL) == OK)
		jsn_add(o, "default", jsn_ref(def));
	return o;
}

struct json_object *tool_schema(struct arena *a, const struct tool *t)
{
	struct json_object *schema = NULL, *props;

	if (t->schema != NULL && jsn_parse(a, t->schema, strlen(t->schema), JSN_DEPTH, &schema, NULL, NULL) == OK)
		return schema;
	schema = jsn_object(a);
	props = jsn_new();
	struct json_object *required = json_object_new_array();

	for (size_t i = 0; i < t->nargs; i++) {
		jsn_add(props, t->args[i].name, arg_schema(a, &t->args[i]));
		if (t->args[i].required)
			jsn_push(required, jsn_str(t->args[i].name));
	}
	jsn_add_str(schema, "type", "object");
	jsn_add(schema, "properties", props);
	jsn_add(schema, "required", required);
	return schema;
}

/* ---- rows from a schema ---------------------------------------------------------- */

/* Lists of anything but text, and what has no one type, are not looked into. */
static enum arg_type type_of(struct json_object *o)
{
	const char *name = jsn_get_str(o, "type", "");
	int i = 0;

	while (i < NTYPES && strcmp(type_names[i], name) != 0)
		i++;
	if (i == NTYPES)
		return ARG_ANY;
	if (i == ARG_STRINGS && !streq(jsn_get_str(jsn_get(o, "items"), "type", ""), "string"))
		return ARG_ANY;
	return (enum arg_type)i;
}

/* The texts of `enum`; NULL: there is none, or it has more than texts. */
static const char *const *choices_of(struct arena *a, struct json_object *o)
{
	struct json_object *list = jsn_get(o, "enum");
	size_t n = jsn_is(list, json_type_array) ? jsn_len(list) : 0;
	const char **out = arena_array(a, n + 1, sizeof(*out));

	for (size_t i = 0; i < n; i++) {
		if (!jsn_is(jsn_at(list, i), json_type_string))
			return NULL;
		out[i] = arena_strdup(a, json_object_get_string(jsn_at(list, i)));
	}
	return n > 0 ? out : NULL;
}

static enum errcode read_row(struct tool_arg *row, struct arena *a, const char *tool,
    const char *name, struct json_object *o, struct err *e)
{
	const char *json = jsn_text(a, o, JSN_PLAIN);

	if (!jsn_is(o, json_type_object))
		return err_set(e, ERR_CONFIG, "%s: the schema of %.40s must be an object, not %s", tool,
		    name, jsn_kind(o));
	if (*name == '\0' || strlen(name) + strlen(json) > TOOL_ARG_BYTES)
		return err_set(e, ERR_CONFIG, "%s: the schema of \"%.40s\" %s", tool, name,
		    *name == '\0' ? "has no name" : "is too large");
	*row = (struct tool_arg){ .name = arena_strdup(a, name), .type = type_of(o), .json = json,
		.doc = arena_strdup(a, jsn_get_str(o, "description", "")) };
	if (jsn_has(o, "minimum") || jsn_has(o, "maximum")) {
		row->min = jsn_get_num(o, "minimum", -INFINITY);
		row->max = jsn_get_num(o, "maximum", INFINITY);
	}
	if (row->type == ARG_STRING)
		row->choices = choices_of(a, o);
	return OK;
}

static enum errcode read_required(struct tool_arg *rows, size_t n, const char *tool,
    struct json_object *list, struct err *e)
{
	for (size_t i = 0; jsn_is(list, json_type_array) && i < jsn_len(list); i++) {
		struct json_object *name = jsn_at(list, i);
		size_t k = 0;

		while (k < n && !(jsn_is(name, json_type_string) &&
		    streq(rows[k].name, json_object_get_string(name))))
			k++;
		if (k == n)
			return err_set(e, ERR_CONFIG, "%s: the schema requires an argument that it does not "
			    "describe", tool);
		rows[k].required = true;
	}
	return OK;
}

/* The schema as it came, with the two members that readers of a tool's schema rely on. */
static const char *whole_text(struct arena *a, struct json_object *schema)
{
	struct json_object *o = jsn_object(a);

	JSN_EACH(schema, it)
		jsn_add(o, it.key, jsn_ref(it.val));
	jsn_add_str(o, "type", "object");
	if (jsn_get(o, "properties") == NULL)
		jsn_add(o, "properties", jsn_new());
	if (!jsn_is(jsn_get(o, "required"), json_type_array))
		jsn_add(o, "required", json_object_new_array());
	return jsn_text(a, o, JSN_PLAIN);
}

/* By the rules of JSON Schema an object may have members that no property describes. A model that
 * invents one should be told. So others are allowed only if the schema says so, or describes none. */
static bool takes_more(struct json_object *schema, size_t properties)
{
	struct json_object *more = jsn_get(schema, "additionalProperties");

	if (more == NULL)
		return properties == 0 && jsn_get(schema, "$ref") == NULL;
	return !jsn_is(more, json_type_boolean) || json_object_get_boolean(more);
}

enum errcode tool_args_read(struct tool *t, struct arena *a, struct json_object *schema,
    struct err *e)
{
	struct json_object *properties = jsn_get(schema, "properties");
	struct tool_arg *rows = arena_array(a, TOOL_ARGS_MAX, sizeof(*rows));
	enum errcode rc = OK;
	size_t n = 0;

	if (!jsn_is(schema, json_type_object) || !streq(jsn_get_str(schema, "type", "object"), "object")
	    || (properties != NULL && !jsn_is(properties, json_type_object)))
		return err_set(e, ERR_CONFIG, "%s: its schema must be that of an object with properties",
		    t->name);
	if (properties != NULL && jsn_len(properties) > TOOL_ARGS_MAX)
		return err_set(e, ERR_CONFIG, "%s: its schema has more than %d arguments", t->name,
		    TOOL_ARGS_MAX);
	JSN_EACH(properties, it)
		if (rc == OK)
			rc = read_row(&rows[n++], a, t->name, it.key, it.val, e);
	if (rc == OK)
		rc = read_required(rows, n, t->name, jsn_get(schema, "required"), e);
	if (rc != OK)
		return rc;
	t->args = rows;
	t->nargs = n;
	t->schema = whole_text(a, schema);
	t->more_args = takes_more(schema, n);
	return OK;
}
