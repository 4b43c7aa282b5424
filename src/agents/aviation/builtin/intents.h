/*
 * From a meaning to a plan: intents are rows, and the first row that fits is used.
 *
 * An intent names the kind of result that it needs, and the first offered tool with that kind of
 * result is planned. If the tool table has none, the intent's reply is given instead; a tool that
 * is added later is then used by the row that waits for it. An intent whose tools exist but are not
 * offered is skipped.
 */
#ifndef AGENTS_AVIATION_BUILTIN_INTENTS_H
#define AGENTS_AVIATION_BUILTIN_INTENTS_H

#include "agents/aviation/plan.h"
#include "agents/aviation/builtin/intent_arguments.h"
#include "agents/aviation/builtin/query.h"
#include "agents/aviation/builtin/replies.h"

struct intent {
	const char *name;
	/* the kind of result that it needs; RESULT_OTHER: only a text */
	enum tool_result result;
	bool (*fits)(const struct query *q);
	/* May look things up in the database; con may be NULL. */
	fill_fn *fill;
	enum reply reply;
	bool aside;                           /* does not change the search before it */
	bool open;                            /* a tool of somebody else may serve */
};

/* Never NULL, because the last row fits everything. */
const struct intent *intent_of(const struct query *q);

/* The plan for a meaning, with a tool that is offered; con may be NULL. False: as far as was
 * understood, there is nothing to look up, and the plan's reply only says what is possible. */
bool intent_plan(struct arena *a, struct aircon *con, const struct tool_context *ctx,
    const struct query *q, struct plan *out);

#endif
