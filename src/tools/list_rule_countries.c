/*
 * list_rule_countries: which countries have rules here.
 */
#include "airports/countries.h"
#include "tools/rules_result.h"

static struct json_object *country_json(const struct rule_country *country)
{
	const struct country *known = country_by_code(country->code);
	struct json_object *o = jsn_new();

	jsn_add_str(o, "code", country->code);
	jsn_add_str(o, "name", known != NULL ? known->name : country->code);
	jsn_add_int(o, "rules", (int64_t)country->nentries);
	return o;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	const struct rules_snapshot *set = rules_of(ctx, a);
	struct json_object *o = jsn_object(a), *list = json_object_new_array();
	(void)self;
	(void)args;
	(void)e;

	jsn_add_bool(o, "found", set != NULL);
	if (set == NULL)
		jsn_add_str(o, "message", rules_none(a, NULL, ""));
	for (size_t i = 0; set != NULL && i < set->base->ncountries; i++)
		jsn_push(list, country_json(&set->base->countries[i]));
	jsn_add(o, "countries", list);
	*result = o;
	return OK;
}

const struct tool tool_list_rule_countries = {
	.name = "list_rule_countries",
	.doc = "List the countries whose rules are known here, with the number of rules of each.",
	.older = true,
	.domain = TOOL_RULES,
	.ui = TOOL_UI_RULES,
	.result = RESULT_RULES_COUNTRIES,
	.call = call,
};
