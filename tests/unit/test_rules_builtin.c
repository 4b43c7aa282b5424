/*
 * Rules with the vectors that ship with the program: words serve while the vectors are made, questions are found by their
 * meaning without any provider, and files that no vectors fit are searched by words.
 */
#include "tests/unit/test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/aviation/builtin/rules_question.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "language/encoder.h"
#include "rules/compare.h"
#include "rules/fusion.h"
#include "rules/refusal.h"
#include "rules/retrieve.h"
#include "tests/unit/rules_fix.h"

#define SHIPPED TEST_SRCDIR "/conf/language/encoder.model"

#define ANSWERS "'answers_by_country': {'FR': {'answer_html': '%s'}, 'DE': {'answer_html': '%s'}}"

static const struct { const char *id, *text, *fr, *de; } matters[] = {
	{ "border", "Is a flight plan required for a flight across the border?", "Yes, always.",
		"Yes, unless the neighbouring state waives it." },
	{ "low", "Minimum height over congested areas", "1000 ft above the highest obstacle.", "300 m above houses." },
	{ "alcohol", "Time between the last drink and the flight", "Eight hours, and 0.2 g/l at most.", "Zero alcohol." },
	{ "oxygen", "Oxygen for pilot and passengers", "Above 10000 ft after 30 minutes.", "Above 3000 m after half an hour." },
	{ "vest", "Life jackets over water", "Beyond gliding distance from land.", "When the shore cannot be reached." },
	{ "squawk", "Transponder code of flights without a plan", "7000 everywhere.", "7000, in some zones 3701." },
};
enum { MATTERS = sizeof(matters) / sizeof(matters[0]) };

struct builtin_fix {
	char *dir;
	char path[600];
	struct arena *a;
	struct encoder *encoder;
	struct rules_options options;
	struct rules_config config;
	struct rules *rules;
	struct rules_found found;
	struct err e;
};

static void write_matters(const char *path)
{
	struct buf b;
	buf_init(&b, 1 << 20);
	buf_puts(&b, "{'questions': [");
	for (size_t i = 0; i < MATTERS; i++) {
		buf_printf(&b, "%s{'question_id': '%s', 'question_text': '%s', 'category': 'X', ", i > 0 ? "," : "",
		    matters[i].id, matters[i].text);
		buf_printf(&b, ANSWERS "}", matters[i].fr, matters[i].de);
	}
	buf_puts(&b, "]}");
	rules_fix_write(path, b.p);
	buf_release(&b);
}

/* text: of the file; NULL: the matters. */
static void begin(struct builtin_fix *f, const char *text)
{
	*f = (struct builtin_fix){ .dir = test_mkdtemp(), .a = arena_new() };
	snprintf(f->path, sizeof(f->path), "%s/rules.json", f->dir);
	if (text == NULL)
		write_matters(f->path);
	else
		rules_fix_write(f->path, text);
	log_level_set("OFF");
	TEST_OK(encoder_open(&f->encoder, SHIPPED, &f->e), f->e);
	f->options = (struct rules_options){ .embedding_model = "text-embedding-3-small", .top_k = 5, .multiplier = 2,
		.threshold = 0.25, .rerank_provider = "none", .compare_max = 10, .compare_send_all = 10 };
	f->config = (struct rules_config){ .path = f->path, .encoder = f->encoder, .options = &f->options };
}

static void begin_open(struct builtin_fix *f, const char *text)
{
	begin(f, text);
	TEST_OK(rules_open(&f->rules, &f->config, &f->e), f->e);
	rules_refresh(f->rules);
}

static void end(struct builtin_fix *f)
{
	arena_free(f->a);
	rules_close(f->rules);
	encoder_close(f->encoder);
	test_rmdir(f->dir);
}

/* The id of the best rule; "": none. */
static const char *ask(struct builtin_fix *f, const char *question)
{
	static const char *const fr[] = { "FR" };
	const struct rules_query q = { .question = question, .countries = fr, .ncountries = 1, .no_model = true };
	TEST_OK(rules_retrieve(f->rules, rules_use(f->rules, f->a), f->a, &q, &f->found, &f->e), f->e);
	return f->found.n > 0 ? f->found.hits[0].question->id : "";
}

/* ---- while they are made ----------------------------------------------------------------------- */

TEST(rules_builtin, words_serve_while_the_vectors_are_made, .timeout = 60)
{
	struct builtin_fix f;
	char pipe[700], line[4096];
	begin(&f, NULL);
	/* the loader cannot write its line about the rules, so it stays before the vectors */
	snprintf(pipe, sizeof(pipe), "%s/pipe", f.dir);
	cr_assert_eq(mkfifo(pipe, 0600), 0);
	int fd = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	cr_assert_geq(fd, 0);
	memset(line, '.', sizeof(line));
	for (size_t n = sizeof(line); n > 0; n /= 2)
		while (write(fd, line, n) > 0)
			;
	log_level_set("INFO");
	cr_assert(log_open(pipe));
	int64_t began = clock_mono_ms();
	TEST_OK(rules_open(&f.rules, &f.config, &f.e), f.e);
	const struct rules_snapshot *set = rules_use(f.rules, f.a);
	cr_assert_not_null(set);
	cr_expect_lt(clock_mono_ms() - began, 4000, "it waits for the words only");
	cr_expect_null(set->vectors);
	struct rules_status st = rules_status(f.rules, f.a);
	cr_expect(!st.loading && st.loaded && !st.vectors && st.model == NULL && !st.strange && st.stale == NULL);
	cr_expect_str_eq(st.index, "the vectors are being made");
	while (read(fd, line, sizeof(line)) > 0)
		;
	rules_refresh(f.rules);
	st = rules_status(f.rules, f.a);
	cr_expect(st.vectors && !st.index_bad);
	cr_expect_str_eq(st.model, "builtin");
	cr_expect_str_eq(st.index, "builtin, 6 questions");
	cr_expect_null(set->vectors, "a turn keeps its set");
	cr_assert(log_open(NULL));
	close(fd);
	end(&f);
}

TEST(rules_builtin, a_changed_file_keeps_the_old_vectors_until_it_is_ready)
{
	struct builtin_fix f;
	begin_open(&f, NULL);
	cr_expect_not_null(rules_use(f.rules, f.a)->vectors);
	rules_fix_write(f.path, "{'questions': [{'question_id': 'fuel', 'question_text': 'How much fuel must be left on landing?', "
	    "'answers_by_country': {'FR': {'answer_html': 'Thirty minutes of flight.'}}}]}");
	rules_refresh(f.rules);
	cr_expect_not_null(rules_use(f.rules, f.a)->vectors);
	cr_expect_str_eq(ask(&f, "réserve de carburant à l'atterrissage"), "fuel");
	end(&f);
}

TEST(rules_builtin, closed_at_any_moment_while_they_are_made)
{
	struct builtin_fix f;
	begin_open(&f, NULL);
	for (int i = 0; i < 30; i++) {
		rules_close(f.rules);
		TEST_OK(rules_open(&f.rules, &f.config, &f.e), f.e);
		for (volatile int k = 0; k < i * 4000; k++)
			;
	}
	end(&f);
}

/* ---- found by meaning ---------------------------------------------------------------------------- */

static const struct { const char *question, *id; } asked[] = {
	{ "Do I have to file when I leave the country?", "border" },
	{ "Muss ich für den Grenzübertritt einen Flugplan aufgeben?", "border" },
	{ "plan de vol pour passer la frontière ?", "border" },
	{ "wie tief darf ich über die Stadt", "low" },
	{ "à quelle hauteur survoler une ville", "low" },
	{ "may I fly the morning after a few beers", "alcohol" },
	{ "alcool et pilotage : combien d'heures ?", "alcohol" },
	{ "ab welcher Höhe Sauerstoff", "oxygen" },
	{ "gilets de sauvetage au-dessus de la mer", "vest" },
	{ "which code do I dial into the XPDR when VFR", "squawk" },
	{ "Which restaurant near Lyon has the best cheese?", "" },
	{ "Who won the match on Sunday?", "" },
};

TEST(rules_builtin, questions_are_found_by_meaning)
{
	struct builtin_fix f;
	begin_open(&f, NULL);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		const char *id = ask(&f, asked[i].question);
		cr_expect_str_eq(id, asked[i].id, "%s: %s, %.3f", asked[i].question, id,
		    f.found.n > 0 ? f.found.hits[0].similarity : 0);
		cr_expect(f.found.vectors && !f.found.reformulated, "no model is needed");
	}
	end(&f);
}

/* "No" to "must I file a plan?" is no answer to "must I file a plan at night?", however near the two are. */
TEST(rules_builtin, a_rule_that_is_silent_on_the_subject_does_not_answer)
{
	struct builtin_fix f;
	begin_open(&f, NULL);
	cr_expect_str_eq(ask(&f, "Is a flight plan required for a flight across the border?"), "border");
	cr_expect_str_eq(ask(&f, "Is a flight plan required for a flight across the border at night?"), "");
	cr_expect_str_eq(ask(&f, "Oxygen for pilot and passengers"), "oxygen");
	end(&f);
}

/* Only countries that answer it, whatever its vector is. */
TEST(rules_builtin, countries_limit_what_is_found)
{
	static const char *const nowhere[] = { "PL" };
	struct builtin_fix f;
	begin_open(&f, NULL);
	const struct rules_query q = { .question = "Is a flight plan required across the border?", .countries = nowhere,
		.ncountries = 1 };
	TEST_OK(rules_retrieve(f.rules, rules_use(f.rules, f.a), f.a, &q, &f.found, &f.e), f.e);
	cr_expect_eq(f.found.n, 0);
	end(&f);
}

TEST(rules_builtin, a_comparison_uses_them)
{
	static const char *const both[] = { "DE", "FR" };
	struct builtin_fix f;
	struct rules_compared out;
	begin_open(&f, NULL);
	const struct rules_comparing c = { .countries = both, .ncountries = 2, .no_model = true };
	TEST_OK(rules_compare(f.rules, rules_use(f.rules, f.a), f.a, &c, &out, &f.e), f.e);
	cr_expect(out.vectors && out.n == MATTERS);
	end(&f);
}

/* The words say what the vectors of whole texts hide: a long story about one matter, and words that no lesson had. */
static const struct { const char *question, *id; } by_words[] = {
	{ "my aunt from Toulouse is afraid of the sea and asks whether everybody on board gets a life vest", "vest" },
	{ "which transponder setting", "squawk" }, { "Schwimmwesten", "vest" }, { "bouteille d'oxygène à bord", "oxygen" },
	{ "two beers at lunch, take-off at eight", "alcohol" },
};

TEST(rules_builtin, words_are_compared_one_by_one)
{
	struct builtin_fix f;
	begin_open(&f, NULL);
	for (size_t i = 0; i < sizeof(by_words) / sizeof(by_words[0]); i++)
		cr_expect_str_eq(ask(&f, by_words[i].question), by_words[i].id, "%s: %s", by_words[i].question, ask(&f, by_words[i].question));
	end(&f);
}

/* ---- adding similarities ------------------------------------------------------------------------- */

TEST(rules_builtin, the_sum_of_both_ranks)
{
	static const struct rule_question q[4] = { { .index = 0 }, { .index = 1 }, { .index = 2 }, { .index = 3 } };
	struct rule_hit meaning[] = { { &q[0], 0.8 }, { &q[1], 0.7 }, { &q[2], 0.1 } };
	struct rule_hit words[] = { { &q[1], 0.5 }, { &q[3], 0.4 }, { &q[1], 0.3 }, { &q[3], 0.7 } };
	struct arena *a = arena_new();
	struct hits out = fusion_by_weights(a, 4, (struct hits){ meaning, 3 }, (struct hits){ words, 4 });
	cr_assert_eq(out.n, 4);
	cr_expect(out.hit[0].question == &q[1] && out.hit[1].question == &q[0] && out.hit[2].question == &q[3] &&
	    out.hit[3].question == &q[2]);
	cr_expect_float_eq(out.hit[0].similarity / out.hit[1].similarity, (0.7 + 1.2 * 0.5 * 0.5) / 0.8, 1e-9,
	    "the larger of its two words counts");
	cr_expect_float_eq(out.hit[2].similarity / out.hit[1].similarity, 1.2 * 0.7 * 0.7 / 0.8, 1e-9);
	cr_expect_eq(fusion_by_weights(a, 4, (struct hits){ NULL, 0 }, (struct hits){ NULL, 0 }).n, 0);
	arena_free(a);
}

/* The similarities of up to three hits, the cosine of the first, and what the words alone find of it; how many are kept with a
 * threshold. */
static const struct {
	double hit[3], cosine, words, asks, known, threshold;
	size_t n, kept;
	double rival;
} refusals[] = {
	{ { 0 }, 0, 0, 5, 0, 0.25, 0, 0, 0 },
	{ { 0.8, 0.7, 0.1 }, 0.5, 0.2, 2, 0, 0.25, 3, 2, 0 },    /* far behind the first: left out */
	{ { 0.8, 0.7, 0.1 }, 0.5, 0.2, 2, 0, 0.9, 3, 0, 0 },
	{ { 1.4, 1.3, 1.2 }, 1, 0.8, 9, 1, 0.9, 3, 3, 0 },
	{ { 0.5, 0.4, 0.3 }, 0.3, 0, 0, 0, 0.25, 3, 3, 0 },
	{ { 0.5, 0.4, 0.3 }, 0.3, 0, -3, 0, 0.25, 3, 0, 0 },     /* sounds like something else */
	{ { 0.5, 0.4, 0.3 }, 0.3, 0, 0, 1, 0.25, 3, 0, 0 },      /* the words know both, and find nothing in common */
	{ { 0.5, 0.4, 0.3 }, 0.3, 0.5, 0, 1, 0.25, 3, 3, 0 },
	{ { 0.7, 0.7, 0.7 }, 0.1, 0, 0, 0, 0.25, 3, 0, 0 },      /* similar words, but of another matter */
	{ { 0.5, 0.4, 0.3 }, 0.3, 0, 0, 0, 0.25, 3, 3, 0.3 },
	{ { 0.5, 0.4, 0.3 }, 0.3, 0, 0, 0, 0.25, 3, 0, 0.7 },  /* nearer to another matter of flying */
	{ { 0.5, 0.4, 0.3 }, 0.3, 0.5, 0, 0, 0.25, 3, 3, 0.7 },       /* … but the words say it is this one */
	{ { 0.8, 0.4, 0.3 }, 0.5, 0, -99, 1, 0.25, 3, 0, 0 }, { { 0.9, 0.4, 0.3 }, 0.6, 0, -99, 0, 0.25, 3, 1, 0 },
	{ { 0.2, 0.2, 0.2 }, 0.1, 0.2, 99, 0, 0.25, 3, 0, 0 },   /* nothing is near, however it sounds */
	{ { 0.01, 0, 0 }, 0, 0, -99, 1, 0, 3, 0, 0 }, { { 0.5, 0.1, 0 }, 0.3, 0, 0, 0, 0, 3, 1, 0 }, { { 0 }, 0, 0, 5, 0, 0, 3, 0, 0 },
};

TEST(rules_builtin, a_question_is_refused_as_a_whole)
{
	static const struct rule_question q[3];
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct rule_hit hit[3], words[] = { { &q[1], 1 }, { &q[0], refusals[i].words / 2 }, { &q[0], refusals[i].words } };
		struct hits h = { hit, refusals[i].n };
		const struct refusal_signs signs = { refusals[i].asks, refusals[i].cosine, refusals[i].rival, refusals[i].known, { words, 3 } };
		for (size_t k = 0; k < h.n; k++)
			hit[k] = (struct rule_hit){ &q[k], refusals[i].hit[k] };
		refusal_judge(&h, &signs, refusals[i].threshold);
		cr_expect_eq(h.n, refusals[i].kept, "%zu: %zu", i, h.n);
		for (size_t k = 0; k < h.n; k++)
			cr_expect(hit[k].similarity > 0 && hit[k].similarity <= 1 &&
			    (k == 0 || hit[k].similarity <= hit[k - 1].similarity), "%zu: %g", i, hit[k].similarity);
	}
}

TEST(rules_builtin, a_higher_threshold_refuses_more)
{
	static const struct rule_question q;
	size_t kept = SIZE_MAX;
	for (double threshold = 0; threshold <= 1; threshold += 0.05) {
		size_t now = 0;
		for (int sum = 1; sum < 14; sum++) {
			const struct refusal_signs signs = { .asks = -0.5, .cosine = sum / 20.0 };
			struct rule_hit hit = { &q, sum / 10.0 };
			struct hits h = { &hit, 1 };
			refusal_judge(&h, &signs, threshold);
			now += h.n;
		}
		cr_expect_leq(now, kept, "%g", threshold);
		kept = now;
	}
	cr_expect_eq(kept, 0);
}

/* ---- files and questions that do not fit --------------------------------------------------------- */

static const char strange[] = "{'questions': ["
    "{'question_id': 'plan', 'question_text': 'Czy potrzebny jest plan lotu przez granice?', 'answers_by_country': {"
    "'PL': {'answer_html': 'Tak, zawsze, najpozniej godzine przed startem.'}}},"
    "{'question_id': 'noc', 'question_text': 'Kto moze latac w nocy wedlug przepisow VFR?', 'answers_by_country': {"
    "'PL': {'answer_html': 'Pilot z uprawnieniem do lotow nocnych.'}}}]}";

TEST(rules_builtin, a_language_that_is_not_known_is_searched_by_words)
{
	static const char *const pl[] = { "PL" };
	struct builtin_fix f;
	begin_open(&f, strange);
	struct rules_status st = rules_status(f.rules, f.a);
	cr_expect(st.loaded && !st.vectors && st.strange && !st.index_bad && st.model == NULL);
	cr_expect_not_null(strstr(st.index, "language"), "%s", st.index);
	const struct rules_query q = { .question = "plan lotu przez granice", .countries = pl, .ncountries = 1 };
	TEST_OK(rules_retrieve(f.rules, rules_use(f.rules, f.a), f.a, &q, &f.found, &f.e), f.e);
	cr_assert_gt(f.found.n, 0);
	cr_expect_str_eq(f.found.hits[0].question->id, "plan");
	cr_expect_not(f.found.vectors);
	/* the next file is known */
	write_matters(f.path);
	rules_refresh(f.rules);
	st = rules_status(f.rules, f.a);
	cr_expect(st.vectors && !st.strange);
	end(&f);
}

TEST(rules_builtin, texts_without_words)
{
	struct builtin_fix f;
	begin_open(&f, "{'questions': [{'question_id': 'signs', 'question_text': '!?', 'answers_by_country': {"
	    "'FR': {'answer_html': '---'}, 'DE': {'answer_html': '***'}}}, {'question_id': 'low', 'question_text': "
	    "'Minimum height over a town', 'answers_by_country': {'FR': {'answer_html': '!!'}, 'DE': {'answer_html': '1000 ft'}}}]}");
	cr_expect_not_null(rules_use(f.rules, f.a)->vectors);
	cr_expect_str_eq(ask(&f, "minimum height over the town"), "low");
	cr_expect_str_eq(ask(&f, "?!"), "");
	cr_expect_str_eq(ask(&f, ""), "");
	end(&f);
}

TEST(rules_builtin, a_question_of_64_kib)
{
	enum { LONG = 64 * 1024 };
	struct builtin_fix f;
	begin_open(&f, NULL);
	char *text = arena_alloc(f.a, LONG + 1);
	for (size_t i = 0; i < LONG; i++)
		text[i] = i % 7 == 6 ? ' ' : (char)('a' + (i * 7 + i / 13) % 26);
	ask(&f, text);
	cr_expect(f.found.vectors);
	memset(text, 'x', LONG);
	cr_expect_str_eq(ask(&f, text), "");
	static const char first[] = "How low may I fly over the town? ";
	memcpy(text, first, sizeof(first) - 1);
	ask(&f, text);
	end(&f);
}

/* An answer that is longer than a file may have counts as absent. One at the limit is read. */
TEST(rules_builtin, answers_of_100_kb)
{
	struct builtin_fix f;
	struct buf b;
	buf_init(&b, 1 << 20);
	buf_puts(&b, "{'questions': [{'question_id': 'long', 'question_text': 'Oxygen above which altitude?', "
	    "'answers_by_country': {'DE': {'answer_html': '");
	for (int i = 0; i < 100 * 1024 / 8; i++)
		buf_puts(&b, "oxygen, ");
	buf_puts(&b, "'}, 'FR': {'answer_html': '");
	for (int i = 0; i < 60 * 1024 / 8; i++)
		buf_puts(&b, "oxygen, ");
	buf_puts(&b, "'}}}]}");
	begin_open(&f, b.p);
	buf_release(&b);
	const struct rules_snapshot *set = rules_use(f.rules, f.a);
	cr_assert_not_null(set);
	cr_expect_not_null(set->vectors);
	cr_expect_eq(set->base->nanswers, 1);
	cr_expect_str_eq(ask(&f, "Sauerstoff ab welcher Höhe"), "long");
	end(&f);
}

/* They are read, and the right one is found among them, although they have more words than are compared.
 * With AddressSanitizer there are 10,000, because it is slow. */
TEST(rules_builtin, many_rules, .timeout = 300)
{
	enum { RULES = TEST_IS_SLOW ? 10000 : 50000 };
	struct builtin_fix f;
	struct buf b;
	buf_init(&b, 16 << 20);
	buf_puts(&b, "{'questions': [{'question_id': 'low', 'question_text': 'Minimum height over a town', "
	    "'country_code': 'FR', 'answer_html': '1000 ft'}");
	for (int i = 1; i < RULES; i++)
		buf_printf(&b, ",{'question_id': 'q%d', 'question_text': 'May part %d of the aircraft be painted?', "
		    "'country_code': 'FR', 'answer_html': 'Yes, as a%d b%d c%d d%d'}", i, i, i, i, i, i);
	buf_puts(&b, "]}");
	begin_open(&f, b.p);
	buf_release(&b);
	const struct rules_snapshot *set = rules_use(f.rules, f.a);
	cr_assert_not_null(set, "%s", rules_status(f.rules, f.a).rules);
	cr_expect(set->base->nquestions == RULES && set->vectors != NULL);
	cr_expect_str_eq(ask(&f, "à quelle hauteur survoler une ville"), "low");
	end(&f);
}

/* ---- questions that do not sound like questions about rules --------------------------------------------------------- */

/* "Germany" is a country. */
static void find_germany(void *self, const struct words *w, struct evidences *out)
{
	(void)self;
	for (size_t i = 0; i < w->n; i++)
		if (streq(w->word[i].fold, "germany"))
			evidence_add(out, i, i, "country", "DE");
}

/* A message that the reader takes for something else, and for a question about rules with this probability. */
static struct reading taken_for_other(struct arena *a, const char *text, double likely)
{
	static const struct evidence_source countries[] = { { find_germany, NULL } };
	struct reading r = { .words = words_of(a, text, NULL), .nplans = 1, .plan = { { NULL, "cannot:other" } }, .sure = 0.6,
		.nothers = 2, .other = { { { NULL, "near" }, 1, 0.1 }, { { NULL, "answer" }, 1, likely } } };
	r.evidence = evidence_of(a, r.words, countries, 1);
	return r;
}

/* cases[3] is near enough for a search, but not for this. */
TEST(rules_builtin, a_message_that_a_rule_answers_becomes_a_question_about_it)
{
	static const struct { const char *text; double likely; bool found; size_t countries; } cases[] = {
		{ "had my last drink at lunch, how much time until I may fly", 0.2, true, 0 },
		{ "had my last drink at lunch, how much time until I may fly in Germany", 0.2, true, 1 },
		{ "had my last drink at lunch, how much time until I may fly", 0.001, false, 0 },
		{ "is there wine at lunch in the club", 0.2, false, 0 },
		{ "who painted the ceiling of the cathedral", 0.2, false, 0 },
		{ "", 0.2, false, 0 },
	};
	struct builtin_fix f;
	begin_open(&f, NULL);
	const struct rules_snapshot *set = rules_use(f.rules, f.a);
	cr_expect_gt(rules_nearness(f.rules, set, f.a, cases[3].text), f.options.threshold);
	cr_expect_eq(rules_nearness(f.rules, set, f.a, cases[4].text), 0);
	cr_expect(!rules_none_near(f.rules, set, f.a, cases[3].text));
	cr_expect(rules_none_near(f.rules, set, f.a, cases[4].text));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct tool_context ctx = { .rules = f.rules };
		struct reading r = taken_for_other(f.a, cases[i].text, cases[i].likely);
		cr_expect_eq(rules_question_found(&r, f.a, &ctx, cases[i].text), cases[i].found, "%s", cases[i].text);
		cr_expect_str_eq(r.plan[0].plan, cases[i].found ? "answer" : "cannot:other");
		cr_expect_str_eq(r.other[1].plan.plan, cases[i].found ? "cannot:other" : "answer");
		cr_expect_eq(r.sure, cases[i].found ? 0.2 : 0.6);
		cr_expect_eq(r.nmarks, cases[i].countries, "%s", cases[i].text);
	}
	end(&f);
}

/* No rules, words alone, another plan, several plans, a message that goes on from something: the reading stays as it is. */
TEST(rules_builtin, only_a_new_message_for_something_else_is_put_to_the_rules)
{
	static const char text[] = "had my last drink at lunch, how much time until I may fly";
	struct builtin_fix f;
	begin_open(&f, NULL);
	const struct tool_context none = { .rules = NULL }, ctx = { .rules = f.rules };
	struct reading r = taken_for_other(f.a, text, 0.2);
	cr_expect_not(rules_question_found(&r, f.a, &none, text));
	r.plan[0].plan = "details";
	cr_expect_not(rules_question_found(&r, f.a, &ctx, text));
	r = taken_for_other(f.a, text, 0.2);
	r.plan[0].kind = "refine";
	cr_expect_not(rules_question_found(&r, f.a, &ctx, text));
	r = taken_for_other(f.a, text, 0.2);
	r.plan[r.nplans++] = (struct reading_plan){ NULL, "near" };
	cr_expect_not(rules_question_found(&r, f.a, &ctx, text));
	rules_close(f.rules);
	f.config.encoder = NULL;
	TEST_OK(rules_open(&f.rules, &f.config, &f.e), f.e);
	rules_refresh(f.rules);
	const struct tool_context words = { .rules = f.rules };
	r = taken_for_other(f.a, text, 0.2);
	cr_expect_not(rules_question_found(&r, f.a, &words, text));
	end(&f);
}
