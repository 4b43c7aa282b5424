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
	/* The group of calls that the row belongs to, which the setting AVIATION_AGENT_REST can switch
	 * off; none of these: it is always on. */
	ROUTE_AIRPORTS   = 1 << 8,
	ROUTE_FILTERS    = 1 << 9,
	ROUTE_RULES      = 1 << 10,
	ROUTE_GA         = 1 << 11,
	ROUTE_NOTIFICATIONS = 1 << 12,
	ROUTE_PROCEDURES = 1 << 13,
	ROUTE_STATISTICS = 1 << 14,
	ROUTE_FEEDBACK   = 1 << 15,
};

/* The name of each group in the setting. */
struct route_group {
	unsigned flag;
	const char *name;
};
extern const struct route_group route_groups[];
extern const size_t nroute_groups;

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

/* The flags of the groups that a setting AVIATION_AGENT_REST switches off. */
unsigned routes_off(const char *setting);

/* Serve one request, from its parameters to the access line in the log. */
void edge_serve(struct edge *e, struct http_io *io);

#endif
