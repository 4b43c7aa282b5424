/*
 * The FastCGI server, spoken to in records over a Unix socket in a temporary folder.
 */
#include "tests/unit/test.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/fcgi.h"
#include "drivers/fcgi_listen.h"

enum { BEGIN = 1, ABORT = 2, END = 3, PARAMS = 4, STDIN = 5, STDOUT = 6, GET_VALUES = 9 };
enum { BODY_MAX = 200000, LINES = 20000 };

#define LINE "a line of an answer that needs many records\n"

/* ---- server ------------------------------------------------------------------------ */

struct server {
	char *dir, *address;
	struct fcgi *fcgi;
	atomic_bool stop;
	pthread_t thread;
	enum errcode rc;
	atomic_int entered;
	atomic_bool go;           /* lets "wait" requests go on; raised by those that wait for it */
};

/* Write until nothing can be written any more, at most 10 s. */
static void write_on(struct fcgi_conn *c, struct server *s)
{
	static const char x[1000];
	enum errcode rc = OK;
	for (int i = 0; i < 10000 && rc == OK; i++) {
		rc = fcgi_write(c, x, sizeof(x));
		if (rc == OK)
			rc = fcgi_flush(c);
		clock_sleep_ms(1);
	}
	cr_assert_eq(rc, ERR_HUP);
	cr_assert_eq(fcgi_write(c, x, 1), ERR_HUP);
	cr_assert_eq(fcgi_flush(c), ERR_HUP);
	cr_assert(fcgi_gone(c));
	atomic_store(&s->go, true);
}

/* What a request wants done is its PATH_INFO. */
static void handle(struct fcgi_conn *c, void *arg)
{
	struct server *s = arg;
	const char *what = fcgi_param(c, "PATH_INFO");
	struct buf body;
	struct err e = { 0 };
	char line[64];

	atomic_fetch_add(&s->entered, 1);
	buf_init(&body, BODY_MAX);
	enum errcode rc = fcgi_body(c, &body, &e);
	while (streq(what, "wait") && !atomic_load(&s->go) && !atomic_load(&s->stop))
		clock_sleep_ms(2);
	while (streq(what, "gone") && !fcgi_gone(c))
		clock_sleep_ms(2);
	if (streq(what, "gone")) {
		cr_assert_eq(fcgi_write(c, "x", 1), ERR_HUP);
		cr_assert_eq(fcgi_fd(c), -1, "the connection is still open");
		atomic_store(&s->go, true);
	}
	if (streq(what, "write"))
		write_on(c, s);
	if (streq(what, "again")) {      /* there is no more of it */
		cr_assert_eq(fcgi_body(c, &body, &e), OK);
		cr_assert(!fcgi_gone(c));
	}
	for (int i = 0; streq(what, "long") && i < LINES; i++) {
		cr_assert_eq(fcgi_write(c, LINE, strlen(LINE)), OK);
		if (i % 1000 == 0)
			cr_assert_eq(fcgi_flush(c), OK);
	}
	if (streq(what, "silent")) {
		buf_release(&body);
		return;
	}
	snprintf(line, sizeof(line), "%s %zu user=%s", err_row(rc)->name, body.n,
	    fcgi_param(c, "REMOTE_USER") != NULL ? fcgi_param(c, "REMOTE_USER") : "-");
	fcgi_write(c, line, strlen(line));
	buf_release(&body);
}

static void *serve(void *arg)
{
	struct server *s = arg;
	struct err e;
	s->rc = fcgi_serve(s->fcgi, handle, s, &e);
	return NULL;
}

/* Connections queue up; nobody serves them yet. */
static void listen_at(struct server *s, const char *tcp, int threads_max, int64_t read_ms,
    int64_t grace_ms)
{
	sigset_t set;
	struct err e;

	memset(s, 0, sizeof(*s));
	log_level_set("ERROR");
	fcgi_signals(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	s->dir = test_mkdtemp();
	s->address = malloc(strlen(s->dir) + 16);
	cr_assert_not_null(s->address);
	if (tcp != NULL)
		snprintf(s->address, strlen(s->dir) + 16, "%s", tcp);
	else
		snprintf(s->address, strlen(s->dir) + 16, "unix:%s/s", s->dir);
	const struct fcgi_config c = { .listen = s->address, .backlog = 1024,
		.threads_max = threads_max, .idle_ms = 50, .read_ms = read_ms,
		.body_max = BODY_MAX, .send_ms = 1000, .grace_ms = grace_ms, .stop = &s->stop };
	TEST_OK(fcgi_open(&s->fcgi, &c, &e), e);
}

static void listen_only(struct server *s, int threads_max, int64_t read_ms, int64_t grace_ms)
{
	listen_at(s, NULL, threads_max, read_ms, grace_ms);
}

static void begin_serving(struct server *s)
{
	cr_assert_eq(pthread_create(&s->thread, NULL, serve, s), 0);
}

static void start(struct server *s, int threads_max, int64_t read_ms, int64_t grace_ms)
{
	listen_only(s, threads_max, read_ms, grace_ms);
	begin_serving(s);
}

static void finish(struct server *s, bool tell, enum errcode expected)
{
	if (tell)
		kill(getpid(), SIGTERM);
	pthread_join(s->thread, NULL);
	cr_assert_eq(s->rc, expected);
	fcgi_close(s->fcgi);
	test_rmdir(s->dir);
	free(s->address);
}

/* ---- client ------------------------------------------------------------------------ */

static void record(struct buf *b, int type, const char *p, size_t n)
{
	unsigned char head[8] = { 1, (unsigned char)type, 0, 1, (unsigned char)(n >> 8),
		(unsigned char)(n & 255), 0, 0 };
	buf_put(b, head, sizeof(head));
	buf_put(b, p, n);
}

static void pair(struct buf *b, const char *name, const char *value)
{
	buf_putc(b, (char)strlen(name));
	buf_putc(b, (char)strlen(value));
	buf_puts(b, name);
	buf_puts(b, value);
}

static int client_tcp(const struct server *s)
{
	struct sockaddr_in sa = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons((uint16_t)strtol(strchr(s->address, ':') + 1, NULL, 10)) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_assert_eq(connect(fd, (const struct sockaddr *)&sa, sizeof(sa)), 0);
	return fd;
}

static int client(const struct server *s)
{
	if (!starts_with(s->address, "unix:"))
		return client_tcp(s);
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(sa.sun_path, sizeof(sa.sun_path), "%s", s->address + strlen("unix:"));
	cr_assert_eq(connect(fd, (const struct sockaddr *)&sa, sizeof(sa)), 0);
	return fd;
}

static void put(int fd, const struct buf *b)
{
	for (size_t i = 0; i < b->n;) {
		ssize_t n = write(fd, b->p + i, b->n - i);
		cr_assert_gt(n, 0);
		i += (size_t)n;
	}
}

/* A whole request; `body` bytes of 'x' in records of at most 30,000, `end`: the end too. */
static void request(struct buf *b, const char *what, size_t body, bool end)
{
	static const char begin[8] = { 0, 1, 0, 0, 0, 0, 0, 0 };
	static char x[30000];
	struct buf params;

	memset(x, 'x', sizeof(x));
	buf_init(&params, 4096);
	pair(&params, "REMOTE_USER", "client-says");
	pair(&params, "PATH_INFO", what);
	pair(&params, "REMOTE_USER", "site-says");
	record(b, BEGIN, begin, sizeof(begin));
	record(b, PARAMS, params.p, params.n);
	record(b, PARAMS, "", 0);
	while (body > 0) {
		size_t n = body < sizeof(x) ? body : sizeof(x);
		record(b, STDIN, x, n);
		body -= n;
	}
	if (end)
		record(b, STDIN, "", 0);
	buf_release(&params);
}

static int ask(const struct server *s, const char *what, size_t body, bool end)
{
	struct buf b;
	int fd = client(s);

	buf_init(&b, 4 << 20);
	request(&b, what, body, end);
	put(fd, &b);
	buf_release(&b);
	return fd;
}

/* The response's content, and that it was ended properly. */
static void expect(int fd, const char *content)
{
	struct buf in, out;
	char chunk[4096];
	ssize_t n;
	bool ended = false;

	buf_init(&in, 2 << 20);
	buf_init(&out, 2 << 20);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_put(&in, chunk, (size_t)n);
	close(fd);
	for (size_t i = 0; i + 8 <= in.n;) {
		const unsigned char *h = (const unsigned char *)in.p + i;
		size_t len = (size_t)h[4] << 8 | h[5];
		if (h[1] == STDOUT)
			buf_put(&out, in.p + i + 8, len);
		ended = h[1] == END;
		i += 8 + len + h[6];
	}
	cr_assert_str_eq(out.p, content);
	cr_assert(ended, "no end record after \"%s\"", out.p);
	buf_release(&in);
	buf_release(&out);
}

static void wait_until_entered(struct server *s, int n)
{
	for (int i = 0; i < 5000 && atomic_load(&s->entered) < n; i++)
		clock_sleep_ms(1);
	cr_assert_eq(atomic_load(&s->entered), n);
}

/* ---- tests ------------------------------------------------------------------------- */

static const struct {
	size_t body;
	const char *answer;
} requests[] = {
	{ 0, "ok 0 user=site-says" },
	{ 5, "ok 5 user=site-says" },
	{ 8192, "ok 8192 user=site-says" },
	{ 100000, "ok 100000 user=site-says" },
	{ BODY_MAX, "ok 200000 user=site-says" },
	{ BODY_MAX + 1, "too_large 200000 user=site-says" },
	{ 5 * BODY_MAX, "too_large 200000 user=site-says" },
};

TEST(fcgi, requests, .timeout = 30)
{
	struct server s;
	start(&s, 4, 5000, 1000);
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		expect(ask(&s, "", requests[i].body, true), requests[i].answer);
	struct fcgi_stats st;
	fcgi_stats(s.fcgi, &st);
	cr_assert_eq(st.accepted, sizeof(requests) / sizeof(requests[0]));
	finish(&s, true, OK);
}

TEST(fcgi, more_than_threads_wait_their_turn, .timeout = 30)
{
	struct server s;
	int fd[5];
	start(&s, 2, 5000, 1000);
	for (int i = 0; i < 5; i++)
		fd[i] = ask(&s, "wait", 0, true);
	wait_until_entered(&s, 2);
	clock_sleep_ms(20);
	struct fcgi_stats st;
	fcgi_stats(s.fcgi, &st);
	cr_assert_eq(st.threads, 2);
	cr_assert_eq(st.busy, 2);
	atomic_store(&s.go, true);
	for (int i = 0; i < 5; i++)
		expect(fd[i], "ok 0 user=site-says");
	finish(&s, true, OK);
}

/* Many at once, with threads enough and with too few. */
TEST(fcgi, a_crowd_at_the_door, .timeout = 60)
{
	enum { MANY = 400 };
	static const int threads[] = { MANY, 3 };
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		struct server s;
		int fd[MANY];
		listen_only(&s, threads[i], 20000, 1000);
		for (int k = 0; k < MANY; k++)
			fd[k] = ask(&s, threads[i] == MANY ? "wait" : "", 3, true);
		begin_serving(&s);
		if (threads[i] == MANY)
			wait_until_entered(&s, MANY);
		atomic_store(&s.go, true);
		for (int k = 0; k < MANY; k++)
			expect(fd[k], "ok 3 user=site-says");
		finish(&s, true, OK);
	}
}

TEST(fcgi, idle_threads_end, .timeout = 30)
{
	struct server s;
	struct fcgi_stats st = { .threads = 1 };
	start(&s, 4, 5000, 1000);
	expect(ask(&s, "", 0, true), "ok 0 user=site-says");
	for (int i = 0; i < 2000 && st.threads > 0; i++) {
		clock_sleep_ms(1);
		fcgi_stats(s.fcgi, &st);
	}
	cr_assert_eq(st.threads, 0);
	expect(ask(&s, "", 0, true), "ok 0 user=site-says");
	finish(&s, true, OK);
}

/* Running, waiting for a thread, and connected without a word: all are served. */
TEST(fcgi, stop_serves_what_was_accepted, .timeout = 30)
{
	struct server s;
	start(&s, 1, 5000, 10000);
	int running = ask(&s, "wait", 0, true);
	wait_until_entered(&s, 1);
	int queued = ask(&s, "", 3, true);
	kill(getpid(), SIGTERM);
	clock_sleep_ms(20);
	atomic_store(&s.go, true);
	expect(running, "ok 0 user=site-says");
	expect(queued, "ok 3 user=site-says");
	finish(&s, false, OK);
}

TEST(fcgi, grace_ends_in_the_stop_flag, .timeout = 30)
{
	struct server s;
	start(&s, 2, 5000, 30);
	int fd = ask(&s, "wait", 0, true);
	wait_until_entered(&s, 1);
	kill(getpid(), SIGTERM);
	expect(fd, "ok 0 user=site-says");
	cr_assert(atomic_load(&s.stop));
	finish(&s, false, OK);
}

/* By the end of its connection or by a record that says so, to one who looks and to one who
 * only writes. */
static const struct {
	const char *what;
	size_t body;
	bool abort;
} leavers[] = {
	{ "gone", 0, false }, { "gone", 3, false }, { "gone", 100000, false },
	{ "gone", 100000, true },
	{ "write", 0, false }, { "write", 100000, false },
};

TEST(fcgi, a_departed_reader_shows, .timeout = 60)
{
	struct server s;
	start(&s, 2, 5000, 1000);
	for (size_t i = 0; i < sizeof(leavers) / sizeof(leavers[0]); i++) {
		struct buf b;
		atomic_store(&s.go, false);
		int fd = ask(&s, leavers[i].what, leavers[i].body, true);
		wait_until_entered(&s, (int)i + 1);
		clock_sleep_ms(20);
		cr_assert(!atomic_load(&s.go), "row %zu", i);
		buf_init(&b, 100);
		record(&b, ABORT, "", 0);
		if (leavers[i].abort)
			put(fd, &b);
		else
			close(fd);
		buf_release(&b);
		for (int ms = 0; ms < 10000 && !atomic_load(&s.go); ms++)
			clock_sleep_ms(1);
		cr_assert(atomic_load(&s.go), "row %zu", i);
		if (leavers[i].abort)
			close(fd);
	}
	expect(ask(&s, "", 3, true), "ok 3 user=site-says");
	finish(&s, true, OK);
}

/* What can be done once the body was read to its end. */
TEST(fcgi, after_the_body, .timeout = 30)
{
	static const size_t sizes[] = { 0, 5, 8192, 100000 };
	struct server s;
	struct buf b;
	char line[64];
	start(&s, 2, 5000, 1000);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		snprintf(line, sizeof(line), "ok %zu user=site-says", sizes[i]);
		expect(ask(&s, "again", sizes[i], true), line);
		expect(ask(&s, "silent", sizes[i], true), "");
		buf_init(&b, 2 << 20);
		for (int k = 0; k < LINES; k++)
			buf_puts(&b, LINE);
		buf_puts(&b, line);
		expect(ask(&s, "long", sizes[i], true), b.p);
		buf_release(&b);
	}
	finish(&s, true, OK);
}

/* A free port, which stays ours as long as the socket is open. The socket does not listen, so no client reaches it,
 * and SO_REUSEPORT lets the server bind the same port. */
static int reserve_port(char address[32])
{
	struct sockaddr_in sa = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(sa);
	const int yes = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	cr_assert_eq(setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof(yes)), 0);
	cr_assert_eq(bind(fd, (const struct sockaddr *)&sa, sizeof(sa)), 0);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&sa, &n), 0);
	snprintf(address, 32, "127.0.0.1:%d", ntohs(sa.sin_port));
	return fd;
}

TEST(fcgi, over_TCP, .timeout = 60)
{
	struct server s;
	struct buf b;
	char address[32];
	const int reserved = reserve_port(address);
	listen_at(&s, address, 2, 5000, 1000);
	begin_serving(&s);
	buf_init(&b, 2 << 20);
	for (int k = 0; k < LINES; k++)
		buf_puts(&b, LINE);
	buf_puts(&b, "ok 100000 user=site-says");
	expect(ask(&s, "long", 100000, true), b.p);
	buf_release(&b);
	expect(ask(&s, "", 5 * BODY_MAX, true), "too_large 200000 user=site-says");
	int fd = ask(&s, "write", 0, true);
	for (int ms = 0; ms < 15000 && !atomic_load(&s.go); ms++)
		clock_sleep_ms(1);
	cr_assert(atomic_load(&s.go), "who takes nothing over TCP is gone too");
	close(fd);
	close(reserved);
	finish(&s, true, OK);
}

/* The sender of an unfinished body is told. */
TEST(fcgi, unfinished_body, .timeout = 30)
{
	struct server s;
	start(&s, 2, 100, 1000);
	expect(ask(&s, "", 3, false), "timeout 3 user=site-says");
	finish(&s, true, OK);
}

/* Many who say nothing, begin, or do not end their body hold no thread: others are served. */
TEST(fcgi, slow_senders_hold_no_thread, .timeout = 60)
{
	enum { MANY = 60 };
	struct server s;
	int fd[3 * MANY];
	start(&s, 2, 20000, 100);
	for (int i = 0; i < MANY; i++) {
		fd[3 * i] = client(&s);
		fd[3 * i + 1] = client(&s);
		cr_assert_eq(write(fd[3 * i + 1], "\1\1\0\1", 4), 4);
		fd[3 * i + 2] = ask(&s, "", 3, false);
	}
	int64_t began = clock_mono_ms();
	for (int i = 0; i < 20; i++)
		expect(ask(&s, "", 3, true), "ok 3 user=site-says");
	cr_assert_lt(clock_mono_ms() - began, 5000, "they waited for slow senders");
	for (int i = 0; i < 3 * MANY; i++)
		close(fd[i]);
	finish(&s, true, OK);
}

/* A head that does not come in time, however many bytes of it do, ends the connection. */
TEST(fcgi, unfinished_head, .timeout = 30)
{
	struct server s;
	char c;
	start(&s, 2, 300, 1000);
	int fd = client(&s), sent = 0;
	cr_assert_eq(write(fd, "\1\1\0\1\0\10\0\0" "\0\1\0\0\0\0\0\0" "\1\4\0\1\3\0\0\0", 24), 24);
	for (; sent < 200 && send(fd, "x", 1, MSG_NOSIGNAL) == 1; sent++)
		clock_sleep_ms(10);
	cr_assert(sent > 5 && sent < 200, "it ended after %d bytes", sent);
	cr_assert_leq(read(fd, &c, 1), 0);
	close(fd);
	expect(ask(&s, "", 0, true), "ok 0 user=site-says");
	cr_assert_eq(atomic_load(&s.entered), 1);
	finish(&s, true, OK);
}

/* Who takes a little now and then holds his thread no longer than who takes nothing. */
TEST(fcgi, a_dripping_reader_is_gone, .timeout = 60)
{
	struct server s;
	char drop[40];
	start(&s, 1, 5000, 1000);
	int fd = ask(&s, "write", 0, true);
	int64_t began = clock_mono_ms();
	while (!atomic_load(&s.go) && clock_mono_ms() - began < 20000) {
		(void)recv(fd, drop, sizeof(drop), MSG_DONTWAIT);
		clock_sleep_ms(100);
	}
	cr_assert(atomic_load(&s.go), "it still writes after 20 s");
	close(fd);
	expect(ask(&s, "", 0, true), "ok 0 user=site-says");
	finish(&s, true, OK);
}

/* One who is slow but steady gets all of it, though that takes longer than he may stand still. */
TEST(fcgi, a_slow_but_steady_reader_gets_all, .timeout = 60)
{
	struct server s;
	char piece[16384];
	size_t sum = 0;
	ssize_t n;
	start(&s, 1, 5000, 1000);
	int fd = ask(&s, "long", 0, true), small = 4096;
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	int64_t began = clock_mono_ms();
	while ((n = read(fd, piece, sizeof(piece))) > 0) {
		sum += (size_t)n;
		clock_sleep_ms(60);
	}
	cr_assert_gt(clock_mono_ms() - began, 2000, "too quick to show anything");
	cr_assert_gt(sum, strlen(LINE) * LINES);
	close(fd);
	finish(&s, true, OK);
}

/* The same request in pieces of every kind of size. */
TEST(fcgi, pieces, .timeout = 30)
{
	static const size_t sizes[] = { 1, 2, 7, 8, 9, 64, 1000 };
	struct server s;
	struct buf b;
	start(&s, 2, 5000, 1000);
	buf_init(&b, 4096);
	request(&b, "", 10, true);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		int fd = client(&s);
		for (size_t at = 0; at < b.n; at += sizes[i]) {
			size_t n = b.n - at < sizes[i] ? b.n - at : sizes[i];
			cr_assert_eq(write(fd, b.p + at, n), (ssize_t)n);
		}
		expect(fd, "ok 10 user=site-says");
	}
	buf_release(&b);
	finish(&s, true, OK);
}

/* A management record before the request, as some web servers send, is answered. */
TEST(fcgi, get_values, .timeout = 30)
{
	struct server s;
	struct buf b;
	char answer[8 + 18];
	start(&s, 2, 5000, 1000);
	int fd = client(&s);
	buf_init(&b, 4096);
	record(&b, GET_VALUES, "\17\0FCGI_MPXS_CONNS", 17);
	b.p[3] = 0;
	put(fd, &b);
	cr_assert_eq(recv(fd, answer, sizeof(answer), MSG_WAITALL), (ssize_t)sizeof(answer));
	cr_assert_eq(answer[1], 10);
	cr_assert_eq(memcmp(answer + 8, "\17\1FCGI_MPXS_CONNS0", 18), 0);
	buf_clear(&b);
	request(&b, "", 4, true);
	put(fd, &b);
	expect(fd, "ok 4 user=site-says");
	buf_release(&b);
	finish(&s, true, OK);
}

/* libfcgi 2.4.2 ends the process for most of these; here only their own connection ends. */
static const struct {
	const char *bytes;
	size_t n;
} hostile[] = {
#define HEAD "\1\1\0\1\0\10\0\0" "\0\1\0\0\0\0\0\0"
#define ROW(s) { s, sizeof(s) - 1 }
	ROW(HEAD "\1\4\0\1\0\5\0\0" "\377\377\377\376\1" "\1\4\0\1\0\0\0\0"),
	ROW(HEAD "\1\4\0\1\0\5\0\0" "\1\377\377\377\376" "\1\4\0\1\0\0\0\0"),
	ROW("\1\11\0\0\0\6\0\0" "\377\377\377\376\1\1"),
	ROW(HEAD "\1\4\0\1\0\0\0\0" "\1\11\0\0\0\6\0\0" "\377\377\377\376\1\1"),
	ROW(HEAD "\1\4\0\1\0\0\0\0" "\1\4\0\1\0\1\0\0" "x"),
};

TEST(fcgi, hostile_lengths_end_their_connection_only, .timeout = 30)
{
	struct server s;
	char c;
	start(&s, 2, 5000, 1000);
	int running = ask(&s, "wait", 0, true);
	wait_until_entered(&s, 1);
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		int fd = client(&s);
		cr_assert_eq(write(fd, hostile[i].bytes, hostile[i].n), (ssize_t)hostile[i].n);
		cr_assert_leq(read(fd, &c, 1), 0, "row %zu", i);
		close(fd);
	}
	atomic_store(&s.go, true);
	expect(running, "ok 0 user=site-says");
	finish(&s, true, OK);
}

TEST(fcgi, what_is_not_fastcgi_does_no_harm, .timeout = 30)
{
	struct server s;
	struct buf b;
	char c;
	start(&s, 2, 5000, 1000);
	close(client(&s));
	buf_init(&b, 100);
	buf_puts(&b, "GET / HTTP/1.1\r\n\r\n");
	int fd = client(&s);
	put(fd, &b);
	cr_assert_leq(read(fd, &c, 1), 0);
	close(fd);
	buf_release(&b);
	expect(ask(&s, "", 0, true), "ok 0 user=site-says");
	finish(&s, true, OK);
}

static const struct {
	const char *address, *says;
} wrong[] = {
	{ NULL, "nothing to listen on" },
	{ "", "nothing to listen on" },
	{ "unix:", "needs a path" },
	{ "unix:/nonexistent-folder/s", "bind" },
	{ "unix:/0123456789012345678901234567890123456789012345678901234567890123456789"
	  "0123456789012345678901234567890123456789", "too long" },
	{ "127.0.0.1", "HOST:PORT" },
	{ ":9000", "HOST:PORT" },
	{ "127.0.0.1:", "HOST:PORT" },
	{ "127.0.0.1:port", "127.0.0.1:port" },
	{ "0.0.0.0:9000", "AVIATION_AGENT_ALLOW_REMOTE" },
	{ "[::]:9000", "AVIATION_AGENT_ALLOW_REMOTE" },
	{ "192.0.2.7:9000", "other hosts can reach" },
	{ "[2001:db8::7]:9000", "other hosts can reach" },
	{ "[::ffff:192.0.2.7]:9000", "other hosts can reach" },
};

static const struct {
	const char *host;
	bool remote;
} right[] = {
	{ "127.0.0.1", false }, { "127.9.9.9", false }, { "localhost", false }, { "0.0.0.0", true },
};

TEST(fcgi, addresses)
{
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		struct fcgi_listener l;
		struct err e = { 0 };
		char address[64];
		enum errcode rc = ERR_IO;
		for (int port = 20000 + getpid() % 20000, k = 0; rc == ERR_IO && k < 50; k++) {
			snprintf(address, sizeof(address), "%s:%d", right[i].host, port + k);
			rc = fcgi_listen(&l, address, 8, right[i].remote, &e);
		}
		cr_assert_eq(rc, OK, "%s: %s", right[i].host, e.msg);
		close(l.fd);
	}
}

TEST(fcgi, wrong_addresses)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct fcgi_listener l;
		struct err e = { 0 };
		cr_assert_neq(fcgi_listen(&l, wrong[i].address, 8, false, &e), OK, "row %zu", i);
		cr_assert_not_null(strstr(e.msg, wrong[i].says), "row %zu: %s", i, e.msg);
	}
}

/* A successor takes the path over; who had connected before stays with the predecessor. */
TEST(fcgi, overlap)
{
	struct fcgi_listener old, new;
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	struct stat st;
	struct err e;
	char address[600], *dir = test_mkdtemp();

	snprintf(address, sizeof(address), "unix:%s/s", dir);
	snprintf(sa.sun_path, sizeof(sa.sun_path), "%s/s", dir);
	TEST_OK(fcgi_listen(&old, address, 8, false, &e), e);
	cr_assert_eq(stat(sa.sun_path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0660);
	int first = socket(AF_UNIX, SOCK_STREAM, 0), second = socket(AF_UNIX, SOCK_STREAM, 0);
	cr_assert_eq(connect(first, (const struct sockaddr *)&sa, sizeof(sa)), 0);
	TEST_OK(fcgi_listen(&new, address, 8, false, &e), e);
	cr_assert_eq(connect(second, (const struct sockaddr *)&sa, sizeof(sa)), 0);

	int a = accept(old.fd, NULL, NULL), b = accept(new.fd, NULL, NULL);
	cr_assert_geq(a, 0);
	cr_assert_geq(b, 0);
	cr_assert_eq(accept(old.fd, NULL, NULL), -1, "only one connection came to the old one");
	const int fds[] = { a, b, first, second, old.fd, new.fd };
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		close(fds[i]);
	test_rmdir(dir);
}
