/*
 * Runs in the store: what other workers can know of a run, and the log of its events.
 *
 * Every turn has a small record: its thread, owner, status, times and tokens. The record is written
 * together with the lease (store_begin()), the renewals and the commit of the thread, so it costs no
 * call of its own.
 *
 * A run that was begun with `logged` also has a log of its events, which are numbered from 1 on
 * without gaps. The executing worker appends groups of events; any worker can read the events after a
 * number. The group with a struct run_end is the last one: nothing can be appended after it. When the log has
 * more than RUN_LOG_BYTES, its oldest groups are dropped. It expires store_config.run_ttl_s after its last group. The
 * record stays twice as long, so that an expired log can be told from an unknown run.
 *
 * A run gives a sign of life with each renewal and each group. When there was none for as
 * long as its lease lasts, its worker is dead or paused, and the run is `overdue`. Then any worker may end the
 * run. Only one of them succeeds. If the run's own worker comes back later, it can no longer append, and gets
 * neither the lease nor a commit (ERR_LOST).
 *
 * A run belongs to its thread's user and agent. For everybody else it does not exist (ERR_NOTFOUND);
 * a run without a user is open to all who know its id. A NULL owner makes no check.
 *
 * Errors: as in services/store.h. ERR_NOTFOUND: the run is unknown, has expired, or belongs to another user.
 */
#ifndef SERVICES_RUNS_H
#define SERVICES_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/errs.h"
#include "base/str.h"
#include "services/store.h"

enum run_status {
	RUN_QUEUED,
	RUN_RUNNING,
	RUN_DONE,
	RUN_FAILED,             /* the record's error says why */
	RUN_CANCELLED,          /* its reader left, or somebody asked it to stop */
	RUN_STATUS__MAX
};
const char *run_status_name(enum run_status status);     /* "queued", "running", "done", … */
bool run_status_ended(enum run_status status);

enum {
	RUN_LOG_BYTES = 1 << 20,        /* of a run's log; the oldest groups beyond it are dropped */
	RUN_GROUP_BYTES = 8 << 20,      /* the largest size of one group */
};

/* A new run id, a UUID. In a Redis Cluster the keys of this run are in the same slot as those of its
 * thread, so that one script can write both. */
void store_run_id(const char *thread_id, char out[ID_SIZE]);

/* How a run begins. The texts are borrowed for the call. */
struct run_start {
	const char *run_id;     /* from store_run_id() */
	const char *session_id; /* NULL: none */
	const char *worker;     /* names the process for people who read the record; NULL: none */
	int64_t started_us;
	bool logged;
};

/* How a run ended. */
struct run_end {
	enum run_status status;
	int64_t ended_us;
	int64_t tokens_in, tokens_out;
	bool estimated;
	const char *error;      /* the name of an error code; NULL: none */
};

struct run_record {
	const char *run_id, *thread_id, *session_id, *worker, *error;  /* "" where there is none */
	const char *user;       /* NULL: anonymous */
	const char *agent;
	enum run_status status;
	bool logged;
	bool cancelled;         /* somebody asked it to stop */
	bool overdue;           /* it has not ended, but has given no sign of life for too long */
	int64_t fence;          /* of its lease */
	int64_t started_us, ended_us;    /* ended_us 0: it has not ended */
	int64_t tokens_in, tokens_out;
	bool estimated;
	/* numbers of the oldest and the newest event in the log. last_event 0: there is none yet;
	 * first_event > last_event: the log has expired */
	int64_t first_event, last_event;
};

/* Events as they go over the wire, each one with the empty line behind it, without numbers. */
struct run_group {
	int64_t first;          /* number of the first of them */
	int64_t count;
	struct str events;
	/* So many numbers before `first` belong to no event of the log: the worker of the run died, and may have
	 * sent events with these numbers that it had not written yet. */
	int64_t skipped;
};

/* A client may have so many events more than the log of a run that has not ended. */
enum { RUN_AHEAD_MAX = 10000 };

/* As store_lease_wait(), and write the run's record; while the run waits, its status is RUN_QUEUED. Also
 * for a run that has lost its lease and takes it again. ERR_LOST: somebody has ended the run. */
enum errcode store_begin(struct store *s, const char *thread_id, const struct run_start *start,
    const struct thread_owner *owner, int64_t ttl_ms, struct lease_wait *w, struct lease *out,
    struct err *e);

/* Read the record. */
enum errcode store_run_find(struct store *s, struct arena *a, const char *run_id,
    const struct thread_owner *owner, struct run_record *out, struct err *e);

/* Read the record and the groups that hold events after number `after`: about max_bytes of them at most,
 * but at least one group. A group may begin with events that the reader has. */
enum errcode store_run_read(struct store *s, struct arena *a, const char *run_id,
    const struct thread_owner *owner, int64_t after, size_t max_bytes, struct run_record *out,
    struct run_group **groups, size_t *ngroups, struct err *e);

/* Append a group; `first` must be at most one more than the last event. It is a sign of life for alive_ms.
 * With `end` it is the last group; a group without events (count 0) is allowed. The call succeeds too if the
 * group is in the log already, or a part of it: a group whose reply was lost may have been stored, and is
 * sent again with newer events. ERR_BUSY: the run has ended, or another worker has ended it. */
enum errcode store_run_append(struct store *s, const char *run_id, const struct run_group *g,
    int64_t alive_ms, const struct run_end *end, struct err *e);

/* End a run that is overdue, with `count` last events. RUN_AHEAD_MAX numbers before them are skipped, so no
 * client knows one of theirs for another event. *ended: this call has ended it. It is no error if the run is
 * alive or has ended already. */
enum errcode store_run_bury(struct store *s, const char *run_id, int64_t count, struct str events,
    const struct run_end *end, bool *ended, struct err *e);

/* Ask a run to stop, whichever worker executes it. *was is its status: if the run has ended, nothing was
 * done. Asking twice is no error. */
enum errcode store_run_cancel(struct store *s, const char *run_id, const struct thread_owner *owner,
    enum run_status *was, struct err *e);

#endif
