/*
 * The router: is a question about rules, about the airport database, or about both, and which
 * countries does it name? Optional (routing.enabled); without it the planner chooses among all
 * tools.
 *
 * Two strategies behind one interface, as for planning: `builtin` needs no model; `model` asks the
 * model of llms.router, and uses `builtin` if that gives nothing usable.
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
	ROUTING_BOTH,             /* all tools; a look-up of each kind is wanted */
	ROUTING__MAX
};
extern const char *const routing_names[ROUTING__MAX];      /* "database", "rules", "both" */

enum { ROUTING_COUNTRIES = 16 };

struct routing {
	enum routing_kind kind;
	/* ISO-2, upper case, in the order in which they were named */
	char countries[ROUTING_COUNTRIES][3];
	size_t ncountries;
};

struct router {
	const char *name;
	/* Classify the last user message of run->messages, given the conversation. Fails only when
	 * the turn is over: ERR_HUP, ERR_TIMEOUT, ERR_OVERLOAD. */
	enum errcode (*route)(struct run *run, const struct tool_context *ctx, struct routing *out,
	    struct err *e);
};

extern const struct router router_builtin, router_model;

/* The tools on offer that serve a kind of question. */
struct toolset routing_offers(struct arena *a, enum routing_kind kind, struct toolset offered);

/* Add a country, if its code is valid and it is not in the list. */
void routing_add(struct routing *r, const char *code);

/* Read the model's answer: JSON {"kind", "countries"}. ERR_PLANNER: it is not that. Public for
 * tests. */
enum errcode routing_parse(struct arena *a, const char *json, struct routing *out, struct err *e);

#endif
