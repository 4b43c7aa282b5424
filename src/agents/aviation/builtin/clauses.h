/*
 * Messages taken apart: those that look for airports and ask about rules, and those with a question
 * about rules inside a long story.
 */
#ifndef AGENTS_AVIATION_BUILTIN_CLAUSES_H
#define AGENTS_AVIATION_BUILTIN_CLAUSES_H

#include "agents/aviation/builtin/rules_reading.h"

enum clause_about { CLAUSE_OTHER, CLAUSE_AIRPORTS, CLAUSE_RULES };

/* Read a clause: does it plainly look for airports, or ask about rules? */
enum clause_about clause_read(const struct reader *rd, const char *clause, struct query **query,
    struct rules_reading **rules);
/* Is it an introduction to a question: "I'm flying to …"? */
bool clause_introduces(const struct rules_reading *s);
/* Does a new clause begin at token i, or a sentence end there? */
bool clause_opens(const struct lexed *x, size_t i);
bool clause_ends(const struct lexed *x, size_t i);

struct clauses {
	const char *airports, *rules;         /* both NULL: the message is not about both */
};

/* The clauses about airports and those about rules. A clause about neither goes to both. */
struct clauses clauses_of(const struct reader *rd, const char *text);

/* For a message that is too long to be a question: the sentences that ask about rules, with the
 * sentence that names the country if they name none. NULL: the message is short, asks nothing about
 * rules, or looks for airports as well. The middle of a very long message is not read. */
const char *clauses_question(const struct reader *rd, const char *text);

#endif
