/*
 * Events on the wire. They wait in the web server's connection until the run has nothing more at
 * hand: each write costs a system call here and wakes the web server, which does the same.
 */
#include "edges/sink_sse.h"

#include <stdio.h>

#include "base/conf.h"
#include "edges/wire.h"
#include "services/sse.h"

enum {
	FRAME_MAX = 64 << 20,
	FRAME_KEEP = 4 << 10,       /* a buffer that has grown larger is freed before the run waits */
};

static void drop_frame(struct sink_sse *s)
{
	s->printed = 0;
	if (s->frame.size > FRAME_KEEP)
		buf_release(&s->frame);
	else
		buf_clear(&s->frame);
}

static enum errcode put_frame(struct sink_sse *s)
{
	enum errcode rc = s->frame.full ? ERR_TOOBIG : http_put(s->w, s->frame.p, s->frame.n);
	return rc == OK ? OK : ERR_HUP;
}

static enum errcode put_number(struct sink_sse *s, int64_t number)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "id: %lld\n", (long long)number);
	return http_put(s->w, text, (size_t)n) == OK ? OK : ERR_HUP;
}

static enum errcode emit(struct sink *sink, const struct event *ev)
{
	struct sink_sse *s = (struct sink_sse *)sink;
	drop_frame(s);
	sse_open(&s->frame, event_name(ev->kind));
	wire_print(&s->frame, ev);
	sse_close(&s->frame);
	if (s->ids && put_number(s, ev->seq) != OK)
		return ERR_HUP;
	s->printed = s->frame.full ? 0 : ev->seq;
	return put_frame(s);
}

static enum errcode flush(struct sink *sink)
{
	struct sink_sse *s = (struct sink_sse *)sink;
	drop_frame(s);
	return http_flush(s->w) == OK ? OK : ERR_HUP;
}

static enum errcode comment(struct sink_sse *s, const char *text)
{
	drop_frame(s);
	sse_comment(&s->frame, text);
	enum errcode rc = put_frame(s);
	return rc == OK ? flush(&s->sink) : rc;
}

static enum errcode tick(struct sink *sink)
{
	struct sink_sse *s = (struct sink_sse *)sink;
	if (http_gone(s->w))
		return ERR_HUP;
	return comment(s, "ping");
}

static int fd(struct sink *sink)
{
	struct http_io *io = ((struct sink_sse *)sink)->w->io;
	return io->ops->fd(io);
}

static const struct sink_ops sse_ops = { "sse", emit, flush, tick, fd };

void sink_sse_init(struct sink_sse *s, struct http_res *w, bool ids)
{
	*s = (struct sink_sse){ .sink = { &sse_ops }, .w = w, .ids = ids };
	buf_init(&s->frame, FRAME_MAX);
}

const struct buf *sink_sse_frame(const struct sink *sink, int64_t number)
{
	const struct sink_sse *s = (const struct sink_sse *)sink;
	return sink != NULL && sink->ops == &sse_ops && s->printed == number ? &s->frame : NULL;
}

void sink_sse_release(struct sink_sse *s)
{
	buf_release(&s->frame);
}

bool sse_wants_ids(const struct http_req *r)
{
	const char *asked = r->field[FIELD_STREAM_IDS];
	bool on = false;

	if (asked == NULL)
		asked = http_query(r, "ids");
	return asked != NULL && conf_bool(asked, &on) && on;
}

enum errcode sse_begin(struct http_res *w)
{
	http_field(w, "Cache-Control", "no-cache");
	http_field(w, "X-Accel-Buffering", "no");
	return http_begin(w, 200, "text/event-stream; charset=utf-8", HTTP_LENGTH_UNKNOWN);
}

enum errcode sse_move_on(struct http_res *w, const char *what_to_do)
{
	enum { RETRY_MS = 1000, LINES_MAX = 1024 };
	struct buf b;

	buf_init(&b, LINES_MAX);
	sse_retry(&b, what_to_do, RETRY_MS);
	enum errcode rc = http_put(w, b.p, b.n);
	buf_release(&b);
	return rc == OK ? http_flush(w) : rc;
}

enum errcode sink_sse_open(struct sink_sse *s)
{
	enum errcode rc = sse_begin(s->w);
	if (rc != OK)
		return rc;
	return comment(s, "open");
}
