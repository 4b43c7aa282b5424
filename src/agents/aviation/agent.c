/*
 * The aviation agent as a value, and what all its runs share: the strategies that plan, route and
 * write, the model with its prompts, the templates of suggestions.
 */
#include "agents/aviation/agent.h"

#include "agents/aviation/builtin/replies.h"
#include "agents/aviation/builtin/tool_words.h"
#include "agents/aviation/builtin/trained_reader.h"
#include "agents/aviation/builtin/writer.h"
#include "agents/aviation/config.h"
#include "agents/aviation/messages.h"
#include "agents/aviation/model.h"
#include "agents/env.h"

/* The memory behind aviation_app. */
struct aviation {
	struct aviation_app app;
	struct model model;
	struct predictor *predictor;  /* NULL: prediction is switched off */
};

/* Without a model the built-in strategies plan and write. With a model they may be the spare
 * ones. */
static void choose_strategies(struct aviation_app *app, const struct agent_env *env)
{
	const struct aviation_config *b = env->config;
	const bool model = env->llm != NULL;
	app->planner = model ? &planner_model : &planner_builtin;
	app->writer = model ? &writer_model : &writer_builtin;
	if (b->routing)
		app->router = model ? &router_model : &router_builtin;
	if (model && b->builtin_fallback) {
		app->spare_planner = &planner_builtin;
		app->spare_writer = &writer_builtin;
	}
}

/* Prompts and examples are checked even without a model, because they are needed once a key is
 * set. */
static enum errcode open_model(struct aviation *av, const struct agent_env *env, struct err *e)
{
	const struct model_limits limits = {
		.first_ms = env->conf->llm_first_ms,
		.history_tokens = env->conf->history_tokens,
		.result_tokens = env->conf->result_tokens,
	};
	av->app.model = &av->model;
	return model_open(&av->model, env->mem, env->tools, env->config, env->llm, &limits, e);
}

static void close_aviation(void *app)
{
	struct aviation *av = app;
	predictor_free(av->predictor);
}

static enum errcode open_aviation(void **app, const struct agent_env *env, struct err *e)
{
	const struct aviation_config *b = env->config;
	struct aviation *av = arena_alloc(env->mem, sizeof(*av));
	av->app = (struct aviation_app){
		.tools = {
			.airports = env->airports,
			.sources = env->sources,
			.personas = env->personas,
			.geocoder = env->geocoder,
			.rules = env->rules,
			.table = env->tools,
			.offered = toolset_offered(env->mem, env->tools, b->tools),
		},
		.suggestions_max = (int)b->predict_max,
		.mcp_raw = b->ui_mcp_raw,
	};
	writer_builtin_pace = (struct writer_pace){ (int)env->conf->builtin_first_ms,
		(int)env->conf->builtin_piece_ms };
	choose_strategies(&av->app, env);
	enum errcode rc = trained_reader_open(env->conf->data_dir, e);
	if (rc == OK)
		rc = tool_words_open(env->conf->data_dir, e);
	if (rc == OK)
		rc = messages_open(env->conf->data_dir, e);
	if (rc == OK)
		rc = replies_open(env->conf->data_dir, e);
	if (rc == OK)
		rc = open_model(av, env, e);
	if (rc == OK && b->predict)
		rc = predictor_load(&av->predictor, env->tools, arena_printf(env->mem,
		    "%s/conf/next_query_predictor/default.json", env->conf->data_dir),
		    b->predict_templates, e);
	if (rc != OK)
		return rc;
	av->app.predictor = av->predictor;
	*app = av;
	return OK;
}

const struct agent aviation_agent = {
	.name = "aviation",
	.graph = &aviation_graph,
	.needs = AGENT_AIRPORTS | AGENT_RULES | AGENT_MODEL,
	.slice = &aviation_slice,
	.open = open_aviation,
	.close = close_aviation,
};
