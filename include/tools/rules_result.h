/*
 * What the rules tools share: arguments, and the parts of their results.
 */
#ifndef TOOLS_RULES_RESULT_H
#define TOOLS_RULES_RESULT_H

#include "rules/general_rules.h"
#include "rules/rule_filter.h"
#include "rules/rules.h"
#include "tools/tool.h"

/* The most rules in one list of a result. */
enum { RULES_LISTED = 50, RULES_SHOWN = 20 };    /* SHOWN: the most of those found by tags */

/* Rows that several tools share. */
#define ARG_ROW_COUNTRY_CODE								\
	{ .name = "country_code", .type = ARG_STRING, .required = true,			\
	    .doc = "ISO-2 code." }
#define ARG_ROW_TAGS									\
	{ .name = "tags", .type = ARG_STRINGS,						\
	    .doc = "Topics." }

/* The rules of the turn; without a turn, those in use. They stay valid as long as the arena. NULL:
 * there are none. ctx may be NULL. */
const struct rules_snapshot *rules_of(const struct tool_context *ctx, struct arena *a);

/*
 * The code of the country that a text means: a code of the base or an ISO code in any case, or a
 * name, an adjective or an alias ("UK", "French"), as planners write them. A text that means no
 * country comes back in upper case. set may be NULL.
 */
const char *rules_country(struct arena *a, const struct rules_snapshot *set, const char *text);
/* The same of an argument; "" when absent. */
const char *rules_code(struct arena *a, const struct rules_snapshot *set, struct json_object *args,
    const char *name);

/* The argument `tags`: those that the base has, normalised and suppressed; and those that it does
 * not have, as typed, which are ignored. */
struct tags_asked {
	struct rule_tags tags;
	const char *const *unknown;
	size_t nunknown;
};
struct tags_asked rules_tags_arg(struct arena *a, const struct rules_snapshot *set,
    struct json_object *args);
/* `unknown_tags`, when there are any. */
void result_add_unknown_tags(struct json_object *result, const struct tags_asked *tags);

/* An entry of the original service's index, a fresh reference. */
struct json_object *rule_entry_json(struct arena *a, const struct rule_entry *entry);
/* `available_countries`, the codes of the countries that have rules: for a result without rules.
 * Nothing if no rules are loaded. */
void result_add_available(struct json_object *result, const struct rules_snapshot *set);
/* `general_rule`, in English. g NULL: nothing. */
void result_add_general(struct json_object *result, const struct general_rule *g);
/* `rules` and `formatted_text` of the first `max` of n entries. If there are more, the text says
 * how many, followed by `which` (" with these tags"). */
void result_add_entries(struct json_object *result, struct arena *a,
    const struct rule_entry *const *entries, size_t n, size_t max, const char *which);
/* Add the entry's `links` and `last_reviewed` to an object. */
void result_add_source(struct json_object *o, const struct rule_entry *entry);
/* `confidence` of an entry, fresh; NULL: none. */
struct json_object *rule_confidence_json(struct arena *a, const struct rule_entry *entry);
/* "a, b, c" */
const char *rule_texts_joined(struct arena *a, const char *const *texts, size_t n);
/* Texts as a JSON list, a fresh reference. */
struct json_object *rule_texts_json(const char *const *texts, size_t n);

/* For people: this country has no rules, and these have some; or: there is no rule base. */
const char *rules_none(struct arena *a, const struct rules_snapshot *set, const char *country);
/* "France (FR)", or only the code if it is not a country's. */
const char *rules_country_name(struct arena *a, const char *code);

#endif
