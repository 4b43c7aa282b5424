/*
 * Every reason to refuse a turn shows before the response begins, so a refusal is a status and not an event.
 */
#include "edges/chat_turn.h"

#include "edges/reply.h"
#include "edges/sink_sse.h"

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

/* Does the turn go on when its client leaves? A client that sends a key can send its request again and
 * get the answer, so by default its turn goes on. */
static bool goes_on(const struct edge *e, const struct chat_request *chat, const struct idempotency *key)
{
	const char *how = chat->on_disconnect != NULL ? chat->on_disconnect :
	    key->name != NULL ? "continue" : e->parts.conf->on_disconnect;

	return streq(how, "continue");
}

static bool is_logged(const struct edge *e, const struct http_req *r, const struct chat_turn *t)
{
	return e->parts.writer != NULL && (t->logged || e->parts.conf->run_log || sse_wants_ids(r) ||
	    goes_on(e, t->chat, t->key) || t->key->name != NULL);
}

void chat_turn_drop(const struct edge *e, struct http_req *r, struct http_res *w, struct run *run,
    const struct err *why)
{
	reply_refusal(r, w, why, 0, NULL);
	run_abandon(run, why);
	edge_run_refused(&e->parts, run);
	run_free(run);
}

struct run *chat_turn_begin(const struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w,
    const struct chat_turn *t)
{
	const struct chat_request *chat = t->chat;
	const struct turn_request turn = {
		.thread_id = chat->thread_id,
		.session_id = t->session_id,
		.no_session = t->no_session,
		.persona_id = chat->persona_id,
		.owner = r->field[FIELD_USER],
		.languages = r->field[FIELD_ACCEPT_LANGUAGE],
		.messages = chat->messages,
		.nmessages = chat->nmessages,
		.logged = is_logged(e, r, t),
		.enqueue = streq(chat->multitask_strategy != NULL ? chat->multitask_strategy
		    : e->parts.conf->multitask_strategy, "enqueue"),
		.reader_fd = r->io->ops->fd(r->io),
		.waiting = idempotency_keep,
		.waiting_arg = t->key,
	};
	struct run *run = edge_run_new(&e->parts,
	    agent_find(e->parts.agents, e->parts.nagents, rt->agent));
	struct err err = { 0 };
	int64_t retry_ms = 0;

	if (run_begin(run, &turn, &retry_ms, &err) != OK) {
		edge_run_refused(&e->parts, run);
		refuse(r, w, &err, run, turn.enqueue);
		idempotency_free(t->key);
		run_free(run);
		return NULL;
	}
	if (idempotency_settle(t->key, run->run_id, &err) != OK) {
		/* the same request may have begun another run */
		chat_turn_drop(e, r, w, run, &err);
		return NULL;
	}
	run->log.goes_on = goes_on(e, chat, t->key);
	http_field(w, "X-Run-ID", run->run_id);
	return run;
}
