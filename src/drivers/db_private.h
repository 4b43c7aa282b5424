/*
 * What the files of a connection share: db.c and db_stmt.c.
 */
#ifndef DRIVERS_DB_PRIVATE_H
#define DRIVERS_DB_PRIVATE_H

#include <sqlite3.h>

#include "drivers/db.h"

struct db_stmt {
	struct db_stmt *next;
	struct db *db;
	sqlite3_stmt *s;
	const char *key;             /* address of the text it was made from */
	int bind_rc;                 /* the first bind that failed; the next step reports it */
	enum errcode code;           /* of the step that failed */
};

struct db {
	sqlite3 *h;
	char *path;
	struct db_stmt *stmts;       /* most recently used first */
	int64_t until_ms;            /* when waiting for locks ends; 0: BUSY_MS for each */
};

/* Report the failed result code of a call of SQLite on this connection. */
enum errcode db_fail(struct db *db, int rc, struct err *e);

#endif
