/* Files of facts: the shipped ones load, and each kind of fault is reported with file and line. */
#include "airports/facts.h"

#include <sys/stat.h>

#include "airports/countries.h"
#include "airports/facts_tables.h"
#include "airports/icao_prefix.h"
#include "base/buf.h"
#include "base/datafile.h"
#include "base/str.h"
#include "tests/unit/test.h"

struct fix {
	struct arena *a;
	char *dir;
	struct err e;
};

/* A folder with the shipped facts. */
static void setup(struct fix *f)
{
	char command[1200];
	*f = (struct fix){ .a = arena_new(), .dir = test_mkdtemp() };
	snprintf(command, sizeof(command), "mkdir '%s/conf' && cp -r '" TEST_SRCDIR "/conf/facts' '%s/conf/' "
	    "&& chmod -R u+w '%s/conf'", f->dir, f->dir, f->dir);
	cr_assert_eq(system(command), 0);
}

static void finish(struct fix *f)
{
	test_rmdir(f->dir);
	arena_free(f->a);
}

static const char *path_of(struct fix *f, const char *name)
{
	return arena_printf(f->a, "%s/conf/facts/%s", f->dir, name);
}

static void put(struct fix *f, const char *name, const char *text, size_t n)
{
	FILE *file = fopen(path_of(f, name), "we");
	cr_assert_not_null(file);
	cr_assert_eq(fwrite(text, 1, n, file), n);
	cr_assert_eq(fclose(file), 0);
}

/* -- data files -- */

static enum errcode read_text(struct fix *f, const char *text, struct datafile *d)
{
	put(f, "towns.txt", text, strlen(text));
	return datafile_read(d, f->a, path_of(f, "towns.txt"), 2, 4, &f->e);
}

TEST(facts, a_data_file_is_rows_fields_and_lists)
{
	struct fix f;
	struct datafile d;
	char **element;
	size_t n;
	setup(&f);
	TEST_OK(read_text(&f, "\xef\xbb\xbf# first\r\n\r\n  a ;b\r\n\t \n#x;y\nc; d, \"e \" ,f;; g", &d), f.e);
	cr_assert_eq(d.n, 2);
	cr_expect_eq(d.row[0].line, 3);
	cr_expect_eq(d.row[0].n, 2);
	cr_expect_str_eq(d.row[0].field[0], "a");
	cr_expect_str_eq(d.row[0].field[1], "b");
	cr_expect_str_eq(d.row[0].field[2], "");
	cr_expect_str_eq(d.row[0].field[DATAFILE_FIELDS - 1], "");
	cr_expect_eq(d.row[1].line, 6);
	cr_expect_str_eq(d.row[1].field[2], "");
	cr_expect_str_eq(d.row[1].field[3], "g");
	TEST_OK(datafile_list(&d, &d.row[1], 1, f.a, &element, &n, &f.e), f.e);
	cr_assert_eq(n, 3);
	cr_expect_str_eq(element[0], "d");
	cr_expect_str_eq(element[1], "e ");
	cr_expect_str_eq(element[2], "f");
	TEST_OK(datafile_list(&d, &d.row[1], 2, f.a, &element, &n, &f.e), f.e);
	cr_expect_eq(n, 0);
	finish(&f);
}

static const struct bad_text {
	const char *text, *says;
} bad_texts[] = {
	{ "", "towns.txt: has no rows" },
	{ "# nothing\n", "towns.txt: has no rows" },
	{ "a; b\nc\n", "towns.txt:2: field 2 is missing" },
	{ "a; b\n; c\n", "towns.txt:2: field 1 is missing" },
	{ "a; b; c; d; e\n", "towns.txt:1: has more than the 4 fields" },
	{ "a; \xff\n", "towns.txt:1: is not UTF-8 text" },
	{ "a; b\x01\n", "towns.txt:1: is not UTF-8 text" },
};

TEST(facts, a_data_file_with_a_fault_is_refused)
{
	struct fix f;
	struct datafile d;
	setup(&f);
	for (size_t i = 0; i < sizeof(bad_texts) / sizeof(bad_texts[0]); i++) {
		cr_expect_eq(read_text(&f, bad_texts[i].text, &d), ERR_CONFIG, "%s", bad_texts[i].text);
		cr_expect_not_null(strstr(f.e.msg, bad_texts[i].says), "%s: %s", bad_texts[i].text, f.e.msg);
	}
	put(&f, "towns.txt", "a; b\0c\n", 7);
	cr_expect_eq(datafile_read(&d, f.a, path_of(&f, "towns.txt"), 2, 4, &f.e), ERR_CONFIG);
	cr_expect_not_null(strstr(f.e.msg, "towns.txt:1: has a NUL byte"), "%s", f.e.msg);
	char *big = arena_alloc(f.a, DATAFILE_BYTES + 1);
	memset(big, '#', DATAFILE_BYTES + 1);
	put(&f, "towns.txt", big, DATAFILE_BYTES + 1);
	cr_expect_eq(datafile_read(&d, f.a, path_of(&f, "towns.txt"), 2, 4, &f.e), ERR_CONFIG);
	cr_expect_not_null(strstr(f.e.msg, "towns.txt: larger than"), "%s", f.e.msg);
	cr_expect_eq(datafile_read(&d, f.a, path_of(&f, "no.txt"), 2, 4, &f.e), ERR_CONFIG);
	cr_expect_not_null(strstr(f.e.msg, "no.txt: No such file"), "%s", f.e.msg);
	finish(&f);
}

TEST(facts, a_list_with_a_fault_is_refused)
{
	struct fix f;
	struct datafile d;
	struct buf b;
	char **element;
	size_t n;
	setup(&f);
	buf_init(&b, 8192);
	buf_puts(&b, "a; b,,c\na; b, b\na; b,\na; \"\"\na; 0");
	for (int i = 1; i <= DATAFILE_LIST; i++)
		buf_printf(&b, ", %d", i);
	TEST_OK(read_text(&f, b.p, &d), f.e);
	for (size_t i = 0; i < d.n; i++)
		cr_expect_eq(datafile_list(&d, &d.row[i], 1, f.a, &element, &n, &f.e), ERR_CONFIG, "row %zu", i);
	cr_expect_not_null(strstr(f.e.msg, "towns.txt:5: field 2 has more than 200 elements"), "%s", f.e.msg);
	buf_release(&b);
	finish(&f);
}

/* -- facts -- */

TEST(facts, the_shipped_files_load)
{
	struct fix f;
	struct facts *facts, *same;
	setup(&f);
	TEST_OK(facts_load(&facts, TEST_SRCDIR, &f.e), f.e);
	cr_expect_eq(facts->ncountries, 250);
	cr_expect_geq(facts->ntowns, 841);
	cr_expect_geq(facts->nprefixes, 248);
	cr_expect_geq(facts->nexonyms, 320);
	cr_expect_geq(facts->nareas, 733);
	cr_expect_eq(facts->nsurfaces, 8);
	cr_expect_lt(arena_used(facts->mem), 1100 * 1024, "%zu bytes", arena_used(facts->mem));
	TEST_OK(facts_load(&same, f.dir, &f.e), f.e);
	cr_expect_eq(facts->stamp, same->stamp, "the folder does not matter");
	facts_free(same);
	put(&f, "neighbours.txt", "DE; FR\n", 7);
	TEST_OK(facts_load(&same, f.dir, &f.e), f.e);
	cr_expect_neq(facts->stamp, same->stamp);
	cr_expect_str_eq(facts_about(f.a),
	    TEST_SRCDIR "/conf/facts: 250 countries, 1458 towns, 1075 areas, 248 ICAO prefixes");
	facts_free(same);
	facts_free(facts);
	facts_free(NULL);
	finish(&f);
}

/* People write names as usual; their keys are compared. */
TEST(facts, names_may_be_written_as_people_write)
{
	static const char countries[] = "FR; France; French; Frankreich, L\xc3\xa9XAGONE\nDE; Germany\n";
	static const char exonyms[] = "DE; M\xc3\xbcnchen, Munich Airport, St. Emmeram\n";
	struct fix f;
	struct facts *facts;
	setup(&f);
	static const char words[] = "generic; AIRPORT\nshort; ST; S\xc3\xa1int\n";
	put(&f, "place_words.txt", words, sizeof(words) - 1);
	put(&f, "countries.txt", countries, sizeof(countries) - 1);
	put(&f, "exonyms.txt", exonyms, sizeof(exonyms) - 1);
	put(&f, "towns.txt", "FR; Paris; 48.86; 2.35\n", 23);
	put(&f, "neighbours.txt", "FR; DE\n", 7);
	put(&f, "preferred_countries.txt", "FR\n", 3);
	put(&f, "icao_prefixes.txt", "LF; FR\n", 7);
	put(&f, "areas.txt", "FR; Corsica; circle 42 9 50\n", 28);
	TEST_OK(facts_load(&facts, f.dir, &f.e), f.e);
	cr_expect_str_eq(facts->country[0].code, "DE", "in order of the codes");
	cr_expect_str_eq(facts->country[0].neighbours, "");
	cr_expect_str_eq(facts->country[1].aliases, "frankreich|lexagone");
	cr_expect_str_eq(facts->country[1].neighbours, "DE");
	cr_expect(facts->country[1].preferred && !facts->country[0].preferred);
	cr_expect_str_eq(facts->exonym[0].names.word[0], "munchen");
	cr_expect_str_eq(facts->exonym[0].names.word[1], "munich");
	cr_expect_str_eq(facts->exonym[0].names.word[2], "saint emmeram");
	facts_free(facts);
	finish(&f);
}

static const struct bad_facts {
	const char *file, *text, *says;
} bad_facts[] = {
	{ "countries.txt", "Fr; France\n", "countries.txt:1: \"Fr\" is not two capital letters" },
	{ "countries.txt", "FRA; France\n", "\"FRA\" is not two capital letters" },
	{ "countries.txt", "FR; France\nDE; Germany\nFR; Frankreich\n", "countries.txt:3: FR has a row already" },
	{ "countries.txt", "FR; France\nDE; Germany; german; france\n", "countries.txt:" },
	{ "countries.txt", "FR; France; french\nMF; Saint Martin; french\n",
	    "countries.txt:2: \"french\" is a name of FR already" },
	{ "countries.txt", "FR; France; a|b\n", "countries.txt:1: \"|\"" },
	{ "neighbours.txt", "DE; XX\n", "neighbours.txt:1: \"XX\" is no country code of countries.txt" },
	{ "neighbours.txt", "XX; DE\n", "neighbours.txt:1: \"XX\" is no country code" },
	{ "neighbours.txt", "DE; FR\nDE; AT\n", "neighbours.txt:2: DE has a row already" },
	{ "neighbours.txt", "DE; FR, DE\n", "neighbours.txt:1: DE is no neighbour of itself" },
	{ "preferred_countries.txt", "DE\nDE\n", "preferred_countries.txt:2: DE has a row already" },
	{ "preferred_countries.txt", "de\n", "preferred_countries.txt:1: \"de\" is no country code" },
	{ "icao_prefixes.txt", "lf; FR\n", "icao_prefixes.txt:1: \"lf\" is not one to four capital letters" },
	{ "icao_prefixes.txt", "LFPGX; FR\n", "icao_prefixes.txt:1: \"LFPGX\"" },
	{ "icao_prefixes.txt", "LF; FR\nLF; DE\n", "icao_prefixes.txt:2: LF has a row already" },
	{ "icao_prefixes.txt", "LF; France\n", "icao_prefixes.txt:1: \"France\" is no country code" },
	{ "currencies.txt", "Europe; EUR, POUND\n", "currencies.txt:1: \"pound\" does not have three letters" },
	{ "place_words.txt", "generel; airport\n", "place_words.txt:1: \"generel\" is not generic" },
	{ "place_words.txt", "generic; airport\ngeneric; field\n", "place_words.txt:2: generic has a row already" },
	{ "place_words.txt", "inside; in\ninside; im\n", "place_words.txt:2: inside has a row already" },
	{ "place_words.txt", "article; the\nown_articles; le\n", "place_words.txt:2: \"own_articles\" is not generic" },
	{ "place_words.txt", "before; near, near\n", "place_words.txt:1: \"near\" stands there twice" },
	{ "place_words.txt", "behind; area,\n", "place_words.txt:1: an element of field 2 is empty" },
	{ "place_words.txt", "short; st\n", "place_words.txt:1: field 3, the long form, is missing" },
	{ "towns.txt", "XX; Paris; 48; 2\n", "towns.txt:1: \"XX\" is no country code" },
	{ "towns.txt", "FR; Paris; 91; 2\n", "towns.txt:1: \"91\" is no latitude in degrees" },
	{ "towns.txt", "FR; Paris; 48N; 2\n", "towns.txt:1: \"48N\" is no latitude in degrees" },
	{ "towns.txt", "FR; Paris; 48; -181\n", "towns.txt:1: \"-181\" is no longitude in degrees" },
	{ "towns.txt", "FR; Paris; nan; 2\n", "towns.txt:1: \"nan\" is no latitude" },
	{ "towns.txt", "FR; St Denis; 48; 2\nFR; Saint-Denis; 48; 2\n", "towns.txt:2: Saint-Denis in FR has a row already" },
	{ "exonyms.txt", "DE; munich\n", "exonyms.txt:1: a name has no other name in this row" },
	{ "exonyms.txt", "XX; munich, muenchen\n", "exonyms.txt:1: \"XX\" is no country code" },
	{ "exonyms.txt", "DE; munich, ...\n", "exonyms.txt:1: \"...\" is not the name of a place" },
	{ "exonyms.txt", "DE; munich, muenchen\nDE; monaco, Munich\n", "exonyms.txt:2: \"Munich\" has a row already" },
	{ "exonyms.txt", "DE; munich, munich\n", "exonyms.txt:1: \"munich\" stands there twice" },
	{ "areas.txt", "FR; Corsica\n", "areas.txt:1: field 3 is missing" },
	{ "areas.txt", "XX; Corsica; circle 42 9 50\n", "areas.txt:1: \"XX\" is no country code" },
	{ "areas.txt", "FR; ...; circle 42 9 50\n", "areas.txt:1: \"...\" is not the name of a place" },
	{ "areas.txt", "FR; Corsica; circle 42 9\n", "areas.txt:1: \"circle 42 9\" is none of" },
	{ "areas.txt", "FR; Corsica; circle 92 9 5\n", "areas.txt:1: \"circle 92 9 5\" is none of" },
	{ "areas.txt", "FR; Corsica; circle 42 9 0\n", "areas.txt:1: \"circle 42 9 0\" is none of" },
	{ "areas.txt", "FR; Corsica; box 43 8 41 9\n", "areas.txt:1: \"box 43 8 41 9\" is none of" },
	{ "areas.txt", "FR; Corsica; round 42 9 5\n", "areas.txt:1: \"round 42 9 5\" is none of" },
	{ "areas.txt", "FR; Corsica; polygon 42 9, 43 9\n", "areas.txt:1: a polygon has at least 3 corners" },
	{ "areas.txt", "FR; Corsica; polygon 42 9, 43 9, 44\n", "areas.txt:1: \"44\" is not a latitude and a longitude" },
	{ "areas.txt", "FR; Corsica; circle 42 9 50; COR\n", "areas.txt:1: \"COR\" is not a region of these countries" },
	{ "areas.txt", "FR; Corsica; circle 42 9 50; IT-88\n", "areas.txt:1: \"IT-88\" is not a region" },
	{ "areas.txt", "FR; Corsica; circle 42 9 50\nIT, FR; corsica; circle 1 1 1\n",
	    "areas.txt:2: \"corsica\" is a name of another area" },
	{ "surfaces.txt", "firm; is; x\n", "surfaces.txt:1: \"firm\" is not known here" },
	{ "surfaces.txt", "hard; contains; x\n", "surfaces.txt:1: \"contains\" is not known here" },
	{ "surfaces.txt", "hard; is\n", "surfaces.txt:1: field 3 is missing" },
};

TEST(facts, each_fault_is_told_by_file_and_line)
{
	for (size_t i = 0; i < sizeof(bad_facts) / sizeof(bad_facts[0]); i++) {
		const struct bad_facts *b = &bad_facts[i];
		struct fix f;
		struct facts *facts;
		setup(&f);
		put(&f, b->file, b->text, strlen(b->text));
		cr_expect_eq(facts_load(&facts, f.dir, &f.e), ERR_CONFIG, "%s: %s", b->file, b->text);
		cr_expect_null(facts);
		cr_expect_not_null(strstr(f.e.msg, b->says), "%s: %s: %s", b->file, b->text, f.e.msg);
		cr_expect_not_null(strstr(f.e.msg, f.dir), "the path: %s", f.e.msg);
		finish(&f);
	}
}

/* Every file is needed, and a missing one is named. */
TEST(facts, a_missing_file_is_named)
{
	static const char *const names[] = { "countries.txt", "neighbours.txt", "preferred_countries.txt",
		"icao_prefixes.txt", "place_words.txt", "towns.txt", "exonyms.txt", "areas.txt",
		"surfaces.txt", "aircraft.txt", "currencies.txt", "notice_words.txt" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct fix f;
		struct facts *facts;
		setup(&f);
		cr_assert_eq(remove(path_of(&f, names[i])), 0);
		cr_expect_eq(facts_load(&facts, f.dir, &f.e), ERR_CONFIG);
		cr_expect_str_eq(f.e.msg, arena_printf(f.a, "%s: No such file or directory",
		    path_of(&f, names[i])));
		finish(&f);
	}
}

/* The first facts opened stay, because tables are made from them once. */
TEST(facts, opening_again_changes_nothing)
{
	struct fix f;
	uint64_t before = facts_stamp();
	setup(&f);
	put(&f, "neighbours.txt", "DE; FR\n", 7);
	TEST_OK(facts_open(f.dir, &f.e), f.e);
	cr_expect_eq(facts_stamp(), before);
	cr_expect_str_eq(icao_prefix_country("EGJJ"), "JE");
	finish(&f);
}

/* A name may have rows of several countries, and they come in the order of the file. */
TEST(facts, rows_of_a_key_come_in_the_order_in_which_they_were_put)
{
	struct arena *a = arena_new();
	static const int rows[4];
	struct key_table t = { 0 };

	cr_expect_null(key_table_row(&t, "limburg", 0), "a table without slots");
	key_table_init(&t, a, 3);
	cr_expect_null(key_table_row(&t, "limburg", 0));
	key_table_put(&t, "limburg", &rows[2]);
	key_table_put(&t, "corsica", &rows[1]);
	key_table_put(&t, "limburg", &rows[0]);
	cr_expect_eq(key_table_row(&t, "limburg", 0), &rows[2]);
	cr_expect_eq(key_table_row(&t, "limburg", 1), &rows[0]);
	cr_expect_null(key_table_row(&t, "limburg", 2));
	cr_expect_eq(key_table_row(&t, "corsica", 0), &rows[1]);
	cr_expect_null(key_table_row(&t, "", 0));
	arena_free(a);
}
