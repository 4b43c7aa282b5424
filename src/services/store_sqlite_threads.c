/*
 * What owners and operators see of the threads in SQLite. An expired thread does not exist here, although
 * its rows may not have been deleted yet.
 */
#include "services/store_sqlite.h"

/* SQL is found again by its address: each text is one array. */
#define ABOUT "key, version, nmessages, used_ms, title, created_us, updated_us, persona, owner," \
	" coalesce(agent, ?4), lease_run, lease_until, lease_ttl," \
	" (SELECT count(*) FROM messages WHERE thread = threads.key), id, origin"
static const char SQL_ABOUT[] =
    "SELECT " ABOUT ", " LITE_OURS " FROM threads WHERE id = ?1 AND version > 0 AND used_ms > ?5";
static const char SQL_FIND[] =
    "SELECT key, nmessages, " LITE_OURS " FROM threads WHERE id = ?1 AND version > 0 AND used_ms > ?5";
static const char SQL_SLICE[] =
    "SELECT seq, " LITE_MESSAGE " FROM messages WHERE thread = ?1 AND seq >= ?2 ORDER BY seq LIMIT ?3";
static const char SQL_LIST[] =
    "SELECT " ABOUT " FROM threads WHERE version > 0 AND used_ms > ?1 AND (?2 IS NULL OR owner = ?2)"
    " AND ?3 > 0 ORDER BY used_ms DESC LIMIT ?3";

static const char *text(struct arena *a, struct db_stmt *q, int column)
{
	const char *s = db_text(q, column);

	return s != NULL ? arena_strdup(a, s) : "";
}

static void read_about(const struct work *w, struct arena *a, struct db_stmt *q, struct thread_about *t)
{
	t->version = db_int_at(q, 1);
	t->nmessages = db_int_at(q, 2);
	t->title = db_is_null(q, 4) ? NULL : text(a, q, 4);
	t->created_us = db_int_at(q, 5);
	t->updated_us = db_int_at(q, 6);
	t->persona = text(a, q, 7);
	t->user = text(a, q, 8);
	t->agent = text(a, q, 9);
	t->nkept = db_int_at(q, 13);
	t->id = text(a, q, 14);
	t->origin = text(a, q, 15);
	const int64_t left = db_int_at(q, 11) - w->now;
	const bool held = left > 0 && left <= db_int_at(q, 12);
	t->run = held ? text(a, q, 10) : "";
	t->run_ms = held ? left : 0;
}

static enum errcode sqlite_about(struct store *s, struct arena *a, const struct thread_owner *owner,
    struct thread_about *out, struct err *e)
{
	const struct thread_owner nobody = { .agent = "" };
	struct work w;
	bool known = false, ours = false;
	enum errcode rc = work_begin(&w, s, false, e);

	if (rc != OK)
		return rc;
	struct db_stmt *q = db_query(w.c.db, SQL_ABOUT, e, DB_TEXT(out->id),
	    OWNER(&w, owner != NULL ? owner : &nobody), DB_INT(w.expired));
	const enum db_step step = db_step(q, e);
	if (step == DB_ROW) {
		known = true;
		ours = owner == NULL || db_int_at(q, 16) != 0;
		read_about(&w, a, q, out);
	}
	rc = db_end(q, step, e);
	if (rc == OK && !ours)
		rc = known ? store_foreign(out->id, e) : store_unknown(out->id, e);
	return work_end(&w, rc, e);
}

static enum errcode find(struct work *w, const char *thread_id, const struct thread_owner *owner,
    int64_t *key, int64_t *nmessages, struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_FIND, e, DB_TEXT(thread_id), OWNER(w, owner),
	    DB_INT(w->expired));
	const enum db_step step = db_step(q, e);
	bool ours = false;

	if (step == DB_ROW) {
		*key = db_int_at(q, 0);
		*nmessages = db_int_at(q, 1);
		ours = db_int_at(q, 2) != 0;
	}
	enum errcode rc = db_end(q, step, e);
	if (rc != OK || ours)
		return rc;
	return step == DB_ROW ? store_foreign(thread_id, e) : store_unknown(thread_id, e);
}

static enum errcode read_slice(struct work *w, struct arena *a, int64_t key, struct store_slice *slice,
    struct err *e)
{
	const int64_t max = slice->max < INT32_MAX ? (int64_t)slice->max : INT32_MAX;
	if (slice->first < 0)
		slice->first = slice->nmessages > max ? slice->nmessages - max : 0;
	struct db_stmt *q = db_query(w->c.db, SQL_SLICE, e, DB_INT(key), DB_INT(slice->first), DB_INT(max));
	enum db_step step;

	slice->n = 0;
	slice->messages = arena_array(a, slice->max, sizeof(slice->messages[0]));
	while ((step = db_step(q, e)) == DB_ROW && slice->n < slice->max) {
		if (slice->n == 0)
			slice->first = db_int_at(q, 0);
		if (lite_message(a, q, 1, &slice->messages[slice->n++], e) != OK) {
			step = DB_FAIL;
			break;
		}
	}
	return db_end(q, step, e);
}

static enum errcode sqlite_slice(struct store *s, struct arena *a, const char *thread_id,
    const struct thread_owner *owner, struct store_slice *slice, struct err *e)
{
	struct work w;
	int64_t key = 0;
	enum errcode rc = work_begin(&w, s, false, e);

	if (rc != OK)
		return rc;
	rc = find(&w, thread_id, owner, &key, &slice->nmessages, e);
	if (rc == OK)
		rc = read_slice(&w, a, key, slice, e);
	return work_end(&w, rc, e);
}

static enum errcode sqlite_list(struct store *s, struct arena *a, const char *user, size_t max,
    struct thread_about *out, size_t *n, bool *more, struct err *e)
{
	struct work w;
	enum db_step step;
	enum errcode rc = work_begin(&w, s, false, e);

	if (rc != OK)
		return rc;
	struct db_stmt *q = db_query(w.c.db, SQL_LIST, e, DB_INT(w.expired), DB_TEXT(user),
	    DB_INT((int64_t)max + 1), DB_TEXT(s->agent));
	while ((step = db_step(q, e)) == DB_ROW && *n < max)
		read_about(&w, a, q, &out[(*n)++]);
	*more = step == DB_ROW;
	return work_end(&w, db_end(q, step, e), e);
}

/* -- sessions -- */

static const char SQL_SESSION[] =
    "SELECT key, first_us, last_us, turns, input, output, persona, threads FROM sessions"
    " WHERE id = ?1 AND owner = ?2 AND used_ms > ?3";
static const char SQL_SESSION_TURN[] =
    "INSERT INTO sessions (id, owner, first_us, last_us, turns, input, output, persona, threads, used_ms)"
    " VALUES (?1, ?2, ?3, ?3, 1, ?4, ?5, ?6, ?7, ?8)"
    " ON CONFLICT (id, owner) DO UPDATE SET"
    " first_us = CASE WHEN used_ms > ?9 THEN first_us ELSE excluded.first_us END,"
    " turns = CASE WHEN used_ms > ?9 THEN turns + 1 ELSE 1 END,"
    " input = CASE WHEN used_ms > ?9 THEN input ELSE 0 END + excluded.input,"
    " output = CASE WHEN used_ms > ?9 THEN output ELSE 0 END + excluded.output,"
    " last_us = excluded.last_us, persona = excluded.persona, threads = excluded.threads,"
    " used_ms = excluded.used_ms";
static const char SQL_SESSION_OF_THREAD[] =
    "UPDATE threads SET session = (SELECT key FROM sessions WHERE id = ?2 AND owner = ?3) WHERE key = ?1";
static const char SQL_THREADS_OF_SESSION[] =
    "SELECT s.key, s.threads FROM sessions s JOIN threads t ON t.session = s.key WHERE t.key = ?1";
static const char SQL_SET_THREADS[] = "UPDATE sessions SET threads = ?2 WHERE key = ?1";
static const char SQL_SESSIONS_EXPIRED[] =
    "DELETE FROM sessions WHERE key IN (SELECT key FROM sessions WHERE used_ms <= ?1 ORDER BY used_ms LIMIT 8)";
static const char SQL_SESSIONS_TOO_MANY[] =
    "DELETE FROM sessions WHERE key IN (SELECT key FROM sessions ORDER BY used_ms LIMIT 8)"
    " AND (SELECT max(key) FROM sessions) - (SELECT min(key) FROM sessions) >= ?1"
    " AND (SELECT count(*) FROM sessions) > ?1";

static enum errcode find_session(struct work *w, struct arena *a, const char *user, struct session *s,
    bool *known, struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_SESSION, e, DB_TEXT(s->id), DB_TEXT(user),
	    DB_INT(w->expired));
	const enum db_step step = db_step(q, e);

	*known = step == DB_ROW;
	if (step == DB_ROW) {
		s->first_us = db_int_at(q, 1);
		s->last_us = db_int_at(q, 2);
		s->turns = db_int_at(q, 3);
		s->input = db_int_at(q, 4);
		s->output = db_int_at(q, 5);
		s->persona = text(a, q, 6);
		session_threads_read(a, db_text(q, 7), s);
	}
	return db_end(q, step, e);
}

static enum errcode sqlite_session(struct store *s, struct arena *a, const char *user,
    struct session *out, struct err *e)
{
	struct work w;
	bool known;
	enum errcode rc = work_begin(&w, s, false, e);

	if (rc != OK)
		return rc;
	rc = find_session(&w, a, user, out, &known, e);
	if (rc == OK && !known)
		rc = session_unknown(out->id, e);
	return work_end(&w, rc, e);
}

enum errcode lite_session_turn(struct work *w, const struct kept_turn *c, const char *thread_id,
    int64_t thread, struct err *e)
{
	const struct session_turn *t = c->session;
	struct db_stmt *q = db_query(w->c.db, SQL_SESSION, e, DB_TEXT(t->id), DB_TEXT(t->user),
	    DB_INT(w->expired));
	const enum db_step step = db_step(q, e);
	struct arena *a = arena_new();
	const char *threads = session_threads_add(a, step == DB_ROW ? db_text(q, 7) : "", thread_id);
	enum errcode rc = db_end(q, step, e);

	if (rc == OK)
		rc = db_put(w->c.db, SQL_SESSION_TURN, e, DB_TEXT(t->id), DB_TEXT(t->user),
		    DB_INT(c->time_us), DB_INT(t->input), DB_INT(t->output), DB_TEXT(c->persona),
		    DB_TEXT(threads), DB_INT(w->used), DB_INT(w->expired));
	if (rc == OK)
		rc = db_put(w->c.db, SQL_SESSION_OF_THREAD, e, DB_INT(thread), DB_TEXT(t->id),
		    DB_TEXT(t->user));
	arena_free(a);
	return rc;
}

enum errcode lite_session_drop(struct work *w, const char *thread_id, int64_t thread, struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_THREADS_OF_SESSION, e, DB_INT(thread));
	const enum db_step step = db_step(q, e);
	struct arena *a = arena_new();
	const int64_t key = step == DB_ROW ? db_int_at(q, 0) : 0;
	const char *threads = step == DB_ROW ?
	    session_threads_drop(a, arena_strdup(a, db_text(q, 1)), thread_id) : "";
	enum errcode rc = db_end(q, step, e);

	if (rc == OK && key != 0)
		rc = db_put(w->c.db, SQL_SET_THREADS, e, DB_INT(key), DB_TEXT(threads));
	arena_free(a);
	return rc;
}

enum errcode lite_session_sweep(struct work *w, struct err *e)
{
	enum errcode rc = db_put(w->c.db, SQL_SESSIONS_EXPIRED, e, DB_INT(w->expired));

	if (rc == OK && w->limits != NULL)
		rc = db_put(w->c.db, SQL_SESSIONS_TOO_MANY, e, DB_INT(w->limits->threads));
	return rc;
}

const struct store_thread_ops store_sqlite_threads = {
	.about = sqlite_about,
	.slice = sqlite_slice,
	.list = sqlite_list,
	.session = sqlite_session,
};
