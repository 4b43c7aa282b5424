/*
 * SQLite. No other module includes SQLite's header.
 *
 * A struct db is one connection and belongs to one thread at a time. A statement is prepared once
 * per connection and SQL text. The text's address is the key, so use string literals or static
 * const char[]. db_done() resets a statement; so does the next db_prepare() of the same text.
 *
 * What reads:
 *   struct db_stmt *s = db_query(db, SQL_RUNWAYS, e, DB_TEXT(ident));
 *   enum db_step step;
 *
 *   while ((step = db_step(s, e)) == DB_ROW)
 *           …db_text(s, 0)…
 *   return db_end(s, step, e);
 * What writes:
 *   rc = db_put(db, SQL_INSERT, e, DB_TEXT(ident), DB_INT(n));
 *
 * A database or a statement that is NULL could not be had; the reason is in `e` already, and the
 * functions fail without replacing it.
 */
#ifndef DRIVERS_DB_H
#define DRIVERS_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errs.h"

struct db;
struct db_stmt;

enum db_mode {
	DB_READ,        /* read-only; the file must exist */
	/* read-only and without locks, for a file that is only ever replaced by rename: locks
	 * are most of what a small look-up costs */
	DB_FIXED,
	DB_WRITE,       /* read-write; the file must exist */
	DB_CREATE,      /* read-write, created 0640 */
	DB_MEMORY,      /* an empty database in memory, gone when it is closed; `path` only names it in
	                 * messages */
};
enum db_step { DB_FAIL = -1, DB_END = 0, DB_ROW = 1 };

/* Set up SQLite for the whole process. This must happen before its first use; db_open() and
 * fts_open() do it. */
void db_setup(void);

/* Open a file. Errors, with path and reason: ERR_DATA (missing, empty, not a database,
 * unreadable) or ERR_IO (can't be created or written). Calls wait up to 5 s for locks. Free with
 * db_close(). DB_READ also opens a file in WAL mode on a read-only folder, as its last
 * checkpoint left it. Nothing is memory-mapped, so a file that another program cuts short gives
 * an error, not a signal. */
enum errcode db_open(struct db **out, const char *path, enum db_mode mode, struct err *e);
/* The same, with db_until() in force from the start. */
enum errcode db_open_until(struct db **out, const char *path, enum db_mode mode, int64_t until_ms,
    struct err *e);
/* From now on no call waits for locks of other processes after this moment (clock_mono_ms()); it
 * replaces the 5 s of each call. If the moment is in the past, calls do not wait. */
void db_until(struct db *db, int64_t until_ms);
void db_close(struct db *db);                  /* NULL is allowed */
/* Attach another file read-only under a schema name. */
enum errcode db_attach(struct db *db, const char *path, const char *schema, struct err *e);

/* Run one or more statements and ignore their rows. ERR_DATA; ERR_IO: the disk is full or fails;
 * ERR_TIMEOUT: another process held the lock for too long. */
enum errcode db_exec(struct db *db, const char *sql, struct err *e);
/* First column of the first row as an integer; `def` when there is no row or on error. */
int64_t db_int(struct db *db, const char *sql, int64_t def);
bool db_has_table(struct db *db, const char *schema, const char *table);
bool db_has_column(struct db *db, const char *schema, const char *table, const char *column);

/* A value of a parameter. Texts and blobs must live until db_done(); NULL binds null. */
struct db_value {
	enum db_type { DB_TYPE_TEXT, DB_TYPE_BLOB, DB_TYPE_INT, DB_TYPE_NUM } type;
	const char *text;
	const void *blob;
	size_t n;                      /* bytes of a blob; of a text, SIZE_MAX: up to its end */
	int64_t i;
	double num;                    /* NaN binds null */
};
#define DB_TEXT(v) { .type = DB_TYPE_TEXT, .text = (v), .n = SIZE_MAX }
#define DB_TEXTN(v, size) { .type = DB_TYPE_TEXT, .text = (v), .n = (size) }
#define DB_BLOB(v, size) { .type = DB_TYPE_BLOB, .blob = (v), .n = (size) }
#define DB_INT(v) { .type = DB_TYPE_INT, .i = (v) }
#define DB_NUM(v) { .type = DB_TYPE_NUM, .num = (v) }
#define DB_VALUES(...) (const struct db_value[]){ __VA_ARGS__ }, \
	sizeof((const struct db_value[]){ __VA_ARGS__ }) / sizeof(struct db_value)

/* Prepare a statement and bind its parameters in order. NULL: it failed. */
struct db_stmt *db_query_values(struct db *db, const char *sql, struct err *e,
    const struct db_value *values, size_t n);
#define db_query(db, sql, e, ...) db_query_values(db, sql, e, DB_VALUES(__VA_ARGS__))
/* The same without parameters. */
struct db_stmt *db_prepare(struct db *db, const char *sql, struct err *e);
/* Run a statement that gives no rows: INSERT and the like. */
#define db_put(db, sql, e, ...) db_run(db_query(db, sql, e, __VA_ARGS__), e)
enum db_step db_step(struct db_stmt *s, struct err *e);
void db_done(struct db_stmt *s);                                 /* NULL is allowed */
/* db_done() after the last step: OK, or the code of a step that failed. */
enum errcode db_end(struct db_stmt *s, enum db_step last, struct err *e);
/* step to the end, db_done() */
enum errcode db_run(struct db_stmt *s, struct err *e);

/* Columns, 0-based; valid until the next step. */
const char *db_text(struct db_stmt *s, int i);       /* NULL for null */
const void *db_blob(struct db_stmt *s, int i);
size_t db_bytes(struct db_stmt *s, int i);
int64_t db_int_at(struct db_stmt *s, int i);
double db_double_at(struct db_stmt *s, int i);       /* NaN for null and for text that is no number */
bool db_is_null(struct db_stmt *s, int i);
bool db_is_text(struct db_stmt *s, int i);
/* Names of columns, for statements that read all a table has ("SELECT *"). */
int db_columns(struct db_stmt *s);                   /* how many */
const char *db_column_name(struct db_stmt *s, int i);
int db_column(struct db_stmt *s, const char *name);  /* the first of that name; -1: there is none */

int db_changes(struct db *db);                       /* rows that the last write changed */

#endif
