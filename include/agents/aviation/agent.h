/*
 * The aviation agent: router → planner → tool → predictor → formatter, as a graph over the runtime.
 * The tool's node runs once for each planned look-up.
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
struct wording;

struct aviation_app {
	struct tool_context tools;
	const struct router *router;            /* NULL: routing is switched off */
	const struct planner *planner;
	const struct writer *writer;
	/* used when the language model gives nothing; NULL: the turn fails then */
	const struct planner *spare_planner;
	const struct writer *spare_writer;
	const struct model *model;              /* the data of the strategies `model` */
	const struct predictor *predictor;      /* NULL: prediction switched off */
	int suggestions_max;
	bool mcp_raw;
};

/* A look-up: its plan and its result. */
struct lookup {
	struct plan plan;
	/* its subject, to tell it from the others: "rules" */
	const char *about;
	/* the tool's result, in `mem`; NULL after let_results_go() */
	struct json_object *result;
	/* the same as finished text, which is sent and logged */
	struct json_object *shown;
	/* memory of the tool's call; NULL: none, or freed */
	struct arena *mem;
	const char *failure;                    /* what went wrong, for the user; NULL: the table's words */
	/* … while another look-up of the turn may still succeed */
	struct err err;
};

/* One turn; zeroed when it starts, so nothing of an earlier turn shows through. */
struct aviation_state {
	struct rules_view rules;                /* for router, planner, predictor and tools */
	struct routing routing;
	/* what the thread keeps beside its messages (builtin/talk.h): before this turn, and with it. NULL: nothing yet,
	 * or a model has planned */
	struct talk *talk, *talk_now;
	struct lookup lookup[LOOKUPS_MAX];
	/* that many are planned, and carried out or failed */
	size_t nlookups, done;
	/* the wanted look-ups for which there was no room, in words; NULL: none */
	const char *over;
	/* the plans that were shown, in words; NULL: none was shown */
	const char *reasoning;
	/* the turn's error code: that of the look-up with which it failed */
	const char *failure;
	struct json_object *suggested;          /* array or NULL */
	const char *thinking;
	struct json_object *ui_payload;
	/* a spare strategy was used: a sentence for the user; NULL: none was */
	const char *degraded;
	/* of the pilot, "fr"; when the turn begins, that of the talk before. NULL: not known yet */
	const char *language;
	/* the model that answered instead of the configured one */
	const char *fallback_model;
};

extern const struct graph aviation_graph;
extern const struct agent aviation_agent;

/* The nodes. */
enum errcode node_route(struct run *run, struct err *e);
enum errcode node_plan(struct run *run, struct err *e);
enum errcode node_tool(struct run *run, struct err *e);
enum errcode node_predict(struct run *run, struct err *e);
enum errcode node_format(struct run *run, struct err *e);

/* Find the language of the turn, at its beginning. */
void turn_language_read(struct run *run);
/* What the agent says, in the language of the turn; in English before that. */
const struct wording *turn_wording(const struct run *run);

/* The thread's state between turns: the language of the talk. */
struct json_object *aviation_save(const struct run *run);
enum errcode aviation_load(struct run *run, struct json_object *o, struct err *e);

/* The last user message of the conversation, "" if there is none. */
const char *last_question(const struct run *run);

/* -- shared by the nodes' files -------------------------------------------------- */

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

/* Free the trees of all results. A writer calls this when it has read them and waits for a model,
 * because they are the largest part of what an open stream holds. */
void let_results_go(struct run *run);
/* … and make them again, for a writer that takes over. */
void get_results_back(struct run *run);

#endif
