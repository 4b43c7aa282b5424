/*
 * Planning and writing, behind one interface each: a strategy is a table row. `builtin` needs no
 * model; `model` uses one (agents/aviation/model.h). If the model gives nothing at all, the nodes
 * use the spare strategy.
 */
#ifndef AGENTS_AVIATION_PLANNER_H
#define AGENTS_AVIATION_PLANNER_H

#include "agents/aviation/plan.h"
#include "base/arena.h"
#include "base/errs.h"
#include "runtime/run.h"
#include "tools/tool.h"

/* What a planner may use besides run->messages. */
struct planner {
	const char *name;
	/*
	 * Plan the look-ups for the last user message of run->messages, given the conversation: one
	 * for each thing that it asks about. *out is zeroed first; the result is in run->mem. Only
	 * tools that ctx offers (tool_offered) are chosen. A message that no tool can serve gives
	 * OK with a plan that has no tool and a reply. ERR_PLANNER: no usable plan, the message is
	 * for the user; ERR_UPSTREAM: the model gave no reply; ERR_HUP, ERR_TIMEOUT, ERR_OVERLOAD.
	 */
	enum errcode (*plan)(struct run *run, const struct tool_context *ctx, struct plans *out,
	    struct err *e);
};

/* The result of a look-up. */
struct finding {
	const struct plan *plan;
	/* the tool's result; NULL for a plan without a tool */
	struct json_object *result;
	/* its subject, if there are others: "rules", "airports (Nice)" */
	const char *about;
};

/* What a writer gets: the look-ups that have a result, in their order; or one plan without a tool,
 * whose reply is the answer. */
struct writing {
	struct finding found[LOOKUPS_MAX];
	size_t n;                             /* at least one */
};

struct writer {
	const char *name;
	/*
	 * Write the answer for the pilot, in Markdown, from the tool's result alone, piece by
	 * piece through run_text(), which keeps what was sent. ERR_FORMATTER, ERR_TIMEOUT,
	 * ERR_OVERLOAD, ERR_HUP. ERR_UPSTREAM: the model gave no reply, and nothing was sent.
	 */
	enum errcode (*write)(struct run *run, const struct writing *w, struct err *e);
};

extern const struct planner planner_builtin, planner_model;
extern const struct writer writer_builtin, writer_model;

#endif
