/*
 * The aviation agent: router → planner → tool → predictor → formatter, as a graph over the
 * runtime. The tool's node runs once for each look-up that was planned.
 */
#ifndef AGENTS_AVIATION_AGENT_H
#define AGENTS_AVIATION_AGENT_H

#include <stdbool.h>

#include "agents/aviation/plan.h"
#include "agents/aviation/planner.h"
#include "agents/aviation/predictor.h"
#include "agents/aviation/router.h"
#include "rules/rules.h"
#include "runtime/agent.h"
#include "tools/tool.h"

/* Process-wide and const once open; run->app points here. */
struct aviation_app {
	struct tool_context tools;
	const struct router *router;            /* NULL: routing is switched off */
	const struct planner *planner;
	const struct writer *writer;
	/* take over when the language model gives nothing; NULL: nobody does */
	const struct planner *spare_planner;
	const struct writer *spare_writer;
	const struct model *model;              /* of the strategies `model` */
	const struct predictor *predictor;      /* NULL: prediction switched off */
	int suggestions_max;
	bool mcp_raw;
};

/* A look-up: what was planned, and what came of it. */
struct lookup {
	struct plan plan;
	const char *about;                      /* what it is to tell of, beside others: "the rules" */
	struct json_object *result;             /* the tool's, in `mem`; NULL after let_results_go() */
	struct json_object *shown;              /* the same as finished text, to be sent and logged */
	struct arena *mem;                      /* of the tool's call; NULL: none, or freed */
	const char *failure;                    /* what went wrong, for the user; NULL: the table's words */
	struct err err;                         /* … while another look-up of the turn may still answer */
};

/* One turn; zeroed when it starts, so nothing of an earlier turn shows through. */
struct aviation_state {
	struct rules_view rules;                /* what router, planner, predictor and tools see */
	struct routing routing;
	struct lookup lookup[LOOKUPS_MAX];
	size_t nlookups, done;                  /* so many are planned, and carried out or failed */
	const char *reasoning;                  /* the plans that were shown, in words; NULL: none */
	const char *failure;                    /* of the turn: that of the look-up it failed with */
	struct json_object *suggested;          /* array or NULL */
	const char *thinking;
	struct json_object *ui_payload;
	const char *degraded;                   /* a spare strategy took over: which, for the user; NULL: none */
	const char *fallback_model;             /* the model that answered in place of the configured one */
};

extern const struct graph aviation_graph;
extern const struct agent aviation_agent;

/* The nodes. */
enum errcode node_route(struct run *run, struct err *e);
enum errcode node_plan(struct run *run, struct err *e);
enum errcode node_tool(struct run *run, struct err *e);
enum errcode node_predict(struct run *run, struct err *e);
enum errcode node_format(struct run *run, struct err *e);

/* The last user message of the conversation, "" if there is none. */
const char *last_question(const struct run *run);

/* -- between the nodes' own files ------------------------------------------------ */

static inline struct aviation_state *state_of(const struct run *run)
{
	return run->state;
}

static inline const struct aviation_app *app_of(const struct run *run)
{
	return run->app;
}

/* Send a piece of the reasoning. */
enum errcode node_think(struct run *run, const char *text);

/* Free the trees of all results: for a writer that has read them and waits for a model. They are the
 * largest part of what an open stream holds. */
void let_results_go(struct run *run);
/* … and make them again, for a writer that takes over. */
void get_results_back(struct run *run);

#endif
