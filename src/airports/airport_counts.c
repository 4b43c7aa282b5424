/*
 * One look at each airport of the index. It takes a few milliseconds for the whole world, and only
 * the older tools need it.
 */
#include "airports/airport_counts.h"

#include "airports/aircon.h"

static const char sql_flags[] =
	"SELECT flags, type FROM airport WHERE ?1 IS NULL OR country = ?1";
static const char sql_entries[] =
	"SELECT row, flags, type FROM airport WHERE (?1 IS NULL OR country = ?1) AND flags & ?2 "
	"ORDER BY country, row";

/* The same airports as in searches (search_candidates.c). */
static bool counts(const struct aircon *con, int64_t flags, int64_t type)
{
	return ((flags & AF_ICAO4) || aircon_all_idents(con)) && type != TYPE_CLOSED &&
	    type != TYPE_HELIPORT && type != TYPE_BALLOON;
}

enum errcode airport_count(struct aircon *con, const char *country, struct airport_counts *out,
    struct err *e)
{
	struct db_stmt *s = db_query(aircon_db(con, e), sql_flags, e, DB_TEXT(country));
	enum db_step rc;

	*out = (struct airport_counts){ 0 };
	while ((rc = db_step(s, e)) == DB_ROW) {
		const int64_t f = db_int_at(s, 0);

		if (!counts(con, f, db_int_at(s, 1)))
			continue;
		out->airports++;
		out->entries += (f & AF_ENTRY) != 0;
		out->procedures += (f & AF_PROCEDURES) != 0;
		out->aip += (f & AF_AIP) != 0;
		out->hard += (f & AF_HARD) != 0;
		out->lighted += (f & AF_LIGHTED) != 0;
		out->fuel_known += (f & (AF_AVGAS_KNOWN | AF_JETA_KNOWN)) != 0;
		out->avgas += (f & AF_AVGAS) != 0;
		out->jeta += (f & AF_JETA) != 0;
	}
	return aircon_end(con, s, rc, e);
}

enum errcode airport_entries(struct aircon *con, struct arena *a, const char *country, size_t max,
    struct airport **out, size_t *n, size_t *total, struct err *e)
{
	struct db_stmt *s = db_query(aircon_db(con, e), sql_entries, e, DB_TEXT(country),
	    DB_INT(AF_ENTRY));
	int64_t *rows = arena_array(a, max, sizeof(*rows));
	enum db_step step;
	enum errcode rc;

	*n = *total = 0;
	while ((step = db_step(s, e)) == DB_ROW) {
		if (!counts(con, db_int_at(s, 1), db_int_at(s, 2)))
			continue;
		if (*n < max)
			rows[(*n)++] = db_int_at(s, 0);
		++*total;
	}
	rc = aircon_end(con, s, step, e);
	*out = arena_array(a, *n, sizeof(**out));
	return rc == OK ? airdb_by_rows(con, a, rows, *n, *out, e) : rc;
}
