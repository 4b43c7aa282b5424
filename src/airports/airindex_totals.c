/*
 * The source is reduced to a few tables of the connection, in which each part of an airport stands once, as details
 * show it. Then each piece is one query, whose rows become JSON with the names of its columns; a document is a text
 * with pieces in it. To add a document, add a row.
 *
 * All is done twice: for the airports that searches show, and for those that they show with airports.all_idents.
 */
#include "airports/airindex_totals.h"

#include <stdlib.h>
#include <string.h>

#include "airports/countries.h"
#include "airports/search_candidates.h"
#include "base/buf.h"
#include "base/jsn_put.h"
#include "base/str.h"
#include "drivers/db.h"

enum { TEXT_MAX = 8 << 20, COUNTRIES_MAX = 1000 };

/* ---- the tables -------------------------------------------------------------------------- */

static const char sql_begin[] =
	"PRAGMA temp_store=MEMORY;"      /* a worker may have no folder for temporary files */
	"CREATE TEMP TABLE shown(ident TEXT PRIMARY KEY, country TEXT, placed INTEGER, entry INTEGER) WITHOUT ROWID;"
	"BEGIN";
static const char sql_show[] = "INSERT OR IGNORE INTO temp.shown VALUES(?,?,?,?)";
static const char sql_end[] = "DROP TABLE temp.shown; DROP TABLE temp.procs; DROP TABLE temp.aip; "
	"DROP TABLE temp.rwys; DROP TABLE temp.names; DROP TABLE temp.borders; DROP TABLE temp.times";

/* In SQL: a text, or NULL if it is empty or "nan"; the largest number above 0, or NULL. */
#define KNOWN(text) "nullif(CASE WHEN lower(" text ") = 'nan' THEN '' ELSE " text " END, '')"
#define NUMBER(v) "max(CASE WHEN typeof(" v ") IN ('integer', 'real') AND " v " > 0 THEN " v " END)"

#define PROCEDURES(approach) "CREATE TEMP TABLE procs AS SELECT p.airport_icao AS ident, " \
	"lower(" KNOWN("p.procedure_type") ") AS type, upper(" KNOWN("max(" approach ")") ") AS approach " \
	"FROM main.procedures p JOIN temp.shown s ON s.ident = p.airport_icao " \
	"GROUP BY p.airport_icao, p.name, p.procedure_type"
#define ENTRIES(source) "CREATE TEMP TABLE aip AS SELECT a.airport_icao AS ident, " KNOWN("a.section") " AS section, " \
	KNOWN("max(a.std_field)") " AS field, " KNOWN("max(" source ")") " AS source " \
	"FROM main.aip_entries a JOIN temp.shown s ON s.ident = a.airport_icao " \
	"GROUP BY a.airport_icao, a.section, a.field"
#define BORDERS(country, source) "CREATE TEMP TABLE borders AS SELECT " country " AS country, " \
	"coalesce(" KNOWN(source) ", 'unknown') AS source, " KNOWN("matched_airport_icao") " AS matched " \
	"FROM main.border_crossing_points"
#define TIMES(created, updated) "CREATE TEMP TABLE times AS SELECT " created " AS created, " updated \
	" AS updated FROM main.airports"

static const char sql_runways[] =
	"CREATE TEMP TABLE rwys AS SELECT r.airport_icao AS ident, " NUMBER("r.length_ft") " AS length, "
	NUMBER("r.width_ft") " AS width, lower(" KNOWN("max(r.surface)") ") AS surface, max(r.lighted) AS lighted "
	"FROM main.runways r JOIN temp.shown s ON s.ident = r.airport_icao "
	"GROUP BY r.airport_icao, r.le_ident, r.he_ident";
/* `sources` holds names separated by commas. */
static const char sql_names[] =
	"CREATE TEMP TABLE names AS WITH RECURSIVE part(ident, one, rest) AS ("
	"SELECT a.icao_code, '', a.sources || ',' FROM main.airports a JOIN temp.shown s ON s.ident = a.icao_code "
	"WHERE a.sources <> '' UNION ALL "
	"SELECT ident, trim(substr(rest, 1, instr(rest, ',') - 1)), substr(rest, instr(rest, ',') + 1) "
	"FROM part WHERE rest <> '') SELECT DISTINCT ident, one AS source FROM part WHERE one <> ''";

/* The columns that a database may lack, and the tables without them. */
static const struct {
	const char *table, *column, *other;   /* other NULL: one column */
	const char *with, *without;
} made[] = {
	{ "procedures", "approach_type", NULL, PROCEDURES("p.approach_type"), PROCEDURES("NULL") },
	{ "aip_entries", "source", NULL, ENTRIES("a.source"), ENTRIES("NULL") },
	{ "border_crossing_points", "country_iso", "source", BORDERS("country_iso", "source"), BORDERS("NULL", "NULL") },
	{ "airports", "created_at", "updated_at", TIMES("min(created_at)", "max(updated_at)"), TIMES("NULL", "NULL") },
	{ "airports", "sources", NULL, sql_names, "CREATE TEMP TABLE names(ident, source)" },
	{ "runways", "le_ident", NULL, sql_runways, sql_runways },
};

/* ---- the pieces ---------------------------------------------------------------------------- */

enum piece_shape {
	PIECE_LIST,                   /* [{"column": …}, …] */
	PIECE_NAMES,                  /* ["…", …]: the first column */
	PIECE_MAP,                    /* {"first column": second, …} */
	PIECE_MEMBERS,                /* "column": … of one row, without braces */
	PIECE_COUNTRIES,              /* the list of countries, in the order of the original */
};

#define COUNTED(column, table) "SELECT " column ", count(*) AS count FROM temp." table " WHERE " column \
	" IS NOT NULL GROUP BY " column " ORDER BY " column
#define RANGE(column) "SELECT min(" column ") AS min, max(" column ") AS max, avg(" column ") AS average, count(" \
	column ") AS count FROM temp.rwys"
#define SHARE(count) "SELECT n AS count, round(100.0 * n / max(of, 1), 1) AS percentage FROM (SELECT " count \
	" AS n, (SELECT count(*) FROM temp.shown) AS of)"
#define AIRPORTS_IN(table) "(SELECT count(DISTINCT ident) FROM temp." table ")"
#define ROWS_IN(table) "(SELECT count(*) FROM temp." table ")"
#define EACH(table) "LEFT JOIN (SELECT ident, count(*) AS n FROM temp." table " GROUP BY ident) "

static const struct airindex_piece {
	const char *name;
	enum piece_shape shape;
	const char *sql;
} pieces[] = {
	{ "countries", PIECE_COUNTRIES, COUNTED("country", "shown") },
	{ "procedure_types", PIECE_LIST, COUNTED("type", "procs") },
	{ "procedure_map", PIECE_MAP, COUNTED("type", "procs") },
	{ "approach_types", PIECE_LIST, "SELECT approach AS type, count(*) AS count FROM temp.procs "
	    "WHERE type = 'approach' AND approach IS NOT NULL GROUP BY 1 ORDER BY 1" },
	{ "approach_map", PIECE_MAP, COUNTED("approach", "procs") },
	{ "procedures", PIECE_MEMBERS, "SELECT " ROWS_IN("procs") " AS total_procedures, " AIRPORTS_IN("procs")
	    " AS airports_with_procedures" },
	{ "procedure_mean", PIECE_MEMBERS, "SELECT round(1.0 * " ROWS_IN("procs") " / max(" ROWS_IN("shown")
	    ", 1), 4) AS average_procedures_per_airport" },
	{ "aip_sections", PIECE_LIST, COUNTED("section", "aip") },
	{ "aip_fields", PIECE_LIST, COUNTED("field", "aip") },
	{ "aip_sources", PIECE_LIST, COUNTED("source", "aip") },
	{ "sources", PIECE_LIST, COUNTED("source", "names") },
	{ "source_names", PIECE_NAMES, "SELECT DISTINCT source FROM temp.names ORDER BY 1" },
	{ "lengths", PIECE_MEMBERS, RANGE("length") },
	{ "widths", PIECE_MEMBERS, RANGE("width") },
	{ "length_classes", PIECE_LIST, "SELECT category, count(*) AS count, "
	    "round(100.0 * count(*) / (SELECT count(length) FROM temp.rwys), 1) AS percentage FROM (SELECT CASE "
	    "WHEN length < 3000 THEN 'Short (< 3000 ft)' WHEN length < 6000 THEN 'Medium (3000-6000 ft)' "
	    "WHEN length < 9000 THEN 'Long (6000-9000 ft)' ELSE 'Very Long (> 9000 ft)' END AS category, length "
	    "FROM temp.rwys WHERE length IS NOT NULL) GROUP BY category ORDER BY min(length)" },
	{ "surfaces", PIECE_LIST, COUNTED("surface", "rwys") },
	{ "lighting", PIECE_LIST, "SELECT CASE WHEN lighted <> 0 THEN 'lighted' ELSE 'unlighted' END AS lighting, "
	    "count(*) AS count FROM temp.rwys WHERE lighted IS NOT NULL GROUP BY 1 ORDER BY 1" },
	{ "borders", PIECE_MEMBERS, "SELECT count(*) AS total_entries, count(DISTINCT country) AS countries_count, "
	    "count(matched) AS matched_count, count(*) - count(matched) AS unmatched_count, "
	    "round(1.0 * count(matched) / max(count(*), 1), 4) AS match_rate FROM temp.borders" },
	{ "border_sources", PIECE_MAP, COUNTED("source", "borders") },
	{ "border_countries", PIECE_MAP, COUNTED("country", "borders") },
	{ "overview", PIECE_MEMBERS, "SELECT " ROWS_IN("shown") " AS total_airports, " AIRPORTS_IN("rwys")
	    " AS airports_with_runways, " AIRPORTS_IN("procs") " AS airports_with_procedures, " AIRPORTS_IN("aip")
	    " AS airports_with_aip_data, (SELECT coalesce(sum(entry), 0) FROM temp.shown) AS airports_with_border_crossing, "
	    ROWS_IN("rwys") " AS total_runways, " ROWS_IN("procs") " AS total_procedures, " ROWS_IN("aip")
	    " AS total_aip_entries, " ROWS_IN("borders") " AS total_border_crossing_points" },
	{ "times", PIECE_MEMBERS, "SELECT created AS created_at, updated AS updated_at FROM temp.times" },
	{ "by_country", PIECE_LIST, "SELECT coalesce(s.country, 'Unknown') AS country, count(*) AS total_airports, "
	    "count(p.n) AS airports_with_procedures, count(r.n) AS airports_with_runways, "
	    "count(a.n) AS airports_with_aip_data, sum(s.entry) AS border_crossing_airports, "
	    "coalesce(sum(p.n), 0) AS total_procedures, coalesce(sum(r.n), 0) AS total_runways, "
	    "coalesce(sum(a.n), 0) AS total_aip_entries FROM temp.shown s "
	    EACH("procs") "p ON p.ident = s.ident " EACH("rwys") "r ON r.ident = s.ident "
	    EACH("aip") "a ON a.ident = s.ident GROUP BY 1 ORDER BY 1" },
	{ "total", PIECE_MEMBERS, "SELECT " ROWS_IN("shown") " AS total_airports" },
	{ "placed", PIECE_MEMBERS, SHARE("(SELECT coalesce(sum(placed), 0) FROM temp.shown)") },
	{ "with_runways", PIECE_MEMBERS, SHARE(AIRPORTS_IN("rwys")) },
	{ "with_procedures", PIECE_MEMBERS, SHARE(AIRPORTS_IN("procs")) },
	{ "with_aip", PIECE_MEMBERS, SHARE(AIRPORTS_IN("aip")) },
	{ "complete", PIECE_MEMBERS, SHARE("(SELECT count(*) FROM temp.shown WHERE placed AND ident IN "
	    "(SELECT ident FROM temp.rwys INTERSECT SELECT ident FROM temp.procs INTERSECT SELECT ident FROM temp.aip))") },
};
enum { NPIECES = sizeof(pieces) / sizeof(pieces[0]) };

/* ---- the documents -------------------------------------------------------------------------- */

#define RUNWAYS "{\"lengths\":{@lengths},\"surfaces\":@surfaces,\"lighting\":@lighting}"
#define CROSSINGS "{@borders,\"by_source\":@border_sources,\"by_country\":@border_countries}"

/* "@name" stands for a piece. */
static const struct {
	const char *name, *text;
} documents[] = {
	{ "filters/countries", "@countries" },
	{ "filters/procedure-types", "@procedure_types" },
	{ "filters/approach-types", "@approach_types" },
	{ "filters/aip-sections", "@aip_sections" },
	{ "filters/aip-fields", "@aip_fields" },
	{ "filters/sources", "@sources" },
	{ "filters/runway-characteristics", RUNWAYS },
	{ "filters/border-crossing", CROSSINGS },
	{ "filters/all", "{\"countries\":@countries,\"procedure_types\":@procedure_types,\"aip_sections\":@aip_sections,"
	    "\"aip_fields\":@aip_fields,\"sources\":@sources,\"runway_characteristics\":" RUNWAYS
	    ",\"border_crossing\":" CROSSINGS "}" },
	{ "statistics/overview", "{@overview,\"procedure_types\":@procedure_map,\"border_crossing\":" CROSSINGS
	    ",\"sources_used\":@source_names,@times}" },
	{ "statistics/by-country", "@by_country" },
	{ "statistics/procedure-distribution", "{\"procedure_types\":@procedure_types,\"approach_types\":@approach_types}" },
	{ "statistics/aip-data-distribution", "{\"sections\":@aip_sections,\"fields\":@aip_fields,\"sources\":@aip_sources}" },
	{ "statistics/runway-statistics", "{\"lengths\":{@lengths,\"distribution\":@length_classes},\"widths\":{@widths},"
	    "\"surfaces\":@surfaces,\"lighting\":@lighting}" },
	{ "statistics/data-quality", "{@total,\"coverage\":{\"coordinates\":{@placed},\"runways\":{@with_runways},"
	    "\"procedures\":{@with_procedures},\"aip_data\":{@with_aip},\"complete_data\":{@complete}}}" },
	{ "procedures/statistics", "{@procedures,\"procedure_types\":@procedure_map,\"approach_types\":@approach_map,"
	    "@procedure_mean}" },
};
enum { NDOCUMENTS = sizeof(documents) / sizeof(documents[0]) };

/* ---- counting --------------------------------------------------------------------------------- */

static enum errcode make_tables(struct db *src, const struct airindex_load *l, bool all_idents, struct err *e)
{
	enum errcode rc = db_exec(src, sql_begin, e);

	for (size_t i = 0; rc == OK && i < l->n; i++) {
		const struct airport *a = &l->airports[i].a;
		if (search_shows(a, all_idents))
			rc = db_put(src, sql_show, e, DB_TEXT(a->ident), DB_TEXT(a->country),
			    DB_INT(a->lat == a->lat && a->lon == a->lon), DB_INT((a->flags & AF_ENTRY) != 0));
	}
	for (size_t i = 0; rc == OK && i < sizeof(made) / sizeof(made[0]); i++) {
		const bool has = db_has_column(src, "main", made[i].table, made[i].column) &&
		    (made[i].other == NULL || db_has_column(src, "main", made[i].table, made[i].other));
		rc = db_exec(src, has ? made[i].with : made[i].without, e);
	}
	return rc;
}

static void put_column(struct buf *b, const char *name, struct db_stmt *s, int i)
{
	if (db_is_text(s, i))
		jsn_put_str(b, name, db_text(s, i));
	else
		jsn_put_num(b, name, db_double_at(s, i));
}

static void put_columns(struct buf *b, struct db_stmt *s)
{
	for (int i = 0; i < db_columns(s); i++)
		put_column(b, db_column_name(s, i), s, i);
}

static void put_row(struct buf *b, enum piece_shape shape, struct db_stmt *s)
{
	if (shape == PIECE_LIST) {
		jsn_put_open(b, NULL, '{');
		put_columns(b, s);
		jsn_put_close(b, '}');
	} else if (shape == PIECE_MAP) {
		jsn_put_key(b, db_text(s, 0));
		put_column(b, NULL, s, 1);
	} else {
		put_column(b, NULL, s, 0);
	}
}

/* -- countries, in the order that the original gives them -- */

struct country_total {
	const char *code, *name;
	int64_t count;
	size_t rank;
};

static int by_rank(const void *pa, const void *pb)
{
	const struct country_total *a = pa, *b = pb;
	const int order = a->rank != b->rank ? (a->rank < b->rank ? -1 : 1) : strcmp(a->name, b->name);

	return order != 0 ? order : strcmp(a->code, b->code);
}

static size_t rank_of(const char *code)
{
	static const char first[] = "GB|GG|JE|IM|GI|DE|FR|IT|ES|NL|BE|AT|DK|SE|FI|PT|IE|LU";
	const char *list = first;
	struct str one;
	size_t rank = 0;

	while (str_part(&list, '|', &one) && !str_eq(one, code))
		rank++;
	return rank;
}

static enum errcode put_countries(struct arena *mem, struct buf *b, struct db_stmt *s, struct err *e)
{
	struct country_total *v = arena_array(mem, COUNTRIES_MAX, sizeof(*v));
	enum db_step step;
	size_t n = 0;

	while ((step = db_step(s, e)) == DB_ROW && n < COUNTRIES_MAX) {
		const char *code = arena_strdup(mem, db_text(s, 0));
		const struct country *known = country_by_code(code);
		v[n++] = (struct country_total){ code, known != NULL ? known->name : code, db_int_at(s, 1),
			rank_of(code) };
	}
	qsort(v, n, sizeof(*v), by_rank);
	jsn_put_open(b, NULL, '[');
	for (size_t i = 0; i < n; i++) {
		jsn_put_open(b, NULL, '{');
		jsn_put_str(b, "code", v[i].code);
		jsn_put_str(b, "name", v[i].name);
		jsn_put_int(b, "count", v[i].count);
		jsn_put_close(b, '}');
	}
	jsn_put_close(b, ']');
	return db_end(s, step, e);
}

/* -- pieces and documents -- */

static enum errcode put_piece(struct arena *mem, struct buf *b, struct db *src, const struct airindex_piece *p,
    struct err *e)
{
	const bool map = p->shape == PIECE_MAP;
	struct db_stmt *s = db_prepare(src, p->sql, e);
	enum db_step step;

	if (s == NULL)
		return e->code;
	if (p->shape == PIECE_COUNTRIES)
		return put_countries(mem, b, s, e);
	if (p->shape == PIECE_MEMBERS) {
		if ((step = db_step(s, e)) == DB_ROW)
			put_columns(b, s);
		return db_end(s, step, e);
	}
	jsn_put_open(b, NULL, map ? '{' : '[');
	while ((step = db_step(s, e)) == DB_ROW)
		put_row(b, p->shape, s);
	jsn_put_close(b, map ? '}' : ']');
	return db_end(s, step, e);
}

/* The piece of a name of n bytes. */
static const char *piece_named(const char *const text[NPIECES], const char *name, size_t n)
{
	for (size_t i = 0; i < NPIECES; i++)
		if (strlen(pieces[i].name) == n && memcmp(pieces[i].name, name, n) == 0)
			return text[i];
	abort();                         /* a document names a piece that does not exist */
}

static const char *document(struct arena *mem, const char *form, const char *const text[NPIECES])
{
	struct buf b;

	buf_init(&b, TEXT_MAX);
	while (*form != '\0') {
		const size_t plain = strcspn(form, "@");
		buf_put(&b, form, plain);
		form += plain;
		if (*form == '\0')
			break;
		form++;
		const size_t n = strspn(form, "abcdefghijklmnopqrstuvwxyz_");
		buf_puts(&b, piece_named(text, form, n));
		form += n;
	}
	const char *out = b.full ? NULL : arena_strndup(mem, b.p, b.n);
	buf_release(&b);
	return out;
}

static enum errcode count_all(struct arena *mem, struct db *src, const char *mark, struct airindex_total *out,
    struct err *e)
{
	const char *text[NPIECES];

	for (size_t i = 0; i < NPIECES; i++) {
		struct buf b;
		buf_init(&b, TEXT_MAX);
		enum errcode rc = put_piece(mem, &b, src, &pieces[i], e);
		if (rc == OK && b.full)
			rc = err_set(e, ERR_DATA, "the counts of %s have more than %d MB", pieces[i].name, TEXT_MAX >> 20);
		text[i] = arena_strndup(mem, b.p, b.n);
		buf_release(&b);
		if (rc != OK)
			return rc;
	}
	for (size_t i = 0; i < NDOCUMENTS; i++) {
		out[i] = (struct airindex_total){ arena_printf(mem, "%s%s", mark, documents[i].name),
			document(mem, documents[i].text, text) };
		if (out[i].json == NULL)
			return err_set(e, ERR_DATA, "the counts of %s have more than %d MB", documents[i].name,
			    TEXT_MAX >> 20);
	}
	return OK;
}

enum errcode airindex_totals_count(struct arena *mem, struct db *src, const struct airindex_load *l, stop_fn *stop,
    void *arg, struct airindex_total **out, size_t *n, struct err *e)
{
	static const char *const marks[] = { "", "*" };
	enum errcode rc = OK;

	*n = 2 * NDOCUMENTS;
	*out = arena_array(mem, *n, sizeof(**out));
	for (size_t all = 0; rc == OK && all < 2; all++) {
		if (stop != NULL && stop(arg))
			return err_set(e, ERR_HUP, "stopped");
		rc = make_tables(src, l, all == 1, e);
		if (rc == OK)
			rc = count_all(mem, src, marks[all], *out + all * NDOCUMENTS, e);
		if (rc == OK)
			rc = db_exec(src, sql_end, e);
		if (rc == OK)
			rc = db_exec(src, "COMMIT", e);
	}
	return rc;
}
