/*
 * One file, a few connections, and transactions that either happen or do not.
 *
 * A few connections serve all threads of the process. Writers of one process queue at a mutex,
 * which is fair and cheap, and only then compete with other processes for the file. A
 * connection that has seen an error is closed: a new one has no past.
 */
#include "services/store_sqlite.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/log.h"

enum {
	CONNS = 4,
	WAL_TRIES = 100,
	WAL_WAIT_MS = 20,
	SCHEMA = 1,
	APP_ID = 0x61674141,
};

static const char SQL_SCHEMA[] =
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

static const char SQL_BEGIN[] = "BEGIN";
static const char SQL_BEGIN_WRITE[] = "BEGIN IMMEDIATE";
static const char SQL_COMMIT[] = "COMMIT";
static const char SQL_ROLLBACK[] = "ROLLBACK";

struct lite {
	struct store base;
	char *path;
	int64_t ttl_ms;
	pthread_mutex_t writing;
	pthread_mutex_t lock;           /* guards what follows */
	pthread_cond_t returned;
	struct lite_conn idle[CONNS];
	int nidle, nopen;
};

/* What went wrong below becomes ERR_STORE; db.c's text already names the file. */
static enum errcode refused(enum errcode rc, struct err *e)
{
	if (rc == OK || rc == ERR_BUSY || rc == ERR_NOTFOUND || rc == ERR_CONFIG)
		return rc;
	return err_set(e, ERR_STORE, "thread store %s%s", e->msg, rc == ERR_IO ?
	    ": this user must be able to write there and there must be room, or set "
	    "CHECKPOINTER_SQLITE_PATH to another place" : "");
}

/* Is the file ours (true in *ready), or empty? All else stays untouched. */
static enum errcode check_identity(struct lite *s, struct db *db, bool *ready, struct err *e)
{
	int64_t app = db_int(db, "PRAGMA application_id", 0);
	int64_t version = db_int(db, "PRAGMA user_version", 0);

	*ready = app == APP_ID && version == SCHEMA;
	if (app == APP_ID && version > SCHEMA)
		return err_set(e, ERR_CONFIG, "thread store %s was made by a newer version of this "
		    "program", s->path);
	if (app != APP_ID && db_int(db, "SELECT count(*) FROM sqlite_schema", 0) > 0)
		return err_set(e, ERR_CONFIG, "%s is a database of something else: set "
		    "CHECKPOINTER_SQLITE_PATH to a file of its own", s->path);
	return OK;
}

/* Several processes may get here at once with a new file. */
static enum errcode create_tables(struct lite *s, struct db *db, struct err *e)
{
	bool ready;
	enum errcode rc = db_exec(db, SQL_BEGIN_WRITE, e);

	if (rc != OK)
		return rc;
	rc = check_identity(s, db, &ready, e);
	if (rc == OK && !ready)
		rc = db_exec(db, SQL_SCHEMA, e);
	if (rc == OK)
		rc = db_exec(db, SQL_COMMIT, e);
	if (rc != OK)
		db_exec(db, SQL_ROLLBACK, &(struct err){ 0 });
	return rc;
}

static enum errcode set_up(struct lite *s, struct db *db, struct err *e)
{
	bool ready = false;
	/* in one transaction: another process may create the tables between two of the reads */
	enum errcode rc = db_exec(db, "BEGIN", e);

	if (rc == OK)
		rc = check_identity(s, db, &ready, e);
	db_exec(db, SQL_ROLLBACK, &(struct err){ 0 });
	if (rc != OK)
		return rc;
	for (int i = 0; i < WAL_TRIES; i++) {
		/* while another connection switches to WAL, SQLite does not wait by itself */
		rc = db_exec(db, "PRAGMA journal_mode = WAL", e);
		if (rc != ERR_TIMEOUT)
			break;
		clock_sleep_ms(WAL_WAIT_MS);
	}
	if (rc == OK)
		rc = db_exec(db, "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 8388608", e);
	if (rc == OK && !ready)
		rc = create_tables(s, db, e);
	return rc;
}

static enum errcode connect_file(struct lite *s, struct lite_conn *c, struct err *e)
{
	struct stat st;
	enum errcode rc = db_open(&c->db, s->path, DB_CREATE, e);

	if (rc == OK)
		rc = set_up(s, c->db, e);
	if (rc == OK && stat(s->path, &st) != 0)
		rc = err_set(e, ERR_IO, "%s: removed while it was being opened", s->path);
	if (rc != OK) {
		db_close(c->db);
		c->db = NULL;
		return rc;
	}
	c->dev = st.st_dev;
	c->ino = st.st_ino;
	return OK;
}

/* A connection outlives its file when somebody removes or replaces that; what it writes then
 * is lost, and other processes see another store. */
static bool still_there(const struct lite *s, const struct lite_conn *c)
{
	struct stat st;

	return stat(s->path, &st) == 0 && st.st_dev == c->dev && st.st_ino == c->ino;
}

static enum errcode borrow(struct lite *s, struct lite_conn *c, struct err *e)
{
	enum errcode rc = OK;

	pthread_mutex_lock(&s->lock);
	while (s->nidle == 0 && s->nopen == CONNS)
		pthread_cond_wait(&s->returned, &s->lock);
	if (s->nidle > 0)
		*c = s->idle[--s->nidle];
	else {
		*c = (struct lite_conn){ 0 };
		s->nopen++;
	}
	pthread_mutex_unlock(&s->lock);

	if (c->db != NULL && !still_there(s, c)) {
		log_msg(LOG_WARN, "store", "file=%s what=\"the thread store was removed or replaced "
		    "while in use: opened again\"", s->path);
		db_close(c->db);
		c->db = NULL;
	}
	if (c->db == NULL)
		rc = connect_file(s, c, e);
	return rc;
}

static void give_back(struct lite *s, struct lite_conn *c)
{
	pthread_mutex_lock(&s->lock);
	if (c->db != NULL)
		s->idle[s->nidle++] = *c;
	else
		s->nopen--;
	pthread_cond_signal(&s->returned);
	pthread_mutex_unlock(&s->lock);
}

enum errcode work_begin(struct work *w, struct store *s, bool write, struct err *e)
{
	enum errcode rc;

	*w = (struct work){ .s = (struct lite *)s, .write = write,
	    .ttl_ms = ((struct lite *)s)->ttl_ms };
	if (write)
		pthread_mutex_lock(&w->s->writing);
	rc = borrow(w->s, &w->c, e);
	if (rc == OK) {
		struct db_stmt *q = db_prepare(w->c.db, write ? SQL_BEGIN_WRITE : SQL_BEGIN, e);

		rc = q != NULL ? db_run(q, e) : e->code;
	}
	w->now = clock_wall_us() / 1000;
	return rc != OK ? work_end(w, rc, e) : OK;
}

enum errcode work_end(struct work *w, enum errcode rc, struct err *e)
{
	if (rc == OK) {
		struct db_stmt *q = db_prepare(w->c.db, SQL_COMMIT, e);

		rc = q != NULL ? db_run(q, e) : e->code;
	}
	if (rc != OK && w->c.db != NULL) {
		struct err ignored = { 0 };

		db_exec(w->c.db, SQL_ROLLBACK, &ignored);
		if (rc != ERR_BUSY && rc != ERR_NOTFOUND) {
			db_close(w->c.db);      /* a new one has no past */
			w->c.db = NULL;
		}
	}
	give_back(w->s, &w->c);
	if (w->write)
		pthread_mutex_unlock(&w->s->writing);
	return refused(rc, e);
}

void lite_close(struct store *store)
{
	struct lite *s = (struct lite *)store;

	for (int i = 0; i < s->nidle; i++)
		db_close(s->idle[i].db);
	pthread_cond_destroy(&s->returned);
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->writing);
	free(s->path);
	free(s);
}

enum errcode lite_open(struct store **out, const struct store_config *c, struct err *e)
{
	if (c->sqlite_path == NULL || c->sqlite_path[0] == '\0')
		return err_set(e, ERR_CONFIG, "the sqlite thread store needs CHECKPOINTER_SQLITE_PATH");

	struct lite *s = calloc(1, sizeof(*s));
	struct err scratch;
	enum errcode rc;

	if (s == NULL || (s->path = strdup(c->sqlite_path)) == NULL)
		abort();
	s->base.ops = &store_sqlite_ops;
	s->ttl_ms = c->ttl_s > 0 ? c->ttl_s * 1000 : 0;
	pthread_mutex_init(&s->writing, NULL);
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->returned, NULL);
	rc = store_sqlite_ops.ping(&s->base, e != NULL ? e : &scratch);
	if (rc != OK) {
		lite_close(&s->base);
		return rc;
	}
	*out = &s->base;
	return OK;
}
