/*
 * The life of a turn. Every reason to refuse it shows in run_begin(), before a byte is sent; later
 * failures are events. Waiting and emitting renew the lease, so a run that makes no progress loses
 * its thread and cannot overwrite the work of another run.
 */
#include "runtime/run.h"

#include <string.h>

#include "base/buf.h"
#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"
#include "runtime/history.h"
#include "runtime/run_queue.h"
#include "runtime/run_store.h"

/* -- the memory of a run -- */

struct run *run_new(const struct run_setup *setup)
{
	struct arena *mem = arena_new();
	struct run *run = arena_alloc(mem, sizeof(*run));
	*run = (struct run){
		.mem = mem,
		.agent = setup->agent->agent,
		.app = setup->agent->app,
		.store = setup->store,
		.limits = setup->limits,
		.stop = setup->stop,
		.worker = setup->worker,
		.desk = setup->desk,
	};
	return run;
}

void run_free(struct run *run)
{
	if (run->slot.run_id[0] != '\0')
		run_desk_leave(run->desk, &run->slot);
	runlog_release(&run->log);
	arena_free(run->mem);
}

/* -- begin -- */

/* run->messages = stored ++ new, with one place left for the answer. */
static void join_history(struct run *run, const struct turn_request *req, bool known)
{
	const struct thread *t = &run->thread;
	size_t nsent = req->nmessages;
	size_t from = history_new(t->messages, known ? t->nloaded : 0, (size_t)t->nolder, req->messages,
	    &nsent);
	run->room = t->nloaded + nsent - from + 1;
	run->messages = arena_array(run->mem, run->room, sizeof(struct message));
	for (size_t i = 0; i < t->nloaded; i++)
		run->messages[run->nmessages++] = t->messages[i];
	run->nstored = run->nmessages;
	for (size_t i = from; i < nsent; i++)
		run->messages[run->nmessages++] = message_new(run->mem,
		    arena_strdup(run->mem, req->messages[i].role),
		    arena_strdup(run->mem, req->messages[i].content));
}

struct run_start run_start_of(const struct run *run)
{
	return (struct run_start){ .run_id = run->run_id, .session_id = run->session_id,
		.worker = run->worker, .started_us = run->started_wall_us, .logged = run->logged };
}

struct run_end run_end_of(const struct run *run)
{
	return (struct run_end){
		.status = run->status,
		.ended_us = run->ended_wall_us != 0 ? run->ended_wall_us : clock_wall_us(),
		.tokens_in = run->tokens.input,
		.tokens_out = run->tokens.output,
		.estimated = run->tokens.estimated,
		.error = run->error.code != OK ? err_row(run->error.code)->name : NULL,
	};
}

/* Settle the record of a run that ends without a commit. A run that is logged is settled with its last events. */
static void settle(struct run *run)
{
	if (run->logged) {
		run->log_is_open = true;
		return;
	}
	const struct run_end end = run_end_of(run);
	const struct run_group none = { .first = 1 };
	struct err e;
	if (store_run_append(run->store, run->run_id, &none, run->limits.lease_ms, &end, &e) != OK)
		log_msg(LOG_WARN, "run_not_settled", "why=\"%s\"", e.msg);
}

void run_abandon(struct run *run, const struct err *why)
{
	struct err ignored;
	(void)store_release(run->store, &run->lease, &ignored);
	run->error = *why;
	run->status = RUN_FAILED;
	settle(run);
	log_run(NULL);
}

enum errcode run_begin(struct run *run, const struct turn_request *req, int64_t *retry_ms,
    struct err *e)
{
	char id[ID_SIZE];
	bool known = req->thread_id != NULL && *req->thread_id != '\0';
	id_thread(id);
	run->thread_id = arena_strdup(run->mem, known ? req->thread_id : id);
	store_run_id(run->thread_id, run->run_id);
	log_run(run->run_id);
	if (run->desk != NULL)
		run_desk_enter(run->desk, &run->slot, run->run_id);
	run->logged = req->logged;
	id_session(id);
	run->session_id = req->no_session ? "" :
	    arena_strdup(run->mem, req->session_id != NULL ? req->session_id : id);
	run->persona_id = arena_strdup(run->mem, req->persona_id);
	run->owner = arena_strdup(run->mem, req->owner);
	run->languages = arena_strdup(run->mem, req->languages);
	run->started_wall_us = clock_wall_us();
	run->started_ms = run->last_sign_ms = run->last_renew_ms = clock_mono_ms();

	const struct thread_owner owner = run_thread_owner(run);
	enum errcode rc = run_queue_take(run, req, e);
	*retry_ms = run->busy.retry_ms;
	if (rc != OK) {
		if (run_status_ended(run->status))
			settle(run);    /* it waited, so it has a record */
		goto out;
	}
	/* a new thread holds no messages yet */
	if (known)
		rc = store_load(run->store, run->mem, run->thread_id, &owner,
		    run->limits.history_messages, &run->thread, e);
	if (rc != OK) {
		run_abandon(run, e);
		goto out;
	}
	join_history(run, req, known);
out:
	if (rc != OK)
		log_run(NULL);
	return rc;
}

/* -- signs of life -- */

enum errcode run_flush(struct run *run)
{
	if (run->held_ms == 0)
		return OK;
	run->held_ms = 0;
	return runlog_flush(&run->log);
}

bool run_is_cancelled(struct run *run)
{
	if (!run->lease.cancelled && !atomic_load(&run->slot.cancelled) &&
	    (run->lost == NULL || !atomic_load(run->lost)))
		return false;
	atomic_store(&run->slot.heard, true);
	return !run->ending;
}

enum errcode run_check(struct run *run)
{
	int64_t now = clock_mono_ms();
	if (run_is_cancelled(run))
		return ERR_HUP;
	if (run->stop != NULL && atomic_load(run->stop))
		return ERR_OVERLOAD;
	if (run->limits.deadline_ms > 0 && now - run->started_ms > run->limits.deadline_ms)
		return ERR_TIMEOUT;
	run_renew_when_due(run, now);
	return OK;
}

enum errcode run_emit(struct run *run, const struct event *ev)
{
	enum { HOLD_MS = 10 };
	if (run_is_cancelled(run))
		return ERR_HUP;
	enum errcode rc = runlog_append(&run->log, ev);
	run->last_sign_ms = clock_mono_ms();
	if (run->held_ms == 0)
		run->held_ms = run->last_sign_ms;
	else if (rc == OK && run->last_sign_ms - run->held_ms >= HOLD_MS)
		rc = run_flush(run);
	run_renew_when_due(run, run->last_sign_ms);
	return rc;
}

static void release_said(void *p)
{
	buf_release(p);
}

/* Only text that reached the reader is part of the answer. */
static void keep_said(struct run *run, const char *text)
{
	enum { SAID_MAX = 2 << 20 };     /* writers have lower limits of their own */
	if (run->said == NULL) {
		run->said = arena_alloc(run->mem, sizeof(*run->said));
		buf_init(run->said, SAID_MAX);
		arena_defer(run->mem, release_said, run->said);
	}
	buf_puts(run->said, text);
}

enum errcode run_text(struct run *run, const char *text)
{
	struct event ev = { .kind = EV_TEXT, .text = text };
	if (*text == '\0')
		return OK;
	enum errcode rc = run_emit(run, &ev);
	if (rc == OK)
		keep_said(run, text);
	return rc;
}

const char *run_said(const struct run *run)
{
	if (run->said == NULL)
		return "";
	struct str s = str_trim((struct str){ run->said->p, run->said->n });
	return arena_strndup(run->mem, s.p, s.n);
}

/* What must be done while a node waits. */
static enum errcode look_after(void *arg, int64_t *ms)
{
	enum { SLICE_MS = 500 };   /* the longest time until a stop of the process is noticed */
	struct run *run = arg;
	enum errcode rc = run_check(run);
	*ms = SLICE_MS;
	runlog_look(&run->log);
	if (rc == OK)
		rc = run_flush(run);
	if (rc != OK || run->limits.heartbeat_ms <= 0)
		return rc;
	int64_t now = clock_mono_ms(), beat = run->last_sign_ms + run->limits.heartbeat_ms - now;
	if (beat <= 0) {
		run->last_sign_ms = now;
		rc = runlog_tick(&run->log);
		beat = run->limits.heartbeat_ms;
	}
	if (beat < SLICE_MS)
		*ms = beat;
	return rc;
}

struct watch run_watch(struct run *run)
{
	return (struct watch){ .fd = runlog_fd(&run->log), .check = look_after, .arg = run };
}

enum errcode run_wait(struct run *run, int64_t ms)
{
	const struct watch w = run_watch(run);
	return watch_sleep(&w, ms);
}

void run_tokens(struct run *run, int64_t input, int64_t output, bool estimated)
{
	run->tokens.input += input;
	run->tokens.output += output;
	run->tokens.estimated |= estimated;
}

/* -- the turn -- */

/* Sent as text too, because not every client shows `error`. */
static enum errcode emit_error(struct run *run, const struct err *e)
{
	enum errcode rc = run_text(run, arena_printf(run->mem, "%s%s", run->said == NULL ? "" : "\n\n",
	    err_row(e->code)->said));
	if (rc != OK)
		return rc;
	struct event ev = { .kind = EV_ERROR, .name = err_row(e->code)->name,
		.text = err_row(e->code)->said };
	return run_emit(run, &ev);
}

static enum errcode load_state(struct run *run, struct err *e)
{
	struct json_object *o;
	if (run->agent->graph->load == NULL || run->thread.state == NULL)
		return OK;
	enum errcode rc = jsn_parse(run->mem, run->thread.state, strlen(run->thread.state),
	    JSN_DEPTH, &o, NULL, e);
	if (rc != OK)
		return err_set(e, ERR_STORE, "state of the thread is damaged: %s", e->msg);
	return run->agent->graph->load(run, o, e);
}

static enum errcode emit_done(struct run *run)
{
	struct json_object *d = jsn_object(run->mem), *t = jsn_new(),
		*meta = jsn_new();
	jsn_add_str(d, "session_id", run->session_id);
	jsn_add_str(d, "thread_id", run->thread_id);
	jsn_add_str(d, "run_id", run->run_id);
	if (run->saved && run->answer_id != NULL)
		jsn_add_str(d, "message_id", run->answer_id);
	if (run->status == RUN_CANCELLED)
		jsn_add_str(d, "status", run_status_name(run->status));
	jsn_add_int(t, "input", run->tokens.input);
	jsn_add_int(t, "output", run->tokens.output);
	jsn_add_int(t, "total", run->tokens.input + run->tokens.output);
	if (run->tokens.estimated)
		jsn_add_bool(t, "estimated", true);
	jsn_add(d, "tokens", t);
	if (run->persona_id != NULL)
		jsn_add_str(meta, "persona_id", run->persona_id);
	if (run->agent->graph->metadata != NULL)
		run->agent->graph->metadata(run, meta);
	if (!run->saved)
		jsn_add_bool(meta, "saved", false);
	if (run->may_be_saved)
		jsn_add_bool(meta, "may_be_saved", true);
	jsn_add(d, "metadata", meta);
	struct event ev = { .kind = EV_DONE, .data = d };
	return run_emit(run, &ev);
}

void run_refused(struct run *run)
{
	run->ending = true;
	run->ended_wall_us = clock_wall_us();
	run->lease.ttl_ms = 0;          /* there is nothing to renew */
	run->state = arena_alloc(run->mem, run->agent->graph->state_size);
	if (run->error.code != OK)
		(void)emit_error(run, &run->error);
	(void)emit_done(run);
}

/* An agent may have a node that answers after a failure, in its own words. For the others, this does it. */
static enum errcode tell_failure(struct run *run)
{
	if (run->error.code == OK || run->answer != NULL)
		return OK;
	enum errcode rc = emit_error(run, &run->error);
	run->answer = run_said(run);
	return rc;
}

enum errcode run_turn(struct run *run)
{
	struct err e = { 0 };
	run->status = RUN_RUNNING;
	run->state = arena_alloc(run->mem, run->agent->graph->state_size);
	if (load_state(run, &e) != OK) {
		const bool needed = run->agent->needs_state;
		log_msg(needed ? LOG_ERROR : LOG_WARN, needed ? "state_unreadable" : "state_ignored",
		    "why=\"%s\"", e.msg);
		if (needed)
			run->error = e;
		/* the messages are whole; a turn without the old state is better than no turn */
		run->state = arena_alloc(run->mem, run->agent->graph->state_size);
	}
	enum errcode rc = run->error.code == OK ? graph_run(run) : OK;
	if (rc == OK)
		rc = tell_failure(run);
	const bool cancelled = rc == ERR_HUP && run_is_cancelled(run) && !run->log.first.left;
	run->ending = true;
	atomic_store(&run->slot.heard, true);   /* it is too late to wake it */
	if (run->answer == NULL && rc == ERR_HUP && *run_said(run) != '\0')
		/* the next question may refer to the text that the reader has seen */
		run->answer = arena_printf(run->mem, "%s " HISTORY_CUT, run_said(run));
	(void)run_flush(run);              /* the store may take a moment */
	run->status = rc == ERR_HUP ? RUN_CANCELLED : run->error.code != OK ? RUN_FAILED : RUN_DONE;
	if (cancelled)
		rc = OK;                /* the reader is still there, and is told */
	enum errcode stored = run_commit(run, &e);
	run->saved = stored == OK;
	run->may_be_saved = stored == ERR_UNSURE;
	if (!run->saved) {
		log_msg(LOG_ERROR, run->may_be_saved ? "perhaps_not_saved" : "not_saved",
		    "thread=%s why=\"%s\"", log_id(run->thread_id), e.msg);
		if (run->error.code == OK)
			run->error = e;
		if (rc == OK)
			rc = emit_error(run, &e);
	}
	/* the commit ends the lease. It must end before `done`, because a client may send its next
	 * message as soon as it reads that */
	if (!run->saved && store_release(run->store, &run->lease, &e) != OK)
		log_msg(LOG_WARN, "lease_not_released", "thread=%s ends_in_ms=%lld why=\"%s\"",
		    log_id(run->thread_id), (long long)run->lease.ttl_ms, e.msg);
	run->lease.ttl_ms = 0;
	if (run->status == RUN_DONE && run->error.code != OK)
		run->status = RUN_FAILED;
	/* also if the first reader has left, because there may be others */
	run->log.first.left |= rc == ERR_HUP;
	const enum errcode heard = emit_done(run);
	rc = rc == OK ? heard : rc;
	if (rc == OK)
		rc = run_flush(run);
	run->ended_wall_us = clock_wall_us();
	if (!run->saved && !run->logged && stored != ERR_LOST)
		settle(run);
	log_msg(LOG_INFO, "turn", "status=%s thread=%s graph=%s steps=%d ms=%lld saved=%d error=%s%s%s",
	    run_status_name(run->status), log_id(run->thread_id), run->agent->graph->name, run->steps,
	    (long long)(clock_mono_ms() - run->started_ms), run->saved,
	    run->error.code == OK ? "none" : err_row(run->error.code)->name,
	    run->failed_node == NULL ? "" : " failed=",
	    run->failed_node == NULL ? "" : run->failed_node);
	log_run(NULL);
	return rc;
}
