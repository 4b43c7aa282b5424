#include "agents/aviation/builtin/rules_question.h"

#include "agents/aviation/builtin/labels.h"
#include "agents/aviation/builtin/reading_marks.h"
#include "base/str.h"
#include "rules/retrieve.h"
#include "tools/rules_result.h"

/* The least similarity of the nearest rule, and the least probability of a question about rules. Many messages that no rule answers
 * are near one by chance: "translate this" is near the rule about the language of the radio. */
static const double NEAR_LEAST = 0.45, LIKELY_LEAST = 0.05;

/* The index in `other` of the question about rules; nothers: it is not likely enough. */
static size_t likely(const struct reading *r)
{
	size_t i = 0;

	if (r->nplans != 1 || r->plan[0].kind != NULL || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_OTHER].name))
		return r->nothers;
	while (i < r->nothers && (r->other[i].plan.kind != NULL || r->other[i].nplans != 1 ||
	    !streq(r->other[i].plan.plan, aviation_schema.plan[PLAN_ANSWER].name) || r->other[i].sure < LIKELY_LEAST))
		i++;
	return i;
}

/* Drop all marks, which belong to no question about rules, and mark the countries. */
static void mark_countries(struct reading *r)
{
	r->nmarks = 0;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "country") && !reading_is_marked(r, e->first, e->last))
			reading_put_mark(r, e->first, e->last, LABEL_COUNTRY);
	}
}

bool rules_question_found(struct reading *r, struct arena *a, const struct tool_context *ctx, const char *text)
{
	const size_t i = likely(r);
	const struct rules_snapshot *set = i < r->nothers ? rules_of(ctx, a) : NULL;

	if (set == NULL || rules_nearness(ctx->rules, set, a, text) < NEAR_LEAST)
		return false;
	const struct reading_plan plan = r->plan[0];
	const double sure = r->sure;
	r->plan[0] = r->other[i].plan;
	r->sure = r->other[i].sure;
	r->other[i].plan = plan;
	r->other[i].sure = sure;
	mark_countries(r);
	return true;
}
