/*
 * Reading a run that is executed elsewhere: what it has said, and then what it says.
 */
#ifndef EDGES_FOLLOW_H
#define EDGES_FOLLOW_H

#include "base/errs.h"
#include "edges/edge.h"
#include "services/runs.h"

struct follow_reader {
	/* Events that go over the wire, in order; nothing is left out and nothing comes twice. Any result but
	 * OK ends the reading with it. */
	enum errcode (*events)(void *arg, const struct run_group *g);
	/* Nothing came for a while: tell the client that all is well. NULL: not needed. */
	enum errcode (*tick)(void *arg);
	bool moves;             /* its client can read on elsewhere when this worker stops */
	int fd;                 /* hangs up when the reader leaves; -1: none */
	void *arg;
};

/* Read the run from the event behind `after` to its end. A run whose worker has died is ended on the way.
 * OK: its last event was read. ERR_HUP: the reader left. ERR_NOTFOUND: the next events are not kept any more.
 * ERR_STORE: the store did not answer for long. ERR_OVERLOAD: this process is ending; for a
 * reader that moves, as soon as it takes no new requests (follow_moves()). */
enum errcode follow_run(const struct edge_parts *parts, const char *run_id, int64_t after,
    const struct follow_reader *reader, struct err *e);

/* Do readers that can move leave this worker now? */
bool follow_moves(const struct edge_parts *parts);

/* The record of a run for a request of this owner. A run whose worker has died is ended first. */
enum errcode follow_find(const struct edge_parts *parts, struct arena *a, const char *run_id,
    const struct thread_owner *owner, struct run_record *out, struct err *e);

/* End this run if its worker has died. If that fails, its next reader ends it. */
void follow_bury(const struct edge_parts *parts, const char *run_id);

#endif
