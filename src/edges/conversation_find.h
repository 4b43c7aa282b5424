/*
 * The conversation that a request names in its path.
 */
#ifndef EDGES_CONVERSATION_FIND_H
#define EDGES_CONVERSATION_FIND_H

#include "edges/edge.h"
#include "edges/http.h"
#include "services/conversations.h"
#include "services/users.h"

/* Find out who sends the request (caller_find()), and that user's conversation with the id in r->arg. False: it was
 * refused. */
bool conversation_find(const struct edge *e, struct http_req *r, struct http_res *w, struct user *u,
    struct conversation *c);

#endif
