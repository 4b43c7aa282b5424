/*
 * The waiting room of a FastCGI worker: connections whose request has not arrived whole.
 *
 * A waiting connection costs a descriptor and a few hundred bytes, not a thread. So silent and slow
 * senders do not block others. The room has limits. When it is full, the connection that has waited
 * longest is closed: a web server sends its request at once, so that one is probably dead. Only one
 * thread, the acceptor, uses the room.
 */
#ifndef DRIVERS_FCGI_ROOM_H
#define DRIVERS_FCGI_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errs.h"
#include "drivers/fcgi_screen.h"

struct fcgi_room;

/* A request that has arrived: whole (SCREEN_DONE), with a body that is too long (SCREEN_FULL), or
 * with one that did not come in time (SCREEN_BODY). */
struct fcgi_arrival {
	int fd;                              /* blocking */
	struct fcgi_screen in;

	/* the room's own */
	int64_t until;                       /* then it is closed, or handed over as it is */
	size_t size;                         /* bytes of memory it uses */
	size_t dropped;                      /* bytes read after the answer */
	bool watched;                        /* epoll watches it */
	bool leaving;                        /* answered; what it still sends is dropped */
	struct fcgi_arrival *older, *newer;
};

struct fcgi_room_config {
	int max;                  /* connections */
	size_t bytes_max;         /* memory of all of them together */
	size_t body_max;          /* of one request */
	int64_t wait_ms;          /* time for a request to arrive whole */
};

/* ERR_IO: no epoll descriptor. */
enum errcode fcgi_room_open(struct fcgi_room **out, const struct fcgi_room_config *c,
    struct err *e);
void fcgi_room_close(struct fcgi_room *r);       /* closes all connections; NULL is allowed */

int fcgi_room_fd(const struct fcgi_room *r);     /* readable when fcgi_room_work() has work */
/* Milliseconds until fcgi_room_work() must be called again; -1: no limit. */
int64_t fcgi_room_due(const struct fcgi_room *r);
/* Add a connection that was just accepted. It is read at once, because its request has often
 * arrived already. */
void fcgi_room_enter(struct fcgi_room *r, int fd);
/* Take back a connection that was answered before its request was read whole. Closing it at once
 * could lose the answer, so the rest is read and dropped, for a limited time. */
void fcgi_room_leave(struct fcgi_room *r, struct fcgi_arrival *a);
/* Read what has arrived. Close connections that have waited too long. */
void fcgi_room_work(struct fcgi_room *r);
/* The oldest request that has arrived, or NULL. It stays until fcgi_room_take(). */
struct fcgi_arrival *fcgi_room_first(const struct fcgi_room *r);
void fcgi_room_take(struct fcgi_room *r);
/* Put back a request that was just taken but could not be handed on. It becomes the first again. */
void fcgi_room_return(struct fcgi_room *r, struct fcgi_arrival *a);
/* The number of connections that are not answered yet. */
int fcgi_room_waiting(const struct fcgi_room *r);

/* Free it. The caller closes the descriptor. */
void fcgi_arrival_free(struct fcgi_arrival *a);

#endif
