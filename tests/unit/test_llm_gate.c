/*
 * The gate of a process: its cap, its queue and its breaker.
 */
#include "services/llm_gate.h"
#include "tests/unit/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
enum { LONG_MS = 60000, ROUNDS = 1000 };

/* As most tests want it: nobody waits, three failures, a rest no test outlives. */
static const struct llm_gate_config usual = { .max_calls = 4, .max_failures = 3, .rest_ms = LONG_MS };

static enum errcode enter(struct llm_gate *g, int64_t *probe)
{
	bool full;
	return llm_gate_enter(g, NULL, probe, &full, NULL);
}

/* One call that ended so. */
static void call(struct llm_gate *g, enum llm_outcome outcome)
{
	int64_t probe;
	cr_assert_eq(enter(g, &probe), OK);
	llm_gate_leave(g, probe, outcome);
}

static bool rests(struct llm_gate *g)
{
	return rest_left_ms(&g->rest) > 0;
}

/* The rest is over: the next call tries. */
static void end_rest(struct llm_gate *g)
{
	atomic_store(&g->rest.until_ms, 1);
}

static void log_to(const char *dir)
{
	char path[600];
	snprintf(path, sizeof(path), "%s/log", dir);
	cr_assert(log_open(path));
}

/* Lines of the log with `what` in them. */
static int logged(const char *dir, const char *what)
{
	char path[600], line[4096];
	int n = 0;
	snprintf(path, sizeof(path), "%s/log", dir);
	FILE *f = fopen(path, "r");
	cr_assert_not_null(f);
	while (fgets(line, sizeof(line), f) != NULL)
		n += strstr(line, what) != NULL;
	fclose(f);
	return n;
}

/* -- the cap -- */

TEST(llm_gate, cap)
{
	int64_t probe;
	bool full;
	struct err e;
	struct llm_gate g;
	llm_gate_init(&g, &usual);
	for (int i = 0; i < 4; i++) {
		TEST_OK(llm_gate_enter(&g, NULL, &probe, &full, &e), e);
		cr_expect_eq(probe, 0);
	}
	cr_expect_eq(llm_gate_enter(&g, NULL, &probe, &full, &e), ERR_OVERLOAD);
	cr_expect(full);
	cr_expect(strstr(e.msg, "AVIATION_AGENT_LLM_MAX_CALLS") != NULL, "%s", e.msg);
	llm_gate_leave(&g, 0, LLM_ANSWERED);
	cr_expect_eq(enter(&g, &probe), OK);
	cr_expect_eq(enter(&g, &probe), ERR_OVERLOAD);
	llm_gate_release(&g);
}

/* -- waiting -- */

/* What happens while one waits as the first in line: the only place is given back, and somebody
 * else comes. */
struct scene {
	struct llm_gate g;
	int checks, refused;
};

static enum errcode in_a_hurry(void *arg, int64_t *ms)
{
	(void)arg;
	*ms = 1;
	return ERR_TIMEOUT;
}

static enum errcode play(void *arg, int64_t *ms)
{
	struct scene *s = arg;
	const struct watch hurry = { .fd = -1, .check = in_a_hurry };
	int64_t probe;
	bool full;
	*ms = LONG_MS;
	if (s->checks++ == 0) {
		llm_gate_leave(&s->g, 0, LLM_NO_VERDICT);
		s->refused = llm_gate_enter(&s->g, &hurry, &probe, &full, NULL) == ERR_TIMEOUT;
	}
	return OK;
}

TEST(llm_gate, first_come_first_served_and_at_once)
{
	int64_t probe;
	bool full;
	struct err e;
	struct llm_gate_config c = usual;
	c.max_calls = 1;
	c.queue_ms = LONG_MS;
	struct scene s = { .checks = 0 };
	const struct watch w = { .fd = -1, .check = play, .arg = &s };
	llm_gate_init(&s.g, &c);
	TEST_OK(llm_gate_enter(&s.g, NULL, &probe, &full, &e), e);
	TEST_OK(llm_gate_enter(&s.g, &w, &probe, &full, &e), e);
	cr_expect(s.refused, "who came later was let in first");
	cr_expect_eq(s.checks, 1, "it was not woken but looked again");
	llm_gate_release(&s.g);
}

struct crowd {
	struct llm_gate g;
	atomic_int inside, most, served;
};

static void *pass(void *arg)
{
	struct crowd *c = arg;
	for (int i = 0; i < 20; i++) {
		int64_t probe;
		if (enter(&c->g, &probe) != OK)
			return NULL;
		int n = atomic_fetch_add(&c->inside, 1) + 1, most = atomic_load(&c->most);
		while (n > most && !atomic_compare_exchange_weak(&c->most, &most, n))
			;
		clock_sleep_ms(1);
		atomic_fetch_sub(&c->inside, 1);
		atomic_fetch_add(&c->served, 1);
		llm_gate_leave(&c->g, probe, LLM_ANSWERED);
	}
	return NULL;
}

TEST(llm_gate, a_crowd_is_served_few_at_a_time)
{
	pthread_t t[16];
	struct llm_gate_config gc = usual;
	gc.max_calls = 3;
	gc.queue_ms = LONG_MS;
	struct crowd c = { .served = 0 };
	llm_gate_init(&c.g, &gc);
	for (size_t i = 0; i < COUNT(t); i++)
		pthread_create(&t[i], NULL, pass, &c);
	for (size_t i = 0; i < COUNT(t); i++)
		pthread_join(t[i], NULL);
	cr_expect_eq(c.served, 16 * 20);
	cr_expect_eq(c.most, 3);
	cr_expect_eq(c.g.taken, 0);
	llm_gate_release(&c.g);
}

static enum errcode ending(void *arg, int64_t *ms)
{
	*ms = 1;
	return ++*(int *)arg > 3 ? ERR_OVERLOAD : OK;
}

TEST(llm_gate, who_leaves_waits_no_longer)
{
	int s[2], checks = 0;
	int64_t probe;
	bool full = true;
	struct err e;
	struct llm_gate_config c = usual;
	struct llm_gate g;
	c.queue_ms = LONG_MS;
	llm_gate_init(&g, &c);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(enter(&g, &probe), OK);

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	close(s[1]);
	struct watch gone = { .fd = s[0] }, stop = { .fd = -1, .check = ending, .arg = &checks };
	cr_expect_eq(llm_gate_enter(&g, &gone, &probe, &full, &e), ERR_HUP);
	cr_expect(!full);
	cr_expect_eq(llm_gate_enter(&g, &stop, &probe, &full, &e), ERR_OVERLOAD);
	cr_expect(!full, "the watch said so, not the cap");

	/* and nobody stands in the queue for them */
	llm_gate_leave(&g, 0, LLM_NO_VERDICT);
	cr_expect_eq(enter(&g, &probe), OK);
	close(s[0]);
	llm_gate_release(&g);
}

/* The reader leaves just when the place is given to its call. */
static enum errcode given_and_gone(void *arg, int64_t *ms)
{
	*ms = LONG_MS;
	llm_gate_leave(arg, 0, LLM_NO_VERDICT);
	return ERR_HUP;
}

TEST(llm_gate, a_place_that_came_too_late_is_given_back)
{
	int64_t probe;
	bool full;
	struct llm_gate g;
	const struct watch w = { .fd = -1, .check = given_and_gone, .arg = &g };
	struct llm_gate_config c = usual;
	c.max_calls = 1;
	c.queue_ms = LONG_MS;
	llm_gate_init(&g, &c);
	cr_assert_eq(enter(&g, &probe), OK);
	cr_expect_eq(llm_gate_enter(&g, &w, &probe, &full, NULL), ERR_HUP);
	cr_expect_eq(g.taken, 0);
	cr_expect_eq(enter(&g, &probe), OK);
	llm_gate_release(&g);
}

/* Three places are kept by long calls, and two calls wait. The call in the fourth place fails, which
 * begins a rest: both are refused at once, the one that gets the place and the one behind it. */
struct queue {
	struct llm_gate g;
	struct err second;
	int waiting;
};

static enum errcode wait_behind(void *arg, int64_t *ms)
{
	struct queue *q = arg;
	const struct watch w = { .fd = -1, .check = wait_behind, .arg = q };
	int64_t probe;
	bool full;
	*ms = LONG_MS;
	if (++q->waiting == 1)
		cr_expect_eq(llm_gate_enter(&q->g, &w, &probe, &full, &q->second), ERR_UPSTREAM);
	else if (q->waiting == 2)
		llm_gate_leave(&q->g, 0, LLM_OUTAGE);
	return OK;
}

TEST(llm_gate, a_rest_ends_the_queue)
{
	int64_t probe;
	bool full;
	struct err first;
	struct queue q = { .waiting = 0 };
	const struct watch w = { .fd = -1, .check = wait_behind, .arg = &q };
	struct llm_gate_config c = usual;
	c.max_failures = 1;
	c.queue_ms = LONG_MS;
	llm_gate_init(&q.g, &c);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(enter(&q.g, &probe), OK);
	cr_expect_eq(llm_gate_enter(&q.g, &w, &probe, &full, &first), ERR_UPSTREAM);
	cr_expect(!full);
	cr_expect(strstr(first.msg, "failed 1 times in a row") != NULL, "%s", first.msg);
	cr_expect(strstr(q.second.msg, "failed 1 times in a row") != NULL, "%s", q.second.msg);
	cr_expect_eq(q.g.taken, 3);
	cr_expect_null(q.g.first);
	llm_gate_release(&q.g);
}

/* -- the breaker -- */

TEST(llm_gate, rests_after_failures_in_a_row)
{
	char *dir = test_mkdtemp();
	int64_t late, probe;
	bool full;
	struct err e;
	struct llm_gate g;
	log_to(dir);
	llm_gate_init(&g, &usual);
	cr_assert_eq(enter(&g, &late), OK);
	call(&g, LLM_OUTAGE);
	call(&g, LLM_OUTAGE);
	call(&g, LLM_ANSWERED);
	call(&g, LLM_OUTAGE);
	call(&g, LLM_NO_VERDICT);
	call(&g, LLM_OUTAGE);
	cr_expect(!rests(&g));
	call(&g, LLM_OUTAGE);
	cr_expect(rest_left_ms(&g.rest) > LONG_MS / 2 && rest_left_ms(&g.rest) <= LONG_MS);
	cr_expect_eq(llm_gate_enter(&g, NULL, &probe, &full, &e), ERR_UPSTREAM);
	cr_expect(!full);
	cr_expect(strstr(e.msg, "3 times in a row") != NULL, "%s", e.msg);

	/* a call from before the rest */
	int64_t until = atomic_load(&g.rest.until_ms);
	clock_sleep_ms(5);
	llm_gate_leave(&g, late, LLM_OUTAGE);
	cr_expect_eq(atomic_load(&g.rest.until_ms), until);
	cr_expect_eq(logged(dir, " warn provider_resting "), 1);
	cr_expect_eq(logged(dir, "provider_back"), 0);
	llm_gate_release(&g);
	log_open(NULL);
	test_rmdir(dir);
}

TEST(llm_gate, an_answer_from_before_ends_the_rest)
{
	char *dir = test_mkdtemp();
	int64_t late;
	struct llm_gate g;
	log_to(dir);
	llm_gate_init(&g, &usual);
	cr_assert_eq(enter(&g, &late), OK);
	for (int i = 0; i < 3; i++)
		call(&g, LLM_OUTAGE);
	cr_expect(rests(&g));
	llm_gate_leave(&g, late, LLM_ANSWERED);
	cr_expect(!rests(&g));
	cr_expect_eq(logged(dir, " info provider_back "), 1);
	llm_gate_release(&g);
	log_open(NULL);
	test_rmdir(dir);
}

TEST(llm_gate, a_rest_lasts_as_long_as_told)
{
	struct llm_gate_config c = usual;
	struct llm_gate g;
	c.rest_ms = 50;
	llm_gate_init(&g, &c);
	for (int i = 0; i < 3; i++)
		call(&g, LLM_OUTAGE);
	cr_expect_leq(rest_left_ms(&g.rest), 50);
	for (int i = 0; i < 500 && rests(&g); i++)
		clock_sleep_ms(10);
	call(&g, LLM_ANSWERED);
	llm_gate_release(&g);
}

TEST(llm_gate, never_rests_when_not_told_to)
{
	struct llm_gate_config c = usual;
	struct llm_gate g;
	c.max_failures = 0;
	llm_gate_init(&g, &c);
	for (int i = 0; i < 20; i++)
		call(&g, LLM_OUTAGE);
	cr_expect(!rests(&g));
	llm_gate_release(&g);
}

/* What the call that tries finds, and whether it is open, resting or to be tried again then. */
enum then { OPEN, RESTS, NEXT_TRIES };
static const struct { enum llm_outcome outcome; enum then then; } probes[] = {
	{ LLM_ANSWERED, OPEN },
	{ LLM_OUTAGE, RESTS },
	{ LLM_NO_VERDICT, NEXT_TRIES },
};

TEST(llm_gate, one_tries_for_all)
{
	for (size_t i = 0; i < COUNT(probes); i++) {
		char *dir = test_mkdtemp();
		int64_t probe, other;
		struct llm_gate g;
		log_to(dir);
		llm_gate_init(&g, &usual);
		for (int n = 0; n < 3; n++)
			call(&g, LLM_OUTAGE);
		end_rest(&g);
		cr_expect_eq(enter(&g, &probe), OK, "%zu", i);
		cr_expect_eq(enter(&g, &other), ERR_UPSTREAM, "%zu", i);
		clock_sleep_ms(5);
		int64_t left_ms = clock_mono_ms();
		llm_gate_leave(&g, probe, probes[i].outcome);
		if (probes[i].then == RESTS)
			cr_expect_geq(atomic_load(&g.rest.until_ms), left_ms + LONG_MS, "%zu", i);

		bool resting = probes[i].then == RESTS, open = probes[i].then == OPEN;
		cr_expect_eq(rests(&g), resting, "%zu", i);
		cr_expect_eq(enter(&g, &other), resting ? ERR_UPSTREAM : OK, "%zu", i);
		cr_expect_eq(enter(&g, &other), open ? OK : ERR_UPSTREAM, "%zu", i);
		cr_expect_eq(logged(dir, "provider_back"), open, "%zu", i);
		cr_expect_eq(logged(dir, "provider_resting"), 1, "%zu", i);
		llm_gate_release(&g);
		log_open(NULL);
		test_rmdir(dir);
	}
}

struct race {
	struct llm_gate g;
	pthread_barrier_t line;
	atomic_int in;
};

static void *run_race(void *arg)
{
	struct race *r = arg;
	for (int i = 0; i < ROUNDS; i++) {
		int64_t probe;
		pthread_barrier_wait(&r->line);
		enum errcode rc = enter(&r->g, &probe);
		atomic_fetch_add(&r->in, rc == OK);
		pthread_barrier_wait(&r->line);
		/* who tried hands the trial on, for the next round */
		if (rc == OK)
			llm_gate_leave(&r->g, probe, LLM_NO_VERDICT);
	}
	return NULL;
}

TEST(llm_gate, one_wins_each_time)
{
	pthread_t t[8];
	struct llm_gate_config c = usual;
	struct race r = { .in = 0 };
	c.max_calls = (int)COUNT(t);
	llm_gate_init(&r.g, &c);
	pthread_barrier_init(&r.line, NULL, COUNT(t));
	end_rest(&r.g);
	for (size_t i = 0; i < COUNT(t); i++)
		pthread_create(&t[i], NULL, run_race, &r);
	for (size_t i = 0; i < COUNT(t); i++)
		pthread_join(t[i], NULL);
	cr_expect_eq(r.in, ROUNDS, "%d", r.in);
	pthread_barrier_destroy(&r.line);
	llm_gate_release(&r.g);
}
