#include "agents/aviation/builtin/reading_amends.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agents/aviation/builtin/labels.h"
#include "agents/aviation/builtin/reading_marks.h"
#include "airports/countries.h"
#include "airports/icao_prefix.h"
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

/* ---- places that are none --------------------------------------------------------------------- */

static bool is_place(const char *kind)
{
	return strncmp(kind, "place.", 6) == 0 || streq(kind, "country") || streq(kind, "country.code") ||
	    streq(kind, "region") || streq(kind, "coords");
}

/* A region or a country of which exact knowledge has nothing but another meaning of the word. */
static bool is_no_place(const struct reading *r, const struct mark *m)
{
	bool other = false;

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->last < m->first || e->first > m->last || evidence_is_guessed(e->kind))
			continue;
		if (is_place(e->kind))
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
		if (is_place(e->kind))
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

/* ---- what the program is not for ---------------------------------------------------------------- */

/* "What do unicorns eat?" asks about no airport, although the word stands where a name would. */
static bool is_no_airport(const struct reading *r)
{
	const struct mark *at = NULL;

	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_AT) && at == NULL)
			at = &r->mark[i];
		else if (mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_COUNTRY))
			return false;
	if (at == NULL || r->words->whispered || r->words->shouted || r->words->word[at->first].title || r->words->word[at->first].upper)
		return false;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (is_place(e->kind) || one_of(e->kind, "airport|role.at"))
			return false;
	}
	return true;
}

/* A first message may hold nothing that is known. If the reader is not sure of it either, it probably wants something else. */
static void doubt(struct reading *r, const struct dialogue *before)
{
	static const double SURE = 0.35;
	const size_t plan = frame_plan_named(&aviation_schema, r->plan[0].plan);
	const bool looks_up = plan < PLAN__MAX && plan != PLAN_ANSWER && aviation_schema.plan[plan].labels != 0;
	if (plan == PLAN_DETAILS && before->n == 0 && r->nplans == 1 && is_no_airport(r)) {
		r->plan[0] = (struct reading_plan){ NULL, aviation_schema.plan[PLAN_OTHER].name };
		r->nmarks = 0;
		return;
	}
	bool stays = !looks_up || before->n > 0 || r->nplans > 1 || r->nmarks > 0 || r->sure >= SURE;

	for (size_t i = 0; !stays && i < r->evidence->n; i++)
		stays = one_of(r->evidence->at[i].kind, "airport|topic|place.code|weather|notam");
	if (!stays)
		r->plan[0] = (struct reading_plan){ NULL, aviation_schema.plan[PLAN_OTHER].name };
}

/* ---- words that nothing explains ---------------------------------------------------------------- */

/* "with", "mit", "avec": a word that only adds something. */
static bool adds(const struct reading *r, size_t word)
{
	return reading_has_evidence(r, word, word, "only") && reading_has_evidence(r, word, word, "follow.add") &&
	    !reading_has_evidence(r, word, word, "not");
}

static bool is_known(const struct reading *r, size_t word)
{
	for (size_t i = 0; i < r->evidence->n; i++)
		if (r->evidence->at[i].first <= word && word <= r->evidence->at[i].last &&
		    !streq(r->evidence->at[i].kind + strspn(r->evidence->at[i].kind, "~+"), "wish"))
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
		    is_known(r, i) || reading_is_marked(r, with, i))
			continue;
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

/* "Nothing private": an unknown wish behind a "not" is said to be one, where the same words alone may be told in passing. */
static void mark_refused_wishes(struct reading *r)
{
	for (size_t i = 0; reading_searches(r) && i < r->evidence->n && r->nmarks < READING_MARKS; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const struct evidence *not = streq(e->kind, "wish") && e->first > 0 ? reading_not_at(r, e->first - 1, true) : NULL;
		if (not == NULL || reading_is_marked(r, not->first, e->last))
			continue;
		struct mark *m = reading_mark_at(r, not->first);
		m->last = e->last;
		mark_set_label(m, LABEL_WISH);
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

/* "The highest airfield in Switzerland": what airports cannot be ordered by is told. */
static void mark_superlatives(struct reading *r)
{
	for (size_t i = 0; reading_searches(r) && i < r->evidence->n && r->nmarks < READING_MARKS; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (!streq(e->kind, "superlative") || !is_only_order(r, e->first, e->last))
			continue;
		for (size_t k = r->nmarks; k-- > 0;)
			if (r->mark[k].first <= e->last && e->first <= r->mark[k].last)
				reading_remove_mark(r, k);
		struct mark *m = reading_mark_at(r, e->first);
		m->last = e->last;
		mark_set_label(m, LABEL_WISH);
	}
}

/* Is the word of a height about something else ("highest fee", "lowest rated")? */
static bool is_of_other(const struct reading *r, const struct evidence *e)
{
	enum { BEHIND = 2 };

	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].first <= e->last && e->first <= r->mark[i].last && !mark_has_label(&r->mark[i], LABEL_WISH))
			return true;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *x = &r->evidence->at[i];
		if (one_of(x->kind, "ask=fee|order=fee|ask=reviews|ask=runway_length|money") && x->first <= e->last + BEHIND && e->first <= x->last)
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
			for (size_t x = r->nmarks; x-- > 0;)
				if (r->mark[x].first <= e->last && e->first <= r->mark[x].last)
					reading_remove_mark(r, x);
			struct mark *m = reading_mark_at(r, e->first);
			m->last = e->last;
			mark_set_label(m, LABEL_ORDER);
			m->value = rows[k].value;
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

/* "Is there any UL91 between Tours and Biarritz?": a fuel that airports cannot be chosen by is told. */
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
	struct mark *m = other != NULL && reading_searches(r) ? reading_mark_at(r, other->first) : NULL;
	if (m == NULL)
		return;
	m->last = other->last;
	mark_set_label(m, LABEL_WISH);
}

/* "[grass of more than 800 m|min_runway]": the surface at the edge of a length is a wish of its own. */
static void split_lengths(struct reading *r)
{
	for (size_t i = 0; i < r->nmarks && r->nmarks < READING_MARKS; i++) {
		const struct mark whole = r->mark[i];
		const struct evidence *edge = NULL;
		for (size_t k = 0; (mark_has_label(&whole, LABEL_MIN_RUNWAY) || mark_has_label(&whole, LABEL_MAX_RUNWAY)) && k < r->evidence->n; k++) {
			const struct evidence *e = &r->evidence->at[k];
			const bool inside = whole.first <= e->first && e->last <= whole.last && (e->first == whole.first || e->last == whole.last) &&
			    e->last - e->first < whole.last - whole.first;
			if (inside && one_of(e->kind, "surface.grass|surface.hard") && (edge == NULL || e->last - e->first > edge->last - edge->first))
				edge = e;
		}
		for (size_t k = 0; k < r->nmarks; k++)
			if (streq(r->mark[k].label, aviation_schema.label[LABEL_HARD].name) && r->mark[k].plans == whole.plans)
				edge = NULL;
		if (edge == NULL)
			continue;
		const bool front = edge->first == whole.first;
		r->mark[i].first = front ? edge->last + 1 : whole.first;
		r->mark[i].last = front ? whole.last : edge->first - 1;
		struct mark *m = reading_mark_at(r, edge->first);
		m->last = edge->last;
		m->plans = whole.plans;
		mark_set_label(m, LABEL_HARD);
		m->value = streq(edge->kind, "surface.grass") ? "false" : NULL;
	}
}

/* "Where I can clear immigration": a wish that no mark has, in words that mean nothing else. */
static void mark_wishes(struct reading *r)
{
	static const enum label labels[] = { LABEL_AVGAS, LABEL_JET_A, LABEL_ENTRY, LABEL_PROCEDURES };

	for (size_t k = 0; reading_searches(r) && r->nplans == 1 && r->plan[0].kind == NULL && k < sizeof(labels) / sizeof(labels[0]); k++) {
		const char *name = aviation_schema.label[labels[k]].name;
		bool has = false;
		for (size_t i = 0; i < r->nmarks; i++)
			has |= streq(r->mark[i].label, name);
		for (size_t i = 0; !has && i < r->evidence->n; i++) {
			const struct evidence *e = &r->evidence->at[i];
			struct mark *m = streq(e->kind, name) && !reading_is_marked(r, e->first, e->last) &&
			    (e->first == 0 || reading_not_at(r, e->first - 1, true) == NULL) ? reading_mark_at(r, e->first) : NULL;
			if (m == NULL)
				continue;
			m->last = e->last;
			mark_set_label(m, labels[k]);
			has = true;
		}
	}
}

/* ---- codes ------------------------------------------------------------------------------------- */

enum { CODE_LETTERS = 4, PREFIX_LETTERS = 2 };

/* The country of "EHxx", the airports whose codes begin with EH; NULL: it is no such word. */
static const char *pattern_country(const struct words *w, const struct word *word)
{
	const char *text = w->text + word->start;
	char prefix[PREFIX_LETTERS + 1] = "";

	if (word->kind != WORD_LETTERS || word->end - word->start != CODE_LETTERS || !streq(word->fold + PREFIX_LETTERS, "xx"))
		return NULL;
	for (size_t i = 0; i < PREFIX_LETTERS; i++) {
		if (!isupper((unsigned char)text[i]) && !w->whispered)
			return NULL;
		prefix[i] = (char)toupper((unsigned char)text[i]);
	}
	return icao_prefix_country(prefix);
}

/* Does a plan look at one airport, or at nothing? */
static bool is_no_search(const struct reading_plan *p)
{
	const size_t plan = frame_plan_named(&aviation_schema, p->plan);
	return plan == PLAN_DETAILS || plan == PLAN_UNCLEAR || plan == PLAN_OTHER || plan == PLAN_NEAR;
}

/* "Fields in EHxx": those of the Netherlands. */
static void read_patterns(struct reading *r)
{
	for (size_t i = 0; i < r->words->n; i++) {
		const char *country = pattern_country(r->words, &r->words->word[i]);
		struct mark *m = country != NULL ? reading_mark_at(r, i) : NULL;
		if (m == NULL || m->lifted)
			continue;
		*m = (struct mark){ .first = i, .last = i, .plans = m->plans, .sure = m->sure };
		mark_set_label(m, LABEL_COUNTRY);
		m->value = country;
		for (size_t k = 0; k < r->nplans; k++)
			if (is_no_search(&r->plan[k]) && (m->plans == 0 || (m->plans & 1u << k) != 0))
				r->plan[k].plan = aviation_schema.plan[PLAN_SEARCH].name;
	}
}

/* "EGTB?": a code and nothing else asks about that airport, unless the talk before says otherwise. */
static void read_lone_code(struct reading *r, const struct dialogue *before)
{
	static const char *const codes[] = { "place.code", "place.code_small" };
	const struct words *w = r->words;
	size_t letters = 0, at = 0;
	bool code = false;

	for (size_t i = 0; i < w->n; i++)
		if (w->word[i].kind != WORD_SIGN) {
			letters++;
			at = i;
		}
	for (size_t i = 0; letters == 1 && i < sizeof(codes) / sizeof(codes[0]); i++)
		code |= reading_has_evidence(r, at, at, codes[i]);
	const size_t plan = frame_plan_named(&aviation_schema, r->plan[0].plan);
	/* after rules it asks about the airport too, because no rule is about one */
	const enum plan_kind last = before->n > 0 ? frame_plan_kind(before->frame[before->n - 1]) : PLAN__MAX;
	const bool goes_on = before->n > 0 && last != PLAN_ANSWER && last != PLAN_BROWSE && last != PLAN_COMPARE;
	if (!code || r->nplans != 1 || (goes_on && plan < PLAN__MAX && aviation_schema.plan[plan].labels != 0))
		return;
	r->plan[0] = (struct reading_plan){ NULL, aviation_schema.plan[PLAN_DETAILS].name };
	r->sure = 1;
	r->nmarks = 0;
	mark_set_label(reading_mark_at(r, at), LABEL_AT);
}

/* "How much notice at LFMD, LFAT and LFRG?": behind the question stand further airports and nothing else, so they are no question of
 * their own. */
static void join_airports(struct reading *r)
{
	const size_t last = r->nplans - 1;
	size_t first = r->words->n;

	if (last == 0 || !streq(r->plan[last].plan, aviation_schema.plan[PLAN_DETAILS].name) ||
	    !one_of(r->plan[last - 1].plan, "details|notice"))
		return;
	for (size_t i = r->nmarks; i-- > 0 && r->mark[i].plans == 1u << last;) {
		if (!mark_has_label(&r->mark[i], LABEL_AT))
			return;
		first = i;
	}
	if (first == r->words->n || first == 0)
		return;
	for (size_t word = r->mark[first - 1].last + 1; word < r->words->n; word++)
		if (!reading_is_marked(r, word, word) && !one_of(r->words->word[word].fold, ",|?") && !reading_has_evidence(r, word, word, "and") &&
		    !reading_has_evidence(r, word, word, "number_or"))
			return;
	r->nplans--;
	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].plans == 1u << last)
			r->mark[i].plans = r->nplans > 1 ? 1u << (last - 1) : 0;
}

/* "Thanks, and airfields in Ireland with AVGAS": thanks and a greeting want no answer of their own beside a question. */
static void drop_manners(struct reading *r)
{
	for (size_t i = r->nplans; r->nplans > 1 && i-- > 0;) {
		const size_t plan = frame_plan_named(&aviation_schema, r->plan[i].plan);
		if (plan != PLAN_THANKS && plan != PLAN_HELLO)
			continue;
		memmove(r->plan + i, r->plan + i + 1, (--r->nplans - i) * sizeof(r->plan[0]));
		memmove(r->start + i, r->start + i + 1, (r->nplans - i) * sizeof(r->start[0]));
		const unsigned below = (1u << i) - 1;
		for (size_t k = 0; k < r->nmarks; k++)
			r->mark[k].plans = r->nplans == 1 ? 0 : (r->mark[k].plans & below) | (r->mark[k].plans >> 1 & ~below);
	}
}

/* "Thanks. And what do you know of LEGE?", "Thanks, and Shoreham?" ask about an airport. */
static void ask_besides_thanks(struct reading *r)
{
	const size_t plan = frame_plan_named(&aviation_schema, r->plan[0].plan);
	const bool asks = streq(r->words->word[r->words->n - 1].fold, "?");
	bool code = false, named = false;

	for (size_t i = 0; i < r->evidence->n; i++)
		code |= streq(r->evidence->at[i].kind, "place.code");
	for (size_t i = 0; asks && i < r->nmarks; i++)
		named |= mark_has_label(&r->mark[i], LABEL_AT);
	if ((!code && !named) || r->nplans != 1 || (plan != PLAN_THANKS && plan != PLAN_HELLO))
		return;
	r->plan[0] = (struct reading_plan){ NULL, aviation_schema.plan[PLAN_DETAILS].name };
	if (code)
		r->nmarks = 0;
}

/* "NOTAMs for EGTE, and how long are its runways?": the only code of a message is the airport that it asks about. */
static void mark_airport(struct reading *r)
{
	const struct evidence *code = NULL;
	bool asked = false;

	for (size_t i = 0; i < r->nplans; i++) {
		const size_t plan = frame_plan_named(&aviation_schema, r->plan[i].plan);
		asked |= (plan == PLAN_DETAILS || plan == PLAN_NOTICE) && r->plan[i].kind == NULL;
	}
	for (size_t i = 0; i < r->nmarks; i++)
		asked &= !mark_is_place(&r->mark[i]) && !mark_has_label(&r->mark[i], LABEL_PICK);
	for (size_t i = 0; asked && i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (!streq(e->kind, "place.code"))
			continue;
		if (code != NULL || reading_is_marked(r, e->first, e->last))
			return;
		code = e;
	}
	struct mark *m = code != NULL ? reading_mark_at(r, code->first) : NULL;
	if (m != NULL)
		mark_set_label(m, LABEL_AT);
}

/* ---- places of a question about rules ---------------------------------------------------------- */

/* "Do I need a flight plan from Lyon to Geneva?" is about France and Switzerland, which nothing else in it says. "A flight plan from
 * Lübeck to Sweden" crosses a border. */
static void place_rules(struct reading *r)
{
	const struct words *w = r->words;
	bool country = false;

	if (r->nplans != 1 || r->plan[0].kind != NULL || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_ANSWER].name))
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		if (mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_PICK))
			return;
		country |= mark_has_label(&r->mark[i], LABEL_COUNTRY);
	}
	for (size_t i = 0; i < r->evidence->n && r->nmarks < READING_MARKS; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const bool named = one_of(e->kind, "place.town|place.name|place.code") && e->first > 0 && !w->shouted;
		if (!named || !w->word[e->first].title || reading_is_marked(r, e->first, e->last) ||
		    (country && !reading_has_evidence(r, e->first - 1, e->first - 1, "role.from")))
			continue;
		struct mark *m = reading_mark_at(r, e->first);
		m->last = e->last;
		mark_set_label(m, LABEL_AT);
	}
}

/* ---- what cannot be done ---------------------------------------------------------------------- */

/* Does the message ask for such a thing, beside what is marked? It does where it begins with that word and goes on behind an
 * "and", or where it ends with it behind one. */
static bool asks_besides(const struct reading *r, const char *kind)
{
	enum { WORDS = 2, BEFORE = 4 };
	const size_t n = r->words->n;

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const bool begins = e->first < WORDS && e->last + 1 < n && reading_has_evidence(r, e->last + 1, n - 1, "and");
		size_t and = e->first;
		while (and > 0 && e->first - and < BEFORE && !reading_is_marked(r, and - 1, and - 1) && !reading_has_evidence(r, and, and, "and"))
			and--;
		const bool ends = e->first > 0 && e->last + WORDS >= n && reading_has_evidence(r, and, and, "and");
		if (streq(e->kind, kind) && (begins || ends) && !reading_is_marked(r, e->first, e->last))
			return true;
	}
	return false;
}

/* No clause is its own. */
static void add_plan(struct reading *r, enum plan_kind plan)
{
	r->start[r->nplans] = r->words->n;
	r->plan[r->nplans++] = (struct reading_plan){ NULL, aviation_schema.plan[plan].name };
}

/* "Weather in Salzburg and fields with Jet A": what is looked up is one plan, and what cannot be told is another, which is
 * said. */
static void add_cannot(struct reading *r)
{
	static const struct { const char *kind; enum plan_kind plan; } rows[] = {
		{ "weather", PLAN_WEATHER }, { "notam", PLAN_NOTAM },
	};
	bool cannot = false;

	for (size_t i = 0; i < r->nplans; i++) {
		const size_t plan = frame_plan_named(&aviation_schema, r->plan[i].plan);
		cannot |= plan >= PLAN__MAX || aviation_schema.plan[plan].labels == 0;
	}
	for (size_t i = 0; !cannot && reading_searches(r) && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (r->nplans < READING_PLANS && asks_besides(r, rows[i].kind))
			add_plan(r, rows[i].plan);
}

/* ---- what was said before ---------------------------------------------------------------------- */

/* Does a mark say what is spoken of? */
static bool names_something(const struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_COUNTRY) || mark_has_label(&r->mark[i], LABEL_TOPIC) ||
		    mark_has_label(&r->mark[i], LABEL_ASK))
			return true;
	return false;
}

/* "Compare the two", "vergleiche die beiden": the word comes first and little follows, because others that stand for a
 * comparison ("same", "than") are said of other things too. */
static bool compares(const struct reading *r, size_t plan)
{
	enum { WORDS = 7 };
	const bool may = plan == PLAN_COMPARE || plan == PLAN_DETAILS || plan == PLAN_UNCLEAR || plan == PLAN_OTHER ||
	    (r->nmarks == 1 && mark_has_label(&r->mark[0], LABEL_COUNT));
	return may && r->words->n <= WORDS && evidence_in(r->evidence, 0, 0, "compare") != NULL;
}

/* "Compare the two" after airports were spoken of is about airports, and "and the others?" after one of them about the
 * others of the list (frame_looks.c). */
static void read_list(struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const enum plan_kind kind = last != NULL ? frame_plan_kind(last) : PLAN__MAX;
	const bool one = kind == PLAN_DETAILS || kind == PLAN_NOTICE;
	const size_t read = frame_plan_named(&aviation_schema, r->plan[0].plan);
	const bool others = one && (read == kind || streq(r->plan[0].kind, "return")) &&
	    last->slot[LABEL_PICK].n > 0 && r->nmarks == 0 && reading_says(r, "follow.more");

	if (last == NULL || kind > PLAN_NOTICE || r->nplans != 1 || names_something(r) || !(others || compares(r, read)))
		return;
	r->plan[0] = (struct reading_plan){ "pick", aviation_schema.plan[one ? kind : PLAN_DETAILS].name };
	r->nmarks = 0;
}

/* "Only those with customs" after one airport of a list was asked about goes on from the list. */
static void go_back_to_list(struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const enum plan_kind kind = last != NULL ? frame_plan_kind(last) : PLAN__MAX;
	bool listed = false;

	if ((kind != PLAN_DETAILS && kind != PLAN_NOTICE) || r->nplans != 1 || !reading_searches(r) ||
	    !one_of(r->plan[0].kind != NULL ? r->plan[0].kind : "", "refine|lift"))
		return;
	for (size_t i = 0; i < before->n; i++)
		listed |= streq(before->frame[i]->plan->name, r->plan[0].plan);
	for (size_t i = 0; i < r->nmarks; i++)
		listed &= !mark_is_place(&r->mark[i]) && !mark_has_label(&r->mark[i], LABEL_PICK);
	if (listed)
		r->plan[0].kind = "return";
}

/* "Does it need a GAR form, and how long before?": beside a question about rules, a notice without an airport is a part of that
 * question; and so it is right after one. */
static void ask_rules_of_notice(struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const char *const notice = aviation_schema.plan[PLAN_NOTICE].name, *const answer = aviation_schema.plan[PLAN_ANSWER].name;
	bool rules = false;

	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_PICK) || (mark_is_place(&r->mark[i]) && !mark_has_label(&r->mark[i], LABEL_AREA)))
			return;
	for (size_t i = 0; i < r->nplans; i++) {
		rules |= streq(r->plan[i].plan, answer);
		if (!streq(r->plan[i].plan, answer) && !streq(r->plan[i].plan, notice))
			return;
	}
	if (r->nplans == 1 && last != NULL && frame_plan_kind(last) == PLAN_ANSWER && streq(r->plan[0].plan, notice)) {
		r->plan[0] = (struct reading_plan){ "refine", answer };
		r->nmarks = 0;
		struct mark *m = reading_mark_at(r, 0);
		m->last = r->words->n - 1;
		mark_set_label(m, LABEL_TOPIC);
	}
	if (r->nplans < 2 || !rules)
		return;
	r->nplans = 1;
	r->plan[0] = (struct reading_plan){ r->plan[0].kind, answer };
	for (size_t i = 0; i < r->nmarks; i++)
		r->mark[i].plans = 0;
}

/* "Only those in Austria" after a route, "and Elba, is there an airfield?" after rules: a matter of rules is not named, and what is
 * named goes on from the airports, or asks for some. */
static void leave_rules(struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const enum plan_kind kind = last != NULL ? frame_plan_kind(last) : PLAN__MAX;
	const bool listed = kind == PLAN_NEAR || kind == PLAN_ROUTE || kind == PLAN_SEARCH;
	bool country = false, place = false;

	if (last == NULL || r->nplans != 1 || !one_of(r->plan[0].plan, "answer|browse|compare") || reading_says(r, "rules") ||
	    reading_says(r, "compare"))
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		if (mark_has_label(&r->mark[i], LABEL_TOPIC))
			return;
		country |= mark_has_label(&r->mark[i], LABEL_COUNTRY);
		place |= mark_is_place(&r->mark[i]);
	}
	if (listed && country && !place && reading_says(r, "only")) {
		r->plan[0] = (struct reading_plan){ "refine", last->plan->name };
	} else if (!listed && place && reading_says(r, "airport")) {
		r->plan[0] = (struct reading_plan){ "switch", aviation_schema.plan[PLAN_SEARCH].name };
		for (size_t i = 0; i < r->nmarks; i++)
			if (mark_has_label(&r->mark[i], LABEL_AT))
				r->plan[0].plan = aviation_schema.plan[PLAN_NEAR].name;
	}
}

/* "The nearest customs airport, and how much notice does it want?" asks for the notice of that airport too. */
static void add_notice(struct reading *r)
{
	bool nearest = false, entry = false, limit = false;

	for (size_t i = 0; i < r->nmarks; i++) {
		nearest |= mark_has_label(&r->mark[i], LABEL_ORDER) && streq(r->mark[i].value, "distance");
		entry |= mark_has_label(&r->mark[i], LABEL_ENTRY) && !streq(r->mark[i].value, "false");
		limit |= mark_has_label(&r->mark[i], LABEL_MAX_NOTICE);
	}
	if (nearest && entry && !limit && r->nplans == 1 && r->plan[0].kind == NULL && reading_says(r, "notice") &&
	    reading_says(r, "and") && streq(r->plan[0].plan, aviation_schema.plan[PLAN_NEAR].name))
		add_plan(r, PLAN_NOTICE);
}

void reading_amend(struct reading *r, const struct dialogue *before, bool places)
{
	if (r->words->n == 0)
		return;
	drop_manners(r);
	split_lengths(r);
	reading_amend_values(r);
	drop_no_places(r, places);
	drop_no_names(r);
	narrow_countries(r);
	extend_places(r);
	refuse(r);
	mark_refused(r);
	drop_unexplained(r);
	mark_wishes(r);
	mark_unexplained(r);
	order_by_distance(r);
	mark_superlatives(r);
	mark_heights(r);
	mark_refused_wishes(r);
	widen_wishes(r);
	mark_other_fuel(r);
	read_patterns(r);
	read_lone_code(r, before);
	while (r->nplans > 1) {
		const size_t plans = r->nplans;
		join_airports(r);
		if (r->nplans == plans)
			break;
	}
	add_cannot(r);
	add_notice(r);
	place_rules(r);
	doubt(r, before);
	ask_besides_thanks(r);
	mark_airport(r);
	ask_rules_of_notice(r, before);
	leave_rules(r, before);
	reading_amend_corrections(r, before);
	go_back_to_list(r, before);
	reading_amend_route(r);
	reading_amend_lifts(r, before);
	read_list(r, before);
}
