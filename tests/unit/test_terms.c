/* Words to terms: stems, concepts, what is passed over, and hostile texts. */
#include "tests/unit/test.h"

#include "base/datafile.h"
#include "base/str.h"
#include "language/stem.h"
#include "rules/terms.h"

static const struct {
	const char *word, *stem;
} stems[] = {
	{ "caresses", "caress" }, { "ponies", "poni" }, { "ties", "ti" }, { "caress", "caress" },
	{ "feed", "feed" }, { "agreed", "agre" }, { "plastered", "plaster" }, { "bled", "bled" },
	{ "motoring", "motor" }, { "sing", "sing" }, { "conflated", "conflat" }, { "sized", "size" },
	{ "hopping", "hop" }, { "falling", "fall" }, { "filing", "file" }, { "failing", "fail" },
	{ "happy", "happi" }, { "sky", "sky" }, { "relational", "relat" }, { "rational", "ration" },
	{ "digitizer", "digit" }, { "operator", "oper" }, { "decisiveness", "decis" },
	{ "triplicate", "triplic" }, { "hopefulness", "hope" }, { "electrical", "electr" },
	{ "revival", "reviv" }, { "adjustable", "adjust" }, { "replacement", "replac" },
	{ "adoption", "adopt" }, { "permission", "permiss" }, { "vision", "vision" },
	{ "bowdlerize", "bowdler" }, { "rate", "rate" }, { "cease", "ceas" }, { "controlling", "control" },
	{ "requires", "requir" }, { "requirements", "requir" }, { "is", "is" }, { "a", "a" },
	{ "ion", "ion" }, { "yyyyyy", "yyyyyi" }, { "fl65", "fl65" }, { "s", "s" },
};

TEST(terms, stems_are_porters)
{
	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++) {
		char w[32];
		size_t n = strlen(stems[i].word);

		memcpy(w, stems[i].word, n + 1);
		w[stem(w, n)] = '\0';
		cr_expect_str_eq(w, stems[i].stem, "%s: %s", stems[i].word, w);
	}
}

/* What a text says, hints left out, separated by blanks. */
static const char *said(struct arena *a, const char *text)
{
	struct terms t = terms_of(a, text);
	const char *out = "";

	for (size_t i = 0; i < t.n; i++)
		if (!t.how[i].hint)
			out = arena_printf(a, "%s%s%s", out, *out != '\0' ? " " : "", t.term[i]);
	return out;
}

static const struct {
	const char *text, *said;
} texts[] = {
	/* ways of saying one thing */
	{ "FPL", "0fpl" }, { "flight plan", "0fpl" }, { "flightplans", "0fpl" },
	{ "Flight-Plan?", "0fpl" }, { "my FLIGHT PLAN", "0fpl" },
	{ "XPDR", "0xpdr" }, { "squawking", "0xpdr" }, { "mode S", "0xpdr" }, { "Mode-S", "0xpdr" },
	{ "A/G", "0agradio" }, { "air/ground radio", "0agradio" },
	{ "drop zone", "0parachute" }, { "skydivers", "0parachute" },
	{ "prior permission", "0ppr" }, { "PPR", "0ppr" },
	/* the longest phrase wins */
	{ "listening squawk", "0listening 0xpdr" }, { "military airfields", "0military 0airfield" },
	/* articles and auxiliaries within a phrase */
	{ "where do I file", "0fpl 0file" }, { "crossing the border", "0border" },
	/* but no phrase beyond its sentence */
	{ "a good flight. Plan B", "0fpl" }, { "arrival. Report", "0arrive 0report" },
	/* short words keep their blanks and their s */
	{ "from A to B", "" }, { "ATS at ats", "0ats" },
	/* classes, and lists of them */
	{ "class D", "0classd" }, { "Class Delta", "0classd" }, { "airspace class D", "0airspace 0classd" },
	{ "class C, D or E", "0classc 0classd 0classe" }, { "class C/D", "0classc 0classd" },
	{ "class G and FPL", "0classg 0fpl" }, { "classes E and G", "0classe 0classg" },
	/* "w/o" is "without" */
	{ "w/o", "" }, { "w/o transponder w/out", "0xpdr" }, { "dest w/o ILS", "0destination 0noiap" },
	{ "w/oak", "oak" }, { "w/", "" },
	/* "in" belongs to what follows it */
	{ "flying in G", "0classg" }, { "fly in class D", "0classd" }, { "fly in France", "" },
	{ "fly in at noon", "0arrive" },
	/* callsigns of places; short ones of other services stay */
	{ "call Langen information", "0contact 0fis" }, { "call EDDF information", "0contact eddf 0info" },
	/* areas as charts write them */
	{ "ED-R 12", "0restricted" }, { "LF-P 23", "0prohibited" }, { "EGD123a EGD", "egd123a 0danger" },
	/* words without weight, names of countries, numbers */
	{ "what about the other one, please", "" }, { "in France or Italy", "" },
	{ "flying through French airspace", "0penetrate 0airspace" }, { "5600 7 12", "" },
	/* languages, but not the country's adjective alone */
	{ "I don't speak French", "0language" }, { "Polish on the radio", "0language" },
	{ "a Polish airfield", "0airfield" },
	/* words whose stems are other words' */
	{ "controller", "0atc" }, { "controlled", "0controlled" }, { "important", "" },
	{ "internal international", "0domestic 0border" },
	/* slips of the finger */
	{ "tranponder", "0xpdr" }, { "fligth plan", "0fpl" }, { "clearence", "0clearance" },
	{ "permision", "0permission" }, { "restrited area", "0restricted" },
	{ "sharing", "share" }, { "SQUAKW", "squakw" },
	/* other words, by their stems; each once */
	{ "Yodelling yodels", "yodel" }, { "d'avion pilot's", "" }, { "don’t naïve", "naiv" },
	{ "\xc3\x84rger", "arger" },
};

TEST(terms, say_what_pilots_mean)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct arena *a = arena_new();
		const char *got = said(a, texts[i].text);

		cr_expect_str_eq(got, texts[i].said, "\"%s\" says \"%s\", not \"%s\"", texts[i].text, got,
		    texts[i].said);
		arena_free(a);
	}
}

static const struct term_how *how_of(const struct terms *t, const char *term)
{
	for (size_t i = 0; i < t->n; i++)
		if (streq(t->term[i], term))
			return &t->how[i];
	return NULL;
}

TEST(terms, kinds_and_hints)
{
	struct arena *a = arena_new();
	struct terms t = terms_of(a, "Must I yodel at Lyon or EGTF in class D, tower?");
	const struct term_how *how;

	cr_assert_not_null(how = how_of(&t, "0need"));
	cr_expect_eq(how->kind, TERM_FAINT);
	cr_assert_not_null(how = how_of(&t, "yodel"));
	cr_expect_eq(how->kind, TERM_WORD);
	cr_assert_not_null(how = how_of(&t, "lyon"));
	cr_expect_eq(how->kind, TERM_NAME);
	cr_assert_not_null(how = how_of(&t, "egtf"));
	cr_expect_eq(how->kind, TERM_NAME);
	cr_assert_not_null(how = how_of(&t, "0classd"));
	cr_expect_eq(how->kind, TERM_TOPIC);
	cr_expect(!how->hint);
	unsigned char unit = how->unit;
	cr_assert_not_null(how = how_of(&t, "0controlled"));
	cr_expect(how->hint);
	cr_expect_eq(how->unit, unit);
	/* a hint's unit is one that was said, also when what was said came twice */
	t = terms_of(a, "radio radio, over the radio");
	for (size_t i = 0; i < t.n; i++) {
		bool found = false;

		for (size_t k = 0; k < t.n; k++)
			found |= !t.how[k].hint && t.how[k].unit == t.how[i].unit;
		cr_expect(found, "%s has no unit", t.term[i]);
	}
	arena_free(a);
}

static const struct {
	const char *text, *abroad;
	bool border;
} trips[] = {
	{ "from Germany to Denmark", "DE", true }, { "between France and the UK", "FR", true },
	{ "coming in from Greece", "GR", false }, { "into French airspace", "FR", false },
	{ "rules in France and Germany", "", false }, { "Germany or France", "", false },
	{ "coming from the UK", "GB", false }, { "Belgium to Lille", "BE", false },
	{ "in the UK to land", "", false }, { "Belgium to France", "BE", true },
};

TEST(terms, two_countries_of_a_trip_are_a_border)
{
	for (size_t i = 0; i < sizeof(trips) / sizeof(trips[0]); i++) {
		struct arena *a = arena_new();
		struct terms t = terms_of(a, trips[i].text);
		const struct term_how *how = how_of(&t, terms_border());

		cr_expect_str_eq(t.abroad, trips[i].abroad, "%s: %s", trips[i].text, t.abroad);
		cr_expect_eq(how != NULL && !how->hint, trips[i].border, "%s", trips[i].text);
		arena_free(a);
	}
}

/* "must" rows name concepts, not words: every phrase of "night" counts, and what is only near to it does not. */
TEST(terms, what_an_answer_must_mention)
{
	static const struct { const char *text; bool must; } rows[] = {
		{ "flying at night", true }, { "after dark", true }, { "flight plan", false }, { "the night before", false },
		{ "minimums", false }, { "VMC minima", true }, { "formation flying", false }, { "fuel reserve", true },
		{ "reservation", false },
	};
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct terms t = terms_of(a, rows[i].text);
		bool must = false;
		for (size_t k = 0; k < t.n; k++)
			must |= t.how[k].must > 0;
		cr_expect_eq(must, rows[i].must, "%s", rows[i].text);
	}
	arena_free(a);
}

/* Each phrase of the shipped file, found in a text, says the concepts of its row. */
TEST(terms, each_phrase_says_what_its_row_does)
{
	struct arena *a = arena_new();
	struct datafile d;
	struct err e = { OK, "" };
	TEST_OK(datafile_read(&d, a, TEST_SRCDIR "/conf/language/en/rule_topics.txt", 2, 2, &e), e);
	for (size_t i = 0; i < d.n; i++) {
		const char *want = "";
		char **phrase;
		size_t n;
		struct str word;
		const char *meaning = d.row[i].field[0];
		str_part(&meaning, ' ', &word);
		if (!str_eq(word, "topic") && !str_eq(word, "part") && !str_eq(word, "faint") &&
		    !str_eq(word, "plain"))
			continue;
		while (str_part(&meaning, ' ', &word))
			if (word.p[0] != '~')
				want = arena_printf(a, "%s%s0%.*s", want, *want != '\0' ? " " : "", (int)word.n,
				    word.p);
		TEST_OK(datafile_list(&d, &d.row[i], 1, a, &phrase, &n, &e), e);
		for (size_t k = 0; k < n; k++)
			cr_expect_str_eq(said(a, phrase[k]), want, "line %zu: %s", d.row[i].line, phrase[k]);
	}
	cr_assert_gt(d.n, (size_t)200);
	arena_free(a);
}

TEST(terms, terms_are_single_tokens)
{
	static const char *const hostile[] = {
		"", " ", "\"x\" AND NEAR(y, 2) OR *", "c0 : fpl", "'; DROP TABLE f; --", "\xff\xfe broken \xc3",
		"\xe2\x80\xa6\xc2\xa0\xe2\x80\x93", "\xd0\xb0\xd1\x8d\xd1\x80\xd0\xbe \xe6\xb3\x95\xe5\xbe\x8b",
		"''''", "a'b'c'd", "......", "\x01\x02\x7f",
	};
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		struct arena *a = arena_new();
		struct terms t = terms_of(a, hostile[i]);

		for (size_t k = 0; k < t.n; k++) {
			cr_expect(t.term[k][0] != '\0' && strlen(t.term[k]) < TERM_BYTES);
			for (const char *c = t.term[k]; *c != '\0'; c++)
				cr_expect((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || (*c & 0x80),
				    "\"%s\" of \"%s\"", t.term[k], hostile[i]);
		}
		arena_free(a);
	}
}

static void count(void *arg, const char *term, struct term_how how)
{
	size_t *n = arg;

	(void)how;
	*n += streq(term, "0fpl");
}

TEST(terms, long_texts)
{
	struct arena *a = arena_new();
	size_t n = 200000, found = 0;
	char *text = arena_alloc(a, n + 1);

	/* one word without end */
	memset(text, 'x', n);
	struct terms t = terms_of(a, text);
	cr_expect_eq(t.n, 1);
	cr_expect(strlen(t.term[0]) < TERM_BYTES);
	/* more terms than are kept */
	for (size_t i = 0; i + 8 < n; i += 8) {
		char word[16];

		snprintf(word, sizeof(word), "q%06zx ", i);
		memcpy(text + i, word, 8);
	}
	t = terms_of(a, text);
	cr_expect_eq(t.n, TERMS_MAX);
	/* words of which folding leaves nothing, one after another */
	for (size_t i = 0; i + 3 <= n; i += 3)
		memcpy(text + i, "\xcc\x81 ", 3);
	t = terms_of(a, text);
	cr_expect(t.n <= 1);
	/* each as often as it comes */
	for (size_t i = 0; i + 4 <= n; i += 4)
		memcpy(text + i, "fpl ", 4);
	terms_each(text, count, &found);
	cr_expect_eq(found, n / 4);
	arena_free(a);
}
