/*
 * The loop as a table: the model is asked, its calls are carried out one after another, and the model is asked
 * again, until it answers without a call. Every step is stored before the next one begins.
 */
#include "agents/onboarding/onboarding.h"

#include "base/jsn.h"

enum { AT_MODEL = 1, AT_TOOLS, AT__MAX };

/* More than any setting allows: the nodes have limits of their own, with better messages. */
enum { STEPS_MAX = 100 + 2 * 200 };

static int pending(const struct run *run)
{
	return state_of(run)->done < state_of(run)->ncalls;
}

static int after_model(const struct run *run)
{
	return pending(run) ? AT_TOOLS : NODE_END;
}

static int after_tool(const struct run *run)
{
	return pending(run) ? AT_TOOLS : AT_MODEL;
}

/* After a failure the tools' node runs once more: it answers the calls that will not be carried out. */
static const struct node nodes[AT__MAX] = {
	[AT_MODEL] = { "model", node_ask,   AT_TOOLS, after_model, 0 },
	[AT_TOOLS] = { "tools", node_tools, NODE_END, after_tool,  NODE_ALWAYS },
};

/* Tells an operator that the model was not available. */
static void metadata(const struct run *run, struct json_object *o)
{
	if (state_of(run)->degraded)
		jsn_add_bool(o, "degraded", true);
}

const struct graph onboarding_graph = {
	.name = "onboarding",
	.nodes = nodes,
	.nnodes = AT__MAX,
	.entry = AT_MODEL,
	.max_steps = STEPS_MAX,
	.state_size = sizeof(struct onboarding_state),
	.save = record_save,
	.load = record_load,
	.metadata = metadata,
};
