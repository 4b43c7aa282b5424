/*
 * The model's node: one step of the loop. A step with calls is stored at once, so that a call is never carried
 * out that the thread does not know of. The answer, a step without calls, is stored by the run's last commit.
 */
#include "agents/onboarding/builtin/reading.h"
#include "agents/onboarding/onboarding.h"

#include "base/jsn.h"
#include "base/log.h"

/* At the beginning of a turn: its own deadline, and the user's message, which must not be lost. */
static enum errcode begin(struct run *run, struct err *e)
{
	const int64_t turn_ms = app_of(run)->limits.turn_ms;
	record_begin(run);
	state_of(run)->began = run->nmessages;
	if (run->limits.deadline_ms <= 0 || run->limits.deadline_ms > turn_ms)
		run->limits.deadline_ms = turn_ms;
	return run_checkpoint(run, e);
}

static enum errcode keep(struct run *run, const struct onboarding_step *step, struct err *e)
{
	struct onboarding_state *st = state_of(run);
	struct message *m = run_message(run, "assistant", run_said(run));
	m->calls = step->calls;
	m->ncalls = step->ncalls;
	st->calls = step->calls;
	st->ncalls = step->ncalls;
	st->done = 0;
	return run_checkpoint(run, e);
}

/* If the model gives nothing, the spare strategy leads on, also through the rest of the turn. But not after the
 * first words of an answer, because a second answer would not fit them. */
static enum errcode decide(struct run *run, struct onboarding_step *step, struct err *e)
{
	const struct onboarding_app *app = app_of(run);
	struct onboarding_state *st = state_of(run);
	enum errcode rc = st->degraded ? ERR_UPSTREAM : app->strategy->next(run, step, e);
	/* what the spare strategy asked before the model answered must not be confirmed by a later "yes" */
	if (rc == OK && app->spare != NULL)
		st->asked = ASKED_NOTHING;
	if (rc != ERR_UPSTREAM || app->spare == NULL || *run_said(run) != '\0')
		return rc;
	if (!st->degraded)
		log_msg(LOG_WARN, "onboarding_degraded", "why=\"%s\"", e->msg);
	st->degraded = true;
	return app->spare->next(run, step, e);
}

enum errcode node_ask(struct run *run, struct err *e)
{
	const struct onboarding_app *app = app_of(run);
	struct onboarding_state *st = state_of(run);
	struct onboarding_step step = { .ncalls = 0 };
	enum errcode rc = st->model_calls == 0 ? begin(run, e) : OK;
	if (rc != OK)
		return rc;
	if (st->model_calls++ >= app->limits.model_calls)
		return err_set(e, ERR_STEPS, "the model was asked %lld times in one turn (ONBOARDING_MODEL_CALLS)",
		    (long long)app->limits.model_calls);
	rc = decide(run, &step, e);
	if (rc != OK)
		return rc;
	if (step.ncalls > 0)
		return keep(run, &step, e);
	run->answer = run_said(run);
	return OK;
}
