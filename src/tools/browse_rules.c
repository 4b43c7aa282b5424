/*
 * browse_rules: a country's rules page by page.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "rules/rule_html.h"
#include "tools/rules_result.h"

/* how many tags a message names */
enum { LIMIT = 10, OFFSET_MAX = 1000000000, UNKNOWN_CHARS = 200 };

/* The part of the list to show; a planner may give any numbers. */
struct page {
	size_t offset, limit, total;
	const struct rule_entry *const *entries;     /* size of the page */
	size_t n;
};

static size_t clamp(double v, double low, double high)
{
	return (size_t)fmax(low, fmin(high, v));
}

static int by_text(const void *pa, const void *pb)
{
	return strcmp(*(const char *const *)pa, *(const char *const *)pb);
}

static struct json_object *categories_of(struct arena *a, const struct page *p)
{
	const char **list = arena_array(a, p->n + 1, sizeof(*list));
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		list[i] = p->entries[i]->question->category;
	qsort(list, p->n, sizeof(*list), by_text);
	for (size_t i = 0; i < p->n; i++)
		if (n == 0 || !streq(list[n - 1], list[i]))
			list[n++] = list[i];
	return rule_texts_json(list, n);
}

static struct json_object *result_of(struct arena *a, const char *country, const struct page *p)
{
	struct json_object *o = jsn_object(a), *rules = json_object_new_array();
	bool more = p->offset + p->limit < p->total;

	for (size_t i = 0; i < p->n; i++)
		jsn_push(rules, rule_entry_json(a, p->entries[i]));
	jsn_add_bool(o, "found", true);
	jsn_add_str(o, "country_code", country);
	jsn_add_int(o, "total", (int64_t)p->total);
	jsn_add_int(o, "offset", (int64_t)p->offset);
	jsn_add_int(o, "limit", (int64_t)p->limit);
	jsn_add_int(o, "count", (int64_t)p->n);
	jsn_add_bool(o, "has_more", more);
	jsn_add(o, "rules", rules);
	jsn_add_str(o, "formatted_text", p->n > 0 ? rules_display(a, p->entries, p->n, true)
	    : arena_printf(a, "This page begins after the last rule. Rules in all: %zu",
	    p->total));
	jsn_add(o, "categories", categories_of(a, p));
	jsn_add(o, "next_offset", more ? jsn_num((double)(p->offset + p->limit)) : NULL);
	return o;
}

/* Tags were asked for and none of them exists: that leaves no rule, and does not mean all rules. */
static bool only_unknown(const struct tags_asked *tags)
{
	return tags->nunknown > 0 && tags->tags.n == 0;
}

static const char *message_of(struct arena *a, const struct rules_snapshot *set, const char *country,
    const struct tags_asked *tags)
{
	if (set == NULL || rulebase_country(set->base, country) == NULL)
		return rules_none(a, set, country);
	if (!only_unknown(tags))
		return arena_printf(a, "No rule of %s has these tags.",
		    rules_country_name(a, country));
	return arena_printf(a, "Unknown tags: %s. Available tags: %s",
	    rule_clip(a, rule_texts_joined(a, tags->unknown, tags->nunknown), UNKNOWN_CHARS),
	    rule_texts_joined(a, set->base->tags, set->base->ntags));
}

static struct json_object *nothing(struct arena *a, const struct rules_snapshot *set,
    const char *country, const struct tags_asked *tags)
{
	struct json_object *o = jsn_object(a);

	jsn_add_bool(o, "found", false);
	jsn_add_str(o, "country_code", country);
	jsn_add_int(o, "total", 0);
	jsn_add_str(o, "message", message_of(a, set, country, tags));
	result_add_available(o, set);
	return o;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	const struct rules_snapshot *set = rules_of(ctx, a);
	const char *country = rules_code(a, set, args, "country_code");
	struct page p = {
		.offset = clamp(jsn_get_num(args, "offset", 0), 0, OFFSET_MAX),
		.limit = clamp(jsn_get_num(args, "limit", LIMIT), 1, RULES_LISTED),
	};
	struct tags_asked tags = { .nunknown = 0 };
	struct rule_filter filter = { .category = NULL };
	(void)self;
	(void)e;

	if (set != NULL) {
		tags = rules_tags_arg(a, set, args);
		filter.tags = tags.tags;
		if (!only_unknown(&tags))
			p.entries = rules_for_country(set->base, a, country, &filter, &p.total);
	}
	if (p.offset < p.total) {
		p.entries += p.offset;
		p.n = p.total - p.offset < p.limit ? p.total - p.offset : p.limit;
	}
	*result = p.total > 0 ? result_of(a, country, &p) : nothing(a, set, country, &tags);
	result_add_unknown_tags(*result, &tags);
	return OK;
}

static const struct tool_arg rows[] = {
	ARG_ROW_COUNTRY_CODE,
	ARG_ROW_TAGS,
	{ .name = "offset", .type = ARG_INTEGER, .def = "0",
	    .doc = "next_offset of the page before." },
	{ .name = "limit", .type = ARG_INTEGER, .def = "10",
	    .doc = "How many, 1 to 50." },
};

const struct tool tool_browse_rules = {
	.name = "browse_rules",
	.doc = "Lists the rules of one country page by page, all of them or those with certain tags.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.domain = TOOL_RULES,
	.ui = TOOL_UI_RULES,
	.result = RESULT_RULES_PAGE,
	.call = call,
};
