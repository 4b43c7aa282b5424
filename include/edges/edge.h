/*
 * What all HTTP handlers share: built before the first thread, then constant but for the
 * counter and the cached health.
 *
 * The edge knows parts of the service, not the service: the composition (mains/service.h) lends them.
 */
#ifndef EDGES_EDGE_H
#define EDGES_EDGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/conf.h"
#include "edges/cors.h"
#include "runtime/agent.h"

struct airdb;
struct convlog;
struct llm;
struct rules;
struct route;
struct run;
struct sink;
struct store;

/* Borrowed for the life of the edge. */
struct edge_parts {
	const struct conf *conf;
	struct arena *mem;            /* of the process */
	const struct agent_open *agents;      /* those that routes may name */
	size_t nagents;
	const struct route *routes;   /* edges/routes.h */
	size_t nroutes;
	struct store *store;
	struct convlog *log;          /* of conversations */
	struct airdb *airports;
	struct rules *rules;          /* NULL: none are served */
	struct llm *llm;              /* NULL: the provider is builtin */
	const atomic_bool *stop;      /* set: running turns end now */
};

struct health {
	pthread_mutex_t lock;
	struct store *probe;          /* its own handle, with a short timeout */
	atomic_llong checked_ms;      /* 0: never */
	atomic_bool store_ok;
};

struct edge {
	struct edge_parts parts;
	struct cors cors;
	int max_chats;                /* at once; the threads beyond are for plain requests */
	atomic_int chats;             /* being served */
	struct health health;
};

/* ERR_CONFIG, ERR_STORE: the health check's own store handle cannot be made. ERR_INTERNAL: a route
 * names an agent that is not open. */
enum errcode edge_init(struct edge *e, const struct edge_parts *parts, struct err *err);
void edge_release(struct edge *e);

/* A new run of this agent, with the service's store and limits; run_free() it. */
struct run *edge_run_new(const struct edge_parts *parts, const struct agent_open *agent);
/* Execute a run that has begun. Its events go to the sink, its record to the conversation log.
 * Result as of run_turn(). */
enum errcode edge_run_turn(const struct edge_parts *parts, struct run *run, struct sink *sink);

#endif
