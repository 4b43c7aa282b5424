/*
 * The planner's own reading of the conversation, without its plan.
 */
#include "agents/aviation/builtin/kind.h"

#include "agents/aviation/builtin/conversation.h"
#include "tools/rules_result.h"

enum { WAIT_MS = 200 };

static void route(struct conversation *c, struct builtin_route *out)
{
	struct country_list spoken = { .n = 0 };
	bool rules = false, airports = false;
	for (size_t later = conversation_parts(c); later-- > 0;) {
		struct conversation until = conversation_until(c, later);
		const struct rules_request *r = conversation_rules(&until);
		const struct query *q = conversation_query(&until);
		const bool searches = r == NULL || until.turn[0].both;
		rules |= r != NULL;
		airports |= searches;
		if (r != NULL)
			country_list_add_all(&spoken, &r->countries);
		if (searches) {
			const struct country_list places = conversation_countries(&until, q);
			country_list_add_all(&spoken, &places);
		}
	}
	out->kind = !rules ? BUILTIN_DATABASE : airports ? BUILTIN_BOTH : BUILTIN_RULES;
	for (size_t i = 0; i < spoken.n && i < BUILTIN_COUNTRIES; i++)
		out->countries[out->n++] = spoken.code[i];
}

static void think(struct run *run, const struct tool_context *ctx, struct aircon *con,
    struct builtin_route *out)
{
	struct conversation c;
	const struct watch watch = run_watch(run);
	struct effort effort = { .watch = &watch };
	struct arena *thoughts = arena_new();
	const struct reader rd = { .mem = thoughts, .con = con, .effort = &effort };

	*out = (struct builtin_route){ .kind = BUILTIN_DATABASE };
	conversation_open(&c, &rd, rules_of(ctx, thoughts), run);
	if (c.n > 0)
		route(&c, out);
	for (size_t i = 0; i < out->n; i++)
		out->countries[i] = arena_strdup(run->mem, out->countries[i]);
	arena_free(thoughts);
}

void builtin_route(struct run *run, const struct tool_context *ctx, struct builtin_route *out)
{
	struct aircon *con = NULL;

	if (ctx != NULL && ctx->airports != NULL &&
	    airdb_get(ctx->airports, WAIT_MS, &con, NULL) != OK)
		con = NULL;
	think(run, ctx, con, out);
	if (con != NULL && aircon_lost(con) != OK)
		think(run, ctx, NULL, out);
	airdb_put(con);
}
