/*
 * One epoll instance and two lists. `waiting` is in the order of arrival. All connections may wait
 * equally long, so this is also the order of their deadlines: the next one to close, because it is
 * overdue or because the room is full, is always the first. `ready` holds requests that a thread
 * can take.
 */
#include "drivers/fcgi_room.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

enum {
	CHUNK = 65536,               /* bytes read from one connection before the next one is read */
	EVENTS = 64,
	DROP_MAX = 64 << 20,         /* most bytes read and dropped after the answer */
	SAY_AGAIN_MS = 10000,        /* between two log lines about a full room */
};

struct list {
	struct fcgi_arrival *oldest, *newest;
	int n;
};

struct fcgi_room {
	struct fcgi_room_config conf;
	int epfd;
	struct list waiting, ready;
	int nleaving;
	size_t bytes;                /* used by both lists */
	int64_t said_ms;
	int evicted;
	char chunk[CHUNK];
};

/* -- lists -- */

static void append(struct list *l, struct fcgi_arrival *a)
{
	a->older = l->newest;
	a->newer = NULL;
	if (l->newest != NULL)
		l->newest->newer = a;
	else
		l->oldest = a;
	l->newest = a;
	l->n++;
}

static void unlink_from(struct list *l, struct fcgi_arrival *a)
{
	if (a->older != NULL)
		a->older->newer = a->newer;
	else
		l->oldest = a->newer;
	if (a->newer != NULL)
		a->newer->older = a->older;
	else
		l->newest = a->older;
	l->n--;
}

/* -- connections -- */

void fcgi_arrival_free(struct fcgi_arrival *a)
{
	fcgi_screen_release(&a->in);
	free(a);
}

static void count_bytes(struct fcgi_room *r, struct fcgi_arrival *a)
{
	size_t now = a->in.params.size + a->in.body.size;
	r->bytes += now - a->size;
	a->size = now;
}

/* Take it out of `waiting`, but leave it open. */
static void stop_waiting(struct fcgi_room *r, struct fcgi_arrival *a)
{
	unlink_from(&r->waiting, a);
	r->nleaving -= a->leaving;
	if (a->watched)
		(void)epoll_ctl(r->epfd, EPOLL_CTL_DEL, a->fd, NULL);
	a->watched = false;
}

static void drop(struct fcgi_room *r, struct fcgi_arrival *a)
{
	stop_waiting(r, a);
	r->bytes -= a->size;
	(void)close(a->fd);
	fcgi_arrival_free(a);
}

/* Send the reply, without waiting. It is a few bytes and the socket's buffer is empty, so it fits;
 * bytes that do not fit are dropped. */
static bool reply(struct fcgi_arrival *a)
{
	struct buf *b = &a->in.reply;
	if (b->n == 0)
		return true;
	ssize_t n = send(a->fd, b->p, b->n, MSG_DONTWAIT | MSG_NOSIGNAL);
	bool whole = n == (ssize_t)b->n;
	buf_release(b);
	return whole;
}

static bool drop_some(struct fcgi_room *r, struct fcgi_arrival *a, size_t n)
{
	a->dropped += n;
	if (a->dropped <= DROP_MAX)
		return true;
	drop(r, a);
	return false;
}

/* Read what has arrived. False: the connection has left the waiting list, and may have been
 * freed. */
static bool read_some(struct fcgi_room *r, struct fcgi_arrival *a)
{
	ssize_t n = recv(a->fd, r->chunk, sizeof(r->chunk), MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return true;
	if (n <= 0) {
		log_msg(LOG_DEBUG, "fcgi", "connection ended without a whole request");
		drop(r, a);
		return false;
	}
	if (a->leaving)
		return drop_some(r, a, (size_t)n);
	enum fcgi_screen_state state = fcgi_screen_feed(&a->in, r->chunk, (size_t)n);
	count_bytes(r, a);
	bool heard = reply(a);
	switch (state) {
	case SCREEN_DONE:
	case SCREEN_FULL:
		stop_waiting(r, a);
		append(&r->ready, a);
		return false;
	case SCREEN_REFUSED:
		log_msg(LOG_WARN, "refused", "a connection that broke the FastCGI protocol was "
		    "closed: %s", a->in.why);
		drop(r, a);
		break;
	case SCREEN_HEAD:
	case SCREEN_BODY:
		if (heard)
			return true;
		drop(r, a);
		break;
	case SCREEN_ABORTED:
		drop(r, a);
		break;
	}
	return false;
}

/* Too many connections or too many bytes: close the one that has waited longest. */
static void make_room(struct fcgi_room *r)
{
	while (r->waiting.n > r->conf.max || (r->bytes > r->conf.bytes_max && r->waiting.n > 1)) {
		r->evicted++;
		drop(r, r->waiting.oldest);
	}
	int64_t now = clock_mono_ms();
	if (r->evicted > 0 && (r->said_ms == 0 || now - r->said_ms >= SAY_AGAIN_MS)) {
		log_msg(LOG_WARN, "accept", "closed %d connections that had not sent a whole request, "
		    "because no more than %d may wait", r->evicted, r->conf.max);
		r->said_ms = now;
		r->evicted = 0;
	}
}

static void overdue(struct fcgi_room *r, struct fcgi_arrival *a)
{
	if (!a->leaving && a->in.state == SCREEN_BODY) {
		stop_waiting(r, a);
		append(&r->ready, a);
		return;
	}
	if (!a->leaving)
		log_msg(LOG_INFO, "refused", "no request within %lld ms: connection closed",
		    (long long)r->conf.wait_ms);
	drop(r, a);
}

static void admit(struct fcgi_room *r, struct fcgi_arrival *a)
{
	a->until = clock_mono_ms() + r->conf.wait_ms;
	r->nleaving += a->leaving;
	append(&r->waiting, a);
}

/* The request is not complete yet: watch for more bytes. */
static void watch(struct fcgi_room *r, struct fcgi_arrival *a)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.ptr = a };
	a->watched = epoll_ctl(r->epfd, EPOLL_CTL_ADD, a->fd, &ev) == 0;
	if (a->watched)
		return;
	log_msg(LOG_WARN, "accept", "connection dropped: epoll: %m");
	drop(r, a);
}

/* -- the door -- */

enum errcode fcgi_room_open(struct fcgi_room **out, const struct fcgi_room_config *c,
    struct err *e)
{
	struct fcgi_room *r = calloc(1, sizeof(*r));
	if (r == NULL)
		return err_set(e, ERR_INTERNAL, "no memory");
	r->conf = *c;
	r->epfd = epoll_create1(EPOLL_CLOEXEC);
	if (r->epfd < 0) {
		free(r);
		return err_set(e, ERR_IO, "epoll: %m");
	}
	*out = r;
	return OK;
}

void fcgi_room_close(struct fcgi_room *r)
{
	if (r == NULL)
		return;
	while (r->waiting.oldest != NULL)
		drop(r, r->waiting.oldest);
	for (struct fcgi_arrival *a; (a = fcgi_room_first(r)) != NULL;) {
		fcgi_room_take(r);
		(void)close(a->fd);
		fcgi_arrival_free(a);
	}
	(void)close(r->epfd);
	free(r);
}

int fcgi_room_fd(const struct fcgi_room *r)
{
	return r->epfd;
}

int64_t fcgi_room_due(const struct fcgi_room *r)
{
	if (r->waiting.oldest == NULL)
		return -1;
	int64_t left = r->waiting.oldest->until - clock_mono_ms();
	return left > 0 ? left : 0;
}

void fcgi_room_enter(struct fcgi_room *r, int fd)
{
	struct fcgi_arrival *a = calloc(1, sizeof(*a));
	if (a == NULL) {
		log_msg(LOG_WARN, "accept", "connection dropped: no memory");
		(void)close(fd);
		return;
	}
	a->fd = fd;
	fcgi_screen_init(&a->in, r->conf.body_max);
	admit(r, a);
	if (read_some(r, a))       /* most requests have arrived whole by now */
		watch(r, a);
	make_room(r);
}

void fcgi_room_leave(struct fcgi_room *r, struct fcgi_arrival *a)
{
	fcgi_screen_release(&a->in);
	a->leaving = true;
	(void)shutdown(a->fd, SHUT_WR);
	admit(r, a);
	watch(r, a);
	make_room(r);
}

void fcgi_room_work(struct fcgi_room *r)
{
	struct epoll_event ev[EVENTS];
	int n = epoll_wait(r->epfd, ev, EVENTS, 0);
	for (int i = 0; i < n; i++)
		(void)read_some(r, ev[i].data.ptr);
	make_room(r);
	int64_t now = clock_mono_ms();
	while (r->waiting.oldest != NULL && now >= r->waiting.oldest->until)
		overdue(r, r->waiting.oldest);
}

struct fcgi_arrival *fcgi_room_first(const struct fcgi_room *r)
{
	return r->ready.oldest;
}

void fcgi_room_take(struct fcgi_room *r)
{
	r->bytes -= r->ready.oldest->size;
	r->ready.oldest->size = 0;
	unlink_from(&r->ready, r->ready.oldest);
}

void fcgi_room_return(struct fcgi_room *r, struct fcgi_arrival *a)
{
	count_bytes(r, a);
	a->older = NULL;
	a->newer = r->ready.oldest;
	if (a->newer != NULL)
		a->newer->older = a;
	else
		r->ready.newest = a;
	r->ready.oldest = a;
	r->ready.n++;
}

int fcgi_room_waiting(const struct fcgi_room *r)
{
	return r->waiting.n - r->nleaving;
}
