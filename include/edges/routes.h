/*
 * Routes: one row each. Dispatch, 405 with its Allow, and the redirect of a path with one slash too
 * many come from the rows.
 */
#ifndef EDGES_ROUTES_H
#define EDGES_ROUTES_H

#include "edges/edge.h"
#include "edges/http.h"

enum route_flag {
	/* has a JSON body, which is read and checked before the handler runs */
	ROUTE_BODY   = 1 << 0,
	ROUTE_CHAT   = 1 << 1,    /* lasts as long as a turn, so it counts against the chat limit */
	ROUTE_FOLLOW = 1 << 3,    /* lasts as long as a run, so it counts against the limit of followers */
	ROUTE_ALWAYS = 1 << 2,    /* is answered even while the agent is switched off */
	ROUTE_FORM   = 1 << 4,    /* its body is a form, not JSON */
	ROUTE_SMALL  = 1 << 5,    /* its body has at most 64 KiB */
	ROUTE_TYPED  = 1 << 6,    /* refusals look like the events of a turn */
	ROUTE_PRIVATE = 1 << 7,   /* no cache may keep the answer */
};

/* Answer the request. Its body, if the row has one, is in r->body. */
typedef void route_handler(struct edge *e, const struct route *rt, struct http_req *r,
    struct http_res *w);

struct route {
	enum http_method method;
	/* may hold up to two segments "{name}", which stand for any text: decoded and not empty in
	 * r->arg and r->arg2 */
	const char *path;
	route_handler *handler;
	unsigned flags;
	/* the agent whose turn or thread the request is about; NULL: no agent's */
	const char *agent;
	const char *doc;
};

extern const struct route routes[];
extern const size_t nroutes;

/* Serve one request, from its parameters to the access line in the log. */
void edge_serve(struct edge *e, struct http_io *io);

#endif
