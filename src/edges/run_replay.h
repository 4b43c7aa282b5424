/*
 * The events of a run once more, from its log in the store, for a reader that came later.
 */
#ifndef EDGES_RUN_REPLAY_H
#define EDGES_RUN_REPLAY_H

#include <stdatomic.h>

#include "runtime/sink.h"
#include "services/runs.h"

struct run_replay {
	struct store *store;
	const char *run_id;
	const struct thread_owner *owner;
	struct sink *sink;
	const atomic_bool *stop;        /* set: the process is ending; may be NULL */
	int64_t heartbeat_ms;
};

/* Give the sink all events of the run, the first one first, and follow the run until it has ended; *end is its
 * record then. ERR_HUP: the reader left. ERR_OVERLOAD: the process is ending. ERR_NOTFOUND: there is no such
 * run, or its first events are not kept any more. Nothing was given to the sink if *given is 0. */
enum errcode run_replay(const struct run_replay *p, struct arena *a, struct run_record *end,
    int64_t *given, struct err *e);

#endif
