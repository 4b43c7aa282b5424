/*
 * The schema of the behaviour config. Adding a key is a member of struct behavior and a row here;
 * nothing else.
 */
#include "base/behavior_rows.h"

#include <stddef.h>

enum { COUNT_MAX = INT32_MAX };   /* where the schema sets no limit */

#define AT(member) offsetof(struct behavior, member)

#define LLM(role, m, flags, streams, doc) \
	{ "llms." role, B_SECTION, flags, AT(m.set), NULL, 0, 0, NULL, doc }, \
	{ "llms." role ".model", B_TEXT, B_NULLABLE, AT(m.model), NULL, 0, 0, NULL, \
	    "Its name, as the provider knows it." }, \
	{ "llms." role ".temperature", B_NUMBER, 0, AT(m.temperature), "0", 0, 2, NULL, \
	    "How freely it picks its words." }, \
	{ "llms." role ".streaming", B_BOOL, 0, AT(m.streaming), "false", 0, 0, NULL, streams }, \
	{ "llms." role ".max_retries", B_INT, 0, AT(m.max_retries), "3", 0, 10, NULL, \
	    "Further attempts when one has failed." }, \
	{ "llms." role ".request_timeout", B_INT, 0, AT(m.request_timeout), "60", 5, 300, NULL, \
	    "Seconds until a reply must have begun." }
#define NO_STREAM "Accepted; only the formatter's calls are ever streamed."

const struct behavior_row behavior_rows[] = {
	{ "version", B_TEXT, 0, AT(version), "1.0", 0, 0, NULL, "Version of the schema." },
	{ "name", B_TEXT, B_NULLABLE, AT(name), NULL, 0, 0, NULL,
	    "What people call this config." },
	{ "description", B_TEXT, B_NULLABLE, AT(description), NULL, 0, 0, NULL,
	    "What it is for." },

	{ "llms", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "The language models by what they do. Without a provider (OPENAI_API_KEY or "
	    "OPENAI_BASE_URL) none is asked." },
	LLM("planner", planner, B_REQUIRED, NO_STREAM,
	    "The one that picks a tool. AVIATION_AGENT_PLANNER_MODEL wins over its model."),
	LLM("formatter", formatter, B_REQUIRED, "Pass the answer on as it is written.",
	    "The one that writes the answer. AVIATION_AGENT_FORMATTER_MODEL wins over its model."),
	LLM("router", router, B_REQUIRED, NO_STREAM,
	    "The one that tells questions about rules from those about airports, where routing is "
	    "enabled. ROUTER_MODEL wins over its model."),
	LLM("rules", rules, B_NULLABLE, NO_STREAM,
	    "The one that puts questions about rules in the words of rules; null: the formatter's."),
	LLM("fallback", fallback, B_NULLABLE, NO_STREAM,
	    "Asked when a model of another role gives no reply; only its model is used. "
	    "AVIATION_AGENT_FALLBACK_MODEL wins over it, or gives one."),
	{ "llms.builtin_fallback", B_BOOL, 0, AT(builtin_fallback), "true", 0, 0, NULL,
	    "When the provider gives no reply, the built-in planner and writer take over; false: "
	    "the turn fails." },

	{ "routing", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Whether a question is about rules, airports or both, decided before planning." },
	{ "routing.enabled", B_BOOL, 0, AT(routing), "false", 0, 0, NULL,
	    "Decide so, with one more question to a model; about both, both are looked up. false: the "
	    "planner chooses one of all tools." },
	{ "query_reformulation", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Questions about rules, put in the words of the rules." },
	{ "query_reformulation.enabled", B_BOOL, 0, AT(reformulate), "true", 0, 0, NULL,
	    "Put them so, by the model of llms.rules or the formatter's, where there is a provider." },

	{ "rag", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "How rules are searched." },
	{ "rag.embedding_model", B_TEXT, 0, AT(embedding_model), "text-embedding-3-small", 0,
	    0, NULL, "Model that makes the vectors." },
	{ "rag.retrieval", B_SECTION, 0, B_UNKEPT, NULL, 0, 0, NULL,
	    "How many rules are found." },
	{ "rag.retrieval.top_k", B_INT, 0, AT(rag_top_k), "5", 1, 100, NULL,
	    "Rules for one question." },
	{ "rag.retrieval.similarity_threshold", B_NUMBER, 0, AT(rag_threshold), "0.3", 0, 1,
	    NULL, "Rules less similar to the question than this are left out." },
	{ "rag.retrieval.rerank_candidates_multiplier", B_INT, 0, AT(rag_multiplier), "2", 1,
	    COUNT_MAX, NULL,
	    "So many times top_k are found for the reranking to choose from." },

	{ "reranking", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Rules that were found, put in a better order." },
	{ "reranking.enabled", B_BOOL, 0, AT(rerank), "true", 0, 0, NULL, "Reorder them." },
	{ "reranking.provider", B_CHOICE, 0, AT(rerank_provider), "cohere", 0, 0,
	    "cohere|openai|none", "Who does it." },
	{ "reranking.cohere", B_SECTION, B_NULLABLE, B_UNKEPT, NULL, 0, 0, NULL,
	    "When Cohere does it." },
	{ "reranking.cohere.model", B_CHOICE, 0, AT(rerank_cohere_model), "rerank-v3.5", 0, 0,
	    "rerank-v3.5|rerank-english-v3.0|rerank-multilingual-v3.0", "Its model." },
	{ "reranking.openai", B_SECTION, B_NULLABLE, B_UNKEPT, NULL, 0, 0, NULL,
	    "When OpenAI does it." },
	{ "reranking.openai.model", B_TEXT, 0, AT(rerank_openai_model),
	    "text-embedding-3-large", 0, 0, NULL, "Its model." },

	{ "next_query_prediction", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Suggestions of what to ask next." },
	{ "next_query_prediction.enabled", B_BOOL, 0, AT(predict), "true", 0, 0, NULL,
	    "Make them." },
	{ "next_query_prediction.max_suggestions", B_INT, 0, AT(predict_max), "4", 1, 20, NULL,
	    "Most suggestions in one answer." },
	{ "next_query_prediction.templates_path", B_FILE_TEMPLATES, B_NULLABLE,
	    AT(predict_templates), "next_query_predictor/default.json", 0, 0, NULL,
	    "Templates of the suggestions; null: the built-in ones." },

	{ "comparison", B_SECTION, 0, B_UNKEPT, NULL, 0, 0, NULL,
	    "How rules of several countries are compared." },
	{ "comparison.enabled", B_BOOL, 0, AT(compare), "true", 0, 0, NULL, "Compare them." },
	{ "comparison.max_questions", B_INT, 0, AT(compare_max), "15", 1, 100, NULL,
	    "Most questions in one comparison." },
	{ "comparison.min_difference", B_NUMBER, 0, AT(compare_min_difference), "0.1", 0, 1,
	    NULL, "Answers that differ less count as the same." },
	{ "comparison.send_all_threshold", B_INT, 0, AT(compare_send_all), "10", 1, COUNT_MAX,
	    NULL, "With at most so many questions, all are compared and none is left out." },
	{ "comparison.synthesis_model", B_TEXT, B_NULLABLE, AT(compare_model), NULL, 0, 0, NULL,
	    "Model that writes the comparison; null: the formatter's." },
	{ "comparison.synthesis_temperature", B_NUMBER, 0, AT(compare_temperature), "0", 0, 2,
	    NULL, "Its temperature." },

	{ "prompts", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Files of the prompts: beside this config, else among the shipped ones." },
	{ "prompts.planner", B_FILE_NEEDED, B_REQUIRED, AT(prompt_planner), NULL, 0, 0, NULL,
	    "How to pick a tool." },
	{ "prompts.formatter", B_FILE_NEEDED, B_REQUIRED, AT(prompt_formatter), NULL, 0, 0, NULL,
	    "How to write an answer." },
	{ "prompts.comparison_synthesis", B_FILE_OURS, B_NULLABLE, AT(prompt_comparison),
	    "prompts/comparison.md", 0, 0, NULL,
	    "How to write a comparison of rules; the shipped one when there is none." },
	{ "prompts.rules_agent", B_RETIRED, 0, B_UNKEPT, NULL, 0, 0, NULL, NULL },
	{ "prompts.router", B_RETIRED, 0, B_UNKEPT, NULL, 0, 0, NULL, NULL },
	{ "examples", B_SECTION, B_REQUIRED, B_UNKEPT, NULL, 0, 0, NULL,
	    "Files of examples, found as the prompts are." },
	{ "examples.planner", B_FILE_EXTRA, B_REQUIRED | B_NULLABLE, AT(examples_planner), NULL,
	    0, 0, NULL, "Questions with their plans, shown to the planner; null: none." },
	{ "tools", B_TOOLS, B_NULLABLE, AT(tools), NULL, 0, 0, NULL,
	    "Tools by name: the path of a text that tells the planner about it, found as the prompts are, "
	    "or true (its built-in text) or false (not offered). Those that are not named are offered, "
	    "but for the older rules tools." },

	{ "ui_payload", B_SECTION, 0, B_UNKEPT, NULL, 0, 0, NULL, "What a map is given." },
	{ "ui_payload.mcp_raw", B_BOOL, 0, AT(ui_mcp_raw), "false", 0, 0, NULL,
	    "Add the tool's raw result as mcp_raw." },
	{ "airports", B_SECTION, 0, B_UNKEPT, NULL, 0, 0, NULL, "The airport database." },
	{ "airports.all_idents", B_BOOL, 0, AT(all_idents), "false", 0, 0, NULL,
	    "Search airports of every ident, not only four-character ones." },
};
const size_t behavior_nrows = sizeof(behavior_rows) / sizeof(behavior_rows[0]);
