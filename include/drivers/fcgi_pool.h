/*
 * The threads of a FastCGI worker and the acceptor that feeds them.
 *
 * One thread, the acceptor, runs fcgi_pool_run(). A request that has arrived goes to an idle thread,
 * or to a new one while there are fewer than threads_max. While all threads are busy, new
 * connections stay in the listen queue.
 */
#ifndef DRIVERS_FCGI_POOL_H
#define DRIVERS_FCGI_POOL_H

#include "drivers/fcgi.h"
#include "drivers/fcgi_room.h"

struct fcgi_pool;

struct fcgi_pool_config {
	int listener;             /* non-blocking; the pool owns it from now on */
	int threads_max;
	int64_t idle_ms, grace_ms;
	struct fcgi_room_config room;
	atomic_bool *stop, *draining;
	/* Answer the request. Then close its descriptor and set it to -1. Leave it open when its sender
	 * may still be sending: the pool then reads the rest (fcgi_room_leave()). */
	void (*serve)(struct fcgi_arrival *in, void *arg);
	void *arg;
};

/* ERR_IO: no descriptors for signals and wake-ups. The signals of fcgi_signals() are blocked. */
enum errcode fcgi_pool_open(struct fcgi_pool **out, const struct fcgi_pool_config *c,
    struct err *e);
/* As fcgi_serve(). */
enum errcode fcgi_pool_run(struct fcgi_pool *s, struct err *e);
void fcgi_pool_close(struct fcgi_pool *s);              /* NULL is allowed */
void fcgi_pool_stats(struct fcgi_pool *s, struct fcgi_stats *out);

/* Call this before a long wait. It gives the unused pages of the calling thread's stack back to the
 * system: a search or a read from Redis uses some 16 kB more stack than waiting for a model does,
 * and would otherwise keep it during the wait. Costs a system call. No effect in a thread that does
 * not belong to a pool. */
void fcgi_thread_trim(void);

#endif
