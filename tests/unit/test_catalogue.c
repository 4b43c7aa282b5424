/*
 * Message catalogues: what is put, how each language writes numbers, dates and lists, and every fault of
 * a file with its line; and the catalogue of the agent, of which each language must be whole.
 */
#include "agents/aviation/messages.h"
#include "language/catalogue.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "airports/countries.h"
#include "base/str.h"
#include "language/languages.h"
#include "tests/unit/test.h"

enum { PLACE, MORE, DISTANCE, ROWS };
static const struct message_row rows[ROWS] = {
	[PLACE] = { "place", false }, [MORE] = { "more", true }, [DISTANCE] = { "distance", false },
};

#define FORMS(plural, decimal, thousands, rest) "plural = " plural "\ndecimal_sign = " decimal "\n" \
	"thousands_sign = " thousands "\nlist_between = \", \"\nlist_last = \" and \"\ndate = {day} {month} {year}\n" \
	"months = a, b, c, d, e, f, g, h, i, j, k, l\n" rest
#define PLAIN_FORMS FORMS("one", ".", "\",\"", "no_break_before =\nno_break_after =\nshortened =\n")
#define FIRM_FORMS FORMS("below_two", ",", "\" \"", "no_break_before = : ! »\nno_break_after = «\nshortened = de d’, que qu’\n")
#define TEXTS "# comment\nplace = at {town}\nmore.one = one more\nmore.other = {n} more, \\n  and so\n  on\n" \
	"distance = {nm} from {town}\n"

struct books {
	struct arena *mem;
	struct catalogue *c;
	struct err e;
	enum errcode rc;
};

static void write_file(const char *folder, const char *language, const char *name, const char *text)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, language);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/%s", folder, language, name);
	f = fopen(path, "w");
	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
}

/* English as above, and a second language. */
static void books_open(struct books *b, const char *forms, const char *texts)
{
	static const char *const languages[] = { "en", "fr", NULL }, *const files[] = { "say.txt", NULL };
	char folder[] = "/tmp/catalogue.XXXXXX", command[64];
	*b = (struct books){ .mem = arena_new() };
	cr_assert_not_null(mkdtemp(folder));
	write_file(folder, "en", "forms.txt", PLAIN_FORMS);
	write_file(folder, "en", "say.txt", TEXTS);
	write_file(folder, "fr", "forms.txt", forms);
	write_file(folder, "fr", "say.txt", texts);
	const struct catalogue_source from = { .folder = folder, .language = languages, .file = files,
		.row = rows, .n = ROWS };
	b->rc = catalogue_read(&b->c, b->mem, &from, &b->e);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	cr_assert_eq(system(command), 0);
}

static const struct { const char *forms, *texts, *fault; } faults[] = {
	{ PLAIN_FORMS, TEXTS "nowhere = x\n", "say.txt:7: the program has no message \"nowhere\"" },
	{ PLAIN_FORMS, TEXTS "place = y\n", "say.txt:7: \"place\" has a text already, in line 2" },
	{ PLAIN_FORMS, "place = at {town}\n", "fr: the message \"more.one\" is missing" },
	{ PLAIN_FORMS, "place = at {town}\nmore.one = a\n", "\"more.other\" is missing" },
	{ PLAIN_FORMS, "place = {village}\nmore.one = a\nmore.other = b\ndistance = {nm} {town}\n",
	  "say.txt:1: {village} is not a value of \"place\" in English" },
	{ PLAIN_FORMS, "place = {town}\nmore.one = a\nmore.other = b\ndistance = {nm}\n",
	  "say.txt:4: {town} is missing: \"distance\" has it in English" },
	{ PLAIN_FORMS, "place = {town\n", "say.txt:1: a brace without a name" },
	{ PLAIN_FORMS, "place = town}\n", "say.txt:1: a brace without a name" },
	{ PLAIN_FORMS, "place = {}\n", "say.txt:1: a brace without a name" },
	{ PLAIN_FORMS, "place = a\\tb\n", "say.txt:1: only \\n may follow a backslash" },
	{ PLAIN_FORMS, "place = a\\", "say.txt:1: only \\n may follow a backslash" },
	{ PLAIN_FORMS, "place\n", "say.txt:1: is not \"name = text\"" },
	{ PLAIN_FORMS, "= x\n", "say.txt:1: is not \"name = text\"" },
	{ PLAIN_FORMS, "place =\n", "say.txt:1: \"place\" has no text" },
	{ PLAIN_FORMS, "place = \x01\n", "say.txt:1: is not UTF-8 text" },
	{ PLAIN_FORMS, "place = \xff\n", "say.txt:1: is not UTF-8 text" },
	{ PLAIN_FORMS, "place.one = x\n", "say.txt:1: \"place\" does not depend on a number" },
	{ PLAIN_FORMS, "more = x\n", "say.txt:1: \"more\" depends on a number" },
	{ PLAIN_FORMS, "more.few = x\n", "say.txt:1: a name ends with .one or .other, not with .few" },
	{ "plural = one\n", TEXTS, "forms.txt: \"decimal_sign\" is missing" },
	{ PLAIN_FORMS "extra = 1\n", TEXTS, "there is no form \"extra\"" },
	{ PLAIN_FORMS "plural = one\n", TEXTS, "\"plural\" has a row already" },
	{ FORMS("two", ".", ",", "no_break_before =\nno_break_after =\nshortened =\n"), TEXTS, "forms.txt:1: \"plural\" is" },
	{ FORMS("one", ".", "12345", "no_break_before =\nno_break_after =\nshortened =\n"), TEXTS, "one character" },
	{ FORMS("one", ".", ",", "no_break_before =\nno_break_after =\nshortened = de\n"), TEXTS, "\"shortened\" is a list" },
	{ "plural = one\ndecimal_sign = .\nthousands_sign =\nlist_between = x\nlist_last = y\ndate = {day}\nmonths = a, b\n"
	  "no_break_before =\nno_break_after =\nshortened =\n", TEXTS, "forms.txt:7: \"months\" has 2 names, not 12" },
};

TEST(catalogue, names_file_line_and_reason)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct books b;
		books_open(&b, faults[i].forms, faults[i].texts);
		cr_expect_eq(b.rc, ERR_CONFIG, "row %zu", i);
		cr_expect_not_null(strstr(b.e.msg, faults[i].fault), "row %zu: %s", i, b.e.msg);
		arena_free(b.mem);
	}
}

TEST(catalogue, puts_values_in_the_words_of_the_language)
{
	static const struct { const char *language; int row; double n; const char *town, *said; } cases[] = {
		{ "en", PLACE, 0, "Annecy", "at Annecy" },
		{ "fr", PLACE, 0, "Annecy", "près d’Annecy\xC2\xA0!" },
		{ "fr", PLACE, 0, "**Évian** (LFXX)", "près d’**Évian** (LFXX)\xC2\xA0!" },
		{ "fr", PLACE, 0, "Lyon", "près de Lyon\xC2\xA0!" },
		{ "fr", PLACE, 0, "EGTF", "près de EGTF\xC2\xA0!" },
		{ "fr", PLACE, 0, "{n} %s {town}", "près de {n} %s {town}\xC2\xA0!" },
		{ "en", MORE, 1, NULL, "one more" },
		{ "en", MORE, 0, NULL, "0 more, \n  and so on" },
		{ "en", MORE, 12345, NULL, "12,345 more, \n  and so on" },
		{ "fr", MORE, 0, NULL, "0 autre" },
		{ "fr", MORE, 1.5, NULL, "2 autre" },
		{ "fr", MORE, 2, NULL, "«\xC2\xA0" "2\xC2\xA0» autres" },
		{ "fr", MORE, 1e6, NULL, "«\xC2\xA0" "1 000 000\xC2\xA0» autres" },
		{ "xx", PLACE, 0, "Bern", "at Bern" },
		{ NULL, PLACE, 0, "Bern", "at Bern" },
	};
	struct books b;

	books_open(&b, FIRM_FORMS, "place = près de {town} !\nmore.one = {n} autre\nmore.other = « {n} » autres\n"
	    "distance = \" à {nm} de {town}\"");
	TEST_OK(b.rc, b.e);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct wording *w = catalogue_in(b.c, cases[i].language);
		const char *text = cases[i].town != NULL
		    ? message_text(w, b.mem, (size_t)cases[i].row, MESSAGE_VALUES("town", cases[i].town))
		    : message_text_count(w, b.mem, (size_t)cases[i].row, cases[i].n, MESSAGE_VALUES());
		cr_expect_str_eq(text, cases[i].said, "row %zu: %s", i, text);
	}
	cr_expect_str_eq(message_text(catalogue_in(b.c, "fr"), b.mem, DISTANCE, MESSAGE_VALUES("town", "Aix", "nm", "4")),
	    " à 4 d’Aix");
	arena_free(b.mem);
}

TEST(catalogue, writes_numbers_dates_and_lists)
{
	static const struct { const char *language, *count, *number, *decimals, *date, *list; } said[] = {
		{ "en", "-12,345", "0.75", "4.0", "24 December 2026", "a, b and c" },
		{ "fr", "-12\u202F345", "0,75", "4,0", "24 décembre 2026", "a, b et c" },
		{ "de", "-12.345", "0,75", "4,0", "24. Dezember 2026", "a, b und c" },
	};
	static const char *const list[] = { "a", "b", "c" };
	struct arena *a = arena_new();

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		const struct wording *w = messages_in(said[i].language);
		cr_expect_str_eq(wording_count(w, a, -12345), said[i].count);
		cr_expect_str_eq(wording_count(w, a, -0.4), "0");
		cr_expect_str_eq(wording_count(w, a, 1e16), "?");
		cr_expect_str_eq(wording_number(w, a, 0.75), said[i].number);
		cr_expect_str_eq(wording_decimals(w, a, 4, 1), said[i].decimals);
		cr_expect_str_eq(wording_date(w, a, 2026, 12, 24), said[i].date);
		cr_expect_str_eq(wording_list(w, a, list, 3), said[i].list);
		cr_expect_str_eq(wording_list(w, a, list, 1), "a");
		cr_expect_str_eq(wording_list(w, a, list, 0), "");
	}
	arena_free(a);
}

/* A language that is understood is also spoken, and knows every country. */
TEST(catalogue, the_agent_speaks_every_language_that_it_understands)
{
	struct arena *a = arena_new();

	for (size_t i = 0; i < languages_count(); i++) {
		const struct wording *w = messages_in(language_at(i));
		cr_expect_str_eq(wording_language(w), language_at(i));
		for (size_t k = 0; k < country_count(); k++)
			cr_expect(*message_country(w, country_at(k)->code) != '\0' &&
			    *message_in_country(w, a, country_at(k)->code) != '\0');
	}
	cr_expect_str_eq(message_in_country(messages_in("fr"), a, "nl"), "aux Pays-Bas");
	cr_expect_str_eq(message_in_country(messages_in("de"), a, "CH"), "in der Schweiz");
	cr_expect_str_eq(message_in_country(messages_in("en"), a, "DE"), "in Germany");
	cr_expect_null(message_country(messages_in("de"), "QQ"));
	cr_expect_str_eq(message_area(messages_in("fr"), "Black Forest"), "Forêt-Noire");
	cr_expect_str_eq(message_area(messages_in("de"), "Black Forest"), "Schwarzwald");
	cr_expect_str_eq(message_area(messages_in("de"), "Provence"), "Provence");
	cr_expect_str_eq(message_area(messages_in("en"), "Black Forest"), "Black Forest");
	arena_free(a);
}
