/*
 * The conversation as the built-in planner understands it: the newest turns, each read for airports
 * and for rules, and what the last message means after those before it.
 */
#ifndef AGENTS_BUILTIN_CONVERSATION_H
#define AGENTS_BUILTIN_CONVERSATION_H

#include "agents/builtin/ruling.h"
#include "runtime/run.h"
#include "tools/tool.h"

enum { CONVERSATION_TURNS = 12 };

struct turn {
	const char *text;             /* the pilot's */
	const char *answer;           /* the assistant's before it, or NULL */
	struct query *query;          /* what it says about airports; NULL: not read yet */
	struct speech *speech;        /* … and about rules */
	enum about about;
	bool both;                    /* airports are looked for and rules asked about */
	bool judged;                  /* `ruling` is known */
	struct ruling *ruling;        /* what it asks of the rules; NULL: nothing */
};

struct conversation {
	struct arena *mem;
	struct aircon *con;           /* NULL: no airport database at hand */
	const struct ruleset *set;    /* NULL: no rules are loaded */
	bool rules_only;              /* only tools about rules are on offer: so is the message */
	const struct lexicon *airports, *rules;
	struct turn turn[CONVERSATION_TURNS];         /* newest first */
	size_t n;
};

/* Collect the turns; everything else is borrowed. n 0: there is no message from a user. */
void conversation_open(struct conversation *c, struct arena *a, struct aircon *con,
    const struct ruleset *set, const struct run *run);

/* What the newest message asks of the rules; NULL: nothing. */
struct ruling *conversation_ruling(struct conversation *c);
/* What it means otherwise, with the ruling in its place (query.ruling) where it asks of them.
 * Of a message about both it is the airports. */
struct query *conversation_query(struct conversation *c);
/* Countries that a query names, or that its airports and places are in. */
struct nations conversation_nations(struct conversation *c, const struct query *q);

#endif
