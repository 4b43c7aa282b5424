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
