/*
 * One file, a few connections, and transactions that are done completely or not at all.
 *
 * The memory store is the same with a database in memory. It has one connection, because the
 * database is gone when its connection is closed. (Connections can share a database in memory, but
 * SQLite lets only one of them work at a time, and the others do not wait: they fail with
 * SQLITE_LOCKED.) Its time is the monotonic clock, because no other process sees it. Its limits are
 * in struct lite_limits.
 *
 * A few connections serve all threads of the process. Writers of one process first wait for each
 * other, which is cheap, and only then compete with other processes for the file. The deadline
 * includes this wait: if another process keeps the file locked, all writers give up at their own
 * deadlines, and do not fail one after the other. After an error a connection is closed, and the
 * next user opens a new one.
 *
 * Threads expire by the file's own time, kept in the table `clock`. The wall clock of one writer
 * may be wrong by a month, so it does not decide. Every write compares the two:
 * - If they differ by less than a day, the file's time follows the wall clock.
 * - If they differ by more, the wall clock is doubted. The file's time stands still, and nothing
 * expires, until the doubted clocks have agreed with each other for a day. Each doubted write adds
 * the time since the one before, but at most six hours, so a clock that jumps again and again
 * cannot make up a day.
 * - A write by a clock that is not doubted ends the doubt. If doubted clocks are a day apart, the
 * doubt begins again.
 *
 * So one worker with a wrong clock has no effect beside other workers. A site that had no visitors
 * for weeks deletes old threads again after a day of use (with one visit a week: at every fifth). A
 * thread that is used is stamped with the later of the two times: it may be kept too long, but is
 * never deleted too early.
 */
#include "services/store_sqlite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/heap.h"
#include "base/log.h"

enum {
	CONNS = 4,
	MEMORY_THREADS = 10000,
	MEMORY_BYTES = 256 << 20,
	WAL_WAIT_MS = 20,
	OPEN_MS = 5000,                 /* the least; a worker that gives up here does not start */
};

/* "Never" is a hundred years, so that a copy has a time of use at which it expires too. */
#define NEVER_MS (INT64_C(36525) * 24 * 3600 * 1000)

enum {
	MINUTE_MS = 60 * 1000,
	DAY_MS = 24 * 3600 * 1000,
	STEP_MS = DAY_MS / 4,           /* most that one doubted write adds */
};

static const char SQL_TIME[] = "SELECT time_ms, doubt_ms, agreed_ms FROM clock";
static const char SQL_SET_TIME[] =
    "UPDATE clock SET time_ms = ?1, doubt_ms = ?2, agreed_ms = ?3";

static const char SQL_BEGIN[] = "BEGIN";
static const char SQL_BEGIN_WRITE[] = "BEGIN IMMEDIATE";
static const char SQL_COMMIT[] = "COMMIT";
static const char SQL_ROLLBACK[] = "ROLLBACK";

struct lite {
	struct store base;
	char *path;
	bool memory;
	struct lite_limits limits;      /* limits of a store in memory */
	int64_t ttl_ms;
	int timeout_ms;
	atomic_llong writes;            /* how often this process has written */
	pthread_mutex_t lock;           /* guards all that follows */
	pthread_cond_t written, returned;
	bool writing;                   /* one of our threads is */
	struct lite_conn idle[CONNS];
	int nidle, nopen, most_open;
};

/* A failure below becomes ERR_STORE; db.c's text already names the file. */
static enum errcode refused(const struct lite *s, enum errcode rc, struct err *e)
{
	if (rc == OK || rc == ERR_BUSY || rc == ERR_NOTFOUND || rc == ERR_LIMIT || rc == ERR_LOST ||
	    rc == ERR_CONFIG || rc == ERR_STORE)
		return rc;
	if (rc == ERR_TIMEOUT)
		return err_set(e, ERR_STORE, "thread store %s for %d ms: a backup or another program "
		    "has locked the file, or the disk is too slow", e->msg, s->timeout_ms);
	return err_set(e, ERR_STORE, "thread store %s%s", e->msg, rc == ERR_IO ?
	    ": this user must be able to write there and there must be room, or set "
	    "CHECKPOINTER_SQLITE_PATH to another place" : "");
}

static enum errcode set_up(struct lite *s, struct db *db, int64_t until_ms, struct err *e)
{
	bool ready = false;
	/* in one transaction: another process may create the tables between two of the reads */
	enum errcode rc = db_exec(db, "BEGIN", e);

	if (rc == OK)
		rc = lite_schema_check(db, s->path, &ready, e);
	db_exec(db, SQL_ROLLBACK, &(struct err){ 0 });
	if (rc != OK)
		return rc;
	/* while another connection switches to WAL, SQLite does not wait by itself */
	while ((rc = db_exec(db, "PRAGMA journal_mode = WAL", e)) == ERR_TIMEOUT &&
	    clock_mono_ms() < until_ms)
		clock_sleep_ms(WAL_WAIT_MS);
	if (rc == OK)
		rc = db_exec(db, "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 8388608", e);
	if (rc == OK && !ready)
		rc = lite_schema_make(db, s->path, e);
	return rc;
}

static enum errcode connect_file(struct lite *s, struct lite_conn *c, int64_t until_ms,
    struct err *e)
{
	struct stat st = { 0 };
	enum errcode rc = db_open_until(&c->db, s->path, s->memory ? DB_MEMORY : DB_CREATE, until_ms, e);

	if (rc == OK)
		rc = set_up(s, c->db, until_ms, e);
	if (rc == OK && !s->memory && stat(s->path, &st) != 0)
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

/* A connection outlives its file when somebody removes or replaces the file. What it writes then is
 * lost, and other processes see another store. */
static bool still_there(const struct lite *s, const struct lite_conn *c)
{
	struct stat st;

	return s->memory ||
	    (stat(s->path, &st) == 0 && st.st_dev == c->dev && st.st_ino == c->ino);
}

/* Call with the lock held. False: the deadline has passed, and nothing was taken. */
static bool await_turn(struct lite *s, bool write, int64_t until_ms)
{
	const struct timespec until = clock_at(until_ms);
	int rc = 0;

	while (write && s->writing && rc == 0)
		rc = pthread_cond_timedwait(&s->written, &s->lock, &until);
	if (write && s->writing)
		return false;
	s->writing |= write;
	while (s->nidle == 0 && s->nopen == s->most_open && rc == 0)
		rc = pthread_cond_timedwait(&s->returned, &s->lock, &until);
	if (s->nidle > 0 || s->nopen < s->most_open)
		return true;
	if (write) {
		s->writing = false;
		pthread_cond_signal(&s->written);
	}
	return false;
}

static enum errcode borrow(struct lite *s, bool write, struct lite_conn *c, int64_t until_ms,
    struct err *e)
{
	*c = (struct lite_conn){ 0 };
	pthread_mutex_lock(&s->lock);
	bool ours = await_turn(s, write, until_ms);
	if (ours && s->nidle > 0)
		*c = s->idle[--s->nidle];
	else if (ours)
		s->nopen++;
	pthread_mutex_unlock(&s->lock);
	return ours ? OK : err_set(e, ERR_TIMEOUT, "%s: locked", s->path);
}

/* Connect a borrowed connection; connect it again if the file was replaced. */
static enum errcode make_usable(struct lite *s, struct lite_conn *c, int64_t until_ms,
    struct err *e)
{
	if (c->db != NULL && !still_there(s, c)) {
		log_msg(LOG_WARN, "store", "file=%s what=\"the thread store was removed or replaced "
		    "while in use: opened again\"", s->path);
		db_close(c->db);
		c->db = NULL;
	}
	if (c->db == NULL)
		return connect_file(s, c, until_ms, e);
	db_until(c->db, until_ms);
	return OK;
}

static void give_back(struct lite *s, bool write, struct lite_conn *c)
{
	pthread_mutex_lock(&s->lock);
	if (write) {
		s->writing = false;
		pthread_cond_signal(&s->written);
	}
	if (c->db != NULL)
		s->idle[s->nidle++] = *c;
	else
		s->nopen--;
	pthread_cond_signal(&s->returned);
	pthread_mutex_unlock(&s->lock);
}

struct file_clock {
	int64_t time, doubt, agreed;    /* doubt: wall clock of the last doubting write, 0: none */
};

/* Explained at the head of this file. */
static struct file_clock advance(struct file_clock c, int64_t now)
{
	int64_t step = now - c.doubt;

	if (llabs(now - c.time) < DAY_MS)
		return (struct file_clock){ now, 0, 0 };
	if (c.doubt == 0 || step <= -DAY_MS)
		return (struct file_clock){ c.time, now, 0 };
	if (step <= 0)
		return c;
	c.agreed += step < STEP_MS ? step : STEP_MS;
	c.doubt = now;
	return c.agreed >= DAY_MS ? (struct file_clock){ now, 0, 0 } : c;
}

/* Set the times of a piece of work. A writer also moves the file's time, in steps of minutes. */
static enum errcode tell_time(struct work *w, struct err *e)
{
	struct db_stmt *q = db_prepare(w->c.db, SQL_TIME, e);
	struct file_clock was, c;

	enum db_step step = db_step(q, e);
	if (step == DB_ROW)
		was = (struct file_clock){ db_int_at(q, 0), db_int_at(q, 1), db_int_at(q, 2) };
	db_done(q);
	if (step != DB_ROW)
		return step == DB_FAIL ? e->code : err_set(e, ERR_DATA, "%s: the table clock is empty, so "
		    "the file is damaged: stop the workers and move it away", w->s->path);
	w->now = w->s->memory ? clock_mono_ms() : clock_wall_us() / 1000;
	c = was.time == 0 || w->s->memory ? (struct file_clock){ w->now, 0, 0 } : advance(was, w->now);
	w->time = c.time;
	w->used = c.time > w->now ? c.time : w->now;
	const int64_t life = w->s->ttl_ms > 0 ? w->s->ttl_ms : NEVER_MS;
	w->expired = c.time - life;
	w->used_copy = w->used - life + (life < STORE_COPY_MS ? life : STORE_COPY_MS);
	if (!w->write || (c.doubt == was.doubt && llabs(c.time - was.time) < MINUTE_MS))
		return OK;
	return db_put(w->c.db, SQL_SET_TIME, e, DB_INT(c.time), DB_INT(c.doubt), DB_INT(c.agreed));
}

static enum errcode begin(struct work *w, struct store *store, bool write, int timeout_ms,
    struct err *e)
{
	struct lite *s = (struct lite *)store;
	int64_t until_ms = clock_mono_ms() + timeout_ms;
	enum errcode rc;

	*w = (struct work){ .s = s, .write = write, .limits = s->memory ? &s->limits : NULL };
	if ((rc = borrow(s, write, &w->c, until_ms, e)) != OK)
		return refused(s, rc, e);
	if ((rc = make_usable(s, &w->c, until_ms, e)) == OK)
		rc = db_run(db_prepare(w->c.db, write ? SQL_BEGIN_WRITE : SQL_BEGIN, e), e);
	if (rc == OK)
		rc = tell_time(w, e);
	return rc != OK ? work_end(w, rc, e) : OK;
}

enum errcode work_begin(struct work *w, struct store *s, bool write, struct err *e)
{
	return begin(w, s, write, ((struct lite *)s)->timeout_ms, e);
}

enum errcode work_end(struct work *w, enum errcode rc, struct err *e)
{
	if (rc == OK)
		rc = db_run(db_prepare(w->c.db, SQL_COMMIT, e), e);
	if (rc == OK && w->write)
		atomic_fetch_add(&w->s->writes, 1);
	if (rc != OK && w->c.db != NULL) {
		struct err ignored = { 0 };

		db_exec(w->c.db, SQL_ROLLBACK, &ignored);
		if (rc != ERR_BUSY && rc != ERR_NOTFOUND && rc != ERR_LIMIT && rc != ERR_LOST && rc != ERR_TIMEOUT &&
		    !w->s->memory) {
			db_close(w->c.db);      /* a new one has no past */
			w->c.db = NULL;
		}
	}
	give_back(w->s, w->write, &w->c);
	return refused(w->s, rc, e);
}

enum errcode lite_changed(struct store *store, struct lite_conn *c, int64_t *seen, bool *changed,
    struct err *e)
{
	struct lite *s = (struct lite *)store;
	int64_t version = atomic_load(&s->writes);
	enum errcode rc = OK;

	if (!s->memory) {               /* other processes write too */
		rc = make_usable(s, c, clock_mono_ms() + s->timeout_ms, e);
		version = rc == OK ? db_int(c->db, "PRAGMA data_version", 0) : *seen;
	}
	*changed = version != *seen;
	*seen = version;
	return refused(s, rc, e);
}

void lite_unwatch(struct lite_conn *c)
{
	db_close(c->db);
	c->db = NULL;
}

void lite_close(struct store *store)
{
	struct lite *s = (struct lite *)store;

	for (int i = 0; i < s->nidle; i++)
		db_close(s->idle[i].db);
	pthread_cond_destroy(&s->returned);
	pthread_cond_destroy(&s->written);
	pthread_mutex_destroy(&s->lock);
	free(s->path);
	free(s);
}

/* `path` names a store in memory in messages. */
static enum errcode open_store(struct store **out, const char *path,
    const struct lite_limits *limits, const struct store_config *c, struct err *e)
{
	struct lite *s = heap_new(sizeof(*s));
	struct work w;
	enum errcode rc;

	s->path = heap_dup(path);
	s->base.ops = &store_sqlite_ops;
	s->base.threads = &store_sqlite_threads;
	s->base.accounts = &store_sqlite_accounts;
	s->memory = limits != NULL;
	if (s->memory)
		s->limits = *limits;
	s->most_open = s->memory ? 1 : CONNS;
	s->ttl_ms = c->ttl_s > 0 ? c->ttl_s * 1000 : 0;
	s->timeout_ms = c->timeout_ms > 0 ? c->timeout_ms : OPEN_MS;
	pthread_mutex_init(&s->lock, NULL);
	clock_cond_init(&s->written);
	clock_cond_init(&s->returned);
	rc = begin(&w, &s->base, true, s->timeout_ms > OPEN_MS ? s->timeout_ms : OPEN_MS, e);
	if (rc == OK)
		rc = work_end(&w, OK, e);
	if (rc != OK) {
		lite_close(&s->base);
		return rc;
	}
	*out = &s->base;
	return OK;
}

enum errcode store_sqlite_open(struct store **out, const struct store_config *c, struct err *e)
{
	if (c->sqlite_path == NULL || c->sqlite_path[0] == '\0')
		return err_set(e, ERR_CONFIG, "the sqlite thread store needs CHECKPOINTER_SQLITE_PATH");
	return open_store(out, c->sqlite_path, NULL, c, e);
}

enum errcode store_memory_new(struct store **out, int64_t ttl_s, int64_t max_threads,
    int64_t max_bytes, struct err *e)
{
	const struct store_config c = { .ttl_s = ttl_s };
	const struct lite_limits limits = { max_threads, max_bytes, false };

	return open_store(out, "in memory", &limits, &c, e);
}

enum errcode store_memory_open(struct store **out, const struct store_config *c, struct err *e)
{
	return store_memory_new(out, c->ttl_s, MEMORY_THREADS, MEMORY_BYTES, e);
}

enum errcode store_none_open(struct store **out, const struct store_config *c, struct err *e)
{
	const struct store_config kept = { .ttl_s = c->ttl_s };
	const struct lite_limits limits = { MEMORY_THREADS, MEMORY_BYTES, true };

	return open_store(out, "in memory", &limits, &kept, e);
}
