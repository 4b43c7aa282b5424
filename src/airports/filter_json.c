/*
 * The JSON side of the rows of filter.c: what their values must be, the schema that tells this to a
 * model, and the profile that tells a reader which filters had an effect.
 */
#include "airports/filter.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"

enum { TEXT_MAX = 100 };      /* longest text a filter takes */

/* ---- checking ---------------------------------------------------------- */

bool filter_number(struct json_object *v, double *out)
{
	if (jsn_is(v, json_type_string)) {
		if (!str_to_double(json_object_get_string(v), out))
			return false;
	} else if (jsn_is(v, json_type_int) || jsn_is(v, json_type_double)) {
		*out = json_object_get_double(v);
	} else {
		return false;
	}
	return isfinite(*out);
}

__attribute__((format(printf, 2, 3)))
static void fault(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	if (b->n > 0)
		buf_puts(b, "; ");
	buf_puts(b, "filters");
	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

static void wrong_type(struct buf *b, const char *name, const char *must, struct json_object *v)
{
	fault(b, ".%s must be %s, not %s", name, must, jsn_kind(v));
}

static bool text_ok(struct json_object *v)
{
	size_t n = (size_t)json_object_get_string_len(v);

	return n <= TEXT_MAX && strlen(json_object_get_string(v)) == n;
}

static void check_trip(struct buf *b, struct json_object *v)
{
	JSN_EACH(v, it) {
		bool number = jsn_is(it.val, json_type_int) || jsn_is(it.val, json_type_double);

		if (streq(it.key, "from")) {
			if (!jsn_is(it.val, json_type_string) || !text_ok(it.val))
				wrong_type(b, "trip_distance.from", "an airport code", it.val);
		} else if (streq(it.key, "min") || streq(it.key, "max")) {
			if (it.val != NULL && !number)
				fault(b, ".trip_distance.%s must be a number, not %s", it.key,
				    jsn_kind(it.val));
		} else {
			fault(b, ".trip_distance has no member %.40s", it.key);
		}
	}
	if (!jsn_has(v, "from"))
		fault(b, ".trip_distance.from is required");
}

static void check_value(struct buf *b, const struct filter *f, struct json_object *v)
{
	double n;

	switch (f->type) {
	case FILTER_BOOL:
		if (!jsn_is(v, json_type_boolean))
			wrong_type(b, f->name, "a boolean", v);
		break;
	case FILTER_NUMBER:
		if (!filter_number(v, &n))
			wrong_type(b, f->name, "a number", v);
		break;
	case FILTER_TEXT:
		if (!jsn_is(v, json_type_string))
			wrong_type(b, f->name, "text", v);
		else if (!text_ok(v))
			fault(b, ".%s is too long or not text", f->name);
		else if (f->refuse != NULL && f->refuse(json_object_get_string(v)) != NULL)
			fault(b, ".%s must be %s", f->name, f->refuse(json_object_get_string(v)));
		break;
	case FILTER_ENUM:
		if (!jsn_is(v, json_type_string))
			wrong_type(b, f->name, "text", v);
		else if (!one_of(json_object_get_string(v), f->choices))
			fault(b, ".%s must be one of %s", f->name, f->choices);
		break;
	case FILTER_OBJECT:
		if (!jsn_is(v, json_type_object))
			wrong_type(b, f->name, "an object", v);
		else
			check_trip(b, v);
		break;
	}
}

enum errcode filter_check(struct json_object *values, struct err *e)
{
	struct buf faults;
	enum errcode rc = OK;

	if (values == NULL)
		return OK;
	if (!jsn_is(values, json_type_object))
		return err_set(e, ERR_INPUT, "filters must be an object, not %s",
		    jsn_kind(values));
	buf_init(&faults, sizeof(e->msg) - 1);
	JSN_EACH(values, it) {
		const struct filter *f = filter_find(it.key);
		if (f == NULL)
			fault(&faults, " has no member %.40s", it.key);
		else if (it.val != NULL)
			check_value(&faults, f, it.val);
	}
	if (faults.n > 0)
		rc = err_set(e, ERR_INPUT, "%s", faults.p);
	buf_release(&faults);
	return rc;
}

enum errcode filter_check_value(const struct filter *f, struct json_object *v, struct err *e)
{
	struct buf faults;
	enum errcode rc = OK;

	if (f->type == FILTER_NUMBER)
		return OK;
	buf_init(&faults, sizeof(e->msg) - 1);
	check_value(&faults, f, v);
	if (faults.n > 0)
		rc = err_set(e, ERR_INPUT, "%s", faults.p);
	buf_release(&faults);
	return rc;
}

/* ---- schema and profile ------------------------------------------------ */

static const char *const type_names[] = {
	[FILTER_BOOL] = "boolean", [FILTER_NUMBER] = "number", [FILTER_TEXT] = "string",
	[FILTER_ENUM] = "string", [FILTER_OBJECT] = "object",
};

/* "any" means "vicinity"; it is accepted, but a planner needs only one word for it. */
static struct json_object *choices_of(const char *choices)
{
	struct json_object *arr = json_object_new_array();
	struct str one;

	while (str_part(&choices, '|', &one))
		if (!str_eq(one, "any"))
			jsn_push(arr, jsn_strn(one.p, one.n));
	return arr;
}

struct json_object *filter_schema(struct arena *mem)
{
	struct json_object *schema = jsn_object(mem), *props = jsn_new();

	jsn_add_str(schema, "type", "object");
	for (size_t i = 0; i < nfilters; i++) {
		const struct filter *f = &filters[i];
		struct json_object *p;

		if (!f->offered)
			continue;
		p = jsn_new();
		jsn_add_str(p, "type", type_names[f->type]);
		if (f->choices != NULL)
			jsn_add(p, "enum", choices_of(f->choices));
		if (f->doc != NULL)
			jsn_add_str(p, "description", f->doc);
		jsn_add(props, f->name, p);
	}
	jsn_add(schema, "properties", props);
	jsn_add_bool(schema, "additionalProperties", false);
	return schema;
}

void filter_profile(struct arena *mem, struct json_object *profile, struct json_object *values)
{
	for (size_t i = 0; i < nfilters; i++) {
		const struct filter *f = &filters[i];
		struct json_object *v = jsn_get(values, f->name);

		if (!f->profiled || !jsn_truthy(v))
			continue;
		if (f->type == FILTER_BOOL)
			jsn_add_bool(profile, f->name, true);
		else if (f == filter_find("country") && jsn_is(v, json_type_string))
			jsn_add_str(profile, f->name, filter_country(mem, json_object_get_string(v)));
		else
			jsn_add(profile, f->name, jsn_ref(v));
	}
}
