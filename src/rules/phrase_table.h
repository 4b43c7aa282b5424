/*
 * The table of phrases: which row of rules/synonyms.h, plain word or country a run of words is.
 * For rules/terms.c. Made once a process, at the first call of phrase_table(); read-only from then
 * on, so that threads may share it.
 */
#ifndef RULES_PHRASE_TABLE_H
#define RULES_PHRASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "airports/countries.h"
#include "rules/synonyms.h"

/* Make the table if it is not there; before any other function of this header. */
void phrase_table(void);

/* A run of words, added one by one, each stemmed. */
struct term_phrase {
	uint32_t joined, spaced;      /* hashes of the words written together, and with blanks */
	size_t letters;
};
#define TERM_PHRASE_START ((struct term_phrase){ 0x811c9dc5U, 0x811c9dc5U, 0 })
void term_phrase_put(struct term_phrase *p, const char *stem, size_t n);

/* What a phrase is; both NULL: plain words. */
struct term_meaning {
	const struct synonym_row *row;
	const struct country *country;
};
/* False: no row, no plain word, no country. */
bool term_phrase_means(const struct term_phrase *p, struct term_meaning *m);

/* The row that has a phrase, as it is written in the rows; NULL: none. */
const struct synonym_row *synonym_row_named(const char *phrase);

/* Stem a word in place; the new length. */
size_t term_stem(char *word, size_t n);

/* Articles, pronouns and auxiliaries, which may stand within a phrase. */
bool term_passed_over(const char *stem, size_t n);

/* The word of the rows that a misspelt one most likely is, in its place; false: it stays. `word`
 * has room for TERM_BYTES. */
bool term_guess(char *word, size_t *n);

#endif
