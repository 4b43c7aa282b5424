/*
 * The kinds of terms. The code that reads words and the code that knows their meaning share them.
 */
#ifndef RULES_TERM_KIND_H
#define RULES_TERM_KIND_H

#include "language/word_reader.h"     /* TERM_BYTES */

/* How much a term can tell, the most first. */
enum term_kind {
	TERM_TOPIC,     /* a concept: a subject of rules */
	TERM_PART,      /* a concept that narrows others: "airfield", "enter" */
	TERM_WORD,      /* a stem that is in no row */
	TERM_FAINT,     /* a concept that most questions contain: "required", "usually" */
	TERM_NAME,      /* a stem that is most likely a name: of a place, a product */
	TERM__MAX
};

#endif
