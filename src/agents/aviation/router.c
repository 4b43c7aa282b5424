/*
 * What both routers share, and the router that needs no model: it takes the kind of question from
 * the built-in planner's understanding of the message.
 */
#include "agents/aviation/router.h"

#include <string.h>

#include "agents/aviation/builtin/kind.h"
#include "airports/countries.h"
#include "base/str.h"
#include "runtime/run.h"

const char *const routing_names[ROUTING__MAX] = {
	[ROUTING_NONE] = "none",
	[ROUTING_DATABASE] = "database",
	[ROUTING_RULES] = "rules",
	[ROUTING_BOTH] = "both",
};

struct toolset routing_offers(struct arena *a, enum routing_kind kind, struct toolset offered)
{
	if (kind == ROUTING_NONE || kind == ROUTING_BOTH)
		return offered;
	return kind == ROUTING_RULES ? toolset_of(a, offered, TOOL_RULES)
	    : toolset_but(a, offered, TOOL_RULES);
}

void routing_add(struct routing *r, const char *code)
{
	const struct country *c = country_by_code(code);

	if (c == NULL || r->ncountries == ROUTING_COUNTRIES)
		return;
	for (size_t i = 0; i < r->ncountries; i++)
		if (streq(r->countries[i], c->code))
			return;
	memcpy(r->countries[r->ncountries++], c->code, sizeof(c->code));
}

static enum errcode route(struct run *run, const struct tool_context *ctx, struct routing *out,
    struct err *e)
{
	static const enum routing_kind kinds[] = {
		[BUILTIN_DATABASE] = ROUTING_DATABASE,
		[BUILTIN_RULES] = ROUTING_RULES,
		[BUILTIN_BOTH] = ROUTING_BOTH,
	};
	struct builtin_route r;
	(void)e;

	builtin_route(run, ctx, &r);
	*out = (struct routing){ .kind = kinds[r.kind] };
	for (size_t i = 0; i < r.n; i++)
		routing_add(out, r.countries[i]);
	return OK;
}

const struct router router_builtin = { .name = "builtin", .route = route };
