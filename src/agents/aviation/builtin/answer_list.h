/*
 * The airports of an answer, taken from its text: for a client that sends its history again, and for answers that a
 * model wrote.
 */
#ifndef AGENTS_AVIATION_BUILTIN_ANSWER_LIST_H
#define AGENTS_AVIATION_BUILTIN_ANSWER_LIST_H

#include "agents/aviation/builtin/talk.h"
#include "airports/airdb.h"

/* Our own lists have numbered lines with a code in brackets. In another answer, codes of airports that the database
 * knows are the list (con NULL: they are not looked for). An answer without either leaves the list as it is. */
void answer_list_hear(struct talk *t, struct aircon *con, const char *answer);

#endif
