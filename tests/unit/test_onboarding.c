/*
 * The onboarding agent over a real store, with a scripted model: the loop of model and tools, what is stored
 * after each step, and what the reader is told.
 */
#include "tests/unit/test.h"

#include "agents/env.h"
#include "tests/unit/onboarding_fix.h"

TEST(onboarding, a_turn_records_what_the_employee_says)
{
	static const struct scripted_reply replies[] = {
		{ .text = "Let me |note that.", .calls = { "{\"field_name\":\"employee_name\",\"value\":\" Ada \"}" },
		    .called = "write_data" },
		{ .text = "Welcome, |Ada." },
	};
	struct office o;
	if (!office_open(&o, "memory", replies, 2))
		return;
	const struct thread *t = office_turn(&o, "I am Ada");
	cr_expect_str_eq(o.events, "message message tool_call_start tool_call_end message message done ");
	cr_expect_str_eq(o.text, "Let me note that.Welcome, Ada.");
	cr_assert_eq(t->nloaded, 4);
	cr_expect_str_eq(t->messages[0].role, "user");
	cr_expect_str_eq(t->messages[1].role, "assistant");
	cr_expect_str_eq(t->messages[1].content, "Let me note that.");
	cr_assert_eq(t->messages[1].ncalls, 1);
	cr_expect_str_eq(t->messages[2].call_id, "id-0");
	cr_expect_str_eq(t->messages[2].content, "{\"field_name\":\"employee_name\",\"value\":\"Ada\","
	    "\"status\":\"success\",\"message\":\"Data recorded\"}");
	cr_expect_str_eq(t->messages[3].content, "Welcome, Ada.");
	cr_expect_str_eq(office_field(&o, "employee_name"), "Ada");
	cr_expect_null(office_field(&o, "employee_id"));
	cr_expect_eq(t->version, 4, "the message, the step, the result and the answer: %lld",
	    (long long)t->version);
	/* the second call of the model sees the first one's result, and the prompt stands before all */
	cr_expect_eq(o.llm.asked[1].n, 4);
	cr_expect_str_eq(o.llm.asked[1].messages[0].role, "system");
	cr_expect_str_eq(o.llm.asked[1].messages[3].role, "tool");
	office_close(&o);
}

#define WRITE(field, value) "{\"field_name\":\"" field "\",\"value\":" value "}"
#define NAME WRITE("employee_name", "\"Ada\"")
#define ID   WRITE("employee_id", "\"42-A\"")
#define KIT  WRITE("starter_kit", "\"mouse\"")

/* The message of the thread that answers a call; NULL: none does. */
static const struct message *result_of(const struct thread *t, size_t caller, const char *call_id)
{
	for (size_t i = caller + 1; i < t->nloaded && streq(t->messages[i].role, "tool"); i++)
		if (streq(t->messages[i].call_id, call_id))
			return &t->messages[i];
	return NULL;
}

static void expect_all_answered(const struct thread *t)
{
	for (size_t i = 0; i < t->nloaded; i++)
		for (size_t k = 0; k < t->messages[i].ncalls; k++)
			cr_expect_not_null(result_of(t, i, t->messages[i].calls[k].id));
}

/* W1, W5: several calls come in one reply; each sees what the one before it has changed. */
TEST(onboarding, w5_calls_of_one_reply_run_in_their_order)
{
	static const struct scripted_reply replies[] = {
		{ .calls = { NAME, ID, KIT, "{}" }, .names = { "write_data", "write_data", "write_data",
		    "export_data" } },
		{ .text = "- Ada, keyboard" },
		{ .text = "Done." },
	};
	struct office o;
	if (!office_open(&o, "sqlite", replies, 3))
		return;
	const struct thread *t = office_turn(&o, "all at once");
	cr_expect_str_eq(o.events, "tool_call_start tool_call_end tool_call_start tool_call_end tool_call_start "
	    "tool_call_end tool_call_start tool_call_end message done ");
	cr_expect_not_null(strstr(t->messages[5].content, "\"status\":\"success\""), "%s", t->messages[5].content);
	/* W8: the summary reached no reader, and its prompt has the employee's words between tags */
	cr_expect_str_eq(o.text, "Done.");
	cr_expect_str_eq(office_field(&o, "conversation_summary"), "- Ada, keyboard");
	cr_expect_null(o.llm.asked[1].tools);
	cr_expect_eq(o.llm.asked[1].n, 1);
	cr_expect_not_null(strstr(o.llm.asked[1].messages[0].content, "<record>\nemployee_name: \"Ada\"\n"), "%s",
	    o.llm.asked[1].messages[0].content);
	cr_expect_not_null(office_field(&o, "exported_at"));
	expect_all_answered(t);
	office_close(&o);
}

/* W1: the loop ended by accident. */
TEST(onboarding, w1_a_model_that_never_stops_is_stopped)
{
	struct scripted_reply replies[SCRIPTED_MAX];
	struct office o;
	for (size_t i = 0; i < SCRIPTED_MAX; i++)
		replies[i] = (struct scripted_reply){ .calls = { "{}" }, .called = "read_data" };
	if (!office_open(&o, "memory", replies, SCRIPTED_MAX))
		return;
	const struct thread *t = office_turn(&o, "hello");
	cr_expect_eq(o.llm.nasked, 12);
	cr_expect_eq(o.error.code, ERR_STEPS);
	cr_expect_eq(o.status, RUN_FAILED);
	cr_expect_str_eq(o.text, "The answer needed more steps than are allowed.");
	cr_expect_not_null(strstr(o.events, "message error done "), "%s", o.events);
	cr_expect_str_eq(t->messages[t->nloaded - 1].content, "The answer needed more steps than are allowed.");
	expect_all_answered(t);
	office_close(&o);
}

TEST(onboarding, a_turn_calls_tools_only_so_often)
{
	struct scripted_reply replies[SCRIPTED_MAX];
	struct office o;
	for (size_t i = 0; i < SCRIPTED_MAX; i++)
		replies[i] = (struct scripted_reply){ .calls = { "{}", "{}", "{}", "{}" }, .called = "read_data" };
	if (!office_open(&o, "memory", replies, SCRIPTED_MAX))
		return;
	const struct thread *t = office_turn(&o, "hello");
	cr_expect_eq(o.llm.nasked, 7, "24 calls, four in each reply, and one more reply");
	cr_expect_eq(o.error.code, ERR_STEPS);
	/* the calls that were not carried out have results that say so */
	expect_all_answered(t);
	cr_expect_not_null(strstr(t->messages[t->nloaded - 2].content, "was not carried out"));
	office_close(&o);
}

/* The retry after `laptop`: four refused values are allowed, and the fifth ends the turn. */
TEST(onboarding, w3_refused_values_are_limited)
{
	struct scripted_reply replies[SCRIPTED_MAX];
	struct office o;
	for (size_t i = 0; i < SCRIPTED_MAX; i++)
		replies[i] = (struct scripted_reply){ .calls = { WRITE("starter_kit", "\"laptop\"") },
			.called = "write_data" };
	replies[4] = (struct scripted_reply){ .calls = { KIT }, .called = "write_data" };
	replies[5] = (struct scripted_reply){ .text = "A mouse it is." };
	if (!office_open(&o, "memory", replies, SCRIPTED_MAX))
		return;
	office_turn(&o, "a laptop");
	cr_expect_eq(o.error.code, OK);
	cr_expect_str_eq(office_field(&o, "starter_kit"), "mouse");
	office_turn(&o, "no, a laptop");
	cr_expect_eq(o.error.code, ERR_STEPS);
	cr_expect_eq(o.llm.nasked, 6 + 5);
	expect_all_answered(office_thread(&o));
	office_close(&o);
}

/* W2: a call without a result made every later turn fail. */
TEST(onboarding, w2_a_dangling_call_is_repaired)
{
	static const struct message_call calls[] = { { "c1", "write_data", NAME, NULL }, { "c2", "write_data", ID, NULL } };
	static const struct scripted_reply replies[] = { { .text = "Where were we?" } };
	const struct thread_owner owner = { .agent = "onboarding" };
	struct office o;
	if (!office_open(&o, "sqlite", replies, 1))
		return;
	/* a worker was killed after the first of two results */
	struct message m[] = { MESSAGE("user", "I am Ada, 42-A"), MESSAGE("assistant", ""),
		MESSAGE("tool", "{\"status\":\"success\"}") };
	m[1].calls = calls;
	m[1].ncalls = 2;
	m[2].call_id = "c1";
	const struct commit c = { .append = m, .nappend = 3, .last = true,
		.state = "{\"version\":1,\"fields\":{\"employee_name\":\"Ada\"},\"exported\":null}" };
	struct lease l;
	struct err e;
	TEST_OK(store_lease(o.store.s, OFFICE_THREAD, "run", &owner, 1000, &l, NULL, &e), e);
	TEST_OK(store_commit(o.store.s, &l, &owner, &c, &e), e);
	const struct thread *t = office_turn(&o, "hello?");
	cr_expect_eq(o.error.code, OK);
	cr_assert_eq(o.llm.asked[0].n, 6, "prompt, question, calls, two results, question");
	cr_expect_str_eq(o.llm.asked[0].messages[4].call_id, "c2");
	cr_expect_not_null(strstr(o.llm.asked[0].messages[4].content, "no result"));
	cr_expect_str_eq(o.llm.asked[0].messages[5].content, "hello?");
	cr_expect_str_eq(t->messages[t->nloaded - 1].content, "Where were we?");
	cr_expect_str_eq(office_field(&o, "employee_name"), "Ada");
	office_close(&o);
}

/* W7: the prompt was stored, and again in each turn. */
TEST(onboarding, w7_the_prompt_comes_first_and_is_not_stored)
{
	static const struct scripted_reply replies[] = { { .text = "Hello." }, { .text = "Hello again." } };
	struct office o;
	if (!office_open(&o, "memory", replies, 2))
		return;
	office_turn(&o, "hi");
	const struct thread *t = office_turn(&o, "hi there");
	cr_assert_eq(t->nloaded, 4);
	for (size_t i = 0; i < t->nloaded; i++)
		cr_expect_str_neq(t->messages[i].role, "system");
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < o.llm.asked[k].n; i++)
			cr_expect_eq(streq(o.llm.asked[k].messages[i].role, "system"), i == 0);
	cr_expect_not_null(strstr(o.llm.asked[0].messages[0].content, "Acme Aero"));
	cr_expect_null(strstr(o.llm.asked[0].messages[0].content, "{company}"));
	office_close(&o);
}

/* W9: the result was a Python value; a tool that failed told nothing. */
TEST(onboarding, w9_every_call_is_told_with_its_result)
{
	static const struct scripted_reply replies[] = {
		{ .calls = { "{}", "not json", "[1]" }, .names = { "no_such_tool", "read_data", "read_data" } },
		{ .text = "Sorry." },
	};
	struct office o;
	if (!office_open(&o, "memory", replies, 2))
		return;
	const struct thread *t = office_turn(&o, "hi");
	cr_expect_str_eq(o.events, "tool_call_start tool_call_end tool_call_start tool_call_end tool_call_start "
	    "tool_call_end message done ");
	for (size_t i = 2; i < 5; i++)
		cr_expect_eq(strncmp(t->messages[i].content, "{\"status\":\"error\",\"message\":\"", 28), 0, "%s",
		    t->messages[i].content);
	cr_expect_eq(o.error.code, OK);
	office_close(&o);
}

/* A reader that leaves: what was stored before stays, and the thread can go on. */
TEST(onboarding, a_reader_who_leaves_in_the_middle_breaks_nothing)
{
	static const struct scripted_reply replies[] = {
		{ .calls = { NAME, ID }, .called = "write_data" }, { .text = "Go on." },
	};
	for (int leave = 1; leave <= 4; leave++) {
		struct office o;
		if (!office_open(&o, "memory", replies, 2))
			return;
		o.leave_after = leave;
		office_turn(&o, "I am Ada, 42-A");
		cr_expect_eq(o.status, RUN_CANCELLED);
		/* the events are start, end, start, end; a result is stored before its end is told */
		cr_expect_eq(office_field(&o, "employee_name") != NULL, leave >= 2, "%d", leave);
		cr_expect_eq(office_field(&o, "employee_id") != NULL, leave >= 4, "%d", leave);
		expect_all_answered(office_thread(&o));
		o.leave_after = 0;
		office_turn(&o, "and now?");
		cr_expect_eq(o.error.code, OK);
		cr_expect_str_eq(o.text, "Go on.");
		office_close(&o);
	}
}

/* What a provider wants back with a call (gemini's signatures) is stored with it. */
TEST(onboarding, the_signature_of_a_call_is_kept)
{
	static const struct message_call calls[] = { { "c1", "write_data", NAME, "sig+1" } };
	const struct thread_owner owner = { .agent = "onboarding" };
	struct office o;
	if (!office_open(&o, "sqlite", NULL, 0))
		return;
	struct message m[] = { MESSAGE("user", "I am Ada"), MESSAGE("assistant", "") };
	m[1].calls = calls;
	m[1].ncalls = 1;
	const struct commit c = { .append = m, .nappend = 2, .last = true };
	struct lease l;
	struct err e;
	TEST_OK(store_lease(o.store.s, OFFICE_THREAD, "run", &owner, 1000, &l, NULL, &e), e);
	TEST_OK(store_commit(o.store.s, &l, &owner, &c, &e), e);
	cr_expect_str_eq(office_thread(&o)->messages[1].calls[0].signature, "sig+1");
	office_close(&o);
}

/* A record that a newer version has stored is not overwritten. */
TEST(onboarding, a_record_that_cannot_be_read_stays)
{
	static const struct scripted_reply replies[] = { { .text = "Hello." } };
	static const char state[] = "{\"version\":2,\"fields\":{\"employee_name\":\"Ada\"}}";
	const struct thread_owner owner = { .agent = "onboarding" };
	struct office o;
	struct lease l;
	struct err e;
	if (!office_open(&o, "sqlite", replies, 1))
		return;
	const struct message m = MESSAGE("user", "hi");
	const struct commit c = { .append = &m, .nappend = 1, .last = true, .state = state };
	TEST_OK(store_lease(o.store.s, OFFICE_THREAD, "run", &owner, 1000, &l, NULL, &e), e);
	TEST_OK(store_commit(o.store.s, &l, &owner, &c, &e), e);
	const struct thread *t = office_turn(&o, "hello?");
	cr_expect_eq(o.error.code, ERR_STORE);
	cr_expect_eq(o.llm.nasked, 0);
	cr_expect_str_eq(t->state, state);
	cr_expect_str_eq(o.events, "message error done ");
	office_close(&o);
}
