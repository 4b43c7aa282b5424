/*
 * Words of pilots and words of rules, brought to one form.
 *
 * A text becomes a list of terms: stems of its words, and concepts, which stand for all the ways
 * of saying one thing ("FPL", "flight plan", "flightplan" are one; "class delta", "class D"
 * another). What stands for what is in rows (rules/synonyms.h).
 */
#ifndef RULES_TERMS_H
#define RULES_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "rules/term_kind.h"

enum { TERMS_MAX = 48 };      /* of one question; more are dropped */

struct term_how {
	unsigned char kind;           /* enum term_kind */
	unsigned char unit;           /* terms that come from the same word or phrase share it */
	bool hint;                    /* not said, but near to what was: "class D" is controlled */
};

struct terms {
	const char *term[TERMS_MAX];  /* letters and digits only, each once */
	struct term_how how[TERMS_MAX];
	size_t n;
	/* ISO-2 code of a country named as where one comes from or goes to, the first one; "": none */
	char abroad[3];
};

/* The terms of a text, in its order; long words that are one slip of the finger away from a word
 * of the rows are taken for it. */
struct terms terms_of(struct arena *a, const char *text);

/* The same for texts of any length, one after another and as often as they come, without
 * correcting anything. `term` lives for the call. */
typedef void term_fn(void *arg, const char *term, struct term_how how);
void terms_each(const char *text, term_fn *fn, void *arg);

/* The concept of crossing a border, or NULL if no row has it; static. */
const char *terms_border(void);

#endif
