/*
 * The predictor: suggests what the pilot may want to ask next.
 *
 * Suggestions are made from the plan, its look-up's result, the user's text and the questions that
 * the rule base answers, without any model. Templates come from a JSON file:
 *
 *   {"templates": {"<tool>": {"filters": […], "entities": […], "rule_categories": […],
 *                             "fallback_queries": […], "fixed": […]}}}
 *
 * A section that is absent in a site's file is that of the shipped file; an empty list means none.
 * Loaded once at start, immutable from then on, used by all threads.
 */
#ifndef AGENTS_AVIATION_PREDICTOR_H
#define AGENTS_AVIATION_PREDICTOR_H

#include "agents/aviation/plan.h"
#include "base/arena.h"
#include "base/errs.h"
#include "base/jsn.h"
#include "rules/rulebase.h"
#include "tools/tool.h"

struct predictor;
struct wording;

/* Load and check the templates of a site's file and of the shipped one; NULL path: only the shipped
 * ones. Suggestions whose target tool is
 * not one of `tools` are left out, with one line in the log. ERR_IO, or ERR_CONFIG: "<path>:
 * templates.<tool>.filters[1].priority must be an integer". */
enum errcode predictor_load(struct predictor **out, struct toolset tools, const char *shipped,
    const char *path, struct err *e);
void predictor_free(struct predictor *p);    /* NULL is allowed */

/* What suggestions are made from. */
struct predicting {
	const struct plan *plan;
	/* the result of the plan's look-up; NULL: there is none yet */
	struct json_object *result;
	const char *user_text;                /* the last message; may be NULL */
	/* tools that are not offered are not suggested; NULL: all are offered */
	const struct tool_context *tools;
	const struct rulebase *rules;         /* NULL: none */
	const struct wording *wording;        /* the language of the suggestions; NULL: English */
};

/* At most `max` suggestions, best first, as an array of {"text","tool","category","priority"}
 * owned by the arena; empty when there is nothing to suggest. */
struct json_object *predictor_suggest(const struct predictor *p, struct arena *a,
    const struct predicting *from, int max);

#endif
