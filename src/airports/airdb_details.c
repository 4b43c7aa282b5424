/*
 * Details of one airport, which stay in the source.
 *
 * The tables and columns that every euro_aip database has are checked when its index is built. For
 * the others a look-up asks SQLite whether they are there, and reads nothing if they are not.
 */
#include "airports/airdb.h"

#include <math.h>
#include <string.h>

#include "airports/aircon.h"
#include "airports/airport_parts.h"
#include "base/str.h"

enum { ICAO_LENGTH = 4 };

#define END(e) e "_latitude_deg, " e "_longitude_deg, " e "_elevation_ft, " e "_heading_degT, " \
	e "_displaced_threshold_ft"
#define RUNWAYS(columns) "SELECT le_ident, he_ident, length_ft, width_ft, surface, lighted, closed" \
	columns " FROM src.runways WHERE airport_icao = ? ORDER BY rowid"
enum { RUNWAY_COLUMNS = 7 };

static const char sql_runways[] = RUNWAYS("");
static const char sql_runways_ends[] = RUNWAYS(", " END("le") ", " END("he"));
static const char sql_aip[] =
	"SELECT section, field, value, std_field, std_field_id "
	"FROM src.aip_entries WHERE airport_icao = ? ORDER BY rowid";
#define PROCEDURES(approach, runway) "SELECT name, procedure_type, " approach ", " runway \
	" FROM src.procedures WHERE airport_icao = ? GROUP BY name, procedure_type ORDER BY min(rowid)"
static const char sql_procedures[] = PROCEDURES("NULL", "NULL");
static const char sql_procedures_runway[] = PROCEDURES("max(approach_type)", "max(runway_ident)");
static const char sql_frequencies[] =
	"SELECT type, description, frequency_mhz FROM src.frequencies WHERE airport_icao = ? "
	"ORDER BY rowid";
static const char sql_codes[] =
	"SELECT gps_code, iata_code, local_code, home_link FROM src.airports WHERE icao_code = ?";

bool source_has(struct aircon *con, const char *table, const char *column, struct err *e)
{
	struct db *db = aircon_db(con, e);

	return db != NULL && db_has_column(db, "src", table, column);
}

/* What a look-up fills: n elements of PARTS_MAX. */
struct part_list {
	struct arena *mem;
	void *rows;
	size_t n;
};
typedef void add_fn(struct part_list *list, struct db_stmt *s);

static enum errcode read_parts(struct aircon *con, const char *sql, const char *ident, add_fn *add,
    struct part_list *list, struct err *e)
{
	struct db_stmt *s = db_query(aircon_db(con, e), sql, e, DB_TEXT(ident));
	enum db_step rc;

	while ((rc = db_step(s, e)) == DB_ROW)
		add(list, s);
	return db_end(s, rc, e);
}

static void add_runway(struct part_list *list, struct db_stmt *s)
{
	(void)runway_add(list->mem, list->rows, &list->n, s, 0);
}

static void add_runway_ends(struct part_list *list, struct db_stmt *s)
{
	struct runway *r = runway_add(list->mem, list->rows, &list->n, s, 0);

	if (r != NULL)
		runway_add_ends(r, s, RUNWAY_COLUMNS);
}

static void add_aip(struct part_list *list, struct db_stmt *s)
{
	aip_add(list->mem, list->rows, &list->n, s, 0);
}

static void add_procedure(struct part_list *list, struct db_stmt *s)
{
	struct procedure *v = list->rows;

	if (list->n < PARTS_MAX)
		v[list->n++] = (struct procedure){ part_copy(list->mem, s, 0),
			part_copy(list->mem, s, 1), part_copy(list->mem, s, 2), part_copy(list->mem, s, 3) };
}

/* A row without a frequency tells nothing. */
static void add_frequency(struct part_list *list, struct db_stmt *s)
{
	struct frequency *v = list->rows;
	double mhz = db_double_at(s, 2);

	if (list->n < PARTS_MAX && mhz > 0)
		v[list->n++] = (struct frequency){ part_copy(list->mem, s, 0),
			part_copy(list->mem, s, 1), mhz };
}

enum errcode airdb_runways(struct aircon *con, struct arena *a, const char *ident,
    struct runway **out, size_t *n, struct err *e)
{
	struct part_list list = { a, arena_array(a, PARTS_MAX, sizeof(**out)), 0 };
	const bool ends = source_has(con, "runways", "he_heading_degT", e);
	const enum errcode rc = read_parts(con, ends ? sql_runways_ends : sql_runways, ident,
	    ends ? add_runway_ends : add_runway, &list, e);

	*out = list.rows;
	*n = list.n;
	return rc;
}

enum errcode airdb_aip(struct aircon *con, struct arena *a, const char *ident,
    struct aip_entry **out, size_t *n, struct err *e)
{
	struct part_list list = { a, arena_array(a, PARTS_MAX, sizeof(**out)), 0 };
	enum errcode rc = read_parts(con, sql_aip, ident, add_aip, &list, e);

	*out = list.rows;
	*n = list.n;
	return rc;
}

enum errcode airdb_procedures(struct aircon *con, struct arena *a, const char *ident,
    struct procedure **out, size_t *n, struct err *e)
{
	struct part_list list = { a, arena_array(a, PARTS_MAX, sizeof(**out)), 0 };
	const bool runway = source_has(con, "procedures", "runway_ident", e);
	const enum errcode rc = read_parts(con, runway ? sql_procedures_runway : sql_procedures, ident,
	    add_procedure, &list, e);

	*out = list.rows;
	*n = list.n;
	return rc;
}

enum errcode airdb_frequencies(struct aircon *con, struct arena *a, const char *ident,
    struct frequency **out, size_t *n, struct err *e)
{
	struct part_list list = { a, arena_array(a, PARTS_MAX, sizeof(**out)), 0 };
	enum errcode rc = OK;

	if (source_has(con, "frequencies", "frequency_mhz", e))
		rc = read_parts(con, sql_frequencies, ident, add_frequency, &list, e);
	*out = list.rows;
	*n = list.n;
	return rc;
}

/* Four capitals. */
static bool icao_like(const char *s)
{
	size_t n = 0;

	while (s != NULL && s[n] >= 'A' && s[n] <= 'Z')
		n++;
	return n == ICAO_LENGTH && s[n] == '\0';
}

enum errcode airdb_codes(struct aircon *con, struct arena *a, const char *ident,
    struct airport_codes *out, struct err *e)
{
	*out = (struct airport_codes){ .icao = icao_like(ident) ? ident : NULL };
	if (!source_has(con, "airports", "local_code", e))
		return OK;
	struct db_stmt *s = db_query(aircon_db(con, e), sql_codes, e, DB_TEXT(ident));
	enum db_step step = db_step(s, e);
	if (step == DB_ROW) {
		if (out->icao == NULL && icao_like(part_text(s, 0)))
			out->icao = part_copy(a, s, 0);
		out->iata = part_copy(a, s, 1);
		out->local = part_copy(a, s, 2);
		out->home_link = part_copy(a, s, 3);
	}
	return db_end(s, step, e);
}
