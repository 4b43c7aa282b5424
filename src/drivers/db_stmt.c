/*
 * The statements of a connection: cached by the address of their text, given values, stepped and read.
 */
#include "drivers/db_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/str.h"

int64_t db_int(struct db *db, const char *sql, int64_t def)
{
	struct db_stmt *s = db_prepare(db, sql, NULL);
	int64_t v = def;

	if (s != NULL && db_step(s, NULL) == DB_ROW && !db_is_null(s, 0))
		v = db_int_at(s, 0);
	db_done(s);
	return v;
}

/* A statement that is used once and not cached, to ask about the schema. */
static bool asks(struct db *db, char *sql, const char *a, const char *b)
{
	sqlite3_stmt *s = NULL;
	bool yes = false;

	if (sql != NULL && sqlite3_prepare_v2(db->h, sql, -1, &s, NULL) == SQLITE_OK) {
		sqlite3_bind_text(s, 1, a, -1, SQLITE_STATIC);
		if (b != NULL)
			sqlite3_bind_text(s, 2, b, -1, SQLITE_STATIC);
		yes = sqlite3_step(s) == SQLITE_ROW;
	}
	sqlite3_finalize(s);
	sqlite3_free(sql);
	return yes;
}

bool db_has_table(struct db *db, const char *schema, const char *table)
{
	return asks(db, sqlite3_mprintf("SELECT 1 FROM \"%w\".sqlite_schema WHERE "
	    "type IN ('table', 'view') AND name = ?1 COLLATE NOCASE", schema), table, NULL);
}

bool db_has_column(struct db *db, const char *schema, const char *table, const char *column)
{
	return asks(db, sqlite3_mprintf("SELECT 1 FROM pragma_table_info(?1, %Q) WHERE "
	    "name = ?2 COLLATE NOCASE", schema), table, column);
}

struct db_stmt *db_prepare(struct db *db, const char *sql, struct err *e)
{
	struct db_stmt **at, *s;
	int rc;

	if (db == NULL)
		return NULL;
	at = &db->stmts;
	while (*at != NULL && (*at)->key != sql)
		at = &(*at)->next;
	s = *at;
	if (s != NULL) {
		*at = s->next;
		/* the caller reused a buffer: same address, other text */
		if (strcmp(sqlite3_sql(s->s), sql) != 0) {
			sqlite3_finalize(s->s);
			free(s);
			s = NULL;
		}
	}
	if (s == NULL) {
		s = heap_new(sizeof(*s));
		s->db = db;
		s->key = sql;
		rc = sqlite3_prepare_v3(db->h, sql, -1, SQLITE_PREPARE_PERSISTENT, &s->s, NULL);
		if (rc != SQLITE_OK || s->s == NULL) {
			db_fail(db, rc != SQLITE_OK ? rc : SQLITE_MISUSE, e);
			free(s);
			return NULL;
		}
	} else {
		db_done(s);
	}
	s->next = db->stmts;
	db->stmts = s;
	return s;
}

static void bound(struct db_stmt *s, int rc)
{
	if (s->bind_rc == SQLITE_OK)
		s->bind_rc = rc;
}

static int bind(sqlite3_stmt *s, int i, const struct db_value *v)
{
	switch (v->type) {
	case DB_TYPE_TEXT:
		return v->n == SIZE_MAX ? sqlite3_bind_text(s, i, v->text, -1, SQLITE_STATIC) :
		    sqlite3_bind_text64(s, i, v->text, v->n, SQLITE_STATIC, SQLITE_UTF8);
	case DB_TYPE_BLOB:
		return sqlite3_bind_blob64(s, i, v->blob, v->n, SQLITE_STATIC);
	case DB_TYPE_INT:
		return sqlite3_bind_int64(s, i, v->i);
	case DB_TYPE_NUM:
		return sqlite3_bind_double(s, i, v->num);
	}
	return SQLITE_MISUSE;
}

struct db_stmt *db_query_values(struct db *db, const char *sql, struct err *e,
    const struct db_value *values, size_t n)
{
	struct db_stmt *s = db_prepare(db, sql, e);

	for (size_t i = 0; s != NULL && i < n; i++)
		bound(s, bind(s->s, (int)i + 1, &values[i]));
	return s;
}

enum db_step db_step(struct db_stmt *s, struct err *e)
{
	int rc;

	if (s == NULL)
		return DB_FAIL;
	rc = s->bind_rc != SQLITE_OK ? s->bind_rc : sqlite3_step(s->s);
	if (rc == SQLITE_ROW)
		return DB_ROW;
	if (rc == SQLITE_DONE)
		return DB_END;
	s->code = db_fail(s->db, rc, e);
	return DB_FAIL;
}

void db_done(struct db_stmt *s)
{
	if (s == NULL)
		return;
	sqlite3_reset(s->s);
	sqlite3_clear_bindings(s->s);
	s->bind_rc = SQLITE_OK;
}

enum errcode db_end(struct db_stmt *s, enum db_step last, struct err *e)
{
	enum errcode code = s != NULL ? s->code : ERR_INTERNAL;

	db_done(s);
	if (last != DB_FAIL)
		return OK;
	return e != NULL ? e->code : code;
}

enum errcode db_run(struct db_stmt *s, struct err *e)
{
	enum db_step step;

	while ((step = db_step(s, e)) == DB_ROW)
		;
	return db_end(s, step, e);
}

const char *db_text(struct db_stmt *s, int i)
{
	return (const char *)sqlite3_column_text(s->s, i);
}

const void *db_blob(struct db_stmt *s, int i)
{
	return sqlite3_column_blob(s->s, i);
}

size_t db_bytes(struct db_stmt *s, int i)
{
	return (size_t)sqlite3_column_bytes(s->s, i);
}

int64_t db_int_at(struct db_stmt *s, int i)
{
	return sqlite3_column_int64(s->s, i);
}

double db_double_at(struct db_stmt *s, int i)
{
	double v;

	switch (sqlite3_column_type(s->s, i)) {
	case SQLITE_INTEGER:
	case SQLITE_FLOAT:
		return sqlite3_column_double(s->s, i);
	case SQLITE_TEXT:
		/* SQLite reads "nan" and "12 km" as numbers, but they are not */
		if (str_to_double(db_text(s, i), &v) && isfinite(v))
			return v;
		return (double)NAN;
	default:
		return (double)NAN;
	}
}

bool db_is_null(struct db_stmt *s, int i)
{
	return sqlite3_column_type(s->s, i) == SQLITE_NULL;
}

bool db_is_text(struct db_stmt *s, int i)
{
	return sqlite3_column_type(s->s, i) == SQLITE_TEXT;
}

int db_columns(struct db_stmt *s)
{
	return sqlite3_column_count(s->s);
}

const char *db_column_name(struct db_stmt *s, int i)
{
	return sqlite3_column_name(s->s, i);
}

int db_column(struct db_stmt *s, const char *name)
{
	const int n = db_columns(s);

	for (int i = 0; i < n; i++)
		if (strcmp(db_column_name(s, i), name) == 0)
			return i;
	return -1;
}

int db_changes(struct db *db)
{
	return sqlite3_changes(db->h);
}
