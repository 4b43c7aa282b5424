/*
 * What many other runs have left in the SQLite file costs a turn nothing.
 */
#include <stdlib.h>
#include <time.h>

#include "drivers/db.h"
#include "services/claims.h"
#include "services/counts.h"
#include "services/runs.h"
#include "services/store_backend.h"
#include "tests/unit/cpu_time.h"
#include "tests/unit/store_fix.h"

enum { OTHERS = 20000, CALLS = 40 };

/* Ended runs with a log, half of them cancelled, the claims that have begun them, and as many counters. */
static const char others[] =
    "WITH RECURSIVE i (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM i WHERE n < 20000)"
    " INSERT INTO runs (id, thread, fence, logged, status, cancelled, started_us, until_ms, alive_ms, used_ms, last)"
    " SELECT 'old-' || n, 'old', 1, 1, 'done', 2 * (n % 2), 1, 0, 0, unixepoch() * 1000, 1 FROM i;"
    "INSERT INTO run_log SELECT key, 1, 1, 1, x'40' FROM runs WHERE thread = 'old';"
    "INSERT INTO claims SELECT id, 'm', 't', id, unixepoch() * 1000 + 3600000, 3600000 FROM runs"
    " WHERE thread = 'old';"
    "INSERT INTO counters SELECT id, 1, unixepoch() * 1000 + 3600000, 3600000 FROM runs WHERE thread = 'old';";

/* A turn with a key and a log that is counted and asked to stop. */
static void whole_turn(struct fix *f, int n)
{
	static const struct run_end done = { .status = RUN_CANCELLED, .ended_us = 5 };
	const char *id = arena_printf(f->a, "run-%d", n);
	const struct run_start start = { .run_id = id, .started_us = 1, .logged = true };
	const struct run_group g = { .first = 1, .count = 1, .events = STR("data: {}\n\n") };
	const struct message m[] = { MESSAGE("user", "q"), MESSAGE("assistant", "a") };
	const struct commit c = { .append = m, .nappend = 2, .last = true };
	struct claim claim;
	enum run_status was;
	int64_t left_ms;
	struct lease l;

	TEST_OK(store_count(f->s, id, 1, 10, 60000, &left_ms, &f->e), f->e);
	TEST_OK(store_claim(f->s, id, "m", "t", 5000, &claim, &f->e), f->e);
	TEST_OK(store_claim_settle(f->s, id, "m", "t", id, 60000, &f->e), f->e);
	TEST_OK(store_begin(f->s, id, &start, NULL, 5000, NULL, &l, &f->e), f->e);
	TEST_OK(store_run_cancel(f->s, id, NULL, &was, &f->e), f->e);
	TEST_OK(store_commit(f->s, &l, NULL, &c, &f->e), f->e);
	TEST_OK(store_run_append(f->s, id, &g, 5000, &done, &f->e), f->e);
}

static int by_value(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The median of many turns. */
static int64_t turn_us(struct fix *f, int first)
{
	int64_t us[CALLS];

	for (int i = 0; i < CALLS; i++) {
		const int64_t began = test_cpu_us();

		whole_turn(f, first + i);
		us[i] = test_cpu_us() - began;
	}
	qsort(us, CALLS, sizeof(us[0]), by_value);
	return us[CALLS / 2];
}

/* What a worker reads whenever the file has changed: the runs that are asked to stop. */
static int64_t listen_us(struct fix *f)
{
	struct store_listener *l = f->s->ops->listen_open(f->s);
	struct store_news news;
	int64_t us = INT64_MAX;

	for (int i = 0; i < 5; i++) {
		const char *id = arena_printf(f->a, "ping-%lld-%d", (long long)us, i);
		const int64_t began = test_cpu_us();

		lease(f, id, "run", 1000);
		TEST_OK(f->s->ops->listen_wait(l, 500, true, &news, &f->e), f->e);
		cr_assert_eq(news.kind, STORE_NEWS_ALL);
		us = test_cpu_us() - began < us ? test_cpu_us() - began : us;
	}
	f->s->ops->listen_close(l);
	return us;
}

TEST(store_flat, what_others_have_left_costs_a_turn_nothing, .timeout = 120)
{
	struct fix f;
	struct db *db;

	fix_up(&f, "sqlite", 3600);
	turn_us(&f, 0);
	const int64_t turn = turn_us(&f, CALLS), listen = listen_us(&f);
	TEST_OK(db_open(&db, f.path, DB_WRITE, &f.e), f.e);
	TEST_OK(db_exec(db, others, &f.e), f.e);
	cr_assert_eq(db_int(db, "SELECT count(*) FROM run_log", 0), OTHERS + 2 * CALLS);
	cr_expect_eq(db_int(db, "SELECT count(*) FROM runs WHERE cancelled = 1", -1), 0, "a run that has ended is "
	    "among those that each worker looks at");
	db_close(db);
	turn_us(&f, 2 * CALLS);
	const int64_t late = turn_us(&f, 3 * CALLS), listen_late = listen_us(&f);
	cr_expect_lt(late, 2 * turn + 300, "a turn took %lld us of CPU, beside %d runs of others %lld us",
	    (long long)turn, OTHERS, (long long)late);
	cr_expect_lt(listen_late, 2 * listen + 300, "a look took %lld us of CPU, beside %d runs of others %lld us",
	    (long long)listen, OTHERS, (long long)listen_late);
	fix_down(&f);
}
