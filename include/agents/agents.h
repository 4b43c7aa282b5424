/*
 * The agents of this program. To add one, write its folder here and its row in agents.c; a row of the
 * route table (edges/routes.c) that names it serves it.
 */
#ifndef AGENTS_AGENTS_H
#define AGENTS_AGENTS_H

#include <stddef.h>

#include "runtime/agent.h"

extern const struct agent *const agents[];
extern const size_t nagents;

#endif
