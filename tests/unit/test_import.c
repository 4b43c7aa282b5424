/* OurAirports files to a database: the columns, the order, the refusals, and the whole real set. */
#include "airports/import.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sys/stat.h>
#include <unistd.h>

#include "airports/airindex_load.h"
#include "base/str.h"
#include "drivers/db.h"
#include "tests/unit/test.h"

struct fix {
	char *dir, *out;
	struct arena *mem;
	struct import_options o;
	struct import_stats stats;
	struct err e;
};

static void put_file(struct fix *f, const char *name, const char *text)
{
	FILE *file = fopen(arena_printf(f->mem, "%s/%s", f->dir, name), "w");

	cr_assert_not_null(file);
	fputs(text, file);
	fclose(file);
}

/* An export of 2025 and later. */
static const char airports_csv[] =
	"\"id\",\"ident\",\"type\",\"name\",\"latitude_deg\",\"longitude_deg\",\"elevation_ft\",\"continent\","
	"\"iso_country\",\"iso_region\",\"municipality\",\"scheduled_service\",\"icao_code\",\"iata_code\","
	"\"gps_code\",\"local_code\",\"home_link\",\"wikipedia_link\",\"keywords\"\n"
	"1,\"ZZZZ\",\"small_airport\",\"Last \"\"first\"\"\",1.5,2.5,,\"NA\",\"US\",\"US-TX\",\"Town, County\",\"no\",,,"
	"\"ZGPS\",\"LOC\",,,\"a, b\"\n"
	"2,\"HELI\",\"heliport\",\"Pad\",1,2,3,\"EU\",\"FR\",\"FR-IDF\",,\"no\",,,,,,,\n"
	"3,\"OLDD\",\"closed\",\"Gone\",1,2,3,\"EU\",\"FR\",\"FR-IDF\",,\"no\",,,,,,,\n"
	"4,\"AAAA\",\"large_airport\",\"Große Ebene\",-48.25,170,1000,\"OC\",\"NZ\",\"NZ-OTA\",\"Ä\",\"yes\",\"ICAO\",\"IAT\",,,,,\n";
static const char runways_csv[] =
	"\"id\",\"airport_ref\",\"airport_ident\",\"length_ft\",\"width_ft\",\"surface\",\"lighted\",\"closed\",\"le_ident\","
	"\"le_latitude_deg\",\"le_longitude_deg\",\"le_elevation_ft\",\"le_heading_degT\",\"le_displaced_threshold_ft\","
	"\"he_ident\",\"he_latitude_deg\",\"he_longitude_deg\",\"he_elevation_ft\",\"he_heading_degT\",\"he_displaced_threshold_ft\"\n"
	"10,4,\"AAAA\",5000,100,\"ASP\",1,0,\"09\",-48.25,170,1000,90.5,10,\"27\",-48.25,170.1,1001,270.5,\n"
	"11,2,\"HELI\",50,50,\"CON\",1,0,\"H1\",,,,,,,,,,,\n"
	"12,9,\"NONE\",50,50,\"CON\",1,0,\"H1\",,,,,,,,,,,\n";

static void setup(struct fix *f)
{
	memset(f, 0, sizeof(*f));
	f->dir = test_mkdtemp();
	f->mem = arena_new();
	f->out = arena_printf(f->mem, "%s/out.db", f->dir);
	f->o = (struct import_options){ .dir = f->dir, .out = f->out };
	put_file(f, "airports.csv", airports_csv);
	put_file(f, "runways.csv", runways_csv);
}

static void finish(struct fix *f)
{
	arena_free(f->mem);
	test_rmdir(f->dir);
}

static const char *query(struct fix *f, const char *sql)
{
	struct db_stmt *s;
	struct db *db;
	char *text = NULL;

	TEST_OK(db_open(&db, f->out, DB_READ, &f->e), f->e);
	s = db_prepare(db, sql, &f->e);
	cr_assert_not_null(s, "%s", f->e.msg);
	if (db_step(s, &f->e) == DB_ROW)
		text = arena_strdup(f->mem, db_text(s, 0));
	db_close(db);
	return text != NULL ? text : "(null)";
}

static const struct expected {
	const char *sql, *text;
} new_export[] = {
	{ "SELECT group_concat(icao_code, ' ') FROM (SELECT * FROM airports ORDER BY rowid)", "ZZZZ AAAA" },
	{ "SELECT name FROM airports WHERE icao_code = 'ZZZZ'", "Last \"first\"" },
	{ "SELECT municipality || '|' || keywords || '|' || local_code || '|' || gps_code FROM airports "
	  "WHERE icao_code = 'ZZZZ'", "Town, County|a, b|LOC|ZGPS" },
	{ "SELECT elevation_ft IS NULL AND iata_code IS NULL FROM airports WHERE icao_code = 'ZZZZ'", "1" },
	{ "SELECT gps_code || iata_code || name FROM airports WHERE icao_code = 'AAAA'", "ICAOIATGroße Ebene" },
	{ "SELECT typeof(latitude_deg) || latitude_deg FROM airports WHERE icao_code = 'AAAA'", "real-48.25" },
	{ "SELECT continent || iso_country || iso_region || scheduled_service || sources FROM airports "
	  "WHERE icao_code = 'AAAA'", "OCNZNZ-OTAyesworldairports" },
	{ "SELECT airport_icao || le_ident || he_ident || length_ft || surface || lighted || closed || "
	  "le_heading_degT || he_elevation_ft FROM runways", "AAAA09275000.0ASP1090.51001.0" },
	{ "SELECT count(*) FROM runways", "1" },
	{ "SELECT value FROM model_metadata WHERE key = 'schema_version'", "1" },
	{ "SELECT instr(value, 'OurAirports') > 0 FROM model_metadata WHERE key = 'provenance'", "1" },
	{ "SELECT json_extract(value, '$.total_airports') FROM model_metadata WHERE key = 'statistics'", "2" },
	{ "SELECT record_count FROM sources WHERE name = 'worldairports'", "2" },
	{ "SELECT length(created_at) = 19 AND created_at = updated_at FROM airports LIMIT 1", "1" },
	{ "SELECT count(*) FROM sqlite_schema WHERE name IN ('countries', 'regions')", "0" },
	{ "PRAGMA integrity_check", "ok" },
};

TEST(import, writes_what_the_files_say)
{
	struct stat st;
	struct fix f;

	setup(&f);
	TEST_OK(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), f.e);
	cr_expect_eq(f.stats.airports, 2);
	cr_expect_eq(f.stats.runways, 1);
	cr_expect_eq(f.stats.skipped, 2);
	cr_expect_eq(f.stats.navaids + f.stats.countries + f.stats.regions, 0);
	for (size_t i = 0; i < sizeof(new_export) / sizeof(new_export[0]); i++)
		cr_expect_str_eq(query(&f, new_export[i].sql), new_export[i].text, "%s: %s", new_export[i].sql,
		    query(&f, new_export[i].sql));
	cr_assert_eq(stat(f.out, &st), 0);
	cr_expect_eq(st.st_mode & 0007, 0);
	cr_expect_eq(access(arena_printf(f.mem, "%s.tmp", f.out), F_OK), -1);
	finish(&f);
}

TEST(import, optional_files)
{
	struct fix f;

	setup(&f);
	put_file(&f, "navaids.csv", "ident,name,type,latitude_deg,longitude_deg,iso_country,"
	    "magnetic_variation_deg,associated_airport\n"
	    "A,One,VOR-DME,1,2,FR,-1.25,AAAA\nA,Two,NDB,3,4,FR,,\nA,Three,NDB,5,6,DE,200,\n");
	put_file(&f, "airport-frequencies.csv", "id,airport_ref,airport_ident,type,description,"
	    "frequency_mhz\n1,4,AAAA,TWR,\"The, Tower\",118.45\n2,9,NONE,TWR,x,120\n");
	put_file(&f, "countries.csv", "id,code,name,continent,wikipedia_link,keywords\n1,FR,France,EU,,\n");
	put_file(&f, "regions.csv", "id,code,local_code,name,continent,iso_country,wikipedia_link,keywords\n"
	    "1,US-TX,TX,Texas,NA,US,,\n");
	TEST_OK(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), f.e);
	cr_expect_eq(f.stats.navaids, 2);
	cr_expect_eq(f.stats.variations, 1);
	cr_expect_eq(f.stats.frequencies, 1);
	cr_expect_str_eq(query(&f, "SELECT airport_icao || type || description || frequency_mhz FROM "
	    "frequencies"), "AAAATWRThe, Tower118.45");
	cr_expect_str_eq(query(&f, "SELECT ident || type || magnetic_variation_deg || associated_airport "
	    "FROM navaids"), "AVOR-DME-1.25AAAA");
	cr_expect_eq(f.stats.countries, 1);
	cr_expect_eq(f.stats.regions, 1);
	cr_expect_str_eq(query(&f, "SELECT group_concat(name || point_type || latitude_deg || source_id, ' ') FROM waypoints"),
	    "AVORDME1.0ourairports:FR ANDB5.0ourairports:DE");
	cr_expect_str_eq(query(&f, "SELECT name FROM regions WHERE code = 'US-TX'"), "Texas");
	cr_expect_str_eq(query(&f, "SELECT name FROM countries"), "France");
	finish(&f);
}

#define FACTS_HEAD "ident,fuel,customs,entry,hotel,restaurant,landing_fee,currency,as_of\n"

static const char facts_csv[] =
	FACTS_HEAD
	"AAAA,AVGAS 100LL,PN 24 HR,1,,At AD,12.5,NZD,2026-11-22\n"
	"ZZZZ,,,,In the vicinity,,,,2026-11-22\n"
	"NONE,AVGAS 100LL,,,,,,,2026-11-22\n";

/* in the text, which pilots read, and as the source */
#define SAMPLE " (sample of 2026-11-22)sample of 2026-11-22"

static const struct expected facts_laid[] = {
	{ "SELECT group_concat(airport_icao || std_field_id || value || source, '; ') FROM "
	  "(SELECT * FROM aip_entries ORDER BY std_field_id)",
	  "AAAA302PN 24 HR" SAMPLE "; AAAA402AVGAS 100LL" SAMPLE "; ZZZZ501In the vicinity" SAMPLE
	  "; AAAA502At AD" SAMPLE },
	{ "SELECT group_concat(icao_code || country_iso || airport_name || source) FROM border_crossing_points",
	  "AAAANZGroße Ebenesample of 2026-11-22" },
	{ "SELECT group_concat(airport_icao || amount || currency || source) FROM landing_fees",
	  "AAAA12.5NZDsample of 2026-11-22" },
	{ "SELECT instr(value, 'a sample') > 0 FROM model_metadata WHERE key = 'provenance'", "1" },
};

/* Facts lie in the folder of the airports, or in one of their own. */
TEST(import, facts_are_laid_over)
{
	struct fix f;

	setup(&f);
	put_file(&f, "facts.csv", facts_csv);
	for (int own = 0; own < 2; own++) {
		if (own) {
			char *dir = arena_printf(f.mem, "%s/facts", f.dir);

			cr_assert_eq(mkdir(dir, 0700), 0);
			cr_assert_eq(rename(arena_printf(f.mem, "%s/facts.csv", f.dir),
			    arena_printf(f.mem, "%s/facts.csv", dir)), 0);
			f.o.facts = dir;
		}
		TEST_OK(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), f.e);
		cr_expect_eq(f.stats.facts, 6);
		for (size_t i = 0; i < sizeof(facts_laid) / sizeof(facts_laid[0]); i++)
			cr_expect_str_eq(query(&f, facts_laid[i].sql), facts_laid[i].text, "%s: %s",
			    facts_laid[i].sql, query(&f, facts_laid[i].sql));
	}
	finish(&f);
}

/* Before 2025: no icao_code, gps_code first, and not all columns. */
TEST(import, old_column_order)
{
	struct fix f;

	setup(&f);
	put_file(&f, "airports.csv", "id,ident,type,name,latitude_deg,longitude_deg,elevation_ft,continent,iso_country,"
	    "iso_region,municipality,scheduled_service,gps_code,iata_code,local_code\r\n"
	    "1,AAAA,small_airport,Old,1,2,3,EU,FR,FR-IDF,Town,no,GPSA,IAT,LOC\r\n");
	TEST_OK(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), f.e);
	cr_expect_str_eq(query(&f, "SELECT gps_code || iata_code || local_code || scheduled_service FROM airports"),
	    "GPSAIATLOCno");
	finish(&f);
}

static const struct types {
	const char *list;
	enum errcode code;
	int64_t airports;
} type_rows[] = {
	{ NULL, OK, 2 }, { "heliport", OK, 1 }, { "heliport, large_airport", OK, 2 },
	{ "small_airport,small_airport,", OK, 1 }, { "medium_airport", ERR_DATA, 0 }, { "closed", ERR_INPUT, 0 },
	{ "small_airport,closed", ERR_INPUT, 0 }, { "other", ERR_INPUT, 0 }, { "aerodrome", ERR_INPUT, 0 },
	{ "", ERR_INPUT, 0 }, { " , ", ERR_INPUT, 0 },
};

TEST(import, types)
{
	for (size_t i = 0; i < sizeof(type_rows) / sizeof(type_rows[0]); i++) {
		struct fix f;

		setup(&f);
		f.o.types = type_rows[i].list;
		cr_expect_eq(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), type_rows[i].code, "%s: %s",
		    type_rows[i].list, f.e.msg);
		cr_expect_eq(f.stats.airports, type_rows[i].airports, "%s", type_rows[i].list);
		cr_expect_eq(access(f.out, F_OK) == 0, type_rows[i].code == OK);
		finish(&f);
	}
}

static const struct wrong {
	const char *file, *text;      /* text NULL: removed */
	const char *says;
} wrong[] = {
	{ "airports.csv", NULL, "holds neither airports.csv nor airports.csv.gz" },
	{ "runways.csv", NULL, "holds neither runways.csv" },
	{ "airports.csv", "", "airports.csv:1: is empty" },
	{ "airports.csv", "id,ident\n1,AAAA\n", "airports.csv: has no column name" },
	{ "runways.csv", "id,airport_ident,length_ft,width_ft,lighted,closed,le_ident,he_ident\n", "no column surface" },
	{ "airports.csv", "ident,type,name,latitude_deg,longitude_deg,elevation_ft,iso_country,iso_region,municipality,gps_code,iata_code\n"
	    "AAAA,small_airport,x,1,2,3,FR,FR-A,,,\nAAAB,small_airport,x,north,2,3,FR,FR-A,,,\n",
	    "airports.csv:3: latitude_deg is north" },
	{ "airports.csv", "ident,type,name,latitude_deg,longitude_deg,elevation_ft,iso_country,iso_region,municipality,gps_code,iata_code\n"
	    "AAAA,small_airport,x,91,2,3,FR,FR-A,,,\n", "airports.csv:2: AAAA lies at 91, 2" },
	{ "airports.csv", "ident,type,name,latitude_deg,longitude_deg,elevation_ft,iso_country,iso_region,municipality,gps_code,iata_code\n"
	    ",small_airport,x,1,2,3,FR,FR-A,,,\n", "airports.csv:2: an airport without ident" },
	{ "airports.csv", "ident,type,name,latitude_deg,longitude_deg,elevation_ft,iso_country,iso_region,municipality,gps_code,iata_code\n"
	    "AAAA,small_airport,x,1,2,3,FR,FR-A,,,\nAAAA,small_airport,y,1,2,3,FR,FR-A,,,\n",
	    "airports.csv:3: can't be stored (is AAAA there twice?)" },
	{ "airports.csv", "ident,type\n\"AAAA", "airports.csv: has no column" },
	{ "facts.csv", "ident,fuel\nAAAA,AVGAS\n", "facts.csv: has no column as_of" },
	{ "facts.csv", FACTS_HEAD ",AVGAS,,,,,,,\n", "facts.csv:2: a fact on an airport without ident" },
	{ "facts.csv", FACTS_HEAD "AAAA,AVGAS,,,,,,,\n", "facts.csv:2: as_of must say when" },
	{ "facts.csv", FACTS_HEAD "AAAA,,,maybe,,,,,1999-01-01\n", "facts.csv:2: entry must be 1" },
	{ "facts.csv", FACTS_HEAD "AAAA,,,,,,-1,EUR,1999-01-01\n", "facts.csv:2: a landing fee is 0 or more" },
	{ "facts.csv", FACTS_HEAD "AAAA,,,,,,5,,1999-01-01\n", "facts.csv:2: a landing fee is 0 or more" },
	{ "facts.csv", FACTS_HEAD "AAAA,,,,,,much,EUR,1999-01-01\n", "facts.csv:2: landing_fee is much" },
	{ "facts.csv", FACTS_HEAD "AAAA,A,,,,,,,1999-01-01\nAAAA,B,,,,,,,1999-01-01\n", "facts.csv:3: can't be stored (is AAAA there twice?)" },
};

TEST(import, refuses_and_leaves_nothing)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct fix f;

		setup(&f);
		if (wrong[i].text != NULL)
			put_file(&f, wrong[i].file, wrong[i].text);
		else
			cr_assert_eq(unlink(arena_printf(f.mem, "%s/%s", f.dir, wrong[i].file)), 0);
		cr_expect_eq(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), ERR_DATA, "row %zu", i);
		cr_expect_not_null(strstr(f.e.msg, wrong[i].says), "row %zu: %s", i, f.e.msg);
		cr_expect_eq(access(f.out, F_OK), -1, "row %zu", i);
		cr_expect_eq(access(arena_printf(f.mem, "%s.tmp", f.out), F_OK), -1, "row %zu", i);
		finish(&f);
	}
}

/* A failed import leaves the database of the last good one. */
TEST(import, keeps_the_old_one)
{
	struct fix f;

	setup(&f);
	TEST_OK(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), f.e);
	put_file(&f, "runways.csv", "id\n");
	cr_expect_eq(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), ERR_DATA);
	cr_expect_str_eq(query(&f, "SELECT count(*) FROM airports"), "2");
	finish(&f);
}

TEST(import, leaves_the_file_to_who_serves_it)
{
	enum { SOMEBODY = 12345 };
	struct stat st;
	struct fix f;

	if (geteuid() != 0) {
		test_skip("only root can give files away");
		return;
	}
	setup(&f);
	cr_assert_eq(chown(f.dir, SOMEBODY, SOMEBODY), 0);
	TEST_OK(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), f.e);
	cr_assert_eq(stat(f.out, &st), 0);
	cr_expect_eq(st.st_uid, SOMEBODY, "the folder's owner");
	cr_assert_eq(chown(f.out, SOMEBODY + 1, SOMEBODY + 2), 0);
	cr_assert_eq(chmod(f.out, 0644), 0);
	TEST_OK(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), f.e);
	cr_assert_eq(stat(f.out, &st), 0);
	cr_expect_eq(st.st_uid, SOMEBODY + 1, "the old file's owner");
	cr_expect_eq(st.st_gid, SOMEBODY + 2);
	cr_expect_eq(st.st_mode & 0777, 0644);
	finish(&f);
}

TEST(import, folders_that_do_not_work)
{
	struct fix f;

	setup(&f);
	f.o.dir = "/nonexistent/folder";
	cr_expect_eq(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), ERR_DATA);
	cr_expect_not_null(strstr(f.e.msg, "/nonexistent/folder: no such folder"), "%s", f.e.msg);
	f.o.dir = f.dir;
	f.o.out = "/nonexistent/folder/out.db";
	cr_expect_eq(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), ERR_IO);
	cr_expect_not_null(strstr(f.e.msg, "/nonexistent/folder/out.db.tmp: can't be created"), "%s", f.e.msg);
	/* the target is a folder */
	f.o.out = arena_printf(f.mem, "%s/sub", f.dir);
	cr_assert_eq(mkdir(f.o.out, 0755), 0);
	cr_expect_eq(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), ERR_IO);
	cr_expect_eq(access(arena_printf(f.mem, "%s.tmp", f.o.out), F_OK), -1);
	finish(&f);
}

TEST(import, full_disk)
{
	struct rlimit old, small;
	struct fix f;

	setup(&f);
	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 30000;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	cr_expect_eq(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), ERR_IO, "%s", f.e.msg);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
	cr_expect_not_null(strstr(f.e.msg, "out.db.tmp"), "%s", f.e.msg);
	cr_expect_eq(access(f.out, F_OK), -1);
	cr_expect_eq(access(arena_printf(f.mem, "%s.tmp", f.out), F_OK), -1);
	finish(&f);
}

TEST(import, one_at_a_time_and_after_a_kill)
{
	struct fix f;
	char *tmp;
	int fd;

	setup(&f);
	tmp = arena_printf(f.mem, "%s.tmp", f.out);
	fd = open(tmp, O_CREAT | O_RDWR | O_CLOEXEC, 0640);
	cr_assert_eq(write(fd, "left over", 9), 9);
	cr_assert_eq(flock(fd, LOCK_EX), 0);
	cr_expect_eq(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), ERR_IO);
	cr_expect_not_null(strstr(f.e.msg, "another process"), "%s", f.e.msg);
	cr_expect_eq(access(tmp, F_OK), 0, "what belongs to the other one stays");
	close(fd);
	TEST_OK(import_ourairports(&f.o, NULL, NULL, &f.stats, &f.e), f.e);
	cr_expect_eq(access(tmp, F_OK), -1);
	finish(&f);
}

struct progress {
	int64_t last;
	int calls;
};

static void watch(void *arg, const char *what, int64_t done, int64_t total)
{
	struct progress *p = arg;

	cr_expect_not_null(what);
	cr_expect_leq(done, total);
	p->last = done;
	p->calls++;
}

TEST(import, real_set, .timeout = 180)
{
	const char *file = test_data("ourairports/airports.csv.gz");
	struct progress p = { 0, 0 };
	struct fix f;
	struct db *db;

	if (file == NULL) {
		test_skip("no data");
		return;
	}
	setup(&f);
	f.o.dir = arena_printf(f.mem, "%.*s", (int)(strrchr(file, '/') - file), file);
	TEST_OK(import_ourairports(&f.o, watch, &p, &f.stats, &f.e), f.e);
	cr_expect_eq(f.stats.airports, 49252);
	cr_expect_eq(f.stats.runways + f.stats.frequencies + f.stats.skipped, 48144 + 30322);
	cr_expect_eq(f.stats.countries, 249);
	cr_expect_eq(f.stats.regions, 3984);
	cr_expect_gt(f.stats.navaids, 9000);
	cr_expect_gt(p.calls, 50);
	cr_expect_str_eq(query(&f, "SELECT name FROM airports WHERE icao_code = 'EGTF'"), "Fairoaks Airport");
	cr_expect_str_eq(query(&f, "SELECT count(*) FROM airports WHERE type IN ('closed', 'heliport')"), "0");
	cr_expect_str_eq(query(&f, "SELECT icao_code FROM airports ORDER BY rowid LIMIT 1"), "00AA");
	TEST_OK(db_open(&db, f.out, DB_READ, &f.e), f.e);
	TEST_OK(airindex_load_check(db, f.out, &f.e), f.e);
	db_close(db);
	finish(&f);
}
