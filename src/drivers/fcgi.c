/*
 * FastCGI on libfcgi, which speaks the protocol and nothing else here.
 *
 * It is given a connection that is already there: with ipcFd set and keepConnection true,
 * FCGX_Accept_r() skips its own accept, and with -1 as listener it returns instead of waiting
 * when that connection turns out to be useless. FCGX_Finish_r() is made to leave the socket
 * open in the same way, because its own close waits up to two seconds for the peer.
 */
#include "drivers/fcgi.h"

#include <errno.h>
#include <fcgiapp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "drivers/fcgi_listen.h"
#include "drivers/fcgi_pool.h"

enum { ABORT_REQUEST = 2 };      /* record type, second byte of a header */

struct fcgi {
	struct fcgi_config conf;
	struct fcgi_pool *pool;
	fcgi_handler *handler;
	void *arg;
};

struct fcgi_conn {
	FCGX_Request req;
	struct fcgi *server;
	struct fcgi_thread *thread;
	int fd;                          /* `req.in` is NULL once the body was read to its end */
	bool broken;                     /* nothing can be written any more */
};

/* ---- one request ------------------------------------------------------------------- */

static void set_timeouts(int fd, const struct fcgi_config *c)
{
	struct timeval rcv = { .tv_sec = c->read_ms / 1000,
		.tv_usec = (c->read_ms % 1000) * 1000 };
	struct timeval snd = { .tv_sec = c->send_ms / 1000,
		.tv_usec = (c->send_ms % 1000) * 1000 };
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &rcv, sizeof(rcv));
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &snd, sizeof(snd));
}

static void serve(struct fcgi_thread *t, int fd, void *arg)
{
	struct fcgi *s = arg;
	struct fcgi_conn c = { .server = s, .thread = t, .fd = fd };

	set_timeouts(fd, &s->conf);
	FCGX_InitRequest(&c.req, -1, 0);
	c.req.ipcFd = fd;
	c.req.keepConnection = 1;
	if (FCGX_Accept_r(&c.req) != 0) {
		/* Not FastCGI, or gone: libfcgi has closed it. */
		log_msg(LOG_DEBUG, "fcgi", "no request on a connection");
		fcgi_thread_reading(t, -1);
		return;
	}
	fcgi_thread_reading(t, fd);
	s->handler(&c, s->arg);
	fcgi_thread_reading(t, -1);

	/* The answer goes out whole before a connection that went wrong is cut off; cut off it
	 * must be, or libfcgi's close would wait for a peer that is still sending. */
	if (!c.broken)
		c.broken = FCGX_FClose(c.req.err) != 0 || FCGX_FClose(c.req.out) != 0;
	if (c.broken || (c.req.in != NULL && FCGX_GetError(c.req.in) != 0))
		(void)shutdown(fd, SHUT_RDWR);
	c.req.keepConnection = 1;
	FCGX_Finish_r(&c.req);
	if (c.req.ipcFd >= 0)
		(void)close(c.req.ipcFd);
}

const char *fcgi_param(struct fcgi_conn *c, const char *name)
{
	/* Sent twice, the later one counts: that is how a site overrides what it included. With
	 * nginx the earlier REMOTE_USER may be what the client claims to be. */
	const char *found = NULL;
	size_t n = strlen(name);
	for (char **p = c->req.envp; *p != NULL; p++)
		if (strncmp(*p, name, n) == 0 && (*p)[n] == '=')
			found = *p + n + 1;
	return found;
}

enum errcode fcgi_body(struct fcgi_conn *c, struct buf *out, struct err *e)
{
	char chunk[8192];
	if (c->req.in == NULL)
		return OK;
	for (;;) {
		int n = FCGX_GetStr(chunk, (int)sizeof(chunk), c->req.in);
		if (n > 0)
			buf_put(out, chunk, (size_t)n);
		if (out->full)
			return err_set(e, ERR_TOOBIG, "body over %zu bytes", out->max);
		if (n < (int)sizeof(chunk))
			break;
	}
	int fault = FCGX_GetError(c->req.in);
	bool late = fcgi_thread_late(c->thread);
	fcgi_thread_reading(c->thread, -1);
	if (fault == 0) {
		/* nothing more will be read: its 8 kB would stay as long as the request */
		FCGX_FreeStream(&c->req.in);
		return OK;
	}
	if (fault == EAGAIN || late)
		return err_set(e, ERR_TIMEOUT, "body not complete after %lld ms",
		    (long long)c->server->conf.read_ms);
	c->broken = true;
	return err_set(e, ERR_HUP, "sender left before the body was complete");
}

bool fcgi_discard(struct fcgi_conn *c, size_t max)
{
	char chunk[8192];
	if (c->req.in == NULL)
		return true;
	for (size_t sum = 0; sum < max;) {
		int n = FCGX_GetStr(chunk, (int)sizeof(chunk), c->req.in);
		if (n > 0)
			sum += (size_t)n;
		if (n < (int)sizeof(chunk))
			return FCGX_GetError(c->req.in) == 0;
	}
	return false;
}

enum errcode fcgi_write(struct fcgi_conn *c, const char *p, size_t n)
{
	enum { PIECE = 1 << 30 };      /* libfcgi counts in int */
	while (n > 0 && !c->broken) {
		int m = n < PIECE ? (int)n : PIECE;
		c->broken = FCGX_PutStr(p, m, c->req.out) != m;
		p += m;
		n -= (size_t)m;
	}
	return c->broken ? ERR_HUP : OK;
}

enum errcode fcgi_flush(struct fcgi_conn *c)
{
	if (!c->broken)
		c->broken = FCGX_FFlush(c->req.out) != 0;
	return c->broken ? ERR_HUP : OK;
}

bool fcgi_gone(struct fcgi_conn *c)
{
	struct pollfd p = { .fd = c->fd, .events = POLLIN | POLLRDHUP };
	unsigned char head[2];

	if (c->broken)
		return true;
	if (poll(&p, 1, 0) <= 0)
		return false;
	if ((p.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0) {
		c->broken = true;
	} else if ((p.revents & POLLIN) != 0) {
		ssize_t n = recv(c->fd, head, sizeof(head), MSG_PEEK | MSG_DONTWAIT);
		c->broken = n == 0 || (n == 2 && head[1] == ABORT_REQUEST);
	}
	return c->broken;
}

int fcgi_fd(const struct fcgi_conn *c)
{
	return c->fd;
}

/* ---- life -------------------------------------------------------------------------- */

int fcgi_threads(int threads_max)
{
	enum { FDS_A_THREAD = 4, FDS_BASE = 48, THREADS_MIN = 4 };
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

enum errcode fcgi_open(struct fcgi **out, const struct fcgi_config *c, struct err *e)
{
	struct fcgi_listener listener;
	struct fcgi *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return err_set(e, ERR_INTERNAL, "no memory");
	s->conf = *c;
	enum errcode rc = fcgi_listen(&listener, c->listen, c->backlog, e);
	if (rc == OK && FCGX_Init() != 0) {
		(void)close(listener.fd);
		rc = err_set(e, ERR_INTERNAL, "libfcgi did not initialise");
	}
	if (rc == OK) {
		const struct fcgi_pool_config pool = {
			.listener = listener.fd,
			.threads_max = c->threads_max,
			.idle_ms = c->idle_ms,
			.read_ms = c->read_ms,
			.grace_ms = c->grace_ms,
			.stop = c->stop,
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
	free(s);
}

void fcgi_stats(struct fcgi *s, struct fcgi_stats *out)
{
	fcgi_pool_stats(s->pool, out);
}
