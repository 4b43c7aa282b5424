/*
 * "Forget Barton", "Courtrai, pas celui-là", "ohne Dinard": the pilot does not want an airport of the last answer. The list is looked up again
 * without it. The program must not look for airports near it, nor answer questions about it.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include "base/str.h"

/* Is it the refusal of an airport that was shown? */
static bool is_exclusion(const struct reading *r, const struct evidence *refused)
{
	for (size_t i = 0; streq(refused->kind, "refused") && i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (one_of(e->kind, "place.shown|place.current") && streq(e->value, refused->value) && refused->first <= e->first &&
		    e->last <= refused->last)
			return true;
	}
	return false;
}

static bool is_excluded(const struct reading *r, const struct mark *m)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->first <= m->last && m->first <= e->last && is_exclusion(r, e))
			return true;
	}
	return false;
}

/* Is it the place of the list, said again? */
static bool is_place_of(const struct reading *r, const struct mark *m, const struct frame *list)
{
	static const enum label places[] = { LABEL_NEAR, LABEL_AT, LABEL_FROM, LABEL_TO, LABEL_AREA };
	const char *said = words_slice(r->evidence->mem, r->words, m->first, m->last);

	for (size_t i = 0; list != NULL && i < sizeof(places) / sizeof(places[0]); i++) {
		if (strieq(frame_get(list, places[i]), said))
			return true;
	}
	return false;
}

/* Does the message name another place or airport? Then "not Barton, Lyon" may be a correction, and no refusal. */
static bool names_another(const struct reading *r, const struct frame *list)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if ((mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_PICK)) && !is_excluded(r, &r->mark[i]) &&
		    !is_place_of(r, &r->mark[i], list))
			return true;
	return false;
}

/* "Not Bolzano. Which of the others has the longest runway?": nothing is looked up about Bolzano. */
static void drop_excluded(struct reading *r, const struct frame *list)
{
	const bool another = names_another(r, list);

	for (size_t i = r->nmarks; another && i-- > 0;)
		if (mark_is_place(&r->mark[i]) && is_excluded(r, &r->mark[i]))
			reading_remove_mark(r, i);
}

static bool asks(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_ASK))
			return true;
	return false;
}

/* The newest list of the talk that can be looked up again; NULL: there was none. */
static const struct frame *last_list(const struct dialogue *before)
{
	for (size_t i = before->n; i-- > 0;)
		if (frame_is_list(before->frame[i]))
			return before->frame[i];
	return NULL;
}

/* The refusal that holds for a place; NULL: it is not refused. */
static const struct evidence *refusal_of(const struct reading *r, const struct mark *place)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "refused") && e->first <= place->last && place->last <= e->last)
			return e;
	}
	return NULL;
}

static bool is_shown(const struct reading *r, const struct evidence *refused)
{
	return evidence_in(r->evidence, refused->first, refused->last, "place.shown") != NULL ||
	    evidence_in(r->evidence, refused->first, refused->last, "place.current") != NULL;
}

/* Does a message that was read as a question of its own name places only to refuse them, and all of them from the last answer? */
static bool only_refuses(const struct reading *r)
{
	size_t places = 0;

	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		const struct evidence *refused = mark_is_place(m) ? refusal_of(r, m) : NULL;
		if ((mark_is_place(m) && (refused == NULL || !is_shown(r, refused))) || mark_has_label(m, LABEL_COUNTRY) || mark_has_label(m, LABEL_PICK))
			return false;
		places += refused != NULL;
	}
	return places > 0 && r->plan[0].kind == NULL && reading_searches(r);
}

/* "No Fair Isle or Unst. Which of them has fuel?" goes on with the list. */
static void go_on_without(struct reading *r, const struct frame *list, bool is_last)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const struct evidence *refused = mark_is_place(m) ? refusal_of(r, m) : NULL;
		if (refused == NULL)
			continue;
		mark_set_label(m, LABEL_WISH);
		m->first = i > 0 && r->mark[i - 1].last >= refused->first ? m->first : refused->first;
		m->last = refused->last;
	}
	r->plan[0] = (struct reading_plan){ is_last ? "refine" : "return", list->plan->name };
}

void reading_amend_exclusions(struct reading *r, const struct dialogue *before)
{
	const struct frame *list = last_list(before);
	/* a correction may say the place of the list again: "near Quimper I said, not Morlaix" */
	const bool amends = r->plan[0].kind != NULL && (streq(r->plan[0].kind, "correct") ? names_another(r, NULL)
	    : streq(r->plan[0].kind, "replace") && names_another(r, list));
	bool excluded = false;

	if (r->nplans == 1 && list != NULL && only_refuses(r))
		go_on_without(r, list, list == before->frame[before->n - 1]);
	if (r->nplans != 1 || r->plan[0].kind == NULL || list == NULL || amends)
		return;
	/* a message about another airport keeps its plan: "not Barton. Lasham, has it fuel?" asks about Lasham */
	if (!reading_searches(r) && (!one_of(r->plan[0].plan, "details") || names_another(r, list) || asks(r))) {
		drop_excluded(r, list);
		return;
	}
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (is_exclusion(r, e))
			excluded |= reading_put_mark(r, e->first, e->last, LABEL_WISH) != NULL;
	}
	if (excluded && !reading_searches(r))
		r->plan[0].plan = list->plan->name;
	/* the wishes of the list are those of its own frame, whatever was asked since */
	if (excluded && streq(r->plan[0].plan, list->plan->name))
		r->plan[0].kind = list == before->frame[before->n - 1] ? "refine" : "return";
}
