/*
 * The thread store in Redis: a server that goes, hangs, refuses, forgets or loses replies.
 */
#include "services/store_backend.h"

#include "base/clock.h"
#include "drivers/kv.h"
#include "services/runs.h"
#include "services/threads.h"
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

/* The lease is given twice, and tells both times of the run that died before. */
TEST(store_redis, a_lost_reply_does_not_hide_a_dead_run, .timeout = 60)
{
	struct run_start start = { .run_id = "run-1", .started_us = 7 };
	struct redis_proxy p;
	struct lease_wait w = { 0 };
	struct lease l;
	struct fix f;

	redis_fix(&f);
	store_close(f.s);
	proxy_start(&p, f.redis.sock, NULL);
	f.c.redis_url = p.url;
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	TEST_OK(store_begin(f.s, "t1", &start, NULL, 100, &w, &l, &f.e), f.e);
	clock_sleep_ms(150);
	p.lose = 1;
	start.run_id = "run-2";
	TEST_OK(store_begin(f.s, "t1", &start, NULL, 5000, &w, &l, &f.e), f.e);
	cr_expect_str_eq(w.dead, "run-1");
	TEST_OK(store_release(f.s, &l, &f.e), f.e);
	p.lose = 1;
	start.run_id = "run-3";
	TEST_OK(store_begin(f.s, "t1", &start, NULL, 5000, &w, &l, &f.e), f.e);
	cr_expect_str_eq(w.dead, "", "run-2 is not dead");
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
TEST(store_redis, keys_of_the_first_form_go_on, .timeout = 60)
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

/* A newer version of the program may store what this one would damage. */
TEST(store_redis, a_thread_of_a_newer_form_is_left_alone, .timeout = 60)
{
	struct fix f;
	struct kv_reply r;

	redis_fix(&f);
	struct lease l = lease(&f, "t1", "run-1", 20000);
	TEST_OK(turn(&f, &l, 0, "q", "a", "{}"), f.e);
	redis_do(&f, (struct str[]){ STR("HGET"), STR("aa:{t1}:meta"), STR("form") }, 3, &r);
	cr_assert_str_eq(r.text.p, "3");
	redis_do(&f, (struct str[]){ STR("HSET"), STR("aa:{t1}:meta"), STR("form"), STR("4") }, 4, &r);
	struct thread t = { .id = "t1" };
	const struct thread_owner nobody = { 0 };
	cr_assert_eq(store_load(f.s, f.a, "t1", &nobody, 10, &t, &f.e), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "upgrade this worker"), "%s", f.e.msg);
	cr_assert_eq(turn(&f, &l, 1, "q", "a", "{}"), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "upgrade this worker"), "%s", f.e.msg);
	struct thread_about about;
	cr_assert_eq(threads_about(f.s, f.a, "t1", &nobody, &about, &f.e), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "upgrade this worker"), "%s", f.e.msg);
	store_release(f.s, &l, &f.e);
	int64_t retry_ms;
	cr_assert_eq(store_lease(f.s, "t1", "run-2", &nobody, 20000, &l, &retry_ms, &f.e), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "upgrade this worker"), "%s", f.e.msg);
	redis_do(&f, (struct str[]){ STR("HGET"), STR("aa:{t1}:meta"), STR("ver") }, 3, &r);
	cr_assert_str_eq(r.text.p, "1");
	fix_down(&f);
}

/* As the second version wrote them: messages end after their content, and threads have no agent. */
TEST(store_redis, keys_of_the_second_form_go_on, .timeout = 60)
{
	static const char *const lists[][5] = {
		{ "aa:{thread_old}:msgs", "user\nairports with customs near Lyon",
		  "assistant\n1. **Lyon-Bron** (LFLY)\n2. **Lyon-Saint-Exupéry** (LFLL)", "user\n",
		  "assistant\nuser\nassistant" },
		{ "aa:{thread_alice}:msgs", "user\nmine", "assistant\nyours" },
	};
	static const char *const hashes[][15] = {
		{ "HSET", "aa:{thread_old}:meta", "fence", "1", "ver", "2", "run", "run-1", "bytes", "132",
		  "gone", "0", "state", "{\"persona_id\":\"ifr\"}" },
		{ "HSET", "aa:{thread_alice}:meta", "fence", "1", "owner", "alice", "ver", "1", "run",
		  "run-2", "bytes", "24", "gone", "3" },
	};
	struct fix f;
	struct kv_reply r;
	struct lease l;

	redis_fix(&f);
	for (size_t i = 0; i < 2; i++) {
		struct str argv[15];
		size_t n = 0;
		for (; n < 15 && hashes[i][n] != NULL; n++)
			argv[n] = str_of(hashes[i][n]);
		redis_do(&f, argv, n, &r);
		argv[0] = STR("RPUSH");
		for (n = 0; n < 5 && lists[i][n] != NULL; n++)
			argv[n + 1] = str_of(lists[i][n]);
		redis_do(&f, argv, n + 1, &r);
	}
	store_close(f.s);
	f.c.agent = "pilot";
	TEST_OK(store_open(&f.s, &f.c, &f.e), f.e);
	struct thread t = load(&f, "thread_old", 10);
	cr_assert_eq(t.version, 2);
	cr_assert_eq(t.nloaded, 4);
	cr_assert_str_eq(t.state, "{\"persona_id\":\"ifr\"}");
	for (size_t i = 0; i < 4; i++) {
		cr_assert_str_eq(t.messages[i].role, i % 2 == 0 ? "user" : "assistant");
		cr_assert_str_eq(t.messages[i].content, strchr(lists[0][i + 1], '\n') + 1);
		cr_assert_eq(t.messages[i].id[15], (char)('0' + i));
		cr_assert_eq(t.messages[i].time_us, 0);
		cr_assert_eq(t.messages[i].ncalls, 0);
		cr_assert_null(t.messages[i].call_id);
	}
	t = load_as(&f, "thread_alice", "alice", 10);
	cr_assert_eq(t.nmessages, 5);
	cr_assert_str_eq(t.messages[0].id, "0000000000000003");
	cr_assert_eq(store_lease(f.s, "thread_alice", "run", USER("bob"), 5000, &l, NULL, &f.e), ERR_NOTFOUND);
	cr_assert_eq(store_lease(f.s, "thread_old", "run", AGENT("guide"), 5000, &l, NULL, &f.e), ERR_NOTFOUND);
	TEST_OK(store_lease(f.s, "thread_old", "run-9", AGENT("pilot"), 5000, &l, NULL, &f.e), f.e);
	cr_assert_eq(l.fence, 2);
	const struct message_call call = { "call_1", "search", "{}", NULL };
	struct message m[] = { message_new(f.a, "assistant", "let me look"), message_new(f.a, "tool", "r") };
	struct commit c = { .version = 2, .append = m, .nappend = 2 };
	m[0].calls = &call;
	m[0].ncalls = 1;
	m[1].call_id = "call_1";
	TEST_OK(store_commit(f.s, &l, AGENT("pilot"), &c, &f.e), f.e);
	t = load(&f, "thread_old", 10);
	cr_assert_eq(t.nloaded, 6);
	cr_assert_str_eq(t.messages[4].calls[0].name, "search");
	cr_assert_str_eq(t.messages[5].id, m[1].id);
	/* a worker of the old version takes what stands before the first NUL as role and content */
	redis_do(&f, (struct str[]){ STR("LRANGE"), STR("aa:{thread_old}:msgs"), STR("4"), STR("-1") }, 4, &r);
	cr_assert_str_eq(r.item[0].text.p, "assistant\nlet me look");
	cr_assert_str_eq(r.item[1].text.p, "tool\nr");
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

/* Its messages alone: the thread goes on without them and without the state that tells of them. */
TEST(store_redis, a_thread_without_its_messages_goes_on, .timeout = 60)
{
	struct fix f;
	struct kv_reply r;
	struct lease l;

	redis_fix(&f);
	TEST_OK(store_lease(f.s, "t1", "run-1", USER("alice"), 20000, &l, NULL, &f.e), f.e);
	const struct message m[] = { MESSAGE("user", "a"), MESSAGE("assistant", "b") };
	struct commit c = { .append = m, .nappend = 2, .state = "{\"plan\":1}" };
	TEST_OK(store_commit(f.s, &l, USER("alice"), &c, &f.e), f.e);
	redis_do(&f, (struct str[]){ STR("DEL"), STR("aa:{t1}:msgs") }, 2, &r);
	struct thread t = load_as(&f, "t1", "alice", 10);
	cr_assert_eq(t.version, 1);
	cr_assert_eq(t.nloaded, 0);
	cr_assert_null(t.state);
	cr_assert_eq(store_load(f.s, f.a, "t1", USER("bob"), 10, &t, &f.e), ERR_NOTFOUND);
	c = (struct commit){ .version = 1, .append = m, .nappend = 2 };
	TEST_OK(store_commit(f.s, &l, USER("alice"), &c, &f.e), f.e);
	t = load_as(&f, "t1", "alice", 10);
	cr_assert_eq(t.nloaded, 2);
	cr_assert_null(t.state, "the state of before");
	redis_do(&f, (struct str[]){ STR("HGET"), STR("aa:{t1}:meta"), STR("bytes") }, 3, &r);
	cr_assert_eq(strtol(r.text.p, NULL, 10), 2 * STORE_KEPT_BYTES + 4 + 9 + 2 +
	    sizeof("2 run-1"), "two messages, and which turn ended");
	fix_down(&f);
}

/* Somebody else's values under our names: a clear error or a thread that works, and the thread can be
 * forgotten and begun again. */
TEST(store_redis, foreign_values_are_no_crash, .timeout = 60)
{
	static const char *const parts[] = { "meta", "msgs", "lease", "queue" };
	static const char *const makers[][4] = {
		{ "SET", "text" }, { "LPUSH", "one", "two" }, { "HSET", "field", "value" },
		{ "SADD", "member" }, { "ZADD", "1", "member" },
	};
	struct fix f;
	struct kv_reply r;
	int refused = 0;

	redis_fix(&f);
	for (size_t p = 0; p < 4; p++)
		for (size_t k = 0; k < 5; k++) {
			const char *id = arena_printf(f.a, "t%zu-%zu", p, k);
			struct str argv[6] = { str_of(makers[k][0]),
			    str_of(arena_printf(f.a, "aa:{%s}:%s", id, parts[p])) };
			size_t n = 2;
			struct lease l;
			struct thread t;
			struct lease_wait w = { .queue_max = 2, .hold_ms = 1000 };

			for (size_t i = 1; i < 4 && makers[k][i] != NULL; i++)
				argv[n++] = str_of(makers[k][i]);
			lease(&f, id, "run-0", 20000);
			redis_do(&f, (struct str[]){ STR("DEL"), argv[1] }, 2, &r);
			redis_do(&f, argv, n, &r);
			enum errcode rc = store_lease_wait(f.s, id, "run-1", NULL, 5000, &w, &l, &f.e);
			cr_expect(rc == OK || rc == ERR_BUSY || rc == ERR_STORE, "%s %s: %d", parts[p],
			    makers[k][0], rc);
			refused += rc == ERR_STORE;
			l = (struct lease){ .run = "run-0", .fence = 1, .ttl_ms = 20000 };
			snprintf(l.thread, sizeof(l.thread), "%s", id);
			if (p < 2) {
				rc = turn(&f, &l, 0, "a", "b", NULL);
				cr_expect(rc == OK || rc == ERR_STORE || rc == ERR_BUSY);
			}
			rc = store_load(f.s, f.a, id, NULL, 10, &t, &f.e);
			cr_expect(rc == OK || rc == ERR_STORE, "load %s %s: %d", parts[p], makers[k][0], rc);
			if (rc == ERR_STORE)
				cr_expect_not_null(strstr(f.e.msg, "redis"), "%s", f.e.msg);
			TEST_OK(store_forget(f.s, id, &f.e), f.e);
			lease(&f, id, "run-2", 1000);
		}
	cr_expect_gt(refused, 8);
	fix_down(&f);
}
