/*
 * The list of agents: one row each. The first is the agent of the threads that were stored before threads
 * named theirs.
 */
#include "agents/agents.h"

#include "agents/aviation/agent.h"
#include "agents/onboarding/agent.h"

const struct agent *const agents[] = {
	&aviation_agent,
	&onboarding_agent,
};
const size_t nagents = sizeof(agents) / sizeof(agents[0]);
