/*
 * Routes: one row each. From the rows come dispatch, 405 with its Allow, and the redirect of
 * a path with one slash too many.
 */
#ifndef EDGES_ROUTES_H
#define EDGES_ROUTES_H

#include "edges/edge.h"
#include "edges/http.h"

enum route_flag {
	ROUTE_BODY   = 1 << 0,    /* has a JSON body: read, bounded, before the handler */
	ROUTE_CHAT   = 1 << 1,    /* lasts as long as a turn: counts against the chat limit */
	ROUTE_ALWAYS = 1 << 2,    /* answers while the agent is switched off too */
};

/* Answer the request. Its body, if the row has one, is in r->body. */
typedef void route_handler(struct edge *e, const struct route *rt, struct http_req *r,
    struct http_res *w);

struct route {
	enum http_method method;
	const char *path;         /* may end in "{name}": one segment, not empty, in r->arg (decoded) */
	route_handler *handler;
	unsigned flags;
	const char *agent;        /* whose turn the request starts; NULL: it starts none */
	const char *doc;
};

extern const struct route routes[];
extern const size_t nroutes;

/* One request, from its parameters to the access line in the log. */
void edge_serve(struct edge *e, struct http_io *io);

#endif
