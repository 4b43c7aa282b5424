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
					.asked = { "FR", "GB" }, .topic = "airspace",
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
		{ "en", REPLY_RULES_SUBJECTS, "air traffic service" },
		{ "de", REPLY_RULES_SUBJECTS, "Flugverkehrsdienst" },
		{ "fr", REPLY_RULES_COMPARE_WITH, "(Pays-Bas)" },
		{ "en", REPLY_FUEL, "“Airports in Germany with AVGAS”" },
		{ "fr", REPLY_FUEL, "« Aérodromes en Allemagne avec AVGAS »" },
		{ "de", REPLY_FUEL, "„Flugplätze in Deutschland mit AVGAS“" },
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

TEST(replies, a_question_for_a_place_is_known_in_every_language)
{
	static const enum reply asking[] = { REPLY_HALF_ROUTE, REPLY_HALF_ROUTE_TO, REPLY_UNPLACED,
		REPLY_NOTIFY_WHERE };
	struct arena *a = arena_new();

	for (size_t l = 0; l < languages_count(); l++) {
		const struct reply_facts facts = { .wording = messages_in(language_at(l)) };
		enum reply which;
		for (size_t i = 0; i < sizeof(asking) / sizeof(asking[0]); i++) {
			const char *text = reply_of(a, &facts, asking[i]);
			which = REPLY__MAX;
			cr_expect(reply_asks_place(text, &which) && which == asking[i], "%s: %s", language_at(l), text);
		}
		cr_expect(!reply_asks_place(reply_of(a, &facts, REPLY_NOTHING), &which), "%s", language_at(l));
	}
	cr_expect(!reply_asks_place(NULL, &(enum reply){ 0 }));
	arena_free(a);
}
