/*
 * A follower waits for its client and for the desk together, and sends heartbeats meanwhile.
 *
 * Whoever finds that a run gives no sign of life ends it: its client gets an error and the terminal event,
 * its record says so, and its thread is free. The store lets only one do this.
 */
#include "edges/follow.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/watch.h"
#include "edges/wire.h"
#include "runtime/event.h"
#include "services/run_desk.h"
#include "services/sse.h"

enum {
	STORE_AWAY_MS = 30000,          /* how long a store may be away while a run is followed */
	STORE_REST_MS = 500,
	/* without the desk's thread nobody wakes a follower, so it looks for itself */
	LOOK_MS = 1000,
	FRAMES_MAX = 16 << 10,
};

static void print(struct buf *b, enum event_kind kind, const struct event *ev)
{
	sse_open(b, event_name(kind));
	wire_print(b, ev);
	sse_close(b);
}

/* The last two events of a run that has died: an error and `done`. */
static void print_end(struct buf *b, struct arena *a, const struct run_record *r)
{
	const struct err_row *lost = err_row(ERR_LOST);
	struct json_object *d = jsn_object(a), *t = jsn_new(), *error = jsn_new(), *meta = jsn_new();

	jsn_add_str(d, "session_id", r->session_id);
	jsn_add_str(d, "thread_id", r->thread_id);
	jsn_add_str(d, "run_id", r->run_id);
	jsn_add_int(t, "input", 0);
	jsn_add_int(t, "output", 0);
	jsn_add_int(t, "total", 0);
	jsn_add(d, "tokens", t);
	jsn_add_bool(meta, "saved", false);
	jsn_add(d, "metadata", meta);
	jsn_add_str(d, "status", run_status_name(RUN_FAILED));
	jsn_add_str(error, "code", lost->name);
	jsn_add_str(error, "message", lost->said);
	jsn_add(d, "error", error);
	print(b, EV_ERROR, &(struct event){ .kind = EV_ERROR, .name = lost->name, .text = lost->said });
	print(b, EV_DONE, &(struct event){ .kind = EV_DONE, .data = d });
}

static void free_thread(struct store *s, const struct run_record *r)
{
	struct lease l = { .fence = r->fence, .ttl_ms = 1 };
	struct err e;

	snprintf(l.thread, sizeof(l.thread), "%s", r->thread_id);
	snprintf(l.run, sizeof(l.run), "%s", r->run_id);
	(void)store_release(s, &l, &e);         /* else it ends by itself */
}

static enum errcode end_overdue(struct store *s, struct arena *a, const struct run_record *r, struct err *e)
{
	const struct run_end end = { .status = RUN_FAILED, .ended_us = clock_wall_us(),
		.error = err_row(ERR_LOST)->name };
	struct buf b;
	bool ended;

	buf_init(&b, FRAMES_MAX);
	print_end(&b, a, r);
	enum errcode rc = store_run_bury(s, r->run_id, 2, (struct str){ b.p, b.n }, &end, &ended, e);
	buf_release(&b);
	if (rc == OK && ended) {
		log_msg(LOG_WARN, "run_lost", "dead=%.8s thread=%s worker=%s", r->run_id,
		    log_id(r->thread_id), r->worker);
		free_thread(s, r);
	}
	return rc;
}

enum errcode follow_find(const struct edge_parts *parts, struct arena *a, const char *run_id,
    const struct thread_owner *owner, struct run_record *out, struct err *e)
{
	enum errcode rc = store_run_find(parts->store, a, run_id, owner, out, e);

	if (rc == OK && out->overdue && (rc = end_overdue(parts->store, a, out, e)) == OK)
		rc = store_run_find(parts->store, a, run_id, owner, out, e);
	return rc;
}

void follow_bury(const struct edge_parts *parts, const char *run_id)
{
	struct arena *a = arena_new();
	struct run_record r;
	struct err e = { 0 };
	enum errcode rc = follow_find(parts, a, run_id, NULL, &r, &e);

	if (rc != OK)
		log_msg(LOG_WARN, "run_lost", "dead=%.8s not_ended code=%s why=\"%s\"", run_id,
		    err_row(rc)->name, e.msg);
	arena_free(a);
}

struct following {
	const struct edge_parts *parts;
	const struct follow_reader *reader;
	int64_t sign_ms;                /* when the client last heard of us */
	int64_t away_ms;                /* since when the store does not answer; 0: it does */
};

bool follow_moves(const struct edge_parts *parts)
{
	return parts->draining != NULL && atomic_load(parts->draining);
}

static enum errcode look_after(void *arg, int64_t *ms)
{
	struct following *f = arg;
	const int64_t now = clock_mono_ms(), beat = f->parts->conf->heartbeat_s * 1000;

	*ms = 500;
	if (f->parts->stop != NULL && atomic_load(f->parts->stop))
		return ERR_OVERLOAD;
	if (f->reader->moves && follow_moves(f->parts))
		return ERR_OVERLOAD;
	if (f->reader->tick == NULL || now - f->sign_ms < beat)
		return OK;
	f->sign_ms = now;
	return f->reader->tick(f->reader->arg);
}

/* Is it worth another try? */
static bool may_come_back(struct following *f, enum errcode rc)
{
	const int64_t now = clock_mono_ms();

	if (rc != ERR_STORE && rc != ERR_OVERLOAD)
		return false;
	if (f->away_ms == 0)
		f->away_ms = now;
	return now - f->away_ms < STORE_AWAY_MS;
}

static enum errcode one_step(struct following *f, struct run_follower *follower, enum run_step *step,
    struct run_group *g, struct err *e)
{
	enum errcode rc = run_follow_step(follower, step, g, e);

	if (rc == OK && *step == RUN_STEP_OVERDUE) {
		struct arena *a = arena_new();
		struct run_record r;

		rc = follow_find(f->parts, a, follower->run_id, NULL, &r, e);
		arena_free(a);
	}
	return rc;
}

static enum errcode follow(struct following *f, struct run_follower *follower, struct err *e)
{
	const struct watch watch = { .fd = f->reader->fd, .check = look_after, .arg = f };
	enum run_step step = RUN_STEP_WAIT;
	struct run_group g;

	for (;;) {
		enum errcode rc = one_step(f, follower, &step, &g, e);
		const bool failed = rc != OK;
		bool ready;

		if (failed && !may_come_back(f, rc))
			return rc;
		if (!failed)
			f->away_ms = 0;
		if (!failed && step == RUN_STEP_ENDED)
			return OK;
		if (!failed && step == RUN_STEP_GONE)
			return err_set(e, ERR_NOTFOUND, "the next events are not kept any more");
		if (!failed && step == RUN_STEP_EVENTS) {
			if ((rc = f->reader->events(f->reader->arg, &g)) != OK)
				return rc;
			f->sign_ms = clock_mono_ms();
			continue;
		}
		rc = watch_poll(&watch, failed ? -1 : follower->wake, failed ? STORE_REST_MS : LOOK_MS, &ready);
		if (rc != OK)
			return err_set(e, rc, "stopped to follow the run");
	}
}

enum errcode follow_run(const struct edge_parts *parts, const char *run_id, int64_t after,
    const struct follow_reader *reader, struct err *e)
{
	struct following f = { .parts = parts, .reader = reader, .sign_ms = clock_mono_ms() };
	struct run_follower follower;
	enum errcode rc = run_follow(parts->desk, &follower, run_id, after, e);

	if (rc != OK)
		return rc;
	rc = follow(&f, &follower, e);
	run_unfollow(&follower);
	return rc;
}
