/*
 * Planning and writing, behind one interface each: a strategy is a table row. `builtin`
 * needs no model; the model strategy stands beside it.
 */
#ifndef AGENTS_AVIATION_PLANNER_H
#define AGENTS_AVIATION_PLANNER_H

#include "agents/aviation/plan.h"
#include "base/arena.h"
#include "base/errs.h"
#include "runtime/run.h"
#include "tools/tool.h"

/* What a planner may look at besides run->messages. */
struct planner {
	const char *name;
	/*
	 * Choose a tool and its arguments for the last user message of run->messages, given the
	 * conversation. Result in run->mem. ERR_PLANNER: no usable plan; ERR_HUP, ERR_TIMEOUT.
	 * A message no tool can serve gives OK with plan->tool NULL and plan->reply set.
	 */
	enum errcode (*plan)(struct run *run, const struct tool_context *ctx, struct plan *out,
	    struct err *e);
};

/* What a writer is given. */
struct writing {
	const struct plan *plan;
	struct json_object *result;           /* the tool's, NULL for a plan without one */
};

struct writer {
	const char *name;
	/*
	 * Write the answer for the pilot, in Markdown, from the tool's result alone, piece by
	 * piece through run_text(); *answer is the text that was sent, in run->mem, also after
	 * a failure. ERR_FORMATTER, ERR_TIMEOUT, ERR_OVERLOAD, ERR_HUP.
	 */
	enum errcode (*write)(struct run *run, const struct writing *w, const char **answer,
	    struct err *e);
};

extern const struct planner planner_builtin;
extern const struct writer writer_builtin;

#endif
