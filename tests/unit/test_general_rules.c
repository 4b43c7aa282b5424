/*
 * General rules: their files, whose law they are, and that the words of each find it.
 */
#include "tests/unit/test.h"

#include "agents/aviation/builtin/general_said.h"
#include "base/str.h"
#include "language/encoder.h"
#include "rules/general_rules.h"
#include "rules/general_vectors.h"

/* ---- the shipped ones ------------------------------------------------------------------- */

TEST(general_rules, each_has_a_title_in_each_language_and_a_text_if_it_has_a_law)
{
	cr_assert_gt(general_rules_count(), 300);
	for (size_t i = 0; i < general_rules_count(); i++) {
		const struct general_rule *g = general_rule_at(i);
		for (size_t k = 0; k < languages_count(); k++) {
			const struct general_text said = general_rule_text(g, language_at(k));
			cr_expect_gt(strlen(said.title), 2, "%s in %s", g->id, language_at(k));
			cr_expect_eq(*said.text != '\0', *g->law != '\0', "%s in %s", g->id, language_at(k));
			cr_expect(*said.text == '\0' || said.text[strlen(said.text) - 1] != '.', "%s in %s", g->id, language_at(k));
			cr_expect(strcspn(said.title, "*_`[]<>#|") == strlen(said.title) && strcspn(said.text, "*_`[]<>#|") == strlen(said.text),
			    "%s in %s has Markdown", g->id, language_at(k));
		}
	}
}

TEST(general_rules, a_language_without_texts_is_answered_in_english)
{
	const struct general_rule *g = general_rule_named("fuel_reserve");
	cr_assert_not_null(g);
	cr_expect_str_eq(general_rule_text(g, NULL).title, "Fuel reserve");
	cr_expect_str_eq(general_rule_text(g, "xx").title, "Fuel reserve");
	cr_expect_str_neq(general_rule_text(g, "de").title, "Fuel reserve");
	cr_expect_null(general_rule_named("no_such_rule"));
}

TEST(general_rules, a_law_holds_in_some_countries_and_is_kept_by_others)
{
	static const struct { const char *id, *country; enum general_force force; } cases[] = {
		{ "fuel_reserve", "FR", GENERAL_HOLDS }, { "fuel_reserve", "CH", GENERAL_HOLDS }, { "fuel_reserve", "GB", GENERAL_KEPT },
		{ "fuel_reserve", "TR", GENERAL_FOREIGN }, { "fuel_reserve", "", GENERAL_FOREIGN }, { "gar", "GB", GENERAL_HOLDS },
		{ "gar", "FR", GENERAL_FOREIGN }, { "general_declaration", "FR", GENERAL_FOREIGN },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(general_rule_force(general_rule_named(cases[i].id), cases[i].country), cases[i].force, "%s in %s",
		    cases[i].id, cases[i].country);
	cr_expect_str_eq(general_rule_state(general_rule_named("gar")), "GB");
	cr_expect_null(general_rule_state(general_rule_named("fuel_reserve")));
	cr_expect_null(general_rule_state(general_rule_named("general_declaration")));
}

/* ---- finding --------------------------------------------------------------------------- */

static const char *found(const struct general_vectors *v, const char *text)
{
	const struct general_rule *g = general_find(v, text);
	return g != NULL ? g->id : "";
}

TEST(general_rules, its_own_words_find_a_rule)
{
	struct arena *a = arena_new();
	struct encoder *encoder;
	struct err e = { 0 };
	size_t n = 0, right = 0;

	TEST_OK(encoder_open(&encoder, TEST_SRCDIR "/conf/language/encoder.model", &e), e);
	const struct general_vectors *v = general_vectors_new(a, encoder);
	for (size_t i = 0; i < general_rules_count(); i++)
		for (size_t k = 0; k < general_rule_at(i)->nphrases; k++, n++)
			right += streq(found(v, general_rule_at(i)->phrase[k]), general_rule_at(i)->id);
	cr_expect_gt((double)right / (double)n, 0.9, "%zu of %zu", right, n);
	encoder_close(encoder);
	arena_free(a);
}

TEST(general_rules, questions_in_three_languages_find_their_rule_and_others_find_none)
{
	static const struct { const char *text, *id; } cases[] = {
		{ "do we have to wear life jackets crossing the channel in a single", "life_jackets" },
		{ "gilets de sauvetage obligatoires au-dessus de la mer ?", "life_jackets" },
		{ "Schwimmwesten über Wasser Pflicht?", "life_jackets" },
		{ "what VMC minima apply in class G below 3000 ft", "vmc_minima" },
		{ "Wie hoch muss ich über einer Stadt mindestens fliegen?", "minimum_height" },
		{ "ab welcher Höhe brauche ich Sauerstoff", "oxygen" },
		{ "combien de carburant de réserve en VFR de jour", "fuel_reserve" },
		{ "how many hours before my flight must the GAR be sent", "gar" },
		{ "flight plan for a flight that crosses the border", "flight_plan_needed" },
		{ "can I fly night VFR in a single engine", "night_vfr" },
		{ "is my microlight licence valid in another country", "ultralight_abroad" },
		{ "who painted the ceiling of the cathedral", "" },
		{ "best headset under 500 euro", "" },
		{ "", "" },
	};
	struct arena *a = arena_new();
	struct encoder *encoder;
	struct err e = { 0 };

	TEST_OK(encoder_open(&encoder, TEST_SRCDIR "/conf/language/encoder.model", &e), e);
	const struct general_vectors *v = general_vectors_new(a, encoder);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_str_eq(found(v, cases[i].text), cases[i].id, "%s", cases[i].text);
	encoder_close(encoder);
	arena_free(a);
}

/* ---- as Markdown --------------------------------------------------------------------- */

TEST(general_rules, the_answer_says_whose_rule_it_is_and_where_the_state_adds_to_it)
{
	static const struct { const char *id, *language, *country, *begins, *ends; } cases[] = {
		{ "vmc_minima", "en", "FR", "**VMC minima: visibility and distance from cloud** (European rule SERA.5001, SERA.5005(b), which applies in France)\n\n",
		    ".\n\nFor the country’s own requirements, see section ENR 1.2 of its AIP (France).\n" },
		{ "vmc_minima", "en", NULL, "**VMC minima: visibility and distance from cloud** (European rule SERA.5001, SERA.5005(b))\n\n",
		    ".\n\nFor the country’s own requirements, see section ENR 1.2 of its AIP.\n" },
		{ "oxygen", "en", "GB", "**Oxygen** (European rule NCO.OP.190, which applies with changes in ", ".\n" },
		{ "oxygen", "de", "TR", "**Sauerstoff** (europäische Regel NCO.OP.190, die in der Türkei nicht gilt)\n\n", ".\n" },
		{ "documents", "en", "TR", "**Documents aboard** (European rule NCO.GEN.135, FCL.045, which does not apply in Turkey)", "(FCL.045).\n" },
		{ "gar", "fr", "FR", "**General Aviation Report (GAR)** (Royaume-Uni", "de son AIP (Royaume-Uni).\n" },
		{ "minors", "en", "ES", "**", "Look in section GEN 1.3 of the AIP (Spain).\n" },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text = general_said(messages_in(cases[i].language), a, general_rule_named(cases[i].id), cases[i].country);
		cr_expect(starts_with(text, cases[i].begins), "%s", text);
		const size_t n = strlen(text), end = strlen(cases[i].ends);
		cr_expect(n >= end && streq(text + n - end, cases[i].ends), "%s", text);
	}
	arena_free(a);
}

/* ---- faults --------------------------------------------------------------------------- */

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[700];
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	FILE *f = fopen(path, "we");
	cr_assert_not_null(f);
	cr_assert_geq(fputs(text, f), 0);
	cr_assert_eq(fclose(f), 0);
}

TEST(general_rules, a_fault_is_told_with_file_line_and_reason)
{
	static const char law[] = "law; easa; FR\nrule; ice; easa; NCO.OP.170; ; ice on the wings\n";
	static const char text[] = "ice; Ice; Only with equipment\n";
	static const struct { const char *facts, *text, *why; } cases[] = {
		{ law, text, NULL },
		{ law, "", "general_rules.txt: has no rows" },
		{ "law; easa; france\n", text, "general_rules.txt:1: \"france\" is not a country code such as FR" },
		{ "law; easa\n", text, ":1: codes of countries are missing" },
		{ "law; easa; FR\nlaw; easa; DE\n", text, ":2: the name of a law has 1 to 8 letters, and each law has one row" },
		{ "kept; easa; GB\n", text, ":1: no row above has the law \"easa\"" },
		{ "rule; ice; easa; X; ; ice\n", text, ":1: no row above has the law \"easa\"" },
		{ "law; easa; FR\nrule; Ice; easa; X; ; ice\n", text, ":2: the name \"Ice\" may have only small letters, digits and _" },
		{ "law; easa; FR\nrule; ice; easa; ; ; ice\n", text, ":2: \"ice\" needs a paragraph or a section of the AIP" },
		{ "law; easa; FR\nrule; ice; easa; X\n", text, ":2: the words in which people ask about \"ice\" are missing" },
		{ "law; easa; FR\nrule; ice; easa; X; ; ice\nrule; ice; easa; X; ; ice\n", text, ":3: \"ice\" has a row already, in line 2" },
		{ "rules; ice\n", text, ":1: \"rules\" is not known here" },
		{ "law; easa; FR\nkept; easa; GB\nkept; easa; TR\n", text, ":3: the law \"easa\" has a row \"kept\" already" },
		{ law, "snow; Snow; Never\n", "en/general_rules.txt:1: conf/facts/general_rules.txt has no rule \"snow\"" },
		{ law, "ice; ; Never\n", "en/general_rules.txt:1: field 2 is missing" },
		{ law, "ice; Ice\n", "en/general_rules.txt:1: a rule with a law in conf/facts/general_rules.txt needs a text, and a rule without one must have none" },
		{ law, "ice; Ice; A\nice; Ice; A\n", "en/general_rules.txt:2: \"ice\" has a row already, in line 1" },
		{ "law; easa; FR\nrule; ice; easa; X; ; ice\nrule; fog; ; ; GEN 3.5; fog\n", text,
		    "en/general_rules.txt: the rule \"fog\" of conf/facts/general_rules.txt is missing" },
	};
	char *dir = test_mkdtemp();
	char path[700];

	for (const char *const *p = (const char *const[]){ "conf", "conf/facts", "conf/language", "conf/language/en", NULL }; *p != NULL; p++) {
		snprintf(path, sizeof(path), "%s/%s", dir, *p);
		cr_assert_eq(mkdir(path, 0700), 0);
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct general_rules *g = NULL;
		struct err e = { 0 };
		write_file(dir, "conf/facts/general_rules.txt", cases[i].facts);
		write_file(dir, "conf/language/en/general_rules.txt", cases[i].text);
		enum errcode rc = general_rules_load(&g, dir, &e);
		cr_expect_eq(rc, cases[i].why == NULL ? OK : ERR_CONFIG, "%zu: %s", i, e.msg);
		cr_expect(cases[i].why == NULL || strstr(e.msg, cases[i].why) != NULL, "%zu: %s", i, e.msg);
		general_rules_free(g);
	}
	general_rules_free(NULL);
	test_rmdir(dir);
}
