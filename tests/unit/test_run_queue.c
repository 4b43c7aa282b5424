/*
 * A run that waits for its thread: its turn comes, or it gives up and leaves the queue.
 */
#include "tests/unit/test.h"

#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "runtime/run.h"
#include "runtime/run_queue.h"
#include "services/store_backend.h"
#include "tests/unit/sink_mem.h"

static enum errcode answer(struct run *run, struct err *e)
{
	(void)e;
	run->answer = arena_strdup(run->mem, "an answer");
	return run_text(run, run->answer);
}

static const struct node nodes[] = { [1] = { "answer", answer, NODE_END, NULL, 0 } };
static const struct graph graph = { "tester", nodes, 2, 1, 4, 1, NULL, NULL, NULL };
static const struct agent agent = { .name = "tester", .graph = &graph };
static const struct agent_open open_agent = { &agent, NULL };
static const struct message hello = MESSAGE("user", "hello");

static struct store *memory_store(void)
{
	const struct store_config c = { .provider = "memory", .agent = "tester" };
	struct store *s;
	struct err e;

	TEST_OK(store_open(&s, &c, &e), e);
	return s;
}

static struct run *new_run(struct store *s, int64_t queue_ms, int queue_max, const atomic_bool *stop)
{
	const struct run_setup setup = { .agent = &open_agent, .store = s, .stop = stop, .limits = {
		.lease_ms = 15000, .history_messages = 10, .queue_ms = queue_ms, .queue_max = queue_max } };
	return run_new(&setup);
}

static enum errcode begin(struct run *run, bool enqueue, int reader_fd, struct err *e)
{
	const struct turn_request req = { .thread_id = "t1", .messages = &hello, .nmessages = 1,
		.enqueue = enqueue, .reader_fd = reader_fd };
	int64_t retry_ms;

	return run_begin(run, &req, &retry_ms, e);
}

static void finish(struct run *run)
{
	struct arena *a = arena_new();
	struct sink_mem sink;

	sink_mem_init(&sink, a);
	run->log.first.sink = &sink.sink;
	cr_expect_eq(run_turn(run), OK);
	arena_free(a);
	run_free(run);
}

/* How many runs wait, as one more of them is told. */
static int waiting(struct store *s)
{
	struct lease_wait w = { .queue_max = 100, .hold_ms = 1000 };
	struct lease l;
	struct err e;

	cr_assert_eq(store_lease_wait(s, "t1", "counter", &(struct thread_owner){ .agent = "tester" }, 1000,
	    &w, &l, &e), ERR_BUSY, "%s", e.msg);
	TEST_OK(store_leave(s, "t1", "counter", &e), e);
	return w.place;
}

struct waiter {
	pthread_t thread;
	struct store *s;
	struct run *run;
	int reader_fd;
	int64_t took_ms;
	int order;
	enum errcode rc;
	struct err e;
};

static atomic_int served;

static void *wait_for_turn(void *arg)
{
	struct waiter *w = arg;
	int64_t began = clock_mono_ms();

	w->rc = begin(w->run, true, w->reader_fd, &w->e);
	w->took_ms = clock_mono_ms() - began;
	if (w->rc != OK)
		return NULL;
	w->order = atomic_fetch_add(&served, 1);
	clock_sleep_ms(20);
	finish(w->run);
	return NULL;
}

static void start(struct waiter *w, struct store *s, int64_t queue_ms, int reader_fd, const atomic_bool *stop)
{
	int before = waiting(s);

	*w = (struct waiter){ .s = s, .run = new_run(s, queue_ms, 8, stop), .reader_fd = reader_fd };
	pthread_create(&w->thread, NULL, wait_for_turn, w);
	while (waiting(s) == before)
		clock_sleep_ms(5);
}

/* A run whose events are kept waits in vain: those who follow it are told how it ended. */
TEST(run_queue, a_refused_run_has_last_events, .timeout = 60)
{
	const struct turn_request req = { .thread_id = "t1", .messages = &hello, .nmessages = 1,
		.enqueue = true, .logged = true, .reader_fd = -1 };
	struct store *s = memory_store();
	struct run *first = new_run(s, 1000, 8, NULL), *run = new_run(s, 100, 8, NULL);
	struct arena *a = arena_new();
	struct run_record rec;
	struct sink_mem sink;
	struct err e;
	int64_t retry_ms;

	TEST_OK(begin(first, false, -1, &e), e);
	cr_assert_eq(run_begin(run, &req, &retry_ms, &e), ERR_BUSY);
	cr_assert(run->log_is_open);
	TEST_OK(store_run_find(s, a, run->run_id, NULL, &rec, &e), e);
	cr_expect_eq(rec.status, RUN_QUEUED, "its end comes with the last events");
	sink_mem_init(&sink, a);
	run->log.first.sink = &sink.sink;
	run_refused(run);
	cr_assert_eq(sink.n, 3);
	cr_expect_eq(sink.events[1].kind, EV_ERROR);
	cr_expect_eq(sink.events[2].kind, EV_DONE);
	cr_expect_eq(run_end_of(run).status, RUN_FAILED);
	run_free(run);
	finish(first);
	arena_free(a);
	store_close(s);
}

static enum errcode no_lease(struct store *s, const struct thread_owner *owner, const struct run_start *start,
    struct lease *l, struct lease_wait *w, struct err *e)
{
	(void)s, (void)owner, (void)start, (void)l, (void)w;
	return err_set(e, ERR_STORE, "the store is away");
}

/* The store fails at a question of a waiting run: the run has ended, for all who ask, and waits no more. */
TEST(run_queue, a_store_that_fails_ends_the_waiting, .timeout = 60)
{
	struct store *s = memory_store();
	struct run *first = new_run(s, 1000, 8, NULL);
	struct store_ops broken = *s->ops;
	const struct store_ops *whole = s->ops;
	struct arena *a = arena_new();
	struct run_record rec;
	struct waiter w;
	struct err e;

	TEST_OK(begin(first, false, -1, &e), e);
	start(&w, s, 20000, -1, NULL);
	broken.lease = no_lease;
	s->ops = &broken;
	pthread_join(w.thread, NULL);
	s->ops = whole;
	cr_expect_eq(w.rc, ERR_STORE);
	cr_expect_eq(waiting(s), 0);
	TEST_OK(store_run_find(s, a, w.run->run_id, NULL, &rec, &e), e);
	cr_expect_eq(rec.status, RUN_FAILED);
	cr_expect_str_eq(rec.error, "store_unavailable");
	run_free(w.run);
	finish(first);
	arena_free(a);
	store_close(s);
}

TEST(run_queue, runs_are_served_in_the_order_in_which_they_came, .timeout = 60)
{
	enum { WAITERS = 5 };
	struct store *s = memory_store();
	struct run *first = new_run(s, 1000, 8, NULL);
	struct waiter w[WAITERS];
	struct thread t;
	struct err e;
	struct arena *a = arena_new();

	atomic_store(&served, 0);
	TEST_OK(begin(first, true, -1, &e), e);
	for (int i = 0; i < WAITERS; i++)
		start(&w[i], s, 20000, -1, NULL);
	finish(first);
	for (int i = 0; i < WAITERS; i++) {
		pthread_join(w[i].thread, NULL);
		TEST_OK(w[i].rc, w[i].e);
		cr_expect_eq(w[i].order, i, "run %d was number %d", i, w[i].order);
	}
	/* each turn saw those before it: none was lost, none came between */
	TEST_OK(store_load(s, a, "t1", &(struct thread_owner){ .agent = "tester" }, 100, &t, &e), e);
	cr_expect_eq(t.version, WAITERS + 1);
	cr_expect_eq(t.nmessages, 2 * (WAITERS + 1));
	arena_free(a);
	store_close(s);
}

TEST(run_queue, a_run_gives_up, .timeout = 60)
{
	struct store *s = memory_store();
	struct run *first = new_run(s, 1000, 8, NULL);
	struct waiter late, gone, stopped;
	atomic_bool stop = false;
	int reader[2];
	struct err e;

	TEST_OK(begin(first, false, -1, &e), e);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, reader), 0);
	start(&late, s, 150, -1, NULL);
	start(&gone, s, 20000, reader[0], NULL);
	start(&stopped, s, 20000, -1, &stop);
	pthread_join(late.thread, NULL);
	cr_expect_eq(late.rc, ERR_BUSY);
	cr_expect_eq(late.run->busy.place, 0, "it was the first that waited");
	cr_expect_str_eq(late.run->busy.holder, first->run_id);
	cr_expect_geq(late.took_ms, 150);
	cr_expect_eq(waiting(s), 2);
	close(reader[1]);
	pthread_join(gone.thread, NULL);
	cr_expect_eq(gone.rc, ERR_HUP);
	cr_expect_eq(waiting(s), 1, "who leaves is out of the queue at once");
	atomic_store(&stop, true);
	pthread_join(stopped.thread, NULL);
	cr_expect_eq(stopped.rc, ERR_OVERLOAD);
	cr_expect_eq(waiting(s), 0);
	close(reader[0]);
	run_free(late.run);
	run_free(gone.run);
	run_free(stopped.run);
	finish(first);
	store_close(s);
}

TEST(run_queue, a_full_queue_and_a_run_that_does_not_wait, .timeout = 60)
{
	struct store *s = memory_store();
	struct run *first = new_run(s, 1000, 1, NULL),
		*three = new_run(s, 5000, 1, NULL), *four = new_run(s, 5000, 1, NULL);
	struct waiter w;
	struct err e;

	TEST_OK(begin(first, false, -1, &e), e);
	start(&w, s, 20000, -1, NULL);
	int64_t began = clock_mono_ms();
	cr_expect_eq(begin(three, true, -1, &e), ERR_BUSY);
	cr_expect_eq(three->busy.place, -1);
	cr_expect_eq(begin(four, false, -1, &e), ERR_BUSY);
	cr_expect_str_eq(four->busy.holder, first->run_id);
	cr_expect_geq(four->busy.held_ms, 0);
	cr_expect_lt(clock_mono_ms() - began, 4000, "they were refused at once");
	run_free(three);
	run_free(four);
	finish(first);
	pthread_join(w.thread, NULL);
	TEST_OK(w.rc, w.e);
	store_close(s);
}
