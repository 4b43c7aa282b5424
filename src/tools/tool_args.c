/*
 * What follows from a tool's argument rows: its schema, and the check of arguments.
 *
 * A planner may be a language model, so its arguments are as hostile as a request. All faults of a
 * plan are reported at once: a model that is told only the first one comes back with the second.
 */
#include "tools/tool_args.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "airports/filter.h"
#include "base/buf.h"
#include "base/str.h"

enum { TEXT_MAX = 1000, STRINGS_MAX = 64 };   /* longest text, longest list */

/* ---- schema ---------------------------------------------------------------- */

static const struct {
	const char *json, *must;      /* JSON Schema's word; "must be …" */
} types[] = {
	[ARG_STRING] = { "string", "text" },
	[ARG_INTEGER] = { "integer", "an integer" },
	[ARG_NUMBER] = { "number", "a number" },
	[ARG_BOOLEAN] = { "boolean", "a boolean" },
	[ARG_OBJECT] = { "object", "an object" },
	[ARG_STRINGS] = { "array", "a list of texts" },
};

static struct json_object *arg_schema(struct arena *a, const struct tool_arg *arg)
{
	struct json_object *o = jsn_new(), *def = NULL;

	jsn_add_str(o, "type", types[arg->type].json);
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
	struct json_object *schema = jsn_object(a), *props = jsn_new();
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

/* ---- validation -------------------------------------------------------------- */

static const struct tool_arg *arg_find(const struct tool *t, const char *name)
{
	for (size_t i = 0; i < t->nargs; i++)
		if (streq(t->args[i].name, name))
			return &t->args[i];
	return NULL;
}

__attribute__((format(printf, 2, 3)))
static void fault(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	if (b->n > 0)
		buf_puts(b, "; ");
	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

static void check_text(struct buf *b, const struct tool_arg *arg, struct json_object *v)
{
	const char *text = json_object_get_string(v);
	size_t n = (size_t)json_object_get_string_len(v);

	if (n > TEXT_MAX)
		fault(b, "%s is longer than %d bytes", arg->name, TEXT_MAX);
	else if (strlen(text) != n)
		fault(b, "%s must not contain a NUL character", arg->name);
	else if (arg->required && str_trim(str_of(text)).n == 0)
		fault(b, "%s must not be empty", arg->name);
}

static void check_number(struct buf *b, const struct tool_arg *arg, struct json_object *v)
{
	double n = json_object_get_double(v);

	if (arg->type == ARG_INTEGER && n != floor(n))
		fault(b, "%s must be an integer, not a fraction", arg->name);
	else if ((arg->min != 0 || arg->max != 0) && !(n >= arg->min && n <= arg->max))
		fault(b, "%s must be from %g to %g", arg->name, arg->min, arg->max);
}

static void check_strings(struct buf *b, const struct tool_arg *arg, struct json_object *v)
{
	size_t n = jsn_len(v);

	if (n > STRINGS_MAX)
		fault(b, "%s has more than %d elements", arg->name, STRINGS_MAX);
	for (size_t i = 0; i < n && i < STRINGS_MAX; i++) {
		struct json_object *at = jsn_at(v, i);
		if (!jsn_is(at, json_type_string)) {
			fault(b, "%s must be a list of texts, not of %s", arg->name,
			    filter_kind(at));
			break;
		}
		check_text(b, arg, at);
	}
}

static bool type_ok(enum arg_type type, struct json_object *v)
{
	switch (type) {
	case ARG_STRING:
		return jsn_is(v, json_type_string);
	case ARG_INTEGER:
	case ARG_NUMBER:
		return jsn_is(v, json_type_int) || jsn_is(v, json_type_double);
	case ARG_BOOLEAN:
		return jsn_is(v, json_type_boolean);
	case ARG_OBJECT:
		return jsn_is(v, json_type_object);
	case ARG_STRINGS:
		return jsn_is(v, json_type_array);
	}
	return false;
}

static void check_arg(struct buf *b, const struct tool_arg *arg, struct json_object *v)
{
	struct err why;

	if (!type_ok(arg->type, v)) {
		fault(b, "%s must be %s, not %s", arg->name, types[arg->type].must,
		    filter_kind(v));
		return;
	}
	switch (arg->type) {
	case ARG_STRING:
		check_text(b, arg, v);
		break;
	case ARG_INTEGER:
	case ARG_NUMBER:
		check_number(b, arg, v);
		break;
	case ARG_STRINGS:
		check_strings(b, arg, v);
		break;
	case ARG_BOOLEAN:
	case ARG_OBJECT:
		break;
	}
	if (arg->check != NULL && arg->check(v, &why) != OK)
		fault(b, "%s", why.msg);
}

static void check_unknown(struct buf *b, const struct tool *t, struct json_object *args)
{
	JSN_EACH(args, it)
		if (arg_find(t, it.key) == NULL)
			fault(b, "no argument is called %.*s", (int)utf8_cut(it.key, strlen(it.key), 40),
			    it.key);
}

enum errcode tool_args_check(const struct tool *t, struct json_object *args, bool unknown_too,
    struct err *e)
{
	struct buf faults;
	enum errcode rc = OK;

	if (args != NULL && !jsn_is(args, json_type_object))
		return err_set(e, ERR_INPUT, "arguments must be an object, not %s", filter_kind(args));
	buf_init(&faults, sizeof(e->msg) - 64);
	for (size_t i = 0; i < t->nargs; i++) {
		struct json_object *v = jsn_get(args, t->args[i].name);
		/* Models fill unused arguments with null. */
		if (v != NULL)
			check_arg(&faults, &t->args[i], v);
		else if (t->args[i].required)
			fault(&faults, "%s is required", t->args[i].name);
	}
	if (unknown_too)
		check_unknown(&faults, t, args);
	if (faults.n > 0)
		rc = err_set(e, ERR_INPUT, "%s", faults.p);
	buf_release(&faults);
	return rc;
}

enum errcode tool_check(const struct tool *t, struct json_object *args, struct err *e)
{
	struct err why;

	if (tool_args_check(t, args, true, &why) == OK)
		return OK;
	return err_set(e, ERR_INPUT, "%s: %s", t->name, why.msg);
}
