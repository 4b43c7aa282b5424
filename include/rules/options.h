/*
 * How rules are searched and compared, as a site sets it. An agent's config fills it in.
 */
#ifndef RULES_OPTIONS_H
#define RULES_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct llm_role;

struct rules_options {
	bool reformulate;                     /* rewrite questions in the words of rules */
	const struct llm_role *writers[3];    /* who rewrites: the first that names a model */

	const char *embedding_model;
	int64_t top_k, multiplier;            /* rules for one question; times that are found to rerank */
	double threshold;                     /* least similarity */

	bool rerank;
	const char *rerank_provider, *rerank_cohere_model, *rerank_openai_model;

	bool compare;
	int64_t compare_max, compare_send_all;
	double compare_min_difference;
};

#endif
