/*
 * A step of retrieval that may fail: how long it may take, and whether the turn goes on
 * without it.
 */
#ifndef RULES_STEP_H
#define RULES_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errs.h"
#include "base/watch.h"

struct step {
	struct watch watch;            /* to hand down; the caller's, and the time limit */
	const struct watch *outer;
	int64_t until_ms;
	bool late;
};

/* ms from now; w may be NULL. Not to be moved while its watch is in use. */
void step_begin(struct step *s, const struct watch *w, int64_t ms);

enum step_kind { STEP_REFORMULATE, STEP_VECTORS, STEP_RERANK, STEP__MAX };

/*
 * What a call through the watch ended with. OK: it is done, or it failed in a way that the turn
 * survives; *done tells which, and a failure is logged, once a minute for each kind. Anything
 * else ends the turn.
 */
enum errcode step_end(const struct step *s, enum step_kind kind, enum errcode rc, bool *done,
    const struct err *e);

#endif
