/*
 * Threads as their owners see them, and sessions: every check runs for each back end.
 */
#include "services/threads.h"

#include "base/clock.h"
#include "drivers/db.h"
#include "services/sessions.h"
#include "services/store_backend.h"
#include "services/store_threads.h"
#include "tests/unit/redis_cluster.h"
#include "tests/unit/store_fix.h"

/* A random id of a session. */
#define SESSION "session_1795195765484190012345678901234567890123456789012345678"

/* One whole turn, with its own lease. */
static void say(struct fix *f, const char *thread, const struct thread_owner *owner, int64_t version,
    const char *question, const char *answer, const struct session_turn *session)
{
	const struct message m[] = { message_new(f->a, "user", question),
	    message_new(f->a, "assistant", answer) };
	const struct commit c = { .version = version, .append = m, .nappend = 2, .persona = "pilot",
	    .session = session, .last = true };
	char run[ID_SIZE];
	struct lease l;

	id_run(run);
	TEST_OK(store_lease(f->s, thread, run, owner, 5000, &l, NULL, &f->e), f->e);
	TEST_OK(store_commit(f->s, &l, owner, &c, &f->e), f->e);
}

static void say_turns(struct fix *f, const char *thread, int n)
{
	for (int i = 0; i < n; i++)
		say(f, thread, NULL, i, arena_printf(f->a, "q%d", i), arena_printf(f->a, "a%d", i), NULL);
}

static enum errcode page(struct fix *f, const char *thread, enum thread_part part, size_t limit,
    const char *before, const char *after, struct thread_page *out)
{
	const struct thread_range range = { part, limit, before, after };

	return threads_page(f->s, f->a, thread, NULL, &range, out, &f->e);
}

static const char *texts(struct fix *f, const struct thread_page *p)
{
	const char *all = "";

	for (size_t i = 0; i < p->n; i++)
		all = arena_printf(f->a, "%s%s%s", all, i > 0 ? " " : "", p->messages[i].content);
	return all;
}

EACH_STORE(threads_tell_what_is_known, 3600)
{
	struct thread_about about;
	int64_t before = clock_wall_us();

	cr_assert_eq(threads_about(f->s, f->a, "t1", NULL, &about, &f->e), ERR_NOTFOUND);
	struct lease l = lease(f, "t1", "run-1", 5000);
	cr_assert_eq(threads_about(f->s, f->a, "t1", NULL, &about, &f->e), ERR_NOTFOUND, "it is not written");
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	say(f, "t1", USER("anna"), 0, "  Where can I land\n near Lyon? ", "here", NULL);
	say(f, "t1", USER("anna"), 1, "and AVGAS?", "there", NULL);
	TEST_OK(threads_about(f->s, f->a, "t1", USER("anna"), &about, &f->e), f->e);
	cr_expect_str_eq(about.id, "t1");
	cr_expect_eq(about.version, 2);
	cr_expect_eq(about.nmessages, 4);
	cr_expect_eq(about.nkept, 4);
	cr_expect_str_eq(about.title, "Where can I land near Lyon?");
	cr_expect_str_eq(about.persona, "pilot");
	cr_expect_str_eq(about.user, "anna");
	cr_expect_str_eq(about.run, "");
	cr_expect(about.created_us >= before && about.updated_us > about.created_us &&
	    about.updated_us <= clock_wall_us());
	TEST_OK(store_lease(f->s, "t1", "run-9", USER("anna"), 5000, &l, NULL, &f->e), f->e);
	TEST_OK(threads_about(f->s, f->a, "t1", USER("anna"), &about, &f->e), f->e);
	cr_expect_str_eq(about.run, "run-9");
	cr_expect(about.run_ms > 0 && about.run_ms <= 5000);
	cr_expect_eq(threads_about(f->s, f->a, "t1", NULL, &about, &f->e), ERR_NOTFOUND);
	cr_expect_eq(threads_about(f->s, f->a, "t1", USER("bert"), &about, &f->e), ERR_NOTFOUND);
	cr_expect_eq(threads_about(f->s, f->a, "t1", &(struct thread_owner){ "anna", "other" }, &about,
	    &f->e), ERR_NOTFOUND);
	cr_expect_eq(threads_about(f->s, f->a, "../t1", USER("anna"), &about, &f->e), ERR_INPUT);
}

EACH_STORE(threads_are_read_page_by_page, 3600)
{
	struct thread_page p, whole;

	say_turns(f, "t1", 5);
	TEST_OK(page(f, "t1", THREAD_SAID, 200, NULL, NULL, &whole), f->e);
	cr_assert_str_eq(texts(f, &whole), "q0 a0 q1 a1 q2 a2 q3 a3 q4 a4");
	cr_expect(!whole.older && !whole.newer);
	const struct message *m = whole.messages;
	TEST_OK(page(f, "t1", THREAD_SAID, 3, NULL, NULL, &p), f->e);
	cr_expect_str_eq(texts(f, &p), "a3 q4 a4");
	cr_expect(p.older && !p.newer);
	cr_expect_str_eq(p.messages[0].id, m[7].id, "ids stay");
	cr_expect_eq(p.messages[0].time_us, m[7].time_us);
	TEST_OK(page(f, "t1", THREAD_SAID, 2, m[7].id, NULL, &p), f->e);
	cr_expect_str_eq(texts(f, &p), "a2 q3", "%s", texts(f, &p));
}

EACH_STORE(threads_pages_go_both_ways, 3600)
{
	struct thread_page p, whole;

	say_turns(f, "t1", 5);
	say_turns(f, "t2", 1);
	TEST_OK(page(f, "t1", THREAD_SAID, 200, NULL, NULL, &whole), f->e);
	const struct message *m = whole.messages;
	const struct { const char *before, *after; size_t limit; const char *expect; bool older, newer; } rows[] = {
		{ m[4].id, NULL, 2, "q1 a1", true, true },
		{ m[4].id, NULL, 4, "q0 a0 q1 a1", false, true },
		{ m[4].id, NULL, 9, "q0 a0 q1 a1", false, true },
		{ m[0].id, NULL, 9, "", false, true },
		{ NULL, m[4].id, 2, "a2 q3", true, true },
		{ NULL, m[4].id, 5, "a2 q3 a3 q4 a4", true, false },
		{ NULL, m[9].id, 5, "", true, false },
		{ NULL, m[8].id, 1, "a4", true, false },
		{ NULL, NULL, 1, "a4", true, false },
		{ NULL, NULL, 10, "q0 a0 q1 a1 q2 a2 q3 a3 q4 a4", false, false },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		TEST_OK(page(f, "t1", THREAD_SAID, rows[i].limit, rows[i].before, rows[i].after, &p), f->e);
		cr_expect_str_eq(texts(f, &p), rows[i].expect, "row %zu: %s", i, texts(f, &p));
		cr_expect(p.older == rows[i].older && p.newer == rows[i].newer, "row %zu", i);
	}
	TEST_OK(page(f, "t2", THREAD_SAID, 9, NULL, NULL, &p), f->e);
	cr_expect_eq(page(f, "t1", THREAD_SAID, 9, p.messages[0].id, NULL, &p), ERR_INPUT, "of another thread");
	cr_expect_eq(page(f, "t1", THREAD_SAID, 9, NULL, "nonsense", &p), ERR_INPUT);
	cr_expect_eq(page(f, "t1", THREAD_SAID, 0, NULL, NULL, &p), ERR_INPUT);
	cr_expect_eq(page(f, "t1", THREAD_SAID, THREAD_PAGE_MAX + 1, NULL, NULL, &p), ERR_INPUT);
	cr_expect_eq(page(f, "t3", THREAD_SAID, 9, NULL, NULL, &p), ERR_NOTFOUND);
}

/* More messages than are read at once, and tool messages among them. */
EACH_STORE(threads_long_ones_are_read_in_parts, 3600)
{
	enum { N = 700 };
	struct message m[N];
	struct thread_page p;
	const struct message_call call = { "c1", "search", "{}", NULL };
	struct lease l = lease(f, "t1", "run-1", 5000);

	for (int i = 0; i < N; i++)
		m[i] = message_new(f->a, i % 2 == 0 ? "user" : "assistant", arena_printf(f->a, "m%d", i));
	for (int i = 200; i < 500; i += 2) {
		m[i] = message_new(f->a, "assistant", "");
		m[i].calls = &call;
		m[i].ncalls = 1;
		m[i + 1] = message_new(f->a, "tool", "found");
		m[i + 1].call_id = "c1";
	}
	const struct commit c = { .append = m, .nappend = N, .last = true };
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	int expect = N - 1, pages = 0;
	for (const char *before = NULL; pages < 100; pages++, before = p.messages[0].id) {
		TEST_OK(page(f, "t1", THREAD_SAID, 30, before, NULL, &p), f->e);
		for (size_t i = p.n; i-- > 0;) {
			cr_assert_str_eq(p.messages[i].content, arena_printf(f->a, "m%d", expect));
			expect = expect == 500 ? 199 : expect - 1;
		}
		if (!p.older)
			break;
	}
	cr_expect_eq(expect, -1, "%d", expect);
	TEST_OK(page(f, "t1", THREAD_SAID, 200, NULL, m[199].id, &p), f->e);
	cr_expect_eq(p.n, 200);
	cr_expect_str_eq(p.messages[0].content, "m500");
	cr_expect_not(p.newer);
	TEST_OK(page(f, "t1", THREAD_SAID, 200, NULL, m[0].id, &p), f->e);
	cr_expect(p.n == 200 && p.newer);
	TEST_OK(page(f, "t1", THREAD_TURNS, 10, NULL, NULL, &p), f->e);
	cr_expect_eq(p.n, 1);
	cr_expect_str_eq(p.messages[0].id, m[N - 1].id);
}

EACH_STORE(threads_know_their_turns, 3600)
{
	struct thread_page p;

	say_turns(f, "t1", 3);
	struct lease l = lease(f, "t1", "run-4", 5000);
	TEST_OK(turn(f, &l, 3, "q3", "a3", NULL), f->e);
	TEST_OK(page(f, "t1", THREAD_TURNS, 10, NULL, NULL, &p), f->e);
	cr_assert_str_eq(texts(f, &p), "a0 a1 a2 a3");
	for (int i = 0; i < 4; i++)
		cr_expect_eq(p.messages[i].version, i + 1);
	cr_expect_str_eq(p.messages[3].run, "run-4");
	cr_expect_str_neq(p.messages[0].run, p.messages[1].run);
	TEST_OK(page(f, "t1", THREAD_TURNS, 2, p.messages[3].id, NULL, &p), f->e);
	cr_expect_str_eq(texts(f, &p), "a1 a2");
	cr_expect(p.older && p.newer);
}

/* What is stored for the history of a thread is deleted with its messages, and counts as they do. */
EACH_STORE(threads_turns_stay_within_the_limit, 3600)
{
	struct thread_page p;
	struct thread_about about;

	store_close(f->s);
	f->c.thread_bytes = 4096;
	TEST_OK(store_open(&f->s, &f->c, &f->e), f->e);
	say_turns(f, "t1", 100);
	TEST_OK(page(f, "t1", THREAD_TURNS, 200, NULL, NULL, &p), f->e);
	/* 2 messages of 4 + 2..9 + 16 + 21 bytes, and one turn of 1 + 3 + 36 */
	cr_expect(p.n >= 25 && p.n < 40, "%zu", p.n);
	cr_expect_eq(p.messages[p.n - 1].version, 100);
	TEST_OK(threads_about(f->s, f->a, "t1", NULL, &about, &f->e), f->e);
	cr_expect_eq(about.nmessages, 200);
	cr_expect(about.nkept == (int64_t)(2 * p.n) || about.nkept == (int64_t)(2 * p.n) - 1);
	cr_expect_str_eq(about.title, "q0", "the title outlives the first question");
	const char *oldest = p.messages[0].id;
	TEST_OK(page(f, "t1", THREAD_SAID, 200, oldest, NULL, &p), f->e);
	cr_expect(p.n <= 2 && !p.older);
}

EACH_STORE(threads_are_copied_up_to_a_message, 3600)
{
	struct thread_page whole, p;
	struct thread_about about;
	struct thread_copy copy, other;

	say_turns(f, "t1", 3);
	TEST_OK(page(f, "t1", THREAD_SAID, 10, NULL, NULL, &whole), f->e);
	TEST_OK(threads_fork(f->s, "t1", NULL, whole.messages[3].id, &copy, &f->e), f->e);
	cr_expect_eq(copy.nmessages, 4);
	cr_expect_str_neq(copy.id, "t1");
	cr_expect_str_eq(copy.last_id, whole.messages[3].id);
	TEST_OK(page(f, copy.id, THREAD_SAID, 10, NULL, NULL, &p), f->e);
	cr_expect_str_eq(texts(f, &p), "q0 a0 q1 a1");
	cr_expect_str_eq(p.messages[0].id, whole.messages[0].id);
	TEST_OK(page(f, copy.id, THREAD_TURNS, 10, NULL, NULL, &p), f->e);
	cr_expect_eq(p.n, 1, "the turns of the other are not its own");
	cr_expect_eq(p.messages[0].version, 1);
	TEST_OK(threads_about(f->s, f->a, copy.id, NULL, &about, &f->e), f->e);
	cr_expect_str_eq(about.title, "q0");
	cr_expect_str_eq(about.persona, "pilot");
	cr_expect_str_eq(about.run, "", "nobody holds it");
	cr_expect_str_eq(about.origin, "t1");
	/* both go on by themselves */
	say(f, copy.id, NULL, 1, "x", "y", NULL);
	cr_expect_eq(load(f, "t1", 100).nmessages, 6);
	cr_expect_eq(load(f, copy.id, 100).nmessages, 6);
	/* the end; and by a user, whose copy nobody else gets */
	TEST_OK(threads_fork(f->s, "t1", USER("anna"), NULL, &other, &f->e), f->e);
	cr_expect_eq(other.nmessages, 6);
	cr_expect_str_eq(other.last_id, whole.messages[5].id);
	cr_expect_eq(threads_about(f->s, f->a, other.id, NULL, &about, &f->e), ERR_NOTFOUND);
	cr_expect_eq(threads_fork(f->s, other.id, NULL, NULL, &copy, &f->e), ERR_NOTFOUND);
	cr_expect_eq(threads_fork(f->s, "t1", NULL, "nonsense", &copy, &f->e), ERR_INPUT);
	cr_expect_eq(threads_fork(f->s, "t9", NULL, NULL, &copy, &f->e), ERR_NOTFOUND);
}

/* Whoever copies one thread again and again, or its copies, cannot fill the store. */
EACH_STORE(threads_are_copied_a_limited_number_of_times, 86400)
{
	struct thread_copy copy, last = { .id = "t1" };
	struct thread_about about;

	store_close(f->s);
	f->c.thread_copies = 4;
	TEST_OK(store_open(&f->s, &f->c, &f->e), f->e);
	say_turns(f, "t1", 2);
	say_turns(f, "t2", 1);
	for (int i = 0; i < 4; i++) {           /* each is a copy of the one before */
		TEST_OK(threads_fork(f->s, last.id, NULL, NULL, &copy, &f->e), f->e);
		TEST_OK(threads_about(f->s, f->a, copy.id, NULL, &about, &f->e), f->e);
		cr_expect_str_eq(about.origin, "t1");
		last = copy;
	}
	say(f, last.id, NULL, 1, "x", "y", NULL);
	const char *const from[] = { "t1", last.id };
	for (int i = 0; i < 2; i++) {
		cr_expect_eq(threads_fork(f->s, from[i], NULL, NULL, &copy, &f->e), ERR_LIMIT);
		cr_expect(copy.retry_ms > 3590 * 1000 && copy.retry_ms <= 3600 * 1000, "%lld",
		    (long long)copy.retry_ms);
	}
	cr_expect_not_null(strstr(f->e.msg, "AVIATION_AGENT_THREAD_COPIES"));
	TEST_OK(threads_fork(f->s, "t2", NULL, NULL, &copy, &f->e), f->e);
}

/* For how long the thread is kept from now on, in s; -1: for ever. */
static int64_t life_of(struct fix *f, const char *thread)
{
	char text[200];
	int64_t n;

	if (streq(f->provider, "sqlite")) {
		struct db *db;

		snprintf(text, sizeof(text), "SELECT (used_ms + %lld - (SELECT time_ms FROM clock)) / 1000 FROM"
		    " threads WHERE id = '%s'", f->c.ttl_s > 0 ? (long long)f->c.ttl_s * 1000 : 3155760000000LL, thread);
		TEST_OK(db_open(&db, f->path, DB_WRITE, &f->e), f->e);
		n = db_int(db, text, -1);
		db_close(db);
		return f->c.ttl_s == 0 && n > 3155000000LL ? -1 : n;
	}
	struct kv *kv;
	struct kv_reply r;

	snprintf(text, sizeof(text), "aa:{%s}:msgs", thread);
	const struct str ttl[] = { STR("PTTL"), str_of(text) };
	const struct kv_cmd cmd = { ttl, 2 };
	TEST_OK(kv_open(&kv, f->redis.url, 2000, 1, &f->e), f->e);
	TEST_OK(kv_run(kv, f->a, &cmd, 1, &r, &f->e), f->e);
	kv_close(kv);
	return r.num > 0 ? r.num / 1000 : -1;
}

static void copies_live_an_hour(struct fix *f)
{
	struct thread_copy copy;

	say_turns(f, "t1", 1);
	TEST_OK(threads_fork(f->s, "t1", NULL, NULL, &copy, &f->e), f->e);
	const int64_t usual = life_of(f, "t1"), life = life_of(f, copy.id);
	cr_expect(life > 3500 && life <= 3661, "%lld", (long long)life);
	cr_expect_eq(load(f, copy.id, 10).nmessages, 2);
	cr_expect_leq(life_of(f, copy.id), life, "to read it is not to use it");
	say(f, copy.id, NULL, 1, "x", "y", NULL);
	cr_expect(llabs(life_of(f, copy.id) - usual) < 100, "%lld", (long long)life_of(f, copy.id));
	cr_expect_eq(load(f, copy.id, 10).nmessages, 4);
}

TEST(store_sqlite, copies_that_nobody_continues_live_an_hour) { with_store("sqlite", 86400, copies_live_an_hour); }
TEST(store_redis, copies_that_nobody_continues_live_an_hour) { with_store("redis", 86400, copies_live_an_hour); }
TEST(store_sqlite, copies_expire_where_threads_do_not) { with_store("sqlite", 0, copies_live_an_hour); }
TEST(store_redis, copies_expire_where_threads_do_not) { with_store("redis", 0, copies_live_an_hour); }

EACH_STORE(threads_are_deleted_by_their_owner, 3600)
{
	struct thread_about about;
	int64_t retry = 0;
	struct lease l;

	say(f, "t1", USER("anna"), 0, "q", "a", NULL);
	cr_expect_eq(threads_delete(f->s, "t1", NULL, &retry, &f->e), ERR_NOTFOUND);
	cr_expect_eq(threads_delete(f->s, "t1", USER("bert"), &retry, &f->e), ERR_NOTFOUND);
	TEST_OK(store_lease(f->s, "t1", "run-2", USER("anna"), 5000, &l, NULL, &f->e), f->e);
	cr_expect_eq(threads_delete(f->s, "t1", USER("anna"), &retry, &f->e), ERR_BUSY);
	cr_expect(retry > 0 && retry <= 5000);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	TEST_OK(threads_delete(f->s, "t1", USER("anna"), &retry, &f->e), f->e);
	cr_expect_eq(threads_delete(f->s, "t1", USER("anna"), &retry, &f->e), ERR_NOTFOUND, "twice");
	cr_expect_eq(threads_about(f->s, f->a, "t1", USER("anna"), &about, &f->e), ERR_NOTFOUND);
	/* the id is free, and what was there does not come back */
	say(f, "t1", USER("bert"), 0, "new", "a", NULL);
	cr_expect_eq(load_as(f, "t1", "bert", 10).nmessages, 2);
	/* an operator needs no owner and takes it from its run */
	TEST_OK(store_lease(f->s, "t1", "run-3", USER("bert"), 5000, &l, NULL, &f->e), f->e);
	TEST_OK(store_forget(f->s, "t1", &f->e), f->e);
	cr_expect_eq(threads_about(f->s, f->a, "t1", USER("bert"), &about, &f->e), ERR_NOTFOUND);
	TEST_OK(store_forget(f->s, "t1", &f->e), f->e);
}

EACH_STORE(threads_are_listed_for_operators, 3600)
{
	struct thread_about *list;
	size_t n;
	bool more;

	TEST_OK(threads_list(f->s, f->a, NULL, 10, &list, &n, &more, &f->e), f->e);
	cr_expect_eq(n, 0);
	for (int i = 0; i < 12; i++)
		say(f, arena_printf(f->a, "t%d", i), i % 3 == 0 ? USER("anna") : NULL, 0, "q", "a", NULL);
	lease(f, "unwritten", "run-1", 5000);
	TEST_OK(threads_list(f->s, f->a, NULL, 100, &list, &n, &more, &f->e), f->e);
	cr_expect_eq(n, 12);
	cr_expect_not(more);
	cr_expect_str_eq(list[0].title, "q");
	cr_expect_eq(list[0].nkept, 2);
	TEST_OK(threads_list(f->s, f->a, NULL, 5, &list, &n, &more, &f->e), f->e);
	cr_expect_eq(n, 5);
	cr_expect(more);
	TEST_OK(threads_list(f->s, f->a, "anna", 100, &list, &n, &more, &f->e), f->e);
	cr_expect_eq(n, 4);
	for (size_t i = 0; i < n; i++)
		cr_expect_str_eq(list[i].user, "anna");
}

/* -- what older versions have stored -- */

/* Turns without a title, times and marks. */
static void age(struct fix *f, const char *thread)
{
	static const char sqlite[] = "UPDATE threads SET title = NULL, created_us = NULL, updated_us = NULL,"
	    " persona = NULL, session = NULL; UPDATE messages SET turn = NULL, id = NULL, time_us = NULL";
	char key[64], msgs[64];
	struct db *db;
	struct kv *kv;
	struct kv_reply r[4];

	if (streq(f->provider, "sqlite")) {
		TEST_OK(db_open(&db, f->path, DB_WRITE, &f->e), f->e);
		TEST_OK(db_exec(db, sqlite, &f->e), f->e);
		db_close(db);
		return;
	}
	snprintf(key, sizeof(key), "aa:{%s}:meta", thread);
	snprintf(msgs, sizeof(msgs), "aa:{%s}:msgs", thread);
	const struct str del[] = { STR("HDEL"), str_of(key), STR("title"), STR("created"), STR("updated"),
	    STR("persona"), STR("session") };
	const struct str empty[] = { STR("DEL"), str_of(msgs) };
	const struct str push[] = { STR("RPUSH"), str_of(msgs), STR("user\nold question"),
	    STR("assistant\nold answer") };
	const struct kv_cmd cmds[] = { { del, 7 }, { empty, 2 }, { push, 4 } };
	TEST_OK(kv_open(&kv, f->redis.url, 0, 1, &f->e), f->e);
	TEST_OK(kv_run(kv, f->a, cmds, 3, r, &f->e), f->e);
	kv_close(kv);
}

static void old_threads_are_shown(struct fix *f)
{
	struct thread_about about;
	struct thread_page p, q;

	say(f, "t1", NULL, 0, "old question", "old answer", NULL);
	age(f, "t1");
	TEST_OK(threads_about(f->s, f->a, "t1", NULL, &about, &f->e), f->e);
	cr_expect_str_eq(about.title, "old question");
	cr_expect_eq(about.created_us, 0);
	cr_expect_str_eq(about.persona, "");
	TEST_OK(page(f, "t1", THREAD_SAID, 10, NULL, NULL, &p), f->e);
	cr_assert_str_eq(texts(f, &p), "old question old answer");
	cr_expect_eq(p.messages[0].time_us, 0);
	TEST_OK(page(f, "t1", THREAD_SAID, 10, p.messages[1].id, NULL, &q), f->e);
	cr_expect_str_eq(texts(f, &q), "old question");
	TEST_OK(page(f, "t1", THREAD_TURNS, 10, NULL, NULL, &q), f->e);
	cr_expect_eq(q.n, 0, "its turns are not known");
	say(f, "t1", NULL, 1, "new question", "new answer", NULL);
	TEST_OK(page(f, "t1", THREAD_TURNS, 10, NULL, NULL, &q), f->e);
	cr_expect_str_eq(texts(f, &q), "new answer");
	cr_expect_eq(q.messages[0].version, 2);
}

TEST(store_sqlite, threads_of_older_versions_are_shown) { with_store("sqlite", 3600, old_threads_are_shown); }
TEST(store_redis, threads_of_older_versions_are_shown) { with_store("redis", 3600, old_threads_are_shown); }

/* -- sessions -- */

static struct session session(struct fix *f, const char *id, const char *user)
{
	struct session s;

	TEST_OK(session_find(f->s, f->a, id, user, &s, &f->e), f->e);
	return s;
}

EACH_STORE(sessions_count_turns, 3600)
{
	const struct session_turn one = { SESSION, NULL, 100, 20 }, two = { SESSION, NULL, 10, 2 };
	const int64_t before = clock_wall_us();
	struct session s;

	cr_assert_eq(session_find(f->s, f->a, SESSION, NULL, &s, &f->e), ERR_NOTFOUND);
	say(f, "t1", NULL, 0, "q", "a", &one);
	say(f, "t2", NULL, 0, "q", "a", &one);
	say(f, "t1", NULL, 1, "q", "a", &two);
	s = session(f, SESSION, NULL);
	cr_expect_eq(s.turns, 3);
	cr_expect_eq(s.input, 210);
	cr_expect_eq(s.output, 42);
	cr_expect_str_eq(s.persona, "pilot");
	cr_expect(before <= s.first_us && s.first_us < s.last_us && s.last_us <= clock_wall_us());
	cr_assert_eq(s.nthreads, 2);
	cr_expect_str_eq(s.threads[0], "t2");
	cr_expect_str_eq(s.threads[1], "t1", "the newest is last");
}

EACH_STORE(sessions_belong_to_their_user, 3600)
{
	const struct session_turn anna = { "my-session", "anna", 1, 1 },
	    bert = { "my-session", "bert", 1, 1 }, nobody = { "my-session", NULL, 1, 1 };
	struct session s;

	say(f, "t1", USER("anna"), 0, "q", "a", &anna);
	say(f, "t2", USER("bert"), 0, "q", "a", &bert);
	say(f, "t3", NULL, 0, "q", "a", &nobody);
	cr_expect_str_eq(session(f, "my-session", "anna").threads[0], "t1");
	cr_expect_str_eq(session(f, "my-session", "bert").threads[0], "t2");
	cr_expect_eq(session_find(f->s, f->a, "my-session", "cleo", &s, &f->e), ERR_NOTFOUND);
	cr_expect_eq(session_find(f->s, f->a, "my-session", NULL, &s, &f->e), ERR_NOTFOUND,
	    "an id that can be guessed is kept for users only");
}

/* Redis is quick enough for the number that a program left running may reach. */
EACH_STORE(sessions_remember_a_bounded_number_of_threads, 3600)
{
	const struct session_turn t = { SESSION, NULL, 0, 0 };
	const int n = streq(f->provider, "redis") ? 10000 : 500;

	for (int i = 0; i < n; i++)
		say(f, arena_printf(f->a, "thread-%d", i), NULL, 0, "q", "a", &t);
	struct session s = session(f, SESSION, NULL);
	cr_assert_eq(s.nthreads, SESSION_THREADS);
	for (int i = 0; i < SESSION_THREADS; i++)
		cr_expect_str_eq(s.threads[i], arena_printf(f->a, "thread-%d", n - SESSION_THREADS + i));
	cr_expect_eq(s.turns, n);
}

EACH_STORE(sessions_forget_deleted_threads, 3600)
{
	const struct session_turn t = { SESSION, NULL, 0, 0 };
	int64_t retry;

	for (int i = 0; i < 3; i++)
		say(f, arena_printf(f->a, "t%d", i), NULL, 0, "q", "a", &t);
	TEST_OK(threads_delete(f->s, "t2", NULL, &retry, &f->e), f->e);
	struct session s = session(f, SESSION, NULL);
	cr_assert_eq(s.nthreads, 2);
	cr_expect_str_eq(s.threads[1], "t1");
	TEST_OK(store_forget(f->s, "t0", &f->e), f->e);
	TEST_OK(store_forget(f->s, "t1", &f->e), f->e);
	cr_expect_eq(session(f, SESSION, NULL).nthreads, 0);
}

/* A commit that is repeated, because its reply was lost, counts once. */
EACH_STORE(sessions_count_a_repeated_turn_once, 3600)
{
	const struct session_turn t = { SESSION, NULL, 5, 5 };
	const struct message m = MESSAGE("user", "q");
	const struct commit c = { .append = &m, .nappend = 1, .session = &t };
	struct lease l = lease(f, "t1", "run-1", 5000);

	for (int i = 0; i < 3; i++)
		TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	const struct commit stale = { .version = 7, .append = &m, .nappend = 1, .session = &t };
	cr_expect_eq(store_commit(f->s, &l, NULL, &stale, &f->e), ERR_BUSY);
	cr_expect_eq(session(f, SESSION, NULL).turns, 1);
	cr_expect_eq(session(f, SESSION, NULL).input, 5);
}

EACH_STORE(sessions_expire, 1)
{
	const struct session_turn t = { SESSION, NULL, 5, 5 };
	struct session s;

	say(f, "t1", NULL, 0, "q", "a", &t);
	clock_sleep_ms(1200);
	if (!streq(f->provider, "sqlite")) {      /* a file's own time takes a write to move */
		cr_expect_eq(session_find(f->s, f->a, SESSION, NULL, &s, &f->e), ERR_NOTFOUND);
	}
	say(f, "t2", NULL, 0, "q", "a", &t);
	if (!streq(f->provider, "sqlite")) {
		s = session(f, SESSION, NULL);
		cr_expect_eq(s.turns, 1);
		cr_expect_eq(s.input, 5);
		cr_expect_eq(s.first_us, s.last_us);
		cr_expect_eq(s.nthreads, 1);
	}
}

/* Memory is limited: sessions that nobody has used for the longest time go. */
TEST(store_memory, sessions_are_few_in_memory)
{
	struct fix f = { .provider = "memory", .a = arena_new() };
	struct session s;
	int kept = 0;

	TEST_OK(store_memory_new(&f.s, 3600, 20, 64 << 20, &f.e), f.e);
	for (int i = 0; i < 100; i++) {
		const struct session_turn t = { arena_printf(f.a, "s%d", i), "anna", 1, 1 };
		say(&f, arena_printf(f.a, "t%d", i), USER("anna"), 0, "q", "a", &t);
	}
	for (int i = 0; i < 100; i++)
		kept += session_find(f.s, f.a, arena_printf(f.a, "s%d", i), "anna", &s, &f.e) == OK;
	cr_expect(kept >= 12 && kept <= 21, "%d", kept);
	cr_expect_eq(session_find(f.s, f.a, "s99", "anna", &s, &f.e), OK, "the newest is kept");
	cr_expect_eq(session_find(f.s, f.a, "s0", "anna", &s, &f.e), ERR_NOTFOUND);
	store_close(f.s);
	arena_free(f.a);
}

/* Here session and thread lie on different servers. */
static void count_in_cluster(struct fix *f, const char *url)
{
	struct thread_about about;
	int64_t retry;

	f->c = (struct store_config){ .provider = "redis", .redis_url = url, .ttl_s = 3600, .timeout_ms = 3000 };
	TEST_OK(store_open(&f->s, &f->c, &f->e), f->e);
	for (int i = 0; i < 12; i++) {
		char id[ID_SIZE];
		id_session(id);
		const struct session_turn t = { id, NULL, 3, 4 };
		const char *thread = arena_printf(f->a, "%s-%d", url[0] == 'c' ? "c" : "r", i);
		say(f, thread, NULL, 0, "q", "a", &t);
		say(f, thread, NULL, 1, "q", "a", &t);
		struct session s = session(f, id, NULL);
		cr_assert_eq(s.turns, 2, "thread %s: %lld", thread, (long long)s.turns);
		cr_assert_eq(s.input, 6);
		cr_assert_str_eq(s.threads[0], thread);
		TEST_OK(threads_delete(f->s, thread, NULL, &retry, &f->e), f->e);
		cr_assert_eq(session(f, id, NULL).nthreads, 0);
		cr_assert_eq(threads_about(f->s, f->a, thread, NULL, &about, &f->e), ERR_NOTFOUND);
	}
	store_close(f->s);
}

TEST(store_redis, sessions_in_a_cluster, .timeout = 120)
{
	struct fix f = { .provider = "redis", .a = arena_new() };
	struct redis_cluster c;

	signal(SIGPIPE, SIG_IGN);
	if (!cluster_start(&c)) {
		cluster_stop(&c);
		arena_free(f.a);
		test_skip("no redis-server");
	}
	count_in_cluster(&f, c.url);
	/* a server that does not say that it is one of a cluster */
	count_in_cluster(&f, arena_printf(f.a, "redis://127.0.0.1:%d", c.port[0]));
	cluster_stop(&c);
	arena_free(f.a);
}

static const struct { const char *id; bool hard; } session_ids[] = {
	{ "session_1767400000", false },                /* the original's */
	{ "session_1795195765484190", false },          /* microseconds */
	{ "session_1767400000123-4711", false },
	{ "s1", false },
	{ "my-session", false },
	{ "the-session-of-my-first-tests-with-this-service", false },
	{ "demo-user-of-the-new-page-2026-11-22", false },
	{ "deadbeef", false },
	{ "sess-0123456789abcdef", false },
	{ "0123456789abcdef0123", false },
	{ SESSION, true },
	{ "6f1c2b1e-5a77-4d0c-9d34-0f6a8f1f7c11", true },       /* a UUID */
	{ "FACEFEED-5A77-4D0C-9D34-0F6A8F1F7C11", true },
	{ "sess-6f1c2b1e5a774d0c9d340f6a8f1f7c11", true },
	{ "session_6f1c2b1e-5a77-4d0c-9d34-0f6a8f1f7c11", true },
	{ "thread_0fe9c2d1b3a4958677869504a3b2c1d0", true },
	/* long names, and what cannot be told from them */
	{ "HelloWorldHelloWorld", false },
	{ "AcmeAviationWidget-Session-1", false },
	{ "WebChatSessionForUser42", false },
	{ "customer2customer2customer2customer2", false },
	{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false },
	{ "00000000-0000-0000-0000-000000000001", false },
	{ "session_176740000012345617674000001234561767400000123456", false },  /* times */
	{ "Qm9vZ2llV29uZGVybG_9-a", false },
	{ "k3j5h2g9f8d7s6a5p4o3i2u1y0", false },
};

TEST(sessions, ids_that_cannot_be_guessed)
{
	char id[ID_SIZE];

	for (size_t i = 0; i < sizeof(session_ids) / sizeof(session_ids[0]); i++) {
		cr_expect_eq(session_id_is_hard(session_ids[i].id), session_ids[i].hard, "%s", session_ids[i].id);
		cr_expect(session_is_kept(session_ids[i].id, "anna"));
	}
	for (int i = 0; i < 100; i++) {
		id_session(id);
		cr_expect(session_is_kept(id, NULL), "%s", id);
		id_run(id);
		cr_expect(session_is_kept(id, NULL), "%s", id);
	}
	cr_expect_not(session_is_kept("a b", "anna"));
	cr_expect_not(session_is_kept("", "anna"));
}

TEST(sessions, lists_of_threads)
{
	struct arena *a = arena_new();

	cr_expect_str_eq(session_threads_add(a, "", "t1"), "t1");
	cr_expect_str_eq(session_threads_add(a, "t1", "t1"), "t1");
	cr_expect_str_eq(session_threads_add(a, "t1 t11", "t1"), "t11 t1");
	cr_expect_str_eq(session_threads_add(a, "t11 1t t1", "t2"), "t11 1t t1 t2");
	cr_expect_str_eq(session_threads_drop(a, "t11 1t t1", "t1"), "t11 1t");
	cr_expect_str_eq(session_threads_drop(a, "t1 t11 1t", "t1"), "t11 1t");
	cr_expect_str_eq(session_threads_drop(a, "t11 t1 1t", "t1"), "t11 1t");
	cr_expect_str_eq(session_threads_drop(a, "t1", "t1"), "");
	cr_expect_str_eq(session_threads_drop(a, "t11", "t1"), "t11");
	cr_expect_str_eq(session_threads_drop(a, "", "t1"), "");
	arena_free(a);
}

static const struct { const char *question, *title; } titles[] = {
	{ "airports near Lyon", "airports near Lyon" },
	{ "  a\n\n b\t ", "a b" },
	{ "", "" },
	{ " \n", "" },
	{ "12345678901234567890123456789012345678901234567890123456789012345678901234567890 1234567890 1",
	  "12345678901234567890123456789012345678901234567890123456789012345678901234567890 1234567890 1" },
	{ "12345678901234567890123456789012345678901234567890123456789012345678901234567890 1234567890 12",
	  "12345678901234567890123456789012345678901234567890123456789012345678901234567890 1234567890…" },
	{ "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé",
	  "éééééééééééééééééééééééééééééééééééééééééééééé…" },
};

TEST(threads, titles_are_the_first_words)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		const char *title = thread_title(a, titles[i].question);
		cr_expect_str_eq(title, titles[i].title, "row %zu: %s", i, title);
		cr_expect_leq(strlen(title), THREAD_TITLE_MAX);
	}
	arena_free(a);
}
