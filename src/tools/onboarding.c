/*
 * The fields of the onboarding record, and the list of the tools for it.
 */
#include "tools/onboarding.h"

#include "base/str.h"

static const char *const names[ONBOARDING_FIELD__MAX] = {
	[FIELD_EMPLOYEE_NAME] = "employee_name",
	[FIELD_EMPLOYEE_ID] = "employee_id",
	[FIELD_STARTER_KIT] = "starter_kit",
	[FIELD_DIETARY] = "dietary_restrictions",
	[FIELD_MEETING] = "meeting_scheduled",
	[FIELD_SUMMARY] = "conversation_summary",
};

const char *const onboarding_kits[] = { "mouse", "keyboard", "backpack", NULL };

const char *onboarding_field_name(enum onboarding_field f)
{
	return names[f];
}

enum onboarding_field onboarding_field_find(const char *name)
{
	int f = 0;

	while (f < ONBOARDING_FIELD__MAX && !streq(names[f], name))
		f++;
	return (enum onboarding_field)f;
}

const char *onboarding_text(struct json_object *fields, enum onboarding_field f)
{
	return jsn_get_str(fields, names[f], NULL);
}

struct json_object *onboarding_fields(struct arena *a, struct json_object *from)
{
	struct json_object *o = jsn_object(a);

	for (int f = 0; f < ONBOARDING_FIELD__MAX; f++)
		jsn_add(o, names[f], jsn_ref(jsn_get(from, names[f])));
	return o;
}

struct json_object *onboarding_missing(struct arena *a, struct json_object *fields)
{
	struct json_object *list = jsn_array(a);

	for (int f = 0; f < ONBOARDING_REQUIRED; f++)
		if (jsn_get(fields, names[f]) == NULL)
			jsn_push(list, jsn_str(names[f]));
	return list;
}

extern const struct tool tool_read_data, tool_write_data, tool_rag_search, tool_export_data;

static const struct tool *const rows[] = {
	&tool_read_data, &tool_write_data, &tool_rag_search, &tool_export_data,
};

const struct toolset tools_onboarding = { rows, sizeof(rows) / sizeof(rows[0]) };
