#include "agents/aviation/builtin/rules_question.h"

#include "agents/aviation/builtin/labels.h"
#include "agents/aviation/builtin/reading_marks.h"
#include "base/str.h"
#include "rules/retrieve.h"
#include "tools/rules_result.h"

/* The least similarity of the nearest rule, and the least probability of a question about rules. Many messages that no rule answers
 * are near one by chance: "translate this" is near the rule about the language of the radio. */
static const double NEAR_LEAST = 0.45, LIKELY_LEAST = 0.05;

static void mark_countries(struct reading *r)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "country") && !reading_is_marked(r, e->first, e->last))
			reading_put_mark(r, e->first, e->last, LABEL_COUNTRY);
	}
}

bool rules_question_found(struct reading *r, struct arena *a, const struct tool_context *ctx, const char *text)
{
	const bool other = r->nplans == 1 && r->plan[0].kind == NULL && streq(r->plan[0].plan, aviation_schema.plan[PLAN_OTHER].name);
	const size_t answer = reading_other_at(r, PLAN_ANSWER);

	if (!other || answer == r->nothers || r->other[answer].sure < LIKELY_LEAST)
		return false;
	const struct rules_snapshot *set = rules_of(ctx, a);
	if (set == NULL || rules_nearness(ctx->rules, set, a, text) < NEAR_LEAST)
		return false;
	reading_take_other(r, answer);
	mark_countries(r);
	return true;
}
