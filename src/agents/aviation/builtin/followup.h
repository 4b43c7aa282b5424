/*
 * The meaning of a message after the messages before it.
 */
#ifndef AGENTS_AVIATION_BUILTIN_FOLLOWUP_H
#define AGENTS_AVIATION_BUILTIN_FOLLOWUP_H

#include "agents/aviation/builtin/query.h"

/* Does the message depend on what was said before? */
bool query_leans(const struct query *q);
/* Is it the name of one place, and nothing else? */
bool query_bare_place(const struct query *q);

enum { LISTING_CODES = 60 };

/* The last list of airports that the pilot was given: "the second one" is found in it. */
struct listing {
	const struct query *query;    /* what it answers */
	const char *answer;           /* the assistant's text; NULL: there is no list yet */
	bool numbered;                /* its lines are numbered, as our lists are */
	const char *code[LISTING_CODES];      /* of the lines "1. ", "2. ", …, without a gap */
	size_t n;
};

/* The list in `answer` (NULL: there is none), which answers `query`. Only the beginning of a long
 * answer is read. */
struct listing listing_of(const struct reader *rd, const struct query *query, const char *answer);

/* The meaning of `next` after `before`, whose meaning is complete. */
struct query *query_follow(const struct reader *rd, const struct query *before,
    const struct query *next, const struct listing *list);

#endif
