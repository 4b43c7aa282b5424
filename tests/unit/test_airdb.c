/* The airport database: derived values, look-ups, visitors, and the life of the sidecar index. */
#include "airports/airdb.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "airports/aircon.h"
#include "airports/airindex_build.h"
#include "airports/airindex.h"
#include "airports/csv.h"
#include "airports/geo.h"
#include "airports/euro_aip_schema.h"
#include "airports/row_list.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "tests/unit/test.h"

static const char rows_sql[] =
	"INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg, elevation_ft, iso_country,"
	"  iso_region, municipality, scheduled_service, gps_code, iata_code) VALUES"
	" ('AAAA', 'Alpha Åirport', 'large_airport', 50, 10, 300, 'DE', 'DE-BY', 'Ångstadt', 'yes', 'AAAA', 'ALP'),"
	" ('nan',  'no ident', 'small_airport', 50, 10, 0, 'DE', NULL, NULL, 'no', NULL, NULL),"
	" ('BBBB', 'Bravo', 'closed', 50.1, 10.1, 0, 'DE', NULL, NULL, 'no', NULL, 'BRA'),"
	" ('CC01', 'nan', 'small_airport', 50.2, 10.2, 'nan', 'DE', '', 'NaN', 'no', 'GPSC', 'ALP'),"
	" ('DDDD', 'Delta', 'heliport', 50.3, 10.3, NULL, 'DE', NULL, NULL, 'no', NULL, ''),"
	" ('VERY-LONG-IDENT-1', 'Echo', 'small_airport', 50.4, 10.4, 1, 'DEU', NULL, NULL, 'no', NULL, NULL),"
	" ('FFFF', 'Foxtrot', 'medium_airport', 'nan', 'nan', 1, 'FR', NULL, NULL, 'no', NULL, NULL),"
	" ('GGGG', 'Golf', 'small_airport', 123, 10, 1, 'FR', NULL, NULL, 'no', NULL, NULL),"
	" ('HHHH', 'Hotel \"quoted\" 100%', 'seaplane_base', -17, 179.9, 1, 'FJ', NULL, 'Ab', 'no', NULL, 'gol'),"
	" ('IIII', 'India', 'spaceport', -17, -179.9, 1, 'FJ', NULL, NULL, 'no', NULL, NULL);"
	/* the second row of 09/27 knows more, and does not unlearn the length */
	"INSERT INTO runways(airport_icao, le_ident, he_ident, length_ft, width_ft, surface, lighted, closed) VALUES"
	" ('AAAA', '09', '27', 3000, NULL, 'grass', 0, 0), ('AAAA', '18', '36', 9000, 150, 'ASP', 1, 1),"
	" ('AAAA', '09', '27', NULL, 100, 'nan', 1, NULL), ('AAAA', NULL, NULL, 0, 0, 'water', 0, 0),"
	" ('CC01', '01', '19', NULL, NULL, 'snow', NULL, NULL), ('DDDD', 'H1', NULL, 60, 60, 'CON', 0, 1),"
	" ('ZZZZ', '01', '19', 5000, 100, 'ASP', 1, 0);"
	"INSERT INTO procedures(airport_icao, name, procedure_type) VALUES"
	" ('AAAA', 'ILS 09', 'approach'), ('AAAA', 'ILS 09', 'approach'), ('AAAA', 'ILS 09', 'arrival');"
	"INSERT INTO aip_entries(airport_icao, section, field, value, std_field, std_field_id, source) VALUES"
	" ('AAAA', 'handling', 'Fuel', 'AVGAS', 'Fuel and oil types', 402, 'a'),"
	" ('AAAA', 'admin', 'Remarks', 'first', 'Remarks', 208, 'a'),"
	" ('AAAA', 'handling', 'Fuel', 'JET A1', 'Fuel and oil types', 402, 'b'),"
	" ('AAAA', 'handling', 'Fuel', 'nan', NULL, NULL, 'c'),"
	" ('CC01', 'handling', 'Fuel', ' ', 'Fuel and oil types', 402, 'a'),"
	" ('DDDD', 'handling', 'Fuel', 'NIL', 'Fuel and oil types', 402, 'a');"
	"INSERT INTO border_crossing_points(icao_code, country_iso, airport_name, is_airport, source,"
	"  matched_airport_icao) VALUES"
	" ('AAAA', 'DE', 'x', 0, 's', NULL), ('', 'DE', 'y', 1, 's', 'CC01'), ('QQQQ', 'DE', 'z', 1, 's', 'DDDD');"
	"INSERT INTO model_metadata VALUES('provenance', 'made up', NULL);";

struct fix {
	char *dir, *path, *index;
	struct airdb_config c;
	struct airdb *db;
	struct aircon *con;
	struct arena *mem;
	struct err e;
};

static char *in_dir(const struct fix *f, const char *name)
{
	return arena_printf(f->mem, "%s/%s", f->dir, name);
}

static void write_db(const char *path, const char *more)
{
	struct err e = { OK, "" };
	struct db *db;

	unlink(path);
	TEST_OK(db_open(&db, path, DB_CREATE, &e), e);
	TEST_OK(db_exec(db, euro_aip_tables, &e), e);
	TEST_OK(db_exec(db, "BEGIN", &e), e);
	TEST_OK(db_exec(db, more, &e), e);
	TEST_OK(db_exec(db, "COMMIT", &e), e);
	db_close(db);
}

static void setup(struct fix *f, const char *sql)
{
	memset(f, 0, sizeof(*f));
	f->dir = test_mkdtemp();
	f->mem = arena_new();
	f->path = in_dir(f, "airports.db");
	f->index = in_dir(f, "airports.db.index");
	f->c = (struct airdb_config){ .path = f->path };
	if (sql != NULL)
		write_db(f->path, sql);
}

static void begin(struct fix *f)
{
	TEST_OK(airdb_open(&f->db, &f->c, &f->e), f->e);
	TEST_OK(airdb_get(f->db, 30000, &f->con, &f->e), f->e);
}

static void finish(struct fix *f)
{
	airdb_put(f->con);
	airdb_close(f->db);
	arena_free(f->mem);
	test_rmdir(f->dir);
}

static enum errcode ask(struct fix *f, struct aircon *con, bool *found)
{
	struct airport a;

	return airdb_by_code(con, f->mem, "AAAA", &a, found, &f->e);
}

/* Wait until a look-up finds (or no longer finds) a code. */
static bool wait_for_code(struct fix *f, const char *code, bool wanted)
{
	int64_t deadline = clock_mono_ms() + 30000;
	bool found = !wanted;

	while (found != wanted && clock_mono_ms() < deadline) {
		struct aircon *con;
		struct airport a;

		if (airdb_get(f->db, 5000, &con, &f->e) == OK) {
			airdb_by_code(con, f->mem, code, &a, &found, &f->e);
			airdb_put(con);
		}
		clock_sleep_ms(50);
	}
	return found == wanted;
}

/* ---- values and look-ups ----------------------------------------------- */

static const struct code {
	const char *code, *ident;
} code_rows[] = {
	{ "AAAA", "AAAA" }, { " aaaa ", "AAAA" }, { "alp", "AAAA" }, { "gpsc", "CC01" }, { "GOL", "HHHH" },
	{ "very-long-ident-1", "VERY-LONG-IDENT-1" }, { "BBBB", NULL }, { "BRA", NULL }, { "", NULL },
	{ "nan", NULL }, { "AAA", NULL }, { "AAAA'; --", NULL }, { NULL, NULL },
	{ "an ident that is longer than any key can be, for there is a ceiling somewhere", NULL },
};

TEST(airdb, by_code)
{
	struct fix f;

	setup(&f, rows_sql);
	begin(&f);
	for (size_t i = 0; i < sizeof(code_rows) / sizeof(code_rows[0]); i++) {
		const struct code *r = &code_rows[i];
		struct airport a;
		bool found;

		TEST_OK(airdb_by_code(f.con, f.mem, r->code, &a, &found, &f.e), f.e);
		cr_expect_eq(found, r->ident != NULL, "%s", r->code);
		if (found && r->ident != NULL)
			cr_expect_str_eq(a.ident, r->ident, "%s", r->code);
	}
	finish(&f);
}

static void get(struct fix *f, const char *code, struct airport *a)
{
	bool found;

	TEST_OK(airdb_by_code(f->con, f->mem, code, a, &found, &f->e), f->e);
	cr_assert(found, "%s", code);
}

TEST(airdb, derived_values)
{
	struct fix f;
	struct airport a;
	struct airdb_facts facts;
	int64_t n;

	setup(&f, rows_sql);
	begin(&f);
	get(&f, "AAAA", &a);
	cr_expect_eq(a.row, 1);
	cr_expect_eq(a.type, TYPE_LARGE);
	cr_expect_eq(a.longest_ft, 3000, "the closed one does not count");
	cr_expect_eq(a.flags, AF_ENTRY | AF_PROCEDURES | AF_AIP | AF_SOFT | AF_WATER | AF_LIGHTED |
	    AF_RUNWAYS | AF_ICAO4 | AF_SCHEDULED | AF_AVGAS_KNOWN | AF_JETA_KNOWN | AF_JETA, "%#x", a.flags);
	cr_expect_str_eq(a.region, "DE-BY");
	cr_expect_eq(a.elevation_ft, 300);
	get(&f, "CC01", &a);
	cr_expect_eq(a.row, 2, "rows have no gaps");
	cr_expect(a.name == NULL && a.municipality == NULL && a.region == NULL && isnan(a.elevation_ft));
	cr_expect(isnan(a.longest_ft));
	cr_expect_eq(a.flags, AF_ENTRY | AF_AIP | AF_SNOW | AF_RUNWAYS | AF_ICAO4, "%#x", a.flags);
	get(&f, "DDDD", &a);
	cr_expect_eq(a.flags, AF_AIP | AF_RUNWAYS | AF_ICAO4 | AF_AVGAS_KNOWN | AF_JETA_KNOWN, "%#x", a.flags);
	cr_expect_null(a.iata);
	get(&f, "FFFF", &a);
	cr_expect(isnan(a.lat) && isnan(a.lon));
	get(&f, "GGGG", &a);
	cr_expect(isnan(a.lat), "no such latitude");
	get(&f, "IIII", &a);
	cr_expect_eq(a.type, TYPE_OTHER);
	get(&f, "VERY-LONG-IDENT-1", &a);
	cr_expect_null(a.country);
	TEST_OK(airdb_facts(f.con, f.mem, &facts, &f.e), f.e);
	cr_expect_eq(facts.airports, 8);
	cr_expect_eq(facts.with_aip, 3);
	cr_expect_eq(facts.with_procedures, 1);
	cr_expect_eq(facts.with_fuel, 2);
	cr_expect_eq(facts.entries, 2);
	cr_expect_str_eq(facts.provenance, "made up");
	cr_expect_eq(airdb_state(f.db, &n, NULL), AIRDB_READY);
	cr_expect_eq(n, 8);
	cr_expect_not(aircon_all_idents(f.con));
	finish(&f);
}

TEST(airdb, details)
{
	struct aip_entry *entries;
	struct procedure *procedures;
	struct runway *runways;
	struct fix f;
	size_t n;

	setup(&f, rows_sql);
	begin(&f);
	TEST_OK(airdb_runways(f.con, f.mem, "AAAA", &runways, &n, &f.e), f.e);
	cr_assert_eq(n, 3);
	cr_expect_str_eq(runways[0].le_ident, "09");
	cr_expect_eq(runways[0].length_ft, 3000);
	cr_expect_eq(runways[0].width_ft, 100);
	cr_expect_str_eq(runways[0].surface, "grass");
	cr_expect(runways[0].lighted && !runways[0].closed);
	cr_expect(runways[1].closed);
	cr_expect_null(runways[2].le_ident);
	TEST_OK(airdb_aip(f.con, f.mem, "AAAA", &entries, &n, &f.e), f.e);
	cr_assert_eq(n, 2);
	cr_expect_str_eq(entries[0].value, "JET A1", "the later value, in the first one's place");
	cr_expect_eq(entries[0].std_field_id, 402);
	cr_expect_str_eq(entries[1].field, "Remarks");
	TEST_OK(airdb_procedures(f.con, f.mem, "AAAA", &procedures, &n, &f.e), f.e);
	cr_assert_eq(n, 2);
	cr_expect_str_eq(procedures[0].type, "approach");
	cr_expect_str_eq(procedures[1].type, "arrival");
	TEST_OK(airdb_procedures(f.con, f.mem, "nope", &procedures, &n, &f.e), f.e);
	cr_expect_eq(n, 0);
	TEST_OK(airdb_runways(f.con, f.mem, "nope", &runways, &n, &f.e), f.e);
	cr_expect_eq(n, 0);
	finish(&f);
}

TEST(airdb, by_rows_keeps_the_order)
{
	const int64_t rows[] = { 3, 1, 3 }, bad[] = { 1, 99 };
	struct airport a[3];
	struct fix f;

	setup(&f, rows_sql);
	begin(&f);
	TEST_OK(airdb_by_rows(f.con, f.mem, rows, 3, a, &f.e), f.e);
	cr_expect_str_eq(a[0].ident, "DDDD");
	cr_expect_str_eq(a[1].ident, "AAAA");
	cr_expect_str_eq(a[2].ident, "DDDD");
	cr_expect_eq(airdb_by_rows(f.con, f.mem, bad, 2, a, &f.e), ERR_DATA);
	finish(&f);
}

/* ---- visitors ---------------------------------------------------------- */

struct seen {
	char text[400];
	size_t n, stop;
};

static bool see(void *arg, const struct airport *a)
{
	struct seen *s = arg;
	size_t len = strlen(s->text);

	snprintf(s->text + len, sizeof(s->text) - len, "%s%s", s->n > 0 ? " " : "", a->ident);
	s->n++;
	return s->n != s->stop;
}

static const struct text_row {
	const char *text, *idents;
} text_rows[] = {
	{ "alpha", "AAAA" }, { "angstadt", "AAAA" }, { "alp", "AAAA CC01" }, { "cc0", "CC01" },
	{ "foxtrot", "FFFF" }, { "ot", "FFFF HHHH" }, { "a", "AAAA CC01 DDDD HHHH IIII" }, { "ab", "HHHH" },
	{ "\"quoted\" 100%", "HHHH" }, { "\"", "HHHH" }, { "%", "HHHH" }, { "100_", "" }, { "", "" },
	{ "bravo", "" }, { "echo\nfoxtrot", "" }, { "very-long-ident", "VERY-LONG-IDENT-1" },
	{ "o\" OR \"a", "" }, { "\xff\xfe\xfd", "" }, { "alpha airport angstadt", "" },
};

TEST(airdb, text)
{
	char *longest = malloc(300);
	struct fix f;

	setup(&f, rows_sql);
	begin(&f);
	for (size_t i = 0; i < sizeof(text_rows) / sizeof(text_rows[0]); i++) {
		struct seen s = { .n = 0 };

		TEST_OK(airindex_text(f.con, text_rows[i].text, see, &s, &f.e), f.e);
		cr_expect_str_eq(s.text, text_rows[i].idents, "%s: %s", text_rows[i].text, s.text);
	}
	memset(longest, 'a', 299);
	longest[299] = '\0';
	struct seen s = { .n = 0 };
	TEST_OK(airindex_text(f.con, longest, see, &s, &f.e), f.e);
	cr_expect_eq(s.n, 0);
	free(longest);
	finish(&f);
}

TEST(airdb, all_and_country)
{
	struct seen all = { .n = 0 }, two = { .stop = 2 }, de = { .n = 0 }, none = { .n = 0 };
	struct fix f;

	setup(&f, rows_sql);
	begin(&f);
	TEST_OK(airindex_all(f.con, see, &all, &f.e), f.e);
	cr_expect_str_eq(all.text, "AAAA CC01 DDDD VERY-LONG-IDENT-1 FFFF GGGG HHHH IIII");
	TEST_OK(airindex_all(f.con, see, &two, &f.e), f.e);
	cr_expect_str_eq(two.text, "AAAA CC01");
	TEST_OK(airindex_country(f.con, "de", see, &de, &f.e), f.e);
	cr_expect_str_eq(de.text, "AAAA CC01 DDDD");
	TEST_OK(airindex_country(f.con, "", see, &none, &f.e), f.e);
	TEST_OK(airindex_country(f.con, "XX", see, &none, &f.e), f.e);
	cr_expect_eq(none.n, 0);
	finish(&f);
}

static bool count_only(void *arg, const struct airport *a)
{
	(void)a;
	((struct seen *)arg)->n++;
	return true;
}

/* A grid of airports, many to a tile and many with the same word. */
enum { GRID = 60 };

static void setup_grid(struct fix *f)
{
	static const char sql[] = "INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg, "
	    "iso_country) VALUES(?, ?, 'small_airport', ?, ?, 'FR')";
	struct db *db;

	setup(f, "");
	TEST_OK(db_open(&db, f->path, DB_WRITE, &f->e), f->e);
	TEST_OK(db_exec(db, "BEGIN", &f->e), f->e);
	for (int i = 0; i < GRID; i++)
		for (int k = 0; k < GRID; k++) {
			const char *ident = arena_printf(f->mem, "%c%c%02d", 'A' + i % 26, 'A' + i / 26, k);
			const char *name = arena_printf(f->mem, "Field %d %s", i * GRID + k,
			    k % 5 ? "Airport" : "Strip");

			TEST_OK(db_put(db, sql, &f->e, DB_TEXT(ident), DB_TEXT(name),
			    DB_NUM(-89 + i * 178.0 / GRID), DB_NUM(-180 + k * 360.0 / GRID)), f->e);
		}
	TEST_OK(db_exec(db, "COMMIT", &f->e), f->e);
	db_close(db);
	begin(f);
}

struct boxed {
	struct airbox box;
	int hit[GRID * GRID + 1];
};

static bool mark(void *arg, const struct airport *a)
{
	struct boxed *b = arg;

	b->hit[a->row]++;
	return true;
}

static bool inside(double lat, double lon, const struct airbox *b)
{
	return lat >= b->south && lat <= b->north && (b->west <= b->east ?
	    lon >= b->west && lon <= b->east : lon >= b->west || lon <= b->east);
}

static const struct airbox boxes[] = {
	{ 40, 50, 0, 10 }, { -90, 90, -180, 180 }, { -10, 10, 170, -170 }, { 0, 1, 0, 1 }, { 60, 95, -200, 400 },
	{ -91, -80, 10, 20 }, { 5, 5, 6, 6 }, { -20, 20, -180, -170 }, { -20, 20, 175, 185 },
};

TEST(airdb, boxes_miss_nothing_and_repeat_nothing)
{
	struct boxed *b = calloc(1, sizeof(*b));
	struct fix f;

	setup_grid(&f);
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		/* two boxes that overlap: each airport still once */
		struct airbox twice[2] = { boxes[i], boxes[i] };

		memset(b->hit, 0, sizeof(b->hit));
		TEST_OK(airindex_boxes(f.con, twice, 2, mark, b, &f.e), f.e);
		for (int r = 0; r < GRID * GRID; r++) {
			struct airbox box = boxes[i];

			if (box.east > 180)
				box.east -= 360;
			if (box.west < -180 || boxes[i].east - boxes[i].west >= 360)
				box.west = -180, box.east = 180;
			if (inside(-89 + r / GRID * 178.0 / GRID, -180 + r % GRID * 360.0 / GRID, &box))
				cr_expect_eq(b->hit[r + 1], 1, "box %zu misses %d", i, r);
			else
				cr_expect_leq(b->hit[r + 1], 1);
		}
	}
	free(b);
	finish(&f);
}

/* Words and short texts have lists of their airports; the hits of other texts come by trigrams, and
 * many of them another way. The results tell no difference. */
TEST(airdb, texts_that_many_airports_have)
{
	static const char *const texts[] = { "airport", "airpo", "field", "strip", "trip", "field 1",
		"t a", "a", "5", "59", "d ", "ir", "zz", "~" };
	struct boxed *b = calloc(1, sizeof(*b));
	struct fix f;

	setup_grid(&f);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		memset(b->hit, 0, sizeof(b->hit));
		TEST_OK(airindex_text(f.con, texts[i], mark, b, &f.e), f.e);
		for (int r = 0; r < GRID * GRID; r++) {
			const char *text = arena_printf(f.mem, "%c%c%02d\nfield %d %s", 'a' + r / GRID % 26,
			    'a' + r / GRID / 26, r % GRID, r, r % GRID % 5 ? "airport" : "strip");

			cr_expect_eq(b->hit[r + 1], strstr(text, texts[i]) != NULL, "\"%s\", row %d: %d",
			    texts[i], r, b->hit[r + 1]);
		}
	}
	free(b);
	finish(&f);
}

TEST(airdb, a_code_and_a_text_are_visited_at_once)
{
	static const struct {
		const char *country, *text, *seen;
	} rows[] = {
		{ "de", "dd", "AAAA CC01 DDDD" }, { "DE", "~", "AAAA CC01 DDDD" }, { "DE", "", "AAAA CC01 DDDD" },
		{ "XX", "dd", "DDDD" }, { "XX", "~", "" }, { "XX", "cc", "CC01" }, { "XX", "01", "CC01" },
	};
	struct fix f;

	setup(&f, rows_sql);
	begin(&f);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct seen s = { .stop = SIZE_MAX };

		TEST_OK(airindex_code_text(f.con, rows[i].country, rows[i].text, see, &s, &f.e), f.e);
		cr_expect_str_eq(s.text, rows[i].seen, "%s or \"%s\": %s", rows[i].country, rows[i].text,
		    s.text);
	}
	finish(&f);
}

TEST(airdb, lists_of_rows_keep_every_number)
{
	static const uint32_t rows[] = { 1, 2, 129, 130, 16513, 16514, 2000000, UINT32_MAX };
	const size_t n = sizeof(rows) / sizeof(rows[0]);
	struct buf b;
	struct row_list l;

	buf_init(&b, 100);
	for (size_t i = 0; i < n; i++)
		row_list_put(&b, i > 0 ? rows[i - 1] : 0, rows[i]);
	l = row_list_of(b.p, b.n);
	for (size_t i = 0; i < n; i++) {
		cr_assert(row_list_next(&l));
		cr_expect_eq(l.row, rows[i]);
	}
	cr_expect(!row_list_next(&l));
	l = row_list_of(b.p, b.n - 1);
	for (size_t i = 0; i + 1 < n; i++)
		cr_expect(row_list_next(&l));
	cr_expect(!row_list_next(&l), "the last number is cut");
	l = row_list_of("\xff\xff\xff\xff\xff\xff\x01", 7);
	cr_expect(!row_list_next(&l), "too long");
	l = row_list_of("\x05\x00\x05", 3);
	cr_expect(row_list_next(&l) && !row_list_next(&l), "the same row again");
	l = row_list_of(NULL, 0);
	cr_expect(!row_list_next(&l));
	buf_release(&b);
}

/* ---- the real database ------------------------------------------------- */

static const char *flag(const struct airport *a, unsigned f)
{
	return a->flags & f ? "1" : "0";
}

static const char *tri(enum tri t)
{
	return t == TRI_UNKNOWN ? NULL : t == TRI_YES ? "1" : "0";
}

TEST(airdb, agrees_with_the_reference, .timeout = 120)
{
	const char *source = test_data("euro_aip/airports.db");
	struct fix f;
	struct csv *c = NULL;
	struct db *raw;
	char *dir;
	int rows = 0, differ = 0;

	if (source == NULL) {
		test_skip("no data");
		return;
	}
	setup(&f, NULL);
	f.c.path = arena_strdup(f.mem, source);
	f.c.index_path = f.index;
	dir = arena_printf(f.mem, "%.*s", (int)(strrchr(source, '/') - source), source);
	TEST_OK(airdb_index(&f.c, NULL, NULL, &f.e), f.e);
	begin(&f);
	TEST_OK(db_open(&raw, f.c.path, DB_READ, &f.e), f.e);
	TEST_OK(csv_open(&c, dir, "expected_derived.csv", &f.e), f.e);
	while (csv_next(c, &f.e) == CSV_ROW) {
		static const char closed[] = "SELECT count(*) FROM runways WHERE closed <> 0 AND airport_icao = ?";
		static const char nil[] = "SELECT count(*) FROM aip_entries WHERE std_field_id = 402 AND "
		    "value LIKE '%nil%' AND airport_icao = ?";
		struct db_stmt *s;
		struct airport a;
		char longest[32] = "";
		bool has_closed, says_nil, same;

		get(&f, csv_text(c, 0), &a);
		rows++;
		s = db_query(raw, closed, &f.e, DB_TEXT(a.ident));
		has_closed = db_step(s, &f.e) == DB_ROW && db_int_at(s, 0) > 0;
		db_done(s);
		s = db_query(raw, nil, &f.e, DB_TEXT(a.ident));
		says_nil = db_step(s, &f.e) == DB_ROW && db_int_at(s, 0) > 0;
		db_done(s);
		if (!isnan(a.longest_ft))
			snprintf(longest, sizeof(longest), "%g", a.longest_ft);
		cr_expect_eq((a.flags & AF_ENTRY) != 0, csv_text(c, 1) != NULL, "%s: entry", a.ident);
		same = streq(flag(&a, AF_HARD), csv_text(c, 2)) && streq(flag(&a, AF_SOFT), csv_text(c, 3)) &&
		    streq(flag(&a, AF_WATER), csv_text(c, 4)) && streq(flag(&a, AF_SNOW), csv_text(c, 5)) &&
		    streq(flag(&a, AF_LIGHTED), csv_text(c, 6)) &&
		    streq(longest[0] ? longest : NULL, csv_text(c, 7));
		cr_expect(same || has_closed, "%s: runways differ (%s)", a.ident, longest);
		differ += !same;
		same = streq(tri(airport_avgas(&a)), csv_text(c, 8)) &&
		    streq(tri(airport_jeta(&a)), csv_text(c, 9));
		/* "100 LL" alone is what the reference does not understand; this data has none */
		cr_expect(same || says_nil, "%s: fuel differs", a.ident);
	}
	cr_expect_eq(rows, 3226);
	cr_expect_gt(differ, 0, "closed runways make a difference somewhere");
	cr_expect_lt(differ, 100);
	csv_close(c);
	db_close(raw);
	finish(&f);
}

/* ---- sources that are no good ------------------------------------------ */

static const struct bad_source {
	const char *what, *sql;       /* sql is done to a good database; NULL: text is the file */
	const char *text;
	const char *says;
} bad_sources[] = {
	{ "missing", NULL, NULL, "no such file" },
	{ "empty", NULL, "", "is empty" },
	{ "no database", NULL, "just some text, which is longer than one hundred bytes, because that is what the "
	    "reader looks at before it says no", "not an SQLite database" },
	{ "no airports", "DROP TABLE airports", NULL, "no table airports" },
	{ "no runways", "DROP TABLE runways", NULL, "no table runways" },
	{ "no border points", "DROP TABLE border_crossing_points", NULL, "no table border_crossing_points" },
	{ "no surface", "ALTER TABLE runways DROP COLUMN surface", NULL, "table runways has no column surface" },
	{ "no value", "ALTER TABLE aip_entries DROP COLUMN value", NULL, "table aip_entries has no column value" },
};

TEST(airdb, says_why_a_source_is_no_good)
{
	for (size_t i = 0; i < sizeof(bad_sources) / sizeof(bad_sources[0]); i++) {
		const struct bad_source *b = &bad_sources[i];
		struct airdb *db = NULL;
		struct fix f;
		struct db *raw;

		setup(&f, b->sql != NULL ? rows_sql : NULL);
		if (b->sql != NULL) {
			TEST_OK(db_open(&raw, f.path, DB_WRITE, &f.e), f.e);
			TEST_OK(db_exec(raw, b->sql, &f.e), f.e);
			db_close(raw);
		} else if (b->text != NULL) {
			FILE *file = fopen(f.path, "w");

			fputs(b->text, file);
			fclose(file);
		}
		struct aircon *con;

		TEST_OK(airdb_open(&db, &f.c, &f.e), f.e);
		cr_expect_eq(airdb_get(db, 10000, &con, &f.e), ERR_DATA, "%s", b->what);
		cr_expect_null(con);
		cr_expect_eq(airdb_state(db, NULL, &f.e), AIRDB_FAILED, "%s", b->what);
		airdb_close(db);
		cr_expect_not_null(strstr(f.e.msg, b->says), "%s: %s", b->what, f.e.msg);
		cr_expect_not_null(strstr(f.e.msg, f.path), "%s: %s", b->what, f.e.msg);
		cr_expect_eq(airdb_index(&f.c, NULL, NULL, &f.e), ERR_DATA, "%s", b->what);
		cr_expect_eq(access(f.index, F_OK), -1, "%s: an index was left", b->what);
		finish(&f);
	}
}

/* Whoever mends it need not restart anything. */
TEST(airdb, a_source_that_comes_later_is_served, .timeout = 60)
{
	struct aircon *con;
	struct fix f;

	setup(&f, NULL);
	TEST_OK(airdb_open(&f.db, &f.c, &f.e), f.e);
	cr_expect_eq(airdb_get(f.db, 0, &con, &f.e), ERR_DATA);
	cr_expect_not_null(strstr(f.e.msg, "import ourairports"), "%s", f.e.msg);
	cr_expect_eq(access(in_dir(&f, "airports.db.index.lock"), F_OK), -1, "nothing is built of nothing");
	write_db(f.path, rows_sql);
	cr_expect(wait_for_code(&f, "AAAA", true), "%s", f.e.msg);
	finish(&f);
}

/* A turn whose reader left, or whose time is over. */
struct ending {
	int64_t at_ms;
	enum errcode rc;
	int looked;
};

static enum errcode end_at(void *arg, int64_t *ms)
{
	struct ending *x = arg;

	x->looked++;
	*ms = 10;
	return clock_mono_ms() >= x->at_ms ? x->rc : OK;
}

TEST(airdb, waits_under_the_watch)
{
	static const enum errcode codes[] = { ERR_HUP, ERR_TIMEOUT };
	struct fix f;
	bool found;
	int fd;

	setup(&f, rows_sql);
	f.c.connections = 1;
	begin(&f);
	TEST_OK(ask(&f, f.con, &found), f.e);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct ending x = { clock_mono_ms() + 400, codes[i], 0 };
		const struct watch w = { -1, end_at, &x };
		struct aircon *con;

		/* for a connection */
		TEST_OK(airdb_get_watched(f.db, 20000, &w, &con, &f.e), f.e);
		cr_expect_eq(ask(&f, con, &found), codes[i]);
		cr_expect_eq(aircon_lost(con), codes[i]);
		cr_expect_gt(x.looked, 2);
		cr_expect_lt(clock_mono_ms() - x.at_ms, 2000);
		airdb_put(con);
	}
	finish(&f);
	/* for the index */
	setup(&f, rows_sql);
	fd = open(in_dir(&f, "airports.db.index.lock"), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	cr_assert_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
	TEST_OK(airdb_open(&f.db, &f.c, &f.e), f.e);
	struct ending x = { clock_mono_ms() + 400, ERR_HUP, 0 };
	const struct watch w = { -1, end_at, &x };
	cr_expect_eq(airdb_get_watched(f.db, 20000, &w, &f.con, &f.e), ERR_HUP);
	cr_expect_null(f.con);
	cr_expect_gt(x.looked, 2);
	close(fd);
	TEST_OK(airdb_get_watched(f.db, 20000, NULL, &f.con, &f.e), f.e);
	finish(&f);
}

TEST(airdb, an_empty_database_has_no_airports)
{
	struct seen s = { .n = 0 };
	struct airbox world = { -90, 90, -180, 180 };
	struct fix f;

	setup(&f, "");
	begin(&f);
	TEST_OK(airindex_all(f.con, see, &s, &f.e), f.e);
	TEST_OK(airindex_boxes(f.con, &world, 1, see, &s, &f.e), f.e);
	TEST_OK(airindex_text(f.con, "abc", see, &s, &f.e), f.e);
	cr_expect_eq(s.n, 0);
	finish(&f);
}

/* ---- the life of the index --------------------------------------------- */

TEST(airdb, a_current_index_is_left_alone)
{
	struct stat before, after;
	struct fix f;

	setup(&f, rows_sql);
	TEST_OK(airdb_index(&f.c, NULL, NULL, &f.e), f.e);
	cr_assert_eq(stat(f.index, &before), 0);
	cr_expect_eq(before.st_mode & 0007, 0);
	TEST_OK(airdb_index(&f.c, NULL, NULL, &f.e), f.e);
	begin(&f);
	cr_assert_eq(stat(f.index, &after), 0);
	cr_expect_eq(before.st_ino, after.st_ino);
	finish(&f);
}

TEST(airdb, a_changed_source_is_indexed_again, .timeout = 60)
{
	struct fix f;
	struct airport a;
	struct db *raw;
	bool found;

	setup(&f, rows_sql);
	begin(&f);
	TEST_OK(airdb_by_code(f.con, f.mem, "AAAA", &a, &found, &f.e), f.e);
	TEST_OK(db_open(&raw, f.path, DB_WRITE, &f.e), f.e);
	TEST_OK(db_exec(raw, "INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg) "
	    "VALUES('NEWW', 'New', 'small_airport', 1, 1)", &f.e), f.e);
	db_close(raw);
	cr_expect(wait_for_code(&f, "NEWW", true));
	/* a call that began before goes on with what it had */
	TEST_OK(airdb_by_code(f.con, f.mem, "NEWW", &a, &found, &f.e), f.e);
	cr_expect_not(found);
	/* and replaced as a whole */
	write_db(in_dir(&f, "other.db"), "INSERT INTO airports(icao_code, name, type) VALUES('ONLY', 'One', 'small_airport')");
	cr_assert_eq(rename(in_dir(&f, "other.db"), f.path), 0);
	cr_expect(wait_for_code(&f, "NEWW", false));
	cr_expect(wait_for_code(&f, "ONLY", true));
	/* what replaces it may be rubbish: the last good index goes on */
	FILE *junk = fopen(in_dir(&f, "junk"), "w");
	fputs("not a database at all, but long enough to be taken for one at first sight, one hundred bytes", junk);
	fclose(junk);
	cr_assert_eq(rename(in_dir(&f, "junk"), f.path), 0);
	clock_sleep_ms(2600);
	cr_expect(wait_for_code(&f, "ONLY", true));
	finish(&f);
}

TEST(airdb, two_processes_build_one_index, .timeout = 60)
{
	struct fix f;
	pid_t children[3];

	setup(&f, rows_sql);
	for (int i = 0; i < 3; i++) {
		children[i] = fork();
		if (children[i] == 0) {
			struct aircon *con;
			struct airport a;
			bool found = false;

			if (airdb_open(&f.db, &f.c, &f.e) == OK && airdb_get(f.db, 20000, &con, &f.e) == OK &&
			    airdb_by_code(con, f.mem, "AAAA", &a, &found, &f.e) == OK) {
				airdb_put(con);
				airdb_close(f.db);
			}
			_exit(found ? 0 : 1);
		}
	}
	for (int i = 0; i < 3; i++) {
		int status = -1;

		cr_assert_eq(waitpid(children[i], &status, 0), children[i]);
		cr_expect_eq(status, 0, "child %d", i);
	}
	cr_expect_eq(access(in_dir(&f, "airports.db.index.tmp"), F_OK), -1);
	begin(&f);
	finish(&f);
}

static void die(void *arg, const char *what, int64_t done, int64_t total)
{
	(void)done;
	(void)total;
	if (streq(what, arg))
		kill(getpid(), SIGKILL);
}

TEST(airdb, a_killed_builder_leaves_nothing_harmful)
{
	struct fix f;
	pid_t child;
	int status;

	setup(&f, rows_sql);
	child = fork();
	if (child == 0) {
		char stage[] = "words";

		airdb_index(&f.c, die, stage, &f.e);
		_exit(0);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert(WIFSIGNALED(status));
	cr_expect_eq(access(in_dir(&f, "airports.db.index.tmp"), F_OK), 0, "it was in the middle");
	cr_expect_eq(access(f.index, F_OK), -1);
	begin(&f);
	cr_expect_eq(access(in_dir(&f, "airports.db.index.tmp"), F_OK), -1);
	finish(&f);
}

enum damage { HEADER, CUT, EMPTY, OLD };

TEST(airdb, a_damaged_index_is_built_anew)
{
	for (int d = HEADER; d <= OLD; d++) {
		struct fix f;
		struct db *raw;
		int fd;

		setup(&f, rows_sql);
		TEST_OK(airdb_index(&f.c, NULL, NULL, &f.e), f.e);
		fd = open(f.index, O_WRONLY);
		switch ((enum damage)d) {
		case HEADER:
			cr_assert_eq(pwrite(fd, "garbage garbage", 15, 0), 15);
			break;
		case CUT:
			cr_assert_eq(ftruncate(fd, 8192), 0);
			break;
		case EMPTY:
			cr_assert_eq(ftruncate(fd, 0), 0);
			break;
		case OLD:
			TEST_OK(db_open(&raw, f.index, DB_WRITE, &f.e), f.e);
			TEST_OK(db_exec(raw, "UPDATE meta SET value = '0.le' WHERE key = 'version'", &f.e), f.e);
			db_close(raw);
			break;
		}
		close(fd);
		begin(&f);
		cr_expect(wait_for_code(&f, "AAAA", true), "damage %d", d);
		finish(&f);
	}
}

static void set_facts(struct fix *f, const char *value)
{
	struct db *raw;
	TEST_OK(db_open(&raw, f->index, DB_WRITE, &f->e), f->e);
	TEST_OK(db_exec(raw, arena_printf(f->mem, "UPDATE meta SET value = '%s' WHERE key = 'facts'", value),
	    &f->e), f->e);
	db_close(raw);
}

static bool has_facts(struct fix *f, const char *value)
{
	struct db *raw;
	TEST_OK(db_open(&raw, f->index, DB_READ, &f->e), f->e);
	bool has = db_int(raw, arena_printf(f->mem,
	    "SELECT count(*) FROM meta WHERE key = 'facts' AND value = '%s'", value), 0) == 1;
	db_close(raw);
	return has;
}

/* Towns and names of an index come from the facts. An index made with other facts is used until a
 * new one is ready; a running process leaves the rebuild to processes that start. */
TEST(airdb, an_index_made_with_other_facts_is_built_anew_at_the_start, .timeout = 60)
{
	struct fix f;
	setup(&f, rows_sql);
	TEST_OK(airdb_index(&f.c, NULL, NULL, &f.e), f.e);
	set_facts(&f, "other");
	begin(&f);
	cr_expect(wait_for_code(&f, "AAAA", true));
	for (int i = 0; i < 500 && has_facts(&f, "other"); i++)
		clock_sleep_ms(20);
	cr_expect(!has_facts(&f, "other"));

	set_facts(&f, "others again");
	clock_sleep_ms(2500);                  /* the next check of the files */
	cr_expect(wait_for_code(&f, "AAAA", true));
	clock_sleep_ms(500);
	cr_expect(has_facts(&f, "others again"), "no ping-pong");
	TEST_OK(airdb_index(&f.c, NULL, NULL, &f.e), f.e);
	cr_expect(!has_facts(&f, "others again"));
	finish(&f);
}

/* Pages in the middle are found bad only when a search reads them. */
TEST(airdb, damage_found_in_use_is_repaired, .timeout = 60)
{
	struct fix f;
	struct stat st;
	char junk[4096];
	int fd;

	setup(&f, rows_sql);
	TEST_OK(airdb_index(&f.c, NULL, NULL, &f.e), f.e);
	cr_assert_eq(stat(f.index, &st), 0);
	fd = open(f.index, O_WRONLY);
	memset(junk, 0x5a, sizeof(junk));
	struct db *raw;
	TEST_OK(db_open(&raw, f.index, DB_READ, &f.e), f.e);
	int64_t page = db_int(raw, "SELECT rootpage FROM sqlite_schema WHERE name = 'code'", 0);
	int64_t size = db_int(raw, "PRAGMA page_size", 0);
	db_close(raw);
	cr_assert_gt(page, 1);
	cr_assert_eq(pwrite(fd, junk, sizeof(junk), (off_t)((page - 1) * size)), sizeof(junk));
	close(fd);
	begin(&f);
	struct airport a;
	bool found;
	cr_expect_eq(airdb_by_code(f.con, f.mem, "AAAA", &a, &found, &f.e), ERR_DATA);
	airdb_put(f.con);
	f.con = NULL;
	cr_expect(wait_for_code(&f, "AAAA", true), "%s", f.e.msg);
	finish(&f);
}

/* What another process cuts short in place must end no process that reads it. A handle that is in use
 * may miss it, the next one may not. */
TEST(airdb, an_index_cut_short_under_a_reader_is_built_anew, .timeout = 60)
{
	for (int quarters = 3; quarters >= 0; quarters--) {
		struct seen all = { .stop = SIZE_MAX };
		struct airport a;
		enum errcode rc;
		struct fix f;
		struct stat st;
		bool found;

		setup_grid(&f);
		TEST_OK(airdb_by_code(f.con, f.mem, "AA00", &a, &found, &f.e), f.e);
		cr_expect(found);
		cr_assert_eq(stat(f.index, &st), 0);
		cr_assert_eq(truncate(f.index, st.st_size / 4 * quarters), 0);
		airindex_all(f.con, count_only, &all, &f.e);
		aircon_rest(f.con);
		rc = airdb_by_code(f.con, f.mem, "BA59", &a, &found, &f.e);
		cr_expect(rc == ERR_DATA || (rc == OK && found), "%d: %s", quarters, f.e.msg);
		aircon_rest(f.con);
		cr_expect(wait_for_code(&f, "AA00", true), "%s", f.e.msg);
		all = (struct seen){ .stop = SIZE_MAX };
		TEST_OK(airindex_all(f.con, count_only, &all, &f.e), f.e);
		cr_expect_eq(all.n, (size_t)GRID * GRID);
		finish(&f);
	}
}

TEST(airdb, a_removed_index_is_built_anew, .timeout = 60)
{
	struct fix f;

	setup(&f, rows_sql);
	begin(&f);
	airdb_put(f.con);
	f.con = NULL;
	cr_assert_eq(unlink(f.index), 0);
	cr_expect(wait_for_code(&f, "AAAA", true));
	clock_sleep_ms(2100);
	cr_expect(wait_for_code(&f, "AAAA", true));
	for (int i = 0; i < 100 && access(f.index, F_OK) != 0; i++)
		clock_sleep_ms(50);
	cr_expect_eq(access(f.index, F_OK), 0);
	finish(&f);
}

TEST(airdb, a_read_only_folder_needs_a_cache)
{
	struct err why = { OK, "" };
	struct aircon *con;
	struct fix f;
	char *cache;

	setup(&f, rows_sql);
	cache = in_dir(&f, "cache");
	cr_assert_eq(mkdir(cache, 0777), 0);
	cr_assert_eq(chmod(cache, 0777), 0);
	cr_assert_eq(chmod(f.path, 0444), 0);
	cr_assert_eq(chmod(f.dir, 0555), 0);
	if (geteuid() == 0)
		cr_assert_eq(seteuid(65534), 0);
	TEST_OK(airdb_open(&f.db, &f.c, &f.e), f.e);
	cr_expect_eq(airdb_get(f.db, 20000, &con, &f.e), ERR_DATA);
	cr_expect_not_null(strstr(f.e.msg, f.index), "%s", f.e.msg);
	cr_expect_not_null(strstr(f.e.msg, "Permission denied"), "%s", f.e.msg);
	cr_expect_eq(airdb_state(f.db, NULL, &why), AIRDB_FAILED);
	cr_expect_str_eq(why.msg, f.e.msg);
	airdb_close(f.db);
	f.c.cache_dir = cache;
	begin(&f);
	cr_expect_eq(access(f.index, F_OK), -1);
	if (getuid() == 0)
		cr_assert_eq(seteuid(0), 0);
	cr_assert_eq(chmod(f.dir, 0755), 0);
	finish(&f);
}

/* ---- connections ------------------------------------------------------- */

TEST(airdb, connections_are_limited_and_reused)
{
	struct aircon *a, *b, *c;
	struct fix f;
	bool found;

	setup(&f, rows_sql);
	f.c.connections = 2;
	begin(&f);
	a = f.con;
	f.con = NULL;
	TEST_OK(ask(&f, a, &found), f.e);
	TEST_OK(airdb_get(f.db, 0, &b, &f.e), f.e);
	TEST_OK(ask(&f, b, &found), f.e);
	/* a handle alone takes nothing from anybody; looking up does */
	TEST_OK(airdb_get(f.db, 20, &c, &f.e), f.e);
	cr_expect_eq(aircon_lost(c), OK);
	cr_expect_eq(ask(&f, c, &found), ERR_OVERLOAD);
	cr_expect_not(found);
	cr_expect_eq(aircon_lost(c), ERR_OVERLOAD);
	airdb_put(b);
	/* refused once, refused for good: nobody waits twice */
	cr_expect_eq(ask(&f, c, &found), ERR_OVERLOAD);
	airdb_put(c);
	TEST_OK(airdb_get(f.db, 0, &c, &f.e), f.e);
	TEST_OK(ask(&f, c, &found), f.e);
	cr_expect(found);
	airdb_put(a);
	airdb_put(c);
	finish(&f);
}

TEST(airdb, a_resting_handle_keeps_no_connection)
{
	struct aircon *a, *b;
	struct fix f;
	bool found;

	setup(&f, rows_sql);
	f.c.connections = 1;
	begin(&f);
	a = f.con;
	f.con = NULL;
	for (int i = 0; i < 3; i++) {
		TEST_OK(ask(&f, a, &found), f.e);
		cr_expect(found);
		aircon_rest(a);
		aircon_rest(a);
		TEST_OK(airdb_get(f.db, 0, &b, &f.e), f.e);
		TEST_OK(ask(&f, b, &found), f.e);
		cr_expect(found);
		airdb_put(b);
	}
	/* one who had to wait gets it when the other rests, and ends while resting */
	TEST_OK(ask(&f, a, &found), f.e);
	aircon_rest(a);
	aircon_rest(NULL);
	airdb_put(a);
	finish(&f);
}

TEST(airdb, after_a_rest_the_newer_index_is_read, .timeout = 60)
{
	struct fix f;
	struct airport a;
	struct db *raw;
	bool found;

	setup(&f, rows_sql);
	begin(&f);
	TEST_OK(airdb_by_code(f.con, f.mem, "NEWW", &a, &found, &f.e), f.e);
	cr_expect_not(found);
	TEST_OK(db_open(&raw, f.path, DB_WRITE, &f.e), f.e);
	TEST_OK(db_exec(raw, "INSERT INTO airports(icao_code, name, type, latitude_deg, longitude_deg) "
	    "VALUES('NEWW', 'New', 'small_airport', 1, 1)", &f.e), f.e);
	db_close(raw);
	cr_expect(wait_for_code(&f, "NEWW", true));
	TEST_OK(airdb_by_code(f.con, f.mem, "NEWW", &a, &found, &f.e), f.e);
	cr_expect_not(found, "a handle that did not rest goes on with what it had");
	aircon_rest(f.con);
	TEST_OK(airdb_by_code(f.con, f.mem, "NEWW", &a, &found, &f.e), f.e);
	cr_expect(found);
	finish(&f);
}

static void *worker(void *arg)
{
	struct fix *f = arg;
	struct arena *mem = arena_new();
	intptr_t wrong = 0;

	for (int i = 0; i < 100; i++) {
		struct err e;
		struct aircon *con;
		struct airport a;
		bool found = false;

		if (airdb_get(f->db, 10000, &con, &e) != OK ||
		    airdb_by_code(con, mem, i % 2 ? "AAAA" : "GOL", &a, &found, &e) != OK || !found)
			wrong++;
		airdb_put(con);
	}
	arena_free(mem);
	return (void *)wrong;
}

TEST(airdb, threads_share_it)
{
	pthread_t threads[8];
	struct fix f;

	setup(&f, rows_sql);
	f.c.connections = 3;
	TEST_OK(airdb_open(&f.db, &f.c, &f.e), f.e);
	for (int i = 0; i < 8; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, worker, &f), 0);
	for (int i = 0; i < 8; i++) {
		void *wrong;

		pthread_join(threads[i], &wrong);
		cr_expect_null(wrong);
	}
	finish(&f);
}

/* Somebody else holds the lock: the builder waits, gives up at once when told to. */
TEST(airdb, closing_stops_a_waiting_builder)
{
	struct aircon *con;
	int64_t start;
	struct fix f;
	int fd;

	setup(&f, rows_sql);
	fd = open(in_dir(&f, "airports.db.index.lock"), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	cr_assert_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
	TEST_OK(airdb_open(&f.db, &f.c, &f.e), f.e);
	cr_expect_eq(airdb_get(f.db, 100, &con, &f.e), ERR_PREPARING);
	cr_expect_not_null(strstr(f.e.msg, "being built"), "%s", f.e.msg);
	cr_expect_eq(airdb_state(f.db, NULL, NULL), AIRDB_INDEXING);
	start = clock_mono_ms();
	airdb_close(f.db);
	f.db = NULL;
	cr_expect_lt(clock_mono_ms() - start, 3000);
	cr_expect_eq(access(f.index, F_OK), -1);
	close(fd);
	finish(&f);
}
