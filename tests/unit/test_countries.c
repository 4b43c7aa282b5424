/* Countries: complete, unambiguous, and found by what people call them. */
#include "airports/countries.h"

#include "base/str.h"
#include "tests/unit/test.h"

TEST(countries, table_is_whole)
{
	struct arena *a = arena_new();

	cr_expect_eq(country_count(), 250, "249 of ISO 3166-1 and XK");
	for (size_t i = 0; i < country_count(); i++) {
		const struct country *c = country_at(i);

		cr_expect_eq(strlen(c->code), 2);
		if (i > 0)
			cr_expect_lt(strcmp(c[-1].code, c->code), 0, "%s is out of order", c->code);
		cr_expect_eq(country_by_code(c->code), c);
		cr_expect_eq(country_by_name(str_fold(a, c->name)), c, "%s", c->name);
		cr_expect_str_eq(str_fold(a, c->adjectives), c->adjectives);
		cr_expect_str_eq(str_fold(a, c->aliases), c->aliases);
	}
	arena_free(a);
}

/* A name or alias belongs to one country. */
TEST(countries, names_are_unique)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < country_count(); i++) {
		const char *p = country_at(i)->aliases;

		while (*p != '\0') {
			size_t n = strcspn(p, "|");
			const char *alias = arena_strndup(a, p, n);

			cr_expect_eq(country_by_name(alias), country_at(i), "%s: %s", country_at(i)->code, alias);
			p += n + (p[n] == '|');
		}
	}
	arena_free(a);
}

static const struct said {
	const char *text, *code;
} said[] = {
	{ "france", "FR" }, { "french", "FR" }, { "uk", "GB" }, { "england", "GB" }, { "scottish", "GB" },
	{ "wales", "GB" }, { "british", "GB" }, { "holland", "NL" }, { "the netherlands", "NL" },
	{ "dutch", "NL" }, { "czechia", "CZ" }, { "czech republic", "CZ" }, { "czech", "CZ" },
	{ "usa", "US" }, { "america", "US" }, { "american", "US" }, { "the usa", "US" }, { "uae", "AE" },
	{ "swiss", "CH" }, { "bosnia", "BA" }, { "north macedonia", "MK" }, { "guernsey", "GG" },
	{ "jersey", "JE" }, { "turkey", "TR" }, { "turkiye", "TR" }, { "cote d'ivoire", "CI" },
	{ "nigerian", "NG" }, { "nigerien", "NE" }, { "korea", "KR" }, { "us", NULL }, { "the", NULL },
	{ "", NULL }, { "atlantis", NULL }, { "franc", NULL }, { "united", NULL }, { "fr", NULL },
	{ "french|breton", NULL },
};

TEST(countries, by_name)
{
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		const struct country *c = country_by_name(said[i].text);

		if (said[i].code == NULL)
			cr_expect_null(c, "%s gives %s", said[i].text, c != NULL ? c->code : "");
		else
			cr_expect(c != NULL && streq(c->code, said[i].code), "%s", said[i].text);
	}
	cr_expect_null(country_by_name(NULL));
}

TEST(countries, by_code)
{
	cr_expect_str_eq(country_by_code("fr")->name, "France");
	cr_expect_str_eq(country_by_code("Xk")->name, "Kosovo");
	cr_expect_null(country_by_code("ZZ"));
	cr_expect_null(country_by_code("FRA"));
	cr_expect_null(country_by_code("F"));
	cr_expect_null(country_by_code(NULL));
}

TEST(countries, preference)
{
	size_t n = 0;

	for (size_t i = 0; i < country_count(); i++)
		n += country_preferred(country_at(i)->code);
	cr_expect_eq(n, 44, "the original's set, not %zu", n);
	cr_expect(country_preferred("gb"));
	cr_expect(country_preferred("LI"));
	cr_expect_not(country_preferred("US"));
	cr_expect_not(country_preferred("UA"));
	cr_expect_not(country_preferred(NULL));
}
