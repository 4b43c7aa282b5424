/*
 * What a message means after the ones before it.
 */
#ifndef AGENTS_BUILTIN_FOLLOWUP_H
#define AGENTS_BUILTIN_FOLLOWUP_H

#include "agents/builtin/query.h"

/* Does the message lean on what was said before? */
bool query_leans(const struct query *q);

/* The last list of airports the pilot was given: "the second one" is found there. */
struct listing {
	const struct query *query;    /* what it answers */
	const char *answer;           /* the assistant's text; NULL: none yet */
	bool numbered;                /* its lines are numbered, as our lists are */
};

/* Does a text hold a list with numbered lines? */
bool listing_numbered(struct arena *a, const char *answer);

/* The meaning of `next` said after `before`, whose meaning is complete. */
struct query *query_follow(struct arena *a, struct aircon *con, const struct query *before,
    const struct query *next, const struct listing *list);

#endif
