/*
 * The runs that wait for a thread's lease, one row each, in the order in which they came.
 *
 * A place is lost at until_ms by the wall clock, like a lease. A place that would last longer than any
 * place may was made before the clock was set back, and counts as lost.
 */
#include "services/store_sqlite.h"

#include <stdio.h>

#include "base/str.h"

#define LOST "(until_ms <= ?2 OR until_ms > ?2 + ?3)"
static const char SQL_DROP_LOST[] = "DELETE FROM waiters WHERE thread = ?1 AND " LOST;
static const char SQL_WAITING[] =
    "SELECT seq, run, until_ms FROM waiters WHERE thread = ?1 AND NOT " LOST " ORDER BY seq";
static const char SQL_JOIN[] = "INSERT INTO waiters (thread, run, until_ms) VALUES (?1, ?2, ?3)";
static const char SQL_STAY[] = "UPDATE waiters SET until_ms = ?2 WHERE seq = ?1";
static const char SQL_LEAVE[] = "DELETE FROM waiters WHERE thread = ?1 AND run = ?2";
static const char SQL_FORGET[] = "DELETE FROM waiters WHERE thread = ?1";
static const char SQL_SWEEP[] = "DELETE FROM waiters WHERE seq IN"
    " (SELECT seq FROM waiters WHERE " LOST " ORDER BY seq LIMIT ?1)";

enum { SWEPT = 8 };              /* rows of other threads that a commit deletes at most */

enum errcode queue_read(struct work *w, const struct lease *l, struct queue *q, struct err *e)
{
	struct db_stmt *s = db_query(w->c.db, SQL_WAITING, e, DB_TEXT(l->thread), DB_INT(w->now),
	    DB_INT(STORE_HOLD_MAX_MS));
	enum db_step step;

	*q = (struct queue){ 0 };
	while ((step = db_step(s, e)) == DB_ROW) {
		const char *run = db_text(s, 1);

		if (streq(run, l->run)) {
			q->mine = db_int_at(s, 0);
			q->mine_left = db_int_at(s, 2) - w->now;
		} else if (q->mine == 0)
			q->before++;
		if (q->n++ == 0) {
			snprintf(q->first, sizeof(q->first), "%s", run != NULL ? run : "");
			q->first_left = db_int_at(s, 2) - w->now;
		}
	}
	return db_end(s, step, e);
}

enum errcode queue_join(struct work *w, const struct lease *l, const struct queue *q,
    struct lease_wait *wait, struct err *e)
{
	const int64_t until = w->now + wait->hold_ms;

	if (wait->queue_max == 0 || (q->mine == 0 && q->n >= wait->queue_max))
		return OK;
	wait->place = q->before;
	if (q->mine != 0)
		return db_put(w->c.db, SQL_STAY, e, DB_INT(q->mine), DB_INT(until));
	enum errcode rc = db_put(w->c.db, SQL_DROP_LOST, e, DB_TEXT(l->thread), DB_INT(w->now),
	    DB_INT(STORE_HOLD_MAX_MS));
	return rc != OK ? rc : db_put(w->c.db, SQL_JOIN, e, DB_TEXT(l->thread), DB_TEXT(l->run), DB_INT(until));
}

enum errcode queue_leave(struct work *w, const struct lease *l, struct err *e)
{
	return db_put(w->c.db, SQL_LEAVE, e, DB_TEXT(l->thread), DB_TEXT(l->run));
}

enum errcode queue_forget(struct work *w, const char *thread_id, struct err *e)
{
	return db_put(w->c.db, SQL_FORGET, e, DB_TEXT(thread_id));
}

enum errcode queue_sweep(struct work *w, struct err *e)
{
	return db_put(w->c.db, SQL_SWEEP, e, DB_INT(SWEPT), DB_INT(w->now), DB_INT(STORE_HOLD_MAX_MS));
}
