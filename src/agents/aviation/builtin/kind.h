/*
 * What the last message is about, for a router: rules, airports, or both.
 */
#ifndef AGENTS_AVIATION_BUILTIN_KIND_H
#define AGENTS_AVIATION_BUILTIN_KIND_H

#include "runtime/run.h"
#include "tools/tool.h"

enum builtin_kind { BUILTIN_RULES, BUILTIN_DATABASE, BUILTIN_BOTH };

enum { BUILTIN_COUNTRIES = 8 };

struct builtin_route {
	enum builtin_kind kind;               /* what is neither is the database's: it has the replies */
	const char *countries[BUILTIN_COUNTRIES];     /* ISO-2, as the conversation names them */
	size_t n;
};

/* Classify the last user message of run->messages, given the conversation. Texts in run->mem;
 * without a message of a user DATABASE. The tools on offer do not matter. ctx may be NULL. */
void builtin_route(struct run *run, const struct tool_context *ctx, struct builtin_route *out);

#endif
