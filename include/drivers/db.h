/*
 * SQLite. No other module includes SQLite's header.
 *
 * A struct db is one connection and belongs to one thread at a time. A statement is prepared once
 * per connection and SQL text. The text's address is the key, so use string literals or static
 * const char[]. db_done() resets a statement; so does the next db_prepare() of the same text.
 *
 *   struct db_stmt *s = db_prepare(db, SQL_RUNWAYS, e);
 *   if (s == NULL) return e->code;
 *   db_bind_text(s, 1, ident);
 *   while ((rc = db_step(s, e)) == DB_ROW) …db_text(s, 0)…
 *   db_done(s);
 *   if (rc == DB_FAIL) return e->code;
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

struct db_stmt *db_prepare(struct db *db, const char *sql, struct err *e);  /* NULL on failure */
void db_bind_text(struct db_stmt *s, int i, const char *v);      /* 1-based; NULL binds null; v must live until db_done */
void db_bind_textn(struct db_stmt *s, int i, const char *v, size_t n);
void db_bind_blob(struct db_stmt *s, int i, const void *v, size_t n);
void db_bind_int(struct db_stmt *s, int i, int64_t v);
void db_bind_double(struct db_stmt *s, int i, double v);
enum db_step db_step(struct db_stmt *s, struct err *e);
void db_done(struct db_stmt *s);                                 /* NULL is allowed */
/* bind nothing, step to the end, db_done(): for INSERT and the like after binding */
enum errcode db_run(struct db_stmt *s, struct err *e);

/* Columns, 0-based; valid until the next step. */
const char *db_text(struct db_stmt *s, int i);       /* NULL for null */
const void *db_blob(struct db_stmt *s, int i);
size_t db_bytes(struct db_stmt *s, int i);
int64_t db_int_at(struct db_stmt *s, int i);
double db_double_at(struct db_stmt *s, int i);       /* NaN for null and for text that is no number */
bool db_is_null(struct db_stmt *s, int i);

int db_changes(struct db *db);                       /* rows that the last write changed */

#endif
