/*
 * How every agent's turn begins, and how it is refused.
 */
#ifndef EDGES_CHAT_TURN_H
#define EDGES_CHAT_TURN_H

#include "edges/chat_request.h"
#include "edges/edge.h"
#include "edges/http.h"
#include "edges/idempotency.h"
#include "edges/routes.h"
#include "runtime/run.h"

struct chat_turn {
	const struct chat_request *chat;
	const char *session_id;         /* NULL: the run makes one */
	bool logged;                    /* its events are kept, whatever the settings and the request say */
	bool no_session;                /* no session counts the turn */
	struct idempotency *key;        /* is settled or freed */
};

/* A run of the route's agent that has its thread, for r->field[FIELD_USER]; X-Run-ID is set. NULL: the turn was
 * refused, and the refusal was sent. */
struct run *chat_turn_begin(const struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w,
    const struct chat_turn *t);
/* The run has begun and cannot go on: give its thread back and send the refusal. Frees the run. */
void chat_turn_drop(const struct edge *e, struct http_req *r, struct http_res *w, struct run *run,
    const struct err *why);

#endif
