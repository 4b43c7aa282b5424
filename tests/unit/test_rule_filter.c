/*
 * Filters and display of rules.
 */
#include "tests/unit/test.h"

#include "base/log.h"
#include "base/str.h"
#include "rules/rule_filter.h"
#include "tests/unit/rules_fix.h"

static struct rulebase *load(const char *text)
{
	struct rulebase *b = NULL;
	struct err e;
	log_level_set("OFF");
	TEST_OK(rules_fix_load(&b, text, &e), e);
	return b;
}

static const char *join(struct arena *a, const char *const *s, size_t n)
{
	const char *out = "";
	for (size_t i = 0; i < n; i++)
		out = arena_printf(a, "%s%s%s", out, i > 0 ? " " : "", s[i]);
	return out;
}

static const struct {
	const char *tags[5], *out;
} tags[] = {
	{ { NULL }, "" },
	{ { "VFR", "IFR" }, "ifr" },
	{ { "IFR", "VFR", "flight plan" }, "ifr flight_plan" },
	{ { "vfr ", "ifr", "VFR IFR transition", "x" }, "vfr_ifr_transition x" },
	{ { "vfr", "VFR/IFR transition" }, "vfr vfr/ifr_transition" },
	{ { "a", "b", "A" }, "a b a" },
	{ { "", "  ", "a" }, "a" },
};

TEST(rulequery, tags)
{
	struct arena *a = arena_new();
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		size_t n = 0;
		while (n < 5 && tags[i].tags[n] != NULL)
			n++;
		struct rule_tags out = rule_tags(a, tags[i].tags, n);
		cr_assert_str_eq(join(a, out.tag, out.n), tags[i].out, "row %zu", i);
	}
	cr_assert_eq(rule_tags(a, NULL, 0).n, 0);
	arena_free(a);
}

static const struct {
	const char *country, *category, *tag, *search;
	const char *ids;
} filters[] = {
	{ "FR", NULL, NULL, NULL, "q-air q-plan" },
	{ "fr", NULL, NULL, NULL, "q-air q-plan" },
	{ "BE", NULL, NULL, NULL, "q-air" },
	{ "NL", NULL, NULL, NULL, "" }, { "XX", NULL, NULL, NULL, "" }, { "", NULL, NULL, NULL, "" },
	{ "FR", "SPACE", NULL, NULL, "q-air" }, { "FR", "spaces", NULL, NULL, "" },
	{ "FR", "", NULL, NULL, "q-air q-plan" },
	{ "FR", NULL, "flight plan", NULL, "q-plan" }, { "FR", NULL, "none", NULL, "" },
	{ "FR", NULL, NULL, "ALL ABOUT", "q-air" }, { "FR", NULL, NULL, "local flights", "q-plan" },
	{ "FR", NULL, NULL, "zurich", "q-air" }, { "FR", NULL, NULL, "ZÜRICH", "q-air" },
	{ "FR", NULL, NULL, "a", "q-air q-plan" }, { "FR", NULL, NULL, "strong", "" },
	{ "FR", "vfr", "vfr", "always", "q-plan" }, { "FR", "air", "vfr", NULL, "" },
	{ "GB", NULL, NULL, "500 ft & above", "q-plan" },
};

TEST(rulequery, filters)
{
	struct arena *a = arena_new();
	struct rulebase *b = load(rules_fix_small);
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		const struct rule_filter f = { .category = filters[i].category,
			.tags = rule_tags(a, &filters[i].tag, filters[i].tag != NULL),
			.search = filters[i].search };
		const char *ids[8];
		size_t n;
		const struct rule_entry *const *found =
		    rules_for_country(b, a, filters[i].country, &f, &n);
		cr_assert_leq(n, 8);
		for (size_t k = 0; k < n; k++)
			ids[k] = found[k]->question->id;
		cr_assert_str_eq(join(a, ids, n), filters[i].ids, "row %zu", i);
	}
	size_t n;
	rules_for_country(b, a, "FR", NULL, &n);
	cr_assert_eq(n, 2, "no filter at all");
	rulebase_free(b);
	arena_free(a);
}

TEST(rulequery, questions_by_tags)
{
	static const struct {
		const char *tags[3];
		size_t n;
		const char *ids;
	} rows[] = {
		{ { NULL }, 0, "q-plan q-air q-none" }, { { "vfr" }, 1, "q-plan" },
		{ { "air space", "vfr" }, 2, "q-plan q-air" }, { { "secret" }, 1, "" },
	};
	struct arena *a = arena_new();
	struct rulebase *b = load(rules_fix_small);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *ids[8];
		size_t n;
		const struct rule_question *const *found =
		    rules_by_tags(b, a, rule_tags(a, rows[i].tags, rows[i].n), &n);
		for (size_t k = 0; k < n; k++)
			ids[k] = found[k]->id;
		cr_assert_str_eq(join(a, ids, n), rows[i].ids, "row %zu", i);
	}
	rulebase_free(b);
	arena_free(a);
}

static const char *display(struct arena *a, const struct rulebase *b, const char *country,
    bool grouped)
{
	size_t n;
	const struct rule_entry *const *all = rules_for_country(b, a, country, NULL, &n);
	return rules_display(a, all, n, grouped);
}

TEST(rulequery, display)
{
	struct arena *a = arena_new();
	struct rulebase *b = load(rules_fix_small);
	cr_assert_str_eq(display(a, b, "FR", true),
	    "\n**Airspace** (1 rules):\n"
	    "\n• **all about airspace Z**\n  See the map of Zürich.\n"
	    "\n**VFR** (1 rules):\n"
	    "\n• **When is a flight plan needed?**\n  Always. Not for local flights.\n"
	    "  📎 Links: https://one.example, https://two.example");
	cr_assert_str_eq(display(a, b, "FR", false),
	    "\n• **all about airspace Z**\n  See the map of Zürich.\n"
	    "\n• **When is a flight plan needed?**\n  Always. Not for local flights.");
	const char *nothing = display(a, b, "XX", true);
	cr_assert_str_neq(nothing, "");
	cr_assert_str_eq(display(a, b, "XX", false), nothing);
	rulebase_free(b);
	arena_free(a);
}

/* Dots were always appended, so that a whole answer looked cut. */
TEST(rulequery, dots_only_where_something_was_cut)
{
	struct arena *a = arena_new();
	char exact[401], more[403];      /* of two bytes a character */
	for (size_t i = 0; i < 200; i++)
		memcpy(exact + 2 * i, "é", 2);
	exact[400] = '\0';
	snprintf(more, sizeof(more), "%sx", exact);
	struct rulebase *b = load(arena_printf(a, "[{'id': 'a', 'answers_by_country': "
	    "{'FR': {'answer_html': '<b>%s</b>'}, 'GB': {'answer_html': '%s'}}}]", exact, more));
	const char *fr = display(a, b, "FR", true), *gb = display(a, b, "GB", true);
	cr_assert_null(strstr(fr, "..."));
	cr_assert_str_eq(fr + strlen(fr) - 400, exact);
	cr_assert_str_eq(gb + strlen(gb) - 403, arena_printf(a, "%s...", exact));
	rulebase_free(b);
	arena_free(a);
}

TEST(rulequery, display_of_many)
{
	struct arena *a = arena_new();
	const char *text = "";
	for (int i = 0; i < 23; i++)
		text = arena_printf(a, "%s%s{'id': 'q%02d', 'answers_by_country': "
		    "{'FR': {'answer_html': 'x'}}}", text, i > 0 ? "," : "", i);
	struct rulebase *b = load(arena_printf(a, "[%s]", text));
	const char *row = display(a, b, "FR", false);
	cr_assert_not_null(strstr(row, "q19"));
	cr_assert_null(strstr(row, "q20"));
	cr_assert_not_null(strstr(row, "3 more rules"));
	cr_assert_not_null(strstr(display(a, b, "FR", true), "**General** (23 rules):"));
	cr_assert_not_null(strstr(display(a, b, "FR", true), "q22"));
	rulebase_free(b);
	arena_free(a);
}
