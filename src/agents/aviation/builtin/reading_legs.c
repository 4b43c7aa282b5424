/*
 * The legs of a route: how long they are, which stops are between them, and how far an aircraft flies without a stop.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>

#include "agents/aviation/builtin/amounts.h"
#include "base/str.h"

static bool is_plan(const struct reading_plan *p, enum plan_kind plan)
{
	return streq(p->plan, aviation_schema.plan[plan].name);
}

/* Is there a word for the range of an aircraft in the mark, or up to three words before or behind it? */
static bool is_range(const struct reading *r, const struct mark *m)
{
	enum { WORDS = 3 };

	return reading_has_evidence(r, m->first > WORDS ? m->first - WORDS : 0, m->last + WORDS, "range");
}

/* "Range 400 NM", "three hours per leg at most": how far one flies without a stop does not say how far from the route an airport may be. A
 * detour takes minutes and no hours. */
static void forget_range(struct reading *r)
{
	static const double DETOUR_H = 1;

	if (r->nplans != 1 || !is_plan(&r->plan[0], PLAN_ROUTE))
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const struct evidence *e = evidence_in(r->evidence, m->first, m->last, "duration");
		const bool reach = mark_has_label(m, LABEL_REACH) && e != NULL && amount_hours(e->value) >= DETOUR_H;
		if (reach || (mark_has_label(m, LABEL_RADIUS) && is_range(r, m)))
			mark_set_label(m, LABEL_WISH);
	}
}

/* The newest of the last frames that is a route with both ends; NULL: there is none. */
static const struct frame *last_route(const struct dialogue *before)
{
	enum { FRAMES = 3 };

	for (size_t i = before->n; i > 0 && before->n - i < FRAMES; i--) {
		const struct frame *f = before->frame[i - 1];
		if (frame_plan_kind(f) == PLAN_ROUTE)
			return f->slot[LABEL_FROM].n > 0 && f->slot[LABEL_TO].n > 0 ? f : NULL;
	}
	return NULL;
}

/* "Nevers sounds good. How long are the two legs then?" after airports on a route: the route over that airport. */
static void ask_of_legs(struct reading *r, const struct dialogue *before)
{
	const struct frame *route = last_route(before), *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const struct evidence *legs = evidence_in(r->evidence, 0, r->words->n - 1, "legs");
	struct mark *stop = NULL;
	bool asks = false;

	if (route == NULL || legs == NULL || r->nplans != 1 || r->plan[0].kind == NULL)
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		asks |= mark_has_label(m, LABEL_ASK);
		if (mark_has_label(m, LABEL_PICK) || mark_has_label(m, LABEL_FROM) || mark_has_label(m, LABEL_TO) || (mark_is_place(m) && stop != NULL))
			return;
		stop = mark_is_place(m) ? m : stop;
	}
	const char *at = last->slot[LABEL_AT].n > 0 ? last->slot[LABEL_AT].value[0].text : NULL;
	if (!asks || (stop == NULL && (last == route || at == NULL)))
		return;
	if (stop != NULL)
		mark_set_label(stop, LABEL_VIA);
	else if ((stop = reading_put_mark(r, legs->first, legs->last, LABEL_VIA)) != NULL)
		stop->value = at;
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_ASK) && !mark_asks_how_far(&r->mark[i]))
			r->mark[i].value = "time";
	r->plan[0] = (struct reading_plan){ last == route ? "refine" : "return", aviation_schema.plan[PLAN_ROUTE].name };
}

/* "PPR at Letnany, and how far is it from the metro?": the other end is no place that is known. The question belongs to the airport. */
static void drop_lost_route(struct reading *r)
{
	size_t airports = 0, route = r->nplans;

	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		airports += mark_has_label(m, LABEL_AT);
		if ((mark_is_place(m) && !mark_has_label(m, LABEL_AT)) || mark_has_label(m, LABEL_PICK) || mark_has_label(m, LABEL_COUNTRY))
			return;
	}
	for (size_t i = 0; i < r->nplans; i++)
		if (is_plan(&r->plan[i], PLAN_ROUTE) && r->plan[i].kind == NULL)
			route = i;
	if (r->nplans != 2 || airports != 1 || route == r->nplans || !is_plan(&r->plan[!route], PLAN_DETAILS) || !reading_asks_how_far(r))
		return;
	reading_remove_plan(r, route);
	for (size_t i = 0; i < r->nmarks; i++)
		r->mark[i].plans = 0;
}

void reading_amend_legs(struct reading *r, const struct dialogue *before)
{
	forget_range(r);
	ask_of_legs(r, before);
	drop_lost_route(r);
}
