/*
 * "How far is Cork from Kerry?" asks for the flight alone, and not for the airports along it.
 */
#include "agents/aviation/builtin/frame_arguments_own.h"

#include "agents/aviation/builtin/reading_marks.h"
#include "base/str.h"

bool look_clause(const struct look *l, size_t *first, size_t *end)
{
	const struct reading *r = l->p->reading;
	const bool each = l->p->frames->n == r->nplans;
	size_t own = 0;

	while (own < l->p->frames->n && l->p->frames->frame[own] != l->f)
		own++;
	*first = each && own > 0 && own < r->nplans ? r->start[own] : 0;
	*end = each && own + 1 < r->nplans ? r->start[own + 1] : r->words->n;
	return own < l->p->frames->n;
}

/* Is this evidence part of a longer phrase that asks how far or how long? "Brauche" is, in "wie lange brauche ich". */
static bool is_part_of_how_far(const struct reading *r, const struct evidence *part)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (one_of(e->kind, "ask=time|ask=distance") && e->first <= part->first && e->last >= part->last &&
		    e->last - e->first > part->last - part->first)
			return true;
	}
	return false;
}

/* "Donne-moi juste la distance": the pilot asks for the distance, and not for a list. */
static bool lists_distance(const struct reading *r, const struct evidence *e)
{
	enum { BETWEEN = 4 };
	size_t word = e->last + 1;

	while (word < r->words->n && word <= e->last + BETWEEN && !reading_is_marked(r, word, word) && !reading_has_evidence(r, word, word, "and"))
		word++;
	for (size_t i = 0; streq(e->kind, "list") && i < r->nmarks; i++)
		if (mark_asks_how_far(&r->mark[i]) && r->mark[i].first == word)
			return true;
	return false;
}

/* Does the evidence speak of airports on the way? It does not if it is inside a mark or a phrase that asks how far, if it says from where or where to ("nach"), or if a
 * "not" stands before it ("without the list of airports"). */
static bool speaks_of_airports(const struct reading *r, const struct evidence *e)
{
	enum { BETWEEN = 4 };

	if (!one_of(e->kind, "airport|list|role.route|follow.more") || reading_is_marked(r, e->first, e->last) || is_part_of_how_far(r, e) || lists_distance(r, e) ||
	    reading_has_evidence(r, e->first, e->last, "role.to") || reading_has_evidence(r, e->first, e->last, "role.from"))
		return false;
	for (size_t i = e->first; i > 0 && e->first - i <= BETWEEN && r->words->word[i - 1].kind != WORD_SIGN; i--)
		if (reading_not_at(r, i - 1) != NULL)
			return false;
	return true;
}

/* Does the message itself have this label? A frame also holds what earlier messages wished for. */
static bool is_said(const struct look *l, enum label label)
{
	for (size_t i = 0; i < l->p->reading->nmarks; i++)
		if (mark_has_label(&l->p->reading->mark[i], label))
			return true;
	return l->f->kind == NULL;
}

bool look_asks_flight_only(const struct look *l)
{
	static const enum label flight[] = { LABEL_FROM, LABEL_TO, LABEL_VIA, LABEL_SPEED, LABEL_AIRCRAFT, LABEL_ASK, LABEL_AT, LABEL_PICK,
		LABEL_DAY, LABEL_TIME };
	const struct frame_slot *asked = &l->f->slot[LABEL_ASK];

	for (size_t i = 0; i < LABEL__MAX; i++) {
		size_t k = 0;
		while (k < sizeof(flight) / sizeof(flight[0]) && (size_t)flight[k] != i)
			k++;
		if (k == sizeof(flight) / sizeof(flight[0]) && l->f->slot[i].n > 0 && is_said(l, (enum label)i))
			return false;
	}
	for (size_t i = 0; i < asked->n; i++)
		if (!one_of(asked->value[i].text, "distance|time"))
			return false;
	const struct reading *r = l->p->reading;
	const bool time = asked->n == 1 && frame_has(l->f, LABEL_ASK, "time");
	size_t first, end;
	bool has_clause = look_clause(l, &first, &end);
	/* "which airport is nearer, A or B?" asks both flights how far they are, and nothing else */
	for (size_t i = 0; i < r->nmarks; i++)
		has_clause &= !(r->nplans > 1 && mark_asks_how_far(&r->mark[i]) && r->mark[i].plans == (1u << r->nplans) - 1);
	for (size_t i = 0; has_clause && i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		/* "how long am I en route?" */
		if (e->first >= first && e->first < end && !(time && streq(e->kind, "role.route")) && speaks_of_airports(r, e))
			return false;
	}
	return asked->n > 0 && !l->f->more;
}
