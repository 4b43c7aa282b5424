/*
 * Answers side by side, without any measure: which countries answer what, and which of these
 * answers are not the same (contract rules.md §2.1).
 */
#ifndef TOOLS_RULES_COMPARISON_H
#define TOOLS_RULES_COMPARISON_H

#include "base/jsn.h"
#include "rules/rulebase.h"

/*
 * The contract's object for two countries. For more of them `countries`, `total_rules`,
 * `common_rules` (those all have), `only_in`, `differences`, `differences_count` and `summary`;
 * for fewer `differences` alone. Differences are in the order of their ids; past some 200
 * answers they are counted and no longer listed. Questions in any order. A fresh reference.
 */
struct json_object *rules_comparison_json(struct arena *a,
    const struct rule_question *const *questions, size_t n, const char *const *countries,
    size_t ncountries);

/* {"answer","links"} of an entry, a fresh reference. */
struct json_object *rules_answer_json(const struct rule_entry *entry);

#endif
