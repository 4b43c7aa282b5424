/*
 * OurAirports CSV to a euro_aip database.
 *
 * One row of `files` is a CSV file: the insert statement, and for each of its parameters the column
 * and its kind. Columns are found by name, so old exports (without icao_code, with codes in another
 * order) and new ones are read alike. Everything is written to <out>.tmp, under a lock that keeps
 * out a second import of the same file, and renamed at the end.
 */
#include "airports/import.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "airports/csv.h"
#include "airports/airport.h"
#include "airports/replace_file.h"
#include "airports/euro_aip_schema.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/str.h"
#include "drivers/db.h"

enum { COLUMNS_MAX = 24, REPORT_EVERY = 1000, FILE_MODE = 0640 };

struct import {
	const struct import_options *o;
	progress_fn *progress;
	void *arg;
	struct db *db;
	bool types[TYPE__MAX];
	char now[CLOCK_ISO_SIZE];
	struct import_stats stats;
};

/* What a parameter is: text or number from a column, or the time of the import. */
enum what { TEXT, NUMBER, NOW };

struct import_column {
	enum what what;
	const char *name;             /* "a|b": the second column if the first is empty */
	bool needed;
};

enum verdict { TAKE, LEAVE, SKIP /* and count it */, BAD };

struct import_file {
	const char *name;
	bool needed;
	const char *sql, *create;
	size_t stat;                  /* member of struct import_stats that counts */
	enum verdict (*judge)(struct import *im, const struct csv *c, const int *at, struct err *e);
	struct import_column columns[COLUMNS_MAX];
};

/* ---- what to take ------------------------------------------------------ */

static enum verdict judge_airport(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	double lat, lon;
	enum airport_type type = airport_type_of(csv_text(c, at[2]));

	if (csv_text(c, at[0]) == NULL) {
		csv_error(c, e, "an airport without ident");
		return BAD;
	}
	if (csv_number(c, at[3], &lat, e) != OK || csv_number(c, at[4], &lon, e) != OK)
		return BAD;
	if (fabs(lat) > 90 || fabs(lon) > 180) {
		csv_error(c, e, "%.20s lies at %g, %g, which is not on Earth", csv_text(c, at[0]), lat, lon);
		return BAD;
	}
	return im->types[type] ? TAKE : LEAVE;
}

/* A part of an airport that was left out, or that the file does not have, is skipped. */
static enum verdict judge_part(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	static const char sql[] = "SELECT 1 FROM airports WHERE icao_code = ?";
	struct db_stmt *s = db_query(im->db, sql, e, DB_TEXT(csv_text(c, at[0])));
	enum db_step rc = db_step(s, e);

	db_done(s);
	return rc == DB_ROW ? TAKE : rc == DB_END ? SKIP : BAD;
}

static enum verdict judge_named(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	(void)im;
	(void)e;
	return csv_text(c, at[0]) != NULL ? TAKE : SKIP;
}

/* A navaid of which the variation at its place is recorded. */
static enum verdict judge_variation(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	double lat, lon, variation;
	(void)im;

	if (csv_number(c, at[3], &lat, e) != OK || csv_number(c, at[4], &lon, e) != OK ||
	    csv_number(c, at[5], &variation, e) != OK)
		return BAD;
	return fabs(lat) <= 90 && fabs(lon) <= 180 && fabs(variation) <= 180 ? TAKE : LEAVE;
}

/* A fact on an airport of the database. Its columns are ident, as_of and the fact. */
static enum verdict judge_fact(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	if (csv_text(c, at[0]) == NULL) {
		csv_error(c, e, "a fact on an airport without ident");
		return BAD;
	}
	if (csv_text(c, at[1]) == NULL) {
		csv_error(c, e, "as_of must say when the facts were gathered");
		return BAD;
	}
	return csv_text(c, at[2]) == NULL ? LEAVE : judge_runway(im, c, at, e);
}

static enum verdict judge_entry(struct import *im, const struct csv *c, const int *at,
    struct err *e)
{
	const char *entry = csv_text(c, at[2]);

	if (entry != NULL && !streq(entry, "1")) {
		csv_error(c, e, "entry must be 1 (a point of entry) or empty (not recorded), not %.20s", entry);
		return BAD;
	}
	return judge_fact(im, c, at, e);
}

static enum verdict judge_fee(struct import *im, const struct csv *c, const int *at, struct err *e)
{
	const char *currency = csv_text(c, at[3]);
	double fee;

	if (csv_number(c, at[2], &fee, e) != OK)
		return BAD;
	if (fee < 0 || (fee >= 0 && (currency == NULL || strlen(currency) != 3))) {
		csv_error(c, e, "a landing fee is 0 or more and has a currency of three letters");
		return BAD;
	}
	return judge_fact(im, c, at, e);
}

#define STAT(member) (offsetof(struct import_stats, member))
#define STAMPED { NOW, NULL, false }, { NOW, NULL, false }

static const char facts_csv[] = "facts.csv";

/* A column of facts.csv that becomes an AIP entry under the standard field's name. */
#define AIP_FACT(column, section, id, field) { \
	facts_csv, false, \
	"INSERT INTO aip_entries(airport_icao, section, field, value, std_field, std_field_id, source, " \
	"created_at, updated_at) " \
	"VALUES(?1,'" section "','" field "',?3,'" field "'," #id ",'" FACTS_SOURCE "'||?2,?4,?5)", NULL, \
	STAT(facts), judge_fact, \
	{ { TEXT, "ident", true }, { TEXT, "as_of", true }, { TEXT, column, true }, STAMPED }, \
}

static const struct import_file files[] = {
	{
		"airports.csv", true,
		"INSERT INTO airports VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,'worldairports',?,?)", NULL,
		STAT(airports), judge_airport,
		{ { TEXT, "ident", true }, { TEXT, "name", true }, { TEXT, "type", true },
		  { NUMBER, "latitude_deg", true }, { NUMBER, "longitude_deg", true },
		  { NUMBER, "elevation_ft", true }, { TEXT, "continent", false },
		  { TEXT, "iso_country", true }, { TEXT, "iso_region", true },
		  { TEXT, "municipality", true }, { TEXT, "scheduled_service", false },
		  { TEXT, "gps_code|icao_code", true }, { TEXT, "iata_code", true },
		  { TEXT, "local_code", false }, { TEXT, "home_link", false },
		  { TEXT, "wikipedia_link", false }, { TEXT, "keywords", false }, STAMPED },
	},
	{
		"runways.csv", true,
		"INSERT INTO runways VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", NULL,
		STAT(runways), judge_part,
		{ { TEXT, "airport_ident", true }, { TEXT, "le_ident", true }, { TEXT, "he_ident", true },
		  { NUMBER, "length_ft", true }, { NUMBER, "width_ft", true }, { TEXT, "surface", true },
		  { NUMBER, "lighted", true }, { NUMBER, "closed", true },
		  { NUMBER, "le_latitude_deg", false }, { NUMBER, "le_longitude_deg", false },
		  { NUMBER, "le_elevation_ft", false }, { NUMBER, "le_heading_degT", false },
		  { NUMBER, "le_displaced_threshold_ft", false },
		  { NUMBER, "he_latitude_deg", false }, { NUMBER, "he_longitude_deg", false },
		  { NUMBER, "he_elevation_ft", false }, { NUMBER, "he_heading_degT", false },
		  { NUMBER, "he_displaced_threshold_ft", false }, STAMPED },
	},
	{
		/* of several with one ident in one country only the first is taken */
		"navaids.csv", false,
		"INSERT OR IGNORE INTO waypoints(name, latitude_deg, longitude_deg, point_type, source, "
		"source_id, created_at, updated_at) "
		"VALUES(?1,?2,?3,replace(?4,'-',''),'ourairports','ourairports:'||coalesce(?5,''),?6,?7)", NULL,
		STAT(navaids), judge_named,
		{ { TEXT, "ident", true }, { NUMBER, "latitude_deg", true },
		  { NUMBER, "longitude_deg", true }, { TEXT, "type", true }, { TEXT, "iso_country", true },
		  STAMPED },
	},
	{
		/* the same file once more: waypoints have no column for the variation */
		"navaids.csv", false,
		"INSERT INTO navaids VALUES(?,?,?,?,?,?,?)",
		"CREATE TABLE navaids (ident TEXT, name TEXT, type TEXT, latitude_deg REAL, "
		"longitude_deg REAL, magnetic_variation_deg REAL, associated_airport TEXT);"
		"CREATE INDEX idx_navaids_latitude ON navaids (latitude_deg);"
		"CREATE INDEX idx_navaids_airport ON navaids (associated_airport)",
		STAT(variations), judge_variation,
		{ { TEXT, "ident", true }, { TEXT, "name", false }, { TEXT, "type", true },
		  { NUMBER, "latitude_deg", true }, { NUMBER, "longitude_deg", true },
		  { NUMBER, "magnetic_variation_deg", false }, { TEXT, "associated_airport", false } },
	},
	{
		"airport-frequencies.csv", false,
		"INSERT INTO frequencies VALUES(NULL,?,?,?,?)",
		"CREATE TABLE frequencies (id INTEGER PRIMARY KEY, airport_icao TEXT NOT NULL, type TEXT, "
		"description TEXT, frequency_mhz REAL);"
		"CREATE INDEX idx_frequencies_airport ON frequencies (airport_icao)",
		STAT(frequencies), judge_part,
		{ { TEXT, "airport_ident", true }, { TEXT, "type", true }, { TEXT, "description", true },
		  { NUMBER, "frequency_mhz", true } },
	},
	{
		"countries.csv", false,
		"INSERT OR IGNORE INTO countries VALUES(?,?,?,?)",
		"CREATE TABLE countries (code TEXT PRIMARY KEY, name TEXT, continent TEXT, keywords TEXT)",
		STAT(countries), judge_named,
		{ { TEXT, "code", true }, { TEXT, "name", true }, { TEXT, "continent", false },
		  { TEXT, "keywords", false } },
	},
	{
		"regions.csv", false,
		"INSERT OR IGNORE INTO regions VALUES(?,?,?,?,?,?)",
		"CREATE TABLE regions (code TEXT PRIMARY KEY, local_code TEXT, name TEXT, continent TEXT, "
		"iso_country TEXT, keywords TEXT)",
		STAT(regions), judge_named,
		{ { TEXT, "code", true }, { TEXT, "local_code", false }, { TEXT, "name", true },
		  { TEXT, "continent", false }, { TEXT, "iso_country", true }, { TEXT, "keywords", false } },
	},
	AIP_FACT("customs", "operational", 302, "Customs and immigration"),
	AIP_FACT("fuel", "handling", 402, "Fuel and oil types"),
	AIP_FACT("hotel", "passenger", 501, "Hotels"),
	AIP_FACT("restaurant", "passenger", 502, "Restaurants"),
	{
		facts_csv, false,
		"INSERT INTO border_crossing_points(icao_code, country_iso, airport_name, is_airport, source, "
		"matched_airport_icao, created_at, updated_at) "
		"SELECT ?1, iso_country, name, ?3, '" FACTS_SOURCE "'||?2, ?1, ?4, ?5 FROM airports "
		"WHERE icao_code = ?1", NULL,
		STAT(facts), judge_entry,
		{ { TEXT, "ident", true }, { TEXT, "as_of", true }, { TEXT, "entry", true }, STAMPED },
	},
	{
		facts_csv, false,
		"INSERT INTO landing_fees VALUES(?1,?3,?4,'" FACTS_SOURCE "'||?2)",
		"CREATE TABLE landing_fees (airport_icao TEXT PRIMARY KEY, amount REAL NOT NULL, "
		"currency TEXT NOT NULL, source TEXT NOT NULL)",
		STAT(facts), judge_fee,
		{ { TEXT, "ident", true }, { TEXT, "as_of", true }, { NUMBER, "landing_fee", true },
		  { TEXT, "currency", true } },
	},
};

static bool is_column(const struct import_column *col)
{
	return col->name != NULL || col->what == NOW;
}

/* ---- one file ---------------------------------------------------------- */

/* Positions of a file's columns; second names from COLUMNS_MAX on. */
static enum errcode find_columns(const struct import_file *f, const struct csv *c, int *at,
    struct err *e)
{
	char name[64];

	for (int i = 0; i < COLUMNS_MAX; i++) {
		const struct import_column *col = &f->columns[i];
		const char *second = col->name != NULL ? strchr(col->name, '|') : NULL;

		at[i] = at[COLUMNS_MAX + i] = -1;
		if (col->name == NULL)
			continue;
		snprintf(name, sizeof(name), "%.*s", second != NULL ? (int)(second - col->name) : 60,
		    col->name);
		at[i] = csv_find(c, name);
		if (second != NULL)
			at[COLUMNS_MAX + i] = csv_find(c, second + 1);
		if (at[i] < 0 && col->needed)
			return csv_need(c, name, &at[i], e);
	}
	return OK;
}

static enum errcode insert(struct import *im, const struct import_file *f, const struct csv *c,
    const int *at, struct err *e)
{
	struct db_value values[COLUMNS_MAX];
	size_t n = 0;

	for (; n < COLUMNS_MAX && is_column(&f->columns[n]); n++) {
		const char *text;
		double number;

		switch (f->columns[n].what) {
		case TEXT:
			text = csv_text(c, at[n]);
			if (text == NULL)
				text = csv_text(c, at[COLUMNS_MAX + n]);
			values[n] = (struct db_value)DB_TEXT(text);
			break;
		case NUMBER:
			if (csv_number(c, at[n], &number, e) != OK)
				return ERR_DATA;
			values[n] = (struct db_value)DB_NUM(number);
			break;
		case NOW:
			values[n] = (struct db_value)DB_TEXT(im->now);
			break;
		}
	}
	if (db_run(db_query_values(im->db, f->sql, e, values, n), e) == OK)
		return OK;
	/* a full disk is not a fault of the row */
	return e->code == ERR_DATA ? csv_error(c, e, "can't be stored (is %.40s there twice?)",
	    csv_text(c, at[0])) : e->code;
}

static enum errcode read_rows(struct import *im, const struct import_file *f, struct csv *c,
    struct err *e)
{
	int64_t *count = (int64_t *)(void *)((char *)&im->stats + f->stat);
	int at[2 * COLUMNS_MAX];
	enum csv_next rc;
	int64_t n = 0;

	if (find_columns(f, c, at, e) != OK)
		return ERR_DATA;
	while ((rc = csv_next(c, e)) == CSV_ROW) {
		enum verdict v = f->judge(im, c, at, e);
		int64_t done, total;

		if (im->progress != NULL && n++ % REPORT_EVERY == 0) {
			csv_progress(c, &done, &total);
			im->progress(im->arg, f->name, done, total);
		}
		if (v == BAD)
			return e->code;
		if (v == SKIP)
			im->stats.skipped++;
		if (v != TAKE)
			continue;
		if (insert(im, f, c, at, e) != OK)
			return e->code;
		*count += db_changes(im->db);
	}
	return rc == CSV_FAIL ? e->code : OK;
}

static enum errcode read_file(struct import *im, const struct import_file *f, struct err *e)
{
	const char *dir = f->name == facts_csv && im->o->facts != NULL ? im->o->facts : im->o->dir;
	struct csv *c = NULL;
	enum errcode rc;

	if (!f->needed && dir == im->o->dir && !csv_exists(dir, f->name))
		return OK;
	rc = csv_open(&c, dir, f->name, e);
	if (rc == OK && f->create != NULL)
		rc = db_exec(im->db, f->create, e);
	if (rc == OK)
		rc = read_rows(im, f, c, e);
	csv_close(c);
	return rc;
}

/* ---- the database ------------------------------------------------------ */

static enum errcode write_metadata(struct import *im, struct err *e)
{
	static const char sql_meta[] = "INSERT INTO model_metadata VALUES(?,?,?)";
	static const char sql_sources[] = "INSERT INTO sources VALUES('worldairports',?,?)";
	char provenance[160], statistics[300];
	const char *const rows[][2] = {
		{ "schema_version", "1" }, { "provenance", provenance }, { "statistics", statistics },
	};

	snprintf(provenance, sizeof(provenance), "OurAirports (public domain), imported %.10s.%s "
	    "Not for flight planning.", im->now,
	    im->stats.facts > 0 ? " Some customs, fuel and fees: a sample." : "");
	snprintf(statistics, sizeof(statistics), "{\"total_airports\": %lld, \"airports_with_runways\": %lld, "
	    "\"airports_with_procedures\": 0, \"airports_with_aip_data\": 0, "
	    "\"airports_with_border_crossing\": 0, \"total_runways\": %lld, \"total_procedures\": 0, "
	    "\"total_aip_entries\": 0, \"total_border_crossing_points\": 0}",
	    (long long)im->stats.airports,
	    (long long)db_int(im->db, "SELECT count(DISTINCT airport_icao) FROM runways", 0),
	    (long long)im->stats.runways);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (db_put(im->db, sql_meta, e, DB_TEXT(rows[i][0]), DB_TEXT(rows[i][1]),
		        DB_TEXT(im->now)) != OK)
			return e->code;
	return db_put(im->db, sql_sources, e, DB_TEXT(im->now), DB_INT(im->stats.airports));
}

static enum errcode fill(struct import *im, struct err *e)
{
	enum errcode rc = db_exec(im->db, "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;"
	    "PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32768; BEGIN", e);

	if (rc == OK)
		rc = db_exec(im->db, euro_aip_tables, e);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && rc == OK; i++)
		rc = read_file(im, &files[i], e);
	if (rc == OK && im->stats.airports == 0)
		rc = err_set(e, ERR_DATA, "%s: airports.csv holds no airport of these types", im->o->dir);
	if (rc == OK)
		rc = db_exec(im->db, euro_aip_indexes, e);
	if (rc == OK)
		rc = write_metadata(im, e);
	if (rc == OK)
		rc = db_exec(im->db, "COMMIT", e);
	return rc;
}

static enum errcode parse_types(const char *list, bool *types, struct err *e)
{
	const char *p = list != NULL ? list : "small_airport,medium_airport,large_airport,seaplane_base";
	bool any = false;

	while (*p != '\0') {
		size_t n = strcspn(p, ",");
		struct str s = str_trim((struct str){ p, n });
		int t = 0;

		while (t < TYPE_OTHER && !str_ieq(s, airport_type_name((enum airport_type)t)))
			t++;
		if (t == TYPE_OTHER && s.n > 0)
			return err_set(e, ERR_INPUT, "unknown airport type %.*s: small_airport, medium_airport, "
			    "large_airport, seaplane_base, heliport and balloonport are known",
			    (int)(s.n < 40 ? s.n : 40), s.p);
		if (t == TYPE_CLOSED)
			return err_set(e, ERR_INPUT, "closed airports are not imported");
		if (s.n > 0)
			types[t] = any = true;
		p += n + (p[n] == ',');
	}
	return any ? OK : err_set(e, ERR_INPUT, "no airport type is named");
}

/* The lock belongs to the descriptor. A file that a killed import left is emptied and used
 * again. */
static enum errcode open_tmp(const char *tmp, int *fd, struct err *e)
{
	*fd = open(tmp, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
	if (*fd < 0)
		return err_set(e, ERR_IO, "%s: can't be created (%s)", tmp, strerrordesc_np(errno));
	if (flock(*fd, LOCK_EX | LOCK_NB) != 0) {
		close(*fd);
		*fd = -1;
		return err_set(e, ERR_IO, "%s: another import is writing it", tmp);
	}
	if (ftruncate(*fd, 0) != 0)
		return err_set(e, ERR_IO, "%s: can't be emptied (%s)", tmp, strerrordesc_np(errno));
	return OK;
}

enum errcode import_ourairports(const struct import_options *o, progress_fn *progress, void *arg,
    struct import_stats *out, struct err *e)
{
	struct import im = { .o = o, .progress = progress, .arg = arg };
	struct err local;
	char *tmp = NULL;
	enum errcode rc;
	int fd = -1;

	if (e == NULL)
		e = &local;
	if (parse_types(o->types, im.types, e) != OK)
		return ERR_INPUT;
	tmp = heap_printf("%s.tmp", o->out);
	clock_iso_utc(im.now, clock_wall_us());
	im.now[strcspn(im.now, ".")] = '\0';
	rc = open_tmp(tmp, &fd, e);
	if (rc == OK)
		rc = db_open(&im.db, tmp, DB_CREATE, e);
	if (rc == OK)
		rc = fill(&im, e);
	db_close(im.db);
	if (rc == OK)
		rc = replace_file(tmp, o->out, e);
	if (rc != OK && fd >= 0)
		unlink(tmp);
	if (fd >= 0)
		close(fd);
	free(tmp);
	*out = im.stats;
	return rc;
}
