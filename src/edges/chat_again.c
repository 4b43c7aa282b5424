/*
 * The first request with a key makes the run. Any later one, in any worker, gets that run's events from
 * its log: all of them, then what comes, to the end.
 */
#include "edges/chat_again.h"

#include "base/log.h"
#include "edges/follow.h"
#include "edges/reply.h"

#define OTHER_REQUEST "This Idempotency-Key was used for another request. Please use a new key for each request."
#define NOT_BEGUN "The first request with this Idempotency-Key has not begun its turn yet. Please send this " \
	"request again later."
#define NOT_KEPT "The answer for this Idempotency-Key is no longer kept. Please send the message with a new key."

enum { HOLD_MIN_MS = 2000 };

/* A run that ended before its first event has nothing to replay. */
static bool can_be_replayed(const struct run_record *r)
{
	return r->logged && r->first_event <= 1 && (r->last_event > 0 || !run_status_ended(r->status));
}

/* The key belongs to this run already: answer with it. */
static void attach(const struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w,
    const char *run_id, bool stream, chat_replay *replay, void *arg)
{
	const struct thread_owner owner = { .user = r->field[FIELD_USER], .agent = rt->agent };
	struct run_record record;
	struct err err = { 0 };
	enum errcode rc = follow_find(&e->parts, r->mem, run_id, &owner, &record, &err);

	http_req_drop_body(r);
	if (rc == ERR_NOTFOUND || (rc == OK && !can_be_replayed(&record)))
		http_detail(w, r->mem, 410, NOT_KEPT);
	else if (rc != OK)
		reply_refusal(r, w, &err, 0, NULL);
	else {
		http_field(w, "X-Run-ID", record.run_id);
		http_field(w, "Idempotency-Replayed", "true");
		replay(e, r, w, &record, stream, arg);
	}
}

bool chat_again(const struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w,
    const char *session, bool stream, chat_replay *replay, void *arg, struct idempotency *k)
{
	const struct conf *conf = e->parts.conf;
	struct claim claim = { .state = CLAIM_MINE };
	struct err err = { 0 };

	*k = (struct idempotency){ .store = e->parts.store, .ttl_ms = conf->run_ttl_s * 1000,
	    .hold_ms = conf->lease_s * 1000 / 3 };
	if (k->hold_ms < HOLD_MIN_MS)
		k->hold_ms = HOLD_MIN_MS;
	if (idempotency_open(k, r, rt->agent, session, &err) != OK) {
		reply_fault(r, w, "header", "Idempotency-Key", "value_error", err.msg,
		    r->field[FIELD_IDEMPOTENCY_KEY]);
		return false;
	}
	if (k->name == NULL)
		return true;
	const atomic_bool *stop = e->parts.draining != NULL ? e->parts.draining : e->parts.stop;
	if (idempotency_claim(k, r->io->ops->fd(r->io), stop, conf->queue_s * 1000, &claim, &err) != OK) {
		reply_refusal(r, w, &err, 0, err.code == ERR_BUSY ? NOT_BEGUN : NULL);
		return false;
	}
	switch (claim.state) {
	case CLAIM_MINE:
		return true;
	case CLAIM_RUN:
		attach(e, rt, r, w, claim.run, stream, replay, arg);
		return false;
	case CLAIM_PENDING:             /* idempotency_claim() waits until it is not */
	case CLAIM_OTHER:
		break;
	}
	http_refuse(w, r->mem, 409, "KEY_REUSED", OTHER_REQUEST);
	return false;
}
