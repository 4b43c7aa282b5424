/*
 * The pool: a few connections to the index that is in use, each lent to one handle at a time.
 */
#include "airports/airdb_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "airports/places_import.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/log.h"
#include "drivers/db.h"

enum {
	FORCE_MS = 60000,            /* between builds because of damage */
	IDLE_MS = 10000,             /* a spare connection is kept this long */
	LOOK_AFTER_MS = 100,         /* how often a wait checks its watch */
};

static void conn_close(struct airdb_conn *conn)
{
	db_close(conn->db);
	free(conn);
}

void airdb_drop_idle(struct airdb *db)
{
	while (db->idle != NULL) {
		struct airdb_conn *conn = db->idle;

		db->idle = conn->next;
		conn_close(conn);
		db->open--;
	}
}

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

struct airdb_waiting airdb_wait_begin(int wait_ms, const struct watch *w)
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

enum errcode airdb_wait_ready(struct airdb *db, const struct airdb_waiting *w, struct err *e)
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

enum errcode airdb_borrow(struct airdb *db, const struct airdb_waiting *w, struct airdb_conn **out,
    struct err *e)
{
	struct airdb_conn *conn = NULL;
	enum errcode rc = OK;

	pthread_mutex_lock(&db->lock);
	airdb_look(db);
	while (conn == NULL && rc == OK) {
		uint64_t generation = db->generation;
		bool room = false, no_index;

		if (db->state == AIRDB_READY)
			conn = take(db, &room);
		if (conn != NULL)
			break;
		if (!room) {
			rc = airdb_wait_ready(db, w, e);
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
			airdb_start_builder(db);
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

void airdb_give_back(struct airdb *db, struct airdb_conn *conn)
{
	int64_t now = clock_mono_ms();

	pthread_mutex_lock(&db->lock);
	if (conn->damaged && conn->generation == db->generation && now >= db->forced_at) {
		log_msg(LOG_WARN, "airports", "index=damaged path=%s", db->index);
		db->forced_at = now + FORCE_MS;
		db->state = AIRDB_INDEXING;
		db->force = true;
		airdb_drop_idle(db);
		airdb_start_builder(db);
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
