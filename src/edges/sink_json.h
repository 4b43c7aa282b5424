/*
 * A run collected into one JSON answer.
 */
#ifndef EDGES_SINK_JSON_H
#define EDGES_SINK_JSON_H

#include "base/arena.h"
#include "base/buf.h"
#include "edges/http.h"
#include "runtime/sink.h"

struct sink_json {
	struct sink sink;
	struct arena *mem;
	struct http_res *w;           /* the connection, which shows when the reader leaves */
	struct buf text;              /* the answer as it was streamed */
	const char *answer;           /* the agent's final answer */
	struct json_object *plan, *ui_payload, *done;
	const char *error_code, *error_text;    /* the first failure */
};

void sink_json_init(struct sink_json *s, struct arena *mem, struct http_res *w);
void sink_json_release(struct sink_json *s);

/* {"answer", "planner_meta", "ui_payload", "thread_id"}, always all four, then "run_id",
 * "session_id", "tokens", "metadata", "status" if the run was cancelled, and "error" {"code", "message"} when
 * there was one.
 * Owned by the arena. */
struct json_object *sink_json_response(const struct sink_json *s);

#endif
