/*
 * Which list a follow-up goes on with. After a question about one airport or about rules, pilots often return to the list.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

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

/* Does the message ask only for facts by which airports can be searched? */
static bool asks_only_services(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (!mark_has_label(&r->mark[i], LABEL_ASK) || !fact_can_be_searched(r->mark[i].value))
			return false;
	return r->nmarks > 0;
}

/* "Only grass" is a wish for the list, even if the reader took it for a question about the airport. "More than 20 euros?" may be a question,
 * but "is there another one on the list with a restaurant?" is about the list. */
static bool wishes_of_list(const struct reading *r, const struct frame *list, const struct frame *last, const char *how)
{
	const bool another = reading_says(r, "pick") && (reading_says(r, "follow.more") || reading_says(r, "follow.instead"));

	return !reading_searches(r) && !reading_names_place(r) && (another || has_radius(r) || !reading_is_asked(r)) &&
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

/* Does the message name nowhere to look? */
static bool names_nowhere(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_COUNTRY) || mark_has_label(&r->mark[i], LABEL_AREA) || mark_has_label(&r->mark[i], LABEL_NAME))
			return false;
	return !reading_names_place(r);
}

static bool has_lifted_mark(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].lifted)
			return true;
	return false;
}

/* "OK show me more": the reader is not sure that it is thanks. */
static bool is_weak_talk(const struct reading *r)
{
	static const double weak = 0.6;
	return r->sure < weak && one_of(r->plan[0].plan, "thanks|hello|help");
}

/* ---- the list behind what was said last ---- */

/* The next page of the list. */
static bool wants_more(const struct reading *r, const struct frame *list, const struct frame *last, const char *how)
{
	if (is_weak_talk(r) && reading_says(r, "follow.more"))
		return true;
	/* "show me the rest of the list" is the next page, and not the first one */
	return list != last && (streq(how, "more") ? reading_searches(r)
	    : plan_is_about_one(frame_plan_kind(last)) && streq(how, "return") && reading_says(r, "follow.more") && repeats_list(r, list));
}

/* After a question about one airport: does the message go on with the list? If it does not, it is about that airport. */
static bool returns_to_list(const struct reading *r, const struct frame *list, const struct frame *last, const char *how)
{
	static const double UNSURE = 0.5;
	const bool near = streq(r->plan[0].plan, aviation_schema.plan[PLAN_NEAR].name);

	if (narrows_list(r, how) || changes_list(r, list, how) || wishes_of_list(r, list, last, how))
		return true;
	/* "The others, which has asphalt?" is about the list: one airport is no place to search. What is taken away belongs
	 * to the list too, and so do "only those within 40 miles" unless the reader is sure that they lie around the airport. */
	const bool of_list = has_lifted_mark(r) || reading_says(r, "pick") || (r->sure < UNSURE && reading_says(r, "only"));
	return reading_searches(r) && names_nowhere(r) && (*how == '\0' || streq(how, "switch")) && (!near || of_list);
}

/* "Any with a restaurant?" after a question about rules. */
static bool searches_nowhere(const struct reading *r)
{
	return reading_searches(r) && names_nowhere(r);
}

void reading_amend_lists(struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL, *list = NULL;
	const char *how = r->plan[0].kind != NULL ? r->plan[0].kind : "";

	for (size_t i = before->n; list == NULL && i-- > 0;)
		list = frame_is_list(before->frame[i]) ? before->frame[i] : NULL;
	if (list == NULL || r->nplans != 1)
		return;
	const bool new = *how == '\0' && r->nmarks > 0;
	const bool returns = plan_is_about_one(frame_plan_kind(last)) ? returns_to_list(r, list, last, how) : searches_nowhere(r);
	if (wants_more(r, list, last, how))
		r->plan[0] = (struct reading_plan){ "more", list->plan->name };
	/* a search that names no place continues the last list */
	else if (list == last && new && searches_nowhere(r))
		r->plan[0] = (struct reading_plan){ "refine", list->plan->name };
	else if (list != last && returns)
		r->plan[0] = (struct reading_plan){ "return", list->plan->name };
}
