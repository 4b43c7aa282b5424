/*
 * Listening to channels of Redis (SUBSCRIBE), over one connection of its own.
 *
 * One thread waits in kv_listen_wait(); any thread may add and drop channels, and wake it. In a
 * cluster it listens at one node: a cluster passes what is published on to all nodes.
 *
 * Redis does not keep what it publishes: a message that was sent while this connection was broken is lost. So
 * a message may only be a hint that there is something to read. KV_JOINED says that from now on everything
 * published on the channel is heard. It comes again after each reconnect. Each time, read once what the hints
 * are about. A connection that is silent is checked with a PING. If no answer comes, the connection is made
 * anew, after a pause.
 */
#ifndef DRIVERS_KV_LISTEN_H
#define DRIVERS_KV_LISTEN_H

#include "base/arena.h"
#include "base/errs.h"
#include "drivers/kv.h"

struct kv_listen;

enum kv_heard {
	KV_WOKEN,                     /* somebody called kv_listen_wake(), or the time is up */
	KV_JOINED,                    /* from now on, what is published on `channel` is heard */
	KV_HEARD,                     /* `text` was published on `channel` */
};

struct kv_notice {
	enum kv_heard kind;
	struct str channel, text;     /* memory of the arena */
};

/* Does not connect yet. The kv must live longer. */
struct kv_listen *kv_listen_open(struct kv *kv);
void kv_listen_close(struct kv_listen *l);      /* NULL is allowed; no thread may be in a call */

/* Adding a channel that is there already gives KV_JOINED once more. */
void kv_listen_add(struct kv_listen *l, const char *channel);
void kv_listen_drop(struct kv_listen *l, const char *channel);
/* Make the running wait, or else the next one, return KV_WOKEN. */
void kv_listen_wake(struct kv_listen *l);

/* Wait at most timeout_ms for the next notice. On ERR_STORE the connection is broken or cannot be
 * made; the next call tries again. ERR_STORE is returned at most
 * every 250 ms. */
enum errcode kv_listen_wait(struct kv_listen *l, struct arena *a, int timeout_ms,
    struct kv_notice *out, struct err *e);

#endif
