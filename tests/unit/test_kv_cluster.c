/*
 * Redis Cluster: slots, redirections, a slot that moves, a node that is down.
 */
#include "drivers/kv_cluster.h"

#include "base/clock.h"
#include "drivers/kv_listen.h"
#include "tests/unit/redis_cluster.h"
#include "tests/unit/redis_proxy.h"
#include "tests/unit/test.h"

struct fix {
	struct redis_cluster c;
	struct arena *a;
	struct kv *kv;
	struct err e;
};

static void fix_up(struct fix *f)
{
	*f = (struct fix){ .a = arena_new() };
	signal(SIGPIPE, SIG_IGN);
	if (!cluster_start(&f->c)) {
		cluster_stop(&f->c);
		arena_free(f->a);
		test_skip("no redis-server");
	}
	TEST_OK(kv_open(&f->kv, f->c.url, 3000, 4, &f->e), f->e);
}

static void fix_down(struct fix *f)
{
	kv_close(f->kv);
	cluster_stop(&f->c);
	arena_free(f->a);
}

static enum errcode set(struct fix *f, const char *key, const char *value)
{
	const struct str argv[] = { STR("SET"), str_of(key), str_of(value) };
	const struct kv_cmd cmd = { argv, 3 };
	struct kv_reply r;

	return kv_run(f->kv, f->a, &cmd, 1, &r, &f->e);
}

static void expect(struct fix *f, const char *key, const char *value)
{
	const struct str multi[] = { STR("MULTI") }, exec[] = { STR("EXEC") };
	const struct str get[] = { STR("GET"), str_of(key) }, has[] = { STR("EXISTS"), str_of(key) };
	const struct kv_cmd cmds[] = { { multi, 1 }, { get, 2 }, { has, 2 }, { exec, 1 } };
	struct kv_reply r[4];

	TEST_OK(kv_run(f->kv, f->a, cmds, 4, r, &f->e), f->e);
	cr_assert_eq(r[3].n, 2, "%s", key);
	cr_assert_str_eq(r[3].item[0].text.p, value);
	cr_assert_eq(r[3].item[1].num, 1);
}

TEST(kv_cluster, slots_of_the_specification)
{
	static const struct {
		const char *key;
		int slot;
	} rows[] = {
		{ "123456789", 0x31c3 }, { "foo", 12182 }, { "foo{}{bar}", 8363 }, { "{user1000}.following", 3443 },
		{ "{user1000}.followers", 3443 }, { "foo{{bar}}zap", 4015 }, { "foo{bar}{zap}", 5061 },
		{ "", 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert_eq(kv_slot(str_of(rows[i].key)), rows[i].slot, "%s: %d", rows[i].key,
		    kv_slot(str_of(rows[i].key)));
}

TEST(kv_cluster, the_key_of_a_batch)
{
	const struct str multi[] = { STR("MULTI") }, get[] = { STR("GET"), STR("foo") };
	const struct str eval[] = { STR("EVALSHA"), STR("x"), STR("1"), STR("foo"), STR("bar") };
	const struct str none[] = { STR("EVAL"), STR("return 1"), STR("0") };
	const struct str load[] = { STR("SCRIPT"), STR("LOAD"), STR("return 1") };
	const struct str read[] = { STR("XREAD"), STR("COUNT"), STR("1"), STR("STREAMS"), STR("foo"), STR("0") };
	const struct kv_cmd a[] = { { multi, 1 }, { get, 2 } }, b[] = { { load, 3 }, { eval, 5 } };
	const struct kv_cmd c[] = { { none, 3 } }, d[] = { { read, 6 } };

	cr_assert_eq(kv_slot_of(a, 2), 12182);
	cr_assert_eq(kv_slot_of(b, 2), 12182);
	cr_assert_eq(kv_slot_of(c, 1), -1);
	cr_assert_eq(kv_slot_of(d, 1), 12182);
}

TEST(kv_cluster, redirections_are_read_whole_or_not_at_all)
{
	static const char *const bad[] = {
		"MOVED", "MOVED x h:1", "MOVED 1", "MOVED 16384 h:1", "MOVED -1 h:1", "MOVED 1 h",
		"MOVED 1 h:0", "MOVED 1 h:70000", "MOVED 1 h:x",
	};
	const struct kv_host asked = { "10.0.0.1", 6379 };
	struct kv_host to;
	int slot;

	cr_assert(kv_redirection("MOVED 3999 127.0.0.1:6381", &asked, &slot, &to));
	cr_assert_eq(slot, 3999);
	cr_assert_str_eq(to.name, "127.0.0.1");
	cr_assert_eq(to.port, 6381);
	cr_assert(kv_redirection("ASK 1 :7000", &asked, &slot, &to));
	cr_assert_str_eq(to.name, "10.0.0.1");
	cr_assert(kv_redirection("ASK 1 ::1:7000", &asked, &slot, &to));
	cr_assert_str_eq(to.name, "::1");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_assert_not(kv_redirection(bad[i], &asked, &slot, &to), "%s", bad[i]);
}

/* Keys of all nodes, scripts that not every node knows, and a server named by redis://. */
TEST(kv_cluster, every_key_finds_its_node, .timeout = 120)
{
	struct fix f;
	struct kv_script s = { .text = "redis.call('SET', KEYS[1], ARGV[1]) return KEYS[1]" };
	char key[40], url[80];
	struct kv_reply r;

	fix_up(&f);
	snprintf(url, sizeof(url), "redis://127.0.0.1:%d", f.c.port[1]);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 60; i++) {
			snprintf(key, sizeof(key), "aa:{%d}:x", i);
			TEST_OK(set(&f, key, "one"), f.e);
			expect(&f, key, "one");
			struct str k = str_of(key), v = STR("two");
			TEST_OK(kv_eval(f.kv, f.a, &s, &k, 1, &v, 1, &r, &f.e), f.e);
			expect(&f, key, "two");
		}
		kv_close(f.kv);
		TEST_OK(kv_open(&f.kv, url, 3000, 4, &f.e), f.e);
	}
	fix_down(&f);
}

/* The steps of redis-cli --cluster reshard, with calls between them. */
TEST(kv_cluster, a_slot_moves, .timeout = 120)
{
	static const char *const keys[] = { "aa:{t}:a", "aa:{t}:b", "aa:{t}:c" };
	struct fix f;
	char to_port[12];

	fix_up(&f);
	int slot = kv_slot(str_of(keys[0])), from = cluster_holder(slot), to = (from + 1) % CLUSTER_NODES;
	snprintf(to_port, sizeof(to_port), "%d", f.c.port[to]);
	for (int i = 0; i < 3; i++)
		TEST_OK(set(&f, keys[i], "x"), f.e);
	cluster_ask(&f.c, to, "CLUSTER SETSLOT %d IMPORTING %s", slot, f.c.id[from]);
	cluster_ask(&f.c, from, "CLUSTER SETSLOT %d MIGRATING %s", slot, f.c.id[to]);
	expect(&f, keys[0], "x");
	TEST_OK(set(&f, "aa:{t}:new", "y"), f.e);        /* goes to the new node */
	expect(&f, "aa:{t}:new", "y");
	cluster_ask(&f.c, from, "MIGRATE 127.0.0.1 %s %s 0 1000", to_port, keys[0]);
	expect(&f, keys[0], "x");
	expect(&f, keys[1], "x");
	cluster_ask(&f.c, from, "MIGRATE 127.0.0.1 %s %s 0 1000", to_port, keys[1]);
	cluster_ask(&f.c, from, "MIGRATE 127.0.0.1 %s %s 0 1000", to_port, keys[2]);
	cluster_ask(&f.c, to, "CLUSTER SETSLOT %d NODE %s", slot, f.c.id[to]);
	cluster_ask(&f.c, from, "CLUSTER SETSLOT %d NODE %s", slot, f.c.id[to]);
	for (int i = 0; i < 3; i++)
		expect(&f, keys[i], "x");
	TEST_OK(set(&f, keys[1], "z"), f.e);
	expect(&f, keys[1], "z");
	fix_down(&f);
}

struct mover {
	struct fix *f;
	int slot, from, to;
};

static void *finish_move(void *arg)
{
	struct mover *m = arg;

	clock_sleep_ms(300);
	cluster_ask(&m->f->c, m->from, "MIGRATE 127.0.0.1 %d aa:{t}:b 0 1000", m->f->c.port[m->to]);
	cluster_ask(&m->f->c, m->to, "CLUSTER SETSLOT %d NODE %s", m->slot, m->f->c.id[m->to]);
	cluster_ask(&m->f->c, m->from, "CLUSTER SETSLOT %d NODE %s", m->slot, m->f->c.id[m->to]);
	return NULL;
}

/* With half of a thread's keys moved Redis says TRYAGAIN: the call waits until the rest has. */
TEST(kv_cluster, a_script_waits_for_a_slot_that_moves, .timeout = 120)
{
	const struct str keys[] = { STR("aa:{t}:a"), STR("aa:{t}:b") };
	struct kv_script s = { .text = "return {redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])}" };
	struct fix f;
	struct kv_reply r;
	pthread_t thread;

	fix_up(&f);
	struct mover m = { .f = &f, .slot = kv_slot(keys[0]) };
	m.from = cluster_holder(m.slot);
	m.to = (m.from + 1) % CLUSTER_NODES;
	TEST_OK(set(&f, "aa:{t}:a", "1"), f.e);
	TEST_OK(set(&f, "aa:{t}:b", "2"), f.e);
	cluster_ask(&f.c, m.to, "CLUSTER SETSLOT %d IMPORTING %s", m.slot, f.c.id[m.from]);
	cluster_ask(&f.c, m.from, "CLUSTER SETSLOT %d MIGRATING %s", m.slot, f.c.id[m.to]);
	cluster_ask(&f.c, m.from, "MIGRATE 127.0.0.1 %d aa:{t}:a 0 1000", f.c.port[m.to]);
	pthread_create(&thread, NULL, finish_move, &m);
	int64_t t0 = clock_mono_ms();
	TEST_OK(kv_eval(f.kv, f.a, &s, keys, 2, NULL, 0, &r, &f.e), f.e);
	cr_assert_geq(clock_mono_ms() - t0, 200);
	cr_assert_str_eq(r.item[0].text.p, "1");
	cr_assert_str_eq(r.item[1].text.p, "2");
	pthread_join(thread, NULL);
	fix_down(&f);
}

/* Keys of other nodes go on; those of the dead one have a clear message, until it is back. */
TEST(kv_cluster, a_node_is_down, .timeout = 120)
{
	struct fix f;
	int64_t t0;

	fix_up(&f);
	for (int i = 0; i < CLUSTER_NODES; i++)
		cluster_ask(&f.c, i, "CONFIG SET cluster-require-full-coverage no");
	TEST_OK(set(&f, "aa:{t}:a", "1"), f.e);
	int dead = cluster_holder(kv_slot(STR("aa:{t}:a")));
	char other[] = "aa:{a}:a";
	while (cluster_holder(kv_slot(str_of(other))) == dead)
		other[4]++;
	TEST_OK(set(&f, other, "1"), f.e);
	redis_freeze(&f.c.node[dead], true);
	cr_assert_eq(set(&f, "aa:{t}:a", "2"), ERR_UNSURE);
	cr_assert_eq(set(&f, "aa:{t}:a", "2"), ERR_STORE);
	for (int i = 0; i < 20; i++) {
		t0 = clock_mono_ms();
		TEST_OK(set(&f, other, "2"), f.e);
		cr_assert_lt(clock_mono_ms() - t0, 3000);
	}
	redis_freeze(&f.c.node[dead], false);
	for (t0 = clock_mono_ms(); set(&f, "aa:{t}:a", "3") != OK; )
		cr_assert_lt(clock_mono_ms() - t0, 20000, "%s", f.e.msg);
	expect(&f, "aa:{t}:a", "3");
	fix_down(&f);
}

/* A notice that is published at any node is heard. */
TEST(kv_cluster, listening, .timeout = 120)
{
	struct fix f;
	struct kv_notice got;

	fix_up(&f);
	struct kv_listen *l = kv_listen_open(f.kv);
	kv_listen_add(l, "aa:news");
	TEST_OK(kv_listen_wait(l, f.a, 5000, &got, &f.e), f.e);
	cr_assert_eq(got.kind, KV_JOINED);
	for (int i = 0; i < CLUSTER_NODES; i++) {
		cluster_ask(&f.c, i, "PUBLISH aa:news n%d", i);
		TEST_OK(kv_listen_wait(l, f.a, 5000, &got, &f.e), f.e);
		cr_assert_eq(got.kind, KV_HEARD);
		cr_assert_eq(got.text.p[1], '0' + i);
	}
	kv_listen_close(l);
	fix_down(&f);
}

TEST(kv_cluster, a_single_server_is_no_cluster, .timeout = 60)
{
	struct fix f = { .a = arena_new() };
	struct redis_proxy p;

	signal(SIGPIPE, SIG_IGN);
	proxy_start(&p, NULL, "-ERR This instance has cluster support disabled\r\n");
	char url[80];
	snprintf(url, sizeof(url), "cluster://127.0.0.1:%d", p.port);
	TEST_OK(kv_open(&f.kv, url, 1000, 4, &f.e), f.e);
	cr_assert_eq(set(&f, "k", "v"), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "use redis://"), "%s", f.e.msg);
	p.canned = "*0\r\n";
	clock_sleep_ms(150);
	cr_assert_eq(set(&f, "k", "v"), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "without slots"), "%s", f.e.msg);
	p.canned = "*1\r\n*2\r\n:1\r\n:2\r\n";
	clock_sleep_ms(150);
	cr_assert_eq(set(&f, "k", "v"), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "unexpected reply"), "%s", f.e.msg);
	kv_close(f.kv);
	proxy_stop(&p);
	arena_free(f.a);
}
