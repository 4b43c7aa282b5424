/*
 * Details of one airport, which stay in the source.
 *
 * The tables and columns that every euro_aip database has are checked when its index is built. The
 * others are found by their names; their facts count as not recorded if they are not there.
 */
#include "airports/airdb.h"

#include <math.h>
#include <string.h>

#include "airports/aircon.h"
#include "airports/airport_parts.h"
#include "base/str.h"

enum { ICAO_LENGTH = 4 };

/* First the columns that every database has, then all columns, in which the others are found by name. */
static const char sql_runways[] =
	"SELECT le_ident, he_ident, length_ft, width_ft, surface, lighted, closed, * "
	"FROM src.runways WHERE airport_icao = ? ORDER BY rowid";
static const char sql_aip[] =
	"SELECT section, field, value, std_field, std_field_id, * "
	"FROM src.aip_entries WHERE airport_icao = ? ORDER BY rowid";
static const char sql_procedures[] =
	"SELECT * FROM src.procedures WHERE airport_icao = ? ORDER BY rowid";
static const char sql_record[] = "SELECT * FROM src.airports WHERE icao_code = ?";
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
	struct runway *r = runway_add(list->mem, list->rows, &list->n, s, 0);

	if (r != NULL)
		runway_add_more(list->mem, r, s);
}

static void add_aip(struct part_list *list, struct db_stmt *s)
{
	struct aip_entry *entry = aip_add(list->mem, list->rows, &list->n, s, 0);

	if (entry != NULL)
		aip_add_more(list->mem, entry, s);
}

static void add_procedure(struct part_list *list, struct db_stmt *s)
{
	procedure_add(list->mem, list->rows, &list->n, s);
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
	const enum errcode rc = read_parts(con, sql_runways, ident, add_runway, &list, e);

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
	const enum errcode rc = read_parts(con, sql_procedures, ident, add_procedure, &list, e);

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

enum errcode airdb_record(struct aircon *con, struct arena *a, const char *ident,
    struct airport_record *out, struct err *e)
{
	struct db_stmt *s = db_query(aircon_db(con, e), sql_record, e, DB_TEXT(ident));
	const enum db_step step = db_step(s, e);

	*out = (struct airport_record){ .type = NULL };
	if (step == DB_ROW)
		*out = (struct airport_record){
			.type = part_named(a, s, "type"),
			.continent = part_named(a, s, "continent"),
			.scheduled_service = part_named(a, s, "scheduled_service"),
			.gps_code = part_named(a, s, "gps_code"),
			.iata_code = part_named(a, s, "iata_code"),
			.local_code = part_named(a, s, "local_code"),
			.home_link = part_named(a, s, "home_link"),
			.wikipedia_link = part_named(a, s, "wikipedia_link"),
			.keywords = part_named(a, s, "keywords"),
			.sources = part_named(a, s, "sources"),
			.created = part_named(a, s, "created_at"),
			.updated = part_named(a, s, "updated_at"),
		};
	return db_end(s, step, e);
}
