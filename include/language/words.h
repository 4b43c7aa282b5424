/*
 * The words of a message: what every step of the reader of language works on.
 *
 * A word is a sequence of letters, a number, or one sign. Work and memory are bounded: of a long text
 * the first and the last part are read, because a story comes first and the question last.
 */
#ifndef LANGUAGE_WORDS_H
#define LANGUAGE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { WORDS_BYTES = 4096, WORDS_MAX = 120 };

enum word_kind { WORD_LETTERS, WORD_NUMBER, WORD_SIGN };

struct word {
	enum word_kind kind;
	size_t start, end;       /* bytes of words.text */
	/* "zurich", "2500", "?"; "l'" of "l'eau" and "'s" of "Denham's" are words; a sign is one character,
	 * typographic ones made ASCII */
	const char *fold;
	const char *stem;        /* in the language of the message; for numbers and signs the same as fold */
	double value;            /* WORD_NUMBER: 2500 for "2,500" and "2'500", 2.5 for "2.5" and "2,5" */
	bool gap;                /* blank space before it */
	bool title, upper;       /* "Lyon"; "EGTF", two letters at least */
	bool line;               /* a line begins here */
};

struct words {
	const char *text;        /* what was read, as typed, NUL-terminated; control characters are blanks */
	const char *language;    /* "en", "fr", "de": guessed from the words (language_guess()) */
	bool shouted;            /* no small letter in the text, so capitals mean nothing */
	bool whispered;          /* no capital in the text */
	bool cut;                /* the middle of a long text was left out */
	size_t n;
	struct word *word;
};

/* The words of a NUL-terminated text, bytes of any kind; everything in the arena. `language`: the language
 * of the talk before, which a message too short to tell keeps; NULL: there was none. */
struct words *words_of(struct arena *a, const char *text, const char *language);

/* Is there no letter and no digit ("?!", a smiling face, nothing at all)? */
bool words_are_signs(const struct words *w);

/* What was typed from the first to the last of these words ("St. Moritz"). */
const char *words_slice(struct arena *a, const struct words *w, size_t first, size_t last);

#endif
