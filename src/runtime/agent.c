/*
 * Opening agents, and looking them up in the list of those that are open.
 */
#include "runtime/agent.h"

#include <string.h>

enum errcode agent_open(struct agent_open *out, const struct agent *agent,
    const struct agent_env *env, struct err *e)
{
	*out = (struct agent_open){ .agent = agent };
	enum errcode rc = graph_check(agent->graph, e);
	if (rc == OK && agent->open != NULL)
		rc = agent->open(&out->app, env, e);
	return rc;
}

void agent_close(struct agent_open *a)
{
	if (a->app != NULL && a->agent->close != NULL)
		a->agent->close(a->app);
	a->app = NULL;
}

const struct agent_open *agent_find(const struct agent_open *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i].agent->name, name) == 0)
			return &list[i];
	return NULL;
}

unsigned agent_needs(const struct agent_open *list, size_t n)
{
	unsigned needs = 0;
	for (size_t i = 0; i < n; i++)
		needs |= list[i].agent->needs;
	return needs;
}
