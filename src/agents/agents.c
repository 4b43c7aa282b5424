/*
 * The list of agents: one row each.
 */
#include "agents/agents.h"

#include "agents/aviation/agent.h"

const struct agent *const agents[] = {
	&aviation_agent,
};
const size_t nagents = sizeof(agents) / sizeof(agents[0]);
