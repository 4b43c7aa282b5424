/*
 * A turn is stored in one commit at its end. An agent that acts in between, such as a loop of a model and
 * tools, also commits after each step (run_checkpoint()), so that a worker that is killed loses no step
 * that was told to the reader. Each commit expects the version that the one before it has made.
 */
#include "runtime/run_store.h"

#include "base/jsn.h"
#include "base/log.h"
#include "base/str.h"

struct thread_owner run_thread_owner(const struct run *run)
{
	return (struct thread_owner){ .user = run->owner, .agent = run->agent->name };
}

/* -- the lease -- */

/* A lease that has ended is taken again, unless another run has the thread now, or somebody has ended this
 * run. If another run had it in between, the loaded version keeps the commit from overwriting that run's
 * work. */
static enum errcode lease_again(struct run *run, struct err *e)
{
	const struct thread_owner owner = run_thread_owner(run);
	const struct run_start start = run_start_of(run);
	struct lease again;
	enum errcode rc = store_begin(run->store, run->thread_id, &start, &owner, run->lease.ttl_ms, NULL,
	    &again, e);
	if (rc == OK) {
		again.cancelled = run->lease.cancelled;
		run->lease = again;
	}
	return rc;
}

void run_renew_when_due(struct run *run, int64_t now)
{
	struct err e;
	if (run->lease.ttl_ms == 0 || now - run->last_renew_ms < run->lease.ttl_ms / 3)
		return;
	run->last_renew_ms = now;
	(void)run_flush(run);
	enum errcode rc = store_renew(run->store, &run->lease, &e);
	if (rc == ERR_BUSY)
		rc = lease_again(run, &e);
	/* if the store is away for a moment, the turn goes on, and its commit finds out */
	if (rc != OK)
		log_msg(LOG_WARN, rc == ERR_BUSY || rc == ERR_LOST ? "lease_lost" : "lease_not_renewed",
		    "thread=%s why=\"%s\"", log_id(run->thread_id), e.msg);
}

enum errcode run_hold(struct run *run, struct err *e)
{
	if (run->lost != NULL && atomic_load(run->lost))
		return err_set(e, ERR_LOST, "the run gave no sign of life for so long that it was ended");
	enum errcode rc = store_renew(run->store, &run->lease, e);
	run->last_renew_ms = clock_mono_ms();
	return rc == ERR_BUSY ? err_set(e, ERR_LOST, "the run has lost its thread") : rc;
}

/* -- the conversation -- */

struct message *run_message(struct run *run, const char *role, const char *content)
{
	if (run->nmessages == run->room) {
		const size_t room = 2 * run->room + 8;
		struct message *more = arena_array(run->mem, room, sizeof(*more));
		for (size_t i = 0; i < run->nmessages; i++)
			more[i] = run->messages[i];
		run->messages = more;
		run->room = room;
	}
	struct message *m = &run->messages[run->nmessages++];
	*m = message_new(run->mem, role, content);
	/* what was said until now is in this message; what follows belongs to the next one */
	if (streq(role, "assistant") && run->said != NULL)
		buf_clear(run->said);
	return m;
}

/* -- commits -- */

/* A lease that is gone is taken again if no other run has the thread. The version keeps the commit
 * from overwriting what another run may have stored meanwhile. */
static enum errcode commit_leased(struct run *run, const struct commit *c, struct err *e)
{
	const struct thread_owner owner = run_thread_owner(run);
	enum errcode rc = store_commit(run->store, &run->lease, &owner, c, e);
	if (rc == ERR_BUSY && (rc = lease_again(run, e)) == OK)
		rc = store_commit(run->store, &run->lease, &owner, c, e);
	return rc;
}

/* When the store was away or did not answer, the commit is repeated once after a moment. Repeating
 * is safe: a commit that is stored already succeeds. If the repeat fails too, nobody knows whether
 * the first one was stored. */
static enum errcode commit_surely(struct run *run, const struct commit *c, struct err *e)
{
	enum { PAUSE_MS = 250 };
	enum errcode first = commit_leased(run, c, e);
	if (first != ERR_STORE && first != ERR_OVERLOAD && first != ERR_UNSURE)
		return first;
	run_wait(run, PAUSE_MS);
	enum errcode rc = commit_leased(run, c, e);
	if (rc != OK && first == ERR_UNSURE)
		rc = e->code = ERR_UNSURE;
	else if (rc == ERR_OVERLOAD)
		rc = e->code = ERR_STORE;       /* the work is done; only saving it failed */
	return rc;
}

/* The messages that the store does not have yet, and the channel state. */
static enum errcode commit(struct run *run, struct commit *c, struct err *e)
{
	if (run->lost != NULL && atomic_load(run->lost))
		return err_set(e, ERR_LOST, "the run gave no sign of life for so long that it was ended");
	/* after a commit without a reply, nobody knows which version the next one must expect */
	if (run->may_be_saved)
		return err_set(e, ERR_UNSURE, "an earlier step of the turn may have been saved or not");
	c->version = run->thread.version;
	c->persona = run->persona_id;
	c->nappend = run->nmessages - run->nstored;
	/* of a long history in the request, only the messages that later turns look at are stored */
	if (run->limits.history_messages > 0 && c->nappend > run->limits.history_messages)
		c->skipped = c->nappend - run->limits.history_messages;
	c->append = run->messages + run->nstored + c->skipped;
	c->nappend -= c->skipped;
	if (run->agent->graph->save != NULL) {
		struct json_object *state = jsn_own(run->mem, run->agent->graph->save(run));
		c->state = state == NULL ? NULL : jsn_text(run->mem, state, JSN_PLAIN);
	}
	run_renew_when_due(run, clock_mono_ms());
	enum errcode rc = commit_surely(run, c, e);
	run->may_be_saved = rc == ERR_UNSURE;
	if (rc == OK) {
		run->thread.version++;
		run->nstored = run->nmessages;
	}
	return rc;
}

enum errcode run_checkpoint(struct run *run, struct err *e)
{
	struct commit c = { .last = false };
	(void)run_flush(run);              /* the store may take a moment */
	return commit(run, &c, e);
}

enum errcode run_commit(struct run *run, struct err *e)
{
	const struct session_turn session = { .id = run->session_id, .user = run->owner,
	    .input = run->tokens.input, .output = run->tokens.output };
	const struct run_end end = run_end_of(run);
	struct commit c = { .session = *run->session_id != '\0' ? &session : NULL, .last = true, .end = run->logged ? NULL : &end };
	if (run->answer != NULL && *run->answer != '\0')
		run->answer_id = run_message(run, "assistant", run->answer)->id;
	return commit(run, &c, e);
}
