/*
 * The record of a new employee: its fields, and the tools that read, write and export it.
 *
 * These tools are rows like all others, but not in the table of tools.def: they work on the record of a
 * conversation (struct tool_record), which only the onboarding agent has.
 */
#ifndef TOOLS_ONBOARDING_H
#define TOOLS_ONBOARDING_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/tool.h"

enum onboarding_field {
	FIELD_EMPLOYEE_NAME, FIELD_EMPLOYEE_ID, FIELD_STARTER_KIT, FIELD_DIETARY, FIELD_MEETING,
	FIELD_SUMMARY,                /* only an export writes it */
	ONBOARDING_FIELD__MAX
};

enum { ONBOARDING_WRITABLE = FIELD_SUMMARY, ONBOARDING_REQUIRED = FIELD_DIETARY };

/* "employee_name", … and whether an export needs it. The required fields are the first ones. */
const char *onboarding_field_name(enum onboarding_field f);
/* ONBOARDING_FIELD__MAX: no field has this name. */
enum onboarding_field onboarding_field_find(const char *name);
/* The value of a text field; NULL: it is not filled. */
const char *onboarding_text(struct json_object *fields, enum onboarding_field f);

/* The six fields in their order, null where `from` does not have them; `from` may be NULL. */
struct json_object *onboarding_fields(struct arena *a, struct json_object *from);
/* The names of the required fields that are not filled, as a list. */
struct json_object *onboarding_missing(struct arena *a, struct json_object *fields);

/* Kits that an employee can choose, up to NULL. */
extern const char *const onboarding_kits[];

/* The rows, in the order in which a model sees them. */
extern const struct toolset tools_onboarding;

#endif
