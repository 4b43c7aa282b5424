/*
 * Visiting candidates: blobs of records are read whole and decoded one by one.
 *
 * Text of one and two letters, and words that many airports have ("airport"), have lists of their
 * airports. Other text is found by trigrams. The hits come in row order, so the page with one hit's
 * record usually holds the next one's too. After many hits ("airpo") the folded texts themselves are
 * searched, because trigrams would take longer.
 */
#include "airports/airindex.h"

#include <endian.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "airports/aircon.h"
#include "airports/airindex_write.h"
#include "airports/row_list.h"
#include "base/buf.h"
#include "base/str.h"

enum { NEEDLE_MAX = 200, TILES_MAX = 25600, TRIGRAM = 3, HITS_MAX = 500,
	STEPS = 4 /* pages that are cheaper to pass than to look up the next one */ };

static const char sql_pages[] = "SELECT n, data FROM page WHERE n >= ? ORDER BY n";
static const char sql_ranked[] = "SELECT data FROM ranked ORDER BY n";
static const char sql_often[] = "SELECT rows FROM often WHERE text = ?";
static const char sql_words[] = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid";
static const char sql_short[] =
	"SELECT s.ends, s.data, p.data FROM short s JOIN page p ON p.n = s.page "
	"WHERE s.page >= ? ORDER BY s.page";
static const char sql_tiles[] =
	"SELECT n, data FROM tile JOIN spot ON spot.tile = n "
	"WHERE north >= ?1 AND south <= ?2 AND east >= ?3 AND west <= ?4";
static const char sql_region[] = "SELECT row FROM airport WHERE region = ? AND row > ? ORDER BY row";
static const char sql_ident[] = "SELECT ident FROM airport WHERE row = ?";

struct visit {
	struct aircon *con;
	airport_fn *fn;
	void *arg;
	char country[3];              /* only this country, in capitals; "": all */
	struct row_list also;         /* airports that are visited whatever their country is */
	struct err *e;
};

static struct db_stmt *ask(struct visit *v, const char *sql, const struct db_value *values, size_t n)
{
	return db_query_values(aircon_db(v->con, v->e), sql, v->e, values, n);
}

/* Is it of the country, or one of the list? The records of a country come in row order. */
static bool wanted(struct visit *v, const struct airrec *packed)
{
	uint32_t row;

	if (v->country[0] == '\0' ||
	    memcmp((const char *)packed + offsetof(struct airrec, country), v->country, 2) == 0)
		return true;
	if (v->also.row == 0)
		return false;
	memcpy(&row, (const char *)packed + offsetof(struct airrec, row), sizeof(row));
	while (v->also.row < row)
		if (!row_list_next(&v->also)) {
			v->also.row = 0;
			return false;
		}
	return v->also.row == row;
}

static bool see(struct visit *v, const struct airrec *packed)
{
	struct airrec r;              /* the blob may be unaligned */
	struct db_stmt *s = NULL;
	struct airport a;
	bool more;

	if (!wanted(v, packed))
		return true;
	memcpy(&r, packed, sizeof(r));
	r.ident[sizeof(r.ident) - 1] = '\0';
	r.country[sizeof(r.country) - 1] = '\0';
	a = (struct airport){
		.row = r.row,
		.ident = r.ident,
		.country = r.country[0] != '\0' ? r.country : NULL,
		.lat = r.lat,
		.lon = r.lon,
		.elevation_ft = (double)r.elevation_ft,
		.longest_ft = (double)r.longest_ft,
		.type = r.type < TYPE__MAX ? (enum airport_type)r.type : TYPE_OTHER,
		.flags = r.flags,
	};
	if (r.ident[0] == '\0') {
		s = db_query(aircon_db(v->con, NULL), sql_ident, NULL, DB_INT(r.row));
		if (db_step(s, NULL) == DB_ROW)
			a.ident = db_text(s, 0);
	}
	more = v->fn(v->arg, &a);
	db_done(s);
	return more;
}

/* All records of a blob column; false: stop. */
static bool see_blob(struct visit *v, struct db_stmt *s, int column)
{
	const char *p = db_blob(s, column);
	size_t n = db_bytes(s, column) / sizeof(struct airrec);
	bool more = true;

	for (size_t i = 0; i < n && more; i++)
		more = see(v, (const struct airrec *)(const void *)(p + i * sizeof(struct airrec)));
	return more;
}

static enum errcode every_page(struct visit *v)
{
	struct db_stmt *s = ask(v, sql_pages, DB_VALUES(DB_INT(0)));
	enum db_step rc;

	while ((rc = db_step(s, v->e)) == DB_ROW)
		if (!see_blob(v, s, 1))
			break;
	return aircon_end(v->con, s, rc, v->e);
}

enum errcode airindex_all(struct aircon *con, airport_fn *fn, void *arg, struct err *e)
{
	struct err local;
	struct visit v = { .con = con, .fn = fn, .arg = arg, .e = e != NULL ? e : &local };

	return every_page(&v);
}

enum errcode airindex_ranked(struct aircon *con, airport_fn *fn, void *arg, struct err *e)
{
	struct err local;
	struct visit v = { .con = con, .fn = fn, .arg = arg, .e = e != NULL ? e : &local };
	struct db_stmt *s = ask(&v, sql_ranked, NULL, 0);
	enum db_step rc;

	while ((rc = db_step(s, v.e)) == DB_ROW)
		if (!see_blob(&v, s, 0))
			break;
	return aircon_end(con, s, rc, v.e);
}

static void set_country(struct visit *v, const char *country)
{
	for (int i = 0; i < 2; i++)
		v->country[i] = ascii_upper(country[i]);
}

enum errcode airindex_country(struct aircon *con, const char *country, airport_fn *fn, void *arg,
    struct err *e)
{
	struct err local;
	struct visit v = { .con = con, .fn = fn, .arg = arg, .e = e != NULL ? e : &local };

	if (country == NULL || strlen(country) != 2)
		return OK;
	set_country(&v, country);
	return every_page(&v);
}

/* The pages of rows that come in ascending order. */
struct pages {
	struct db_stmt *s;            /* at page `at`; NULL: at none */
	int64_t at;
	enum db_step rc;
	const char *data;             /* its records */
	size_t n;
};

/* Go to the page of a row and see its record. False: stop, because of the visitor or p->rc. */
static bool see_row(struct visit *v, struct pages *p, int64_t row)
{
	int64_t n = (row - 1) / AIRRECS;
	size_t i = (size_t)((row - 1) % AIRRECS);

	if (p->s == NULL || n > p->at + STEPS) {
		p->s = ask(v, sql_pages, DB_VALUES(DB_INT(n)));
		p->at = -1;
	}
	if (p->at < n) {
		while (p->at < n && (p->rc = db_step(p->s, v->e)) == DB_ROW)
			p->at = db_int_at(p->s, 0);
		p->data = p->rc == DB_ROW ? db_blob(p->s, 1) : NULL;
		p->n = p->rc == DB_ROW ? db_bytes(p->s, 1) / sizeof(struct airrec) : 0;
	}
	if (p->at != n) {
		if (p->rc != DB_FAIL)
			err_set(v->e, ERR_DATA, "the airport index has no page %lld", (long long)n);
		p->rc = DB_FAIL;
		return false;
	}
	return i >= p->n ||
	    see(v, (const struct airrec *)(const void *)(p->data + i * sizeof(struct airrec)));
}

/* Hits in row order. Reading stops after HITS_MAX of them; then *last is the last row seen, else -1. */
static enum errcode see_hits(struct visit *v, struct db_stmt *hits, int64_t *last, bool *more)
{
	struct pages pages = { .rc = DB_ROW };
	enum db_step rc = DB_ROW;
	int n = 0;

	*last = -1;
	while (*more && *last < 0 && (rc = db_step(hits, v->e)) == DB_ROW) {
		int64_t row = db_int_at(hits, 0);

		if (row < 1)
			continue;
		if (++n == HITS_MAX)
			*last = row;
		*more = see_row(v, &pages, row);
		if (pages.rc == DB_FAIL)
			return aircon_end(v->con, pages.s, DB_FAIL, v->e);
	}
	return aircon_end(v->con, pages.s, rc, v->e);
}

enum errcode airindex_region(struct aircon *con, const char *region, airport_fn *fn, void *arg,
    struct err *e)
{
	struct err local;
	struct visit v = { .con = con, .fn = fn, .arg = arg, .e = e != NULL ? e : &local };
	int64_t last = 0;
	bool more = true;

	do {
		struct db_stmt *s = ask(&v, sql_region, DB_VALUES(DB_TEXT(region), DB_INT(last)));
		enum errcode rc = see_hits(&v, s, &last, &more);

		db_done(s);
		if (rc != OK)
			return rc;
	} while (more && last > 0);
	return OK;
}

/*
 * memmem() for short needles, which libc searches byte by byte: eight bytes at a time are compared
 * with the needle's first byte and, at the right distance, with its last.
 */
static const char *find(const char *text, size_t n, const char *needle, size_t len)
{
	static const uint64_t ones = 0x0101010101010101;
	const uint64_t first = ones * (unsigned char)needle[0];
	const uint64_t last = ones * (unsigned char)needle[len - 1];
	size_t i = 0;

	for (; i + len + 7 <= n; i += 8) {
		uint64_t x, y;

		memcpy(&x, text + i, 8);
		memcpy(&y, text + i + len - 1, 8);
		x = (x ^ first) | (y ^ last);         /* zero bytes: both are equal */
		x = (x - ones) & ~x & ones << 7;      /* misses no zero byte */
		for (x = le64toh(x); x != 0; x &= x - 1) {
			const char *at = text + i + __builtin_ctzll(x) / 8;
			size_t k = 0;

			while (k < len && at[k] == needle[k])
				k++;
			if (k == len)
				return at;
		}
	}
	return memmem(text + i, n - i, needle, len);
}

/* Rows after `after`. */
static enum errcode by_texts(struct visit *v, const char *folded, int64_t after)
{
	struct db_stmt *s = ask(v, sql_short, DB_VALUES(DB_INT(after / AIRRECS)));
	size_t skip = (size_t)(after % AIRRECS), len = strlen(folded);
	enum db_step rc = DB_ROW;
	bool more = true;

	while (more && (rc = db_step(s, v->e)) == DB_ROW) {
		uint32_t ends[AIRRECS];
		const char *text = db_blob(s, 1), *recs = db_blob(s, 2), *hit;
		size_t size = db_bytes(s, 1), at = 0, i = 0, n = db_bytes(s, 0) / sizeof(*ends);
		size_t nrecs = db_bytes(s, 2) / sizeof(struct airrec);

		n = n < AIRRECS ? n : AIRRECS;
		n = n < nrecs ? n : nrecs;
		if (n > 0)
			memcpy(ends, db_blob(s, 0), n * sizeof(*ends));
		while (more && at < size && (hit = find(text + at, size - at, folded, len)) != NULL) {
			while (i < n && ends[i] <= hit - text)
				i++;
			if (i == n)
				break;
			if (i >= skip)
				more = see(v, (const struct airrec *)(const void *)
				    (recs + i * sizeof(struct airrec)));
			at = ends[i++];
		}
		skip = 0;
	}
	return aircon_end(v->con, s, rc, v->e);
}

static enum errcode by_trigrams(struct visit *v, const char *folded)
{
	struct db_stmt *s;
	struct buf phrase;
	int64_t last;
	bool more = true;
	enum errcode rc;

	buf_init(&phrase, 2 * NEEDLE_MAX + 2);
	buf_putc(&phrase, '"');
	for (const char *p = folded; *p != '\0'; p++) {
		if (*p == '"')
			buf_putc(&phrase, '"');
		buf_putc(&phrase, *p);
	}
	buf_putc(&phrase, '"');
	s = ask(v, sql_words, DB_VALUES(DB_TEXTN(phrase.p, phrase.n)));
	rc = see_hits(v, s, &last, &more);
	db_done(s);
	buf_release(&phrase);
	return rc == OK && more && last > 0 ? by_texts(v, folded, last) : rc;
}

/* The list of the airports that contain a text; false: the text has none. It lasts until `s` is done. */
static bool often(struct visit *v, const char *folded, struct db_stmt **s, struct row_list *list,
    enum errcode *rc)
{
	enum db_step step;

	*s = ask(v, sql_often, DB_VALUES(DB_TEXT(folded)));
	step = db_step(*s, v->e);
	*rc = OK;
	if (step == DB_ROW) {
		*list = row_list_of(db_blob(*s, 0), db_bytes(*s, 0));
		return true;
	}
	*rc = aircon_end(v->con, *s, step, v->e);
	*s = NULL;
	return false;
}

static enum errcode see_list(struct visit *v, struct row_list list)
{
	struct pages pages = { .rc = DB_ROW };

	while (row_list_next(&list))
		if (!see_row(v, &pages, list.row))
			break;
	return aircon_end(v->con, pages.s, pages.rc, v->e);
}

/* A text that may be looked for: no name is longer, and none contains a control character. */
static bool findable(const char *folded)
{
	size_t n = folded != NULL ? strlen(folded) : 0;

	if (n == 0 || n > NEEDLE_MAX || !utf8_valid(folded, n))
		return false;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)folded[i] < ' ')
			return false;
	return true;
}

enum errcode airindex_text(struct aircon *con, const char *folded, airport_fn *fn, void *arg,
    struct err *e)
{
	struct err local;
	struct visit v = { .con = con, .fn = fn, .arg = arg, .e = e != NULL ? e : &local };
	struct row_list list;
	struct db_stmt *s;
	enum errcode rc;

	if (!findable(folded))
		return OK;
	if (often(&v, folded, &s, &list, &rc)) {
		rc = see_list(&v, list);
		db_done(s);
		return rc;
	}
	return rc != OK || utf8_count(folded, strlen(folded)) < TRIGRAM ? rc : by_trigrams(&v, folded);
}

enum errcode airindex_code_text(struct aircon *con, const char *country, const char *folded,
    airport_fn *fn, void *arg, struct err *e)
{
	struct err local;
	struct visit v = { .con = con, .fn = fn, .arg = arg, .e = e != NULL ? e : &local };
	struct db_stmt *s = NULL;
	enum errcode rc = OK;

	set_country(&v, country);
	if (findable(folded) && often(&v, folded, &s, &v.also, &rc))
		row_list_next(&v.also);
	if (rc == OK)
		rc = every_page(&v);
	db_done(s);
	return rc;
}

static enum errcode see_tiles(struct visit *v, struct airbox b, uint8_t *seen, bool *more)
{
	struct db_stmt *s = ask(v, sql_tiles, DB_VALUES(DB_NUM(b.south), DB_NUM(b.north),
	    DB_NUM(b.west), DB_NUM(b.east)));
	enum db_step rc;

	while ((rc = db_step(s, v->e)) == DB_ROW) {
		int64_t n = db_int_at(s, 0);

		if (n < 0 || n >= TILES_MAX || seen[n / 8] & 1 << n % 8)
			continue;
		seen[n / 8] |= (uint8_t)(1 << n % 8);
		*more = see_blob(v, s, 1);
		if (!*more)
			break;
	}
	return aircon_end(v->con, s, rc, v->e);
}

enum errcode airindex_boxes(struct aircon *con, const struct airbox *boxes, size_t n,
    airport_fn *fn, void *arg, struct err *e)
{
	struct err local;
	struct visit v = { .con = con, .fn = fn, .arg = arg, .e = e != NULL ? e : &local };
	uint8_t seen[TILES_MAX / 8] = { 0 };
	enum errcode rc = OK;
	bool more = true;

	for (size_t i = 0; i < n && more && rc == OK; i++) {
		struct airbox b = boxes[i], rest;

		if (b.east - b.west >= 360) {
			b.west = -180;
			b.east = 180;
		}
		/* not by steps of 360: a large double does not change when 360 is taken from it */
		if (fabs(b.west) > 180)
			b.west = remainder(b.west, 360);
		if (fabs(b.east) > 180)
			b.east = remainder(b.east, 360);
		if (b.west <= b.east) {
			rc = see_tiles(&v, b, seen, &more);
			continue;
		}
		rest = b;
		rest.west = -180;
		b.east = 180;
		rc = see_tiles(&v, b, seen, &more);
		if (rc == OK && more)
			rc = see_tiles(&v, rest, seen, &more);
	}
	return rc;
}
