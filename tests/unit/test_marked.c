/* Files of marked messages: what is read from them, and what is wrong with malformed ones. */
#include "tests/language/marked.h"

#include "base/str.h"
#include "tests/unit/test.h"

static const char HEAD[] = "author: somebody\nlanguage: en\nperson: writes tests\n\n";

static enum errcode read_lines(struct marked *m, struct arena *a, const char *lines, struct err *e)
{
	char *folder = test_mkdtemp();
	char *path = arena_printf(a, "%s/somebody.txt", folder);
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f);
	fputs(lines, f);
	fclose(f);
	enum errcode rc = marked_read_folder(m, a, folder, e);
	test_rmdir(folder);
	return rc;
}

TEST(marked, reads_plans_marks_and_dialogues)
{
	struct arena *a = arena_new();
	struct marked m = { 0 };
	struct err e = { 0 };
	TEST_OK(read_lines(&m, a, arena_printf(a, "%s%s", HEAD,
	    "# comment\n"
	    "near [Lyon|near], [at least 800 m|min_runway=800m] and [no customs|point_of_entry=false] → near\n"
	    "\n"
	    "- is [Elba|at#1#2] open, [when|ask=hours#2] → notice + details\n"
	    "- [the second|pick=2], [there|pick=it#2] [never mind|-fuel] → pick details + cannot:weather\n"
	    "hello → hello\n"), &e), e);

	cr_assert_eq(m.n, 4);
	cr_assert_eq(m.nauthors, 1);
	cr_assert_str_eq(m.author[0], "somebody");
	const struct reading *r = &m.message[0].gold;
	cr_assert_str_eq(m.message[0].text, "near Lyon, at least 800 m and no customs");
	cr_assert_eq(m.message[0].line, 6);
	cr_assert_eq(r->nmarks, 3);
	cr_assert_str_eq(words_slice(a, r->words, r->mark[1].first, r->mark[1].last), "at least 800 m");
	cr_assert_str_eq(r->mark[1].label, "min_runway");
	cr_assert_null(r->mark[1].value);
	cr_assert_str_eq(m.message[0].value[1], "800m");
	cr_assert_str_eq(r->mark[2].value, "false");

	r = &m.message[1].gold;
	cr_assert_eq(m.message[1].turn, 0);
	cr_assert_eq(r->nplans, 2);
	cr_assert_str_eq(r->plan[1].plan, "details");
	cr_assert_eq(r->mark[0].plans, 3);
	cr_assert_eq(r->mark[1].plans, 2);

	r = &m.message[2].gold;
	cr_assert_eq(m.message[2].turn, 1);
	cr_assert_str_eq(r->plan[0].kind, "pick");
	cr_assert_null(r->plan[1].kind);
	cr_assert_null(r->mark[0].value);
	cr_assert_str_eq(r->mark[1].value, "it");
	cr_assert(r->mark[2].lifted);
	cr_assert_str_eq(r->mark[2].label, "fuel");

	cr_assert_eq(m.message[3].turn, 0);
	arena_free(a);
}

static const struct {
	const char *line, *why;
} FAULTS[] = {
	{ "near Lyon", ":5: no '→'" },
	{ "near Lyon →", "no plan" },
	{ "x → near + near + near + near", "more than 3 plans" },
	{ "x → later near", "unknown kind 'later'" },
	{ "x → Near!", "not a plan" },
	{ "near [Lyon → near", "a mark is" },
	{ "near [Lyon] → near", "a mark is" },
	{ "near [[Lyon|near]|near] → near", "a mark is" },
	{ "near Lyon] → near", "']' outside" },
	{ "near [Lyon|near#2] → near", "'#2', but" },
	{ "near [Lyon|near#] → near", "not the number of a plan" },
	{ "near [Lyon|] → near", "'' is not a label" },
	{ "near [Lyon|country=] → near", "no value" },
	{ "near [Ly|near][on|area] → near", "belong to another mark too" },
	{ "near [|near] → near", "a mark is" },
};

TEST(marked, says_what_is_malformed)
{
	for (size_t i = 0; i < sizeof(FAULTS) / sizeof(FAULTS[0]); i++) {
		struct arena *a = arena_new();
		struct marked m = { 0 };
		struct err e = { 0 };
		const char *text = arena_printf(a, "%s%s\n", HEAD, FAULTS[i].line);
		cr_expect_eq(read_lines(&m, a, text, &e), ERR_CONFIG, "%s", FAULTS[i].line);
		cr_expect_not_null(strstr(e.msg, FAULTS[i].why), "%s: %s", FAULTS[i].line, e.msg);
		cr_expect_not_null(strstr(e.msg, "somebody.txt:5:"), "%s", e.msg);
		arena_free(a);
	}
}

TEST(marked, wants_a_head)
{
	struct arena *a = arena_new();
	struct marked m = { 0 };
	struct err e = { 0 };
	cr_assert_eq(read_lines(&m, a, "hello → hello\n", &e), ERR_CONFIG);
	cr_assert_not_null(strstr(e.msg, "author:"), "%s", e.msg);
	arena_free(a);
}

TEST(marked, reads_the_corpus)
{
	struct arena *a = arena_new();
	struct marked m = { 0 };
	struct err e = { 0 };
	char *folder = test_corpus();
	TEST_OK(marked_read_folder(&m, a, folder, &e), e);
	cr_assert_gt(m.nauthors, 5);
	for (size_t i = 0; i < m.n; i++)
		cr_assert_geq(m.message[i].gold.nplans, 1);
	test_rmdir(folder);
	arena_free(a);
}
