/*
 * The log holds events as clients see them. They are read back into events, so that any sink can show them.
 */
#include "edges/run_replay.h"

#include "base/log.h"
#include "edges/follow.h"
#include "edges/sink_sse.h"
#include "edges/wire.h"
#include "services/sse.h"

struct replay {
	struct arena *mem;
	struct sink *sink;
	int64_t seq;                    /* number of the event that comes next */
};

static enum errcode on_frame(void *arg, const char *name, const char *data, size_t n, struct err *e)
{
	struct replay *r = arg;
	struct event ev;
	enum errcode rc = wire_read(r->mem, name, data, n, &ev, e);

	ev.seq = r->seq++;
	return rc == OK ? sink_emit(r->sink, &ev) : rc;
}

static enum errcode on_events(void *arg, const struct run_group *g)
{
	struct replay *r = arg;
	struct sse_parser parser;
	struct err e;

	r->seq = g->first;
	sse_parser_init(&parser, RUN_GROUP_BYTES + 1);
	enum errcode rc = sse_feed(&parser, g->events.p, g->events.n, on_frame, r, &e);
	sse_parser_release(&parser);
	return rc == OK ? sink_flush(r->sink) : rc;
}

static enum errcode on_tick(void *arg)
{
	return sink_tick(((struct replay *)arg)->sink);
}

enum errcode run_replay(const struct edge_parts *parts, struct arena *a, const char *run_id,
    int64_t after, struct sink *sink, struct err *e)
{
	struct replay r = { .mem = a, .sink = sink };
	const struct follow_reader reader = { .events = on_events, .tick = on_tick, .moves = true,
		.fd = sink_fd(sink), .arg = &r };

	return follow_run(parts, run_id, after, &reader, e);
}

void run_replay_told(const struct edge_parts *parts, struct http_res *w, const char *run_id, bool stream,
    enum errcode rc, const struct err *e)
{
	if (rc == ERR_OVERLOAD && stream && follow_moves(parts))
		rc = sse_move_on(w, "this worker is stopping: send the request again with the same key, and another worker answers");
	if (rc != OK && rc != ERR_HUP)
		log_msg(LOG_WARN, "replay", "of=%.8s code=%s why=\"%s\"", run_id, err_row(rc)->name, e->msg);
}
