/*
 * The built-in planner: a few hundred questions and follow-ups with the plan each one calls
 * for, against a small database and the real one; what clients do to the history; hostile text.
 */
#include "agents/aviation/planner.h"

#include "agents/builtin/lexer.h"
#include "agents/builtin/lexicon.h"
#include "tests/unit/airports_fixture.h"
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

static void run_file(const char *name, struct airfix *f, char *dir)
{
	struct tool_context ctx = { .airports = f->db };
	struct cases c;
	cases_run(&c, name, &ctx);
	char *report = strdup(c.report.p);
	buf_release(&c.report);
	size_t failed = c.failed, asked = c.asked;
	airfix_close(f);
	if (dir != NULL)
		test_rmdir(dir);
	if (failed > 0)
		fprintf(stderr, "%s: %zu of %zu\n%s", name, failed, asked, report);
	free(report);
	cr_assert_eq(failed, 0, "%zu of %zu questions in %s were misunderstood", failed, asked, name);
	cr_assert_gt(asked, (size_t)40);
}

TEST(builtin_planner, cases_on_a_small_database)
{
	struct airfix f;
	char *dir = test_mkdtemp();
	open_small(&f, dir);
	run_file("planner_cases.txt", &f, dir);
}

TEST(builtin_planner, cases_on_the_real_database)
{
	struct airfix f;
	const char *path = test_data("euro_aip/airports.db");
	if (path == NULL)
		test_skip("no data");
	airfix_open(&f, path, false);
	run_file("planner_cases.txt", &f, NULL);
}

TEST(builtin_planner, held_out_questions)
{
	struct airfix f;
	const char *path = test_data("euro_aip/airports.db");
	if (path == NULL)
		test_skip("no data");
	airfix_open(&f, path, false);
	run_file("planner_heldout.txt", &f, NULL);
}

TEST(builtin_planner, held_out_questions_again)
{
	struct airfix f;
	const char *path = test_data("euro_aip/airports.db");
	if (path == NULL)
		test_skip("no data");
	airfix_open(&f, path, false);
	run_file("planner_heldout2.txt", &f, NULL);
}

TEST(builtin_planner, held_out_conversations)
{
	struct airfix f;
	const char *path = test_data("euro_aip/airports.db");
	if (path == NULL)
		test_skip("no data");
	airfix_open(&f, path, false);
	run_file("planner_heldout3.txt", &f, NULL);
}
