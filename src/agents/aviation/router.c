/*
 * What both routers share: the names of the kinds, and the tools for each.
 */
#include "agents/aviation/router.h"

#include <string.h>

#include "airports/countries.h"
#include "base/str.h"

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
