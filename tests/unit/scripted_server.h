/*
 * An HTTP server in a child process that follows a script. The model name of a request names its
 * script. The n-th request for a script gets its n-th step, and is kept for the test to read.
 */
#ifndef TESTS_UNIT_SCRIPTED_SERVER_H
#define TESTS_UNIT_SCRIPTED_SERVER_H

#include "tests/unit/test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 7, SCRIPTS_MAX = 128, REQUEST_MAX = 8192 };

enum manner {
	PLAIN,           /* head, length, body */
	BROKEN,          /* the body ends before its announced length */
	SILENT,          /* nothing comes */
	DROPPED,         /* closed without an answer */
	UNENDING,        /* the body, then nothing; the connection stays open */
	/* the body's first event before most of a long request is read; the rest after it, when
	 * the test allows it */
	EARLY,
};

struct step {
	int status;                    /* 0: the script has no such step */
	const char *fields;            /* "Name: value\r\n"… */
	const char *body;
	enum manner manner;
};

struct script {
	const char *model;
	struct step steps[STEPS];
};

struct server {
	pid_t pid;
	int port;
	/* shared with the child */
	struct seen {
		int n;
		atomic_bool go;                /* go on reading */
		size_t nbody;                  /* of the last request that was answered early: */
		unsigned long sum;             /* the whole body's size and sum */
		/* further requests are counted in the last entry */
		char request[STEPS + 1][REQUEST_MAX];
	} *seen;
};

static inline unsigned long server_sum(unsigned long sum, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + (unsigned char)p[i];
	return sum;
}

/* Read one request with its body, or with the beginning of a long body. */
static inline bool server_read(int fd, char *req)
{
	size_t n = 0, want = SIZE_MAX;
	while (n < want && n < REQUEST_MAX - 1) {
		ssize_t got = read(fd, req + n, REQUEST_MAX - 1 - n);
		if (got <= 0)
			return false;
		n += (size_t)got;
		req[n] = '\0';
		const char *end = strstr(req, "\r\n\r\n"), *len = strstr(req, "Content-Length:");
		if (end != NULL)
			want = (size_t)(end - req) + 4 + (len == NULL ? 0 : (size_t)strtoul(len + 15, NULL, 10));
	}
	return true;
}

static inline void server_write(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t k = write(fd, p, n);
		if (k <= 0)
			return;
		p += k;
		n -= (size_t)k;
	}
}

/* The rest of the body of the request `req`. */
static inline void server_read_on(int fd, const char *req, struct seen *seen)
{
	static char piece[65536];
	const char *body = strstr(req, "\r\n\r\n") + 4;
	size_t want = (size_t)strtoul(strstr(req, "Content-Length:") + 15, NULL, 10), n = strlen(body);
	unsigned long sum = server_sum(0, body, n);
	while (!atomic_load(&seen->go))
		usleep(2000);
	while (n < want) {
		ssize_t got = read(fd, piece, sizeof(piece));
		if (got <= 0)
			break;
		sum = server_sum(sum, piece, (size_t)got);
		n += (size_t)got;
	}
	seen->nbody = n;
	seen->sum = sum;
}

static inline void server_answer(int fd, const struct step *s, const char *req, struct seen *seen)
{
	const char *body = s->body == NULL ? "" : s->body;
	size_t n = strlen(body), room = n + 1024;
	if (s->manner == DROPPED)
		return;
	if (s->manner != SILENT) {
		char *reply = malloc(room);
		int len = snprintf(reply, room, "HTTP/1.1 %d X\r\n%sConnection: close\r\n"
		    "Content-Length: %zu\r\n\r\n%s", s->status, s->fields == NULL ? "" : s->fields,
		    n + (s->manner == BROKEN || s->manner == UNENDING ? 1000 : 0), body);
		const char *rest = reply;
		if (s->manner == EARLY) {
			rest = strstr(strstr(reply, "\r\n\r\n") + 4, "\n\n") + 2;
			server_write(fd, reply, (size_t)(rest - reply));
			server_read_on(fd, req, seen);
		}
		server_write(fd, rest, (size_t)(len - (rest - reply)));
		free(reply);
	}
	if (s->manner == SILENT || s->manner == UNENDING) {
		char c;
		while (read(fd, &c, 1) > 0)
			;
	}
}

static inline void server_run(struct server *s, int listener, const struct script *scripts,
    size_t nscripts)
{
	static char req[REQUEST_MAX];
	for (;;) {
		int fd = accept(listener, NULL, NULL);
		size_t i = 0;
		if (fd == -1)
			_exit(0);
		if (server_read(fd, req)) {
			char name[80];
			for (; i < nscripts; i++) {
				snprintf(name, sizeof(name), "\"model\":\"%s\"", scripts[i].model);
				if (strstr(req, name) != NULL)
					break;
			}
			if (i < nscripts) {
				int k = s->seen[i].n++;
				memcpy(s->seen[i].request[k < STEPS ? k : STEPS], req, REQUEST_MAX);
				if (k < STEPS && scripts[i].steps[k].status != 0)
					server_answer(fd, &scripts[i].steps[k], req, &s->seen[i]);
			}
		}
		close(fd);
	}
}

/* Before any thread is started. */
static inline void server_start(struct server *s, const struct script *scripts, size_t nscripts)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	cr_assert_leq(nscripts, SCRIPTS_MAX);
	cr_assert_eq(bind(listener, (struct sockaddr *)&at, len), 0);
	cr_assert_eq(listen(listener, 16), 0);
	cr_assert_eq(getsockname(listener, (struct sockaddr *)&at, &len), 0);
	s->port = ntohs(at.sin_port);
	s->seen = mmap(NULL, SCRIPTS_MAX * sizeof(*s->seen), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	cr_assert_neq(s->seen, MAP_FAILED);
	s->pid = fork();
	if (s->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);      /* it must not outlive a test that failed */
		server_run(s, listener, scripts, nscripts);
	}
	close(listener);
}

static inline void server_stop(struct server *s)
{
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
	munmap(s->seen, SCRIPTS_MAX * sizeof(*s->seen));
}

#endif
