/*
 * Messages taken apart: those in which airports are looked for and rules asked about, and those in
 * which a question about rules stands in a long story.
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

/* Of a message too long to be a question: the sentences that ask about rules, with the one that names
 * the country when they name none. NULL: it is short, asks nothing about rules, or looks for
 * airports as well. The middle of a very long one is not read. */
const char *parts_question(struct arena *a, const struct lexicon *airports,
    const struct lexicon *rules, const struct rulebase *base, const char *text);

#endif
