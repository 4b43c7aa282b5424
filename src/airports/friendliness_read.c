/*
 * Reading the database. Columns may be missing in a file of an older schema: they read as null. Two
 * of the three tables may be missing as well. Values out of range are counted, and the log reports them once.
 */
#include "airports/friendliness_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/db.h"

enum {
	ROWS_MAX = 200000,
	CODE_MAX = 16, WORD_MAX = 60, TEXT_MAX = 2000,      /* bytes */
	TAGS_MAX = 30, TAGS_BYTES = 16384,
};
static const double FEE_MAX = 1e6, RATING_MAX = 10, COUNT_MAX = 1e9;

struct reader {
	struct db *db;
	struct arena *mem, *scratch;
	const struct personas *personas;
	struct friendly_content *out;
	size_t nwrong;                /* values that count as not recorded … */
	char first[120];              /* … and the first of them */
	size_t nabsent;               /* columns that this schema lacks */
	const char *absent;           /* the first of them */
};

/* ---- values ------------------------------------------------------------- */

static void wrong_value(struct reader *r, const char *icao, const char *column, const char *value)
{
	if (r->nwrong++ == 0)
		snprintf(r->first, sizeof(r->first), "%.8s %.40s %.40s", icao, column, value);
}

/* A number within its bounds, else NaN. */
static double number_at(struct reader *r, struct db_stmt *s, int i, const char *icao,
    const char *column, double least, double most)
{
	double v = db_double_at(s, i);

	if (v >= least && v <= most)
		return v;
	if (!db_is_null(s, i))
		wrong_value(r, icao, column, db_text(s, i));
	return NAN;
}

/* A whole number within its bounds, else `missing`. */
static int64_t level_at(struct reader *r, struct db_stmt *s, int i, const char *icao,
    const char *column, double least, double most, int64_t missing)
{
	double v = number_at(r, s, i, icao, column, least, most);

	if (isnan(v))
		return missing;
	if (v != floor(v)) {
		wrong_value(r, icao, column, db_text(s, i));
		return missing;
	}
	return (int64_t)v;
}

static const char *text_at(struct reader *r, struct db_stmt *s, int i, size_t most)
{
	struct str t = str_trim(str_of(db_text(s, i)));

	if (t.n == 0)
		return NULL;
	return arena_strndup(r->mem, t.p, utf8_cut(t.p, t.n, most));
}

static enum amenity amenity_at(struct reader *r, struct db_stmt *s, int i, const char *icao,
    const char *column)
{
	enum { MISSING = -2 };
	int64_t v = level_at(r, s, i, icao, column, -1, 2, MISSING);

	return v == MISSING ? AMENITY_MISSING : v < 0 ? AMENITY_UNKNOWN : (enum amenity)v;
}

/* ---- airfields ---------------------------------------------------------------- */

enum { ICAO, RATING, REVIEWS, LAST_REVIEW, CURRENCY, FEES_UPDATED, IFR, HOTEL, RESTAURANT, PLAIN__MAX };

static const char *const plain[PLAIN__MAX] = {
	[ICAO] = "icao", [RATING] = "rating_avg", [REVIEWS] = "rating_count",
	[LAST_REVIEW] = "last_review_utc", [CURRENCY] = "fee_currency",
	[FEES_UPDATED] = "fee_last_updated_utc", [IFR] = "aip_ifr_available",
	[HOTEL] = "aip_hotel_info", [RESTAURANT] = "aip_restaurant_info",
};

/* The columns of the query in its order: the plain ones, the bands, the features. */
static const char *column(size_t i)
{
	if (i < PLAIN__MAX)
		return plain[i];
	i -= PLAIN__MAX;
	return i < FEE_BANDS ? fee_bands[i].column : features[i - FEE_BANDS].name;
}

/* "SELECT icao,rating_avg,NULL,…": columns that the file lacks read as null. */
static const char *query_of(struct reader *r)
{
	struct buf sql;
	const char *text;

	buf_init(&sql, 4096);
	for (size_t i = 0; i < PLAIN__MAX + FEE_BANDS + FEATURE__MAX; i++) {
		bool there = db_has_column(r->db, "main", "ga_airfield_stats", column(i));

		buf_printf(&sql, "%s%s", i == 0 ? "SELECT " : ",", there ? column(i) : "NULL");
		if (!there && r->nabsent++ == 0)
			r->absent = column(i);
	}
	buf_puts(&sql, " FROM ga_airfield_stats ORDER BY rowid");
	text = arena_strdup(r->scratch, sql.p);
	buf_release(&sql);
	return text;
}

static size_t slot_of(const struct friendly_content *c, const char *icao)
{
	size_t i = (size_t)str_hash(icao) & (c->nslots - 1);

	while (c->slot[i] != 0 && !streq(c->list[c->slot[i] - 1].icao, icao))
		i = (i + 1) & (c->nslots - 1);
	return i;
}

/* The bit of a code in the sieve, from its first four letters. */
static uint32_t sieve_bit(const char *icao)
{
	uint32_t v = 0;

	for (size_t i = 0; i < 4 && icao[i] != '\0'; i++)
		v = v << 8 | (unsigned char)icao[i];
	return (v * 2654435761U) >> 16;
}

const struct friendly *friendly_find(const struct friendly_content *c, const char *icao)
{
	const uint32_t bit = sieve_bit(icao);
	size_t i;

	if (!(c->sieve[bit / 8] & 1U << bit % 8))
		return NULL;
	i = slot_of(c, icao);

	return c->slot[i] != 0 ? &c->list[c->slot[i] - 1] : NULL;
}

/* The scores of all personas, worked out once, so that ranking only looks them up. */
static const double *scores_of(struct reader *r, const struct friendly *f)
{
	double *score = arena_array(r->mem, r->personas->n, sizeof(*score));

	for (size_t i = 0; i < r->personas->n; i++) {
		const struct persona *p = &r->personas->list[i];
		score[i] = persona_informed(p, f->feature) ? persona_score(p, f->feature) : NAN;
	}
	return score;
}

static void read_airfield(struct reader *r, struct db_stmt *s)
{
	struct friendly_content *c = r->out;
	struct friendly *f = &c->list[c->n];
	struct str code = str_trim(str_of(db_text(s, ICAO)));
	char *icao = str_upper_copy(r->mem, code.p, code.n <= CODE_MAX ? code.n : 0);
	size_t slot;

	if (*icao == '\0' || c->slot[slot = slot_of(c, icao)] != 0)
		return;
	*f = (struct friendly){
		.icao = icao,
		.rating = number_at(r, s, RATING, icao, plain[RATING], 0, RATING_MAX),
		.reviews = level_at(r, s, REVIEWS, icao, plain[REVIEWS], 0, COUNT_MAX, 0),
		.last_review = text_at(r, s, LAST_REVIEW, WORD_MAX),
		.currency = text_at(r, s, CURRENCY, WORD_MAX),
		.fees_updated = text_at(r, s, FEES_UPDATED, WORD_MAX),
		.ifr = (int)level_at(r, s, IFR, icao, plain[IFR], 0, 4, 0),
		.hotel = amenity_at(r, s, HOTEL, icao, plain[HOTEL]),
		.restaurant = amenity_at(r, s, RESTAURANT, icao, plain[RESTAURANT]),
	};
	for (size_t i = 0; i < FEE_BANDS; i++)
		f->fee[i] = number_at(r, s, (int)(PLAIN__MAX + i), icao, fee_bands[i].column, 0, FEE_MAX);
	for (size_t i = 0; i < FEATURE__MAX; i++)
		f->feature[i] = number_at(r, s, (int)(PLAIN__MAX + FEE_BANDS + i), icao,
		    features[i].name, 0, 1);
	f->score = scores_of(r, f);
	c->slot[slot] = (uint32_t)++c->n;
	c->sieve[sieve_bit(icao) / 8] |= (uint8_t)(1U << sieve_bit(icao) % 8);
}

static enum errcode read_airfields(struct reader *r, struct err *e)
{
	struct friendly_content *c = r->out;
	int64_t n = db_int(r->db, "SELECT count(*) FROM ga_airfield_stats", 0);
	struct db_stmt *s;
	enum db_step rc;

	if (!db_has_column(r->db, "main", "ga_airfield_stats", "icao"))
		return err_set(e, ERR_DATA, "there is no table ga_airfield_stats with a column icao");
	if (n > ROWS_MAX)
		return err_set(e, ERR_DATA, "ga_airfield_stats has %lld rows; at most %d are read",
		    (long long)n, ROWS_MAX);
	c->list = arena_array(r->mem, (size_t)n + 1, sizeof(*c->list));
	for (c->nslots = 16; c->nslots < 2 * (size_t)n; c->nslots *= 2)
		;
	c->slot = arena_array(r->mem, c->nslots, sizeof(*c->slot));
	s = db_prepare(r->db, query_of(r), e);
	if (s == NULL)
		return e->code;
	while ((rc = db_step(s, e)) == DB_ROW && c->n < (size_t)n)
		read_airfield(r, s);
	return db_end(s, rc, e);
}

/* ---- texts ------------------------------------------------------------------------ */

static struct friendly *record_at(struct reader *r, struct db_stmt *s)
{
	struct str code = str_trim(str_of(db_text(s, 0)));
	const char *icao = str_upper_copy(r->scratch, code.p, code.n <= CODE_MAX ? code.n : 0);
	size_t slot = slot_of(r->out, icao);

	return r->out->slot[slot] != 0 ? &r->out->list[r->out->slot[slot] - 1] : NULL;
}

static void read_tags(struct reader *r, struct friendly *f, const char *json)
{
	struct arena *a = arena_new();
	struct json_object *list = NULL;
	const char **tags = arena_array(r->mem, TAGS_MAX, sizeof(*tags));
	size_t bytes = strlen(json);
	struct err why;

	if (bytes > TAGS_BYTES || jsn_parse(a, json, bytes, JSN_DEPTH, &list, NULL, &why) != OK ||
	    !jsn_is(list, json_type_array))
		wrong_value(r, f->icao, "tags_json", json);
	for (size_t i = 0; i < jsn_len(list) && f->ntags < TAGS_MAX; i++) {
		struct json_object *tag = jsn_at(list, i);
		size_t n = jsn_is(tag, json_type_string) ? (size_t)json_object_get_string_len(tag) : 0;

		if (n > 0 && n <= WORD_MAX)
			tags[f->ntags++] = arena_strdup(r->mem, json_object_get_string(tag));
	}
	f->tags = tags;
	arena_free(a);
}

static void read_review(struct reader *r, struct friendly *f, struct db_stmt *s)
{
	const char *tags = db_text(s, 2);

	f->summary = text_at(r, s, 1, TEXT_MAX);
	if (tags != NULL && *tags != '\0')
		read_tags(r, f, tags);
}

static void read_hassle(struct reader *r, struct friendly *f, struct db_stmt *s)
{
	f->hassle = text_at(r, s, 1, WORD_MAX);
}

/* Read a table that may be missing. Its first column is the airfield's code. A row whose airfield is
 * not in ga_airfield_stats is skipped. */
static enum errcode read_extra(struct reader *r, const char *sql,
    void (*read)(struct reader *r, struct friendly *f, struct db_stmt *s), struct err *e)
{
	struct db_stmt *s = db_prepare(r->db, sql, e);
	enum db_step rc;

	if (s == NULL)
		return e->code;
	while ((rc = db_step(s, e)) == DB_ROW) {
		struct friendly *f = record_at(r, s);
		if (f != NULL)
			read(r, f, s);
	}
	return db_end(s, rc, e);
}

/* ---- the whole ----------------------------------------------------------------------- */

static const struct {
	const char *table, *column;   /* both must be there */
	const char *sql;
	void (*read)(struct reader *r, struct friendly *f, struct db_stmt *s);
} extras[] = {
	{ "ga_review_summary", "tags_json",
	  "SELECT icao, summary_text, tags_json FROM ga_review_summary", read_review },
	{ "ga_aip_rule_summary", "hassle_level",
	  "SELECT icao, hassle_level FROM ga_aip_rule_summary", read_hassle },
};

static void tell(const struct reader *r)
{
	if (r->nabsent > 0)
		log_msg(LOG_WARN, "friendliness", "older_schema=1 columns_missing=%zu first=%s", r->nabsent,
		    r->absent);
	if (r->nwrong > 0)
		log_msg(LOG_WARN, "friendliness", "values_not_usable=%zu first=\"%s\" taken_as=\"not recorded\"",
		    r->nwrong, r->first);
}

enum errcode friendliness_read(void *self, struct db *db, struct arena *mem,
    struct fact_content **out, struct err *e)
{
	struct friendly_content *c = arena_alloc(mem, sizeof(*c));
	struct reader r = { .db = db, .mem = mem, .scratch = arena_new(), .personas = self, .out = c };
	enum errcode rc = read_airfields(&r, e);

	for (size_t i = 0; rc == OK && i < sizeof(extras) / sizeof(extras[0]); i++)
		if (db_has_column(db, "main", extras[i].table, extras[i].column))
			rc = read_extra(&r, extras[i].sql, extras[i].read, e);
	if (rc == OK)
		tell(&r);
	arena_free(r.scratch);
	*out = &c->content;
	return rc;
}
