/* Customs texts read by a language model: what is asked, and which replies are refused. */
#include "airports/notice_model.h"

#include <math.h>

#include "airports/facts.h"
#include "tests/unit/scripted_llm.h"

#define TEXT "MON-FRI 0700-1900. If the flight comes from outside the Schengen area, except in July, notify " \
	"24 HR before, unless the AD is closed. SAT, SUN: before 11:00 on the last working day."
#define RULE(members) "{\"rules\":[{\"rule_type\":\"customs\",\"notification_type\":\"hours\"," members "}]}"

static const struct refused {
	const char *reply, *says;
} refused[] = {
	{ "I cannot read this.", "no JSON object" },
	{ "}{", "no JSON object" },
	{ "{\"rules\": [}", "not valid JSON" },
	{ "{\"rules\": []}", "no rules" },
	{ "{\"rules\": \"none\"}", "no rules" },
	{ "{\"rules\": [24]}", "rule 1: it is not an object" },
	{ RULE("\"hours_notice\":36"), "rule 1: hours_notice does not stand in the text" },
	{ RULE("\"hours_notice\":2"), "hours_notice does not stand in the text" },
	{ RULE("\"hours_notice\":1e9"), "hours_notice is not a number that is possible" },
	{ RULE("\"hours_notice\":-24"), "hours_notice is not a number that is possible" },
	{ RULE("\"hours_notice\":24.5"), "hours_notice is not a number that is possible" },
	{ RULE("\"hours_notice\":\"24\""), "hours_notice is not a number that is possible" },
	{ RULE("\"hours_notice\":null"), "hours_notice is missing" },
	{ RULE("\"hours_notice\":24,\"weekday_start\":7"), "weekday_start is not a number" },
	{ RULE("\"hours_notice\":24,\"weekday_end\":3"), "weekday_end is there without weekday_start" },
	{ RULE("\"hours_notice\":24,\"includes_holidays\":true"), "a day does not stand in the text" },
	{ RULE("\"hours_notice\":24,\"includes_holidays\":1"), "includes_holidays is not true or false" },
	{ RULE("\"hours_notice\":24,\"specific_time\":\"1200\""), "specific_time does not stand in the text" },
	{ RULE("\"hours_notice\":24,\"specific_time\":\"11:00\""), "specific_time is not a time as HHMM" },
	{ RULE("\"hours_notice\":24,\"specific_time\":1100"), "specific_time is not a time as HHMM" },
	{ RULE("\"hours_notice\":24,\"business_day_offset\":-2"), "business_day_offset does not stand" },
	{ RULE("\"hours_notice\":24,\"summary\":\"24 HR, 48 HR at night\""), "a number of summary does not stand" },
	{ RULE("\"hours_notice\":24,\"price\":0"), "a member is not known" },
	{ "{\"rules\":[{\"rule_type\":\"fuel\",\"notification_type\":\"hours\",\"hours_notice\":24}]}", "rule_type" },
	{ "{\"rules\":[{\"rule_type\":\"ppr\",\"notification_type\":\"soon\"}]}", "notification_type" },
};

TEST(notice_model, replies_that_say_more_than_the_text_are_refused)
{
	struct arena *a = arena_new();
	struct err e = { 0 };

	TEST_OK(facts_open(TEST_SRCDIR, &e), e);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct notice_reading r = { .n = 7 };

		e = (struct err){ 0 };
		cr_expect_eq(notice_model_rules(&r, a, TEXT, refused[i].reply, &e), ERR_UPSTREAM, "%s",
		    refused[i].reply);
		cr_expect_not_null(strstr(e.msg, refused[i].says), "%s: %s", refused[i].reply, e.msg);
		cr_expect_eq(r.n, 7, "the reading is untouched");
	}
	struct notice_reading r;
	cr_expect_eq(notice_model_rules(&r, a, "PPR 48 HR", "{\"rules\":[{\"rule_type\":\"ppr\","
	    "\"notification_type\":\"h24\"}]}", &e), ERR_UPSTREAM);
	cr_expect_eq(notice_model_rules(&r, a, "PPR 48 HR", "{\"rules\":[{\"rule_type\":\"ppr\","
	    "\"notification_type\":\"hours\",\"hours_notice\":48,\"schengen_only\":true}]}", &e), ERR_UPSTREAM);
	arena_free(a);
}

TEST(notice_model, rules_of_a_good_reply)
{
	static const char reply[] = "Here it is:\n```json\n{\"rules\":["
	    "{\"rule_type\":\"customs\",\"notification_type\":\"hours\",\"hours_notice\":24,"
	    "\"weekday_start\":0,\"weekday_end\":4,\"non_schengen_only\":true,\"summary\":\"notify 24 HR before\"},"
	    "{\"rule_type\":\"customs\",\"notification_type\":\"business_day\",\"weekday_start\":5,"
	    "\"weekday_end\":6,\"specific_time\":\"1100\",\"business_day_offset\":-1,\"hours_notice\":null},"
	    "{\"rule_type\":\"immigration\",\"notification_type\":\"on_request\",\"is_prohibited\":true}"
	    "],\"overall_summary\":\"\"}\n```";
	struct arena *a = arena_new();
	struct err e = { 0 };
	struct notice_reading r;

	TEST_OK(facts_open(TEST_SRCDIR, &e), e);
	TEST_OK(notice_model_rules(&r, a, TEXT, reply, &e), e);
	cr_assert_eq(r.n, 3);
	cr_expect(r.rule[0].kind == NOTICE_HOURS && r.rule[0].hours == 24 && r.rule[0].non_schengen);
	cr_expect_eq(r.rule[0].days.mask, NOTICE_WEEKDAYS);
	cr_expect_str_eq(r.rule[0].raw, "notify 24 HR before");
	cr_expect(r.rule[1].kind == NOTICE_BUSINESS_DAY && r.rule[1].before == 1100 &&
	    r.rule[1].working_days == 1 && isnan(r.rule[1].hours));
	cr_expect_eq(r.rule[1].days.mask, NOTICE_WEEKEND);
	cr_expect_eq(r.rule[2].kind, NOTICE_NOT_AVAILABLE);
	for (size_t i = 0; i < r.n; i++)
		cr_expect(r.rule[i].by_model && r.rule[i].confidence == 0.85);
	cr_expect_null(r.warning);
	arena_free(a);
}

/* The model is asked about difficult texts only, and its failures leave the own reading. */
TEST(notice_model, what_goes_wrong_leaves_the_own_reading)
{
	static const struct scripted_reply replies[] = {
		{ .text = RULE("\"hours_notice\":24") },
		{ .text = RULE("\"hours_notice\":36") },
		{ .rc = ERR_UPSTREAM }, { .rc = ERR_UPSTREAM }, { .rc = ERR_UPSTREAM },
	};
	struct arena *a = arena_new();
	struct scripted_llm script;
	struct err e = { 0 };
	struct prompt *prompt;
	struct notice_reading own, r;

	TEST_OK(facts_open(TEST_SRCDIR, &e), e);
	TEST_OK(notice_model_prompt(&prompt, a, TEST_SRCDIR "/prompts/notice.md", &e), e);
	scripted_init(&script, a, replies, sizeof(replies) / sizeof(replies[0]));
	const struct llm_config config = { .backoff_ms = 1 };
	struct notice_model m = { .llm = llm_open(&script.base, &config), .prompt = prompt, .model = "small",
		.first_ms = 1000 };

	notice_read(&own, a, TEXT);
	cr_assert_gt(own.complexity, 2);
	notice_read_with(&r, a, "PPR 24 HR", &m);
	cr_expect_eq(script.nasked, 0, "an easy text");
	notice_read_with(&r, a, " ", &m);
	cr_expect_eq(script.nasked, 0, "no text");
	notice_read_with(&r, a, TEXT, &m);
	cr_expect(r.n == 1 && r.rule[0].by_model && r.warning == NULL);
	cr_expect_not_null(strstr(script.asked[0].messages[1].content, TEXT));
	cr_expect_eq(script.asked[0].temperature, 0);
	notice_read_with(&r, a, TEXT, &m);
	cr_expect_eq(r.n, own.n);
	cr_expect_not_null(strstr(r.warning, "The language model was not used: rule 1: hours_notice does not stand"),
	    "%s", r.warning);
	for (int i = 0; i < 5; i++) {
		notice_read_with(&r, a, TEXT, &m);
		cr_expect_eq(r.n, own.n);
		cr_expect_not_null(strstr(r.warning, "The language model was not used: "), "%s", r.warning);
	}
	cr_expect_not_null(strstr(r.warning, "it did not answer before"), "%s", r.warning);
	cr_expect(m.asked == 2 + NOTICE_MODEL_FAILURES && m.used == 1, "%zu %zu", m.asked, m.used);
	llm_close(m.llm);
	m = (struct notice_model){ .prompt = prompt };
	notice_read_with(&r, a, TEXT, &m);
	cr_expect_not_null(strstr(r.warning, "OPENAI_API_KEY"), "%s", r.warning);
	arena_free(a);
}
