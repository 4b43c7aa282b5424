#include "base/fields.h"

#include <math.h>
#include <string.h>

#include "base/str.h"

struct field_check {
	field_told_fn *told;
	void *arg;
};

static void tell(const struct field_check *c, enum field_fault fault, const struct field *row,
    const struct field_place *at, struct json_object *v)
{
	c->told(c->arg, fault, row, at, v);
}

static bool is_choice(const struct field *row, const char *text)
{
	const char *const *c = row->choices;

	while (c != NULL && *c != NULL && !streq(*c, text))
		c++;
	return c == NULL || *c != NULL;
}

static void check_text(const struct field_check *c, const struct field *row,
    const struct field_place *at, struct json_object *v)
{
	const char *text = json_object_get_string(v);
	size_t n = (size_t)json_object_get_string_len(v);
	bool id = (row->flags & FIELD_ID) != 0;

	if (!id && row->max > 0 && (double)n > row->max)
		tell(c, FAULT_LONG, row, at, v);
	else if (strlen(text) != n)          /* C would read "user\0x" as "user" */
		tell(c, FAULT_NUL, row, at, v);
	else if ((row->flags & FIELD_FILLED) && str_trim(str_of(text)).n == 0)
		tell(c, FAULT_BLANK, row, at, v);
	else if (!is_choice(row, text))
		tell(c, FAULT_CHOICE, row, at, v);
	else if (id && n > 0 && !id_valid(text, (size_t)row->max))
		tell(c, FAULT_ID, row, at, v);
}

static void check_number(const struct field_check *c, const struct field *row,
    const struct field_place *at, struct json_object *v)
{
	double x = json_object_get_double(v);

	if (row->type == FIELD_INTEGER && x != floor(x))
		tell(c, FAULT_FRACTION, row, at, v);
	else if ((row->min != 0 || row->max != 0) && !(x >= row->min && x <= row->max))
		tell(c, FAULT_RANGE, row, at, v);
}

static void check_list(const struct field_check *c, const struct field *row,
    const struct field_place *at, struct json_object *v)
{
	size_t n = jsn_len(v), most = row->max > 0 ? (size_t)row->max : n, from = 0;

	if ((double)n < row->min)
		tell(c, FAULT_FEW, row, at, v);
	if (n > most && (row->flags & FIELD_NEWEST))
		from = n - most;
	else if (n > most)
		tell(c, FAULT_MANY, row, at, v);
	for (size_t i = from; i < n && i - from < most; i++) {
		const struct field_place place = { at, NULL, i };
		field_check(row->of, jsn_at(v, i), &place, c->told, c->arg);
	}
}

static bool type_fits(enum field_type type, struct json_object *v)
{
	switch (type) {
	case FIELD_TEXT:
		return jsn_is(v, json_type_string);
	case FIELD_INTEGER:
	case FIELD_NUMBER:
		return jsn_is(v, json_type_int) || jsn_is(v, json_type_double);
	case FIELD_BOOLEAN:
		return jsn_is(v, json_type_boolean);
	case FIELD_OBJECT:
		return jsn_is(v, json_type_object);
	case FIELD_LIST:
		return jsn_is(v, json_type_array);
	case FIELD_ANY:
		return true;
	}
	return false;
}

void field_check(const struct field *row, struct json_object *v, const struct field_place *at,
    field_told_fn *told, void *arg)
{
	const struct field_check c = { told, arg };

	if (!type_fits(row->type, v)) {
		tell(&c, FAULT_TYPE, row, at, v);
		return;
	}
	switch (row->type) {
	case FIELD_TEXT:
		check_text(&c, row, at, v);
		break;
	case FIELD_INTEGER:
	case FIELD_NUMBER:
		check_number(&c, row, at, v);
		break;
	case FIELD_LIST:
		check_list(&c, row, at, v);
		break;
	case FIELD_OBJECT:
		fields_check(row->of, row->nof, v, at, told, arg);
		break;
	case FIELD_BOOLEAN:
	case FIELD_ANY:
		break;
	}
}

void fields_check(const struct field *rows, size_t n, struct json_object *o,
    const struct field_place *at, field_told_fn *told, void *arg)
{
	for (size_t i = 0; i < n; i++) {
		const struct field_place place = { at, rows[i].name, 0 };
		struct json_object *v = jsn_get(o, rows[i].name);
		bool there = v != NULL ||
		    (!(rows[i].flags & FIELD_NULLABLE) && jsn_has(o, rows[i].name));

		if (there)
			field_check(&rows[i], v, &place, told, arg);
		else if (rows[i].flags & FIELD_REQUIRED)
			told(arg, FAULT_MISSING, &rows[i], &place, o);
		else if (rows[i].type == FIELD_LIST && rows[i].min > 0)
			told(arg, FAULT_FEW, &rows[i], &place, NULL);
	}
}
