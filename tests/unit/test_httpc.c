/*
 * The HTTP client over real sockets, against a server that misbehaves on request: replies,
 * requests, connections.
 */
#include "drivers/httpc.h"

#include "tests/unit/httpc_fix.h"

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
		cr_expect(c.head.sent);
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
		{ "http://user:ge/heim@127.0.0.1:%d/", ERR_CONFIG },
		{ "http://127.0.0.1:geheim/%d", ERR_CONFIG },
		{ "http://127.0.0.1:%d/geheim\n", ERR_CONFIG },
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
		cr_expect(!c.head.sent, "%s", url);
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
	char expected[64], *big = fill(size, expected);
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

TEST(httpc, tells_when_the_body_may_go)
{
	struct fix f;
	setup(&f);
	for (int i = 0; i < 2; i++) {          /* over a kept connection too */
		upload(f.server, f.http, f.server->url, "/early", 8 * 1024 * 1024, true);
		upload(f.server, f.http, f.server->url, "/early", 1, false);
		upload(f.server, f.http, f.server->url, "/early", 1000, false);
		upload(f.server, f.http, f.server->url, "/echo", 60000, false);
		upload(f.server, f.http, f.server->url, "/echo", 1000000, false);
		upload(f.server, f.http, f.server->url, "/hello", 0, false);
	}
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

/* Connections in use do not count among those that may be kept. */
TEST(httpc, keeps_connections_while_many_wait)
{
	enum { WAITING = 16 };
	struct fix f;
	struct httpc *poor;
	struct err e;
	struct worker w[WAITING];
	int reader[2];
	setup(&f);
	TEST_OK(httpc_open(&poor, &(struct httpc_config){ .max_idle = 2 }, &e), e);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, reader), 0);
	struct watch watch = { .fd = reader[0] };
	for (int i = 0; i < WAITING; i++) {
		w[i] = (struct worker){ .http = poor, .call = call_to(f.server, "/never") };
		w[i].call.watch = &watch;
		cr_assert_eq(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
	}
	await(&f.server->requests, WAITING);
	for (int i = 0; i < 5; i++) {
		struct call c = call_to(f.server, "/hello");
		run(poor, &c);
		cr_expect_eq(c.rc, OK, "%s", c.e.msg);
		cr_expect_eq(c.head.reused, i > 0, "call %d", i);
		done(&c);
	}
	close(reader[1]);
	for (int i = 0; i < WAITING; i++) {
		pthread_join(w[i].thread, NULL);
		done(&w[i].call);
	}
	close(reader[0]);
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
