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

/* Is this word neither a sign nor part of a mark? */
static bool is_free(const struct reading *r, size_t word)
{
	return word < r->words->n && r->words->word[word].kind != WORD_SIGN && !reading_is_marked(r, word, word);
}

/* Is there a word for the range of an aircraft in the mark, or up to four free words before or behind it? "Within a range of 20 NM" is the
 * width of a corridor. */
static bool is_range(const struct reading *r, const struct mark *m)
{
	enum { WORDS = 4 };
	size_t first = m->first, last = m->last;

	while (first > 0 && m->first - first < WORDS && is_free(r, first - 1))
		first--;
	while (last - m->last < WORDS && is_free(r, last + 1))
		last++;
	return reading_has_evidence(r, first, last, "range") && !reading_has_evidence(r, first, last, "within");
}

/* "Legs of [200 NM]", "[200 NM] per leg": is it the length of a leg? */
static bool is_leg_length(const struct reading *r, const struct mark *m)
{
	enum { BETWEEN = 3 };
	size_t first = m->first;

	while (first > 0 && m->first - first < BETWEEN && reading_has_evidence(r, first - 1, first - 1, "sized"))
		first--;
	if (first > 0 && reading_has_evidence(r, first - 1, first - 1, "hop"))
		return true;
	return m->last + 2 < r->words->n && reading_has_evidence(r, m->last + 1, m->last + 1, "per") &&
	    reading_has_evidence(r, m->last + 2, m->last + 2, "hop");
}

/* "Range 400 NM", "three hours per leg at most": this is the range of the aircraft, not the width of the corridor. A detour takes minutes, so
 * an hour or more is a range. */
static void forget_range(struct reading *r)
{
	static const double DETOUR_H = 1;

	if (r->nplans != 1 || !is_plan(&r->plan[0], PLAN_ROUTE))
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const struct evidence *e = evidence_in(r->evidence, m->first, m->last, "duration");
		const bool reach = mark_has_label(m, LABEL_REACH) && e != NULL && amount_hours(e->value) >= DETOUR_H;
		if (reach || (mark_has_label(m, LABEL_RADIUS) && (is_range(r, m) || is_leg_length(r, m))))
			mark_set_label(m, LABEL_WISH);
	}
}

/* The newest route among the last three frames; NULL: there is none, or it lacks an end. */
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

/* May this mark ask how long the legs are? "How long" may have been taken as the length of a runway. The word for the legs stands in it, or at
 * most some words behind it. */
static bool asks_of(const struct mark *m, const struct evidence *legs)
{
	enum { WORDS = 4 };

	return (mark_asks_how_far(m) || streq(m->value, "runway_length")) && m->first <= legs->last && legs->first <= m->last + WORDS;
}

/* A mark without words of its own, which stands for an airport of an earlier message: it takes a word that no mark has. NULL: there is none. */
static struct mark *stop_before(struct reading *r, const char *at)
{
	size_t word = 0;

	while (word < r->words->n && reading_is_marked(r, word, word))
		word++;
	struct mark *stop = at != NULL && word < r->words->n ? reading_put_mark(r, word, word, LABEL_VIA) : NULL;
	if (stop != NULL)
		stop->value = at;
	return stop;
}

/* "Nevers sounds good. How long are the two legs then?" after airports on a route: the plan becomes the route with a stop at that airport. */
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
		const bool fact = mark_has_label(m, LABEL_ASK), other = mark_has_label(m, LABEL_PICK) || mark_has_label(m, LABEL_FROM) || mark_has_label(m, LABEL_TO);
		if (other || (fact && !asks_of(m, legs)) || (mark_is_place(m) && stop != NULL))
			return;
		asks |= fact;
		stop = mark_is_place(m) ? m : stop;
	}
	if (!asks || (stop == NULL && last == route))
		return;
	if (stop != NULL)
		mark_set_label(stop, LABEL_VIA);
	else if (stop_before(r, last->slot[LABEL_AT].n > 0 ? last->slot[LABEL_AT].value[0].text : NULL) == NULL)
		return;
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_ASK) && !mark_asks_how_far(&r->mark[i]))
			r->mark[i].value = "time";
	r->plan[0] = (struct reading_plan){ last == route ? "refine" : "return", aviation_schema.plan[PLAN_ROUTE].name };
}

/* "PPR at Letnany, and how far is it from the metro?": the metro is no known place, so there is no route. The question belongs to the
 * airport. */
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
}

void reading_amend_legs(struct reading *r, const struct dialogue *before)
{
	forget_range(r);
	ask_of_legs(r, before);
	drop_lost_route(r);
}
