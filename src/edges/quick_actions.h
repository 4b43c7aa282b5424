/*
 * The questions that a chat panel offers as buttons, and an assistant as prompts: one table. Their texts are those of
 * conf/language/LANGUAGE/quick_actions.txt.
 */
#ifndef EDGES_QUICK_ACTIONS_H
#define EDGES_QUICK_ACTIONS_H

#include <stddef.h>

#include "agents/aviation/sayings.h"
#include "base/arena.h"
#include "language/catalogue.h"

struct quick_word {
	const char *name, *doc;
	const char *value;             /* what a button says; of a country its code */
	const char *kind;              /* "airport", "country": what may be proposed for it; NULL: any text */
};

enum { QUICK_WORDS = 2 };

struct quick_action {
	const char *name;              /* of the prompt */
	/* Clients draw an icon of at most two UTF-16 units as an emoji; a longer text is the name of a
	 * symbol. */
	const char *icon;
	enum saying title, question;   /* the question has "{name}" for each word */
	struct quick_word words[QUICK_WORDS];  /* unused ones are all NULL */
};

extern const struct quick_action quick_actions[];
extern const size_t nquick_actions;

const char *quick_title(const struct wording *w, const struct quick_action *q);

/* What a button says for a word: "EGTF", "Allemagne". */
const char *quick_value(const struct wording *w, const struct quick_word *word);

/* The question with these words; NULL, or a NULL in it: the button's own. In the arena. */
const char *quick_question(const struct wording *w, struct arena *a, const struct quick_action *q,
    const char *const words[QUICK_WORDS]);

#endif
