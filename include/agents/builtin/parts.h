/*
 * A message in which airports are looked for and rules asked about, taken apart.
 */
#ifndef AGENTS_BUILTIN_PARTS_H
#define AGENTS_BUILTIN_PARTS_H

#include "agents/builtin/speech.h"

struct parts {
	const char *airports, *rules;         /* both NULL: it is not about both */
};

/* The clauses about airports and those about rules; what is neither goes to both. con may be
 * NULL. */
struct parts parts_of(struct arena *a, const struct lexicon *airports,
    const struct lexicon *rules, const struct rulebase *base, struct aircon *con,
    const char *text);

#endif
