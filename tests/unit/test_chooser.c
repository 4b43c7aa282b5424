/* The chooser, trained on a handful of messages: what it chooses for others, and what hostile ones do to it. */
#include "tests/unit/marked_lessons.h"
#include "tests/unit/test.h"

#include "language/chooser.h"
#include "language/train/chooser_train.h"

static const char LESSONS[] =
	"author: test\nlanguage: en\nperson: nobody\n\n"
	"airports near [Lyon|near] → near\n"
	"airports near [Graz|near] with [customs|point_of_entry] → near\n"
	"fields near [Ulm|near] → near\n"
	"do I need a [flight plan|topic] into [France|country=FR] → answer\n"
	"may I fly [at night|topic] in [Spain|country=ES] → answer\n"
	"do I need a [radio|topic] in [Italy|country=IT] → answer\n"
	"airports near [Brest|near], and do I need a [radio|topic] in [France|country=FR#2] → near + answer\n"
	"fields near [Brno|near], and may I fly [at night|topic] → near + answer\n"
	"airports near [Dole|near], and do I need a [flight plan|topic] → near + answer\n"
	"thanks → thanks\n"
	"thanks a lot → thanks\n";

struct chooser_case {
	struct arena *a;
	char *folder;
	const char *path;
	struct linear_file *file;
	struct chooser chooser;
	struct err e;
};

static void train(struct chooser_case *c)
{
	enum { TIMES = 12 };       /* a feature must come several times to count */
	struct linear_draft draft[CHOOSER_MODELS];
	static const struct reading_before talk = { .nplans = 1, .plan = { "near" } };
	static const struct reading follow = { .nplans = 1, .plan = { { "refine", "near" } } };

	c->a = arena_new();
	c->folder = test_mkdtemp();
	const struct marked m = marked_lessons(c->a, c->folder, LESSONS);
	struct chooser_lesson *lesson = arena_array(c->a, TIMES * (m.n + 1), sizeof(*lesson));
	for (size_t i = 0; i < TIMES * (m.n + 1); i++) {
		const struct words *w = words_of(c->a, "with customs please", "en");
		const struct reading *gold = i % (m.n + 1) == m.n ? &follow : &m.message[i % (m.n + 1)].gold;
		if (gold != &follow)
			w = gold->words;
		lesson[i] = (struct chooser_lesson){ { .words = w, .evidence = evidence_of(c->a, w, NULL, 0),
			.before = gold == &follow ? &talk : NULL }, gold, (unsigned)(i / (m.n + 1)) };
	}
	struct chooser_trained *t;
	c->path = arena_printf(c->a, "%s/reader.model", c->folder);
	TEST_OK(chooser_train(&t, lesson, TIMES * (m.n + 1), c->path, &c->e), c->e);
	chooser_draft(t, c->a, "1", draft);
	chooser_trained_free(t);
	TEST_OK(linear_write(c->path, draft, CHOOSER_MODELS, &c->e), c->e);
	TEST_OK(linear_open(&c->file, c->path, &c->e), c->e);
	TEST_OK(chooser_open(&c->chooser, c->file, "1", NULL, &c->e), c->e);
}

static void end(struct chooser_case *c)
{
	linear_close(c->file);
	test_rmdir(c->folder);
	arena_free(c->a);
}

static struct chooser_choice choose(struct chooser_case *c, const char *text, const struct reading_before *before)
{
	struct chooser_choice choice;
	const struct words *w = words_of(c->a, text, NULL);
	const struct chooser_view view = { .words = w, .evidence = evidence_of(c->a, w, NULL, 0), .before = before };
	chooser_choose(&c->chooser, c->a, &view, &choice);
	return choice;
}

static const struct {
	const char *text, *before, *plans;
} CASES[] = {
	{ "airports near Zadar", NULL, "near" },
	{ "do I need a radio in Norway", NULL, "answer" },
	{ "fields near Zadar, and do I need a radio", NULL, "near + answer" },
	{ "thanks a lot", NULL, "thanks" },
	{ "with customs please", "near", "refine near" },
};

TEST(chooser, chooses_plans_and_kinds)
{
	struct chooser_case c = { .file = NULL };
	train(&c);
	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		const struct reading_before before = { .nplans = 1, .plan = { CASES[i].before } };
		const struct chooser_choice choice = choose(&c, CASES[i].text, CASES[i].before != NULL ? &before : NULL);
		const struct chooser_outcome *o = &choice.outcome[0];
		const char *plans = "";
		double sum = 0;
		for (size_t k = 0; k < o->nplans; k++)
			plans = arena_printf(c.a, "%s%s%s%s%s", plans, k > 0 ? " + " : "",
			    o->plan[k].kind != NULL ? o->plan[k].kind : "", o->plan[k].kind != NULL ? " " : "", o->plan[k].plan);
		for (size_t k = 0; k < choice.n; k++) {
			sum += choice.outcome[k].sure;
			cr_expect(k == 0 || choice.outcome[k].sure <= choice.outcome[k - 1].sure);
		}
		cr_expect_str_eq(plans, CASES[i].plans, "%s: %s", CASES[i].text, plans);
		cr_expect(sum > 0.5 && sum < 1.001, "%s: %g", CASES[i].text, sum);
	}
	end(&c);
}

TEST(chooser, says_where_a_clause_begins)
{
	struct chooser_case c = { .file = NULL };
	train(&c);
	const struct chooser_choice choice = choose(&c, "fields near Zadar, and do I need a radio", NULL);
	cr_assert_eq(choice.outcome[0].nplans, 2);
	cr_expect_eq(choice.outcome[0].start[0], 0);
	cr_expect(choice.outcome[0].start[1] >= 3 && choice.outcome[0].start[1] <= 5);
	end(&c);
}

TEST(chooser, always_chooses_something)
{
	static const char *const TEXTS[] = { "", " ", "?!", "\xff\xfe", "\x01", "🛩", "مطار" };
	struct chooser_case c = { .file = NULL };
	train(&c);
	for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++)
		cr_expect_geq(choose(&c, TEXTS[i], NULL).n, 1, "%s", TEXTS[i]);
	char *many = arena_alloc(c.a, 65537);
	for (size_t i = 0; i + 4 < 65537; i += 4)
		memcpy(many + i, "and ", 4);
	cr_expect_geq(choose(&c, many, NULL).n, 1);
	end(&c);
}

TEST(chooser, wants_all_its_models)
{
	struct chooser_case c = { .file = NULL };
	train(&c);
	cr_expect_eq(chooser_open(&c.chooser, c.file, "2", NULL, &c.e), ERR_CONFIG);
	cr_expect_not_null(strstr(c.e.msg, "chooser 2"), "%s", c.e.msg);
	end(&c);
}
