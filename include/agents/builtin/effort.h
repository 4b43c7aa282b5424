/*
 * Effort: how much thinking a plan may cost.
 *
 * What thinking does is counted in steps, some tenth of a microsecond each, and never timed: the same
 * conversation gets the same plan on a busy machine. The newest message is read whatever it costs,
 * which its length bounds; those before it are read back while there is effort left. Every so
 * many steps the watch is looked at, so that a reader who has left, or the end of the turn's time,
 * ends the thinking too.
 */
#ifndef AGENTS_BUILTIN_EFFORT_H
#define AGENTS_BUILTIN_EFFORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errs.h"
#include "base/watch.h"

/* Steps after which nothing older is read. */
enum { EFFORT_MOST = 200000 };

enum effort_kind {
	EFFORT_BYTE,     /* of a text, made into tokens */
	EFFORT_WORD,     /* a token, looked up in one vocabulary */
	EFFORT_SLIP,     /* a word, compared with all that it may misspell */
	EFFORT_LOOKUP,   /* a name or code, looked up in the database */
	EFFORT_PLACE,    /* a place, found out about there */
	EFFORT_RULES,    /* a word, looked for in the rules */
	EFFORT__MAX
};

struct effort {
	size_t spent;                 /* steps */
	size_t look_at;               /* … at which the watch is looked at next */
	const struct watch *watch;    /* NULL: nobody waits */
	enum errcode ended;           /* what it said, if not OK */
};

/* Count `n` of a kind; `e` NULL: nobody counts. */
void effort_spend(struct effort *e, enum effort_kind kind, size_t n);
/* Is there none left, or nobody who waits? */
bool effort_over(const struct effort *e);
/* Does nobody wait any more? */
bool effort_ended(const struct effort *e);

#endif
