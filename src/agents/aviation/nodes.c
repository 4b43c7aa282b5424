/*
 * The nodes that find out: router, planner, tool, predictor. Each emits what it knows as soon as it
 * knows it; the order of the lines here is the order of the events on the wire. The formatter is
 * node_format.c.
 *
 * The tool's node runs once for each look-up. If one of several look-ups fails, the turn does not
 * fail: another one may still succeed, and the answer says what is missing.
 */
#include "agents/aviation/agent.h"

#include <string.h>

#include "agents/aviation/builtin/talk.h"
#include "agents/aviation/builtin/writer.h"
#include "agents/aviation/enrich_notice.h"
#include "agents/aviation/messages.h"
#include "agents/aviation/sayings.h"
#include "base/log.h"
#include "base/str.h"
#include "runtime/run.h"
#include "services/llm.h"
#include "tools/rules_result.h"

enum { SUBJECT_MAX = 60 };

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
 * rules, which stays the same from the router to the last tool. */
static struct tool_context context_of(struct run *run)
{
	struct tool_context ctx = app_of(run)->tools;
	struct rules_view *rules = &state_of(run)->rules;
	if (rules->mem == NULL)
		*rules = (struct rules_view){ .rules = ctx.rules, .mem = run->mem };
	ctx.seen = rules;
	return ctx;
}

/* Keep the reason of a failed look-up, because another one may still succeed. If there is no other
 * one, or the turn is over, the turn fails. */
static enum errcode settle(struct run *run, struct lookup *l, enum errcode rc, const struct err *e)
{
	struct aviation_state *st = state_of(run);
	if (rc == OK || rc == ERR_HUP)
		return rc;
	if (st->nlookups == 1 || run_check(run) != OK) {
		st->failure = l->failure;
		return rc;
	}
	l->err = *e;
	l->err.code = rc;
	/* the reason for a wrong plan quotes the model and the user, so it is logged only at debug
	 * level */
	bool told = rc != ERR_PLANNER || log_enabled(LOG_DEBUG);
	log_msg((enum log_level)err_row(rc)->level, "lookup_failed", "tool=%s code=%s%s%s%s",
	    l->plan.tool != NULL ? l->plan.tool->name : "none", err_row(rc)->name,
	    told ? " why=\"" : "", told ? e->msg : "", told ? "\"" : "");
	return OK;
}

/* After the last look-up: if all have failed, the turn fails like the first of them. */
static enum errcode settle_all(struct aviation_state *st, struct err *e)
{
	for (size_t i = 0; i < st->nlookups; i++)
		if (st->lookup[i].err.code == OK)
			return OK;
	st->failure = st->lookup[0].failure;
	*e = st->lookup[0].err;
	return e->code;
}

/* -- route -- */

/* If there is only one kind of tool, or no rules, there is nothing to decide. */
static enum routing_kind only_kind(struct run *run, const struct tool_context *ctx)
{
	const size_t rules = toolset_count(ctx->offered, TOOL_RULES);

	if (rules == 0 || rules_of(ctx, run->mem) == NULL)
		return ROUTING_DATABASE;
	return rules == ctx->offered.n ? ROUTING_RULES : ROUTING_NONE;
}

enum errcode node_route(struct run *run, struct err *e)
{
	const struct aviation_app *app = app_of(run);
	struct routing *r = &state_of(run)->routing;
	turn_language_read(run);
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

/* Planned by the agent's planner; by the spare one if the model gives nothing. */
static enum errcode make_plans(struct run *run, const struct tool_context *ctx, struct plans *out,
    struct err *e)
{
	const struct aviation_app *app = app_of(run);
	struct aviation_state *st = state_of(run);
	*out = (struct plans){ .n = 0 };
	enum errcode rc = app->planner->plan(run, ctx, out, e);
	if (rc != ERR_UPSTREAM)
		return rc;
	if (app->spare_planner == NULL) {
		st->failure = "The language model did not answer.";
		return rc;
	}
	st->degraded = spare_planned;
	*out = (struct plans){ .n = 0 };
	return app->spare_planner->plan(run, ctx, out, e);
}

/* The place, airport or country of a look-up: the first text among its arguments; of a route the
 * first two. */
static const char *subject(const struct run *run, const struct plan *p, const struct tool *of)
{
	struct arena *a = run->mem;
	const struct wording *wording = turn_wording(run);
	const char *first = NULL;
	JSN_EACH(p->arguments, it) {
		if (!jsn_is(it.val, json_type_string))
			continue;
		const char *text = json_object_get_string(it.val);
		const char *country = streq(it.key, "country_code") ? message_country(wording, text) : NULL;
		text = md_text(a, country != NULL ? country : text, SUBJECT_MAX);
		if (first != NULL)
			return message_text(wording, a, SAY_about_route, MESSAGE_VALUES("from", first, "to", text));
		first = text;
		if (of->result != RESULT_AIRPORTS_ROUTE)
			break;
	}
	return first != NULL ? first : "";
}

/* "airports", as tools and plans name it in English, in the language of the turn. */
static const char *about_said(const struct run *run, const char *about)
{
	return message_term(turn_wording(run), SAY_about_airports, SAY_about_the_rest, about);
}

/* "rules (Germany)" */
static const char *about_whom(const struct run *run, const char *about, const char *who)
{
	return *who == '\0' ? about : message_text(turn_wording(run), run->mem, SAY_about_whom,
	    MESSAGE_VALUES("about", about, "who", who));
}

/* The word for what a look-up was to find; `of` NULL: it could not be planned. */
static const char *word_of(const struct run *run, const struct lookup *l, const struct tool *of)
{
	return about_said(run, of != NULL ? tool_about(of) : l->plan.about != NULL ? l->plan.about : "rest");
}

/* The subject of each look-up. Look-ups of one kind get different subjects. */
static void name_lookups(struct run *run)
{
	struct aviation_state *st = state_of(run);
	for (size_t i = 0; i < st->nlookups; i++) {
		struct lookup *l = &st->lookup[i];
		const struct tool *of = l->plan.tool != NULL ? l->plan.tool : l->plan.wanted;
		size_t alike = 0;
		for (size_t k = 0; k < st->nlookups; k++) {
			const struct plan *p = &st->lookup[k].plan;
			const struct tool *other = p->tool != NULL ? p->tool : p->wanted;
			alike += other != NULL && streq(word_of(run, &st->lookup[k], other), word_of(run, l, of));
		}
		const char *who = of != NULL && alike > 1 ? subject(run, &l->plan, of) : "";
		if (alike > 1 && l->plan.matter != NULL)
			who = arena_printf(run->mem, "%s%s%s", who, *who != '\0' ? ", " : "", md_text(run->mem, l->plan.matter, SUBJECT_MAX));
		l->about = about_whom(run, word_of(run, l, of), who);
	}
}

/* "I look up at most 3 things for one message. Left out: airports (Lyon). Ask for them again." */
static const char *name_left(struct run *run, const struct plans *plans)
{
	struct arena *a = run->mem;
	const char *list = "";

	for (size_t i = 0; i < plans->nover; i++) {
		const struct plan *p = &plans->over[i];
		const struct tool *of = p->tool != NULL ? p->tool : p->wanted;
		const char *who = of != NULL ? subject(run, p, of) : "";
		list = arena_printf(a, "%s%s%s", list, i > 0 ? "; " : "",
		    about_whom(run, about_said(run, of != NULL ? tool_about(of) : "the rest"), who));
	}
	return plans->nover == 0 ? NULL : message_text(turn_wording(run), a, SAY_left_over,
	    MESSAGE_VALUES("most", arena_printf(a, "%d", LOOKUPS_MAX), "list", list));
}

enum errcode node_plan(struct run *run, struct err *e)
{
	struct aviation_state *st = state_of(run);
	struct tool_context ctx = context_of(run);
	struct plans plans;
	ctx.offered = toolset_ready(run->mem, routing_offers(run->mem, st->routing.kind, ctx.offered));
	enum errcode rc = make_plans(run, &ctx, &plans, e);
	if (rc == OK && plans.n == 0)
		rc = err_set(e, ERR_PLANNER, "The planner planned nothing.");
	st->nlookups = rc == OK ? plans.n : 0;
	for (size_t i = 0; i < st->nlookups; i++)
		st->lookup[i].plan = plans.plan[i];
	name_lookups(run);
	st->over = rc == OK ? name_left(run, &plans) : NULL;
	for (size_t i = 0; i < st->nlookups && rc == OK; i++) {
		struct lookup *l = &st->lookup[i];
		rc = plan_check(&l->plan, &ctx, e);
		if (rc != OK)
			l->plan = (struct plan){ .tool = NULL };
		rc = settle(run, l, rc, e);
	}
	return rc;
}

/* -- tool -- */

/* Show the plan of a look-up; once, say that the spare planner made it. */
static enum errcode show_plan(struct run *run, const struct plan *p)
{
	struct aviation_state *st = state_of(run);
	const char *words = plan_reasoning(run->mem, p), *before = st->reasoning;
	struct event ev = { .kind = EV_PLAN, .data = plan_json(run->mem, p) };
	enum errcode rc = run_emit(run, &ev);
	if (before != NULL)
		words = arena_printf(run->mem, "\n\n%s", words);
	st->reasoning = before == NULL ? words : arena_printf(run->mem, "%s%s", before, words);
	if (rc == OK)
		rc = node_think(run, words);
	if (rc == OK && before == NULL && st->degraded != NULL)
		rc = node_think(run, arena_printf(run->mem, "\n\n%s", st->degraded));
	return rc;
}

static void free_lookup(void *p)
{
	struct lookup *l = p;
	if (l->mem != NULL)
		arena_free(l->mem);
	l->mem = NULL;
	l->result = NULL;
}

void let_results_go(struct run *run)
{
	struct aviation_state *st = state_of(run);
	for (size_t i = 0; i < st->nlookups; i++)
		if (st->lookup[i].shown != NULL)
			free_lookup(&st->lookup[i]);
}

void get_results_back(struct run *run)
{
	struct aviation_state *st = state_of(run);
	for (size_t i = 0; i < st->nlookups; i++)
		if (st->lookup[i].result == NULL)
			st->lookup[i].result = jsn_copy(run->mem, st->lookup[i].shown);
}

static bool is_search(enum tool_result r)
{
	return r == RESULT_AIRPORTS_FOUND || r == RESULT_AIRPORTS_NEAR || r == RESULT_AIRPORTS_ROUTE;
}

static enum errcode call(struct run *run, struct lookup *l, struct err *e)
{
	const struct tool *tool = l->plan.tool;
	if (tool == NULL)
		return OK;
	enum errcode rc = show_plan(run, &l->plan);
	struct event ev = { .kind = EV_TOOL_START, .name = tool->name, .data = l->plan.arguments };
	if (rc == OK)
		rc = run_emit(run, &ev);
	if (rc == OK)
		rc = run_flush(run);
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
	if (l->mem == NULL) {
		l->mem = arena_new();
		arena_defer(run->mem, free_lookup, l);
	}
	rc = tool_call(&ctx, tool, l->mem, l->plan.arguments, run->persona_id, &l->result, e);
	run_tokens(run, usage.input, usage.output, usage.estimated);
	log_msg(LOG_INFO, "tool", "name=%s us=%lld result=%s", tool->name,
	    (long long)(clock_mono_us() - start), err_row(rc)->name);
	if (rc != OK) {
		l->failure = arena_strdup(run->mem, e->msg);
		return rc;
	}
	if (is_search(tool->result))
		enrich_notice(l->mem, ctx.sources, last_question(run), l->result);
	if (state_of(run)->talk_now != NULL)
		talk_heard(state_of(run)->talk_now, &l->plan, l->result);
	l->shown = jsn_own(run->mem, jsn_printed(l->result));
	if (jsn_len(l->result) == 0)
		return OK;
	ev = (struct event){ .kind = EV_TOOL_END, .name = tool->name, .data = l->plan.arguments,
		.result = l->shown };
	return run_emit(run, &ev);
}

/* Runs the next look-up. */
enum errcode node_tool(struct run *run, struct err *e)
{
	struct aviation_state *st = state_of(run);
	struct lookup *l = &st->lookup[st->done++];
	enum errcode rc = settle(run, l, call(run, l, e), e);
	return rc == OK && st->done == st->nlookups ? settle_all(st, e) : rc;
}

/* -- predict -- */

/* The questions of which one is meant. */
static struct json_object *choices(const struct plan *p)
{
	struct json_object *list = json_object_new_array();
	for (size_t i = 0; i < sizeof(p->choice) / sizeof(p->choice[0]); i++)
		jsn_push(list, jsn_str(p->choice[i]));
	return list;
}

/* Suggestions come from the first look-up that gives some. A turn does not fail because there are
 * none. */
enum errcode node_predict(struct run *run, struct err *e)
{
	const struct aviation_app *app = app_of(run);
	struct aviation_state *st = state_of(run);
	const struct tool_context ctx = context_of(run);
	const struct rules_snapshot *set = app->predictor != NULL ? rules_of(&ctx, run->mem) : NULL;
	(void)e;
	for (size_t i = 0; i < st->nlookups && app->predictor != NULL; i++) {
		const struct lookup *l = &st->lookup[i];
		const struct predicting from = { .plan = &l->plan, .result = l->result,
			.user_text = last_question(run), .tools = &ctx,
			.rules = set != NULL ? set->base : NULL, .wording = turn_wording(run) };
		if (l->plan.choice[0] != NULL)
			st->suggested = jsn_own(run->mem, choices(&l->plan));
		else if (l->plan.tool != NULL && jsn_len(st->suggested) == 0)
			st->suggested = predictor_suggest(app->predictor, run->mem, &from,
			    app->suggestions_max);
	}
	return OK;
}
