/*
 * The planner that needs no model: understands the conversation (conversation.h), then turns the
 * meaning into a plan (intents.h).
 */
#include "agents/aviation/planner.h"

#include "agents/aviation/builtin/conversation.h"
#include "agents/aviation/builtin/intents.h"
#include "tools/rules_result.h"

enum { WAIT_MS = 200 };

/* May any tool of a kind be used? */
static bool offers(const struct tool_context *ctx, enum tool_ui first, enum tool_ui last)
{
	for (size_t i = 0; i < ntools; i++)
		if (tools[i]->ui >= first && tools[i]->ui <= last && tool_offered(ctx, tools[i]))
			return true;
	return false;
}

/* Of a message about airports and rules, the part that the tools on offer are for. */
static struct query *meaning(struct conversation *c, const struct tool_context *ctx)
{
	bool airports = offers(ctx, TOOL_UI_ROUTE, TOOL_UI_AIRPORT);
	bool rules = offers(ctx, TOOL_UI_RULES, TOOL_UI_RULES);
	c->rules_only = rules && !airports;
	struct rules_request *r = conversation_rules(c);
	struct query *q = conversation_query(c);
	if (c->rules_only && r != NULL)
		q->rules = r;
	q->set = c->set;
	return q;
}

/* con NULL: names are used as typed. Returns the code of run_check(), or ERR_HUP, when the turn has
 * ended meanwhile. */
static enum errcode think(struct run *run, const struct tool_context *ctx, struct aircon *con,
    struct plan *out, struct err *e)
{
	struct conversation c;
	const struct watch watch = run_watch(run);
	struct effort effort = { .watch = &watch };
	/* A thousand turns may wait for a reader at once: what was thought is not kept with them. */
	struct arena *thoughts = arena_new();
	const struct reader rd = { .mem = thoughts, .con = con, .effort = &effort };

	conversation_open(&c, &rd, rules_of(ctx, thoughts), run);
	if (c.n > 0) {
		intent_plan(thoughts, con, ctx, meaning(&c, ctx), out);
		out->arguments = jsn_copy(run->mem, out->arguments);
		out->reply = arena_strdup(run->mem, out->reply);
	}
	arena_free(thoughts);
	if (effort.ended != OK)
		return err_set(e, effort.ended, "planner: stopped, because the turn has ended");
	if (c.n == 0)
		return err_set(e, ERR_PLANNER, "planner: the conversation has no message from a user");
	return OK;
}

static enum errcode plan(struct run *run, const struct tool_context *ctx, struct plan *out,
    struct err *e)
{
	const struct plan blank = *out;
	struct aircon *con = NULL;
	enum errcode rc;

	/* Without the database names are used as typed. That still gives a plan. */
	if (ctx != NULL && ctx->airports != NULL &&
	    airdb_get(ctx->airports, WAIT_MS, &con, NULL) != OK)
		con = NULL;
	rc = think(run, ctx, con, out, e);
	/* the connection failed while planning, so "not found" may be wrong: plan without the database */
	if (rc == OK && con != NULL && aircon_lost(con) != OK) {
		*out = blank;
		rc = think(run, ctx, NULL, out, e);
	}
	airdb_put(con);
	return rc;
}

const struct planner planner_builtin = { .name = "builtin", .plan = plan };
