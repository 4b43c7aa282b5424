/*
 * How the built-in planner comes to its plans, as JSON.
 */
#ifndef AGENTS_AVIATION_EXPLANATION_H
#define AGENTS_AVIATION_EXPLANATION_H

#include <stdbool.h>

#include "runtime/run.h"

/*
 * The plans for the newest user message of run->messages: {"plans": […]}; with `whole` also what led to them:
 * {"reading": {…}} with marks, frames and probabilities. run->app is the aviation agent's, run->state its state or
 * NULL. A fresh reference; NULL: there is no user message.
 */
struct json_object *explanation(struct run *run, bool whole);

#endif
