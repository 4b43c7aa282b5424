/*
 * What the words of a mark are worth: a number with its unit cannot mean everything, a bound may be turned round by a
 * "not", and so may a surface.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* Is there such evidence within the mark, or at most `reach` words from it? */
static bool is_near(const struct reading *r, const struct mark *m, size_t reach, const char *kind)
{
	const size_t first = m->first < reach ? 0 : m->first - reach, last = m->last + reach;
	return reading_has_evidence(r, first, last < r->words->n ? last : r->words->n - 1, kind);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* No runway is longer than so many kilometres. */
static const double RUNWAY_KM = 6;

/* "Within 30 nm" is not a runway length. "A runway of 1.2 km" is not a distance, and neither is a number in feet
 * or metres. An elevation is neither a length nor a distance. */
static void set_length(struct reading *r, struct mark *m)
{
	const struct evidence *e = evidence_in(r->evidence, m->first, m->last, "length");
	const bool runway = mark_has_label(m, LABEL_MIN_RUNWAY) || mark_has_label(m, LABEL_MAX_RUNWAY);
	char *unit;

	if (e == NULL || e->value == NULL || (!runway && !mark_has_label(m, LABEL_RADIUS)))
		return;
	/* "not more than 2000 ft elevation" */
	if (is_near(r, m, 2, "ask=elevation")) {
		mark_set_label(m, LABEL_WISH);
		return;
	}
	const double v = strtod(e->value, &unit);
	const bool km = streq(unit, "km");
	if (runway && (streq(unit, "nm") || (km && v > RUNWAY_KM)))
		mark_set_label(m, LABEL_RADIUS);
	else if (!runway && !is_near(r, m, 1, "bound.within") && (streq(unit, "ft") ||
	    streq(unit, "m") || (km && v <= RUNWAY_KM && (is_near(r, m, 1, "runway") || is_near(r, m, 2, "surface.hard")))))
		mark_set_label(m, reading_has_evidence(r, m->first, m->last, "bound.max") ? LABEL_MAX_RUNWAY : LABEL_MIN_RUNWAY);
}

/* Does the mark have a number? */
static bool has_number(const struct reading *r, const struct mark *m)
{
	for (size_t i = m->first; i <= m->last; i++)
		if (strpbrk(r->words->word[i].fold, "0123456789") != NULL)
			return true;
	return false;
}

/* "Max ne Std": the unit stands behind a colloquial "one", which the grammar of numbers does not know. */
static void set_one(const struct reading *r, struct mark *m)
{
	static const struct { const char *unit, *value; enum label label; } rows[] = {
		{ "h", "1h", LABEL_REACH }, { "nm", "1nm", LABEL_RADIUS }, { "km", "1km", LABEL_RADIUS }, { "mi", "1mi", LABEL_RADIUS },
	};

	if (m->lifted || m->value != NULL || !one_of(m->label, "radius|reach") || has_number(r, m))
		return;
	for (size_t i = m->first; i < m->last; i++) {
		const struct evidence *unit = evidence_in(r->evidence, i + 1, i + 1, "unit");
		for (size_t k = 0; unit != NULL && reading_has_evidence(r, i, i, "one") && k < sizeof(rows) / sizeof(rows[0]); k++)
			if (streq(unit->value, rows[k].unit)) {
				mark_set_label(m, rows[k].label);
				m->value = rows[k].value;
			}
	}
}

/* A number with its unit cannot mean everything: "no longer than 1400 ft" is no notice. */
static void set_quantity(struct reading *r, struct mark *m)
{
	static const struct { const char *kind, *labels; enum label label; } rows[] = {
		{ "length", "radius|min_runway|max_runway", LABEL_RADIUS },
		{ "duration", "reach|max_notice", LABEL_REACH },
		{ "money", "max_fee", LABEL_MAX_FEE },
		{ "speed", "speed", LABEL_SPEED },
	};
	const struct evidence *other = NULL;
	enum label label = LABEL__MAX;

	if (m->lifted || !one_of(m->label, "radius|min_runway|max_runway|reach|max_notice|max_fee|speed"))
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct evidence *e = evidence_in(r->evidence, m->first, m->last, rows[i].kind);
		if (e != NULL && one_of(m->label, rows[i].labels))
			return;
		if (e != NULL && e->value != NULL) {
			other = e;
			label = rows[i].label;
		}
	}
	if (other != NULL)
		mark_set_label(m, label);
}

/* Does the message speak of customs or of notice, apart from the duration itself ("24 h")? */
static bool speaks_of_notice(const struct reading *r, const struct evidence *duration)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (one_of(e->kind, "notice|point_of_entry|ask=customs|ask=ppr") && (duration == NULL || e->last < duration->first || e->first > duration->last))
			return true;
	}
	return false;
}

/* "A 2 h flight" is a flying time. So is "1 h max", if the message does not speak of customs; "24 h" are opening hours then. */
static void set_duration(struct reading *r, struct mark *m)
{
	enum { BESIDE = 2 };
	const struct evidence *e = evidence_in(r->evidence, m->first, m->last, "duration");
	const bool flight = !reading_has_evidence(r, 0, r->words->n - 1, "notice") &&
	    !reading_has_evidence(r, m->first, m->last, "point_of_entry") && (is_near(r, m, BESIDE, "role.route") || is_near(r, m, BESIDE, "ask=time"));

	if (!mark_has_label(m, LABEL_MAX_NOTICE) || (!flight && (r->plan[0].kind != NULL || speaks_of_notice(r, e))))
		return;
	mark_set_label(m, !flight && e != NULL && streq(e->value, "24h") ? LABEL_WISH : LABEL_REACH);
}

/* "[Free|max_fee]" and "[no landing fee|max_fee]" are a limit of 0. "[Not expensive|max_fee]" is no limit: it wants the cheapest first. */
static void set_fee(struct reading *r, struct mark *m)
{
	const struct evidence *fee = evidence_in(r->evidence, m->first, m->last, "ask=fee");

	if (!mark_has_label(m, LABEL_MAX_FEE) || m->value != NULL || reading_has_evidence(r, m->first, m->last, "money") ||
	    reading_has_evidence(r, m->first, m->last, "number"))
		return;
	if (reading_has_evidence(r, m->first, m->last, "gratis")) {
		m->value = "0eur";
	} else if (reading_has_evidence(r, m->first, m->last, "order=fee")) {
		mark_set_label(m, LABEL_ORDER);
		m->value = "fee";
	} else if (fee != NULL && fee->first > m->first && reading_not_at(r, fee->first - 1) != NULL) {
		m->value = "0eur";
	}
}

/* "At least 750 m ([2,460 ft|max_runway])": the same length once more, in another unit. */
static bool is_said_again(const struct reading *r, size_t i)
{
	const struct mark *m = &r->mark[i], *before = i > 0 ? m - 1 : NULL;

	return mark_has_label(m, LABEL_MAX_RUNWAY) && before != NULL && mark_has_label(before, LABEL_MIN_RUNWAY) &&
	    before->last + 2 == m->first && streq(r->words->word[m->first - 1].fold, "(") && !reading_has_evidence(r, m->first, m->last, "bound.max");
}

/* "A hotel ten minutes on foot": no airport is searched for by that time. */
static bool is_walk(const struct reading *r, const struct mark *m)
{
	enum { BEHIND = 2 };
	const size_t last = m->last + BEHIND < r->words->n ? m->last + BEHIND : r->words->n - 1;
	return (mark_has_label(m, LABEL_REACH) || mark_has_label(m, LABEL_RADIUS)) && reading_has_evidence(r, m->first, last, "walk");
}

/* ---- bounds ------------------------------------------------------------------------------------ */

/* The longest phrase of these kinds, "a|b", that begins within the mark or ends right before it; NULL: there is none. */
static const struct evidence *longest(const struct reading *r, const struct mark *m, const char *kinds)
{
	const struct evidence *best = NULL;

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (one_of(e->kind, kinds) && e->last + 1 >= m->first && e->first <= m->last &&
		    (best == NULL || e->last - e->first > best->last - best->first))
			best = e;
	}
	return best;
}

/* Are exactly these words of this kind? */
static bool is_kind(const struct reading *r, const struct evidence *x, const char *kind)
{
	const struct evidence *e = evidence_in(r->evidence, x->first, x->last, kind);
	return e != NULL && e->first == x->first && e->last == x->last;
}

/* "Nothing but" refuses nothing. */
static bool is_part_of_only(const struct reading *r, const struct evidence *not)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "only") && e->first <= not->first && not->last <= e->last && e->last - e->first > not->last - not->first)
			return true;
	}
	return false;
}

/* Does the "not" in "no grass and at least 700 m" end before this word? It does at a sign, at an "and", and at another mark. */
static bool ends_not(const struct reading *r, size_t word, size_t before)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].first <= word && word <= r->mark[i].last && r->mark[i].last < before)
			return true;
	return r->words->word[word].kind == WORD_SIGN || reading_has_evidence(r, word, word, "and");
}

/* Is there a "not" before this word, with at most so many words between, that holds for it? */
static bool is_refused(const struct reading *r, size_t word, size_t between)
{
	for (size_t k = word; k-- > 0 && word - k <= between + 1;) {
		const struct evidence *not = reading_not_at(r, k);
		if (not != NULL && !(not->last + 1 < word && ends_not(r, not->last, word)))
			return !is_part_of_only(r, not);
		if (ends_not(r, k, word))
			break;
	}
	return false;
}

/* "Unter 1000 m will ich nicht", "kürzer als 800 m darf sie nicht sein": does a "not" at the end of the clause refuse the limit that ends with
 * this word? */
static bool is_refused_at_end(const struct reading *r, size_t word)
{
	enum { FAR = 4 };

	for (size_t i = word + 1; i < r->words->n && i <= word + FAR && !ends_not(r, i, r->words->n); i++) {
		const size_t end = i + 1 < r->words->n && reading_has_evidence(r, i + 1, i + 1, "verb_at_end") ? i + 2 : i + 1;
		if (reading_not_at(r, i) != NULL && (end == r->words->n || r->words->word[end].kind == WORD_SIGN))
			return true;
	}
	return false;
}

/* "Shorter than 500 m" is an upper limit, "more than 500 m" a lower one, and "no runway under 800 m" wants a longer one. */
static void set_bound(struct reading *r, struct mark *m)
{
	enum { BETWEEN = 4 };
	const struct evidence *bound = longest(r, m, "bound.min|bound.max");
	bool other = false;

	if (bound == NULL || (!mark_has_label(m, LABEL_MIN_RUNWAY) && !mark_has_label(m, LABEL_MAX_RUNWAY)))
		return;
	for (size_t i = 0; i < r->nmarks; i++)
		other |= &r->mark[i] != m && (mark_has_label(&r->mark[i], LABEL_MIN_RUNWAY) || mark_has_label(&r->mark[i], LABEL_MAX_RUNWAY));
	const bool min = is_kind(r, bound, "bound.min"), max = is_kind(r, bound, "bound.max");
	const bool refused = is_refused(r, bound->first, BETWEEN) || is_refused_at_end(r, m->last);
	/* "über 1000 m" may be both; "nich über 1000 m" is not */
	if (other || (min && max && !refused))
		return;
	mark_set_label(m, min && max ? LABEL_MAX_RUNWAY : max != refused ? LABEL_MAX_RUNWAY : LABEL_MIN_RUNWAY);
}

/* ---- numbers that no mark has ------------------------------------------------------------------ */

static bool has_mark(const struct reading *r, enum label label)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (streq(r->mark[i].label, aviation_schema.label[label].name))
			return true;
	return false;
}

/* Does this phrase within the mark name another aircraft, and is it no part of a longer one ("cub" of "super cub")? */
static bool is_own_type(const struct reading *r, const struct mark *m, const struct evidence *x)
{
	if (!streq(x->kind, "aircraft") || x->value == NULL || x->first < m->first || x->last > m->last)
		return false;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, x->kind) && e->first <= x->first && x->last <= e->last && e->last - e->first > x->last - x->first &&
		    e->first >= m->first && e->last <= m->last)
			return false;
	}
	return true;
}

static bool has_digit(const struct words *w, size_t first, size_t last)
{
	for (size_t i = first; i <= last; i++)
		if (strpbrk(w->word[i].fold, "0123456789") != NULL)
			return true;
	return false;
}

/* "Piper J3", "Robinson R22": a maker alone stands for its most common type. A type behind it says more, and one with a number says most. */
static void set_aircraft(struct reading *r, struct mark *m)
{
	const struct evidence *best = NULL;
	bool number = false;

	if (!mark_has_label(m, LABEL_AIRCRAFT) || m->value != NULL)
		return;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (!is_own_type(r, m, e))
			continue;
		const bool numbered = has_digit(r->words, e->first, e->last);
		if (best == NULL || numbered > number || (numbered == number && e->first > best->first)) {
			best = e;
			number = numbered;
		}
	}
	if (best != NULL)
		m->value = best->value;
}

/* "7 euro, nice. And grass fields near Schönhagen": the pilot repeats the fee that was asked for last. A limit is said: "max 30 CHF", "the fee", "cost"
 * (a topic). */
static bool is_repeated(const struct reading *r, const struct evidence *sum, const struct dialogue *before)
{
	enum { AROUND = 4 };
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;

	if (r->plan[0].kind == NULL || last == NULL || frame_is_list(last) || !frame_has(last, LABEL_ASK, "fee") || !streq(sum->kind, "money"))
		return false;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (one_of(e->kind, "bound.max|bound.within|order=fee|ask=fee|topic") && e->first <= sum->last + AROUND && sum->first <= e->last + AROUND)
			return false;
	}
	return true;
}

/* "Gebühr nicht über 8 Euro": a sum of money where airports are looked for is the most that landing may cost, and a speed is
 * that of the aircraft. */
static void mark_numbers(struct reading *r, const struct dialogue *before)
{
	static const struct { const char *kind; enum label label; } rows[] = {
		{ "money", LABEL_MAX_FEE }, { "speed", LABEL_SPEED },
	};
	for (size_t k = 0; r->nplans == 1 && reading_searches(r) && k < sizeof(rows) / sizeof(rows[0]); k++)
		for (size_t i = 0; i < r->evidence->n && !has_mark(r, rows[k].label); i++) {
			const struct evidence *e = &r->evidence->at[i];
			struct mark *m = streq(e->kind, rows[k].kind) && e->value != NULL && !reading_is_marked(r, e->first, e->last) &&
			    !is_repeated(r, e, before) && !reading_has_evidence(r, e->first, e->last, "aircraft") ? reading_mark_at(r, e->first) : NULL;
			if (m == NULL)
				continue;
			m->last = e->last;
			mark_set_label(m, rows[k].label);
		}
}

/* ---- surfaces and sites ------------------------------------------------------------------------ */

/* "Grass is no good", "grass ones out": does a phrase behind the word refuse it, with at most one word between? A single word does so only at
 * the end of its clause. */
static bool is_dropped_behind(const struct reading *r, size_t word)
{
	enum { BETWEEN = 1 };

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const bool near = e->first > word && e->first <= word + 1 + BETWEEN && r->words->word[word + 1].kind != WORD_SIGN;
		const bool ends = e->last + 1 == r->words->n || r->words->word[e->last + 1].kind == WORD_SIGN;
		if (near && streq(e->kind, "drop.behind") && (ends || e->last > e->first))
			return true;
	}
	return false;
}

/* "Gras ausgenommen", "herbe est exclue", "gras bitte nicht": is the word refused by a "not" behind it? The clause ends there, and at most
 * one word stands between. "Gras oder nicht" refuses nothing. */
static bool is_refused_behind(const struct reading *r, size_t word)
{
	enum { BETWEEN = 1 };

	for (size_t i = word + 1; i < r->words->n && i <= word + 1 + BETWEEN && r->words->word[i].kind != WORD_SIGN; i++) {
		const struct evidence *not = NULL;
		for (size_t k = i; not == NULL && k < r->words->n && k <= i + BETWEEN; k++) {
			not = reading_not_at(r, k);
			not = not != NULL && not->first == i ? not : NULL;
		}
		if (not != NULL && (not->last + 1 == r->words->n || r->words->word[not->last + 1].kind == WORD_SIGN))
			return true;
		if (reading_has_evidence(r, i, i, "number_or") || reading_has_evidence(r, i, i, "also"))
			break;
	}
	return false;
}

/* Do two phrases have an "or" right behind the first, and at most an article or a preposition between it and the second? */
static bool is_or_between(const struct reading *r, size_t last, size_t first)
{
	enum { BETWEEN = 1 };
	return first > last + 1 && first <= last + 2 + BETWEEN && reading_has_evidence(r, last + 1, last + 1, "or");
}

/* Does an "or" join the mark to the other surface: "[grass strip] or tarmac", "hard runway or [grass]"? */
static bool is_either_surface(const struct reading *r, const struct mark *m)
{
	const char *other = reading_has_evidence(r, m->first, m->last, "surface.grass") ? "surface.hard" : "surface.grass";

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, other) && (is_or_between(r, m->last, e->first) || is_or_between(r, e->last, m->first)))
			return true;
	}
	return false;
}

/* "Darf gern Gras sein", "herbe acceptée", "en herbe ou en dur": the pilot accepts grass, but does not ask for it. A follow-up takes back a
 * wish for a hard runway. */
static void forget_accepted(struct reading *r)
{
	for (size_t i = r->nmarks; i-- > 0;) {
		struct mark *m = &r->mark[i];
		const bool hard = reading_has_evidence(r, m->first, m->last, "surface.hard"), about_hard = mark_has_label(m, LABEL_HARD);
		const struct evidence *grass = about_hard ? evidence_in(r->evidence, m->first, m->last, "surface.grass") : NULL;
		bool accepted = about_hard && ((grass != NULL && hard) ? reading_has_evidence(r, m->first, m->last, "or") : is_either_surface(r, m));
		for (size_t k = 0; grass != NULL && !hard && k < r->evidence->n; k++) {
			const struct evidence *e = &r->evidence->at[k];
			accepted |= streq(e->kind, "any_surface") && e->first <= grass->last && grass->first <= e->last;
		}
		if (accepted && r->plan[0].kind == NULL) {
			reading_remove_mark(r, i);
		} else if (accepted) {
			m->lifted = true;
			m->value = NULL;
		}
	}
}

/* Grass is no hard runway, and "anything but grass" is one. */
static void set_surface(const struct reading *r, struct mark *m)
{
	enum { BETWEEN = 2 };

	if (!mark_has_label(m, LABEL_HARD))
		return;
	const bool grass = reading_has_evidence(r, m->first, m->last, "surface.grass");
	const bool hard = reading_has_evidence(r, m->first, m->last, "surface.hard");
	const struct evidence *surface = longest(r, m, grass ? "surface.grass" : "surface.hard");
	if (grass == hard || surface == NULL || surface->first < m->first)
		return;
	const bool refused = is_refused(r, surface->first, BETWEEN) || is_refused_behind(r, surface->last) ||
	    is_dropped_behind(r, surface->last);
	m->value = grass != refused ? "false" : NULL;
}

/* "Not a huge airport" wants no large one. */
static void set_size(const struct reading *r, struct mark *m)
{
	enum { BETWEEN = 1 };

	if (mark_has_label(m, LABEL_LARGE) && m->value == NULL && reading_has_evidence(r, m->first, m->last, "large") &&
	    is_refused(r, m->first, BETWEEN))
		m->value = "false";
}

/* "Without an instrument procedure" does not want one. */
static void set_procedures(const struct reading *r, struct mark *m)
{
	if (mark_has_label(m, LABEL_PROCEDURES) && m->value == NULL && is_refused(r, m->first, 0) && !reading_is_marked(r, m->first - 1, m->first - 1))
		m->value = "false";
}

/* "A café, on the field": the words behind a bed or a meal say where it is. */
static void set_site(const struct reading *r, struct mark *m)
{
	enum { BEHIND = 3 };
	size_t last = m->last;

	if ((!mark_has_label(m, LABEL_HOTEL) && !mark_has_label(m, LABEL_RESTAURANT)) || !streq(m->value, "vicinity"))
		return;
	while (last + 1 < r->words->n && last < m->last + BEHIND && r->words->word[last + 1].kind != WORD_SIGN &&
	    !reading_has_evidence(r, last + 1, last + 1, "and") && !reading_is_marked(r, last + 1, last + 1))
		last++;
	if (reading_has_evidence(r, m->first, last, "site.field") && !reading_has_evidence(r, m->first, last, "site.near"))
		m->value = "at_airport";
}

/* What may stand in a mark and is a wish or a day of its own. */
static const struct edge_row {
	enum label within[2];         /* the mark has one of these labels */
	const char *kinds;
	bool anywhere;                /* not only at its beginning or end */
	enum label label;
} edges[] = {
	/* "[grass of more than 800 m|min_runway]" */
	{ { LABEL_MIN_RUNWAY, LABEL_MAX_RUNWAY }, "surface.grass|surface.hard", false, LABEL_HARD },
	/* "[Montagabend um acht|time]", "[at eight on Saturday evening|time]" */
	{ { LABEL_TIME, LABEL_TIME }, "day", true, LABEL_DAY },
};

/* The longest evidence that the row means; NULL: there is none, or it is the whole mark. */
static const struct evidence *edge_of(const struct reading *r, const struct mark *whole, const struct edge_row *row)
{
	const struct evidence *edge = NULL;

	for (size_t k = 0; k < r->evidence->n; k++) {
		const struct evidence *e = &r->evidence->at[k];
		const bool inside = whole->first <= e->first && e->last <= whole->last && e->last - e->first < whole->last - whole->first;
		const bool at = row->anywhere || e->first == whole->first || e->last == whole->last;
		if (inside && at && one_of(e->kind, row->kinds) && (edge == NULL || e->last - e->first > edge->last - edge->first))
			edge = e;
	}
	return edge;
}

static bool has_label_of_plans(const struct reading *r, enum label label, unsigned plans)
{
	for (size_t k = 0; k < r->nmarks; k++)
		if (mark_has_label(&r->mark[k], label) && r->mark[k].plans == plans)
			return true;
	return false;
}

static void split_edges(struct reading *r, const struct edge_row *row)
{
	for (size_t i = 0; i < r->nmarks && r->nmarks < READING_MARKS; i++) {
		const struct mark whole = r->mark[i];
		const bool within = mark_has_label(&whole, row->within[0]) || mark_has_label(&whole, row->within[1]);
		const struct evidence *edge = within ? edge_of(r, &whole, row) : NULL;
		if (edge == NULL || has_label_of_plans(r, row->label, whole.plans))
			continue;
		const bool front = edge->first == whole.first;
		r->mark[i].first = front ? edge->last + 1 : whole.first;
		r->mark[i].last = front ? whole.last : edge->first - 1;
		struct mark *m = reading_mark_at(r, edge->first);
		m->last = edge->last;
		m->plans = whole.plans;
		mark_set_label(m, row->label);
		m->value = streq(edge->kind, "surface.grass") ? "false" : NULL;
	}
}

void reading_amend_values(struct reading *r, const struct dialogue *before)
{
	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
		split_edges(r, &edges[i]);
	for (size_t i = r->nmarks; i-- > 0;)
		if (is_walk(r, &r->mark[i]) || is_said_again(r, i))
			reading_remove_mark(r, i);
	forget_accepted(r);
	for (size_t i = 0; i < r->nmarks; i++) {
		set_one(r, &r->mark[i]);
		set_quantity(r, &r->mark[i]);
		set_length(r, &r->mark[i]);
		set_duration(r, &r->mark[i]);
		set_fee(r, &r->mark[i]);
		set_aircraft(r, &r->mark[i]);
		set_bound(r, &r->mark[i]);
		set_surface(r, &r->mark[i]);
		set_size(r, &r->mark[i]);
		set_procedures(r, &r->mark[i]);
		set_site(r, &r->mark[i]);
	}
	mark_numbers(r, before);
}
