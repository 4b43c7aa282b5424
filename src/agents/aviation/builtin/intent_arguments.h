/*
 * The arguments of a tool, from the meaning of a message. Each function serves the intents of intents.c
 * that name it. con may be NULL; then names are used as they were typed.
 */
#ifndef AGENTS_AVIATION_BUILTIN_INTENT_ARGUMENTS_H
#define AGENTS_AVIATION_BUILTIN_INTENT_ARGUMENTS_H

#include "agents/aviation/builtin/query.h"
#include "tools/tool.h"

typedef void fill_fn(struct arena *a, struct aircon *con, const struct query *q, const struct tool *tool,
    struct json_object *args);

fill_fn fill_route, fill_near, fill_country, fill_counted, fill_lookup, fill_codes, fill_details,
    fill_notify, fill_answer, fill_browse, fill_compare;

#endif
