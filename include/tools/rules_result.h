/*
 * What the rules tools have in common: arguments, and the parts of their results.
 */
#ifndef TOOLS_RULES_RESULT_H
#define TOOLS_RULES_RESULT_H

#include "rules/rule_filter.h"
#include "rules/rules.h"
#include "tools/tool.h"

/* Most rules in one list of a result, whatever is asked for. */
enum { RULES_LISTED = 50, RULES_SHOWN = 20 };    /* SHOWN: of those found by tags */

/* Rows that several tools share. */
#define ARG_ROW_COUNTRY_CODE                                                             \
	{ "country_code", ARG_STRING, true, NULL,                                        \
	    "ISO-2 code of the country, such as FR or GB.", 0, 0, NULL, NULL }
#define ARG_ROW_TAGS                                                                     \
	{ "tags", ARG_STRINGS, false, NULL,                                              \
	    "Topics, from the list of available tags and no others; any of them counts. "  \
	    "Leave out when none fits.", 0, 0, NULL, NULL }

/* The rules that the turn sees; without a turn, those in use. They stay valid as long as the arena.
 * NULL when there are none. ctx may be NULL. */
const struct rules_snapshot *rules_of(const struct tool_context *ctx, struct arena *a);

/*
 * The code of the country that a text means: a code of the base or an ISO code in any case, or
 * a name, an adjective or an alias ("UK", "French"), as planners write them. What means none
 * comes back in upper case. set may be NULL.
 */
const char *rules_country(struct arena *a, const struct rules_snapshot *set, const char *text);
/* The same of an argument; "" when absent. */
const char *rules_code(struct arena *a, const struct rules_snapshot *set, struct json_object *args,
    const char *name);

/* `tags` as asked for: those that the base has, normalised and suppressed; and what it has not,
 * as typed, which is as if it were not there. */
struct tags_asked {
	struct rule_tags tags;
	const char *const *unknown;
	size_t nunknown;
};
struct tags_asked rules_tags_arg(struct arena *a, const struct rules_snapshot *set,
    struct json_object *args);
/* `unknown_tags`, when there are any. */
void result_add_unknown_tags(struct json_object *result, const struct tags_asked *tags);

/* The original service's index entry, a fresh reference. */
struct json_object *rule_entry_json(struct arena *a, const struct rule_entry *entry);
/* `rules` and `formatted_text` of the first `max` of n entries; the text says how many more there
 * are, followed by `which` (" with these tags"). */
void result_add_entries(struct json_object *result, struct arena *a,
    const struct rule_entry *const *entries, size_t n, size_t max, const char *which);
/* The entry's `links` and `last_reviewed`, added to an object. */
void result_add_source(struct json_object *o, const struct rule_entry *entry);
/* `confidence` of an entry, fresh; NULL: none. */
struct json_object *rule_confidence_json(struct arena *a, const struct rule_entry *entry);
/* Texts as a JSON list, a fresh reference. */
struct json_object *rule_texts_json(const char *const *texts, size_t n);

/* For people: no rules of this country, and which have some; or that there is no rule base. */
const char *rules_none(struct arena *a, const struct rules_snapshot *set, const char *country);
/* "France (FR)", or the code alone where it is none of a country. */
const char *rules_country_name(struct arena *a, const char *code);

#endif
