/*
 * Runs in the SQLite file.
 *
 * A run is a row of `runs`, its groups of events are rows of `run_log`: `last` is the number of the group's
 * newest event, `first` that of its oldest. In the last group of a run whose worker died, `first` is the first
 * number that was skipped, so `count` is less than the two say. A turn without a log adds its
 * row when it takes the lease and updates it with the commit, in their transactions. Rows are added in
 * the order in which they expire, more or less, so the sweep only looks at the oldest few rows and
 * the oldest few logs, and needs no index on the time. Whatever adds or ends a run also sweeps, and takes
 * more than it adds: expired rows cannot pile up.
 *
 * Expiry goes by the file's time, as a thread's does. The sign of life goes by the wall clock, as
 * leases do: a sign that is further ahead than its own length was made before the clock was set back
 * and does not count.
 */
#include "services/store_sqlite.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"

static const char SQL_RUN_NEW[] =
    "INSERT INTO runs (id, thread, owner, agent, session, worker, fence, logged, status, started_us,"
    " until_ms, alive_ms, used_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 + ?12, ?12, ?13)"
    " ON CONFLICT (id) DO UPDATE SET status = ?9, fence = ?7, until_ms = ?11 + ?12, alive_ms = ?12,"
    " used_ms = ?13 WHERE status IN ('running', 'queued')";
static const char SQL_RUN_HAS_ENDED[] =
    "SELECT 1 FROM runs WHERE id = ?1 AND status NOT IN ('running', 'queued')";
static const char SQL_RUN_BEAT[] =
    "UPDATE runs SET until_ms = ?2 + ?3, alive_ms = ?3, used_ms = ?4 WHERE id = ?1"
    " AND status = 'running'";
static const char SQL_RUN_CANCELLED[] = "SELECT cancelled FROM runs WHERE id = ?1";
static const char SQL_RUN_OVERDUE[] =
    "SELECT 1 FROM runs WHERE id = ?1 AND status = 'running'"
    " AND (until_ms < ?2 OR until_ms > ?2 + alive_ms)";
/* cancelled is 1 while a run is asked to stop, and 2 once it has ended: each worker looks at those with 1
 * whenever the file has changed */
#define ENDED_CANCELLED "cancelled = 2 * (cancelled > 0)"
static const char SQL_RUN_SETTLE[] =
    "UPDATE runs SET status = ?2, ended_us = ?3, tokens_in = ?4, tokens_out = ?5, estimated = ?6,"
    " error = coalesce(?7, ''), used_ms = ?8, " ENDED_CANCELLED " WHERE id = ?1"
    " AND status IN ('running', 'queued')";
static const char SQL_RUN_FIND[] =
    "SELECT key, thread, owner, agent, session, worker, fence, logged, status, cancelled, started_us,"
    " ended_us, tokens_in, tokens_out, estimated, error, last, bytes, used_ms, until_ms, alive_ms,"
    " coalesce((SELECT first FROM run_log WHERE run = runs.key ORDER BY last LIMIT 1), last + 1)"
    " FROM runs WHERE id = ?1";
/* what an append must know */
static const char SQL_RUN_HEAD[] =
    "SELECT key, status, ended_us, last, bytes, used_ms FROM runs WHERE id = ?1";
static const char SQL_RUN_GROUPS[] =
    "SELECT first, count, events, last FROM run_log WHERE run = ?1 AND last > ?2 ORDER BY last";
static const char SQL_RUN_ADD[] =
    "INSERT INTO run_log (run, last, first, count, events) VALUES (?1, ?2, ?3, ?4, ?5)";
static const char SQL_RUN_ADDED[] =
    "UPDATE runs SET last = ?2, bytes = ?3, until_ms = ?4 + ?5, alive_ms = ?5, used_ms = ?6 WHERE key = ?1";
/* SQL_RUN_ADDED and SQL_RUN_SETTLE in one */
static const char SQL_RUN_ADDED_LAST[] =
    "UPDATE runs SET last = ?2, bytes = ?3, status = ?4, ended_us = ?5, tokens_in = ?6, tokens_out = ?7,"
    " estimated = ?8, error = coalesce(?9, ''), used_ms = ?10, " ENDED_CANCELLED " WHERE key = ?1";
static const char SQL_RUN_OLDEST[] =
    "SELECT last, length(events) FROM run_log WHERE run = ?1 ORDER BY last";
static const char SQL_RUN_CUT[] = "DELETE FROM run_log WHERE run = ?1 AND last <= ?2";
static const char SQL_RUN_CANCEL[] = "UPDATE runs SET cancelled = 1 WHERE key = ?1";

static const char SQL_RUNS_CANCELLED[] =
    "SELECT id FROM runs WHERE cancelled = 1 AND status IN ('running', 'queued')";

static const char SQL_RUNS_OLD[] = "SELECT key, used_ms, bytes FROM runs ORDER BY key LIMIT ?1";
/* of the oldest log of a run behind ?1; min() in place of the order would read all logs */
static const char SQL_RUN_NEXT_LOG[] =
    "SELECT run, coalesce((SELECT used_ms FROM runs WHERE key = run), 0) FROM run_log WHERE run > ?1"
    " ORDER BY run LIMIT 1";
static const char SQL_RUN_DROP_LOG[] = "DELETE FROM run_log WHERE run = ?1";
static const char SQL_RUN_NO_LOG[] = "UPDATE runs SET bytes = 0 WHERE key = ?1";
static const char SQL_RUN_DROP[] = "DELETE FROM runs WHERE key = ?1";
static const char SQL_RUNS_OF_LOGS[] =
    "DELETE FROM run_log WHERE run IN (SELECT key FROM runs WHERE thread = ?1 AND logged = 1)";
static const char SQL_RUNS_OF[] = "DELETE FROM runs WHERE thread = ?1 AND logged = 1";
static const char SQL_RUN_FIRST_ENDED[] =
    "SELECT key FROM runs WHERE status NOT IN ('running', 'queued') ORDER BY key LIMIT 1";

struct run_row {
	bool known, alive;
	int64_t key, bytes;
	struct run_record r;
};

static int64_t expired(const struct work *w, int64_t times)
{
	return w->time - times * ((const struct store *)w->s)->run_ttl_ms;
}

static const char *text_at(struct arena *a, struct db_stmt *q, int i)
{
	const char *s = db_text(q, i);

	return s != NULL ? arena_strdup(a, s) : "";
}

/* A record that has expired is not known any more. */
static enum errcode find(struct work *w, struct arena *a, const char *run_id, struct run_row *out,
    struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_RUN_FIND, e, DB_TEXT(run_id));
	enum db_step step = db_step(q, e);
	struct run_record *r = &out->r;

	*out = (struct run_row){ .known = false };
	if (step == DB_ROW && db_int_at(q, 18) > expired(w, 2)) {
		const int64_t left = db_int_at(q, 19) - w->now;

		out->key = db_int_at(q, 0);
		out->bytes = db_int_at(q, 17);
		out->alive = left >= 0 && left <= db_int_at(q, 20);
		*r = (struct run_record){
			.run_id = run_id,
			.thread_id = text_at(a, q, 1),
			.user = db_is_null(q, 2) ? NULL : text_at(a, q, 2),
			.agent = text_at(a, q, 3),
			.session_id = text_at(a, q, 4),
			.worker = text_at(a, q, 5),
			.fence = db_int_at(q, 6),
			.logged = db_int_at(q, 7) != 0,
			.cancelled = db_int_at(q, 9) != 0,
			.started_us = db_int_at(q, 10),
			.ended_us = db_int_at(q, 11),
			.tokens_in = db_int_at(q, 12),
			.tokens_out = db_int_at(q, 13),
			.estimated = db_int_at(q, 14) != 0,
			.error = text_at(a, q, 15),
			.last_event = db_int_at(q, 16),
			.first_event = db_int_at(q, 21),
		};
		out->known = run_status_parse(text_at(a, q, 8), &r->status);
		r->overdue = !run_status_ended(r->status) && !out->alive;
		if (db_int_at(q, 18) <= expired(w, 1) && run_status_ended(r->status))
			r->first_event = r->last_event + 1;
	}
	enum errcode rc = db_end(q, step, e);
	return rc != OK ? rc : out->known ? OK : store_run_unknown(run_id, e);
}

/* As find(), but only the numbers, the status and the end. */
static enum errcode find_head(struct work *w, const char *run_id, struct run_row *out, struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_RUN_HEAD, e, DB_TEXT(run_id));
	enum db_step step = db_step(q, e);
	struct run_record *r = &out->r;

	*out = (struct run_row){ .r.run_id = run_id };
	if (step == DB_ROW && db_int_at(q, 5) > expired(w, 2)) {
		const char *status = db_text(q, 1);

		out->known = status != NULL && run_status_parse(status, &r->status);
		out->key = db_int_at(q, 0);
		out->bytes = db_int_at(q, 4);
		r->ended_us = db_int_at(q, 2);
		r->last_event = db_int_at(q, 3);
	}
	enum errcode rc = db_end(q, step, e);
	return rc != OK ? rc : out->known ? OK : store_run_unknown(run_id, e);
}

enum errcode sqlite_run_start(struct work *w, const struct lease *l, const struct run_start *start,
    const struct thread_owner *owner, int64_t queued_ms, struct err *e)
{
	const enum run_status status = queued_ms > 0 ? RUN_QUEUED : RUN_RUNNING;
	const int64_t alive_ms = queued_ms > 0 ? queued_ms : store_alive_ms(l->ttl_ms);

	return db_put(w->c.db, SQL_RUN_NEW, e, DB_TEXT(l->run), DB_TEXT(l->thread),
	    DB_TEXT(owner->user), DB_TEXT(owner->agent), DB_TEXT(start->session_id),
	    DB_TEXT(start->worker), DB_INT(l->fence), DB_INT(start->logged),
	    DB_TEXT(run_status_name(status)), DB_INT(start->started_us), DB_INT(w->now), DB_INT(alive_ms),
	    DB_INT(w->used));
}

enum errcode sqlite_run_goes_on(struct work *w, const struct lease *l, struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_RUN_HAS_ENDED, e, DB_TEXT(l->run));
	enum db_step step = db_step(q, e);
	enum errcode rc = db_end(q, step, e);

	return rc == OK && step == DB_ROW ? store_ended(l, e) : rc;
}

enum errcode sqlite_run_beat(struct work *w, const char *run_id, int64_t alive_ms, struct err *e)
{
	return db_put(w->c.db, SQL_RUN_BEAT, e, DB_TEXT(run_id), DB_INT(w->now), DB_INT(alive_ms),
	    DB_INT(w->used));
}

enum errcode sqlite_run_cancelled(struct work *w, const char *run_id, bool *cancelled, struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_RUN_CANCELLED, e, DB_TEXT(run_id));
	enum db_step step = db_step(q, e);

	*cancelled = step == DB_ROW && db_int_at(q, 0) != 0;
	return db_end(q, step, e);
}

enum errcode sqlite_run_overdue(struct work *w, const char *run_id, struct lease_wait *wait, struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_RUN_OVERDUE, e, DB_TEXT(run_id), DB_INT(w->now));
	enum db_step step = db_step(q, e);

	if (step == DB_ROW)
		snprintf(wait->dead, sizeof(wait->dead), "%s", run_id);
	return db_end(q, step, e);
}

enum errcode sqlite_run_settle(struct work *w, const char *run_id, const struct run_end *end,
    struct err *e)
{
	return db_put(w->c.db, SQL_RUN_SETTLE, e, DB_TEXT(run_id),
	    DB_TEXT(run_status_name(end->status)), DB_INT(end->ended_us), DB_INT(end->tokens_in),
	    DB_INT(end->tokens_out), DB_INT(end->estimated), DB_TEXT(end->error), DB_INT(w->used));
}

/* Drop the oldest groups until the newest one, which was added already, fits. */
static enum errcode cut(struct work *w, const struct run_row *row, int64_t newest, int64_t *bytes,
    struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_RUN_OLDEST, e, DB_INT(row->key));
	enum db_step step = DB_END;
	int64_t last = -1;

	while (*bytes > RUN_LOG_BYTES && (step = db_step(q, e)) == DB_ROW && db_int_at(q, 0) < newest) {
		last = db_int_at(q, 0);
		*bytes -= db_int_at(q, 1);
	}
	enum errcode rc = db_end(q, step, e);
	return rc != OK ? rc : db_put(w->c.db, SQL_RUN_CUT, e, DB_INT(row->key), DB_INT(last));
}

/* It is a sign of life too, or with `end` the last group. */
static enum errcode add(struct work *w, const struct run_row *row, const struct run_group *g,
    int64_t alive_ms, const struct run_end *end, struct err *e)
{
	int64_t last = g->first + g->count - 1, bytes = row->bytes + (int64_t)g->events.n;
	enum errcode rc = db_put(w->c.db, SQL_RUN_ADD, e, DB_INT(row->key), DB_INT(last),
	    DB_INT(g->first - g->skipped), DB_INT(g->count), DB_BLOB(g->events.p, g->events.n));

	if (rc == OK && bytes > RUN_LOG_BYTES)
		rc = cut(w, row, last, &bytes, e);
	if (rc != OK)
		return rc;
	if (end == NULL)
		return db_put(w->c.db, SQL_RUN_ADDED, e, DB_INT(row->key), DB_INT(last), DB_INT(bytes),
		    DB_INT(w->now), DB_INT(alive_ms), DB_INT(w->used));
	return db_put(w->c.db, SQL_RUN_ADDED_LAST, e, DB_INT(row->key), DB_INT(last), DB_INT(bytes),
	    DB_TEXT(run_status_name(end->status)), DB_INT(end->ended_us), DB_INT(end->tokens_in),
	    DB_INT(end->tokens_out), DB_INT(end->estimated), DB_TEXT(end->error), DB_INT(w->used));
}

static enum errcode append(struct work *w, const struct run_row *row, const struct run_group *g,
    int64_t alive_ms, const struct run_end *end, struct err *e)
{
	const char *id = row->r.run_id;
	const int64_t had = row->r.last_event, last = g->first + g->count - 1;

	if (run_status_ended(row->r.status))
		return end != NULL && had == last && row->r.status == end->status &&
		    row->r.ended_us == end->ended_us ? OK : store_run_ended(id, e);
	if (had < last && g->first > had + 1)
		return store_run_gap(id, had, e);
	if (had < last)
		return add(w, row, g, alive_ms, end, e);
	return end != NULL ? sqlite_run_settle(w, id, end, e) : sqlite_run_beat(w, id, alive_ms, e);
}

enum errcode sqlite_run_append(struct store *s, const char *run_id, const struct run_group *g,
    int64_t alive_ms, const struct run_end *end, struct err *e)
{
	struct work w;
	struct run_row row;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = find_head(&w, run_id, &row, e);
	if (rc == OK)
		rc = append(&w, &row, g, alive_ms, end, e);
	if (rc == OK && end != NULL)
		rc = sqlite_runs_sweep(&w, e);
	return work_end(&w, rc, e);
}

enum errcode sqlite_run_bury(struct store *s, const char *run_id, const struct run_group *g,
    const struct run_end *end, bool *ended, struct err *e)
{
	struct work w;
	struct run_row row;
	struct arena *a = arena_new();
	enum errcode rc = work_begin(&w, s, true, e);

	*ended = false;
	if (rc == OK) {
		rc = find(&w, a, run_id, &row, e);
		if (rc == OK && row.r.overdue) {
			const struct run_group last = { row.r.last_event + RUN_AHEAD_MAX + 1, g->count,
				g->events, RUN_AHEAD_MAX };

			*ended = true;
			rc = row.r.logged ? add(&w, &row, &last, 0, end, e) :
			    sqlite_run_settle(&w, run_id, end, e);
		}
		rc = work_end(&w, rc, e);
		*ended &= rc == OK;
	}
	arena_free(a);
	return rc;
}

enum errcode sqlite_run_cancel(struct store *s, const char *run_id, const struct thread_owner *owner,
    enum run_status *was, struct err *e)
{
	struct work w;
	struct run_row row;
	struct arena *a = arena_new();
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc == OK) {
		rc = find(&w, a, run_id, &row, e);
		if (rc == OK && !store_run_is_of(&row.r, owner))
			rc = store_run_unknown(run_id, e);
		if (rc == OK) {
			*was = row.r.status;
			if (!run_status_ended(row.r.status))
				rc = db_put(w.c.db, SQL_RUN_CANCEL, e, DB_INT(row.key));
		}
		rc = work_end(&w, rc, e);
	}
	arena_free(a);
	return rc;
}

enum errcode sqlite_runs_cancelled(struct store *s, char (*out)[48], int max, int *n, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, false, e);

	*n = 0;
	if (rc != OK)
		return rc;
	struct db_stmt *q = db_prepare(w.c.db, SQL_RUNS_CANCELLED, e);
	enum db_step step = DB_END;
	while (*n < max && (step = db_step(q, e)) == DB_ROW) {
		const char *id = db_text(q, 0);

		snprintf(out[(*n)++], sizeof(out[0]), "%s", id != NULL ? id : "");
	}
	return work_end(&w, db_end(q, step, e), e);
}

static enum errcode read_groups(struct work *w, struct arena *a, int64_t key, int64_t after,
    size_t max_bytes, struct run_group **out, size_t *n, struct err *e)
{
	enum { MOST = 64 };
	struct db_stmt *q = db_query(w->c.db, SQL_RUN_GROUPS, e, DB_INT(key), DB_INT(after));
	enum db_step step = DB_END;
	size_t bytes = 0;

	*out = arena_array(a, MOST, sizeof(**out));
	for (*n = 0; *n < MOST && (bytes < max_bytes || *n == 0) && (step = db_step(q, e)) == DB_ROW;) {
		struct run_group *g = &(*out)[(*n)++];

		g->count = db_int_at(q, 1);
		g->first = db_int_at(q, 3) - g->count + 1;
		g->skipped = g->first - db_int_at(q, 0);
		g->events.n = db_bytes(q, 2);
		g->events.p = arena_strndup(a, db_blob(q, 2), g->events.n);
		bytes += g->events.n;
	}
	return db_end(q, step, e);
}

enum errcode sqlite_run_read(struct store *s, struct arena *a, int64_t after, size_t max_bytes,
    struct run_record *r, struct run_group **groups, size_t *ngroups, struct err *e)
{
	struct work w;
	struct run_row row;
	enum errcode rc = work_begin(&w, s, false, e);

	if (rc != OK)
		return rc;
	rc = find(&w, a, r->run_id, &row, e);
	if (rc == OK) {
		*r = row.r;
		if (groups != NULL && r->first_event <= r->last_event)
			rc = read_groups(&w, a, row.key, after, max_bytes, groups, ngroups, e);
	}
	return work_end(&w, rc, e);
}

static enum errcode drop_log(struct work *w, int64_t key, const char *then, struct err *e)
{
	enum errcode rc = db_put(w->c.db, SQL_RUN_DROP_LOG, e, DB_INT(key));

	return rc != OK ? rc : db_put(w->c.db, then, e, DB_INT(key));
}

/* Drop the oldest logs that have expired. Their records stay. */
static enum errcode sweep_logs(struct work *w, struct err *e)
{
	enum { MOST = 4 };              /* a log may have a megabyte */
	int64_t key = 0;
	enum db_step step = DB_ROW;
	enum errcode rc = OK;

	for (int i = 0; i < MOST && rc == OK && step == DB_ROW; i++) {
		struct db_stmt *q = db_query(w->c.db, SQL_RUN_NEXT_LOG, e, DB_INT(key));
		bool old = false;

		if ((step = db_step(q, e)) == DB_ROW) {
			key = db_int_at(q, 0);
			old = db_int_at(q, 1) <= expired(w, 1);
		}
		rc = db_end(q, step, e);
		if (rc == OK && old)
			rc = drop_log(w, key, SQL_RUN_NO_LOG, e);
	}
	return rc;
}

enum errcode sqlite_runs_sweep(struct work *w, struct err *e)
{
	enum { MOST = 16, MOST_BYTES = 4 << 20 };
	int64_t gone[MOST], bytes = 0;
	size_t n = 0;
	enum errcode rc = sweep_logs(w, e);

	if (rc != OK)
		return rc;
	struct db_stmt *q = db_query(w->c.db, SQL_RUNS_OLD, e, DB_INT(MOST));
	enum db_step step;
	while ((step = db_step(q, e)) == DB_ROW && bytes < MOST_BYTES)
		if (db_int_at(q, 1) <= expired(w, 2)) {
			gone[n++] = db_int_at(q, 0);
			bytes += db_int_at(q, 2);
		}
	rc = db_end(q, step, e);
	for (size_t i = 0; i < n && rc == OK; i++)
		rc = drop_log(w, gone[i], SQL_RUN_DROP, e);
	return rc;
}

enum errcode sqlite_runs_forget(struct work *w, const char *thread_id, struct err *e)
{
	enum errcode rc = db_put(w->c.db, SQL_RUNS_OF_LOGS, e, DB_TEXT(thread_id));

	return rc != OK ? rc : db_put(w->c.db, SQL_RUNS_OF, e, DB_TEXT(thread_id));
}

enum errcode sqlite_run_drop_oldest(struct work *w, bool *dropped, struct err *e)
{
	struct db_stmt *q = db_prepare(w->c.db, SQL_RUN_FIRST_ENDED, e);
	enum db_step step = db_step(q, e);
	const int64_t key = step == DB_ROW ? db_int_at(q, 0) : 0;
	enum errcode rc = db_end(q, step, e);

	*dropped = step == DB_ROW;
	return rc != OK || !*dropped ? rc : drop_log(w, key, SQL_RUN_DROP, e);
}
