/*
 * The Redis driver: URLs, the pool, scripts, and a server in every bad mood.
 */
#include "drivers/kv.h"

#include <pthread.h>
#include <signal.h>

#include "base/clock.h"
#include "drivers/kv_url.h"
#include "tests/unit/redis_proxy.h"
#include "tests/unit/redis_server.h"
#include "tests/unit/test.h"

struct fix {
	char *dir;
	struct redis_server redis;
	struct arena *a;
	struct kv *kv;
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
}

static void fix_down(struct fix *f)
{
	kv_close(f->kv);
	redis_stop(&f->redis);
	arena_free(f->a);
	test_rmdir(f->dir);
}

/* One command of up to four words. */
static enum errcode ask(struct fix *f, struct kv_reply *r, const char *w0, const char *w1,
    const char *w2, const char *w3)
{
	const char *const words[] = { w0, w1, w2, w3 };
	struct str argv[4];
	struct kv_cmd cmd = { argv, 0 };

	while (cmd.argc < 4 && words[cmd.argc] != NULL) {
		argv[cmd.argc] = str_of(words[cmd.argc]);
		cmd.argc++;
	}
	return kv_run(f->kv, f->a, &cmd, 1, r, &f->e);
}

static enum errcode ping(struct fix *f)
{
	struct kv_reply r;

	return ask(f, &r, "PING", NULL, NULL, NULL);
}

static void *ping_once(void *f)
{
	ping(f);
	return NULL;
}

TEST(kv_url, reads_every_form)
{
	static const struct {
		const char *url;
		enum kv_kind kind;
		const char *host;
		int port, nhosts, db;
		const char *user, *password, *where;
	} rows[] = {
		{ "redis://localhost", KV_TCP, "localhost", 6379, 1, 0, "", "",
		    "redis at localhost:6379" },
		{ "redis://h:1234/5", KV_TCP, "h", 1234, 1, 5, "", "", "redis at h:1234" },
		{ "redis://h/", KV_TCP, "h", 6379, 1, 0, "", "", "redis at h:6379" },
		{ "redis://:p%40s%2Fs@h", KV_TCP, "h", 6379, 1, 0, "", "p@s/s", "redis at h:6379" },
		{ "redis://:p@ss@h", KV_TCP, "h", 6379, 1, 0, "", "p@ss", "redis at h:6379" },
		{ "redis://me:a:b@[::1]:7000/1", KV_TCP, "::1", 7000, 1, 1, "me", "a:b",
		    "redis at ::1:7000" },
		{ "unix:///run/redis.sock", KV_UNIX, "", 0, 0, 0, "", "",
		    "redis at /run/redis.sock" },
		{ "unix://:pw@/run/r.sock?db=3", KV_UNIX, "", 0, 0, 3, "", "pw",
		    "redis at /run/r.sock" },
		{ "sentinel://a,b:1,[::2]:3/main", KV_SENTINEL, "a", 26379, 3, 0, "", "",
		    "redis master main (sentinel a)" },
		{ "sentinel://u:p@a/main/2", KV_SENTINEL, "a", 26379, 1, 2, "u", "p",
		    "redis master main (sentinel a)" },
	};
	struct kv_url u;
	struct err e;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		TEST_OK(kv_url_parse(&u, rows[i].url, &e), e);
		cr_assert_eq(u.kind, rows[i].kind, "%s", rows[i].url);
		cr_assert_str_eq(u.host[0].name, rows[i].host);
		cr_assert_eq(u.host[0].port, rows[i].port, "%s", rows[i].url);
		cr_assert_eq(u.nhosts, rows[i].nhosts, "%s", rows[i].url);
		cr_assert_eq(u.db, rows[i].db, "%s", rows[i].url);
		cr_assert_str_eq(u.user, rows[i].user);
		cr_assert_str_eq(u.password, rows[i].password);
		cr_assert_str_eq(u.where, rows[i].where);
	}
	TEST_OK(kv_url_parse(&u, "sentinel://a,b:1,[::2]:3/main", &e), e);
	cr_assert_str_eq(u.host[1].name, "b");
	cr_assert_eq(u.host[1].port, 1);
	cr_assert_str_eq(u.host[2].name, "::2");
	cr_assert_eq(u.host[2].port, 3);
	cr_assert_str_eq(u.master, "main");
	cr_assert_not(u.tls);
	TEST_OK(kv_url_parse(&u, "rediss://u:p@h/3?ca=/a%26b&name=redis.example.org", &e), e);
	cr_assert(u.tls);
	cr_assert_eq(u.db, 3);
	cr_assert_str_eq(u.ca, "/a&b");
	cr_assert_str_eq(u.tls_name, "redis.example.org");
	TEST_OK(kv_url_parse(&u, "clusters://a,b:7?cert=/c&key=/k", &e), e);
	cr_assert_eq(u.kind, KV_CLUSTER);
	cr_assert_eq(u.nhosts, 2);
	cr_assert_str_eq(u.key, "/k");
}

TEST(kv_url, refuses_the_rest_without_repeating_it)
{
	static const char *const rows[] = {
		"", "redis://", "redis:///0", "redis://:@h", "redis://:sesame@", "redis://h:0",
		"redis://h:99999", "redis://h:", "redis://h:12x", "redis://h/x", "redis://h/1/2",
		"redis://h/-1", "redis://h/99999999999", "redis://a,b", "redis://:sesame%zz@h",
		"redis://:sesame%0@h", "redis://:sesame%00@h", "redis://[::1", "redis://[::1]x",
		"redis://:sesame/word@h", "unix://relative", "unix://", "unix:///a?x=1",
		"unix:///a?db=", "sentinel://a", "sentinel://a/", "sentinel:///m", "sentinel://a,,b/m",
		"sentinel://1,2,3,4,5,6,7,8,9/m", "rediss://:sesame@h?ca", "rediss://:sesame@h?sesame=1",
		"rediss://:sesame@h?cert=/c", "redis://:sesame@h?ca=/sesame", "cluster://h/1", "clusters://", "http://:sesame@h", "localhost",
		"REDIS://h",
	};
	struct kv_url u;
	struct err e;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert_eq(kv_url_parse(&u, rows[i], &e), ERR_CONFIG, "%s", rows[i]);
		cr_assert_null(strstr(e.msg, "sesame"), "%s", e.msg);
	}
	cr_assert_eq(kv_url_parse(&u, NULL, &e), ERR_CONFIG);
	char longish[400] = "unix:///";
	memset(longish + 8, 'x', 300);
	cr_assert_eq(kv_url_parse(&u, longish, &e), ERR_CONFIG);
	memcpy(longish, "redis://", 8);
	cr_assert_eq(kv_url_parse(&u, longish, &e), ERR_CONFIG);
}

TEST(kv, replies_of_every_kind, .timeout = 60)
{
	struct fix f;
	struct kv_reply r[4];

	fix_up(&f, NULL);
	TEST_OK(kv_open(&f.kv, f.redis.url, 0, 4, &f.e), f.e);
	const struct str set[] = { STR("SET"), STR("k"), { "a\0b\r\n", 5 } };
	const struct str get[] = { STR("GET"), STR("k") };
	const struct str none[] = { STR("GET"), STR("none") };
	const struct str list[] = { STR("EVAL"), STR("return {1, {'x', false}, {}}"), STR("0") };
	const struct kv_cmd cmds[] = { { set, 3 }, { get, 2 }, { none, 2 }, { list, 3 } };
	TEST_OK(kv_run(f.kv, f.a, cmds, 4, r, &f.e), f.e);
	cr_assert_str_eq(r[0].text.p, "OK");
	cr_assert_eq(r[1].type, KV_TEXT);
	cr_assert_eq(r[1].text.n, 5);
	cr_assert_arr_eq(r[1].text.p, "a\0b\r\n", 6);
	cr_assert_eq(r[2].type, KV_NIL);
	cr_assert_eq(r[3].n, 3);
	cr_assert_eq(r[3].item[0].num, 1);
	cr_assert_eq(r[3].item[1].item[1].type, KV_NIL);
	cr_assert_eq(r[3].item[2].n, 0);
	/* one bad command fails the batch, and the connection stays in step */
	const struct str bad[] = { STR("LPUSH"), STR("k"), STR("x") };
	const struct kv_cmd mixed[] = { { bad, 3 }, { get, 2 } };
	cr_assert_eq(kv_run(f.kv, f.a, mixed, 2, r, &f.e), ERR_STORE);
	TEST_OK(kv_run(f.kv, f.a, cmds + 1, 1, r, &f.e), f.e);
	cr_assert_eq(r[0].text.n, 5);
	fix_down(&f);
}

/* A megabyte there and back. */
TEST(kv, large_values, .timeout = 60)
{
	enum { LARGE = 1 << 20 };
	struct fix f;
	struct kv_reply r[3];

	fix_up(&f, NULL);
	TEST_OK(kv_open(&f.kv, f.redis.url, 10000, 1, &f.e), f.e);
	char *text = malloc(LARGE);
	for (size_t i = 0; i < LARGE; i++)
		text[i] = (char)(i * i >> 7);
	const struct str set[] = { STR("SET"), STR("k"), { text, LARGE } };
	const struct str get[] = { STR("GET"), STR("k") };
	const struct kv_cmd cmds[] = { { set, 3 }, { get, 2 }, { get, 2 } };
	for (int i = 0; i < 3; i++) {
		TEST_OK(kv_run(f.kv, f.a, cmds, 3, r, &f.e), f.e);
		for (int k = 1; k < 3; k++) {
			cr_assert_eq(r[k].text.n, LARGE);
			cr_assert_eq(memcmp(r[k].text.p, text, LARGE), 0);
		}
	}
	free(text);
	fix_down(&f);
}

/* However it is cut up on its way, a reply is whole or an error. */
TEST(kv, replies_in_pieces, .timeout = 60)
{
	static const char reply[] = "*3\r\n$5\r\nhello\r\n:-12\r\n*2\r\n$-1\r\n+fine\r\n";
	static const int pieces[] = { 1, 2, 3, 7, (int)sizeof(reply) - 2, (int)sizeof(reply) - 1 };
	struct fix f = { .a = arena_new() };
	struct redis_proxy p;
	struct kv_reply r;

	signal(SIGPIPE, SIG_IGN);
	proxy_start(&p, NULL, reply);
	p.pause_us = 200;
	TEST_OK(kv_open(&f.kv, p.url, 5000, 1, &f.e), f.e);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		p.piece = pieces[i];
		TEST_OK(ask(&f, &r, "GET", "k", NULL, NULL), f.e);
		cr_assert_eq(r.n, 3);
		cr_assert_str_eq(r.item[0].text.p, "hello");
		cr_assert_eq(r.item[1].num, -12);
		cr_assert_eq(r.item[2].item[0].type, KV_NIL);
		cr_assert_str_eq(r.item[2].item[1].text.p, "fine");
	}
	cr_assert_eq(p.connections, 1);
	/* the connection ends in the middle: once is made good, twice is told */
	p.piece = 0;
	for (p.cut = 0; p.cut < (int)sizeof(reply) - 1; p.cut++) {
		p.cuts = 1;
		TEST_OK(ask(&f, &r, "GET", "k", NULL, NULL), f.e);
		cr_assert_str_eq(r.item[2].item[1].text.p, "fine");
		p.cuts = 2;
		cr_assert_eq(ask(&f, &r, "GET", "k", NULL, NULL), ERR_UNSURE, "%d bytes", p.cut);
		cr_assert_not_null(strstr(f.e.msg, "connection closed: is it running"), "%s",
		    f.e.msg);
		cr_assert_eq(p.cuts, 0);
	}
	kv_close(f.kv);
	proxy_stop(&p);
	arena_free(f.a);
}

/* A reply that stops in the middle is not waited for, nor taken for a part of the next one. */
TEST(kv, replies_that_stop, .timeout = 60)
{
	static const char *const parts[] = { "", "+PO", "$5\r\nhel", "*2\r\n+a\r\n", ":12" };
	struct fix f = { .a = arena_new() };
	struct redis_proxy p;
	struct kv_reply r;

	signal(SIGPIPE, SIG_IGN);
	proxy_start(&p, NULL, "");
	TEST_OK(kv_open(&f.kv, p.url, 200, 1, &f.e), f.e);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		int before = p.connections;
		p.canned = parts[i];
		int64_t t0 = clock_mono_ms();
		cr_assert_eq(ping(&f), ERR_UNSURE, "%s", parts[i]);
		int64_t took = clock_mono_ms() - t0;
		cr_assert(took >= 190 && took < 3000, "%s: %lld ms", parts[i], (long long)took);
		cr_assert_not_null(strstr(f.e.msg, "did not answer within 200 ms"), "%s", f.e.msg);
		cr_assert_eq(p.connections, before + (i == 0), "asked once");
		p.canned = "+PONG\r\n";
		TEST_OK(ask(&f, &r, "PING", NULL, NULL, NULL), f.e);
		cr_assert_str_eq(r.text.p, "PONG");
	}
	kv_close(f.kv);
	proxy_stop(&p);
	arena_free(f.a);
}

/* A server that never falls silent and never gets done: the whole exchange has one deadline. */
TEST(kv, exchanges_that_drip, .timeout = 60)
{
	enum { LARGE = 24 << 20 };
	struct fix f = { .a = arena_new() };
	struct redis_proxy p;
	struct kv_reply r[3];
	char *text = malloc(LARGE);

	signal(SIGPIPE, SIG_IGN);
	memset(text, 'x', LARGE);
	const struct str get[] = { STR("GET"), STR("k") };
	const struct str set[] = { STR("SET"), STR("k"), { text, LARGE } };
	const struct {
		struct kv_cmd cmds[3];
		size_t n;
		const char *reply;
		int piece, pause_ms;
	} rows[] = {
		{ { { get, 2 } }, 1, "*4\r\n$5\r\nhello\r\n:-12\r\n*2\r\n$-1\r\n+fine\r\n+more\r\n", 1, 60 },
		/* each reply in time by itself */
		{ { { get, 2 }, { get, 2 }, { get, 2 } }, 3, "+OK\r\n+OK\r\n+OK\r\n", 5, 200 },
		/* it reads slowly */
		{ { { set, 3 } }, 1, "", 0, 60 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		proxy_start(&p, NULL, rows[i].reply);
		TEST_OK(kv_open(&f.kv, p.url, 500, 1, &f.e), f.e);
		p.piece = rows[i].piece;
		p.pause_us = rows[i].pause_ms * 1000;
		int64_t t0 = clock_mono_ms();
		cr_expect_eq(kv_run(f.kv, f.a, rows[i].cmds, rows[i].n, r, &f.e), ERR_UNSURE, "row %zu", i);
		int64_t took = clock_mono_ms() - t0;
		cr_expect(took >= 450 && took < 2400, "row %zu: %lld ms", i, (long long)took);
		cr_expect_not_null(strstr(f.e.msg, "did not answer within 500 ms"), "%s", f.e.msg);
		kv_close(f.kv);
		proxy_stop(&p);
	}
	free(text);
	arena_free(f.a);
}

/* More calls than the connections can carry is not a server that is slow. */
TEST(kv, a_burst_is_overload, .timeout = 60)
{
	enum { N = 30 };
	struct fix f[N];
	struct redis_proxy p;
	pthread_t thread[N];
	int done = 0, refused = 0;

	signal(SIGPIPE, SIG_IGN);
	proxy_start(&p, NULL, "+PONG\r\n");
	p.pause_us = 50000;              /* twice a call: 20 calls in 2 s */
	f[0] = (struct fix){ 0 };
	TEST_OK(kv_open(&f[0].kv, p.url, 2000, 1, &f[0].e), f[0].e);
	int64_t t0 = clock_mono_ms();
	for (int i = 0; i < N; i++) {
		f[i] = (struct fix){ .kv = f[0].kv, .a = arena_new() };
		pthread_create(&thread[i], NULL, ping_once, &f[i]);
	}
	for (int i = 0; i < N; i++) {
		pthread_join(thread[i], NULL);
		arena_free(f[i].a);
		done += f[i].e.code == OK;
		refused += f[i].e.code == ERR_OVERLOAD;
		if (f[i].e.code == OK)
			continue;
		cr_expect_eq(f[i].e.code, ERR_OVERLOAD, "%s", f[i].e.msg);
		cr_expect_not_null(strstr(f[i].e.msg, "all 1 connections"), "%s", f[i].e.msg);
		cr_expect_not_null(strstr(f[i].e.msg, kv_where(f[0].kv)), "%s", f[i].e.msg);
	}
	cr_expect_lt(clock_mono_ms() - t0, 2500);
	cr_expect(done >= 2 && refused >= 2, "%d done, %d refused", done, refused);
	kv_close(f[0].kv);
	proxy_stop(&p);
}

TEST(kv, errors_hold_no_arguments, .timeout = 60)
{
	struct fix f;
	struct kv_reply r;

	fix_up(&f, NULL);
	TEST_OK(kv_open(&f.kv, f.redis.url, 0, 4, &f.e), f.e);
	cr_assert_eq(ask(&f, &r, "NOSUCH", "sesame", NULL, NULL), ERR_STORE);
	cr_assert_null(strstr(f.e.msg, "sesame"), "%s", f.e.msg);
	cr_assert_not_null(strstr(f.e.msg, f.redis.sock), "%s", f.e.msg);
	fix_down(&f);
}

TEST(kv, password_user_and_database, .timeout = 60)
{
	struct fix f;
	struct kv_reply r;
	char url[300];
	static const struct {
		const char *before, *after;
		bool ok;
		const char *said;
	} rows[] = {
		{ "", "", false, "wants a password" },
		{ ":wrong@", "", false, "does not accept" },
		{ ":sesame@", "", true, NULL },
		{ ":sesam%65@", "?db=7", true, NULL },
		{ "default:sesame@", "", true, NULL },
		{ "nobody:sesame@", "", false, "does not accept" },
		{ ":sesame@", "?db=99", false, "no such database" },
	};

	fix_up(&f, "--requirepass sesame");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(url, sizeof(url), "unix://%s%s%s", rows[i].before, f.redis.sock, rows[i].after);
		TEST_OK(kv_open(&f.kv, url, 0, 1, &f.e), f.e);
		enum errcode rc = ping(&f);
		cr_assert_eq(rc, rows[i].ok ? OK : ERR_STORE, "%s: %s", url, f.e.msg);
		if (!rows[i].ok) {
			cr_assert_not_null(strstr(f.e.msg, rows[i].said), "%s", f.e.msg);
			cr_assert_null(strstr(f.e.msg, "sesam"), "%s", f.e.msg);
		}
		if (strstr(rows[i].after, "=7") != NULL) {
			TEST_OK(ask(&f, &r, "CLIENT", "INFO", NULL, NULL), f.e);
			cr_assert_not_null(strstr(r.text.p, " db=7 "), "%s", r.text.p);
		}
		kv_close(f.kv);
	}
	f.kv = NULL;
	fix_down(&f);
}

TEST(kv, password_nobody_asked_for_is_named, .timeout = 60)
{
	struct fix f;
	char url[200];

	fix_up(&f, NULL);
	snprintf(url, sizeof(url), "unix://:sesame@%s", f.redis.sock);
	TEST_OK(kv_open(&f.kv, url, 0, 1, &f.e), f.e);
	cr_assert_eq(ping(&f), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "password"), "%s", f.e.msg);
	cr_assert_null(strstr(f.e.msg, "sesame"), "%s", f.e.msg);
	fix_down(&f);
}

TEST(kv, script_text_is_sent_once, .timeout = 60)
{
	struct fix f;
	struct kv_script s = { .text = "return {KEYS[1], ARGV[1], ARGV[2]}" };
	const struct str key = STR("k"), args[] = { STR("one"), STR("") };
	struct kv_reply r;

	fix_up(&f, NULL);
	TEST_OK(kv_open(&f.kv, f.redis.url, 0, 2, &f.e), f.e);
	for (int i = 0; i < 4; i++) {
		TEST_OK(kv_eval(f.kv, f.a, &s, &key, 1, args, 2, &r, &f.e), f.e);
		cr_assert_eq(r.n, 3);
		cr_assert_str_eq(r.item[0].text.p, "k");
		cr_assert_str_eq(r.item[1].text.p, "one");
		cr_assert_eq(r.item[2].text.n, 0);
		if (i == 2)
			TEST_OK(ask(&f, &r, "SCRIPT", "FLUSH", NULL, NULL), f.e);
	}
	TEST_OK(ask(&f, &r, "INFO", "commandstats", NULL, NULL), f.e);
	cr_assert_not_null(strstr(r.text.p, "cmdstat_eval:calls=2,"), "%s", r.text.p);
	cr_assert_not_null(strstr(r.text.p, "cmdstat_evalsha:calls=3,"), "%s", r.text.p);
	fix_down(&f);
}

TEST(kv, server_that_comes_and_goes, .timeout = 60)
{
	struct fix f;

	fix_up(&f, NULL);
	redis_kill(&f.redis);
	TEST_OK(kv_open(&f.kv, f.redis.url, 500, 4, &f.e), f.e);
	cr_assert_eq(ping(&f), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "is it running"), "%s", f.e.msg);
	for (int i = 0; i < 3; i++) {
		redis_start(&f.redis, f.dir, NULL);
		TEST_OK(ping(&f), f.e);
		redis_kill(&f.redis);
		if (i > 0)
			cr_assert_eq(ping(&f), ERR_STORE);
	}
	/* a name that nobody resolves, and a port where nobody listens */
	kv_close(f.kv);
	TEST_OK(kv_open(&f.kv, "redis://:sesame@no.such.host.invalid", 500, 4, &f.e), f.e);
	cr_assert_eq(ping(&f), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "no.such.host.invalid"), "%s", f.e.msg);
	cr_assert_null(strstr(f.e.msg, "sesame"));
	fix_down(&f);
}

TEST(kv, one_repeat_after_a_lost_reply, .timeout = 60)
{
	struct fix f;
	struct redis_proxy p;
	struct kv_reply r;

	fix_up(&f, NULL);
	proxy_start(&p, f.redis.sock, NULL);
	TEST_OK(kv_open(&f.kv, p.url, 1000, 1, &f.e), f.e);
	TEST_OK(ping(&f), f.e);
	p.lose = 1;
	TEST_OK(ask(&f, &r, "INCR", "n", NULL, NULL), f.e);
	cr_assert_eq(r.num, 2);                          /* it did run twice, as the header warns */
	p.lose = 2;
	cr_assert_eq(ask(&f, &r, "INCR", "n", NULL, NULL), ERR_UNSURE);
	TEST_OK(ask(&f, &r, "GET", "n", NULL, NULL), f.e);
	cr_assert_str_eq(r.text.p, "4");
	proxy_stop(&p);
	fix_down(&f);
}

/* The server died with the commands, which it may have carried out, and is back with an error. */
TEST(kv, a_refused_repeat_says_nothing_of_the_first, .timeout = 60)
{
	struct redis_proxy p;
	struct kv_reply r;
	struct fix f = { .dir = test_mkdtemp(), .a = arena_new() };
	struct kv_script s = { .text = "return 1", .sha = "0123456789012345678901234567890123456789" };

	signal(SIGPIPE, SIG_IGN);
	proxy_start(&p, NULL, "-LOADING Redis is loading the dataset in memory\r\n");
	TEST_OK(kv_open(&f.kv, p.url, 1000, 1, &f.e), f.e);
	p.cuts = 1;
	cr_expect_eq(ask(&f, &r, "INCR", "n", NULL, NULL), ERR_UNSURE);
	cr_expect_not_null(strstr(f.e.msg, "still loading"), "%s", f.e.msg);
	cr_expect_eq(ask(&f, &r, "INCR", "n", NULL, NULL), ERR_STORE);
	p.canned = "+PONG\r\n";
	TEST_OK(ping(&f), f.e);
	p.canned = "-LOADING Redis is loading the dataset in memory\r\n";
	p.cuts = 1;
	cr_expect_eq(kv_eval(f.kv, f.a, &s, NULL, 0, NULL, 0, &r, &f.e), ERR_UNSURE);
	proxy_stop(&p);
	kv_close(f.kv);
	arena_free(f.a);
	test_rmdir(f.dir);
}

TEST(kv, silence_is_not_repeated, .timeout = 60)
{
	struct fix f;
	struct kv_reply r;

	fix_up(&f, NULL);
	TEST_OK(kv_open(&f.kv, f.redis.url, 500, 2, &f.e), f.e);
	TEST_OK(ping(&f), f.e);
	redis_freeze(&f.redis, true);
	int64_t t0 = clock_mono_ms();
	cr_assert_eq(ask(&f, &r, "INCR", "n", NULL, NULL), ERR_UNSURE);
	cr_assert_lt(clock_mono_ms() - t0, 3000);
	redis_freeze(&f.redis, false);
	TEST_OK(ping(&f), f.e);
	TEST_OK(ask(&f, &r, "GET", "n", NULL, NULL), f.e);
	cr_assert_str_eq(r.text.p, "1");
	fix_down(&f);
}

TEST(kv, every_refusal_says_what_to_do)
{
	static const struct {
		const char *reply, *said;
	} rows[] = {
		{ "-LOADING Redis is loading the dataset in memory\r\n", "try again" },
		{ "-READONLY You can't write against a read only replica.\r\n", "master" },
		{ "-OOM command not allowed when used memory > 'maxmemory'.\r\n", "maxmemory" },
		{ "-MISCONF Redis is configured to save RDB snapshots\r\n", "disk" },
		{ "-NOAUTH Authentication required.\r\n", "REDIS_URL" },
		{ "-WRONGPASS invalid username-password pair or user is disabled.\r\n", "user or password" },
		{ "-NOPERM this user has no permissions to run the 'set' command\r\n", "ACL SETUSER" },
		{ "-BUSY Redis is busy running a script.\r\n", "script kill" },
		{ "-CLUSTERDOWN The cluster is down\r\n", "CLUSTER INFO" },
		{ "-TRYAGAIN Multiple keys request during rehashing of slot\r\n", "try again" },
		{ "-NOREPLICAS Not enough good replicas to write.\r\n", "replicas" },
		{ "-MASTERDOWN Link with MASTER is down\r\n", "lost its master" },
		{ "-MISCONF Redis is configured to save RDB snapshots\r\n", "log" },
		{ "-ERR Error running script (call to f_12): @user_script:1: @user_script: 1: "
		    "-OOM command not allowed\r\n", "maxmemory" },
		{ "-ERR something new\r\n", "something new" },
		{ "*2\r\n:1\r\n-READONLY nested\r\n", "replica" },
		/* no replies at all */
		{ "\x01\x02 what is this\r\n", "127.0.0.1" },
		{ "$-5\r\n", "127.0.0.1" },
		{ "*-5\r\n", "127.0.0.1" },
	};
	struct fix f = { .a = arena_new() };
	struct redis_proxy p;

	signal(SIGPIPE, SIG_IGN);
	proxy_start(&p, NULL, "+PONG\r\n");
	TEST_OK(kv_open(&f.kv, p.url, 1000, 1, &f.e), f.e);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		p.canned = rows[i].reply;
		bool refusal = !streq(rows[i].said, "127.0.0.1");
		cr_assert_eq(ping(&f), refusal ? ERR_STORE : ERR_UNSURE, "%s", rows[i].reply);
		cr_assert_not_null(strstr(f.e.msg, rows[i].said), "%s", f.e.msg);
		cr_assert_not_null(strstr(f.e.msg, kv_where(f.kv)), "%s", f.e.msg);
		p.canned = "+PONG\r\n";
		TEST_OK(ping(&f), f.e);
	}
	kv_close(f.kv);
	proxy_stop(&p);
	arena_free(f.a);
}

/* 1,000 calls at a server that is down: one attempt at a time, with growing rests. */
TEST(kv, a_server_that_is_down_is_left_in_peace, .timeout = 60)
{
	enum { N = 100, EACH = 10 };
	struct fix f[N];
	struct redis_proxy p;
	pthread_t thread[N];

	signal(SIGPIPE, SIG_IGN);
	proxy_start(&p, NULL, "-LOADING Redis is loading the dataset in memory\r\n");
	f[0] = (struct fix){ 0 };
	TEST_OK(kv_open(&f[0].kv, p.url, 500, 16, &f[0].e), f[0].e);
	int64_t t0 = clock_mono_ms();
	for (int round = 0; round < EACH; round++) {
		for (int i = 0; i < N; i++) {
			f[i] = (struct fix){ .kv = f[0].kv, .a = arena_new() };
			pthread_create(&thread[i], NULL, ping_once, &f[i]);
		}
		for (int i = 0; i < N; i++) {
			pthread_join(thread[i], NULL);
			arena_free(f[i].a);
			cr_expect_eq(f[i].e.code, ERR_STORE, "%s", f[i].e.msg);
			cr_expect_not_null(strstr(f[i].e.msg, "loading"), "%s", f[i].e.msg);
		}
	}
	int64_t took = clock_mono_ms() - t0;
	/* 16 at first, then one for each rest, which is at least 125 ms after the first few */
	cr_expect_leq(p.connections, 16 + 6 + took / 125, "%d connections in %lld ms",
	    (int)p.connections, (long long)took);
	cr_expect_lt(took, EACH * 1500);
	/* when it is back, the next call finds out */
	p.canned = "+PONG\r\n";
	TEST_OK(ping(&(struct fix){ .kv = f[0].kv, .a = f[0].a = arena_new() }), f[0].e);
	arena_free(f[0].a);
	kv_close(f[0].kv);
	proxy_stop(&p);
}

/* A call waits for a server that comes back within its time, but not for one that stays away. */
TEST(kv, a_short_restart_is_waited_for, .timeout = 60)
{
	struct fix f;
	pthread_t thread;

	fix_up(&f, NULL);
	TEST_OK(kv_open(&f.kv, f.redis.url, 5000, 4, &f.e), f.e);
	TEST_OK(ping(&f), f.e);
	redis_kill(&f.redis);
	struct fix waits = { .kv = f.kv, .a = f.a };
	pthread_create(&thread, NULL, ping_once, &waits);
	clock_sleep_ms(400);
	redis_start(&f.redis, f.dir, NULL);
	pthread_join(thread, NULL);
	TEST_OK(waits.e.code, waits.e);
	redis_kill(&f.redis);
	int64_t t0 = clock_mono_ms(), quick = 0, last = 0;
	while (clock_mono_ms() - t0 < 8000) {
		last = clock_mono_ms();
		cr_assert_eq(ping(&f), ERR_STORE);
		last = clock_mono_ms() - last;
		quick += last < 100;
		clock_sleep_ms(20);
	}
	cr_assert_gt(quick, 20, "after 5 s without a server, calls fail at once");
	redis_start(&f.redis, f.dir, NULL);
	for (t0 = clock_mono_ms(); ping(&f) != OK; clock_sleep_ms(20))
		cr_assert_lt(clock_mono_ms() - t0, 10000);
	fix_down(&f);
}

/* A user of an ACL: what it may do works, and what is missing has a clear message. */
TEST(kv, acl_users, .timeout = 60)
{
	static const struct {
		const char *user, *rules, *said;
	} rows[] = {
		{ "good", "on >sesame ~aa:* &aa:* +@all -@admin -@dangerous", NULL },
		{ "keys", "on >sesame ~other:* +@all", "doc/redis.md" },
		{ "noset", "on >sesame ~aa:* +@read +ping", "doc/redis.md" },
		{ "off", "off >sesame ~aa:* +@all", "user or password" },
		{ "other", "on >another ~aa:* +@all", "user or password" },
	};
	struct fix f;
	struct kv_reply r;
	char url[300];

	fix_up(&f, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct str argv[16] = { STR("ACL"), STR("SETUSER"), str_of(rows[i].user) };
		struct kv_cmd cmd = { argv, 3 };
		char rules[100];

		snprintf(rules, sizeof(rules), "%s", rows[i].rules);
		for (char *save = NULL, *w = strtok_r(rules, " ", &save); w != NULL;
		    w = strtok_r(NULL, " ", &save))
			argv[cmd.argc++] = str_of(w);
		TEST_OK(kv_open(&f.kv, f.redis.url, 1000, 1, &f.e), f.e);
		TEST_OK(kv_run(f.kv, f.a, &cmd, 1, &r, &f.e), f.e);
		kv_close(f.kv);
		snprintf(url, sizeof(url), "unix://%s:sesame@%s", rows[i].user, f.redis.sock);
		TEST_OK(kv_open(&f.kv, url, 1000, 1, &f.e), f.e);
		enum errcode rc = ask(&f, &r, "SET", "aa:x", "1", NULL);
		cr_assert_eq(rc, rows[i].said == NULL ? OK : ERR_STORE, "%s: %s", rows[i].user, f.e.msg);
		if (rc != OK)
			cr_assert_not_null(strstr(f.e.msg, rows[i].said), "%s", f.e.msg);
		kv_close(f.kv);
	}
	f.kv = NULL;
	fix_down(&f);
}

TEST(kv, sentinels_are_asked_in_turn_and_again_after_a_failover, .timeout = 60)
{
	struct fix f;
	struct redis_proxy dead, s1, s2, old, new;
	char url[200], to_old[80], to_new[80], port[8];

	fix_up(&f, NULL);
	proxy_start(&old, f.redis.sock, NULL);
	proxy_start(&new, f.redis.sock, NULL);
	snprintf(port, sizeof(port), "%d", old.port);
	snprintf(to_old, sizeof(to_old), "*2\r\n$9\r\n127.0.0.1\r\n$%zu\r\n%s\r\n", strlen(port), port);
	snprintf(port, sizeof(port), "%d", new.port);
	snprintf(to_new, sizeof(to_new), "*2\r\n$9\r\n127.0.0.1\r\n$%zu\r\n%s\r\n", strlen(port), port);
	proxy_start(&dead, NULL, NULL);
	proxy_stop(&dead);                               /* nobody listens there now */
	proxy_start(&s1, NULL, "*-1\r\n");               /* knows nothing */
	proxy_start(&s2, NULL, to_old);
	snprintf(url, sizeof(url), "sentinel://127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d/main/3",
	    dead.port, s1.port, s2.port);
	TEST_OK(kv_open(&f.kv, url, 1000, 1, &f.e), f.e);
	TEST_OK(ping(&f), f.e);
	cr_assert_eq(old.connections, 1);
	cr_assert_eq(s1.connections, 1);

	old.canned = "-READONLY You can't write against a read only replica.\r\n";
	s2.canned = to_new;
	TEST_OK(ping(&f), f.e);
	cr_assert_eq(new.connections, 1);
	cr_assert_eq(s1.connections, 1);                 /* the one that answered is asked first */
	TEST_OK(ping(&f), f.e);
	cr_assert_eq(new.connections, 1);

	kv_close(f.kv);
	s2.canned = "*2\r\n$9\r\n127.0.0.1\r\n$3\r\nabc\r\n";
	TEST_OK(kv_open(&f.kv, url, 1000, 1, &f.e), f.e);
	cr_assert_eq(ping(&f), ERR_STORE);
	cr_assert_not_null(strstr(f.e.msg, "master"), "%s", f.e.msg);
	proxy_stop(&old);
	proxy_stop(&new);
	proxy_stop(&s1);
	proxy_stop(&s2);
	fix_down(&f);
}

static void *ping_often(void *p)
{
	struct fix *f = p, mine = { .kv = f->kv, .a = arena_new() };
	enum errcode rc = OK;

	for (int i = 0; i < 200 && rc == OK; i++)
		rc = ping(&mine);
	arena_free(mine.a);
	return rc == OK ? NULL : f;
}

TEST(kv, threads_share_few_connections, .timeout = 60)
{
	enum { N = 16 };
	struct fix f;
	struct kv_reply r;
	pthread_t thread[N];

	fix_up(&f, NULL);
	TEST_OK(kv_open(&f.kv, f.redis.url, 5000, 3, &f.e), f.e);
	for (int i = 0; i < N; i++)
		pthread_create(&thread[i], NULL, ping_often, &f);
	for (int i = 0; i < N; i++) {
		void *failed;
		pthread_join(thread[i], &failed);
		cr_assert_null(failed);
	}
	TEST_OK(ask(&f, &r, "INFO", "stats", NULL, NULL), f.e);
	/* one was the helper's own look whether the server is up */
	const char *made = strstr(r.text.p, "total_connections_received:");
	cr_assert_leq(strtol(made + 27, NULL, 10), 4, "%.40s", made);
	fix_down(&f);
}

TEST(kv, waiting_for_a_connection_ends, .timeout = 60)
{
	struct fix f;
	pthread_t thread;

	fix_up(&f, NULL);
	TEST_OK(kv_open(&f.kv, f.redis.url, 500, 1, &f.e), f.e);
	TEST_OK(ping(&f), f.e);
	redis_freeze(&f.redis, true);
	pthread_create(&thread, NULL, ping_often, &f);
	clock_sleep_ms(100);
	int64_t t0 = clock_mono_ms();
	cr_assert_eq(ping(&f), ERR_STORE);
	cr_assert_lt(clock_mono_ms() - t0, 3000);
	redis_freeze(&f.redis, false);
	pthread_join(thread, NULL);
	TEST_OK(ping(&f), f.e);
	fix_down(&f);
}
