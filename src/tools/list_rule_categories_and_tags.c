/*
 * list_rule_categories_and_tags: the categories and tags of the rules, with the number of questions
 * in each.
 */
#include "base/str.h"
#include "tools/rules_result.h"

static bool in_category(const struct rule_question *q, const char *name)
{
	return streq(q->category, name);
}

static struct json_object *counts(const struct rulebase *b, const char *const *names, size_t n,
    bool (*has)(const struct rule_question *, const char *))
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < n; i++) {
		struct json_object *o = jsn_new();
		int64_t count = 0;

		for (size_t k = 0; k < b->nquestions; k++)
			count += has(&b->questions[k], names[i]);
		jsn_add_str(o, "name", names[i]);
		jsn_add_int(o, "count", count);
		jsn_push(list, o);
	}
	return list;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	const struct rules_snapshot *set = rules_of(ctx, a);
	struct json_object *o = jsn_object(a);
	static const struct rulebase empty = { .nquestions = 0 };
	const struct rulebase *b = set != NULL ? set->base : &empty;
	(void)self;
	(void)args;
	(void)e;

	jsn_add_bool(o, "found", set != NULL);
	if (set == NULL)
		jsn_add_str(o, "message", rules_none(a, NULL, ""));
	jsn_add(o, "categories", counts(b, b->categories, b->ncategories, in_category));
	jsn_add(o, "tags", counts(b, b->tags, b->ntags, rule_has_tag));
	*result = o;
	return OK;
}

const struct tool tool_list_rule_categories_and_tags = {
	.name = "list_rule_categories_and_tags",
	.doc = "List the categories and tags of the country rules with the number of questions of "
	    "each.",
	.older = true,
	.domain = TOOL_RULES,
	.ui = TOOL_UI_RULES,
	.result = RESULT_RULES_SUBJECTS,
	.call = call,
};
