/*
 * The desk and the writer of a worker: events go in groups, followers get all of them once and in order, a
 * run that is asked to stop is told, also while it waits.
 */
#include "services/run_desk.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "services/run_writer.h"
#include "services/store_backend.h"
#include "tests/unit/store_fix.h"

enum { LONG_MS = 10000 };

static struct lease begin(struct fix *f, const char *run)
{
	const struct run_start start = { .run_id = run, .started_us = 1, .logged = true };
	struct lease l;

	TEST_OK(store_begin(f->s, run, &start, NULL, 15000, NULL, &l, &f->e), f->e);
	return l;
}

static void put(struct run_output *o, int i)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "event %d\n\n", i);

	run_output_put(o, text, (size_t)n);
}

static const struct run_end done = { .status = RUN_DONE, .ended_us = 9 };

struct reader {
	struct run_desk *desk;
	const char *run;
	int64_t after;
	pthread_t thread;
	int64_t next;           /* behind the last event that came */
	bool wrong;
	enum run_step end;
};

/* Read to the end, and compare each event with its number. */
static void *read_all(void *arg)
{
	struct reader *r = arg;
	struct run_follower f;
	struct err e = { 0 };
	const int64_t until = clock_mono_ms() + LONG_MS;

	r->next = r->after + 1;
	r->end = RUN_STEP_WAIT;
	if (run_follow(r->desk, &f, r->run, r->after, &e) != OK)
		return NULL;
	while (clock_mono_ms() < until && r->end != RUN_STEP_ENDED && r->end != RUN_STEP_GONE) {
		struct run_group g;

		if (run_follow_step(&f, &r->end, &g, &e) != OK)
			break;
		if (r->end == RUN_STEP_WAIT || r->end == RUN_STEP_OVERDUE) {
			struct pollfd p = { .fd = f.wake, .events = POLLIN };

			(void)poll(&p, 1, 1000);
		} else if (r->end == RUN_STEP_EVENTS) {
			char all[16384], one[32];
			size_t n = 0;

			r->wrong |= g.first != r->next;
			for (int64_t i = 0; i < g.count; i++, r->next++)
				n += (size_t)snprintf(all + n, sizeof(all) - n, "%s",
				    (snprintf(one, sizeof(one), "event %d\n\n", (int)r->next), one));
			r->wrong |= n != g.events.n || memcmp(all, g.events.p, n) != 0;
		}
	}
	run_unfollow(&f);
	return NULL;
}

EACH_STORE(followers_get_every_event_once, 3600)
{
	enum { READERS = 8, EVENTS = 400 };
	struct run_desk *desk = run_desk_open(f->s);
	struct run_writer *writer = run_writer_open(f->s);
	struct reader r[READERS], late;
	struct run_output o;

	begin(f, "run-1");
	run_output_init(&o, writer, "run-1", 15000);
	for (int i = 0; i < READERS; i++) {
		r[i] = (struct reader){ .desk = desk, .run = "run-1", .after = i < 4 ? 0 : 10 * i };
		cr_assert_eq(pthread_create(&r[i].thread, NULL, read_all, &r[i]), 0);
	}
	for (int i = 1; i <= EVENTS; i++) {
		put(&o, i);
		clock_sleep_ms(i % 4 == 0 ? 5 : 0);
	}
	run_output_end(&o, &done);
	run_output_end(&o, &done);
	cr_assert(!atomic_load(&o.lost));
	for (int i = 0; i < READERS; i++) {
		pthread_join(r[i].thread, NULL);
		cr_expect_eq(r[i].end, RUN_STEP_ENDED, "reader %d", i);
		cr_expect_eq(r[i].next, EVENTS + 1, "reader %d stopped before %lld", i, (long long)r[i].next);
		cr_expect(!r[i].wrong, "reader %d", i);
	}
	late = (struct reader){ .desk = desk, .run = "run-1", .after = EVENTS - 1 };
	read_all(&late);
	cr_expect_eq(late.next, EVENTS + 1);
	cr_expect(!late.wrong);

	struct run_record rec;
	struct run_group *g;
	size_t n;
	TEST_OK(store_run_read(f->s, f->a, "run-1", NULL, 0, SIZE_MAX, &rec, &g, &n, &f->e), f->e);
	cr_expect_eq(rec.status, RUN_DONE);
	cr_expect_eq(rec.last_event, EVENTS);
	cr_expect_leq(n, 20, "%zu groups for half a second", n);
	run_output_release(&o);
	run_writer_close(writer);
	run_desk_close(desk);
}

/* Redis hangs for longer than a call may take, and then carries out the append that nobody waits for any
 * more. The run goes on, and its readers see each event once. */
static void stall(struct fix *f)
{
	enum { EVENTS = 60 };
	struct run_desk *desk = run_desk_open(f->s);
	struct run_writer *writer = run_writer_open(f->s);
	struct reader late = { .desk = desk, .run = "run-1" };
	struct run_record rec = { .last_event = 0 };
	struct run_output o;

	begin(f, "run-1");
	run_output_init(&o, writer, "run-1", 15000);
	put(&o, 1);
	for (int i = 0; i < 200 && rec.last_event == 0; i++) {
		clock_sleep_ms(10);
		TEST_OK(store_run_find(f->s, f->a, "run-1", NULL, &rec, &f->e), f->e);
	}
	cr_assert_eq(rec.last_event, 1);
	redis_freeze(&f->redis, true);
	for (int i = 2; i <= EVENTS; i++) {
		put(&o, i);
		clock_sleep_ms(2 * f->c.timeout_ms / EVENTS);
	}
	redis_freeze(&f->redis, false);
	clock_sleep_ms(1000);
	cr_expect(!atomic_load(&o.lost), "the run was cut");
	run_output_end(&o, &done);
	cr_expect(!atomic_load(&o.lost));
	read_all(&late);
	cr_expect_eq(late.next, EVENTS + 1, "%lld", (long long)late.next);
	cr_expect(!late.wrong);
	run_output_release(&o);
	run_writer_close(writer);
	run_desk_close(desk);
}

TEST(store_redis, a_stall_does_not_cut_a_run, .timeout = 60)
{
	with_store("redis", 3600, stall);
}

EACH_STORE(a_run_that_was_ended_by_others_is_told, 3600)
{
	const struct run_end lost = { .status = RUN_FAILED, .ended_us = 5, .error = "worker_lost" };
	const struct run_start start = { .run_id = "run-1", .logged = true };
	struct run_writer *writer = run_writer_open(f->s);
	struct run_output o;
	struct lease l;
	bool ended;

	TEST_OK(store_begin(f->s, "t1", &start, NULL, 50, NULL, &l, &f->e), f->e);
	clock_sleep_ms(80);
	TEST_OK(store_run_bury(f->s, "run-1", 1, STR("dead\n\n"), &lost, &ended, &f->e), f->e);
	cr_assert(ended);
	run_output_init(&o, writer, "run-1", 15000);
	put(&o, 1);
	for (int i = 0; i < 200 && !atomic_load(&o.lost); i++)
		clock_sleep_ms(10);
	cr_expect(atomic_load(&o.lost));
	put(&o, 2);
	run_output_end(&o, &done);
	struct run_record rec;
	TEST_OK(store_run_find(f->s, f->a, "run-1", NULL, &rec, &f->e), f->e);
	cr_expect_eq(rec.last_event, RUN_AHEAD_MAX + 1);
	cr_expect_eq(rec.status, RUN_FAILED);
	run_output_release(&o);
	run_writer_close(writer);
}

struct sleeper {
	struct run_desk *desk;
	struct run_slot slot;
	atomic_bool begun;
	int64_t told_ms;
};

/* A run that waits for a silent model. */
static void *sleep_long(void *arg)
{
	struct sleeper *s = arg;
	const int64_t until = clock_mono_ms() + LONG_MS;

	run_desk_enter(s->desk, &s->slot, "run-1");
	atomic_store(&s->begun, true);
	while (!atomic_load(&s->slot.cancelled) && clock_mono_ms() < until)
		(void)poll(NULL, 0, LONG_MS);
	atomic_store(&s->slot.heard, true);
	s->told_ms = clock_mono_ms();
	run_desk_leave(s->desk, &s->slot);
	return NULL;
}

EACH_STORE(a_waiting_run_is_told_to_stop, 3600)
{
	struct sleeper s = { .desk = run_desk_open(f->s) };
	enum run_status was;
	pthread_t t;

	begin(f, "run-1");
	cr_assert_eq(pthread_create(&t, NULL, sleep_long, &s), 0);
	while (!atomic_load(&s.begun))
		clock_sleep_ms(1);
	clock_sleep_ms(300);            /* it has connected and listens */
	const int64_t asked = clock_mono_ms();
	TEST_OK(store_run_cancel(f->s, "run-1", NULL, &was, &f->e), f->e);
	pthread_join(t, NULL);
	cr_expect(atomic_load(&s.slot.cancelled));
	cr_expect_lt(s.told_ms - asked, 2000, "after %lld ms", (long long)(s.told_ms - asked));
	cr_expect(!run_desk_cancel(s.desk, "run-1"), "it has left the desk");
	run_desk_close(s.desk);
}

EACH_STORE(a_follower_may_leave_at_any_time, 3600)
{
	struct run_desk *desk = run_desk_open(f->s);
	struct run_follower a, b;
	struct run_group g;
	enum run_step step;

	begin(f, "run-1");
	TEST_OK(run_follow(desk, &a, "run-1", 0, &f->e), f->e);
	TEST_OK(run_follow(desk, &b, "run-1", 0, &f->e), f->e);
	TEST_OK(run_follow_step(&a, &step, &g, &f->e), f->e);
	cr_expect_eq(step, RUN_STEP_WAIT);
	run_unfollow(&a);
	const struct run_group one = { .first = 1, .count = 1, .events = STR("event 1\n\n") };
	TEST_OK(store_run_append(f->s, "run-1", &one, 15000, &done, &f->e), f->e);
	TEST_OK(run_follow_step(&b, &step, &g, &f->e), f->e);
	cr_expect_eq(step, RUN_STEP_EVENTS);
	run_unfollow(&b);               /* with events in its hand */
	TEST_OK(run_follow(desk, &a, "run-1", 1, &f->e), f->e);
	TEST_OK(run_follow_step(&a, &step, &g, &f->e), f->e);
	cr_expect_eq(step, RUN_STEP_ENDED);
	run_unfollow(&a);
	TEST_OK(run_follow(desk, &a, "run-9", 0, &f->e), f->e);
	cr_expect_eq(run_follow_step(&a, &step, &g, &f->e), ERR_NOTFOUND);
	run_unfollow(&a);
	run_desk_close(desk);
}

static void append_one(struct fix *f, const char *run, int64_t number)
{
	char text[32];
	const struct run_group g = { .first = number, .count = 1,
	    .events = { text, (size_t)snprintf(text, sizeof(text), "event %d\n\n", (int)number) } };

	TEST_OK(store_run_append(f->s, run, &g, 15000, NULL, &f->e), f->e);
}

/* Follow, and read up to the end of the log. */
static void follow(struct fix *f, struct run_desk *desk, struct run_follower *r, const char *run,
    int64_t after)
{
	struct run_group g;
	enum run_step step;

	TEST_OK(run_follow(desk, r, run, after, &f->e), f->e);
	do
		TEST_OK(run_follow_step(r, &step, &g, &f->e), f->e);
	while (step == RUN_STEP_EVENTS);
	cr_assert_eq(step, RUN_STEP_WAIT, "%s", run);
}

/* Does the desk hand the follower the event with this number, without a read of its own? */
static bool is_handed(struct fix *f, struct run_follower *r, int64_t number)
{
	const int64_t until = clock_mono_ms() + 4000;
	struct run_group g;
	enum run_step step = RUN_STEP_WAIT;

	while (step == RUN_STEP_WAIT && clock_mono_ms() < until) {
		struct pollfd p = { .fd = r->wake, .events = POLLIN };

		if (poll(&p, 1, 200) == 1)
			TEST_OK(run_follow_step(r, &step, &g, &f->e), f->e);
	}
	return step == RUN_STEP_EVENTS && g.first == number && r->ngroups == 0;
}

static const struct store_ops *whole;
static atomic_int failures;

/* The record of the runs "bad-…" is damaged, or their node is down. */
static enum errcode read_but_bad(struct store *s, struct arena *a, int64_t after, size_t max_bytes,
    struct run_record *r, struct run_group **groups, size_t *ngroups, struct err *e)
{
	if (strncmp(r->run_id, "bad-", 4) != 0)
		return whole->run_read(s, a, after, max_bytes, r, groups, ngroups, e);
	atomic_fetch_add(&failures, 1);
	clock_sleep_ms(100);
	return err_set(e, ERR_STORE, "the node is down");
}

EACH_STORE(a_run_that_cannot_be_read_holds_up_no_other, 3600)
{
	struct run_desk *desk = run_desk_open(f->s);
	struct run_follower good, bad[3];
	char id[3][8];

	begin(f, "run-1");
	follow(f, desk, &good, "run-1", 0);
	for (int i = 0; i < 3; i++) {   /* they stand before it in the list */
		snprintf(id[i], sizeof(id[i]), "bad-%d", i);
		begin(f, id[i]);
		follow(f, desk, &bad[i], id[i], 0);
	}
	clock_sleep_ms(300);
	whole = f->s->ops;
	atomic_store(&failures, 0);
	struct store_ops ops = *whole;
	ops.run_read = read_but_bad;
	f->s->ops = &ops;
	for (int i = 0; i < 3; i++)
		append_one(f, id[i], 1);
	while (atomic_load(&failures) == 0)
		clock_sleep_ms(10);
	append_one(f, "run-1", 1);
	cr_expect(is_handed(f, &good, 1));
	f->s->ops = whole;              /* it can be read again */
	cr_expect(is_handed(f, &bad[0], 1));
	for (int i = 0; i < 3; i++)
		run_unfollow(&bad[i]);
	run_unfollow(&good);
	run_desk_close(desk);
}

/* A client may say that it has seen events that the log does not have yet. */
EACH_STORE(a_follower_ahead_of_the_log_takes_nothing_from_others, 3600)
{
	struct run_desk *desk = run_desk_open(f->s);
	struct run_follower ahead, other;

	begin(f, "run-1");
	append_one(f, "run-1", 1);
	follow(f, desk, &ahead, "run-1", 9000);
	follow(f, desk, &other, "run-1", 0);
	for (int64_t i = 2; i < 5; i++) {
		append_one(f, "run-1", i);
		cr_expect(is_handed(f, &other, i), "event %d", (int)i);
	}
	run_unfollow(&ahead);
	run_unfollow(&other);
	run_desk_close(desk);
}
