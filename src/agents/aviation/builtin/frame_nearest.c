#include "agents/aviation/builtin/frame_nearest.h"

#include "airports/place.h"
#include "airports/search.h"

/* The frame that looks for the nearest airport around one place; NULL: there is none. */
static const struct frame *nearest_wanted(const struct planning *p)
{
	for (size_t i = 0; i < p->frames->n; i++) {
		const struct frame *f = p->frames->frame[i];
		if (frame_plan_kind(f) == PLAN_NEAR && f->slot[LABEL_NEAR].n == 1 && frame_has(f, LABEL_ORDER, "distance"))
			return f;
	}
	return NULL;
}

const char *frame_nearest(const struct planning *p)
{
	static const double USUAL_NM = 50;
	const struct frame *f = nearest_wanted(p);
	const struct tool *tool = toolset_giving(p->ctx->offered, RESULT_AIRPORTS_NEAR);
	struct plan plan = { .arguments = jsn_object(p->mem) };
	struct airport_hits hits = { .n = 0 };
	struct place place;
	bool found = false;

	if (f == NULL || tool == NULL || p->con == NULL)
		return NULL;
	const struct look l = { .p = p, .f = f, .ground = place_text(p, &f->slot[LABEL_NEAR].value[0]) };
	frame_fill_near(&l, tool, &plan);
	if (place_resolve(p->con, p->mem, NULL, l.ground, NULL, &place, &found, NULL) != OK || !found)
		return NULL;
	const struct airport_query q = {
		.kind = SEARCH_NEAR, .from = { place.lat, place.lon }, .order = ORDER_DISTANCE, .max = 1,
		.radius_nm = jsn_get_num(plan.arguments, "max_distance_nm", USUAL_NM),
		.filters = jsn_get(plan.arguments, "filters"), .sources = p->ctx->sources,
		.include_large = jsn_get_bool(plan.arguments, "include_large_airports", false),
	};
	if (airport_search(p->con, p->mem, &q, &hits, NULL) != OK)
		return NULL;
	return hits.n > 0 ? hits.hits[0].a.ident : hits.nmaybe > 0 ? hits.maybe[0].a.ident : NULL;
}
