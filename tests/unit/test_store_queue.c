/*
 * Runs that wait for a thread: who is next, who has left, who was lost.
 */
#include "services/store_backend.h"

#include <pthread.h>

#include "base/clock.h"
#include "tests/unit/store_fix.h"

/* Ask for thread t1 and wait if it is busy. */
static enum errcode ask(struct fix *f, const char *run, int queue_max, int64_t hold_ms,
    struct lease_wait *w, struct lease *l)
{
	*w = (struct lease_wait){ .queue_max = queue_max, .hold_ms = hold_ms };
	return store_lease_wait(f->s, "t1", run, NULL, 5000, w, l, &f->e);
}

static void waits(struct fix *f, const char *run, int place, const char *holder)
{
	struct lease_wait w;
	struct lease l;

	cr_assert_eq(ask(f, run, 3, 5000, &w, &l), ERR_BUSY, "%s", run);
	cr_assert_eq(w.place, place, "%s: place %d", run, w.place);
	cr_assert_str_eq(w.holder, holder, "%s", run);
	cr_assert_gt(w.retry_ms, 0);
	cr_assert_leq(w.retry_ms, 5000);
}

static struct lease gets(struct fix *f, const char *run)
{
	struct lease_wait w;
	struct lease l;

	TEST_OK(ask(f, run, 3, 5000, &w, &l), f->e);
	return l;
}

EACH_STORE(the_first_to_come_is_the_first_to_get_it, 3600)
{
	struct lease l = lease(f, "t1", "run-a", 5000);
	struct lease_wait w;

	waits(f, "run-b", 0, "run-a");
	waits(f, "run-c", 1, "run-a");
	waits(f, "run-d", 2, "run-a");
	waits(f, "run-c", 1, "run-a");
	waits(f, "run-e", -1, "run-a");                  /* full */
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	waits(f, "run-c", 1, "run-b");
	cr_assert_eq(ask(f, "run-x", 0, 0, &w, &l), ERR_BUSY, "a run that does not wait came first");
	cr_assert_str_eq(w.holder, "run-b");
	cr_assert_eq(w.held_ms, -1);
	cr_assert_eq(w.place, -1);
	l = gets(f, "run-b");
	waits(f, "run-e", 2, "run-b");                   /* there is room again */
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	l = gets(f, "run-c");
	TEST_OK(turn(f, &l, 0, "q", "a", NULL), f->e);
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	l = gets(f, "run-d");
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	l = gets(f, "run-e");
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	lease(f, "t1", "run-x", 5000);                   /* nobody waits any more */
}

EACH_STORE(who_leaves_the_queue_is_out_at_once, 3600)
{
	struct lease l = lease(f, "t1", "run-a", 5000);

	waits(f, "run-b", 0, "run-a");
	waits(f, "run-c", 1, "run-a");
	TEST_OK(store_leave(f->s, "t1", "run-b", &f->e), f->e);
	TEST_OK(store_leave(f->s, "t1", "run-b", &f->e), f->e);
	TEST_OK(store_leave(f->s, "t1", "nobody", &f->e), f->e);
	TEST_OK(store_leave(f->s, "t9", "run-b", &f->e), f->e);
	waits(f, "run-c", 0, "run-a");
	TEST_OK(store_release(f->s, &l, &f->e), f->e);
	gets(f, "run-c");
}

/* Its worker was killed. */
EACH_STORE(who_is_not_heard_of_loses_its_place, 3600)
{
	struct lease_wait w;
	struct lease l = lease(f, "t1", "run-a", 5000);

	cr_assert_eq(ask(f, "run-b", 3, 100, &w, &l), ERR_BUSY);
	waits(f, "run-c", 1, "run-a");
	TEST_OK(store_release(f->s, &(struct lease){ .thread = "t1", .run = "run-a", .fence = 1,
	    .ttl_ms = 5000 }, &f->e), f->e);
	int64_t began = clock_mono_ms();
	enum errcode rc;
	while ((rc = ask(f, "run-c", 3, 5000, &w, &l)) == ERR_BUSY && clock_mono_ms() < began + 5000)
		clock_sleep_ms(10);
	TEST_OK(rc, f->e);
	cr_assert_lt(clock_mono_ms() - began, 4000);
	/* it comes back, behind the others */
	waits(f, "run-d", 0, "run-c");
	waits(f, "run-b", 1, "run-c");
}

EACH_STORE(a_refusal_names_the_run_and_its_age, 3600)
{
	struct lease_wait w;
	struct lease l, mine = lease(f, "t1", "run-a", 5000);

	clock_sleep_ms(120);
	cr_assert_eq(ask(f, "run-b", 0, 0, &w, &l), ERR_BUSY);
	cr_assert_str_eq(w.holder, "run-a");
	cr_assert_geq(w.held_ms, 100);
	cr_assert_lt(w.held_ms, 5000);
	cr_assert_eq(w.place, -1);
	/* renewed and leased again it is still the same lease */
	TEST_OK(store_renew(f->s, &mine, &f->e), f->e);
	lease(f, "t1", "run-a", 5000);
	cr_assert_eq(ask(f, "run-b", 0, 0, &w, &l), ERR_BUSY);
	cr_assert_geq(w.held_ms, 100);
	TEST_OK(store_release(f->s, &mine, &f->e), f->e);
	lease(f, "t1", "run-c", 5000);
	cr_assert_eq(ask(f, "run-b", 0, 0, &w, &l), ERR_BUSY);
	cr_assert_str_eq(w.holder, "run-c");
	cr_assert_lt(w.held_ms, 100);
}

EACH_STORE(the_holder_is_not_behind_those_who_wait, 3600)
{
	struct lease l = lease(f, "t1", "run-a", 5000);

	waits(f, "run-b", 0, "run-a");
	struct lease again = gets(f, "run-a");
	cr_assert_eq(again.fence, l.fence);
	TEST_OK(turn(f, &l, 0, "q", "a", NULL), f->e);
	waits(f, "run-b", 0, "run-a");
}

EACH_STORE(a_foreign_run_cannot_wait, 3600)
{
	struct lease_wait w = { .queue_max = 3, .hold_ms = 5000 };
	struct lease l;

	TEST_OK(store_lease(f->s, "t1", "run-a", USER("alice"), 5000, &l, NULL, &f->e), f->e);
	const struct message m = MESSAGE("user", "q");
	const struct commit c = { .append = &m, .nappend = 1 };
	TEST_OK(store_commit(f->s, &l, USER("alice"), &c, &f->e), f->e);
	cr_assert_eq(store_lease_wait(f->s, "t1", "run-b", USER("bob"), 5000, &w, &l, &f->e), ERR_NOTFOUND);
	cr_assert_str_eq(w.holder, "");
	TEST_OK(store_forget(f->s, "t1", &f->e), f->e);
	lease(f, "t1", "run-c", 5000);
}

EACH_STORE(odd_waits_are_refused, 3600)
{
	static const struct lease_wait odd[] = {
		{ .queue_max = -1, .hold_ms = 100 }, { .queue_max = 1 },
		{ .queue_max = 1, .hold_ms = -5 }, { .queue_max = 1, .hold_ms = STORE_HOLD_MAX_MS + 1 },
	};
	struct lease l;

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct lease_wait w = odd[i];
		cr_expect_eq(store_lease_wait(f->s, "t1", "run", NULL, 5000, &w, &l, &f->e), ERR_INPUT, "%zu", i);
	}
	cr_expect_eq(store_leave(f->s, "a b", "run", &f->e), ERR_INPUT);
	cr_expect_eq(store_leave(f->s, "t1", "", &f->e), ERR_INPUT);
}

/* -- many at once: each thread takes the lease some times, and all in their turn -- */

enum { RIVALS = 6, ROUNDS = 15 };

struct rival {
	struct store *s;
	int number, turns;
	struct err e;
};

static int inside, most_inside;

static void *compete(void *arg)
{
	struct rival *me = arg;

	for (int i = 0; i < ROUNDS; i++) {
		char run[32];
		struct lease l;
		enum errcode rc;

		snprintf(run, sizeof(run), "run-%d-%d", me->number, i);
		do {
			struct lease_wait w = { .queue_max = RIVALS, .hold_ms = 20000 };
			rc = store_lease_wait(me->s, "t1", run, NULL, 20000, &w, &l, &me->e);
			if (rc == ERR_BUSY)
				clock_sleep_ms(2);
		} while (rc == ERR_BUSY);
		if (rc != OK)
			return NULL;
		int now = __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
		if (now > most_inside)
			most_inside = now;
		__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
		if (store_release(me->s, &l, &me->e) != OK)
			return NULL;
		me->turns++;
	}
	return NULL;
}

EACH_STORE(many_rivals_all_get_their_turns, 3600)
{
	struct rival r[RIVALS];
	pthread_t t[RIVALS];

	inside = most_inside = 0;
	for (int i = 0; i < RIVALS; i++) {
		r[i] = (struct rival){ .s = f->s, .number = i };
		pthread_create(&t[i], NULL, compete, &r[i]);
	}
	for (int i = 0; i < RIVALS; i++) {
		pthread_join(t[i], NULL);
		cr_expect_eq(r[i].turns, ROUNDS, "rival %d: %d turns, %s", i, r[i].turns, r[i].e.msg);
	}
	cr_expect_eq(most_inside, 1);
	lease(f, "t1", "last", 100);
}
