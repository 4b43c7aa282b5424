/*
 * A run as server-sent events: one event, one frame. What was emitted is sent by the sink's flush.
 */
#ifndef EDGES_SINK_SSE_H
#define EDGES_SINK_SSE_H

#include "base/buf.h"
#include "edges/http.h"
#include "runtime/sink.h"

struct sink_sse {
	struct sink sink;
	struct http_res *w;
	struct buf frame;       /* used again for each event */
	bool ids;               /* each event has its number */
	int64_t printed;        /* number of the event that `frame` holds; 0: none */
};

void sink_sse_init(struct sink_sse *s, struct http_res *w, bool ids);
void sink_sse_release(struct sink_sse *s);

/* The event with this number as the sink has just printed it, without its number. NULL: another event was
 * printed last, or the sink is not a sink_sse. */
const struct buf *sink_sse_frame(const struct sink *sink, int64_t number);

/* Begin the response and send a first comment, so that the web server sends the header fields at
 * once. ERR_HUP. */
enum errcode sink_sse_open(struct sink_sse *s);
/* Begin the response for a stream of events that are printed already. Sends no comment. ERR_HUP. */
enum errcode sse_begin(struct http_res *w);
/* The last lines of a stream that ends without its terminal event, because this worker stops: a comment that says
 * what to do, and the time after which a client asks again. ERR_HUP. */
enum errcode sse_move_on(struct http_res *w, const char *what_to_do);
/* Does the client want the number of each event, to be able to resume? X-Stream-Ids or ?ids=. */
bool sse_wants_ids(const struct http_req *r);

#endif
