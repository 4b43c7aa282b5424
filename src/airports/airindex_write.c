/*
 * Airports come as an array (airindex_load.h) and are written seven times, in the forms that the
 * different searches need: by row, by code, packed in table order, packed in the order of a Hilbert
 * curve, as trigrams, as text, as places. Packing in curve order keeps the boxes of the R*Tree
 * small and its entries few: 49,000 airports are some 600 entries.
 */
#include "airports/airindex_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "airports/gazetteer_build.h"
#include "base/buf.h"
#include "base/str.h"
#include "drivers/db.h"

enum { STEP = 2000 };         /* airports between reports */

/* A search by words reads whole tables. Without a memory mapping each page is a system call; with
 * pages of 4 KiB this took up to twice as long. */
static const char schema[] =
	"PRAGMA page_size=32768; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;"
	"PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16384;"
	"BEGIN;"
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
	"CREATE TABLE airport(row INTEGER PRIMARY KEY, ident TEXT NOT NULL, name TEXT,"
	"  municipality TEXT, country TEXT, region TEXT, iata TEXT, gps TEXT, lat REAL, lon REAL,"
	"  elevation_ft REAL, longest_ft REAL, type INTEGER NOT NULL, flags INTEGER NOT NULL);"
	"CREATE TABLE code(code TEXT, kind INTEGER, rank INTEGER, row INTEGER,"
	"  PRIMARY KEY(code, kind, rank, row)) WITHOUT ROWID;"
	"CREATE TABLE page(n INTEGER PRIMARY KEY, data BLOB NOT NULL);"
	"CREATE VIRTUAL TABLE tile USING rtree(n, south, north, west, east, +data);"
	"CREATE VIRTUAL TABLE words USING fts5(ident, name, municipality, iata, content='',"
	"  columnsize=0, tokenize='trigram case_sensitive 1');"
	"CREATE TABLE short(page INTEGER PRIMARY KEY, ends BLOB NOT NULL, data BLOB NOT NULL);";

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
	static const char sql[] = "INSERT INTO airport VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
	struct db_stmt *s = db_prepare(w->db, sql, e);

	if (s == NULL)
		return e->code;
	for (size_t i = 0; i < w->load->n; i++) {
		const struct airport *a = &w->load->airports[i].a;

		db_bind_int(s, 1, a->row);
		db_bind_text(s, 2, a->ident);
		db_bind_text(s, 3, a->name);
		db_bind_text(s, 4, a->municipality);
		db_bind_text(s, 5, a->country);
		db_bind_text(s, 6, a->region);
		db_bind_text(s, 7, a->iata);
		db_bind_text(s, 8, w->load->airports[i].gps);
		db_bind_double(s, 9, a->lat);
		db_bind_double(s, 10, a->lon);
		db_bind_double(s, 11, a->elevation_ft);
		db_bind_double(s, 12, a->longest_ft);
		db_bind_int(s, 13, a->type);
		db_bind_int(s, 14, a->flags);
		if (db_run(s, e) != OK || report(w, "airports", i, e) != OK)
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
	struct db_stmt *s = db_prepare(w->db, sql, e);

	if (s == NULL)
		return e->code;
	for (size_t i = 0; i < w->load->n; i++) {
		const struct loaded *l = &w->load->airports[i];
		const char *codes[] = { l->a.ident, l->a.iata, l->gps };

		for (int kind = 0; kind < 3; kind++) {
			if (codes[kind] == NULL)
				continue;
			db_bind_text(s, 1, codes[kind]);
			db_bind_int(s, 2, kind);
			db_bind_int(s, 3, rank(l->a.type));
			db_bind_int(s, 4, l->a.row);
			if (db_run(s, e) != OK)
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
	r->longest_ft = a->longest_ft;
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
	struct db_stmt *s = db_prepare(w->db, sql, e);
	struct airrec recs[AIRRECS];

	if (s == NULL)
		return e->code;
	for (size_t i = 0; i < w->load->n; i += AIRRECS) {
		size_t n = 0;

		while (n < AIRRECS && i + n < w->load->n) {
			pack(&recs[n], &w->load->airports[i + n].a);
			n++;
		}
		db_bind_int(s, 1, (int64_t)(i / AIRRECS));
		db_bind_blob(s, 2, recs, n * sizeof(*recs));
		if (db_run(s, e) != OK)
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
	static const char sql[] = "INSERT INTO tile VALUES(?,?,?,?,?,?)";
	struct db_stmt *s = db_prepare(w->db, sql, e);
	struct airindex_spot *spots = arena_array(w->load->mem, w->load->n + 1, sizeof(*spots));
	struct airrec recs[AIRRECS];
	size_t nspots = 0;

	if (s == NULL)
		return e->code;
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
		db_bind_int(s, 1, (int64_t)(i / AIRRECS));
		db_bind_double(s, 2, south);
		db_bind_double(s, 3, north);
		db_bind_double(s, 4, west);
		db_bind_double(s, 5, east);
		db_bind_blob(s, 6, recs, n * sizeof(*recs));
		if (db_run(s, e) != OK)
			return e->code;
	}
	return OK;
}

/* Fold a text into the arena; NULL stays NULL. */
static const char *folded(struct arena *a, const char *text)
{
	return text != NULL ? str_fold(a, text) : NULL;
}

static enum errcode write_words(const struct airindex_write *w, struct err *e)
{
	static const char sql[] = "INSERT INTO words(rowid, ident, name, municipality, iata) VALUES(?,?,?,?,?)";
	static const char sql_short[] = "INSERT INTO short VALUES(?,?,?)";
	struct db_stmt *s = db_prepare(w->db, sql, e);
	struct db_stmt *sh = s != NULL ? db_prepare(w->db, sql_short, e) : NULL;
	struct arena *mem = arena_new();
	enum errcode rc = sh != NULL ? OK : e->code;
	uint32_t ends[AIRRECS];
	struct buf texts;

	buf_init(&texts, (size_t)AIRRECS * 4 * 3 * 4096);
	for (size_t i = 0; i < w->load->n && rc == OK; i++) {
		const struct airport *a = &w->load->airports[i].a;
		const char *field[] = { folded(mem, a->ident), folded(mem, a->name),
			folded(mem, a->municipality), folded(mem, a->iata) };

		db_bind_int(s, 1, a->row);
		for (int f = 0; f < 4; f++) {
			db_bind_text(s, 2 + f, field[f]);
			if (field[f] != NULL)
				buf_puts(&texts, field[f]);
			buf_putc(&texts, '\n');
		}
		ends[i % AIRRECS] = (uint32_t)texts.n;
		rc = db_run(s, e);
		if (rc == OK)
			rc = report(w, "words", i, e);
		if (rc == OK && ((i + 1) % AIRRECS == 0 || i + 1 == w->load->n)) {
			db_bind_int(sh, 1, (int64_t)(i / AIRRECS));
			db_bind_blob(sh, 2, ends, (i % AIRRECS + 1) * sizeof(*ends));
			db_bind_blob(sh, 3, texts.p, texts.n);
			rc = db_run(sh, e);
			buf_clear(&texts);
			arena_free(mem);
			mem = arena_new();
		}
	}
	buf_release(&texts);
	arena_free(mem);
	if (rc == OK)
		rc = db_exec(w->db, "INSERT INTO words(words) VALUES('optimize')", e);
	return rc;
}

static enum errcode put_meta(struct db *db, const char *key, const char *text, int64_t n,
    struct err *e)
{
	static const char sql[] = "INSERT INTO meta VALUES(?,?)";
	struct db_stmt *s = db_prepare(db, sql, e);

	if (s == NULL)
		return e->code;
	db_bind_text(s, 1, key);
	if (text != NULL)
		db_bind_text(s, 2, text);
	else
		db_bind_int(s, 2, n);
	return db_run(s, e);
}

static enum errcode write_meta(const struct airindex_write *w, struct err *e)
{
	static const struct {
		const char *key;
		unsigned flag;
	} counts[] = {
		{ "with_aip", AF_AIP }, { "with_procedures", AF_PROCEDURES },
		{ "with_fuel", AF_AVGAS_KNOWN | AF_JETA_KNOWN }, { "entries", AF_ENTRY },
	};
	if (put_meta(w->db, "version", w->version, 0, e) != OK ||
	    put_meta(w->db, "source", w->source, 0, e) != OK ||
	    put_meta(w->db, "facts", w->facts, 0, e) != OK ||
	    put_meta(w->db, "airports", NULL, (int64_t)w->load->n, e) != OK ||
	    (w->load->provenance != NULL && put_meta(w->db, "provenance", w->load->provenance, 0, e) != OK))
		return e->code;
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		int64_t n = 0;

		for (size_t i = 0; i < w->load->n; i++)
			n += (w->load->airports[i].a.flags & counts[c].flag) != 0;
		if (put_meta(w->db, counts[c].key, NULL, n, e) != OK)
			return e->code;
	}
	return OK;
}

enum errcode airindex_write(const struct airindex_write *w, struct err *e)
{
	enum errcode rc = db_exec(w->db, schema, e);

	if (rc == OK)
		rc = write_airports(w, e);
	if (rc == OK)
		rc = write_codes(w, e);
	if (rc == OK)
		rc = write_pages(w, e);
	if (rc == OK)
		rc = write_tiles(w, e);
	if (rc == OK)
		rc = write_words(w, e);
	if (rc == OK)
		rc = gazetteer_build(w->db, w->load, e);
	if (rc == OK)
		rc = write_meta(w, e);
	if (rc == OK && stopped(w))
		rc = err_set(e, ERR_HUP, "stopped");
	if (rc == OK)
		rc = db_exec(w->db, "COMMIT", e);
	return rc;
}
