/*
 * A run that waits asks for the lease again and again, at growing intervals: the store alone knows who
 * is next, and the lease may end in any worker. The run that is next asks most often. A run that stops
 * waiting, because its reader left, its time is over, somebody cancelled it or the worker ends, leaves the
 * queue at once. If its worker is killed, its place is lost after a part of a lease.
 */
#include "runtime/run_queue.h"

#include "base/clock.h"

enum {
	FIRST_PAUSE_MS = 20,
	/* the longest pause of the run that is next; for each place further back the pause is longer by this */
	NEXT_PAUSE_MS = 60,
	LONGEST_PAUSE_MS = 250,
	HOLD_MIN_MS = 1000,
};

/* What must be looked at while a run waits for its thread. */
static enum errcode look(void *arg, int64_t *ms)
{
	enum { SLICE_MS = 500 };
	struct run *run = arg;

	*ms = SLICE_MS;
	if (run_is_cancelled(run))
		return ERR_BUSY;
	return run->stop != NULL && atomic_load(run->stop) ? ERR_OVERLOAD : OK;
}

/* Runs further back ask less often, but still so often that they notice when short turns bring them forward. */
static int64_t longest_pause(int place)
{
	return place < LONGEST_PAUSE_MS / NEXT_PAUSE_MS ? NEXT_PAUSE_MS * (place + 1) : LONGEST_PAUSE_MS;
}

static enum errcode ask(struct run *run, const struct thread_owner *owner, struct err *e)
{
	const struct run_start start = run_start_of(run);

	return store_begin(run->store, run->thread_id, &start, owner, run->limits.lease_ms, &run->busy,
	    &run->lease, e);
}

/* The run does not wait any longer; `e` says why. */
static enum errcode give_up(struct run *run, struct err *e)
{
	struct err ignored;

	(void)store_leave(run->store, run->thread_id, run->run_id, &ignored);
	run->status = run_is_cancelled(run) || e->code == ERR_HUP ? RUN_CANCELLED : RUN_FAILED;
	if (run->status == RUN_FAILED)
		run->error = *e;
	return e->code;
}

static enum errcode stop_waiting(struct run *run, enum errcode rc, struct err *e)
{
	err_set(e, rc, "%s while the run waited for its thread", run_is_cancelled(run) ? "it was cancelled" :
	    rc == ERR_HUP ? "the reader left" : rc == ERR_BUSY ? "its time ended" : "the worker ended");
	return give_up(run, e);
}

/* When the time is over, ask once more: the thread may have become free since the last question. */
static enum errcode wait_in_queue(struct run *run, const struct thread_owner *owner,
    const struct turn_request *req, struct err *e)
{
	const struct watch watch = { .fd = req->reader_fd, .check = look, .arg = run };
	const int64_t until = clock_mono_ms() + run->limits.queue_ms;
	int64_t pause = FIRST_PAUSE_MS;
	enum errcode rc = ERR_BUSY;
	struct err ignored;

	while (rc == ERR_BUSY && run->busy.place >= 0) {
		int64_t left = until - clock_mono_ms(), most;

		if (left <= 0)
			return stop_waiting(run, ERR_BUSY, e);
		rc = watch_sleep(&watch, pause < left ? pause : left);
		if (rc != OK)
			return stop_waiting(run, rc, e);
		if (req->waiting != NULL)
			req->waiting(req->waiting_arg);
		rc = ask(run, owner, e);
		most = longest_pause(run->busy.place);
		pause = 2 * pause < most ? 2 * pause : most;
	}
	if (rc == ERR_LOST)     /* the record has its end already, and the place is of no use */
		(void)store_leave(run->store, run->thread_id, run->run_id, &ignored);
	else if (rc != OK)      /* the store failed, or the place was lost and the queue is full */
		return give_up(run, e);
	return rc;
}

enum errcode run_queue_take(struct run *run, const struct turn_request *req, struct err *e)
{
	const struct thread_owner owner = { .user = run->owner, .agent = run->agent->name };

	run->busy = (struct lease_wait){ .queue_max = req->enqueue ? run->limits.queue_max : 0 };
	run->busy.hold_ms = run->limits.lease_ms / 3 > HOLD_MIN_MS ? run->limits.lease_ms / 3 : HOLD_MIN_MS;
	enum errcode rc = ask(run, &owner, e);
	if (rc != ERR_BUSY || run->busy.place < 0)
		return rc;
	rc = wait_in_queue(run, &owner, req, e);
	run->started_ms = run->last_sign_ms = run->last_renew_ms = clock_mono_ms();
	return rc;
}
