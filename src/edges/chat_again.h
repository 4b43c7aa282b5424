/*
 * A chat request that may have been sent before, with the same Idempotency-Key.
 */
#ifndef EDGES_CHAT_AGAIN_H
#define EDGES_CHAT_AGAIN_H

#include "edges/edge.h"
#include "edges/http.h"
#include "edges/idempotency.h"
#include "edges/routes.h"
#include "services/runs.h"

/* Send the events of this run, streamed or as one JSON object. */
typedef void chat_replay(const struct edge *e, struct http_req *r, struct http_res *w,
    const struct run_record *record, bool stream, void *arg);

/* Claim the request's key, if it has one. True: the request is to be answered by a new run, with the key
 * settled or freed. False: it was answered, by the run that the key has begun (with `replay`) or by a
 * refusal. The body must still be there. `session`: as the client named it. */
bool chat_again(const struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w,
    const char *session, bool stream, chat_replay *replay, void *arg, struct idempotency *k);

#endif
