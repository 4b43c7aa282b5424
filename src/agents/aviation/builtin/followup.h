/*
 * The meaning of a message after the messages before it.
 */
#ifndef AGENTS_AVIATION_BUILTIN_FOLLOWUP_H
#define AGENTS_AVIATION_BUILTIN_FOLLOWUP_H

#include "agents/aviation/builtin/listing.h"
#include "agents/aviation/builtin/query.h"

/* Does the message depend on what was said before? */
bool query_leans(const struct query *q);
/* Is it the name of one place, and nothing else? */
bool query_bare_place(const struct query *q);

/* The meaning of `next` after `before`, whose meaning is complete. */
struct query *query_follow(const struct reader *rd, const struct query *before,
    const struct query *next, const struct listing *list);

#endif
