/*
 * Look-ups by code and by row.
 */
#include "airports/airdb.h"

#include <math.h>
#include <string.h>

#include "airports/aircon.h"
#include "base/str.h"

enum { CODE_MAX = 64 };

#define AIRPORT_COLUMNS \
	"a.row, a.ident, a.name, a.municipality, a.country, a.region, a.iata, a.lat, a.lon, " \
	"a.elevation_ft, a.longest_ft, a.type, a.flags, a.runways, a.procedures, a.entries"

static const char sql_code[] =
	"SELECT " AIRPORT_COLUMNS " FROM code c JOIN airport a ON a.row = c.row WHERE c.code = ? "
	"ORDER BY c.kind, c.rank, c.row LIMIT 1";
/* U+00FF stands for whatever follows the prefix: codes are ASCII. */
static const char sql_idents[] =
	"SELECT code FROM code WHERE code >= ?1 AND code < ?1 || char(255) AND kind = 0 AND length(code) = 4 "
	"ORDER BY code LIMIT ?2";
static const char sql_row[] = "SELECT " AIRPORT_COLUMNS " FROM airport a WHERE a.row = ?";
static const char sql_meta[] = "SELECT key, value FROM meta";

static void read_airport(struct arena *mem, struct db_stmt *s, struct airport *a)
{
	*a = (struct airport){
		.row = db_int_at(s, 0),
		.ident = arena_strdup(mem, db_text(s, 1)),
		.name = arena_strdup(mem, db_text(s, 2)),
		.municipality = arena_strdup(mem, db_text(s, 3)),
		.country = arena_strdup(mem, db_text(s, 4)),
		.region = arena_strdup(mem, db_text(s, 5)),
		.iata = arena_strdup(mem, db_text(s, 6)),
		.lat = db_double_at(s, 7),
		.lon = db_double_at(s, 8),
		.elevation_ft = db_double_at(s, 9),
		.longest_ft = db_double_at(s, 10),
		.type = (enum airport_type)db_int_at(s, 11),
		.flags = (unsigned)db_int_at(s, 12),
		.nrunways = (int)db_int_at(s, 13),
		.nprocedures = (int)db_int_at(s, 14),
		.nentries = (int)db_int_at(s, 15),
	};
	if ((unsigned)a->type >= TYPE__MAX)
		a->type = TYPE_OTHER;
}

enum errcode airdb_by_code(struct aircon *con, struct arena *a, const char *code,
    struct airport *out, bool *found, struct err *e)
{
	struct str s = str_trim(str_of(code));
	struct db_stmt *st;
	char key[CODE_MAX];
	enum db_step rc;

	*found = false;
	if (s.n == 0 || s.n >= sizeof(key))
		return OK;
	for (size_t i = 0; i < s.n; i++)
		key[i] = ascii_upper(s.p[i]);
	key[s.n] = '\0';
	st = db_query(aircon_db(con, e), sql_code, e, DB_TEXTN(key, s.n));
	rc = db_step(st, e);
	*found = rc == DB_ROW;
	if (*found)
		read_airport(a, st, out);
	return aircon_end(con, st, rc, e);
}

enum errcode airdb_idents(struct aircon *con, struct arena *a, const char *prefix, size_t max,
    const char ***out, size_t *n, struct err *e)
{
	const char *upper = str_upper_copy(a, prefix, strnlen(prefix, CODE_MAX));
	struct db_stmt *s = db_query(aircon_db(con, e), sql_idents, e, DB_TEXT(upper), DB_INT((int64_t)max));
	enum db_step rc;

	*out = arena_array(a, max + 1, sizeof(**out));
	*n = 0;
	while ((rc = db_step(s, e)) == DB_ROW && *n < max)
		(*out)[(*n)++] = arena_strdup(a, db_text(s, 0));
	return aircon_end(con, s, rc, e);
}

enum errcode airdb_by_rows(struct aircon *con, struct arena *a, const int64_t *rows, size_t n,
    struct airport *out, struct err *e)
{
	struct db *db = aircon_db(con, e);
	enum errcode rc = OK;

	for (size_t i = 0; i < n && rc == OK; i++) {
		struct db_stmt *s = db_query(db, sql_row, e, DB_INT(rows[i]));
		enum db_step step = db_step(s, e);

		if (step == DB_ROW)
			read_airport(a, s, &out[i]);
		else if (step == DB_END)
			err_set(e, ERR_DATA, "the airport index has no row %lld", (long long)rows[i]);
		rc = aircon_end(con, s, step == DB_ROW ? step : DB_FAIL, e);
	}
	return rc;
}

enum errcode airdb_facts(struct aircon *con, struct arena *a, struct airdb_facts *out,
    struct err *e)
{
	struct db_stmt *s = db_prepare(aircon_db(con, e), sql_meta, e);
	enum db_step rc;

	*out = (struct airdb_facts){ 0 };
	while ((rc = db_step(s, e)) == DB_ROW) {
		const char *key = db_text(s, 0);

		if (streq(key, "airports"))
			out->airports = db_int_at(s, 1);
		else if (streq(key, "with_aip"))
			out->with_aip = db_int_at(s, 1);
		else if (streq(key, "with_procedures"))
			out->with_procedures = db_int_at(s, 1);
		else if (streq(key, "with_fuel"))
			out->with_fuel = db_int_at(s, 1);
		else if (streq(key, "entries"))
			out->entries = db_int_at(s, 1);
		else if (streq(key, "listed_entries"))
			out->listed_entries = db_int_at(s, 1);
		else if (streq(key, "provenance"))
			out->provenance = arena_strdup(a, db_text(s, 1));
	}
	return aircon_end(con, s, rc, e);
}
