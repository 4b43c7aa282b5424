/*
 * The SQLite back end's connections and transactions. Private to src/services/store_sqlite*.c.
 *
 *   struct work w;
 *   if ((rc = work_begin(&w, s, true, e)) != OK)
 *           return rc;
 *   rc = …statements on w.c.db…;
 *   return work_end(&w, rc, e);
 *
 * Every piece of work has one deadline: the store's timeout_ms after work_begin() was called. It
 * covers the waits for other writers of this process, for a connection and for locks of other
 * processes.
 */
#ifndef SERVICES_STORE_SQLITE_H
#define SERVICES_STORE_SQLITE_H

#include <sys/types.h>

#include "drivers/db.h"
#include "services/store_accounts.h"
#include "services/store_backend.h"
#include "services/store_threads.h"

struct lite;                            /* the store: begins with its struct store */

struct lite_conn {
	struct db *db;
	dev_t dev;                      /* the file it was opened on */
	ino_t ino;
};

/* The limits of a store in memory. */
struct lite_limits {
	int64_t threads, bytes;
	bool leases_only;               /* the store "none": no commit is kept */
};

/* One transaction on a borrowed connection. */
struct work {
	struct lite *s;
	struct lite_conn c;
	bool write;
	const struct lite_limits *limits;       /* NULL: a file, which may grow */
	int64_t now;                    /* wall clock, ms: leases go by it */
	/* the file's own time, which no single clock can change much */
	int64_t time;
	int64_t used;                   /* time stamp for threads that are used now */
	int64_t used_copy;              /* time stamp for a copy of a thread, which expires in STORE_COPY_MS */
	int64_t expired;                /* threads last used at this time or before have expired */
};

extern const struct store_ops store_sqlite_ops;
extern const struct store_thread_ops store_sqlite_threads;
void lite_close(struct store *s);

/* Is the file ours and up to date (true in *ready), ours but older, or empty? All else is an error, and stays
 * untouched. */
enum errcode lite_schema_check(struct db *db, const char *path, bool *ready, struct err *e);
/* Make the tables that are missing. Several processes may do so at once. */
enum errcode lite_schema_make(struct db *db, const char *path, struct err *e);

/* After a failure there is nothing to end. A failure in the file becomes ERR_STORE. */
enum errcode work_begin(struct work *w, struct store *s, bool write, struct err *e);
/* Has any process written to the file since the last call? The caller keeps *seen, and `c`: a connection that is
 * used for nothing else and is closed with lite_unwatch(). */
enum errcode lite_changed(struct store *s, struct lite_conn *c, int64_t *seen, bool *changed,
    struct err *e);
void lite_unwatch(struct lite_conn *c);
/* Commit if rc is OK, else leave everything as it was. Returns the final code. */
enum errcode work_end(struct work *w, enum errcode rc, struct err *e);

/* Is this row of `threads` the caller's? Its parameters are OWNER(), from the second on. */
#define LITE_OURS "(version = 0 OR ((owner IS NULL OR owner = ?2) AND coalesce(agent, ?4) = ?3))"
#define OWNER(w, owner) DB_TEXT((owner)->user), DB_TEXT((owner)->agent), \
	DB_TEXT(((const struct store *)(w)->s)->agent)

/* A message, from the columns LITE_MESSAGE of a row on. ERR_DATA: the file is damaged. */
#define LITE_MESSAGE "role, content, coalesce(id, ''), coalesce(call_id, ''), coalesce(calls, '')," \
	" coalesce(turn, ''), time_us"
enum errcode lite_message(struct arena *a, struct db_stmt *q, int column, struct message *m, struct err *e);

/* Delete a thread with its messages. */
enum errcode lite_thread_drop(struct work *w, int64_t key, struct err *e);
/* Delete a few threads that have expired, and messages of such threads. */
enum errcode lite_threads_sweep(struct work *w, struct err *e);
/* Memory is limited: delete the oldest until the store fits again. */
enum errcode lite_keep_within_limits(struct work *w, struct err *e);

/* Count a turn of the thread in its session; `thread` is the key of its row. */
enum errcode lite_session_turn(struct work *w, const struct kept_turn *c, const char *thread_id,
    int64_t thread, struct err *e);
/* The thread is being deleted: its session forgets it. */
enum errcode lite_session_drop(struct work *w, const char *thread_id, int64_t thread, struct err *e);
/* Delete a few expired sessions, and in memory those that are too many. */
enum errcode lite_session_sweep(struct work *w, struct err *e);

/* The runs that wait for a thread. */
struct queue {
	int n, before;                  /* all of them; those before the one that asks */
	int64_t mine;                   /* the row of the one that asks; 0: it has none */
	int64_t mine_left;              /* ms until it loses its place */
	char first[48];
	int64_t first_left;             /* ms until the first loses its place */
};

/* Look at the places that are not lost. */
enum errcode queue_read(struct work *w, const struct lease *l, struct queue *q, struct err *e);
/* Take a place or keep it, if wait->queue_max allows; sets wait->place. */
enum errcode queue_join(struct work *w, const struct lease *l, const struct queue *q,
    struct lease_wait *wait, struct err *e);
enum errcode queue_leave(struct work *w, const struct lease *l, struct err *e);
enum errcode queue_forget(struct work *w, const char *thread_id, struct err *e);
/* Delete a few lost places of any thread. */
enum errcode queue_sweep(struct work *w, struct err *e);

/* The records of runs. queued_ms: the run waits and keeps its place for so long; 0: it begins. */
enum errcode sqlite_run_start(struct work *w, const struct lease *l, const struct run_start *start,
    const struct thread_owner *owner, int64_t queued_ms, struct err *e);
/* ERR_LOST: somebody else has ended the lease's run. */
enum errcode sqlite_run_goes_on(struct work *w, const struct lease *l, struct err *e);
/* A sign of life. */
enum errcode sqlite_run_beat(struct work *w, const char *run_id, int64_t alive_ms, struct err *e);
enum errcode sqlite_run_cancelled(struct work *w, const char *run_id, bool *cancelled, struct err *e);
/* Fill in wait->dead if this run is overdue. */
enum errcode sqlite_run_overdue(struct work *w, const char *run_id, struct lease_wait *wait, struct err *e);
enum errcode sqlite_run_settle(struct work *w, const char *run_id, const struct run_end *end,
    struct err *e);
/* Delete a few runs and logs that have expired; those of a thread that have a log; the oldest that has
 * ended. */
enum errcode sqlite_runs_sweep(struct work *w, struct err *e);
enum errcode sqlite_runs_forget(struct work *w, const char *thread_id, struct err *e);
enum errcode sqlite_run_drop_oldest(struct work *w, bool *dropped, struct err *e);
enum errcode sqlite_run_read(struct store *s, struct arena *a, int64_t after, size_t max_bytes,
    struct run_record *r, struct run_group **groups, size_t *ngroups, struct err *e);
enum errcode sqlite_run_append(struct store *s, const char *run_id, const struct run_group *g,
    int64_t alive_ms, const struct run_end *end, struct err *e);
enum errcode sqlite_run_bury(struct store *s, const char *run_id, const struct run_group *g,
    const struct run_end *end, bool *ended, struct err *e);
struct store_listener *sqlite_listen_open(struct store *s);
void sqlite_listen_close(struct store_listener *l);
void sqlite_listen_add(struct store_listener *l, const char *run_id);
void sqlite_listen_drop(struct store_listener *l, const char *run_id);
void sqlite_listen_wake(struct store_listener *l);
enum errcode sqlite_listen_wait(struct store_listener *l, int ms, bool active, struct store_news *out,
    struct err *e);
/* The runs that are asked to stop and have not ended, at most `max`. */
enum errcode sqlite_runs_cancelled(struct store *s, char (*out)[48], int max, int *n, struct err *e);
enum errcode sqlite_run_cancel(struct store *s, const char *run_id, const struct thread_owner *owner,
    enum run_status *was, struct err *e);

enum errcode sqlite_claim(struct store *s, const char *name, const char *mark, const char *token,
    int64_t hold_ms, struct claim *out, struct err *e);
enum errcode sqlite_claim_settle(struct store *s, const char *name, const char *mark, const char *token,
    const char *run_id, int64_t ttl_ms, struct err *e);
enum errcode sqlite_claim_free(struct store *s, const char *name, const char *token, struct err *e);

#endif
