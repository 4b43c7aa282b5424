/*
 * The subject of the last message, for a router: rules, airports, or both.
 */
#ifndef AGENTS_AVIATION_BUILTIN_KIND_H
#define AGENTS_AVIATION_BUILTIN_KIND_H

#include "runtime/run.h"
#include "tools/tool.h"

enum builtin_kind { BUILTIN_RULES, BUILTIN_DATABASE, BUILTIN_BOTH };

enum { BUILTIN_COUNTRIES = 8 };

struct builtin_route {
	/* a message about neither counts as DATABASE, whose planner has the replies */
	enum builtin_kind kind;
	const char *countries[BUILTIN_COUNTRIES];     /* ISO-2, as the conversation names them */
	size_t n;
};

/* Classify the last user message of run->messages, given the conversation. Texts are in run->mem.
 * Without a message of a user the result is DATABASE. The offered tools do not matter. ctx may be
 * NULL. */
void builtin_route(struct run *run, const struct tool_context *ctx, struct builtin_route *out);

#endif
