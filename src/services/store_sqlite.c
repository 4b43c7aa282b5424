/*
 * Threads in one SQLite file, shared by all processes of a host, or in a database in the memory of
 * this process. The store "none" is such a database that keeps only the leases, so that two turns of
 * one thread do not run at once in this process.
 *
 * WAL mode: readers never wait for the writer. A turn is one transaction: it makes the checks, adds
 * the messages, updates the thread's row, and deletes the oldest messages over the limit. Nothing
 * else is rewritten, so turn 200 costs as much as turn 1. A killed process loses nothing that was
 * committed; a power cut may lose the last moments, but never damages the file
 * (synchronous=NORMAL).
 *
 * Leases end by the wall clock, because only this clock is shared by all processes across reboots.
 * If a lease ends later than its own length from now, it was made before the clock was set back,
 * and it counts as ended. So a process with a wrong clock may take a lease from another one. That
 * overwrites nothing: each lease has its own fence, and a commit names the version that it was made
 * from.
 */
#include "services/store_sqlite.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"

/* SQL is found again by its address: each text is one array. */
static const char SQL_FIND[] =
    "SELECT key, version, nmessages, fence, used_ms, lease_until, lease_ttl,"
    " " LITE_OURS ", lease_run = ?5, last_run = ?5, coalesce(bytes, -1), lease_run,"
    " coalesce(lease_since, 0) FROM threads WHERE id = ?1";
static const char SQL_NEW[] =
    "INSERT INTO threads (id, version, nmessages, fence, lease_run, lease_until, lease_ttl,"
    " lease_since, used_ms, bytes) VALUES (?1, 0, 0, 1, ?2, ?3 + ?4, ?4, ?3, ?5, 0)";
/* an expired thread stays expired */
#define TOUCH "used_ms = CASE WHEN used_ms > ?6 THEN ?7 ELSE used_ms END"
static const char SQL_LEASE[] =
    "UPDATE threads SET lease_since = CASE fence WHEN ?2 THEN lease_since ELSE ?4 END, fence = ?2,"
    " lease_run = ?3, lease_until = ?4 + ?5, lease_ttl = ?5, " TOUCH " WHERE key = ?1";
static const char SQL_RENEW[] =
    "UPDATE threads SET lease_until = ?4 + ?5, lease_ttl = ?5, " TOUCH " WHERE id = ?1"
    " AND lease_run = ?2 AND fence = ?3 AND lease_until > ?4"
    " AND lease_until - ?4 <= lease_ttl";
static const char SQL_RELEASE[] =
    "UPDATE threads SET lease_until = 0 WHERE id = ?1 AND lease_run = ?2 AND fence = ?3";

static const char SQL_HEAD[] =
    "SELECT key, version, nmessages, state, used_ms, " LITE_OURS " FROM threads WHERE id = ?1";
static const char SQL_TAIL[] =
    "SELECT " LITE_MESSAGE " FROM messages WHERE thread = ?1 AND seq >= ?2 ORDER BY seq";
static const char SQL_APPEND[] =
    "INSERT INTO messages (thread, seq, role, content, id, call_id, calls, time_us, turn)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, nullif(?9, ''))";
static const char SQL_TURN[] =
    "UPDATE threads SET version = version + 1, nmessages = ?2, state = coalesce(?3, state),"
    " owner = CASE version WHEN 0 THEN ?4 ELSE owner END,"
    " agent = CASE version WHEN 0 THEN nullif(?8, '') ELSE agent END,"
    " title = CASE version WHEN 0 THEN ?9 ELSE title END,"
    " created_us = CASE version WHEN 0 THEN ?10 ELSE created_us END, updated_us = ?10,"
    " origin = CASE version WHEN 0 THEN nullif(?12, '') ELSE origin END,"
    " persona = nullif(?11, ''), last_run = ?5, used_ms = ?6, bytes = ?7 WHERE key = ?1";
/* as store_kept_bytes() counts; an old message has no id */
#define LENGTH(column) "length(CAST(" column " AS BLOB))"
#define BYTES LENGTH("role") " + 1 + " LENGTH("content") " + coalesce(20 + length(id) + " \
	LENGTH("call_id") " + " LENGTH("calls") ", 0) + coalesce(1 + " LENGTH("turn") ", 0)"
static const char SQL_COUNT_BYTES[] =
    "SELECT coalesce(sum(" BYTES "), 0) FROM messages WHERE thread = ?1";
static const char SQL_OLDEST[] =
    "SELECT seq, " BYTES " FROM messages WHERE thread = ?1 ORDER BY seq";
static const char SQL_CUT[] = "DELETE FROM messages WHERE thread = ?1 AND seq <= ?2";
static const char SQL_EMPTY[] = "DELETE FROM messages WHERE thread = ?1";
static const char SQL_BEGIN_ANEW[] =
    "UPDATE threads SET version = 0, nmessages = 0, bytes = 0, owner = NULL, agent = NULL, state = NULL,"
    " last_run = '' WHERE key = ?1";

struct row {
	bool known;                     /* the thread exists; an expired one counts as not existing */
	bool expired;
	int64_t key, version, nmessages, fence;
	int64_t bytes;                  /* of its messages; -1: not counted yet */
	int64_t lease_left;             /* ms, 0: nobody holds it */
	bool ours;                      /* the owner is nobody, or the caller */
	bool leased_by_us, written_by_us;
	char holder[48];                /* of the newest lease */
	int64_t held_ms;                /* since it began; -1: not known */
};

static enum errcode find(struct work *w, const struct lease *l, const struct thread_owner *owner,
    struct row *r, struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_FIND, e, DB_TEXT(l->thread), OWNER(w, owner),
	    DB_TEXT(l->run));
	enum db_step step = db_step(q, e);

	*r = (struct row){ 0 };
	if (step == DB_ROW) {
		r->known = true;
		r->expired = db_int_at(q, 4) <= w->expired;
		r->key = db_int_at(q, 0);
		r->version = r->expired ? 0 : db_int_at(q, 1);
		r->nmessages = db_int_at(q, 2);
		r->fence = db_int_at(q, 3);
		r->lease_left = db_int_at(q, 5) - w->now;
		if (r->lease_left < 0 || r->lease_left > db_int_at(q, 6))
			r->lease_left = 0;
		r->ours = r->expired || db_int_at(q, 7) != 0;
		r->leased_by_us = db_int_at(q, 8) != 0;
		r->written_by_us = !r->expired && db_int_at(q, 9) != 0;
		r->bytes = db_int_at(q, 10);
		snprintf(r->holder, sizeof(r->holder), "%s", db_text(q, 11));
		r->held_ms = db_int_at(q, 12) > 0 ? w->now - db_int_at(q, 12) : -1;
		r->held_ms = r->held_ms < 0 ? -1 : r->held_ms;
	}
	return db_end(q, step, e);
}

static enum errcode write_lease(struct work *w, const struct row *r, struct lease *l,
    struct err *e)
{
	if (!r->known) {
		l->fence = 1;
		return db_put(w->c.db, SQL_NEW, e, DB_TEXT(l->thread), DB_TEXT(l->run), DB_INT(w->now),
		    DB_INT(l->ttl_ms), DB_INT(w->used));
	}
	l->fence = r->lease_left > 0 ? r->fence : r->fence + 1;
	return db_put(w->c.db, SQL_LEASE, e, DB_INT(r->key), DB_INT(l->fence), DB_TEXT(l->run),
	    DB_INT(w->now), DB_INT(l->ttl_ms), DB_INT(w->expired), DB_INT(w->used));
}

/* Does another run have the thread, or wait for it before this one? Then *wait tells which. */
static bool taken(const struct row *r, const struct queue *q, struct lease_wait *wait)
{
	const bool held = r->known && r->lease_left > 0;

	if (held && r->leased_by_us)
		return false;
	if (!held && q->before == 0)
		return false;
	snprintf(wait->holder, sizeof(wait->holder), "%s", held ? r->holder : q->first);
	wait->held_ms = held ? r->held_ms : -1;
	wait->retry_ms = held ? r->lease_left : q->first_left;
	return true;
}

/* Does the run wait already, must it go on waiting, and does its place last for a while? Then it need not
 * write: runs that wait ask many times a second, and writers have to wait for each other. */
static enum errcode look_on(struct store *s, const struct thread_owner *owner, const struct lease *l,
    struct lease_wait *wait, bool *waits_on, struct err *e)
{
	struct work w;
	struct row r;
	struct queue q;
	enum errcode rc = work_begin(&w, s, false, e);

	if (rc != OK)
		return rc;
	rc = find(&w, l, owner, &r, e);
	if (rc == OK)
		rc = queue_read(&w, l, &q, e);
	*waits_on = rc == OK && (!r.known || r.ours) && q.mine != 0 && 2 * q.mine_left >= wait->hold_ms &&
	    taken(&r, &q, wait);
	if (*waits_on)
		wait->place = q.before;
	return work_end(&w, rc, e);
}

static enum errcode sqlite_lease(struct store *s, const struct thread_owner *owner,
    const struct run_start *start, struct lease *l, struct lease_wait *wait, struct err *e)
{
	struct work w;
	struct row r;
	struct queue q;
	bool busy = false;
	enum errcode rc = wait->queue_max > 0 ? look_on(s, owner, l, wait, &busy, e) : OK;

	if (rc != OK || busy)
		return rc != OK ? rc : store_busy(l, wait, e);
	if ((rc = work_begin(&w, s, true, e)) != OK)
		return rc;
	rc = find(&w, l, owner, &r, e);
	if (rc == OK && r.known && !r.ours)
		rc = store_foreign(l->thread, e);
	if (rc == OK && start != NULL)
		rc = sqlite_run_goes_on(&w, l, e);
	if (rc == OK)
		rc = queue_read(&w, l, &q, e);
	if (rc == OK && (busy = taken(&r, &q, wait)))
		rc = queue_join(&w, l, &q, wait, e);
	else if (rc == OK)
		rc = write_lease(&w, &r, l, e);
	if (rc == OK && !busy && start != NULL && r.known && r.lease_left == 0)
		rc = sqlite_run_overdue(&w, r.holder, wait, e);
	if (rc == OK && start != NULL && (!busy || wait->place >= 0))
		rc = sqlite_run_start(&w, l, start, owner, busy ? wait->hold_ms : 0, e);
	if (rc == OK && start != NULL && busy && wait->place >= 0 && q.mine == 0)
		rc = sqlite_runs_sweep(&w, e);  /* it may leave without a commit */
	if (rc == OK && !busy && q.mine != 0)
		rc = queue_leave(&w, l, e);
	if (rc == OK && !busy && !r.known)
		rc = lite_keep_within_limits(&w, e);
	rc = work_end(&w, rc, e);
	return rc == OK && busy ? store_busy(l, wait, e) : rc;
}

static enum errcode sqlite_leave(struct store *s, const struct lease *l, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, true, e);

	return rc != OK ? rc : work_end(&w, queue_leave(&w, l, e), e);
}

static enum errcode sqlite_renew(struct store *s, struct lease *l, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = db_put(w.c.db, SQL_RENEW, e, DB_TEXT(l->thread), DB_TEXT(l->run), DB_INT(l->fence),
	    DB_INT(w.now), DB_INT(l->ttl_ms), DB_INT(w.expired), DB_INT(w.used));
	if (rc == OK && db_changes(w.c.db) == 0)
		rc = store_lost(l, e);
	if (rc == OK && l->recorded)
		rc = sqlite_run_beat(&w, l->run, store_alive_ms(l->ttl_ms), e);
	if (rc == OK && l->recorded)
		rc = sqlite_run_cancelled(&w, l->run, &l->cancelled, e);
	return work_end(&w, rc, e);
}

static enum errcode end_lease(struct work *w, const struct lease *l, struct err *e)
{
	return db_put(w->c.db, SQL_RELEASE, e, DB_TEXT(l->thread), DB_TEXT(l->run), DB_INT(l->fence));
}

static enum errcode sqlite_release(struct store *s, const struct lease *l, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	return work_end(&w, end_lease(&w, l, e), e);
}

enum errcode lite_message(struct arena *a, struct db_stmt *q, int column, struct message *m, struct err *e)
{
	const struct kept k = {
		.role = arena_strdup(a, db_text(q, column)),
		.content = arena_strdup(a, db_text(q, column + 1)),
		.id = arena_strdup(a, db_text(q, column + 2)),
		.call_id = arena_strdup(a, db_text(q, column + 3)),
		.calls = arena_strdup(a, db_text(q, column + 4)),
		.turn = arena_strdup(a, db_text(q, column + 5)),
		.time_us = db_int_at(q, column + 6),
	};

	if (k.role != NULL && k.content != NULL && store_read(a, &k, m, e) == OK)
		return OK;
	return err_set(e, ERR_DATA, "holds a message without role or text or with damaged calls of tools, "
	    "so the file is damaged: stop the workers and move it away");
}

static enum errcode load_tail(struct work *w, struct arena *a, int64_t key, size_t max,
    struct thread *t, struct err *e)
{
	size_t n = (uint64_t)t->nmessages < max ? (size_t)t->nmessages : max;
	struct db_stmt *q = db_query(w->c.db, SQL_TAIL, e, DB_INT(key),
	    DB_INT(t->nmessages - (int64_t)n));
	enum db_step step = DB_END;

	if (n > 0)
		t->messages = arena_array(a, n, sizeof(t->messages[0]));
	while (t->nloaded < n && (step = db_step(q, e)) == DB_ROW)
		if (lite_message(a, q, 0, &t->messages[t->nloaded++], e) != OK) {
			step = DB_FAIL;
			break;
		}
	return db_end(q, step, e);
}

static enum errcode sqlite_load(struct store *s, struct arena *a,
    const struct thread_owner *owner, size_t max, struct thread *t, struct err *e)
{
	struct work w;
	int64_t key = 0;
	enum errcode rc = work_begin(&w, s, false, e);

	if (rc != OK)
		return rc;
	struct db_stmt *q = db_query(w.c.db, SQL_HEAD, e, DB_TEXT(t->id), OWNER(&w, owner));
	enum db_step step = db_step(q, e);
	bool ours = true;
	if (step == DB_ROW && db_int_at(q, 4) > w.expired) {
		key = db_int_at(q, 0);
		t->version = db_int_at(q, 1);
		t->nmessages = db_int_at(q, 2);
		t->state = arena_strdup(a, db_text(q, 3));
		ours = db_int_at(q, 5) != 0;
	}
	rc = db_end(q, step, e);
	if (rc == OK && !ours)
		rc = store_foreign(t->id, e);
	if (rc == OK && t->nmessages > 0)
		rc = load_tail(&w, a, key, max, t, e);
	return work_end(&w, rc, e);
}

static enum errcode count_bytes(struct work *w, struct row *r, struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_COUNT_BYTES, e, DB_INT(r->key));
	enum db_step step = db_step(q, e);

	if (step == DB_ROW)
		r->bytes = db_int_at(q, 0);
	return db_end(q, step, e);
}

/* Drop the oldest messages until `more` bytes fit below the limit. */
static enum errcode cut(struct work *w, struct row *r, int64_t more, int64_t ceiling,
    struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_OLDEST, e, DB_INT(r->key));
	enum db_step step = DB_END;
	int64_t last = -1;
	enum errcode rc;

	while (r->bytes + more > ceiling && (step = db_step(q, e)) == DB_ROW) {
		last = db_int_at(q, 0);
		r->bytes -= db_int_at(q, 1);
	}
	rc = db_end(q, step, e);
	if (step == DB_END && r->bytes + more > ceiling)
		r->bytes = 0;                   /* nothing is left; the sum was too high */
	return rc != OK ? rc : db_put(w->c.db, SQL_CUT, e, DB_INT(r->key), DB_INT(last));
}

/* Delete what must go before the new messages are added, and update r->bytes and r->nmessages. */
static enum errcode make_room(struct work *w, struct row *r, const struct kept_turn *c, int64_t more,
    int64_t ceiling, struct err *e)
{
	enum errcode rc = OK;

	if (r->expired) {
		rc = db_put(w->c.db, SQL_BEGIN_ANEW, e, DB_INT(r->key));
		r->nmessages = 0;
	}
	if (rc == OK && (r->expired || c->skipped > 0)) {
		rc = db_put(w->c.db, SQL_EMPTY, e, DB_INT(r->key));
		r->nmessages += (int64_t)c->skipped;
		r->bytes = 0;
	}
	if (rc == OK && r->bytes < 0)
		rc = count_bytes(w, r, e);
	if (rc == OK && ceiling > 0 && more > 0 && r->bytes + more > ceiling)
		rc = cut(w, r, more, ceiling, e);
	return rc;
}

static enum errcode write_turn(struct work *w, struct row *r, const struct lease *l,
    const struct thread_owner *owner, const struct kept_turn *c, int64_t ceiling, struct err *e)
{
	int64_t more = 0;
	enum errcode rc;

	for (size_t i = 0; i < c->nappend; i++)
		more += (int64_t)store_kept_bytes(&c->append[i]);
	rc = make_room(w, r, c, more, ceiling, e);
	for (size_t i = 0; i < c->nappend && rc == OK; i++) {
		const struct kept *k = &c->append[i];

		rc = db_put(w->c.db, SQL_APPEND, e, DB_INT(r->key), DB_INT(r->nmessages + (int64_t)i),
		    DB_TEXT(k->role), DB_TEXT(k->content), DB_TEXT(k->id), DB_TEXT(k->call_id),
		    DB_TEXT(k->calls), DB_INT(k->time_us), DB_TEXT(k->turn));
	}
	if (rc == OK)
		rc = db_put(w->c.db, SQL_TURN, e, DB_INT(r->key),
		    DB_INT(r->nmessages + (int64_t)c->nappend), DB_TEXT(c->state), DB_TEXT(owner->user),
		    DB_TEXT(l->run), DB_INT(c->origin[0] != '\0' ? w->used_copy : w->used),
		    DB_INT(r->bytes + more), DB_TEXT(owner->agent), DB_TEXT(c->title), DB_INT(c->time_us),
		    DB_TEXT(c->persona), DB_TEXT(c->origin));
	if (rc == OK && c->session != NULL)
		rc = lite_session_turn(w, c, l->thread, r->key, e);
	return rc;
}

static enum errcode sqlite_commit(struct store *s, const struct lease *l,
    const struct thread_owner *owner, const struct kept_turn *c, struct err *e)
{
	struct work w;
	struct row r;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	const bool keeps = w.limits == NULL || !w.limits->leases_only;
	if ((rc = find(&w, l, owner, &r, e)) != OK)
		return work_end(&w, rc, e);
	if (r.known && r.written_by_us && r.version == c->version + 1)
		return work_end(&w, c->last ? end_lease(&w, l, e) : OK, e);     /* it was made before */
	if (l->recorded && (rc = sqlite_run_goes_on(&w, l, e)) != OK)
		return work_end(&w, rc, e);
	if (!r.known || r.lease_left == 0 || !r.leased_by_us || r.fence != l->fence)
		rc = store_lost(l, e);
	else if (!r.ours)
		rc = store_foreign(l->thread, e);
	else if (keeps && r.version != c->version)
		rc = store_moved(l, r.version, e);
	else if (keeps)
		rc = write_turn(&w, &r, l, owner, c, (int64_t)s->thread_bytes, e);
	if (rc == OK && c->last)
		rc = end_lease(&w, l, e);
	if (rc == OK && c->end != NULL && l->recorded)
		rc = sqlite_run_settle(&w, l->run, c->end, e);
	if (rc == OK)
		rc = lite_threads_sweep(&w, e);
	if (rc == OK)
		rc = queue_sweep(&w, e);
	if (rc == OK && (c->end != NULL || !l->recorded))       /* else the last group of its log sweeps */
		rc = sqlite_runs_sweep(&w, e);
	if (rc == OK)
		rc = lite_session_sweep(&w, e);
	if (rc == OK)
		rc = lite_keep_within_limits(&w, e);
	return work_end(&w, rc, e);
}

static enum errcode check_forget(const struct row *r, const struct lease *l, int64_t *retry_ms,
    struct err *e)
{
	if (!r->known || r->expired || r->version == 0)
		return store_unknown(l->thread, e);
	if (!r->ours)
		return store_foreign(l->thread, e);
	if (r->lease_left == 0)
		return OK;
	*retry_ms = r->lease_left;
	return err_set(e, ERR_BUSY, "thread %s cannot be deleted, because run %.8s holds it",
	    log_id(l->thread), r->holder);
}

static enum errcode sqlite_forget(struct store *s, const char *thread_id,
    const struct thread_owner *owner, int64_t *retry_ms, struct err *e)
{
	const struct thread_owner nobody = { .agent = "" };
	struct work w;
	struct row r;
	struct lease l = { .run = "" };
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	memcpy(l.thread, thread_id, strlen(thread_id) + 1);
	rc = find(&w, &l, owner != NULL ? owner : &nobody, &r, e);
	if (rc == OK && owner != NULL)
		rc = check_forget(&r, &l, retry_ms, e);
	if (rc == OK && r.known)
		rc = lite_session_drop(&w, thread_id, r.key, e);
	if (rc == OK && r.known)
		rc = lite_thread_drop(&w, r.key, e);
	if (rc == OK)
		rc = queue_forget(&w, thread_id, e);
	if (rc == OK)
		rc = sqlite_runs_forget(&w, thread_id, e);
	return work_end(&w, rc, e);
}

/* Usable means: the file is there and this process may write to it. */
static enum errcode sqlite_ping(struct store *s, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, true, e);

	return rc != OK ? rc : work_end(&w, OK, e);
}

const struct store_ops store_sqlite_ops = {
	.close = lite_close,
	.ping = sqlite_ping,
	.lease = sqlite_lease,
	.leave = sqlite_leave,
	.renew = sqlite_renew,
	.release = sqlite_release,
	.load = sqlite_load,
	.commit = sqlite_commit,
	.forget = sqlite_forget,
	.run_read = sqlite_run_read,
	.run_append = sqlite_run_append,
	.run_bury = sqlite_run_bury,
	.run_cancel = sqlite_run_cancel,
	.listen_open = sqlite_listen_open,
	.listen_close = sqlite_listen_close,
	.listen_add = sqlite_listen_add,
	.listen_drop = sqlite_listen_drop,
	.listen_begin = sqlite_listen_wake,
	.listen_wake = sqlite_listen_wake,
	.listen_wait = sqlite_listen_wait,
	.claim = sqlite_claim,
	.claim_settle = sqlite_claim_settle,
	.claim_free = sqlite_claim_free,
};
