/*
 * To print events is the most expensive part of the log. So if the first reader has printed an event in the
 * same form already, the log takes that text.
 */
#include "edges/sink_log.h"

#include "edges/sink_sse.h"
#include "edges/wire.h"
#include "services/sse.h"

enum { FRAME_KEEP = 4 << 10 };  /* a buffer that has grown larger is freed at once */

static enum errcode emit(struct sink *sink, const struct event *ev)
{
	struct sink_log *s = (struct sink_log *)sink;

	const struct buf *printed = sink_sse_frame(s->run->log.first.sink, ev->seq);

	s->last |= ev->kind == EV_DONE;
	if (printed != NULL) {
		run_output_put(&s->output, printed->p, printed->n);
		return OK;
	}
	sse_open(&s->frame, event_name(ev->kind));
	wire_print(&s->frame, ev);
	sse_close(&s->frame);
	if (!s->frame.full)
		run_output_put(&s->output, s->frame.p, s->frame.n);
	if (s->frame.size > FRAME_KEEP)
		buf_release(&s->frame);
	else
		buf_clear(&s->frame);
	return OK;
}

static void end(struct sink_log *s)
{
	const struct run_end how = run_end_of(s->run);

	run_output_end(&s->output, &how);
}

/* Only the end is written at once, before the first reader gets it: a client that has read `done` may ask for the
 * run's status next. */
static enum errcode flush(struct sink *sink)
{
	struct sink_log *s = (struct sink_log *)sink;

	if (s->last)
		end(s);
	return OK;
}

static const struct sink_ops log_ops = { .name = "log", .emit = emit, .flush = flush };

void sink_log_init(struct sink_log *s, struct run_writer *writer, struct run *run)
{
	struct err ignored;

	*s = (struct sink_log){ .sink = { &log_ops }, .run = run };
	s->reader.sink = &s->sink;
	buf_init(&s->frame, RUN_GROUP_BYTES);
	run_output_init(&s->output, writer, run->run_id, run->limits.lease_ms);
	run->lost = &s->output.lost;
	(void)runlog_attach(&run->log, &s->reader, 0, &ignored);        /* nothing is replayed */
}

void sink_log_end(struct sink_log *s)
{
	end(s);
	s->run->lost = NULL;
	run_output_release(&s->output);
	buf_release(&s->frame);
}
