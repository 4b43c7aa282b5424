/*
 * The events of a run once more, read back from the log: of one that has ended, of one whose worker has died,
 * and in a worker that stops.
 */
#include "edges/run_replay.h"

#include "base/clock.h"
#include "base/conf.h"
#include "services/run_desk.h"
#include "services/runs.h"
#include "tests/unit/sink_mem.h"
#include "tests/unit/store_fix.h"

#define PLAN "event: plan\ndata: {\"selected_tool\":\"x\"}\n\n"
#define TEXT(text) "event: message\ndata: {\"content\":\"" text "\"}\n\n"
#define DONE "event: done\ndata: {\"thread_id\":\"t1\",\"metadata\":{}}\n\n"

static const struct thread_owner owner = { .agent = "aviation" };

struct replay {
	struct fix *f;
	struct conf conf;
	atomic_bool draining;
	struct edge_parts parts;
	struct sink_mem sink;
};

static void set_up(struct replay *r, struct fix *f)
{
	*r = (struct replay){ .f = f, .conf = { .heartbeat_s = 5 } };
	r->parts = (struct edge_parts){ .conf = &r->conf, .store = f->s, .desk = run_desk_open(f->s),
	    .draining = &r->draining };
	sink_mem_init(&r->sink, f->a);
}

static void begin(struct fix *f, const char *run, int64_t lease_ms)
{
	const struct run_start start = { .run_id = run, .session_id = "s", .worker = "w", .started_us = 1,
	    .logged = true };
	struct lease l;

	TEST_OK(store_begin(f->s, "t1", &start, &owner, lease_ms, NULL, &l, &f->e), f->e);
}

static void say(struct fix *f, const char *run, int64_t first, int64_t count, struct str events,
    const struct run_end *end)
{
	const struct run_group g = { .first = first, .count = count, .events = events };

	TEST_OK(store_run_append(f->s, run, &g, 100, end, &f->e), f->e);
}

static enum errcode replay(struct replay *r, const char *run)
{
	return run_replay(&r->parts, r->f->a, run, 0, &r->sink.sink, &r->f->e);
}

EACH_STORE(a_run_that_has_ended_is_replayed, 3600)
{
	const struct run_end end = { .status = RUN_DONE, .ended_us = 5 };
	struct replay r;

	set_up(&r, f);
	begin(f, "run-1", 15000);
	say(f, "run-1", 1, 2, STR(PLAN TEXT("Hello")), NULL);
	say(f, "run-1", 3, 2, STR(TEXT(" you") DONE), &end);
	TEST_OK(replay(&r, "run-1"), f->e);
	cr_assert_eq(r.sink.n, 4);
	static const enum event_kind kinds[] = { EV_PLAN, EV_TEXT, EV_TEXT, EV_DONE };
	for (size_t i = 0; i < 4; i++) {
		cr_expect_eq(r.sink.events[i].kind, kinds[i], "event %zu", i);
		cr_expect_eq(r.sink.events[i].seq, (int64_t)i + 1);
	}
	cr_expect_str_eq(r.sink.events[2].text, " you");
	cr_expect_eq(r.sink.flushed, 4);
	run_desk_close(r.parts.desk);
}

/* The reader itself ends the run: it gets what is stored, the error and the terminal event. */
EACH_STORE(a_dead_run_is_ended_by_its_replay, 3600)
{
	struct run_record rec;
	struct lease next;
	struct replay r;

	set_up(&r, f);
	begin(f, "run-1", 200);
	say(f, "run-1", 1, 2, STR(PLAN TEXT("Hello")), NULL);
	TEST_OK(replay(&r, "run-1"), f->e);
	cr_assert_eq(r.sink.n, 4);
	cr_expect_eq(r.sink.events[1].kind, EV_TEXT);
	cr_expect_eq(r.sink.events[2].kind, EV_ERROR);
	cr_expect_str_eq(r.sink.events[2].name, "worker_lost");
	cr_expect_eq(r.sink.events[2].seq, 2 + RUN_AHEAD_MAX + 1);
	cr_expect_eq(r.sink.events[3].kind, EV_DONE);
	cr_expect_str_eq(jsn_get_str(r.sink.events[3].data, "status", ""), "failed");
	TEST_OK(store_run_find(f->s, f->a, "run-1", &owner, &rec, &f->e), f->e);
	cr_expect_eq(rec.status, RUN_FAILED);
	TEST_OK(store_lease(f->s, "t1", "run-2", &owner, 5000, &next, NULL, &f->e), f->e);
	/* whoever comes later gets the same */
	TEST_OK(replay(&r, "run-1"), f->e);
	cr_assert_eq(r.sink.n, 8);
	cr_expect_eq(r.sink.events[7].kind, EV_DONE);
	run_desk_close(r.parts.desk);
}

EACH_STORE(a_replay_does_not_keep_a_worker_that_stops, 3600)
{
	struct replay r;

	set_up(&r, f);
	begin(f, "run-1", 60000);
	say(f, "run-1", 1, 2, STR(PLAN TEXT("Hello")), NULL);
	atomic_store(&r.draining, true);
	const int64_t began = clock_mono_ms();
	cr_expect_eq(replay(&r, "run-1"), ERR_OVERLOAD);
	cr_expect_lt(clock_mono_ms() - began, 5000);
	run_desk_close(r.parts.desk);
}
