/*
 * A distance that is asked between two messages about a list: "airports near Lyon", "how far is Nice from Lyon?", "only with hard runways".
 */
#include "agents/aviation/builtin/reading_amends.h"
#include "agents/aviation/builtin/reading_marks.h"

#include "base/str.h"

#define BIT(x) ((uint64_t)1 << LABEL_##x)

/* Does the route add nothing to the list but its own ends: "how far is Reims?" */
static bool only_asks_way(const struct frame *way, const struct frame *list)
{
	static const uint64_t own = BIT(FROM) | BIT(TO) | BIT(VIA) | BIT(AT) | BIT(PICK) | BIT(ASK) | BIT(SPEED) | BIT(AIRCRAFT) | BIT(DAY) | BIT(TIME);
	const struct frame_slot *asked = &way->slot[LABEL_ASK];

	if (frame_plan_kind(way) != PLAN_ROUTE || asked->n == 0)
		return false;
	for (size_t i = 0; i < asked->n; i++)
		if (!one_of(asked->value[i].text, "distance|time"))
			return false;
	for (size_t i = 0; i < LABEL__MAX; i++)
		for (size_t k = 0; (own >> i & 1) == 0 && k < way->slot[i].n; k++)
			if (!frame_has(list, i, way->slot[i].value[k].text))
				return false;
	return true;
}

/* Does the message name only wishes for a list? Places, speeds and times belong to a distance. */
static bool names_only_wishes(const struct reading *r)
{
	static const uint64_t asks_way = BIT(FROM) | BIT(TO) | BIT(VIA) | BIT(ASK) | BIT(SPEED) | BIT(AIRCRAFT) | BIT(DAY) | BIT(TIME);

	for (size_t i = 0; i < r->nmarks; i++) {
		const size_t label = frame_label_named(&aviation_schema, r->mark[i].label);
		if (label >= LABEL__MAX || (asks_way >> label & 1) != 0)
			return false;
	}
	return r->nmarks > 0 && !reading_names_place(r);
}

void reading_skip_distances(struct reading *r, struct dialogue *before)
{
	const char *how = r->nplans == 1 && r->plan[0].kind != NULL ? r->plan[0].kind : "";
	size_t n = before->n;

	/* "with customs on the way", "20 miles either side of track" are about the route whose length was asked */
	if (n < 2 || !reading_searches(r) || !one_of(how, "refine|lift|replace|correct") || !names_only_wishes(r) || reading_says(r, "role.route"))
		return;
	for (size_t list = n - 1; list-- > 0;) {
		if (!frame_is_list(before->frame[list]))
			continue;
		if (!only_asks_way(before->frame[n - 1], before->frame[list]))
			break;
		n = list + 1;
	}
	if (n < before->n)
		r->plan[0].plan = before->frame[n - 1]->plan->name;
	before->n = n;
}
