/*
 * The router: is a question about rules, about what the airport database holds, or about both, and
 * which countries does it name? Optional (routing.enabled); without it the planner chooses among
 * all tools.
 *
 * Two strategies behind one interface, as for planning: `builtin` needs no model; `model` asks
 * llms.router's and leaves the question to `builtin` when that gives nothing usable.
 */
#ifndef AGENTS_AVIATION_ROUTER_H
#define AGENTS_AVIATION_ROUTER_H

#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"
#include "tools/tool.h"

struct run;

enum routing_kind {
	ROUTING_NONE,             /* not routed: all tools are offered */
	ROUTING_DATABASE,         /* all but the rules tools */
	ROUTING_RULES,            /* the rules tools */
	ROUTING_BOTH,             /* all tools, for a look-up of each kind */
	ROUTING__MAX
};
extern const char *const routing_names[ROUTING__MAX];      /* "database", "rules", "both" */

enum { ROUTING_COUNTRIES = 16 };

struct routing {
	enum routing_kind kind;
	char countries[ROUTING_COUNTRIES][3];   /* ISO-2, upper case, as named */
	size_t ncountries;
};

struct router {
	const char *name;
	/* Classify the last user message of run->messages, given the conversation. ERR_HUP,
	 * ERR_TIMEOUT, ERR_OVERLOAD: the turn is over; nothing else fails. */
	enum errcode (*route)(struct run *run, const struct tool_context *ctx, struct routing *out,
	    struct err *e);
};

extern const struct router router_builtin, router_model;

/* Of the tools on offer those for a kind of question. */
struct toolset routing_offers(struct arena *a, enum routing_kind kind, struct toolset offered);

/* Add a country once, if its code is one. */
void routing_add(struct routing *r, const char *code);

/* The model's answer: JSON {"kind", "countries"}. ERR_PLANNER: it is none. For tests. */
enum errcode routing_parse(struct arena *a, const char *json, struct routing *out, struct err *e);

#endif
