/*
 * A socket's queue of frames and its end.
 */
#include "gateway/server_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

enum {
	QUEUE_MAX = 1 << 20,          /* bytes of memory that wait for a slow reader */
	HEAP_BYTES = 16,              /* what the heap keeps for a block */
};

static void wake(struct conn *c)
{
	if (c->waking || c->state == GONE)
		return;
	c->waking = true;
	c->wake = c->server->wake;
	c->server->wake = c;
	lws_cancel_service(c->server->context);
}

static void drop_frames(struct conn *c)
{
	while (c->first != NULL) {
		struct frame *f = c->first;
		c->first = f->next;
		free(f);
	}
	c->end = &c->first;
	c->queued = 0;
}

void conn_close(struct conn *c, int code, const char *why)
{
	if (c->close == 0) {
		c->close = code;
		c->why = why;
	}
	wake(c);
}

size_t frame_cost(const struct frame *f)
{
	return sizeof(*f) + HEAP_BYTES + LWS_PRE + f->n;
}

/* The first frame does not count: one large event is no sign of a slow reader. */
static bool too_much_waits(const struct conn *c)
{
	return c->first != NULL && c->queued - frame_cost(c->first) > QUEUE_MAX;
}

bool conn_queue(struct conn *c, const char *text, size_t n)
{
	if (c->state == GONE || c->close != 0)
		return false;
	if (too_much_waits(c)) {
		drop_frames(c);
		conn_close(c, CLOSE_SLOW, "reads too slowly");
		return false;
	}
	struct frame *f = heap_new(sizeof(*f) + LWS_PRE + n);
	f->n = n;
	memcpy(f->bytes + LWS_PRE, text, n);
	*c->end = f;
	c->end = &f->next;
	c->queued += frame_cost(f);
	wake(c);
	return true;
}

void conn_let_go(struct conn *c)
{
	if (--c->holders > 0)
		return;
	drop_frames(c);
	buf_release(&c->message);
	arena_free(c->next_mem);
	free(c->authorization);
	free(c->cookie);
	free(c->address);
	free(c);
}
