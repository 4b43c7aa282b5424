/*
 * Inside a struct kv. Private to src/drivers/kv*.c.
 */
#ifndef DRIVERS_KV_PRIVATE_H
#define DRIVERS_KV_PRIVATE_H

#include <pthread.h>

#include "drivers/kv.h"
#include "drivers/kv_cluster.h"
#include "drivers/kv_pool.h"
#include "drivers/kv_url.h"

struct kv {
	struct kv_url url;
	struct wire_way way;
	int timeout_ms;
	struct kv_pool pool;            /* the server of the URL, unless it is a cluster */
	pthread_mutex_t lock;           /* guards the hashes of scripts, and: */
	struct kv_cluster *cluster;     /* NULL: a single server, as far as is known */
};

/* The connections to the server that has this slot (-1: to any server). */
enum errcode kv_find(struct kv *kv, int slot, struct kv_pool **out, int64_t until_ms,
    struct err *e);

#endif
