/*
 * Search by words over made-up rules: siblings are told apart, what no rule answers stays below the
 * threshold, countries and tags have their part, and nothing a pilot types is syntax.
 */
#include "tests/unit/test.h"

#include <pthread.h>

#include "base/buf.h"
#include "base/str.h"
#include "drivers/db_fts.h"
#include "rules/lexical.h"
#include "tests/unit/rules_fix.h"

#define THRESHOLD 0.25

#define ALL(text) "'answers_by_country': {'FR': {'answer_html': '" text "'}, 'GB': {'answer_html': '" \
	text "'}, 'PT': {'answer_html': '" text "'}}"

static const char RULES[] =
	"{'questions': ["
	"{'id': 'xc', 'question_text': 'Transponder to carry in class C?', 'category': 'Kit', "
	"'tags': ['transponder'], " ALL("Mode S.") "},"
	"{'id': 'xg', 'question_text': 'Transponder to carry in class G?', 'category': 'Kit', "
	"'tags': ['transponder', 'uncontrolled'], " ALL("None.") "},"
	"{'id': 'jump', 'question_text': 'Crossing a parachute area', 'category': 'Areas', "
	"'tags': ['penetration'], " ALL("Call first.") "},"
	"{'id': 'winch', 'question_text': 'Crossing a glider site', 'category': 'Areas', "
	"'tags': ['penetration'], " ALL("Stay above the cable.") "},"
	"{'id': 'plan', 'question_text': 'Flight plan for a local VFR trip', 'category': 'Plans', "
	"'tags': ['flight plan'], " ALL("No.") "},"
	"{'id': 'abroad', 'question_text': 'Flight plan across a border', 'category': 'Plans', "
	"'tags': ['flight plan', 'international'], " ALL("Yes, always.") "},"
	"{'id': 'talk', 'question_text': 'Which language on the radio?', 'category': 'Radio', "
	"'tags': ['tools'], 'answers_by_country': {'FR': {'answer_html': 'Local fields have an ostrich "
	"farm.'}, 'GB': {'answer_html': 'English.'}}},"
	"{'id': 'mute', 'question_text': 'Which zebra?', 'category': 'Radio', "
	"'answers_by_country': {'FR': {'answer_html': ' '}}}"
	"]}";

struct fix {
	char *dir;
	struct rulebase *base;
	struct lexical *lexical;
};

static void fix_open(struct fix *f, const char *rules)
{
	char path[600];
	struct err e;

	f->dir = test_mkdtemp();
	snprintf(path, sizeof(path), "%s/rules.json", f->dir);
	rules_fix_write(path, rules);
	TEST_OK(rulebase_load(&f->base, path, &e), e);
	TEST_OK(lexical_open(&f->lexical, f->base, &e), e);
}

static void fix_close(struct fix *f)
{
	lexical_close(f->lexical);
	rulebase_free(f->base);
	test_rmdir(f->dir);
}

/* The best hit's id, "" for nothing above the threshold. */
static const char *best(struct fix *f, const char *country, const char *text)
{
	struct arena *a = arena_new();
	struct rule_hit hits[3];
	struct err e;
	size_t n;

	TEST_OK(lexical_search(f->lexical, a, text, &country, country != NULL, NULL, 0, hits, 3, &n, &e),
	    e);
	arena_free(a);
	for (size_t i = 0; i < n; i++) {
		cr_expect(hits[i].similarity >= 0 && hits[i].similarity <= 1);
		cr_expect(i == 0 || hits[i].similarity <= hits[i - 1].similarity);
	}
	return n > 0 && hits[0].similarity >= THRESHOLD ? hits[0].question->id : "";
}

static const struct {
	const char *country, *text, *id;
} asked[] = {
	{ "FR", "Do I have to squawk in Charlie airspace?", "xc" },
	{ "FR", "old Cub, no xpdr, uncontrolled airspace only - legal?", "xg" },
	{ "GB", "skydivers active on my track", "jump" },
	{ "GB", "winch launching symbol, may I overfly it", "winch" },
	{ "PT", "must I file", "plan" },
	{ "PT", "FPL from Spain to Portugal?", "abroad" },
	/* a country that is not the one asked about is across a border */
	{ "PT", "FPL, coming from Spain?", "abroad" },
	{ "GB", "Can I do it in French?", "" },
	{ "GB", "I only speak French", "talk" },
	/* what has no answer in a country is not found there, what has none at all nowhere */
	{ "PT", "English on the radio?", "" },
	{ "FR", "zebra", "" },
	{ NULL, "zebra", "" },
	{ "XX", "flight plan", "" },
	/* what no rule answers */
	{ "FR", "How much oxygen do we need above FL130?", "" },
	{ "FR", "Landing fee and hangar at a glider site for a night?", "" },
	{ "FR", "Who won the match last Saturday?", "" },
	{ "FR", "", "" },
	{ "FR", "what about the others?", "" },
	/* nothing is syntax */
	{ "FR", "\" OR said : \"x", "" },
	{ "F\" OR keys : \"", "flight plan", "" },
	{ "FR", "NEAR(flight plan) AND * ^ c0 : -", "plan" },
};

TEST(lexical, finds_what_answers_and_refuses_the_rest)
{
	struct fix f;

	fix_open(&f, RULES);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		const char *got = best(&f, asked[i].country, asked[i].text);

		cr_expect_str_eq(got, asked[i].id, "%s: \"%s\" finds \"%s\", not \"%s\"",
		    asked[i].country != NULL ? asked[i].country : "any", asked[i].text, got, asked[i].id);
	}
	fix_close(&f);
}

/* What stands only in an answer counts where its country is asked about, and less than the question. */
TEST(lexical, answers_speak_with)
{
	static const struct {
		const char *country;
		size_t n;
	} rows[] = { { "FR", 1 }, { "GB", 0 }, { NULL, 1 } };
	struct fix f;

	fix_open(&f, RULES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new();
		struct rule_hit in_answer[5], in_question[5];
		struct err e;
		size_t n, m;

		TEST_OK(lexical_search(f.lexical, a, "ostrich", &rows[i].country,
		    rows[i].country != NULL, NULL, 0, in_answer, 5, &n, &e), e);
		cr_expect_eq(n, rows[i].n);
		TEST_OK(lexical_search(f.lexical, a, "language", &rows[i].country,
		    rows[i].country != NULL, NULL, 0, in_question, 5, &m, &e), e);
		cr_assert(m > 0);
		cr_expect(n == 0 || (in_answer[0].question == in_question[0].question &&
		    in_answer[0].similarity < in_question[0].similarity));
		arena_free(a);
	}
	fix_close(&f);
}

/* With several countries the same question came back once for each. */
TEST(lexical, several_countries_find_a_question_once)
{
	static const char *const countries[] = { "FR", "GB", "PT", "FR" };
	struct fix f;
	struct arena *a = arena_new();
	struct rule_hit hits[20];
	struct err e;
	size_t n;

	fix_open(&f, RULES);
	TEST_OK(lexical_search(f.lexical, a, "flight plan", countries, 4, NULL, 0, hits, 20, &n, &e), e);
	cr_assert(n >= 2);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			cr_expect_neq(hits[i].question, hits[k].question);
	TEST_OK(lexical_search(f.lexical, a, "flight plan", countries, 4, NULL, 0, hits, 1, &n, &e), e);
	cr_expect_eq(n, 1);
	TEST_OK(lexical_search(f.lexical, a, "flight plan", countries, 4, NULL, 0, hits, 0, &n, &e), e);
	cr_expect_eq(n, 0);
	arena_free(a);
	fix_close(&f);
}

TEST(lexical, tags_are_hints)
{
	static const char *const tags[] = { "international", "no_such_tag" };
	struct fix f;
	struct arena *a = arena_new();
	struct rule_hit with[20], without[20];
	size_t nwith, nwithout, raised = 0;
	struct err e;

	fix_open(&f, RULES);
	TEST_OK(lexical_search(f.lexical, a, "flight plan", NULL, 0, NULL, 0, without, 20, &nwithout, &e),
	    e);
	TEST_OK(lexical_search(f.lexical, a, "flight plan", NULL, 0, tags, 2, with, 20, &nwith, &e), e);
	cr_expect_eq(nwith, nwithout, "hints exclude nothing");
	for (size_t i = 0; i < nwith; i++)
		for (size_t k = 0; k < nwithout; k++)
			if (with[i].question == without[k].question) {
				bool has = rule_has_tag(with[i].question, "international");

				cr_expect(has ? with[i].similarity > without[k].similarity
				    : with[i].similarity == without[k].similarity);
				raised += has;
			}
	cr_expect_eq(raised, 1);
	arena_free(a);
	fix_close(&f);
}

static const struct {
	const char *text, *tags;     /* "|" between them */
} tagged[] = {
	{ "what should I squawk", "transponder" },
	{ "mode S in class G", "transponder|uncontrolled" },
	{ "do I file when crossing the border", "flight_plan|international" },
	{ "FPL", "flight_plan" },
	{ "flying through a danger area", "penetration" },
	{ "what are the rules", "" },
	{ "how do I get a licence", "" },
	{ "", "" },
};

TEST(lexical, tags_that_a_text_speaks_of)
{
	struct fix f;

	fix_open(&f, RULES);
	for (size_t i = 0; i < sizeof(tagged) / sizeof(tagged[0]); i++) {
		struct arena *a = arena_new();
		size_t n;
		const char *const *tags = lexical_tags(f.lexical, a, tagged[i].text, &n);
		const char *got = "";

		for (size_t k = 0; k < n; k++)
			got = arena_printf(a, "%s%s%s", got, k > 0 ? "|" : "", tags[k]);
		cr_expect_str_eq(got, tagged[i].tags, "\"%s\": %s", tagged[i].text, got);
		arena_free(a);
	}
	fix_close(&f);
}

static const struct {
	const char *text, *id;
	bool known;                   /* both name a topic */
} knowing[] = {
	{ "what should I squawk", "xc", true }, { "what should I squawk", "abroad", true },
	{ "what should I squawk", "mute", false }, { "why is a zebra striped", "xc", false }, { "", "xc", false },
};

/* Most questions of the base name a topic, but not all, so its words are known well and not fully. */
TEST(lexical, knows_only_what_both_name)
{
	struct fix f;

	fix_open(&f, RULES);
	for (size_t i = 0; i < sizeof(knowing) / sizeof(knowing[0]); i++) {
		struct arena *a = arena_new();
		const struct rule_question *q = rulebase_question(f.base, knowing[i].id);
		cr_assert_not_null(q);
		double known = lexical_knows(f.lexical, a, knowing[i].text, q);
		cr_expect(knowing[i].known ? known > 0.5 && known < 1 : known == 0, "%s, %s: %g", knowing[i].text,
		    knowing[i].id, known);
		arena_free(a);
	}
	fix_close(&f);
}

static const char NIGHT[] =
	"{'questions': ["
	"{'id': 'plan', 'question_text': 'Flight plan for VFR', 'category': 'Plans', 'tags': ['flight plan'], 'answers_by_country': {"
	"'FR': {'answer_html': 'No.'}, 'GB': {'answer_html': 'Only after dark.'}}},"
	"{'id': 'approach', 'question_text': 'Approaching a field', 'category': 'IFR', 'tags': ['approach'], " ALL("Only if VMC exists.") "},"
	"{'id': 'mask', 'question_text': 'Masks', 'category': 'Oxygen', 'tags': ['night'], " ALL("Yes.") "}"
	"]}";

static const struct {
	const char *text, *id, *country;
	bool mentioned;
} musts[] = {
	{ "a flight plan", "plan", "FR", true }, { "a flight plan at night", "plan", "FR", false },
	/* in the answer of that country, or of any */
	{ "a flight plan at night", "plan", "GB", true }, { "a flight plan at night", "plan", NULL, true },
	/* in a tag, in the category; but all of them */
	{ "masks at night", "mask", "FR", true }, { "oxygen masks at night", "mask", "FR", true },
	/* an answer that mentions it in passing is no rule about it */
	{ "VMC minima", "approach", "FR", false }, { "VMC minima", "approach", NULL, false }, { "approach", "approach", "FR", true },
	{ "oxygen masks at night, and drones", "mask", "FR", false }, { "", "mask", "FR", true },
};

TEST(lexical, mentions_what_a_question_cannot_do_without)
{
	struct arena *a = arena_new();
	struct fix f;

	fix_open(&f, NIGHT);
	for (size_t i = 0; i < sizeof(musts) / sizeof(musts[0]); i++) {
		const struct rule_question *q = rulebase_question(f.base, musts[i].id);
		cr_assert_not_null(q);
		cr_expect_eq(lexical_mentions(f.lexical, q, lexical_musts(a, musts[i].text), &musts[i].country, musts[i].country != NULL),
		    musts[i].mentioned, "%s, %s", musts[i].text, musts[i].id);
	}
	fix_close(&f);
	arena_free(a);
}

struct reader {
	struct fix *f;
	const char *want;
	size_t wrong;
};

static void *read_often(void *arg)
{
	struct reader *r = arg;

	for (int i = 0; i < 50; i++)
		r->wrong += !streq(best(r->f, "FR", r->want[0] == 'x' ? "squawk in class C" : "must I file"),
		    r->want);
	return NULL;
}

TEST(lexical, threads_search_at_once)
{
	struct fix f;
	struct reader readers[4];
	pthread_t threads[4];

	fix_open(&f, RULES);
	for (size_t i = 0; i < 4; i++) {
		readers[i] = (struct reader){ &f, i % 2 == 0 ? "xc" : "plan", 0 };
		cr_assert_eq(pthread_create(&threads[i], NULL, read_often, &readers[i]), 0);
	}
	for (size_t i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		cr_expect_eq(readers[i].wrong, 0);
	}
	fix_close(&f);
}

/* More questions than are weighed, all of them alike: the right one is among the best. */
TEST(lexical, a_large_base)
{
	struct fix f;
	struct buf rules;

	buf_init(&rules, 1 << 20);
	buf_puts(&rules, "{'questions': [");
	for (int i = 0; i < 2000; i++)
		buf_printf(&rules, "%s{'id': 'q%d', 'question_text': 'Flight plan for yodel%c%c%c?', "
		    "'answers_by_country': {'FR': {'answer_html': 'Yes'}}}", i > 0 ? "," : "", i,
		    'a' + i / 400, 'a' + i / 20 % 20, 'a' + i % 20);
	buf_puts(&rules, "]}");
	fix_open(&f, rules.p);
	buf_release(&rules);
	cr_expect_str_eq(best(&f, "FR", "a flight plan for yodelbcd"), "q443");
	fix_close(&f);
}

/* The real rules, where they are: the index is small, and a plain question finds its rule. */
TEST(lexical, the_real_rules)
{
	const char *path = test_data("rules/rules.json");
	struct rulebase *base;
	struct lexical *l;
	struct arena *a = arena_new();
	struct rule_hit hits[5];
	static const char *const countries[] = { "FR" };
	/* to go somewhere on instruments is about instruments first, then about flight plans */
	static const char *const arrivals[] = {
		"What are the rules for flying IFR to an uncontrolled airport in France?",
		"rules for IFR into uncontrolled airports", "IFR arrival at an uncontrolled airfield",
		"May I fly IFR to an airfield without ATC?", "landing IFR at a non-towered airfield",
	};
	const char *uncontrolled = "uncontrolled";
	struct err e;
	size_t n;

	if (path == NULL) {
		arena_free(a);
		test_skip("no real rules beside the tree");
	}
	TEST_OK(rulebase_load(&base, path, &e), e);
	TEST_OK(lexical_open(&l, base, &e), e);
	TEST_OK(lexical_search(l, a, "PPR", countries, 1, NULL, 0, hits, 5, &n, &e), e);
	cr_assert(n > 0);
	cr_expect(hits[0].similarity > THRESHOLD);
	cr_expect(rule_answer(hits[0].question, "FR") != NULL);
	TEST_OK(lexical_search(l, a, "oxygen above FL120 at night", countries, 1, NULL, 0, hits, 5, &n, &e),
	    e);
	cr_expect(n == 0 || hits[0].similarity < THRESHOLD);
	for (size_t i = 0; i < sizeof(arrivals) / sizeof(arrivals[0]); i++) {
		TEST_OK(lexical_search(l, a, arrivals[i], countries, 1, &uncontrolled, 1, hits, 5, &n, &e), e);
		cr_assert(n > 0);
		cr_expect_str_eq(hits[0].question->category, "IFR", "%s: %s", arrivals[i],
		    hits[0].question->text);
	}
	arena_free(a);
	lexical_close(l);
	rulebase_free(base);
}

/* -- the driver -- */

static const double even[FTS_COLUMNS] = { 1, 1, 1, 1 };

static const struct fts_hit *fts_ask(struct fts *f, struct arena *a, const char *const *terms,
    size_t nterms, const char *key, size_t max, size_t *n)
{
	const struct fts_search s = { terms, nterms, &key, key != NULL, max };
	const struct fts_hit *hits;
	struct err e;

	TEST_OK(fts_search(f, a, &s, &hits, n, &e), e);
	return hits;
}

TEST(db_fts, says_which_terms_stand_in_which_columns)
{
	static const char *const one[FTS_COLUMNS] = { "plan border", "plan", NULL, "alpine" };
	static const char *const two[FTS_COLUMNS] = { "plan" };
	static const char *const terms[] = { "alpine", "plan", "nothing" };
	struct arena *a = arena_new();
	const struct fts_hit *hits;
	struct fts *f;
	struct err e;
	size_t n;

	TEST_OK(fts_open(&f, even, &e), e);
	TEST_OK(fts_add(f, 7, "ka kb", one, &e), e);
	TEST_OK(fts_add(f, 9, "kb", two, &e), e);
	TEST_OK(fts_ready(f, &e), e);
	hits = fts_ask(f, a, terms, 3, NULL, 10, &n);
	cr_assert_eq(n, 2);
	cr_expect_eq(hits[0].id, 7, "best first");
	cr_expect_eq(hits[0].columns[0], 1U << 3);
	cr_expect_eq(hits[0].columns[1], 1U << 0 | 1U << 1);
	cr_expect_eq(hits[0].columns[2], 0);
	cr_expect_eq(hits[1].id, 9);
	cr_expect_eq(hits[1].columns[1], 1U << 0);
	hits = fts_ask(f, a, terms, 3, "ka", 10, &n);
	cr_expect_eq(n, 1);
	hits = fts_ask(f, a, terms, 3, NULL, 1, &n);
	cr_expect_eq(n, 1);
	hits = fts_ask(f, a, terms, 0, NULL, 10, &n);
	cr_expect_eq(n, 0);
	cr_expect_null(hits);
	/* a key is no term, and a term no key */
	static const char *const key[] = { "ka" };
	hits = fts_ask(f, a, key, 1, NULL, 10, &n);
	cr_expect_eq(n, 0);
	hits = fts_ask(f, a, terms, 3, "plan", 10, &n);
	cr_expect_eq(n, 0);
	fts_close(f);
	fts_close(NULL);
	arena_free(a);
}

TEST(db_fts, what_is_no_token_is_an_error)
{
	static const char *const columns[FTS_COLUMNS] = { "a b" };
	static const char *const terms[] = { "a\"b" };
	const struct fts_search s = { terms, 1, NULL, 0, 5 };
	struct arena *a = arena_new();
	const struct fts_hit *hits;
	struct fts *f;
	struct err e;
	size_t n;

	TEST_OK(fts_open(&f, even, &e), e);
	TEST_OK(fts_add(f, 1, "", columns, &e), e);
	TEST_OK(fts_ready(f, &e), e);
	cr_expect_eq(fts_search(f, a, &s, &hits, &n, &e), ERR_INTERNAL);
	cr_expect_eq(n, 0);
	cr_expect(strstr(e.msg, "full-text index") != NULL, "%s", e.msg);
	fts_close(f);
	arena_free(a);
}

TEST(db_fts, more_terms_than_it_takes)
{
	static const char *const columns[FTS_COLUMNS] = { "t0 t70" };
	const char *terms[FTS_TERMS + 16];
	struct arena *a = arena_new();
	const struct fts_hit *hits;
	struct fts *f;
	struct err e;
	size_t n;

	for (size_t i = 0; i < FTS_TERMS + 16; i++)
		terms[i] = arena_printf(a, "t%zu", i);
	TEST_OK(fts_open(&f, even, &e), e);
	TEST_OK(fts_add(f, 1, "", columns, &e), e);
	TEST_OK(fts_ready(f, &e), e);
	hits = fts_ask(f, a, terms, FTS_TERMS + 16, NULL, 5, &n);
	cr_assert_eq(n, 1);
	cr_expect_eq(hits[0].columns[0], 1);
	cr_expect_eq(hits[0].columns[1], 0);
	fts_close(f);
	arena_free(a);
}
