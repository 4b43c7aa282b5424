/*
 * What a user thinks of an answer: thumbs up or down, and perhaps a comment.
 *
 * A record goes into the file of its day beside the conversation log, in the original's format. A run may be scored
 * again; readers take the last record of a run. Only a run that exists can be scored, a few times, and the file of a
 * day has a limit, so nobody can fill the disk.
 *
 * The store forgets a run after a while (AVIATION_AGENT_RUN_TTL_S). From then on its entry in the conversation log
 * tells that it was there. A user's run that the store still knows exists only for that user.
 */
#include "edges/api.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include "edges/body_text.h"
#include "edges/convlog.h"
#include "edges/reply.h"
#include "services/counts.h"
#include "services/runs.h"

enum {
	RUN_ID_MAX = 128,
	COMMENT_CHARS = 4000,              /* a longer comment is cut */
	SCORES_MAX = 10,                   /* of one run within an hour */
	HOUR_MS = 3600 * 1000,
	DAYS = 7,                          /* of the log that are searched for a run: today and six before */
	KNOWN_BYTES = 64 << 20,            /* read of the log if the run is known … */
	UNKNOWN_BYTES = 16 << 20,          /* … and if anybody could have made up its id */
};

struct feedback {
	const char *run_id, *comment;      /* comment NULL: none */
	int score;                         /* 1 or 0 */
};

/* ---- the body -------------------------------------------------------------------------- */

/* A whole number as clients of the original may write it: 1, 1.0, "1", true. False: *type and *msg say what is
 * wrong. */
static bool read_score(struct json_object *o, double *score, const char **type, const char **msg)
{
	const bool text = jsn_is(o, json_type_string);

	*type = "int_type";
	*msg = "Input should be a valid integer";
	if (jsn_is(o, json_type_boolean)) {
		*score = json_object_get_boolean(o);
	} else if (text && !str_to_double(json_object_get_string(o), score)) {
		*type = "int_parsing";
		*msg = "Input should be a valid integer, unable to parse string as an integer";
		return false;
	} else if (!text && !jsn_is(o, json_type_int) && !jsn_is(o, json_type_double)) {
		return false;
	} else if (!text) {
		*score = json_object_get_double(o);
	}
	if (*score != floor(*score)) {
		*type = text ? "int_parsing" : "int_from_float";
		*msg = text ? "Input should be a valid integer, unable to parse string as an integer" :
		    "Input should be a valid integer, got a number with a fractional part";
		return false;
	}
	*type = *score < 0 ? "greater_than_equal" : "less_than_equal";
	*msg = *score < 0 ? "Input should be greater than or equal to 0" : "Input should be less than or equal to 1";
	return *score >= 0 && *score <= 1;
}

/* NULL for a comment of blanks; a long one is cut. */
static const char *comment_of(struct arena *a, struct json_object *o)
{
	const struct str s = str_trim(str_of(json_object_get_string(o)));
	size_t n = 0;

	for (size_t chars = 0; n < s.n && chars < COMMENT_CHARS; chars++) {
		const size_t len = utf8_len(s.p + n, s.n - n);
		n += len > 0 ? len : 1;
	}
	return s.n == 0 ? NULL : arena_printf(a, "%.*s%s", (int)n, s.p, n < s.n ? "…" : "");
}

/* False: the body has faults, and they were sent. */
static bool read_body(struct http_req *r, struct http_res *w, struct feedback *out)
{
	struct json_object *o, *faults = jsn_array(r->mem), *run, *score, *comment;
	const char *type, *msg;
	double number = 0;

	if (!body_object(r, w, false, &o))
		return false;
	run = jsn_get(o, "run_id");
	score = jsn_get(o, "score");
	comment = jsn_get(o, "comment");
	if (!jsn_has(o, "run_id"))
		reply_fault_add(r->mem, faults, "body", "run_id", "missing", "Field required", o);
	else if (!jsn_is(run, json_type_string))
		reply_fault_add(r->mem, faults, "body", "run_id", "string_type",
		    "Input should be a valid string", run);
	if (!jsn_has(o, "score"))
		reply_fault_add(r->mem, faults, "body", "score", "missing", "Field required", o);
	else if (!read_score(score, &number, &type, &msg))
		reply_fault_add(r->mem, faults, "body", "score", type, msg, score);
	if (comment != NULL && !jsn_is(comment, json_type_string))
		reply_fault_add(r->mem, faults, "body", "comment", "string_type",
		    "Input should be a valid string", comment);
	if (jsn_len(faults) > 0) {
		reply_faults(r, w, faults);
		return false;
	}
	*out = (struct feedback){ json_object_get_string(run),
		comment != NULL ? comment_of(r->mem, comment) : NULL, (int)number };
	return true;
}

/* ---- the run ----------------------------------------------------------------------------- */

/* The entry of the run in the conversation log goes to *entry; NULL: it has none. ERR_NOTFOUND: there is no such run
 * for this caller. */
static enum errcode find_run(const struct edge *e, struct http_req *r, const struct thread_owner *owner,
    const char *run_id, struct json_object **entry, struct err *err)
{
	const struct convlog *log = e->parts.log;
	struct run_record rec;
	enum errcode rc = store_run_find(e->parts.store, r->mem, run_id, owner, &rec, err);

	*entry = NULL;
	if (rc == OK) {
		if (log != NULL)
			*entry = convlog_find(log, r->mem, run_id, rec.started_us, 1, KNOWN_BYTES);
		return OK;
	}
	if (rc != ERR_NOTFOUND)
		return rc;
	/* another user's, or forgotten? */
	if (store_run_find(e->parts.store, r->mem, run_id, NULL, &rec, NULL) != OK && log != NULL)
		*entry = convlog_find(log, r->mem, run_id, clock_wall_us(), DAYS, UNKNOWN_BYTES);
	return *entry != NULL ? OK : ERR_NOTFOUND;
}

/* ---- the record ---------------------------------------------------------------------------- */

static struct json_object *record_of(struct arena *a, const struct feedback *f, int64_t now_us,
    struct json_object *entry)
{
	struct json_object *o = jsn_object(a), *calls = jsn_get(entry, "tool_calls");
	char at[CLOCK_ISO_SIZE];

	clock_iso_local(at, now_us);
	jsn_add_str(o, "run_id", f->run_id);
	jsn_add_str(o, "timestamp", at);
	jsn_add_str(o, "feedback", f->score == 1 ? "up" : "down");
	jsn_add_int(o, "score", f->score);
	jsn_add_str(o, "comment", f->comment);
	jsn_add_str(o, "question", jsn_get_str(entry, "question", NULL));
	jsn_add_str(o, "answer", jsn_get_str(entry, "answer", NULL));
	jsn_add(o, "tool_calls", jsn_ref(calls != NULL ? calls : jsn_array(a)));
	if (entry != NULL) {
		jsn_add(o, "session_id", jsn_ref(jsn_get(entry, "session_id")));
		jsn_add(o, "conversation_timestamp", jsn_ref(jsn_get(entry, "timestamp")));
	}
	return o;
}

void api_feedback(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	const struct thread_owner owner = { .user = r->field[FIELD_USER], .agent = rt->agent };
	struct json_object *o = jsn_object(r->mem), *entry = NULL;
	char id[ID_SIZE];
	struct err err = { 0 };
	struct feedback f;
	int64_t left_ms = 0;
	bool kept = false;

	if (!read_body(r, w, &f))
		return;
	if (!id_valid(f.run_id, RUN_ID_MAX)) {
		reply_not_found(r, w);
		return;
	}
	enum errcode rc = find_run(e, r, &owner, f.run_id, &entry, &err);
	if (rc == ERR_NOTFOUND) {
		reply_not_found(r, w);
		return;
	}
	if (rc == OK)
		rc = store_count(e->parts.store, arena_printf(r->mem, "feedback.%s", f.run_id), 1, SCORES_MAX, HOUR_MS,
		    &left_ms, &err);
	if (rc != OK) {
		reply_refusal(r, w, &err, left_ms, NULL);
		return;
	}
	const int64_t now_us = clock_wall_us();
	if (e->feedback.dir != NULL && convlog_put(&e->feedback, now_us, record_of(r->mem, &f, now_us, entry), r->mem,
	    &kept, &err) != OK)
		log_msg(LOG_ERROR, "feedback", "dir=%s why=\"%s\"", e->feedback.dir, err.msg);
	id_run(id);
	jsn_add_str(o, "status", kept ? "ok" : "skipped");
	jsn_add_str(o, "feedback_id", kept ? id : NULL);
	http_json(w, 200, o);
}
