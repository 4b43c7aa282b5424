/*
 * Runs in the store: the record that rides on the turn, the log of events, its end, and who may see it.
 */
#include "services/runs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "services/store_backend.h"
#include "tests/unit/store_fix.h"

static struct lease begin_as(struct fix *f, const char *run, const struct thread_owner *owner, bool logged,
    int64_t ttl_ms)
{
	const struct run_start start = { .run_id = run, .session_id = "session_1", .worker = "host:7",
	    .started_us = 1000000, .logged = logged };
	struct lease l;

	TEST_OK(store_begin(f->s, "t1", &start, owner, ttl_ms, NULL, &l, &f->e), f->e);
	cr_assert(l.recorded);
	return l;
}

static struct lease begin(struct fix *f, const char *run, bool logged, int64_t ttl_ms)
{
	return begin_as(f, run, NULL, logged, ttl_ms);
}

static struct run_record record(struct fix *f, const char *run)
{
	struct run_record r;

	TEST_OK(store_run_find(f->s, f->a, run, NULL, &r, &f->e), f->e);
	return r;
}

static enum errcode append(struct fix *f, const char *run, int64_t first, int64_t count, const char *events,
    const struct run_end *end)
{
	const struct run_group g = { .first = first, .count = count, .events = str_of(events) };

	return store_run_append(f->s, run, &g, 5000, end, &f->e);
}

/* All events of the log behind `after`, as one text. */
static const char *events(struct fix *f, const char *run, int64_t after)
{
	struct run_record r;
	struct run_group *g;
	size_t n;
	const char *all = "";

	TEST_OK(store_run_read(f->s, f->a, run, NULL, after, SIZE_MAX, &r, &g, &n, &f->e), f->e);
	for (size_t i = 0; i < n; i++)
		all = arena_printf(f->a, "%s%lld+%lld%s:%.*s;", all, (long long)g[i].first,
		    (long long)g[i].count, g[i].skipped == 0 ? "" :
		    arena_printf(f->a, " behind %lld", (long long)g[i].skipped), (int)g[i].events.n, g[i].events.p);
	return all;
}

static const struct run_end done = { .status = RUN_DONE, .ended_us = 2000000, .tokens_in = 30,
    .tokens_out = 4, .estimated = true };

EACH_STORE(run_record_rides_on_the_turn, 3600)
{
	const struct message m[] = { MESSAGE("user", "q"), MESSAGE("assistant", "a") };
	struct lease l = begin(f, "run-1", false, 5000);
	struct run_record r = record(f, "run-1");

	cr_assert_str_eq(r.thread_id, "t1");
	cr_assert_str_eq(r.session_id, "session_1");
	cr_assert_str_eq(r.worker, "host:7");
	cr_assert_null(r.user);
	cr_assert_eq(r.status, RUN_RUNNING);
	cr_assert_eq(r.started_us, 1000000);
	cr_assert_eq(r.ended_us, 0);
	cr_assert_eq(r.fence, l.fence);
	cr_assert(!r.logged && !r.cancelled && !r.overdue);
	cr_assert_eq(r.last_event, 0);

	const struct commit c = { .append = m, .nappend = 2, .last = true, .end = &done };
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);         /* a lost reply */
	r = record(f, "run-1");
	cr_assert_eq(r.status, RUN_DONE);
	cr_assert_eq(r.ended_us, 2000000);
	cr_assert_eq(r.tokens_in, 30);
	cr_assert_eq(r.tokens_out, 4);
	cr_assert(r.estimated);
	cr_assert_str_eq(r.error, "");
	cr_assert_eq(store_run_find(f->s, f->a, "run-2", NULL, &r, &f->e), ERR_NOTFOUND);
	cr_assert_eq(store_run_find(f->s, f->a, "../x", NULL, &r, &f->e), ERR_NOTFOUND);
}

EACH_STORE(run_of_another_user_does_not_exist, 3600)
{
	struct run_record r;
	struct run_group *g;
	enum run_status was;
	size_t n;

	begin_as(f, "run-1", USER("ann"), true, 5000);
	TEST_OK(append(f, "run-1", 1, 1, "secret\n\n", NULL), f->e);
	TEST_OK(store_run_find(f->s, f->a, "run-1", USER("ann"), &r, &f->e), f->e);
	cr_assert_eq(store_run_find(f->s, f->a, "run-1", USER("bob"), &r, &f->e), ERR_NOTFOUND);
	cr_assert_eq(store_run_find(f->s, f->a, "run-1", USER(NULL), &r, &f->e), ERR_NOTFOUND);
	cr_assert_eq(store_run_find(f->s, f->a, "run-1", &(struct thread_owner){ "ann", "onboarding" }, &r,
	    &f->e), ERR_NOTFOUND);
	cr_assert_eq(store_run_read(f->s, f->a, "run-1", USER("bob"), 0, 1000, &r, &g, &n, &f->e),
	    ERR_NOTFOUND);
	cr_assert_eq(n, 0);
	cr_assert_eq(store_run_cancel(f->s, "run-1", USER("bob"), &was, &f->e), ERR_NOTFOUND);
	cr_assert(!record(f, "run-1").cancelled);
	TEST_OK(store_run_cancel(f->s, "run-1", USER("ann"), &was, &f->e), f->e);
	cr_assert(record(f, "run-1").cancelled);
}

EACH_STORE(run_log_is_read_after_any_event, 3600)
{
	begin(f, "run-1", true, 5000);
	TEST_OK(append(f, "run-1", 1, 2, "a\n\nb\n\n", NULL), f->e);
	TEST_OK(append(f, "run-1", 3, 1, "c\n\n", NULL), f->e);
	TEST_OK(append(f, "run-1", 3, 1, "c\n\n", NULL), f->e);         /* a lost reply */
	cr_assert_eq(append(f, "run-1", 5, 1, "e\n\n", NULL), ERR_BUSY, "a gap");
	TEST_OK(append(f, "run-1", 4, 0, "", NULL), f->e);              /* only a sign of life */
	cr_assert_str_eq(events(f, "run-1", 0), "1+2:a\n\nb\n\n;3+1:c\n\n;");
	cr_assert_str_eq(events(f, "run-1", 1), "1+2:a\n\nb\n\n;3+1:c\n\n;");
	cr_assert_str_eq(events(f, "run-1", 2), "3+1:c\n\n;");
	cr_assert_str_eq(events(f, "run-1", 3), "");
	cr_assert_str_eq(events(f, "run-1", INT64_MAX / 2), "");
	TEST_OK(append(f, "run-1", 4, 1, "d\n\n", &done), f->e);
	TEST_OK(append(f, "run-1", 4, 1, "d\n\n", &done), f->e);        /* a lost reply */
	cr_assert_eq(append(f, "run-1", 5, 1, "e\n\n", NULL), ERR_BUSY);
	cr_assert_eq(append(f, "run-1", 4, 1, "x\n\n", &(struct run_end){ .status = RUN_FAILED }), ERR_BUSY);
	struct run_record r = record(f, "run-1");
	cr_assert_eq(r.status, RUN_DONE);
	cr_assert_eq(r.first_event, 1);
	cr_assert_eq(r.last_event, 4);
	cr_assert_str_eq(events(f, "run-1", 3), "4+1:d\n\n;");
	cr_assert_eq(append(f, "run-9", 1, 1, "a\n\n", NULL), ERR_NOTFOUND);
	cr_assert_eq(append(f, "run-1", 0, 1, "a\n\n", NULL), ERR_INPUT);
	cr_assert_eq(append(f, "run-1", 1, 1, "", NULL), ERR_INPUT);
}

/* The reply to a group was lost, and the events that came since are sent together with it. */
EACH_STORE(a_group_is_repeated_with_newer_events, 3600)
{
	begin(f, "run-1", true, 5000);
	TEST_OK(append(f, "run-1", 1, 2, "a\n\nb\n\n", NULL), f->e);
	TEST_OK(append(f, "run-1", 1, 3, "a\n\nb\n\nc\n\n", NULL), f->e);
	cr_assert_eq(append(f, "run-1", 5, 1, "e\n\n", NULL), ERR_BUSY, "a gap");
	TEST_OK(append(f, "run-1", 2, 3, "b\n\nc\n\nd\n\n", &done), f->e);
	cr_assert_str_eq(events(f, "run-1", 3), "2+3:b\n\nc\n\nd\n\n;");
	struct run_record r = record(f, "run-1");
	cr_assert_eq(r.status, RUN_DONE);
	cr_assert_eq(r.first_event, 1);
	cr_assert_eq(r.last_event, 4);
}

EACH_STORE(run_log_is_limited, 3600)
{
	const size_t n = RUN_LOG_BYTES / 4;
	char *big = arena_alloc(f->a, n + 1);

	memset(big, 'x', n);
	begin(f, "run-1", true, 5000);
	for (int i = 1; i <= 9; i++)
		TEST_OK(append(f, "run-1", i, 1, big, NULL), f->e);
	struct run_record r = record(f, "run-1");
	cr_assert_eq(r.last_event, 9);
	cr_assert_eq(r.first_event, 6);
	/* one group that is larger than the limit stands alone */
	char *huge = arena_alloc(f->a, RUN_LOG_BYTES + 10);
	memset(huge, 'y', RUN_LOG_BYTES + 9);
	TEST_OK(append(f, "run-1", 10, 1, huge, &done), f->e);
	r = record(f, "run-1");
	cr_assert_eq(r.first_event, 10);
	cr_assert_eq(r.last_event, 10);
}

EACH_STORE(reading_a_run_is_bounded, 3600)
{
	struct run_record r;
	struct run_group *g;
	size_t n;

	begin(f, "run-1", true, 5000);
	for (int i = 1; i <= 100; i++)
		TEST_OK(append(f, "run-1", i, 1, "0123456789", NULL), f->e);
	TEST_OK(store_run_read(f->s, f->a, "run-1", NULL, 0, 25, &r, &g, &n, &f->e), f->e);
	cr_assert_eq(n, 3);
	int64_t after = 0;
	while (after < 100) {
		TEST_OK(store_run_read(f->s, f->a, "run-1", NULL, after, SIZE_MAX, &r, &g, &n, &f->e), f->e);
		cr_assert_gt(n, 0);
		cr_assert_eq(g[0].first, after + 1);
		after = g[n - 1].first;
	}
}

EACH_STORE(overdue_run_is_ended_once_and_for_all, 3600)
{
	const struct run_end lost = { .status = RUN_FAILED, .ended_us = 5, .error = "worker_lost" };
	struct lease l = begin(f, "run-1", true, 200);
	bool ended;

	TEST_OK(append(f, "run-1", 1, 1, "a\n\n", NULL), f->e);         /* a sign of life for 5 s */
	TEST_OK(store_run_bury(f->s, "run-1", 1, STR("dead\n\n"), &lost, &ended, &f->e), f->e);
	cr_assert(!ended, "it is alive");
	TEST_OK(store_renew(f->s, &l, &f->e), f->e);                     /* for 160 ms */
	cr_assert(!record(f, "run-1").overdue);
	clock_sleep_ms(250);
	cr_assert(record(f, "run-1").overdue);
	TEST_OK(store_run_bury(f->s, "run-1", 2, STR("sorry\n\ndead\n\n"), &lost, &ended, &f->e), f->e);
	cr_assert(ended);
	TEST_OK(store_run_bury(f->s, "run-1", 2, STR("sorry\n\ndead\n\n"), &lost, &ended, &f->e), f->e);
	cr_assert(!ended, "twice");
	struct run_record r = record(f, "run-1");
	cr_assert_eq(r.status, RUN_FAILED);
	cr_assert_str_eq(r.error, "worker_lost");
	cr_assert(!r.overdue);
	cr_assert_eq(r.last_event, 1 + RUN_AHEAD_MAX + 2);
	cr_assert_eq(r.first_event, 1);
	cr_assert_str_eq(events(f, "run-1", 1), "10002+2 behind 10000:sorry\n\ndead\n\n;");
	cr_assert_str_eq(events(f, "run-1", 9999), events(f, "run-1", 1), "a client that had more than the log");

	/* the worker comes back */
	cr_assert_eq(append(f, "run-1", 2, 1, "b\n\n", NULL), ERR_BUSY);
	cr_assert_eq(append(f, "run-1", 2, 1, "b\n\n", &done), ERR_BUSY);
	cr_assert_eq(append(f, "run-1", 4, 1, "b\n\n", &done), ERR_BUSY);
	const struct commit c = { .last = true, .end = &done };
	cr_assert_eq(store_commit(f->s, &l, NULL, &c, &f->e), ERR_LOST);
	cr_assert_eq(record(f, "run-1").status, RUN_FAILED);
	cr_assert_str_eq(events(f, "run-1", 0), "1+1:a\n\n;10002+2 behind 10000:sorry\n\ndead\n\n;");
}

/* Its worker was paused, and comes back to a thread that is free or still its own. */
EACH_STORE(a_run_that_was_ended_stores_nothing, 3600)
{
	const struct run_end lost = { .status = RUN_FAILED, .ended_us = 5, .error = "worker_lost" };
	const struct message m[] = { MESSAGE("user", "q"), MESSAGE("assistant", "a") };
	const struct commit c = { .append = m, .nappend = 2, .last = true, .end = &done },
	    logged = { .append = m, .nappend = 2, .last = true };
	const struct run_start start = { .run_id = "run-1", .started_us = 1000000 };
	struct lease l = begin(f, "run-1", false, 200), again;
	bool ended;

	clock_sleep_ms(180);
	TEST_OK(store_run_bury(f->s, "run-1", 1, STR("dead\n\n"), &lost, &ended, &f->e), f->e);
	cr_assert(ended);
	cr_expect_eq(store_commit(f->s, &l, NULL, &c, &f->e), ERR_LOST, "the lease is its own or has ended");
	cr_expect_eq(store_commit(f->s, &l, NULL, &logged, &f->e), ERR_LOST);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	cr_expect_eq(store_begin(f->s, "t1", &start, NULL, 5000, NULL, &again, &f->e), ERR_LOST);
	cr_expect_eq(store_commit(f->s, &l, NULL, &c, &f->e), ERR_LOST, "the thread is free");
	cr_expect_eq(load(f, "t1", 10).version, 0);
	cr_expect_eq(record(f, "run-1").status, RUN_FAILED);
	l = begin(f, "run-2", false, 5000);
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);         /* a lost reply */
}

EACH_STORE(a_waiting_run_that_was_ended_does_not_begin, 3600)
{
	const struct run_end lost = { .status = RUN_FAILED, .ended_us = 5, .error = "worker_lost" };
	const struct run_start start = { .run_id = "run-2", .started_us = 7 };
	struct lease_wait w = { .queue_max = 3, .hold_ms = 60 };
	struct lease first = lease(f, "t1", "run-1", 5000), l;
	bool ended;

	cr_assert_eq(store_begin(f->s, "t1", &start, NULL, 5000, &w, &l, &f->e), ERR_BUSY);
	clock_sleep_ms(100);
	TEST_OK(store_run_bury(f->s, "run-2", 1, STR("dead\n\n"), &lost, &ended, &f->e), f->e);
	cr_assert(ended);
	cr_expect_eq(store_begin(f->s, "t1", &start, NULL, 5000, &w, &l, &f->e), ERR_LOST, "it waits no more");
	cr_expect_lt(w.place, 0);
	TEST_OK(store_release(f->s, &first, &f->e), f->e);
	cr_expect_eq(store_begin(f->s, "t1", &start, NULL, 5000, &w, &l, &f->e), ERR_LOST);
	cr_expect_eq(record(f, "run-2").status, RUN_FAILED);
	begin(f, "run-3", false, 5000);
}

/* A lease that has ended is taken again by a run that lives: its record goes on with the new lease. */
EACH_STORE(a_run_takes_its_lease_again, 3600)
{
	const struct run_start start = { .run_id = "run-1", .started_us = 1000000 };
	struct lease l = begin(f, "run-1", false, 100), again;

	clock_sleep_ms(150);
	cr_assert(record(f, "run-1").overdue);
	TEST_OK(store_begin(f->s, "t1", &start, NULL, 5000, NULL, &again, &f->e), f->e);
	cr_expect_gt(again.fence, l.fence);
	struct run_record r = record(f, "run-1");
	cr_expect_eq(r.status, RUN_RUNNING);
	cr_expect_eq(r.fence, again.fence);
	cr_expect(!r.overdue);
}

struct digger {
	struct fix *f;
	atomic_int *ended;
};

static void *dig(void *arg)
{
	static const struct run_end lost = { .status = RUN_FAILED, .ended_us = 5, .error = "worker_lost" };
	struct digger *d = arg;
	struct err e = { 0 };
	bool ended;

	if (store_run_bury(d->f->s, "run-1", 1, STR("dead\n\n"), &lost, &ended, &e) == OK && ended)
		atomic_fetch_add(d->ended, 1);
	return NULL;
}

EACH_STORE(only_one_of_many_ends_an_overdue_run, 3600)
{
	enum { N = 12 };
	pthread_t t[N];
	atomic_int ended = 0;
	struct digger d = { f, &ended };

	begin(f, "run-1", true, 50);
	clock_sleep_ms(80);
	for (int i = 0; i < N; i++)
		cr_assert_eq(pthread_create(&t[i], NULL, dig, &d), 0);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	cr_assert_eq(atomic_load(&ended), 1);
	cr_assert_str_eq(events(f, "run-1", 0), "10001+1 behind 10000:dead\n\n;");
	cr_assert_eq(record(f, "run-1").first_event, 1, "nothing of its log was deleted");
}

/* Asks for the thread and says which dead run the store names. */
static const char *dead_before(struct fix *f, const char *run, int64_t ttl_ms, struct lease *l)
{
	const struct run_start start = { .run_id = run, .started_us = 7, .logged = true };
	struct lease_wait w = { 0 };

	TEST_OK(store_begin(f->s, "t1", &start, NULL, ttl_ms, &w, l, &f->e), f->e);
	return arena_strdup(f->a, w.dead);
}

EACH_STORE(next_turn_is_told_of_a_dead_run, 3600)
{
	struct lease l;

	cr_assert_str_eq(dead_before(f, "run-1", 5000, &l), "", "a new thread");
	TEST_OK(append(f, "run-1", 1, 1, "a\n\n", &done), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	cr_assert_str_eq(dead_before(f, "run-2", 5000, &l), "", "its predecessor has ended");
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	cr_assert_str_eq(dead_before(f, "run-3", 100, &l), "", "its predecessor gave the thread back and lives");
	cr_assert_str_eq(dead_before(f, "run-3", 100, &l), "", "itself");
	clock_sleep_ms(150);
	cr_assert_str_eq(dead_before(f, "run-4", 100, &l), "run-3");
	TEST_OK(append(f, "run-4", 1, 0, "", NULL), f->e);      /* it lives, and has lost its lease */
	clock_sleep_ms(150);
	cr_assert_str_eq(dead_before(f, "run-5", 5000, &l), "");
}

EACH_STORE(cancelling_tells_the_run, 3600)
{
	struct lease l = begin(f, "run-1", false, 5000);
	enum run_status was;

	TEST_OK(store_renew(f->s, &l, &f->e), f->e);
	cr_assert(!l.cancelled);
	TEST_OK(store_run_cancel(f->s, "run-1", NULL, &was, &f->e), f->e);
	cr_assert_eq(was, RUN_RUNNING);
	TEST_OK(store_run_cancel(f->s, "run-1", NULL, &was, &f->e), f->e);
	TEST_OK(store_renew(f->s, &l, &f->e), f->e);
	cr_assert(l.cancelled);
	TEST_OK(append(f, "run-1", 1, 0, "", &done), f->e);
	TEST_OK(store_run_cancel(f->s, "run-1", NULL, &was, &f->e), f->e);
	cr_assert_eq(was, RUN_DONE, "after its end");
	cr_assert_eq(store_run_cancel(f->s, "run-7", NULL, &was, &f->e), ERR_NOTFOUND);
}

EACH_STORE(waiting_run_has_a_record, 3600)
{
	const struct run_start start = { .run_id = "run-2", .started_us = 7 };
	struct lease_wait w = { .queue_max = 3, .hold_ms = 5000 };
	struct lease first = lease(f, "t1", "run-1", 5000), l;
	enum run_status was;

	cr_assert_eq(store_begin(f->s, "t1", &start, NULL, 5000, NULL, &l, &f->e), ERR_BUSY);
	struct run_record r;
	cr_assert_eq(store_run_find(f->s, f->a, "run-2", NULL, &r, &f->e), ERR_NOTFOUND, "it was refused");
	cr_assert_eq(store_begin(f->s, "t1", &start, NULL, 5000, &w, &l, &f->e), ERR_BUSY);
	cr_assert_eq(record(f, "run-2").status, RUN_QUEUED);
	TEST_OK(store_run_cancel(f->s, "run-2", NULL, &was, &f->e), f->e);
	cr_assert_eq(was, RUN_QUEUED);
	TEST_OK(store_release(f->s, &first, &f->e), f->e);
	TEST_OK(store_begin(f->s, "t1", &start, NULL, 5000, &w, &l, &f->e), f->e);
	r = record(f, "run-2");
	cr_assert_eq(r.status, RUN_RUNNING);
	cr_assert(r.cancelled);
	cr_assert_eq(r.fence, l.fence);
}

EACH_STORE(forgetting_a_thread_drops_its_logs, 3600)
{
	struct run_record r;
	struct lease l = begin(f, "run-1", true, 5000);

	TEST_OK(append(f, "run-1", 1, 1, "text\n\n", &done), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	TEST_OK(store_forget(f->s, "t1", &f->e), f->e);
	cr_assert_eq(store_run_find(f->s, f->a, "run-1", NULL, &r, &f->e), ERR_NOTFOUND);
}

EACH_STORE(log_expires_before_the_record, 3600)
{
	struct run_record r = { 0 };
	struct lease l;

	store_close(f->s);
	f->c.run_ttl_s = 1;
	TEST_OK(store_open(&f->s, &f->c, &f->e), f->e);
	l = begin(f, "run-1", true, 5000);
	TEST_OK(append(f, "run-1", 1, 1, "text\n\n", &done), f->e);
	cr_assert_str_eq(events(f, "run-1", 0), "1+1:text\n\n;");
	clock_sleep_ms(1300);
	r = record(f, "run-1");
	cr_assert_eq(r.last_event, 1);
	cr_assert_gt(r.first_event, r.last_event, "the log has expired");
	cr_assert_str_eq(events(f, "run-1", 0), "");
	clock_sleep_ms(1000);
	cr_assert_eq(store_run_find(f->s, f->a, "run-1", NULL, &r, &f->e), ERR_NOTFOUND);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
}

static unsigned slot(const char *p)
{
	unsigned crc = 0;

	for (; *p != '\0'; p++) {
		crc ^= (unsigned)(unsigned char)*p << 8;
		for (int b = 0; b < 8; b++)
			crc = (crc & 0x8000) != 0 ? (crc << 1 ^ 0x1021) & 0xffff : crc << 1;
	}
	return crc & 16383;
}

/* The values of the first two are from the specification of Redis Cluster and CLUSTER KEYSLOT. */
TEST(store_runs, run_id_lies_in_the_slot_of_its_thread)
{
	char thread[ID_SIZE], run[ID_SIZE], before[ID_SIZE] = "";

	cr_assert_eq(slot("123456789"), 0x31c3);
	cr_assert_eq(slot("foo"), 12182);
	for (int i = 0; i < 2000; i++) {
		id_thread(thread);
		store_run_id(i % 5 == 0 ? "x" : thread, run);
		cr_assert_eq(slot(run), slot(i % 5 == 0 ? "x" : thread));
		cr_assert_eq(strlen(run), 36);
		cr_assert_eq(run[14], '4');
		cr_assert(strspn(run, "0123456789abcdef-") == 36);
		cr_assert_str_neq(run, before);
		memcpy(before, run, sizeof(run));
	}
}
