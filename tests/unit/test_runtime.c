/*
 * The runtime: graphs (a pipeline whose node fails, a loop with a step limit), a
 * turn over a real store, a reader who leaves.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/jsn.h"
#include "runtime/run.h"
#include "tests/unit/test.h"
#include "tests/unit/sink_mem.h"

/* -- graphs -- */

struct state {
	int visits, limit;
};

static enum errcode think(struct run *run, struct err *e)
{
	(void)e;
	((struct state *)run->state)->visits++;
	return run_text(run, "think ");
}

static enum errcode act(struct run *run, struct err *e)
{
	(void)e;
	return run_text(run, "act ");
}

static enum errcode break_down(struct run *run, struct err *e)
{
	(void)run;
	return err_set(e, ERR_TOOL, "the tool broke");
}

static enum errcode never(struct run *run, struct err *e)
{
	(void)run;
	(void)e;
	cr_assert_fail("a node after the failure ran");
	return OK;
}

static enum errcode answer(struct run *run, struct err *e)
{
	(void)e;
	enum errcode rc = run_text(run, run->error.code == OK ? "done" : "sorry");
	run->answer = run_said(run);
	return rc;
}

static int back_to_think(const struct run *run)
{
	(void)run;
	return 1;
}

/* A ReAct loop is two rows and a route: think → act → think … until there is nothing to do. */
static int act_or_end(const struct run *run)
{
	return ((struct state *)run->state)->visits < 3 ? 2 : 3;
}
static const struct node react_nodes[] = {
	[1] = { "think", think, 3, act_or_end, 0 },
	[2] = { "act", act, 3, back_to_think, 0 },
	[3] = { "answer", answer, NODE_END, NULL, NODE_ALWAYS },
};

static const struct node endless_nodes[] = {
	[1] = { "think", think, 2, NULL, 0 },
	[2] = { "act", act, 3, back_to_think, 0 },
	[3] = { "answer", answer, NODE_END, NULL, NODE_ALWAYS },
};

static const struct node failing_nodes[] = {
	[1] = { "first", think, 2, NULL, 0 },
	[2] = { "break", break_down, 3, NULL, 0 },
	[3] = { "never", never, 4, NULL, 0 },
	[4] = { "answer", answer, NODE_END, NULL, NODE_ALWAYS },
};

static const struct { const char *name; struct graph g; const char *text; enum errcode code; } graphs[] = {
	{ "straight", { "straight", react_nodes, 4, 3, 8, sizeof(struct state), NULL, NULL, NULL },
	    "done", OK },
	{ "endless loop", { "endless", endless_nodes, 4, 1, 5, sizeof(struct state), NULL, NULL, NULL },
	    "think act think act think sorry", ERR_STEPS },
	{ "failing", { "failing", failing_nodes, 5, 1, 8, sizeof(struct state), NULL, NULL, NULL },
	    "think sorry", ERR_TOOL },
};

static const struct thread_owner tester = { .agent = "tester" };

/* An agent of this graph alone. */
static const struct agent *agent_of(struct arena *a, const struct graph *g)
{
	struct agent *agent = arena_alloc(a, sizeof(*agent));
	agent->name = tester.agent;
	agent->graph = g;
	return agent;
}

TEST(runtime, walks_graphs)
{
	for (size_t i = 0; i < sizeof(graphs) / sizeof(graphs[0]); i++) {
		struct arena *a = arena_new();
		struct sink_mem sink;
		struct err e = { 0 };
		sink_mem_init(&sink, a);
		struct run run = { .mem = a, .agent = agent_of(a, &graphs[i].g), .log.first.sink = &sink.sink };
		run.state = arena_alloc(a, run.agent->graph->state_size);
		TEST_OK(graph_check(run.agent->graph, &e), e);
		cr_expect_eq(graph_run(&run), OK);
		cr_expect_str_eq(sink_mem_text(&sink), graphs[i].text, "%s", graphs[i].name);
		cr_expect_eq(run.error.code, graphs[i].code, "%s", graphs[i].name);
		arena_free(a);
	}
}

TEST(runtime, loops_like_react)
{
	static const struct graph g = { "react", react_nodes, 4, 1, 20, sizeof(struct state), NULL,
		NULL, NULL };
	struct arena *a = arena_new();
	struct sink_mem sink;
	sink_mem_init(&sink, a);
	struct run run = { .mem = a, .agent = agent_of(a, &g), .log.first.sink = &sink.sink };
	run.state = arena_alloc(a, g.state_size);
	cr_assert_eq(graph_run(&run), OK);
	cr_assert_str_eq(sink_mem_text(&sink), "think act think act think done");
	cr_assert_eq(run.error.code, OK);
	arena_free(a);
}

static enum errcode dawdle(struct run *run, struct err *e)
{
	(void)run;
	(void)e;
	clock_sleep_ms(40);
	return OK;
}

TEST(runtime, answers_when_time_or_steps_end_before_the_last_node)
{
	static const struct node nodes[] = {
		[1] = { "dawdle", dawdle, 2, NULL, 0 },
		[2] = { "answer", answer, NODE_END, NULL, NODE_ALWAYS },
	};
	static const struct { int steps; int64_t deadline; enum errcode code; } rows[] = {
		{ 1, 0, ERR_STEPS }, { 8, 20, ERR_TIMEOUT }, { 8, 0, OK },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct graph g = { "late", nodes, 3, 1, rows[i].steps, 1, NULL, NULL, NULL };
		struct arena *a = arena_new();
		struct sink_mem sink;
		sink_mem_init(&sink, a);
		struct run run = { .mem = a, .agent = agent_of(a, &g), .log.first.sink = &sink.sink,
			.limits = { .deadline_ms = rows[i].deadline } };
		run.state = arena_alloc(a, 1);
		run.started_ms = clock_mono_ms();
		cr_expect_eq(graph_run(&run), OK);
		cr_expect_eq(run.error.code, rows[i].code, "row %zu", i);
		cr_expect_str_eq(sink_mem_text(&sink), rows[i].code == OK ? "done" : "sorry",
		    "row %zu", i);
		arena_free(a);
	}
}

TEST(runtime, refuses_a_graph_that_cannot_end)
{
	static const struct node round[] = {
		[1] = { "a", think, 2, NULL, 0 }, [2] = { "b", act, 1, NULL, 0 },
	};
	static const struct graph g = { "round", round, 3, 1, 5, 1, NULL, NULL, NULL };
	struct err e;
	cr_assert_eq(graph_check(&g, &e), ERR_INTERNAL);
}

/* -- turns -- */

static struct store *memory_store(void)
{
	struct store *s;
	struct err e;
	struct store_config c = { .provider = "memory", .ttl_s = 3600, .timeout_ms = 1000 };
	TEST_OK(store_open(&s, &c, &e), e);
	return s;
}

static void init(struct run *run, struct arena *a, const struct graph *g, struct sink *sink,
    struct store *s)
{
	*run = (struct run){ .mem = a, .agent = g == NULL ? NULL : agent_of(a, g), .log.first.sink = sink, .store = s,
		.limits = { .lease_ms = 15000, .heartbeat_ms = 20, .history_messages = 40 } };
}

TEST(runtime, a_thread_survives_its_first_error)
{
	/* the original never cleared `error`: every later turn repeated it */
	static const struct { size_t row; const char *text; } turns[] = {
		{ 2, "think sorry" }, { 0, "done" },
	};
	struct store *s = memory_store();
	for (size_t i = 0; i < 2; i++) {
		struct arena *a = arena_new();
		struct sink_mem sink;
		struct run run;
		struct err e;
		int64_t retry;
		struct message m = MESSAGE("user", "hello");
		struct turn_request req = { .thread_id = "t1", .messages = &m, .nmessages = 1 };
		sink_mem_init(&sink, a);
		init(&run, a, &graphs[turns[i].row].g, &sink.sink, s);
		TEST_OK(run_begin(&run, &req, &retry, &e), e);
		cr_assert_eq(run_turn(&run), OK);
		cr_expect_str_eq(sink_mem_text(&sink), turns[i].text);
		cr_expect(run.saved);
		cr_expect_eq(sink.events[sink.n - 1].kind, EV_DONE);
		cr_expect_eq(run.nmessages, i == 0 ? 2 : 4, "each question and its answer");
		arena_free(a);
	}
	store_close(s);
}

TEST(runtime, a_reader_who_leaves_loses_no_question)
{
	struct store *s = memory_store();
	struct arena *a = arena_new();
	struct sink_mem sink;
	struct run run;
	struct err e;
	int64_t retry;
	struct message m = MESSAGE("user", "hello");
	struct turn_request req = { .thread_id = "t2", .messages = &m, .nmessages = 1 };
	sink_mem_init(&sink, a);
	sink.hup_after = 1;
	init(&run, a, &graphs[0].g, &sink.sink, s);
	TEST_OK(run_begin(&run, &req, &retry, &e), e);
	cr_assert_eq(run_turn(&run), ERR_HUP);
	cr_assert_eq(sink.n, 0, "nothing is sent after the reader left");
	struct thread t;
	TEST_OK(store_load(s, a, "t2", &tester, 10, &t, &e), e);
	cr_assert_eq(t.nloaded, 1);
	cr_assert_str_eq(t.messages[0].content, "hello");
	/* and the thread is free again */
	init(&run, a, &graphs[0].g, &sink.sink, s);
	TEST_OK(run_begin(&run, &req, &retry, &e), e);
	run_turn(&run);
	arena_free(a);
	store_close(s);
}

TEST(runtime, a_busy_thread_is_refused)
{
	struct store *s = memory_store();
	struct arena *a = arena_new();
	struct sink_mem sink;
	struct run one, two;
	struct err e;
	int64_t retry = 0;
	struct message m = MESSAGE("user", "hello");
	struct turn_request req = { .thread_id = "t3", .messages = &m, .nmessages = 1 };
	sink_mem_init(&sink, a);
	init(&one, a, &graphs[0].g, &sink.sink, s);
	init(&two, a, &graphs[0].g, &sink.sink, s);
	TEST_OK(run_begin(&one, &req, &retry, &e), e);
	cr_assert_eq(run_begin(&two, &req, &retry, &e), ERR_BUSY);
	cr_assert(retry > 0 && retry <= 15000);
	cr_assert_eq(run_turn(&one), OK);
	TEST_OK(run_begin(&two, &req, &retry, &e), e);
	cr_assert_eq(run_turn(&two), OK);
	arena_free(a);
	store_close(s);
}

static enum errcode slow(struct run *run, struct err *e)
{
	enum errcode rc = run_wait(run, 90);
	return rc == OK ? OK : err_set(e, rc, "waited too long");
}

TEST(runtime, waits_with_heartbeats_and_a_deadline)
{
	static const struct node nodes[] = { [1] = { "slow", slow, NODE_END, NULL, 0 } };
	static const struct graph g = { "slow", nodes, 2, 1, 4, 1, NULL, NULL, NULL };
	for (int deadline = 0; deadline <= 30; deadline += 30) {
		struct arena *a = arena_new();
		struct sink_mem sink;
		struct run run;
		sink_mem_init(&sink, a);
		init(&run, a, &g, &sink.sink, NULL);
		run.limits.deadline_ms = deadline;
		run.started_ms = run.last_sign_ms = clock_mono_ms();
		run.state = arena_alloc(a, 1);
		cr_assert_eq(graph_run(&run), OK);
		cr_expect_eq(run.error.code, deadline == 0 ? OK : ERR_TIMEOUT);
		cr_expect_geq(sink.ticks, 1);
		arena_free(a);
	}
}

/* What others wait through: the same duties as run_wait(). */
TEST(runtime, lends_its_duties_to_others)
{
	static const struct { int64_t heartbeat; bool stop; int64_t deadline, ms; enum errcode rc;
		size_t ticks; } rows[] = {
		{ 0, false, 0, 500, OK, 0 },
		{ 100000, false, 0, 500, OK, 0 },
		{ 400, false, 0, 400, OK, 0 },
		{ 10, false, 0, 10, OK, 1 },             /* overdue */
		{ 10, false, 15, 0, ERR_TIMEOUT, 0 },
		{ 10, true, 0, 0, ERR_OVERLOAD, 0 },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct sink_mem sink;
		struct run run;
		atomic_bool stop = rows[i].stop;
		int64_t ms = 0;
		sink_mem_init(&sink, a);
		init(&run, a, NULL, &sink.sink, NULL);
		run.limits.heartbeat_ms = rows[i].heartbeat;
		run.limits.deadline_ms = rows[i].deadline;
		run.stop = &stop;
		run.started_ms = run.last_sign_ms = clock_mono_ms() - 20;
		const struct watch w = run_watch(&run);
		cr_expect_eq(w.fd, -1);
		cr_expect_eq(w.check(w.arg, &ms), rows[i].rc, "row %zu", i);
		cr_expect_eq(sink.ticks, rows[i].ticks, "row %zu", i);
		if (rows[i].rc == OK) {
			cr_expect_leq(ms, rows[i].ms, "row %zu: %lld", i, (long long)ms);
			cr_expect_geq(ms, 1, "row %zu: %lld", i, (long long)ms);
		}
		/* a sign of life puts the next heartbeat off */
		if (rows[i].ticks == 1) {
			cr_expect_eq(w.check(w.arg, &ms), OK);
			cr_expect_leq(sink.ticks, 2);
		}
		arena_free(a);
	}
}

/* Events leave together when the run waits, or with the first one that comes 10 ms later. */
TEST(runtime, sends_together_what_is_ready_together)
{
	struct arena *a = arena_new();
	struct sink_mem sink;
	struct run run;
	sink_mem_init(&sink, a);
	init(&run, a, NULL, &sink.sink, NULL);
	run.started_ms = clock_mono_ms();
	cr_expect_eq(run_text(&run, "one "), OK);
	cr_expect_eq(run_text(&run, "two "), OK);
	cr_expect_eq(sink.flushed, 0);
	cr_expect_eq(run_wait(&run, 0), OK);
	cr_expect_eq(sink.flushed, 2);
	cr_expect_eq(run_text(&run, "three "), OK);
	clock_sleep_ms(10);
	cr_expect_eq(sink.flushed, 2);
	cr_expect_eq(run_text(&run, "four "), OK);
	cr_expect_eq(sink.flushed, 4);
	cr_expect_eq(run_text(&run, "five "), OK);
	cr_expect_eq(run_flush(&run), OK);
	cr_expect_eq(sink.flushed, 5);
	arena_free(a);
}

static int reader_fd;

static int sink_with_reader(struct sink *s)
{
	(void)s;
	return reader_fd;
}

TEST(runtime, stops_waiting_when_the_reader_leaves)
{
	static const struct sink_ops ops = { .name = "socket", .fd = sink_with_reader };
	struct sink sink = { &ops };
	struct arena *a = arena_new();
	struct run run;
	int fds[2];
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	reader_fd = fds[0];
	init(&run, a, NULL, &sink, NULL);
	run.started_ms = run.last_sign_ms = clock_mono_ms();
	cr_expect_eq(run_watch(&run).fd, fds[0]);
	cr_expect_eq(run_wait(&run, 50), OK);
	close(fds[1]);
	cr_expect_eq(run_wait(&run, 60000), ERR_HUP);
	close(fds[0]);
	arena_free(a);
}

TEST(runtime, counts_tokens)
{
	struct run run = { .run_id = "" };
	run_tokens(&run, 10, 2, false);
	run_tokens(&run, 100, 20, true);
	run_tokens(&run, 1, 1, false);
	cr_expect_eq(run.tokens.input, 111);
	cr_expect_eq(run.tokens.output, 23);
	cr_expect(run.tokens.estimated, "one guess makes the sum one");
}

/* In the middle of a turn: the lease is gone, and perhaps somebody else has been there. */
static enum { GONE, TAKEN, WRITTEN } mishap;

static enum errcode lose_the_lease(struct run *run, struct err *e)
{
	const struct message m = MESSAGE("user", "mine");
	const struct commit c = { .append = &m, .nappend = 1 };
	struct lease other;
	int64_t retry;
	enum errcode rc = store_release(run->store, &run->lease, e);

	if (rc == OK && mishap != GONE)
		rc = store_lease(run->store, run->thread_id, "other", &tester, 15000, &other, &retry, e);
	if (rc == OK && mishap == WRITTEN)
		rc = store_commit(run->store, &other, &tester, &c, e);
	if (rc == OK && mishap == WRITTEN)
		rc = store_release(run->store, &other, e);
	return rc;
}

/* A turn in a store of its own. */
struct trial {
	struct store *s;
	struct arena *a;
	struct sink_mem sink;
	struct run run;
	struct turn_request req;
	struct thread t;
	struct err e;
};

static void begin_trial(struct trial *t, const struct graph *g, const char *thread, int64_t lease_ms)
{
	static const struct message hello = MESSAGE("user", "hello");
	int64_t retry;

	*t = (struct trial){ .s = memory_store(), .a = arena_new(),
	    .req = { .thread_id = thread, .messages = &hello, .nmessages = 1 } };
	sink_mem_init(&t->sink, t->a);
	init(&t->run, t->a, g, &t->sink.sink, t->s);
	if (lease_ms > 0)
		t->run.limits.lease_ms = lease_ms;
	TEST_OK(run_begin(&t->run, &t->req, &retry, &t->e), t->e);
}

static void end_trial(struct trial *t)
{
	arena_free(t->a);
	store_close(t->s);
}

TEST(runtime, a_lease_that_vanished_costs_no_turn)
{
	static const struct node nodes[] = {
		[1] = { "lose", lose_the_lease, 2, NULL, 0 },
		[2] = { "answer", answer, NODE_END, NULL, NODE_ALWAYS },
	};
	static const struct graph g = { "vanish", nodes, 3, 1, 8, 1, NULL, NULL, NULL };
	for (mishap = GONE; mishap <= WRITTEN; mishap++) {
		struct trial t;
		int64_t retry;

		begin_trial(&t, &g, "t5", 0);
		cr_assert_eq(run_turn(&t.run), OK);
		cr_expect_eq(t.run.saved, mishap == GONE, "%d", (int)mishap);
		cr_expect_eq(t.run.error.code, mishap == GONE ? OK : ERR_BUSY, "%d", (int)mishap);
		TEST_OK(store_load(t.s, t.a, "t5", &tester, 10, &t.t, &t.e), t.e);
		cr_expect_eq(t.t.nloaded, mishap == GONE ? 2 : mishap == WRITTEN ? 1 : 0, "%d", (int)mishap);
		/* and nobody is left with a thread that is busy for no reason */
		init(&t.run, t.a, &graphs[0].g, &t.sink.sink, t.s);
		cr_expect_eq(run_begin(&t.run, &t.req, &retry, &t.e), mishap == TAKEN ? ERR_BUSY : OK);
		if (mishap != TAKEN)
			run_turn(&t.run);
		end_trial(&t);
	}
}

/* The worker was paused for so long that another one has ended its run. */
static enum errcode be_ended(struct run *run, struct err *e)
{
	const struct run_end lost = { .status = RUN_FAILED, .ended_us = 5, .error = "worker_lost" };
	bool ended = false;

	clock_sleep_ms(60);
	enum errcode rc = store_run_bury(run->store, run->run_id, 1, STR("dead\n\n"), &lost, &ended, e);
	cr_expect(ended);
	return rc == OK ? store_release(run->store, &run->lease, e) : rc;
}

TEST(runtime, a_run_that_others_have_ended_is_not_stored)
{
	static const struct node nodes[] = {
		[1] = { "pause", be_ended, 2, NULL, 0 },
		[2] = { "answer", answer, NODE_END, NULL, NODE_ALWAYS },
	};
	static const struct graph g = { "paused", nodes, 3, 1, 8, 1, NULL, NULL, NULL };
	struct run_record rec;
	struct trial t;
	int64_t retry;

	begin_trial(&t, &g, "t7", 50);
	cr_assert_eq(run_turn(&t.run), OK);
	cr_expect(!t.run.saved && !t.run.may_be_saved);
	cr_expect_eq(t.run.error.code, ERR_LOST);
	cr_expect_eq(t.sink.events[t.sink.n - 1].kind, EV_DONE);
	TEST_OK(store_load(t.s, t.a, "t7", &tester, 10, &t.t, &t.e), t.e);
	cr_expect_eq(t.t.version, 0);
	TEST_OK(store_run_find(t.s, t.a, t.run.run_id, NULL, &rec, &t.e), t.e);
	cr_expect_eq(rec.status, RUN_FAILED);
	cr_expect_str_eq(rec.error, "worker_lost");
	init(&t.run, t.a, &graphs[0].g, &t.sink.sink, t.s);
	TEST_OK(run_begin(&t.run, &t.req, &retry, &t.e), t.e);
	run_turn(&t.run);
	cr_expect(t.run.saved, "its thread is free");
	end_trial(&t);
}

/* Of a long history that a client brings along, what can be read back is stored, no more. */
TEST(runtime, stores_what_can_be_read_back)
{
	enum { SENT = 301, KEPT = 10 };
	struct store *s = memory_store();
	struct arena *a = arena_new();
	struct message sent[SENT + 2];
	struct turn_request req = { .thread_id = "t6", .messages = sent, .nmessages = SENT };
	struct sink_mem sink;
	struct run run;
	struct thread t;
	struct err e;
	int64_t retry;

	for (size_t i = 0; i < SENT; i++)
		sent[i] = (struct message)MESSAGE(i % 2 == 0 ? "user" : "assistant",
			arena_printf(a, "text %zu", i));
	for (int turn = 1; turn <= 2; turn++) {
		sink_mem_init(&sink, a);
		init(&run, a, &graphs[0].g, &sink.sink, s);
		run.limits.history_messages = KEPT;
		TEST_OK(run_begin(&run, &req, &retry, &e), e);
		cr_expect_eq(run.nmessages, turn == 1 ? (size_t)SENT : KEPT + 1);
		cr_assert_eq(run_turn(&run), OK);
		cr_expect(run.saved);
		TEST_OK(store_load(s, a, "t6", &tester, 1000, &t, &e), e);
		cr_expect_eq(t.nmessages, SENT + 2 * turn - 1, "%lld", (long long)t.nmessages);
		cr_expect_eq(t.nloaded, KEPT + (turn == 2 ? 2 : 0), "%zu", t.nloaded);
		cr_expect_str_eq(t.messages[t.nloaded - 1].content, run.answer);
		/* the client sends everything again, the answer and its next question too */
		sent[SENT] = (struct message)MESSAGE("assistant", arena_strdup(a, run.answer));
		sent[SENT + 1] = (struct message)MESSAGE("user", "and then?");
		req.nmessages = SENT + 2;
	}
	cr_expect_str_eq(t.messages[t.nloaded - 2].content, "and then?");
	arena_free(a);
	store_close(s);
}

/* A tool that waited longer than the lease must not cost the turn, unless somebody else came. */
TEST(runtime, a_lease_that_ended_is_taken_again)
{
	static const struct node nodes[] = {
		[1] = { "dawdle", dawdle, 2, NULL, 0 },
		[2] = { "answer", answer, NODE_END, NULL, NODE_ALWAYS },
	};
	static const struct graph g = { "slow", nodes, 3, 1, 8, 1, NULL, NULL, NULL };
	for (int taken = 0; taken < 2; taken++) {
		struct store *s = memory_store();
		struct arena *a = arena_new();
		struct sink_mem sink;
		struct run run, other;
		struct err e;
		int64_t retry;
		struct message m = MESSAGE("user", "hello");
		struct turn_request req = { .thread_id = "t4", .messages = &m, .nmessages = 1 };
		sink_mem_init(&sink, a);
		init(&run, a, &g, &sink.sink, s);
		run.limits.lease_ms = 15;
		TEST_OK(run_begin(&run, &req, &retry, &e), e);
		if (taken) {
			clock_sleep_ms(20);
			init(&other, a, &g, &sink.sink, s);
			TEST_OK(run_begin(&other, &req, &retry, &e), e);
		}
		cr_assert_eq(run_turn(&run), OK);
		cr_expect_eq(run.saved, !taken);
		cr_expect_eq(run.error.code, taken ? ERR_BUSY : OK);
		cr_expect_eq(sink.events[sink.n - 1].kind, EV_DONE);
		if (taken) {
			cr_assert_eq(run_turn(&other), OK);
			cr_expect(other.saved, "its thread was left alone");
		}
		arena_free(a);
		store_close(s);
	}
}
