/*
 * Wishes. What airports cannot be chosen by becomes an unknown wish, which the answer names, so that nothing is dropped without a
 * word. A known one that no mark has is found by words that mean nothing else.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>

#include "base/str.h"

/* "with", "mit", "avec": a word that only adds something. */
static bool adds(const struct reading *r, size_t word)
{
	return reading_has_evidence(r, word, word, "only") && reading_has_evidence(r, word, word, "follow.add") &&
	    !reading_has_evidence(r, word, word, "not");
}

/* Does a word mean anything but one of these? */
static bool is_known(const struct reading *r, size_t word, const char *but)
{
	for (size_t i = 0; i < r->evidence->n; i++)
		if (r->evidence->at[i].first <= word && word <= r->evidence->at[i].last &&
		    !one_of(r->evidence->at[i].kind + strspn(r->evidence->at[i].kind, "~+"), but))
			return true;
	return false;
}

/* A mark for a known wish must have a word that is about it. If not, it becomes an unknown wish: "Atlantis" in "near Paris,
 * Atlantis" does not mean large airports, and "200 bucks" are no hard runway. */
static void drop_unexplained(struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const size_t label = frame_label_named(&aviation_schema, m->label);
		bool known = m->lifted || label == LABEL__MAX || ((aviation_schema.label[label].how & FRAME_SWITCH) == 0 &&
		    label != LABEL_HOTEL && label != LABEL_RESTAURANT && label != LABEL_ORDER);
		for (size_t k = 0; !known && k < r->evidence->n; k++) {
			const struct evidence *e = &r->evidence->at[k];
			known = e->first <= m->last && m->first <= e->last && (evidence_about(e->kind + strspn(e->kind, "~+")) >> label & 1) != 0;
		}
		if (!known)
			mark_set_label(m, LABEL_WISH);
	}
}

/* "[Lit|wish]", "[a glass of wine|wish]": an unknown wish whose last words mean a bed or a meal is that wish, unless words before them
 * wish for something else or say "no". */
static void know_beds_and_meals(struct reading *r)
{
	enum { BEFORE = 2 };
	static const struct { const char *kind; enum label label; } rows[] = { { "hotel", LABEL_HOTEL }, { "restaurant", LABEL_RESTAURANT } };

	for (size_t i = 0; reading_searches(r) && i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		for (size_t k = 0; mark_has_label(m, LABEL_WISH) && k < sizeof(rows) / sizeof(rows[0]); k++) {
			const struct evidence *e = evidence_in(r->evidence, m->first, m->last, rows[k].kind);
			if (e == NULL || e->last != m->last || e->first > m->first + BEFORE || reading_has_evidence(r, m->first, m->last, "not") ||
			    (m->first > 0 && reading_not_at(r, m->first - 1) != NULL) ||
			    (e->first > m->first && reading_has_evidence(r, m->first, e->first - 1, "wish")))
				continue;
			mark_set_label(m, rows[k].label);
			m->value = "vicinity";
		}
	}
}

/* Does the mark have such evidence, and do the same words not mean any fuel too? *any: they do. */
static bool names_fuel(const struct reading *r, const struct mark *m, const char *kind, bool *any)
{
	const struct evidence *e = evidence_in(r->evidence, m->first, m->last, kind);
	const struct evidence *fuel = e != NULL ? evidence_in(r->evidence, e->first, e->last, "fuel") : NULL;
	const bool same = fuel != NULL && fuel->first == e->first && fuel->last == e->last;

	*any |= same;
	return e != NULL && !same;
}

/* A mark that names one fuel means that fuel: "kerosene" is Jet A. A word that may be either ("petrol") means any. */
static void set_fuel(struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const char *value = m->value;
		bool any = false;
		const bool avgas = names_fuel(r, m, "has_avgas", &any) | names_fuel(r, m, "~has_avgas", &any);
		const bool jet = names_fuel(r, m, "has_jet_a", &any) | names_fuel(r, m, "~has_jet_a", &any);
		if ((!mark_has_label(m, LABEL_FUEL) && !mark_has_label(m, LABEL_AVGAS) && !mark_has_label(m, LABEL_JET_A)) || (avgas && jet) ||
		    (!avgas && !jet && !any))
			continue;
		mark_set_label(m, avgas ? LABEL_AVGAS : jet ? LABEL_JET_A : LABEL_FUEL);
		m->value = value;
	}
}

/* "Near Lyon with a zipline": what stands where a wish would, and means nothing to the program, is a wish that it does not
 * know, so the pilot is told that it was not used. */
static void mark_unexplained(struct reading *r)
{
	enum { LETTERS = 4, BETWEEN = 2 };
	const struct words *w = r->words;

	for (size_t i = 1; reading_searches(r) && i < w->n && r->nmarks < READING_MARKS; i++) {
		const struct word *word = &w->word[i];
		size_t with = i - 1;
		/* an article, but no "my": who flies along is no wish */
		while (with > 0 && i - with < BETWEEN && !adds(r, with) && (reading_has_evidence(r, with, with, "numeral") ||
		    reading_has_evidence(r, with, with, "role.at")))
			with--;
		if (!adds(r, with) || word->kind != WORD_LETTERS || strlen(word->fold) < LETTERS || word->upper ||
		    is_known(r, i, "wish") || reading_is_marked(r, with, i))
			continue;
		mark_set_label(reading_mark_at(r, i), LABEL_WISH);
	}
}

/* "Airports near Paris, Atlantis": a name that stands alone behind a comma, and means nothing to the program. */
static void mark_unknown_names(struct reading *r)
{
	const struct words *w = r->words;

	for (size_t i = 2; reading_searches(r) && !w->shouted && i < w->n && r->nmarks < READING_MARKS; i++) {
		const bool alone = streq(w->word[i - 1].fold, ",") && (i + 1 == w->n || w->word[i + 1].kind == WORD_SIGN);
		if (alone && w->word[i].kind == WORD_LETTERS && w->word[i].title && !is_known(r, i, "wish|topic") &&
		    !reading_is_marked(r, i, i))
			mark_set_label(reading_mark_at(r, i), LABEL_WISH);
	}
}

/* "The [nearest|wish] to Salzburg": a list can begin with the nearest, unless something else is meant ("nearest to the sea"). */
static void order_by_distance(struct reading *r)
{
	enum { FAR = 3 };

	for (size_t i = 0; reading_searches(r) && r->nplans == 1 && i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const struct evidence *e = mark_has_label(m, LABEL_WISH) ? evidence_in(r->evidence, m->first, m->last, "order=distance") : NULL;
		bool other = e == NULL || e->first > m->first || e->last < m->last;
		for (size_t k = 0; !other && k < r->nmarks; k++)
			other = mark_has_label(&r->mark[k], LABEL_ORDER) ||
			    (k == i + 1 && mark_has_label(&r->mark[k], LABEL_WISH) && r->mark[k].first <= m->last + FAR);
		if (other)
			continue;
		mark_set_label(m, LABEL_ORDER);
		m->value = "distance";
	}
}

/* Does "from" or "ab" stand before this place? Two kinds of words do not count: those that also mean "of" ("aérodromes de Lyon"), and those that
 * end a longer phrase ("not far from"). */
static bool is_start(const struct reading *r, const struct mark *m)
{
	const size_t before = m->first - 1;
	const bool town = mark_has_label(m, LABEL_AREA) && (reading_has_evidence(r, m->first, m->last, "place.town") ||
	    !reading_has_evidence(r, m->first, m->last, "place.area"));

	return (mark_has_label(m, LABEL_NEAR) || town) && reading_is_behind(r, m, "role.from") && !reading_is_behind(r, m, "role.near") &&
	    !reading_has_evidence(r, before, before, "of") && !reading_is_marked(r, before, before);
}

/* "Fields in Denmark with food, from Bremen": the flight starts in Bremen, so the list begins with what is nearest to it. There is none within the
 * usual distance around Bremen. */
static void order_from_start(struct reading *r)
{
	struct mark *start = NULL;
	size_t places = 0, countries = 0;

	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		if (one_of(m->label, "radius|reach|order|speed|pick"))
			return;
		places += mark_is_place(m);
		countries += mark_has_label(m, LABEL_COUNTRY) && !m->lifted;
		start = is_start(r, m) ? m : start;
	}
	if (r->nplans != 1 || places != 1 || countries != 1 || start == NULL ||
	    !one_of(r->plan[0].plan, "near|search"))
		return;
	mark_set_label(start, LABEL_NEAR);
	r->plan[0].plan = aviation_schema.plan[PLAN_NEAR].name;
	struct mark *order = reading_put_mark(r, start->first - 1, start->first - 1, LABEL_ORDER);
	if (order != NULL)
		order->value = "distance";
}

/* "Nothing private": after a "not", such words are a wish. Without it, the pilot may only mention them. */
static void mark_refused_wishes(struct reading *r)
{
	for (size_t i = 0; reading_searches(r) && i < r->evidence->n && r->nmarks < READING_MARKS; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const struct evidence *not = streq(e->kind, "wish") && e->first > 0 ? reading_not_at(r, e->first - 1) : NULL;
		if (not == NULL || reading_is_marked(r, not->first, e->last))
			continue;
		reading_put_mark(r, not->first, e->last, LABEL_WISH);
	}
}

/* Is every mark on these words an order ("[closest|order=distance] to the sea")? */
static bool is_only_order(const struct reading *r, size_t first, size_t last)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].first <= last && first <= r->mark[i].last && !mark_has_label(&r->mark[i], LABEL_ORDER))
			return false;
	return true;
}

/* "Half way" of a route is understood (frame_amends.c). */
static bool is_halfway(const struct reading *r, const struct evidence *e)
{
	bool route = false;
	for (size_t i = 0; i < r->nplans; i++)
		route |= streq(r->plan[i].plan, aviation_schema.plan[PLAN_ROUTE].name);
	return route && streq(e->value, WISH_HALFWAY);
}

static void drop_wishes(struct reading *r, size_t first, size_t last)
{
	for (size_t i = r->nmarks; i-- > 0;)
		if (mark_has_label(&r->mark[i], LABEL_WISH) && r->mark[i].first <= last && first <= r->mark[i].last)
			reading_remove_mark(r, i);
}

/* "The prettiest airfield in Switzerland": the answer says that airports cannot be ordered by this. */
static void mark_superlatives(struct reading *r)
{
	for (size_t i = 0; reading_searches(r) && i < r->evidence->n && r->nmarks < READING_MARKS; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (!streq(e->kind, "superlative"))
			continue;
		if (is_halfway(r, e))
			drop_wishes(r, e->first, e->last);
		else if (is_only_order(r, e->first, e->last))
			reading_put_mark(r, e->first, e->last, LABEL_WISH);
	}
}

/* Is the word of a height about something else ("highest fee", "lowest rated")? */
static bool is_of_other(const struct reading *r, const struct evidence *e)
{
	enum { BEHIND = 2 };

	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].first <= e->last && e->first <= r->mark[i].last && (!mark_has_label(&r->mark[i], LABEL_WISH) ||
		    r->mark[i].first < e->first || r->mark[i].last > e->last))
			return true;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *x = &r->evidence->at[i];
		if (one_of(x->kind, "ask=fee|order=fee|ask=reviews|ask=runway_length|money|fuel|ask=fuel") && x->first <= e->last + BEHIND && e->first <= x->last)
			return true;
	}
	return false;
}

/* "The highest airfield in Switzerland": lists can begin with it. */
static void mark_heights(struct reading *r)
{
	static const struct { const char *kind, *value; } rows[] = { { "order.highest", "highest" }, { "order.lowest", "lowest" } };

	for (size_t k = 0; reading_searches(r) && r->nplans == 1 && k < sizeof(rows) / sizeof(rows[0]); k++)
		for (size_t i = 0; i < r->evidence->n && r->nmarks < READING_MARKS; i++) {
			const struct evidence *e = &r->evidence->at[i];
			if (!streq(e->kind, rows[k].kind) || is_of_other(r, e))
				continue;
			reading_put_mark(r, e->first, e->last, LABEL_ORDER)->value = rows[k].value;
			return;
		}
}

/* "Open on Sunday": a day that belongs to a wish which airports cannot be chosen by. */
static void widen_wishes(struct reading *r)
{
	for (size_t i = 0; reading_searches(r) && i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		for (size_t k = 0; mark_has_label(m, LABEL_DAY) && k < r->evidence->n; k++) {
			const struct evidence *e = &r->evidence->at[k];
			if (!streq(e->kind, "wish") || e->first > m->first || m->last > e->last || e->last - e->first <= m->last - m->first ||
			    (i > 0 && r->mark[i - 1].last >= e->first) || (i + 1 < r->nmarks && r->mark[i + 1].first <= e->last))
				continue;
			m->first = e->first;
			m->last = e->last;
			mark_set_label(m, LABEL_WISH);
		}
	}
}

/* "Is there any UL91 between Tours and Biarritz?": the answer says that airports cannot be chosen by this fuel. */
static void mark_other_fuel(struct reading *r)
{
	const struct evidence *other = NULL;

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (!streq(e->kind, "fuel.other"))
			continue;
		if (reading_is_marked(r, e->first, e->last))
			return;
		other = e;
	}
	if (other != NULL && reading_searches(r))
		reading_put_mark(r, other->first, other->last, LABEL_WISH);
}

/* "Customs not needed", "Zoll brauch ich keinen", "Avgas irrelevant": is the wish taken back in the words behind it? "Customs not far from
 * Basel" is wanted. */
static bool is_not_needed(const struct reading *r, const struct evidence *wish)
{
	enum { BEHIND = 4 };

	for (size_t i = wish->last + 1; i < r->words->n && i <= wish->last + BEHIND && r->words->word[i].kind != WORD_SIGN; i++) {
		bool near = false, lifted = false;
		for (size_t k = 0; k < r->evidence->n; k++) {
			const struct evidence *e = &r->evidence->at[k];
			near |= e->first <= i && i <= e->last && streq(e->kind, "role.near");
			lifted |= e->first == i && streq(e->kind, "lift");
		}
		if (near || reading_is_marked(r, i, i) || reading_has_evidence(r, i, i, "and"))
			break;
		if (lifted || reading_not_at(r, i) != NULL)
			return true;
	}
	return false;
}

/* "Le fioul pour la turbine, jet donc": a fuel that no mark has, in words that mean nothing else. */
static void mark_wishes(struct reading *r)
{
	static const enum label labels[] = { LABEL_AVGAS, LABEL_JET_A };

	for (size_t k = 0; reading_searches(r) && r->nplans == 1 && r->plan[0].kind == NULL && k < sizeof(labels) / sizeof(labels[0]); k++) {
		const char *name = aviation_schema.label[labels[k]].name;
		bool has = false;
		for (size_t i = 0; i < r->nmarks; i++)
			has |= streq(r->mark[i].label, name);
		for (size_t i = 0; !has && i < r->evidence->n; i++) {
			const struct evidence *e = &r->evidence->at[i];
			if (!streq(e->kind, name))
				continue;
			has = is_not_needed(r, e);
			struct mark *m = !has && !reading_is_marked(r, e->first, e->last) &&
			    (e->first == 0 || reading_not_at(r, e->first - 1) == NULL) ? reading_mark_at(r, e->first) : NULL;
			if (m == NULL)
				continue;
			m->last = e->last;
			mark_set_label(m, labels[k]);
			has = true;
		}
	}
}

/* Does the thing stand behind a word that wishes for it or asks for it, as in "with a campsite", "has it got showers"? */
static bool is_wished_for(const struct reading *r, size_t thing)
{
	enum { BEFORE = 3 };

	for (size_t i = thing; i-- > 0 && i + BEFORE >= thing && r->words->word[i].kind != WORD_SIGN;)
		if (reading_has_evidence(r, i, i, "offers"))
			return true;
	return false;
}

/* Is it a part of a name, as in "Imperial War Museum"? German writes each noun with a capital. */
static bool is_part_of_name(const struct reading *r, size_t word)
{
	const bool beside = (word > 0 && reading_is_marked(r, word - 1, word - 1)) ||
	    (word + 1 < r->words->n && reading_is_marked(r, word + 1, word + 1));

	return r->words->word[word].title && word > 0 && (beside || !streq(r->words->language, "de"));
}

/* "Has it got a campsite or a hotel?": a thing that airports may have, and of which nothing can be looked up, is named in the answer. */
static void mark_things(struct reading *r)
{
	if (r->nplans > 1 || (!reading_searches(r) && !streq(r->plan[0].plan, aviation_schema.plan[PLAN_DETAILS].name)))
		return;
	for (size_t i = 0; i < r->words->n; i++)
		if (reading_has_evidence(r, i, i, "thing") && !reading_is_marked(r, i, i) && is_wished_for(r, i) && !is_part_of_name(r, i))
			reading_put_mark(r, i, i, LABEL_WISH);
}

/* "A fuel stop, preferably in Austria": the only country of a message leaves out no airport of another one, if it is only preferred. */
static void mark_preferences(struct reading *r)
{
	enum { BEFORE = 2 };
	struct mark *country = NULL;
	bool place = false;

	for (size_t i = 0; i < r->nmarks; i++) {
		place |= mark_is_place(&r->mark[i]);
		if (mark_has_label(&r->mark[i], LABEL_COUNTRY) && country != NULL)
			return;
		if (mark_has_label(&r->mark[i], LABEL_COUNTRY))
			country = &r->mark[i];
	}
	if (country == NULL || !place || r->nplans > 1 || !reading_searches(r))
		return;
	for (size_t word = country->first; word-- > 0 && word + 1 + BEFORE >= country->first && !reading_is_marked(r, word, word);) {
		if (!reading_has_evidence(r, word, word, "rather"))
			continue;
		const bool small = word > 0 && !reading_is_marked(r, word - 1, word - 1) &&
		    (reading_has_evidence(r, word - 1, word - 1, "article") || reading_has_evidence(r, word - 1, word - 1, "of"));
		country->first = word - small;
		mark_set_label(country, LABEL_WISH);
		return;
	}
}

/* Do three words such as "off the route" stand behind the word `last`? */
static bool is_beside_route(const struct reading *r, size_t last)
{
	return last + 3 < r->words->n && reading_has_evidence(r, last + 1, last + 1, "aside") && reading_has_evidence(r, last + 2, last + 2, "article") &&
	    reading_has_evidence(r, last + 3, last + 3, "track");
}

/* A distance that no mark has. Beside a word for the route it is the width of the corridor: "150 NM off the route". The answer says that any
 * other one was not used: "my Cub flies 180 nm". */
static void mark_distances(struct reading *r)
{
	bool corridor = streq(r->plan[0].plan, aviation_schema.plan[PLAN_ROUTE].name);

	if (r->nplans > 1 || !reading_searches(r) || reading_asks_how_far(r) || reading_marked(r, LABEL_RADIUS) != NULL ||
	    reading_marked(r, LABEL_REACH) != NULL)
		return;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (!one_of(e->kind, "length.nm|length.km|length.mi") || reading_is_marked(r, e->first, e->last))
			continue;
		const bool width = corridor && is_beside_route(r, e->last);
		reading_put_mark(r, e->first, e->last, width ? LABEL_RADIUS : LABEL_WISH);
		corridor = corridor && !width;
	}
}

void reading_amend_wishes(struct reading *r)
{
	drop_unexplained(r);
	know_beds_and_meals(r);
	set_fuel(r);
	mark_wishes(r);
	mark_unexplained(r);
	mark_unknown_names(r);
	order_by_distance(r);
	order_from_start(r);
	mark_superlatives(r);
	mark_heights(r);
	mark_refused_wishes(r);
	widen_wishes(r);
	mark_other_fuel(r);
	mark_things(r);
	mark_preferences(r);
	mark_distances(r);
}
