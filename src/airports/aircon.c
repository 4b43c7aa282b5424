/*
 * Handles on the airport database. Only the first look-up of a handle borrows a connection. So a turn
 * that waits for something else, or only computes, does not keep a connection from other turns.
 */
#include "airports/aircon.h"

#include <stdlib.h>

#include "airports/airdb_private.h"
#include "base/heap.h"
#include "base/log.h"

struct aircon {
	struct airdb *pool;
	struct airdb_conn *conn;          /* NULL: nothing was looked up yet, or the handle rests */
	int wait_ms;
	const struct watch *watch;   /* NULL: none */
	struct err lost;             /* why no connection could be borrowed; code OK: no failure */
};

enum errcode airdb_get_watched(struct airdb *db, int wait_ms, const struct watch *watch,
    struct aircon **out, struct err *e)
{
	const struct airdb_waiting w = airdb_wait_begin(wait_ms, watch);
	enum errcode rc = OK;

	*out = NULL;
	pthread_mutex_lock(&db->lock);
	airdb_look(db);
	while (rc == OK && db->state != AIRDB_READY)
		rc = airdb_wait_ready(db, &w, e);
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
		const struct airdb_waiting w = airdb_wait_begin(con->wait_ms, con->watch);

		/* looked at once for all look-ups of a handle, which take milliseconds together */
		if (airdb_borrow(con->pool, &w, &con->conn, &con->lost) == OK &&
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
	airdb_give_back(con->pool, con->conn);
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
