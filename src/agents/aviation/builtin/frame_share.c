/*
 * "Has Hvar customs, and how long before must I call?", "near Lyon with customs and near Annecy": what one plan of a message says
 * often holds for the plan beside it.
 */
#include "agents/aviation/builtin/frame_amends_own.h"

#include "agents/aviation/builtin/reading_marks.h"
#include "base/str.h"

/* Of "near Lyon with customs and near Annecy" both are wished for with customs: a plan that only says where takes what
 * else the plan beside it says. */
static void share_wishes(struct frame *f, const struct frame *other)
{
	const uint64_t both = f->plan->labels & other->plan->labels & ~WHERE;

	if (f->kind != NULL || other->kind != NULL || frame_says(f, f->plan->labels & ~WHERE) || !frame_says(f, WHERE))
		return;
	for (size_t i = 0; i < LABEL__MAX; i++)
		if ((both >> i & 1) != 0)
			f->slot[i] = other->slot[i];
}

/* Does the message itself say where the i-th plan looks? The frame may also have taken over a place, a country or a pick from an earlier
 * message. */
static bool names_where(const struct frames *f, const struct reading *r, size_t i)
{
	if (f->n != r->nplans)
		return frame_says(f->frame[i], WHERE);
	for (size_t k = 0; k < r->nmarks; k++) {
		const struct mark *m = &r->mark[k];
		const size_t label = frame_label_named(&aviation_schema, m->label);
		size_t first = 0;         /* a mark without a plan number belongs to the first plan that can have its label */
		if (m->lifted || label >= LABEL__MAX || (WHERE >> label & 1) == 0 || (f->frame[i]->plan->labels >> label & 1) == 0)
			continue;
		while (first < i && (f->frame[first]->plan->labels >> label & 1) == 0)
			first++;
		if (m->plans != 0 ? (m->plans >> i & 1) != 0 : first == i)
			return true;
	}
	return false;
}

/* "Has Hvar customs, and how long before must I call?" asks both of the same airport. */
static void share_airport(struct frame *f, const struct frame *other, bool named)
{
	if (named || !frame_says(other, BIT(AT) | BIT(PICK)))
		return;
	f->slot[LABEL_AT] = other->slot[LABEL_AT];
	f->slot[LABEL_PICK] = other->slot[LABEL_PICK];
}

/* "Has Roskilde avgas, and how far is that from Hanover?": a route of which one end is named goes to the airport that was asked about, or
 * begins there. */
static void share_end(struct frame *route, const struct frame *other)
{
	const bool from = frame_says(route, BIT(FROM)), to = frame_says(route, BIT(TO));

	/* "it" is the airport of the same message */
	const bool it = frame_has(route, LABEL_PICK, "it") && route->slot[LABEL_PICK].n == 1;

	if (from == to || frame_says(route, BIT(AT)) || (frame_says(route, BIT(PICK)) && !it) || other->slot[LABEL_AT].n != 1)
		return;
	route->slot[from ? LABEL_TO : LABEL_FROM] = other->slot[LABEL_AT];
	route->slot[LABEL_PICK].n = 0;
}

/* Which airport does "there" mean after a question about a route? The end of the route. But "how far is Texel from Southend?" is about
 * Texel, which is the start. */
static enum label subject_of(const struct frame *route, const struct reading *r)
{
	const struct mark *to = reading_marked(r, LABEL_TO);

	if (route->slot[LABEL_TO].n == 0)
		return LABEL_AT;
	return to != NULL && reading_is_behind(r, to, "role.from") && route->slot[LABEL_FROM].n == 1 ? LABEL_FROM : LABEL_TO;
}

/* "How far is it from Egelsbach to Juist, and how long is the runway there?": the airport is the end of the route. */
static void share_destination(struct frame *f, const struct frame *route, const struct reading *r)
{
	const char *pick = frame_get(f, LABEL_PICK);
	const enum label subject = subject_of(route, r);

	if (frame_says(f, WHERE & ~BIT(PICK)) || (pick != NULL && !streq(pick, "it")) || route->slot[subject].n != 1)
		return;
	f->slot[LABEL_AT] = route->slot[subject];
	f->slot[LABEL_PICK] = (struct frame_slot){ .n = 0 };
}

/* "From Cannes to Albenga on Saturday, and how early must customs know?": a route does not use the day. The notice beside it does. */
static void share_day(struct frame *f, const struct frame *other)
{
	if (frame_says(f, BIT(DAY) | BIT(TIME)))
		return;
	f->slot[LABEL_DAY] = other->slot[LABEL_DAY];
	f->slot[LABEL_TIME] = other->slot[LABEL_TIME];
}

/* "Tell me about Noirmoutier, then what is near there": if the search names no place, it is around the airport of the question before it. */
static void share_ground(struct frame *f, const struct frame *other)
{
	if (frame_says(f, WHERE) || f->kind != NULL)
		return;
	f->slot[LABEL_AT] = other->slot[LABEL_AT];
	f->slot[LABEL_PICK] = other->slot[LABEL_PICK];
}

/* "Hours of Sandown and of Alderney on Saturday": both are asked the same, for the same day. */
static void share_question(struct frame *x, struct frame *y)
{
	if (!frame_says(x, BIT(ASK)) || frame_says(y, ~(WHERE | BIT(DAY) | BIT(TIME))) || !frame_says(y, BIT(DAY) | BIT(TIME)) || frame_says(x, BIT(DAY) | BIT(TIME)))
		return;
	y->slot[LABEL_ASK] = x->slot[LABEL_ASK];
	x->slot[LABEL_DAY] = y->slot[LABEL_DAY];
	x->slot[LABEL_TIME] = y->slot[LABEL_TIME];
}

/* Opening hours and landings at night depend on the day: "customs at Samedan on 24 December, and may I land after sunset?" */
static bool asks_of_day(const struct frame *f)
{
	return frame_plan_kind(f) == PLAN_DETAILS && (frame_has(f, LABEL_ASK, "night") || frame_has(f, LABEL_ASK, "hours"));
}

/* A notice takes the day of the route beside it. A question about hours or the night takes the day of the notice beside it. Searches share their
 * wishes, wherever these stand. "The runway at Lyon, and at Annecy?" asks the same of both; "all about Lyon, and the fee at Annecy" does not. */
void frames_share(struct frames *f, const struct reading *r)
{
	for (size_t i = 0; i + 1 < f->n; i++) {
		struct frame *x = f->frame[i], *y = f->frame[i + 1];
		const enum plan_kind of_x = frame_plan_kind(x), of_y = frame_plan_kind(y);
		const bool searches = (of_x == PLAN_NEAR || of_x == PLAN_SEARCH) && (of_y == PLAN_NEAR || of_y == PLAN_SEARCH);
		if (searches)
			share_wishes(x, y);
		if (searches || of_x == of_y)
			share_wishes(y, x);
		if (plan_is_about_one(of_x) && of_x == of_y)
			share_question(x, y);
		if (plan_is_about_one(of_x) && plan_is_about_one(of_y)) {
			share_airport(x, y, names_where(f, r, i));
			share_airport(y, x, names_where(f, r, i + 1));
		}
		if (of_x == PLAN_ROUTE && of_y == PLAN_NOTICE)
			share_day(y, x);
		if (of_x == PLAN_NOTICE && asks_of_day(y))
			share_day(y, x);
		if (of_y == PLAN_NOTICE && asks_of_day(x))
			share_day(x, y);
		if (of_x == PLAN_ROUTE && plan_is_about_one(of_y))
			share_destination(y, x, r);
		if (plan_is_about_one(of_x) && of_y == PLAN_ROUTE)
			share_end(y, x);
		if (plan_is_about_one(of_x) && of_y == PLAN_NEAR)
			share_ground(y, x);
	}
}
