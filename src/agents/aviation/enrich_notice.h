/*
 * Notice for the airports of a search.
 */
#ifndef AGENTS_AVIATION_ENRICH_NOTICE_H
#define AGENTS_AVIATION_ENRICH_NOTICE_H

#include <stdbool.h>

#include "airports/fact_source.h"
#include "base/arena.h"
#include "base/jsn.h"

/* Does a message ask about notice, alone or beside another question? */
bool notice_wanted(const char *question);
/* If it does, add to each airport of `airports` that has a notice `notification`, with `day_rule` for
 * the days that the message names; `notifications_enriched`; and a section of `pretty`. The result is
 * owned by `a`. */
void enrich_notice(struct arena *a, const struct fact_sources *sources, const char *question,
    struct json_object *result);

#endif
