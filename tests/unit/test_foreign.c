/*
 * Messages in languages that the program does not understand are told from those in ours.
 */
#include "tests/unit/test.h"

#include <glob.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/str.h"
#include "language/languages.h"
#include "language/words.h"
#include "tests/language/marked.h"

static bool is_foreign(struct arena *a, const char *text)
{
	return language_is_foreign(words_of(a, text, NULL));
}

static void open_languages(void)
{
	struct err e = { 0 };
	TEST_OK(languages_open(TEST_SRCDIR, &e), e);
}

/* ---- ours ----------------------------------------------------------------------------------- */

/* A message of somebody who writes English, French or German must not be refused as foreign. Only a greeting may be in another
 * language, and a single word may belong to several ("Lot", the French river, is a flight in Polish). Of ten thousand messages one may
 * look foreign, because some people write by ear or in a dialect ("Dat Gewitter do hinne, kimmt dat no Kirchberg?"). */
TEST(foreign, hardly_any_marked_message_is)
{
	enum { ONE_OF = 10000 };
	const char *foreign = "";
	size_t nforeign = 0;
	struct arena *a = arena_new();
	struct marked m = { .n = 0 };
	struct err e = { 0 };
	char *folder = test_corpus();
	open_languages();
	TEST_OK(marked_read_folder(&m, a, folder, &e), e);
	cr_assert_gt(m.n, (size_t)5000);
	for (size_t i = 0; i < m.n; i++) {
		const struct marked_message *x = &m.message[i];
		const bool greets = x->gold.nplans == 1 && one_of(x->gold.plan[0].plan, "hello|thanks");
		if (greets || x->words->n == 1 || !language_is_foreign(x->words))
			continue;
		foreign = arena_printf(a, "%s\n%s:%zu: %s", foreign, x->path, x->line, x->text);
		nforeign++;
	}
	cr_expect_leq(nforeign, m.n / ONE_OF, "%s", foreign);
	test_rmdir(folder);
	arena_free(a);
}

/* Each line of the other files with questions, whatever else is in it. */
TEST(foreign, no_line_of_other_questions_is)
{
	static const char *const patterns[] = { "/tests/data/planner*.txt", "/tests/quality/*.tsv",
		"/tests/language/rules/*/*.txt", "/conf/language/en/quick_actions.txt",
		"/conf/language/fr/quick_actions.txt", "/conf/language/de/quick_actions.txt" };
	struct arena *a = arena_new();
	size_t lines = 0;
	glob_t found = { 0 };
	open_languages();
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		cr_assert_eq(glob(arena_printf(a, TEST_SRCDIR "%s", patterns[i]), i > 0 ? GLOB_APPEND : 0, NULL, &found), 0,
		    "%s", patterns[i]);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct buf b;
		struct err e = { 0 };
		buf_init(&b, 1 << 22);
		TEST_OK(buf_load(&b, found.gl_pathv[i], &e), e);
		for (char *p = b.p, *end; *p != '\0'; p = end) {
			end = p + strcspn(p, "\n");
			if (*end != '\0')
				*end++ = '\0';
			/* the statements of an authority are no questions */
			if (strstr(p, "\tanswer\t") == NULL && strstr(p, "\ttitle\t") == NULL)
				cr_expect_not(is_foreign(a, p), "%s: %s", found.gl_pathv[i], p);
			lines++;
		}
		buf_release(&b);
	}
	cr_expect_gt(lines, (size_t)3000);
	globfree(&found);
	arena_free(a);
}

static const char *const ours[] = {
	"", "?", "...", "12", "EGTF", "LFMD LFAC", "EL IL LO", "Como", "near Como", "La Rochelle", "Los Angeles",
	"Den Haag", "s'Hertogenbosch", "San Sebastian to Las Palmas", "from Den Helder to Het Loo", "Reggio nell'Emilia",
	"route EDDM till LOWI", "airports near Ελλάδα", "was kostet das in Москва", "flights to Göteborg",
	"is there a trattoria near Pisa", "near Castellón de la Plana", "Flugplätze bei Zielona Góra",
	"terrains près de San Remo", "Playa de los Cristianos", "hotel", "diesel", "ja", "non", "oui", "ok", "no",
	"\U0001F602", "\U0001F602\U0001F602 avgas", "asdf", "asdf qwertz jklö", "xyzzy plugh",
};

TEST(foreign, names_codes_and_noise_are_not)
{
	struct arena *a = arena_new();
	open_languages();
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		cr_expect_not(is_foreign(a, ours[i]), "%s", ours[i]);
	arena_free(a);
}

/* ---- others ---------------------------------------------------------------------------------- */

static const char *const foreign[] = {
	/* Italian */
	"Quali aeroporti vicino a Milano hanno AVGAS?", "mi serve un piano di volo per la Francia?", "buongiorno",
	"Dove posso fare dogana tra Torino e Nizza?", "AEROPORTI CON DOGANA VICINO A LFMD", "grazie mille",
	/* Spanish */
	"¿Qué aeropuertos hay cerca de Barcelona con combustible?", "necesito un plan de vuelo para Francia", "hola",
	"aeródromos con restaurante entre LEBL y LFMT", "muchas gracias",
	/* Portuguese */
	"Quais aeroportos perto de Lisboa têm AVGAS?", "preciso de plano de voo para Espanha?", "obrigado",
	/* Dutch */
	"Welke vliegvelden bij Antwerpen hebben avgas?", "heb ik een vliegplan nodig naar Frankrijk?", "goedemorgen",
	"vliegveld met restaurant in de buurt van Maastricht", "Ik wil naar Texel vliegen met een PA28",
	/* Polish */
	"Jakie lotniska w pobliżu Gdańska mają paliwo?", "czy potrzebuję planu lotu do Niemiec?", "dzień dobry",
	/* Czech and Slovak */
	"Která letiště blízko Brna mají palivo?", "potřebuji letový plán do Německa?", "Ktoré letisko má palivo?",
	/* Swedish, Danish, Norwegian */
	"Vilka flygplatser nära Malmö har bränsle?", "behöver jag färdplan till Tyskland?", "hej, finns det tull i Visby",
	"Hvilke flyvepladser ved Aarhus har brændstof?", "Hvilke flyplasser nær Bergen har drivstoff?",
	/* Finnish, Hungarian, Romanian, Croatian, Turkish */
	"Millä lentokentällä lähellä Turkua on polttoainetta? kiitos", "Melyik repülőtér van Budapest közelében?",
	"Ce aeroporturi sunt lângă Cluj cu combustibil?", "Koji aerodromi blizu Splita imaju gorivo?",
	"Ankara yakınında hangi havaalanları var?",
	/* other scripts */
	"Какие аэродромы есть рядом с Москвой?", "Ποια αεροδρόμια είναι κοντά στην Αθήνα;", "אילו שדות תעופה קרובים לחיפה?",
	"ما هي المطارات القريبة من دبي؟", "東京の近くの空港はどこですか", "Какие аэродромы рядом с EGTF?",
};

TEST(foreign, other_languages_are_and_the_answer_is_english)
{
	struct arena *a = arena_new();
	open_languages();
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		cr_expect(is_foreign(a, foreign[i]), "%s", foreign[i]);
		cr_expect_str_eq(words_of(a, foreign[i], "fr")->language, "en", "%s", foreign[i]);
	}
	arena_free(a);
}

/* The language with more words counts. */
TEST(foreign, mixed_messages)
{
	struct arena *a = arena_new();
	open_languages();
	cr_expect_not(is_foreign(a, "hello, which airports near Como have avgas? grazie mille"));
	cr_expect_not(is_foreign(a, "bonjour, je cherche un aérodrome avec douane, gracias hola"));
	cr_expect(is_foreign(a, "hello, quali aeroporti hanno carburante vicino a Como?"));
	arena_free(a);
}

TEST(foreign, long_and_hostile_texts)
{
	static const char *const pieces[] = { "lo ", "buongiorno ", "да ", "\xd0", "\xff\xfe", "\u202e", "il\x01lo " };
	struct arena *a = arena_new();
	open_languages();
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		char *text = arena_alloc(a, 65536);
		const size_t n = strlen(pieces[i]);
		for (size_t k = 0; k + n < 65536; k += n)
			memcpy(text + k, pieces[i], n);
		const bool words = i < 3 || i == 6;
		cr_expect_eq(is_foreign(a, text), words, "%s", pieces[i]);
	}
	arena_free(a);
}

/* ---- the file --------------------------------------------------------------------------------- */

static void put(struct arena *a, const char *dir, const char *name, const char *text)
{
	FILE *f = fopen(arena_printf(a, "%s/conf/language/%s", dir, name), "we");
	cr_assert_not_null(f);
	cr_assert_geq(fputs(text, f), 0);
	cr_assert_eq(fclose(f), 0);
}

/* TEST() would read the languages of the program before, and they are read once only. */
Test(foreign, each_fault_of_the_file_is_told)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "", "foreign.txt: has no rows" },
		{ "# nothing\n", "foreign.txt: has no rows" },
		{ "Italian\n", "foreign.txt:1: field 2 is missing" },
		{ "; il\n", "foreign.txt:1: field 1 is missing" },
		{ "Italian; il, lo\nDutch; het; een\n", "foreign.txt:2: has more than the 2 fields" },
		{ "Italian; il, lo\nDutch; het, , een\n", "foreign.txt:2: " },
		{ "Italian; il, lo, il\n", "foreign.txt:1: " },
		{ "Italian; ci sono\n", "foreign.txt:1: \"ci sono\" is not one word" },
	};
	struct arena *a = arena_new();
	char *dir = test_mkdtemp();
	struct err e = { 0 };
	for (const char *const *p = (const char *const[]){ "/conf", "/conf/language", "/conf/language/en",
	     "/conf/language/common", NULL }; *p != NULL; p++)
		cr_assert_eq(mkdir(arena_printf(a, "%s%s", dir, *p), 0700), 0);
	put(a, dir, "en/common.txt", "words; the, and\n");
	cr_expect_eq(languages_open(dir, &e), ERR_CONFIG);
	cr_expect(strstr(e.msg, "common/foreign.txt") != NULL && strstr(e.msg, "No such file") != NULL, "%s", e.msg);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		put(a, dir, "common/foreign.txt", bad[i].text);
		e.msg[0] = '\0';
		cr_expect_eq(languages_open(dir, &e), ERR_CONFIG, "%s", bad[i].text);
		cr_expect_not_null(strstr(e.msg, bad[i].says), "%s: %s", bad[i].text, e.msg);
	}
	put(a, dir, "common/foreign.txt", "Italian; il, lo\n");
	TEST_OK(languages_open(dir, &e), e);
	cr_expect(is_foreign(a, "il lo"));
	test_rmdir(dir);
	arena_free(a);
}
