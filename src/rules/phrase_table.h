/*
 * The table of phrases: finds the row, the plain word or the country for a sequence of words. Only for
 * rules/terms.c, and for rules/terms_read.c, which fills it. It is made once a process and read-only
 * from then on, so that threads may share it.
 */
#ifndef RULES_PHRASE_TABLE_H
#define RULES_PHRASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "airports/countries.h"
#include "base/arena.h"
#include "rules/terms.h"

enum {
	PHRASE_SLOTS = 16384,        /* a power of two */
	PHRASES_MAX = PHRASE_SLOTS / 4 * 3,
	GUESS_SLOTS = 4096,
	GUESSES_MAX = GUESS_SLOTS / 4 * 3,
};

/* What a phrase of pilots says. */
struct synonym_row {
	enum term_kind kind;
	const char *says;             /* concepts, separated by blanks; "": nothing */
	const char *hints;            /* concepts near to it, likewise */
	size_t line;                  /* of the file */
	bool must;                    /* one of the concepts it says is in a "must" or "subject" row */
};

struct stems {
	const char **stem;
	size_t n;
};

struct callsign {
	const char *stem;
	const struct synonym_row *row;
};

/* Words that have a part in the grammar of a question. */
enum term_grammar {
	GRAMMAR_INSIDE,               /* allowed inside a phrase: articles, pronouns, auxiliaries */
	GRAMMAR_ABROAD,               /* make the country after them the origin or the destination of a flight */
	GRAMMAR_WITHIN,               /* tell where something happens, before a country or a class of airspace */
	GRAMMAR_TOWARDS,              /* after a country make it the origin of a flight */
	GRAMMAR_OR,                   /* join the letters of classes of airspace */
	GRAMMAR_CLASS,                /* the word before such a letter; the concepts of classes begin with it */
	GRAMMAR_LETTER,               /* these letters */
	GRAMMAR__MAX
};

struct phrase_table {
	struct arena *mem;
	struct synonym_row *row;
	size_t nrows;
	uint32_t hash[PHRASE_SLOTS];  /* 0: empty */
	uint16_t is[PHRASE_SLOTS];    /* an index of row[]; else as phrase_table.c tells */
	size_t nphrases;
	/* words of the rows that a typing error may mean, hashed too */
	const char *guess[GUESS_SLOTS];
	uint8_t guess_len[GUESS_SLOTS];       /* 0: empty */
	size_t nguesses;
	struct stems own, grammar[GRAMMAR__MAX];
	struct callsign *callsign;
	size_t ncallsigns;
	const struct synonym_row *border;     /* of two countries in one question; NULL: none */
	const char *border_term;              /* its concept as a term */
	const char *must[TERMS_MUST];         /* concepts */
	bool subject[TERMS_MUST];             /* of a "subject" row */
	size_t nmust;
};

/* ---- for terms.c: of the table in use ----------------------------------------------- */

/* The table in use; aborts if there is none. */
const struct phrase_table *phrase_table(void);

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

/* Stem a word in place; the new length. */
size_t term_stem(char *word, size_t n);

bool term_is(enum term_grammar g, const char *stem, size_t n);
/* The word before the letter of a class; NULL: the file has none. */
const char *term_class_word(void);
/* The row of a callsign's second word ("Langen information"); NULL: it is not one. */
const struct synonym_row *term_callsign(const char *stem);

/* Replace a misspelt word with the word of the rows that it most likely means. False: it stays.
 * `word` has room for TERM_BYTES. */
bool term_guess(char *word, size_t *n);

/* ---- for terms_read.c: making a table ------------------------------------------------ */

/* The memory of an empty table is zeroed. */
void phrase_table_use(const struct phrase_table *t);

size_t phrase_table_stem(const struct phrase_table *t, char *word, size_t n);

enum { PHRASE_WORDS = 5 };            /* of the longest phrase */

enum phrase_added {
	PHRASE_ADDED,
	PHRASE_THERE,                 /* a phrase with these stems is there */
	PHRASE_FULL,                  /* there is no room for it or its words */
	PHRASE_LONG,
};

/* Add a phrase of row[row], and its long words for correcting misspelt ones. PHRASE_THERE: *other is
 * its row, NULL if it has none. */
enum phrase_added phrase_table_add(struct phrase_table *t, const char *phrase, size_t row,
    const struct synonym_row **other);
/* Add a phrase without correcting anything to it: of row[row], or one that tells nothing. */
enum phrase_added phrase_table_add_exact(struct phrase_table *t, const char *phrase, size_t row);
enum phrase_added phrase_table_add_plain(struct phrase_table *t, const char *word);

/* The names of countries, which tell a place and no subject; after all phrases. False: no room. */
bool phrase_table_countries(struct phrase_table *t);

#endif
