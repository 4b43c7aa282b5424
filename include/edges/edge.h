/*
 * What all HTTP handlers share: built before the first thread, then constant but for the
 * counter and the cached health.
 */
#ifndef EDGES_EDGE_H
#define EDGES_EDGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "edges/cors.h"
#include "edges/service.h"

struct health {
	pthread_mutex_t lock;
	struct store *probe;          /* its own handle, with a short timeout */
	atomic_llong checked_ms;      /* 0: never */
	atomic_bool store_ok;
};

struct edge {
	struct service *service;
	struct cors cors;
	int max_chats;                /* at once; the threads beyond are for plain requests */
	atomic_int chats;             /* being served */
	struct health health;
};

/* ERR_CONFIG, ERR_STORE: the health check's own store handle cannot be made. */
enum errcode edge_init(struct edge *e, struct service *service, struct err *err);
void edge_release(struct edge *e);

#endif
