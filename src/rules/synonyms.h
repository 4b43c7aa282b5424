/*
 * The words of pilots, as rows. A row gives the concepts of all its phrases. The longest phrase
 * that fits is used, of equal ones the first. Words are compared by their stems, and blanks and
 * hyphens do not matter ("take off", "take-off", "takeoff"). The rows know aviation and no
 * particular rules file; src/rules/synonyms_*.c have them by subject.
 */
#ifndef RULES_SYNONYMS_H
#define RULES_SYNONYMS_H

#include "rules/term_kind.h"

struct synonym_row {
	enum term_kind kind;
	/* concepts, separated by blanks; "": the phrase tells nothing */
	const char *says;
	const char *hints;            /* concepts near to it, likewise; NULL: none */
	const char *phrases;          /* "|"-separated, lower case, blanks between words */
};

#define TOPIC(says, hints, phrases) { TERM_TOPIC, says, hints, phrases }
#define PART(says, hints, phrases)  { TERM_PART, says, hints, phrases }
#define FAINT(says, phrases)        { TERM_FAINT, says, NULL, phrases }
#define PLAIN(phrases)              { TERM_FAINT, "", NULL, phrases }

/* The rows of a subject. */
struct synonyms {
	const struct synonym_row *row;
	size_t n;
};
#define SYNONYMS(rows) { rows, sizeof(rows) / sizeof((rows)[0]) }

extern const struct synonyms synonyms_radio, synonyms_airspace, synonyms_airfields,
	synonyms_plans, synonyms_ifr, synonyms_habits, synonyms_others, synonyms_plain;

/* All rows, in the order that decides between equal phrases. */
extern const struct synonyms *const synonyms[];
extern const size_t nsynonyms;

/* Languages, separated by blanks; phrases, "|"-separated, in which "?" stands for one; and the word
 * whose row is theirs. And the word whose row two countries in one question are. */
extern const char term_languages[], term_language_phrases[], term_language[], term_border[];
/* Words with another meaning after a name, and a phrase of the row with that meaning. */
struct term_callsign {
	const char *word, *phrase;
};
extern const struct term_callsign term_callsigns[];
extern const size_t nterm_callsigns;
/* Words that tell nothing, separated by blanks. */
extern const char terms_plain[];

#endif
