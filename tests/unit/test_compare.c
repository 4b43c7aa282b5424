/*
 * Comparison of countries: how far answers differ, and which questions are shown.
 */
#include "rules/compare.h"

#include "base/clock.h"
#include "base/jsn.h"
#include "base/str.h"
#include "tests/unit/rules_tools_fix.h"

/* ---- by words ---------------------------------------------------------------- */

static double words(const char *x, const char *y)
{
	struct arena *a = arena_new();
	const char *texts[] = { x, y };
	double d = answers_difference(a, texts, NULL, 2, 0);

	arena_free(a);
	return d;
}

static const struct {
	const char *a, *b;
	double least, most;
} pairs[] = {
	/* opposites, nothing in common, nothing different */
	{ "Yes", "No", 2, 2 },
	{ "usually", "sometimes", 1, 1 },
	{ "yes.", "Yes!", 0, 0 },
	{ "No", "None.", 0, 0 },
	{ "Call the tower", "call the TOWER.", 0, 0 },
	{ "Höhe über Grund", "hohe uber grund", 0, 0 },
	{ "mode S", "by radio only", 1, 1 },
	/* the same words in another order, or words without weight */
	{ "Call the tower first", "first call tower", 0, 0 },
	/* yes and no count as much as all that follows */
	{ "Yes, for all flights by night", "No, for all flights by night", 1, 1 },
	{ "Yes, call the tower", "No, ask by radio", 1.5, 1.5 },
	{ "Yes, call the tower", "call the tower", 0.25, 0.35 },
	{ "It is not allowed", "Yes", 1.5, 2 },
	{ "that depends, at times yes", "that depends, at times", 0, 0.2 },
	{ "Yes, see https://a.example/x-y/z?q=1", "Yes, see www.b.example", 0, 0 },
	{ "https://a.example/", "https://b.example/", 1, 1 },
	{ "Yes, call the tower", "Yes, ask by radio", 0.4, 0.6 },
	{ "No", "No, unless the field is closed", 0.2, 0.4 },
	{ "FIS can clear you", "FIS cannot clear you", 0.28, 0.4 },
	/* a lone "not" in long equal texts is more than comparison.min_difference */
	{ "A flight plan by telephone or by the web site of the office one hour before the flight "
	  "with all alternates is accepted when the field of departure has a tower on duty",
	  "A flight plan by telephone or by the web site of the office one hour before the flight "
	  "with all alternates is not accepted when the field of departure has a tower on duty",
	  0.12, 0.3 },
	{ "Crossing the zone isn't allowed without a clearance by radio",
	  "Crossing the zone is allowed with a clearance by radio", 0.12, 0.5 },
	{ "Night flight of gliders is banned", "Night flight of gliders is fine", 0.2, 0.4 },
	/* numbers, however they are written */
	{ "1,500 ft", "1500ft", 0, 0 },
	{ "126,90", "126.9", 0, 0 },
	{ "FL100", "FL 100", 0, 0 },
	{ "1000.", "1000", 0, 0 },
	{ "500 ft above ground", "1000 ft above ground", 0.5, 0.6 },
	{ "squawk 7000", "squawk 2000", 0.7, 0.9 },
	{ "5 km", "5 NM", 0.1, 0.3 },
	{ "118.7", "1187", 1, 1 },
	/* nothing that is a word */
	{ "–", "—", 0, 0 },
	{ "?", "!", 1, 1 },
	{ "the", "the", 0, 0 },
	{ "the", "of", 1, 1 },
	{ "", "", 0, 0 },
	{ "", "yes", 1, 1 },
	{ "Άδεια", "Άδεια", 0, 0 },
	{ "\xff\xfe", "\xff\xfe", 0, 0 },
};

TEST(textdiff, pairs)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		double d = words(pairs[i].a, pairs[i].b);

		cr_expect(d >= pairs[i].least - 1e-9 && d <= pairs[i].most + 1e-9,
		    "\"%s\" and \"%s\": %g", pairs[i].a, pairs[i].b, d);
		cr_expect_float_eq(d, words(pairs[i].b, pairs[i].a), 1e-12);
	}
}

TEST(textdiff, all_pairs)
{
	/* the mean over the pairs, one after another */
	static const char *const texts[] = {
		"Yes, by radio", "No", "yes, by radio and by phone", "500 ft", "500 ft, not higher",
		"by radio",
	};
	enum { N = sizeof(texts) / sizeof(texts[0]) };
	struct arena *a = arena_new();
	double sum = 0;

	for (size_t i = 0; i < N; i++)
		for (size_t k = i + 1; k < N; k++)
			sum += words(texts[i], texts[k]);
	cr_expect_float_eq(answers_difference(a, texts, NULL, N, 0), sum / (N * (N - 1) / 2), 1e-9);
	cr_expect_eq(answers_difference(a, texts, NULL, 1, 0), 0);
	cr_expect_eq(answers_difference(a, texts, NULL, 0, 0), 0);
	arena_free(a);
}

/* ---- by vectors -------------------------------------------------------------- */

/* Of texts that are one word, only the vectors count. */
TEST(compare, vectors_alone)
{
	static const float x[] = { 1, 0, 0 }, y[] = { 0, 1, 0 }, minus_x[] = { -1, 0, 0 };
	static const char *const words[] = { "one", "other", "third" };
	const float *both[] = { x, y }, *same[] = { x, x, x }, *opposite[] = { x, minus_x };
	const float *three[] = { x, y, minus_x };
	struct arena *a = arena_new();

	cr_expect_float_eq(answers_difference(a, words, both, 2, 3), 1, 1e-12);
	cr_expect_eq(answers_difference(a, words, same, 3, 3), 0);
	cr_expect_float_eq(answers_difference(a, words, opposite, 2, 3), 2, 1e-12);
	cr_expect_float_eq(answers_difference(a, words, three, 3, 3), (1 + 2 + 1) / 3.0, 1e-12);
	cr_expect_eq(answers_difference(a, words, both, 1, 3), 0);
	cr_expect_eq(answers_difference(a, words, both, 0, 3), 0);
	arena_free(a);
}

static const struct {
	const char *a, *b;
	double least, most;
} contradictions[] = {
	{ "Yes", "No", 2, 2 }, { "Oui", "Nein", 2, 2 }, { "Ja, immer", "Non, jamais", 1, 2 },
	{ "Yes, call the tower", "No, call the tower", 1, 1 },
	{ "500 ft above ground", "1000 ft above ground", 0.5, 0.6 },
	{ "squawk 7000", "squawk 2000", 0.7, 0.9 },
	{ "FIS can clear you", "FIS cannot clear you", 0.15, 0.4 },
	{ "Das ist nicht erlaubt", "Das ist erlaubt", 0.15, 1.2 },
	{ "Le vol de nuit est interdit", "Le vol de nuit est permis", 0.12, 0.6 },
	/* the vector says that they mean the same, and nothing contradicts it */
	{ "call the tower first", "speak to the controller before", 0, 0 },
	{ "Yes, call the tower", "Yes, ask by radio", 0, 0 },
	{ "1,500 ft", "1500ft", 0, 0 },
};

TEST(compare, contradictions_stay_whatever_the_vectors_say)
{
	static const float x[] = { 0.6f, 0.8f };
	const float *same[] = { x, x };
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(contradictions) / sizeof(contradictions[0]); i++) {
		const char *texts[] = { contradictions[i].a, contradictions[i].b };
		double d = answers_difference(a, texts, same, 2, 2);

		cr_expect(d >= contradictions[i].least - 1e-6 && d <= contradictions[i].most + 1e-6,
		    "\"%s\" and \"%s\": %g", texts[0], texts[1], d);
	}
	arena_free(a);
}

/* Rounding makes about a third of equal vectors with many dimensions differ by a little less than
 * nothing; the original service then drops them. */
TEST(compare, equal_vectors_do_not_differ)
{
	enum { DIMS = 1536 };
	static const char *const words[] = { "one", "other" };
	struct arena *a = arena_new();
	float v[DIMS];
	const float *pair[] = { v, v };

	for (unsigned seed = 1; seed <= 50; seed++) {
		unsigned s = seed;

		for (size_t d = 0; d < DIMS; d++) {
			s = s * 1103515245u + 12345u;
			v[d] = (float)(s >> 16 & 0x7fff) / 16384 - 1;
		}
		vector_unit(v, DIMS);
		cr_expect_eq(answers_difference(a, words, pair, 2, DIMS), 0, "seed %u", seed);
	}
	arena_free(a);
}

/* ---- what is compared and shown ---------------------------------------------- */

/* "Night flight 0.83, Kites 0" */
static const char *shown(struct arena *a, const struct rules_compared *c)
{
	const char *text = "";

	for (size_t i = 0; i < c->n; i++) {
		char score[32];

		num_print(score, num_round(c->differences[i].score, 2));
		text = arena_printf(a, "%s%s%s %s", text, i > 0 ? ", " : "",
		    c->differences[i].question->id, score);
	}
	return text;
}

static const char *ids(struct arena *a, const struct rule_question *const *list, size_t n)
{
	const char *text = "";

	for (size_t i = 0; i < n; i++)
		text = arena_printf(a, "%s%s%s", text, i > 0 ? ", " : "", list[i]->id);
	return text;
}

static struct rules_compared compare(struct rulesfix *f, const struct rules_snapshot *set,
    const struct rules_comparing *c)
{
	struct rules_compared out;
	struct err e;

	TEST_OK(rules_compare(f->rules, set, f->mem, c, &out, &e), e);
	return out;
}

static const char *const fr_gb[] = { "FR", "GB" }, *const all[] = { "FR", "GB", "DE" };
static const char *const tether[] = { "tether" };

static const struct {
	const char *const *countries;
	size_t n, ntags;
	const char *shown, *incomplete;
	size_t total;
} comparisons[] = {
	{ fr_gb, 2, 0, "Night flight 1.71, Balloons-Tether 0, Kites 0, Frisbees 0",
	    "Balloons-Tether, Frisbees", 4 },
	{ all, 3, 0, "Night flight 1.19, Balloons-Tether 0.57, Kites 0, Frisbees 0",
	    "Balloons-Tether, Kites, Frisbees", 4 },
	{ fr_gb, 2, 1, "Balloons-Tether 0, Kites 0", "Balloons-Tether", 2 },
	{ fr_gb, 1, 0, "", "", 4 },
	{ fr_gb, 0, 0, "", "", 4 },
};

TEST(compare, by_words)
{
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++) {
		struct rules_comparing c = { .countries = comparisons[i].countries,
			.ncountries = comparisons[i].n, .tags = { tether, comparisons[i].ntags } };
		struct rules_compared out = compare(&f, f.set, &c);

		cr_expect_str_eq(shown(f.mem, &out), comparisons[i].shown, "%zu: %s", i,
		    shown(f.mem, &out));
		cr_expect_str_eq(ids(f.mem, out.incomplete, out.nincomplete),
		    comparisons[i].incomplete, "%zu", i);
		cr_expect_eq(out.total, comparisons[i].total);
		cr_expect_not(out.filtered);
		cr_expect_not(out.vectors);
	}
	rulesfix_close(&f);
}

/* The settings have effect. */
TEST(compare, settings)
{
	struct rules_comparing c = { .countries = all, .ncountries = 3 };
	struct rules_compared out;
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	f.options.compare_send_all = 4;
	f.options.compare_max = 1;
	out = compare(&f, f.set, &c);
	cr_expect_eq(out.n, 4, "as many as are sent in any case: %zu", out.n);
	cr_expect_not(out.filtered);
	f.options.compare_send_all = 3;
	out = compare(&f, f.set, &c);
	cr_expect_str_eq(shown(f.mem, &out), "Night flight 1.19");
	cr_expect(out.filtered);
	f.options.compare_max = 15;
	out = compare(&f, f.set, &c);
	cr_expect_str_eq(shown(f.mem, &out), "Night flight 1.19, Balloons-Tether 0.57");
	f.options.compare_min_difference = 0.6;
	out = compare(&f, f.set, &c);
	cr_expect_str_eq(shown(f.mem, &out), "Night flight 1.19");
	cr_expect_eq(out.total, 4);
	rulesfix_close(&f);
}

TEST(compare, by_vectors)
{
	struct madeup_vectors m = madeup_vectors(1536);
	struct rules_comparing c = { .countries = all, .ncountries = 3 };
	struct rules_compared out;
	struct rules_snapshot set;
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	set = (struct rules_snapshot){ .base = f.set->base, .lexical = f.set->lexical, .vectors = &m.base };
	out = compare(&f, &set, &c);
	cr_expect(out.vectors);
	/* one read for all; Kites, whose answers are equal, is there */
	cr_expect_eq(m.calls, 1);
	cr_expect_eq(out.n, 4);
	cr_expect_str_eq(out.differences[2].question->id, "Kites");
	cr_expect_eq(out.differences[2].score, 0);
	cr_expect_gt(out.differences[1].score, 0.5);

	/* an index that does not know an answer: its question is measured by words */
	m.unknown = "GB";
	out = compare(&f, &set, &(struct rules_comparing){ .countries = fr_gb, .ncountries = 2 });
	cr_expect(out.vectors);
	cr_expect_str_eq(shown(f.mem, &out),
	    "Night flight 1.71, Balloons-Tether 0, Kites 0, Frisbees 0");
	m.unknown = NULL;
	rulesfix_close(&f);
}

/* A server that hangs costs one turn a third of what it has left, and the next ones nothing. */
TEST(compare, vectors_that_hang)
{
	struct madeup_vectors m = madeup_vectors(8);
	struct rules_comparing c = { .countries = fr_gb, .ncountries = 2 };
	int64_t began = clock_mono_ms();
	struct rules_compared out;
	struct rules_snapshot set;
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	set = (struct rules_snapshot){ .base = f.set->base, .lexical = f.set->lexical, .vectors = &m.base };
	m.hangs = true;
	c.until_ms = began + 600;
	for (int i = 0; i < 3; i++) {
		out = compare(&f, &set, &c);
		cr_expect_not(out.vectors);
		cr_expect_str_eq(shown(f.mem, &out),
		    "Night flight 1.71, Balloons-Tether 0, Kites 0, Frisbees 0");
		c.until_ms = 0;
	}
	cr_expect_eq(m.calls, 1);
	cr_expect_lt(clock_mono_ms() - began, 6000);
	rulesfix_close(&f);
}

/* A turn whose model gave nothing is measured by words, as it is searched. */
TEST(compare, no_model)
{
	struct madeup_vectors m = madeup_vectors(8);
	struct rules_comparing c = { .countries = fr_gb, .ncountries = 2, .no_model = true };
	struct rules_compared out;
	struct rules_snapshot set;
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	set = (struct rules_snapshot){ .base = f.set->base, .lexical = f.set->lexical, .vectors = &m.base };
	out = compare(&f, &set, &c);
	cr_expect(!out.vectors && m.calls == 0);
	cr_expect_eq(out.n, 4);
	c.ncountries = 1;
	cr_expect_not(compare(&f, &set, &c).vectors);
	rulesfix_close(&f);
}

static const struct {
	enum errcode fails, want;
} failures[] = {
	{ ERR_UPSTREAM, OK }, { ERR_DATA, OK }, { ERR_IO, OK }, { ERR_NOTFOUND, OK },
	{ ERR_CONFIG, OK },
	{ ERR_HUP, ERR_HUP }, { ERR_TIMEOUT, ERR_TIMEOUT }, { ERR_OVERLOAD, ERR_OVERLOAD },
};

/* A source of vectors that fails leaves the words; only what ends the turn ends it. */
TEST(compare, vectors_fail)
{
	struct madeup_vectors m = madeup_vectors(8);
	struct rules_comparing c = { .countries = fr_gb, .ncountries = 2 };
	struct rules_compared out;
	struct rules_snapshot set;
	struct rulesfix f;
	struct err e;

	rulesfix_open(&f, NULL, NULL);
	set = (struct rules_snapshot){ .base = f.set->base, .lexical = f.set->lexical, .vectors = &m.base };
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		m.fails = failures[i].fails;
		cr_expect_eq(rules_compare(f.rules, &set, f.mem, &c, &out, &e), failures[i].want);
		if (failures[i].want == OK) {
			cr_expect_not(out.vectors);
			cr_expect_str_eq(shown(f.mem, &out),
			    "Night flight 1.71, Balloons-Tether 0, Kites 0, Frisbees 0");
		}
	}
	rulesfix_close(&f);
}

TEST(compare, question)
{
	struct rules_comparing c = { .countries = fr_gb, .ncountries = 2,
		.question = "do frisbees need a radio" };
	struct rules_compared out;
	struct rulesfix f;

	rulesfix_open(&f, NULL, NULL);
	f.options.compare_send_all = 0;
	out = compare(&f, f.set, &c);
	cr_assert_geq(out.n, 1);
	cr_expect_eq(out.n, out.total, "all that is found is shown");
	cr_expect_str_eq(out.differences[0].question->id, "Frisbees");
	cr_expect_not(out.filtered);
	/* nothing answers it: what has the tags, or nothing */
	c.question = "xyzzy quux";
	out = compare(&f, f.set, &c);
	cr_expect_eq(out.total, 0);
	cr_expect_eq(out.n, 0);
	c.tags = (struct rule_tags){ tether, 1 };
	out = compare(&f, f.set, &c);
	cr_expect_eq(out.total, 2);
	/* both: nothing without the tag, however well it answers */
	c.question = "do frisbees need a radio";
	out = compare(&f, f.set, &c);
	for (size_t i = 0; i < out.n; i++)
		cr_expect(rule_has_tag(out.differences[i].question, tether[0]), "%s",
		    out.differences[i].question->id);
	cr_expect_geq(out.total, 1);
	rulesfix_close(&f);
}

/* ---- the real file ----------------------------------------------------------- */

static struct rules_comparing everything(struct rulesfix *f)
{
	const struct rulebase *b = f->set->base;
	const char **codes = arena_array(f->mem, b->ncountries, sizeof(*codes));

	for (size_t i = 0; i < b->ncountries; i++)
		codes[i] = b->countries[i].code;
	return (struct rules_comparing){ .countries = codes, .ncountries = b->ncountries };
}

TEST(compare, real_file)
{
	const char *path = test_data("rules/rules.json");
	struct madeup_vectors m = madeup_vectors(64);
	struct rules_comparing c;
	struct rules_compared out, again;
	struct rules_snapshot set;
	struct rulesfix f;

	if (path == NULL) {
		test_skip("no data");
		return;
	}
	rulesfix_open(&f, path, NULL);
	c = everything(&f);
	for (int vectors = 0; vectors < 2; vectors++) {
		set = (struct rules_snapshot){ .base = f.set->base, .lexical = f.set->lexical, .vectors = vectors ? &m.base : NULL };
		out = compare(&f, &set, &c);
		cr_expect_eq(out.total, 57);
		cr_expect_eq(out.n, 15);
		cr_expect(out.filtered);
		again = compare(&f, &set, &c);
		for (size_t i = 0; i < out.n; i++) {
			cr_expect_eq(out.differences[i].question, again.differences[i].question);
			cr_expect(i == 0 || out.differences[i - 1].score >= out.differences[i].score);
		}
		cr_expect_gt(out.nincomplete, 0);
	}
	rulesfix_close(&f);
}
