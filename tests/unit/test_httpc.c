/*
 * The HTTP client over real sockets, against a server that misbehaves on request.
 */
#include "drivers/httpc.h"

#include <sys/wait.h>

#include "base/buf.h"
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

static bool answer_echo(const struct asked *a)
{
	char text[64];
	unsigned long sum = 0;
	for (size_t i = 0; i < a->nbody; i++)
		sum = sum * 31 + (unsigned char)a->body[i];
	snprintf(text, sizeof(text), "%zu %lu%s", a->nbody, sum,
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

/* Two pieces, so many milliseconds apart. */
static bool answer_gap(const struct asked *a)
{
	bool ok = says(a, CHUNKED_HEAD "1\r\na\r\n");
	clock_sleep_ms((int)a->arg);
	return ok && says(a, "1\r\nb\r\n0\r\n\r\n");
}

/* Answer when so many are asking at once. */
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

static const struct { const char *path; bool (*answer)(const struct asked *); } scripts[] = {
	{ "/bytes/", answer_bytes }, { "/cut/", answer_cut }, { "/echo", answer_echo },
	{ "/head", answer_head }, { "/heads", answer_heads }, { "/soon", answer_soon },
	{ "/never", answer_never }, { "/stall", answer_stall }, { "/drip/", answer_drip },
	{ "/gap/", answer_gap }, { "/together/", answer_together }, { "/once", answer_once },
	{ "/first", answer_first },
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
	/* the longest name wins: "/heads" is not "/head" */
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

static void setup(struct fix *f)
{
	struct err e = { 0 };
	static const char *const proxies[] = { "http_proxy", "https_proxy", "HTTPS_PROXY",
		"all_proxy", "ALL_PROXY" };
	for (size_t i = 0; i < sizeof(proxies) / sizeof(proxies[0]); i++)
		unsetenv(proxies[i]);
	f->server = server_start();
	TEST_OK(httpc_open(&f->http, NULL, &e), e);
}

static void teardown(struct fix *f)
{
	httpc_close(f->http);
	server_stop(f->server);
}

/* A call and all that came of it. */
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

static enum errcode keep(void *arg, const struct httpc_head *head, const char *p, size_t n,
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

static struct call call_to(const struct server *s, const char *path)
{
	struct call c = { .req = { .max_bytes = 4 * 1024 * 1024, .total_ms = 20000 } };
	snprintf(c.url, sizeof(c.url), "%s%s", s->url, path);
	buf_init(&c.body, SIZE_MAX / 2);
	return c;
}

static void run(struct httpc *h, struct call *c)
{
	int64_t start = clock_mono_ms();
	c->req.url = c->url;
	c->rc = httpc_call(h, &c->req, c->watch, keep, c, &c->head, &c->e);
	c->took_ms = clock_mono_ms() - start;
}

static void done(struct call *c)
{
	buf_release(&c->body);
}

/* ---- replies ----------------------------------------------------------------------- */

static const struct {
	const char *path;
	int status;
	const char *body, *type;
	int64_t retry_min, retry_max;
} replies[] = {
	{ "/hello", 200, "hello", "", -1, -1 },
	{ "/typed", 200, "ok", "text/event-stream", -1, -1 },
	{ "/continue", 201, "ok", "", -1, -1 },
	{ "/chunked", 200, "hello world", "", -1, -1 },
	{ "/unlimited", 200, "until the end", "", -1, -1 },
	{ "/redirect", 302, "there", "", -1, -1 },
	{ "/refused", 401, "no!", "", -1, -1 },
	{ "/seconds", 429, "", "", 7000, 7000 },
	{ "/fraction", 429, "", "", 1500, 1500 },
	{ "/ages", 503, "", "", 604800000, 604800000 },
	{ "/soon", 503, "", "", 40000, 60000 },
	{ "/past", 503, "", "", 0, 0 },
	{ "/nonsense", 503, "", "", -1, -1 },
};

TEST(httpc, reads_replies)
{
	struct fix f;
	setup(&f);
	for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++) {
		struct call c = call_to(f.server, replies[i].path);
		run(f.http, &c);
		cr_expect_eq(c.rc, OK, "%s: %s", c.url, c.e.msg);
		cr_expect_eq(c.head.status, replies[i].status, "%s", c.url);
		cr_expect_str_eq(c.body.p, replies[i].body, "%s", c.url);
		cr_expect_str_eq(c.head.type, replies[i].type, "%s", c.url);
		cr_expect_geq(c.head.retry_after_ms, replies[i].retry_min, "%s", c.url);
		cr_expect_leq(c.head.retry_after_ms, replies[i].retry_max, "%s", c.url);
		cr_expect(!c.head.stopped);
		done(&c);
	}
	teardown(&f);
}

static const struct { const char *path, *says; int status; } failures[] = {
	{ "/nothing", "connection dropped before the answer", 0 },
	{ "/half-head", "connection dropped in the middle of the answer", 0 },
	{ "/short", "connection dropped in the middle of the answer", 200 },
	{ "/bad-chunk", "connection dropped in the middle of the answer", 200 },
	{ "/ssh", "does not speak HTTP", 0 },
	{ "/html", "does not speak HTTP", 0 },
	{ "/heads", "head of the answer is larger than 65536 bytes", 0 },
	{ "/gzip", "compression is damaged", 200 },
	{ "/bytes/1001", "larger than 1000 bytes", 200 },
	{ "/long", "dropped in the middle of the answer", 200 },
};

TEST(httpc, says_what_is_wrong)
{
	struct fix f;
	setup(&f);
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		struct call c = call_to(f.server, failures[i].path);
		c.req.max_bytes = 1000;
		run(f.http, &c);
		cr_expect_eq(c.rc, ERR_UPSTREAM, "%s", c.url);
		cr_expect_eq(c.e.code, ERR_UPSTREAM, "%s", c.url);
		cr_expect_not_null(strstr(c.e.msg, failures[i].says), "%s: %s", c.url, c.e.msg);
		cr_expect(starts_with(c.e.msg, f.server->url), "%s: %s", c.url, c.e.msg);
		cr_expect_eq(c.head.status, failures[i].status, "%s: %d", c.url, c.head.status);
		cr_expect(!c.head.stopped, "%s", c.url);
		cr_expect_leq(c.body.n, 1000);
		done(&c);
	}
	/* and the exact size is fine */
	struct call c = call_to(f.server, "/bytes/1000");
	c.req.max_bytes = 1000;
	run(f.http, &c);
	cr_expect_eq(c.rc, OK, "%s", c.e.msg);
	cr_expect_eq(c.body.n, 1000);
	done(&c);
	teardown(&f);
}

/* Wherever a chunked reply ends, it is whole or an error. (The last byte curl does not miss.) */
TEST(httpc, never_takes_a_part_for_the_whole)
{
	struct fix f;
	setup(&f);
	const size_t whole = strlen(CHUNKED);
	for (size_t n = 0; n <= whole; n++) {
		char path[32];
		snprintf(path, sizeof(path), "/cut/%zu", n);
		struct call c = call_to(f.server, path);
		run(f.http, &c);
		cr_expect_eq(c.rc, n >= whole - 1 ? OK : ERR_UPSTREAM, "%zu of %zu bytes: %s", n, whole,
		    c.e.msg);
		cr_expect_eq(memcmp(c.body.p, "hello world", c.body.n), 0, "%zu bytes", n);
		if (c.rc != OK)
			cr_expect_not_null(strstr(c.e.msg, "dropped"), "%zu: %s", n, c.e.msg);
		else
			cr_expect_str_eq(c.body.p, "hello world", "%zu bytes", n);
		done(&c);
	}
	teardown(&f);
}

TEST(httpc, hides_all_but_the_host)
{
	struct fix f;
	setup(&f);
	static const struct { const char *format; enum errcode rc; } urls[] = {
		{ "http://user:geheim@127.0.0.1:%d/geheim?key=geheim#geheim", ERR_UPSTREAM },
		{ "http://geheim@127.0.0.1:%d/", ERR_UPSTREAM },
		{ "http://user:ge/heim@127.0.0.1:%d/", ERR_UPSTREAM },
		{ "http://127.0.0.1:geheim/%d", ERR_UPSTREAM },
		{ "http://127.0.0.1:%d/geheim\n", ERR_UPSTREAM },
		{ "geheim://127.0.0.1:%d/", ERR_CONFIG },
		{ "geheim %d", ERR_CONFIG },
	};
	int port;
	close(listen_local(1, &port));      /* nobody listens there now */
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		struct call c = call_to(f.server, "");
		char url[256];
		const char *mark = strstr(urls[i].format, "%d");
		snprintf(c.url, sizeof(c.url), "%.*s%d%s", (int)(mark - urls[i].format),
		    urls[i].format, port, mark + 2);
		memcpy(url, c.url, sizeof(url));
		run(f.http, &c);
		cr_expect_eq(c.rc, urls[i].rc, "%s: %s", url, c.e.msg);
		cr_expect_null(strstr(c.e.msg, "heim"), "%s: %s", url, c.e.msg);
		cr_expect_null(strstr(c.e.msg, "user"), "%s: %s", url, c.e.msg);
		if (i < 2) {
			cr_expect_not_null(strstr(c.e.msg, "http://127.0.0.1:"), "%s", c.e.msg);
			cr_expect_not_null(strstr(c.e.msg, "Connection refused"), "%s", c.e.msg);
		}
		done(&c);
	}
	teardown(&f);
}

/* ---- requests ---------------------------------------------------------------------- */

TEST(httpc, sends_what_it_is_given)
{
	struct fix f;
	setup(&f);
	static const char *const fields[] = { "Authorization: Bearer x", "Content-Type: a/b", NULL };
	struct call c = call_to(f.server, "/head");
	c.req.fields = fields;
	c.req.body = "";
	run(f.http, &c);
	cr_assert_eq(c.rc, OK, "%s", c.e.msg);
	cr_expect(starts_with(c.body.p, "POST /head HTTP/1.1\r\n"), "%s", c.body.p);
	cr_expect_not_null(strstr(c.body.p, "\r\nAuthorization: Bearer x\r\n"), "%s", c.body.p);
	cr_expect_not_null(strstr(c.body.p, "\r\nContent-Type: a/b\r\n"), "%s", c.body.p);
	done(&c);

	/* nothing of it stays behind in the handle */
	c = call_to(f.server, "/head");
	run(f.http, &c);
	cr_expect(starts_with(c.body.p, "GET /head HTTP/1.1\r\n"), "%s", c.body.p);
	cr_expect_null(strstr(c.body.p, "Bearer"), "%s", c.body.p);
	done(&c);

	static const char *const broken[] = { "Authorization: Bearer geheim\r\nX: y", NULL };
	c = call_to(f.server, "/head");
	c.req.fields = broken;
	run(f.http, &c);
	cr_expect_eq(c.rc, ERR_CONFIG);
	cr_expect_null(strstr(c.e.msg, "geheim"), "%s", c.e.msg);
	done(&c);

	/* so large that curl would ask first whether it may send it */
	const size_t size = 1024 * 1024 + 1;
	char *big = malloc(size), expected[64];
	unsigned long sum = 0;
	for (size_t i = 0; i < size; i++) {
		big[i] = (char)(i * i >> 3);
		sum = sum * 31 + (unsigned char)big[i];
	}
	snprintf(expected, sizeof(expected), "%zu %lu", size, sum);
	c = call_to(f.server, "/echo");
	c.req.body = big;
	c.req.nbody = size;
	run(f.http, &c);
	cr_expect_eq(c.rc, OK, "%s", c.e.msg);
	cr_expect_str_eq(c.body.p, expected);
	done(&c);
	free(big);
	teardown(&f);
}

TEST(httpc, gets)
{
	struct fix f;
	setup(&f);
	struct arena *a = arena_new();
	struct httpc_reply r;
	struct err e = { 0 };
	char url[128];
	snprintf(url, sizeof(url), "%s/refused", f.server->url);
	TEST_OK(httpc_get(f.http, a, url, 5000, 100, &r, &e), e);
	cr_expect_eq(r.status, 401);
	cr_expect_str_eq(r.body, "no!");
	cr_expect_eq(r.n, 3);
	snprintf(url, sizeof(url), "%s/never", f.server->url);
	cr_expect_eq(httpc_get(f.http, a, url, 200, 100, &r, &e), ERR_TIMEOUT);
	cr_expect_not_null(strstr(e.msg, "no answer within 200 ms"), "%s", e.msg);
	cr_expect_str_eq(httpc_encode(a, "a b/ü"), "a+b%2F%C3%BC");
	arena_free(a);
	teardown(&f);
}

TEST(httpc, goes_through_a_proxy)
{
	struct fix f;
	setup(&f);
	char http[96], https[96];
	snprintf(http, sizeof(http), "http_proxy=%s", f.server->url);
	snprintf(https, sizeof(https), "https_proxy=%s", f.server->url);
	putenv(http);
	putenv(https);
	struct call c = call_to(f.server, "");
	snprintf(c.url, sizeof(c.url), "http://model.example/hello");
	run(f.http, &c);
	cr_expect_eq(c.rc, OK, "%s", c.e.msg);
	cr_expect_str_eq(c.body.p, "hello");
	done(&c);
	c = call_to(f.server, "");
	snprintf(c.url, sizeof(c.url), "https://model.example/hello");
	run(f.http, &c);
	cr_expect_eq(c.rc, ERR_UPSTREAM);
	cr_expect_not_null(strstr(c.e.msg, "https://model.example: the proxy refuses (HTTP status "
	    "407)"), "%s", c.e.msg);
	cr_expect_eq(c.head.status, 0, "the proxy's answer is not the server's");
	done(&c);
	unsetenv("http_proxy");
	unsetenv("https_proxy");
	teardown(&f);
}

/* ---- connections ------------------------------------------------------------------- */

TEST(httpc, keeps_connections)
{
	struct fix f;
	setup(&f);
	for (int i = 0; i < 5; i++) {
		struct call c = call_to(f.server, i == 3 ? "/chunked" : "/hello");
		run(f.http, &c);
		cr_expect_eq(c.rc, OK, "%s", c.e.msg);
		cr_expect_eq(c.head.reused, i > 0, "call %d", i);
		done(&c);
	}
	cr_expect_eq(atomic_load(&f.server->accepted), 1);
	teardown(&f);
}

struct worker {
	pthread_t thread;
	struct httpc *http;
	struct call call;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	run(w->http, &w->call);
	return NULL;
}

/* n calls at once, each answered when all have been asked; returns how many reused a connection. */
static int call_together(struct server *s, struct httpc *h, int n)
{
	struct worker *w = calloc((size_t)n, sizeof(*w));
	char path[32];
	int reused = 0;
	snprintf(path, sizeof(path), "/together/%d", n);
	atomic_store(&s->waiting, 0);
	for (int i = 0; i < n; i++) {
		w[i].http = h;
		w[i].call = call_to(s, path);
		cr_assert_eq(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
	}
	for (int i = 0; i < n; i++) {
		pthread_join(w[i].thread, NULL);
		cr_expect_eq(w[i].call.rc, OK, "%s", w[i].call.e.msg);
		cr_expect_str_eq(w[i].call.body.p, "together");
		reused += w[i].call.head.reused;
		done(&w[i].call);
	}
	free(w);
	return reused;
}

TEST(httpc, serves_many_threads_over_kept_connections)
{
	struct fix f;
	setup(&f);
	cr_expect_eq(call_together(f.server, f.http, 64), 0);
	cr_expect_eq(call_together(f.server, f.http, 64), 64);
	cr_expect_eq(call_together(f.server, f.http, 64), 64);
	cr_expect_eq(atomic_load(&f.server->accepted), 64);

	struct httpc *poor;
	struct err e;
	TEST_OK(httpc_open(&poor, &(struct httpc_config){ .max_idle = 4 }, &e), e);
	cr_expect_eq(call_together(f.server, poor, 16), 0);
	cr_expect_eq(call_together(f.server, poor, 16), 4);
	httpc_close(poor);
	teardown(&f);
}

TEST(httpc, does_not_stumble_over_a_closed_connection)
{
	struct fix f;
	setup(&f);
	/* closed after the reply, though it promised to stay */
	for (int i = 0; i < 3; i++) {
		struct call c = call_to(f.server, "/once");
		run(f.http, &c);
		cr_expect_eq(c.rc, OK, "%s", c.e.msg);
		done(&c);
	}
	/* closed by a restart while idle */
	struct call c = call_to(f.server, "/hello");
	run(f.http, &c);
	server_drop(f.server);
	done(&c);
	char *big = calloc(1, 200000);
	c = call_to(f.server, "/echo");
	c.req.body = big;
	c.req.nbody = 200000;
	run(f.http, &c);
	cr_expect_eq(c.rc, OK, "%s", c.e.msg);
	cr_expect(!c.head.reused);
	done(&c);
	free(big);
	/* closed just when the next request came in */
	for (int i = 0; i < 3; i++) {
		c = call_to(f.server, "/first");
		c.req.body = "x";
		c.req.nbody = 1;
		run(f.http, &c);
		cr_expect_eq(c.rc, OK, "%d: %s", i, c.e.msg);
		cr_expect_str_eq(c.body.p, "first");
		done(&c);
	}
	teardown(&f);
}

/* ---- limits ------------------------------------------------------------------------ */

static const struct {
	const char *path;
	int64_t first, idle, total;
	const char *says;
	const char *body;
} limits[] = {
	{ "/never", 200, 20000, 20000, "no answer within 200 ms", "" },
	{ "/never", 20000, 20000, 1000, "no answer within 1 s", "" },
	{ "/never", 0, 0, 200, "no answer within 200 ms", "" },
	{ "/stall", 20000, 200, 20000, "silent for 200 ms in the middle of the answer", "hello" },
	{ "/stall", 20000, 0, 200, "the answer was not complete within 200 ms", "hello" },
	{ "/drip/0", 200, 20000, 400, "the answer was not complete within 400 ms", NULL },
};

TEST(httpc, loses_patience)
{
	struct fix f;
	setup(&f);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct call c = call_to(f.server, limits[i].path);
		c.req.first_ms = limits[i].first;
		c.req.idle_ms = limits[i].idle;
		c.req.total_ms = limits[i].total;
		atomic_store(&f.server->left_ms, 0);
		run(f.http, &c);
		cr_expect_eq(c.rc, ERR_TIMEOUT, "row %zu: %s", i, c.e.msg);
		cr_expect_not_null(strstr(c.e.msg, limits[i].says), "row %zu: %s", i, c.e.msg);
		cr_expect_geq(c.took_ms, 200);
		cr_expect_leq(c.took_ms, 5000, "row %zu: %lld", i, (long long)c.took_ms);
		cr_expect(!c.head.stopped);
		if (limits[i].body != NULL)
			cr_expect_str_eq(c.body.p, limits[i].body, "row %zu", i);
		for (int ms = 0; ms < 2500 && atomic_load(&f.server->left_ms) == 0; ms++)
			clock_sleep_ms(2);
		cr_expect_neq(atomic_load(&f.server->left_ms), 0, "row %zu: still connected", i);
		done(&c);
	}
	teardown(&f);
}

TEST(httpc, waits_for_a_slow_reader)
{
	struct fix f;
	setup(&f);
	/* silent for 600 ms, of which the reader was busy for 550 */
	struct call c = call_to(f.server, "/gap/600");
	c.req.idle_ms = 500;
	c.pause_ms = 550;
	run(f.http, &c);
	cr_expect_eq(c.rc, OK, "%s", c.e.msg);
	cr_expect_str_eq(c.body.p, "ab");
	done(&c);

	/* what comes while it is busy is passed on as one piece */
	c = call_to(f.server, "/drip/30");
	c.pause_ms = 400;
	run(f.http, &c);
	cr_expect_eq(c.rc, OK, "%s", c.e.msg);
	cr_expect_eq(c.body.n, 30);
	cr_expect_leq(c.pieces, 15, "%d pieces", c.pieces);
	done(&c);
	teardown(&f);
}

/* A listener whose queue is full lets nobody in and refuses nobody. */
TEST(httpc, gives_up_connecting)
{
	enum { FILLERS = 4 };
	struct fix f;
	int port, fillers[FILLERS], full;
	setup(&f);
	full = listen_local(0, &port);
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) },
		.sin_port = htons((uint16_t)port) };
	for (int i = 0; i < FILLERS; i++) {
		fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		(void)connect(fillers[i], (struct sockaddr *)&at, sizeof(at));
	}
	clock_sleep_ms(50);
	struct call c = call_to(f.server, "");
	snprintf(c.url, sizeof(c.url), "http://127.0.0.1:%d/", port);
	c.req.connect_ms = 300;
	c.req.first_ms = 10000;
	run(f.http, &c);
	cr_expect_eq(c.rc, ERR_TIMEOUT, "%s", c.e.msg);
	cr_expect_not_null(strstr(c.e.msg, "no connection within 300 ms"), "%s", c.e.msg);
	cr_expect_leq(c.took_ms, 5000);
	done(&c);
	for (int i = 0; i < FILLERS; i++)
		close(fillers[i]);
	close(full);
	teardown(&f);
}

/* Where names are looked up may be far away; a call that gives up does not wait for it. */
TEST(httpc, does_not_wait_for_a_look_up)
{
	struct fix f;
	setup(&f);
	struct call c = call_to(f.server, "");
	snprintf(c.url, sizeof(c.url), "http://no-such-host.invalid/");
	c.req.total_ms = 300;
	run(f.http, &c);
	cr_expect(c.rc == ERR_UPSTREAM || c.rc == ERR_TIMEOUT, "%s", err_row(c.rc)->name);
	cr_expect_not_null(strstr(c.e.msg, c.rc == ERR_TIMEOUT ? "no answer within 300 ms" :
	    "name not found"), "%s", c.e.msg);
	cr_expect_leq(c.took_ms, 2500, "%lld ms", (long long)c.took_ms);
	done(&c);
	teardown(&f);
}

/* ---- leaving early ----------------------------------------------------------------- */

static const char *const unfinished[] = { "/never", "/stall", "/drip/0" };

TEST(httpc, leaves_with_its_reader)
{
	struct fix f;
	setup(&f);
	for (size_t i = 0; i < sizeof(unfinished) / sizeof(unfinished[0]); i++) {
		int reader[2];
		cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, reader), 0);
		struct watch watch = { .fd = reader[0] };
		struct worker w = { .http = f.http, .call = call_to(f.server, unfinished[i]) };
		w.call.watch = &watch;
		atomic_store(&f.server->requests, 0);
		atomic_store(&f.server->left_ms, 0);
		cr_assert_eq(pthread_create(&w.thread, NULL, work, &w), 0);
		await(&f.server->requests, 1);
		clock_sleep_ms(30);
		int64_t left = clock_mono_ms();
		close(reader[1]);
		pthread_join(w.thread, NULL);
		cr_expect_eq(w.call.rc, ERR_HUP, "%s", unfinished[i]);
		cr_expect(w.call.head.stopped);
		cr_expect_eq(w.call.e.code, ERR_HUP);
		for (int ms = 0; ms < 2500 && atomic_load(&f.server->left_ms) == 0; ms++)
			clock_sleep_ms(2);
		int64_t after = atomic_load(&f.server->left_ms) - left;
		cr_expect(after >= -50 && after <= 500, "%s: closed after %lld ms", unfinished[i],
		    (long long)after);
		done(&w.call);

		/* and does not even begin without one */
		struct call c = call_to(f.server, "/hello");
		c.watch = &watch;
		run(f.http, &c);
		cr_expect_eq(c.rc, ERR_HUP);
		cr_expect_eq(atomic_load(&f.server->requests), 1);
		done(&c);
		close(reader[0]);
	}
	teardown(&f);
}

struct duty {
	int calls, fail_at;
	enum errcode code;
};

static enum errcode check(void *arg, int64_t *ms)
{
	struct duty *d = arg;
	*ms = 20;
	return ++d->calls >= d->fail_at ? d->code : OK;
}

TEST(httpc, obeys_its_watch)
{
	struct fix f;
	setup(&f);
	static const enum errcode codes[] = { ERR_TIMEOUT, ERR_OVERLOAD };
	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < sizeof(unfinished) / sizeof(unfinished[0]); j++) {
			struct duty duty = { 0, 10, codes[i] };
			struct watch watch = { .fd = -1, .check = check, .arg = &duty };
			struct call c = call_to(f.server, unfinished[j]);
			c.watch = &watch;
			run(f.http, &c);
			cr_expect_eq(c.rc, codes[i], "%s", unfinished[j]);
			cr_expect_eq(c.e.code, codes[i]);
			cr_expect(c.head.stopped);
			cr_expect_eq(duty.calls, 10);
			done(&c);
		}
	teardown(&f);
}

TEST(httpc, stops_when_the_body_is_not_wanted)
{
	struct fix f;
	setup(&f);
	struct call c = call_to(f.server, "/drip/0");
	c.fail_at = 3;
	run(f.http, &c);
	cr_expect_eq(c.rc, ERR_FORMATTER);
	cr_expect_str_eq(c.e.msg, "enough");
	cr_expect(c.head.stopped);
	cr_expect_eq(c.pieces, 3);
	cr_expect_eq(c.head.status, 200);
	done(&c);
	/* nobody minds */
	c = call_to(f.server, "/hello");
	run(f.http, &c);
	cr_expect_eq(c.rc, OK, "%s", c.e.msg);
	done(&c);
	teardown(&f);
}

/* ---- TLS --------------------------------------------------------------------------- */

/* The port of an `openssl s_server` whose certificate is in dir/cert.pem; *pid is its process. */
static int tls_server(const char *dir, pid_t *pid)
{
	char cmd[1024], accept[32], cert[512], key[512];
	int port;
	snprintf(cmd, sizeof(cmd), "cd '%s' && openssl req -x509 -newkey ec -pkeyopt "
	    "ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test -addext "
	    "subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem >log 2>&1", dir);
	if (system(cmd) != 0)
		return -1;
	close(listen_local(1, &port));
	snprintf(accept, sizeof(accept), "127.0.0.1:%d", port);
	snprintf(cert, sizeof(cert), "%s/cert.pem", dir);
	snprintf(key, sizeof(key), "%s/key.pem", dir);
	*pid = fork();
	if (*pid == 0) {
		execlp("openssl", "openssl", "s_server", "-accept", accept, "-cert", cert, "-key",
		    key, "-www", "-quiet", (char *)NULL);
		_exit(127);
	}
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) },
		.sin_port = htons((uint16_t)port) };
	for (int i = 0; i < 500; i++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);
		int rc = connect(fd, (struct sockaddr *)&at, sizeof(at));
		close(fd);
		if (rc == 0)
			return port;
		clock_sleep_ms(10);
	}
	return -1;
}

TEST(httpc, trusts_only_who_it_is_told_to)
{
	struct fix f;
	struct httpc *trusting;
	struct err e = { 0 };
	char ca[512];
	char *dir = test_mkdtemp();
	setup(&f);
	struct httpc_config wrong = { .ca_file = "/no/such/file" };
	cr_expect_eq(httpc_open(&trusting, &wrong, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.msg, "AVIATION_AGENT_CA_FILE: /no/such/file: No such file"), "%s",
	    e.msg);

	struct call c = call_to(f.server, "");
	snprintf(c.url, sizeof(c.url), "https%s/", f.server->url + 4);
	run(f.http, &c);
	cr_expect_eq(c.rc, ERR_UPSTREAM);
	cr_expect_not_null(strstr(c.e.msg, "is this an https:// address?"), "%s", c.e.msg);
	done(&c);

	pid_t pid = 0;
	int port = tls_server(dir, &pid);
	if (port > 0) {
		c = call_to(f.server, "");
		snprintf(c.url, sizeof(c.url), "https://127.0.0.1:%d/", port);
		run(f.http, &c);
		cr_expect_eq(c.rc, ERR_UPSTREAM);
		cr_expect_not_null(strstr(c.e.msg, "certificate not trusted"), "%s", c.e.msg);
		cr_expect_not_null(strstr(c.e.msg, "AVIATION_AGENT_CA_FILE"), "%s", c.e.msg);
		done(&c);

		c = call_to(f.server, "");
		snprintf(c.url, sizeof(c.url), "http://127.0.0.1:%d/", port);
		run(f.http, &c);
		cr_expect_eq(c.rc, ERR_UPSTREAM, "plain HTTP to a TLS port");
		done(&c);

		snprintf(ca, sizeof(ca), "%s/cert.pem", dir);
		struct httpc_config good = { .ca_file = ca };
		TEST_OK(httpc_open(&trusting, &good, &e), e);
		int reader[2];
		cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, reader), 0);
		struct watch watch = { .fd = reader[0] };
		struct worker other = { .http = trusting, .call = call_to(f.server, "/never") };
		other.call.watch = &watch;
		for (int i = 0; i < 2; i++) {
			c = call_to(f.server, "");
			snprintf(c.url, sizeof(c.url), "https://127.0.0.1:%d/", port);
			run(trusting, &c);
			cr_expect_eq(c.rc, OK, "%s", c.e.msg);
			cr_expect_eq(c.head.status, 200);
			/* s_server closes each connection, but the session is taken up again, also by
			 * a second handle while the first is busy */
			cr_expect_not_null(strstr(c.body.p, i == 0 ? "New, " : "Reused, "), "%s",
			    c.body.p);
			done(&c);
			int before = atomic_load(&f.server->requests);
			if (i == 0) {
				cr_assert_eq(pthread_create(&other.thread, NULL, work, &other), 0);
				await(&f.server->requests, before + 1);
			}
		}
		close(reader[1]);
		pthread_join(other.thread, NULL);
		close(reader[0]);
		done(&other.call);
		httpc_close(trusting);
	}
	if (pid > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	test_rmdir(dir);
	teardown(&f);
	if (port <= 0)
		test_skip("no openssl to make a certificate with");
}
