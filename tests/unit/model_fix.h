/*
 * A model with short prompts over a scripted provider, and a run that uses it.
 */
#ifndef TESTS_UNIT_MODEL_FIX_H
#define TESTS_UNIT_MODEL_FIX_H

#include "agents/aviation/agent.h"
#include "agents/aviation/model.h"
#include "base/log.h"
#include "runtime/run.h"
#include "services/store_backend.h"
#include "tests/unit/reader_fix.h"
#include "tests/unit/scripted_llm.h"
#include "tests/unit/sink_mem.h"

#define MODELFIX_TEMPLATES TEST_SRCDIR "/conf/next_query_predictor/default.json"

struct modelfix {
	struct arena *a;
	struct scripted_llm provider;
	struct aviation_config config;
	struct model model;
	struct aviation_app app;
	struct aviation_state state;
	struct sink_mem sink;
	struct run run;
	struct err e;
};

static const struct model_example modelfix_examples[] = {
	{ "Example question?", "{\"selected_tool\": \"search_airports\"}", "search_airports {}", NULL },
	{ "Another one?", "{\"selected_tool\": \"get_airport_details\"}", "get_airport_details {}", NULL },
};

static inline const struct prompt *modelfix_prompt(struct arena *a, const char *text,
    const char *const *names)
{
	struct prompt *p = NULL;
	struct err e;
	TEST_OK(prompt_parse(&p, a, "test.md", text, names, &e), e);
	return p;
}

/* The tools that there are; all but the older ones are offered. */
static inline void modelfix_tools(struct modelfix *f, struct toolset table)
{
	const char **docs = arena_array(f->a, table.n, sizeof(*docs));

	for (size_t i = 0; i < table.n; i++)
		docs[i] = arena_printf(f->a, "About %s.", table.tools[i]->name);
	f->model.tools = f->app.tools.table = table;
	f->model.docs = docs;
	f->app.tools.offered = toolset_offered(f->a, table, (struct behavior_switches){ NULL, 0 });
}

static inline void modelfix_open(struct modelfix *f, const struct scripted_reply *replies,
    size_t n)
{
	static const char *const planner[] = { "tool_catalog", "available_tags",
		"format_instructions", NULL };
	static const char *const formatter[] = { "answer_style", "tool_result_json", "pretty_text",
		NULL };
	static const char *const comparison[] = { "countries", "topic_context", "rules_context",
		NULL };
	static struct model_example examples[2];

	reader_open();
	*f = (struct modelfix){ .a = arena_new() };
	memcpy(examples, modelfix_examples, sizeof(examples));
	examples[0].tool = toolset_find(tools_builtin, "search_airports");
	examples[1].tool = toolset_find(tools_builtin, "get_airport_details");
	scripted_init(&f->provider, f->a, replies, n);
	f->config.planner = (struct llm_role){ true, "planner-1", 0.1, true, 0, 20 };
	f->config.formatter = (struct llm_role){ true, "formatter-1", 0.2, true, 0, 30 };
	f->config.router = (struct llm_role){ true, "router-1", 0.3, true, 5, 40 };
	f->model = (struct model){
		.llm = llm_open(&f->provider.base, &(struct llm_config){ .backoff_ms = 1 }),
		.config = &f->config,
		.planner = modelfix_prompt(f->a, "Plan with: {tool_catalog} [{available_tags}] "
		    "{format_instructions}", planner),
		.formatter = modelfix_prompt(f->a, "Write in {answer_style}.", formatter),
		.comparison = modelfix_prompt(f->a, "Compare {countries}. {topic_context}\n"
		    "{rules_context}", comparison),
		.examples = examples, .nexamples = 2,
		.history_tokens = 1000, .result_tokens = 4000,
	};
	f->app = (struct aviation_app){ .planner = &planner_model, .writer = &writer_model,
		.model = &f->model };
	modelfix_tools(f, tools_builtin);
	sink_mem_init(&f->sink, f->a);
	f->run = (struct run){ .mem = f->a, .app = &f->app, .state = &f->state,
		.log.first.sink = &f->sink.sink };
	log_level_set("OFF");
}

static inline void modelfix_close(struct modelfix *f)
{
	llm_close(f->model.llm);
	arena_free(f->a);
}

/* A conversation with one question. */
static inline void modelfix_ask(struct modelfix *f, const char *question)
{
	f->run.messages = arena_array(f->a, 1, sizeof(struct message));
	f->run.messages[0] = (struct message)MESSAGE("user", question);
	f->run.nmessages = 1;
}

/* A whole turn of a new conversation. */
static inline void modelfix_turn(struct modelfix *f, const char *question)
{
	const struct message m = MESSAGE("user", question);
	const struct turn_request req = { .messages = &m, .nmessages = 1 };
	struct store *store;
	int64_t retry_ms;

	TEST_OK(store_memory_new(&store, 0, 10, 1 << 20, &f->e), f->e);
	f->run = (struct run){ .mem = f->a, .agent = &aviation_agent, .app = &f->app,
		.log.first.sink = &f->sink.sink, .store = store,
		.limits = { .lease_ms = 10000, .history_messages = 40 } };
	TEST_OK(run_begin(&f->run, &req, &retry_ms, &f->e), f->e);
	cr_expect_eq(run_turn(&f->run), OK);
	store_close(store);
}

/* "system user assistant", the roles of the n-th request. */
static inline const char *modelfix_roles(struct modelfix *f, size_t n)
{
	const char *out = "";
	for (size_t i = 0; i < f->provider.asked[n].n; i++)
		out = arena_printf(f->a, "%s%s%s", out, i > 0 ? " " : "",
		    f->provider.asked[n].messages[i].role);
	return out;
}

#endif
