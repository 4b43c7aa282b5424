/*
 * list_rules_for_country: a country's rules, by category, tags and words in them.
 */
#include "base/str.h"
#include "tools/rules_result.h"

static struct json_object *result_of(struct arena *a, const char *country,
    const struct rule_entry *const *entries, size_t total)
{
	struct json_object *o = jsn_object(a);

	jsn_add_bool(o, "found", true);
	jsn_add_str(o, "country_code", country);
	jsn_add_int(o, "count", (int64_t)(total < RULES_LISTED ? total : RULES_LISTED));
	jsn_add_int(o, "total", (int64_t)total);
	result_add_entries(o, a, entries, total, RULES_LISTED, "");
	return o;
}

static struct json_object *nothing(struct arena *a, const struct rules_snapshot *set,
    const char *country)
{
	struct json_object *o = jsn_object(a);

	jsn_add_bool(o, "found", false);
	jsn_add_str(o, "country_code", country);
	jsn_add_int(o, "count", 0);
	jsn_add_str(o, "message", set == NULL || rulebase_country(set->base, country) == NULL
	    ? rules_none(a, set, country)
	    : arena_printf(a, "No rule of %s fits.", rules_country_name(a, country)));
	result_add_available(o, set);
	return o;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	const struct rules_snapshot *set = rules_of(ctx, a);
	const char *country = rules_code(a, set, args, "country_code");
	struct tags_asked tags = { .nunknown = 0 };
	struct rule_filter filter = {
		.category = jsn_get_str(args, "category", NULL),
		.search = jsn_get_str(args, "search_term", NULL),
	};
	const struct rule_entry *const *entries = NULL;
	size_t n = 0;
	(void)self;
	(void)e;

	if (set != NULL) {
		tags = rules_tags_arg(a, set, args);
		filter.tags = tags.tags;
		entries = rules_for_country(set->base, a, country, &filter, &n);
	}
	*result = n > 0 ? result_of(a, country, entries, n) : nothing(a, set, country);
	result_add_unknown_tags(*result, &tags);
	return OK;
}

static const struct tool_arg rows[] = {
	ARG_ROW_COUNTRY_CODE,
	{ .name = "category", .type = ARG_STRING, .doc = "Part of a category's name, e.g. VFR." },
	ARG_ROW_TAGS,
	{ .name = "search_term", .type = ARG_STRING,
	    .doc = "Text that the question or its answer must hold." },
};

const struct tool tool_list_rules_for_country = {
	.name = "list_rules_for_country",
	.doc = "List the rules of one country that fit a category, tags and a word. For a question "
	    "use answer_rules_question.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.older = true,
	.domain = TOOL_RULES,
	.ui = TOOL_UI_RULES,
	.result = RESULT_RULES_LIST,
	.call = call,
};
