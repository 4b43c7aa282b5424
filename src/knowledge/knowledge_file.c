#include "knowledge/knowledge_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/str.h"
#include "drivers/db.h"

/* The index keeps no texts of its own. */
static const char SQL_SCHEMA[] =
    "CREATE TABLE documents (id INTEGER PRIMARY KEY, root TEXT NOT NULL, source TEXT NOT NULL,"
    " hash BLOB NOT NULL);"
    "CREATE TABLE chunks (id INTEGER PRIMARY KEY, document INTEGER NOT NULL, place INTEGER NOT NULL,"
    " heading TEXT NOT NULL, text TEXT NOT NULL, hash BLOB NOT NULL);"
    "CREATE INDEX chunks_hash ON chunks (hash);"
    "CREATE VIRTUAL TABLE words USING fts5(text, heading, content='', tokenize='ascii');"
    "CREATE TABLE vectors (id INTEGER PRIMARY KEY, vector BLOB NOT NULL);"
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value);";
static const char SQL_SET[] = "INSERT OR REPLACE INTO facts VALUES (?1, ?2)";
static const char SQL_FACTS[] = "SELECT name, value FROM facts";

enum errcode knowledge_file_create(struct db *db, struct err *e)
{
	char identity[96];
	snprintf(identity, sizeof(identity), "PRAGMA application_id = %d; PRAGMA user_version = %d;",
	    KNOWLEDGE_APP_ID, KNOWLEDGE_FORMAT);
	enum errcode rc = db_exec(db, identity, e);
	return rc == OK ? db_exec(db, SQL_SCHEMA, e) : rc;
}

static enum errcode check_identity(struct db *db, const char *path, struct err *e)
{
	int64_t app = db_int(db, "PRAGMA application_id", -1);
	int64_t format = db_int(db, "PRAGMA user_version", -1);
	if (app != KNOWLEDGE_APP_ID)
		return err_set(e, ERR_DATA, "%s is not a knowledge base: set KNOWLEDGE_DB to a file of "
		    "its own", path);
	if (format != KNOWLEDGE_FORMAT)
		return err_set(e, ERR_DATA, "%s was made by another version of this program: remove it "
		    "and " KNOWLEDGE_RUN, path);
	return OK;
}

enum errcode knowledge_file_open(struct db **out, const char *path, struct err *e)
{
	struct stat st;
	struct db *db = NULL;
	*out = NULL;
	if (stat(path, &st) != 0 && errno == ENOENT)
		return err_set(e, ERR_NOTFOUND, "%s: there is no knowledge base: " KNOWLEDGE_RUN, path);
	enum errcode rc = db_open(&db, path, DB_FIXED, e);
	if (rc == OK)
		rc = check_identity(db, path, e);
	if (rc != OK) {
		db_close(db);
		return rc;
	}
	*out = db;
	return OK;
}

enum errcode knowledge_file_facts(struct db *db, struct arena *a, struct knowledge_facts *out,
    struct err *e)
{
	struct db_stmt *s = db_prepare(db, SQL_FACTS, e);
	enum db_step step;
	*out = (struct knowledge_facts){ 0 };
	while ((step = db_step(s, e)) == DB_ROW) {
		const char *name = db_text(s, 0);
		size_t n = db_int_at(s, 1) > 0 ? (size_t)db_int_at(s, 1) : 0;
		if (streq(name, "documents"))
			out->documents = n;
		else if (streq(name, "chunks"))
			out->chunks = n;
		else if (streq(name, "dims"))
			out->dims = n;
		else if (streq(name, "model"))
			out->model = arena_strdup(a, db_text(s, 1));
	}
	return db_end(s, step, e);
}

enum errcode knowledge_file_set(struct db *db, const struct knowledge_facts *f, struct err *e)
{
	char now[CLOCK_ISO_SIZE];
	clock_iso_utc(now, clock_wall_us());
	enum errcode rc = db_put(db, SQL_SET, e, DB_TEXT("documents"), DB_INT((int64_t)f->documents));
	if (rc == OK)
		rc = db_put(db, SQL_SET, e, DB_TEXT("chunks"), DB_INT((int64_t)f->chunks));
	if (rc == OK)
		rc = db_put(db, SQL_SET, e, DB_TEXT("dims"), DB_INT((int64_t)f->dims));
	if (rc == OK)
		rc = db_put(db, SQL_SET, e, DB_TEXT("model"), DB_TEXT(f->model));
	return rc == OK ? db_put(db, SQL_SET, e, DB_TEXT("ingested"), DB_TEXT(now)) : rc;
}
