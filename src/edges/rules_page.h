/*
 * All rules of a country as JSON: {"country", "total_rules", "categories": [{"name", "count", "rules"}]}.
 */
#ifndef EDGES_RULES_PAGE_H
#define EDGES_RULES_PAGE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "rules/rules.h"

/* Append it. The code in any case; set NULL: no rules are loaded. Returns how many rules there are; a country
 * that is not known has none. */
size_t rules_page_print(struct buf *b, struct arena *a, const struct rules_snapshot *set, const char *code);

#endif
