/*
 * A language of a catalogue from the inside: for the files that read it and that put messages.
 */
#ifndef LANGUAGE_WORDING_H
#define LANGUAGE_WORDING_H

#include "language/catalogue.h"

/* How a language writes things: rows of its forms.txt. The constant, the name in the file, and whether the
 * text may be empty. */
#define WORDING_FORMS(X) \
	X(PLURAL, "plural", false) \
	X(DECIMAL, "decimal_sign", false) \
	X(THOUSANDS, "thousands_sign", true) \
	X(LIST_BETWEEN, "list_between", false) \
	X(LIST_LAST, "list_last", false) \
	X(DATE, "date", false) \
	X(MONTHS, "months", false) \
	X(NO_BREAK_BEFORE, "no_break_before", true) \
	X(NO_BREAK_AFTER, "no_break_after", true) \
	X(SHORTENED, "shortened", true)

#define WORDING_FORM_ENUM(constant, name, empty) FORM_##constant,
enum wording_form { WORDING_FORMS(WORDING_FORM_ENUM) FORM__MAX };

/* Which numbers take the form ".one"; all others take ".other". */
enum plural {
	PLURAL_ONE,                   /* 1: English, German */
	PLURAL_BELOW_TWO,             /* 0, 1, 1.5: French */
	PLURAL__MAX
};

enum { PLURAL_FORMS = 2, WORDING_MONTHS = 12, SHORTENED_MAX = 8, WORDING_SIGN = 4 };

struct wording {
	const char *language;
	const char *form[FORM__MAX];
	enum plural plural;
	const char *month[WORDING_MONTHS];
	/* "de" becomes "d'" before a name that begins with a vowel */
	struct { const char *word, *as; } shortened[SHORTENED_MAX];
	size_t nshortened;
	/* PLURAL_FORMS for each row; a message without plural forms has the first only */
	const char **text;
};

#endif
