/*
 * A turn over HTTP, relayed as frames. The gateway has no state of its own: the site's nginx checks
 * limits, and the workers check who may do what.
 */
#ifndef GATEWAY_RELAY_H
#define GATEWAY_RELAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/watch.h"
#include "gateway/frames.h"

struct httpc;

/* An agent behind a path of the gateway. */
struct relay_agent;
/* NULL: nothing is at this path. */
const struct relay_agent *relay_agent_at(const char *path);

/* Who the client is, as it said in its handshake; NULL: it said nothing. */
struct relay_client {
	const char *authorization;    /* "Bearer …" */
	const char *cookie;
	const char *address;
};

struct relay {
	struct httpc *http;
	const char *upstream;         /* "http://127.0.0.1:8080" */
};

/* Called with each frame for the client, which is text without a line break; `last`: the turn has no
 * further one. Any result but OK ends the turn. */
typedef enum errcode relay_fn(void *arg, const char *frame, size_t n, bool last);

/* Does the client have to sign in? OK: no, or its token is good; ERR_INPUT: its token is missing or
 * bad; ERR_UPSTREAM: it cannot be checked now; the log says why. */
enum errcode relay_check(const struct relay *r, const struct relay_agent *agent,
    const struct relay_client *c, const struct watch *w, struct err *e);

/* One turn. Frames end with exactly one `complete` or `error`. ERR_INPUT: the token is no longer
 * good, close the connection; ERR_HUP and other codes of `w` and `fn`: the client has gone. */
enum errcode relay_turn(const struct relay *r, const struct relay_agent *agent,
    const struct relay_client *c, const struct client_frame *message, const struct watch *w,
    relay_fn *fn, void *arg);

#endif
