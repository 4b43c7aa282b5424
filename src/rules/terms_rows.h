/*
 * What pilots call things, as rows. A row gives the concepts of all its phrases; the longest phrase
 * that fits wins, of equal ones the first. Words are compared by their stems, and blanks and
 * hyphens do not matter ("take off", "take-off", "takeoff"). The rows know aviation and no
 * particular rules file; src/rules/terms_rows_*.c have them by subject.
 */
#ifndef RULES_TERMS_ROWS_H
#define RULES_TERMS_ROWS_H

#include "rules/terms.h"

struct term_row {
	enum term_kind kind;
	const char *says;             /* concepts, separated by blanks; "": it tells nothing */
	const char *hints;            /* concepts near to it, likewise; NULL: none */
	const char *phrases;          /* "|"-separated, lower case, blanks between words */
};

#define TOPIC(says, hints, phrases) { TERM_TOPIC, says, hints, phrases }
#define PART(says, hints, phrases)  { TERM_PART, says, hints, phrases }
#define FAINT(says, phrases)        { TERM_FAINT, says, NULL, phrases }
#define PLAIN(phrases)              { TERM_FAINT, "", NULL, phrases }

/* The rows of a subject. */
struct term_rows {
	const struct term_row *row;
	size_t n;
};
#define TERM_ROWS(rows) { rows, sizeof(rows) / sizeof((rows)[0]) }

extern const struct term_rows term_rows_radio, term_rows_airspace, term_rows_airfields,
	term_rows_plans, term_rows_ifr, term_rows_habits, term_rows_others, term_rows_plain;

/* All of them, in the order that decides between equal phrases. */
extern const struct term_rows *const term_rows[];
extern const size_t nterm_rows;

/* Languages, separated by blanks; phrases, "|"-separated, in which "?" stands for one; and the word
 * whose row is theirs. And the word whose row two countries in one question are. */
extern const char term_languages[], term_language_phrases[], term_language[], term_border[];
/* Words that mean something else behind a name, and a phrase of the row that is theirs then. */
struct term_callsign {
	const char *word, *phrase;
};
extern const struct term_callsign term_callsigns[];
extern const size_t nterm_callsigns;
/* Words that tell nothing, separated by blanks. */
extern const char terms_plain[];

#endif
