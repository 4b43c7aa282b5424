/*
 * The questions that a chat panel offers as buttons, and an assistant as prompts: one table.
 */
#ifndef EDGES_QUICK_ACTIONS_H
#define EDGES_QUICK_ACTIONS_H

#include <stddef.h>

#include "base/arena.h"

struct quick_word {
	const char *name, *doc;
	const char *value;             /* what a button says */
	const char *kind;              /* "airport", "country": what may be proposed for it; NULL: any text */
};

enum { QUICK_WORDS = 2 };

struct quick_action {
	const char *name;              /* of the prompt */
	/* Clients draw an icon of at most two UTF-16 units as an emoji; a longer text is the name of a
	 * symbol. */
	const char *icon, *title;
	const char *text;              /* "{name}" stands for a word */
	struct quick_word words[QUICK_WORDS];  /* unused ones are all NULL */
};

extern const struct quick_action quick_actions[];
extern const size_t nquick_actions;

/* The question with these words; NULL, or a NULL in it: the button's own. In the arena. */
const char *quick_question(struct arena *a, const struct quick_action *q, const char *const words[QUICK_WORDS]);

#endif
