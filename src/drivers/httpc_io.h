/*
 * What the files of the HTTP client share. No other file includes this.
 *
 *   httpc_call.c      waits in its caller's thread and checks the limits
 *   httpc_transfer.c  one request with libcurl: filled in, received, given back
 *   httpc_head.c      fields of the reply's head
 *   httpc_fault.c     what went wrong, in words
 *   httpc.c           what drives curl: the callers, and one thread for what no caller waits for
 */
#ifndef DRIVERS_HTTPC_IO_H
#define DRIVERS_HTTPC_IO_H

#include <curl/curl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "drivers/httpc.h"

enum { HTTPC_HEAD_MAX = 64 * 1024 };

/* All but the first members is guarded by the client's lock while curl has the transfer. */
struct transfer {
	struct httpc *client;
	CURL *easy;
	struct curl_slist *fields;
	int fd;                        /* eventfd: something has come for the caller */
	struct transfer *next;         /* in the list of fresh ones or in that of spares */
	int socket;                    /* the connection, while its caller waits for it; or -1 */
	char why[CURL_ERROR_SIZE];
	const char *body;              /* the caller's; NULL: curl has it or there is none */
	size_t nbody, nsent;
	curl_off_t ntotal;             /* bytes of the body */
	bool running;                  /* curl_multi has it */
	bool again;                    /* sent a second time */
	bool fresh;                    /* has something for its caller, who is told after curl's call */
	bool signalled;                /* fd has been written to */
	bool done;
	bool began;                    /* a line of the head has come */
	bool too_long;                 /* head or body */
	CURLcode code;
	struct httpc_head head;
	const char *keep;              /* the caller's */
	size_t nhead, room;            /* bytes of the head so far; of the body still allowed */
	int64_t last_ms;               /* when something came last */
	struct buf got;                /* received, not yet taken by the caller */
};

struct httpc {
	int epoll, wake;               /* what the thread waits on; wake: an eventfd in it */
	/* TLS sessions, which a curl_multi does not share by itself */
	CURLSH *share;
	pthread_mutex_t share_lock[CURL_LOCK_DATA_LAST];
	pthread_t thread;
	char *ca_file;
	bool one_bundle;               /* the system's certificates are in one file */
	int max_idle;

	pthread_mutex_t lock;          /* guards all that follows */
	CURLM *multi;
	int64_t due_ms;                /* when curl wants to be called; INT64_MAX: never */
	int64_t waits_ms;              /* the time until which the thread waits, like due_ms */
	int running;                   /* transfers the multi has */
	struct transfer *fresh, *spare;
	int nspare;
	bool stop;
};

/* ---- httpc.c: call these with the client's lock held -------------------------------- */

/* Give the transfer to curl, which does what it can without waiting. */
void httpc_begin(struct transfer *t);
/* The caller's connection is ready: let curl read. */
void httpc_drive(struct transfer *t);
/* Take the transfer from curl. One that is not done is cancelled, and its connection is closed. */
void httpc_end(struct transfer *t);
/* For what curl calls: there is something for the transfer's caller. */
void httpc_fresh(struct transfer *t);

/* ---- httpc_transfer.c: in the caller's thread --------------------------------------- */

/* What a caller knows of its transfer. */
struct known {
	struct buf body;               /* received, not yet passed on */
	int socket;                    /* the connection that the caller waits for; -1: none */
	bool began, done;              /* the reply's head has begun; curl has given the handle back */
	bool sent;                     /* a connection was there and the request on its way; at the end */
	int64_t start_ms, last_ms;     /* start of the call; last time the server sent something */
};

/* Begin a request. After OK transfer_end() must follow. ERR_CONFIG: not an address, a header field
 * with a line break; ERR_IO: no descriptors. */
enum errcode transfer_begin(struct httpc *h, const struct httpc_request *req, struct known *k,
    struct transfer **out, struct httpc_head *head, struct err *e);
/* Wait until there is something, and bring `k` and *head up to date. k->body must be empty: it is
 * swapped for what has come. Codes as watch_poll(). */
enum errcode transfer_wait(struct transfer *t, const struct watch *w, int64_t ms, struct known *k,
    struct httpc_head *head);
/* Give it back. If it is not done, it is cancelled, and its connection is closed when this
 * returns. */
void transfer_end(struct transfer *t, struct known *k);

void transfer_free(struct transfer *t);       /* NULL is allowed */

/* ---- httpc_transfer.c: called with the client's lock held ---------------------------- */

/* curl wants to read or write this connection (CURL_POLL_*). True: the caller waits for it. */
bool transfer_wants(struct transfer *t, curl_socket_t fd, int what);
/* Did the transfer fail because a kept connection was closed? Then it is ready to be sent again
 * over a new connection. True at most once. */
bool transfer_again(struct transfer *t, CURLcode code);

/* ---- httpc_head.c ------------------------------------------------------------------- */

/* Store the field if it is one of those in *head. keep: one more, see struct httpc_request. */
void httpc_head_field(struct httpc_head *head, struct str line, const char *keep);

/* ---- httpc_fault.c ------------------------------------------------------------------ */

/* The result of the call, once k->done. */
enum errcode transfer_verdict(struct transfer *t, const struct httpc_request *req,
    const struct known *k, struct err *e);
/* "https://host:port": the part of an address that may be shown. */
void httpc_address(const char *url, char *out, size_t size);
/* "30 s", "250 ms" */
const char *httpc_duration(char out[32], int64_t ms);

#endif
