/* Files of GeoNames: what is taken, what a fault says, and what the gazetteer makes of them. */
#include "airports/import.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "airports/place.h"
#include "base/buf.h"
#include "base/str.h"
#include "tests/unit/airports_fixture.h"
#include "tests/unit/test.h"

#define LINE(name, others, lat, lon, class, code, country, region, people)	\
	"1\t" name "\t" name "\t" others "\t" lat "\t" lon "\t" class "\t" code "\t" country "\t\t" region	\
	"\t\t\t\t" people "\t\t10\tEurope/Oslo\t2024-01-01\n"
#define VIK_IS LINE("Vík", "Vik,Vik i Myrdal,Vík í Mýrdal,ВИК", "63.4186", "-19.0059", "P", "PPL", "IS", "42", "750")
#define VIK_NO LINE("Vik", "Vikoyri", "61.0878", "6.5803", "P", "PPLA2", "NO", "46", "1100")

struct fix {
	struct airfix air;
	char *dir;
	struct arena *a;
	struct import_places o;
	struct err e;
};

static void setup(struct fix *f)
{
	*f = (struct fix){ .dir = test_mkdtemp(), .a = arena_new() };
	f->o.file = arena_printf(f->a, "%s/cities.txt", f->dir);
	f->o.out = arena_printf(f->a, "%s/places", f->dir);
}

static void finish(struct fix *f)
{
	test_rmdir(f->dir);
	arena_free(f->a);
}

static enum errcode import_text(struct fix *f, const char *text, size_t n)
{
	FILE *file = fopen(f->o.file, "we");

	cr_assert_not_null(file);
	cr_assert_eq(fwrite(text, 1, n, file), n);
	cr_assert_eq(fclose(file), 0);
	return import_places(&f->o, NULL, NULL, &f->e);
}

static struct place resolve(struct fix *f, const char *text)
{
	struct place p;
	bool found;

	TEST_OK(place_resolve(f->air.con, f->a, NULL, text, NULL, &p, &found, &f->e), f->e);
	if (!found)
		p.label = "";
	return p;
}

static void open_with(struct fix *f, const char *airports)
{
	struct airdb_config c = { .path = airports, .places_path = f->o.out, .connections = 1,
		.index_path = arena_printf(f->a, "%s/index", f->dir) };

	TEST_OK(airdb_index(&c, NULL, NULL, &f->e), f->e);
	TEST_OK(airdb_open(&f->air.db, &c, &f->e), f->e);
	TEST_OK(airdb_get(f->air.db, 30000, &f->air.con, &f->e), f->e);
}

/* An airport database of the fixture, without its own handle. */
static const char *airports_file(struct fix *f)
{
	const char *path = arena_printf(f->a, "%s/airports.db", f->dir);
	struct db *db;

	TEST_OK(db_open(&db, path, DB_CREATE, &f->e), f->e);
	TEST_OK(db_exec(db, fixture_sql, &f->e), f->e);
	db_close(db);
	return path;
}

TEST(places_import, the_gazetteer_knows_them)
{
	static const char text[] = "# a comment\n\n" VIK_IS VIK_NO
		LINE("Lyon", "Lugdunum,Lyons,LYS", "45.7485", "4.8467", "P", "PPLA", "FR", "84", "522969")
		LINE("Springfield", "", "39.8017", "-89.6437", "P", "PPLA", "US", "IL", "114394")
		LINE("Springfield", "", "42.1015", "-72.5898", "P", "PPLA2", "US", "MA", "155929")
		LINE("Mont Blanc", "Monte Bianco,Montblanc,Weisser Berg", "45.8326", "6.8652", "T", "MT", "FR", "84", "0")
		LINE("Lake Bled", "Bled,Blejsko jezero,Bleder See", "46.3636", "14.0947", "H", "LK", "SI", "03", "0")
		LINE("Nohill", "", "45", "6", "T", "MT", "FR", "84", "0")
		LINE("Oldtown", "", "45", "6", "P", "PPLH", "FR", "84", "10")
		LINE("Station", "", "45", "6", "S", "RSTN", "FR", "84", "0")
		LINE("Atsea", "", "0", "0", "P", "PPL", "", "", "5");
	struct fix f;
	struct place p;

	setup(&f);
	TEST_OK(import_text(&f, text, sizeof(text) - 1), f.e);
	cr_expect_eq(f.o.places, 7);
	cr_expect_eq(f.o.skipped, 4);
	cr_expect_eq(access(arena_printf(f.a, "%s.tmp", f.o.out), F_OK), -1);
	open_with(&f, airports_file(&f));
	p = resolve(&f, "Vik in Iceland");
	cr_expect_str_eq(p.label, "Vík, Iceland");
	cr_expect_str_eq(resolve(&f, "vik i myrdal").label, "Vík, Iceland");
	p = resolve(&f, "Vik");
	cr_expect_eq(p.nothers, 1);
	cr_expect(p.unsure, "both are villages");
	cr_expect_str_eq(resolve(&f, "Mont Blanc").label, "Mont Blanc");
	cr_expect_str_eq(resolve(&f, "bled").label, "Lake Bled, Slovenia");
	cr_expect_str_eq(resolve(&f, "Nohill").label, "");
	/* a state in the text tells towns of one name apart */
	p = resolve(&f, "Lyons");
	cr_expect_float_eq(p.lat, 45.7485, 1e-9, "the town, not the middle of its airports: %g", p.lat);
	cr_expect_eq(p.nothers, 0, "the airports' Lyon is the same place");
	cr_expect(place_known(f.air.con, "springfield"));
	cr_expect_not(place_known(f.air.con, "vik"), "a village is no word to look for in a sentence");
	airdb_put(f.air.con);
	airdb_close(f.air.db);
	finish(&f);
}

TEST(places_import, small_towns_can_be_left_out)
{
	struct fix f;

	setup(&f);
	f.o.least = 1000;
	TEST_OK(import_text(&f, VIK_IS VIK_NO, sizeof(VIK_IS VIK_NO) - 1), f.e);
	cr_expect_eq(f.o.places, 1);
	cr_expect_eq(f.o.skipped, 1);
	f.o.least = 1000000;
	cr_expect_eq(import_places(&f.o, NULL, NULL, &f.e), ERR_DATA);
	cr_expect_not_null(strstr(f.e.msg, "holds no place that can be used (2 lines were left out)"), "%s", f.e.msg);
	finish(&f);
}

static const struct {
	const char *text, *says;
} bad[] = {
	{ "", "cities.txt: holds no place" },
	{ "name,lat,lon\n", "cities.txt:1: has 1 columns; a line of GeoNames has 19" },
	{ VIK_NO "1\tVik\n", "cities.txt:2: has 2 columns" },
	{ LINE("", "", "1", "2", "P", "PPL", "NO", "", "5"), "cities.txt:1: the name (column 2) is missing" },
	{ LINE("a\xff", "", "1", "2", "P", "PPL", "NO", "", "5"), "cities.txt:1: the name (column 2) is not UTF-8" },
	{ LINE("a\x1b[2J", "", "1", "2", "P", "PPL", "NO", "", "5"), "has a control character" },
	{ VIK_NO LINE("a", "", "91", "2", "P", "PPL", "NO", "", "5"), "cities.txt:2: the latitude (column 5)" },
	{ LINE("a", "", "nan", "2", "P", "PPL", "NO", "", "5"), "the latitude" },
	{ LINE("a", "", "1", "-181", "P", "PPL", "NO", "", "5"), "the longitude (column 6)" },
	{ LINE("a", "", "1", "x", "P", "PPL", "NO", "", "5"), "the longitude" },
	{ LINE("a", "", "1", "2", "P", "PPL", "NO", "", "-5"), "the population (column 15)" },
	{ LINE("a", "", "1", "2", "P", "PPL", "NO", "", "many"), "the population" },
	{ "PK\3\4rest", "is a zip archive; unpack it first: unzip -p" },
	{ "\x1f\x8b\x08rest", "is gzipped; unpack it first: zcat" },
};

/* The old file stays, and nothing else is left. */
TEST(places_import, each_fault_is_told_with_its_line)
{
	char *big = malloc(70000);
	struct stat before, after;
	struct fix f;

	setup(&f);
	TEST_OK(import_text(&f, VIK_NO, sizeof(VIK_NO) - 1), f.e);
	cr_assert_eq(stat(f.o.out, &before), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_expect_eq(import_text(&f, bad[i].text, strlen(bad[i].text)), ERR_DATA, "%s", bad[i].text);
		cr_expect_not_null(strstr(f.e.msg, bad[i].says), "%s: %s", bad[i].says, f.e.msg);
	}
	memset(big, 'a', 70000);
	cr_expect_eq(import_text(&f, big, 70000), ERR_DATA);
	cr_expect_not_null(strstr(f.e.msg, "cities.txt:1: is longer than 65536 bytes"), "%s", f.e.msg);
	cr_expect_eq(import_text(&f, "1\0tVik\n", 7), ERR_DATA);
	cr_expect_not_null(strstr(f.e.msg, "cities.txt:1: "), "%s", f.e.msg);
	f.o.file = arena_printf(f.a, "%s/nothing", f.dir);
	cr_expect_eq(import_places(&f.o, NULL, NULL, &f.e), ERR_DATA);
	cr_expect_not_null(strstr(f.e.msg, "No such file"), "%s", f.e.msg);
	cr_assert_eq(stat(f.o.out, &after), 0);
	cr_expect_eq(before.st_ino, after.st_ino);
	cr_expect_eq(access(arena_printf(f.a, "%s.tmp", f.o.out), F_OK), -1);
	free(big);
	finish(&f);
}

/* A file of places that is damaged, or of another format, costs no answer. */
TEST(places_import, a_useless_file_is_left_out)
{
	static const char *const contents[] = { "", "no database at all", NULL };
	struct fix f;

	setup(&f);
	for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
		FILE *file = contents[i] != NULL ? fopen(f.o.out, "we") : NULL;
		const char *airports;
		struct db *db;

		if (file != NULL)
			cr_assert(fputs(contents[i], file) >= 0 && fclose(file) == 0);
		if (contents[i] == NULL) {
			unlink(f.o.out);
			TEST_OK(db_open(&db, f.o.out, DB_CREATE, &f.e), f.e);
			TEST_OK(db_exec(db, "CREATE TABLE meta(key, value); INSERT INTO meta VALUES('version', 99)",
			    &f.e), f.e);
			db_close(db);
		}
		airports = arena_printf(f.a, "%s/airports.db", f.dir);
		unlink(airports);
		airports_file(&f);
		open_with(&f, airports);
		cr_expect_str_eq(resolve(&f, "Lyon").label, "Lyon, France");
		airdb_put(f.air.con);
		airdb_close(f.air.db);
	}
	finish(&f);
}
