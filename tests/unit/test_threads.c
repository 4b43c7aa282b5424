/*
 * Threads as their owners see them, and sessions: every check runs for each back end.
 */
#include "services/threads.h"

#include "base/clock.h"
#include "services/sessions.h"
#include "services/store_threads.h"
#include "tests/unit/store_fix.h"

/* A random id of a session. */
#define SESSION "session_17951957654841900123456789012345678901234567890123456"

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
	const struct message_call call = { "c1", "search", "{}" };
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
	char id[ID_SIZE], other[ID_SIZE];
	size_t n = 0;

	say_turns(f, "t1", 3);
	TEST_OK(page(f, "t1", THREAD_SAID, 10, NULL, NULL, &whole), f->e);
	TEST_OK(threads_fork(f->s, "t1", NULL, whole.messages[3].id, id, &n, &f->e), f->e);
	cr_expect_eq(n, 4);
	cr_expect_str_neq(id, "t1");
	TEST_OK(page(f, id, THREAD_SAID, 10, NULL, NULL, &p), f->e);
	cr_expect_str_eq(texts(f, &p), "q0 a0 q1 a1");
	cr_expect_str_eq(p.messages[0].id, whole.messages[0].id);
	TEST_OK(page(f, id, THREAD_TURNS, 10, NULL, NULL, &p), f->e);
	cr_expect_eq(p.n, 1, "the turns of the other are not its own");
	cr_expect_eq(p.messages[0].version, 1);
	TEST_OK(threads_about(f->s, f->a, id, NULL, &about, &f->e), f->e);
	cr_expect_str_eq(about.title, "q0");
	cr_expect_str_eq(about.persona, "pilot");
	cr_expect_str_eq(about.run, "", "nobody holds it");
	/* both go on by themselves */
	say(f, id, NULL, 1, "x", "y", NULL);
	cr_expect_eq(load(f, "t1", 100).nmessages, 6);
	cr_expect_eq(load(f, id, 100).nmessages, 6);
	/* the end; and by a user, whose copy nobody else gets */
	TEST_OK(threads_fork(f->s, "t1", USER("anna"), NULL, other, &n, &f->e), f->e);
	cr_expect_eq(n, 6);
	cr_expect_eq(threads_about(f->s, f->a, other, NULL, &about, &f->e), ERR_NOTFOUND);
	cr_expect_eq(threads_fork(f->s, other, NULL, NULL, id, &n, &f->e), ERR_NOTFOUND);
	cr_expect_eq(threads_fork(f->s, "t1", NULL, "nonsense", id, &n, &f->e), ERR_INPUT);
	cr_expect_eq(threads_fork(f->s, "t9", NULL, NULL, id, &n, &f->e), ERR_NOTFOUND);
}

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
	{ "Qm9vZ2llV29uZGVybG_9-a", true },                     /* 16 bytes as base64url */
	{ "k3j5h2g9f8d7s6a5p4o3i2u1y0", true },
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
