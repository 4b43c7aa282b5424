/*
 * The FastCGI server. libfcgi only writes the answers and reads the head.
 *
 * A request arrives whole and checked (fcgi_screen.h). libfcgi reads its head from a file in
 * memory, which holds the checked request in a form written by us: with ipcFd set and
 * keepConnection true, FCGX_Accept_r() skips its own accept. Then ipcFd becomes the connection, and
 * libfcgi writes the answer to it. libfcgi never gets the body.
 *
 * libfcgi writes with write(2), which could wait for ever for a reader who takes one byte now and
 * then. So nothing is written before the socket has room for it, and the waiting time is counted.
 */
#include "drivers/fcgi.h"

#include <errno.h>
#include <fcgiapp.h>
#include <linux/sockios.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "drivers/fcgi_listen.h"
#include "drivers/fcgi_pool.h"

enum { ABORT_REQUEST = 2 };      /* record type, second byte of a header */
enum {
	LIBFCGI_BUFFER = 8192,
	PIECE = 8000,            /* the most that is written at a time */
	SOCKET_BUFFER = 208 << 10,
	PACE = 8,                /* bytes that earn a reader one millisecond more */
	LOOK_MS = 500,           /* how often a slow reader's progress is checked */
	ROOM_MIN = 16, ROOM_MAX = 1024,
	ROOM_BYTES = 64 << 20,
	FDS_A_THREAD = 4, FDS_BASE = 48, THREADS_MIN = 4,
};

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U       /* missing in the C library of Debian 12 */
#endif

struct fcgi {
	struct fcgi_config conf;
	struct fcgi_pool *pool;
	fcgi_handler *handler;
	void *arg;
	pthread_mutex_t head_lock;       /* guards `head` */
	bool local;                      /* connections are Unix sockets */
	int head;                        /* file in memory, from which libfcgi reads; -1: none */
};

struct fcgi_conn {
	FCGX_Request req;
	struct fcgi *server;
	struct fcgi_arrival *arrival;
	int fd;
	bool broken;                     /* nothing can be written any more */
	int64_t waited_ms;               /* how long we have waited for the reader */
	int64_t taken;                   /* bytes that the reader took meanwhile */
	int64_t room;                    /* room left in the socket, as the kernel counts it */
};

/* ---- reading ----------------------------------------------------------------------- */

static int memory_file(void)
{
	int fd = memfd_create("request", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
	if (fd < 0 && errno == EINVAL)
		fd = memfd_create("request", MFD_CLOEXEC);
	return fd;
}

/* Write the head into the file that libfcgi reads. Bytes of an earlier, longer head may follow it;
 * libfcgi does not read them, because the last record of a head says that it is the last. */
static bool put_head(int fd, const struct fcgi_screen *in)
{
	struct buf b;
	buf_init(&b, 2 * SCREEN_PARAMS_MAX);
	fcgi_screen_head(in, &b);
	bool done = !b.full && pwrite(fd, b.p, b.n, 0) == (ssize_t)b.n && lseek(fd, 0, SEEK_SET) == 0;
	buf_release(&b);
	return done;
}

/* Let libfcgi read the head. All requests share one file, because this takes a few microseconds. */
static bool open_request(struct fcgi_conn *c)
{
	struct fcgi *s = c->server;

	FCGX_InitRequest(&c->req, -1, 0);
	c->req.keepConnection = 1;
	pthread_mutex_lock(&s->head_lock);
	if (s->head < 0)
		s->head = memory_file();
	bool done = s->head >= 0 && put_head(s->head, &c->arrival->in);
	if (done) {
		c->req.ipcFd = s->head;
		done = FCGX_Accept_r(&c->req) == 0;
		if (!done)
			s->head = -1;      /* libfcgi has closed it */
	}
	pthread_mutex_unlock(&s->head_lock);
	if (!done) {
		log_msg(LOG_ERROR, "fcgi", "request dropped: libfcgi could not read it: %m");
		return false;
	}
	c->req.ipcFd = c->fd;
	FCGX_FreeStream(&c->req.in);
	buf_release(&c->arrival->in.params);
	return true;
}

const char *fcgi_param(struct fcgi_conn *c, const char *name)
{
	/* When a field is sent twice, the later one counts: a site overrides in this way what it
	 * included. With nginx the earlier REMOTE_USER may be one that the client has made up. */
	const char *found = NULL;
	size_t n = strlen(name);
	for (char **p = c->req.envp; *p != NULL; p++)
		if (strncmp(*p, name, n) == 0 && (*p)[n] == '=')
			found = *p + n + 1;
	return found;
}

enum errcode fcgi_body(struct fcgi_conn *c, struct buf *out, struct err *e)
{
	struct fcgi_screen *in = &c->arrival->in;

	buf_put(out, in->body.p, in->body.n);
	buf_release(&in->body);
	if (out->full || in->state == SCREEN_FULL)
		return err_set(e, ERR_TOOBIG, "body over %zu bytes", out->max);
	if (in->state == SCREEN_BODY)
		return err_set(e, ERR_TIMEOUT, "body not complete after %lld ms",
		    (long long)c->server->conf.read_ms);
	return OK;
}

/* ---- writing ----------------------------------------------------------------------- */

/* Nothing can be written any more. The connection is closed now, because the request may go on for long without
 * its reader. */
static void hang_up(struct fcgi_conn *c)
{
	c->broken = true;
	if (c->fd >= 0)
		(void)close(c->fd);
	c->fd = c->arrival->fd = c->req.ipcFd = -1;
}

/* The bytes that the reader has not taken yet, as the kernel counts them. */
static int64_t backlog(const struct fcgi_conn *c)
{
	int n = 0;
	return ioctl(c->fd, SIOCOUTQ, &n) == 0 ? n : 0;
}

/* The most that a write of this many bytes adds to the kernel's count. */
static int64_t cost_of(size_t n)
{
	return 2 * (int64_t)n + 1280;
}

/* The bytes that can be written without waiting. A Unix socket reports that it is writable only
 * while three quarters of its buffer are free, so the free room is computed from its buffer size.
 * For TCP poll(2) is good enough. */
static int64_t room_now(const struct fcgi_conn *c)
{
	const int64_t enough = cost_of(LIBFCGI_BUFFER + PIECE);
	struct pollfd p = { .fd = c->fd, .events = POLLOUT };
	int size = 0;
	socklen_t n = sizeof(size);

	if (!c->server->local)
		return poll(&p, 1, 0) > 0 && (p.revents & POLLOUT) != 0 ? enough : 0;
	if (getsockopt(c->fd, SOL_SOCKET, SO_SNDBUF, &size, &n) != 0)
		return 0;
	int64_t waiting = backlog(c);
	return waiting == 0 && size < enough ? enough : size - waiting;
}

/* Called before the first wait for a reader: most answers fit whole into a larger buffer. The
 * buffer of a TCP socket grows by itself. */
static void widen(const struct fcgi_conn *c)
{
	const int size = SOCKET_BUFFER;
	if (c->server->local)
		(void)setsockopt(c->fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
}

/*
 * Wait until this much can be written. All waits of one answer together may last send_ms, plus the
 * time that the reader earns by taking bytes (PACE). A reader who takes nothing, or only a few
 * bytes now and then, counts as gone, so that the thread becomes free.
 */
static bool wait_for_room(struct fcgi_conn *c, int64_t cost)
{
	struct pollfd p = { .fd = c->fd, .events = POLLOUT };
	int64_t now = clock_mono_ms(), before = backlog(c);

	fcgi_thread_trim();
	while ((c->room = room_now(c)) < cost) {
		int64_t left = c->server->conf.send_ms + c->taken / PACE - c->waited_ms;
		if (atomic_load(c->server->conf.stop))
			return false;
		if (left <= 0) {
			log_msg(LOG_INFO, "slow_reader", "answer ended: the reader took only %lld bytes in "
			    "%lld ms", (long long)c->taken, (long long)c->waited_ms);
			return false;
		}
		if (poll(&p, 1, (int)(left < LOOK_MS ? left : LOOK_MS)) > 0 &&
		    (p.revents & (POLLERR | POLLHUP)) != 0)
			return false;
		int64_t since = now, after = backlog(c);
		now = clock_mono_ms();
		c->waited_ms += now - since;
		c->taken += after < before ? before - after : 0;
		before = after;
	}
	return true;
}

/* The bytes in libfcgi's buffer. */
static size_t unwritten(const struct fcgi_conn *c)
{
	const FCGX_Stream *out = c->req.out;
	return LIBFCGI_BUFFER - (size_t)(out->stop - out->wrNext);
}

/* Wait until libfcgi's buffer and this many bytes more can be written. False: the reader is gone. */
static bool may_write(struct fcgi_conn *c, size_t more)
{
	int64_t cost = cost_of(unwritten(c) + more);

	if (c->broken)
		return false;
	if (c->room < cost && (c->room = room_now(c)) < cost) {
		widen(c);
		if (!wait_for_room(c, cost)) {
			hang_up(c);
			return false;
		}
	}
	c->room -= cost;
	return true;
}

enum errcode fcgi_write(struct fcgi_conn *c, const char *p, size_t n)
{
	while (n > 0 && !c->broken) {
		int m = n < PIECE ? (int)n : PIECE;
		if (unwritten(c) + (size_t)m > LIBFCGI_BUFFER && !may_write(c, (size_t)m))
			break;
		if (FCGX_PutStr(p, m, c->req.out) != m)
			hang_up(c);
		p += m;
		n -= (size_t)m;
	}
	return c->broken ? ERR_HUP : OK;
}

enum errcode fcgi_flush(struct fcgi_conn *c)
{
	if (may_write(c, 0) && FCGX_FFlush(c->req.out) != 0)
		hang_up(c);
	return c->broken ? ERR_HUP : OK;
}

bool fcgi_gone(struct fcgi_conn *c)
{
	struct pollfd p = { .fd = c->fd, .events = POLLIN | POLLRDHUP };
	unsigned char head[2];
	bool gone = false;

	if (c->broken)
		return true;
	if (poll(&p, 1, 0) <= 0)
		return false;
	if ((p.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0) {
		gone = true;
	} else if ((p.revents & POLLIN) != 0 && c->arrival->in.state == SCREEN_DONE) {
		ssize_t n = recv(c->fd, head, sizeof(head), MSG_PEEK | MSG_DONTWAIT);
		gone = n == 0 || (n == 2 && head[1] == ABORT_REQUEST);
	}
	if (gone)
		hang_up(c);
	return gone;
}

int fcgi_fd(const struct fcgi_conn *c)
{
	return c->fd;
}

/* ---- one request ------------------------------------------------------------------- */

/* A write does not block after the wait for room. In case it does, the socket has a time-out
 * too. */
static void set_timeout(const struct fcgi_conn *c)
{
	const int64_t ms = c->server->conf.send_ms;
	struct timeval t = { .tv_sec = ms / 1000, .tv_usec = (ms % 1000) * 1000 };
	(void)setsockopt(c->fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof(t));
}

static void serve(struct fcgi_arrival *in, void *arg)
{
	struct fcgi *s = arg;
	struct fcgi_conn c = { .server = s, .arrival = in, .fd = in->fd };

	set_timeout(&c);
	if (open_request(&c)) {
		s->handler(&c, s->arg);
		if (may_write(&c, 0))
			c.broken = FCGX_FClose(c.req.err) != 0 || FCGX_FClose(c.req.out) != 0;
		FCGX_Free(&c.req, 0);
	} else {
		c.broken = true;
	}
	if (in->fd >= 0 && (c.broken || in->in.state == SCREEN_DONE)) {
		(void)close(in->fd);
		in->fd = -1;
	}
}

/* ---- life -------------------------------------------------------------------------- */

int fcgi_threads(int threads_max)
{
	struct rlimit r;
	if (getrlimit(RLIMIT_NOFILE, &r) != 0)
		return threads_max;
	if (r.rlim_cur < r.rlim_max) {
		r.rlim_cur = r.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &r) != 0)
			log_msg(LOG_WARN, "start", "cannot raise the descriptor limit: %m");
	}
	if (r.rlim_cur == RLIM_INFINITY ||
	    r.rlim_cur >= (rlim_t)threads_max * FDS_A_THREAD + FDS_BASE)
		return threads_max;
	int fit = r.rlim_cur < FDS_BASE ? 0 : (int)((r.rlim_cur - FDS_BASE) / FDS_A_THREAD);
	if (fit < THREADS_MIN)
		fit = THREADS_MIN;
	log_msg(LOG_WARN, "start", "descriptor limit %llu carries %d threads, not %d: raise "
	    "LimitNOFILE", (unsigned long long)r.rlim_cur, fit, threads_max);
	return fit;
}

/* The connections that may wait: as many as there are descriptors left beside the threads. */
static int room_for(int threads_max)
{
	struct rlimit r;
	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
		return ROOM_MAX;
	rlim_t taken = (rlim_t)threads_max * FDS_A_THREAD + FDS_BASE;
	rlim_t left = r.rlim_cur > taken ? r.rlim_cur - taken : 0;
	return left > ROOM_MAX ? ROOM_MAX : left < ROOM_MIN ? ROOM_MIN : (int)left;
}

static bool is_unix(int fd)
{
	int domain = 0;
	socklen_t n = sizeof(domain);
	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &n) == 0 && domain == AF_UNIX;
}

enum errcode fcgi_open(struct fcgi **out, const struct fcgi_config *c, struct err *e)
{
	struct fcgi_listener listener;
	struct fcgi *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return err_set(e, ERR_INTERNAL, "no memory");
	s->conf = *c;
	s->head = -1;
	pthread_mutex_init(&s->head_lock, NULL);
	enum errcode rc = fcgi_listen(&listener, c->listen, c->backlog, c->remote, e);
	if (rc == OK && FCGX_Init() != 0) {
		(void)close(listener.fd);
		rc = err_set(e, ERR_INTERNAL, "libfcgi did not initialise");
	}
	if (rc == OK) {
		s->local = is_unix(listener.fd);
		const struct fcgi_pool_config pool = {
			.listener = listener.fd,
			.threads_max = c->threads_max,
			.idle_ms = c->idle_ms,
			.grace_ms = c->grace_ms,
			.room = {
				.max = room_for(c->threads_max),
				.bytes_max = ROOM_BYTES,
				.body_max = c->body_max,
				.wait_ms = c->read_ms,
			},
			.stop = c->stop,
			.draining = c->draining,
			.serve = serve,
			.arg = s,
		};
		rc = fcgi_pool_open(&s->pool, &pool, e);
	}
	if (rc != OK) {
		fcgi_close(s);
		return rc;
	}
	log_msg(LOG_INFO, "listen", "how=%s address=%s threads_max=%d", listener.how,
	    c->listen != NULL ? c->listen : "-", c->threads_max);
	*out = s;
	return OK;
}

enum errcode fcgi_serve(struct fcgi *s, fcgi_handler *handler, void *arg, struct err *e)
{
	s->handler = handler;
	s->arg = arg;
	return fcgi_pool_run(s->pool, e);
}

void fcgi_close(struct fcgi *s)
{
	if (s == NULL)
		return;
	fcgi_pool_close(s->pool);
	if (s->head >= 0)
		(void)close(s->head);
	pthread_mutex_destroy(&s->head_lock);
	free(s);
}

void fcgi_stats(struct fcgi *s, struct fcgi_stats *out)
{
	fcgi_pool_stats(s->pool, out);
}
