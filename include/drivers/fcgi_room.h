/*
 * The waiting room of a FastCGI worker: connections whose request has not arrived whole.
 *
 * A connection costs a descriptor and a few hundred bytes here, not a thread, so silent and slow
 * senders keep nobody from being served. Room is bounded: when it is full, the connection that has
 * waited longest is closed, as a web server sends a request at once. Belongs to one thread, the
 * acceptor.
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
	int64_t until;                       /* closed or handed over as it is at this time */
	size_t size;                         /* bytes it holds */
	size_t dropped;                      /* bytes read after the answer */
	bool watched;                        /* by epoll */
	bool leaving;                        /* answered; what it still sends is dropped */
	struct fcgi_arrival *older, *newer;
};

struct fcgi_room_config {
	int max;                  /* connections */
	size_t bytes_max;         /* of all of them together */
	size_t body_max;          /* of one request */
	int64_t wait_ms;          /* for a request to arrive whole */
};

/* ERR_IO: no epoll descriptor. */
enum errcode fcgi_room_open(struct fcgi_room **out, const struct fcgi_room_config *c,
    struct err *e);
void fcgi_room_close(struct fcgi_room *r);       /* closes all connections; NULL is allowed */

int fcgi_room_fd(const struct fcgi_room *r);     /* readable when fcgi_room_work() has work */
/* Milliseconds until something is due, -1: nothing will be. */
int64_t fcgi_room_due(const struct fcgi_room *r);
/* A connection that was just accepted; read at once, as its request is often there. */
void fcgi_room_enter(struct fcgi_room *r, int fd);
/* One that was answered before all was read: closed at once, its sender might lose the answer, so it
 * is read to its end, for a bounded time. */
void fcgi_room_leave(struct fcgi_room *r, struct fcgi_arrival *a);
/* Read what has come, close what is overdue. */
void fcgi_room_work(struct fcgi_room *r);
/* The request that arrived first, or NULL. It stays until taken. */
struct fcgi_arrival *fcgi_room_first(const struct fcgi_room *r);
void fcgi_room_take(struct fcgi_room *r);
/* What was taken just now could not be handed on: it is the first again. */
void fcgi_room_return(struct fcgi_room *r, struct fcgi_arrival *a);
/* How many are not answered yet. */
int fcgi_room_waiting(const struct fcgi_room *r);

/* Without its descriptor, which is the caller's. */
void fcgi_arrival_free(struct fcgi_arrival *a);

#endif
