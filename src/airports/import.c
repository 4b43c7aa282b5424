/*
 * OurAirports CSV to a euro_aip database.
 *
 * The files and their columns are rows of import_files. Everything is written to <out>.tmp, under a
 * lock that keeps out a second import of the same file, and renamed at the end.
 */
#include "airports/import.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "airports/csv.h"
#include "airports/airport.h"
#include "airports/euro_aip_schema.h"
#include "airports/import_files.h"
#include "base/replace_file.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/str.h"
#include "drivers/db.h"

enum { REPORT_EVERY = 1000 };

static bool is_column(const struct import_column *col)
{
	return col->name != NULL || col->what == NOW;
}

/* ---- one file ---------------------------------------------------------- */

/* Positions of a file's columns; second names from IMPORT_COLUMNS_MAX on. */
static enum errcode find_columns(const struct import_file *f, const struct csv *c, int *at,
    struct err *e)
{
	char name[64];

	for (int i = 0; i < IMPORT_COLUMNS_MAX; i++) {
		const struct import_column *col = &f->columns[i];
		const char *second = col->name != NULL ? strchr(col->name, '|') : NULL;

		at[i] = at[IMPORT_COLUMNS_MAX + i] = -1;
		if (col->name == NULL)
			continue;
		snprintf(name, sizeof(name), "%.*s", second != NULL ? (int)(second - col->name) : 60,
		    col->name);
		at[i] = csv_find(c, name);
		if (second != NULL)
			at[IMPORT_COLUMNS_MAX + i] = csv_find(c, second + 1);
		if (at[i] < 0 && col->needed)
			return csv_need(c, name, &at[i], e);
	}
	return OK;
}

static enum errcode insert(struct import *im, const struct import_file *f, const struct csv *c,
    const int *at, struct err *e)
{
	struct db_value values[IMPORT_COLUMNS_MAX];
	size_t n = 0;

	for (; n < IMPORT_COLUMNS_MAX && is_column(&f->columns[n]); n++) {
		const char *text;
		double number;

		switch (f->columns[n].what) {
		case TEXT:
			text = csv_text(c, at[n]);
			if (text == NULL)
				text = csv_text(c, at[IMPORT_COLUMNS_MAX + n]);
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
	int at[2 * IMPORT_COLUMNS_MAX];
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
	const char *dir = f->name == import_facts_csv && im->o->facts != NULL ? im->o->facts : im->o->dir;
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
	    im->stats.facts > 0 ? " " FACTS_PROVENANCE : "");
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
	for (size_t i = 0; i < nimport_files && rc == OK; i++)
		rc = read_file(im, &import_files[i], e);
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
	rc = replace_begin(tmp, &fd, e);
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
