/*
 * Reading the words of a text, one by one.
 */
#ifndef LANGUAGE_WORD_READER_H
#define LANGUAGE_WORD_READER_H

#include <stdbool.h>
#include <stddef.h>

enum { TERM_BYTES = 32 };             /* longest word, NUL included */

struct term_word {
	char stem[TERM_BYTES];        /* folded, not stemmed yet */
	size_t n;
	bool title, upper, opens;     /* "Lyon", "EGTF", first of a sentence */
	bool passed_over;             /* for the caller: not part of a term */
};

struct term_reader {
	const char *p;                /* what is left of the text, any bytes */
	bool opens;                   /* the next word is the first of a sentence */
};

/* The next word, folded. False: the end. A part before an apostrophe is dropped, except for a
 * negation. */
bool term_word_next(struct term_reader *r, struct term_word *w);

#endif
