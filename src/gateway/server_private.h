/*
 * What the files of the server share: a socket, the list of all, and what is done to one.
 *
 * A socket is shared by the loop's thread and the thread of its turn, and lives until both have let
 * go of it. One lock guards all sockets: what is done under it takes microseconds. Only the loop's
 * thread may call libwebsockets; a turn puts its frames into the queue and wakes the loop.
 */
#ifndef GATEWAY_SERVER_PRIVATE_H
#define GATEWAY_SERVER_PRIVATE_H

#include <libwebsockets.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "gateway/frames.h"
#include "gateway/server.h"

/* Why a socket is closed: codes of RFC 6455 and its registry. */
static const int CLOSE_GOING = 1001, CLOSE_BINARY = 1003, CLOSE_POLICY = 1008, CLOSE_TOO_BIG = 1009,
    CLOSE_FAILED = 1011, CLOSE_SLOW = 1013;

struct frame {
	struct frame *next;
	size_t n;
	unsigned char bytes[];        /* LWS_PRE bytes, then the text */
};

enum conn_state { CHECKING, IDLE, BUSY, GONE };

struct conn {
	struct server *server;
	struct lws *wsi;
	int holders;                  /* the loop, and a thread */
	const struct relay_agent *agent;
	char *authorization, *cookie, *address;
	bool open;                    /* its handshake was completed */
	struct buf message;           /* what came of a frame */

	/* under the lock */
	enum conn_state state;
	struct client_frame next;     /* the message of the turn, or of the next one */
	struct arena *next_mem;       /* NULL: there is none */
	bool said_all;                /* the turn has put its last frame: the next message may come */
	struct frame *first, **end;
	size_t queued;                /* the memory of the frames, frame_cost() */
	int close;                    /* the code to close with; 0: stay open */
	const char *why;
	struct conn *wake;            /* list of sockets that the loop must look at */
	bool waking;
	struct conn *before, *after;  /* list of all */
};

struct server {
	const struct server_config *c;
	struct lws_context *context;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	struct conn *all, *wake;
	size_t sockets, threads;
};

extern volatile sig_atomic_t server_stopping;

/* server_conn.c; all with the lock held. The first reason to close a socket counts. */
void conn_close(struct conn *c, int code, const char *why);
/* False: the socket is gone or about to be closed. */
bool conn_queue(struct conn *c, const char *text, size_t n);
void conn_let_go(struct conn *c);
/* The memory that a frame takes, which is more than a short text. */
size_t frame_cost(const struct frame *f);

/* server_turn.c; with the lock held: start the thread that checks the token and answers messages. */
void turn_start(struct conn *c);

/* server_handshake.c. Before the handshake is answered: 0, or an answer was sent instead. */
int handshake_confirm(struct server *s, struct lws *wsi);
struct conn *conn_new(struct server *s, struct lws *wsi);

#endif
