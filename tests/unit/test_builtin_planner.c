/*
 * The built-in planner: a few hundred questions and follow-ups with the plan each one calls
 * for, of which the reader that ships with the program understands so many; what clients do to the
 * history; hostile text.
 */
#include "agents/aviation/planner.h"

#include "tests/unit/airports_fixture.h"
#include "tests/unit/plan_one.h"
#include "tests/unit/planner_airports.h"
#include "tests/unit/planner_cases.h"

static void open_small(struct airfix *f, char *dir)
{
	char path[600];
	struct db *db;
	struct err e = { OK, "" };
	snprintf(path, sizeof(path), "%s/airports.db", dir);
	TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
	TEST_OK(db_exec(db, fixture_sql, &e), e);
	TEST_OK(db_exec(db, planner_airports_sql, &e), e);
	db_close(db);
	airfix_open(f, path, false);
}

/* A learned reader is not right every time. Fewer right questions than so many of a hundred are a step back. The
 * questions themselves are among those that it was taught (tests/language/corpus), so this is no measure of how well it
 * understands other people. */
static const struct { const char *name; size_t small, real; } files[] = {
	{ "planner_cases.txt", 80, 80 }, { "planner_heldout.txt", 0, 60 }, { "planner_heldout2.txt", 0, 60 },
	{ "planner_heldout3.txt", 0, 60 }, { "planner_heldout4.txt", 0, 60 }, { "planner_heldout5.txt", 0, 60 },
	{ "planner_notice.txt", 0, 60 },
};

static void run_file(const char *name, size_t least, struct airfix *f)
{
	struct tool_context ctx = { .airports = f->db, .table = tools_builtin,
		.offered = cases_offered(f->mem) };
	struct cases c = { .asked = 0 };

	cases_run(&c, name, &ctx);
	fprintf(stderr, "%s: %zu of %zu are not understood\n%s", name, c.failed, c.asked, c.report.p);
	buf_release(&c.report);
	cr_expect_gt(c.asked, (size_t)10);
	cr_expect_geq(100 * (c.asked - c.failed), least * c.asked, "%s: %zu of %zu are not understood", name, c.failed, c.asked);
}

TEST(builtin_planner, cases_on_a_small_database)
{
	struct airfix f;
	char *dir = test_mkdtemp();
	open_small(&f, dir);
	run_file(files[0].name, files[0].small, &f);
	airfix_close(&f);
	test_rmdir(dir);
}

TEST(builtin_planner, cases_on_the_real_database)
{
	const char *path = test_data("euro_aip/airports.db");
	if (path == NULL)
		test_skip("no data");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct airfix f;
		airfix_open(&f, path, false);
		run_file(files[i].name, files[i].real, &f);
		airfix_close(&f);
	}
}

/* ---- what clients do ---------------------------------------------------------- */

static struct tool_context without_database(void)
{
	return (struct tool_context){ .table = tools_builtin, .offered = tools_builtin };
}

static struct plan plan_of(struct run *run, const struct tool_context *ctx,
    struct message *messages, size_t n)
{
	struct plan plan;
	struct err e = { OK, "" };
	run->messages = messages;
	run->nmessages = n;
	TEST_OK(plan_one(&planner_builtin, run, ctx, &plan, &e), e);
	return plan;
}

/* A wish that was not understood is named, and nothing else is. */
TEST(builtin_planner, a_wish_without_a_meaning_is_named)
{
	static const struct { const char *said, *unused; } rows[] = {
		{ "airports near LFLY with avgas and a swimming pool", "swimming pool" },
		{ "quiet airports near LFLY with avgas", "quiet" },
		{ "airports near LFLY with a hangar", "hangar" },
		{ "EGTF to LFMD with fuel", NULL },
		{ "airports near LFLY that sell fuel", NULL },
		{ "airports near LFLY with no PPR", "PPR" },
		{ "airports near LFLY with avgas and customs", NULL },
		{ "airports near LFLY with a runway of at least 800 m", NULL },
		{ "airports with a restaurant between EGTF and LFMD", NULL },
		{ "find me a nice airport near LFLY where I can eat with my wife", NULL },
		{ "tell me about LFLY", NULL },
		{ "tell me about EGTF, I land at 22:00", "22:00" },
	};
	struct tool_context ctx = without_database();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct run run = { .mem = arena_new() };
		struct message m[] = { MESSAGE("user", rows[i].said) };
		const struct plan p = plan_of(&run, &ctx, m, 1);
		cr_expect(p.unused == rows[i].unused || (p.unused != NULL && rows[i].unused != NULL &&
		    strstr(p.unused, rows[i].unused) != NULL), "%s: %s", rows[i].said, p.unused);
		arena_free(run.mem);
	}
}

/* A distance that the plan does not use is told. */
TEST(builtin_planner, a_distance_that_is_not_used_is_named)
{
	static const struct { const char *said, *distance; } rows[] = {
		{ "airports within 5000 NM of LFLY", "5000" },
		{ "airports within 0 NM of LFLY", "0" },
		{ "airports within 30 NM of LFLY", NULL },
		{ "airports near LFLY", NULL },
	};
	struct tool_context ctx = without_database();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct run run = { .mem = arena_new() };
		struct message m[] = { MESSAGE("user", rows[i].said) };
		const struct plan p = plan_of(&run, &ctx, m, 1);
		cr_expect(p.distance == rows[i].distance || (p.distance != NULL && rows[i].distance != NULL &&
		    streq(p.distance, rows[i].distance)), "%s: %s", rows[i].said, p.distance);
		arena_free(run.mem);
	}
}

TEST(builtin_planner, a_client_that_resends_everything_and_the_newest_twice)
{
	struct message m[] = {
		MESSAGE("user", "EGTF to LFMD with avgas"), MESSAGE("assistant", "Here are some."),
		MESSAGE("user", "and back?"), MESSAGE("user", "and back?"),
	};
	struct tool_context ctx = without_database();
	struct run run = { .mem = arena_new() };
	struct plan p = plan_of(&run, &ctx, m, 4);
	cr_assert_str_eq(jsn_get_str(p.arguments, "from_location", ""), "LFMD");
	cr_assert_str_eq(jsn_get_str(p.arguments, "to_location", ""), "EGTF");
	/* said again after an answer it does mean turning round once more */
	struct message again[] = { m[0], m[1], m[2], m[1], m[2], m[2] };
	p = plan_of(&run, &ctx, again, 6);
	cr_assert_str_eq(jsn_get_str(p.arguments, "from_location", ""), "EGTF");
	arena_free(run.mem);
}

TEST(builtin_planner, a_plan_without_a_database)
{
	const struct tool_context ctx = without_database();
	static const struct { const char *text, *tool, *arg, *value; } rows[] = {
		{ "airports between EGTF and LFMD", "find_airports_near_route", "to_location", "LFMD" },
		{ "from Fairoaks to Le Touquet", "find_airports_near_route", "to_location", "Le Touquet" },
		{ "airports near Cambridge in the UK", "find_airports_near_location", "location_query",
		  "Cambridge, United Kingdom" },
		{ "tell me about LFMD", "get_airport_details", "icao_code", "LFMD" },
		{ "German airports", "search_airports", "query", "Germany" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct run run = { .mem = arena_new() };
		struct message m = MESSAGE("user", rows[i].text);
		struct plan p = plan_of(&run, &ctx, &m, 1);
		cr_assert_not_null(p.tool, "%s", rows[i].text);
		cr_assert_str_eq(p.tool->name, rows[i].tool, "%s", rows[i].text);
		cr_assert_str_eq(jsn_get_str(p.arguments, rows[i].arg, ""), rows[i].value, "%s",
		    rows[i].text);
		arena_free(run.mem);
	}
}

TEST(builtin_planner, a_conversation_without_a_question)
{
	const struct tool_context ctx = without_database();
	struct run run = { .mem = arena_new() };
	struct message m = MESSAGE("assistant", "airports near Lyon");
	struct plan plan;
	struct err e = { OK, "" };
	run.messages = &m;
	run.nmessages = 1;
	cr_assert_eq(plan_one(&planner_builtin, &run, &ctx, &plan, &e), ERR_PLANNER);
	run.nmessages = 0;
	cr_assert_eq(plan_one(&planner_builtin, &run, &ctx, &plan, &e), ERR_PLANNER);
	arena_free(run.mem);
}

/* However many follow-ups there were: the route is that of the last complete question. */
TEST(builtin_planner, follow_ups_go_back_to_the_question)
{
	const struct tool_context ctx = without_database();
	static const char *const said[] = { "and with customs?", "within 20 nm", "only hard runways",
		"and back?", "thanks", "at least 800 m" };
	static const size_t counts[] = { 1, 12, 13, 20, 30 };
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		struct message m[2 * CASE_MESSAGES + 40];
		size_t n = 0, back = 0;
		m[n++] = (struct message)MESSAGE("user", "airports near Paris");
		m[n++] = (struct message)MESSAGE("assistant", "ok");
		m[n++] = (struct message)MESSAGE("user", "fuel stop with AVGAS between EGTF and LFMD");
		for (size_t i = 0; i < counts[c]; i++) {
			m[n++] = (struct message)MESSAGE("assistant", "1. **Albert** (LFAQ)\n2. **Annecy** (LFLP)\n");
			m[n++] = (struct message)MESSAGE("user", said[i % 6]);
			back += i % 6 == 3;
		}
		m[n++] = (struct message)MESSAGE("assistant", "ok");
		m[n++] = (struct message)MESSAGE("user", "and within 40 nm?");
		struct run run = { .mem = arena_new() };
		struct plan p = plan_of(&run, &ctx, m, n);
		cr_assert(p.tool != NULL, "%zu follow-ups: %s", counts[c], p.reply);
		cr_expect_str_eq(p.tool->name, "find_airports_near_route");
		cr_expect_str_eq(jsn_get_str(p.arguments, "from_location", ""), back % 2 ? "LFMD" : "EGTF");
		cr_expect_eq(jsn_get_num(p.arguments, "max_distance_nm", 0), 40);
		cr_expect(jsn_get_bool(jsn_get(p.arguments, "filters"), "has_avgas", false), "%zu", counts[c]);
		arena_free(run.mem);
	}
}

/* A history that a client sends again costs time for each of its messages, so only the newest are read: that is enough for
 * what people say, and little for a client that means harm. */
TEST(builtin_planner, a_history_is_read_so_far)
{
	enum { MOST = 200 };
	static const struct { const char *between; size_t n; bool kept; } rows[] = {
		{ "thank you", 30, true },
		{ "thank you", 40, false },            /* too many messages */
		{ "thank you very much, thank you very much, thank you very much, thank you very much, thank you", 8, true },
		{ "thank you very much, thank you very much, thank you very much, thank you very much, thank you", 16, false },
	};
	struct tool_context ctx = without_database();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct run run = { .mem = arena_new() };
		struct message m[MOST];
		size_t n = 0;
		m[n++] = (struct message)MESSAGE("user", "airports near LFLY");
		m[n++] = (struct message)MESSAGE("assistant", "1. **Lyon Bron** (LFLY)");
		for (size_t k = 0; k < rows[i].n; k++) {
			m[n++] = (struct message)MESSAGE("user", rows[i].between);
			m[n++] = (struct message)MESSAGE("assistant", "You are welcome.");
		}
		m[n++] = (struct message)MESSAGE("user", "only those with avgas please");
		struct plans plans = { .n = 0 };
		struct err e = { OK, "" };
		run.messages = m;
		run.nmessages = n;
		reader_open();
		TEST_OK(planner_builtin.plan(&run, &ctx, &plans, &e), e);
		const struct plan p = plans.plan[0];
		const bool kept = streq(jsn_get_str(p.arguments, "location_query", NULL), "LFLY");
		cr_expect_eq(kept, rows[i].kept, "%zu of %s: %s", rows[i].n, rows[i].between,
		    p.tool != NULL ? jsn_text(run.mem, p.arguments, JSN_PLAIN) : p.reply);
		arena_free(run.mem);
	}
}

/* ---- hostile text --------------------------------------------------------------- */

TEST(builtin_planner, hostile_text)
{
	static const char *const pieces[] = {
		"a ", "EGTF ", "near ", "Zyxw ", "zyxw-", "1 ", "1.1, ", "N1 ", "(", "x", "9", "from to ",
		"germany france ", "with avgas or without ", "'s", "\xf0\x9f\x98\x80", "\xd0\x9b ", "\xe2\x80\x99",
		"between x and y ", "1-2-3 m ", "\xff\xfe", "\x01", "Le La Les ", "\xe2\x80", "St. ", "5 000'",
		"the the ", "restaurant on the ", "one hundred thousand ", "in France, ", ", UK",
		"not I meant ", "near 91, 200 ", "near 1,2,", "mogas ", "the longest runway of ", "N95 E0 ",
		"is LFMD a place ", "near it, ", "no, ", "actually the second one ",
	};
	struct airfix f;
	char *dir = test_mkdtemp();
	open_small(&f, dir);
	struct tool_context ctx = { .airports = f.db, .table = tools_builtin, .offered = tools_builtin };
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct buf text;
		struct err e = { OK, "" };
		struct run run = { .mem = arena_new() };
		buf_init(&text, 65536);
		while (!text.full)
			buf_puts(&text, pieces[i]);
		struct message m = MESSAGE("user", text.p);
		struct plans plans;
		run.messages = &m;
		run.nmessages = 1;
		reader_open();
		TEST_OK(planner_builtin.plan(&run, &ctx, &plans, &e), e);
		for (size_t k = 0; k < plans.n; k++) {
			const struct plan *p = &plans.plan[k];
			if (p->tool != NULL)
				TEST_OK(tool_check(p->tool, p->arguments, &e), e);
			else
				cr_assert(p->reply != NULL && *p->reply != '\0', "%s", pieces[i]);
		}
		cr_assert_lt(arena_used(run.mem), (size_t)1 << 20, "%s", pieces[i]);
		arena_free(run.mem);
		buf_release(&text);
	}
	airfix_close(&f);
	test_rmdir(dir);
}

TEST(builtin_planner, a_hostile_answer_in_the_history)
{
	static const char *const pieces[] = { "1. \n", "1. (", "2. ** (", "(ABCD", "1. **x** (EGLF)\n", "\n",
		"EGLF ", "1. ((((((((" };
	struct tool_context ctx = without_database();
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct buf text;
		struct run run = { .mem = arena_new() };
		buf_init(&text, 262144);
		while (!text.full)
			buf_puts(&text, pieces[i]);
		struct message m[] = { MESSAGE("user", "airports near Lyon"), MESSAGE("assistant", text.p),
			MESSAGE("user", "tell me about the second one"), MESSAGE("assistant", text.p),
			MESSAGE("user", "how long is the runway there?") };
		struct plan p = plan_of(&run, &ctx, m, 5);
		cr_assert(p.tool != NULL || p.reply != NULL, "%s", pieces[i]);
		cr_assert_lt(arena_used(run.mem), (size_t)1 << 20, "%s", pieces[i]);
		arena_free(run.mem);
		buf_release(&text);
	}
}
