/*
 * Stopping a run, in whatever worker it is executed.
 *
 * The store passes the wish on (services/run_desk.h), and the run ends at its next step. That takes some
 * milliseconds, so the answer waits for it for a moment: a client that reads "cancelled" may send its next
 * message at once.
 */
#include "edges/api.h"

#include "base/clock.h"
#include "base/watch.h"
#include "edges/follow.h"
#include "edges/reply.h"

enum { WAIT_MS = 1000, PAUSE_MS = 5, LONGEST_PAUSE_MS = 40 };

/* Wait until the run has ended, but not for long; *rec is its record. */
static enum errcode await_end(const struct edge *e, struct http_req *r, const struct thread_owner *owner,
    struct run_record *rec, struct err *err)
{
	const struct watch watch = { .fd = r->io->ops->fd(r->io) };
	const int64_t until = clock_mono_ms() + WAIT_MS;
	int64_t pause = PAUSE_MS;
	enum errcode rc;

	for (;;) {
		rc = follow_find(&e->parts, r->mem, r->arg, owner, rec, err);
		if (rc != OK || run_status_ended(rec->status) || clock_mono_ms() >= until)
			return rc;
		if ((rc = watch_sleep(&watch, pause)) != OK)
			return err_set(err, rc, "the client left before the run had ended");
		pause = 2 * pause < LONGEST_PAUSE_MS ? 2 * pause : LONGEST_PAUSE_MS;
	}
}

void api_run_cancel(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	const struct thread_owner owner = { .user = r->field[FIELD_USER], .agent = rt->agent };
	struct json_object *o = jsn_object(r->mem);
	struct run_record rec;
	enum run_status was;
	struct err err = { 0 };

	if (store_run_cancel(e->parts.store, r->arg, &owner, &was, &err) != OK ||
	    await_end(e, r, &owner, &rec, &err) != OK) {
		reply_refusal(r, w, &err, 0, NULL);
		return;
	}
	const bool ended = run_status_ended(rec.status);
	jsn_add_str(o, "run_id", rec.run_id);
	jsn_add_str(o, "thread_id", rec.thread_id);
	jsn_add_str(o, "status", ended ? run_status_name(rec.status) : "cancelling");
	http_field(w, "Cache-Control", "no-store");
	http_json(w, ended ? 200 : 202, o);
}
