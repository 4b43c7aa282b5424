/*
 * Replies that several handlers send in the same form.
 */
#ifndef EDGES_REPLY_H
#define EDGES_REPLY_H

#include "edges/http.h"

/* Refuse with JSON. Status and sentence are those of the error code; `said`, if it is not NULL, is the
 * sentence instead. The reason goes to the log. Unknown ids and ids of other users get the same bytes as a path
 * that does not exist. retry_ms: for ERR_BUSY and ERR_LIMIT, when to try
 * again. */
void reply_refusal(struct http_req *r, struct http_res *w, const struct err *err, int64_t retry_ms,
    const char *said);
/* The same 404, for a text that cannot be an id. */
void reply_not_found(struct http_req *r, struct http_res *w);

/* 422 with one fault in FastAPI's shape: where is "query", "body" or "path". `input` is shown cut; NULL:
 * null. */
void reply_fault(struct http_req *r, struct http_res *w, const char *where, const char *name,
    const char *type, const char *msg, const char *input);
/* The same for a value that came in JSON. */
void reply_fault_value(struct http_req *r, struct http_res *w, const char *where, const char *name,
    const char *type, const char *msg, struct json_object *input);
/* Add a fault to a list of them, owned by the arena, and lend it. `name` NULL: the whole of `where`. */
struct json_object *reply_fault_add(struct arena *a, struct json_object *faults, const char *where,
    const char *name, const char *type, const char *msg, struct json_object *input);
/* 422 with this list; a typed refusal says the first fault. */
void reply_faults(struct http_req *r, struct http_res *w, struct json_object *faults);
/* A short part of a faulty value. The caller owns it. */
struct json_object *reply_shown(struct arena *a, struct json_object *input);

/* "2026-01-03T10:15:00.123456", UTC, as the original of the onboarding agent writes it; null for 0. */
void reply_add_plain_time(struct json_object *o, const char *name, int64_t wall_us);
/* "2026-01-03T10:15:00.123456Z"; null for 0. */
void reply_add_time(struct json_object *o, const char *name, int64_t wall_us);

#endif
