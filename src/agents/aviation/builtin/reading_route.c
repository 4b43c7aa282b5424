/*
 * A route has one start and one end, and the word before a place often says which of them it is.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>

#include "base/str.h"

/* The marks of the ends that a message names. */
struct ends {
	size_t n, first, last;        /* first: the first start; last: the last end; SIZE_MAX: there is none */
};

static bool is_end(const struct mark *m)
{
	return mark_has_label(m, LABEL_FROM) || mark_has_label(m, LABEL_TO);
}

static struct ends ends_of(const struct reading *r)
{
	struct ends e = { 0, SIZE_MAX, SIZE_MAX };

	for (size_t i = 0; i < r->nmarks; i++) {
		e.n += is_end(&r->mark[i]);
		if (mark_has_label(&r->mark[i], LABEL_FROM) && e.first == SIZE_MAX)
			e.first = i;
		if (mark_has_label(&r->mark[i], LABEL_TO))
			e.last = i;
	}
	return e;
}

/* Does the word before a mark say that it is the other end? */
static bool is_other_end(const struct reading *r, const struct mark *m)
{
	const bool from = reading_is_behind(r, m, "role.from");
	const bool to = reading_is_behind(r, m, "role.to") || reading_is_behind(r, m, "place.role.to");
	return mark_has_label(m, LABEL_FROM) ? to && !from : from && !to;
}

/* "Oban from Enniskillen". In "how far is Oban from Enniskillen", the first place is the start. */
static void swap_ends(struct reading *r, struct ends e)
{
	struct mark *from = &r->mark[e.first], *to = &r->mark[e.last];
	const bool other[] = { is_other_end(r, from), is_other_end(r, to) };

	/* "back to Pau - La Rochelle": a sign alone between the two, so the first is the start */
	const bool pair = to->first == from->last + 2 && r->words->word[from->last + 1].kind == WORD_SIGN;

	if (pair || reading_asks_how_far(r))
		return;
	if ((!other[0] || reading_is_behind(r, to, "role.to")) && (!other[1] || reading_is_behind(r, from, "role.from")))
		return;
	mark_set_label(from, LABEL_TO);
	mark_set_label(to, LABEL_FROM);
}

/* The ends of a message that names more than two places one after the other: "A > B > C > D", "to A over B and C". */
static void find_ends(struct reading *r, struct ends e)
{
	size_t end = e.last, last = e.last;

	for (size_t i = 0; i < r->nmarks; i++)
		last = is_end(&r->mark[i]) && i > last ? i : last;
	if (last != e.last && last != e.first && !reading_is_behind(r, &r->mark[last], "role.via"))
		end = last;
	for (size_t i = e.first; i < end; i++)
		if (mark_has_label(&r->mark[i], LABEL_TO) && mark_has_label(&r->mark[end - 1], LABEL_VIA) &&
		    reading_is_behind(r, &r->mark[end], "and"))
			end = i;
	for (size_t i = 0; i < r->nmarks; i++)
		if (is_end(&r->mark[i]) && i != e.first)
			mark_set_label(&r->mark[i], i == end ? LABEL_TO : LABEL_VIA);
}

/* "Restaurant Guernsey": one place, and no word that says "from", "to" or "along". */
static bool is_no_route(const struct reading *r)
{
	static const char WAYS[] = "role.from|role.to|role.between|role.route|role.via|ask=distance|ask=time|reverse";
	size_t places = 0;

	for (size_t i = 0; i < r->nmarks; i++)
		places += mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_PICK) || mark_has_label(&r->mark[i], LABEL_COUNTRY);
	for (size_t i = 0; i < r->evidence->n; i++)
		if (one_of(r->evidence->at[i].kind, WAYS))
			return false;
	return places == 1 && r->plan[0].kind == NULL;
}

static void look_near(struct reading *r)
{
	r->plan[0].plan = aviation_schema.plan[PLAN_NEAR].name;
	for (size_t i = 0; i < r->nmarks; i++)
		if (is_end(&r->mark[i]))
			mark_set_label(&r->mark[i], LABEL_NEAR);
}

/* "How far is the first one from Augsburg?": a distance from an airport of the last answer to a place is a route. */
static void measure_from_pick(struct reading *r)
{
	struct mark *place = NULL;
	bool picks = false, far = false;
	size_t places = 0;

	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		picks |= mark_has_label(m, LABEL_PICK);
		far |= mark_asks_how_far(m);
		if (mark_is_place(m)) {
			place = m;
			places++;
		}
	}
	if (!picks || !far || places != 1 || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_DETAILS].name))
		return;
	r->plan[0] = (struct reading_plan){ "switch", aviation_schema.plan[PLAN_ROUTE].name };
	mark_set_label(place, LABEL_FROM);
}

/* "How far is Oban from Tiree?": a distance between two airports is a route. The airport named first becomes the start. */
static void measure_between(struct reading *r)
{
	struct mark *at[2] = { NULL };
	size_t n = 0, places = 0;

	for (size_t i = 0; i < r->nmarks; i++) {
		places += mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_PICK);
		if (mark_has_label(&r->mark[i], LABEL_AT) && n < 2)
			at[n++] = &r->mark[i];
	}
	const bool between = reading_says(r, "role.from") || reading_says(r, "role.to") || reading_says(r, "role.between");
	/* "Elba, LIRJ" is one airport */
	const bool apart = n == 2 && at[1]->first > at[0]->last + 2;
	if (places != 2 || !between || !apart || !reading_asks_how_far(r) || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_DETAILS].name))
		return;
	r->plan[0] = (struct reading_plan){ NULL, aviation_schema.plan[PLAN_ROUTE].name };
	mark_set_label(at[0], LABEL_FROM);
	mark_set_label(at[1], LABEL_TO);
}

/* "And Bembridge?" after "how far is it from Denham to Sandown?" changes the destination. "From Shoreham!" changes the start. */
static void change_end(struct reading *r)
{
	struct mark *at = NULL;
	size_t others = 0;

	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		others += is_end(m) || mark_has_label(m, LABEL_VIA) || mark_has_label(m, LABEL_PICK) || (mark_has_label(m, LABEL_AT) && at != NULL);
		at = mark_has_label(m, LABEL_AT) ? m : at;
	}
	if (at == NULL || others > 0 || r->plan[0].kind == NULL || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_ROUTE].name))
		return;
	/* "et l'aérodrome de Bembridge ?" says nothing of the start */
	const bool airport_of = at->first > 1 && reading_has_evidence(r, at->first - 2, at->first - 1, "airport");
	if (reading_is_behind(r, at, "role.from") && !airport_of)
		mark_set_label(at, LABEL_FROM);
	else if (streq(r->plan[0].kind, "replace"))
		mark_set_label(at, LABEL_TO);
}

/* "Distance Yverdon Beaune?": two names, and no mark has them. */
static void measure_named(struct reading *r)
{
	size_t first = SIZE_MAX, end = 0, next = SIZE_MAX, next_end = 0;

	if (!streq(r->plan[0].plan, aviation_schema.plan[PLAN_ROUTE].name) || !reading_asks_how_far(r) || r->nmarks + 2 > READING_MARKS)
		return;
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_PICK))
			return;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (!one_of(e->kind, "place.town|place.name|place.code|place.shown") || !r->words->word[e->first].title || reading_is_marked(r, e->first, e->last) ||
		    (next != SIZE_MAX && e->first <= next_end))
			continue;
		first = next;
		end = next_end;
		next = e->first;
		next_end = e->last;
	}
	if (first == SIZE_MAX)
		return;
	reading_put_mark(r, first, end, LABEL_FROM);
	reading_put_mark(r, next, next_end, LABEL_TO);
}

/* Do words right before a mark say that it is an end, or what the pilot meant: "the destination is", "I meant"? */
static bool is_said_end(const struct reading *r, const struct mark *m)
{
	enum { BEFORE = 3 };

	for (size_t word = m->first; word-- > 0 && word + BEFORE >= m->first && r->words->word[word].kind != WORD_SIGN;)
		for (size_t i = 0; i < r->evidence->n; i++) {
			const struct evidence *e = &r->evidence->at[i];
			if (e->last == word && one_of(e->kind, "role.from|role.to|follow.correct|follow.instead"))
				return true;
		}
	return false;
}

/* "You gave me Vercelli, 560 m! I said 1200 m": an airport of the list that a pilot complains of is no end of the route. */
static void forget_complaint(struct reading *r)
{
	const struct ends e = ends_of(r);

	if (e.n != 1 || r->nmarks < 2 || r->plan[0].kind == NULL || !streq(r->plan[0].kind, "correct") ||
	    !streq(r->plan[0].plan, aviation_schema.plan[PLAN_ROUTE].name))
		return;
	const size_t i = e.first != SIZE_MAX ? e.first : e.last;
	const struct mark *m = &r->mark[i];
	if (reading_has_evidence(r, m->first, m->last, "place.shown") && !is_said_end(r, m))
		reading_remove_mark(r, i);
}

/* "On the way back to Redhill, one stop for fuel": the talk goes on from where it is, and a destination is the only place of the
 * message. A search around a place has no use for one. */
static void go_on_to(struct reading *r)
{
	size_t places = 0, ends = 0;

	for (size_t i = 0; i < r->nmarks; i++) {
		places += mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_PICK);
		ends += mark_has_label(&r->mark[i], LABEL_TO);
	}
	if (r->plan[0].kind == NULL || places != 1 || ends != 1 || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_NEAR].name))
		return;
	r->plan[0] = (struct reading_plan){ "switch", aviation_schema.plan[PLAN_ROUTE].name };
}

/* "A lunch stop in Normandy, coming from Dunkeswell": the message names a start and a region, but no end. The region is searched, and
 * the start is dropped. */
static void look_in_region(struct reading *r)
{
	const struct ends e = ends_of(r);
	bool region = false, more = false;

	for (size_t i = 0; i < r->nmarks; i++) {
		region |= mark_has_label(&r->mark[i], LABEL_AREA);
		more |= mark_has_label(&r->mark[i], LABEL_VIA) || mark_has_label(&r->mark[i], LABEL_AT) ||
		    mark_has_label(&r->mark[i], LABEL_PICK) || mark_has_label(&r->mark[i], LABEL_REACH);
	}
	if (e.n != 1 || e.first == SIZE_MAX || !region || more || r->plan[0].kind != NULL || reading_asks_how_far(r))
		return;
	r->plan[0].plan = aviation_schema.plan[PLAN_SEARCH].name;
	reading_remove_mark(r, e.first);
}

/* Does a later sentence call the place "dort" or "there"? Shorter words of this kind do not count, because German ones are articles too. */
static bool says_there(const struct reading *r, size_t from)
{
	enum { LETTERS = 4 };
	bool sentence = false;

	for (size_t word = from; word < r->words->n; word++) {
		sentence |= r->words->word[word].kind == WORD_SIGN;
		if (sentence && strlen(r->words->word[word].fold) >= LETTERS && reading_has_evidence(r, word, word, "it"))
			return true;
	}
	return false;
}

/* "From Speck to Tirol. Which fields are there?", "fields in Tirol itself": the area is searched, and the way to it does not matter. */
static void look_at_destination(struct reading *r)
{
	const struct ends e = ends_of(r);

	if (e.last == SIZE_MAX || e.n > 2 || reading_asks_how_far(r))
		return;
	const struct mark *to = &r->mark[e.last];
	const bool there = says_there(r, to->last + 1) && reading_says(r, "list");
	const bool in = reading_is_behind(r, to, "role.in") && !reading_is_behind(r, to, "role.to");
	if (!reading_has_evidence(r, to->first, to->last, "place.area") || (!there && !in))
		return;
	r->plan[0].plan = aviation_schema.plan[PLAN_SEARCH].name;
	mark_set_label(&r->mark[e.last], LABEL_AREA);
	for (size_t i = r->nmarks; i-- > 0;)
		if (mark_has_label(&r->mark[i], LABEL_FROM))
			reading_remove_mark(r, i);
}

/* "How far is it, and can one do that in 2.5 hours?": the time belongs to the question. It does not say how far an airport may be from
 * the route, unless airports are looked for too. */
static void forget_reach(struct reading *r)
{
	static const char QUESTION[] = "from|to|via|ask|speed|aircraft|reach";
	bool forgets = reading_asks_how_far(r);
	for (size_t i = 0; i < r->nmarks; i++)
		forgets &= one_of(r->mark[i].label, QUESTION);
	for (size_t i = r->nmarks; forgets && i-- > 0;)
		if (mark_has_label(&r->mark[i], LABEL_REACH) && !r->mark[i].lifted)
			reading_remove_mark(r, i);
}

/* "From Bremen to Sylt, how long does it take, and what is the fee there?": a distance or a time is that of the route. */
static void ask_of_route(struct reading *r)
{
	size_t routes = 0, route = 0;

	for (size_t i = 0; i < r->nplans; i++)
		if (streq(r->plan[i].plan, aviation_schema.plan[PLAN_ROUTE].name)) {
			routes++;
			route = i;
		}
	for (size_t i = 0; r->nplans > 1 && routes == 1 && i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		if (mark_asks_how_far(m))
			m->plans = 1u << route;
	}
}

/* "What is the notice at Aosta, and how far is that from Beaune?": the reader may make one question of both. The distance becomes a route. */
static void split_distance(struct reading *r)
{
	enum { FIRST = 1, SECOND = 2 };
	struct mark *end = NULL, *at = NULL;
	size_t ends = 0, places = 0, facts = 0;
	const bool notice = streq(r->plan[0].plan, aviation_schema.plan[PLAN_NOTICE].name);

	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const bool far = mark_asks_how_far(m);
		facts += mark_has_label(m, LABEL_ASK) && !far;
		if (is_end(m)) {
			end = m;
			ends++;
		} else if (mark_has_label(m, LABEL_AT)) {
			at = m;
			places++;
		}
	}
	if (ends != 1 || places != 1 || !reading_asks_how_far(r) || (!notice && !streq(r->plan[0].plan, aviation_schema.plan[PLAN_DETAILS].name)))
		return;
	if (!notice && facts == 0) {
		r->plan[0] = (struct reading_plan){ NULL, aviation_schema.plan[PLAN_ROUTE].name };
		mark_set_label(at, mark_has_label(end, LABEL_FROM) ? LABEL_TO : LABEL_FROM);
		return;
	}
	r->nplans = 2;
	r->plan[1] = (struct reading_plan){ NULL, aviation_schema.plan[PLAN_ROUTE].name };
	r->start[1] = end->first;
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const bool far = mark_asks_how_far(m);
		m->plans = far || m == end || mark_has_label(m, LABEL_SPEED) || mark_has_label(m, LABEL_AIRCRAFT) ? SECOND : FIRST;
	}
}

static size_t apart(const struct mark *x, const struct mark *y)
{
	return x->last < y->first ? y->first - x->last : x->first - y->last;
}

/* "Has Morlaix got customs, and how far is it from Cork?": the reader may make one route of both. What is asked of an airport becomes a question
 * about that airport, which is an end of the route or is named once more. */
static void split_facts(struct reading *r)
{
	enum { FIRST = 1, SECOND = 2 };
	static const char QUESTION[] = "from|to|at|ask|speed|aircraft|day|time";
	struct mark *from = NULL, *to = NULL, *at = NULL, *fact = NULL;

	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		if (m->lifted || !one_of(m->label, QUESTION))
			return;
		from = mark_has_label(m, LABEL_FROM) ? m : from;
		to = mark_has_label(m, LABEL_TO) ? m : to;
		at = mark_has_label(m, LABEL_AT) ? m : at;
		if (mark_has_label(m, LABEL_ASK) && !mark_asks_how_far(m) && !mark_asks_of_airport(m))
			return;
		fact = mark_asks_of_airport(m) ? m : fact;
	}
	/* "with fuel on the way?" asks of the route */
	if (from == NULL || to == NULL || fact == NULL || !reading_asks_how_far(r) || reading_says_on_the_way(r, 0, r->words->n))
		return;
	struct mark *of = at != NULL ? at : apart(fact, from) < apart(fact, to) ? from : to, *other = of == from ? to : from;
	const char *kind = r->plan[0].kind;
	r->plan[0] = (struct reading_plan){ kind, aviation_schema.plan[PLAN_DETAILS].name };
	r->plan[1] = (struct reading_plan){ kind != NULL ? "switch" : NULL, aviation_schema.plan[PLAN_ROUTE].name };
	r->nplans = 2;
	r->start[1] = other->first;
	mark_set_label(of, LABEL_AT);
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const bool way = m == other || (m != of && is_end(m)) || mark_asks_how_far(m) || mark_has_label(m, LABEL_SPEED) || mark_has_label(m, LABEL_AIRCRAFT);
		m->plans = way ? SECOND : FIRST;
	}
}

/* "To the Côte d'Azur, Cannes": the area in which the end lies is no stop on the way to it. */
static void drop_area_of_end(struct reading *r)
{
	for (size_t i = 0; i + 1 < r->nmarks; i++) {
		const struct mark *area = &r->mark[i];
		struct mark *town = &r->mark[i + 1];
		const bool ends = (mark_has_label(area, LABEL_VIA) && mark_has_label(town, LABEL_TO)) ||
		    (mark_has_label(area, LABEL_TO) && mark_has_label(town, LABEL_VIA));
		if (!ends || reading_is_behind(r, area, "role.via") || town->first != area->last + 2 || !streq(r->words->word[area->last + 1].fold, ",") ||
		    !reading_has_evidence(r, area->first, area->last, "place.area"))
			continue;
		mark_set_label(town, LABEL_TO);
		reading_remove_mark(r, i);
		return;
	}
}

static bool is_dash(const struct reading *r, size_t word)
{
	return word < r->words->n && one_of(r->words->word[word].fold, "-|–|—|>");
}

/* "Rennes - Rouen - Antwerp": a name between dashes, between the ends of a route, is a stop. */
static void mark_stops(struct reading *r)
{
	const struct ends e = ends_of(r);

	if (e.n != 2 || e.first == SIZE_MAX || e.last == SIZE_MAX || e.first > e.last)
		return;
	const size_t from = r->mark[e.first].last, to = r->mark[e.last].first;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *x = &r->evidence->at[i];
		if (evidence_is_place(x->kind) && !evidence_is_guessed(x->kind) && x->first > from + 1 && x->last + 1 < to && is_dash(r, x->first - 1) &&
		    is_dash(r, x->last + 1) && !reading_is_marked(r, x->first, x->last))
			reading_put_mark(r, x->first, x->last, LABEL_VIA);
	}
}

void reading_amend_route(struct reading *r)
{
	if (r->nplans == 1)
		split_distance(r);
	ask_of_route(r);
	if (r->nplans == 1) {
		measure_from_pick(r);
		measure_between(r);
		measure_named(r);
		change_end(r);
		forget_complaint(r);
		go_on_to(r);
	}
	if (r->nplans == 1 && streq(r->plan[0].plan, aviation_schema.plan[PLAN_ROUTE].name)) {
		mark_stops(r);
		forget_reach(r);
		look_in_region(r);
		look_at_destination(r);
		split_facts(r);
	}
	const struct ends e = ends_of(r);

	if (r->nplans == 1 && e.n == 1 && streq(r->plan[0].plan, aviation_schema.plan[PLAN_ROUTE].name) && is_no_route(r)) {
		look_near(r);
		return;
	}
	if (r->nplans != 1 || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_ROUTE].name) || e.first == SIZE_MAX ||
	    e.last == SIZE_MAX)
		return;
	if (e.n == 2)
		swap_ends(r, e);
	/* whoever corrects himself names an end twice */
	else if (r->plan[0].kind == NULL && !reading_has_evidence(r, 0, r->words->n - 1, "follow.correct"))
		find_ends(r, e);
	drop_area_of_end(r);
}
