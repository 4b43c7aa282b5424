/*
 * A message may ask for two distances at once, or which of two places is nearer to a third. Each distance is a route of its own.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <stdint.h>
#include <string.h>

#include "base/str.h"

enum { PLACES_MAX = 4 };

/* Instead of the index of a place. */
static const size_t NO_PLACE = SIZE_MAX;

/* The places of a message, in its order. */
struct places {
	size_t n;
	struct { size_t first, last; } at[PLACES_MAX + 1];
};

static const struct mark *mark_over(const struct reading *r, size_t word)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].first <= word && word <= r->mark[i].last)
			return &r->mark[i];
	return NULL;
}

/* The longest place that begins with this word, which no mark has; NULL: exact knowledge knows none. */
static const struct evidence *known_place(const struct reading *r, size_t word)
{
	const struct word *w = &r->words->word[word];
	const struct evidence *best = NULL;

	if (!w->title && !w->upper && !r->words->whispered)
		return NULL;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->first == word && one_of(e->kind, "place.code|place.town|place.name|place.area") && !reading_is_marked(r, e->first, e->last) &&
		    (best == NULL || e->last > best->last))
			best = e;
	}
	return best;
}

static void find_places(const struct reading *r, struct places *p)
{
	p->n = 0;
	for (size_t i = 0; i < r->words->n && p->n <= PLACES_MAX; i++) {
		const struct mark *m = mark_over(r, i);
		const struct evidence *e = m == NULL ? known_place(r, i) : NULL;
		const bool place = m != NULL && mark_is_place(m);
		if (place || e != NULL) {
			p->at[p->n].first = i;
			p->at[p->n].last = place ? m->last : e->last;
			i = p->at[p->n++].last;
		} else if (m != NULL) {
			i = m->last;
		}
	}
}

/* list: signs and kinds, as "or|,". Is the word such a sign, or does it belong to evidence of such a kind? */
static bool is_joint(const struct reading *r, size_t word, const char *list)
{
	const struct evidences *e = r->evidence;

	if (r->words->word[word].kind == WORD_SIGN && one_of(r->words->word[word].fold, list))
		return true;
	for (size_t i = 0; i < e->n; i++)
		if (e->at[i].first <= word && word <= e->at[i].last && one_of(e->at[i].kind, list))
			return true;
	for (size_t i = 0; i < e->nexact; i++)
		if (e->exact[i].first == word && one_of(e->exact[i].kind, list))
			return true;
	return false;
}

/* Is each word between place i and the next of a sign or kind in `needed` or `others`, and at least one in `needed`? */
static bool joined_by(const struct reading *r, const struct places *p, size_t i, const char *needed, const char *others)
{
	bool has = false;

	for (size_t word = p->at[i].last + 1; word < p->at[i + 1].first; word++) {
		const bool is = is_joint(r, word, needed);
		if (!is && !is_joint(r, word, others))
			return false;
		has |= is;
	}
	return has;
}

/* Does the evidence compare two distances: "nearer", "näher"? Words such as "closest" may also look for the nearest of many airports. They
 * compare only if the message asks which, and has no word for an airport. */
static bool compares_distance(const struct reading *r, const struct evidence *e)
{
	if (!streq(e->kind, "order=distance"))
		return false;
	for (size_t i = e->first; i <= e->last; i++) {
		if (reading_has_evidence(r, i, i, "nearer"))
			return true;
		if (reading_has_evidence(r, i, i, "nearest"))
			return reading_says(r, "ask=which") && !reading_says(r, "airport");
	}
	return false;
}

/* The word right before a place. */
static bool is_behind(const struct reading *r, const struct places *p, size_t i, const char *kind)
{
	const size_t first = p->at[i].first;
	return first > 0 && reading_has_evidence(r, first - 1, first - 1, kind);
}

/* Does the message have a mark that two routes cannot keep, such as a wish? Then it is not split. */
static bool says_more(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (!mark_is_place(&r->mark[i]) && !one_of(r->mark[i].label, "ask|order|speed|aircraft|day|time"))
			return true;
	return false;
}

/* Make two routes between these places, instead of what was read. NO_PLACE: the talk before says this end. */
static void make_two_routes(struct reading *r, const struct places *p, const size_t from[2], const size_t to[2])
{
	enum { BOTH = 3 };
	const bool goes_on = from[0] == NO_PLACE || to[0] == NO_PLACE;

	for (size_t i = r->nmarks; i-- > 0;)
		if (!one_of(r->mark[i].label, "ask|speed|aircraft|day|time"))
			reading_remove_mark(r, i);
	for (size_t i = 0; i < r->nmarks; i++)
		r->mark[i].plans = BOTH;
	for (size_t k = 0; k < 2; k++) {
		const size_t end[] = { from[k], to[k] };
		r->plan[k] = (struct reading_plan){ goes_on ? "switch" : NULL, aviation_schema.plan[PLAN_ROUTE].name };
		for (size_t e = 0; e < 2; e++) {
			struct mark *m = end[e] != NO_PLACE ? reading_mark_at(r, p->at[end[e]].first) : NULL;
			if (m == NULL)
				continue;
			if (m->label == NULL) {
				m->last = p->at[end[e]].last;
				mark_set_label(m, e == 0 ? LABEL_FROM : LABEL_TO);
			}
			m->plans |= 1u << k;
		}
		r->start[k] = p->at[end[0] == NO_PLACE ? end[1] : end[0]].first;
	}
	r->nplans = 2;
}

/* "Which is nearer" asks for distances, and for nothing else. */
static void ask_distance(struct reading *r)
{
	for (size_t i = r->nmarks; i-- > 0;)
		if (mark_has_label(&r->mark[i], LABEL_ASK))
			reading_remove_mark(r, i);
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		struct mark *m = compares_distance(r, e) ? reading_put_mark(r, e->first, e->last, LABEL_ASK) : NULL;
		if (m == NULL)
			continue;
		m->value = "distance";
		return;
	}
}

/* "Which is nearer to Florence, Siena or Lucca?": the index of Florence; NO_PLACE: the message does not ask so. */
static size_t nearer_to(const struct reading *r, const struct places *p)
{
	static const char *const roles[] = { "role.to", "role.from", "role.near", "role.at" };
	bool compares = false;

	for (size_t i = 0; i < r->evidence->n; i++)
		compares |= compares_distance(r, &r->evidence->at[i]);
	if (p->n != 3 || !compares || says_more(r))
		return NO_PLACE;
	for (size_t i = 0; i < 2; i++) {
		const size_t other = i == 0 ? 2 : 0;
		const bool which = reading_says(r, "ask=which");
		if (!joined_by(r, p, i, which ? "or|and" : "or", ",") ||
		    joined_by(r, p, 1 - i, "or|and", ","))
			continue;
		for (size_t k = 0; k < sizeof(roles) / sizeof(roles[0]); k++)
			if (is_behind(r, p, other, roles[k]))
				return other;
	}
	return NO_PLACE;
}

/* "From Mollis to Lugano and to Locarno": the index of the first of the two ends that "and" joins; NO_PLACE: there are none. */
static size_t joined_ends(const struct reading *r, const struct places *p)
{
	static const char *const roles[] = { "role.to", "role.from" };

	for (size_t i = 0; i + 1 < p->n; i++)
		for (size_t k = 0; k < sizeof(roles) / sizeof(roles[0]); k++)
			if (joined_by(r, p, i, "and", ",|role.to|role.from") &&
			    is_behind(r, p, i, roles[k]) && (is_behind(r, p, i + 1, roles[k]) ||
			    (p->n == 3 && joined_by(r, p, i, "and", ""))))
				return i;
	return NO_PLACE;
}

/* "Emden-Borkum. Emden-Norderney." "Perth Scotland" is one place. */
static bool is_pair(const struct reading *r, const struct places *p, size_t i)
{
	const size_t first = p->at[i + 1].first, last = p->at[i + 1].last;

	if (first == p->at[i].last + 1)
		return !reading_has_evidence(r, first, last, "country") && !reading_has_evidence(r, first, last, "place.area");
	return joined_by(r, p, i, "-|–|—|>|role.to", "");
}

static bool is_same_name(const struct reading *r, const struct places *p, size_t i, size_t k)
{
	return strieq(words_slice(r->evidence->mem, r->words, p->at[i].first, p->at[i].last),
	    words_slice(r->evidence->mem, r->words, p->at[k].first, p->at[k].last));
}

/* "And how far is it to Sion and to Lugano?" after one airport; after a route, it may be about that route. */
static bool talk_says_end(const struct dialogue *before)
{
	const enum plan_kind last = before->n > 0 ? frame_plan_kind(before->frame[before->n - 1]) : PLAN__MAX;
	return last == PLAN_DETAILS || last == PLAN_NOTICE || last == PLAN_NEAR;
}

/* Is there one plan, or are there two that may stand for one comparison of distances? */
static bool asks_one_thing(const struct reading *r)
{
	for (size_t i = 0; r->nplans > 1 && i < r->nplans; i++)
		if (!one_of(r->plan[i].plan, "route|search|near"))
			return false;
	for (size_t i = 0; r->nplans > 1 && i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_ASK) && !mark_asks_how_far(&r->mark[i]) && !one_of(r->mark[i].value, "which|distance"))
			return false;
	return r->nplans <= 2;
}

/* "Milos tempts me. Is it far from Syros?": the route names one end only. The only other place in the message becomes its other end, unless
 * it is an alternative ("to Sion or Lugano") or an exclamation ("Nice! How far …"). */
static void mark_other_end(struct reading *r, const struct places *p)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_PICK))
			return;
	for (size_t i = 0; i < p->n; i++) {
		const struct mark *m = mark_over(r, p->at[i].first);
		const bool from = m != NULL && mark_has_label(m, LABEL_FROM), to = m != NULL && mark_has_label(m, LABEL_TO);
		const size_t other = 1 - i, next = p->at[other].last + 1;
		const bool shouted = next < r->words->n && streq(r->words->word[next].fold, "!");
		if ((!from && !to) || mark_over(r, p->at[other].first) != NULL || shouted ||
		    joined_by(r, p, 0, "or|and", ",") || is_behind(r, p, other, from ? "role.from" : "role.to"))
			continue;
		reading_put_mark(r, p->at[other].first, p->at[other].last, from ? LABEL_TO : LABEL_FROM);
		return;
	}
}

void reading_amend_distances(struct reading *r, const struct dialogue *before)
{
	struct places p;
	bool routes = true;

	for (size_t i = 0; i < r->nplans; i++)
		routes &= streq(r->plan[i].plan, aviation_schema.plan[PLAN_ROUTE].name);
	find_places(r, &p);
	if (p.n < 2 || p.n > PLACES_MAX)
		return;
	const size_t nearer = asks_one_thing(r) ? nearer_to(r, &p) : NO_PLACE;
	if (nearer != NO_PLACE) {
		const size_t a = nearer == 0 ? 1 : 0;
		ask_distance(r);
		make_two_routes(r, &p, (size_t[]){ a, a + 1 }, (size_t[]){ nearer, nearer });
		return;
	}
	if (!routes || !reading_asks_how_far(r) || says_more(r))
		return;
	if (p.n == 2 && r->nplans == 1)
		mark_other_end(r, &p);
	if (p.n == 4 && is_pair(r, &p, 0) && is_pair(r, &p, 2) && !is_pair(r, &p, 1)) {
		make_two_routes(r, &p, (size_t[]){ 0, 2 }, (size_t[]){ 1, 3 });
		return;
	}
	const size_t i = joined_ends(r, &p);
	if (i == NO_PLACE || p.n > 3 || (p.n == 2 && !talk_says_end(before)))
		return;
	/* the end that both routes have */
	const size_t same = p.n == 2 ? NO_PLACE : i == 0 ? 2 : 0;
	/* "from Bern to Sion and to Bern again" is one way */
	if (same != NO_PLACE && (is_same_name(r, &p, same, i) || is_same_name(r, &p, same, i + 1)))
		return;
	if (is_behind(r, &p, i, "role.to") && !(i == 0 && p.n == 3))
		make_two_routes(r, &p, (size_t[]){ same, same }, (size_t[]){ i, i + 1 });
	else
		make_two_routes(r, &p, (size_t[]){ i, i + 1 }, (size_t[]){ same, same });
}
