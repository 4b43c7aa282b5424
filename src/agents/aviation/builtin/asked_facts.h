/*
 * The facts that a plan says were asked for, as the words by which the writer finds its sentences.
 */
#ifndef AGENTS_AVIATION_BUILTIN_ASKED_FACTS_H
#define AGENTS_AVIATION_BUILTIN_ASKED_FACTS_H

#include "agents/aviation/plan.h"
#include "language/words.h"

/* " how long is the runway ": English words of the facts, and the pilot's own words for them, folded, between single
 * blanks; " " if no fact was asked for. In the arena. */
const char *asked_words(struct arena *a, const struct plan *plan);
/* The same for one fact. */
const char *asked_fact_words(struct arena *a, const struct plan_fact *fact);

/* A text as folded words between single blanks, " does egkb have avgas ". */
const char *asked_folded(struct arena *a, const char *text);
/* Is the word of a French text "ils", that is "they"? In capitals it is the landing system, unless the whole text is in capitals. */
bool asked_is_they(const struct words *w, size_t i);
/* The same as asked_folded() of a French text, without each "they". */
const char *asked_in_french(struct arena *a, const char *text);

#endif
