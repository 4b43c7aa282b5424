/*
 * Claims: which run a client's idempotency key has begun.
 *
 * A worker claims a key for a request, with a token of its own, and settles the claim on a run as soon as
 * the run is certain. Of two workers that claim at once, one gets the key. A claim that is not settled
 * lasts only hold_ms, unless it is repeated, so a worker that dies does not block the key for longer. A settled
 * claim names its run until it expires.
 *
 * The mark stands for what was asked (a hash of the request). The same key with another mark
 * means another request, and the claim is refused (CLAIM_OTHER).
 *
 * Errors as in services/store.h.
 */
#ifndef SERVICES_CLAIMS_H
#define SERVICES_CLAIMS_H

#include <stdint.h>

#include "base/errs.h"
#include "services/store.h"

enum {
	CLAIM_NAME_MAX = 1536,          /* bytes of a key with its owner: printable ASCII */
	CLAIM_MARK_MAX = 64,            /* of a mark and of a token: letters, digits, - or _ */
};

enum claim_state {
	CLAIM_MINE,                     /* this token has the key */
	CLAIM_PENDING,                  /* another token has it, and no run yet */
	CLAIM_RUN,                      /* it has begun claim.run */
	CLAIM_OTHER,                    /* it was used for another request */
};

struct claim {
	enum claim_state state;
	char run[48];
	int64_t left_ms;                /* PENDING: the other token loses the key after this time at the latest */
};

/* Claim the key, or find out who has it. To keep a claim, call this again before hold_ms have passed. */
enum errcode store_claim(struct store *s, const char *name, const char *mark, const char *token,
    int64_t hold_ms, struct claim *out, struct err *e);
/* The claim has begun this run. ERR_BUSY: the claim was lost, so the run must not begin. */
enum errcode store_claim_settle(struct store *s, const char *name, const char *mark, const char *token,
    const char *run_id, int64_t ttl_ms, struct err *e);
/* The request was refused: give the key back. No error if the claim was lost. */
enum errcode store_claim_free(struct store *s, const char *name, const char *token, struct err *e);

#endif
