/*
 * The events of a run once more, for a reader that came later and wants them in a form of its own.
 */
#ifndef EDGES_RUN_REPLAY_H
#define EDGES_RUN_REPLAY_H

#include "edges/edge.h"
#include "edges/http.h"
#include "runtime/sink.h"

/* Give the sink the events of the run behind number `after`, and follow the run until it has ended. The events
 * stay in the arena. When this worker stops, the reader must ask another one. Codes as of follow_run(). */
enum errcode run_replay(const struct edge_parts *parts, struct arena *a, const char *run_id,
    int64_t after, struct sink *sink, struct err *e);
/* After a replay that ended with `rc`: the last lines of a stream that ends because this worker stops, and a line in
 * the log if something failed. */
void run_replay_told(const struct edge_parts *parts, struct http_res *w, const char *run_id, bool stream,
    enum errcode rc, const struct err *e);

#endif
