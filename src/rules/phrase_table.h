/*
 * The table of phrases: finds the row of rules/synonyms.h, the plain word or the country for a
 * sequence of words. Only for rules/terms.c. Made once a process, at the first call of
 * phrase_table(); read-only from then on, so that threads may share it.
 */
#ifndef RULES_PHRASE_TABLE_H
#define RULES_PHRASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "airports/countries.h"
#include "rules/synonyms.h"

/* Make the table if it does not exist; call this before any other function of this header. */
void phrase_table(void);

/* A sequence of words, added one by one, each stemmed. */
struct term_phrase {
	uint32_t joined, spaced;      /* hashes of the words written together, and with blanks */
	size_t letters;
};
#define TERM_PHRASE_START ((struct term_phrase){ 0x811c9dc5U, 0x811c9dc5U, 0 })
void term_phrase_put(struct term_phrase *p, const char *stem, size_t n);

/* The meaning of a phrase; both NULL: plain words. */
struct term_meaning {
	const struct synonym_row *row;
	const struct country *country;
};
/* False: it is no row, no plain word and no country. */
bool term_phrase_means(const struct term_phrase *p, struct term_meaning *m);

/* The row of a phrase that is written as in the rows; NULL: there is none. */
const struct synonym_row *synonym_row_named(const char *phrase);

/* Stem a word in place; the new length. */
size_t term_stem(char *word, size_t n);

/* Articles, pronouns and auxiliaries, which are allowed inside a phrase. */
bool term_passed_over(const char *stem, size_t n);

/* Replace a misspelt word with the word of the rows that it most likely means. False: it stays.
 * `word` has room for TERM_BYTES. */
bool term_guess(char *word, size_t *n);

#endif
