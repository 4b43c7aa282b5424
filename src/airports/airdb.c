/*
 * The life of the airport database in a process: which index is in use, who builds a missing one,
 * and a small pool of connections.
 *
 * A generation is one index file. When another one appears (built here or by another process) the
 * generation is raised; connections of the old one finish the call that uses them and are then
 * closed. A check of source and index costs two stat() calls, every two seconds at most, in the
 * thread that happens to ask for a connection; so an idle process does nothing.
 *
 * Callers hold a handle. Only its first look-up borrows a connection. So a turn that waits for
 * something else, or only computes, does not keep a connection from other turns.
 *
 * The builder is a thread with a lower priority that ends with its build.
 */
#include "airports/airdb.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "airports/aircon.h"
#include "airports/airindex_build.h"
#include "airports/places_import.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"
#include "base/thread.h"

enum {
	CONNECTIONS = 8, CONNECTIONS_MAX = 64,
	LOOK_MS = 2000,              /* between checks of source and index */
	RETRY_MS = 30000,            /* after a failed build */
	RETRY_SOURCE_MS = 5000,      /* between two checks of a source that cannot be used */
	/* ... after a failure because of disk, descriptors or a lock */
	RETRY_IO_MS = 3000,
	FORCE_MS = 60000,            /* between builds because of damage */
	IDLE_MS = 10000,             /* a spare connection is kept this long */
	LOOK_AFTER_MS = 100,         /* how often a wait checks its watch */
	/* attempts to build while the source keeps changing, and the pause between them */
	UNSTEADY = 20, UNSTEADY_MS = 1000,
};

struct airdb_conn {
	struct airdb_conn *next;
	struct db *db;
	struct file_stamp file;        /* of the index, before it was opened */
	uint64_t generation;
	int64_t idle_since;
	bool damaged, places;
};

struct aircon {
	struct airdb *pool;
	struct airdb_conn *conn;          /* NULL: nothing was looked up yet, or the handle rests */
	int wait_ms;
	const struct watch *watch;   /* NULL: none */
	struct err lost;             /* why no connection could be borrowed; code OK: no failure */
};

struct airdb {
	char *path, *index, *places /* NULL: none */;
	bool all_idents;
	int max;

	pthread_mutex_t lock;
	pthread_cond_t changed;      /* the state has changed, or a connection came back */
	enum airdb_state state;
	struct err why;
	int64_t airports;
	struct airindex_stamp print;       /* of the source the index was made from */
	struct file_stamp file;        /* the index served */
	struct file_stamp places_file;
	uint64_t generation;
	int64_t looked, retry_at, forced_at;
	struct airdb_conn *idle;           /* last used first */
	int open;                    /* number of connections */

	pthread_t builder;
	bool has_builder, building, force;
	atomic_bool stop;
};

/* ---- the place of the index -------------------------------------------- */

/* In a shared folder the name must differ for sources with the same name. */
static char *index_in(const char *dir, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *real = realpath(path, NULL);
	uint64_t h = str_hash(real != NULL ? real : path);

	free(real);
	return heap_printf("%s/%s-%016llx.index", dir, slash != NULL ? slash + 1 : path,
	    (unsigned long long)h);
}

static bool folder_writable(const char *path)
{
	char *dir = path_folder(path);
	bool ok = faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS) == 0;

	free(dir);
	return ok;
}

/* A current index beside the source is used even if none could be written there. */
static char *index_path(const struct airdb_config *c)
{
	struct airindex_stamp p;
	int64_t n;
	char *s;

	if (c->index_path != NULL)
		return heap_dup(c->index_path);
	s = heap_printf("%s.index", c->path);
	if (c->cache_dir == NULL || folder_writable(s) ||
	    (airindex_stamp_of(c->path, &p, NULL) == OK && airindex_current(s, &p, true, &n)))
		return s;
	free(s);
	return index_in(c->cache_dir, c->path);
}

/* ---- state, under the lock --------------------------------------------- */

static void conn_close(struct airdb_conn *conn)
{
	db_close(conn->db);
	free(conn);
}

static void drop_idle(struct airdb *db)
{
	while (db->idle != NULL) {
		struct airdb_conn *conn = db->idle;

		db->idle = conn->next;
		conn_close(conn);
		db->open--;
	}
}

/* Use the index if it fits the source; true if it does. */
static bool refresh(struct airdb *db)
{
	struct airindex_stamp p;
	struct file_stamp id = file_stamp(db->index);
	int64_t n;

	if (airindex_stamp_of(db->path, &p, NULL) != OK || !id.there ||
	    !airindex_current(db->index, &p, false, &n))
		return false;
	if (db->generation == 0 || !file_stamp_same(&id, &db->file)) {
		db->generation++;
		drop_idle(db);
	}
	db->file = id;
	db->print = p;
	db->airports = n;
	db->state = AIRDB_READY;
	pthread_cond_broadcast(&db->changed);
	return true;
}

static bool told_to_stop(void *arg)
{
	struct airdb *db = arg;

	return atomic_load(&db->stop);
}

static void *build(void *arg)
{
	struct airdb *db = arg;
	struct airindex_build b = { .source = db->path, .index = db->index, .stop = told_to_stop, .arg = db };
	int64_t start = clock_mono_ms();
	struct err e = { OK, "" };
	enum errcode rc = OK;
	bool served = false;

	setpriority(PRIO_PROCESS, (id_t)gettid(), 10);
	for (int i = 0; i < UNSTEADY && rc == OK && !served && !told_to_stop(db); i++) {
		if (i > 0)
			clock_sleep_ms(UNSTEADY_MS);
		pthread_mutex_lock(&db->lock);
		b.force = db->force;
		db->force = false;
		pthread_mutex_unlock(&db->lock);
		rc = airindex_build(&b, &e);
		pthread_mutex_lock(&db->lock);
		served = rc == OK && refresh(db);
		pthread_mutex_unlock(&db->lock);
	}
	if (rc == OK && !served && told_to_stop(db))
		rc = err_set(&e, ERR_HUP, "stopped");
	if (rc == OK && !served)
		rc = err_set(&e, ERR_DATA, "%s: keeps changing, no index could be made of it", db->path);
	if (served)
		log_msg(LOG_INFO, "airports", "index=%s airports=%lld ms=%lld", db->index,
		    (long long)db->airports, (long long)(clock_mono_ms() - start));
	else if (rc != ERR_HUP)
		log_msg(LOG_ERROR, "airports", "index=failed why=\"%s\"", e.msg);
	malloc_trim(0);
	pthread_mutex_lock(&db->lock);
	db->building = false;
	if (!served) {
		db->why = e;
		db->retry_at = clock_mono_ms() + (rc == ERR_DATA ? RETRY_MS : RETRY_IO_MS);
		/* an older index that is in use is better than none */
		if (db->state == AIRDB_INDEXING)
			db->state = AIRDB_FAILED;
	}
	pthread_cond_broadcast(&db->changed);
	pthread_mutex_unlock(&db->lock);
	return NULL;
}

static void start_builder(struct airdb *db)
{
	if (db->building)
		return;
	if (db->has_builder)
		pthread_join(db->builder, NULL);
	db->has_builder = false;
	if (thread_start(&db->builder, build, db) == 0) {
		db->has_builder = db->building = true;
	} else {
		err_set(&db->why, ERR_INTERNAL, "no thread for building the airport index");
		db->retry_at = clock_mono_ms() + RETRY_MS;
		if (db->state == AIRDB_INDEXING)
			db->state = AIRDB_FAILED;
	}
}

static enum errcode check_source(const char *path, struct err *e)
{
	struct db *src = NULL;
	enum errcode rc = OK;

	if (path == NULL || path[0] == '\0')
		rc = err_set(e, ERR_DATA, "no file is named");
	if (rc == OK)
		rc = db_open(&src, path, DB_READ, e);
	if (rc == OK)
		rc = airindex_load_check(src, path, e);
	db_close(src);
	if (rc == OK)
		return OK;
	if (path == NULL || access(path, F_OK) != 0)
		err_set(e, ERR_DATA, "%.300s: set AIRPORTS_DB to a database, or make one with: "
		    "aviation-agent import ourairports DIR", e->msg);
	err_prefix(e, "airport database");
	return e->code = ERR_DATA;
}

/* Use the source if that is possible. */
static void begin(struct airdb *db)
{
	struct err e = { OK, "" };
	int64_t n;

	if (check_source(db->path, &e) == OK) {
		log_msg(LOG_INFO, "airports", "path=%s", db->path);
		db->state = AIRDB_INDEXING;
		/* An index made with other facts is used until a new one is ready. This is checked
		 * only at the start: two processes with different facts must not replace each
		 * other's index again and again. */
		if (!refresh(db) || !airindex_current(db->index, &db->print, true, &n))
			start_builder(db);
		return;
	}
	if (!streq(e.msg, db->why.msg))        /* log it once, not every five seconds */
		log_msg(LOG_ERROR, "airports_unavailable", "why=\"%s\"", e.msg);
	db->why = e;
	db->state = AIRDB_FAILED;
	db->retry_at = clock_mono_ms() + RETRY_SOURCE_MS;
}

/* Imported places came, went or were replaced: connections must attach them anew. */
static void look_places(struct airdb *db)
{
	struct file_stamp now;

	if (db->places == NULL)
		return;
	now = file_stamp(db->places);
	if (file_stamp_same(&now, &db->places_file))
		return;
	db->places_file = now;
	if (db->generation > 0) {
		db->generation++;
		drop_idle(db);
	}
}

/* Has the source or the index changed? Is it time to try again? */
static void look(struct airdb *db)
{
	int64_t now = clock_mono_ms();
	struct file_stamp id;
	struct airindex_stamp p;

	if (now - db->looked < LOOK_MS || (db->state == AIRDB_INDEXING && db->building))
		return;
	db->looked = now;
	look_places(db);
	if (db->state == AIRDB_FAILED) {
		if (now >= db->retry_at)
			begin(db);
		return;
	}
	if (db->state == AIRDB_READY) {
		/* a source that is missing for a moment is being replaced */
		if (airindex_stamp_of(db->path, &p, NULL) != OK)
			return;
		id = file_stamp(db->index);
		if (id.there && file_stamp_same(&id, &db->file) &&
		    airindex_stamp_equal(&p, &db->print))
			return;
		if (now < db->retry_at)
			return;
	}
	if (!refresh(db))
		start_builder(db);
}

/* ---- life -------------------------------------------------------------- */

enum errcode airdb_open(struct airdb **out, const struct airdb_config *c, struct err *e)
{
	struct airdb *db = heap_new(sizeof(*db));

	(void)e;
	db->path = heap_dup(c->path != NULL ? c->path : "");
	db->index = index_path(c);
	db->places = c->places_path != NULL ? heap_dup(c->places_path) : NULL;
	db->all_idents = c->all_idents;
	db->max = c->connections <= 0 ? CONNECTIONS :
	    c->connections < CONNECTIONS_MAX ? c->connections : CONNECTIONS_MAX;
	pthread_mutex_init(&db->lock, NULL);
	clock_cond_init(&db->changed);
	pthread_mutex_lock(&db->lock);
	db->looked = clock_mono_ms();
	begin(db);
	pthread_mutex_unlock(&db->lock);
	*out = db;
	return OK;
}

void airdb_close(struct airdb *db)
{
	if (db == NULL)
		return;
	atomic_store(&db->stop, true);
	if (db->has_builder)
		pthread_join(db->builder, NULL);
	drop_idle(db);
	pthread_cond_destroy(&db->changed);
	pthread_mutex_destroy(&db->lock);
	free(db->path);
	free(db->index);
	free(db->places);
	free(db);
}

enum airdb_state airdb_state(struct airdb *db, int64_t *nairports, struct err *why)
{
	enum airdb_state state;

	pthread_mutex_lock(&db->lock);
	look(db);
	state = db->state;
	if (nairports != NULL)
		*nairports = db->airports;
	if (why != NULL && state == AIRDB_FAILED)
		*why = db->why;
	pthread_mutex_unlock(&db->lock);
	return state;
}

enum errcode airdb_index(const struct airdb_config *c, progress_fn *progress, void *arg,
    struct err *e)
{
	struct airindex_build b = { .source = c->path, .progress = progress, .arg = arg };
	struct err local;
	enum errcode rc = check_source(c->path, e != NULL ? e : (e = &local));
	char *index;

	if (rc != OK)
		return rc;
	b.index = index = index_path(c);
	rc = airindex_build(&b, e);
	free(index);
	return rc;
}

/* ---- connections ------------------------------------------------------- */

/* If the file of places cannot be used, look-ups go on without it. */
static bool attach_places(const struct airdb *db, struct db *conn)
{
	static const char sql[] = "SELECT value FROM places.meta WHERE key = 'version'";
	struct err e = { OK, "it has another format; import the places again" };

	if (db->places == NULL || access(db->places, F_OK) != 0)
		return false;
	if (db_attach(conn, db->places, "places", &e) == OK &&
	    db_int(conn, sql, 0) == strtol(PLACES_VERSION, NULL, 10))
		return true;
	log_msg(LOG_WARN, "places", "unused=%s why=\"%s\"", db->places, e.msg);
	return false;
}

static struct airdb_conn *connect_to(struct airdb *db, uint64_t generation, bool *no_index,
    struct err *e)
{
	struct airdb_conn *conn = heap_new(sizeof(*conn));

	*no_index = false;
	conn->generation = generation;
	conn->file = file_stamp(db->index);
	/* the index is only ever replaced by rename, so locks on it are not needed */
	if (db_open(&conn->db, db->index, DB_FIXED, e) == OK &&
	    db_attach(conn->db, db->path, "src", e) == OK) {
		conn->places = attach_places(db, conn->db);
		return conn;
	}
	if (conn->db == NULL) {
		/* do not rebuild a good index because descriptors ran out for a moment */
		int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

		*no_index = fd >= 0;
		if (fd < 0)
			err_set(e, ERR_OVERLOAD, "%s: %s", db->index, strerrordesc_np(errno));
		else
			close(fd);
	}
	conn_close(conn);
	return NULL;
}

struct airdb_waiting {
	int64_t deadline_ms;
	const struct watch *watch;   /* NULL: none */
};

static struct airdb_waiting wait_begin(int wait_ms, const struct watch *w)
{
	return (struct airdb_waiting){ clock_mono_ms() + wait_ms, w };
}

/* Wait for a change, for a short time. After the deadline: `late_code` with the message `late`. When
 * the watch ended the wait: its code. */
static enum errcode wait_for(struct airdb *db, const struct airdb_waiting *w,
    enum errcode late_code, const char *late, struct err *e)
{
	int64_t now = clock_mono_ms(), until = w->deadline_ms;
	enum errcode rc;

	if (now >= until)
		return err_set(e, late_code, "%s", late);
	if (w->watch != NULL && until - now > LOOK_AFTER_MS)
		until = now + LOOK_AFTER_MS;
	struct timespec t = clock_at(until);
	pthread_cond_timedwait(&db->changed, &db->lock, &t);
	if (w->watch == NULL)
		return OK;
	pthread_mutex_unlock(&db->lock);
	rc = watch_sleep(w->watch, 0);
	pthread_mutex_lock(&db->lock);
	return rc == OK ? OK : err_set(e, rc, "airports: stopped waiting for the database (%s)",
	    err_row(rc)->name);
}

/* Look into the pool: an idle connection, room for a new one (*room), or neither. */
static struct airdb_conn *take(struct airdb *db, bool *room)
{
	struct airdb_conn *conn = db->idle;

	*room = conn == NULL && db->open < db->max;
	if (conn != NULL)
		db->idle = conn->next;
	else if (*room)
		db->open++;
	return conn;
}

/* Wait for an index or a free connection. If there is none, say why. */
static enum errcode wait_ready(struct airdb *db, const struct airdb_waiting *w, struct err *e)
{
	switch (db->state) {
	case AIRDB_FAILED:
		return err_set(e, ERR_DATA, "%s", db->why.msg);
	case AIRDB_INDEXING:
		return wait_for(db, w, ERR_PREPARING, "the airport index is being built", e);
	case AIRDB_READY:
		return wait_for(db, w, ERR_OVERLOAD, "all connections to the airport database are in use",
		    e);
	}
	return err_set(e, ERR_INTERNAL, "no such state");
}

static enum errcode borrow(struct airdb *db, const struct airdb_waiting *w, struct airdb_conn **out,
    struct err *e)
{
	struct airdb_conn *conn = NULL;
	enum errcode rc = OK;

	pthread_mutex_lock(&db->lock);
	look(db);
	while (conn == NULL && rc == OK) {
		uint64_t generation = db->generation;
		bool room = false, no_index;

		if (db->state == AIRDB_READY)
			conn = take(db, &room);
		if (conn != NULL)
			break;
		if (!room) {
			rc = wait_ready(db, w, e);
			continue;
		}
		pthread_mutex_unlock(&db->lock);
		conn = connect_to(db, generation, &no_index, e);
		pthread_mutex_lock(&db->lock);
		if (conn != NULL)
			break;
		db->open--;
		pthread_cond_signal(&db->changed);
		if (!no_index) {
			rc = e->code;
		} else if (db->generation == generation) {
			/* somebody removed or spoilt the index: make it again */
			db->state = AIRDB_INDEXING;
			start_builder(db);
		}
	}
	pthread_mutex_unlock(&db->lock);
	*out = conn;
	return rc;
}

/* Close connections that have been idle for long, except for one. */
static void trim(struct airdb *db, int64_t now)
{
	struct airdb_conn **at = db->idle != NULL ? &db->idle->next : &db->idle;

	while (*at != NULL) {
		struct airdb_conn *conn = *at;

		if (now - conn->idle_since < IDLE_MS) {
			at = &conn->next;
			continue;
		}
		*at = conn->next;
		conn_close(conn);
		db->open--;
	}
}

static void give_back(struct airdb *db, struct airdb_conn *conn)
{
	int64_t now = clock_mono_ms();

	pthread_mutex_lock(&db->lock);
	if (conn->damaged && conn->generation == db->generation && now >= db->forced_at) {
		log_msg(LOG_WARN, "airports", "index=damaged path=%s", db->index);
		db->forced_at = now + FORCE_MS;
		db->state = AIRDB_INDEXING;
		db->force = true;
		drop_idle(db);
		start_builder(db);
	}
	if (conn->damaged || conn->generation != db->generation) {
		conn_close(conn);
		db->open--;
	} else {
		conn->idle_since = now;
		conn->next = db->idle;
		db->idle = conn;
	}
	trim(db, now);
	pthread_cond_signal(&db->changed);
	pthread_mutex_unlock(&db->lock);
}

/* ---- handles ------------------------------------------------------------- */

enum errcode airdb_get_watched(struct airdb *db, int wait_ms, const struct watch *watch,
    struct aircon **out, struct err *e)
{
	const struct airdb_waiting w = wait_begin(wait_ms, watch);
	enum errcode rc = OK;

	*out = NULL;
	pthread_mutex_lock(&db->lock);
	look(db);
	while (rc == OK && db->state != AIRDB_READY)
		rc = wait_ready(db, &w, e);
	pthread_mutex_unlock(&db->lock);
	if (rc != OK)
		return rc;
	*out = heap_new(sizeof(**out));
	**out = (struct aircon){ .pool = db, .wait_ms = wait_ms, .watch = watch };
	return OK;
}

enum errcode airdb_get(struct airdb *db, int wait_ms, struct aircon **out, struct err *e)
{
	return airdb_get_watched(db, wait_ms, NULL, out, e);
}

/* A file that was cut short or changed in place may read as zeros, which can look like data of
 * airports that do not exist. A file that replaced it by rename is a different file. */
static bool intact(const struct airdb_conn *conn, const char *index)
{
	const struct file_stamp now = file_stamp(index);

	return !now.there || now.ino != conn->file.ino || file_stamp_same(&now, &conn->file);
}

struct db *aircon_db(struct aircon *con, struct err *e)
{
	if (con->conn == NULL && con->lost.code == OK) {
		const struct airdb_waiting w = wait_begin(con->wait_ms, con->watch);

		/* looked at once for all look-ups of a handle, which take milliseconds together */
		if (borrow(con->pool, &w, &con->conn, &con->lost) == OK &&
		    !intact(con->conn, con->pool->index))
			con->conn->damaged = true;
	}
	if (con->conn == NULL) {
		err_set(e, con->lost.code, "%s", con->lost.msg);
		return NULL;
	}
	if (con->conn->damaged) {
		err_set(e, ERR_DATA, "%s: another program changed this file in place; the index is built "
		    "anew", con->pool->index);
		return NULL;
	}
	return con->conn->db;
}

enum errcode aircon_lost(const struct aircon *con)
{
	return con->lost.code;
}

void aircon_rest(struct aircon *con)
{
	if (con == NULL || con->conn == NULL)
		return;
	give_back(con->pool, con->conn);
	con->conn = NULL;
}

void airdb_put(struct aircon *con)
{
	aircon_rest(con);
	free(con);
}

bool aircon_has_places(const struct aircon *con)
{
	return con->conn != NULL && con->conn->places;
}

void aircon_lose_places(struct aircon *con, const char *why)
{
	log_msg(LOG_WARN, "places", "unused=%s why=\"%s\"", con->pool->places, why);
	if (con->conn != NULL)
		con->conn->places = false;
}

bool aircon_all_idents(const struct aircon *con)
{
	return con->pool->all_idents;
}

void aircon_damaged(struct aircon *con)
{
	if (con->conn != NULL)
		con->conn->damaged = true;
}

enum errcode aircon_end(struct aircon *con, struct db_stmt *s, enum db_step last, struct err *e)
{
	enum errcode rc = db_end(s, last, e);

	if (rc == ERR_DATA)
		aircon_damaged(con);
	return rc;
}
