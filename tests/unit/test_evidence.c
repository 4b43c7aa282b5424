/* What the vocabulary says of the words of a message, and how evidence is kept. */
#include "tests/unit/test.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/datafile.h"
#include "base/replace_file.h"
#include "base/str.h"
#include "language/languages.h"
#include "language/linear_format.h"
#include "language/vocabulary_private.h"

static struct vocabulary *shipped(struct arena *a)
{
	struct vocabulary *v;
	struct err e = { 0 };

	cr_assert_eq(vocabulary_load(&v, a, TEST_SRCDIR, &e), OK, "%s", e.msg);
	return v;
}

/* Is there evidence of this kind, with this value, for exactly this part of the text? */
static bool says(struct arena *a, const struct words *w, const struct evidences *e, const char *kind,
    const char *value, const char *part)
{
	for (size_t i = 0; i < e->n; i++)
		if (streq(e->at[i].kind, kind) && streq(e->at[i].value, value) &&
		    streq(words_slice(a, w, e->at[i].first, e->at[i].last), part))
			return true;
	return false;
}

static const struct {
	const char *text, *kind, *value, *part;
} phrases[] = {
	/* three languages, whatever the language of the message */
	{ "airfields with avgas", "has_avgas", NULL, "avgas" },
	{ "Plätze mit Flugbenzin", "has_avgas", NULL, "Flugbenzin" },
	{ "de l'essence avion", "has_avgas", NULL, "essence avion" },
	{ "customs in Lyon, bitte", "polite", NULL, "bitte" },
	{ "100LL", "has_avgas", NULL, "100LL" },
	{ "UL 91", "fuel.other", NULL, "UL 91" },
	{ "Jet-A1", "has_jet_a", NULL, "Jet-A1" },
	/* endings */
	{ "eine asphaltierte Bahn", "surface.hard", NULL, "asphaltierte" },
	{ "asphaltierten", "surface.hard", NULL, "asphaltierten" },
	{ "pistes goudronnées", "surface.hard", NULL, "goudronnées" },
	{ "les douanières", "point_of_entry", NULL, "douanières" },
	/* written apart, together, or with a hyphen */
	{ "a night-stop", "hotel", NULL, "night-stop" },
	{ "a night stop", "hotel", NULL, "night stop" },
	{ "nightstop", "hotel", NULL, "nightstop" },
	{ "jetfuel", "has_jet_a", NULL, "jetfuel" },
	{ "point-of-entry", "point_of_entry", NULL, "point-of-entry" },
	{ "dont care", "lift", NULL, "dont care" },
	{ "don't care", "lift", NULL, "don't care" },
	{ "aujourd’hui", "day", "today", "aujourd’hui" },
	/* parts of German words */
	{ "Zollflugplatz", "point_of_entry", NULL, "Zollflugplatz" },
	{ "Zollhundestaffel", "+point_of_entry", NULL, "Zollhundestaffel" },
	{ "Asphaltstreifen", "+surface.hard", NULL, "Asphaltstreifen" },
	{ "Dorfgasthof", "+hotel", NULL, "Dorfgasthof" },
	/* slips of the finger */
	{ "restauarnt", "~restaurant", NULL, "restauarnt" },
	{ "custms", "~point_of_entry", NULL, "custms" },
	{ "kerozin", "~has_jet_a", NULL, "kerozin" },
	{ "sunnday", "~day", "sunday", "sunnday" },
	/* the others */
	{ "which is the cheapest", "order=fee", NULL, "cheapest" },
	{ "the second one", "ordinal", "2", "second one" },
	{ "peu importe", "lift", NULL, "peu importe" },
	{ "was kostet", "ask=fee", NULL, "was kostet" },
	{ "C172", "aircraft", "c172", "C172" },
	{ "Cessna 172", "aircraft", "c172", "Cessna 172" },
	{ "km/h", "unit", "kmh", "km/h" },
	{ "in Weihnachten", "date", "25-12", "Weihnachten" },
	/* a route the other way round */
	{ "and back?", "reverse", NULL, "and back" },
	{ "the other way round", "reverse", NULL, "other way round" },
	{ "et le retour ?", "reverse", NULL, "le retour" },
	{ "dans l'autre sens", "reverse", NULL, "dans l'autre sens" },
	{ "und wieder zurück", "reverse", NULL, "wieder zurück" },
	{ "andersherum bitte", "reverse", NULL, "andersherum" },
	/* topics of rules say what they are called in the rules */
	{ "un plan de vol", "topic", "flight plan", "plan de vol" },
	{ "Schwimmwesten", "topic", "overwater flight life jackets", "Schwimmwesten" },
};

TEST(evidence, finds_phrases_of_all_languages)
{
	struct arena *a = arena_new();
	const struct evidence_source source = vocabulary_source(shipped(a));

	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
		const struct words *w = words_of(a, phrases[i].text, NULL);
		const struct evidences *e = evidence_of(a, w, &source, 1);
		cr_expect(says(a, w, e, phrases[i].kind, phrases[i].value, phrases[i].part), "%s: no %s %s",
		    phrases[i].text, phrases[i].kind, phrases[i].part);
	}
	arena_free(a);
}

static const struct {
	const char *text, *kind;
} absent[] = {
	{ "", "has_avgas" },
	{ "there", "~number" },                         /* an ordinary word is no slip of "three" */
	{ "sonntaglich", "~day" },                      /* two slips */
	{ "full. Sunday", "fuel" },
	{ "Bett", "~bet" },
};

TEST(evidence, says_nothing_of_other_words)
{
	struct arena *a = arena_new();
	const struct evidence_source source = vocabulary_source(shipped(a));

	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		const struct words *w = words_of(a, absent[i].text, NULL);
		const struct evidences *e = evidence_of(a, w, &source, 1);
		for (size_t k = 0; k < e->n; k++)
			cr_expect_str_neq(e->at[k].kind, absent[i].kind, "%s", absent[i].text);
	}
	arena_free(a);
}

static void find_in_disorder(void *self, const struct words *w, struct evidences *out)
{
	(void)self;
	(void)w;
	evidence_add(out, 2, 2, "c", NULL);
	evidence_add(out, 0, 0, "a", "short");
	evidence_add(out, 0, 3, "a", "long");
	evidence_add(out, 2, 3, "d", NULL);
	evidence_add(out, 0, 0, "b", NULL);
}

TEST(evidence, is_put_in_order_and_found)
{
	struct arena *a = arena_new();
	const struct evidence_source source = { find_in_disorder, NULL };
	const struct evidences *e = evidence_of(a, words_of(a, "one two three four", NULL), &source, 1);
	const char *kinds = "";

	for (size_t i = 0; i < e->n; i++)
		kinds = arena_printf(a, "%s%s%zu", kinds, e->at[i].kind, e->at[i].last);
	cr_expect_str_eq(kinds, "a3a0b0d3c2");
	cr_expect_str_eq(evidence_in(e, 0, 3, "a")->value, "long");
	cr_expect_str_eq(evidence_in(e, 0, 2, "a")->value, "short");
	cr_expect_null(evidence_in(e, 1, 3, "a"));
	cr_expect_null(evidence_in(e, 0, 3, "e"));
	arena_free(a);
}

static void find_too_much(void *self, const struct words *w, struct evidences *out)
{
	(void)self;
	for (size_t i = 0; i < 2 * EVIDENCE_MAX; i++)
		evidence_add(out, i % w->n, i % w->n, "x", NULL);
}

TEST(evidence, is_bounded)
{
	struct arena *a = arena_new();
	const struct evidence_source source = { find_too_much, NULL };

	cr_expect_eq(evidence_of(a, words_of(a, "one two three", NULL), &source, 1)->n, EVIDENCE_MAX);
	arena_free(a);
}

/* A text of every phrase at once, and one word a thousand times: bounded, whatever is typed. */
TEST(evidence, survives_long_texts)
{
	struct arena *a = arena_new();
	const struct evidence_source source = vocabulary_source(shipped(a));
	static const char *const words[] = { "and ", "a ", "not ", "zollflugplatzzollflugplatzzollflugplatz ", "-", "'" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *text = arena_alloc(a, 65536);
		for (size_t n = 0; n + strlen(words[i]) < 65536; n += strlen(words[i]))
			memcpy(text + n, words[i], strlen(words[i]));
		cr_expect_leq(evidence_of(a, words_of(a, text, NULL), &source, 1)->n, (size_t)EVIDENCE_MAX);
	}
	arena_free(a);
}

static const struct {
	const char *file, *says;
} faults[] = {
	{ "# nothing but a row\nhas_avgas; avgas\nhotel;\n", ":3: has no phrases" },
	{ "a; one two three four five six seven eight nine\n", "has more than 8 words" },
	{ "a; b; c\n", ":1:" },
	{ "exact article; the, est-ce\n", ":1: \"est-ce\" is not one word" },
	{ "exact article; of the\n", "\"of the\" is not one word" },
	{ "exact; the\n", ":1: has no kind behind \"exact\"" },
	{ "exact than; que, qu', qu'il\n", ":1: \"qu'il\" is not one word of a message" },
	{ "exact x; y\nexact x; 50nm\n", ":2: \"50nm\" is not one word" },
	{ "exact x; a.b\n", "\"a.b\" is not one word" }, { "exact x; w/o\n", "\"w/o\" is not one word" },
	{ "exact x; x'\n", "\"x'\" is not one word" }, { "exact x; 'x\n", "\"'x\" is not one word" }, { "exact x; '\n", "\"'\" is not one word" },
	{ "exact x; abcdefghijabcdefghijabcdefghijabcdefghij\n", "has more than 39 bytes" },
	{ "exact the article; the\n", ":1: the kind \"the article\" has a blank" },
	{ "hotel; inn\nexact hotel; pub\n", ":2: an earlier row has the kind \"hotel\" without \"exact\": choose another name" },
	{ "exact hotel; pub\nhotel; inn\n", ":2: an earlier row has the kind \"hotel\" with \"exact\": choose another name" },
	/* the languages have "a; b" */
	{ "exact a; pub\n", "/vocabulary.txt:1: an earlier row has the kind \"a\" with \"exact\": choose another name" },
};

static void write_vocabulary(struct arena *a, const char *dir, const char *language, const char *text)
{
	const char *folder = arena_printf(a, "%s/conf/language/%s", dir, language);
	FILE *f;

	cr_assert_eq(system(arena_printf(a, "mkdir -p '%s'", folder)), 0);
	f = fopen(arena_printf(a, "%s/vocabulary.txt", folder), "w");
	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
}

TEST(evidence, exact_words_are_found_only_as_they_stand)
{
	static const struct { const char *text; size_t words; } rows[] = {
		{ "the", 1 }, { "THÉ", 1 }, { "l’aéroport", 1 }, { "the nearer the", 3 }, { "nearers", 0 }, { "nearrer", 0 }, { "", 0 },
	};
	struct arena *a = arena_new();
	char *dir = test_mkdtemp();
	struct vocabulary *v;
	struct err e = { 0 };

	write_vocabulary(a, dir, "common", "endings; s\nexact article; the, l'\nexact nearer; nearer\n");
	for (size_t k = 0; k < languages_count(); k++)
		write_vocabulary(a, dir, language_at(k), "exact article; the\n");
	TEST_OK(vocabulary_load(&v, a, dir, &e), e);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct evidence_source source = vocabulary_source(v);
		const struct evidences *found = evidence_of(a, words_of(a, rows[i].text, NULL), &source, 1);
		cr_expect_eq(found->nexact, rows[i].words, "%s", rows[i].text);
		cr_expect_eq(found->n, 0, "%s: the models see it", rows[i].text);
	}
	test_rmdir(dir);
	arena_free(a);
}

/* The rows may have the words and their kinds in any order. */
TEST(evidence, an_exact_word_has_each_of_its_kinds)
{
	struct arena *a = arena_new();
	char *dir = test_mkdtemp();
	struct vocabulary *v;
	struct err e = { 0 };

	write_vocabulary(a, dir, "common", "exact when; zulu, pas\nexact article; the\nexact also; pas, alpha, 's\n");
	for (size_t k = 0; k < languages_count(); k++)
		write_vocabulary(a, dir, language_at(k), "exact when; pas, zulu\nhotel; pas\n");
	TEST_OK(vocabulary_load(&v, a, dir, &e), e);
	const struct evidence_source source = vocabulary_source(v);
	const struct evidences *found = evidence_of(a, words_of(a, "zulu's pas alpha", NULL), &source, 1);
	cr_expect_eq(found->nexact, 5, "%zu", found->nexact);
	for (size_t i = 1; i < found->nexact; i++)
		cr_expect_leq(found->exact[i - 1].first, found->exact[i].first);
	cr_expect_not_null(evidence_in(found, 0, 0, "when"));
	cr_expect_not_null(evidence_in(found, 1, 1, "also"));
	cr_expect_not_null(evidence_in(found, 2, 2, "when"));
	cr_expect_not_null(evidence_in(found, 2, 2, "also"));
	cr_expect_not_null(evidence_in(found, 2, 2, "hotel"));
	cr_expect_not_null(evidence_in(found, 3, 3, "also"));
	cr_expect_null(evidence_in(found, 0, 3, "article"));
	test_rmdir(dir);
	arena_free(a);
}

/* Keep this list equal to the kinds that the code asks for. */
static const char *const exact_kinds[] = {
	"abbreviation", "article", "aside", "before_too", "begins_question", "better", "both", "compares", "denies_too", "direct", "east",
	"east_behind", "hop", "legs", "nearer", "nearest", "north", "of", "offers", "on_the_way", "one", "or", "other_airports", "per", "range",
	"rather", "sized", "south", "than", "thing", "track", "unfinished_too", "verb_at_end", "west", "why", "within", "without",
};
enum { EXACT_KINDS = sizeof(exact_kinds) / sizeof(exact_kinds[0]) };

/* Note in `found` which exact kinds this file has. A kind that is not in the list fails. */
static void find_exact_kinds(struct arena *a, const char *path, bool found[EXACT_KINDS])
{
	struct datafile d;
	struct err e = { 0 };

	TEST_OK(datafile_read(&d, a, path, 1, 2, &e), e);
	for (size_t i = 0; i < d.n; i++) {
		size_t k = 0;
		if (strncmp(d.row[i].field[0], "exact ", 6) != 0)
			continue;
		while (k < EXACT_KINDS && !streq(exact_kinds[k], d.row[i].field[0] + 6))
			k++;
		cr_assert_lt(k, EXACT_KINDS, "%s:%zu: no rule asks for %s", path, d.row[i].line, d.row[i].field[0]);
		found[k] = true;
	}
}

TEST(evidence, each_exact_kind_has_words_and_a_rule)
{
	struct arena *a = arena_new();
	bool found[EXACT_KINDS] = { false };

	shipped(a);
	find_exact_kinds(a, TEST_SRCDIR "/conf/language/common/vocabulary.txt", found);
	for (size_t k = 0; k < languages_count(); k++)
		find_exact_kinds(a, arena_printf(a, TEST_SRCDIR "/conf/language/%s/vocabulary.txt", language_at(k)), found);
	for (size_t k = 0; k < EXACT_KINDS; k++)
		cr_expect(found[k], "no vocabulary has words of %s", exact_kinds[k]);
	arena_free(a);
}

TEST(evidence, rules_ask_for_exact_words_as_for_others)
{
	struct arena *a = arena_new();
	const struct evidence_source source = vocabulary_source(shipped(a));
	const struct evidences *e = evidence_of(a, words_of(a, "why not the hotel", NULL), &source, 1);

	cr_expect_not_null(evidence_in(e, 0, 3, "why"));
	cr_expect_not_null(evidence_in(e, 2, 2, "article"));
	cr_expect_null(evidence_in(e, 0, 1, "article"));
	cr_expect_null(evidence_in(e, 3, 3, "article"));
	cr_expect_not_null(evidence_in(e, 3, 3, "hotel"));
	arena_free(a);
}

TEST(evidence, faults_of_a_file_name_the_line)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct vocabulary *v;
		struct err e = { 0 };
		char *dir = test_mkdtemp();
		write_vocabulary(a, dir, "common", faults[i].file);
		for (size_t k = 0; k < languages_count(); k++)
			write_vocabulary(a, dir, language_at(k), "a; b\n");
		cr_expect_eq(vocabulary_load(&v, a, dir, &e), ERR_CONFIG);
		cr_expect(strstr(e.msg, faults[i].says) != NULL, "%s", e.msg);
		test_rmdir(dir);
	}
	arena_free(a);
}

/* ---- the image of the vocabulary --------------------------------------------------------- */

/* A folder with copies of the shipped texts, and none of their image. */
static char *with_texts(struct arena *a)
{
	char *dir = test_mkdtemp();

	cr_assert_eq(system(arena_printf(a, "cd '%s/conf/language' && for f in */vocabulary.txt; do "
	    "mkdir -p '%s/conf/language/'${f%%/*} && cp \"$f\" '%s/conf/language/'$f; done", TEST_SRCDIR, dir, dir)), 0);
	return dir;
}

static const char *make_image(struct arena *a, const char *dir)
{
	const char *path = arena_printf(a, "%s/conf/language/vocabulary.image", dir);
	struct err e = { 0 };

	TEST_OK(vocabulary_make_image(dir, path, &e), e);
	return path;
}

/* Has this process mapped a file of this folder? */
static bool has_mapped(const char *dir)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4096];
	bool found = false;

	cr_assert_not_null(f);
	while (fgets(line, sizeof(line), f) != NULL)
		found |= strstr(line, dir) != NULL;
	fclose(f);
	return found;
}

TEST(evidence, an_image_says_what_the_texts_say)
{
	struct arena *a = arena_new(), *b = arena_new();
	char *dir = with_texts(a);
	struct vocabulary *of_texts, *of_image;
	struct err e = { 0 };

	TEST_OK(vocabulary_load(&of_texts, a, dir, &e), e);
	cr_assert_not(has_mapped(dir));
	make_image(a, dir);
	TEST_OK(vocabulary_load(&of_image, b, dir, &e), e);
	cr_assert(has_mapped(dir));
	cr_expect_str_eq(vocabulary_about(of_image, a), vocabulary_about(of_texts, a));
	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
		const struct words *w = words_of(a, phrases[i].text, NULL);
		const struct evidence_source source[] = { vocabulary_source(of_texts), vocabulary_source(of_image) };
		const struct evidences *x = evidence_of(a, w, &source[0], 1), *y = evidence_of(a, w, &source[1], 1);
		cr_assert_eq(x->n, y->n, "%s", phrases[i].text);
		for (size_t k = 0; k < x->n; k++)
			cr_expect(x->at[k].first == y->at[k].first && x->at[k].last == y->at[k].last &&
			    streq(x->at[k].kind, y->at[k].kind) && streq(x->at[k].value, y->at[k].value), "%s", phrases[i].text);
		cr_assert_eq(x->nexact, y->nexact, "%s", phrases[i].text);
		for (size_t k = 0; k < x->nexact; k++)
			cr_expect(x->exact[k].first == y->exact[k].first && streq(x->exact[k].kind, y->exact[k].kind), "%s", phrases[i].text);
	}
	arena_free(b);
	cr_expect_not(has_mapped(dir), "the mapping lives as long as the arena");
	test_rmdir(dir);
	arena_free(a);
}

/* Changes that make an image no image of these texts. */
static const struct {
	const char *command;          /* in the folder; NULL: none */
	long at;                      /* where a byte of the image is changed; -1: nowhere */
	bool summed;                  /* the sum is made right again, so that only what was changed speaks against it */
} spoilt[] = {
	{ "printf 'hotel; zzyzx\n' >>conf/language/en/vocabulary.txt", -1, false },
	{ "rm conf/language/vocabulary.image && mkdir conf/language/vocabulary.image", -1, false },
	{ "rm conf/language/vocabulary.image && mkfifo conf/language/vocabulary.image", -1, false },
	{ "truncate -s -8 conf/language/vocabulary.image", -1, false },
	{ "truncate -s -8 conf/language/vocabulary.image", -1, true },
	{ "truncate -s +8 conf/language/vocabulary.image", -1, true },
	{ "truncate -s 100 conf/language/vocabulary.image", -1, false },
	{ ": >conf/language/vocabulary.image", -1, false },
	{ NULL, 50000, false },
	{ NULL, 0, true },            /* magic */
	{ NULL, 8, true },            /* version */
	{ NULL, 12, true },           /* how many files */
	{ NULL, 16, true },           /* how many bytes */
	{ NULL, 32, true },           /* of which texts */
	{ NULL, 40, true },           /* how many words */
	{ NULL, 44, true },           /* how many slots */
};

static void spoil(const char *path, long at, bool summed)
{
	struct buf b;
	struct err e = { 0 };

	buf_init(&b, 64 << 20);
	TEST_OK(buf_load(&b, path, &e), e);
	if (at >= 0)
		b.p[at] ^= 1;
	if (summed) {
		const uint64_t sum = linear_sum(b.p, b.n);
		memcpy(b.p + LINEAR_SUM_AT, &sum, sizeof(sum));
	}
	TEST_OK(replace_with(path, b.p, b.n, &e), e);
	buf_release(&b);
}

TEST(evidence, an_image_of_other_texts_or_a_damaged_one_is_not_used)
{
	for (size_t i = 0; i < sizeof(spoilt) / sizeof(spoilt[0]); i++) {
		struct arena *a = arena_new();
		char *dir = with_texts(a);
		const char *path = make_image(a, dir);
		struct vocabulary *v;
		struct err e = { 0 };

		if (spoilt[i].command != NULL)
			cr_assert_eq(system(arena_printf(a, "cd '%s' && %s", dir, spoilt[i].command)), 0);
		if (spoilt[i].at >= 0 || spoilt[i].summed)
			spoil(path, spoilt[i].at, spoilt[i].summed);
		TEST_OK(vocabulary_load(&v, a, dir, &e), e);
		cr_expect_not(has_mapped(dir), "row %zu", i);
		const struct words *w = words_of(a, "zzyzx", NULL);
		const struct evidence_source source = vocabulary_source(v);
		cr_expect_eq(evidence_of(a, w, &source, 1)->n, i == 0 ? 1 : 0, "row %zu", i);
		test_rmdir(dir);
		arena_free(a);
	}
}

/* What the table of exact words must not have. */
static void place_outside(struct vocabulary *v)
{
	v->exact[v->head->nexact - 1].text = v->head->ntext;
}

static void kind_outside(struct vocabulary *v)
{
	v->exact[0].kind = UINT32_MAX;
}

static void out_of_order(struct vocabulary *v)
{
	const struct vocabulary_exact first = v->exact[0];
	v->exact[0] = v->exact[v->head->nexact - 1];
	v->exact[v->head->nexact - 1] = first;
}

static void unterminated(struct vocabulary *v)
{
	v->text[v->head->ntext - 1] = 'x';
}

static void nothing_wrong(struct vocabulary *v)
{
	(void)v;
}

TEST(evidence, an_image_with_wrong_exact_words_is_not_used)
{
	static void (*const damage[])(struct vocabulary *v) = { nothing_wrong, place_outside, kind_outside, out_of_order, unterminated };

	for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		struct arena *a = arena_new();
		char *dir = with_texts(a);
		const char *path = make_image(a, dir);
		struct vocabulary of_file, *v;
		struct err e = { 0 };
		struct buf b;

		buf_init(&b, 64 << 20);
		TEST_OK(buf_load(&b, path, &e), e);
		struct vocabulary_head *head = arena_alloc(a, b.n);
		memcpy(head, b.p, b.n);
		vocabulary_lay(&of_file, head);
		damage[i](&of_file);
		head->sum = linear_sum(head, b.n);
		TEST_OK(replace_with(path, (const char *)head, b.n, &e), e);
		TEST_OK(vocabulary_load(&v, a, dir, &e), e);
		cr_expect_eq(has_mapped(dir), i == 0, "damage %zu", i);
		buf_release(&b);
		test_rmdir(dir);
		arena_free(a);
	}
}

TEST(evidence, no_image_is_made_of_faulty_texts)
{
	struct arena *a = arena_new();
	char *dir = with_texts(a);
	const char *path = arena_printf(a, "%s/conf/language/vocabulary.image", dir);
	struct err e = { 0 };

	write_vocabulary(a, dir, "common", faults[0].file);
	cr_expect_eq(vocabulary_make_image(dir, path, &e), ERR_CONFIG);
	cr_expect(strstr(e.msg, faults[0].says) != NULL, "%s", e.msg);
	cr_expect_neq(access(path, F_OK), 0);
	test_rmdir(dir);
	arena_free(a);
}
