/*
 * What the results of the onboarding tools have in common.
 */
#include "tools/onboarding_result.h"

#include <string.h>

#include "base/str.h"

enum { SHOWN_BYTES = 200 };

struct json_object *onboarding_names(int n)
{
	struct json_object *list = json_object_new_array();

	for (int f = 0; f < n; f++)
		jsn_push(list, jsn_str(onboarding_field_name((enum onboarding_field)f)));
	return list;
}

size_t onboarding_shown(const char *text)
{
	return utf8_cut(text, strlen(text), SHOWN_BYTES);
}

enum errcode onboarding_no_record(struct err *e)
{
	return err_set(e, ERR_TOOL, "there is no onboarding record here");
}
