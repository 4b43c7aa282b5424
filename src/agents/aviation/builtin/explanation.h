/*
 * How the planner came to its plans, as JSON.
 */
#ifndef AGENTS_AVIATION_BUILTIN_EXPLANATION_H
#define AGENTS_AVIATION_BUILTIN_EXPLANATION_H

#include "agents/aviation/builtin/understanding.h"

/* Fresh references. */
struct json_object *explanation_plans(struct arena *a, const struct plans *plans);
struct json_object *explanation_reading(struct arena *a, const struct understanding *u);

#endif
