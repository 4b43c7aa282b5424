/*
 * Places that a pilot does not want, words that were marked as places by mistake, and names of which a mark has only a part.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>
#include <strings.h>

#include "airports/countries.h"
#include "base/str.h"

/* ---- what is not wanted ---------------------------------------------------------------------- */

/* Does the plan of mark i look anywhere else? */
static bool looks_elsewhere(const struct reading *r, size_t i)
{
	for (size_t k = 0; k < r->nmarks; k++) {
		const size_t label = frame_label_named(&aviation_schema, r->mark[k].label);
		if (k != i && label < LABEL__MAX && !r->mark[k].lifted && r->mark[k].plans == r->mark[i].plans &&
		    ((aviation_schema.label[label].how & FRAME_PLACE) != 0 || label == LABEL_COUNTRY))
			return true;
	}
	return false;
}

/* "Not in Germany", "except Bron": what refuses the place of mark i; NULL: nothing does. After a misunderstanding, "not Graz" corrects
 * and is no wish. A place is refused only if another is named. */
static const struct evidence *refusal(const struct reading *r, size_t i)
{
	enum { BESIDE = 2 };
	const struct mark *m = &r->mark[i];
	const bool amends = (r->plan[0].kind != NULL && one_of(r->plan[0].kind, "correct|replace")) ||
	    (m->first > 0 && reading_has_evidence(r, m->first < BESIDE ? 0 : m->first - BESIDE, m->first - 1, "follow.instead"));
	const bool country = mark_has_label(m, LABEL_COUNTRY) ||
	    (mark_is_place(m) && reading_has_evidence(r, m->first, m->last, "country"));

	/* "[isn't Leeds|large=false]" is about Leeds alone */
	const struct evidence *whole = evidence_in(r->evidence, m->first, m->last, "refused");
	if (whole != NULL && whole->first == m->first && whole->last == m->last && !amends && looks_elsewhere(r, i))
		return whole;
	if (!country && (amends || !mark_is_place(m) || !looks_elsewhere(r, i)))
		return NULL;
	for (size_t k = 0; k < r->evidence->n; k++) {
		const struct evidence *e = &r->evidence->at[k];
		if (streq(e->kind, "refused") && m->first <= e->last && e->last <= m->last)
			return e;
	}
	return NULL;
}

/* "Near Basel, but not in Germany": what a pilot does not want is no place to look at, but a wish. */
static void refuse(struct reading *r)
{
	for (size_t i = 0; reading_searches(r) && i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const struct evidence *refused = refusal(r, i);
		if (refused == NULL)
			continue;
		mark_set_label(m, LABEL_WISH);
		m->first = refused->first < m->first ? refused->first : m->first;
		/* "[not|large=false] in [Germany|country]" */
		while (i > 0 && r->mark[i - 1].last >= m->first) {
			reading_remove_mark(r, --i);
			m = &r->mark[i];
		}
	}
}

/* "Not LDDU, not LYTV": a refused place that has no mark, or whose "not" alone has one. */
static void mark_refused(struct reading *r)
{
	const bool amends = r->plan[0].kind != NULL && one_of(r->plan[0].kind, "correct|replace");
	bool elsewhere = false;

	for (size_t i = 0; i < r->nmarks; i++)
		elsewhere |= mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_COUNTRY) || mark_has_label(&r->mark[i], LABEL_PICK);
	for (size_t i = 0; elsewhere && !amends && reading_searches(r) && i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		size_t unmarked = e->first;
		while (unmarked <= e->last && reading_is_marked(r, unmarked, unmarked))
			unmarked++;
		struct mark *m = streq(e->kind, "refused") && unmarked <= e->last && !reading_is_marked(r, unmarked, e->last)
		    ? reading_mark_at(r, e->first) : NULL;
		if (m == NULL || (unmarked > e->first && (!mark_has_label(m, LABEL_WISH) || m->last + 1 != unmarked)))
			continue;
		m->last = e->last;
		mark_set_label(m, LABEL_WISH);
	}
}

/* ---- words that are no places --------------------------------------------------------------------- */

/* Does all that is known for sure of these words give them another meaning than a place? */
static bool is_no_place(const struct reading *r, const struct mark *m)
{
	bool other = false;

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->last < m->first || e->first > m->last || evidence_is_guessed(e->kind))
			continue;
		if (evidence_is_place(e->kind))
			return false;
		other |= e->first <= m->first && m->last <= e->last && strncmp(e->kind, "role.", 5) != 0;
	}
	return other;
}

/* "Islands" of "islands in Croatia": a kind of place, and no name. */
static bool is_kind_of_place(const struct reading *r, size_t i)
{
	const struct mark *m = &r->mark[i];
	bool region = false;

	for (size_t k = 0; k < r->evidence->n; k++) {
		const struct evidence *e = &r->evidence->at[k];
		if (e->last < m->first || e->first > m->last)
			continue;
		if (strncmp(e->kind, "place.", 6) == 0 && !streq(e->kind, "place.common"))
			return false;
		region |= streq(e->kind, "region") && e->first == m->first && e->last == m->last;
	}
	return region && mark_has_label(m, LABEL_AREA) && looks_elsewhere(r, i);
}

/* "Airfields in England": England is a part of a country. Only questions about rules mean the whole country. */
static void narrow_countries(struct reading *r)
{
	for (size_t i = 0; r->nplans == 1 && streq(r->plan[0].plan, aviation_schema.plan[PLAN_SEARCH].name) && i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const struct evidence *area = evidence_in(r->evidence, m->first, m->last, "place.area");
		const struct evidence *country = evidence_in(r->evidence, m->first, m->last, "country");
		if (!mark_has_label(m, LABEL_COUNTRY) || area == NULL || country == NULL || area->first != m->first || area->last != m->last)
			continue;
		const struct country *whole = country_by_code(country->value);
		if (whole != NULL && strcasecmp(whole->name, area->value) != 0)
			mark_set_label(m, LABEL_AREA);
	}
}

/* "Alternatives within 50 nm": a word that has another meaning and is no name stands where a place would. The talk before says
 * around what. */
static void drop_no_names(struct reading *r)
{
	for (size_t i = r->nmarks; i-- > 0;) {
		struct mark *m = &r->mark[i];
		if (r->plan[0].kind == NULL || r->nplans > 1 || !mark_has_label(m, LABEL_NEAR) || looks_elsewhere(r, i) || !is_no_place(r, m))
			continue;
		mark_set_label(m, LABEL_PICK);
		m->value = "it";
	}
}

/* "With my grandson", "how far in NM": what belongs to the pilot is no place, and neither is a unit, unless a place is called so. */
static bool is_never_place(const struct reading *r, const struct mark *m)
{
	bool never = m->first > 0 && reading_has_evidence(r, m->first - 1, m->first - 1, "mine");

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->last < m->first || e->first > m->last)
			continue;
		if (evidence_is_place(e->kind))
			return false;
		never |= streq(e->kind, "unit") && e->first <= m->first && m->last <= e->last;
	}
	return never;
}

static void drop_no_places(struct reading *r, bool places)
{
	for (size_t i = r->nmarks; i-- > 0;)
		if (mark_is_place(&r->mark[i]) && is_never_place(r, &r->mark[i]))
			reading_remove_mark(r, i);
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		if (places && is_kind_of_place(r, i))
			mark_set_label(m, LABEL_WISH);
		if (m->value == NULL && (mark_has_label(m, LABEL_COUNTRY) || (places && mark_has_label(m, LABEL_AREA))) &&
		    is_no_place(r, m))
			mark_set_label(m, LABEL_WISH);
	}
}

/* A name of which a mark has only a part: "Veit" of "Sankt Veit an der Glan", "sud" and "Espagne" of "sud de l'Espagne". */
static void extend_places(struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		const struct evidence *whole = NULL;
		for (size_t k = 0; mark_is_place(m) && k < r->evidence->n; k++) {
			const struct evidence *e = &r->evidence->at[k];
			if (one_of(e->kind, "place.town|place.name|place.area|place.slip") && e->first <= m->first && m->last <= e->last &&
			    (whole == NULL || e->last - e->first > whole->last - whole->first))
				whole = e;
		}
		bool apart = whole != NULL && whole->last - whole->first > m->last - m->first;
		for (size_t k = 0; k < r->nmarks; k++)
			if (apart && k != i && r->mark[k].first <= whole->last && whole->first <= r->mark[k].last)
				apart = (mark_has_label(&r->mark[k], LABEL_COUNTRY) || mark_is_place(&r->mark[k])) &&
				    whole->first <= r->mark[k].first && r->mark[k].last <= whole->last;
		if (!apart)
			continue;
		for (size_t k = r->nmarks; k-- > 0;)
			if (k != i && r->mark[k].first <= whole->last && whole->first <= r->mark[k].last) {
				reading_remove_mark(r, k);
				i -= k < i;
			}
		r->mark[i].first = whole->first;
		r->mark[i].last = whole->last;
	}
}

/* "Make it 110 miles, and only Germany": the country behind an "only" limits a search. */
static void mark_only_country(struct reading *r)
{
	enum { NEAR = 2 };

	for (size_t i = 0; reading_searches(r) && r->nplans == 1 && i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		bool only = false;
		if (!streq(e->kind, "country") || reading_is_marked(r, e->first, e->last))
			continue;
		for (size_t k = 0; !only && k < r->evidence->n; k++) {
			const struct evidence *x = &r->evidence->at[k];
			only = streq(x->kind, "only") && x->last < e->first && e->first <= x->last + NEAR;
		}
		if (!only || reading_put_mark(r, e->first, e->last, LABEL_COUNTRY) == NULL)
			continue;
		/* the place of the talk stays */
		if (r->plan[0].kind != NULL && streq(r->plan[0].kind, "replace"))
			r->plan[0].kind = "refine";
	}
}

void reading_amend_places(struct reading *r, bool places)
{
	drop_no_places(r, places);
	drop_no_names(r);
	narrow_countries(r);
	extend_places(r);
	refuse(r);
	mark_refused(r);
	mark_only_country(r);
}
