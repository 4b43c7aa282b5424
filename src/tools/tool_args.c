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

#include "base/buf.h"
#include "base/fields.h"
#include "base/str.h"

#define TEXT_MAX 1000            /* bytes of the longest text */
#define STRINGS_MAX 64           /* elements of the longest list */
#define WORD(number) WORD_(number)
#define WORD_(number) #number

static const struct {
	const char *must;             /* "must be …" */
	enum field_type type;
	double most;                  /* bytes of a text, elements of a list; 0: the argument's own bound */
} types[] = {
	[ARG_STRING] = { "text", FIELD_TEXT, TEXT_MAX },
	[ARG_INTEGER] = { "an integer", FIELD_INTEGER, 0 },
	[ARG_NUMBER] = { "a number", FIELD_NUMBER, 0 },
	[ARG_BOOLEAN] = { "a boolean", FIELD_BOOLEAN, 0 },
	[ARG_OBJECT] = { "an object", FIELD_OBJECT, 0 },
	[ARG_STRINGS] = { "a list of texts", FIELD_LIST, STRINGS_MAX },
	[ARG_ANY] = { "anything", FIELD_ANY, 0 },
};

const struct tool_arg *tool_arg_find(const struct tool *t, const char *name)
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

/* A tool's argument as a row of base/fields; `element` is the row of a list's elements. */
static struct field row_of(const struct tool_arg *arg, struct field *element)
{
	const unsigned flags = arg->required ? FIELD_FILLED : 0;
	const double most = types[arg->type].most;

	*element = (struct field){ arg->name, FIELD_TEXT, flags, .max = TEXT_MAX,
		.choices = arg->choices };
	return (struct field){ arg->name, types[arg->type].type, flags, .min = arg->min,
		.max = most > 0 ? most : arg->max, .choices = arg->choices, .of = element };
}

/* "one of a, b, c", as many as there is room for. */
static const char *choices_of(const struct field *row, char *said, size_t size)
{
	size_t n = (size_t)snprintf(said, size, "one of");

	for (size_t i = 0; row->choices[i] != NULL && n + strlen(row->choices[i]) + 6 < size; i++)
		n += (size_t)snprintf(said + n, size - n, "%s %s", i > 0 ? "," : "", row->choices[i]);
	return said;
}

static const char *range_of(const struct field *row, char *said, size_t size)
{
	if (isinf(row->min) || isinf(row->max))
		snprintf(said, size, isinf(row->min) ? "at most %g" : "at least %g",
		    isinf(row->min) ? row->max : row->min);
	else
		snprintf(said, size, "from %g to %g", row->min, row->max);
	return said;
}

struct arg_faults {
	struct buf *text;
	const struct tool_arg *arg;
	bool type;               /* it, or an element of it, is of another type; that is told once */
};

static void told(void *p, enum field_fault kind, const struct field *row,
    const struct field_place *at, struct json_object *v)
{
	static const char *const words[FAULT__MAX] = {
		[FAULT_LONG] = "is longer than " WORD(TEXT_MAX) " bytes",
		[FAULT_NUL] = "must not contain a NUL character",
		[FAULT_BLANK] = "must not be empty",
		[FAULT_FRACTION] = "must be an integer, not a fraction",
		[FAULT_FEW] = "has too few elements",
		[FAULT_MANY] = "has more than " WORD(STRINGS_MAX) " elements",
	};
	struct arg_faults *f = p;
	char said[200];

	if (kind == FAULT_RANGE)
		fault(f->text, "%s must be %s", row->name, range_of(row, said, sizeof(said)));
	else if (kind == FAULT_CHOICE)
		fault(f->text, "%s must be %s", row->name, choices_of(row, said, sizeof(said)));
	else if (kind != FAULT_TYPE)
		fault(f->text, "%s %s", row->name, words[kind]);
	else if (!f->type)
		fault(f->text, "%s must be %s, not %s%s", row->name, types[f->arg->type].must,
		    at->name == NULL ? "of " : "", jsn_kind(v));
	f->type |= kind == FAULT_TYPE;
}

static void check_arg(struct buf *b, const struct tool_arg *arg, struct json_object *v)
{
	const struct field_place at = { NULL, arg->name, 0 };
	struct arg_faults faults = { b, arg, false };
	struct field element;
	const struct field row = row_of(arg, &element);
	struct err why;

	field_check(&row, v, &at, told, &faults);
	if (!faults.type && arg->check != NULL && arg->check(v, &why) != OK)
		fault(b, "%s", why.msg);
}

static void check_unknown(struct buf *b, const struct tool *t, struct json_object *args)
{
	JSN_EACH(args, it)
		if (tool_arg_find(t, it.key) == NULL)
			fault(b, "no argument is called %.*s", (int)utf8_cut(it.key, strlen(it.key), 40),
			    it.key);
}

enum errcode tool_args_check(const struct tool *t, struct json_object *args, bool unknown_too,
    struct err *e)
{
	struct buf faults;
	enum errcode rc = OK;

	if (args != NULL && !jsn_is(args, json_type_object))
		return err_set(e, ERR_INPUT, "arguments must be an object, not %s", jsn_kind(args));
	buf_init(&faults, sizeof(e->msg) - 64);
	for (size_t i = 0; i < t->nargs; i++) {
		struct json_object *v = jsn_get(args, t->args[i].name);
		/* Models fill unused arguments with null. */
		if (v != NULL)
			check_arg(&faults, &t->args[i], v);
		else if (t->args[i].required && !(t->args[i].nullable && jsn_has(args, t->args[i].name)))
			fault(&faults, "%s is required", t->args[i].name);
	}
	if (unknown_too && !t->more_args)
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
