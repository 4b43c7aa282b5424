/*
 * The steps between the models of a reading, which training goes too.
 */
#ifndef LANGUAGE_READING_STEPS_H
#define LANGUAGE_READING_STEPS_H

#include "language/chooser.h"
#include "language/tagger.h"

enum {
	READING_HELD = 12,    /* labels of the frame before that are told, at most */
	/* what came before, what it has, and each plan and kind of each outcome */
	READING_HINTS = 1 + READING_HELD + 2 * READING_PLANS * CHOOSER_OUTCOMES,
};

/* What a chooser and the talk before tell the tagger of the words w; how many. */
size_t reading_hints(const struct words *w, const struct chooser_choice *c, const struct reading_before *before,
    struct tagger_hint hint[READING_HINTS]);

/* The plans of a reading that has its marks, and which of these are whose. */
void reading_decide(struct reading *r, const struct chooser_choice *c);

#endif
