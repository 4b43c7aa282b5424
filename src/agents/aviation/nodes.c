/*
 * The nodes that find out: router, planner, tool, predictor. Each emits what it knows at the moment
 * it knows it; the order of events on the wire (contract http_api.md §8) is the order of the lines
 * here. The formatter is node_format.c.
 *
 * A turn about both airports and rules runs planner and tool twice. A look-up of such a turn that
 * fails does not fail the turn: the other one may still answer, and the answer says what is
 * missing.
 */
#include "agents/aviation/agent.h"

#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "runtime/run.h"
#include "services/llm.h"
#include "tools/rules_result.h"

const char *last_question(const struct run *run)
{
	for (size_t i = run->nmessages; i > 0; i--)
		if (strcmp(run->messages[i - 1].role, "user") == 0)
			return run->messages[i - 1].content;
	return "";
}

enum errcode node_think(struct run *run, const char *text)
{
	struct event ev = { .kind = EV_THINKING, .text = text };
	return run_emit(run, &ev);
}

/* What the strategies and tools of this turn may use: the services of the process, and one set of
 * rules, the same from the router to the last tool. */
static struct tool_context context_of(struct run *run)
{
	struct tool_context ctx = app_of(run)->tools;
	struct rules_view *rules = &state_of(run)->rules;
	if (rules->mem == NULL)
		*rules = (struct rules_view){ .rules = ctx.rules, .mem = run->mem };
	ctx.seen = rules;
	return ctx;
}

/* In a turn of two look-ups: keep why this one failed, unless the turn itself is over. */
static enum errcode half(struct run *run, struct lookup *l, enum errcode rc, const struct err *e)
{
	struct aviation_state *st = state_of(run);
	if (rc == OK || rc == ERR_HUP)
		return rc;
	if (st->routing.kind != ROUTING_BOTH || run_check(run) != OK) {
		st->failure = l->failure;
		return rc;
	}
	l->err = *e;
	l->err.code = rc;
	/* a plan's faults are told in the words of the model and of the user */
	bool told = rc != ERR_PLANNER || log_enabled(LOG_DEBUG);
	log_msg((enum log_level)err_row(rc)->level, "lookup_failed", "of=%s code=%s%s%s%s",
	    l == &st->second ? "rules" : "airports", err_row(rc)->name, told ? " why=\"" : "",
	    told ? e->msg : "", told ? "\"" : "");
	return OK;
}

/* -- route -- */

/* Where there is only one kind of tool, or no rules, there is nothing to ask. */
static enum routing_kind only_kind(struct run *run, const struct tool_context *ctx)
{
	const uint64_t rules = ctx->offered & tools_of(TOOL_UI_RULES);

	if (rules == 0 || rules_of(ctx, run->mem) == NULL)
		return ROUTING_DATABASE;
	return rules == ctx->offered ? ROUTING_RULES : ROUTING_NONE;
}

enum errcode node_route(struct run *run, struct err *e)
{
	const struct aviation_app *app = app_of(run);
	struct routing *r = &state_of(run)->routing;
	if (app->router == NULL)
		return OK;
	const struct tool_context ctx = context_of(run);
	r->kind = only_kind(run, &ctx);
	if (r->kind != ROUTING_NONE)
		return OK;
	enum errcode rc = app->router->route(run, &ctx, r, e);
	if (rc == OK)
		log_msg(LOG_INFO, "routed", "kind=%s countries=%zu", routing_names[r->kind],
		    r->ncountries);
	return rc;
}

/* -- plan -- */

static const char spare_planned[] =
    "The language model did not answer, so the built-in planner chose this look-up.";

/* By the agent's planner; by the spare one where the model gives nothing, now or for this turn's
 * look-up before. */
static enum errcode make_plan(struct run *run, const struct tool_context *ctx,
    struct lookup *l, struct err *e)
{
	const struct aviation_app *app = app_of(run);
	struct aviation_state *st = state_of(run);
	l->plan = (struct plan){ .answer_style = "narrative_markdown" };
	if (st->degraded == NULL) {
		enum errcode rc = app->planner->plan(run, ctx, &l->plan, e);
		if (rc != ERR_UPSTREAM)
			return rc;
		if (app->spare_planner == NULL) {
			l->failure = "The language model did not answer.";
			return rc;
		}
		st->degraded = spare_planned;
		l->plan = (struct plan){ .answer_style = "narrative_markdown" };
	}
	return app->spare_planner->plan(run, ctx, &l->plan, e);
}

static enum errcode plan(struct run *run, struct lookup *l, struct err *e)
{
	struct aviation_state *st = state_of(run);
	struct tool_context ctx = context_of(run);
	const bool degraded = st->degraded != NULL, again = st->first.reasoning != NULL;
	ctx.offered = routing_offers(st->routing.kind, ctx.offered, l == &st->second);
	enum errcode rc = make_plan(run, &ctx, l, e);
	if (rc == OK)
		rc = plan_check(&l->plan, &ctx, e);
	if (rc != OK) {
		l->plan = (struct plan){ .tool = NULL };
		return rc;
	}
	if (l->plan.tool == NULL)
		return OK;
	l->reasoning = plan_reasoning(run->mem, &l->plan);
	struct event ev = { .kind = EV_PLAN, .data = plan_json(run->mem, &l->plan) };
	if ((rc = run_emit(run, &ev)) == OK)
		rc = node_think(run, arena_printf(run->mem, "%s%s", again ? "\n\n" : "", l->reasoning));
	if (rc == OK && st->degraded != NULL && !(degraded && again))
		rc = node_think(run, arena_printf(run->mem, "\n\n%s", st->degraded));
	return rc;
}

enum errcode node_plan(struct run *run, struct err *e)
{
	struct lookup *l = &state_of(run)->first;
	return half(run, l, plan(run, l, e), e);
}

/* -- tool -- */

static enum errcode call(struct run *run, struct lookup *l, struct err *e)
{
	const struct tool *tool = l->plan.tool;
	if (tool == NULL)
		return OK;
	struct event ev = { .kind = EV_TOOL_START, .name = tool->name, .data = l->plan.arguments };
	enum errcode rc = run_emit(run, &ev);
	if (rc != OK)
		return rc;
	const struct watch watch = run_watch(run);
	struct llm_usage usage = { .input = 0 };
	struct tool_context ctx = context_of(run);
	ctx.watch = &watch;
	ctx.usage = &usage;
	ctx.until_ms = run->limits.deadline_ms > 0 ? run->started_ms + run->limits.deadline_ms : 0;
	ctx.no_model = state_of(run)->degraded != NULL;
	int64_t start = clock_mono_us();
	rc = tool_call(&ctx, tool, run->mem, l->plan.arguments, run->persona_id, &l->result, e);
	run_tokens(run, usage.input, usage.output, usage.estimated);
	log_msg(LOG_INFO, "tool", "name=%s us=%lld result=%s", tool->name,
	    (long long)(clock_mono_us() - start), err_row(rc)->name);
	if (rc != OK) {
		l->failure = arena_strdup(run->mem, e->msg);
		return rc;
	}
	if (jsn_len(l->result) == 0)
		return OK;
	ev = (struct event){ .kind = EV_TOOL_END, .name = tool->name, .data = l->plan.arguments,
		.result = l->result };
	return run_emit(run, &ev);
}

enum errcode node_tool(struct run *run, struct err *e)
{
	struct lookup *l = &state_of(run)->first;
	return half(run, l, call(run, l, e), e);
}

/* -- predict -- */

/* A turn does not fail when no suggestions can be made. */
static void suggest(struct run *run, const struct lookup *l)
{
	const struct plan *plan = &l->plan;
	const struct aviation_app *app = app_of(run);
	if (app->predictor == NULL || plan->tool == NULL)
		return;
	const struct tool_context ctx = context_of(run);
	const struct rules_snapshot *set = rules_of(&ctx, run->mem);
	const struct predicting from = { .plan = plan, .result = l->result, .user_text = last_question(run),
		.tools = &ctx, .rules = set != NULL ? set->base : NULL };
	state_of(run)->suggested = predictor_suggest(app->predictor, run->mem, &from,
	    app->suggestions_max);
}

enum errcode node_predict(struct run *run, struct err *e)
{
	(void)e;
	suggest(run, &state_of(run)->first);
	return OK;
}

/* -- the rules, in a turn about both -- */

enum errcode node_plan_rules(struct run *run, struct err *e)
{
	struct aviation_state *st = state_of(run);
	enum errcode rc = half(run, &st->second, plan(run, &st->second, e), e);
	if (rc == OK && jsn_len(st->suggested) == 0)
		suggest(run, &st->second);
	return rc;
}

enum errcode node_tool_rules(struct run *run, struct err *e)
{
	struct aviation_state *st = state_of(run);
	enum errcode rc = half(run, &st->second, call(run, &st->second, e), e);
	if (rc != OK || st->first.err.code == OK || st->second.err.code == OK)
		return rc;
	st->failure = st->first.failure; /* neither gave anything: now the turn has failed */
	*e = st->first.err;
	return e->code;
}
