/*
 * Claims in the SQLite file: one row a key.
 *
 * They end by the wall clock, like leases. A row that would last longer than it was made for was made
 * before the clock was set back, and counts as ended.
 */
#include "services/store_sqlite.h"

#include <stdio.h>

#include "base/str.h"

enum { SWEPT = 8 };             /* old rows that a claim deletes at most */

static const char SQL_CLAIM_FIND[] = "SELECT token, run, mark, until_ms - ?2 FROM claims"
    " WHERE name = ?1 AND until_ms > ?2 AND until_ms - ?2 <= kept_ms";
static const char SQL_CLAIM_SET[] =
    "INSERT INTO claims (name, mark, token, run, until_ms, kept_ms) VALUES (?1, ?2, ?3, ?4, ?5 + ?6, ?6)"
    " ON CONFLICT (name) DO UPDATE SET mark = ?2, token = ?3, run = ?4, until_ms = ?5 + ?6, kept_ms = ?6";
static const char SQL_CLAIM_DROP[] = "DELETE FROM claims WHERE name = ?1 AND token = ?2 AND run IS NULL";
/* Deletes claims that have ended, and those that end later than they can, which a wrong clock has made. It looks
 * only at the first and the last to end, so that it does not read all claims. */
static const char SQL_CLAIM_SWEEP[] = "DELETE FROM claims WHERE name IN"
    " (SELECT name FROM claims WHERE until_ms <= ?1 ORDER BY until_ms LIMIT ?2) OR name IN"
    " (SELECT name FROM (SELECT name, until_ms, kept_ms FROM claims ORDER BY until_ms DESC LIMIT ?2)"
    " WHERE until_ms - ?1 > kept_ms)";

struct claim_row {
	bool known, mine, same;
	struct claim claim;
};

static enum errcode read_claim(struct work *w, const char *name, const char *mark, const char *token,
    struct claim_row *out, struct err *e)
{
	struct db_stmt *q = db_query(w->c.db, SQL_CLAIM_FIND, e, DB_TEXT(name), DB_INT(w->now));
	enum db_step step = db_step(q, e);

	*out = (struct claim_row){ .known = step == DB_ROW };
	if (step == DB_ROW) {
		const char *run = db_text(q, 1);

		out->mine = streq(db_text(q, 0), token);
		out->same = streq(db_text(q, 2), mark);
		out->claim.state = !out->same ? CLAIM_OTHER : run != NULL ? CLAIM_RUN : CLAIM_PENDING;
		out->claim.left_ms = db_int_at(q, 3);
		if (out->claim.state == CLAIM_RUN)
			snprintf(out->claim.run, sizeof(out->claim.run), "%s", run);
	}
	return db_end(q, step, e);
}

enum errcode sqlite_claim(struct store *s, const char *name, const char *mark, const char *token,
    int64_t hold_ms, struct claim *out, struct err *e)
{
	struct work w;
	struct claim_row row;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = read_claim(&w, name, mark, token, &row, e);
	*out = row.claim;
	if (rc == OK && (!row.known || (row.mine && row.claim.state == CLAIM_PENDING))) {
		*out = (struct claim){ .state = CLAIM_MINE };
		rc = db_put(w.c.db, SQL_CLAIM_SET, e, DB_TEXT(name), DB_TEXT(mark), DB_TEXT(token),
		    DB_TEXT(NULL), DB_INT(w.now), DB_INT(hold_ms));
	}
	if (rc == OK)
		rc = db_put(w.c.db, SQL_CLAIM_SWEEP, e, DB_INT(w.now), DB_INT(SWEPT));
	return work_end(&w, rc, e);
}

enum errcode sqlite_claim_settle(struct store *s, const char *name, const char *mark, const char *token,
    const char *run_id, int64_t ttl_ms, struct err *e)
{
	struct work w;
	struct claim_row row;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = read_claim(&w, name, mark, token, &row, e);
	if (rc == OK && !(row.known && row.mine && row.same))
		rc = store_claim_lost(e);
	if (rc == OK)
		rc = db_put(w.c.db, SQL_CLAIM_SET, e, DB_TEXT(name), DB_TEXT(mark), DB_TEXT(token),
		    DB_TEXT(run_id), DB_INT(w.now), DB_INT(ttl_ms));
	return work_end(&w, rc, e);
}

enum errcode sqlite_claim_free(struct store *s, const char *name, const char *token, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	return work_end(&w, db_put(w.c.db, SQL_CLAIM_DROP, e, DB_TEXT(name), DB_TEXT(token)), e);
}
