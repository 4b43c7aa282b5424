/*
 * Connections to one server, shared by all threads. Private to src/drivers/kv*.c.
 *
 * When the server cannot be reached, the pool rests, longer each time, and then lets one call
 * through. So a server that is down gets one attempt at a time from each process, however many
 * threads wait. A call waits through rests for at most three quarters of its time; when the server
 * has been away for longer, calls fail at once with what the last attempt met.
 */
#ifndef DRIVERS_KV_POOL_H
#define DRIVERS_KV_POOL_H

#include <hiredis/hiredis.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/errs.h"
#include "drivers/kv_wire.h"

enum { KV_CONNS_MAX = 64 };

struct kv_conn {
	redisContext *c;
	int64_t idle_since;
};

struct kv_pool {
	const struct wire_way *way;  /* how to log in, and the server unless `host` is set */
	struct kv_host host;         /* a node of a cluster; name "": the URL names the server */
	char where[320];
	int timeout_ms, max_conns;

	pthread_mutex_t lock;        /* guards all that follows */
	pthread_cond_t returned, rested;
	struct kv_conn idle[KV_CONNS_MAX];
	int nidle, nout;
	unsigned answered;           /* exchanges so far, to tell whether the server works at all */
	int sentinel;                /* the sentinel that answered last */

	int failures;                /* in a row; 0: the server works */
	int64_t down_since, rest_until;
	bool trying;                 /* a call is trying to connect while the others rest */
	bool hopeless;               /* waiting does not help, for example a wrong password */
	struct err why;              /* what the last attempt met */
};

/* `host` NULL: the server of the URL. */
void kv_pool_init(struct kv_pool *p, const struct wire_way *way, const struct kv_host *host,
    int timeout_ms, int max_conns);
void kv_pool_end(struct kv_pool *p);            /* no connection may be out */

/* A connection that works, as far as can be seen without a round trip. ERR_OVERLOAD: all stayed in
 * use although the server answers. */
enum errcode kv_pool_borrow(struct kv_pool *p, redisContext **out, int64_t until_ms,
    struct err *e);
/* A connection of the caller's own, which does not count towards the limit; end it with
 * redisFree(). */
enum errcode kv_pool_connect(struct kv_pool *p, redisContext **out, int64_t until_ms,
    struct err *e);
/* c: NULL if the connection broke; the caller has freed it. */
void kv_pool_return(struct kv_pool *p, redisContext *c);
void kv_pool_close_idle(struct kv_pool *p);
/* The server does not work, as *why says: close what is idle and rest. */
void kv_pool_failed(struct kv_pool *p, const struct err *why);

#endif
