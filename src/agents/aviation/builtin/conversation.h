/*
 * The conversation as the built-in planner understands it: its turns, each read for airports and for
 * rules, and what the last message means after those before it. Turns are read backwards until
 * the last complete question is found or the effort (effort.h) is used up.
 */
#ifndef AGENTS_AVIATION_BUILTIN_CONVERSATION_H
#define AGENTS_AVIATION_BUILTIN_CONVERSATION_H

#include "agents/aviation/builtin/rules_request.h"
#include "runtime/run.h"
#include "tools/tool.h"

enum { CONVERSATION_TURNS = 100 };       /* at most; the effort usually ends earlier */

struct turn {
	/* the pilot's message, or one part of it if it asks about several things */
	const char *text;
	const char *answer;           /* the assistant's before it, or NULL */
	struct query *query;          /* what it says about airports; NULL: not read yet */
	struct rules_reading *rules_reading;        /* … and about rules */
	enum about about;
	bool apart;                   /* the message has been taken apart (asks.h) */
	size_t later;                 /* this many turns after it are parts of the same message */
	bool no_rules;                /* this part is known to ask nothing about rules */
	bool both;                    /* airports are looked for and rules asked about */
	bool leans;                   /* goes on with the search before it */
	bool judged;                  /* `rules` is known */
	struct rules_request *rules;        /* what it asks of the rules; NULL: nothing */
	const struct country_list *countries;  /* of the airports it looks for; NULL: not known yet */
};

struct conversation {
	struct reader rd;
	const struct rules_snapshot *set;    /* NULL: no rules are loaded */
	const struct wording *wording;       /* in the language of the turn */
	/* only tools about rules are offered: read it as a question about rules */
	bool rules_only;
	struct turn *turn;            /* newest first */
	size_t n;                     /* decreases when the effort is used up */
};

/* Collect the turns; everything is borrowed. n is 0 if no message is from a user. `with` gives the
 * memory, the database and the effort. */
void conversation_open(struct conversation *c, const struct reader *with,
    const struct rules_snapshot *set, const struct run *run);

/* How many turns the newest message became; the newest turn is its last part. For the others use
 * conversation_until(), which gives a copy of the conversation that ends with them. */
size_t conversation_parts(struct conversation *c);
/* The conversation up to the turn that has `later` turns after it. */
struct conversation conversation_until(const struct conversation *c, size_t later);

/* The question about rules of the newest turn; NULL: it has none. */
struct rules_request *conversation_rules(struct conversation *c);
/* The meaning of the newest message otherwise. If it asks about rules, query.rules holds that
 * question. For a message about both it is the part about airports. */
struct query *conversation_query(struct conversation *c);
/* The countries that a query names, or in which its airports and places are. */
struct country_list conversation_countries(struct conversation *c, const struct query *q);

#endif
