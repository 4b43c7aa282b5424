/*
 * An HTTP/1.1 server that misbehaves on request: one thread a connection, and the path says what to
 * do. The test reads its counters.
 */
#ifndef TESTS_UNIT_HTTP_SERVER_H
#define TESTS_UNIT_HTTP_SERVER_H

#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "tests/unit/test.h"

enum { SERVER_BODY_MAX = 16 * 1024 * 1024, SERVER_CONNS = 256 };

struct server {
	int listener;
	char url[64];                  /* "http://127.0.0.1:4711" */
	pthread_t thread;
	pthread_mutex_t lock;
	int fds[SERVER_CONNS], nfds;   /* of all connections so far; guarded by the lock */
	pthread_t threads[SERVER_CONNS];
	atomic_bool stop;
	atomic_int accepted, requests, waiting;
	atomic_bool go;                /* for an answer that waits for the test */
	_Atomic int64_t left_ms;       /* when a client was last seen to close its connection */
};

/* One request. */
struct asked {
	struct server *server;
	int fd, number;                /* number of the request on this connection, from 0 */
	char head[8192];
	char path[256];
	long arg;                      /* number at the path's end: "/bytes/100" */
	char *body;
	size_t nbody, have;            /* its size; how much of it has been read */
};

static inline bool say(const struct asked *a, const char *text, size_t n)
{
	return send(a->fd, text, n, MSG_NOSIGNAL) == (ssize_t)n;
}

static inline bool says(const struct asked *a, const char *text)
{
	return say(a, text, strlen(text));
}

static inline bool reply(const struct asked *a, const char *body)
{
	char text[512];
	snprintf(text, sizeof(text), "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%s",
	    strlen(body), body);
	return says(a, text);
}

/* Wait until the client closes its end, and note when. */
static inline void wait_until_left(const struct asked *a)
{
	struct pollfd p = { .fd = a->fd, .events = POLLRDHUP };
	while (!atomic_load(&a->server->stop))
		if (poll(&p, 1, 50) > 0) {
			atomic_store(&a->server->left_ms, clock_mono_ms());
			return;
		}
}

/* The place in `bytes` where the blank line ends; 0: it has not arrived yet. */
static inline size_t head_end(const char *bytes, size_t n)
{
	for (size_t i = 3; i < n; i++)
		if (memcmp(bytes + i - 3, "\r\n\r\n", 4) == 0)
			return i + 1;
	return 0;
}

/* The rest of the body. */
static inline bool read_body(struct asked *a)
{
	while (a->have < a->nbody) {
		ssize_t got = recv(a->fd, a->body + a->have, a->nbody - a->have, 0);
		if (got <= 0)
			return false;
		a->have += (size_t)got;
	}
	return true;
}

/* If a request is answered early, the body is left to the code that answers. */
static inline bool read_request(struct asked *a)
{
	size_t n = 0, head = 0;
	while (head == 0) {
		ssize_t got = n < sizeof(a->head) - 1 ?
		    recv(a->fd, a->head + n, sizeof(a->head) - 1 - n, 0) : 0;
		if (got <= 0)
			return false;
		if (n == 0 && a->head[0] == 0x16) {       /* a TLS handshake */
			says(a, "HTTP/1.1 400 Bad Request\r\n\r\n");
			return false;
		}
		n += (size_t)got;
		head = head_end(a->head, n);
	}
	a->head[n] = '\0';
	const char *length = strcasestr(a->head, "\r\nContent-Length:");
	a->nbody = length == NULL ? 0 : strtoul(length + 17, NULL, 10);
	if (a->nbody > SERVER_BODY_MAX || (a->body = malloc(a->nbody + 1)) == NULL)
		return false;
	a->have = n - head;
	memcpy(a->body, a->head + head, a->have);
	a->head[head] = '\0';
	if (sscanf(a->head, "%*s %255s", a->path) != 1)
		return false;
	const char *number = strrchr(a->path, '/');
	a->arg = number == NULL ? 0 : strtol(number + 1, NULL, 10);
	return starts_with(a->path, "/early") || read_body(a);
}

/* Written by the test: does what a->path says. True: the connection is kept. */
static bool answer_request(const struct asked *a);

struct server_conn {
	struct server *server;
	int fd;
};

static inline void *serve_connection(void *arg)
{
	struct server_conn *c = arg;
	struct asked a = { .server = c->server, .fd = c->fd };
	bool more = true;
	for (; more; a.number++) {
		a.body = NULL;
		more = read_request(&a);
		if (more) {
			atomic_fetch_add(&c->server->requests, 1);
			more = answer_request(&a);
		}
		free(a.body);
	}
	shutdown(c->fd, SHUT_RDWR);
	free(c);
	return NULL;
}

static inline void *serve_all(void *arg)
{
	struct server *s = arg;
	for (;;) {
		int fd = accept(s->listener, NULL, NULL);
		if (fd < 0 || atomic_load(&s->stop) || s->nfds == SERVER_CONNS) {
			if (fd >= 0)
				close(fd);
			return NULL;
		}
		struct server_conn *c = malloc(sizeof(*c));
		*c = (struct server_conn){ s, fd };
		atomic_fetch_add(&s->accepted, 1);
		pthread_mutex_lock(&s->lock);
		s->fds[s->nfds] = fd;
		pthread_create(&s->threads[s->nfds++], NULL, serve_connection, c);
		pthread_mutex_unlock(&s->lock);
	}
}

/* A listener on a free port of 127.0.0.1. */
static inline int listen_local(int backlog, int *port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_assert_eq(bind(fd, (struct sockaddr *)&at, len), 0);
	cr_assert_eq(listen(fd, backlog), 0);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&at, &len), 0);
	*port = ntohs(at.sin_port);
	return fd;
}

static inline struct server *server_start(void)
{
	struct server *s = calloc(1, sizeof(*s));
	int port;
	s->listener = listen_local(128, &port);
	snprintf(s->url, sizeof(s->url), "http://127.0.0.1:%d", port);
	pthread_mutex_init(&s->lock, NULL);
	cr_assert_eq(pthread_create(&s->thread, NULL, serve_all, s), 0);
	return s;
}

/* End all connections that were accepted so far, like a server that restarts. */
static inline void server_drop(struct server *s)
{
	pthread_mutex_lock(&s->lock);
	for (int i = 0; i < s->nfds; i++)
		shutdown(s->fds[i], SHUT_RDWR);
	pthread_mutex_unlock(&s->lock);
}

static inline void server_stop(struct server *s)
{
	atomic_store(&s->stop, true);
	shutdown(s->listener, SHUT_RDWR);
	pthread_join(s->thread, NULL);
	server_drop(s);
	for (int i = 0; i < s->nfds; i++) {
		pthread_join(s->threads[i], NULL);
		close(s->fds[i]);
	}
	close(s->listener);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* Wait for a counter, at most 5 s. */
static inline void await(const atomic_int *counter, int n)
{
	for (int i = 0; i < 2500 && atomic_load(counter) < n; i++)
		clock_sleep_ms(2);
	cr_assert_geq(atomic_load(counter), n, "the server was not asked");
}

#endif
