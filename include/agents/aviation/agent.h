/*
 * The aviation agent: planner → predictor → tool → formatter, as a graph over the runtime.
 */
#ifndef AGENTS_AVIATION_AGENT_H
#define AGENTS_AVIATION_AGENT_H

#include <stdbool.h>

#include "agents/aviation/plan.h"
#include "agents/aviation/planner.h"
#include "agents/aviation/predictor.h"
#include "base/behavior.h"
#include "runtime/graph.h"
#include "tools/tool.h"

/* Process-wide and const once open; run->app points here. */
struct aviation_app {
	struct tool_context tools;
	const struct planner *planner;
	const struct writer *writer;
	/* take over when the language model gives nothing; NULL: nobody does */
	const struct planner *spare_planner;
	const struct writer *spare_writer;
	const struct model *model;              /* of the strategies `model`; NULL: not in use */
	const struct predictor *predictor;      /* NULL: prediction switched off */
	int suggestions_max;
	bool mcp_raw;
};

/* One turn; zeroed when it starts, so nothing of an earlier turn shows through. */
struct aviation_state {
	struct plan plan;
	const char *reasoning;                  /* planning_reasoning */
	struct json_object *suggested;          /* array or NULL */
	struct json_object *result;             /* the tool's */
	const char *failure;                    /* what went wrong, in words for the user; NULL: the table's */
	const char *thinking;
	struct json_object *ui_payload;
	const char *degraded;                   /* a spare strategy took over: which, for the user; NULL: none */
	const char *fallback_model;             /* the model that answered in place of the configured one */
};

extern const struct graph aviation_graph;

/* The nodes. */
enum errcode node_plan(struct run *run, struct err *e);
enum errcode node_predict(struct run *run, struct err *e);
enum errcode node_tool(struct run *run, struct err *e);
enum errcode node_format(struct run *run, struct err *e);

/* The last user message of the conversation, "" if there is none. */
const char *last_question(const struct run *run);

#endif
