/*
 * A step of retrieval that may fail: how long it may take, whether the turn continues without it,
 * and when it is left out for a while.
 *
 * The service that is called gets two thirds of the limit, so that it times out first and its
 * circuit breaker counts that. The whole limit ends a call that gets its reply in small pieces. No
 * step takes more than a third of the turn's remaining time, because the answer must be written
 * too. If a step took long and failed, it is left out for a while in this process
 * (services/remote.h). Thread-safe.
 */
#ifndef SERVICES_TIMEBOX_H
#define SERVICES_TIMEBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errs.h"
#include "base/watch.h"

enum timebox_kind { TIMEBOX_REFORMULATE, TIMEBOX_EMBED, TIMEBOX_SEARCH, TIMEBOX_ANSWERS, TIMEBOX_RERANK,
	TIMEBOX_KNOWLEDGE, TIMEBOX__MAX };

struct timebox {
	struct watch watch;            /* pass this down: the caller's watch with the time limit */
	int64_t first_ms;              /* pass this down: longest wait until a reply begins */

	/* only for timebox.c */
	enum timebox_kind kind;
	const struct watch *outer;
	int64_t began_ms, limit_ms, probe;
	bool late;
};

/*
 * Begin a step; w may be NULL. turn_ends_ms: on the clock of clock_mono_ms(), 0: never. most_ms:
 * the site's limit for first_ms, 0: none. False: the step rests, continue without it. True:
 * timebox_end() must follow. The struct must not move while its watch is in use.
 */
bool timebox_begin(struct timebox *s, enum timebox_kind kind, const struct watch *w,
    int64_t turn_ends_ms, int64_t most_ms);

/*
 * The result of the call that used the watch. OK: the step is done, or it failed and the turn goes
 * on; *done tells which, and a failure is logged, once a minute for each kind. Any other code ends
 * the turn.
 */
enum errcode timebox_end(const struct timebox *s, enum errcode rc, bool *done, const struct err *e);

/* Is the step resting? */
bool timebox_rests(enum timebox_kind kind);

#endif
