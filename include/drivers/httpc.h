/*
 * HTTP client. Only its own files include libcurl.
 *
 * One thread of its own drives every transfer of the process, so connections, name look-ups and
 * TLS sessions are shared by all callers and kept between calls; a caller waits in its own
 * thread, through its watch, and gets the reply there. HTTP/1.1. Certificates are verified and the
 * proxy variables of the environment honoured (http_proxy, https_proxy, all_proxy, no_proxy).
 */
#ifndef DRIVERS_HTTPC_H
#define DRIVERS_HTTPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/watch.h"

struct httpc;

struct httpc_config {
	const char *ca_file;      /* certificates to trust and no others; NULL: the system's */
	int max_idle;             /* connections kept while unused; 0: 256 */
};

/* `c` may be NULL. The thread takes no signals. A process that forks does so before.
 * ERR_INTERNAL; ERR_CONFIG: ca_file cannot be read. */
enum errcode httpc_open(struct httpc **out, const struct httpc_config *c, struct err *e);
void httpc_close(struct httpc *h);            /* NULL is allowed; no call may be running */

/* Percent-encode for a query, space as '+'. Arena memory. */
const char *httpc_encode(struct arena *a, const char *text);

/* Borrowed for the call. */
struct httpc_request {
	const char *url;
	const char *const *fields;    /* "Name: value", NULL at the end; NULL: none */
	const char *body;             /* NULL: GET, else POST */
	size_t nbody;
	int64_t connect_ms;           /* name look-up, connection and TLS; 0: no limit, as below */
	int64_t first_ms;             /* from the start to the first piece of the body; when only a
	                               * head has come by then, idle_ms since that decides */
	int64_t idle_ms;              /* between two pieces */
	int64_t total_ms;
	size_t max_bytes;             /* of the reply's body */
};

/* Head of a reply and how the call went; valid also when it failed. */
struct httpc_head {
	int status;               /* 0: no reply began */
	int64_t retry_after_ms;   /* Retry-After, in seconds or as a date; -1: none */
	char type[64];            /* Content-Type, lower case, without parameters; "" */
	bool sent;                /* the request was on its way, or all of it gone; known at the end */
	bool uploaded;            /* its body is not read again: the memory may go */
	bool reused;              /* over a connection that was there */
	bool stopped;             /* the watch or the reader ended it, nothing is wrong with the server */
};

/* A piece of the body, in the calling thread. Anything but OK ends the call with that code; the
 * head's status and type are set. */
typedef enum errcode httpc_body_fn(void *arg, const struct httpc_head *head, const char *p,
    size_t n, struct err *e);

/*
 * One request. Any status is OK and left to the caller, a redirect too. ERR_UPSTREAM:
 * unreachable, not HTTP, dropped before or in the middle of the answer, larger than max_bytes;
 * ERR_TIMEOUT: one of the limits; what the watch or body() returned, with head->stopped;
 * ERR_CONFIG: not an http:// or https:// address, a line break in a field, a certificate that is
 * not trusted: asking again does not help; ERR_IO: no descriptors. When it ends early the
 * connection is closed before this returns. A request whose kept connection turns out to be closed
 * is sent again over a new one. Messages name scheme, host and reason, never the path, query or
 * user information, which may hold a key.
 */
enum errcode httpc_call(struct httpc *h, const struct httpc_request *req, const struct watch *w,
    httpc_body_fn *body, void *arg, struct httpc_head *head, struct err *e);

#endif
