/*
 * The planner and the router that need no model: they read the conversation (conversation.h). The
 * planner then makes plans of the meaning (intents.h), the router says what kind it is.
 */
#include "agents/aviation/planner.h"

#include "agents/aviation/agent.h"
#include "agents/aviation/builtin/conversation.h"
#include "agents/aviation/builtin/external_plans.h"
#include "agents/aviation/builtin/intents.h"
#include "agents/aviation/router.h"
#include "tools/rules_result.h"

enum { WAIT_MS = 200 };

static const struct { const char *about; enum reply nothing; } kinds[] = {
	{ "airports", REPLY_PART_AIRPORTS }, { "rules", REPLY_PART_RULES },
};

/* `others`: there are other plans. Then a plan without anything to look up says so in one
 * sentence. */
static void add_plan(const struct conversation *c, const struct tool_context *ctx,
    const struct query *q, bool others, struct plans *out)
{
	if (out->n == LOOKUPS_MAX)
		return;
	struct plan *p = &out->plan[out->n++];
	const bool rules = c->rules_only || (q->rules != NULL && !others);
	if (!intent_plan(c->rd.mem, c->rd.con, ctx, q, p) && others)
		p->reply = reply_text_in(c->wording, kinds[rules].nothing);
	p->about = kinds[rules].about;
}

/* Plans for the newest turn. A turn about both airports and rules gives one plan for each, if there
 * are tools. */
static void plan_turn(struct conversation *c, const struct tool_context *ctx, bool others,
    struct plans *out)
{
	struct rules_request *r = conversation_rules(c);
	struct query *q = conversation_query(c);
	const bool both = c->turn[0].both && r != NULL;
	q->set = c->set;
	q->wording = c->wording;
	if (!both || !c->rules_only)
		add_plan(c, ctx, q, others, out);
	if (both && toolset_count(ctx->offered, TOOL_RULES) > 0) {
		struct query asked = *q;
		asked.rules = r;
		add_plan(c, ctx, &asked, others, out);
	}
}

/* Plans for the newest message: those of each turn that it became. */
static void plan_message(struct run *run, const struct tool_context *ctx, const struct reader *rd,
    bool others, struct plans *out)
{
	const size_t rules = toolset_count(ctx->offered, TOOL_RULES);
	struct conversation c;

	conversation_open(&c, rd, rules_of(ctx, rd->mem), run);
	c.rules_only = rules > 0 && rules == ctx->offered.n;
	for (size_t later = conversation_parts(&c); later-- > 0;) {
		struct conversation until = conversation_until(&c, later);
		plan_turn(&until, ctx, others, out);
	}
}

static void read_plans(struct run *run, const struct tool_context *ctx, const struct reader *rd,
    struct plans *out)
{
	const bool both = run->state != NULL && state_of(run)->routing.kind == ROUTING_BOTH;
	struct tool_context part = *ctx;

	*out = (struct plans){ .n = 0 };
	plan_message(run, ctx, rd, false, out);
	if (out->n > 0)
		external_plans(rd, ctx, last_question(run), out);
	if (!both || out->n != 1 || (out->plan[0].tool != NULL && out->plan[0].tool->domain == TOOL_EXTERNAL))
		return;
	/* The router found two subjects in the message: read it again for each kind of tool. */
	out->n = 0;
	for (int kind = ROUTING_DATABASE; kind <= ROUTING_RULES; kind++) {
		part.offered = routing_offers(rd->mem, (enum routing_kind)kind, ctx->offered);
		plan_message(run, &part, rd, true, out);
	}
}

static void make_plans(struct run *run, const struct tool_context *ctx, const struct reader *rd,
    void *to)
{
	struct plans *out = to;
	read_plans(run, ctx, rd, out);
	for (size_t i = 0; i < out->n; i++) {
		struct plan *p = &out->plan[i];
		p->arguments = jsn_copy(run->mem, p->arguments);
		p->reply = arena_strdup(run->mem, p->reply);
		p->unused = arena_strdup(run->mem, p->unused);
		p->distance = arena_strdup(run->mem, p->distance);
		p->mass = arena_strdup(run->mem, p->mass);
	}
}

/* The kind of the newest message, whatever tools are offered. One about neither counts as a message
 * about airports, because that planner has the replies. */
static void find_kind(struct run *run, const struct tool_context *ctx, const struct reader *rd,
    void *to)
{
	struct country_list spoken = { .n = 0 };
	bool rules = false, airports = false;
	struct routing *out = to;
	struct conversation c;

	conversation_open(&c, rd, rules_of(ctx, rd->mem), run);
	for (size_t later = conversation_parts(&c); later-- > 0;) {
		struct conversation until = conversation_until(&c, later);
		const struct rules_request *r = conversation_rules(&until);
		const struct query *q = conversation_query(&until);
		const bool searches = r == NULL || until.turn[0].both;
		rules |= r != NULL;
		airports |= searches;
		if (r != NULL)
			country_list_add_all(&spoken, &r->countries);
		if (searches) {
			const struct country_list places = conversation_countries(&until, q);
			country_list_add_all(&spoken, &places);
		}
	}
	*out = (struct routing){ .kind = !rules ? ROUTING_DATABASE
	    : airports ? ROUTING_BOTH : ROUTING_RULES };
	for (size_t i = 0; i < spoken.n; i++)
		routing_add(out, spoken.code[i]);
}

/* ---- with a connection ------------------------------------------------------------------ */

/* Makes something of the conversation. */
typedef void think_fn(struct run *run, const struct tool_context *ctx, const struct reader *rd,
    void *out);

/* If con is NULL, names are used as typed. Returns the code of run_check(), or ERR_HUP, when the
 * turn has ended meanwhile. */
static enum errcode think_with(struct run *run, const struct tool_context *ctx, struct aircon *con,
    think_fn *fn, void *out)
{
	const struct watch watch = run_watch(run);
	struct effort effort = { .watch = &watch };
	/* A thousand turns may wait for a reader at once, so the memory of planning is freed
	 * before. */
	struct arena *thoughts = arena_new();
	const struct reader rd = { .mem = thoughts, .con = con, .effort = &effort };

	fn(run, ctx, &rd, out);
	arena_free(thoughts);
	return effort.ended;
}

static enum errcode think(struct run *run, const struct tool_context *ctx, think_fn *fn, void *out)
{
	struct aircon *con = NULL;

	/* Without the database names are used as typed. That still gives a plan. */
	if (ctx->airports != NULL && airdb_get(ctx->airports, WAIT_MS, &con, NULL) != OK)
		con = NULL;
	enum errcode rc = think_with(run, ctx, con, fn, out);
	/* the connection failed during planning, so "not found" may be wrong: think again without
	 * the database */
	if (rc == OK && con != NULL && aircon_lost(con) != OK)
		rc = think_with(run, ctx, NULL, fn, out);
	airdb_put(con);
	return rc;
}

static enum errcode plan(struct run *run, const struct tool_context *ctx, struct plans *out,
    struct err *e)
{
	enum errcode rc = think(run, ctx, make_plans, out);
	if (rc != OK)
		return err_set(e, rc, "planner: stopped, because the turn has ended");
	if (out->n == 0)
		return err_set(e, ERR_PLANNER, "planner: the conversation has no message from a user");
	return OK;
}

/* If the turn has ended, the node after this one says so. */
static enum errcode route(struct run *run, const struct tool_context *ctx, struct routing *out,
    struct err *e)
{
	(void)e;
	(void)think(run, ctx, find_kind, out);
	return OK;
}

const struct planner planner_builtin = { .name = "builtin", .plan = plan };
const struct router router_builtin = { .name = "builtin", .route = route };
