/*
 * A third agent, as doc/agents.md tells how to add one. It repeats what it is told, in two steps, and counts its
 * turns. Everything up to the line is the agent.
 */
#include "base/jsn.h"
#include "runtime/agent.h"
#include "runtime/run.h"
#include "tests/unit/store_fix.h"

struct echo_state {
	int64_t turns;                /* kept between turns */
};

static enum errcode echo_listen(struct run *run, struct err *e)
{
	struct echo_state *st = run->state;
	st->turns++;
	return run_checkpoint(run, e);
}

static enum errcode echo_repeat(struct run *run, struct err *e)
{
	const struct echo_state *st = run->state;
	const char *heard = run->messages[run->nmessages - 1].content;
	if (streq(heard, "fail"))
		return err_set(e, ERR_TOOL, "asked to fail");
	enum errcode rc = run_text(run, arena_printf(run->mem, "%lld: %s", (long long)st->turns, heard));
	run->answer = run_said(run);
	return rc;
}

static struct json_object *echo_save(const struct run *run)
{
	const struct echo_state *st = run->state;
	struct json_object *o = jsn_new();
	jsn_add_int(o, "turns", st->turns);
	return o;
}

static enum errcode echo_load(struct run *run, struct json_object *o, struct err *e)
{
	struct echo_state *st = run->state;
	(void)e;
	st->turns = jsn_get_int(o, "turns", 0);
	return OK;
}

static const struct node echo_nodes[] = {
	[1] = { "listen", echo_listen, 2, NULL, 0 },
	[2] = { "repeat", echo_repeat, NODE_END, NULL, 0 },
};

static const struct graph echo_graph = {
	.name = "echo", .nodes = echo_nodes, .nnodes = 3, .entry = 1, .max_steps = 2,
	.state_size = sizeof(struct echo_state), .save = echo_save, .load = echo_load,
};

static const struct agent echo_agent = { .name = "echo", .graph = &echo_graph };

/* ------------------------------------------------------------------------------------- */

struct heard {
	struct sink sink;
	struct arena *a;
	const char *events, *text;
};

static enum errcode hear(struct sink *s, const struct event *ev)
{
	struct heard *h = (struct heard *)s;
	h->events = arena_printf(h->a, "%s%s ", h->events, event_name(ev->kind));
	if (ev->kind == EV_TEXT)
		h->text = arena_printf(h->a, "%s%s", h->text, ev->text);
	return OK;
}

static enum errcode say(struct fix *f, struct heard *h, const char *text)
{
	static const struct sink_ops ops = { "heard", .emit = hear };
	const struct agent_open open = { .agent = &echo_agent };
	const struct run_setup setup = { .agent = &open, .store = f->s, .limits = { .lease_ms = 5000 } };
	const struct message m = MESSAGE("user", text);
	const struct turn_request req = { .thread_id = "t1", .messages = &m, .nmessages = 1, .reader_fd = -1 };
	struct run *run = run_new(&setup);
	struct err e = { 0 };
	int64_t retry;
	*h = (struct heard){ .sink = { &ops }, .a = f->a, .events = "", .text = "" };
	TEST_OK(run_begin(run, &req, &retry, &e), e);
	run->log.first.sink = &h->sink;
	cr_expect_eq(run_turn(run), OK);
	cr_expect(run->saved);
	const enum errcode rc = run->error.code;
	run_free(run);
	return rc;
}

TEST(agent_echo, a_third_agent_is_some_sixty_lines)
{
	static const char *const providers[] = { "memory", "sqlite", "redis", "none" };
	const struct thread_owner owner = { .agent = "echo" };
	for (size_t i = 0; i < 4; i++) {
		struct fix f;
		struct heard h;
		struct thread t;
		if (!fix_up(&f, providers[i], 0))
			continue;
		const bool keeps = !streq(providers[i], "none");
		TEST_OK(graph_check(&echo_graph, &f.e), f.e);
		cr_expect_eq(say(&f, &h, "hello"), OK);
		cr_expect_str_eq(h.text, "1: hello", "%s", providers[i]);
		cr_expect_str_eq(h.events, "message done ");
		cr_expect_eq(say(&f, &h, "again"), OK);
		cr_expect_str_eq(h.text, keeps ? "2: again" : "1: again", "%s", providers[i]);
		/* no node answers after a failure, so the runtime does, and the thread goes on */
		cr_expect_eq(say(&f, &h, "fail"), ERR_TOOL);
		cr_expect_str_eq(h.text, "The look-up failed.");
		cr_expect_str_eq(h.events, "message error done ");
		cr_expect_eq(say(&f, &h, "on"), OK);
		cr_expect_str_eq(h.text, keeps ? "4: on" : "1: on", "%s", providers[i]);
		TEST_OK(store_load(f.s, f.a, "t1", &owner, 100, &t, &f.e), f.e);
		cr_expect_eq(t.nloaded, keeps ? 8 : 0, "%s: %zu", providers[i], t.nloaded);
		cr_expect_eq(t.version, keeps ? 8 : 0, "two commits a turn");
		fix_down(&f);
	}
}
