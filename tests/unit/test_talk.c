/*
 * What a thread keeps beside its messages: the airports that can be picked, where they come from, and that it comes
 * back from the store as it was.
 */
#include "agents/aviation/builtin/answer_list.h"
#include "agents/aviation/builtin/labels.h"

#include <math.h>

#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/test.h"
#include "tools/tool.h"

TEST(talk, picks)
{
	static const struct { const char *pick, *ident; bool several; } rows[] = {
		{ "1", "LFAT", false }, { "3", "LFMD", false }, { "-1", "LFMD", false }, { "4", NULL, false },
		{ "0", NULL, false }, { "99999999999999999999", NULL, false }, { "", NULL, false },
		{ "runway", "EGTF", false }, { "distance", "LFAT", false }, { "fee", "LFMD", false },
		{ "it", NULL, true }, { "1000ft", "LFMD", false }, { "610m", "EGTF", false }, { "611m", NULL, false }, { "605m", NULL, false },
	};
	struct talk t = { .n = 3, .list = { { "LFAT", NAN, 5, NAN }, { "EGTF", 2000, 7, 30 }, { "LFMD", 1000, NAN, 10 } } };
	bool several;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *ident = talk_pick(&t, rows[i].pick, &several);
		cr_expect(streq(ident, rows[i].ident), "%s: %s", rows[i].pick, ident);
		cr_expect_eq(several, rows[i].several, "%s", rows[i].pick);
	}
	t.list[0].runway_ft = 2000;
	cr_expect_null(talk_pick(&t, "610m", &several));
	cr_expect(several);
	t.n = 1;
	cr_expect_str_eq(talk_pick(&t, "it", &several), "LFAT");
	snprintf(t.current, sizeof(t.current), "EGKB");
	cr_expect_str_eq(talk_pick(&t, "it", &several), "EGKB");
	t.n = 0;
	cr_expect_null(talk_pick(&t, "-1", &several));
	cr_expect_null(talk_pick(&t, "fee", &several));
}

/* "LFAT EGTF | LFAT": the list, and after the bar the airport that was spoken of last. */
static const char *told(struct arena *a, const struct talk *t)
{
	const char *all = "";
	for (size_t i = 0; i < t->n; i++)
		all = arena_printf(a, "%s%s ", all, t->list[i].ident);
	return arena_printf(a, "%s| %s", all, t->current);
}

static struct plan plan_of(enum tool_result result)
{
	return (struct plan){ .tool = toolset_giving(tools_builtin, result) };
}

TEST(talk, hears_what_was_found)
{
	static const struct { enum tool_result result; const char *json, *told; } rows[] = {
		{ RESULT_AIRPORTS_NEAR, "{\"airports\":[{\"ident\":\"LFAT\"},{\"ident\":\"EGTF\"}],\"unrecorded\":[{\"ident\":\"LFMD\"}]}",
		    "LFAT EGTF LFMD | " },
		{ RESULT_AIRPORTS_FOUND, "{\"airports\":[{\"ident\":\"LFAT\"}]}", "LFAT | LFAT" },
		{ RESULT_AIRPORTS_ROUTE, "{\"found\":false}", "| " },
		{ RESULT_AIRPORT, "{\"airport\":{\"ident\":\"LFAT\"}}", "EGKB | LFAT" },
		{ RESULT_NOTICE, "{\"icao\":\"LFAT\"}", "EGKB | LFAT" },
		{ RESULT_RULES_ANSWER, "{\"airports\":[{\"ident\":\"LFAT\"}]}", "EGKB | EGKB" },
		{ RESULT_AIRPORTS_NEAR, "{\"airports\":[{\"ident\":\"a name that is far too long\"},{},7,null]}", "    | " },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct talk t = { .n = 1, .list = { { .ident = "EGKB" } }, .current = "EGKB" };
		struct json_object *result;
		struct err e = { OK, "" };
		const struct plan plan = plan_of(rows[i].result);
		TEST_OK(jsn_parse(a, rows[i].json, strlen(rows[i].json), JSN_DEPTH, &result, NULL, &e), e);
		talk_heard(&t, &plan, result);
		cr_expect_str_eq(told(a, &t), rows[i].told, "%s: %s", rows[i].json, told(a, &t));
		arena_free(a);
	}
}

static struct json_object *parsed(struct arena *a, const char *json)
{
	struct json_object *o;
	struct err e = { OK, "" };
	TEST_OK(jsn_parse(a, json, strlen(json), JSN_DEPTH, &o, NULL, &e), e);
	return o;
}

TEST(talk, further_airports_are_the_list_unless_there_are_none)
{
	struct arena *a = arena_new();
	const struct tool *near = toolset_giving(tools_builtin, RESULT_AIRPORTS_NEAR);
	const struct plan more = { .tool = near, .arguments = parsed(a, "{\"offset\":5}") };
	struct talk t = { .n = 0 };

	talk_heard(&t, &(struct plan){ .tool = near, .arguments = jsn_object(a) },
	    parsed(a, "{\"airports\":[{\"ident\":\"LFLY\"},{\"ident\":\"LFLL\"}]}"));
	talk_heard(&t, &more, parsed(a, "{\"airports\":[]}"));
	cr_expect_eq(t.n, (size_t)2);
	talk_heard(&t, &more, parsed(a, "{\"airports\":[{\"ident\":\"LFLP\"}]}"));
	cr_expect_eq(t.n, (size_t)1);
	cr_expect_str_eq(t.list[0].ident, "LFLP");
	arena_free(a);
}

/* "La Chaux-de-Fonds or Neuchâtel, which has jet fuel?", "the first one". The next message, about one airport, leaves the list as it is. */
TEST(talk, airports_told_one_by_one_are_a_list)
{
	struct arena *a = arena_new();
	const struct plan details = plan_of(RESULT_AIRPORT);
	struct talk t = { .n = 1, .list = { { .ident = "EGKB" } } };
	bool several;

	talk_next_message(&t);
	talk_heard(&t, &details, parsed(a, "{\"airport\":{\"ident\":\"LSGC\"}}"));
	cr_expect_str_eq(t.list[0].ident, "EGKB");
	talk_heard(&t, &details, parsed(a, "{\"airport\":{\"ident\":\"LSGN\"}}"));
	cr_expect_eq(t.n, (size_t)2);
	cr_expect_str_eq(talk_pick(&t, "1", &several), "LSGC");
	cr_expect_str_eq(talk_pick(&t, "it", &several), "LSGN");
	talk_next_message(&t);
	talk_heard(&t, &details, parsed(a, "{\"airport\":{\"ident\":\"LSGC\"}}"));
	cr_expect_str_eq(talk_pick(&t, "2", &several), "LSGN");
	arena_free(a);
}

TEST(talk, hears_the_list_of_an_answer)
{
	static const struct { const char *answer, *told; } rows[] = {
		{ "Found:\n1. **Albert** (LFAQ)\n2. **Annecy** (LFLP), 3 NM\nNote.", "LFAQ LFLP | " },
		{ "1. x (EGTF) **Lyon** (LFLY)", "LFLY | LFLY" },
		{ "1. **Albert** (LFAQ)\n1. **Other** (LFLP)\n3. **Third** (LFMD)", "LFAQ | LFAQ" },
		{ "**Albert (LFAQ)** has a runway.", "EGKB | EGKB" },
		{ "", "EGKB | EGKB" }, { "1. \n2. (\n3. **", "EGKB | EGKB" },
		{ "1. **Long** (GB-0123)", "GB-0123 | GB-0123" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct talk t = { .n = 1, .list = { { .ident = "EGKB" } }, .current = "EGKB" };
		answer_list_hear(&t, NULL, rows[i].answer);
		cr_expect_str_eq(told(a, &t), rows[i].told, "%s: %s", rows[i].answer, told(a, &t));
		arena_free(a);
	}
}

TEST(talk, comes_back_as_it_was)
{
	struct arena *a = arena_new();
	struct talk t = { .n = 2, .list = { { "LFAT", 1000.5, NAN, 3 }, { "EGTF", NAN, 7, NAN } }, .current = "EGTF", .track_nm = 212.3,
		.last = UINT64_C(0xfedcba9876543210) }, back;
	struct frame *f = arena_alloc(a, sizeof(*f));

	f->plan = &aviation_schema.plan[PLAN_NEAR];
	f->slot[LABEL_NEAR] = (struct frame_slot){ 1, (struct frame_value[]){ { "Bath", "Bath", "GB" } } };
	dialogue_add(&t.dialogue, &(struct frames){ .n = 1, .frame = { f } });
	talk_copy(a, &t, &back);
	cr_expect_str_eq(told(a, &back), "LFAT EGTF | EGTF");
	cr_expect_eq(back.list[0].runway_ft, 1000.5);
	cr_expect(isnan(back.list[1].fee));
	cr_expect_eq(back.track_nm, 212.3);
	cr_expect_eq(back.last, t.last);
	cr_expect_str_eq(jsn_text(a, jsn_own(a, talk_save(&back)), JSN_PLAIN),
	    jsn_text(a, jsn_own(a, talk_save(&t)), JSN_PLAIN));
	arena_free(a);
}

TEST(talk, what_somebody_else_stored_does_no_harm)
{
	static const char *const rows[] = { "null", "7", "[]", "{}", "{\"airports\":{},\"frames\":7,\"current\":[],\"last\":1}",
		"{\"airports\":[7,[],[7],[\"LFAT\"],[\"LFAT\",\"x\",{},[]]],\"current\":\"a name that is far too long\","
		"\"last\":\"zz\"}" };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct json_object *o;
		struct err e = { OK, "" };
		struct talk t;
		TEST_OK(jsn_parse(a, rows[i], strlen(rows[i]), JSN_DEPTH, &o, NULL, &e), e);
		talk_load(a, o, &t);
		cr_expect_str_eq(t.current, "");
		cr_expect_leq(t.n, (size_t)2);
		arena_free(a);
	}
}
