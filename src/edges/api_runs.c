/*
 * Runs: the status of one, and its events from any number on.
 *
 * A run that is unknown, another user's or another agent's is the same 404. A run whose events were not
 * kept, or are not kept any more, is 410.
 */
#include "edges/api.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "edges/follow.h"
#include "edges/reply.h"
#include "edges/sink_sse.h"
#include "services/sse.h"

enum {
	NUMBER_MAX = 1000000000,        /* no run has more events */
	PIECE = 16 << 10,
};

static bool find(const struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w,
    struct run_record *rec)
{
	const struct thread_owner owner = { .user = r->field[FIELD_USER], .agent = rt->agent };
	struct err err = { 0 };

	if (follow_find(&e->parts, r->mem, r->arg, &owner, rec, &err) == OK)
		return true;
	reply_refusal(r, w, &err, 0, NULL);
	return false;
}

/* What the error code says to users; codes of other versions have no sentence. */
static const char *said_of(const char *code)
{
	for (int i = 0; i < ERR__MAX; i++)
		if (streq(err_row((enum errcode)i)->name, code))
			return err_row((enum errcode)i)->said;
	return NULL;
}

void api_run(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct json_object *o = jsn_object(r->mem), *t = jsn_new();
	struct run_record rec;

	if (!find(e, rt, r, w, &rec)) {
		json_object_put(t);
		return;
	}
	const int64_t until = rec.ended_us != 0 ? rec.ended_us : clock_wall_us();
	jsn_add_str(o, "run_id", rec.run_id);
	jsn_add_str(o, "thread_id", rec.thread_id);
	jsn_add_str(o, "session_id", rec.session_id);
	jsn_add_str(o, "status", run_status_name(rec.status));
	reply_add_time(o, "started_at", rec.started_us);
	reply_add_time(o, "ended_at", rec.ended_us);
	jsn_add_int(o, "duration_ms", until > rec.started_us ? (until - rec.started_us) / 1000 : 0);
	jsn_add_int(t, "input", rec.tokens_in);
	jsn_add_int(t, "output", rec.tokens_out);
	jsn_add_int(t, "total", rec.tokens_in + rec.tokens_out);
	if (rec.estimated)
		jsn_add_bool(t, "estimated", true);
	jsn_add(o, "tokens", t);
	if (*rec.error != '\0') {
		struct json_object *error = jsn_new();

		jsn_add_str(error, "code", rec.error);
		jsn_add_str(error, "message", said_of(rec.error));
		jsn_add(o, "error", error);
	} else {
		jsn_add(o, "error", NULL);
	}
	if (rec.cancelled && !run_status_ended(rec.status))
		jsn_add_bool(o, "cancel_requested", true);
	if (rec.logged)
		jsn_add_int(o, "last_event_id", rec.last_event);
	jsn_add_bool(o, "resumable", rec.logged && rec.first_event <= rec.last_event + 1 &&
	    (rec.last_event == 0 || rec.first_event <= rec.last_event));
	http_field(w, "Cache-Control", "no-store");
	http_json(w, 200, o);
}

/* -- the stream -- */

/* A number of an event, 0 or more. */
static bool parse_number(const char *text, int64_t *out)
{
	int64_t n = 0;

	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		if (*text < '0' || *text > '9')
			return false;
		n = n * 10 + (*text - '0');
		if (n > NUMBER_MAX)
			return false;
	}
	*out = n;
	return true;
}

/* The header wins, because a browser that reconnects repeats the query. */
static const char *after_text(const struct http_req *r)
{
	return r->field[FIELD_LAST_EVENT_ID] != NULL ? r->field[FIELD_LAST_EVENT_ID] : http_query(r, "after");
}

static void refuse_after(struct http_req *r, struct http_res *w, const char *type, const char *msg)
{
	const bool header = r->field[FIELD_LAST_EVENT_ID] != NULL;

	reply_fault(r, w, header ? "header" : "query", header ? "Last-Event-ID" : "after", type, msg,
	    after_text(r));
}

/* The event that the client had last. False: it was refused. */
static bool read_after(struct http_req *r, struct http_res *w, int64_t *after)
{
	const char *text = after_text(r);

	*after = 0;
	if (text == NULL || parse_number(text, after))
		return true;
	refuse_after(r, w, "int_parsing", arena_printf(r->mem,
	    "Input should be the number of an event of this run: digits only, 0 to %d", NUMBER_MAX));
	return false;
}

/* True: it was answered, because there is nothing to stream. */
static bool answered(struct http_req *r, struct http_res *w, const struct run_record *rec, int64_t after)
{
	const bool ended = run_status_ended(rec->status);

	if (!rec->logged)
		http_detail(w, r->mem, 410, "The events of this run were not kept. Please read its answer in the messages of its thread.");
	else if (ended && after == rec->last_event)
		http_begin(w, 204, NULL, HTTP_LENGTH_UNKNOWN);  /* a browser does not reconnect then */
	else if (ended ? after > rec->last_event : after > rec->last_event + RUN_AHEAD_MAX)
		refuse_after(r, w, "less_than_equal", arena_printf(r->mem,
		    "Input should be less than or equal to %lld, the number of the last event of this run",
		    (long long)rec->last_event));
	else if (rec->last_event > after && rec->first_event > after + 1)
		http_detail(w, r->mem, 410, "The next events of this run are no longer kept. Please read its "
		    "answer in the messages of its thread.");
	else
		return false;
	if (w->state == RES_BODY)
		http_end(w);
	return true;
}

struct stream {
	struct http_res *w;
	struct buf piece;
};

/* Each event with its number, as in the run's first stream. */
static enum errcode send_events(void *arg, const struct run_group *g)
{
	struct stream *s = arg;
	const char *p = g->events.p, *end = p + g->events.n;
	enum errcode rc = OK;

	for (int64_t n = g->first; p < end && rc == OK; n++) {
		const char *stop = memmem(p, (size_t)(end - p), "\n\n", 2);
		const char *next = stop == NULL ? end : stop + 2;

		sse_id(&s->piece, n);
		buf_put(&s->piece, p, (size_t)(next - p));
		p = next;
		if (s->piece.n >= PIECE || p == end) {
			rc = http_put(s->w, s->piece.p, s->piece.n);
			buf_clear(&s->piece);
		}
	}
	return rc == OK ? http_flush(s->w) : rc;
}

static enum errcode send_comment(struct stream *s, const char *text)
{
	sse_comment(&s->piece, text);
	enum errcode rc = http_put(s->w, s->piece.p, s->piece.n);
	buf_clear(&s->piece);
	return rc == OK ? http_flush(s->w) : rc;
}

static enum errcode ping(void *arg)
{
	struct stream *s = arg;

	return http_gone(s->w) ? ERR_HUP : send_comment(s, "ping");
}

void api_run_stream(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct run_record rec;
	struct err err = { 0 };
	int64_t after;

	if (!read_after(r, w, &after) || !find(e, rt, r, w, &rec) || answered(r, w, &rec, after))
		return;
	struct stream s = { .w = w };
	const struct follow_reader reader = { .events = send_events, .tick = ping, .moves = true,
		.fd = r->io->ops->fd(r->io), .arg = &s };
	buf_init(&s.piece, RUN_GROUP_BYTES + PIECE);
	enum errcode rc = sse_begin(w);
	if (rc == OK)
		rc = send_comment(&s, "open");
	if (rc == OK && !w->no_body)
		rc = follow_run(&e->parts, rec.run_id, after, &reader, &err);
	if (rc == ERR_OVERLOAD && follow_moves(&e->parts))
		rc = sse_move_on(w, "this worker is stopping: ask again for the events after the last one, and another worker sends them");
	if (rc != OK && rc != ERR_HUP)
		log_msg(LOG_WARN, "follow", "ended=%.8s code=%s why=\"%s\"", rec.run_id, err_row(rc)->name,
		    err.msg);
	buf_release(&s.piece);
	http_end(w);
}
