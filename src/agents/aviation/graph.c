/*
 * The aviation pipeline as a table. Only the messages are kept between turns: the conversation is
 * the state.
 */
#include "agents/aviation/agent.h"
#include "base/jsn.h"
#include "runtime/run.h"

enum { AT_ROUTE = 1, AT_PLAN, AT_TOOL, AT_PREDICT, AT_FORMAT, AT__MAX };

/* The tool's node runs again while there are planned look-ups. */
static int after_tool(const struct run *run)
{
	return state_of(run)->done < state_of(run)->nlookups ? AT_TOOL : AT_PREDICT;
}

static const struct node nodes[AT__MAX] = {
	[AT_ROUTE]   = { "router",    node_route,   AT_PLAN,    NULL,       0 },
	[AT_PLAN]    = { "planner",   node_plan,    AT_TOOL,    NULL,       0 },
	[AT_TOOL]    = { "tool",      node_tool,    AT_PREDICT, after_tool, 0 },
	[AT_PREDICT] = { "predictor", node_predict, AT_FORMAT,  NULL,       0 },
	[AT_FORMAT]  = { "formatter", node_format,  NODE_END,   NULL,       NODE_ALWAYS },
};

/* Tells an operator when a turn did not go as configured. */
static void metadata(const struct run *run, struct json_object *o)
{
	const struct aviation_state *st = run->state;
	if (st->degraded != NULL)
		jsn_add_bool(o, "degraded", true);
	if (st->fallback_model != NULL)
		jsn_add_str(o, "fallback_model", st->fallback_model);
}

const struct graph aviation_graph = {
	.name = "aviation",
	.nodes = nodes,
	.nnodes = AT__MAX,
	.entry = AT_ROUTE,
	.max_steps = AT__MAX + LOOKUPS_MAX,
	.state_size = sizeof(struct aviation_state),
	.save = aviation_save,
	.load = aviation_load,
	.metadata = metadata,
};
