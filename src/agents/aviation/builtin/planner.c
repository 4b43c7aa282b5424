/*
 * The planner and the router that need no model. Both understand the newest message (understanding.h). The
 * planner makes plans of its frames, the router says what kind they are of.
 */
#include "agents/aviation/planner.h"

#include "agents/aviation/agent.h"
#include "agents/aviation/builtin/external_plans.h"
#include "agents/aviation/builtin/understanding.h"
#include "agents/aviation/router.h"

enum { COUNTRIES = 12 };

/* ---- plans ---------------------------------------------------------------------------------- */

static void keep(struct arena *a, struct plan *p)
{
	p->arguments = jsn_copy(a, p->arguments);
	p->reply = arena_strdup(a, p->reply);
	p->unused = arena_strdup(a, p->unused);
	p->named = arena_strdup(a, p->named);
	p->stands_for = arena_strdup(a, p->stands_for);
	p->distance = arena_strdup(a, p->distance);
	p->matter = arena_strdup(a, p->matter);
	p->assumed_kt = arena_strdup(a, p->assumed_kt);
	p->mass = arena_strdup(a, p->mass);
	p->choice[0] = arena_strdup(a, p->choice[0]);
	p->choice[1] = arena_strdup(a, p->choice[1]);
	for (size_t i = 0; i < p->nasked; i++) {
		p->asked[i].name = arena_strdup(a, p->asked[i].name);
		p->asked[i].words = arena_strdup(a, p->asked[i].words);
	}
}

static void make_plans(struct run *run, const struct understanding *u, void *to)
{
	struct plans *out = to;

	plans_of_frames(&u->planning, out);
	external_plans(&u->planning, out);
	for (size_t i = 0; i < out->n; i++)
		keep(run->mem, &out->plan[i]);
	for (size_t i = 0; i < out->nover; i++)
		keep(run->mem, &out->over[i]);
	if (run->state == NULL)
		return;
	struct talk *now = arena_alloc(run->mem, sizeof(*now));
	talk_copy(run->mem, &u->after, now);
	state_of(run)->talk_now = now;
}

static enum errcode plan(struct run *run, const struct tool_context *ctx, struct plans *out,
    struct err *e)
{
	*out = (struct plans){ .n = 0 };
	understanding_for(run, ctx, make_plans, out);
	if (out->n == 0)
		return err_set(e, ERR_PLANNER, "planner: the conversation has no message from a user");
	return OK;
}

/* ---- the kind ------------------------------------------------------------------------------- */

static bool about_rules(const struct frame *f)
{
	const enum plan_kind kind = frame_plan_kind(f);
	return kind == PLAN_ANSWER || kind == PLAN_BROWSE || kind == PLAN_COMPARE;
}

/* The kind of the newest message, whatever tools are offered. One about neither counts as a message
 * about airports, because that planner has the replies. */
static void find_kind(struct run *run, const struct understanding *u, void *to)
{
	struct routing *out = to;
	bool rules = false, airports = false;
	const char *code[COUNTRIES];

	(void)run;
	*out = (struct routing){ .kind = ROUTING_DATABASE };
	for (size_t i = 0; i < u->frames.n; i++) {
		const struct frame *f = u->frames.frame[i];
		rules |= about_rules(f);
		airports |= !about_rules(f);
		const size_t n = f->plan->labels != 0 ? frame_countries(&u->planning, f, code, COUNTRIES) : 0;
		for (size_t k = 0; k < n; k++)
			routing_add(out, code[k]);
	}
	out->kind = !rules ? ROUTING_DATABASE : airports ? ROUTING_BOTH : ROUTING_RULES;
}

static enum errcode route(struct run *run, const struct tool_context *ctx, struct routing *out,
    struct err *e)
{
	(void)e;
	understanding_for(run, ctx, find_kind, out);
	return OK;
}

const struct planner planner_builtin = { .name = "builtin", .plan = plan };
const struct router router_builtin = { .name = "builtin", .route = route };
