/*
 * An office with the onboarding agent: a store, a scripted model, and turns of one conversation.
 */
#ifndef TESTS_UNIT_ONBOARDING_FIX_H
#define TESTS_UNIT_ONBOARDING_FIX_H

#include "agents/env.h"
#include "agents/onboarding/agent.h"
#include "base/conf.h"
#include "base/log.h"
#include "runtime/run.h"
#include "tests/unit/scripted_llm.h"
#include "tests/unit/store_fix.h"

#define OFFICE_THREAD "6f1e0a52-6f0c-4b0e-9a53-0c8d2c1a7b11"

struct office {
	struct fix store;
	struct conf conf;
	struct scripted_llm llm;
	struct llm *client;
	struct agent_open agent;
	struct arena *a;
	struct sink sink;
	const char *events, *text;    /* of the newest turn */
	const char *state;
	struct err error;             /* of the newest turn */
	enum run_status status;
	struct thread thread;
	int64_t deadline_ms;
	int leave_after;              /* the reader leaves with this event; 0: it stays */
	int nevents;
};

static inline enum errcode office_emit(struct sink *s, const struct event *ev)
{
	struct office *o = (struct office *)((char *)s - offsetof(struct office, sink));
	o->events = arena_printf(o->a, "%s%s ", o->events, event_name(ev->kind));
	if (ev->kind == EV_TEXT)
		o->text = arena_printf(o->a, "%s%s", o->text, ev->text);
	if (ev->kind == EV_TOOL_START || ev->kind == EV_TOOL_END) {
		cr_expect_not_null(ev->call_id);
		cr_expect_gt(ev->time_us, 0);
	}
	return ++o->nevents == o->leave_after ? ERR_HUP : OK;
}

/* llm: NULL replies: there is no model. */
static inline bool office_open(struct office *o, const char *provider, const struct scripted_reply *replies,
    size_t n)
{
	static const struct sink_ops ops = { "office", .emit = office_emit };
	struct err e = { 0 };
	*o = (struct office){ .sink = { &ops } };
	log_level_set("ERROR");
	if (!fix_up(&o->store, provider, 0))
		return false;
	o->a = o->store.a;
	o->conf = (struct conf){ .data_dir = TEST_SRCDIR, .onboarding_company = "Acme Aero",
		.onboarding_model_calls = 12, .onboarding_tool_calls = 24, .onboarding_failed_writes = 4,
		.onboarding_exports = 2, .onboarding_turn_s = 120, .onboarding_call_s = 60,
		.history_tokens = 6000, .onboarding_export_dir = arena_printf(o->a, "%s/exports", o->store.dir) };
	scripted_init(&o->llm, o->a, replies, n);
	const struct llm_config lc = { .backoff_ms = 1 };
	if (replies != NULL)
		o->client = llm_open(&o->llm.base, &lc);
	const struct agent_env env = { .mem = o->a, .conf = &o->conf, .llm = o->client };
	TEST_OK(agent_open(&o->agent, &onboarding_agent, &env, &e), e);
	return true;
}

static inline void office_close(struct office *o)
{
	agent_close(&o->agent);
	llm_close(o->client);
	fix_down(&o->store);
}

/* Load the thread as the next turn would. */
static inline const struct thread *office_thread(struct office *o)
{
	const struct thread_owner owner = { .agent = "onboarding" };
	struct err e = { 0 };
	TEST_OK(store_load(o->store.s, o->a, OFFICE_THREAD, &owner, 200, &o->thread, &e), e);
	return &o->thread;
}

/* One turn, to its end. */
static inline const struct thread *office_turn(struct office *o, const char *said)
{
	const struct message m = MESSAGE("user", said);
	const struct run_setup setup = { .agent = &o->agent, .store = o->store.s, .limits = {
		.deadline_ms = o->deadline_ms, .lease_ms = 15000, .history_messages = 80 } };
	const struct turn_request req = { .thread_id = OFFICE_THREAD, .messages = &m, .nmessages = 1,
		.reader_fd = -1 };
	struct run *run = run_new(&setup);
	int64_t retry;
	struct err e = { 0 };
	o->events = o->text = "";
	o->nevents = 0;
	TEST_OK(run_begin(run, &req, &retry, &e), e);
	run->log.first.sink = &o->sink;
	(void)run_turn(run);
	o->error = run->error;
	o->status = run->status;
	run_free(run);
	return office_thread(o);
}

/* A text field of the record; NULL: it is not filled. */
static inline const char *office_field(struct office *o, const char *name)
{
	struct json_object *record;
	struct err e = { 0 };
	TEST_OK(onboarding_record(o->a, office_thread(o)->state, &record, &e), e);
	return jsn_get_str(record, name, NULL);
}

#endif
