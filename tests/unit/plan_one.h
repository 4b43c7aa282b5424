/*
 * Plans a message that asks about one thing.
 */
#ifndef TESTS_UNIT_PLAN_ONE_H
#define TESTS_UNIT_PLAN_ONE_H

#include "agents/aviation/planner.h"
#include "tests/unit/reader_fix.h"

static inline enum errcode plan_one(const struct planner *by, struct run *run,
    const struct tool_context *ctx, struct plan *out, struct err *e)
{
	struct plans plans = { .n = 0 };
	reader_open();
	enum errcode rc = by->plan(run, ctx, &plans, e);
	if (rc == OK) {
		cr_assert_eq(plans.n, (size_t)1, "%zu plans", plans.n);
		*out = plans.plan[0];
	}
	return rc;
}

#endif
