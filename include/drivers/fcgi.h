/*
 * FastCGI server: one acceptor, one thread a request, made on demand.
 *
 * fcgi_serve() runs the acceptor in the calling thread. It collects each request and, when it has
 * arrived whole, hands it to an idle thread, or to a new one while there are fewer than threads_max; at
 * that limit connections wait in the listen queue. The caller should run fewer long requests than
 * threads_max: then a thread is always left for short ones.
 *
 * Signals: the caller blocks fcgi_signals() before it starts any thread. SIGTERM, SIGINT and
 * SIGUSR1 stop: no new connections, those already queued are served, everything running has
 * grace_ms to end, then *stop is raised. A second one returns at once. SIGHUP is taken
 * and ignored.
 *
 * A struct fcgi_conn belongs to the thread that was called with it and dies when the
 * handler returns.
 */
#ifndef DRIVERS_FCGI_H
#define DRIVERS_FCGI_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errs.h"

struct buf;
struct fcgi;
struct fcgi_conn;

struct fcgi_config {
	const char *listen;    /* see fcgi_listen(); NULL: inherited only */
	bool remote;           /* the address may be one that other hosts reach */
	int backlog;
	int threads_max;
	int64_t idle_ms;       /* a thread without work this long ends */
	int64_t read_ms;       /* a request must have arrived within this */
	size_t body_max;       /* only this much of a longer body is read */
	int64_t send_ms;       /* all waits for one answer's reader together; reading earns more time */
	int64_t grace_ms;      /* for running requests after SIGTERM */
	atomic_bool *stop;     /* raised when they must end at once; outlives the server */
};

/* Serve one request. Runs on a 256 KB stack. */
typedef void fcgi_handler(struct fcgi_conn *c, void *arg);

/* The signals this driver takes; block them before FCGX_Init, threads and all else. */
void fcgi_signals(sigset_t *set);

/* Raise RLIMIT_NOFILE to its hard limit; returns how many of so many threads it carries. */
int fcgi_threads(int threads_max);

/* Open the listener. ERR_CONFIG, ERR_IO. */
enum errcode fcgi_open(struct fcgi **out, const struct fcgi_config *c, struct err *e);
/* Until stopped. OK: nothing is running any more. ERR_TIMEOUT: requests were still running
 * when the grace period or a second signal ended the wait; then only _exit() is safe. */
enum errcode fcgi_serve(struct fcgi *s, fcgi_handler *handler, void *arg, struct err *e);
void fcgi_close(struct fcgi *s);                        /* NULL is allowed; not while serving */

struct fcgi_stats {
	int threads, busy;
	uint64_t accepted;
	bool draining;
};
void fcgi_stats(struct fcgi *s, struct fcgi_stats *out);        /* any thread */

/* A parameter the web server sent ("REQUEST_METHOD", "HTTP_ORIGIN"), or NULL. Borrowed:
 * copy what must outlive the handler. */
const char *fcgi_param(struct fcgi_conn *c, const char *name);

/* Append the body to `out`. ERR_TOOBIG: it is longer than out->max or body_max. ERR_TIMEOUT: it did
 * not arrive whole in time; `out` has its beginning. */
enum errcode fcgi_body(struct fcgi_conn *c, struct buf *out, struct err *e);

/* Output is collected in 8 KB records until flushed. ERR_HUP: the reader has gone; every
 * later call says so too. */
enum errcode fcgi_write(struct fcgi_conn *c, const char *p, size_t n);
enum errcode fcgi_flush(struct fcgi_conn *c);

/* Has the reader gone? One poll(2), never waits. */
bool fcgi_gone(struct fcgi_conn *c);
/* For polling beside other descriptors: POLLIN or POLLRDHUP means the reader has gone. */
int fcgi_fd(const struct fcgi_conn *c);

#endif
