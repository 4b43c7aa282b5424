/* What the facts and a small database say of the words of a message: places, countries, codes. */
#include "tests/unit/airports_fixture.h"

#include "airports/place_evidence.h"
#include "base/str.h"
#include "language/vocabulary.h"

static const struct {
	const char *text, *kind, *value, *part;
	bool database;                /* not known to the facts alone */
} rows[] = {
	/* codes */
	{ "to LFLY pls", "place.code", "LFLY", "LFLY", true },
	{ "LFLY", "place.code_small", "LFLY", "LFLY", true },
	{ "to lfly pls", "place.code_small", "LFLY", "lfly", true },
	{ "from LYN", "place.iata", "LYN", "LYN", true },
	{ "is LFZZ open", "place.code_shape", "LFZZ", "LFZZ", false },
	{ "is QQQQ open", "place.code_unknown", "QQQQ", "QQQQ", false },
	{ "LF52", "place.code_small", "LF52", "LF52", true },
	/* coordinates */
	{ "near 51.2N 3.1E", "coords", "51.2N 3.1E", "51.2N 3.1E", false },
	{ "autour de 46.52 6.63", "coords", "46.52 6.63", "46.52 6.63", false },
	{ "near 48.85, 2.29 please", "coords", "48.85, 2.29", "48.85, 2.29", false },
	{ "De 44.1N 1.5E, terrains", "coords", "44.1N 1.5E", "44.1N 1.5E", false },
	{ "N4812 E01133", "coords", "N4812 E01133", "N4812 E01133", false },
	/* countries */
	{ "rules of the United Kingdom", "country", "GB", "United Kingdom", false },
	{ "French rules", "country", "FR", "French", false },
	{ "the Brits", "country", "GB", "Brits", false },
	{ "the Germans", "country", "DE", "Germans", false },
	{ "rules in NL", "country.code", "NL", "NL", false },
	{ "rules in LF", "country.code", "FR", "LF", false },
	{ "EI?", "country.code", "IE", "EI", false },
	{ "rules in ES", "country.code", "ES", "ES", false },
	{ "from ES to EN", "country.code", "SE", "ES", false },
	{ "die Küste Kretas", "place.area", "kreta", "Kretas", false },
	{ "auf den Ostfriesischen Inseln", "place.area", "ostfriesische inseln", "Ostfriesischen Inseln", false },
	{ "in Frankreich", "country", "FR", "Frankreich", false },
	{ "französische Regeln", "country", "FR", "französische", false },
	{ "bei den Österreichern", "country", "AT", "Österreichern", false },
	{ "en Allemagne", "country", "DE", "Allemagne", false },
	{ "les règles suisses", "country", "CH", "suisses", false },
	{ "Grossbritannien", "country", "GB", "Grossbritannien", false },
	{ "aux Pays-Bas", "country", "NL", "Pays-Bas", false },
	{ "République tchèque", "country", "CZ", "République tchèque", false },
	/* areas and exonyms */
	{ "the Black Forest", "place.area", "black forest", "Black Forest", false },
	{ "im Schwarzwald", "place.area", "schwarzwald", "Schwarzwald", false },
	{ "en Forêt-Noire", "place.area", "foret noire", "Forêt-Noire", false },
	{ "en Toscane", "place.area", "toscane", "Toscane", false },
	{ "lac Léman", "place.area", "lac leman", "lac Léman", false },
	{ "Genfersee", "place.area", "genfersee", "Genfersee", false },
	{ "Bodensee", "place.area", "bodensee", "Bodensee", false },
	{ "nach Mailand", "place.town", "mailand", "Mailand", false },
	{ "à Londres", "place.town", "londres", "Londres", false },
	{ "vers Munich", "place.town", "munich", "Munich", false },
	{ "Bâle", "place.town", "bale", "Bâle", false },
	/* towns and airports of the database */
	{ "near Corbas", "place.name", "corbas", "Corbas", true },
	{ "Morestel", "place.name", "morestel", "Morestel", true },
	{ "Lyon Saint-Exupéry", "place.name", "lyon saint exupery", "Lyon Saint-Exupéry", true },
	{ "near Saint-Exupéry", "place.name", "saint exupery", "Saint-Exupéry", true },
	{ "near Fehraltorf and Speck", "place.part", "speck", "Speck", true },
	{ "Zuerich", "place.town", "zurich", "Zuerich", false },
	{ "near Morestell", "place.slip", "morestel", "Morestell", true },
	{ "near Lyonn Corbas", "place.name", "corbas", "Corbas", true },
	/* what is not wanted */
	{ "near Lyon, not in Switzerland", "refused", "CH", "not in Switzerland", false },
	{ "near Lyon except LFLY", "refused", "LFLY", "except LFLY", true },
	{ "Mailand, aber nicht in der Schweiz oder Italien", "refused", "IT", "Italien", false },
	{ "weder in Frankreich noch in Italien", "refused", "IT", "noch in Italien", false },
	{ "sans passer par la Suisse", "refused", "CH", "sans passer par la Suisse", false },
};

static const struct evidences *all(struct arena *a, const struct vocabulary *v, struct aircon *con,
    const struct words *w)
{
	const struct evidence_source source[] = { vocabulary_source(v), place_evidence(con) };

	return evidence_of(a, w, source, sizeof(source) / sizeof(source[0]));
}

static void expect_rows(struct arena *a, const struct vocabulary *v, struct aircon *con)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct words *w = words_of(a, rows[i].text, NULL);
		const struct evidences *e = all(a, v, con, w);
		const char *seen = "";
		bool found = false;
		for (size_t k = 0; k < e->n; k++) {
			const char *part = words_slice(a, w, e->at[k].first, e->at[k].last);
			found |= streq(e->at[k].kind, rows[i].kind) && streq(e->at[k].value, rows[i].value) &&
			    streq(part, rows[i].part);
			seen = arena_printf(a, "%s %s [%s]=%s", seen, e->at[k].kind, part, e->at[k].value);
		}
		if (con != NULL || !rows[i].database)
			cr_expect(found, "%s: no %s [%s], but%s", rows[i].text, rows[i].kind, rows[i].part, seen);
		else
			cr_expect_not(found, "%s: %s without a database", rows[i].text, rows[i].kind);
	}
}

TEST(place_evidence, names_are_found_in_facts_and_database)
{
	struct airfix f;
	struct arena *a = arena_new();
	struct vocabulary *v;
	struct err e = { 0 };

	airfix_open_bare(&f);
	TEST_OK(vocabulary_load(&v, a, TEST_SRCDIR, &e), e);
	expect_rows(a, v, f.con);
	expect_rows(a, v, NULL);
	airfix_close(&f);
	arena_free(a);
}

/* What is an ordinary word too is told apart, so that "most" is no town for sure. */
TEST(place_evidence, ordinary_words_are_common)
{
	struct arena *a = arena_new();
	struct vocabulary *v;
	struct err e = { 0 };

	TEST_OK(vocabulary_load(&v, a, TEST_SRCDIR, &e), e);
	const struct evidences *x = all(a, v, NULL, words_of(a, "a nice place", NULL));
	cr_expect_not_null(evidence_in(x, 1, 1, "place.common"));
	cr_expect_null(evidence_in(x, 1, 1, "place.town"));
	arena_free(a);
}

TEST(place_evidence, what_only_sounds_refused_is_not)
{
	static const char *const texts[] = { "not far from Munich", "no more than 20 miles from Munich", "no ILS in Germany",
		"not big in Germany", "No. Munich", "noch in Italien", "no, in Italy", "I am not sure about the north of Italy" };
	struct arena *a = arena_new();
	struct vocabulary *v;
	struct err e = { 0 };

	TEST_OK(vocabulary_load(&v, a, TEST_SRCDIR, &e), e);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct words *w = words_of(a, texts[i], NULL);
		cr_expect_null(evidence_in(all(a, v, NULL, w), 0, w->n - 1, "refused"), "%s", texts[i]);
	}
	arena_free(a);
}

TEST(place_evidence, survives_long_texts)
{
	static const char *const words[] = { "Lyon ", "Saint-", "N45 ", "4.", "Zuuerich ", "LFLY", "\xc2\xb0 ", "1-" };
	struct airfix f;
	struct arena *a = arena_new();
	struct vocabulary *v;
	struct err e = { 0 };

	airfix_open_bare(&f);
	TEST_OK(vocabulary_load(&v, a, TEST_SRCDIR, &e), e);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *text = arena_alloc(a, 65536);
		for (size_t n = 0; n + strlen(words[i]) < 65536; n += strlen(words[i]))
			memcpy(text + n, words[i], strlen(words[i]));
		cr_expect_leq(all(a, v, f.con, words_of(a, text, NULL))->n, (size_t)EVIDENCE_MAX);
	}
	airfix_close(&f);
	arena_free(a);
}
