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
	const char *tool_failure;               /* why it gave none, in words for the user */
	const char *thinking;
	struct json_object *ui_payload;
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
