/*
 * What all HTTP handlers share: built before the first thread starts, then constant, except for the
 * counter and the cached health.
 *
 * The edge knows parts of the service, not the service: the composition (mains/service.h) lends
 * them.
 */
#ifndef EDGES_EDGE_H
#define EDGES_EDGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/conf.h"
#include "edges/convlog.h"
#include "edges/cors.h"
#include "runtime/agent.h"

struct airdb;
struct friendliness;
struct llm;
struct mcp_client;
struct mcp_server;
struct notices;
struct personas;
struct rules;
struct route;
struct run;
struct run_desk;
struct run_writer;
struct sink;
struct store;

/* Borrowed as long as the edge lives. */
struct edge_parts {
	const struct conf *conf;
	struct arena *mem;            /* the tool table of the process */
	const struct agent_open *agents;      /* the agents that routes may name */
	size_t nagents;
	const struct route *routes;   /* edges/routes.h */
	size_t nroutes;
	struct store *store;
	struct convlog *log;          /* the store of conversations */
	struct airdb *airports;
	const struct personas *personas;
	struct friendliness *friendliness;
	struct notices *notices;
	struct rules *rules;          /* NULL: there are none */
	struct llm *llm;              /* NULL: the provider is builtin */
	struct mcp_client *const *mcp_clients;        /* of external servers */
	size_t nmcp;
	const atomic_bool *stop;      /* set: running turns must end now */
	/* of a worker; set: it takes no new requests, and running turns may end; NULL: never */
	const atomic_bool *draining;
	struct run_desk *desk;        /* of a worker; NULL: runs can be neither followed nor stopped */
	struct run_writer *writer;    /* of a worker; NULL: no run's events are kept */
	const char *worker;           /* names this process */
	bool mcp_fixtures;            /* the MCP server also has what the protocol's conformance suite wants to find */
};

struct health {
	/* a store handle of its own, with a short timeout; of a store in memory the store itself */
	struct store *probe;
	pthread_mutex_t lock;         /* of what follows */
	pthread_cond_t asked;
	bool asking;                  /* a thread asks the store now */
	int64_t checked_ms;           /* 0: never */
	bool store_ok;
};

struct edge {
	struct edge_parts parts;
	struct cors cors;
	unsigned off;                 /* flags of the groups of routes that are switched off */
	int max_chats;                /* chats at once; further threads are for plain requests */
	atomic_int chats;             /* chats that are running */
	int max_followers;            /* the same for readers of runs */
	atomic_int followers;
	struct health health;
	struct mcp_server *mcp;
	struct convlog feedback;      /* what users think of answers; beside the conversation log */
};

/* ERR_CONFIG, ERR_STORE: the health check's own store handle cannot be made. ERR_INTERNAL: a route
 * names an agent that is not open. */
enum errcode edge_init(struct edge *e, const struct edge_parts *parts, struct err *err);
void edge_release(struct edge *e);

/* A new run of this agent, with the service's store and limits; free it with run_free(). */
struct run *edge_run_new(const struct edge_parts *parts, const struct agent_open *agent);
/* Execute a run that has begun. Its events go to the sink, its record to the conversation log.
 * Result as of run_turn(). */
enum errcode edge_run_turn(const struct edge_parts *parts, struct run *run, struct sink *sink);
/* A run that was refused: end its log, if it has one. */
void edge_run_refused(const struct edge_parts *parts, struct run *run);

#endif
