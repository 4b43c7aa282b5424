/*
 * A message may ask for two distances at once, or which of two places is nearer to a third. Each distance is a route of its own.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>

#include "base/str.h"

enum { PLACES_MAX = 4 };

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

/* Are the words between two places of these, and at least one of `needed`? Both are lists such as "or|oder". */
static bool joined_by(const struct reading *r, const struct places *p, size_t i, const char *needed, const char *others)
{
	bool has = false;

	for (size_t word = p->at[i].last + 1; word < p->at[i + 1].first; word++) {
		const char *fold = r->words->word[word].fold;
		if (!one_of(fold, needed) && !one_of(fold, others))
			return false;
		has |= one_of(fold, needed);
	}
	return has;
}

static bool is_behind(const struct reading *r, size_t first, const char *kind)
{
	return first > 0 && reading_has_evidence(r, first - 1, first - 1, kind);
}

/* Take these places for the ends of two routes, and drop all other places. The message may say more: a speed, an aircraft. */
static void measure(struct reading *r, const struct places *p, const size_t from[2], const size_t to[2])
{
	enum { BOTH = 3 };
	const char *kind = r->plan[0].kind;

	for (size_t i = r->nmarks; i-- > 0;)
		if (!one_of(r->mark[i].label, "ask|speed|aircraft|day|time"))
			reading_remove_mark(r, i);
	for (size_t i = 0; i < r->nmarks; i++)
		r->mark[i].plans = BOTH;
	for (size_t k = 0; k < 2; k++) {
		r->plan[k] = (struct reading_plan){ kind, aviation_schema.plan[PLAN_ROUTE].name };
		const size_t end[] = { from[k], to[k] };
		for (size_t e = 0; e < 2; e++) {
			if (end[e] == p->n)
				continue;
			struct mark *m = reading_mark_at(r, p->at[end[e]].first);
			if (m == NULL)
				continue;
			if (m->label == NULL) {
				m->last = p->at[end[e]].last;
				mark_set_label(m, e == 0 ? LABEL_FROM : LABEL_TO);
			}
			m->plans |= 1u << k;
		}
		r->start[k] = p->at[end[0] == p->n ? end[1] : end[0]].first;
	}
	r->nplans = 2;
}

static bool asks_how_far(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_ASK) && r->mark[i].value != NULL && one_of(r->mark[i].value, "distance|time"))
			return true;
	return false;
}

/* "Which is nearer" asks for distances, and for nothing else. */
static void ask_distance(struct reading *r)
{
	for (size_t i = r->nmarks; i-- > 0;)
		if (mark_has_label(&r->mark[i], LABEL_ASK))
			reading_remove_mark(r, i);
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		struct mark *m = streq(e->kind, "order=distance") ? reading_put_mark(r, e->first, e->last, LABEL_ASK) : NULL;
		if (m == NULL)
			continue;
		m->value = "distance";
		return;
	}
}

/* "Which is nearer to Florence, Siena or Lucca?": the index of Florence; p->n: the message does not ask so. */
static size_t nearer_to(const struct reading *r, const struct places *p)
{
	if (p->n != 3 || !reading_says(r, "order=distance"))
		return p->n;
	for (size_t i = 0; i < 2; i++) {
		const size_t other = i == 0 ? 2 : 0;
		const bool which = reading_says(r, "ask=which");
		if (!joined_by(r, p, i, which ? "or|oder|ou|vs|and|et|und" : "or|oder|ou|vs", ",") ||
		    joined_by(r, p, 1 - i, "or|oder|ou|and|et|und", ","))
			continue;
		const size_t first = p->at[other].first;
		if (is_behind(r, first, "role.to") || is_behind(r, first, "role.from") || is_behind(r, first, "role.near") || is_behind(r, first, "role.at"))
			return other;
	}
	return p->n;
}

/* "From Mollis to Lugano and to Locarno": the index of the first of the two ends that "and" joins; p->n: there are none. */
static size_t joined_ends(const struct reading *r, const struct places *p)
{
	static const char *const roles[] = { "role.to", "role.from" };

	for (size_t i = 0; i + 1 < p->n; i++)
		for (size_t k = 0; k < sizeof(roles) / sizeof(roles[0]); k++)
			if (joined_by(r, p, i, "and|et|und|&|+", ",|to|from|nach|von|vom|zu|a|de|d'|depuis|vers|jusqu'|jusqu") &&
			    is_behind(r, p->at[i].first, roles[k]) && (is_behind(r, p->at[i + 1].first, roles[k]) ||
			    joined_by(r, p, i, "and|et|und|&|+", "")))
				return i;
	return p->n;
}

/* "Emden-Borkum. Emden-Norderney." */
static bool is_pair(const struct reading *r, const struct places *p, size_t i)
{
	return p->at[i + 1].first == p->at[i].last + 1 || joined_by(r, p, i, "-|–|—|>|to|nach|a|bis", "");
}

void reading_amend_distances(struct reading *r)
{
	struct places p;
	bool routes = true;

	for (size_t i = 0; i < r->nplans; i++)
		routes &= streq(r->plan[i].plan, aviation_schema.plan[PLAN_ROUTE].name);
	find_places(r, &p);
	if (p.n < 2 || p.n > PLACES_MAX)
		return;
	const size_t nearer = r->nplans == 1 ? nearer_to(r, &p) : p.n;
	if (nearer < p.n) {
		const size_t a = nearer == 0 ? 1 : 0;
		ask_distance(r);
		measure(r, &p, (size_t[]){ a, a + 1 }, (size_t[]){ nearer, nearer });
		return;
	}
	if (!routes || !asks_how_far(r))
		return;
	if (p.n == 4 && is_pair(r, &p, 0) && is_pair(r, &p, 2) && !is_pair(r, &p, 1)) {
		measure(r, &p, (size_t[]){ 0, 2 }, (size_t[]){ 1, 3 });
		return;
	}
	const size_t i = joined_ends(r, &p);
	if (i == p.n || p.n > 3)
		return;
	/* the end that both routes have; p.n: the talk before says it */
	const size_t same = p.n == 2 ? p.n : i == 0 ? 2 : 0;
	if (is_behind(r, p.at[i].first, "role.to") && !(i == 0 && p.n == 3))
		measure(r, &p, (size_t[]){ same, same }, (size_t[]){ i, i + 1 });
	else
		measure(r, &p, (size_t[]){ i, i + 1 }, (size_t[]){ same, same });
}
