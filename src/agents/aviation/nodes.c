/*
 * The four nodes. Each emits what it knows at the moment it knows it; the order of events
 * on the wire (contract http_api.md §8) is the order of the lines here.
 */
#include "agents/aviation/agent.h"

#include <string.h>

#include "agents/aviation/ui_payload.h"
#include "base/log.h"
#include "base/str.h"
#include "runtime/run.h"

static struct aviation_state *state_of(const struct run *run)
{
	return run->state;
}

static const struct aviation_app *app_of(const struct run *run)
{
	return run->app;
}

const char *last_question(const struct run *run)
{
	for (size_t i = run->nmessages; i > 0; i--)
		if (strcmp(run->messages[i - 1].role, "user") == 0)
			return run->messages[i - 1].content;
	return "";
}

static enum errcode think(struct run *run, const char *text)
{
	struct event ev = { .kind = EV_THINKING, .text = text };
	return run_emit(run, &ev);
}

/* -- plan -- */

static const char spare_planned[] =
    "The language model did not answer, so the built-in planner chose this look-up.";
static const char spare_wrote[] =
    "The language model did not answer, so the built-in writer wrote the answer.";

static enum errcode make_plan(struct run *run, struct plan *plan, struct err *e)
{
	const struct aviation_app *app = app_of(run);
	struct aviation_state *st = state_of(run);
	enum errcode rc = app->planner->plan(run, &app->tools, plan, e);
	if (rc != ERR_UPSTREAM)
		return rc;
	if (app->spare_planner == NULL) {
		st->failure = "The language model did not answer.";
		return rc;
	}
	st->degraded = spare_planned;
	*plan = (struct plan){ .answer_style = "narrative_markdown" };
	return app->spare_planner->plan(run, &app->tools, plan, e);
}

enum errcode node_plan(struct run *run, struct err *e)
{
	struct aviation_state *st = state_of(run);
	struct plan plan = { .answer_style = "narrative_markdown" };
	enum errcode rc = make_plan(run, &plan, e);
	if (rc == OK)
		rc = plan_check(&plan, e);
	if (rc != OK)
		return rc;
	st->plan = plan;
	if (plan.tool == NULL)
		/* a plain reply: there is nothing else to show before it */
		return st->degraded != NULL ? think(run, st->degraded = spare_wrote) : OK;
	st->reasoning = plan_reasoning(run->mem, &plan);
	struct event ev = { .kind = EV_PLAN, .data = plan_json(run->mem, &plan) };
	if ((rc = run_emit(run, &ev)) == OK)
		rc = think(run, st->reasoning);
	if (rc == OK && st->degraded != NULL)
		rc = think(run, arena_printf(run->mem, "\n\n%s", st->degraded));
	return rc;
}

/* -- predict -- */

enum errcode node_predict(struct run *run, struct err *e)
{
	const struct aviation_app *app = app_of(run);
	struct aviation_state *st = state_of(run);
	(void)e;                         /* suggestions are a courtesy: they cannot fail a turn */
	if (app->predictor != NULL && st->plan.tool != NULL)
		st->suggested = predictor_suggest(app->predictor, run->mem, &st->plan,
		    last_question(run), app->suggestions_max);
	return OK;
}

/* -- tool -- */

enum errcode node_tool(struct run *run, struct err *e)
{
	const struct aviation_app *app = app_of(run);
	struct aviation_state *st = state_of(run);
	const struct tool *tool = st->plan.tool;
	if (tool == NULL)
		return OK;
	struct event ev = { .kind = EV_TOOL_START, .name = tool->name, .data = st->plan.arguments };
	enum errcode rc = run_emit(run, &ev);
	if (rc != OK)
		return rc;
	int64_t start = clock_mono_us();
	rc = tool_call(&app->tools, tool, run->mem, st->plan.arguments, run->persona_id,
	    &st->result, e);
	log_msg(LOG_INFO, "tool", "name=%s us=%lld result=%s", tool->name,
	    (long long)(clock_mono_us() - start), err_row(rc)->name);
	if (rc != OK) {
		st->failure = arena_strdup(run->mem, e->msg);
		return rc;
	}
	if (jsn_len(st->result) == 0)
		return OK;
	ev = (struct event){ .kind = EV_TOOL_END, .name = tool->name, .data = st->plan.arguments,
		.result = st->result };
	return run_emit(run, &ev);
}

/* -- format -- */

/* What the user is told of the failure: a plan's and a tool's own words, else the table's. */
static const char *told(const struct run *run)
{
	const struct aviation_state *st = state_of(run);
	if (st->failure != NULL)
		return st->failure;
	return run->error.code == ERR_PLANNER ? run->error.msg : err_row(run->error.code)->said;
}

/* The answer of a failed turn (contract http_api.md §8.4). */
static const char *apology(const struct run *run)
{
	struct str s = str_trim(str_of(told(run)));
	while (s.n > 0 && s.p[s.n - 1] == '.')
		s.n--;
	return arena_printf(run->mem, "%s %.*s. Please try again.",
	    run->error.code == ERR_FORMATTER ? "Error formatting response:" :
	    "I encountered an error:", (int)s.n, s.p);
}

/* The reasoning behind a good answer: plan, what stood in for the model, style (contract http_api.md §7.1). */
static const char *thinking(const struct run *run)
{
	const struct aviation_state *st = state_of(run);
	bool compared = streq(jsn_get_str(st->result, "_tool_type", NULL), "comparison");
	return arena_printf(run->mem, "%s%s%s%s", st->reasoning,
	    st->degraded == NULL ? "" : "\n\n", st->degraded == NULL ? "" : st->degraded,
	    compared ? "" : arena_printf(run->mem, "\n\nFormatted answer using %s style.",
	    st->plan.answer_style));
}

/* The agent's state as the client sees it at the end (contract http_api.md §8). */
static struct json_object *final_state(struct run *run)
{
	const struct aviation_state *st = state_of(run);
	struct json_object *o = jsn_object(run->mem), *s = jsn_new();
	if (st->reasoning != NULL)
		jsn_add_str(s, "planning_reasoning", st->reasoning);
	if (st->result != NULL)
		jsn_add(s, "tool_result", jsn_ref(st->result));
	if (run->persona_id != NULL)
		jsn_add_str(s, "persona_id", run->persona_id);
	if (st->suggested != NULL)
		jsn_add(s, "suggested_queries", jsn_ref(st->suggested));
	jsn_add_str(s, "final_answer", run->answer);
	jsn_add_str(s, "thinking", st->thinking);
	if (st->ui_payload != NULL)
		jsn_add(s, "ui_payload", jsn_ref(st->ui_payload));
	if (run->error.code != OK)
		jsn_add_str(s, "error", told(run));
	jsn_add(o, "state", s);
	return o;
}

/* What the user reads when something failed: as answer text too, so that every client shows it. */
static enum errcode say_sorry(struct run *run, const char *streamed)
{
	run->answer = apology(run);
	bool midway = streamed != NULL && *streamed != '\0';
	return run_text(run, midway ? arena_printf(run->mem, "\n\n%s", run->answer) : run->answer);
}

/* The answer by the agent's writer; by the spare one in a turn that is degraded already (nobody should
 * wait twice for a model that is away) or becomes so now. */
static enum errcode write_answer(struct run *run, struct err *e)
{
	const struct aviation_app *app = app_of(run);
	struct aviation_state *st = state_of(run);
	struct writing w = { .plan = &st->plan, .result = st->result };
	enum errcode rc;
	if (st->degraded == NULL || app->spare_writer == NULL) {
		rc = app->writer->write(run, &w, &run->answer, e);
		if (rc != ERR_UPSTREAM || app->spare_writer == NULL)
			return rc;
		st->degraded = spare_wrote;
		if ((rc = think(run, arena_printf(run->mem, "\n\n%s", st->degraded))) != OK)
			return rc;
	}
	return app->spare_writer->write(run, &w, &run->answer, e);
}

enum errcode node_format(struct run *run, struct err *e)
{
	const struct aviation_app *app = app_of(run);
	struct aviation_state *st = state_of(run);
	struct event ev;
	enum errcode rc = OK;

	st->thinking = st->reasoning != NULL ? st->reasoning :
	    st->degraded != NULL ? st->degraded : "";
	if (run->error.code == OK) {
		enum errcode failed = write_answer(run, e);
		if (failed == ERR_HUP)
			return failed;
		if (failed != OK) {
			if (failed != ERR_TIMEOUT && failed != ERR_OVERLOAD)
				failed = err_set(e, ERR_FORMATTER, "%s", e->msg);
			else if (e->code == OK)
				err_set(e, failed, "the answer was not finished in time");
			run->error = *e;         /* now, so that what is sent below shows it */
			run->failed_node = "formatter";
			log_msg(LOG_WARN, "node_failed", "code=%s why=\"%s\"",
			    err_row(failed)->name, e->msg);
			rc = say_sorry(run, run->answer);
		} else if (st->plan.tool != NULL) {
			st->ui_payload = ui_payload_build(run->mem, &st->plan, st->result,
			    st->suggested, app->mcp_raw);
			st->thinking = thinking(run);
		}
	} else {
		rc = say_sorry(run, NULL);
	}

	if (rc == OK && *st->thinking != '\0') {
		ev = (struct event){ .kind = EV_THINKING_DONE };
		rc = run_emit(run, &ev);
	}
	if (rc == OK && run->error.code != OK) {
		ev = (struct event){ .kind = EV_ERROR, .name = err_row(run->error.code)->name,
			.text = told(run) };
		rc = run_emit(run, &ev);
	}
	if (rc == OK && st->ui_payload != NULL) {
		ev = (struct event){ .kind = EV_UI_PAYLOAD, .data = st->ui_payload };
		rc = run_emit(run, &ev);
	}
	if (rc == OK) {
		ev = (struct event){ .kind = EV_FINAL, .data = final_state(run) };
		rc = run_emit(run, &ev);
	}
	return rc;
}
