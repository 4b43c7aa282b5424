/*
 * A run in the form of the onboarding protocol: token, tool_start, tool_complete, then one of complete and error;
 * as server-sent events or collected into one JSON answer.
 *
 * An error of the run is not shown when it happens but at its end, in place of `complete`.
 */
#ifndef EDGES_SINK_TURN_H
#define EDGES_SINK_TURN_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/jsn.h"
#include "edges/http.h"
#include "runtime/sink.h"

struct sink_turn {
	struct sink sink;
	struct http_res *w;
	struct arena *mem;
	const char *conversation_id;
	int64_t turn;                   /* its events have the ids "<turn>.<number>" */
	bool stream;
	const char *code, *message;     /* of the run's first error; NULL: it has none */
	struct buf frame;               /* streamed: used again for each event */
	struct buf text;                /* collected: the newest answer */
	struct json_object *tools, *end;
};

/* `mem` keeps what is collected. */
void sink_turn_init(struct sink_turn *s, struct http_res *w, struct arena *mem, const char *conversation_id,
    int64_t turn, bool stream);
void sink_turn_release(struct sink_turn *s);

/* Streamed: begin the response. ERR_HUP. */
enum errcode sink_turn_open(struct sink_turn *s);
/* Streamed: the run's events cannot be had any more. The client gets an `error` without an id, so that it knows, and can
 * ask for the rest later. */
void sink_turn_broken(struct sink_turn *s);
/* Collected: send the answer. */
void sink_turn_send(struct sink_turn *s);

#endif
