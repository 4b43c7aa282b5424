/*
 * FastCGI server: one acceptor, one thread a request, made on demand.
 *
 * fcgi_serve() runs the acceptor in the calling thread. It collects each request. When a request
 * has arrived whole, an idle thread serves it, or a new one while there are fewer than threads_max;
 * at that limit connections wait in the listen queue. The caller should run fewer long requests
 * than threads_max, so that a thread is always left for short ones.
 *
 * Signals: the caller blocks fcgi_signals() before it starts any thread. SIGTERM, SIGINT and
 * SIGUSR1 stop the server: it takes no new connections, serves those already queued, gives running
 * requests grace_ms to end, then raises *stop. At a second signal fcgi_serve() returns at once.
 * SIGHUP is ignored.
 *
 * A struct fcgi_conn belongs to the thread that the handler runs in, and ends when the handler
 * returns.
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
	bool remote;           /* allow an address that other hosts can reach */
	int backlog;
	int threads_max;
	int64_t idle_ms;       /* a thread that has no work for this long ends */
	int64_t read_ms;       /* a request must arrive whole within this time */
	size_t body_max;       /* only this much of a longer body is read */
	/* limit of all waits of one answer for its reader; reading earns more time */
	int64_t send_ms;
	int64_t grace_ms;      /* for running requests after SIGTERM */
	/* raised when running requests must end at once; must outlive the server */
	atomic_bool *stop;
	/* raised when the server takes no new connections any more; the same */
	atomic_bool *draining;
};

/* Serve one request. Runs on a 256 KB stack. */
typedef void fcgi_handler(struct fcgi_conn *c, void *arg);

/* The signals this driver handles. Block them before FCGX_Init and before any thread starts. */
void fcgi_signals(sigset_t *set);

/* Raise RLIMIT_NOFILE to its hard limit. Returns how many of `threads` threads it is enough for. */
int fcgi_threads(int threads_max);

/* Open the listener. ERR_CONFIG, ERR_IO. */
enum errcode fcgi_open(struct fcgi **out, const struct fcgi_config *c, struct err *e);
/* Serve until stopped. OK: no request is running any more. ERR_TIMEOUT: requests were still running
 * when the grace period or a second signal ended the wait; then only _exit() is safe. */
enum errcode fcgi_serve(struct fcgi *s, fcgi_handler *handler, void *arg, struct err *e);
/* NULL is allowed; not while fcgi_serve() runs */
void fcgi_close(struct fcgi *s);

struct fcgi_stats {
	int threads, busy;
	uint64_t accepted;
	bool draining;
};
void fcgi_stats(struct fcgi *s, struct fcgi_stats *out);        /* may be called from any thread */

/* A parameter the web server sent ("REQUEST_METHOD", "HTTP_ORIGIN"), or NULL. Borrowed:
 * copy what must outlive the handler. */
const char *fcgi_param(struct fcgi_conn *c, const char *name);

/* Append the body to `out`. ERR_TOOBIG: it is longer than out->max or body_max. ERR_TIMEOUT: it did
 * not arrive whole in time; `out` has its beginning. */
enum errcode fcgi_body(struct fcgi_conn *c, struct buf *out, struct err *e);

/* Output is collected in 8 KB records until it is flushed. ERR_HUP: the reader has gone; every
 * later call returns it too. */
enum errcode fcgi_write(struct fcgi_conn *c, const char *p, size_t n);
enum errcode fcgi_flush(struct fcgi_conn *c);

/* Has the reader gone? One poll(2), never waits. Its connection is closed as soon as this or a write shows it. */
bool fcgi_gone(struct fcgi_conn *c);
/* To poll together with other descriptors: POLLIN or POLLRDHUP means that the reader has gone.
 * -1: it was found to have gone. */
int fcgi_fd(const struct fcgi_conn *c);

#endif
