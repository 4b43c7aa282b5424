/*
 * GeoNames text files (cities500.txt, allCountries.txt) to a database of places.
 *
 * A line is a place: 19 values separated by tabs. Towns are taken, and natural features that people
 * name (mountains, lakes, islands), if they have names in several languages, because there are a
 * million hills and ponds that nobody asks for. A fault of the file ends the import with its line
 * number; what is well-formed but of no use is counted and left out. Names wait in a temporary table
 * and are written in the order of their keys, which is many times faster than inserting them one by
 * one.
 */
#include "airports/places_import.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "airports/countries.h"
#include "airports/import.h"
#include "airports/place_key.h"
#include "base/replace_file.h"
#include "base/clock.h"
#include "base/str.h"
#include "drivers/db.h"

enum {
	COLUMNS = 19, LINE_MAX_BYTES = 64 << 10, KEYS_MAX = 24, NAME_BYTES = 200,
	KNOWN = 3,                   /* names of a natural feature that people ask for */
	REPORT_EVERY = 20000,
};
/* more lines than all of GeoNames has; a longer file is something else */
static const int64_t lines_max = 40000000;
static const double
	people = 8000,               /* inhabitants of a town of weight 1: see gazetteer_evidence.c */
	hamlet = 0.02, feature = 0.01;

enum { C_NAME = 1, C_ASCII, C_OTHERS, C_LAT, C_LON, C_CLASS, C_CODE, C_COUNTRY, C_REGION = 10,
	C_POPULATION = 14 };

struct places_import {
	const char *path;            /* "standard input" for - */
	FILE *file;
	long line;
	char *text, *value[COLUMNS];
	struct db *db;
	struct import_places *o;
	struct err *e;
	struct place_keys {
		char key[KEYS_MAX][PLACE_KEY_MAX];
		size_t n;
	} keys;
};

/* ---- the file ------------------------------------------------------------------- */

static enum errcode fault(struct places_import *im, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static enum errcode fault(struct places_import *im, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return err_set(im->e, ERR_DATA, "%s:%ld: %s", im->path, im->line, text);
}

static enum errcode open_file(struct places_import *im, const char *path)
{
	bool in = streq(path, "-");

	im->path = in ? "standard input" : path;
	im->file = in ? stdin : fopen(path, "re");
	return im->file != NULL ? OK : err_set(im->e, ERR_DATA, "%s: can't be read (%s)", im->path,
	    strerrordesc_np(errno));
}

/* People forget to unpack what they have downloaded. */
static enum errcode check_packed(struct places_import *im)
{
	static const struct {
		const char *magic, *what, *command;
	} packed[] = {
		{ "PK\3\4", "a zip archive", "unzip -p" }, { "\x1f\x8b", "gzipped", "zcat" },
	};

	for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++)
		if (starts_with(im->text, packed[i].magic))
			return err_set(im->e, ERR_DATA, "%s: is %s; unpack it first: %s %s | aviation-agent import "
			    "places -", im->path, packed[i].what, packed[i].command, im->path);
	return OK;
}

/* The next line without its end; *end: there is none. */
static enum errcode next_line(struct places_import *im, bool *end)
{
	size_t n;

	*end = fgets(im->text, LINE_MAX_BYTES, im->file) == NULL;
	if (*end)
		return !ferror(im->file) ? OK : err_set(im->e, ERR_DATA, "%s: can't be read to its end (%s)",
		    im->path, strerrordesc_np(errno));
	if (++im->line == 1 && check_packed(im) != OK)
		return ERR_DATA;
	n = strlen(im->text);
	if (n > 0 && im->text[n - 1] == '\n')
		im->text[--n] = '\0';
	else if (!feof(im->file) || n == 0)
		return fault(im, "is longer than %d bytes, or has a NUL byte", LINE_MAX_BYTES);
	if (n > 0 && im->text[n - 1] == '\r')
		im->text[n - 1] = '\0';
	return im->line <= lines_max ? OK : fault(im, "the file has too many lines");
}

static enum errcode split(struct places_import *im)
{
	char *rest = im->text;
	int n = 0;

	for (char *v; (v = strsep(&rest, "\t")) != NULL; n++)
		if (n < COLUMNS)
			im->value[n] = v;
	return n == COLUMNS ? OK : fault(im, "has %d columns; a line of GeoNames has %d, separated by tabs",
	    n, COLUMNS);
}

/* ---- one place ------------------------------------------------------------------- */

/* Features other than towns, by class and code. */
static bool natural(const struct places_import *im)
{
	static const char *const codes[] = {
		"T|MT|MTS|PK|PKS|PASS|ISL|ISLS|PEN|CAPE|VAL|VALS", "H|LK|LKS|BAY|FJD|GULF|STRT|LGN|RSV",
		"L|RGN|PRK|CST",
	};
	const char *class = im->value[C_CLASS];

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (class[0] == codes[i][0] && class[1] == '\0')
			return one_of(im->value[C_CODE], codes[i] + 2);
	return false;
}

static bool town(const struct places_import *im)
{
	return streq(im->value[C_CLASS], "P") &&
	    !one_of(im->value[C_CODE], "PPLH|PPLQ|PPLW|PPLCH");   /* that are no more */
}

static void add_key(struct places_import *im, const char *text, bool spelt)
{
	struct place_keys *k = &im->keys;
	char *key = k->key[k->n];

	if (k->n == KEYS_MAX)
		return;
	place_key(key, text, spelt, NULL);
	for (const char *p = key; *p != '\0'; p++)
		if (*p & 0x80)
			return;              /* another script than the questions' */
	for (size_t i = 0; i < k->n; i++)
		if (streq(k->key[i], key))
			return;
	k->n += strlen(key) > 1;
}

/* Codes of airports and stations stand among the names too. */
static bool is_code(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!((s[i] >= 'A' && s[i] <= 'Z') || (s[i] >= '0' && s[i] <= '9')))
			return false;
	return n <= 5;
}

/* Fills the keys; returns the number of names beside the first one. */
static size_t add_names(struct places_import *im)
{
	char name[NAME_BYTES + 1];
	size_t others = 0;

	im->keys.n = 0;
	add_key(im, im->value[C_NAME], false);
	add_key(im, im->value[C_NAME], true);
	add_key(im, im->value[C_ASCII], false);
	for (const char *p = im->value[C_OTHERS]; *p != '\0';) {
		size_t n = strcspn(p, ",");

		if (n > 2 && n <= NAME_BYTES && !is_code(p, n) && utf8_valid(p, n)) {
			memcpy(name, p, n);
			name[n] = '\0';
			add_key(im, name, false);
			others++;
		}
		p += n + (p[n] != '\0');
	}
	return others;
}

/* The ISO 3166-2 code, where GeoNames has its letters or the numbers are known. */
static void region_of(const struct places_import *im, char out[16])
{
	static const char canada[] = "01AB02BC03MB04NB05NL07NS08ON09PE10QC11SK12YT13NT14NU";
	static const char *const australia[] = { "ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA" };
	const char *cc = im->value[C_COUNTRY], *code = im->value[C_REGION];
	size_t n = strlen(code);

	out[0] = '\0';
	if (one_of(cc, "US|GB|CH") && n >= 2 && n <= 3)
		snprintf(out, 16, "%s-%s", cc, code);
	for (size_t i = 0; streq(cc, "CA") && n == 2 && canada[i] != '\0'; i += 4)
		if (memcmp(canada + i, code, 2) == 0)
			snprintf(out, 16, "CA-%.2s", canada + i + 2);
	if (streq(cc, "AU") && n == 2 && code[0] == '0' && code[1] >= '1' && code[1] <= '8')
		snprintf(out, 16, "AU-%s", australia[code[1] - '1']);
}

static bool readable(const char *s)
{
	for (size_t n = strlen(s), step; n > 0; s += step, n -= step) {
		bool plain;

		step = str_next(s, n, &plain);
		if (!plain)
			return false;
	}
	return true;
}

struct places_entry {
	double lat, lon, weight;
	long long population;
};

static enum errcode check(struct places_import *im, struct places_entry *p)
{
	const char *population = im->value[C_POPULATION];

	p->population = 0;
	if (im->value[C_NAME][0] == '\0' || !readable(im->value[C_NAME]))
		return fault(im, "the name (column 2) is %s", im->value[C_NAME][0] == '\0' ? "missing"
		    : "not UTF-8 text, or has a control character");
	if (!str_to_double(im->value[C_LAT], &p->lat) || !(fabs(p->lat) <= 90))
		return fault(im, "the latitude (column 5) is not a number from -90 to 90");
	if (!str_to_double(im->value[C_LON], &p->lon) || !(fabs(p->lon) <= 180))
		return fault(im, "the longitude (column 6) is not a number from -180 to 180");
	if (*population != '\0' && (!str_to_int(population, &p->population) || p->population < 0 ||
	    p->population > 1000000000))
		return fault(im, "the population (column 15) is not a number of people");
	return OK;
}

static bool wanted(struct places_import *im, struct places_entry *p)
{
	bool of_people = town(im);
	size_t others;

	if (country_by_code(im->value[C_COUNTRY]) == NULL || (!of_people && !natural(im)) ||
	    (of_people && p->population < im->o->least))
		return false;
	others = add_names(im);
	p->weight = of_people ? (double)p->population / people + hamlet : feature * (double)others;
	return im->keys.n > 0 && (of_people || others >= KNOWN);
}

static enum errcode put(struct places_import *im, const struct places_entry *p)
{
	static const char sql_place[] = "INSERT INTO place VALUES(?,?,?,?,?,?,?)";
	static const char sql_name[] = "INSERT INTO staged VALUES(?,?,?)";
	int64_t id = ++im->o->places;
	char region[16];
	enum errcode rc;

	region_of(im, region);
	rc = db_put(im->db, sql_place, im->e, DB_INT(id), DB_TEXT(im->value[C_NAME]),
	    DB_TEXT(country_by_code(im->value[C_COUNTRY])->code),
	    DB_TEXT(region[0] != '\0' ? region : NULL), DB_NUM(p->lat), DB_NUM(p->lon), DB_NUM(p->weight));
	for (size_t i = 0; i < im->keys.n && rc == OK; i++) {
		rc = db_put(im->db, sql_name, im->e, DB_TEXT(im->keys.key[i]), DB_NUM(-p->weight), DB_INT(id));
		im->o->names++;
	}
	return rc;
}

/* ---- the whole ---------------------------------------------------------------------- */

static enum errcode read_lines(struct places_import *im, progress_fn *progress, void *arg)
{
	struct places_entry p;
	bool end = false;
	enum errcode rc = OK;

	while (rc == OK && (rc = next_line(im, &end)) == OK && !end) {
		if (progress != NULL && im->line % REPORT_EVERY == 1)
			progress(arg, "places", 0, 1);
		if (im->text[0] == '\0' || im->text[0] == '#')
			continue;
		rc = split(im);
		if (rc == OK)
			rc = check(im, &p);
		if (rc != OK)
			break;
		if (wanted(im, &p))
			rc = put(im, &p);
		else
			im->o->skipped++;
	}
	if (rc == OK && im->o->places == 0)
		rc = err_set(im->e, ERR_DATA, "%s: holds no place that can be used (%lld lines were left out)",
		    im->path, (long long)im->o->skipped);
	return rc;
}

static enum errcode fill(struct places_import *im, progress_fn *progress, void *arg)
{
	static const char sql_meta[] = "INSERT INTO meta VALUES(?,?)";
	char now[CLOCK_ISO_SIZE];
	enum errcode rc = db_exec(im->db, "PRAGMA page_size=8192; PRAGMA journal_mode=MEMORY;"
	    "PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-32768; BEGIN;"
	    "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
	    "CREATE TABLE place(id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL,"
	    "  region TEXT, lat REAL NOT NULL, lon REAL NOT NULL, weight REAL NOT NULL);"
	    "CREATE TABLE name(key TEXT, rank REAL, id INTEGER, PRIMARY KEY(key, rank, id)) WITHOUT ROWID;"
	    "CREATE TEMP TABLE staged(key TEXT, rank REAL, id INTEGER)", im->e);

	if (rc == OK)
		rc = read_lines(im, progress, arg);
	if (rc == OK && progress != NULL)
		progress(arg, "names", 0, 1);
	if (rc == OK)
		rc = db_exec(im->db, "INSERT INTO name SELECT key, rank, id FROM staged ORDER BY 1, 2, 3;"
		    "DROP TABLE staged", im->e);
	clock_iso_utc(now, clock_wall_us());
	if (rc == OK)
		rc = db_put(im->db, sql_meta, im->e, DB_TEXT("version"), DB_TEXT(PLACES_VERSION));
	if (rc == OK)
		rc = db_put(im->db, sql_meta, im->e, DB_TEXT("places"), DB_INT(im->o->places));
	if (rc == OK)
		rc = db_put(im->db, sql_meta, im->e, DB_TEXT("imported"), DB_TEXT(now));
	return rc == OK ? db_exec(im->db, "COMMIT", im->e) : rc;
}

enum errcode import_places(struct import_places *o, progress_fn *progress, void *arg, struct err *e)
{
	struct err local;
	struct places_import *im = calloc(1, sizeof(*im));
	char *tmp = NULL;
	enum errcode rc;
	int fd = -1;

	if (im == NULL || (im->text = malloc(LINE_MAX_BYTES)) == NULL || asprintf(&tmp, "%s.tmp", o->out) < 0)
		abort();
	im->o = o;
	im->e = e != NULL ? e : &local;
	o->places = o->names = o->skipped = 0;
	rc = open_file(im, o->file);
	if (rc == OK)
		rc = replace_begin(tmp, &fd, im->e);
	if (rc == OK)
		rc = db_open(&im->db, tmp, DB_CREATE, im->e);
	if (rc == OK)
		rc = fill(im, progress, arg);
	db_close(im->db);
	if (rc == OK)
		rc = replace_file(tmp, o->out, im->e);
	if (rc != OK && fd >= 0)
		unlink(tmp);
	if (fd >= 0)
		close(fd);
	if (im->file != NULL && im->file != stdin)
		fclose(im->file);
	free(im->text);
	free(im);
	free(tmp);
	return rc;
}
