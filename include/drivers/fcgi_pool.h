/*
 * The threads of a FastCGI worker and the acceptor that feeds them. Knows connections,
 * not what is said on them.
 *
 * One thread, the acceptor, runs fcgi_pool_run(). A connection goes to an idle thread, or to a new
 * one while there are fewer than threads_max, or stays in the listen queue until there is one.
 */
#ifndef DRIVERS_FCGI_POOL_H
#define DRIVERS_FCGI_POOL_H

#include "drivers/fcgi.h"

struct fcgi_pool;
struct fcgi_thread;

struct fcgi_pool_config {
	int listener;             /* non-blocking; the pool's own from now on */
	int threads_max;
	int64_t idle_ms, read_ms, grace_ms;
	atomic_bool *stop;
	/* Serve the connection and close it. */
	void (*serve)(struct fcgi_thread *t, int fd, void *arg);
	void *arg;
};

/* ERR_IO: no descriptors for signals and wake-ups. The signals of fcgi_signals() are blocked. */
enum errcode fcgi_pool_open(struct fcgi_pool **out, const struct fcgi_pool_config *c,
    struct err *e);
/* As fcgi_serve(). */
enum errcode fcgi_pool_run(struct fcgi_pool *s, struct err *e);
void fcgi_pool_close(struct fcgi_pool *s);              /* NULL is allowed */
void fcgi_pool_stats(struct fcgi_pool *s, struct fcgi_stats *out);

/* For serve(): the request on `fd` is being read, and its sender may be cut off when read_ms have
 * passed since the connection came; -1: no longer. Must be over before fd is closed. */
void fcgi_thread_reading(struct fcgi_thread *t, int fd);
/* Has that time passed? False when the thread is not reading. */
bool fcgi_thread_late(const struct fcgi_thread *t);

/* A long wait is ahead: give the pages of the calling thread's stack that lie below its frames back
 * to the system. A search or a read from Redis goes some 16 kB deeper than a wait for a model, and
 * what they touched would stay for as long as it lasts. Costs a system call. No effect in a
 * thread that is not of a pool. */
void fcgi_thread_trim(void);

#endif
