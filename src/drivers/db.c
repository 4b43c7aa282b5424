/*
 * One connection, and the meaning of SQLite's codes for us. Its statements are in db_stmt.c.
 *
 * Reading must work in awkward places too: a file in WAL mode on a read-only folder, where SQLite
 * cannot make its shared-memory file. Then the file is opened as immutable, which reads what the
 * last checkpoint left. A file with a hot rollback journal is refused, because its pages do not fit
 * together without the rollback.
 *
 * Page caches hold little more than one search reads; the rest comes from the operating system's
 * cache, which all processes share. No file is mapped into memory, because one that somebody
 * truncates in place would kill the process. What is read in bulk has large pages instead
 * (airindex_write.c), which costs as little.
 */
#include "drivers/db_private.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/heap.h"
#include "base/owned.h"
#include "base/url.h"

enum {
	BUSY_MS = 5000,
	BUSY_STEP_MS = 20,           /* longest pause between two attempts to get a lock */
	CACHE_KIB = 1024,
	LENGTH_MAX = 64 << 20,       /* longest text, blob or row */
	FILE_MODE = 0640,
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void)
{
	/* memory statistics cost a process-wide lock on every allocation */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	/* SQLite would allocate room for twenty pages at once. Most connections read only a few, so each page is allocated when it is needed. */
	sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
	sqlite3_initialize();
}

void db_setup(void)
{
	pthread_once(&once, init);
}

/* What a primary result code means. A code that is not listed means damaged or unexpected data. */
static const struct {
	int rc;
	enum errcode code;
	const char *said;            /* NULL: SQLite's own words */
} meanings[] = {
	{ SQLITE_FULL, ERR_IO, "the disk is full" },
	{ SQLITE_IOERR, ERR_IO, NULL },
	{ SQLITE_READONLY, ERR_IO, NULL },
	{ SQLITE_BUSY, ERR_TIMEOUT, "locked by another process" },
	{ SQLITE_LOCKED, ERR_TIMEOUT, "locked by another connection" },
	{ SQLITE_NOMEM, ERR_INTERNAL, "out of memory" },
	{ SQLITE_MISUSE, ERR_INTERNAL, NULL },
	{ SQLITE_RANGE, ERR_INTERNAL, NULL },
	{ SQLITE_NOTADB, ERR_DATA, "not an SQLite database" },
	{ SQLITE_CORRUPT, ERR_DATA, "damaged: SQLite can't read its pages" },
};

enum errcode db_fail(struct db *db, int rc, struct err *e)
{
	enum errcode code = ERR_DATA;
	const char *said = NULL;
	int os = db->h != NULL ? sqlite3_system_errno(db->h) : 0;
	char why[128] = "";

	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
		if (meanings[i].rc == (rc & 0xff)) {
			code = meanings[i].code;
			said = meanings[i].said;
		}
	if ((rc & 0xff) == SQLITE_IOERR && os == ENOSPC)
		said = "the disk is full";
	if (said == NULL) {
		said = db->h != NULL && sqlite3_errcode(db->h) != SQLITE_OK ?
		    sqlite3_errmsg(db->h) : sqlite3_errstr(rc);
		if ((rc & 0xff) == SQLITE_IOERR && os != 0)
			snprintf(why, sizeof(why), " (system error %d)", os);
	}
	return err_set(e, code, "%s: %s%s", db->path, said, why);
}

/* The path as a URI in which no character has a special meaning; free with sqlite3_free(). */
static char *uri_of(const char *path, const char *query)
{
	size_t n = strlen(path);
	char *uri = sqlite3_malloc64(3 * n + strlen(query) + sizeof("file://?"));
	char *p = uri;

	if (uri == NULL)
		return NULL;
	p = stpcpy(p, path[0] == '/' ? "file://" : "file:");
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)path[i];

		if (c == '%' || c == '?' || c == '#' || c < 0x20) {
			p = url_encode_byte(p, path[i]);
		} else {
			*p++ = path[i];
		}
	}
	*p = '\0';
	if (query[0] != '\0') {
		*p++ = '?';
		memcpy(p, query, strlen(query) + 1);
	}
	return uri;
}

/* SQLite's own busy time-out starts again for every lock. This wait ends at the caller's
 * deadline. */
static int wait_for_lock(void *arg, int tries)
{
	const struct db *db = arg;
	int64_t left = db->until_ms - clock_mono_ms();
	int step = tries < BUSY_STEP_MS ? tries + 1 : BUSY_STEP_MS;

	if (left <= 0)
		return 0;
	clock_sleep_ms(left < step ? (int)left : step);
	return 1;
}

static void set_busy(struct db *db)
{
	if (db->until_ms != 0)
		sqlite3_busy_handler(db->h, wait_for_lock, db);
	else
		sqlite3_busy_timeout(db->h, BUSY_MS);
}

/* Connect and touch the first page, which is when SQLite really opens a file. */
static int attempt(struct db *db, const char *path, enum db_mode mode, const char *query)
{
	static const int flags[] = {
		[DB_READ] = SQLITE_OPEN_READONLY,
		[DB_FIXED] = SQLITE_OPEN_READONLY,
		[DB_WRITE] = SQLITE_OPEN_READWRITE,
		[DB_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
		[DB_MEMORY] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY,
	};
	char *uri = uri_of(path, query);
	char pragma[128];
	int rc;

	if (uri == NULL)
		return SQLITE_NOMEM;
	rc = sqlite3_open_v2(uri, &db->h, flags[mode] | SQLITE_OPEN_URI |
	    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	sqlite3_free(uri);
	if (rc != SQLITE_OK)
		return rc;
	sqlite3_extended_result_codes(db->h, 1);
	set_busy(db);
	sqlite3_limit(db->h, SQLITE_LIMIT_LENGTH, LENGTH_MAX);
	sqlite3_db_config(db->h, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->h, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	snprintf(pragma, sizeof(pragma), "PRAGMA cache_size=-%d; SELECT count(*) FROM sqlite_schema",
	    CACHE_KIB);
	return sqlite3_exec(db->h, pragma, NULL, NULL, NULL);
}

static bool reads_only(enum db_mode mode)
{
	return mode == DB_READ || mode == DB_FIXED;
}

static bool wants_immutable(int rc)
{
	return rc == SQLITE_READONLY_CANTINIT || rc == SQLITE_READONLY_RECOVERY ||
	    rc == SQLITE_READONLY_DIRECTORY || (rc & 0xff) == SQLITE_CANTOPEN;
}

/* Say in plain words why a file can't be opened. SQLite's own message would be less clear. */
static enum errcode check_file(const char *path, enum db_mode mode, struct err *e)
{
	struct stat st;

	if (path == NULL || path[0] == '\0')
		return err_set(e, ERR_DATA, "no database file named");
	if (!reads_only(mode) && !owned_link(path))
		return err_set(e, ERR_DATA, "%s: this symbolic link was made by another user: remove it",
		    path);
	if (stat(path, &st) != 0) {
		if (mode == DB_CREATE && errno == ENOENT)
			return OK;
		if (errno == ENOENT)
			return err_set(e, ERR_DATA, "%s: no such file", path);
		return err_set(e, ERR_DATA, "%s: can't be read (%s)", path,
		    errno == EACCES ? "permission denied" : strerrordesc_np(errno));
	}
	if (S_ISDIR(st.st_mode))
		return err_set(e, ERR_DATA, "%s: a folder, not a database", path);
	if (st.st_size == 0 && reads_only(mode))
		return err_set(e, ERR_DATA, "%s: the file is empty", path);
	return OK;
}

enum errcode db_open(struct db **out, const char *path, enum db_mode mode, struct err *e)
{
	return db_open_until(out, path, mode, 0, e);
}

void db_until(struct db *db, int64_t until_ms)
{
	if (db->until_ms == 0) {
		db->until_ms = until_ms;
		set_busy(db);
	}
	db->until_ms = until_ms;
}

enum errcode db_open_until(struct db **out, const char *path, enum db_mode mode, int64_t until_ms,
    struct err *e)
{
	struct db *db = NULL;
	enum errcode code;
	int rc;

	*out = NULL;
	db_setup();
	if (mode != DB_MEMORY && check_file(path, mode, e) != OK)
		return ERR_DATA;
	/* mknod makes the file with our mode and without a descriptor. Closing a descriptor would
	 * drop the locks that other connections of this process have on the file. */
	if (mode == DB_CREATE && mknod(path, S_IFREG | FILE_MODE, 0) != 0 && errno != EEXIST)
		return err_set(e, ERR_IO, "%s: can't be created (%s)", path,
		    strerrordesc_np(errno));
	db = heap_new(sizeof(*db));
	db->path = heap_dup(path);
	db->until_ms = until_ms;
	rc = attempt(db, path, mode, mode == DB_FIXED ? "immutable=1" : "");
	if (mode == DB_READ && wants_immutable(rc)) {
		sqlite3_close(db->h);
		db->h = NULL;
		rc = attempt(db, path, mode, "immutable=1");
	}
	if (rc == SQLITE_OK) {
		*out = db;
		return OK;
	}
	if (rc == SQLITE_READONLY_ROLLBACK)
		code = err_set(e, ERR_DATA, "%s: a program that wrote to it did not finish (%s-journal): "
		    "open it once with write access", path, path);
	else if ((rc & 0xff) == SQLITE_CANTOPEN)
		code = err_set(e, reads_only(mode) ? ERR_DATA : ERR_IO, "%s: can't be opened (%s)", path,
		    db->h != NULL && sqlite3_system_errno(db->h) != 0 ?
		    strerrordesc_np(sqlite3_system_errno(db->h)) : "check its permissions");
	else
		code = db_fail(db, rc, e);
	db_close(db);
	return code;
}

void db_close(struct db *db)
{
	if (db == NULL)
		return;
	while (db->stmts != NULL) {
		struct db_stmt *s = db->stmts;

		db->stmts = s->next;
		sqlite3_finalize(s->s);
		free(s);
	}
	sqlite3_close(db->h);
	free(db->path);
	free(db);
}

static int attach(struct db *db, const char *path, const char *schema, const char *query)
{
	char *uri = uri_of(path, query), *sql = NULL;
	int rc = SQLITE_NOMEM;

	if (uri != NULL)
		sql = sqlite3_mprintf("ATTACH %Q AS \"%w\"; SELECT count(*) FROM \"%w\".sqlite_schema",
		    uri, schema, schema);
	if (sql != NULL)
		rc = sqlite3_exec(db->h, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
	sqlite3_free(uri);
	return rc;
}

enum errcode db_attach(struct db *db, const char *path, const char *schema, struct err *e)
{
	struct db named = { .h = db->h };
	char *sql;
	int rc;

	if (check_file(path, DB_READ, e) != OK)
		return ERR_DATA;
	rc = attach(db, path, schema, "mode=ro");
	if (rc != SQLITE_OK) {
		sql = sqlite3_mprintf("DETACH \"%w\"", schema);
		if (wants_immutable(rc)) {
			sqlite3_exec(db->h, sql, NULL, NULL, NULL);
			rc = attach(db, path, schema, "mode=ro&immutable=1");
		}
		if (rc != SQLITE_OK) {
			named.path = heap_dup(path);
			db_fail(&named, rc, e);
			free(named.path);
			sqlite3_exec(db->h, sql, NULL, NULL, NULL);
		}
		sqlite3_free(sql);
	}
	if (rc != SQLITE_OK)
		return e != NULL ? e->code : ERR_DATA;
	sql = sqlite3_mprintf("PRAGMA \"%w\".cache_size=-%d", schema, CACHE_KIB / 4);
	sqlite3_exec(db->h, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
	return OK;
}

enum errcode db_exec(struct db *db, const char *sql, struct err *e)
{
	int rc = sqlite3_exec(db->h, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? OK : db_fail(db, rc, e);
}
