/* The replies of the built-in planner in each language: none is left out, none stays English. */
#include "agents/aviation/builtin/replies.h"

#include "airports/countries.h"
#include "base/str.h"
#include "language/catalogue.h"
#include "tests/unit/planner_rules.h"

struct fix {
	char *dir, rules_path[600];
	struct rules *rules;
	struct arena *a;
	const struct rules_snapshot *set;
};

static void setup(struct fix *f)
{
	*f = (struct fix){ .dir = test_mkdtemp(), .a = arena_new() };
	planner_rules_open(&f->rules, f->rules_path, f->dir);
	rules_refresh(f->rules);
	f->set = rules_use(f->rules, f->a);
	cr_assert_not_null(f->set);
}

static void finish(struct fix *f)
{
	arena_free(f->a);
	rules_close(f->rules);
	test_rmdir(f->dir);
}

TEST(replies, each_is_said_in_every_language)
{
	struct fix f;

	setup(&f);
	for (size_t l = 0; l < languages_count(); l++)
		for (int reply = 0; reply < REPLY__MAX; reply++)
			for (int with = 0; with < 2; with++) {
				struct reply_facts facts = {
					.from = "EGTF", .to = "LFMD", .near = "Nice", .country = country_by_code("DE"),
					.day = "2026-02-31", .unknown_code = "LFXX", .set = with ? f.set : NULL,
					.asked = { "FR", "GB" }, .topic = "airspace", .matter = "VFR", .place = "Albi", .either = { "x", "y" },
				};
				/* those about rules are said only where there are some */
				if (!with && reply >= REPLY_RULES_COUNTRIES && reply <= REPLY_RULES_COMPARE_WITH)
					continue;
				if (!with && reply == REPLY_RULES)
					continue;
				const char *english = reply_of(f.a, &facts, (enum reply)reply);
				facts.wording = messages_in(language_at(l));
				const char *text = reply_of(f.a, &facts, (enum reply)reply);
				const bool same = streq(language_at(l), CATALOGUE_REFERENCE) ||
				    reply == REPLY_SOME_PLACE || reply == REPLY_SOME_START;
				cr_expect(*text != '\0' && strchr(text, '{') == NULL, "%s %d: %s", language_at(l), reply, text);
				cr_expect_eq(streq(text, english), same, "%s %d: %s", language_at(l), reply, text);
			}
	finish(&f);
}

TEST(replies, values_are_in_the_language)
{
	static const struct { const char *language; enum reply reply; const char *says; } cases[] = {
		{ "en", REPLY_RULES, "Norway and Poland." },
		{ "en", REPLY_RULES, "- “in Belgium”" },
		{ "fr", REPLY_RULES, "Norvège et Pologne." },
		{ "fr", REPLY_RULES, "- « en Belgique »" },
		{ "de", REPLY_RULES, "Norwegen und Polen." },
		{ "de", REPLY_RULES, "- „in Belgien“" },
		{ "en", REPLY_RULES_COUNTRIES, "air traffic service" },
		{ "de", REPLY_RULES_COUNTRIES, "Flugverkehrsdienst" },
		{ "fr", REPLY_RULES_COMPARE_WITH, "(Pays-Bas)" },
		{ "en", REPLY_RANK, "“Airports in Germany with a runway" },
		{ "fr", REPLY_RANK, "« Aérodromes en Allemagne avec une piste" },
		{ "de", REPLY_RANK, "„Flugplätze in Deutschland mit mindestens" },
		{ "fr", REPLY_NO_TIME, "Je ne connais pas l’aérodrome LFXX. Cette heure" },
		{ "de", REPLY_NO_DAY, "Den Flugplatz LFXX kenne ich nicht. Diesen Tag" },
		{ "en", REPLY_NO_TIME, "I do not know the airport LFXX. There is no such time" },
		{ NULL, REPLY_EMPTY, "There was no question" },
		{ "xx", REPLY_EMPTY, "There was no question" },
	};
	struct fix f;

	setup(&f);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const bool code = cases[i].reply == REPLY_NO_TIME || cases[i].reply == REPLY_NO_DAY;
		const struct reply_facts facts = {
			.place = code ? "LFXX" : NULL, .unknown_code = code ? "LFXX" : NULL, .day = "2026-02-31",
			.country = country_by_code("DE"), .set = f.set, .asked = { "NL" },
			.wording = messages_in(cases[i].language),
		};
		const char *text = reply_of(f.a, &facts, cases[i].reply);
		cr_expect_not_null(strstr(text, cases[i].says), "row %zu: %s", i, text);
	}
	finish(&f);
}
