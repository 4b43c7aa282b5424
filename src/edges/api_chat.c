/*
 * A chat request, from its body to its last byte.
 *
 * Every reason to refuse a turn shows before the response begins, so a refusal is a status and not
 * an event. From run_begin() on a turn always ends in run_turn(), which releases the thread even if
 * the reader has left.
 */
#include "edges/api.h"

#include "edges/chat_again.h"
#include "edges/chat_request.h"
#include "edges/chat_session.h"
#include "edges/chat_turn.h"
#include "edges/reply.h"
#include "edges/run_replay.h"
#include "edges/sink_json.h"
#include "edges/sink_sse.h"
#include "runtime/run.h"

/* Parse the body into `mem`. False: it is not valid, and the refusal was sent. */
static bool parse(const struct edge *e, struct http_req *r, struct http_res *w, struct arena *mem,
    struct chat_request *chat)
{
	const struct chat_limits limits = {
		.messages = (size_t)e->parts.conf->max_messages,
		.message_bytes = (size_t)e->parts.conf->max_message_bytes,
		.personas = e->parts.personas,
	};
	struct json_object *detail;

	if (chat_request_parse(mem, r->body, &limits, chat, &detail) == OK)
		return true;
	struct json_object *o = jsn_object(mem);
	jsn_add(o, "detail", jsn_ref(detail));
	http_json(w, err_row(ERR_INPUT)->http, o);
	return false;
}

/* From the body, else the header, else the query: the first value that has the form of an id. */
static const char *session_of(const struct http_req *r, const struct chat_request *chat)
{
	if (chat->session_id != NULL)
		return chat->session_id;
	if (chat_id_valid(r->field[FIELD_SESSION_ID]))
		return r->field[FIELD_SESSION_ID];
	const char *query = http_query(r, "session_id");
	return chat_id_valid(query) ? query : NULL;
}

/* Fill in the thread and the persona from the session, where the request asks for that. False: this
 * failed, and the refusal was sent. */
static bool fill_in(const struct edge *e, struct http_req *r, struct http_res *w,
    struct chat_request *chat, const char *session_id)
{
	struct err err = { 0 };
	const enum errcode rc = chat_session_fill(e->parts.store, r->mem, chat, session_id,
	    r->field[FIELD_USER], e->parts.personas, &err);

	if (rc == ERR_INPUT)
		reply_fault(r, w, "body", "thread_id", "value_error",
		    session_id == NULL ?
		    "Value error, \"last\" means the conversation that a session used last, so the request must "
		    "also have the session_id of an earlier answer" :
		    "Value error, \"last\" means the conversation that a session used last, but nothing is kept for a "
		    "session whose id can be guessed; use a session_id that this service has made, or a UUID",
		    chat->thread_id);
	else if (rc != OK)
		reply_refusal(r, w, &err, 0, NULL);
	return rc == OK;
}

/* A run that has its thread. NULL: the turn was refused, and the refusal was sent. */
static struct run *begin(const struct edge *e, const struct route *rt, struct http_req *r,
    struct http_res *w, struct chat_request *chat, struct idempotency *key)
{
	const char *session_id = session_of(r, chat);
	if (!fill_in(e, r, w, chat, session_id)) {
		idempotency_free(key);
		return NULL;
	}
	const struct chat_turn turn = { .chat = chat, .session_id = session_id, .key = key };
	struct run *run = chat_turn_begin(e, rt, r, w, &turn);
	if (run != NULL)
		http_field(w, "X-Session-ID", run->session_id);
	return run;
}

/* Answer with the events of the run that the same request has begun before. */
static void answer_again(const struct edge *e, struct http_req *r, struct http_res *w,
    const struct run_record *record, bool stream, void *arg)
{
	struct arena *mem = arena_new();
	struct sink_sse sse;
	struct sink_json json;
	struct err err = { 0 };

	(void)arg;
	sink_json_init(&json, mem, w);
	sink_sse_init(&sse, w, sse_wants_ids(r));
	if (record->session_id[0] != '\0')
		http_field(w, "X-Session-ID", record->session_id);
	enum errcode rc = stream ? sink_sse_open(&sse) : OK;
	if (rc == OK)
		rc = run_replay(&e->parts, mem, record->run_id, 0, stream ? &sse.sink : &json.sink, &err);
	run_replay_told(&e->parts, w, record->run_id, stream, rc, &err);
	if (stream)
		http_end(w);
	else if (rc == OK)
		http_json(w, 200, sink_json_response(&json));
	else
		reply_refusal(r, w, &err, 0, NULL);
	sink_sse_release(&sse);
	sink_json_release(&json);
	arena_free(mem);
}

/* Make a run of the body. The run has copies of all it needs, so body and tree are freed before the
 * turn: it may last for minutes, and a client may send its whole conversation each time. */
static struct run *take(const struct edge *e, const struct route *rt, struct http_req *r,
    struct http_res *w, bool stream)
{
	struct arena *mem = arena_new();
	struct chat_request chat;
	struct idempotency key;
	struct run *run = NULL;

	if (parse(e, r, w, mem, &chat) && !http_gone(w) &&
	    chat_again(e, rt, r, w, session_of(r, &chat), stream, answer_again, NULL, &key))
		run = begin(e, rt, r, w, &chat, &key);
	arena_free(mem);
	http_req_drop_body(r);
	return run;
}

void api_chat_stream(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct sink_sse sse;
	struct run *run = take(e, rt, r, w, true);

	if (run == NULL)
		return;
	sink_sse_init(&sse, w, sse_wants_ids(r));
	/* If the reader has gone by now, the first event will show it. */
	(void)sink_sse_open(&sse);
	(void)edge_run_turn(&e->parts, run, &sse.sink);
	http_end(w);
	sink_sse_release(&sse);
	run_free(run);
}

void api_chat(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct sink_json json;
	struct run *run = take(e, rt, r, w, false);

	if (run == NULL)
		return;
	sink_json_init(&json, run->mem, w);
	if (edge_run_turn(&e->parts, run, &json.sink) == OK)
		http_json(w, 200, sink_json_response(&json));
	sink_json_release(&json);
	run_free(run);
}
