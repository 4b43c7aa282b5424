/* How calls of the HTTP client end early: a limit, a reader that leaves, a body nobody wants. */
#include "drivers/httpc.h"

#include <limits.h>

#include "tests/unit/httpc_fix.h"

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
		cr_expect(c.head.sent, "row %zu", i);
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
	cr_expect(!c.head.sent);
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
		cr_expect(w.call.head.stopped && w.call.head.sent);
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
		cr_expect(!c.head.sent);
		done(&c);
		close(reader[0]);
	}
	teardown(&f);
}

/* More calls than the client keeps handles, and all have the same reader. Then as many again, which
 * use the handles that were kept. */
TEST(httpc, leaves_many_at_once)
{
	enum { CALLS = 48 };
	struct fix f;
	struct worker w[CALLS];
	setup(&f);
	for (int round = 0; round < 2; round++) {
		int reader[2];
		cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, reader), 0);
		struct watch watch = { .fd = reader[0] };
		atomic_store(&f.server->requests, 0);
		for (int i = 0; i < CALLS; i++) {
			w[i] = (struct worker){ .http = f.http, .call = call_to(f.server, "/never") };
			w[i].call.watch = &watch;
			cr_assert_eq(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
		}
		await(&f.server->requests, CALLS);
		clock_sleep_ms(30);
		close(reader[1]);
		for (int i = 0; i < CALLS; i++) {
			pthread_join(w[i].thread, NULL);
			cr_expect_eq(w[i].call.rc, ERR_HUP, "%s", w[i].call.e.msg);
			done(&w[i].call);
		}
		close(reader[0]);
		struct call c = call_to(f.server, "/hello");
		run(f.http, &c);
		cr_expect_eq(c.rc, OK, "%s", c.e.msg);
		cr_expect_str_eq(c.body.p, "hello");
		done(&c);
	}
	teardown(&f);
}

struct duty {
	int calls, fail_at;
	int pause_ms;                  /* before it fails */
	enum errcode code;
};

static enum errcode check(void *arg, int64_t *ms)
{
	struct duty *d = arg;
	*ms = 20;
	if (++d->calls < d->fail_at)
		return OK;
	if (d->pause_ms > 0)
		clock_sleep_ms(d->pause_ms);
	return d->code;
}

TEST(httpc, obeys_its_watch)
{
	struct fix f;
	setup(&f);
	static const enum errcode codes[] = { ERR_TIMEOUT, ERR_OVERLOAD };
	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < sizeof(unfinished) / sizeof(unfinished[0]); j++) {
			struct duty duty = { .fail_at = 10, .code = codes[i] };
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

/* A call that ends when it has just been woken leaves nothing behind that wakes the next one all the
 * time. The body is large, so that the client's thread sends most of it and wakes the caller. */
TEST(httpc, wakes_nobody_for_a_call_that_has_ended)
{
	enum { SIZE = 12 * 1024 * 1024 };
	struct fix f;
	char expected[64];
	setup(&f);
	struct duty gone = { .fail_at = 2, .pause_ms = 1000, .code = ERR_TIMEOUT };
	struct watch watch = { .fd = -1, .check = check, .arg = &gone };
	struct call c = call_to(f.server, "/never");
	char *body = fill(SIZE, expected);
	c.req.body = body;
	c.req.nbody = SIZE;
	c.watch = &watch;
	run(f.http, &c);
	cr_expect_eq(c.rc, ERR_TIMEOUT, "%s", c.e.msg);
	cr_expect_eq(atomic_load(&f.server->requests), 1, "the body was not sent in time");
	done(&c);
	free(body);

	struct duty next = { .fail_at = INT_MAX };
	watch.arg = &next;
	c = call_to(f.server, "/gap/400");
	c.watch = &watch;
	run(f.http, &c);
	cr_expect_eq(c.rc, OK, "%s", c.e.msg);
	cr_expect_leq(next.calls, 100, "looked %d times in 400 ms", next.calls);
	done(&c);
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
