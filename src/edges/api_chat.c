/*
 * A chat request, from its body to its last byte.
 *
 * Every reason to refuse a turn shows before the response begins, so a refusal is a status and not
 * an event. From run_begin() on a turn always ends in run_turn(), which releases the thread even if
 * the reader has left.
 */
#include "edges/api.h"

#include "base/log.h"
#include "edges/chat_again.h"
#include "edges/chat_request.h"
#include "edges/chat_session.h"
#include "edges/reply.h"
#include "edges/sink_json.h"
#include "edges/sink_sse.h"
#include "runtime/run.h"

/* Why a thread that has a run was not waited for, or not longer. */
static const char *busy_said(struct arena *a, const struct run *run, bool enqueue)
{
	const struct lease_wait *busy = &run->busy;
	const char *said = err_row(ERR_BUSY)->said;

	if (run->status == RUN_CANCELLED)
		return "This message was cancelled while it waited to be answered.";
	if (enqueue && busy->place >= 0)
		said = arena_printf(a, "This message waited %lld s and was not answered, because the conversation was "
		    "busy. Please send it again later.", (long long)run->limits.queue_ms / 1000);
	else if (enqueue)
		said = arena_printf(a, "%d messages of this conversation wait for an answer already, and no more may "
		    "wait. Please send this message again later.", run->limits.queue_max);
	if (busy->holder[0] == '\0')
		return said;
	if (busy->held_ms < 0)
		return arena_printf(a, "%s (Run %s will be answered next.)", said, busy->holder);
	return arena_printf(a, "%s (Run %s began %lld s ago.)", said, busy->holder,
	    (long long)busy->held_ms / 1000);
}

/* The refusal of a busy thread names the run that has it. */
static void refuse(struct http_req *r, struct http_res *w, const struct err *err,
    const struct run *run, bool enqueue)
{
	const char *said = NULL;

	if (err->code == ERR_BUSY) {
		said = busy_said(r->mem, run, enqueue);
		if (run->busy.holder[0] != '\0')
			http_field(w, "X-Run-ID", run->busy.holder);
	}
	reply_refusal(r, w, err, run->busy.retry_ms, said);
}

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
		    "Value error, \"last\" means the conversation that a session used last, so the request must "
		    "also have the session_id of an earlier answer", chat->thread_id);
	else if (rc != OK)
		reply_refusal(r, w, &err, 0, NULL);
	return rc == OK;
}

/* Does the turn go on when its client leaves? A client that sends a key can send its request again and
 * get the answer, so by default its turn goes on. */
static bool goes_on(const struct edge *e, const struct chat_request *chat, const struct idempotency *key)
{
	const char *how = chat->on_disconnect != NULL ? chat->on_disconnect :
	    key->name != NULL ? "continue" : e->parts.conf->on_disconnect;

	return streq(how, "continue");
}

/* A run of the route's agent that has its thread. NULL: the turn was refused, and the refusal was
 * sent. */
static struct run *begin(const struct edge *e, const struct route *rt, struct http_req *r,
    struct http_res *w, struct chat_request *chat, struct idempotency *key)
{
	const char *session_id = session_of(r, chat);
	if (!fill_in(e, r, w, chat, session_id)) {
		idempotency_free(key);
		return NULL;
	}
	const struct turn_request turn = {
		.thread_id = chat->thread_id,
		.session_id = session_id,
		.persona_id = chat->persona_id,
		.owner = r->field[FIELD_USER],
		.messages = chat->messages,
		.nmessages = chat->nmessages,
		.logged = e->parts.writer != NULL && (e->parts.conf->run_log || sse_wants_ids(r) ||
		    goes_on(e, chat, key) || key->name != NULL),
		.enqueue = streq(chat->multitask_strategy != NULL ? chat->multitask_strategy
		    : e->parts.conf->multitask_strategy, "enqueue"),
		.reader_fd = r->io->ops->fd(r->io),
		.waiting = idempotency_keep,
		.waiting_arg = key,
	};
	struct run *run = edge_run_new(&e->parts,
	    agent_find(e->parts.agents, e->parts.nagents, rt->agent));
	struct err err = { 0 };
	int64_t retry_ms = 0;

	if (run_begin(run, &turn, &retry_ms, &err) != OK) {
		edge_run_refused(&e->parts, run);
		refuse(r, w, &err, run, turn.enqueue);
		idempotency_free(key);
		run_free(run);
		return NULL;
	}
	if (idempotency_settle(key, run->run_id, &err) != OK) {
		/* the same request may have begun another run */
		reply_refusal(r, w, &err, 0, NULL);
		run_abandon(run, &err);
		edge_run_refused(&e->parts, run);
		run_free(run);
		return NULL;
	}
	run->log.goes_on = goes_on(e, chat, key);
	http_field(w, "X-Session-ID", run->session_id);
	http_field(w, "X-Run-ID", run->run_id);
	return run;
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
	    chat_again(e, rt, r, w, session_of(r, &chat), stream, &key))
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
