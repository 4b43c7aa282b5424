/*
 * Effort: a limit on the work of one plan.
 *
 * Work is counted in steps of about a tenth of a microsecond. It is never timed, so the same
 * conversation gets the same plan on a busy machine. The newest message is always read whole; its
 * length is limited. Older messages are read, newest first, until the steps are used up. The watch
 * is checked from time to time: planning stops when the reader has left or the turn's time is over.
 */
#ifndef AGENTS_AVIATION_BUILTIN_EFFORT_H
#define AGENTS_AVIATION_BUILTIN_EFFORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errs.h"
#include "base/watch.h"

/* When this many steps are spent, no older message is read. They take some 40 ms, so that a turn
 * stays below 100 ms even if it plans twice and its newest message is as long as it may be. */
enum { EFFORT_MOST = 400000 };

enum effort_kind {
	EFFORT_BYTE,     /* of a text, made into tokens */
	EFFORT_WORD,     /* a token, looked up in one vocabulary */
	EFFORT_SLIP,     /* a word, compared with all words that it may misspell */
	EFFORT_LOOKUP,   /* a name or code, looked up in the database */
	EFFORT_PLACE,    /* a place, resolved in the database */
	EFFORT_RULES,    /* a word, searched in the rules */
	EFFORT__MAX
};

struct effort {
	size_t spent;                 /* steps */
	size_t look_at;               /* the watch is checked when `spent` reaches this */
	const struct watch *watch;    /* NULL: there is nothing to watch */
	enum errcode ended;           /* the watch's error, once it has reported one; else OK */
};

/* Count `n` items of a kind. Does nothing if `e` is NULL. */
void effort_spend(struct effort *e, enum effort_kind kind, size_t n);
/* True when the steps are used up or the watch has ended the turn. */
bool effort_over(const struct effort *e);
/* True when the watch has ended the turn. */
bool effort_ended(const struct effort *e);

#endif
