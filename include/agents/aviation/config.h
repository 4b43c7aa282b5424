/*
 * The aviation agent's slice of the behaviour config. The schema is that of the original service
 * with a few more keys, and its files are accepted as they are.
 */
#ifndef AGENTS_AVIATION_CONFIG_H
#define AGENTS_AVIATION_CONFIG_H

#include "base/behavior.h"
#include "rules/options.h"
#include "services/llm_role.h"

struct aviation_config {
	const char *file;                     /* what was read; NULL: built-in values */
	const char *version, *name, *description;

	struct llm_role planner, formatter, router, rewriter, fallback;
	bool builtin_fallback;                /* llms.builtin_fallback */

	/* Files, resolved. Planner and formatter are NULL only with built-in values, no provider and
	 * nothing installed; the others NULL: none. */
	const char *prompt_planner, *prompt_formatter, *prompt_comparison, *examples_planner;
	struct behavior_switches tools;       /* those it says something of */

	bool routing;
	bool predict;                         /* next_query_prediction.enabled */
	int64_t predict_max;                  /* next_query_prediction.max_suggestions */
	const char *predict_templates;        /* next_query_prediction.templates_path; NULL: none */
	bool ui_mcp_raw;                      /* ui_payload.mcp_raw */
	bool all_idents;                      /* airports.all_idents */

	struct rules_options rules;
	/* the model that writes a comparison; NULL: the formatter's */
	const char *compare_model;
	double compare_temperature;
};

extern const struct behavior_slice aviation_slice;

#endif
