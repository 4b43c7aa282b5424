/*
 * Thoughts: what some models write before their answer, between <think> and </think>.
 *
 * Servers that know such models keep it apart; others send it as text. It is no part of the
 * answer. Pure.
 */
#ifndef SERVICES_LLM_THOUGHTS_H
#define SERVICES_LLM_THOUGHTS_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Zeroed at the beginning of a reply. */
struct thoughts {
	char held[64];        /* may yet turn out to be a tag, or blanks before one */
	size_t n;
	bool inside;
	bool past;            /* the answer has begun: the rest is to be passed on as it is */
};

/* The next piece of a reply: what of it belongs to the answer is appended to `out`. Blanks
 * at the beginning wait for what follows them. */
void thoughts_feed(struct thoughts *t, const char *text, struct buf *out);
/* The reply has ended: what was held back and is no thought, if it is more than blanks. */
void thoughts_end(struct thoughts *t, struct buf *out);

/* Where the answer begins in a whole reply; "" when it is all thought. */
const char *thoughts_skip(const char *text);

#endif
