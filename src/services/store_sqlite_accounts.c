/*
 * Users, conversations and counters in the SQLite file. Conversations expire by the file's own time, like
 * threads; counters by the wall clock, like claims.
 */
#include "services/store_sqlite.h"

#include "base/str.h"

enum { SWEPT = 8 };             /* old rows that a write deletes at most */

static enum errcode full(const struct work *w, struct err *e)
{
	return err_set(e, ERR_STORE, "the store in memory holds %lld of these already: set REDIS_URL or "
	    "CHECKPOINTER_PROVIDER=sqlite", (long long)w->limits->threads);
}

static const char *text(struct arena *a, struct db_stmt *q, int column)
{
	const char *s = db_text(q, column);

	return s != NULL ? arena_strdup(a, s) : "";
}

/* The number in the first column of the first row; 0 if there is no row. */
static enum errcode number(struct db_stmt *q, int64_t *out, struct err *e)
{
	const enum db_step step = db_step(q, e);

	*out = step == DB_ROW ? db_int_at(q, 0) : 0;
	return db_end(q, step, e);
}

/* -- users -- */

static const char SQL_USER_TAKEN[] = "SELECT CASE WHEN name_key = ?2 THEN 1 ELSE 2 END FROM users"
    " WHERE (name_key = ?2 OR email_key = ?3) AND id <> ?1 ORDER BY 1 LIMIT 1";
static const char SQL_USER_ADD[] = "INSERT INTO users (id, name, name_key, email, email_key, full_name, hash,"
    " active, created_us) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
static const char SQL_USER_CHANGE[] = "UPDATE users SET name = ?2, name_key = ?3, email = ?4, email_key = ?5,"
    " full_name = ?6 WHERE id = ?1";
static const char SQL_USER_SET[] = "UPDATE users SET active = coalesce(CAST(?2 AS INTEGER), active),"
    " hash = coalesce(?3, hash), tokens_from = max(tokens_from, ?4) WHERE id = ?1";
static const char SQL_USER_DROP[] = "DELETE FROM users WHERE id = ?1";
static const char SQL_USERS[] = "SELECT count(*) FROM users";
#define USER "SELECT id, name, email, full_name, hash, active, created_us, tokens_from FROM users WHERE "
static const char SQL_USER_BY_ID[] = USER "id = ?1";
static const char SQL_USER_BY_NAME[] = USER "name_key = ?1";
static const char SQL_USER_BY_EMAIL[] = USER "email_key = ?1";

static enum errcode find_taken(struct work *w, const struct user *u, const struct user_keys *keys,
    enum user_taken *taken, struct err *e)
{
	int64_t which = 0;
	enum errcode rc = number(db_query(w->c.db, SQL_USER_TAKEN, e, DB_TEXT(u->id), DB_TEXT(keys->name),
	    DB_TEXT(keys->email)), &which, e);

	*taken = which == 0 ? USER_FREE : which == 1 ? USER_NAME_TAKEN : USER_EMAIL_TAKEN;
	return rc;
}

static enum errcode sqlite_user_add(struct store *s, const struct user *u, const struct user_keys *keys,
    enum user_taken *taken, struct err *e)
{
	struct work w;
	int64_t n = 0;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = find_taken(&w, u, keys, taken, e);
	if (rc == OK && w.limits != NULL && (rc = number(db_prepare(w.c.db, SQL_USERS, e), &n, e)) == OK &&
	    n >= w.limits->threads)
		rc = full(&w, e);
	if (rc == OK && *taken == USER_FREE)
		rc = db_put(w.c.db, SQL_USER_ADD, e, DB_TEXT(u->id), DB_TEXT(u->username), DB_TEXT(keys->name),
		    DB_TEXT(u->email), DB_TEXT(keys->email), DB_TEXT(u->full_name), DB_TEXT(u->hash),
		    DB_INT(u->active), DB_INT(u->created_us));
	return work_end(&w, rc, e);
}

static enum errcode sqlite_user_change(struct store *s, const struct user *u, const struct user_keys *keys,
    enum user_taken *taken, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = find_taken(&w, u, keys, taken, e);
	if (rc == OK && *taken == USER_FREE) {
		rc = db_put(w.c.db, SQL_USER_CHANGE, e, DB_TEXT(u->id), DB_TEXT(u->username), DB_TEXT(keys->name),
		    DB_TEXT(u->email), DB_TEXT(keys->email), DB_TEXT(u->full_name));
		if (rc == OK && db_changes(w.c.db) == 0)
			rc = user_unknown(e);
	}
	return work_end(&w, rc, e);
}

static enum errcode sqlite_user_find(struct store *s, struct arena *a, enum user_key by, const char *key,
    struct user *out, struct err *e)
{
	static const char *const sql[] = { [USER_BY_ID] = SQL_USER_BY_ID, [USER_BY_NAME] = SQL_USER_BY_NAME,
		[USER_BY_EMAIL] = SQL_USER_BY_EMAIL };
	struct work w;
	enum errcode rc = work_begin(&w, s, false, e);

	if (rc != OK)
		return rc;
	struct db_stmt *q = db_query(w.c.db, sql[by], e, DB_TEXT(key));
	const enum db_step step = db_step(q, e);
	if (step == DB_ROW)
		*out = (struct user){ .id = text(a, q, 0), .username = text(a, q, 1), .email = text(a, q, 2),
			.full_name = db_is_null(q, 3) ? NULL : text(a, q, 3), .hash = text(a, q, 4),
			.active = db_int_at(q, 5) != 0, .created_us = db_int_at(q, 6), .tokens_from_s = db_int_at(q, 7) };
	rc = db_end(q, step, e);
	if (rc == OK && step != DB_ROW)
		rc = user_unknown(e);
	return work_end(&w, rc, e);
}

static enum errcode sqlite_user_set(struct store *s, const char *id, const struct user_set *what,
    struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = db_put(w.c.db, SQL_USER_SET, e, DB_TEXT(id), DB_TEXT(what->active), DB_TEXT(what->hash),
	    DB_INT(what->tokens_from_s));
	if (rc == OK && db_changes(w.c.db) == 0)
		rc = user_unknown(e);
	return work_end(&w, rc, e);
}

static enum errcode sqlite_user_drop(struct store *s, const char *id, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = db_put(w.c.db, SQL_USER_DROP, e, DB_TEXT(id));
	if (rc == OK && db_changes(w.c.db) == 0)
		rc = user_unknown(e);
	return work_end(&w, rc, e);
}

/* -- conversations -- */

static const char SQL_TALKS[] =
    "SELECT count(*) FROM conversations WHERE owner = ?1 AND used_ms > ?2";
static const char SQL_TALK_OLDEST[] = "DELETE FROM conversations WHERE rowid IN"
    " (SELECT rowid FROM conversations ORDER BY used_ms LIMIT 8)"
    " AND (SELECT count(*) FROM conversations) >= ?1";
static const char SQL_TALK_ADD[] = "INSERT INTO conversations (owner, id, title, created_us, updated_us, run, turn,"
    " used_ms) VALUES (?1, ?2, ?3, ?4, ?4, '', 0, ?5)";
static const char SQL_TALK_SWEEP[] = "DELETE FROM conversations WHERE rowid IN"
    " (SELECT rowid FROM conversations WHERE used_ms <= ?1 ORDER BY used_ms LIMIT ?2)";
#define TALK "SELECT id, title, created_us, updated_us, run, turn FROM conversations"
static const char SQL_TALK[] = TALK " WHERE owner = ?1 AND id = ?2 AND used_ms > ?3";
static const char SQL_TALK_PAGE[] = TALK " WHERE owner = ?1 AND used_ms > ?2"
    " ORDER BY updated_us DESC, id LIMIT ?4 OFFSET ?3";
static const char SQL_TALK_SET[] = "UPDATE conversations SET title = coalesce(?3, title), updated_us = ?4,"
    " run = coalesce(?5, run), turn = turn + (?5 IS NOT NULL), used_ms = ?6"
    " WHERE owner = ?1 AND id = ?2 AND used_ms > ?7";
static const char SQL_TALK_TURN[] = "SELECT turn FROM conversations WHERE owner = ?1 AND id = ?2";
static const char SQL_TALK_DROP[] = "DELETE FROM conversations WHERE owner = ?1 AND id = ?2 AND used_ms > ?3";

static void read_talk(struct arena *a, struct db_stmt *q, struct conversation *c)
{
	*c = (struct conversation){ .id = text(a, q, 0), .title = text(a, q, 1), .created_us = db_int_at(q, 2),
		.updated_us = db_int_at(q, 3), .run = text(a, q, 4), .turn = db_int_at(q, 5) };
}

static enum errcode sqlite_talk_add(struct store *s, const char *owner, const struct conversation *c,
    int64_t max, struct err *e)
{
	struct work w;
	int64_t n = 0;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = db_put(w.c.db, SQL_TALK_SWEEP, e, DB_INT(w.expired), DB_INT(SWEPT));
	if (rc == OK)
		rc = number(db_query(w.c.db, SQL_TALKS, e, DB_TEXT(owner), DB_INT(w.expired)), &n, e);
	const bool too_many = rc == OK && n >= max;
	if (rc == OK && w.limits != NULL)       /* in memory they make room for each other, as threads do */
		rc = db_put(w.c.db, SQL_TALK_OLDEST, e, DB_INT(w.limits->threads));
	if (rc == OK && !too_many)
		rc = db_put(w.c.db, SQL_TALK_ADD, e, DB_TEXT(owner), DB_TEXT(c->id), DB_TEXT(c->title),
		    DB_INT(c->created_us), DB_INT(w.used));
	rc = work_end(&w, rc, e);
	return rc == OK && too_many ? conversation_too_many(max, e) : rc;
}

static enum errcode sqlite_talk_find(struct store *s, struct arena *a, const char *owner,
    struct conversation *out, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, false, e);

	if (rc != OK)
		return rc;
	struct db_stmt *q = db_query(w.c.db, SQL_TALK, e, DB_TEXT(owner), DB_TEXT(out->id), DB_INT(w.expired));
	const enum db_step step = db_step(q, e);
	if (step == DB_ROW)
		read_talk(a, q, out);
	rc = db_end(q, step, e);
	if (rc == OK && step != DB_ROW)
		rc = conversation_unknown(out->id, e);
	return work_end(&w, rc, e);
}

static enum errcode sqlite_talk_list(struct store *s, struct arena *a, const char *owner, int64_t skip,
    size_t limit, struct conversation *out, size_t *n, struct err *e)
{
	struct work w;
	enum db_step step;
	enum errcode rc = work_begin(&w, s, false, e);

	if (rc != OK)
		return rc;
	struct db_stmt *q = db_query(w.c.db, SQL_TALK_PAGE, e, DB_TEXT(owner), DB_INT(w.expired), DB_INT(skip),
	    DB_INT((int64_t)limit));
	while ((step = db_step(q, e)) == DB_ROW && *n < limit)
		read_talk(a, q, &out[(*n)++]);
	return work_end(&w, db_end(q, step, e), e);
}

static enum errcode sqlite_talk_set(struct store *s, const char *owner, const struct conversation *c,
    int64_t *turn, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = db_put(w.c.db, SQL_TALK_SET, e, DB_TEXT(owner), DB_TEXT(c->id), DB_TEXT(c->title),
	    DB_INT(c->updated_us), DB_TEXT(c->run), DB_INT(w.used), DB_INT(w.expired));
	if (rc == OK && db_changes(w.c.db) == 0)
		rc = conversation_unknown(c->id, e);
	if (rc == OK)
		rc = number(db_query(w.c.db, SQL_TALK_TURN, e, DB_TEXT(owner), DB_TEXT(c->id)), turn, e);
	return work_end(&w, rc, e);
}

static enum errcode sqlite_talk_drop(struct store *s, const char *owner, const char *id, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = db_put(w.c.db, SQL_TALK_DROP, e, DB_TEXT(owner), DB_TEXT(id), DB_INT(w.expired));
	if (rc == OK && db_changes(w.c.db) == 0)
		rc = conversation_unknown(id, e);
	return work_end(&w, rc, e);
}

/* -- counters -- */

static const char SQL_COUNT[] =
    "INSERT INTO counters (name, total, until_ms, kept_ms) VALUES (?1, max(?2, 0), ?3 + ?4, ?4)"
    " ON CONFLICT (name) DO UPDATE SET"
    " total = CASE WHEN until_ms > ?3 AND until_ms - ?3 <= kept_ms THEN max(total + ?2, 0) ELSE max(?2, 0) END,"
    " until_ms = CASE WHEN until_ms > ?3 AND until_ms - ?3 <= kept_ms THEN until_ms ELSE ?3 + ?4 END, kept_ms = ?4";
static const char SQL_COUNTED[] = "SELECT total, until_ms - ?2 FROM counters WHERE name = ?1";
/* Deletes counters that have ended, and those that end later than they can, which a wrong clock has made. It looks
 * only at the first and the last to end, so that it does not read all counters. */
static const char SQL_COUNTS_SWEEP[] = "DELETE FROM counters WHERE name IN"
    " (SELECT name FROM counters WHERE until_ms <= ?1 ORDER BY until_ms LIMIT ?2) OR name IN"
    " (SELECT name FROM (SELECT name, until_ms, kept_ms FROM counters ORDER BY until_ms DESC LIMIT ?2)"
    " WHERE until_ms - ?1 > kept_ms)";

static enum errcode sqlite_count(struct store *s, const char *name, int add, int64_t window_ms, int64_t *total,
    int64_t *left_ms, struct err *e)
{
	struct work w;
	enum errcode rc = work_begin(&w, s, true, e);

	if (rc != OK)
		return rc;
	rc = db_put(w.c.db, SQL_COUNT, e, DB_TEXT(name), DB_INT(add), DB_INT(w.now), DB_INT(window_ms));
	if (rc == OK) {
		struct db_stmt *q = db_query(w.c.db, SQL_COUNTED, e, DB_TEXT(name), DB_INT(w.now));
		const enum db_step step = db_step(q, e);
		if (step == DB_ROW) {
			*total = db_int_at(q, 0);
			*left_ms = db_int_at(q, 1);
		}
		rc = db_end(q, step, e);
	}
	if (rc == OK)
		rc = db_put(w.c.db, SQL_COUNTS_SWEEP, e, DB_INT(w.now), DB_INT(SWEPT));
	return work_end(&w, rc, e);
}

const struct store_account_ops store_sqlite_accounts = {
	.user_add = sqlite_user_add,
	.user_find = sqlite_user_find,
	.user_change = sqlite_user_change,
	.user_set = sqlite_user_set,
	.user_drop = sqlite_user_drop,
	.talk_add = sqlite_talk_add,
	.talk_find = sqlite_talk_find,
	.talk_list = sqlite_talk_list,
	.talk_set = sqlite_talk_set,
	.talk_drop = sqlite_talk_drop,
	.count = sqlite_count,
};
