/*
 * Which airports have an AIP entry that says something. All entries of the source are read, because it
 * has no index of them: some 20 ms for 100,000 entries.
 */
#include "airports/airdb.h"

#include <string.h>

#include "airports/aircon.h"
#include "airports/airport_parts.h"
#include "base/str.h"

/* Of entries with one section and field the last one counts, as in aip_add(). */
static const char sql_says[] =
	"SELECT c.row, e.value, max(e.rowid) FROM src.aip_entries e "
	"JOIN code c ON c.code = upper(e.airport_icao) AND c.kind = 0 "
	"WHERE e.std_field = ?1 COLLATE NOCASE OR e.field = ?1 COLLATE NOCASE OR e.std_field_id = ?2 "
	"GROUP BY c.row, e.section, e.field";

bool row_bits_has(const struct row_bits *b, int64_t row)
{
	const size_t bit = (size_t)(row - 1);

	return row > 0 && bit / 8 < b->n && (b->bits[bit / 8] & 1U << bit % 8) != 0;
}

static bool contains(const char *value, const char *text)
{
	return strstr(value, text) != NULL;
}

static bool ends_with(const char *value, const char *text)
{
	const size_t n = strlen(value), len = strlen(text);

	return n >= len && streq(value + n - len, text);
}

static bool not_empty(const char *value, const char *text)
{
	(void)text;
	return str_trim(str_of(value)).n > 0;
}

static const struct {
	const char *name;
	bool (*says)(const char *value, const char *text);
} operators[] = {
	{ "contains", contains },
	{ "equals", streq },
	{ "not_empty", not_empty },
	{ "starts_with", starts_with },
	{ "ends_with", ends_with },
};

enum errcode airdb_aip_says(struct aircon *con, struct arena *a, const char *field, const char *operator,
    const char *text, const struct row_bits **out, struct err *e)
{
	struct row_bits *b = arena_alloc(a, sizeof(*b));
	bool (*says)(const char *, const char *) = contains;
	const char *wanted = str_fold(a, text != NULL ? text : "");
	struct arena *work = arena_new();
	struct airdb_facts facts;
	long long number;
	enum db_step step;

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (streq(operators[i].name, operator))
			says = operators[i].says;
	*out = b;
	enum errcode rc = airdb_facts(con, work, &facts, e);
	if (rc == OK) {
		b->n = (size_t)facts.airports / 8 + 1;
		b->bits = arena_alloc(a, b->n);
		struct db_stmt *s = db_query(aircon_db(con, e), sql_says, e, DB_TEXT(field),
		    DB_INT(str_to_int(field, &number) ? number : -1));
		while ((step = db_step(s, e)) == DB_ROW) {
			const size_t bit = (size_t)(db_int_at(s, 0) - 1);
			const char *value = part_text(s, 1);
			if (bit / 8 < b->n && value != NULL && says(str_fold(work, value), wanted))
				b->bits[bit / 8] |= (uint8_t)(1U << bit % 8);
		}
		rc = db_end(s, step, e);
	}
	arena_free(work);
	return rc;
}
