/*
 * A service over HTTP that may be away: bounded replies, time limits, and rest.
 *
 * A service that cannot be reached gets no call for half a minute, because a waiting call holds
 * resources that other turns need. After that one call is let through; if it succeeds, calls
 * resume. Thread-safe.
 */
#ifndef SERVICES_REMOTE_H
#define SERVICES_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/errs.h"
#include "base/watch.h"
#include "drivers/httpc.h"

enum { REST_MS = 30000 };

/* -- rest: of anything that may be away; all zero: it is there -- */

struct rest {
	int64_t rest_ms;               /* how long a rest lasts; 0: REST_MS */
	int after;                     /* a rest begins after so many failures in a row; 0: after one */
	_Atomic int64_t failures;      /* in a row */
	_Atomic int64_t until_ms;      /* no call before this time; 0: no rest */
};

enum rest_news {
	REST_THERE,
	REST_AWAY,                     /* a failure */
	REST_UNKNOWN,                  /* the call shows neither */
};

/* May a call be made now? The first call after a rest is let through, the others wait for its
 * result. True: rest_tell() must follow, with *probe. */
bool rest_ask(struct rest *r, int64_t *probe);
/* How the call went. True: with this a rest began (REST_AWAY) or ended (REST_THERE). */
bool rest_tell(struct rest *r, int64_t probe, enum rest_news news);
/* Milliseconds until calls are made again; 0: it does not rest. */
int64_t rest_left_ms(const struct rest *r);

/* -- a service -- */

struct remote {
	struct httpc *http;
	const char *name;              /* for messages: "Cohere" */
	int64_t connect_ms, total_ms;  /* total_ms: for a call, its second try included */
	struct rest rest;
};

/* Strings borrowed. Nothing to release. */
void remote_init(struct remote *r, struct httpc *http, const char *name, int64_t connect_ms,
    int64_t total_ms);

struct remote_request {
	const char *url;
	const char *const *fields;     /* "Name: value", NULL at the end */
	const struct buf *body;        /* JSON; NULL: GET */
	const struct watch *watch;     /* may be NULL */
};

/*
 * Ask, once more after a hiccup. The reply's body is put into `reply`, whose ceiling is the limit;
 * any *status is OK. ERR_UPSTREAM: it rests, cannot be reached, took too long or says too much;
 * the message says which, without path, query and fields. All other codes are the watch's, also
 * ERR_TIMEOUT.
 */
enum errcode remote_call(struct remote *r, const struct remote_request *q, struct buf *reply,
    int *status, struct err *e);

/* "http://host" or "https://host", printable, no fragment: an address that can be asked. */
bool remote_address_ok(const char *url);

#endif
