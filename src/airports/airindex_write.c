/*
 * Airports come as an array (airindex_load.h) and are written nine times, in the forms that the
 * different searches need: by row, by code, packed in table order, packed in the order of a Hilbert
 * curve and by runway length, as trigrams, as text, as lists of rows by short texts (airindex_often.c), as places. Packing in curve order keeps the boxes of the R*Tree
 * small and its entries few: 49,000 airports are some 600 entries.
 */
#include "airports/airindex_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "airports/airindex_often.h"
#include "airports/gazetteer_build.h"
#include "base/buf.h"
#include "base/str.h"
#include "drivers/db.h"

enum { STEP = 2000 };         /* airports between reports */

/* SQLite copies each page that it reads. It must not map the file: if somebody shortened a mapped file, the worker would crash. A look-up by
 * name reads a few pages, and a search by words reads whole tables. Compared with these pages of 8 KiB, pages of 32 KiB make a search by
 * words a fifth faster, but a plan takes a twentieth longer, and an idle worker keeps 300 KiB more memory. */
static const char schema[] =
	"PRAGMA page_size=8192; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;"
	"PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384;"
	"BEGIN;"
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
	"CREATE TABLE airport(row INTEGER PRIMARY KEY, ident TEXT NOT NULL, name TEXT,"
	"  municipality TEXT, country TEXT, region TEXT, iata TEXT, gps TEXT, lat REAL, lon REAL,"
	"  elevation_ft REAL, longest_ft REAL, type INTEGER NOT NULL, flags INTEGER NOT NULL,"
	"  runways INTEGER NOT NULL, procedures INTEGER NOT NULL, entries INTEGER NOT NULL);"
	"CREATE TABLE code(code TEXT, kind INTEGER, rank INTEGER, row INTEGER,"
	"  PRIMARY KEY(code, kind, rank, row)) WITHOUT ROWID;"
	"CREATE TABLE page(n INTEGER PRIMARY KEY, data BLOB NOT NULL);"
	"CREATE TABLE ranked(n INTEGER PRIMARY KEY, data BLOB NOT NULL);"
	"CREATE VIRTUAL TABLE tile USING rtree(n, south, north, west, east);"
	"CREATE TABLE spot(tile INTEGER PRIMARY KEY, data BLOB NOT NULL);"
	"CREATE VIRTUAL TABLE words USING fts5(ident, name, municipality, iata, content='',"
	"  columnsize=0, tokenize='trigram case_sensitive 1');"
	"CREATE TABLE short(page INTEGER PRIMARY KEY, ends BLOB NOT NULL, data BLOB NOT NULL);"
	"CREATE TABLE often(text TEXT PRIMARY KEY, rows BLOB NOT NULL);"
	"CREATE TABLE totals(name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;";

static bool stopped(const struct airindex_write *w)
{
	return w->stop != NULL && w->stop(w->arg);
}

static enum errcode report(const struct airindex_write *w, const char *what, size_t i,
    struct err *e)
{
	if (i % STEP != 0)
		return OK;
	if (stopped(w))
		return err_set(e, ERR_HUP, "stopped");
	if (w->progress != NULL)
		w->progress(w->arg, what, (int64_t)i, (int64_t)w->load->n);
	return OK;
}

static enum errcode write_airports(const struct airindex_write *w, struct err *e)
{
	static const char sql[] = "INSERT INTO airport VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

	for (size_t i = 0; i < w->load->n; i++) {
		const struct airport *a = &w->load->airports[i].a;

		if (db_put(w->db, sql, e, DB_INT(a->row), DB_TEXT(a->ident), DB_TEXT(a->name),
		        DB_TEXT(a->municipality), DB_TEXT(a->country), DB_TEXT(a->region),
		        DB_TEXT(a->iata), DB_TEXT(w->load->airports[i].gps), DB_NUM(a->lat),
		        DB_NUM(a->lon), DB_NUM(a->elevation_ft), DB_NUM(a->longest_ft),
		        DB_INT(a->type), DB_INT(a->flags), DB_INT(a->nrunways),
		        DB_INT(a->nprocedures), DB_INT(a->nentries)) != OK ||
		    report(w, "airports", i, e) != OK)
			return e->code;
	}
	return OK;
}

/* Of several airports with one code the one that people mean: large ones first. */
static int rank(enum airport_type t)
{
	static const int ranks[TYPE__MAX] = {
		[TYPE_LARGE] = 0, [TYPE_MEDIUM] = 1, [TYPE_SMALL] = 2, [TYPE_SEAPLANE] = 3,
		[TYPE_HELIPORT] = 4, [TYPE_BALLOON] = 5, [TYPE_CLOSED] = 6, [TYPE_OTHER] = 5,
	};

	return ranks[t];
}

static enum errcode write_codes(const struct airindex_write *w, struct err *e)
{
	static const char sql[] = "INSERT OR IGNORE INTO code VALUES(upper(?),?,?,?)";

	for (size_t i = 0; i < w->load->n; i++) {
		const struct loaded *l = &w->load->airports[i];
		const char *codes[] = { l->a.ident, l->a.iata, l->gps };

		for (int kind = 0; kind < 3; kind++) {
			if (codes[kind] != NULL &&
			    db_put(w->db, sql, e, DB_TEXT(codes[kind]), DB_INT(kind),
			        DB_INT(rank(l->a.type)), DB_INT(l->a.row)) != OK)
				return e->code;
		}
		if (report(w, "codes", i, e) != OK)
			return e->code;
	}
	return OK;
}

static void pack(struct airrec *r, const struct airport *a)
{
	memset(r, 0, sizeof(*r));
	r->lat = a->lat;
	r->lon = a->lon;
	r->longest_ft = (float)a->longest_ft;
	r->elevation_ft = (float)a->elevation_ft;
	r->row = (uint32_t)a->row;
	r->flags = a->flags;
	r->type = (uint8_t)a->type;
	if (strlen(a->ident) < sizeof(r->ident))
		memcpy(r->ident, a->ident, strlen(a->ident));
	if (a->country != NULL)
		memcpy(r->country, a->country, 2);
}

static enum errcode write_pages(const struct airindex_write *w, struct err *e)
{
	static const char sql[] = "INSERT INTO page VALUES(?,?)";
	struct airrec recs[AIRRECS];

	for (size_t i = 0; i < w->load->n; i += AIRRECS) {
		size_t n = 0;

		while (n < AIRRECS && i + n < w->load->n) {
			pack(&recs[n], &w->load->airports[i + n].a);
			n++;
		}
		if (db_put(w->db, sql, e, DB_INT((int64_t)(i / AIRRECS)),
		        DB_BLOB(recs, n * sizeof(*recs))) != OK)
			return e->code;
	}
	return OK;
}

/* Airports that lists never show are left out. */
static bool ranks(const struct airport *a)
{
	return a->type != TYPE_HELIPORT && a->type != TYPE_BALLOON && a->type != TYPE_CLOSED &&
	    !isnan(a->lat);
}

static int by_length(const void *pa, const void *pb)
{
	const struct airport *a = *(const struct airport *const *)pa, *b = *(const struct airport *const *)pb;
	const double x = isnan(a->longest_ft) ? -1 : a->longest_ft;
	const double y = isnan(b->longest_ft) ? -1 : b->longest_ft;

	return x != y ? (x > y ? -1 : 1) : a->row < b->row ? -1 : a->row > b->row;
}

static enum errcode write_ranked(const struct airindex_write *w, struct err *e)
{
	static const char sql[] = "INSERT INTO ranked VALUES(?,?)";
	const struct airport **list = arena_array(w->load->mem, w->load->n + 1, sizeof(*list));
	struct airrec recs[AIRRECS];
	size_t total = 0;

	for (size_t i = 0; i < w->load->n; i++)
		if (ranks(&w->load->airports[i].a))
			list[total++] = &w->load->airports[i].a;
	qsort(list, total, sizeof(*list), by_length);
	for (size_t i = 0, n; i < total; i += n) {
		for (n = 0; n < AIRRECS && i + n < total; n++)
			pack(&recs[n], list[i + n]);
		if (db_put(w->db, sql, e, DB_INT((int64_t)(i / AIRRECS)),
		        DB_BLOB(recs, n * sizeof(*recs))) != OK)
			return e->code;
	}
	return OK;
}

/* The position on a Hilbert curve over the map, with 2^16 cells a side. */
static uint32_t hilbert(double lat, double lon)
{
	uint32_t x = (uint32_t)((lon + 180) / 360 * 65535), y = (uint32_t)((lat + 90) / 180 * 65535);
	uint32_t d = 0;

	for (uint32_t s = 1u << 15; s > 0; s /= 2) {
		uint32_t rx = (x & s) > 0, ry = (y & s) > 0;

		d += s * s * ((3 * rx) ^ ry);
		if (ry == 0) {
			uint32_t t = x;

			if (rx == 1) {
				x = 65535 - x;
				t = x;
				y = 65535 - y;
			}
			x = y;
			y = t;
		}
	}
	return d;
}

struct airindex_spot {
	uint32_t d, i;
};

static int by_curve(const void *pa, const void *pb)
{
	const struct airindex_spot *a = pa, *b = pb;

	if (a->d != b->d)
		return a->d < b->d ? -1 : 1;
	return a->i < b->i ? -1 : a->i > b->i;
}

static enum errcode write_tiles(const struct airindex_write *w, struct err *e)
{
	static const char boxes[] = "INSERT INTO tile VALUES(?,?,?,?,?)";
	static const char data[] = "INSERT INTO spot VALUES(?,?)";
	struct airindex_spot *spots = arena_array(w->load->mem, w->load->n + 1, sizeof(*spots));
	struct airrec recs[AIRRECS];
	size_t nspots = 0;

	for (size_t i = 0; i < w->load->n; i++) {
		const struct airport *a = &w->load->airports[i].a;

		if (!isnan(a->lat))
			spots[nspots++] = (struct airindex_spot){ hilbert(a->lat, a->lon), (uint32_t)i };
	}
	qsort(spots, nspots, sizeof(*spots), by_curve);
	for (size_t i = 0; i < nspots; i += AIRRECS) {
		double south = 90, north = -90, west = 180, east = -180;
		size_t n = 0;

		while (n < AIRRECS && i + n < nspots) {
			const struct airport *a = &w->load->airports[spots[i + n].i].a;

			south = fmin(south, a->lat);
			north = fmax(north, a->lat);
			west = fmin(west, a->lon);
			east = fmax(east, a->lon);
			pack(&recs[n++], a);
		}
		const int64_t tile = (int64_t)(i / AIRRECS);
		if (db_put(w->db, boxes, e, DB_INT(tile), DB_NUM(south), DB_NUM(north), DB_NUM(west),
		        DB_NUM(east)) != OK ||
		    db_put(w->db, data, e, DB_INT(tile), DB_BLOB(recs, n * sizeof(*recs))) != OK)
			return e->code;
	}
	return OK;
}

/* Fold a text into the arena; NULL stays NULL. */
static const char *folded(struct arena *a, const char *text)
{
	return text != NULL ? str_fold(a, text) : NULL;
}

/* One line for each text of an airport; missing ones leave theirs empty. */
static const char *lines_of(struct arena *a, const char *const field[4])
{
	return arena_printf(a, "%s\n%s\n%s\n%s\n", field[0], field[1] != NULL ? field[1] : "",
	    field[2] != NULL ? field[2] : "", field[3] != NULL ? field[3] : "");
}

static enum errcode write_words(const struct airindex_write *w, struct err *e)
{
	static const char sql[] = "INSERT INTO words(rowid, ident, name, municipality, iata) VALUES(?,?,?,?,?)";
	static const char sql_short[] = "INSERT INTO short VALUES(?,?,?)";
	struct arena *mem = arena_new(), *all = arena_new();
	const char **lines = arena_array(all, w->load->n + 1, sizeof(*lines));
	enum errcode rc = OK;
	uint32_t ends[AIRRECS];
	struct buf texts;

	buf_init(&texts, (size_t)AIRRECS * 4 * 3 * 4096);
	for (size_t i = 0; i < w->load->n && rc == OK; i++) {
		const struct airport *a = &w->load->airports[i].a;
		const char *field[] = { folded(mem, a->ident), folded(mem, a->name),
			folded(mem, a->municipality), folded(mem, a->iata) };

		lines[i] = lines_of(all, field);
		buf_puts(&texts, lines[i]);
		ends[i % AIRRECS] = (uint32_t)texts.n;
		rc = db_put(w->db, sql, e, DB_INT(a->row), DB_TEXT(field[0]), DB_TEXT(field[1]),
		    DB_TEXT(field[2]), DB_TEXT(field[3]));
		if (rc == OK)
			rc = report(w, "words", i, e);
		if (rc == OK && ((i + 1) % AIRRECS == 0 || i + 1 == w->load->n)) {
			rc = db_put(w->db, sql_short, e, DB_INT((int64_t)(i / AIRRECS)),
			    DB_BLOB(ends, (i % AIRRECS + 1) * sizeof(*ends)),
			    DB_BLOB(texts.p, texts.n));
			buf_clear(&texts);
			arena_free(mem);
			mem = arena_new();
		}
	}
	buf_release(&texts);
	arena_free(mem);
	if (rc == OK)
		rc = airindex_often_write(w->db, lines, w->load->n, e);
	arena_free(all);
	if (rc == OK)
		rc = db_exec(w->db, "INSERT INTO words(words) VALUES('optimize')", e);
	return rc;
}

static enum errcode write_meta(const struct airindex_write *w, struct err *e)
{
	static const char sql[] = "INSERT INTO meta VALUES(?,?)";
	static const struct {
		const char *key;
		unsigned flag;
	} counts[] = {
		{ "with_aip", AF_AIP }, { "with_procedures", AF_PROCEDURES },
		{ "with_fuel", AF_AVGAS_KNOWN | AF_JETA_KNOWN }, { "entries", AF_ENTRY },
	};
	const struct {
		const char *key, *text;
	} texts[] = {
		{ "version", w->version }, { "source", w->source }, { "facts", w->facts },
		{ "provenance", w->load->provenance },
	};

	for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
		if (texts[t].text != NULL &&
		    db_put(w->db, sql, e, DB_TEXT(texts[t].key), DB_TEXT(texts[t].text)) != OK)
			return e->code;
	if (db_put(w->db, sql, e, DB_TEXT("airports"), DB_INT((int64_t)w->load->n)) != OK ||
	    db_put(w->db, sql, e, DB_TEXT("listed_entries"), DB_INT(w->load->listed_entries)) != OK)
		return e->code;
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		int64_t n = 0;

		for (size_t i = 0; i < w->load->n; i++)
			n += (w->load->airports[i].a.flags & counts[c].flag) != 0;
		if (db_put(w->db, sql, e, DB_TEXT(counts[c].key), DB_INT(n)) != OK)
			return e->code;
	}
	return OK;
}

static enum errcode write_totals(const struct airindex_write *w, struct err *e)
{
	static const char sql[] = "INSERT INTO totals VALUES(?,?)";
	enum errcode rc = OK;

	for (size_t i = 0; rc == OK && i < w->ntotals; i++)
		rc = db_put(w->db, sql, e, DB_TEXT(w->totals[i].name), DB_TEXT(w->totals[i].json));
	return rc;
}

enum errcode airindex_write(const struct airindex_write *w, struct err *e)
{
	enum errcode rc = db_exec(w->db, schema, e);

	if (rc == OK)
		rc = write_airports(w, e);
	if (rc == OK)
		rc = db_exec(w->db, "CREATE INDEX airport_region ON airport(region)", e);
	if (rc == OK)
		rc = write_codes(w, e);
	if (rc == OK)
		rc = write_pages(w, e);
	if (rc == OK)
		rc = write_ranked(w, e);
	if (rc == OK)
		rc = write_tiles(w, e);
	if (rc == OK)
		rc = write_words(w, e);
	if (rc == OK)
		rc = gazetteer_build(w->db, w->load, e);
	if (rc == OK)
		rc = write_totals(w, e);
	if (rc == OK)
		rc = write_meta(w, e);
	if (rc == OK && stopped(w))
		rc = err_set(e, ERR_HUP, "stopped");
	if (rc == OK)
		rc = db_exec(w->db, "COMMIT", e);
	return rc;
}
