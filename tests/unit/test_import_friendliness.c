/* Friendliness out of an airport database: texts on hotels and restaurants, IFR, fees. */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "airports/import.h"
#include "base/replace_file.h"
#include "base/arena.h"
#include "base/str.h"
#include "drivers/db.h"
#include "test.h"

struct fix {
	char *dir, *src, *out;
	struct arena *mem;
	struct err e;
	int64_t n;
};

static const char schema[] =
	"CREATE TABLE aip_entries (id INTEGER PRIMARY KEY, airport_icao TEXT, std_field_id INTEGER, value TEXT);"
	"CREATE TABLE procedures (airport_icao TEXT, procedure_type TEXT, approach_type TEXT);"
	"CREATE TABLE landing_fees (airport_icao TEXT, amount REAL, currency TEXT, source TEXT);";

static void setup(struct fix *f)
{
	struct db *db;

	memset(f, 0, sizeof(*f));
	f->dir = test_mkdtemp();
	f->mem = arena_new();
	f->src = arena_printf(f->mem, "%s/airports.db", f->dir);
	f->out = arena_printf(f->mem, "%s/ga.db", f->dir);
	TEST_OK(db_open(&db, f->src, DB_CREATE, &f->e), f->e);
	TEST_OK(db_exec(db, schema, &f->e), f->e);
	db_close(db);
}

static void finish(struct fix *f)
{
	arena_free(f->mem);
	test_rmdir(f->dir);
}

static void run(struct fix *f, const char *path, const char *sql)
{
	struct db *db;

	TEST_OK(db_open(&db, path, DB_WRITE, &f->e), f->e);
	TEST_OK(db_exec(db, sql, &f->e), f->e);
	db_close(db);
}

static const char *query(struct fix *f, const char *sql)
{
	struct db *db;
	struct db_stmt *s;
	char *text = NULL;

	TEST_OK(db_open(&db, f->out, DB_READ, &f->e), f->e);
	s = db_prepare(db, sql, &f->e);
	if (db_step(s, &f->e) == DB_ROW)
		text = arena_strdup(f->mem, db_text(s, 0));
	db_done(s);
	db_close(db);
	return text != NULL ? text : "(null)";
}

/* The values of the original, except the last rows, which it has wrong. */
static const struct {
	const char *text, *is;
} amenities[] = {
	{ "Yes", "2" }, { "yes, 5 km", "2" }, { "At AD and in vicinity", "2" }, { "terminal building", "2" },
	{ "Oui", "2" }, { "Sí", "2" }, { "In terminals", "2" }, { "on  the\nsite", "2" },
	{ "In the vicinity", "1" }, { "3 km fm AD", "1" }, { "within 5 km", "1" }, { "3km from the airport", "1" },
	{ "NIL", "0" }, { "No.", "0" }, { "-", "0" }, { "in town", "-1" }, { "5NM", "-1" }, { "none", "-1" },
	{ "AD", "-1" }, { "", "-1" }, { "Not known here", "0" }, { "Northern side", "-1" },
	{ "Nil at AD", "0" }, { "Not at airport", "0" }, { "No hotel at the airport", "0" },
};

TEST(import_friendliness, hotels)
{
	struct fix f;
	struct db *db;

	setup(&f);
	TEST_OK(db_open(&db, f.src, DB_WRITE, &f.e), f.e);
	for (size_t i = 0; i < sizeof(amenities) / sizeof(amenities[0]); i++)
		TEST_OK(db_put(db, "INSERT INTO aip_entries VALUES(NULL,printf('A%03d', ?1),501,?2)", &f.e,
		    DB_INT((int64_t)i), DB_TEXT(amenities[i].text)), f.e);
	db_close(db);
	TEST_OK(import_friendliness(f.src, f.out, &f.n, &f.e), f.e);
	cr_expect_eq((size_t)f.n, sizeof(amenities) / sizeof(amenities[0]));
	for (size_t i = 0; i < sizeof(amenities) / sizeof(amenities[0]); i++) {
		const char *got = query(&f, arena_printf(f.mem, "SELECT aip_hotel_info FROM ga_airfield_stats "
		    "WHERE icao = 'A%03zu'", i));
		cr_expect_str_eq(got, amenities[i].is, "%s: %s", amenities[i].text, got);
	}
	finish(&f);
}

/* Field 207, the best approach; level and score. */
static const struct {
	const char *traffic, *approaches[3], *want;
} ifr[] = {
	{ "VFR", { NULL }, "0 0.1" }, { "IFR/VFR", { NULL }, "1 0.4" }, { "IFR", { "NDB" }, "2 0.6" },
	{ "IFR", { "NDB", "RNP" }, "3 0.8" }, { "IFR", { "RNAV", "ILS" }, "4 1.0" },
	{ "VFR", { "ILS" }, "0 0.1" }, { NULL, { "ILS" }, "4 1.0" },
	{ NULL, { NULL }, "(null)" },             /* nothing is recorded: no score */
	{ "VFR, NO IFR", { NULL }, "0 0.1" },       /* the original takes it for IFR */
};

TEST(import_friendliness, ifr)
{
	struct fix f;
	struct db *db;

	setup(&f);
	TEST_OK(db_open(&db, f.src, DB_WRITE, &f.e), f.e);
	for (size_t i = 0; i < sizeof(ifr) / sizeof(ifr[0]); i++) {
		const char *ident = arena_printf(f.mem, "A%03zu", i);

		TEST_OK(db_put(db, "INSERT INTO aip_entries VALUES(NULL,?1,?2,?3)", &f.e, DB_TEXT(ident),
		    DB_INT(ifr[i].traffic != NULL ? 207 : 999), DB_TEXT(ifr[i].traffic)), f.e);
		for (const char *const *a = ifr[i].approaches; *a != NULL; a++)
			TEST_OK(db_put(db, "INSERT INTO procedures VALUES(?1,'approach',?2)", &f.e,
			    DB_TEXT(ident), DB_TEXT(*a)), f.e);
	}
	db_close(db);
	TEST_OK(import_friendliness(f.src, f.out, &f.n, &f.e), f.e);
	for (size_t i = 0; i < sizeof(ifr) / sizeof(ifr[0]); i++) {
		const char *got = query(&f, arena_printf(f.mem, "SELECT cast(aip_ifr_available AS INTEGER) || ' ' || "
		    "aip_ops_ifr_score FROM ga_airfield_stats WHERE icao = 'A%03zu'", i));
		cr_expect_str_eq(got, ifr[i].want, "row %zu: %s", i, got);
	}
	finish(&f);
}

TEST(import_friendliness, fees_and_what_was_there)
{
	struct fix f;

	setup(&f);
	run(&f, f.src, "INSERT INTO aip_entries VALUES(NULL,'AAAA',501,'Yes');"
	    "INSERT INTO aip_entries VALUES(NULL,'AAAA',502,'nearby');"
	    "INSERT INTO aip_entries VALUES(NULL,'BBBB',502,'nil');"
	    "INSERT INTO landing_fees VALUES('AAAA',12.5,'EUR','sample of 2026-11-22');");
	TEST_OK(import_friendliness(f.src, f.out, &f.n, &f.e), f.e);
	cr_expect_str_eq(query(&f, "SELECT fee_band_750_1199kg || fee_currency || fee_last_updated_utc || ' ' || "
	    "round(aip_hospitality_score, 4) FROM ga_airfield_stats WHERE icao = 'AAAA'"), "12.5EUR2026-11-22 0.76");
	/* reviews and the fees of an airfield with reviews are kept */
	run(&f, f.out, "UPDATE ga_airfield_stats SET rating_count = 3, rating_avg = 4.5, "
	    "fee_band_750_1199kg = 20 WHERE icao = 'AAAA'; INSERT INTO ga_airfield_stats(icao) VALUES('CCCC')");
	run(&f, f.src, "UPDATE aip_entries SET value = 'nil' WHERE airport_icao = 'AAAA'");
	TEST_OK(import_friendliness(f.src, f.out, &f.n, &f.e), f.e);
	cr_expect_str_eq(query(&f, "SELECT rating_avg || ' ' || fee_band_750_1199kg || ' ' || aip_hotel_info "
	    "FROM ga_airfield_stats WHERE icao = 'AAAA'"), "4.5 20.0 0");
	cr_expect_str_eq(query(&f, "SELECT group_concat(icao) FROM (SELECT icao FROM ga_airfield_stats ORDER BY icao)"),
	    "AAAA,BBBB,CCCC");
	cr_expect_str_eq(query(&f, "SELECT value FROM ga_meta_info WHERE key = 'schema_version'"), "2.0");
	finish(&f);
}

TEST(import_friendliness, what_cannot_be_read)
{
	struct fix f;

	setup(&f);
	cr_expect_eq(import_friendliness("/nowhere/airports.db", f.out, &f.n, &f.e), ERR_DATA);
	run(&f, f.src, "DROP TABLE aip_entries");
	cr_expect_eq(import_friendliness(f.src, f.out, &f.n, &f.e), ERR_DATA);
	cr_expect_not_null(strstr(f.e.msg, "no euro_aip database"), "%s", f.e.msg);
	cr_expect_eq(access(f.out, F_OK), -1);
	cr_expect_eq(access(arena_printf(f.mem, "%s.tmp", f.out), F_OK), -1);
	finish(&f);
}

TEST(import_friendliness, two_imports_at_once_do_not_share_a_file)
{
	struct fix f;
	int fd;

	setup(&f);
	const char *tmp = arena_printf(f.mem, "%s.tmp", f.out);
	TEST_OK(replace_begin(tmp, &fd, &f.e), f.e);
	cr_expect_eq(import_friendliness(f.src, f.out, &f.n, &f.e), ERR_IO);
	cr_expect_not_null(strstr(f.e.msg, "another process"), "%s", f.e.msg);
	cr_expect_eq(access(tmp, F_OK), 0, "the other's file is left alone");
	close(fd);
	TEST_OK(import_friendliness(f.src, f.out, &f.n, &f.e), f.e);
	finish(&f);
}

/* The AIP columns of the real database, worked out by others from the same texts. They differ where no
 * text on traffic is recorded: that is not "no IFR" here. */
TEST(import_friendliness, real_set)
{
	struct fix f;
	const char *theirs, *airports;
	struct db *db;

	if (test_data("euro_aip/ga_persona.db") == NULL)
		cr_skip_test("skipped: the real databases are not there");
	setup(&f);
	theirs = arena_strdup(f.mem, test_data("euro_aip/ga_persona.db"));
	airports = arena_strdup(f.mem, test_data("euro_aip/airports.db"));
	TEST_OK(import_friendliness(airports, f.out, &f.n, &f.e), f.e);
	cr_expect_eq(f.n, 55);
	TEST_OK(db_open(&db, f.out, DB_READ, &f.e), f.e);
	TEST_OK(db_attach(db, theirs, "theirs", &f.e), f.e);
	TEST_OK(db_attach(db, airports, "src", &f.e), f.e);
	cr_expect_eq(db_int(db, "SELECT count(*) FROM ga_airfield_stats a JOIN theirs.ga_airfield_stats b "
	    "USING(icao)", -1), 55);
	cr_expect_eq(db_int(db, "SELECT count(*) FROM ga_airfield_stats a JOIN theirs.ga_airfield_stats b "
	    "USING(icao) WHERE a.aip_hotel_info IS NOT b.aip_hotel_info OR a.aip_restaurant_info IS NOT "
	    "b.aip_restaurant_info OR abs(coalesce(a.aip_hospitality_score, -1) - "
	    "coalesce(b.aip_hospitality_score, -1)) > 1e-9", -1), 0);
	cr_expect_eq(db_int(db, "SELECT count(*) FROM ga_airfield_stats a JOIN theirs.ga_airfield_stats b "
	    "USING(icao) WHERE icao IN (SELECT airport_icao FROM src.aip_entries WHERE std_field_id = 207) AND "
	    "(a.aip_ifr_available IS NOT b.aip_ifr_available OR abs(a.aip_ops_ifr_score - b.aip_ops_ifr_score) "
	    "> 1e-9)", -1), 0);
	cr_expect_gt(db_int(db, "SELECT count(*) FROM ga_airfield_stats WHERE aip_ifr_available > 0", -1), 20);
	db_close(db);
	finish(&f);
}
