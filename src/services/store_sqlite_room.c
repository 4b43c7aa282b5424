/*
 * How threads leave the SQLite file.
 *
 * Old threads are deleted a little at a time: each commit moves at most a few expired ones to the
 * table `trash` and deletes a few dozen messages of the threads there. Keys are never used twice,
 * so a thread that begins again under its old id does not share them. A lease deletes nothing: an
 * expired thread looks empty when it is leased, and the commit that begins it again drops its old
 * messages. The file's own time decides what has expired (store_sqlite_conn.c).
 */
#include "services/store_sqlite.h"

enum { UNWRITTEN_MS = 3600 * 1000 };    /* a thread leased but never written is kept this long */

static const char SQL_EMPTY[] = "DELETE FROM messages WHERE thread = ?1";
static const char SQL_DROP_ONE[] = "DELETE FROM threads WHERE key = ?1";
static const char SQL_TRASH_OLD[] =
    "INSERT INTO trash (key) SELECT key FROM threads WHERE used_ms <= ?1 AND lease_until <= ?2"
    " AND (SELECT count(*) FROM trash) < 16 ORDER BY used_ms LIMIT 8";
static const char SQL_TRASH_UNWRITTEN[] =
    "INSERT INTO trash (key) SELECT key FROM threads WHERE version = 0 AND used_ms <= ?1"
    " AND lease_until <= ?2 AND key NOT IN (SELECT key FROM trash)"
    " AND (SELECT count(*) FROM trash) < 16 ORDER BY used_ms LIMIT 8";
static const char SQL_DROP_TRASHED[] =
    "DELETE FROM threads WHERE key IN (SELECT key FROM trash)";
static const char SQL_SWEEP[] =
    "DELETE FROM messages WHERE rowid IN (SELECT rowid FROM messages WHERE thread ="
    " (SELECT min(key) FROM trash) LIMIT 64)";
static const char SQL_SWEPT[] =
    "DELETE FROM trash WHERE key = (SELECT min(key) FROM trash)"
    " AND NOT EXISTS (SELECT 1 FROM messages WHERE thread = trash.key)";

static const char SQL_LONGEST_UNUSED[] =
    "SELECT key FROM threads WHERE lease_until <= ?1 ORDER BY used_ms LIMIT 1";

enum errcode lite_thread_drop(struct work *w, int64_t key, struct err *e)
{
	enum errcode rc = db_put(w->c.db, SQL_EMPTY, e, DB_INT(key));

	return rc != OK ? rc : db_put(w->c.db, SQL_DROP_ONE, e, DB_INT(key));
}

static bool too_large(struct work *w)
{
	int64_t pages = db_int(w->c.db, "PRAGMA page_count", 0) -
	    db_int(w->c.db, "PRAGMA freelist_count", 0);

	return pages * db_int(w->c.db, "PRAGMA page_size", 0) > w->limits->bytes;
}

static bool too_full(struct work *w)
{
	return db_int(w->c.db, "SELECT count(*) FROM threads", 0) > w->limits->threads || too_large(w);
}

/* Delete the thread that was unused for the longest time and that no run holds. */
static enum errcode drop_unused(struct work *w, bool *dropped, struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_LONGEST_UNUSED, e, DB_INT(w->now));
	enum db_step step = db_step(q, e);
	const int64_t key = step == DB_ROW ? db_int_at(q, 0) : 0;
	enum errcode rc = db_end(q, step, e);

	*dropped = step == DB_ROW;
	return rc != OK || !*dropped ? rc : lite_thread_drop(w, key, e);
}

/* Delete the oldest runs that have ended, a few at a time, and then threads, until the store fits again. One
 * commit must not delete thousands of runs while all others wait, so more runs are deleted only when no thread
 * can be. */
enum errcode lite_keep_within_limits(struct work *w, struct err *e)
{
	enum { RUNS = 16 };
	bool dropped = true;
	enum errcode rc = OK;

	if (w->limits == NULL)
		return OK;
	for (int i = 0; i < RUNS && rc == OK && dropped && too_large(w); i++)
		rc = sqlite_run_drop_oldest(w, &dropped, e);
	while (rc == OK && too_full(w)) {
		rc = drop_unused(w, &dropped, e);
		if (rc == OK && !dropped && too_large(w))
			rc = sqlite_run_drop_oldest(w, &dropped, e);
		if (rc == OK && !dropped)
			return err_set(e, ERR_STORE, "the memory store is full: its limits are %lld threads and %lld MB, "
			    "and all that are left have a running turn. Try again later, or use "
			    "CHECKPOINTER_PROVIDER=sqlite", (long long)w->limits->threads,
			    (long long)(w->limits->bytes >> 20));
	}
	return rc;
}

enum errcode lite_threads_sweep(struct work *w, struct err *e)
{
	const struct {
		const char *sql;
		int64_t before;         /* used at or before; 0: the statement wants nothing */
	} steps[] = {
		{ SQL_TRASH_OLD, w->expired },
		{ SQL_TRASH_UNWRITTEN, w->time - UNWRITTEN_MS },
		{ SQL_DROP_TRASHED, 0 },
		{ SQL_SWEEP, 0 },
		{ SQL_SWEPT, 0 },
	};
	enum errcode rc = OK;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && rc == OK; i++) {
		const struct db_value times[] = { DB_INT(steps[i].before), DB_INT(w->now) };
		const size_t n = steps[i].before != 0 ? 2 : 0;

		rc = db_run(db_query_values(w->c.db, steps[i].sql, e, times, n), e);
	}
	return rc;
}
