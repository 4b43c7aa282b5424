/*
 * Somebody cancels a run at one of its steps: it stops there, keeps what was said, and ends with one event.
 */
#include "tests/unit/test.h"

#include <pthread.h>

#include "base/clock.h"
#include "base/str.h"
#include "runtime/run.h"
#include "tests/unit/sink_mem.h"

static struct run *running;
/* the step at which it is cancelled: the node asks for it, as another thread or worker would */
static int step, at;
static bool formatted;

static void point(void)
{
	if (++step == at)
		atomic_store(&running->slot.cancelled, true);
}

static enum errcode plan(struct run *run, struct err *e)
{
	struct event ev = { .kind = EV_PLAN, .data = jsn_object(run->mem) };
	(void)e;
	point();
	return run_emit(run, &ev);
}

static enum errcode wait_node(struct run *run, struct err *e)
{
	point();
	enum errcode rc = run_wait(run, 20);
	return rc == OK || rc == ERR_HUP ? rc : err_set(e, rc, "waited too long");
}

static enum errcode answer(struct run *run, struct err *e)
{
	static const char *const pieces[] = { "There ", "are ", "two." };
	enum errcode rc = OK;
	(void)e;
	formatted = true;
	for (size_t i = 0; i < 3 && rc == OK; i++) {
		point();
		rc = run_text(run, pieces[i]);
	}
	if (rc == OK)
		run->answer = "There are two.";
	point();
	return rc;
}

static const struct node nodes[] = {
	[1] = { "plan", plan, 2, NULL, 0 },
	[2] = { "wait", wait_node, 3, NULL, 0 },
	[3] = { "answer", answer, NODE_END, NULL, NODE_ALWAYS },
};
static const struct graph graph = { "tester", nodes, 4, 1, 6, 1, NULL, NULL, NULL };
static const struct agent agent = { .name = "tester", .graph = &graph };
static const struct agent_open open_agent = { &agent, NULL };

static const struct {
	const char *text, *stored;      /* what the reader got, and what the thread keeps; NULL: no answer */
} rows[] = {
	/* before it begins, while it plans, and while it waits for something */
	{ "", NULL }, { "", NULL }, { "", NULL },
	/* while it writes */
	{ "", NULL }, { "There ", "There …" }, { "There are ", "There are …" },
	/* when the last node has ended it is too late */
	{ "There are two.", "There are two." },
};

TEST(run_cancel, at_each_step)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const bool late = i + 1 == sizeof(rows) / sizeof(rows[0]);
		const struct store_config c = { .provider = "memory", .agent = "tester" };
		const struct message hello = MESSAGE("user", "hello");
		const struct turn_request req = { .thread_id = "t1", .messages = &hello, .nmessages = 1 };
		struct arena *a = arena_new();
		struct sink_mem sink;
		struct store *s;
		struct thread t;
		struct run_record record;
		int64_t retry_ms;
		struct err e;

		step = 0;
		at = (int)i;
		formatted = false;
		TEST_OK(store_open(&s, &c, &e), e);
		const struct run_setup setup = { .agent = &open_agent, .store = s,
			.limits = { .lease_ms = 15000, .history_messages = 10 } };
		struct run *run = run_new(&setup);
		running = run;
		atomic_store(&run->slot.cancelled, i == 0);
		sink_mem_init(&sink, a);
		run->log.first.sink = &sink.sink;
		TEST_OK(run_begin(run, &req, &retry_ms, &e), e);
		cr_expect_eq(run_turn(run), OK, "row %zu", i);
		cr_expect(atomic_load(&run->slot.heard), "row %zu: the desk goes on waking it", i);
		cr_expect_eq(run->status, late ? RUN_DONE : RUN_CANCELLED, "row %zu", i);
		cr_expect_eq(formatted, i > 2, "row %zu: no node runs after it", i);
		cr_expect_str_eq(sink_mem_text(&sink), rows[i].text, "row %zu: %s", i, sink_mem_text(&sink));
		size_t ends = 0;
		for (size_t k = 0; k < sink.n; k++)
			ends += sink.events[k].kind == EV_DONE || sink.events[k].kind == EV_ERROR;
		cr_expect_eq(ends, 1, "row %zu", i);
		const struct event *last = &sink.events[sink.n - 1];
		cr_expect_eq(last->kind, EV_DONE);
		cr_expect_eq(streq(jsn_get_str(last->data, "status", ""), "cancelled"), !late, "row %zu", i);
		cr_expect_eq(sink.flushed, sink.n, "everything was sent");
		/* the question and what was said are kept, and the thread is free */
		TEST_OK(store_load(s, a, "t1", &(struct thread_owner){ .agent = "tester" }, 10, &t, &e), e);
		cr_assert_eq(t.nloaded, rows[i].stored == NULL ? 1 : 2, "row %zu", i);
		if (rows[i].stored != NULL)
			cr_expect_str_eq(t.messages[1].content, rows[i].stored);
		TEST_OK(store_run_find(s, a, run->run_id, NULL, &record, &e), e);
		cr_expect_eq(record.status, run->status, "row %zu", i);
		struct run *next = run_new(&setup);
		step = 99;
		next->log.first.sink = &sink.sink;
		TEST_OK(run_begin(next, &req, &retry_ms, &e), e);
		cr_expect_eq(run_turn(next), OK);
		cr_expect_eq(next->status, RUN_DONE);
		run_free(next);
		run_free(run);
		arena_free(a);
		store_close(s);
	}
}

static void *hold(void *arg)
{
	clock_sleep_ms(100);
	atomic_store((atomic_bool *)arg, true);
	return NULL;
}

/* A run that waits for its thread is refused, and leaves the queue. */
TEST(run_cancel, while_it_waits_for_its_thread)
{
	const struct store_config c = { .provider = "memory", .agent = "tester" };
	const struct message hello = MESSAGE("user", "hello");
	const struct turn_request req = { .thread_id = "t1", .messages = &hello, .nmessages = 1,
		.enqueue = true, .reader_fd = -1 };
	const struct thread_owner owner = { .agent = "tester" };
	struct store *s;
	struct run_record record;
	struct arena *a = arena_new();
	struct lease l;
	pthread_t t;
	int64_t retry_ms;
	struct err e;

	TEST_OK(store_open(&s, &c, &e), e);
	const struct run_setup setup = { .agent = &open_agent, .store = s,
		.limits = { .lease_ms = 15000, .history_messages = 10, .queue_ms = 20000, .queue_max = 3 } };
	struct run *run = run_new(&setup);
	TEST_OK(store_lease(s, "t1", "other", &owner, 15000, &l, NULL, &e), e);
	pthread_create(&t, NULL, hold, &run->slot.cancelled);
	cr_expect_eq(run_begin(run, &req, &retry_ms, &e), ERR_BUSY);
	cr_expect_eq(run->status, RUN_CANCELLED);
	pthread_join(t, NULL);
	TEST_OK(store_run_find(s, a, run->run_id, NULL, &record, &e), e);
	cr_expect_eq(record.status, RUN_CANCELLED, "%d", record.status);
	TEST_OK(store_release(s, &l, &e), e);
	TEST_OK(store_lease(s, "t1", "next", &owner, 15000, &l, NULL, &e), e);
	run_free(run);
	arena_free(a);
	store_close(s);
}
