/*
 * What a turn looks up: a plan is one tool with its arguments, and a turn has one to three of them.
 */
#ifndef AGENTS_AVIATION_PLAN_H
#define AGENTS_AVIATION_PLAN_H

#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/jsn.h"
#include "tools/tool.h"

/* A fact that the message asks for, which the answer gives first. */
struct plan_fact {
	const char *name;             /* "runway_length", "fuel": tests/language/GUIDE.md lists them */
	const char *words;            /* of the message, "have AVGAS"; NULL: an earlier message asked for it */
};

enum { PLAN_FACTS = 6 };

struct plan {
	/* NULL: nothing is looked up, `reply` is the answer */
	const struct tool *tool;
	struct json_object *arguments;        /* object, owned by the run's arena */
	const char *answer_style;             /* "narrative_markdown" */
	const char *reply;                    /* if tool is NULL: Markdown for the user */
	/* if tool is NULL: why this look-up could not be planned, for the user; NULL: it could
	 * be */
	const char *fault;
	/* words of the message that look like a wish and that the plan does not use; NULL: none is known */
	const char *unused;
	/* the airports of a search as the pilot named them, where the arguments have codes: "Alderney, Jersey"; NULL: the search names no airport */
	const char *named;
	/* the place that the pilot named, if it has no airport, and how far the nearest one is, which is looked up for it; NULL: it has one */
	const char *stands_for;
	double stands_nm;
	/* the distance in NM that the message names and that the plan does not use, "5000"; NULL: there is none */
	const char *distance;
	/* the speed in knots, "120", that the plan uses although the pilot named no speed; the answer mentions it. NULL: nothing to mention */
	const char *assumed_kt;
	bool only_flight;             /* of a route: nothing but its length or time is asked for, so its airports are not listed */
	bool open;                    /* if tool is NULL: nothing of ours serves, but another tool might */
	/* if the message asks several questions about rules: the matter of this one, in the pilot's words; else NULL */
	const char *matter;
	const char *mass;             /* of the pilot's aircraft, "2000 kg"; NULL: not said */
	/* the facts that were asked for, which the answer gives first; `asks`: the planner has looked for them */
	struct plan_fact asked[PLAN_FACTS];
	size_t nasked;
	bool asks;
	/* if tool is NULL and `reply` asks which question is meant: the two; NULL: it does not */
	const char *choice[2];
	/* Both are only for a plan without a tool beside other plans. about: its subject, "rules".
	 * wanted: the tool that was chosen, if the arguments do not fit it. */
	const char *about;
	const struct tool *wanted;
};

enum { LOOKUPS_MAX = 3, LOOKUPS_OVER = 4 /* most further look-ups that the answer names */ };

/* The look-ups of a turn, in the order in which they are made and answered. */
struct plans {
	struct plan plan[LOOKUPS_MAX];
	size_t n;                             /* at least one */
	/* wanted as well, but there is no room for them: they are only named in the answer */
	struct plan over[LOOKUPS_OVER];
	size_t nover;
};

/* {"selected_tool","arguments","answer_style"} as the plan event and planner_meta show it; NULL for
 * a plan without a tool. */
struct json_object *plan_json(struct arena *a, const struct plan *p);

/* "Selected tool: x. with filters: k=v. with arguments: k=v." with values as Python prints them. ""
 * for a plan without a tool. */
const char *plan_reasoning(struct arena *a, const struct plan *p);

/* Check a plan: it has no fault, its tool is offered (ctx NULL: any tool is), and the arguments fit
 * the tool's schema. ERR_PLANNER with what is wrong. A tool that is not offered is reported like
 * one that does not exist: see plan_unknown(). */
enum errcode plan_check(const struct plan *p, const struct tool_context *ctx, struct err *e);
enum errcode plan_unknown(const char *tool, struct err *e);

#endif
