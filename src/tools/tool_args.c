/*
 * The check of arguments against a tool's rows.
 *
 * A planner may be a language model, so its arguments are as hostile as a request. All faults of a
 * plan are reported at once: a model that is told only the first one comes back with the second.
 */
#include "tools/tool_args.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "airports/filter.h"
#include "base/buf.h"
#include "base/str.h"

enum { TEXT_MAX = 1000, STRINGS_MAX = 64 };   /* longest text, longest list */

static const char *const must[] = {
	[ARG_STRING] = "text", [ARG_INTEGER] = "an integer", [ARG_NUMBER] = "a number",
	[ARG_BOOLEAN] = "a boolean", [ARG_OBJECT] = "an object", [ARG_STRINGS] = "a list of texts",
	[ARG_ANY] = "anything",
};

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

static bool is_choice(const struct tool_arg *arg, const char *text)
{
	const char *const *c = arg->choices;

	while (c != NULL && *c != NULL && strcmp(*c, text) != 0)
		c++;
	return c == NULL || *c != NULL;
}

/* "one of a, b, c", as many as there is room for. */
static const char *choices_of(const struct tool_arg *arg, char *said, size_t size)
{
	size_t n = (size_t)snprintf(said, size, "one of");

	for (size_t i = 0; arg->choices[i] != NULL && n + strlen(arg->choices[i]) + 6 < size; i++)
		n += (size_t)snprintf(said + n, size - n, "%s %s", i > 0 ? "," : "", arg->choices[i]);
	return said;
}

static void check_text(struct buf *b, const struct tool_arg *arg, struct json_object *v)
{
	const char *text = json_object_get_string(v);
	size_t n = (size_t)json_object_get_string_len(v);
	char said[200];

	if (n > TEXT_MAX)
		fault(b, "%s is longer than %d bytes", arg->name, TEXT_MAX);
	else if (strlen(text) != n)
		fault(b, "%s must not contain a NUL character", arg->name);
	else if (arg->required && str_trim(str_of(text)).n == 0)
		fault(b, "%s must not be empty", arg->name);
	else if (!is_choice(arg, text))
		fault(b, "%s must be %s", arg->name, choices_of(arg, said, sizeof(said)));
}

static void check_number(struct buf *b, const struct tool_arg *arg, struct json_object *v)
{
	double n = json_object_get_double(v);

	if (arg->type == ARG_INTEGER && n != floor(n))
		fault(b, "%s must be an integer, not a fraction", arg->name);
	else if ((arg->min == 0 && arg->max == 0) || (n >= arg->min && n <= arg->max))
		return;
	else if (isinf(arg->min) || isinf(arg->max))
		fault(b, "%s must be %s %g", arg->name, isinf(arg->min) ? "at most" : "at least",
		    isinf(arg->min) ? arg->max : arg->min);
	else
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
	case ARG_ANY:
		return true;
	}
	return false;
}

static void check_arg(struct buf *b, const struct tool_arg *arg, struct json_object *v)
{
	struct err why;

	if (!type_ok(arg->type, v)) {
		fault(b, "%s must be %s, not %s", arg->name, must[arg->type],
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
	case ARG_ANY:
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
