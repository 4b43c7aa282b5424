/*
 * The log of a run in the store: its events as they go over the wire, without numbers.
 */
#ifndef EDGES_SINK_LOG_H
#define EDGES_SINK_LOG_H

#include "base/buf.h"
#include "runtime/run.h"
#include "runtime/sink.h"
#include "services/run_writer.h"

struct sink_log {
	struct sink sink;
	struct runlog_reader reader;
	struct run *run;
	struct run_output output;
	struct buf frame;       /* used again for each event */
	bool last;              /* the terminal event was emitted */
};

/* Attaches itself to the run, before its first event. */
void sink_log_init(struct sink_log *s, struct run_writer *writer, struct run *run);
/* After the turn. The last events are in the store before the first reader gets them; only if there was no
 * terminal event this waits for the store. */
void sink_log_end(struct sink_log *s);

#endif
