/*
 * get_pilot_reviews: what pilots say of one airport.
 */
#include "tools/airport_named.h"

#include <math.h>

static struct json_object *tell(const struct tool_context *ctx, struct arena *a,
    struct json_object *args, const struct airport *airport, const struct friendly *r)
{
	const struct persona *persona = persona_or_standard(ctx->personas,
	    jsn_get_str(args, "_persona_id", NULL));
	const char *rated;
	struct json_object *o;

	if (r == NULL || (r->reviews == 0 && r->summary == NULL && r->ntags == 0))
		return airport_nothing(a, airport->ident, "no review of this airport is recorded",
		    arena_printf(a, "No review of %s (%s) is recorded.", airport->name, airport->ident));
	o = friendly_details(a, airport->ident, r, persona, NULL);
	jsn_add_bool(o, "found", true);
	jsn_add_str(o, "name", airport->name);
	if (persona != NULL)
		jsn_add(o, "explained", jsn_ref(persona_explain(a, persona, r->feature)));
	rated = isnan(r->rating) || r->reviews == 0 ? ""
	    : arena_printf(a, "rated %.1f of 5 in %lld %s. ", r->rating, (long long)r->reviews,
	          r->reviews == 1 ? "review" : "reviews");
	jsn_add_str(o, "pretty", arena_printf(a, "%s (%s): %s%s", airport->name, airport->ident, rated,
	    r->summary != NULL ? r->summary : ""));
	return o;
}

static const struct tool_arg rows[] = { ARG_ROW_AIRPORT };

const struct tool tool_get_pilot_reviews = {
	.name = "get_pilot_reviews",
	.doc = "Get what pilots say of one airport: rating, summary, tags and scores.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.result = RESULT_REVIEWS,
	AIRPORT_NAMED_TOOL(tell),
};
