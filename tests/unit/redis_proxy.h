/*
 * A proxy on 127.0.0.1 (on a free port), one connection at a time. It passes bytes to a Redis
 * socket, or loses replies, or answers by itself with a canned reply, which may come slowly or
 * break off.
 */
#ifndef TESTS_UNIT_REDIS_PROXY_H
#define TESTS_UNIT_REDIS_PROXY_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/unit/test.h"

struct redis_proxy {
	const char *sock;                /* the server behind it; NULL: canned replies only */
	_Atomic(const char *) canned;    /* the answer to anything that arrives; NULL: pass it on */
	atomic_int piece;                /* bytes of a canned reply at a time; 0: all at once */
	atomic_int pause_us;             /* before each piece that is read or sent */
	atomic_int cuts, cut;            /* canned replies that break off with their connection,
	                                  * after so many bytes */
	atomic_int lose;                 /* how many replies to lose, each with its connection */
	atomic_int connections;
	atomic_bool stop;
	int fd, port;
	char url[64];
	pthread_t thread;
};

static inline int proxy_upstream(const struct redis_proxy *p)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (p->sock == NULL)
		return fd;
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", p->sock);
	(void)!connect(fd, (struct sockaddr *)&addr, sizeof(addr));
	return fd;
}

static inline bool proxy_copy(int from, int to)
{
	char chunk[16384];
	ssize_t n = read(from, chunk, sizeof(chunk));

	return n > 0 && write(to, chunk, (size_t)n) == n;
}

/* False: the connection must end. */
static inline bool proxy_say(struct redis_proxy *p, int client, const char *text)
{
	size_t n = strlen(text), piece = p->piece > 0 ? (size_t)p->piece : n;
	bool cut = p->cuts > 0 && (size_t)p->cut < n;

	if (cut) {
		p->cuts--;
		n = (size_t)p->cut;
	}
	for (size_t i = 0, now; i < n; i += now) {
		now = piece < n - i ? piece : n - i;
		if (p->stop)
			return false;
		usleep((useconds_t)p->pause_us);
		if (write(client, text + i, now) != (ssize_t)now)
			return false;
	}
	return !cut;
}

static inline void proxy_serve(struct redis_proxy *p, int client)
{
	int server = proxy_upstream(p);

	while (!p->stop) {
		struct pollfd fds[2] = { { client, POLLIN, 0 },
		    { p->sock != NULL ? server : -1, POLLIN, 0 } };
		char chunk[16384];

		if (poll(fds, 2, 20) <= 0)
			continue;
		const char *canned = p->canned;
		if (fds[0].revents != 0) {
			usleep((useconds_t)p->pause_us);
			if (canned == NULL) {
				if (!proxy_copy(client, server))
					break;
			} else if (read(client, chunk, sizeof(chunk)) <= 0 ||
			    !proxy_say(p, client, canned)) {
				break;
			}
		}
		if (fds[1].revents != 0) {
			if (p->lose > 0) {
				p->lose--;
				break;
			}
			if (!proxy_copy(server, client))
				break;
		}
	}
	close(server);
}

static inline void *proxy_main(void *arg)
{
	struct redis_proxy *p = arg;

	while (!p->stop) {
		struct pollfd fd = { p->fd, POLLIN, 0 };

		if (poll(&fd, 1, 20) <= 0)
			continue;
		int client = accept4(p->fd, NULL, NULL, SOCK_CLOEXEC), on = 1;
		setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		p->connections++;
		proxy_serve(p, client);
		close(client);
	}
	return NULL;
}

static inline void proxy_start(struct redis_proxy *p, const char *sock, const char *canned)
{
	struct sockaddr_in addr = { .sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(addr);

	memset(p, 0, sizeof(*p));
	p->sock = sock;
	p->canned = canned;
	p->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_assert_eq(bind(p->fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	cr_assert_eq(listen(p->fd, 16), 0);
	cr_assert_eq(getsockname(p->fd, (struct sockaddr *)&addr, &len), 0);
	p->port = ntohs(addr.sin_port);
	snprintf(p->url, sizeof(p->url), "redis://127.0.0.1:%d", p->port);
	cr_assert_eq(pthread_create(&p->thread, NULL, proxy_main, p), 0);
}

static inline void proxy_stop(struct redis_proxy *p)
{
	p->stop = true;
	pthread_join(p->thread, NULL);
	close(p->fd);
}

#endif
