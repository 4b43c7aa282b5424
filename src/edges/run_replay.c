/*
 * The log is read in groups; each group is text as clients see it, which is read back into events, so that
 * any sink can show them. While the run goes on, the log is looked at again after a pause that grows while
 * nothing comes.
 */
#include "edges/run_replay.h"

#include "base/watch.h"
#include "edges/wire.h"
#include "services/sse.h"

enum {
	PIECE = 256 << 10,              /* bytes of a log that are read at once */
	PAUSE_MS = 30,
	LONGEST_PAUSE_MS = 240,
};

struct replaying {
	const struct run_replay *p;
	struct arena *mem;
	int64_t seq, given;             /* numbers of the newest event that was read, and given */
	int64_t sign_ms;                /* when the reader was last sent something */
};

static enum errcode on_frame(void *arg, const char *name, const char *data, size_t n, struct err *e)
{
	struct replaying *r = arg;
	struct event ev;
	enum errcode rc = OK;

	if (++r->seq <= r->given)
		return OK;
	if ((rc = wire_read(r->mem, name, data, n, &ev, e)) != OK)
		return rc;
	ev.seq = r->given = r->seq;
	return sink_emit(r->p->sink, &ev);
}

static enum errcode give(struct replaying *r, const struct run_group *g, struct err *e)
{
	struct sse_parser parser;

	if (g->first > r->given + 1)
		return err_set(e, ERR_NOTFOUND, "the events of the run before number %lld are not kept any more",
		    (long long)g->first);
	sse_parser_init(&parser, RUN_GROUP_BYTES + 1);
	r->seq = g->first - 1;
	enum errcode rc = sse_feed(&parser, g->events.p, g->events.n, on_frame, r, e);
	sse_parser_release(&parser);
	return rc;
}

/* Read what has come since; *more: something has. */
static enum errcode read_on(struct replaying *r, struct run_record *end, bool *more, struct err *e)
{
	const struct run_replay *p = r->p;
	struct run_group *groups;
	size_t n;
	const int64_t before = r->given;
	enum errcode rc = store_run_read(p->store, r->mem, p->run_id, p->owner, r->given, PIECE, end,
	    &groups, &n, e);

	if (rc == OK && end->first_event > r->given + 1 && end->last_event > r->given)
		rc = err_set(e, ERR_NOTFOUND, "the log of the run has expired");
	for (size_t i = 0; i < n && rc == OK; i++)
		rc = give(r, &groups[i], e);
	if (rc == OK && r->given > before) {
		r->sign_ms = clock_mono_ms();
		rc = sink_flush(p->sink);
	}
	*more = r->given > before;
	return rc;
}

static enum errcode look(void *arg, int64_t *ms)
{
	const struct replaying *r = arg;

	*ms = LONGEST_PAUSE_MS;
	return r->p->stop != NULL && atomic_load(r->p->stop) ? ERR_OVERLOAD : OK;
}

static enum errcode pause_for(struct replaying *r, int64_t ms)
{
	const struct watch watch = { .fd = sink_fd(r->p->sink), .check = look, .arg = r };

	if (r->p->heartbeat_ms > 0 && clock_mono_ms() - r->sign_ms >= r->p->heartbeat_ms) {
		r->sign_ms = clock_mono_ms();
		if (sink_tick(r->p->sink) != OK)
			return ERR_HUP;
	}
	return watch_sleep(&watch, ms);
}

enum errcode run_replay(const struct run_replay *p, struct arena *a, struct run_record *end,
    int64_t *given, struct err *e)
{
	struct replaying r = { .p = p, .mem = a, .sign_ms = clock_mono_ms() };
	int64_t pause = PAUSE_MS;
	enum errcode rc;

	*given = 0;
	for (;;) {
		bool more = false;

		rc = read_on(&r, end, &more, e);
		*given = r.given;
		if (rc != OK || (run_status_ended(end->status) && r.given >= end->last_event))
			return rc;
		if (more) {
			pause = PAUSE_MS;
			continue;
		}
		if ((rc = pause_for(&r, pause)) != OK)
			return err_set(e, rc, "stopped following the run");
		pause = 2 * pause < LONGEST_PAUSE_MS ? 2 * pause : LONGEST_PAUSE_MS;
	}
}
