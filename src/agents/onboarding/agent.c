/*
 * The onboarding agent as a value, and what all its runs share.
 */
#include "agents/onboarding/onboarding.h"

#include "agents/env.h"
#include "base/conf.h"

#define MODEL "gpt-4o-mini"

static struct llm_tools print_tools(struct arena *a, struct toolset set)
{
	struct llm_tool *tools = arena_array(a, set.n + 1, sizeof(*tools));
	for (size_t i = 0; i < set.n; i++)
		tools[i] = (struct llm_tool){ .name = set.tools[i]->name, .doc = set.tools[i]->doc,
			.parameters = tool_schema(a, set.tools[i]) };
	return llm_tools_print(a, tools, set.n);
}

static enum errcode open_onboarding(void **out, const struct agent_env *env, struct err *e)
{
	static const char *const names[] = { "company", NULL };
	const struct conf *c = env->conf;
	struct onboarding_app *app = arena_alloc(env->mem, sizeof(*app));
	struct prompt *prompt;
	const char *path = arena_printf(env->mem, "%s/prompts/onboarding/system.md", c->data_dir);
	*app = (struct onboarding_app){
		.strategy = &onboarding_model,
		.llm = env->llm,
		.model = c->onboarding_model != NULL ? c->onboarding_model : MODEL,
		.company = c->onboarding_company,
		.tools = tools_onboarding,
		.context = { .table = tools_onboarding, .offered = tools_onboarding },
		.functions = print_tools(env->mem, tools_onboarding),
		.limits = {
			.model_calls = c->onboarding_model_calls,
			.tool_calls = c->onboarding_tool_calls,
			.failed_writes = c->onboarding_failed_writes,
			.exports = c->onboarding_exports,
			.turn_ms = c->onboarding_turn_s * 1000,
			.call_ms = c->onboarding_call_s * 1000,
			.history_tokens = c->history_tokens,
		},
	};
	enum errcode rc = prompt_load(&prompt, env->mem, path, names, e);
	app->prompt = prompt;
	*out = app;
	return rc;
}

const struct agent onboarding_agent = {
	.name = "onboarding",
	.graph = &onboarding_graph,
	.needs = AGENT_MODEL,
	.unlogged = true,
	.open = open_onboarding,
};
