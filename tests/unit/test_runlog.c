/*
 * The event log of a run: several readers, one of them late, one that leaves; which events are
 * kept, and how many.
 */
#include "tests/unit/test.h"

#include "base/arena.h"
#include "base/jsn.h"
#include "runtime/run.h"
#include "tests/unit/sink_mem.h"

/* Numbers increase by one, and agree with the log's own state. */
static void expect_numbers(const struct sink_mem *m, int64_t from)
{
	for (size_t i = 0; i < m->n; i++)
		cr_expect_eq(m->events[i].seq, from + (int64_t)i, "event %zu: %lld", i,
		    (long long)m->events[i].seq);
}

static enum errcode say(struct runlog *log, const char *text)
{
	const struct event ev = { .kind = EV_TEXT, .text = text };
	return runlog_append(log, &ev);
}

/* -- a run with two readers: one comes late, one leaves -- */

static struct sink_mem late;
static struct runlog_reader late_reader = { .sink = &late.sink };
static size_t first_had;

static enum errcode speak(struct run *run, struct err *e)
{
	struct json_object *plan = jsn_object(run->mem);
	jsn_add_str(plan, "tool", "look");
	const struct event ev = { .kind = EV_PLAN, .data = plan };
	(void)e;
	return run_emit(run, &ev) == OK ? run_text(run, "one ") : ERR_HUP;
}

static enum errcode attach_late(struct run *run, struct err *e)
{
	first_had = ((struct sink_mem *)run->log.first.sink)->n;
	return runlog_attach(&run->log, &late_reader, 1, e);
}

static enum errcode finish(struct run *run, struct err *e)
{
	(void)e;
	enum errcode rc = run_text(run, "two ");
	if (rc == OK)
		rc = run_text(run, "three");
	if (rc == OK)
		run->answer = run_said(run);
	return rc;
}

static const struct node nodes[] = {
	[1] = { "speak", speak, 2, NULL, 0 },
	[2] = { "attach", attach_late, 3, NULL, 0 },
	[3] = { "finish", finish, NODE_END, NULL, NODE_ALWAYS },
};
static const struct graph graph = { .name = "talk", .nodes = nodes, .nnodes = 4, .entry = 1,
	.max_steps = 4, .state_size = 1 };
static const struct agent agent = { .name = "talk", .graph = &graph };

struct fix {
	struct arena *a;
	struct store *store;
	struct run *run;
	struct sink_mem first;
	struct err e;
};

static void begin(struct fix *f)
{
	static const struct store_config c = { .provider = "memory", .ttl_s = 60, .timeout_ms = 1000 };
	static const struct agent_open open = { &agent, NULL };
	const struct message m = { .role = "user", .content = "hello" };
	const struct turn_request req = { .thread_id = "t1", .messages = &m, .nmessages = 1 };
	int64_t retry;
	memset(f, 0, sizeof(*f));
	f->a = arena_new();
	TEST_OK(store_open(&f->store, &c, &f->e), f->e);
	const struct run_setup setup = { .agent = &open, .store = f->store,
		.limits = { .lease_ms = 15000, .history_messages = 10 } };
	f->run = run_new(&setup);
	cr_expect_eq(f->run->status, RUN_QUEUED);
	sink_mem_init(&f->first, f->a);
	sink_mem_init(&late, f->a);
	late_reader = (struct runlog_reader){ .sink = &late.sink };
	f->run->log.first.sink = &f->first.sink;
	TEST_OK(run_begin(f->run, &req, &retry, &f->e), f->e);
}

static void end(struct fix *f)
{
	run_free(f->run);
	store_close(f->store);
	arena_free(f->a);
}

TEST(runlog, a_late_reader_gets_all_that_is_kept)
{
	struct fix f;
	begin(&f);
	runlog_keep(&f.run->log, 1 << 16);
	cr_assert_eq(run_turn(f.run), OK);
	cr_expect_eq(f.run->status, RUN_DONE, "%s", run_status_name(f.run->status));
	cr_expect_geq(f.run->ended_wall_us, f.run->started_wall_us);
	cr_expect_eq(first_had, 2);
	cr_expect_eq(late.n, f.first.n, "the same events");
	expect_numbers(&f.first, 1);
	expect_numbers(&late, 1);
	cr_expect_str_eq(sink_mem_text(&late), "one two three");
	cr_expect_str_eq(jsn_get_str(late.events[0].data, "tool", ""), "look");
	cr_expect_eq(late.events[late.n - 1].kind, EV_DONE);
	cr_expect_eq(late_reader.next, f.run->log.last + 1);
	/* a reader that comes after the end gets the whole run, and can ask for its second half */
	struct sink_mem after;
	struct runlog_reader reader = { .sink = &after.sink };
	sink_mem_init(&after, f.a);
	TEST_OK(runlog_attach(&f.run->log, &reader, 3, &f.e), f.e);
	cr_expect_eq(after.n, f.first.n - 2);
	expect_numbers(&after, 3);
	end(&f);
}

TEST(runlog, a_reader_that_leaves_ends_the_run_only_when_it_is_the_first)
{
	for (int who = 0; who < 2; who++) {
		struct fix f;
		begin(&f);
		runlog_keep(&f.run->log, 1 << 16);
		if (who == 0)
			f.first.hup_after = 3;     /* after the plan and "one " */
		else
			late.hup_after = 3;
		cr_assert_eq(run_turn(f.run), who == 0 ? ERR_HUP : OK);
		cr_expect_eq(f.run->status, who == 0 ? RUN_CANCELLED : RUN_DONE);
		cr_expect(f.run->saved);
		cr_expect_str_eq(f.run->answer, who == 0 ? "one …" : "one two three");
		if (who == 0) {
			/* the other reader saw the event at which the first one left, and then only the
			 * end */
			cr_expect_eq(late.n, 4);
			cr_expect_eq(f.run->log.last, 4);
			cr_expect_eq(f.run->log.first.next, 3, "where it could go on");
		} else {
			cr_expect_eq(late.n, 2);
			cr_expect(late_reader.left);
			cr_expect_eq(late_reader.next, 3, "where it could go on");
			expect_numbers(&f.first, 1);
		}
		end(&f);
	}
}

TEST(runlog, a_run_that_goes_on_does_not_mind_that_its_first_reader_leaves)
{
	struct fix f;
	struct run_record r;
	begin(&f);
	runlog_keep(&f.run->log, 1 << 16);
	f.run->log.goes_on = true;
	f.first.hup_after = 3;
	cr_assert_eq(run_turn(f.run), OK);
	cr_expect_eq(f.run->status, RUN_DONE);
	cr_expect_str_eq(f.run->answer, "one two three");
	cr_expect_eq(runlog_fd(&f.run->log), -1);
	cr_expect_str_eq(sink_mem_text(&late), "one two three");
	cr_expect_eq(late.events[late.n - 1].kind, EV_DONE);
	TEST_OK(store_run_find(f.store, f.a, f.run->run_id, NULL, &r, &f.e), f.e);
	cr_expect_eq(r.status, RUN_DONE);
	end(&f);
}

TEST(runlog, the_record_in_the_store_says_how_a_run_ended)
{
	for (int who = 0; who < 2; who++) {
		struct fix f;
		struct run_record r;
		begin(&f);
		TEST_OK(store_run_find(f.store, f.a, f.run->run_id, NULL, &r, &f.e), f.e);
		cr_expect_eq(r.status, RUN_RUNNING);
		cr_expect_str_eq(r.thread_id, "t1");
		f.first.hup_after = who == 0 ? 3 : 0;
		(void)run_turn(f.run);
		TEST_OK(store_run_find(f.store, f.a, f.run->run_id, NULL, &r, &f.e), f.e);
		/* without a log of its own the late reader of this graph is refused, which is a failure */
		cr_expect_eq(r.status, who == 0 ? RUN_CANCELLED : RUN_FAILED);
		cr_expect_str_eq(r.error, "not_found");
		cr_expect_gt(r.ended_us, r.started_us);
		cr_expect(!r.overdue && !r.logged);
		end(&f);
	}
}

TEST(runlog, nothing_is_kept_unless_asked_for)
{
	struct fix f;
	begin(&f);
	cr_assert_eq(run_turn(f.run), OK);
	cr_expect_eq(f.run->error.code, ERR_NOTFOUND, "the late reader was refused");
	cr_expect_eq(f.run->status, RUN_FAILED);
	cr_expect_eq(late.n, 0);
	cr_expect_eq(f.run->log.kept_bytes, 0);
	expect_numbers(&f.first, 1);
	end(&f);
}

/* -- the log alone -- */

TEST(runlog, keeps_the_newest_within_its_ceiling)
{
	enum { SAID = 100, MOST = 4096 };
	struct arena *a = arena_new();
	struct runlog log = { .last = 0 };
	struct sink_mem m;
	struct runlog_reader reader = { .sink = &m.sink };
	struct err e;
	runlog_keep(&log, MOST);
	for (int i = 0; i < SAID; i++) {
		cr_expect_eq(say(&log, arena_printf(a, "%060d", i)), OK, "nobody has to read");
		cr_expect_leq(log.kept_bytes, MOST);
	}
	cr_expect_gt(log.kept_bytes, MOST / 2);
	sink_mem_init(&m, a);
	cr_expect_eq(runlog_attach(&log, &reader, 1, &e), ERR_NOTFOUND);
	cr_expect_eq(m.n, 0);
	TEST_OK(runlog_attach(&log, &reader, SAID - 5, &e), e);
	cr_expect_eq(m.n, 6);
	cr_expect_eq(say(&log, "new"), OK);
	cr_expect_eq(m.n, 7);
	expect_numbers(&m, SAID - 5);
	/* an event larger than the limit leaves no gap: the events after it are kept */
	char *large = arena_alloc(a, MOST + 1);
	memset(large, 'x', MOST);
	say(&log, large);
	cr_expect_eq(log.kept_bytes, 0);
	say(&log, "small");
	cr_expect_eq(runlog_attach(&log, &(struct runlog_reader){ .sink = &m.sink }, log.last - 1, &e),
	    ERR_NOTFOUND);
	expect_numbers(&m, SAID - 5);
	runlog_release(&log);
	arena_free(a);
}

TEST(runlog, a_reader_may_leave_while_it_is_given_what_was_kept)
{
	struct arena *a = arena_new();
	struct runlog log = { .last = 0 };
	struct sink_mem m;
	struct runlog_reader reader = { .sink = &m.sink };
	struct err e;
	sink_mem_init(&m, a);
	m.hup_after = 2;
	runlog_keep(&log, 1 << 16);
	say(&log, "a");
	say(&log, "b");
	cr_expect_eq(runlog_attach(&log, &reader, 1, &e), ERR_HUP);
	cr_expect_eq(m.n, 1);
	cr_expect_eq(say(&log, "c"), OK);
	cr_expect_eq(m.n, 1, "it was not attached");
	cr_expect_eq(reader.next, 2);
	runlog_release(&log);
	arena_free(a);
}

TEST(runlog, shows_life_to_all)
{
	struct arena *a = arena_new();
	struct sink_mem one, two;
	struct runlog log = { .first.sink = &one.sink };
	struct runlog_reader reader = { .sink = &two.sink };
	struct err e;
	sink_mem_init(&one, a);
	sink_mem_init(&two, a);
	TEST_OK(runlog_attach(&log, &reader, 0, &e), e);
	cr_expect_eq(runlog_tick(&log), OK);
	two.hup_after = 1;
	cr_expect_eq(runlog_tick(&log), OK, "only the first one counts");
	cr_expect_eq(runlog_tick(&log), OK);
	cr_expect_eq(one.ticks, 3);
	cr_expect_eq(two.ticks, 2, "it is not asked again");
	one.hup_after = 1;
	cr_expect_eq(runlog_tick(&log), ERR_HUP);
	cr_expect_eq(say(&log, "x"), ERR_HUP);
	cr_expect_eq(one.n, 0);
	arena_free(a);
}
