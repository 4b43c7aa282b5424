/*
 * HTTP client: the only file that includes libcurl.
 *
 * A struct httpc is a pool of kept connections, made once per process and used by all
 * threads. Certificates are verified and the proxy variables of the environment honoured.
 */
#ifndef DRIVERS_HTTPC_H
#define DRIVERS_HTTPC_H

#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"

struct httpc;

struct httpc_reply {
	int status;
	const char *body;         /* NUL-terminated, in the arena */
	size_t n;
};

/* Once per process before the first thread; ERR_INTERNAL. */
enum errcode httpc_open(struct httpc **out, struct err *e);
void httpc_close(struct httpc *h);

/* Percent-encode for a query, space as '+'. Arena memory. */
const char *httpc_encode(struct arena *a, const char *text);

/*
 * GET a URL: at most max_bytes within timeout_ms. Any status is OK and left to the caller.
 * ERR_UPSTREAM (unreachable, not HTTP, certificate, too large) or ERR_TIMEOUT; messages name the
 * host and the reason, never the query, which may hold a key.
 */
enum errcode httpc_get(struct httpc *h, struct arena *a, const char *url, int timeout_ms,
    size_t max_bytes, struct httpc_reply *out, struct err *e);

#endif
