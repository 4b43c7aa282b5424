/*
 * The recorder: a reader of a run's log that keeps what the conversation log needs. It also gets
 * the events that a departed reader has missed.
 */
#ifndef EDGES_RECORDER_H
#define EDGES_RECORDER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/jsn.h"
#include "edges/convlog.h"
#include "runtime/run.h"
#include "runtime/sink.h"

struct recorder {
	struct sink sink;
	struct runlog_reader reader;
	struct arena *mem;
	struct json_object *tool_calls;       /* [{name, arguments, result}] */
	struct json_object *last;             /* the call that has started and not ended */
	bool has_ui;
	const char *thinking, *error;
};

/* Attaches itself to the run. Everything that it keeps is in the run's arena. */
void recorder_init(struct recorder *r, struct run *run);

/* Append the turn, which has ended, to the conversation log. If that log cannot be written, a line
 * in the program's log says so; the turn does not fail. */
void recorder_write(const struct recorder *r, struct convlog *log, const struct run *run);

#endif
