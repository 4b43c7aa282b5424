/*
 * The thread store in Redis: a server that goes, hangs, refuses, forgets or loses replies.
 */
#include "services/store.h"

#include "base/clock.h"
#include "drivers/kv.h"
#include "tests/unit/redis_proxy.h"
#include "tests/unit/store_fix.h"

static void redis_fix(struct fix *f)
{
	if (!fix_up(f, "redis", 3600))
		test_skip("no redis-server");
}

TEST(store_redis, gone_at_start_in_the_middle_and_back, .timeout = 60)
{
	struct fix f;
	struct lease l, other;

	redis_fix(&f);
	redis_kill(&f.redis);
	cr_assert_eq(store_ping(f.s, &f.e), ERR_STORE);
	cr_assert_eq(store_lease(f.s, "t1", "run-1", NULL, 5000, &l, NULL, &f.e), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, f.redis.sock), "%s", f.e.msg);
	redis_start(&f.redis, f.dir, NULL);
	l = lease(&f, "t1", "run-1", 20000);
	TEST_OK(turn(&f, &l, 0, "a", "b", NULL), f.e);

	redis_kill(&f.redis);                            /* at the commit */
	cr_assert_eq(turn(&f, &l, 1, "c", "d", NULL), ERR_STORE);
	cr_assert_eq(store_renew(f.s, &l, &f.e), ERR_STORE);
	redis_start(&f.redis, f.dir, NULL);              /* back, empty, scripts unknown */
	cr_assert_eq(turn(&f, &l, 1, "c", "d", NULL), ERR_BUSY);
	other = lease(&f, "t1", "run-2", 20000);
	TEST_OK(turn(&f, &other, 0, "a", "b", NULL), f.e);
	fix_down(&f);
}

TEST(store_redis, frozen_server_times_out, .timeout = 60)
{
	struct fix f;

	redis_fix(&f);
	struct lease l = lease(&f, "t1", "run-1", 20000);

	store_close(f.s);
	f.c.timeout_ms = 500;
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	TEST_OK(store_ping(f.s, &f.e), f.e);
	redis_freeze(&f.redis, true);
	int64_t t0 = clock_mono_ms();
	cr_assert_eq(turn(&f, &l, 0, "a", "b", NULL), ERR_UNSURE);
	cr_assert_lt(clock_mono_ms() - t0, 3000);
	cr_assert_not_null(strstr(f.e.msg, "500 ms"), "%s", f.e.msg);
	/* of all other calls nobody minds whether they were carried out */
	cr_assert_eq(store_renew(f.s, &l, &f.e), ERR_STORE);
	redis_freeze(&f.redis, false);
	/* the frozen commit may have been carried out since: repeating it tells */
	TEST_OK(turn(&f, &l, 0, "a", "b", NULL), f.e);
	cr_assert_eq(load(&f, "t1", 10).nmessages, 2);
	fix_down(&f);
}

TEST(store_redis, lost_replies_change_nothing, .timeout = 60)
{
	struct fix f;
	struct redis_proxy p;

	redis_fix(&f);
	store_close(f.s);
	proxy_start(&p, f.redis.sock, NULL);
	f.c.redis_url = p.url;
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	p.lose = 1;
	struct lease l = lease(&f, "t1", "run-1", 20000);
	cr_assert_eq(l.fence, 1);
	for (int v = 0; v < 5; v++) {
		p.lose = 1;
		TEST_OK(turn(&f, &l, v, "a", "b", "{}"), f.e);
	}
	p.lose = 2;                                      /* and the repeat's reply as well */
	cr_assert_eq(turn(&f, &l, 5, "a", "b", "{}"), ERR_UNSURE);
	TEST_OK(turn(&f, &l, 5, "a", "b", "{}"), f.e);
	p.lose = 1;
	TEST_OK(store_renew(f.s, &l, &f.e), f.e);
	p.lose = 1;
	TEST_OK(store_release(f.s, &l, &f.e), f.e);
	p.lose = 1;
	struct thread t = load(&f, "t1", 100);
	cr_assert_eq(t.version, 6);
	cr_assert_eq(t.nloaded, 12);
	store_close(f.s);
	f.s = NULL;
	proxy_stop(&p);
	fix_down(&f);
}

static void redis_do(struct fix *f, struct str *argv, size_t argc, struct kv_reply *r)
{
	struct kv *kv;
	const struct kv_cmd cmd = { argv, argc };

	TEST_OK(kv_open(&kv, f->redis.url, 0, 1, &f->e), f->e);
	TEST_OK(kv_run(kv, f->a, &cmd, 1, r, &f->e), f->e);
	kv_close(kv);
}

TEST(store_redis, refusals_say_what_to_do, .timeout = 60)
{
	struct fix f;
	struct kv_reply r;

	redis_fix(&f);
	struct lease l = lease(&f, "t1", "run-1", 20000);

	TEST_OK(turn(&f, &l, 0, "a", "b", NULL), f.e);
	redis_do(&f, (struct str[]){ STR("CONFIG"), STR("SET"), STR("maxmemory"), STR("1") }, 4, &r);
	cr_assert_eq(turn(&f, &l, 1, "c", "d", NULL), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "maxmemory"), "%s", f.e.msg);
	cr_assert_eq(store_ping(f.s, &f.e), ERR_STORE);
	redis_do(&f, (struct str[]){ STR("CONFIG"), STR("SET"), STR("maxmemory"), STR("0") }, 4, &r);
	redis_do(&f, (struct str[]){ STR("REPLICAOF"), STR("127.0.0.1"), STR("1") }, 3, &r);
	cr_assert_eq(turn(&f, &l, 1, "c", "d", NULL), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "replica"), "%s", f.e.msg);
	redis_do(&f, (struct str[]){ STR("REPLICAOF"), STR("NO"), STR("ONE") }, 3, &r);
	TEST_OK(turn(&f, &l, 1, "c", "d", NULL), f.e);
	/* somebody else's key under our name */
	redis_do(&f, (struct str[]){ STR("SET"), STR("aa:{t2}:meta"), STR("x") }, 3, &r);
	cr_assert_eq(store_lease(f.s, "t2", "run-1", NULL, 5000, &l, NULL, &f.e), ERR_STORE);
	fix_down(&f);
}

TEST(store_redis, every_key_expires, .timeout = 60)
{
	struct fix f;
	struct kv_reply keys, r;

	redis_fix(&f);
	struct lease l = lease(&f, "t1", "run-1", 20000);

	lease(&f, "t2", "run-1", 20000);                 /* never written */
	TEST_OK(turn(&f, &l, 0, "a", "b", "{}"), f.e);
	redis_do(&f, (struct str[]){ STR("KEYS"), STR("*") }, 2, &keys);
	cr_assert_eq(keys.n, 5);
	for (size_t i = 0; i < keys.n; i++) {
		redis_do(&f, (struct str[]){ STR("PTTL"), keys.item[i].text }, 2, &r);
		cr_assert_gt(r.num, 0, "%s", keys.item[i].text.p);
		cr_assert_leq(r.num, 3600 * 1000);
	}
	fix_down(&f);
}

/* Threads stored before there was a ceiling have neither field. */
TEST(store_redis, keys_of_the_old_form_go_on, .timeout = 60)
{
	struct fix f;
	struct kv_reply r;
	char text[1001];

	redis_fix(&f);
	memset(text, 'x', 1000);
	text[1000] = '\0';
	struct lease l = lease(&f, "t1", "run-1", 20000);
	for (int v = 0; v < 5; v++)
		TEST_OK(turn(&f, &l, v, text, text, "{}"), f.e);
	redis_do(&f, (struct str[]){ STR("HDEL"), STR("aa:{t1}:meta"), STR("bytes"), STR("gone") }, 4, &r);
	struct thread t = load(&f, "t1", 100);
	cr_assert_eq(t.nmessages, 10);
	cr_assert_eq(t.nloaded, 10);
	store_close(f.s);
	f.c.thread_bytes = 5000;
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	TEST_OK(turn(&f, &l, 5, text, text, "{}"), f.e);
	t = load(&f, "t1", 100);
	cr_assert_eq(t.nmessages, 12);
	cr_assert_eq(t.nloaded, 4);
	fix_down(&f);
}

TEST(store_redis, half_evicted_thread_starts_again, .timeout = 60)
{
	struct fix f;
	struct kv_reply r;

	redis_fix(&f);
	struct lease l = lease(&f, "t1", "run-1", 20000);

	TEST_OK(turn(&f, &l, 0, "a", "b", "{}"), f.e);
	redis_do(&f, (struct str[]){ STR("DEL"), STR("aa:{t1}:meta") }, 2, &r);
	cr_assert_eq(load(&f, "t1", 10).nmessages, 0);
	TEST_OK(turn(&f, &l, 0, "c", "d", "{}"), f.e);
	struct thread t = load(&f, "t1", 10);
	cr_assert_eq(t.nmessages, 2);
	cr_assert_str_eq(t.messages[0].content, "c");
	fix_down(&f);
}
