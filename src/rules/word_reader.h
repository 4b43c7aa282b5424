/*
 * Reading the words of a text, one by one, for rules/terms.c.
 */
#ifndef RULES_WORD_READER_H
#define RULES_WORD_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "rules/term_kind.h"

struct term_word {
	char stem[TERM_BYTES];        /* folded, not stemmed yet */
	size_t n;
	bool title, upper, opens;     /* "Lyon", "EGTF", first of a sentence */
	bool passed_over;             /* term_passed_over(), called by the caller after stemming */
};

struct term_reader {
	const char *p;                /* what is left of the text, any bytes */
	bool opens;                   /* the next word is the first of a sentence */
};

/* The next word, folded. False: the end. A part before an apostrophe is dropped, except for a
 * negation. */
bool term_word_next(struct term_reader *r, struct term_word *w);

#endif
