/*
 * The words that the built-in strategy understands, and the texts that it says: two files of conf/language.
 */
#ifndef AGENTS_ONBOARDING_BUILTIN_WORDS_H
#define AGENTS_ONBOARDING_BUILTIN_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/str.h"

enum word_kind {
	W_NAME, W_SELF, W_NOT_NAME, W_NAME_END, W_HERE, W_ID, W_IS, W_MOUSE, W_KEYBOARD, W_BACKPACK, W_WISH,
	W_ARTICLE, W_DIET, W_DIET_LEAD, W_NO_DIET, W_MEETING, W_BOOKED, W_NOT, W_YES, W_NO, W_DECLINE,
	W_DECLINE_ALL, W_EXPORT, W_STATUS, W_RESTART, W_GREETING, W_THANKS, W_FILLER, W_QUESTION, W_IDLE, W_JOIN, W_LATER,
	W_BUT, W_YES_TOO, W_REMOVE, W_DIET_NAME, W_ABOUT_RECORD,
	WORD_KIND__MAX
};

struct phrase {
	const char **word;            /* folded */
	size_t n;
};

struct phrases {
	struct phrase *list;
	size_t n;
};

/* Constant once loaded. */
struct onboarding_words {
	struct phrases of[WORD_KIND__MAX];
	struct reply_row { const char *name, *text; } *replies;
	size_t nreplies;
};

/* ERR_CONFIG with file, line and reason: also a kind without words, or a reply that is missing. */
enum errcode onboarding_words_load(struct onboarding_words **out, struct arena *a, const char *data_dir,
    struct err *e);

/* A word of a message. */
struct said_word {
	struct str text;              /* as it was written */
	const char *folded;
	char after;                   /* the mark behind it: , . ? ! ; : or 0 */
};

/* The length in words of the longest phrase of a kind that stands at `at`; 0: none does. A comma or another mark
 * inside of it does not matter at its end only. */
size_t words_match(const struct onboarding_words *w, enum word_kind kind, const struct said_word *said, size_t at,
    size_t end);

/* A reply by its name. The name must be one that words.c requires. */
const char *onboarding_reply(const struct onboarding_words *w, const char *name);

#endif
