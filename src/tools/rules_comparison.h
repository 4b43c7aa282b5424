/*
 * Answers side by side, without measuring their distance: which countries answer a question, and
 * which of these answers are not the same.
 */
#ifndef TOOLS_RULES_COMPARISON_H
#define TOOLS_RULES_COMPARISON_H

#include "base/jsn.h"
#include "rules/rulebase.h"

/*
 * The original service's object for two countries. For more countries it has `countries`,
 * `total_rules`, `common_rules` (those that all have), `only_in`, `differences`,
 * `differences_count` and `summary`; for fewer only `differences`. Questions may be in any order. A
 * fresh reference.
 *
 * `differences` has, in the order of their ids, those objects of `shown` (the list of the result
 * around it) whose answers are not the same. These are the same objects with one more reference
 * each, because a turn keeps its result until the answer is written. `differences_count` counts all
 * of them.
 */
struct json_object *rules_comparison_json(struct arena *a,
    const struct rule_question *const *questions, size_t n, const char *const *countries,
    size_t ncountries, struct json_object *shown);

#endif
