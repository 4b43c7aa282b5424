/*
 * The desk of a worker process: the runs that it executes, and the runs of any worker that its readers
 * follow.
 *
 * One thread listens to the store for all of them. It learns that somebody asks a run of this process to
 * stop, and that a followed run has new events. It reads new events once and hands them to all followers of the
 * run. A slow follower does not delay the others: if it falls behind, it reads from the store itself.
 *
 * The thread starts with the first run or follower.
 */
#ifndef SERVICES_RUN_DESK_H
#define SERVICES_RUN_DESK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "services/runs.h"

struct run_desk;

struct run_desk *run_desk_open(struct store *s);
void run_desk_close(struct run_desk *d);         /* NULL is allowed; no run and no follower may be left */

/* -- the runs of this process -- */

struct run_slot {
	char run_id[48];
	atomic_bool cancelled;        /* somebody asked the run to stop */
	/* the run has seen `cancelled`; until then its thread is woken from its waits again and again */
	atomic_bool heard;
	/* the desk's own */
	pthread_t thread;
	int64_t woken_ms;
	struct run_slot *next;
};

/* Call both in the thread that executes the run. The slot must stay where it is. */
void run_desk_enter(struct run_desk *d, struct run_slot *slot, const char *run_id);
void run_desk_leave(struct run_desk *d, struct run_slot *slot);
/* Ask a run to stop, if this process executes it; else false. */
bool run_desk_cancel(struct run_desk *d, const char *run_id);

/* -- followers -- */

struct run_followed;

enum run_step {
	RUN_STEP_EVENTS,              /* here are events */
	RUN_STEP_WAIT,                /* no more at the moment: wait for `wake`, then ask again */
	RUN_STEP_OVERDUE,             /* as WAIT, and the caller should end the run: store_run_bury() */
	RUN_STEP_ENDED,               /* the run has no more events */
	RUN_STEP_GONE,                /* the next events are no longer kept */
};

struct run_follower {
	int wake;                     /* an eventfd: readable when there is something new; -1: none */
	char run_id[48];
	/* the desk's own */
	struct run_desk *desk;
	struct run_followed *run;
	struct run_follower *link;
	int64_t next;                 /* number of the next event */
	bool reread;                  /* look into the store before the next wait */
	struct arena *mem;            /* of what was read from the store */
	struct run_group *groups;
	size_t ngroups, at;
	struct run_chunk *chunk;      /* handed out and still in use */
};

/* Follow a run from the event after number `after`. ERR_IO: no descriptor is left. */
enum errcode run_follow(struct run_desk *d, struct run_follower *f, const char *run_id, int64_t after,
    struct err *e);
/* What comes next? Events are valid until the next call. ERR_STORE, ERR_OVERLOAD: the store does not answer
 * now, ask again later. ERR_NOTFOUND: the run is not there any more. */
enum errcode run_follow_step(struct run_follower *f, enum run_step *step, struct run_group *events,
    struct err *e);
void run_unfollow(struct run_follower *f);

#endif
