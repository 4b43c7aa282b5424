/*
 * For the tests of the HTTP client: what the server does on which path, and a call with all its
 * results.
 */
#ifndef TESTS_UNIT_HTTPC_FIX_H
#define TESTS_UNIT_HTTPC_FIX_H

#include <sys/mman.h>

#include "base/buf.h"
#include "drivers/httpc.h"
#include "tests/unit/http_server.h"

/* ---- the server's side ------------------------------------------------------------- */

#define CHUNKED_HEAD "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
#define CHUNKED CHUNKED_HEAD "5\r\nhello\r\n1\r\n \r\n5;x=y\r\nworld\r\n0\r\n\r\n"

static const struct { const char *path, *text; bool keep; } canned[] = {
	{ "/typed", "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-STREAM; charset=utf-8\r\n"
	    "Content-Length: 2\r\n\r\nok", true },
	{ "/continue", "HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n"
	    "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok", true },
	{ "/chunked", CHUNKED, true },
	{ "/seconds", "HTTP/1.1 429 Slow Down\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", true },
	{ "/fraction", "HTTP/1.1 429 Slow Down\r\nretry-after:  1.5 \r\nContent-Length: 0\r\n\r\n",
	    true },
	{ "/ages", "HTTP/1.1 503 No\r\nRetry-After: 99999999999999999\r\nContent-Length: 0\r\n\r\n",
	    true },
	{ "/past", "HTTP/1.1 503 No\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n"
	    "Content-Length: 0\r\n\r\n", true },
	{ "/nonsense", "HTTP/1.1 503 No\r\nRetry-After: soon\r\nContent-Length: 0\r\n\r\n", true },
	{ "/redirect", "HTTP/1.1 302 Found\r\nLocation: /hello\r\nContent-Length: 5\r\n\r\nthere",
	    true },
	{ "/refused", "HTTP/1.1 401 Unauthorized\r\nContent-Length: 3\r\n\r\nno!", true },
	{ "/gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
	    "\r\n5\r\nwrong\r\n0\r\n\r\n", false },
	{ "/unlimited", "HTTP/1.1 200 OK\r\n\r\nuntil the end", false },
	{ "/nothing", "", false },
	{ "/half-head", "HTTP/1.1 200 OK\r\nContent-Le", false },
	{ "/short", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", false },
	{ "/bad-chunk", CHUNKED_HEAD "5\r\nhello\r\nhigh\r\n", false },
	{ "/ssh", "SSH-2.0-OpenSSH_9.2\r\n", false },
	{ "/html", "<html>hello</html>", false },
	{ "/long", "HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\nhello", false },
};

static bool answer_bytes(const struct asked *a)
{
	char text[128], piece[1000];
	memset(piece, 'x', sizeof(piece));
	snprintf(text, sizeof(text), "HTTP/1.1 200 OK\r\nContent-Length: %ld\r\n\r\n", a->arg);
	bool ok = says(a, text);
	for (long left = a->arg; ok && left > 0; left -= 1000)
		ok = say(a, piece, left < 1000 ? (size_t)left : 1000);
	return ok;
}

/* The first bytes of a chunked reply, then the end. */
static bool answer_cut(const struct asked *a)
{
	(void)say(a, CHUNKED, (size_t)a->arg);
	return false;
}

/* Size and sum of a body. */
static inline void summarise(char out[64], const char *p, size_t n)
{
	unsigned long sum = 0;
	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + (unsigned char)p[i];
	snprintf(out, 64, "%zu %lu", n, sum);
}

static bool answer_echo(const struct asked *a)
{
	char text[64], sum[64];
	summarise(sum, a->body, a->nbody);
	snprintf(text, sizeof(text), "%s%s", sum,
	    strcasestr(a->head, "\r\nExpect:") != NULL ? " expects" : "");
	return reply(a, text);
}

static bool answer_head(const struct asked *a)
{
	return reply(a, a->head);
}

static bool answer_heads(const struct asked *a)
{
	bool ok = says(a, "HTTP/1.1 200 OK\r\n");
	for (int i = 0; ok && i < 3000; i++)
		ok = says(a, "X-Padding: 0123456789012345678901234567890123456789\r\n");
	return ok && says(a, "\r\n");
}

static bool answer_soon(const struct asked *a)
{
	char text[256], date[64];
	time_t at = time(NULL) + 60;
	struct tm tm;
	gmtime_r(&at, &tm);
	strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", &tm);
	snprintf(text, sizeof(text), "HTTP/1.1 503 No\r\nRetry-After: %s\r\nContent-Length: 0\r\n\r\n",
	    date);
	return says(a, text);
}

static bool answer_never(const struct asked *a)
{
	wait_until_left(a);
	return false;
}

static bool answer_stall(const struct asked *a)
{
	says(a, CHUNKED_HEAD "5\r\nhello\r\n");
	wait_until_left(a);
	return false;
}

/* A piece every few milliseconds: `arg` of them, or for ever. */
static bool answer_drip(const struct asked *a)
{
	bool ok = says(a, CHUNKED_HEAD);
	for (long i = 0; ok && (a->arg == 0 || i < a->arg) && !atomic_load(&a->server->stop); i++) {
		ok = says(a, "1\r\n.\r\n");
		clock_sleep_ms(10);
	}
	if (!ok)
		atomic_store(&a->server->left_ms, clock_mono_ms());
	return ok && says(a, "0\r\n\r\n");
}

/* Two pieces, with this many milliseconds between them. */
static bool answer_gap(const struct asked *a)
{
	bool ok = says(a, CHUNKED_HEAD "1\r\na\r\n");
	clock_sleep_ms((int)a->arg);
	return ok && says(a, "1\r\nb\r\n0\r\n\r\n");
}

/* Answer when this many requests have arrived. */
static bool answer_together(const struct asked *a)
{
	atomic_fetch_add(&a->server->waiting, 1);
	while (atomic_load(&a->server->waiting) < a->arg && !atomic_load(&a->server->stop))
		clock_sleep_ms(2);
	return reply(a, "together");
}

static bool answer_once(const struct asked *a)
{
	reply(a, "once");
	return false;
}

/* Keep the connection, and close it when the next request has been read. */
static bool answer_first(const struct asked *a)
{
	return a->number == 0 && reply(a, "first");
}

/* A first piece; after the test allows it the body is read, and its size and sum are sent. */
static bool answer_early(const struct asked *a)
{
	struct asked mine = *a;
	char sum[64], text[80];
	bool ok = says(a, CHUNKED_HEAD "6\r\nearly \r\n");
	while (ok && !atomic_load(&a->server->go) && !atomic_load(&a->server->stop))
		clock_sleep_ms(2);
	if (!ok || !read_body(&mine))
		return false;
	summarise(sum, a->body, a->nbody);
	snprintf(text, sizeof(text), "%zx\r\n%s\r\n0\r\n\r\n", strlen(sum), sum);
	return says(a, text);
}

static const struct { const char *path; bool (*answer)(const struct asked *); } scripts[] = {
	{ "/bytes/", answer_bytes }, { "/cut/", answer_cut }, { "/echo", answer_echo },
	{ "/head", answer_head }, { "/heads", answer_heads }, { "/soon", answer_soon },
	{ "/never", answer_never }, { "/stall", answer_stall }, { "/drip/", answer_drip },
	{ "/gap/", answer_gap }, { "/together/", answer_together }, { "/once", answer_once },
	{ "/first", answer_first }, { "/early", answer_early },
};

static bool answer_request(const struct asked *a)
{
	const char *path = strncmp(a->path, "http://", 7) == 0 ? strchr(a->path + 7, '/') : a->path;
	if (strncmp(a->head, "CONNECT ", 8) == 0) {
		says(a, "HTTP/1.1 407 Who Are You\r\nContent-Length: 0\r\n\r\n");
		return false;
	}
	for (size_t i = 0; i < sizeof(canned) / sizeof(canned[0]); i++)
		if (streq(path, canned[i].path))
			return says(a, canned[i].text) && canned[i].keep;
	/* the longest name that fits is used: "/heads" is not "/head" */
	bool (*answer)(const struct asked *) = NULL;
	size_t longest = 0;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		if (starts_with(path, scripts[i].path) && strlen(scripts[i].path) > longest) {
			longest = strlen(scripts[i].path);
			answer = scripts[i].answer;
		}
	return answer != NULL ? answer(a) : reply(a, "hello");
}

/* ---- the client's side ------------------------------------------------------------- */

struct fix {
	struct server *server;
	struct httpc *http;
};

static inline void setup(struct fix *f)
{
	struct err e = { 0 };
	static const char *const proxies[] = { "http_proxy", "https_proxy", "HTTPS_PROXY",
		"all_proxy", "ALL_PROXY" };
	for (size_t i = 0; i < sizeof(proxies) / sizeof(proxies[0]); i++)
		unsetenv(proxies[i]);
	f->server = server_start();
	TEST_OK(httpc_open(&f->http, NULL, &e), e);
}

static inline void teardown(struct fix *f)
{
	httpc_close(f->http);
	server_stop(f->server);
}

/* A call and all its results. */
struct call {
	char url[256];
	struct httpc_request req;
	struct watch *watch;
	struct buf body;
	int pieces, fail_at, pause_ms; /* the piece at which body() fails; its pace */
	struct httpc_head head;
	struct err e;
	enum errcode rc;
	int64_t took_ms;
};

static inline enum errcode keep(void *arg, const struct httpc_head *head, const char *p, size_t n,
    struct err *e)
{
	struct call *c = arg;
	cr_expect_neq(head->status, 0);
	buf_put(&c->body, p, n);
	if (++c->pieces == c->fail_at)
		return err_set(e, ERR_FORMATTER, "enough");
	if (c->pause_ms > 0)
		clock_sleep_ms(c->pause_ms);
	return OK;
}

static inline struct call call_to(const struct server *s, const char *path)
{
	struct call c = { .req = { .max_bytes = 4 * 1024 * 1024, .total_ms = 20000 } };
	snprintf(c.url, sizeof(c.url), "%s%s", s->url, path);
	buf_init(&c.body, SIZE_MAX / 2);
	return c;
}

static inline void run(struct httpc *h, struct call *c)
{
	int64_t start = clock_mono_ms();
	c->req.url = c->url;
	c->rc = httpc_call(h, &c->req, c->watch, keep, c, &c->head, &c->e);
	c->took_ms = clock_mono_ms() - start;
}

static inline void done(struct call *c)
{
	buf_release(&c->body);
}

/* A body of this many bytes, and what the server says about it at /echo. */
static inline char *fill(size_t size, char expected[64])
{
	char *body = malloc(size + 1);
	for (size_t i = 0; i < size; i++)
		body[i] = (char)(i * i >> 3);
	summarise(expected, body, size);
	return body;
}

/* The body is in pages of its own, which are unmapped as soon as the client says that it does not
 * need them. */
struct upload {
	struct server *server;
	char *body;                    /* NULL: unmapped */
	size_t size;
	int pieces;
	bool early;                    /* still needed at the first piece of the reply */
	struct buf got;
};

static inline enum errcode take_piece(void *arg, const struct httpc_head *head, const char *p, size_t n,
    struct err *e)
{
	struct upload *u = arg;
	(void)e;
	if (u->pieces++ == 0)
		u->early = !head->uploaded;
	if (head->uploaded && u->body != NULL) {
		munmap(u->body, u->size);
		u->body = NULL;
	}
	buf_put(&u->got, p, n);
	atomic_store(&u->server->go, true);
	return OK;
}

/* Call `path` at `front`, with the server behind it, with a body of this many bytes; 0: GET. */
static inline void upload(struct server *s, struct httpc *h, const char *front, const char *path,
    size_t size, bool early)
{
	struct upload u = { .server = s, .size = size };
	struct call c = call_to(s, path);
	char expected[64] = "";
	buf_init(&u.got, 200);
	snprintf(c.url, sizeof(c.url), "%s%s", front, path);
	atomic_store(&s->go, false);
	if (size > 0) {
		char *bytes = fill(size, expected);
		u.body = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		cr_assert_neq(u.body, MAP_FAILED);
		memcpy(u.body, bytes, size);
		free(bytes);
		c.req.nbody = size;
	}
	c.req.url = c.url;
	c.req.body = u.body;
	c.rc = httpc_call(h, &c.req, NULL, take_piece, &u, &c.head, &c.e);
	cr_expect_eq(c.rc, OK, "%s %zu: %s", path, size, c.e.msg);
	cr_expect_eq(u.early, early, "%s %zu", path, size);
	cr_expect(c.head.uploaded && u.body == NULL, "%s %zu", path, size);
	if (size > 0)
		cr_expect_not_null(strstr(u.got.p, expected), "%s %zu: %s", path, size, u.got.p);
	if (u.body != NULL)
		munmap(u.body, u.size);
	buf_release(&u.got);
	done(&c);
}

/* A call in a thread of its own. */
struct worker {
	pthread_t thread;
	struct httpc *http;
	struct call call;
};

static inline void *work(void *arg)
{
	struct worker *w = arg;
	run(w->http, &w->call);
	return NULL;
}

#endif
