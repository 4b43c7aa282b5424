/*
 * The thread store: every check runs for each back end. What only one of them has is in
 * test_store_sqlite.c (the memory store is SQLite too) and test_store_redis.c.
 */
#include "services/store_backend.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "drivers/db.h"
#include "drivers/kv.h"
#include "tests/unit/store_fix.h"

EACH_STORE(fresh_thread_is_empty, 0)
{
	struct thread t = load(f, "thread_new", 10);

	cr_assert_str_eq(store_name(f->s), f->provider);
	cr_assert_str_eq(t.id, "thread_new");
	cr_assert_eq(t.version, 0);
	cr_assert_eq(t.nmessages, 0);
	cr_assert_eq(t.nloaded, 0);
	cr_assert_null(t.state);
	TEST_OK(store_ping(f->s, &f->e), f->e);
	TEST_OK(store_forget(f->s, "thread_new", &f->e), f->e);
}

EACH_STORE(turns_are_kept_in_order, 3600)
{
	struct lease l = lease(f, "t1", "run-1", 5000);

	TEST_OK(turn(f, &l, 0, "one", "two", "{\"persona_id\":\"x\"}"), f->e);
	TEST_OK(turn(f, &l, 1, "three", "four\nwith a line", NULL), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);

	struct thread t = load(f, "t1", 100);
	static const char *const expect[] = { "one", "two", "three", "four\nwith a line" };
	cr_assert_eq(t.version, 2);
	cr_assert_eq(t.nmessages, 4);
	cr_assert_eq(t.nloaded, 4);
	cr_assert_str_eq(t.state, "{\"persona_id\":\"x\"}");
	for (size_t i = 0; i < 4; i++) {
		cr_assert_str_eq(t.messages[i].role, i % 2 == 0 ? "user" : "assistant");
		cr_assert_str_eq(t.messages[i].content, expect[i]);
	}
	t = load(f, "t1", 3);
	cr_assert_eq(t.nmessages, 4);
	cr_assert_eq(t.nloaded, 3);
	cr_assert_str_eq(t.messages[0].content, "two");
	cr_assert_str_eq(t.messages[2].content, "four\nwith a line");
	t = load(f, "t1", 0);
	cr_assert_eq(t.nmessages, 4);
	cr_assert_eq(t.nloaded, 0);
	cr_assert_eq(t.version, 2);
	t = load(f, "t1", SIZE_MAX);
	cr_assert_eq(t.nloaded, 4);
}

EACH_STORE(state_is_replaced_and_may_stand_alone, 3600)
{
	struct lease l = lease(f, "t1", "run-1", 5000);
	struct commit c = { .version = 0, .state = "{\"a\":1}" };

	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	c = (struct commit){ .version = 1, .state = "{}" };
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	struct thread t = load(f, "t1", 10);
	cr_assert_str_eq(t.state, "{}");
	cr_assert_eq(t.version, 2);
	cr_assert_eq(t.nmessages, 0);
}

EACH_STORE(large_and_foreign_text_comes_back_unchanged, 3600)
{
	size_t n = 64 << 10;
	char *big = arena_alloc(f->a, n + 1);
	static const char *const odd[] = { "", "\n", "Zürich ✈️ 東京 🛩", "tab\tquote\"back\\slash",
	    "KEYS[1]'; DROP TABLE threads; --", "user\nassistant\n", "\x7f\x01" };
	int64_t v = 0;

	memset(big, 'x', n);
	memcpy(big + n - 2, "\xc3\xa9", 2);
	struct lease l = lease(f, "t1", "run-1", 5000);
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		TEST_OK(turn(f, &l, v++, odd[i], big, NULL), f->e);
	struct thread t = load(f, "t1", 100);
	cr_assert_eq(t.nloaded, 2 * sizeof(odd) / sizeof(odd[0]));
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		cr_assert_str_eq(t.messages[2 * i].role, "user");
		cr_assert_str_eq(t.messages[2 * i].content, odd[i]);
		cr_assert_str_eq(t.messages[2 * i + 1].content, big);
	}
}

EACH_STORE(stale_version_is_refused, 3600)
{
	struct lease l = lease(f, "t1", "run-1", 5000);

	cr_assert_eq(turn(f, &l, 1, "a", "b", NULL), ERR_BUSY);
	TEST_OK(turn(f, &l, 0, "a", "b", NULL), f->e);
	TEST_OK(turn(f, &l, 1, "c", "d", NULL), f->e);
	cr_assert_eq(turn(f, &l, 0, "x", "y", NULL), ERR_BUSY);
	cr_assert_eq(turn(f, &l, 7, "x", "y", NULL), ERR_BUSY);
	cr_assert_eq(load(f, "t1", 10).nmessages, 4);
}

EACH_STORE(repeated_commit_counts_once, 3600)
{
	struct lease l = lease(f, "t1", "run-1", 5000);

	TEST_OK(turn(f, &l, 0, "a", "b", NULL), f->e);
	TEST_OK(turn(f, &l, 0, "a", "b", NULL), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	TEST_OK(turn(f, &l, 0, "a", "b", NULL), f->e);   /* the reply was lost, then the lease */
	struct lease other = lease(f, "t1", "run-2", 5000);
	cr_assert_eq(turn(f, &other, 0, "a", "b", NULL), ERR_BUSY);
	struct thread t = load(f, "t1", 10);
	cr_assert_eq(t.version, 1);
	cr_assert_eq(t.nmessages, 2);
}

EACH_STORE(one_run_at_a_time, 3600)
{
	struct lease l = lease(f, "t1", "run-1", 20000), other, again;
	int64_t retry = 0;

	cr_assert_eq(store_lease(f->s, "t1", "run-2", NULL, 20000, &other, &retry, &f->e), ERR_BUSY);
	cr_assert(retry > 0 && retry <= 20000, "%lld", (long long)retry);
	cr_assert_eq(store_lease(f->s, "t1", "run-2", NULL, 20000, &other, NULL, &f->e), ERR_BUSY);
	again = lease(f, "t1", "run-1", 20000);           /* its own lease, not a new one */
	cr_assert_eq(again.fence, l.fence);
	lease(f, "t2", "run-2", 20000);                   /* another thread is free */
	TEST_OK(store_renew(f->s, &l, &f->e), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	cr_assert_eq(store_renew(f->s, &l, &f->e), ERR_BUSY);
	cr_assert_eq(turn(f, &l, 0, "a", "b", NULL), ERR_BUSY);
	other = lease(f, "t1", "run-2", 20000);
	cr_assert_gt(other.fence, l.fence);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);   /* not its lease any more: no effect */
	cr_assert_eq(store_renew(f->s, &l, &f->e), ERR_BUSY);
	TEST_OK(store_renew(f->s, &other, &f->e), f->e);
}

EACH_STORE(fence_grows_with_every_lease, 3600)
{
	int64_t last = 0;

	for (int i = 0; i < 10; i++) {
		char run[16];
		snprintf(run, sizeof(run), "run-%d", i);
		struct lease l = lease(f, "t1", run, 5000);
		cr_assert_gt(l.fence, last);
		last = l.fence;
		if (i == 4)
			TEST_OK(turn(f, &l, 0, "a", "b", NULL), f->e);
		TEST_OK(store_release(f->s, &l, &f->e), f->e);
	}
}

EACH_STORE(expired_lease_cannot_commit, 3600)
{
	struct lease l = lease(f, "t1", "run-1", 60);

	clock_sleep_ms(100);
	cr_assert_eq(turn(f, &l, 0, "late", "late", NULL), ERR_BUSY);
	cr_assert_eq(store_renew(f->s, &l, &f->e), ERR_BUSY);
	struct lease other = lease(f, "t1", "run-2", 5000);
	cr_assert_gt(other.fence, l.fence);
	TEST_OK(turn(f, &other, 0, "a", "b", NULL), f->e);
	cr_assert_eq(turn(f, &l, 1, "late", "late", NULL), ERR_BUSY);
	cr_assert_eq(turn(f, &l, 0, "late", "late", NULL), ERR_BUSY);
	cr_assert_eq(load(f, "t1", 10).nmessages, 2);
	/* the same run after losing its lease gets a new one, and the old fence stays worthless */
	TEST_OK(store_release(f->s, &other, &f->e), f->e);
	struct lease back = lease(f, "t1", "run-1", 5000);
	cr_assert_gt(back.fence, other.fence);
	cr_assert_eq(turn(f, &l, 1, "late", "late", NULL), ERR_BUSY);
	TEST_OK(turn(f, &back, 1, "c", "d", NULL), f->e);
}

EACH_STORE(renewal_keeps_a_lease, 3600)
{
	struct lease l = lease(f, "t1", "run-1", 1000), other;

	for (int i = 0; i < 5; i++) {
		clock_sleep_ms(300);
		TEST_OK(store_renew(f->s, &l, &f->e), f->e);
		cr_assert_eq(store_lease(f->s, "t1", "run-2", NULL, 1000, &other, NULL, &f->e),
		    ERR_BUSY);
	}
	TEST_OK(turn(f, &l, 0, "a", "b", NULL), f->e);
}

EACH_STORE(a_users_thread_is_theirs_alone, 3600)
{
	struct lease l;
	const struct message m = MESSAGE("user", "x");
	struct commit c = { .append = &m, .nappend = 1 };

	TEST_OK(store_lease(f->s, "t1", "run-1", USER("alice"), 5000, &l, NULL, &f->e), f->e);
	TEST_OK(store_commit(f->s, &l, USER("alice"), &c, &f->e), f->e);
	c.version = 1;
	cr_assert_eq(store_commit(f->s, &l, USER("bob"), &c, &f->e), ERR_NOTFOUND);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	cr_assert_eq(store_lease(f->s, "t1", "run-2", USER("bob"), 5000, &l, NULL, &f->e), ERR_NOTFOUND);
	cr_assert_eq(store_lease(f->s, "t1", "run-2", NULL, 5000, &l, NULL, &f->e), ERR_NOTFOUND);
	TEST_OK(store_lease(f->s, "t1", "run-2", USER("alice"), 5000, &l, NULL, &f->e), f->e);
	struct thread t;
	cr_assert_eq(store_load(f->s, f->a, "t1", USER("bob"), 10, &t, &f->e), ERR_NOTFOUND);
	cr_assert_eq(store_load(f->s, f->a, "t1", NULL, 10, &t, &f->e), ERR_NOTFOUND);
	cr_assert_eq(t.nloaded, 0);
	TEST_OK(store_load(f->s, f->a, "t1", USER("alice"), 10, &t, &f->e), f->e);
	cr_assert_eq(t.nloaded, 1);
	/* others learn nothing, not even that the thread has a run */
	cr_assert_eq(store_lease(f->s, "t1", "run-3", USER("bob"), 5000, &l, NULL, &f->e), ERR_NOTFOUND);
}

static void reopen(struct fix *f, size_t thread_bytes)
{
	store_close(f->s);
	f->c.thread_bytes = thread_bytes;
	TEST_OK(store_open(&f->s, &f->c, &f->e), f->e);
}

EACH_STORE(a_thread_belongs_to_its_agent, 3600)
{
	struct lease l;
	struct thread t;
	const struct message m = MESSAGE("user", "x");
	struct commit c = { .append = &m, .nappend = 1 };

	f->c.agent = "pilot";
	reopen(f, 0);
	/* a lease settles nothing, the first commit does */
	TEST_OK(store_lease(f->s, "t1", "run-0", AGENT("tower"), 5000, &l, NULL, &f->e), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	TEST_OK(store_lease(f->s, "t1", "run-1", AGENT("guide"), 5000, &l, NULL, &f->e), f->e);
	TEST_OK(store_commit(f->s, &l, AGENT("guide"), &c, &f->e), f->e);
	c.version = 1;
	cr_assert_eq(store_commit(f->s, &l, AGENT("pilot"), &c, &f->e), ERR_NOTFOUND);
	TEST_OK(store_commit(f->s, &l, AGENT("guide"), &c, &f->e), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	cr_assert_eq(store_lease(f->s, "t1", "run-2", NULL, 5000, &l, NULL, &f->e), ERR_NOTFOUND);
	cr_assert_eq(store_lease(f->s, "t1", "run-2", AGENT("tower"), 5000, &l, NULL, &f->e), ERR_NOTFOUND);
	cr_assert_eq(store_load(f->s, f->a, "t1", NULL, 10, &t, &f->e), ERR_NOTFOUND);
	TEST_OK(store_load(f->s, f->a, "t1", AGENT("guide"), 10, &t, &f->e), f->e);
	cr_assert_eq(t.nloaded, 2);
	/* an unnamed agent is the default one, and its name is kept */
	c.version = 0;
	TEST_OK(store_lease(f->s, "t2", "run-1", NULL, 5000, &l, NULL, &f->e), f->e);
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	cr_assert_eq(store_lease(f->s, "t2", "run-2", AGENT("guide"), 5000, &l, NULL, &f->e), ERR_NOTFOUND);
	TEST_OK(store_load(f->s, f->a, "t2", AGENT("pilot"), 10, &t, &f->e), f->e);
	cr_assert_eq(t.nloaded, 1);
	if (!streq(f->provider, "memory")) {
		f->c.agent = "guide";
		reopen(f, 0);
		TEST_OK(store_load(f->s, f->a, "t2", AGENT("pilot"), 10, &t, &f->e), f->e);
		cr_assert_eq(store_load(f->s, f->a, "t2", NULL, 10, &t, &f->e), ERR_NOTFOUND);
	}
	cr_assert_eq(store_lease(f->s, "t3", "run", AGENT("a b"), 5000, &l, NULL, &f->e), ERR_INPUT);
}

EACH_STORE(an_anonymous_thread_is_never_claimed, 3600)
{
	static const char *const who[] = { NULL, "bob", NULL, "carol", "bob", NULL };
	const struct message m = MESSAGE("user", "x");
	struct lease l;

	for (int v = 0; v < 6; v++) {
		struct commit c = { .version = v, .append = &m, .nappend = 1 };
		char run[16];

		snprintf(run, sizeof(run), "run-%d", v);
		TEST_OK(store_lease(f->s, "t1", run, USER(who[v]), 5000, &l, NULL, &f->e), f->e);
		TEST_OK(store_commit(f->s, &l, USER(who[v]), &c, &f->e), f->e);
		TEST_OK(store_release(f->s, &l, &f->e), f->e);
	}
	cr_assert_eq(load(f, "t1", 10).nmessages, 6);
	/* forgotten, and made anew by a user: now it is theirs */
	TEST_OK(store_forget(f->s, "t1", &f->e), f->e);
	struct commit c = { .append = &m, .nappend = 1 };
	TEST_OK(store_lease(f->s, "t1", "run-7", USER("bob"), 5000, &l, NULL, &f->e), f->e);
	TEST_OK(store_commit(f->s, &l, USER("bob"), &c, &f->e), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	cr_assert_eq(store_lease(f->s, "t1", "run-8", NULL, 5000, &l, NULL, &f->e), ERR_NOTFOUND);
}

EACH_STORE(forgotten_thread_begins_anew, 3600)
{
	struct lease l = lease(f, "t1", "run-1", 5000);

	TEST_OK(turn(f, &l, 0, "a", "b", "{}"), f->e);
	TEST_OK(store_forget(f->s, "t1", &f->e), f->e);
	cr_assert_eq(load(f, "t1", 10).version, 0);
	cr_assert_null(load(f, "t1", 10).state);
	cr_assert_eq(turn(f, &l, 1, "c", "d", NULL), ERR_BUSY);
	l = lease(f, "t1", "run-2", 5000);
	TEST_OK(turn(f, &l, 0, "new", "new", NULL), f->e);
	struct thread t = load(f, "t1", 10);
	cr_assert_eq(t.nmessages, 2);
	cr_assert_str_eq(t.messages[0].content, "new");
}

EACH_STORE(unused_thread_expires, 2)
{
	struct lease l = lease(f, "t1", "run-1", 200);

	TEST_OK(turn(f, &l, 0, "a", "b", "{}"), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	clock_sleep_ms(1200);
	l = lease(f, "t1", "run-2", 200);                /* a use: the second begins again */
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	clock_sleep_ms(1200);
	cr_assert_eq(load(f, "t1", 10).version, 1);
	clock_sleep_ms(1200);
	struct thread t = load(f, "t1", 10);
	cr_assert_eq(t.version, 0);
	cr_assert_eq(t.nmessages, 0);
	cr_assert_null(t.state);
	l = lease(f, "t1", "run-3", 200);
	TEST_OK(turn(f, &l, 0, "new", "new", NULL), f->e);
	cr_assert_eq(load(f, "t1", 10).nmessages, 2);
}

EACH_STORE(odd_arguments_are_refused, 3600)
{
	static const char *const ids[] = { "", "a b", "a}b", "x:y", "../x", "a\nb", "é", "%s", NULL };
	char longish[140];
	struct lease l, ok = lease(f, "t1", "run-1", 5000);
	struct thread t;

	memset(longish, 'a', sizeof(longish));
	longish[129] = '\0';
	cr_assert_eq(store_load(f->s, f->a, longish, NULL, 1, &t, &f->e), ERR_INPUT);
	longish[128] = '\0';
	TEST_OK(store_load(f->s, f->a, longish, NULL, 1, &t, &f->e), f->e);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		cr_assert_eq(store_lease(f->s, ids[i], "run", NULL, 100, &l, NULL, &f->e), ERR_INPUT);
		cr_assert_eq(store_lease(f->s, "t2", ids[i], NULL, 100, &l, NULL, &f->e), ERR_INPUT);
		cr_assert_eq(store_load(f->s, f->a, ids[i], NULL, 1, &t, &f->e), ERR_INPUT);
		cr_assert_eq(store_forget(f->s, ids[i], &f->e), ERR_INPUT);
	}
	cr_assert_eq(store_lease(f->s, "t2", "run", USER(""), 100, &l, NULL, &f->e), ERR_INPUT);
	cr_assert_eq(store_lease(f->s, "t2", "run", NULL, 0, &l, NULL, &f->e), ERR_INPUT);
	static const struct message bad[] = { MESSAGE("", "x"), MESSAGE("us er", "x"), MESSAGE("user", NULL),
	    MESSAGE("u\n", "x"), MESSAGE(NULL, "x") };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct commit c = { .append = &bad[i], .nappend = 1 };
		cr_assert_eq(store_commit(f->s, &ok, NULL, &c, &f->e), ERR_INPUT, "%zu", i);
	}
	cr_assert_eq(load(f, "t1", 10).version, 0);
}

/* The text of message i: 500 to 1,499 bytes that begin with its number. */
static const char *numbered(struct fix *f, int i)
{
	size_t n = 500 + (size_t)i * 373 % 1000;
	char *text = arena_alloc(f->a, n + 1);

	memset(text, 'x', n);
	text[snprintf(text, 16, "%05d", i)] = ' ';
	return text;
}

/* -- messages -- */

static const struct message_call calls[] = {
	{ "call_1", "search_airports", "{\"query\":\"Zürich \\\"LSZH\\\"\"}", NULL },
	{ "functions.rules:2", "rules", "", NULL },
};
/* A turn with tools: question, calls, their results, answer. */
enum { TURN = 5 };

static void make_turn(struct fix *f, struct message m[TURN], int i)
{
	m[0] = message_new(f->a, "user", numbered(f, TURN * i));
	m[1] = message_new(f->a, "assistant", "");
	m[1].calls = calls;
	m[1].ncalls = 2;
	m[2] = message_new(f->a, "tool", "{\"found\":1}");
	m[2].call_id = "call_1";
	m[3] = message_new(f->a, "tool", "no\nrules");
	m[3].call_id = "functions.rules:2";
	m[4] = message_new(f->a, "assistant", numbered(f, TURN * i + 4));
}

static void same_message(const struct message *got, const struct message *want)
{
	cr_expect_str_eq(got->role, want->role);
	cr_expect_str_eq(got->content, want->content);
	cr_expect_str_eq(got->id, want->id);
	cr_expect_eq(got->time_us, want->time_us);
	cr_assert_eq(got->ncalls, want->ncalls);
	cr_expect(streq(got->call_id, want->call_id), "%s", got->call_id);
	for (size_t i = 0; i < want->ncalls; i++) {
		cr_expect_str_eq(got->calls[i].id, want->calls[i].id);
		cr_expect_str_eq(got->calls[i].name, want->calls[i].name);
		cr_expect_str_eq(got->calls[i].arguments, want->calls[i].arguments);
	}
}

EACH_STORE(tool_turns_come_back_whole, 3600)
{
	struct message m[2 * TURN];
	struct commit c = { .append = m, .nappend = TURN };
	struct lease l = lease(f, "t1", "run-1", 20000);

	make_turn(f, m, 0);
	make_turn(f, m + TURN, 1);
	cr_assert_eq(strlen(m[0].id), 16);
	cr_assert_str_neq(m[0].id, m[1].id);
	cr_assert_lt(llabs(clock_wall_us() - m[0].time_us), 60000000);
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	c = (struct commit){ .version = 1, .append = m + TURN, .nappend = TURN };
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	struct thread t = load(f, "t1", 100);
	cr_assert_eq(t.nloaded, 2 * TURN);
	for (size_t i = 0; i < t.nloaded; i++)
		same_message(&t.messages[i], &m[i]);
	/* results are not loaded without their calls */
	static const size_t loaded[] = { 0, 1, 1, 1, 4, 5, 6, 6, 6, 9, 10 };
	for (size_t max = 0; max <= 2 * TURN; max++) {
		t = load(f, "t1", max);
		cr_assert_eq(t.nmessages, 2 * TURN);
		cr_assert_eq(t.nloaded, loaded[max], "%zu: %zu", max, t.nloaded);
		for (size_t i = 0; i < t.nloaded; i++)
			same_message(&t.messages[i], &m[2 * TURN - t.nloaded + i]);
	}
}

/* The limit counts the calls too, and a thread that was cut never begins with a tool's result. */
EACH_STORE(tool_turns_go_whole_at_the_ceiling, 3600)
{
	enum { CEILING = 8000 };
	struct message m[TURN];
	char *arguments = arena_alloc(f->a, 1001);

	memset(arguments, 'x', 1000);
	reopen(f, CEILING);
	struct lease l = lease(f, "t1", "run-1", 20000);
	for (int v = 0; v < 30; v++) {
		const struct message_call big = { "call_1", "search_airports", arguments, NULL };
		struct commit c = { .version = v, .append = m, .nappend = TURN };
		size_t bytes = 0;

		make_turn(f, m, v);
		m[1].calls = &big;
		m[1].ncalls = 1;
		TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
		struct thread t = load(f, "t1", 1000);
		cr_assert_eq(t.nmessages, TURN * (v + 1));
		cr_assert_str_neq(t.messages[0].role, "tool");
		for (size_t i = 0; i < t.nloaded; i++)
			bytes += strlen(t.messages[i].content) + 1000 * t.messages[i].ncalls;
		cr_assert_leq(bytes, CEILING);
		if (v > 5)
			cr_assert_gt(bytes, CEILING - 4000, "turn %d: %zu", v, bytes);
	}
}

EACH_STORE(a_message_without_an_id_is_known_by_its_place, 3600)
{
	struct lease l = lease(f, "t1", "run-1", 5000);

	for (int v = 0; v < 9; v++)
		TEST_OK(turn(f, &l, v, "a", "b", NULL), f->e);
	struct thread t = load(f, "t1", 5);
	cr_assert_str_eq(t.messages[0].id, "000000000000000d");
	cr_assert_str_eq(t.messages[4].id, "0000000000000011");
	cr_assert_eq(t.messages[4].time_us, 0);
	cr_assert_str_eq(load(f, "t1", 1).messages[0].id, "0000000000000011");
}

EACH_STORE(odd_messages_are_refused, 3600)
{
	static const struct message_call no_id[] = { { "", "search", "{}", NULL } },
	    no_name[] = { { "call_1", NULL, "{}", NULL } }, no_arguments[] = { { "call_1", "search", NULL, NULL } };
	const struct message bad[] = {
		{ .role = "tool", .content = "no call" },
		{ .role = "tool", .content = "", .call_id = "" },
		{ .role = "user", .content = "no tool", .call_id = "call_1" },
		{ .role = "user", .content = "calls", .calls = calls, .ncalls = 1 },
		{ .role = "assistant", .content = "", .calls = no_id, .ncalls = 1 },
		{ .role = "assistant", .content = "", .calls = no_name, .ncalls = 1 },
		{ .role = "assistant", .content = "", .calls = no_arguments, .ncalls = 1 },
		{ .role = "assistant", .content = "", .calls = calls, .ncalls = STORE_CALLS_MAX + 1 },
		{ .role = "user", .content = "", .id = "a b" },
		{ .role = "user", .content = "", .id = "" },
	};
	struct lease l = lease(f, "t1", "run-1", 5000);

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct commit c = { .append = &bad[i], .nappend = 1 };
		cr_assert_eq(store_commit(f->s, &l, NULL, &c, &f->e), ERR_INPUT, "%zu", i);
	}
	cr_assert_eq(load(f, "t1", 10).version, 0);
}

/* -- many at once -- */

struct fighter {
	struct store *s;
	pthread_barrier_t *start;
	char run[16];
	enum errcode rc[20];
	struct err e;
};

static void *fight(void *p)
{
	struct fighter *me = p;

	for (size_t i = 0; i < 20; i++) {
		char thread[16];
		struct lease l;

		snprintf(thread, sizeof(thread), "t%zu", i);
		pthread_barrier_wait(me->start);
		me->rc[i] = store_lease(me->s, thread, me->run, NULL, 20000, &l, NULL, &me->e);
	}
	return NULL;
}

EACH_STORE(exactly_one_thread_wins_a_lease, 3600)
{
	enum { N = 8 };
	struct fighter who[N];
	pthread_t thread[N];
	pthread_barrier_t start;

	pthread_barrier_init(&start, NULL, N);
	for (int i = 0; i < N; i++) {
		who[i] = (struct fighter){ .s = f->s, .start = &start };
		snprintf(who[i].run, sizeof(who[i].run), "run-%d", i);
		pthread_create(&thread[i], NULL, fight, &who[i]);
	}
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&start);
	for (size_t k = 0; k < 20; k++) {
		int won = 0;

		for (int i = 0; i < N; i++) {
			won += who[i].rc[k] == OK;
			cr_assert(who[i].rc[k] == OK || who[i].rc[k] == ERR_BUSY, "%d", who[i].rc[k]);
		}
		cr_assert_eq(won, 1, "thread %zu: %d winners", k, won);
	}
}

/* In a process of its own: try `rounds` threads, one bit a lease won. */
static uint32_t contend(const struct store_config *c, const char *run, int go)
{
	struct store *s;
	struct err e;
	uint32_t won = 0;
	char byte;

	if (store_open(&s, c, &e) != OK)
		return UINT32_MAX;
	for (int i = 0; i < 25; i++) {
		char thread[16];
		struct lease l;
		struct commit commit = { .version = 0, .state = "{}" };

		snprintf(thread, sizeof(thread), "t%d", i);
		if (read(go, &byte, 1) != 1)
			break;
		enum errcode rc = store_lease(s, thread, run, NULL, 20000, &l, NULL, &e);
		if (rc == OK) {
			won |= 1u << i;
			rc = store_commit(s, &l, NULL, &commit, &e);
		}
		if (rc != OK && rc != ERR_BUSY) {
			fprintf(stderr, "contend: %s\n", e.msg);
			won = UINT32_MAX;
			break;
		}
	}
	store_close(s);
	return won;
}

static void two_processes(struct fix *f)
{
	int go[2][2], result[2][2];
	pid_t pid[2];
	uint32_t won[2];

	for (int i = 0; i < 2; i++) {
		cr_assert_eq(pipe(go[i]), 0);
		cr_assert_eq(pipe(result[i]), 0);
		pid[i] = fork();
		if (pid[i] == 0) {
			close(go[i][1]);
			uint32_t mine = contend(&f->c, i == 0 ? "run-a" : "run-b", go[i][0]);
			ssize_t n = write(result[i][1], &mine, sizeof(mine));
			_exit(n == sizeof(mine) ? 0 : 1);
		}
		close(go[i][0]);
		close(result[i][1]);
	}
	for (int k = 0; k < 25; k++) {
		cr_assert_eq(write(go[k % 2][1], "x", 1), 1);
		cr_assert_eq(write(go[1 - k % 2][1], "x", 1), 1);
	}
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(read(result[i][0], &won[i], sizeof(won[i])), (ssize_t)sizeof(won[i]));
		close(go[i][1]);
		close(result[i][0]);
		waitpid(pid[i], NULL, 0);
	}
	cr_assert_neq(won[0], UINT32_MAX);
	cr_assert_neq(won[1], UINT32_MAX);
	cr_assert_eq(won[0] & won[1], 0, "both hold a lease: %x %x", won[0], won[1]);
	cr_assert_eq(won[0] | won[1], (1u << 25) - 1, "nobody got one: %x %x", won[0], won[1]);
	/* and this third process sees what they wrote */
	cr_assert_eq(load(f, "t7", 1).version, 1);
}

TEST(store_sqlite, two_processes_fight, .timeout = 60)
{
	with_store("sqlite", 3600, two_processes);
}

TEST(store_redis, two_processes_fight, .timeout = 60)
{
	with_store("redis", 3600, two_processes);
}

struct writer {
	struct store *s;
	int id;
	enum errcode rc;
	struct err e;
};

static void *write_turns(void *p)
{
	struct writer *w = p;
	char thread[16], run[16];
	struct lease l;

	snprintf(thread, sizeof(thread), "t%d", w->id);
	for (int v = 0; v < 10 && w->rc == OK; v++) {
		const struct message m[] = { MESSAGE("user", "q"), MESSAGE("assistant", "a") };
		struct commit c = { .version = v, .append = m, .nappend = 2, .state = "{}" };
		struct arena *a = arena_new();
		struct thread t;

		snprintf(run, sizeof(run), "r%d-%d", w->id, v);
		w->rc = store_lease(w->s, thread, run, NULL, 20000, &l, NULL, &w->e);
		if (w->rc == OK)
			w->rc = store_load(w->s, a, thread, NULL, 50, &t, &w->e);
		if (w->rc == OK && t.nmessages != 2 * v)
			w->rc = ERR_INTERNAL;
		if (w->rc == OK)
			w->rc = store_commit(w->s, &l, NULL, &c, &w->e);
		if (w->rc == OK)
			w->rc = store_release(w->s, &l, &w->e);
		arena_free(a);
	}
	return NULL;
}

EACH_STORE(many_threads_write_their_own_conversations, 3600)
{
	enum { N = 24 };
	struct writer w[N];
	pthread_t thread[N];

	for (int i = 0; i < N; i++) {
		w[i] = (struct writer){ .s = f->s, .id = i };
		pthread_create(&thread[i], NULL, write_turns, &w[i]);
	}
	for (int i = 0; i < N; i++) {
		pthread_join(thread[i], NULL);
		cr_assert_eq(w[i].rc, OK, "%s", w[i].e.msg);
	}
	for (int i = 0; i < N; i++) {
		char id[16];
		snprintf(id, sizeof(id), "t%d", i);
		cr_assert_eq(load(f, id, 1).nmessages, 20);
	}
}

/* -- how much a thread keeps -- */

/* The loaded messages are the newest of those numbered up to `last`, without a gap. */
static size_t check_tail(const struct thread *t, int last)
{
	size_t bytes = 0;

	for (size_t i = 0; i < t->nloaded; i++) {
		cr_assert_eq(strtol(t->messages[i].content, NULL, 10), last - (int)(t->nloaded - 1 - i));
		bytes += strlen(t->messages[i].role) + strlen(t->messages[i].content) + STORE_KEPT_BYTES;
	}
	return bytes;
}

EACH_STORE(the_oldest_messages_go_at_the_ceiling, 3600)
{
	enum { CEILING = 20000 };

	reopen(f, CEILING);
	struct lease l = lease(f, "t1", "run-1", 20000);
	for (int v = 0; v < 60; v++) {
		TEST_OK(turn(f, &l, v, numbered(f, 2 * v), numbered(f, 2 * v + 1), "{}"), f->e);
		struct thread t = load(f, "t1", SIZE_MAX);
		size_t bytes = check_tail(&t, 2 * v + 1);
		cr_assert_leq(bytes, CEILING, "turn %d", v);
		if (v >= 20)
			cr_assert_gt(bytes, CEILING - 3000, "turn %d: more went than had to", v);
		cr_assert_eq(t.nmessages, 2 * v + 2, "what went counts");
		cr_assert_eq(load(f, "t1", 4).nloaded, v == 0 ? 2 : 4);
	}
	/* a lower ceiling holds from the next commit on */
	if (!streq(f->provider, "memory")) {
		reopen(f, CEILING / 4);
		TEST_OK(turn(f, &l, 60, numbered(f, 120), numbered(f, 121), NULL), f->e);
		struct thread t = load(f, "t1", SIZE_MAX);
		cr_assert_leq(check_tail(&t, 121), CEILING / 4);
		cr_assert_eq(t.nmessages, 122);
	}
}

EACH_STORE(the_newest_turn_is_kept_whatever_its_size, 3600)
{
	struct message m[6];
	struct commit c = { .version = 1, .append = m, .nappend = 6 };

	for (int i = 0; i < 6; i++)
		m[i] = (struct message)MESSAGE(i % 2 == 0 ? "user" : "assistant", numbered(f, 2 + i));
	reopen(f, 100);
	struct lease l = lease(f, "t1", "run-1", 20000);
	TEST_OK(turn(f, &l, 0, numbered(f, 0), numbered(f, 1), NULL), f->e);
	cr_assert_eq(load(f, "t1", 10).nloaded, 2);
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	struct thread t = load(f, "t1", 10);
	cr_assert_eq(t.nloaded, 2);
	check_tail(&t, 7);
	cr_assert_eq(t.nmessages, 8);
	cr_assert_eq(t.version, 2);
	/* a commit of the state alone drops nothing */
	c = (struct commit){ .version = 2, .state = "{}" };
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	cr_assert_eq(load(f, "t1", 10).nloaded, 2);
}

EACH_STORE(skipped_messages_count_and_leave_no_gap, 3600)
{
	struct lease l = lease(f, "t1", "run-1", 20000);
	const struct message m[] = { MESSAGE("user", numbered(f, 502)), MESSAGE("assistant", numbered(f, 503)) };
	struct commit c = { .version = 1, .append = m, .nappend = 2, .skipped = 500 };

	TEST_OK(turn(f, &l, 0, numbered(f, 0), numbered(f, 1), NULL), f->e);
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	struct thread t = load(f, "t1", 10);
	cr_assert_eq(t.nmessages, 504);
	cr_assert_eq(t.nloaded, 2);
	check_tail(&t, 503);
	TEST_OK(turn(f, &l, 2, numbered(f, 504), numbered(f, 505), NULL), f->e);
	t = load(f, "t1", 10);
	cr_assert_eq(t.nmessages, 506);
	cr_assert_eq(t.nloaded, 4);
	check_tail(&t, 505);
	/* and as the first thing of a thread */
	l = lease(f, "t2", "run-1", 20000);
	c.version = 0;
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	t = load(f, "t2", 10);
	cr_assert_eq(t.nmessages, 502);
	cr_assert_eq(t.nloaded, 2);
}

/* -- what a turn costs -- */

static int64_t stored_bytes(struct fix *f)
{
	if (streq(f->provider, "sqlite")) {
		struct db *db;
		int64_t pages;

		TEST_OK(db_open(&db, f->path, DB_WRITE, &f->e), f->e);
		pages = db_int(db, "SELECT sum(length(content) + length(role)) FROM messages", 0) +
		    db_int(db, "SELECT sum(length(state)) FROM threads", 0);
		db_close(db);
		return pages;
	}
	struct kv *kv;
	struct kv_reply r[2];
	const struct str msgs[] = { STR("MEMORY"), STR("USAGE"), STR("aa:{t1}:msgs"), STR("SAMPLES"),
	    STR("0") };
	const struct str meta[] = { STR("MEMORY"), STR("USAGE"), STR("aa:{t1}:meta") };
	const struct kv_cmd cmds[] = { { msgs, 5 }, { meta, 3 } };

	TEST_OK(kv_open(&kv, f->redis.url, 0, 1, &f->e), f->e);
	TEST_OK(kv_run(kv, f->a, cmds, 2, r, &f->e), f->e);
	kv_close(kv);
	return r[0].num + r[1].num;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t median(int64_t v[20])
{
	qsort(v, 20, sizeof(*v), by_value);
	return v[10];
}

EACH_STORE(turn_200_costs_what_turn_1_costs, 3600)
{
	int64_t load_us[200], commit_us[200], lease_us[200], bytes[3] = { 0 };
	char *answer = arena_alloc(f->a, 2001);

	memset(answer, 'x', 2000);
	for (int v = 0; v < 200; v++) {
		char run[16];
		int64_t t0 = clock_mono_us();

		snprintf(run, sizeof(run), "run-%d", v);
		struct lease l = lease(f, "t1", run, 20000);
		int64_t t1 = clock_mono_us();
		struct thread t = load(f, "t1", 4);
		int64_t t2 = clock_mono_us();
		cr_assert_eq(t.nloaded, v < 2 ? (size_t)v * 2 : 4);
		TEST_OK(turn(f, &l, t.version, "a question of some length, as they are", answer,
		    "{\"persona_id\":\"ifr_touring_sr22\"}"), f->e);
		int64_t t3 = clock_mono_us();
		TEST_OK(store_release(f->s, &l, &f->e), f->e);
		lease_us[v] = t1 - t0;
		load_us[v] = t2 - t1;
		commit_us[v] = t3 - t2;
		if ((v == 99 || v == 149 || v == 199) && !streq(f->provider, "memory"))
			bytes[(v - 99) / 50] = stored_bytes(f);
	}
	for (int k = 0; k < 2; k++) {
		int at = k == 0 ? 0 : 180;

		fprintf(stderr, "%s turns %d-%d: lease %lld us, load %lld us, commit %lld us (median)\n",
		    f->provider, at + 1, at + 20, (long long)median(lease_us + at),
		    (long long)median(load_us + at), (long long)median(commit_us + at));
	}
	if (!streq(f->provider, "memory")) {
		int64_t first = bytes[1] - bytes[0], second = bytes[2] - bytes[1];

		fprintf(stderr, "%s bytes per turn: %lld, then %lld\n", f->provider,
		    (long long)first / 50, (long long)second / 50);
		cr_assert(second * 10 <= first * 11 && first * 10 <= second * 11,
		    "50 turns took %lld bytes, the next 50 %lld", (long long)first, (long long)second);
	}
}

EACH_STORE(the_last_commit_ends_the_lease, 3600)
{
	const struct message m = MESSAGE("user", "one");
	const struct commit last = { .append = &m, .nappend = 1, .last = true };
	const struct commit moved = { .version = 7, .append = &m, .nappend = 1, .last = true };
	struct lease l = lease(f, "t1", "run-1", 20000), other;

	/* one that fails leaves it */
	cr_assert_eq(store_commit(f->s, &l, NULL, &moved, &f->e), ERR_BUSY);
	cr_assert_eq(store_lease(f->s, "t1", "run-2", NULL, 5000, &other, NULL, &f->e), ERR_BUSY);
	TEST_OK(store_commit(f->s, &l, NULL, &last, &f->e), f->e);
	other = lease(f, "t1", "run-2", 5000);
	/* a repeated one, whose first answer was lost, does not take the next run's lease */
	TEST_OK(store_commit(f->s, &l, NULL, &last, &f->e), f->e);
	TEST_OK(store_renew(f->s, &other, &f->e), f->e);
	cr_assert_eq(load(f, "t1", 10).nmessages, 1);
}

TEST(store, none_keeps_nothing_but_leases)
{
	struct fix f;
	struct lease other;

	fix_up(&f, "none", 0);
	struct lease l = lease(&f, "t1", "run-1", 5000);
	cr_assert_eq(store_lease(f.s, "t1", "run-2", NULL, 5000, &other, NULL, &f.e), ERR_BUSY);
	TEST_OK(turn(&f, &l, 0, "a", "b", "{}"), f.e);
	cr_assert_eq(load(&f, "t1", 10).version, 0);
	cr_assert_eq(load(&f, "t1", 10).nmessages, 0);
	/* a run that stores its steps counts them: no version of its own is wrong */
	TEST_OK(turn(&f, &l, 1, "a", "b", "{}"), f.e);
	cr_assert_eq(load(&f, "t1", 10).version, 0);
	TEST_OK(store_release(f.s, &l, &f.e), f.e);
	cr_assert_eq(turn(&f, &l, 0, "a", "b", "{}"), ERR_BUSY);
	l = lease(&f, "t1", "run-1", 5000);
	TEST_OK(store_commit(f.s, &l, NULL, &(struct commit){ .last = true }, &f.e), f.e);
	lease(&f, "t1", "run-2", 5000);
	fix_down(&f);
}

TEST(store, none_keeps_leases_as_the_others_do)
{
	struct fix f;

	with_store("none", 0, one_run_at_a_time);
	with_store("none", 0, renewal_keeps_a_lease);
	with_store("none", 0, exactly_one_thread_wins_a_lease);
	fix_up(&f, "none", 0);
	struct lease l = lease(&f, "t3", "run-1", 30);
	clock_sleep_ms(50);
	cr_assert_eq(store_renew(f.s, &l, &f.e), ERR_BUSY);
	cr_assert_gt(lease(&f, "t3", "run-2", 5000).fence, l.fence);
	TEST_OK(store_forget(f.s, "t3", &f.e), f.e);
	lease(&f, "t3", "run-3", 5000);
	fix_down(&f);
}

TEST(store, unknown_provider_or_missing_setting_is_a_config_error)
{
	static const struct store_config rows[] = {
		{ .provider = "postgres" },
		{ .provider = "" },
		{ .provider = NULL },
		{ .provider = "sqlite" },
		{ .provider = "sqlite", .sqlite_path = "" },
		{ .provider = "redis" },
		{ .provider = "redis", .redis_url = "http://localhost" },
	};
	struct store *s;
	struct err e;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert_eq(store_open(&s, &rows[i], &e), ERR_CONFIG, "row %zu", i);
		cr_assert_null(s);
	}
}
