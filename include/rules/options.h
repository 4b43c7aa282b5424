/*
 * How rules are searched and compared, with a site's settings. An agent's config fills it in.
 */
#ifndef RULES_OPTIONS_H
#define RULES_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct llm_role;

/* The embedding model that ships with the program. */
#define RULES_BUILTIN "builtin"

struct rules_options {
	bool reformulate;                     /* rewrite questions in the words of rules */
	/* the models for rewriting; the first role with a model is used */
	const struct llm_role *writers[3];

	const char *embedding_model;          /* or RULES_BUILTIN */
	/* how many rules a question gets; that number is multiplied before reranking */
	int64_t top_k, multiplier;
	double threshold;                     /* least similarity */

	bool rerank;
	const char *rerank_provider, *rerank_cohere_model, *rerank_openai_model;

	bool compare;
	int64_t compare_max, compare_send_all;
	double compare_min_difference;
};

#endif
