/*
 * The airports of an answer, for "the second one" and the like.
 */
#ifndef AGENTS_AVIATION_BUILTIN_LISTING_H
#define AGENTS_AVIATION_BUILTIN_LISTING_H

#include "agents/aviation/builtin/query.h"

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
/* For an answer without numbered lines: the codes of airports in it, except those that the question
 * named. */
struct listing listing_of_codes(const struct reader *rd, const struct listing *list);
/* The nth airport of a list; nth < 0: the last one. NULL: the list has no such airport. */
const char *listing_nth(const struct listing *list, int nth);

#endif
