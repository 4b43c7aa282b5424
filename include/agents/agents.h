/*
 * The agents of this program. To add one, give it a folder here and a row in agents.c. A row of the
 * route table (edges/routes.h) that names the agent makes it reachable.
 */
#ifndef AGENTS_AGENTS_H
#define AGENTS_AGENTS_H

#include <stddef.h>

#include "runtime/agent.h"

extern const struct agent *const agents[];
extern const size_t nagents;

#endif
