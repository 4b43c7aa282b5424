/*
 * From a meaning to a plan: intents are rows, the first that fits wins.
 *
 * An intent names the kind of result that it needs, and the first tool on offer that gives it is
 * planned. While the tool table has none, the intent's reply is given instead, so a tool that comes
 * later is served by the row that waits for it. An intent whose tools exist but are not offered is
 * passed over.
 */
#ifndef AGENTS_AVIATION_BUILTIN_INTENTS_H
#define AGENTS_AVIATION_BUILTIN_INTENTS_H

#include "agents/aviation/plan.h"
#include "agents/aviation/builtin/query.h"

struct intent {
	const char *name;
	enum tool_result result;              /* that it needs; RESULT_OTHER: words only */
	bool (*fits)(const struct query *q);
	/* May look things up in the database; con may be NULL. */
	void (*fill)(struct arena *a, struct aircon *con, const struct query *q,
	    const struct tool *tool, struct json_object *args);
	const char *(*reply)(struct arena *a, const struct query *q);
	bool aside;                           /* leaves the search before it as it was */
};

/* Never NULL: the last row fits everything. */
const struct intent *intent_of(const struct query *q);

/* The plan for a meaning, with a tool that is offered; con may be NULL. False: there
 * was nothing to look up, as far as was understood, and the plan's reply only says what can be. */
bool intent_plan(struct arena *a, struct aircon *con, const struct tool_context *ctx,
    const struct query *q, struct plan *out);

#endif
