/*
 * HTTP client. Only its own files include libcurl.
 *
 * All callers share connections, name look-ups and TLS sessions, and these are kept between calls.
 * A caller sends and waits in its own thread, through its watch, and gets the reply there. HTTP/1.1
 * only. Certificates are verified. The proxy variables of the environment have effect (http_proxy,
 * https_proxy, all_proxy, no_proxy).
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
	const char *ca_file;      /* only these certificates are trusted; NULL: the system's */
	int max_idle;             /* unused connections that are kept; 0: 256 */
};

/* `c` may be NULL. The thread takes no signals. A process that forks must do so before this call.
 * ERR_INTERNAL; ERR_CONFIG: ca_file cannot be read. */
enum errcode httpc_open(struct httpc **out, const struct httpc_config *c, struct err *e);
void httpc_close(struct httpc *h);            /* NULL is allowed; no call may be running */

/* Percent-encode for a query, space as '+'. Arena memory. */

/* Only borrowed for the call. */
struct httpc_request {
	const char *url;
	const char *const *fields;    /* "Name: value", NULL at the end; NULL: none */
	const char *body;             /* NULL: GET, else POST */
	size_t nbody;
	const char *method;           /* another one than these; NULL: none */
	const char *keep;             /* a field of the reply's head that *head shall hold; NULL: none */
	/* limit for name look-up, connection and TLS; 0: none, in the next three too */
	int64_t connect_ms;
	/* from the start to the first piece of the body; if only a head has come by then,
	 * idle_ms applies */
	int64_t first_ms;
	int64_t idle_ms;              /* between two pieces */
	int64_t total_ms;
	size_t max_bytes;             /* of the reply's body */
};

/* Head of a reply, and how the call went; also valid when the call failed. */
struct httpc_head {
	int status;               /* 0: no reply began */
	int64_t retry_after_ms;   /* Retry-After, in seconds or as a date; -1: none */
	char type[64];            /* Content-Type, lower case, without parameters; "" */
	char kept[256];           /* the field that was to be kept; "": it is missing, or longer */
	bool sent;                /* at least a part of the request was sent; known at the end */
	bool uploaded;            /* its body is not read again, so its memory may be freed */
	bool reused;              /* the connection existed before */
	/* the watch or the reader ended the call; the server did nothing wrong */
	bool stopped;
};

/* Called with each piece of the body, in the calling thread. Any result but OK ends the call with
 * that code. The head's status and type are set. */
typedef enum errcode httpc_body_fn(void *arg, const struct httpc_head *head, const char *p,
    size_t n, struct err *e);

/*
 * Make one request. Any status is OK and left to the caller, a redirect too. Errors:
 *   ERR_UPSTREAM  unreachable, not HTTP, dropped before or in the middle of the answer, or larger
 *                 than max_bytes
 *   ERR_TIMEOUT   one of the limits
 *   ERR_CONFIG    not an http:// or https:// address, a line break in a field, or a certificate
 *                 that is not trusted: asking again does not help
 *   ERR_IO        no descriptors
 * The watch's code and body()'s code are returned as they are, with head->stopped. When the call
 * ends early, its connection is closed before this returns. If a kept connection turns out to be
 * closed, the request is sent again over a new one. Messages name scheme, host and reason, never
 * the path, query or user information, because these may hold a key.
 */
enum errcode httpc_call(struct httpc *h, const struct httpc_request *req, const struct watch *w,
    httpc_body_fn *body, void *arg, struct httpc_head *head, struct err *e);

#endif
