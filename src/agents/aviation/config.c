/*
 * The rows of the aviation agent's slice. To add a key, add a member to struct aviation_config and
 * a row here.
 */
#include "agents/aviation/config.h"

#include <string.h>

#include "services/llm_provider.h"

enum { COUNT_MAX = INT32_MAX };   /* where the schema sets no limit */

#define AT(member) offsetof(struct aviation_config, member)

#define LLM(role, m, flags, streams, doc) \
	{ "llms." role, B_SECTION, flags, AT(m.set), NULL, 0, 0, NULL, doc }, \
	{ "llms." role ".model", B_TEXT, B_NULLABLE, AT(m.model), NULL, 0, 0, NULL, \
	    "Name of the model, as the provider knows it." }, \
	{ "llms." role ".temperature", B_NUMBER, 0, AT(m.temperature), "0", 0, 2, NULL, \
	    "Temperature of the model: how freely it chooses its words." }, \
	{ "llms." role ".streaming", B_BOOL, 0, AT(m.streaming), "false", 0, 0, NULL, streams }, \
	{ "llms." role ".max_retries", B_INT, 0, AT(m.max_retries), "3", 0, 10, NULL, \
	    "Further attempts after one that failed." }, \
	{ "llms." role ".request_timeout", B_INT, 0, AT(m.request_timeout), "60", 5, 300, NULL, \
	    "Seconds until a reply must have begun." }
#define NO_STREAM "Accepted, without effect: only the formatter's calls are streamed."

static const struct behavior_row rows[] = {
	{ "version", B_TEXT, 0, AT(version), "1.0", 0, 0, NULL, "Version of the schema." },
	{ "name", B_TEXT, B_NULLABLE, AT(name), NULL, 0, 0, NULL,
	    "What people call this config." },
	{ "description", B_TEXT, B_NULLABLE, AT(description), NULL, 0, 0, NULL,
	    "What this config is for." },

	{ "llms", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "The language models, one for each role. They are used only when a provider is set "
	    "(OPENAI_API_KEY, OPENAI_BASE_URL or LLM_PROVIDER). Their names are replaced by "
	    "the provider's own setting, if there is one (ANTHROPIC_MODEL, …)." },
	LLM("planner", planner, B_REQUIRED, NO_STREAM,
	    "The model that chooses tools. AVIATION_AGENT_PLANNER_MODEL overrides its name."),
	LLM("formatter", formatter, B_REQUIRED, "Send the answer while it is being written.",
	    "The model that writes the answer. AVIATION_AGENT_FORMATTER_MODEL overrides its name."),
	LLM("router", router, B_REQUIRED, NO_STREAM,
	    "The model that tells questions about rules from questions about airports, if "
	    "routing.enabled is true. ROUTER_MODEL overrides its name."),
	LLM("rules", rewriter, B_NULLABLE, NO_STREAM,
	    "The model that rewrites questions about rules as search terms; null: the formatter's "
	    "model."),
	LLM("fallback", fallback, B_NULLABLE, NO_STREAM,
	    "The model that is asked when the model of another role gives no reply. Only its name is "
	    "used. AVIATION_AGENT_FALLBACK_MODEL overrides it, or sets one."),
	{ "llms.builtin_fallback", B_BOOL, 0, AT(builtin_fallback), "true", 0, 0, NULL,
	    "true: if the provider gives no reply, the built-in planner and writer answer. false: the "
	    "turn fails." },

	{ "routing", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Whether a question is about rules, airports or both, decided before planning." },
	{ "routing.enabled", B_BOOL, 0, AT(routing), "false", 0, 0, NULL,
	    "true: one more call to a model decides it, and a question about both has both looked up. "
	    "false: the planner chooses among all tools." },
	{ "query_reformulation", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Rewriting questions about rules before the search." },
	{ "query_reformulation.enabled", B_BOOL, 0, AT(rules.reformulate), "true", 0, 0, NULL,
	    "If a provider is set, a model (llms.rules, else the formatter's) rewrites the question as "
	    "English search terms first." },

	{ "rag", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "How rules are searched." },
	{ "rag.embedding_model", B_TEXT, 0, AT(rules.embedding_model), "text-embedding-3-small", 0,
	    0, NULL, "Model of the provider that makes the vectors of texts and questions. \"builtin\": those that ship "
	    "with the program, which are also used without a provider, and with one that makes no vectors." },
	{ "rag.retrieval", B_SECTION, 0, B_UNKEPT, NULL, 0, 0, NULL,
	    "How many rules are found." },
	{ "rag.retrieval.top_k", B_INT, 0, AT(rules.top_k), "5", 1, 100, NULL,
	    "How many rules are found for one question." },
	{ "rag.retrieval.similarity_threshold", B_NUMBER, 0, AT(rules.threshold), "0.3", 0, 1,
	    NULL, "Rules that are less similar to the question than this are left out." },
	{ "rag.retrieval.rerank_candidates_multiplier", B_INT, 0, AT(rules.multiplier), "2", 1,
	    COUNT_MAX, NULL,
	    "The reranking chooses from top_k times this many rules." },

	{ "reranking", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Putting the rules that were found in a better order." },
	{ "reranking.enabled", B_BOOL, 0, AT(rules.rerank), "true", 0, 0, NULL, "Rerank the rules that were found." },
	{ "reranking.provider", B_CHOICE, 0, AT(rules.rerank_provider), "cohere", 0, 0,
	    "cohere|openai|none", "The service that reranks." },
	{ "reranking.cohere", B_SECTION, B_NULLABLE, B_UNKEPT, NULL, 0, 0, NULL,
	    "Reranking by Cohere." },
	{ "reranking.cohere.model", B_CHOICE, 0, AT(rules.rerank_cohere_model), "rerank-v3.5", 0, 0,
	    "rerank-v3.5|rerank-english-v3.0|rerank-multilingual-v3.0", "Model that reranks." },
	{ "reranking.openai", B_SECTION, B_NULLABLE, B_UNKEPT, NULL, 0, 0, NULL,
	    "Reranking by OpenAI." },
	{ "reranking.openai.model", B_TEXT, 0, AT(rules.rerank_openai_model),
	    "text-embedding-3-large", 0, 0, NULL, "Model that reranks." },

	{ "next_query_prediction", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Suggestions of what to ask next." },
	{ "next_query_prediction.enabled", B_BOOL, 0, AT(predict), "true", 0, 0, NULL,
	    "Suggest what to ask next." },
	{ "next_query_prediction.max_suggestions", B_INT, 0, AT(predict_max), "4", 1, 20, NULL,
	    "The most suggestions in one answer." },
	{ "next_query_prediction.templates_path", B_FILE_TEMPLATES, B_NULLABLE,
	    AT(predict_templates), "next_query_predictor/default.json", 0, 0, NULL,
	    "Templates of the suggestions; null: the built-in ones." },

	{ "comparison", B_SECTION, 0, B_UNKEPT, NULL, 0, 0, NULL,
	    "How rules of several countries are compared." },
	{ "comparison.enabled", B_BOOL, 0, AT(rules.compare), "true", 0, 0, NULL, "Allow comparisons of rules." },
	{ "comparison.max_questions", B_INT, 0, AT(rules.compare_max), "15", 1, 100, NULL,
	    "The most questions in one comparison." },
	{ "comparison.min_difference", B_NUMBER, 0, AT(rules.compare_min_difference), "0.1", 0, 1,
	    NULL, "Answers that differ less count as the same." },
	{ "comparison.send_all_threshold", B_INT, 0, AT(rules.compare_send_all), "10", 1, COUNT_MAX,
	    NULL, "With at most this many questions, none is left out of the comparison." },
	{ "comparison.synthesis_model", B_TEXT, B_NULLABLE, AT(compare_model), NULL, 0, 0, NULL,
	    "Model that writes the comparison; null: the formatter's." },
	{ "comparison.synthesis_temperature", B_NUMBER, 0, AT(compare_temperature), "0", 0, 2,
	    NULL, "Temperature of the model that writes the comparison." },

	{ "prompts", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Files of the prompts. They are looked for beside this config, then among the shipped ones." },
	{ "prompts.planner", B_FILE_NEEDED, B_REQUIRED, AT(prompt_planner), NULL, 0, 0, NULL,
	    "The prompt for choosing a tool." },
	{ "prompts.formatter", B_FILE_NEEDED, B_REQUIRED, AT(prompt_formatter), NULL, 0, 0, NULL,
	    "The prompt for writing an answer." },
	{ "prompts.comparison_synthesis", B_FILE_OURS, B_NULLABLE, AT(prompt_comparison),
	    "prompts/comparison.md", 0, 0, NULL,
	    "The prompt for writing a comparison of rules. If the file is missing, the shipped one is used." },
	{ "prompts.rules_agent", B_RETIRED, 0, B_UNKEPT, NULL, 0, 0, NULL, NULL },
	{ "prompts.router", B_RETIRED, 0, B_UNKEPT, NULL, 0, 0, NULL, NULL },
	{ "examples", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Files of examples. They are looked for as the prompts are." },
	{ "examples.planner", B_FILE_EXTRA, B_REQUIRED | B_NULLABLE, AT(examples_planner), NULL,
	    0, 0, NULL, "Questions with their plans, shown to the planner; null: none." },
	{ "tools", B_SWITCHES, B_NULLABLE, AT(tools), NULL, 0, 0, NULL,
	    "Tools by name. The value is the path of a text that describes the tool to the planner (looked "
	    "for as the prompts are), or true (the built-in text), or false (the tool is not offered). "
	    "Tools that are not named here are offered, except the older rules tools." },

	{ "ui_payload", B_SECTION, 0, B_UNKEPT, NULL, 0, 0, NULL, "What the page gets for its map." },
	{ "ui_payload.mcp_raw", B_BOOL, 0, AT(ui_mcp_raw), "false", 0, 0, NULL,
	    "Add the tool's raw result as mcp_raw." },
	{ "airports", B_SECTION, 0, B_UNKEPT, NULL, 0, 0, NULL, "The airport database." },
	{ "airports.all_idents", B_BOOL, 0, AT(all_idents), "false", 0, 0, NULL,
	    "Search airports of every ident, not only four-character ones." },
};

/* Used when there is no file at all. */
static const char builtin[] =
	"{\"llms\": {\"planner\": {}, \"formatter\": {\"streaming\": true},"
	"  \"router\": {\"model\": \"gpt-4o-mini\"}},"
	" \"routing\": {}, \"query_reformulation\": {}, \"rag\": {}, \"reranking\": {},"
	" \"next_query_prediction\": {},"
	" \"prompts\": {\"planner\": \"prompts/planner.md\","
	"  \"formatter\": \"prompts/formatter.md\"},"
	" \"examples\": {\"planner\": \"prompts/planner_examples.json\"}}";

/* The provider's own setting (ANTHROPIC_MODEL, …) replaces every name in the file: the file's names are
 * those of another provider. */
static void take_provider_model(struct aviation_config *b, const char *model)
{
	struct llm_role *const roles[] = { &b->planner, &b->formatter, &b->router, &b->rewriter };
	if (model == NULL)
		return;
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (roles[i]->set)
			roles[i]->model = model;
	b->fallback.set = false;
	b->fallback.model = NULL;
	b->compare_model = NULL;
}

/* Models of the environment win over the file's, and those of one role over the provider's. */
static enum errcode settle(void *values, const struct conf *c, const char *file, struct err *e)
{
	struct aviation_config *b = values;
	take_provider_model(b, llm_provider_model(c));
	const struct { const char *model; struct llm_role *role; } overrides[] = {
		{ c->planner_model, &b->planner }, { c->formatter_model, &b->formatter },
		{ c->router_model, &b->router }, { c->fallback_model, &b->fallback },
	};
	if (c->fallback_model != NULL && !b->fallback.set)
		b->fallback = b->formatter;
	for (size_t i = 0; i < sizeof(overrides) / sizeof(overrides[0]); i++)
		if (overrides[i].model != NULL)
			overrides[i].role->model = overrides[i].model;
	if (b->fallback.set && b->fallback.model == NULL)
		return err_set(e, ERR_CONFIG, "%s: llms.fallback.model is required; without a "
		    "fallback, llms.fallback is null", file);
	b->rules.writers[0] = &b->rewriter;
	b->rules.writers[1] = &b->formatter;
	b->rules.writers[2] = &b->planner;
	return OK;
}

const struct behavior_slice aviation_slice = {
	.folder = "aviation_agent",
	.rows = rows,
	.nrows = sizeof(rows) / sizeof(rows[0]),
	.size = sizeof(struct aviation_config),
	.file = offsetof(struct aviation_config, file),
	.builtin = builtin,
	.settle = settle,
};
