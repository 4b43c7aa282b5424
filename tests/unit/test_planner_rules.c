/*
 * Questions about rules: what the built-in planner makes of them, alone and in the middle of a
 * conversation about airports; messages about both; what a router is told; hostile text.
 */
#include "agents/aviation/planner.h"
#include "agents/aviation/router.h"

#include "airports/icao_prefix.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/planner_airports.h"
#include "tests/unit/planner_cases.h"
#include "tests/unit/planner_rules.h"
#include "tests/unit/reader_fix.h"

/* A small airport database and a made-up rule base. */
struct fix {
	char *dir, rules_path[600];
	struct airfix airports;
	struct rules *rules;
	struct tool_context ctx;
	struct run run;
	struct plans plans;           /* the last ones that were made */
};

static void fix_open(struct fix *f, bool rules)
{
	char path[600];
	struct db *db;
	struct err e = { OK, "" };
	memset(f, 0, sizeof(*f));
	reader_open();
	f->dir = test_mkdtemp();
	snprintf(path, sizeof(path), "%s/airports.db", f->dir);
	TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
	TEST_OK(db_exec(db, fixture_sql, &e), e);
	TEST_OK(db_exec(db, planner_airports_sql, &e), e);
	db_close(db);
	airfix_open(&f->airports, path, false);
	if (rules)
		planner_rules_open(&f->rules, f->rules_path, f->dir);
	f->run.mem = arena_new();
	f->ctx = (struct tool_context){ .airports = f->airports.db, .rules = f->rules,
		.table = tools_builtin, .offered = cases_offered(f->run.mem) };
}

static void fix_close(struct fix *f)
{
	arena_free(f->run.mem);
	airfix_close(&f->airports);
	rules_close(f->rules);
	test_rmdir(f->dir);
}

/* The first plan for a conversation. */
static struct plan plan_of(struct fix *f, struct message *messages, size_t n)
{
	struct err e = { OK, "" };
	f->run.messages = messages;
	f->run.nmessages = n;
	f->plans = (struct plans){ .n = 0 };
	TEST_OK(planner_builtin.plan(&f->run, &f->ctx, &f->plans, &e), e);
	return f->plans.plan[0];
}

static struct plan plan_text(struct fix *f, const char *text)
{
	struct message m = MESSAGE("user", arena_strdup(f->run.mem, text));
	return plan_of(f, &m, 1);
}

/* The real data; skips the test when it is not there. */
struct real {
	char airports[4096], rules[4096];
};

static void real_paths(struct real *r)
{
	const char *airports = test_data("euro_aip/airports.db");
	if (airports != NULL)
		snprintf(r->airports, sizeof(r->airports), "%s", airports);
	const char *rules = test_data("rules/rules.json");
	if (airports == NULL || rules == NULL)
		test_skip("no data");
	snprintf(r->rules, sizeof(r->rules), "%s", rules);
}

/* ---- the data files ----------------------------------------------------------------- */

/* So many of a hundred questions are understood at least (test_builtin_planner.c tells more). */
static void run_file(const char *name, struct tool_context *ctx, size_t least)
{
	struct cases c = { .asked = 0 };

	cases_run(&c, name, ctx);
	fprintf(stderr, "%s: %zu of %zu are not understood\n%s", name, c.failed, c.asked, c.report.p);
	buf_release(&c.report);
	cr_expect_gt(c.asked, (size_t)50);
	cr_expect_geq(100 * (c.asked - c.failed), least * c.asked, "%s: %zu of %zu are not understood", name, c.failed, c.asked);
}

TEST(planner_rules, cases_on_a_made_up_base)
{
	struct fix f;
	fix_open(&f, true);
	run_file("planner_rules.txt", &f.ctx, 80);
	run_file("planner_several.txt", &f.ctx, 60);
	fix_close(&f);
}

/* The last file holds conversations that no reader was ever taught or corrected by. */
TEST(planner_rules, cases_on_the_real_data)
{
	struct airfix airports;
	struct rules *rules;
	struct err e = { OK, "" };
	struct real real;
	real_paths(&real);
	reader_open();
	airfix_open(&airports, real.airports, false);
	TEST_OK(rules_open(&rules, &(struct rules_config){ .path = real.rules }, &e), e);
	struct tool_context ctx = { .airports = airports.db, .rules = rules, .table = tools_builtin,
		.offered = cases_offered(airports.mem) };
	run_file("planner_rules.txt", &ctx, 80);
	run_file("planner_several.txt", &ctx, 60);
	run_file("planner_rules_heldout.txt", &ctx, 70);
	rules_close(rules);
	airfix_close(&airports);
}

/* Loading rules changes little for those who look for airports: of all their questions, only few go to the rules. */
TEST(planner_rules, airport_questions_stay_airport_questions)
{
	static const char *const files[] = { "planner_cases.txt", "planner_heldout.txt",
		"planner_heldout2.txt", "planner_heldout3.txt", "planner_heldout4.txt",
		"planner_heldout5.txt" };
	struct real real;
	struct err e = { OK, "" };
	real_paths(&real);
	reader_open();
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct airfix airports;
		struct rules *rules;
		airfix_open(&airports, real.airports, false);
		TEST_OK(rules_open(&rules, &(struct rules_config){ .path = real.rules }, &e), e);
		struct tool_context ctx = { .airports = airports.db, .rules = rules,
			.table = tools_builtin, .offered = cases_offered(airports.mem) };
		struct cases c = { .reply_or_rules = true };
		cases_run(&c, files[i], &ctx);
		buf_release(&c.report);
		cr_expect_lt(c.to_rules, (size_t)6, "%zu in %s", c.to_rules, files[i]);
		rules_close(rules);
		airfix_close(&airports);
	}
}

/* ---- what is on offer ----------------------------------------------------------------- */

TEST(planner_rules, without_a_base_the_planner_says_so)
{
	static const char *const texts[] = { "Do I need a flight plan in France?", "rules for Germany",
		"compare France and Germany" };
	struct fix f;
	fix_open(&f, false);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct plan p = plan_text(&f, texts[i]);
		cr_assert_null(p.tool, "%s", texts[i]);
		cr_assert(strstr(p.reply, "no rule base") != NULL, "%s: %s", texts[i], p.reply);
	}
	fix_close(&f);
}

TEST(planner_rules, tools_that_are_not_offered_are_passed_over)
{
	struct fix f;
	fix_open(&f, true);
	f.ctx.offered = toolset_but(f.run.mem, cases_offered(f.run.mem), TOOL_RULES);
	struct plan p = plan_text(&f, "Do I need a flight plan in France?");
	cr_assert_null(p.tool);
	cr_assert_not_null(strstr(p.reply, "cannot be answered here"), "%s", p.reply);
	p = plan_text(&f, "airports in France with customs");
	cr_assert_str_eq(p.tool->name, "search_airports");
	f.ctx.offered = toolset_of(f.run.mem, tools_builtin, TOOL_RULES);
	p = plan_text(&f, "airports in France with customs near Lyon");
	cr_assert(p.tool == NULL || p.tool->domain == TOOL_RULES);
	p = plan_text(&f, "hello");
	cr_assert(p.tool == NULL && p.reply != NULL);
	fix_close(&f);
}

/* Replies that say what is possible speak of rules only where there are some. */
TEST(planner_rules, replies_know_about_the_rules)
{
	static const char *const texts[] = { "hello", "who are you?", "what is the weather in Lyon?",
		"book me a hotel", "tell me a joke" };
	for (int with = 0; with < 2; with++) {
		struct fix f;
		fix_open(&f, with);
		for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
			struct plan p = plan_text(&f, texts[i]);
			cr_assert_null(p.tool, "%s", texts[i]);
			cr_assert_eq(strstr(p.reply, "rules") != NULL, with, "%s: %s", texts[i], p.reply);
			cr_assert_eq(strstr(p.reply, "in Belgium?") != NULL, with, "%s", p.reply);
		}
		fix_close(&f);
	}
}

/* ---- airports and rules in one message ------------------------------------------------- */

static const struct {
	const char *text;
	enum routing_kind kind;
	const char *countries;        /* of the route, in its order */
	const char *airports, *rules; /* the plans: tool, and a part of its arguments; NULL: not asked */
} routes[] = {
	{ "find airports with customs near Lyon and tell me whether I need a flight plan in France",
	  ROUTING_BOTH, "FR", "find_airports_near_location Lyon", "answer_rules_question flight plan" },
	{ "Airports near Stuttgart with avgas. Is a transponder mandatory in Germany?", ROUTING_BOTH, "DE",
	  "find_airports_near_location Stuttgart", "answer_rules_question transponder" },
	{ "What are the rules for joining the circuit in the UK, and which airports near Oxford have "
	  "a hard runway?", ROUTING_BOTH, "GB", "find_airports_near_location Oxford",
	  "answer_rules_question circuit" },
	{ "EGTF to LFMD with a fuel stop, and do I need a flight plan?", ROUTING_BOTH, "GB FR",
	  "find_airports_near_route LFMD", "compare_rules_between_countries flight plan" },
	{ "Do I need a flight plan in France?", ROUTING_RULES, "FR", NULL,
	  "answer_rules_question flight plan" },
	{ "compare France and Germany", ROUTING_RULES, "FR DE", NULL,
	  "compare_rules_between_countries DE" },
	{ "airports in Germany with customs", ROUTING_DATABASE, "DE", "search_airports Germany", NULL },
	{ "EGTF to LFMD", ROUTING_DATABASE, "GB FR", "find_airports_near_route LFMD", NULL },
	{ "hello", ROUTING_DATABASE, "", NULL, NULL },
};

/* One of the plans is this one. The other half of the message gets a reply that says that no tool serves it. */
static void expect_plan(struct fix *f, struct toolset offered, const char *text,
    const char *expect)
{
	const size_t n = strcspn(expect, " ");
	bool found = false;

	f->ctx.offered = offered;
	plan_text(f, text);
	for (size_t i = 0; i < f->plans.n; i++) {
		const struct plan *p = &f->plans.plan[i];
		found |= p->tool != NULL && strlen(p->tool->name) == n && memcmp(p->tool->name, expect, n) == 0 &&
		    strstr(jsn_text(f->run.mem, p->arguments, JSN_PLAIN), expect + n + 1) != NULL;
	}
	cr_expect(found, "%s: not %s", text, expect);
}

TEST(planner_rules, a_router_is_told_the_kind_and_each_half_is_planned)
{
	struct fix f;
	fix_open(&f, true);
	for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
		struct routing out;
		struct err e = { OK, "" };
		struct message m = MESSAGE("user", arena_strdup(f.run.mem, routes[i].text));
		const char *codes = "";
		f.run.messages = &m;
		f.run.nmessages = 1;
		TEST_OK(router_builtin.route(&f.run, &f.ctx, &out, &e), e);
		for (size_t k = 0; k < out.ncountries; k++)
			codes = arena_printf(f.run.mem, "%s%s%s", codes, k > 0 ? " " : "", out.countries[k]);
		cr_expect_eq(out.kind, routes[i].kind, "%s: %d", routes[i].text, (int)out.kind);
		cr_expect_str_eq(codes, routes[i].countries, "%s: %s", routes[i].text, codes);
		if (routes[i].airports != NULL)
			expect_plan(&f, toolset_but(f.run.mem, cases_offered(f.run.mem), TOOL_RULES), routes[i].text,
			    routes[i].airports);
		if (routes[i].rules != NULL)
			expect_plan(&f, toolset_of(f.run.mem, tools_builtin, TOOL_RULES), routes[i].text,
			    routes[i].rules);
	}
	fix_close(&f);
}

TEST(planner_rules, a_message_about_both_goes_on_in_both)
{
	struct message m[] = {
		MESSAGE("user", "find airports with customs near Lyon and tell me whether I need a flight plan in "
		  "France"),
		MESSAGE("assistant", "1. **Lyon Bron** (LFLY)\n2. **Annecy** (LFLP)\n\n### Rules\n\nYes."),
		MESSAGE("user", "and in Germany?"), MESSAGE("assistant", "No."),
		MESSAGE("user", "tell me about the second one"),
	};
	struct fix f;
	fix_open(&f, true);
	struct plan p = plan_of(&f, m, 3);
	cr_assert_str_eq(p.tool->name, "answer_rules_question");
	cr_assert_str_eq(jsn_get_str(p.arguments, "country_code", ""), "DE");
	cr_assert_not_null(strstr(jsn_get_str(p.arguments, "question", ""), "flight plan"));
	p = plan_of(&f, m, 5);
	cr_assert_str_eq(p.tool->name, "get_airport_details");
	cr_assert_str_eq(jsn_get_str(p.arguments, "icao_code", ""), "LFLP");
	fix_close(&f);
}

/* The answer to a question about rules is no list of airports, whatever is in it. */
TEST(planner_rules, numbers_in_an_answer_about_rules_pick_no_airport)
{
	struct message m[] = {
		MESSAGE("user", "airports near Lyon"),
		MESSAGE("assistant", "1. **Lyon Bron** (LFLY)\n2. **Annecy** (LFLP)"),
		MESSAGE("user", "do I need a flight plan in France?"),
		MESSAGE("assistant", "1. **Yes** (EGTF)\n2. **No** (EGKB)"),
		MESSAGE("user", "tell me about the second one"),
	};
	struct fix f;
	fix_open(&f, true);
	struct plan p = plan_of(&f, m, 5);
	cr_assert_str_eq(jsn_get_str(p.arguments, "icao_code", ""), "LFLP");
	fix_close(&f);
}

/* ---- countries ---------------------------------------------------------------------------- */

TEST(planner_rules, prefixes_of_location_indicators)
{
	static const struct { const char *text, *code; } rows[] = {
		{ "LFMD", "FR" }, { "LF", "FR" }, { "EGJJ", "JE" }, { "EGJB", "GG" }, { "EGNS", "IM" },
		{ "EGTF", "GB" }, { "KJFK", "US" }, { "EDNY", "DE" }, { "ETAR", "DE" }, { "LYTV", "ME" },
		{ "LYBE", "RS" }, { "UMKK", "RU" }, { "YSSY", "AU" }, { "", NULL }, { "X", NULL },
		{ "QQ", NULL }, { "lf", NULL },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect(streq(icao_prefix_country(rows[i].text), rows[i].code), "%s: %s", rows[i].text,
		    icao_prefix_country(rows[i].text));
}

/* ---- hostile text --------------------------------------------------------------------------- */

TEST(planner_rules, hostile_text)
{
	static const char *const pieces[] = {
		"France ", "FR,", "and ", "and in ", "compare ", "do I need ", "flight plan ", "ED..", "LF**",
		"what about ", "the same for Germany. ", "more ", "ppr at LFMD ", "speak English in ",
		"IT NO BE ", "? ", ". and is ", "find airports near Lyon and do I need a flight plan? ",
		"which countries ", "neighbouring countries ", "\xff\xfe", "\x01", "France's ", "___",
		"Polish ", "rules rules ", "transpondre ", "Langen Information ", "\xe2\x80\xa6", "7000 ",
	};
	struct fix f;
	fix_open(&f, true);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct buf text;
		struct err e = { OK, "" };
		buf_init(&text, 65536);
		while (!text.full)
			buf_puts(&text, pieces[i]);
		struct message m[] = { MESSAGE("user", text.p), MESSAGE("assistant", text.p), MESSAGE("user", text.p),
			MESSAGE("assistant", "x"), MESSAGE("user", "and in Germany?") };
		for (size_t n = 1; n <= 5; n += 2) {
			struct plan p = plan_of(&f, m, n);
			if (p.tool != NULL)
				TEST_OK(tool_check(p.tool, p.arguments, &e), e);
			else
				cr_assert(p.reply != NULL && *p.reply != '\0', "%s", pieces[i]);
		}
		buf_release(&text);
	}
	cr_assert_lt(arena_used(f.run.mem), (size_t)1 << 20);
	fix_close(&f);
}

TEST(planner_rules, a_long_conversation_about_rules)
{
	struct message m[64];
	size_t n = 0;
	struct fix f;
	fix_open(&f, true);
	m[n++] = (struct message)MESSAGE("user", "do I need a transponder in France?");
	for (int i = 0; i < 15; i++) {
		m[n++] = (struct message)MESSAGE("assistant", "ok");
		m[n++] = (struct message)MESSAGE("user", i % 2 == 0 ? "and in Germany?" : "and in Norway?");
	}
	/* the question itself is out of sight by now */
	struct plan p = plan_of(&f, m, n);
	cr_assert(p.tool != NULL || p.reply != NULL);
	p = plan_of(&f, m + n - 21, 21);
	cr_assert(p.tool != NULL || p.reply != NULL);
	/* and here it is not */
	p = plan_of(&f, m, 21);
	cr_assert_str_eq(p.tool->name, "answer_rules_question");
	cr_assert_str_eq(jsn_get_str(p.arguments, "country_code", ""), "NO");
	cr_assert_not_null(strstr(jsn_get_str(p.arguments, "question", ""), "transponder"));
	fix_close(&f);
}
