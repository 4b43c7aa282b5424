/*
 * The onboarding agent, and what all its runs share.
 */
#include "agents/onboarding/onboarding.h"

#include "agents/env.h"
#include "agents/onboarding/builtin/words.h"
#include "base/conf.h"
#include "services/llm_provider.h"

#define MODEL "gpt-4o-mini"

static struct llm_tools print_tools(struct arena *a, struct toolset set)
{
	struct llm_tool *tools = arena_array(a, set.n + 1, sizeof(*tools));
	for (size_t i = 0; i < set.n; i++)
		tools[i] = (struct llm_tool){ .name = set.tools[i]->name, .doc = set.tools[i]->doc,
			.parameters = tool_schema(a, set.tools[i]) };
	return llm_tools_print(a, tools, set.n);
}

/* A prompt with one variable. */
static enum errcode load_prompt(const struct prompt **out, const struct agent_env *env, const char *file,
    const char *variable, struct err *e)
{
	const char *const names[] = { variable, NULL };
	struct prompt *prompt = NULL;
	enum errcode rc = prompt_load(&prompt, env->mem, arena_printf(env->mem, "%s/prompts/onboarding/%s",
	    env->conf->data_dir, file), names, e);
	*out = prompt;
	return rc;
}

static enum errcode open_onboarding(void **out, const struct agent_env *env, struct err *e)
{
	const struct conf *c = env->conf;
	const char *of_provider = llm_provider_model(c);
	struct onboarding_app *app = arena_alloc(env->mem, sizeof(*app));
	*app = (struct onboarding_app){
		.strategy = env->llm != NULL ? &onboarding_model : &onboarding_builtin,
		.spare = env->llm != NULL ? &onboarding_builtin : NULL,
		.llm = env->llm,
		.model = c->onboarding_model != NULL ? c->onboarding_model : of_provider != NULL ? of_provider
		    : MODEL,
		.company = c->onboarding_company,
		.export_dir = c->onboarding_export_dir,
		.tools = tools_onboarding,
		.context = { .table = tools_onboarding, .offered = tools_onboarding, .knowledge = env->knowledge },
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
	*out = app;
	struct onboarding_words *words = NULL;
	enum errcode rc = onboarding_words_load(&words, env->mem, c->data_dir, e);
	app->words = words;
	if (rc == OK)
		rc = load_prompt(&app->prompt, env, "system.md", "company", e);
	return rc == OK ? load_prompt(&app->summary, env, "summary.md", "record", e) : rc;
}

const struct agent onboarding_agent = {
	.name = "onboarding",
	.graph = &onboarding_graph,
	.needs = AGENT_MODEL,
	.unlogged = true,
	.needs_state = true,
	.open = open_onboarding,
};
