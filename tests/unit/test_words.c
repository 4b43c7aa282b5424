/* Texts to words, and the language that they are in. */
#include "tests/unit/test.h"

#include "base/str.h"
#include "language/languages.h"
#include "language/words.h"

/* The words of a text between blanks; a number is shown by its value. */
static const char *folds(struct arena *a, const struct words *w)
{
	const char *out = "";
	for (size_t i = 0; i < w->n; i++)
		out = w->word[i].kind == WORD_NUMBER
		    ? arena_printf(a, "%s%s#%g", out, i > 0 ? " " : "", w->word[i].value)
		    : arena_printf(a, "%s%s%s", out, i > 0 ? " " : "", w->word[i].fold);
	return out;
}

static const struct {
	const char *text, *folds;
} texts[] = {
	{ "", "" }, { "   \n\t ", "" }, { "?!", "? !" },
	{ "Zürich und Besançon", "zurich und besancon" },
	{ "Stra\u00dfe", "strasse" }, { "Za\u030brich", "zarich" },
	/* apostrophes */
	{ "l'aéroport d'Annecy", "l' aeroport d' annecy" },
	{ "qu’il est jusqu’à", "qu' il est jusqu' a" }, { "L'EAU", "l' eau" },
	{ "aujourd'hui", "aujourd'hui" }, { "don't", "don't" }, { "O'Hare", "o'hare" },
	{ "Denham's runway", "denham 's runway" }, { "wo's gibt's", "wo 's gibt 's" },
	{ "pilots' club", "pilots ' club" }, { "'hello'", "' hello '" }, { "s'il", "s' il" },
	{ "c'est l'", "c' est l '" },
	/* dictated letter by letter */
	{ "fuel at E G S H", "fuel at egsh" }, { "I L S?", "ils ?" }, { "E G S H to L F A C", "egsh to lfac" },
	{ "A B", "a b" }, { "A B C D E", "a b c d e" }, { "I am A", "i am a" }, { "e g s h", "egsh" }, { "i l s", "i l s" },
	{ "E-G-S-H", "egsh" }, { "A-B-C", "a - b - c" }, { "a b c d e", "a b c d e" }, { "E-G S-H", "e - g s - h" },
	{ "echo golf sierra hotel", "egsh" }, { "Echo, Golf, Sierra, Hotel", "echo , golf , sierra , hotel" }, { "golf and a hotel", "golf and a hotel" },
	{ "golf hotel lima", "golf hotel lima" }, { "hotels golf hotel lima mike", "hotels ghlm" }, { "golf alfa bravo charlie delta", "golf alfa bravo charlie delta" },
	{ "E G S H\u2026 \u201cE G S H\u201d E G S H\u2013L F A C", "egsh ... \" egsh \" egsh - lfac" }, { "n y a t il", "n y a t il" }, { "x-ray alfa xray oskar", "xaxo" },
	{ "l'echo golf sierra hotel", "l' echo golf sierra hotel" }, { "echo golf sierra hotels", "echo golf sierra hotels" },
	/* numbers */
	{ "2,500 ft", "#2500 ft" }, { "2'500 ft", "#2500 ft" }, { "2’500", "#2500" }, { "2 500", "#2 #500" },
	{ "1.5", "#1.5" }, { "2,5", "#2.5" }, { "1,500,000", "#1.5e+06" }, { "1.200 m", "#1200 m" },
	{ "12.500", "#12500" }, { "118.575", "#118.575" }, { "118.575 m", "#118575 m" },
	{ "0.500", "#0.5" }, { "800 mi", "#800 mi" }, { "3,", "#3 ," }, { "3.", "#3 ." }, { "4'", "#4 '" },
	{ "14:00", "#14 : #0" }, { "25.12.2026", "#25.12 . #2026" }, { "51.2N", "#51.2 n" },
	{ "99999999999999999999999999999999999999999", "#1e+31" },
	{ "1.11111111111111111111111111111111111111", "#1.11111" },
	{ "111111111111111111111111111111111.5", "#1.11111e+30 . #5" },
	/* numbers and letters together */
	{ "50nm", "#50 nm" }, { "14h30", "#14 h #30" }, { "100LL", "#100 ll" }, { "2nd 1er", "#2 nd #1 er" },
	{ "C172 N4812 SR22 PA28R", "c172 n4812 sr22 pa28r" }, { "Jet-A1", "jet - a1" }, { "£15 15€", "£ #15 #15 €" },
	/* signs */
	{ "LFAC–LFMD", "lfac - lfmd" }, { "«oui»", "« oui »" }, { "B&B", "b & b" }, { "a…b", "a ... b" },
	{ "\u2018x\u2019", "' x '" }, { "ok \U0001F602", "ok \U0001F602" },
	/* what cannot be seen */
	{ "to \x1b[1;31mLFMD", "to lfmd" }, { "\x1b[31", "[ #31" }, { "\x1b[", "[" },
	{ "a\u200bb", "a b" }, { "a\u00a0b", "a b" }, { "a\x01\x7f" "b", "a b" }, { "a\xff\xfe" "b", "a b" },
	{ "\u202eabc", "abc" }, { "\xc3", "" }, { "caf\xc3", "caf" }, { "a\xc2\x85" "b", "a b" },
	{ "שלום", "שלום" }, { "Ελλάδα", "Ελλάδα" },
};

TEST(words, texts)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		cr_expect_str_eq(folds(a, words_of(a, texts[i].text, NULL)), texts[i].folds, "%s: %s", texts[i].text,
		    folds(a, words_of(a, texts[i].text, NULL)));
	arena_free(a);
}

/* t: title, u: upper, g: a gap before it, l: a line begins */
static const struct {
	const char *text, *shape;
} shapes[] = {
	{ "near Lyon", "gl,tg" }, { "EGTF I", "tugl,tg" }, { "SR22 C172", "tugl,tg" }, { "a-b", "gl,,"  },
	{ "Éa ÉA ñ Žilina", "tgl,tug,g,tg" }, { "a\nb", "gl,gl" }, { "a \r\n b", "gl,gl" }, { "50nm", "gl," },
};

TEST(words, shapes)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct words *w = words_of(a, shapes[i].text, NULL);
		const char *out = "";
		for (size_t k = 0; k < w->n; k++)
			out = arena_printf(a, "%s%s%s%s%s%s", out, k > 0 ? "," : "", w->word[k].title ? "t" : "",
			    w->word[k].upper ? "u" : "", w->word[k].gap ? "g" : "", w->word[k].line ? "l" : "");
		cr_expect_str_eq(out, shapes[i].shape, "%s: %s", shapes[i].text, out);
	}
	arena_free(a);
}

TEST(words, capitals_of_the_whole)
{
	struct arena *a = arena_new();
	cr_expect(words_of(a, "AIRPORTS NEAR 12", NULL)->shouted);
	cr_expect_not(words_of(a, "Airports", NULL)->shouted);
	cr_expect_not(words_of(a, "12 ?", NULL)->shouted);
	cr_expect(words_of(a, "airports near lyon", NULL)->whispered);
	cr_expect_not(words_of(a, "airports near Lyon", NULL)->whispered);
	cr_expect_not(words_of(a, "12 ?", NULL)->whispered);
	arena_free(a);
}

TEST(words, slices_are_as_typed)
{
	struct arena *a = arena_new();
	const struct words *w = words_of(a, "near St. Moritz,\tplease", NULL);
	cr_expect_str_eq(words_slice(a, w, 1, 3), "St. Moritz");
	cr_expect_str_eq(w->text, "near St. Moritz, please");
	arena_free(a);
}

static const struct {
	const char *text, *before, *language;
	size_t word;
	const char *stem;
} languages[] = {
	{ "airports near Lyon", NULL, "en", 0, "airport" },
	{ "Aéroports près de Lyon", NULL, "fr", 0, "aeroport" },
	{ "Flugplätze in der Nähe von Lyon", NULL, "de", 0, "flugplatz" },
	{ "what is near La Rochelle", NULL, "en", 0, "what" },
	{ "AÉRODROMES PRÈS DE LYON", NULL, "fr", 0, "aerodrom" },
	/* nothing tells: the talk before, else English */
	{ "LFAC", NULL, "en", 0, "lfac" }, { "LFAC", "de", "de", 0, "lfac" }, { "", "fr", "fr", 9, NULL },
	{ "hotels", "xx", "en", 0, "hotel" },
	/* a change of language in the talk */
	{ "und mit Hotel?", "en", "de", 2, "hotel" },
	{ "DE vs AT", NULL, "en", 1, "vs" },
	/* a language that we do not have */
	{ "aeroporti vicino Torino", NULL, "en", 0, "aeroporti" },
};

TEST(words, language_and_stems)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++) {
		const struct words *w = words_of(a, languages[i].text, languages[i].before);
		cr_expect_str_eq(w->language, languages[i].language, "%s: %s", languages[i].text, w->language);
		if (languages[i].stem != NULL)
			cr_expect_str_eq(w->word[languages[i].word].stem, languages[i].stem, "%s: %s",
			    languages[i].text, w->word[languages[i].word].stem);
	}
	arena_free(a);
}

/* A text of this many bytes of one piece, with a head and a tail. */
static char *long_text(struct arena *a, const char *head, const char *piece, size_t n, const char *tail)
{
	size_t len = strlen(piece), at = strlen(head);
	char *text = arena_alloc(a, n + len + at + strlen(tail) + 1);
	memcpy(text, head, at);
	for (; at < n; at += len)
		memcpy(text + at, piece, len);
	memcpy(text + at, tail, strlen(tail) + 1);
	return text;
}

TEST(words, the_beginning_and_the_end_of_a_long_text)
{
	static const char *const pieces[] = { "and ", "é", "\U0001F602", "\xff", "1", "a'", "1.", ". ", "\n" };
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		const struct words *w = words_of(a, long_text(a, "first ", pieces[i], 65536, " last"), NULL);
		cr_assert_leq(w->n, WORDS_MAX);
		cr_assert_leq(strlen(w->text), WORDS_BYTES);
		cr_expect(w->cut);
		cr_expect_str_eq(w->word[0].fold, "first");
		cr_expect_str_eq(w->word[w->n - 1].fold, "last");
		for (size_t k = 0; k < w->n; k++) {
			cr_assert_lt(w->word[k].start, w->word[k].end);
			cr_assert(k == 0 || w->word[k].start >= w->word[k - 1].end);
		}
	}
	arena_free(a);
}

TEST(words, many_words_keep_their_order)
{
	struct arena *a = arena_new();
	const char *text = "";
	for (int i = 0; i < 500; i++)
		text = arena_printf(a, "%s%d ", text, i);
	const struct words *w = words_of(a, text, NULL);
	cr_assert_eq(w->n, WORDS_MAX);
	cr_expect_eq(w->word[79].value, 79);
	cr_expect_eq(w->word[80].value, 500 - (WORDS_MAX - 80));
	cr_expect(w->word[80].line);
	cr_expect_eq(w->word[WORDS_MAX - 1].value, 499);
	arena_free(a);
}

TEST(words, languages_in_order)
{
	cr_assert_eq(languages_count(), 3u);
	cr_expect_str_eq(language_at(0), "de");
	cr_expect_str_eq(language_find("fr"), "fr");
	cr_expect_null(language_find("xx"));
	cr_expect_null(language_find(NULL));
}
