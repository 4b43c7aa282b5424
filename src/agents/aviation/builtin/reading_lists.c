/*
 * Which list a follow-up goes on with: after a question about one airport of a list, or about a distance, the pilot often goes on with the
 * list.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

#define BIT(x) ((uint64_t)1 << LABEL_##x)

/* "To Trento instead of Bolzano": the message replaces one end of a route. */
static bool replaces_end(const struct reading *r)
{
	size_t ends = 0;

	for (size_t i = 0; i < r->nmarks; i++) {
		if (mark_has_label(&r->mark[i], LABEL_PICK) || mark_has_label(&r->mark[i], LABEL_AT))
			return false;
		ends += mark_has_label(&r->mark[i], LABEL_FROM) || mark_has_label(&r->mark[i], LABEL_TO);
	}
	return ends == 1 && streq(r->plan[0].plan, aviation_schema.plan[PLAN_ROUTE].name) && reading_says(r, "follow.instead");
}

/* "How about going via Ostend?": a stop, and no end of a route. */
static bool names_only_stops(const struct reading *r)
{
	bool stop = false;

	for (size_t i = 0; i < r->nmarks; i++) {
		stop |= mark_has_label(&r->mark[i], LABEL_VIA);
		if (mark_has_label(&r->mark[i], LABEL_PICK) || (mark_is_place(&r->mark[i]) && !mark_has_label(&r->mark[i], LABEL_VIA)))
			return false;
	}
	return stop && streq(r->plan[0].plan, aviation_schema.plan[PLAN_ROUTE].name);
}

/* Can the list have every mark of the message, and a question about one airport none of them? */
static bool has_only_wishes(const struct reading *r, const struct frame_plan *list, const struct frame_plan *one)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		const size_t label = frame_label_named(&aviation_schema, r->mark[i].label);
		if (label >= LABEL__MAX || (list->labels & (uint64_t)1 << label) == 0 || (one->labels & (uint64_t)1 << label) != 0)
			return false;
	}
	return r->nmarks > 0;
}

static bool is_asked(const struct reading *r)
{
	return r->words->n > 0 && streq(r->words->word[r->words->n - 1].fold, "?");
}

/* "40 miles", "only with customs": a search that names no place. */
static bool narrows_list(const struct reading *r, const char *how)
{
	return reading_searches(r) && !reading_names_place(r) && one_of(how, "refine|lift|replace|correct");
}

/* "To Trento instead", "near Liège instead": a place of the list is replaced. "Via Ostend" adds a stop to the route of the list, and "how long
 * at 95 kt?" is about it. */
static bool changes_list(const struct reading *r, const struct frame *list, const char *how)
{
	if (!streq(list->plan->name, r->plan[0].plan))
		return false;
	return (one_of(how, "replace|correct") && replaces_end(r)) || (*how != '\0' && names_only_stops(r)) ||
	    (streq(how, "switch") && (reading_says(r, "follow.instead") || (frame_plan_kind(list) == PLAN_ROUTE && !reading_names_place(r))));
}

/* No airport has a radius, so "and within 70 NM, with fuel?" is about the list. */
static bool has_radius(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_RADIUS))
			return true;
	return false;
}

/* Facts of which a list can make wishes. */
static bool asks_only_services(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (!mark_has_label(&r->mark[i], LABEL_ASK) || r->mark[i].value == NULL || !one_of(r->mark[i].value, "hotel|restaurant|fuel|customs|procedures"))
			return false;
	return r->nmarks > 0;
}

/* "Only grass" is a wish for the list, even if the reader took it for a question about the airport. "More than 20 euros?" may be a question,
 * but "is there another one on the list with a restaurant?" is about the list. */
static bool wishes_of_list(const struct reading *r, const struct frame *list, const struct frame *last, const char *how)
{
	const bool another = reading_says(r, "pick") && (reading_says(r, "follow.more") || reading_says(r, "follow.instead"));

	const bool widens = has_radius(r);

	return !reading_searches(r) && !reading_names_place(r) && (another || widens || !is_asked(r)) &&
	    (one_of(how, "pick|refine|replace|lift") || (another && streq(how, "correct"))) &&
	    (has_only_wishes(r, list->plan, last->plan) || (another && asks_only_services(r)));
}

/* "The list of Denmark again, the next ones": does every mark name a place or a country of the list, or say how many are wanted? */
static bool repeats_list(const struct reading *r, const struct frame *list)
{
	struct arena *a = r->evidence->mem;

	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		const size_t label = frame_label_named(&aviation_schema, m->label);
		const struct evidence *country = evidence_in(r->evidence, m->first, m->last, "country");
		const char *text = label == LABEL_COUNTRY && country != NULL ? country->value : words_slice(a, r->words, m->first, m->last);
		bool same = label == LABEL_COUNT;
		for (size_t k = 0; (mark_is_place(m) || label == LABEL_COUNTRY) && k < list->slot[label].n; k++)
			same |= streq(str_fold(a, list->slot[label].value[k].text), str_fold(a, text));
		if (!same)
			return false;
	}
	return true;
}

/* ---- a distance in between ---- */

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

/* Wishes for a list, and nothing that a distance could be asked with. */
static bool only_wishes(const struct reading *r)
{
	static const uint64_t way = BIT(ASK) | BIT(SPEED) | BIT(AIRCRAFT) | BIT(DAY) | BIT(TIME);

	for (size_t i = 0; i < r->nmarks; i++) {
		const size_t label = frame_label_named(&aviation_schema, r->mark[i].label);
		if (label >= LABEL__MAX || (way >> label & 1) != 0)
			return false;
	}
	return r->nmarks > 0 && !reading_names_place(r);
}

size_t reading_goes_on_after(const struct reading *r, const struct dialogue *before)
{
	const char *how = r->nplans == 1 && r->plan[0].kind != NULL ? r->plan[0].kind : "";
	size_t n = before->n;

	if (n < 2 || !reading_searches(r) || !one_of(how, "refine|lift|replace|correct") || !only_wishes(r))
		return before->n;
	for (size_t list = n - 1; list-- > 0;) {
		if (!frame_is_list(before->frame[list]))
			continue;
		if (!only_asks_way(before->frame[n - 1], before->frame[list]))
			break;
		n = list + 1;
	}
	return n;
}

/* Does the message name nowhere to look? */
static bool names_nowhere(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_COUNTRY) || mark_has_label(&r->mark[i], LABEL_AREA) || mark_has_label(&r->mark[i], LABEL_NAME))
			return false;
	return !reading_names_place(r);
}

static bool lifts(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].lifted)
			return true;
	return false;
}

/* Behind a question about one airport, the message may look around that airport, or go on with the list. */
static bool goes_on_with_list(const struct reading *r, const struct frame *list, const struct frame *last, const char *how)
{
	if (narrows_list(r, how) || changes_list(r, list, how) || wishes_of_list(r, list, last, how))
		return true;
	/* "The others, which has asphalt?": a search needs a place, and one airport is none. What is taken away belongs to the list. */
	return reading_searches(r) && names_nowhere(r) && one_of(how, "|switch") &&
	    (lifts(r) || reading_says(r, "pick") || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_NEAR].name));
}

/* A search that names nowhere to look, behind a question about rules: "any with a restaurant on the way?" */
static bool searches_list(const struct reading *r, const char *how)
{
	return reading_searches(r) && names_nowhere(r) && !streq(how, "more");
}

/* "OK show me more": the reader is not sure that it is thanks. */
static bool is_weak_talk(const struct reading *r)
{
	static const double weak = 0.6;
	return r->sure < weak && one_of(r->plan[0].plan, "thanks|hello|help");
}

void reading_amend_lists(struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL, *list = NULL;
	const char *how = r->plan[0].kind != NULL ? r->plan[0].kind : "";
	const size_t after = reading_goes_on_after(r, before);

	if (after < before->n)
		r->plan[0].plan = before->frame[after - 1]->plan->name;
	for (size_t i = before->n; list == NULL && i-- > 0;)
		list = frame_is_list(before->frame[i]) ? before->frame[i] : NULL;
	if (list == NULL || r->nplans != 1)
		return;
	if (is_weak_talk(r) && reading_says(r, "follow.more")) {
		r->plan[0] = (struct reading_plan){ "more", list->plan->name };
		return;
	}
	if (list == last) {
		/* a new search without a place is no new one */
		if (*how == '\0' && r->nmarks > 0 && searches_list(r, how))
			r->plan[0] = (struct reading_plan){ "refine", list->plan->name };
		return;
	}
	const bool one = frame_plan_kind(last) == PLAN_DETAILS || frame_plan_kind(last) == PLAN_NOTICE;
	if (streq(how, "more") && reading_searches(r))
		r->plan[0].plan = list->plan->name;
	/* "show me the rest of the list" is the next page, and not the first one */
	else if (one && streq(how, "return") && reading_says(r, "follow.more") && repeats_list(r, list))
		r->plan[0] = (struct reading_plan){ "more", list->plan->name };
	else if (one ? goes_on_with_list(r, list, last, how) : searches_list(r, how))
		r->plan[0] = (struct reading_plan){ "return", list->plan->name };
}
