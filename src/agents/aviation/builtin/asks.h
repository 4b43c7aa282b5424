/*
 * Takes a message that asks about several things apart into messages that ask about one each.
 *
 * "Airports with customs near Lyon and near Geneva" becomes two messages, which are planned as if
 * the pilot had sent one after the other. A message is taken apart only if no single look-up can
 * answer it: two places, two routes, or two countries with different questions about their rules. A
 * search for airports and a question about rules stay together, because one may name the place of
 * the other (clauses.h).
 */
#ifndef AGENTS_AVIATION_BUILTIN_ASKS_H
#define AGENTS_AVIATION_BUILTIN_ASKS_H

#include "agents/aviation/builtin/clauses.h"
#include "agents/aviation/plan.h"
#include "rules/rules.h"

struct ask {
	const char *text;
	bool airports, rules;         /* it looks for airports, asks about rules, or may do so */
};
struct asks {
	struct ask ask[LOOKUPS_MAX];
	/* at least one; if there is only one, its text is the whole message */
	size_t n;
};

/* set NULL: no rules are loaded. Asks after the third stay with the third. */
struct asks asks_of(const struct reader *rd, const struct rules_snapshot *set, const char *text);

#endif
