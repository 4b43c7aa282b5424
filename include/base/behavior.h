/*
 * Behaviour config: how the assistant behaves, from a JSON file (conf/aviation_agent/<name>.json).
 *
 * One row a key (base/behavior_rows.h): path, type, bounds, default, documentation. The schema is
 * the original's with a few keys more, and its files are accepted as they are. Unknown keys are
 * warned about. Numbers and booleans may be written as text.
 *
 * Where the file is, the first that exists: PROJECT_ROOT/configs/aviation_agent/,
 * PROJECT_ROOT/conf/aviation_agent/, the shipped conf/aviation_agent/. A missing name falls
 * back to "default" with a warning; a missing default to the built-in values.
 *
 * Relative paths in it: beside it first, then among the shipped files (the data folder, and
 * prompts/ there; for templates_path the folder above the config, then the shipped conf/).
 */
#ifndef BASE_BEHAVIOR_H
#define BASE_BEHAVIOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/conf.h"
#include "base/errs.h"

struct buf;

/* One role a language model plays: llms.<role>. */
struct behavior_llm {
	bool set;                             /* the section is there and not null */
	const char *model;                    /* the environment's override applied; NULL: none */
	double temperature;
	bool streaming;
	int64_t max_retries, request_timeout; /* s */
};

/* What a site says of a thing that it names, such as a tool: tools.<name>. */
struct behavior_switch {
	const char *name;
	const char *path;                     /* a text about it, resolved; NULL: the built-in one */
	bool on;
};

struct behavior {
	const char *file;                     /* what was read; NULL: built-in values */
	const char *version, *name, *description;

	struct behavior_llm planner, formatter, router, rules, fallback;
	bool builtin_fallback;                /* llms.builtin_fallback */

	/* Files, resolved. Planner and formatter are NULL only with built-in values, no provider and
	 * nothing installed; the others NULL: none. */
	const char *prompt_planner, *prompt_formatter, *prompt_comparison, *examples_planner;
	struct behavior_switch *tools;        /* those it says something of */
	size_t ntools;

	bool predict;                         /* next_query_prediction.enabled */
	int64_t predict_max;                  /* next_query_prediction.max_suggestions */
	const char *predict_templates;        /* next_query_prediction.templates_path; NULL: none */
	bool ui_mcp_raw;                      /* ui_payload.mcp_raw */
	bool all_idents;                      /* airports.all_idents */

	/* the rules tools */
	bool routing, reformulate;
	const char *embedding_model;
	int64_t rag_top_k, rag_multiplier;
	double rag_threshold;
	bool rerank;
	const char *rerank_provider, *rerank_cohere_model, *rerank_openai_model;
	bool compare;
	int64_t compare_max, compare_send_all;
	double compare_min_difference;
	const char *compare_model;
	double compare_temperature;
};

/*
 * Find, read and check it, models of the environment applied. ERR_CONFIG names file, key and
 * reason (a line, when it is not JSON); ERR_IO: it cannot be read. Strings live in the arena or
 * are those of `c`.
 */
enum errcode behavior_load(struct behavior *b, const struct conf *c, struct arena *a,
    struct err *e);
/* Every key with its documentation, bounds, default and present value. */
void behavior_print(const struct behavior *b, struct buf *out);

#endif
