/*
 * Listening to channels: joining, hearing, waking, and a server that goes away.
 */
#include "drivers/kv_listen.h"

#include <pthread.h>

#include "tests/unit/redis_server.h"
#include "tests/unit/test.h"

struct fix {
	char *dir;
	struct redis_server redis;
	struct arena *a;
	struct kv *kv;
	struct kv_listen *l;
	struct kv_notice got;
	struct err e;
};

static void fix_up(struct fix *f, const char *options)
{
	*f = (struct fix){ .dir = test_mkdtemp(), .a = arena_new() };
	signal(SIGPIPE, SIG_IGN);
	if (!redis_start(&f->redis, f->dir, options)) {
		arena_free(f->a);
		test_rmdir(f->dir);
		test_skip("no redis-server");
	}
	TEST_OK(kv_open(&f->kv, f->redis.url, 1000, 4, &f->e), f->e);
	f->l = kv_listen_open(f->kv);
}

static void fix_down(struct fix *f)
{
	kv_listen_close(f->l);
	kv_close(f->kv);
	redis_stop(&f->redis);
	arena_free(f->a);
	test_rmdir(f->dir);
}

static void publish(struct fix *f, const char *channel, const char *text)
{
	const struct str argv[] = { STR("PUBLISH"), str_of(channel), str_of(text) };
	const struct kv_cmd cmd = { argv, 3 };
	struct kv_reply r;

	TEST_OK(kv_run(f->kv, f->a, &cmd, 1, &r, &f->e), f->e);
}

static void expect(struct fix *f, enum kv_heard kind, const char *channel, const char *text)
{
	TEST_OK(kv_listen_wait(f->l, f->a, 5000, &f->got, &f->e), f->e);
	cr_assert_eq(f->got.kind, kind);
	if (kind != KV_WOKEN)
		cr_assert_str_eq(f->got.channel.p, channel);
	if (kind == KV_HEARD)
		cr_assert_str_eq(f->got.text.p, text);
}

TEST(kv_listen, hears_what_it_joined, .timeout = 60)
{
	struct fix f;

	fix_up(&f, NULL);
	kv_listen_add(f.l, "one");
	kv_listen_add(f.l, "two");
	expect(&f, KV_JOINED, "one", NULL);
	expect(&f, KV_JOINED, "two", NULL);
	publish(&f, "two", "b");
	publish(&f, "other", "x");
	publish(&f, "one", "");
	expect(&f, KV_HEARD, "two", "b");
	expect(&f, KV_HEARD, "one", "");
	kv_listen_drop(f.l, "two");
	kv_listen_add(f.l, "one");
	expect(&f, KV_JOINED, "one", NULL);
	publish(&f, "two", "c");
	publish(&f, "one", "d");
	expect(&f, KV_HEARD, "one", "d");
	fix_down(&f);
}

static void *wake_later(void *arg)
{
	struct fix *f = arg;

	clock_sleep_ms(100);
	kv_listen_wake(f->l);
	return NULL;
}

static void *add_later(void *arg)
{
	struct fix *f = arg;

	clock_sleep_ms(100);
	kv_listen_add(f->l, "late");
	return NULL;
}

TEST(kv_listen, another_thread_wakes_it_and_adds_channels, .timeout = 60)
{
	struct fix f;
	pthread_t thread;

	fix_up(&f, NULL);
	kv_listen_wake(f.l);
	int64_t t0 = clock_mono_ms();
	expect(&f, KV_WOKEN, NULL, NULL);
	cr_assert_lt(clock_mono_ms() - t0, 3000);
	pthread_create(&thread, NULL, wake_later, &f);
	t0 = clock_mono_ms();
	expect(&f, KV_WOKEN, NULL, NULL);
	cr_assert_geq(clock_mono_ms() - t0, 90);
	cr_assert_lt(clock_mono_ms() - t0, 3000);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, add_later, &f);
	expect(&f, KV_JOINED, "late", NULL);
	pthread_join(thread, NULL);
	t0 = clock_mono_ms();
	TEST_OK(kv_listen_wait(f.l, f.a, 200, &f.got, &f.e), f.e);
	cr_assert_eq(f.got.kind, KV_WOKEN);
	cr_assert_geq(clock_mono_ms() - t0, 190);
	fix_down(&f);
}

/* More channels than one command holds. */
TEST(kv_listen, many_channels, .timeout = 60)
{
	enum { N = 1000 };
	struct fix f;
	char name[32];

	fix_up(&f, NULL);
	for (int i = 0; i < N; i++) {
		snprintf(name, sizeof(name), "c%d", i);
		kv_listen_add(f.l, name);
	}
	for (int i = 0; i < N; i++) {
		snprintf(name, sizeof(name), "c%d", i);
		expect(&f, KV_JOINED, name, NULL);
	}
	for (int i = 0; i < N; i += 2) {
		snprintf(name, sizeof(name), "c%d", i);
		kv_listen_drop(f.l, name);
	}
	kv_listen_add(f.l, "c999");
	expect(&f, KV_JOINED, "c999", NULL);
	publish(&f, "c998", "gone");
	publish(&f, "c997", "here");
	expect(&f, KV_HEARD, "c997", "here");
	fix_down(&f);
}

TEST(kv_listen, joins_again_after_a_restart, .timeout = 60)
{
	struct fix f;

	fix_up(&f, NULL);
	kv_listen_add(f.l, "one");
	expect(&f, KV_JOINED, "one", NULL);
	redis_kill(&f.redis);
	cr_assert_eq(kv_listen_wait(f.l, f.a, 100, &f.got, &f.e), ERR_STORE);
	int64_t t0 = clock_mono_ms();
	for (int i = 0; i < 3; i++)
		cr_assert_eq(kv_listen_wait(f.l, f.a, 50, &f.got, &f.e), ERR_STORE);
	cr_assert_geq(clock_mono_ms() - t0, 700, "errors must not come faster");
	redis_start(&f.redis, f.dir, NULL);
	while (kv_listen_wait(f.l, f.a, 5000, &f.got, &f.e) != OK)
		cr_assert_lt(clock_mono_ms() - t0, 20000);
	cr_assert_eq(f.got.kind, KV_JOINED);
	publish(&f, "one", "x");
	expect(&f, KV_HEARD, "one", "x");
	fix_down(&f);
}

/* A server that hangs is noticed by the PING. */
TEST(kv_listen, a_silent_server_is_noticed, .timeout = 60)
{
	struct fix f;

	fix_up(&f, NULL);
	kv_listen_add(f.l, "one");
	expect(&f, KV_JOINED, "one", NULL);
	redis_freeze(&f.redis, true);
	int64_t t0 = clock_mono_ms();
	cr_assert_eq(kv_listen_wait(f.l, f.a, 20000, &f.got, &f.e), ERR_STORE);
	cr_assert_lt(clock_mono_ms() - t0, 15000);
	cr_assert_not_null(strstr(f.e.msg, "did not answer"), "%s", f.e.msg);
	redis_freeze(&f.redis, false);
	while (kv_listen_wait(f.l, f.a, 5000, &f.got, &f.e) != OK)
		cr_assert_lt(clock_mono_ms() - t0, 30000);
	cr_assert_eq(f.got.kind, KV_JOINED);
	fix_down(&f);
}

TEST(kv_listen, says_what_right_is_missing, .timeout = 60)
{
	struct fix f;
	char url[200];

	fix_up(&f, "--user pilot on >sesame ~aa:* +@all resetchannels");
	kv_listen_close(f.l);
	kv_close(f.kv);
	snprintf(url, sizeof(url), "unix://pilot:sesame@%s", f.redis.sock);
	TEST_OK(kv_open(&f.kv, url, 1000, 4, &f.e), f.e);
	f.l = kv_listen_open(f.kv);
	kv_listen_add(f.l, "aa:one");
	cr_assert_eq(kv_listen_wait(f.l, f.a, 5000, &f.got, &f.e), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "&aa:*"), "%s", f.e.msg);
	fix_down(&f);
}
