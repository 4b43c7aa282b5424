/*
 * The tables of the SQLite file, and how a file of an earlier version gets those that it lacks.
 */
#include "services/store_sqlite.h"

enum {
	SCHEMA = 1,
	APP_ID = 0x61674141,
};

static const char SQL_FIRST[] =
    "CREATE TABLE threads ("
    " key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,"
    " version INTEGER NOT NULL, nmessages INTEGER NOT NULL, owner TEXT, state TEXT,"
    " fence INTEGER NOT NULL, lease_run TEXT NOT NULL, lease_until INTEGER NOT NULL,"
    " lease_ttl INTEGER NOT NULL, last_run TEXT NOT NULL DEFAULT '', used_ms INTEGER NOT NULL);"
    "CREATE INDEX threads_used ON threads (used_ms);"
    "CREATE INDEX threads_unwritten ON threads (used_ms) WHERE version = 0;"
    "CREATE TABLE messages ("
    " thread INTEGER NOT NULL, seq INTEGER NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,"
    " PRIMARY KEY (thread, seq));"
    "CREATE TABLE trash (key INTEGER PRIMARY KEY);"
    "PRAGMA application_id = 0x61674141;"
    "PRAGMA user_version = 1;";

/* The bytes of a thread's messages (NULL: not counted yet), and the file's time, which starts at the
 * newest use. */
static const char SQL_CLOCK[] =
    "ALTER TABLE threads ADD COLUMN bytes INTEGER;"
    "CREATE TABLE clock (time_ms INTEGER NOT NULL, doubt_ms INTEGER NOT NULL,"
    " agreed_ms INTEGER NOT NULL);"
    "INSERT INTO clock SELECT coalesce(max(used_ms), 0), 0, 0 FROM threads;";

/* NULL: an old thread or message */
static const char SQL_TOOL_TURNS[] =
    "ALTER TABLE threads ADD COLUMN agent TEXT;"
    "ALTER TABLE messages ADD COLUMN id TEXT;"
    "ALTER TABLE messages ADD COLUMN call_id TEXT;"
    "ALTER TABLE messages ADD COLUMN calls TEXT;"
    "ALTER TABLE messages ADD COLUMN time_us INTEGER;";

/* The runs that wait for a thread's lease; until_ms is when one has lost its place. */
static const char SQL_WAITERS[] =
    "ALTER TABLE threads ADD COLUMN lease_since INTEGER;"
    "CREATE TABLE waiters (seq INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL,"
    " run TEXT NOT NULL, until_ms INTEGER NOT NULL);"
    "CREATE INDEX waiters_thread ON waiters (thread, seq);";

/* The records of runs, and the groups of events of those that have a log. */
static const char SQL_RUNS[] =
    "CREATE TABLE runs ("
    " key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, thread TEXT NOT NULL,"
    " owner TEXT, agent TEXT, session TEXT, worker TEXT, fence INTEGER NOT NULL,"
    " logged INTEGER NOT NULL, status TEXT NOT NULL, cancelled INTEGER NOT NULL DEFAULT 0,"
    " started_us INTEGER NOT NULL, ended_us INTEGER NOT NULL DEFAULT 0,"
    " until_ms INTEGER NOT NULL, alive_ms INTEGER NOT NULL, used_ms INTEGER NOT NULL,"
    " tokens_in INTEGER NOT NULL DEFAULT 0, tokens_out INTEGER NOT NULL DEFAULT 0,"
    " estimated INTEGER NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '',"
    " last INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX runs_logged ON runs (thread) WHERE logged = 1;"
    "CREATE INDEX runs_cancelled ON runs (id) WHERE cancelled = 1;"
    "CREATE TABLE run_log ("
    " run INTEGER NOT NULL, last INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,"
    " events BLOB NOT NULL, PRIMARY KEY (run, last));";

/* Keys that were claimed, and the runs that they have begun (NULL: none yet). */
static const char SQL_CLAIMS[] =
    "CREATE TABLE claims ("
    " name TEXT PRIMARY KEY, mark TEXT NOT NULL, token TEXT NOT NULL, run TEXT,"
    " until_ms INTEGER NOT NULL, kept_ms INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX claims_until ON claims (until_ms);";

/* What owners see of their threads, and sessions. A thread's session is that of its newest turn. */
static const char SQL_SESSIONS[] =
    "ALTER TABLE threads ADD COLUMN title TEXT;"
    "ALTER TABLE threads ADD COLUMN created_us INTEGER;"
    "ALTER TABLE threads ADD COLUMN updated_us INTEGER;"
    "ALTER TABLE threads ADD COLUMN persona TEXT;"
    "ALTER TABLE threads ADD COLUMN session INTEGER;"
    "ALTER TABLE messages ADD COLUMN turn TEXT;"
    "CREATE TABLE sessions (key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, owner TEXT NOT NULL,"
    " first_us INTEGER NOT NULL, last_us INTEGER NOT NULL, turns INTEGER NOT NULL,"
    " input INTEGER NOT NULL, output INTEGER NOT NULL, persona TEXT NOT NULL, threads TEXT NOT NULL,"
    " used_ms INTEGER NOT NULL, UNIQUE (id, owner));"
    "CREATE INDEX sessions_used ON sessions (used_ms);";

/* The first thread of a copy. */
static const char SQL_COPIES[] = "ALTER TABLE threads ADD COLUMN origin TEXT;";

/* Users with what their names and addresses are compared by, their conversations, and counters. */
static const char SQL_ACCOUNTS[] =
    "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE,"
    " email TEXT NOT NULL, email_key TEXT NOT NULL UNIQUE, full_name TEXT, hash TEXT NOT NULL,"
    " active INTEGER NOT NULL, created_us INTEGER NOT NULL);"
    "CREATE TABLE conversations (owner TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL,"
    " created_us INTEGER NOT NULL, updated_us INTEGER NOT NULL, run TEXT NOT NULL, turn INTEGER NOT NULL,"
    " used_ms INTEGER NOT NULL, UNIQUE (owner, id));"
    "CREATE INDEX conversations_updated ON conversations (owner, updated_us);"
    "CREATE INDEX conversations_used ON conversations (used_ms);"
    "CREATE TABLE counters (name TEXT PRIMARY KEY, total INTEGER NOT NULL, until_ms INTEGER NOT NULL,"
    " kept_ms INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX counters_until ON counters (until_ms);";

/* Tokens of a user that were made before this time (Unix time in seconds) have ended. */
static const char SQL_TOKENS_FROM[] = "ALTER TABLE users ADD COLUMN tokens_from INTEGER NOT NULL DEFAULT 0;";

/* How a file came to its form, in order; a column tells that a step was made. Workers of earlier versions
 * can still use the file: they ignore what was added. */
static const struct {
	const char *table, *column, *sql;
} steps[] = {
	{ "threads", "key", SQL_FIRST },
	{ "clock", "time_ms", SQL_CLOCK },
	{ "messages", "time_us", SQL_TOOL_TURNS },
	{ "waiters", "run", SQL_WAITERS },
	{ "runs", "id", SQL_RUNS },
	{ "claims", "name", SQL_CLAIMS },
	{ "sessions", "threads", SQL_SESSIONS },
	{ "threads", "origin", SQL_COPIES },
	{ "counters", "total", SQL_ACCOUNTS },
	{ "users", "tokens_from", SQL_TOKENS_FROM },
};
enum { STEPS = sizeof(steps) / sizeof(steps[0]) };

static bool made(struct db *db, size_t step)
{
	return db_has_column(db, "main", steps[step].table, steps[step].column);
}

enum errcode lite_schema_check(struct db *db, const char *path, bool *ready, struct err *e)
{
	int64_t app = db_int(db, "PRAGMA application_id", 0);
	int64_t version = db_int(db, "PRAGMA user_version", 0);

	*ready = app == APP_ID && version == SCHEMA && made(db, STEPS - 1);
	if (app == APP_ID && version > SCHEMA)
		return err_set(e, ERR_CONFIG, "thread store %s was made by a newer version of this "
		    "program", path);
	if (app != APP_ID && db_int(db, "SELECT count(*) FROM sqlite_schema", 0) > 0)
		return err_set(e, ERR_CONFIG, "%s is a database of something else: set "
		    "CHECKPOINTER_SQLITE_PATH to a file of its own", path);
	return OK;
}

/* Several processes may get here at once with a new file. */
enum errcode lite_schema_make(struct db *db, const char *path, struct err *e)
{
	bool ready;
	enum errcode rc = db_exec(db, "BEGIN IMMEDIATE", e);

	if (rc != OK)
		return rc;
	rc = lite_schema_check(db, path, &ready, e);
	for (size_t i = 0; i < STEPS && rc == OK && !ready; i++)
		if (!made(db, i))
			rc = db_exec(db, steps[i].sql, e);
	if (rc == OK)
		rc = db_exec(db, "COMMIT", e);
	if (rc != OK)
		db_exec(db, "ROLLBACK", &(struct err){ 0 });
	return rc;
}
