/*
 * A service that is away, slow, or says too much, and what that means for the next call.
 */
#include "services/remote.h"
#include "tests/unit/http_server.h"

static atomic_int failures_left;

static bool answer_request(const struct asked *a)
{
	if (starts_with(a->path, "/ok"))
		return reply(a, "fine");
	if (starts_with(a->path, "/long")) {
		char text[2000];
		memset(text, 'x', sizeof(text));
		says(a, "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n");
		return say(a, text, sizeof(text));
	}
	if (starts_with(a->path, "/cut")) {
		says(a, "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf");
		return false;
	}
	/* says late that it is ill, then nothing */
	if (starts_with(a->path, "/late") && atomic_fetch_sub(&failures_left, 1) > 0) {
		usleep(1500 * 1000);
		return says(a, "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");
	}
	if (starts_with(a->path, "/hiccup") && atomic_fetch_sub(&failures_left, 1) > 0)
		return says(a, "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");
	if (starts_with(a->path, "/hiccup"))
		return reply(a, "again");
	if (starts_with(a->path, "/drop"))
		return false;
	wait_until_left(a);
	return false;
}

struct fix {
	struct server *server;
	struct httpc *http;
	struct remote remote;
	struct buf reply;
	struct err e;
	int status;
};

static void setup(struct fix *f, int64_t total_ms)
{
	struct err e = { 0 };
	unsetenv("http_proxy");
	unsetenv("all_proxy");
	*f = (struct fix){ .server = server_start() };
	TEST_OK(httpc_open(&f->http, NULL, &e), e);
	remote_init(&f->remote, f->http, "Far Away", 5000, total_ms);
	buf_init(&f->reply, 1000);
}

static void teardown(struct fix *f)
{
	buf_release(&f->reply);
	httpc_close(f->http);
	server_stop(f->server);
}

static enum errcode ask(struct fix *f, const char *path, const struct watch *w)
{
	char url[128];
	snprintf(url, sizeof(url), "%s%s", f->server->url, path);
	const struct remote_request q = { .url = url, .watch = w };
	f->e = (struct err){ 0 };
	return remote_call(&f->remote, &q, &f->reply, &f->status, &f->e);
}

TEST(remote, calls)
{
	static const struct {
		const char *path;
		enum errcode rc;
		const char *says;              /* body, or part of the message */
		int status, requests;
		bool rests;                    /* afterwards */
	} rows[] = {
		{ "/ok", OK, "fine", 200, 1, false },
		{ "/hiccup", OK, "again", 200, 2, false },
		{ "/long", ERR_UPSTREAM, "larger than 1000 bytes", 200, 1, false },
		{ "/cut", ERR_UPSTREAM, "in the middle", 200, 1, false },
		{ "/drop", ERR_UPSTREAM, "Far Away: ", 0, 2, true },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fix f;
		setup(&f, 20000);
		atomic_store(&failures_left, 1);
		cr_expect_eq(ask(&f, rows[i].path, NULL), rows[i].rc, "%s: %s", rows[i].path, f.e.msg);
		cr_expect_not_null(strstr(rows[i].rc == OK ? f.reply.p : f.e.msg, rows[i].says), "%s: %s",
		    rows[i].path, f.e.msg);
		cr_expect_eq(f.status, rows[i].status, "%s: %d", rows[i].path, f.status);
		cr_expect_eq(atomic_load(&f.server->requests), rows[i].requests, "%s", rows[i].path);
		cr_expect_eq(atomic_load(&f.remote.rest.until_ms) != 0, rows[i].rests, "%s", rows[i].path);
		cr_expect_null(strstr(f.e.msg, rows[i].path), "a path is in the message: %s", f.e.msg);
		teardown(&f);
	}
}

/* The service's time-out is its own failure and not the end of the turn. */
TEST(remote, a_slow_service_is_no_timeout_of_the_turn)
{
	struct fix f;
	setup(&f, 100);
	cr_expect_eq(ask(&f, "/silent", NULL), ERR_UPSTREAM, "%s", f.e.msg);
	cr_expect_not_null(strstr(f.e.msg, "no answer within"), "%s", f.e.msg);
	/* it rests: it is not asked, even what it would answer */
	int before = atomic_load(&f.server->requests);
	cr_expect_eq(ask(&f, "/ok", NULL), ERR_UPSTREAM);
	cr_expect_not_null(strstr(f.e.msg, "a moment ago"), "%s", f.e.msg);
	cr_expect_eq(atomic_load(&f.server->requests), before);
	/* the rest is over: one asks for all, and the others wait for what it finds */
	atomic_store(&f.remote.rest.until_ms, clock_mono_ms() - 1);
	cr_expect_eq(ask(&f, "/ok", NULL), OK, "%s", f.e.msg);
	cr_expect_eq(atomic_load(&f.remote.rest.until_ms), 0);
	teardown(&f);
}

/* One limit for both tries. */
TEST(remote, a_second_try_gets_what_time_is_left)
{
	struct fix f;
	int64_t start = clock_mono_ms();
	setup(&f, 2000);
	atomic_store(&failures_left, 1);
	cr_expect_eq(ask(&f, "/late", NULL), ERR_UPSTREAM);
	cr_expect_eq(atomic_load(&f.server->requests), 2);
	cr_expect_lt(clock_mono_ms() - start, 3000);
	teardown(&f);
}

struct ending {
	int64_t at_ms;
	enum errcode rc;
};

static enum errcode end_at(void *arg, int64_t *ms)
{
	const struct ending *x = arg;
	*ms = 10;
	return clock_mono_ms() >= x->at_ms ? x->rc : OK;
}

TEST(remote, the_watch_ends_a_call_and_says_nothing_of_the_service)
{
	static const enum errcode codes[] = { ERR_HUP, ERR_TIMEOUT, ERR_OVERLOAD };
	struct fix f;
	setup(&f, 20000);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct ending x = { clock_mono_ms() + 50, codes[i] };
		const struct watch w = { -1, end_at, &x };
		cr_expect_eq(ask(&f, "/silent", &w), codes[i], "%s", f.e.msg);
		cr_expect_eq(atomic_load(&f.remote.rest.until_ms), 0);
	}
	/* one that tried for all and was ended: the next one tries, at once */
	atomic_store(&f.remote.rest.until_ms, clock_mono_ms() - 1);
	struct ending x = { clock_mono_ms() + 50, ERR_HUP };
	const struct watch w = { -1, end_at, &x };
	cr_expect_eq(ask(&f, "/silent", &w), ERR_HUP);
	cr_expect_eq(ask(&f, "/ok", NULL), OK, "%s", f.e.msg);
	teardown(&f);
}

/* Who was stopped by their own reader does not end the rest that another call has begun. */
TEST(remote, rest)
{
	struct rest r = { 0 };
	int64_t one, two, three;
	cr_expect(rest_ask(&r, &one) && rest_ask(&r, &two) && rest_ask(&r, &three));
	rest_tell(&r, one, REST_AWAY);
	rest_tell(&r, two, REST_UNKNOWN);
	cr_expect(rest_left_ms(&r) > 0 && !rest_ask(&r, &two));
	/* one that was under way and got its answer does */
	rest_tell(&r, three, REST_THERE);
	cr_expect(rest_left_ms(&r) == 0 && rest_ask(&r, &one));
	/* it is over: one asks for all, until it is known */
	atomic_store(&r.until_ms, clock_mono_ms() - 1);
	cr_expect(rest_left_ms(&r) == 0 && rest_ask(&r, &one) && rest_left_ms(&r) > 0 && !rest_ask(&r, &two));
	rest_tell(&r, one, REST_UNKNOWN);
	cr_expect(rest_ask(&r, &two) && !rest_ask(&r, &one));
	rest_tell(&r, two, REST_AWAY);
	cr_expect(!rest_ask(&r, &one));
}

TEST(remote, addresses)
{
	static const struct { const char *url; bool ok; } rows[] = {
		{ "http://a", true }, { "HTTPS://a:1/b?c", true }, { "", false }, { "a", false },
		{ "ftp://a", false }, { "http://", false }, { "http:///x", false },
		{ "http://a b", false }, { "http://a#b", false }, { "http://a\r\nX: y", false },
		{ "http://m\xc3\xbcnchen", false },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_eq(remote_address_ok(rows[i].url), rows[i].ok, "%s", rows[i].url);
}
