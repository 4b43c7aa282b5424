/*
 * Thoughts: the text that some models write before their answer, between <think> and </think>.
 * Servers that know such models send it apart from the answer; others send it as text. It is not
 * part of the answer. Pure.
 */
#ifndef SERVICES_LLM_THOUGHTS_H
#define SERVICES_LLM_THOUGHTS_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Zeroed at the beginning of a reply. */
struct thoughts {
	char held[64];        /* may still become a tag, or blanks before one */
	size_t n;
	bool inside;
	bool past;            /* the answer has begun: the rest is passed on as it is */
};

/* The next piece of a reply: the part of it that belongs to the answer is appended to `out`. Blanks
 * at the beginning are held back until other text follows. */
void thoughts_feed(struct thoughts *t, const char *text, struct buf *out);
/* The reply has ended: append what was held back, unless it is a thought or only blanks. */
void thoughts_end(struct thoughts *t, struct buf *out);

/* Where the answer begins in a whole reply; "" when it is all thought. */
const char *thoughts_skip(const char *text);

#endif
