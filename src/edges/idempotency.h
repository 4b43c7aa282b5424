/*
 * The Idempotency-Key of a chat request: the same request sent again does not make a second turn.
 *
 * A key belongs to the agent and to the user whom the web server has authenticated, else to the session
 * that the client names. Without a user or a session that is kept (services/sessions.h), a client must
 * choose a key that nobody can guess, because whoever sends the same key and the same body gets the same
 * run.
 */
#ifndef EDGES_IDEMPOTENCY_H
#define EDGES_IDEMPOTENCY_H

#include <stdatomic.h>

#include "base/clock.h"
#include "edges/http.h"
#include "services/claims.h"

enum {
	IDEMPOTENCY_KEY_MAX = 128,
	IDEMPOTENCY_SECRET_MIN = 22,    /* of a key without user and kept session: 128 bits in base64 */
};

struct idempotency {
	struct store *store;
	const char *name;               /* in the store; NULL: the request has no key */
	char mark[40], token[ID_SIZE];
	int64_t hold_ms, ttl_ms, kept_ms;
};

/* Find out whose key it is and for which request. The body must still be there. `session`: as the client named it, or NULL.
 * ERR_INPUT: the key is too short to be a secret; e->msg says so to the client. */
enum errcode idempotency_open(struct idempotency *k, const struct http_req *r, const char *agent,
    const char *session, struct err *e);

/* Claim the key. While another request has claimed it and has no run yet, wait up to wait_ms. ERR_HUP: the
 * reader left. ERR_OVERLOAD: *stop is set. ERR_BUSY: wait_ms have passed. */
enum errcode idempotency_claim(struct idempotency *k, int reader_fd, const atomic_bool *stop,
    int64_t wait_ms, struct claim *out, struct err *e);
/* Keep a claim while its request waits for something else; `k` is a struct idempotency. */
void idempotency_keep(void *k);
/* The request has begun this run. */
enum errcode idempotency_settle(struct idempotency *k, const char *run_id, struct err *e);
/* The request was refused. */
void idempotency_free(struct idempotency *k);

#endif
