/*
 * What a JSON object from outside may hold: a row a member, and one check for all rows.
 *
 *	static const struct field rows[] = {
 *		{ "name", FIELD_TEXT, FIELD_REQUIRED | FIELD_FILLED, .max = 100 },
 *		{ "limit", FIELD_INTEGER, FIELD_NULLABLE, .min = 1, .max = 500 },
 *	};
 *	fields_check(rows, 2, object, NULL, told, arg);
 *
 * The check only finds faults. The caller words them in its own dialect, or passes over one; all
 * faults are told, in the order of the rows.
 */
#ifndef BASE_FIELDS_H
#define BASE_FIELDS_H

#include <stddef.h>

#include "base/jsn.h"

enum field_type { FIELD_TEXT, FIELD_INTEGER, FIELD_NUMBER, FIELD_BOOLEAN, FIELD_OBJECT, FIELD_LIST,
	FIELD_ANY };

enum {
	FIELD_REQUIRED = 1,    /* it must be there */
	FIELD_NULLABLE = 2,    /* null counts as absent */
	FIELD_FILLED = 4,      /* a text must hold more than blanks */
	FIELD_ID = 8,          /* a text must pass id_valid() with `max`; an empty one counts as absent */
	FIELD_NEWEST = 16,     /* a list may be longer than `max`: only its last `max` elements are checked */
};

struct field {
	const char *name;
	enum field_type type;
	unsigned flags;
	double min, max;       /* of a number; of elements of a list; max: bytes of a text. Both 0: any */
	const char *const *choices;   /* the texts that are accepted, up to NULL; NULL: any */
	const struct field *of;   /* an object's rows; the one row that all elements of a list are like */
	size_t nof;
};

enum field_fault {
	FAULT_MISSING,         /* the value is the object that lacks it */
	FAULT_TYPE,            /* also a value that is none of the choices because it is no text */
	FAULT_LONG, FAULT_NUL, FAULT_BLANK, FAULT_ID, FAULT_CHOICE,
	FAULT_FRACTION, FAULT_RANGE,
	FAULT_FEW, FAULT_MANY,
	FAULT__MAX
};

/* Where a value stands: a member of what is at `up`, or with name NULL an element of it. */
struct field_place {
	const struct field_place *up;      /* NULL: the whole text */
	const char *name;
	size_t index;
};

typedef void field_told_fn(void *arg, enum field_fault fault, const struct field *row,
    const struct field_place *at, struct json_object *value);

/* Check the members of `o`, an object that stands at `at` (NULL: it is the whole text), and all that
 * they hold. Members without a row are left alone. */
void fields_check(const struct field *rows, size_t n, struct json_object *o,
    const struct field_place *at, field_told_fn *told, void *arg);
/* Check one value against its row. */
void field_check(const struct field *row, struct json_object *v, const struct field_place *at,
    field_told_fn *told, void *arg);

#endif
