/*
 * Places that a pilot does not want, words that were marked as places by mistake, and names of which a mark has only a part.
 */
#include "agents/aviation/builtin/reading_marks.h"

#include <string.h>
#include <strings.h>

#include "airports/countries.h"
#include "base/str.h"

/* ---- what is not wanted ---------------------------------------------------------------------- */

bool reading_looks_elsewhere(const struct reading *r, size_t i)
{
	for (size_t k = 0; k < r->nmarks; k++) {
		const size_t label = frame_label_named(&aviation_schema, r->mark[k].label);
		if (k != i && label < LABEL__MAX && !r->mark[k].lifted && r->mark[k].plans == r->mark[i].plans &&
		    ((aviation_schema.label[label].how & FRAME_PLACE) != 0 || label == LABEL_COUNTRY))
			return true;
	}
	return false;
}

/* "From Basel, no, from Bern": behind a "no", a word such as "from" says that Bern is meant. */
static bool takes_another(const struct reading *r, const struct evidence *refused)
{
	static const char *const roles[] = { "role.from", "role.to", "role.near" };

	for (size_t i = 0; reading_has_evidence(r, refused->first, refused->first, "no") && i < sizeof(roles) / sizeof(roles[0]); i++)
		if (refused->last > refused->first + 1 && reading_has_evidence(r, refused->first + 1, refused->last - 1, roles[i]))
			return true;
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
	if (whole != NULL && whole->first == m->first && whole->last == m->last && !amends && reading_looks_elsewhere(r, i))
		return whole;
	if (!country && (amends || !mark_is_place(m) || !reading_looks_elsewhere(r, i)))
		return NULL;
	for (size_t k = 0; k < r->evidence->n; k++) {
		const struct evidence *e = &r->evidence->at[k];
		if (streq(e->kind, "refused") && m->first <= e->last && e->last <= m->last && !takes_another(r, e))
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

/* Does a code or a country stand in these words? Other names may be words of another meaning ("no rush"). */
static bool is_sure_refusal(const struct reading *r, const struct evidence *refused)
{
	return evidence_in(r->evidence, refused->first, refused->last, "place.code") != NULL ||
	    evidence_in(r->evidence, refused->first, refused->last, "country") != NULL;
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
		struct mark *m = streq(e->kind, "refused") && is_sure_refusal(r, e) && unmarked <= e->last && !reading_is_marked(r, unmarked, e->last)
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
		if (strncmp(e->kind, "place.", 6) == 0 && !one_of(e->kind, "place.common|place.shown|place.current"))
			return false;
		region |= streq(e->kind, "region") && e->first == m->first && e->last == m->last;
	}
	return region && mark_has_label(m, LABEL_AREA) && reading_looks_elsewhere(r, i);
}

/* "Airfields in England", "on Sark": these are parts of a country. Only questions about rules mean the whole country. */
static void narrow_countries(struct reading *r)
{
	for (size_t i = 0; r->nplans == 1 && streq(r->plan[0].plan, aviation_schema.plan[PLAN_SEARCH].name) && i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const struct evidence *area = evidence_in(r->evidence, m->first, m->last, "place.area");
		const struct evidence *country = evidence_in(r->evidence, m->first, m->last, "country");
		if (!mark_has_label(m, LABEL_COUNTRY) || area == NULL || area->first != m->first || area->last != m->last)
			continue;
		const struct country *whole = country != NULL ? country_by_code(country->value) : NULL;
		/* "Luxemburg" is another spelling of the country's name */
		if ((country == NULL && m->value == NULL) ||
		    (whole != NULL && strcasecmp(whole->name, area->value) != 0 && !str_one_slip(str_of(str_fold(r->evidence->mem, whole->name)), str_of(area->value))))
			mark_set_label(m, LABEL_AREA);
	}
}

/* "Alternatives within 50 nm": a word that has another meaning and is no name stands where a place would. The talk before says
 * around what. */
static void drop_no_names(struct reading *r)
{
	for (size_t i = r->nmarks; i-- > 0;) {
		struct mark *m = &r->mark[i];
		if (r->plan[0].kind == NULL || r->nplans > 1 || !mark_has_label(m, LABEL_NEAR) || reading_looks_elsewhere(r, i) || !is_no_place(r, m))
			continue;
		mark_set_label(m, LABEL_PICK);
		m->value = "it";
	}
}

/* "And and and": a word that only joins others is no name. */
static void drop_joints(struct reading *r)
{
	for (size_t i = r->nmarks; i-- > 0;) {
		const struct mark *m = &r->mark[i];
		if (mark_has_label(m, LABEL_NAME) && m->first == m->last && evidence_in(r->evidence, m->first, m->first, "and") != NULL)
			reading_remove_mark(r, i);
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

/* ---- words behind a name ---------------------------------------------------------------------------- */

/* Is the word a part of a name that is known? */
static bool is_named(const struct reading *r, size_t word)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->first <= word && word <= e->last && evidence_is_place(e->kind) && !evidence_is_guessed(e->kind) && !streq(e->kind, "place.common"))
			return true;
	}
	return false;
}

/* Where the longest phrase of these kinds at the end of the mark begins, if it is not the whole mark; SIZE_MAX: there is none. */
static size_t ending(const struct reading *r, const struct mark *m, const char *kinds)
{
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (one_of(e->kind, kinds) && e->last == m->last && e->first > m->first && e->first < first && !is_named(r, e->first))
			first = e->first;
	}
	return first;
}

/* "Castelnaudary km", "Castelnaudary en km": a unit behind a place is no part of its name. Neither is "oder in der Nähe". */
static void cut_behind_names(struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const size_t unit = mark_is_place(m) ? ending(r, m, "unit") : SIZE_MAX;
		const size_t near = mark_is_place(m) ? ending(r, m, "role.near|site.near") : SIZE_MAX;
		if (unit != SIZE_MAX)
			m->last = unit - 1;
		else if (near != SIZE_MAX && near > m->first + 1 && reading_has_evidence(r, near - 1, near - 1, "number_or"))
			m->last = near - 2;
		if (unit != SIZE_MAX && m->last > m->first && reading_has_evidence(r, m->last, m->last, "role.in") && !is_named(r, m->last))
			m->last--;
	}
}

/* Do the words "or nearby" stand behind the mark? */
static bool is_or_nearby(const struct reading *r, const struct mark *m)
{
	const size_t or = m->last + 1;

	for (size_t i = 0; or + 1 < r->words->n && reading_has_evidence(r, or, or, "number_or") && i < r->evidence->n; i++)
		if (r->evidence->at[i].first == or + 1 && streq(r->evidence->at[i].kind, "site.near"))
			return true;
	return false;
}

/* "Jersey or nearby": airports around the island, and not only those on it. */
static void look_nearby(struct reading *r)
{
	if (r->nplans != 1 || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_SEARCH].name))
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		if ((!mark_has_label(m, LABEL_AREA) && !mark_has_label(m, LABEL_COUNTRY)) || !is_or_nearby(r, m) || reading_looks_elsewhere(r, i))
			continue;
		mark_set_label(m, LABEL_NEAR);
		r->plan[0].plan = aviation_schema.plan[PLAN_NEAR].name;
		return;
	}
}

static bool has_sure_place(const struct reading *r, const struct mark *m)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->first <= m->last && m->first <= e->last && evidence_is_place(e->kind) && !evidence_is_guessed(e->kind))
			return true;
	}
	return false;
}

/* Has another mark this label and these plans, and is it such a place? */
static bool has_other(const struct reading *r, size_t i, bool (*is)(const struct reading *r, const struct mark *m))
{
	const struct mark *m = &r->mark[i];

	for (size_t k = 0; k < r->nmarks; k++)
		if (k != i && streq(r->mark[k].label, m->label) && r->mark[k].plans == m->plans && is(r, &r->mark[k]))
			return true;
	return false;
}

/* Does a word that joins names stand beside the mark? */
static bool is_joined(const struct reading *r, const struct mark *m)
{
	static const char *const kinds[] = { "role.at", "role.near", "and", "number_or" };
	const size_t behind = m->last + 1;

	if (m->first > 0 && streq(r->words->word[m->first - 1].fold, ","))
		return true;
	if (behind < r->words->n && (streq(r->words->word[behind].fold, ",") || reading_has_evidence(r, behind, behind, "and") ||
	    reading_has_evidence(r, behind, behind, "number_or")))
		return true;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (reading_is_behind(r, m, kinds[i]))
			return true;
	return false;
}

/* "Where is [Hoogeveen]? She is [guessing].": a small word that is no known name is dropped if another mark with the same label is a known
 * place. It stays if it is joined to a name, or if it is a slip of one. */
static bool is_stray(const struct reading *r, size_t i)
{
	const struct mark *m = &r->mark[i];
	const struct word *word = &r->words->word[m->first];

	return (mark_has_label(m, LABEL_AT) || mark_has_label(m, LABEL_NEAR)) && (m->first == 0 || (!word->title && !word->upper)) &&
	    !has_sure_place(r, m) && !reading_has_evidence(r, m->first, m->last, "place.slip") && !is_joined(r, m) &&
	    has_other(r, i, has_sure_place);
}

static bool is_no_origin(const struct reading *r, const struct mark *m)
{
	return !reading_is_behind(r, m, "origin");
}

/* "How early must Kortrijk be told when we come from [Lydd]?": where the pilot comes from, beside the place that is asked about. */
static bool is_origin(const struct reading *r, size_t i)
{
	const struct mark *m = &r->mark[i];
	bool notice = false;

	for (size_t k = 0; k < r->nplans; k++)
		notice |= (m->plans == 0 || (m->plans & 1u << k) != 0) && streq(r->plan[k].plan, aviation_schema.plan[PLAN_NOTICE].name);
	if (notice && mark_has_label(m, LABEL_AT) && reading_is_behind(r, m, "origin.notice"))
		return has_other(r, i, has_sure_place);
	return (mark_has_label(m, LABEL_NEAR) || (notice && mark_has_label(m, LABEL_AT))) && !is_no_origin(r, m) && has_other(r, i, is_no_origin);
}

/* Is it the name of a country behind a word such as "coming from", perhaps with an article? */
static bool is_named_as_origin(const struct reading *r, const struct mark *country)
{
	struct mark name = *country;

	if (name.first > 0 && reading_has_evidence(r, name.first - 1, name.first - 1, "article"))
		name.first--;
	return reading_is_behind(r, country, "origin") || reading_is_behind(r, &name, "origin");
}

/* Does an "or" or "and" join this mark to the one before it? Articles may stand between. */
static bool is_joined_before(const struct reading *r, size_t i)
{
	enum { BETWEEN = 3 };
	const size_t first = i > 0 ? r->mark[i - 1].last + 1 : 0, end = r->mark[i].first;

	return i > 0 && first < end && end - first <= BETWEEN &&
	    (reading_has_evidence(r, first, first, "or") || reading_has_evidence(r, first, first, "and"));
}

/* "Lydd to Deauville, with customs as we are coming from the UK": airports are not looked for in the country that one comes from, and neither
 * in one that an "or" joins to it. */
static bool is_country_of_origin(const struct reading *r, size_t i)
{
	bool place = false;

	for (size_t k = 0; k < r->nmarks; k++)
		place |= mark_is_place(&r->mark[k]);
	if (r->nplans > 1 || !place || !reading_searches(r))
		return false;
	for (; mark_has_label(&r->mark[i], LABEL_COUNTRY); i--) {
		if (is_named_as_origin(r, &r->mark[i]))
			return true;
		if (!is_joined_before(r, i))
			return false;
	}
	return false;
}

/* ---- remarks ---------------------------------------------------------------------------------- */

/* The sentence of a word: its first word, and the word behind its last one. */
struct sentence {
	size_t first, end;
	bool asks;                    /* it asks for something */
	size_t words;
};

/* Does this sign end a sentence? The dot of an abbreviation does not: "Annecy bzw. Chambéry". */
static bool ends_sentence(const struct reading *r, size_t i)
{
	enum { SHORT = 3 };
	const struct words *w = r->words;

	if (w->word[i].kind != WORD_SIGN || !one_of(w->word[i].fold, ".|!|?|;|…"))
		return false;
	return !streq(w->word[i].fold, ".") || i == 0 ||
	    (strlen(w->word[i - 1].fold) > SHORT && !reading_has_evidence(r, i - 1, i - 1, "abbreviation"));
}

/* Do these words ask for something without a question mark: "please", "tell me about"? */
static bool requests(const struct reading *r, size_t first, size_t end)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->first >= first && e->last < end && one_of(e->kind, "tell|polite|list|help|notice|wish.need"))
			return true;
	}
	return false;
}

static struct sentence sentence_of(const struct reading *r, size_t word)
{
	struct sentence s = { word, word, false, 0 };

	while (s.first > 0 && !ends_sentence(r, s.first - 1))
		s.first--;
	while (s.end < r->words->n && !ends_sentence(r, s.end))
		s.end++;
	for (size_t i = s.first; i < s.end; i++)
		s.words += r->words->word[i].kind != WORD_SIGN;
	s.asks = (s.end < r->words->n && streq(r->words->word[s.end].fold, "?")) || requests(r, s.first, s.end);
	for (size_t i = 0; i < r->nmarks; i++)
		s.asks |= mark_has_label(&r->mark[i], LABEL_ASK) && r->mark[i].first >= s.first && r->mark[i].first < s.end;
	return s;
}

/* "Le Castellet is ruinous. How long is Berre?": the question is about Berre, and the sentence before it is a remark. A name alone ("Annecy.
 * Fee?") is no remark. */
static bool is_remark(const struct reading *r, size_t i)
{
	enum { WORDS = 3 };
	const struct sentence s = sentence_of(r, r->mark[i].first);
	bool asked = false;

	if (s.asks || s.words < WORDS || s.end == r->words->n)
		return false;
	for (size_t k = 0; k < r->nmarks; k++) {
		const struct sentence other = sentence_of(r, r->mark[k].first);
		/* "… And Chambéry?" asks the same */
		const bool same = reading_has_evidence(r, other.first, other.first, "and");
		asked |= mark_has_label(&r->mark[k], LABEL_AT) && other.first != s.first && other.asks && !same;
	}
	return asked;
}

static void drop_remarks(struct reading *r)
{
	for (size_t i = r->nmarks; r->nplans == 1 && one_of(r->plan[0].plan, "details|notice") && i-- > 0;)
		if (mark_has_label(&r->mark[i], LABEL_AT) && is_remark(r, i))
			reading_remove_mark(r, i);
}

static void drop_no_places(struct reading *r, bool places)
{
	drop_remarks(r);
	for (size_t i = r->nmarks; i-- > 0;)
		if ((places && is_stray(r, i)) || is_origin(r, i) || is_country_of_origin(r, i))
			reading_remove_mark(r, i);
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

/* Are exactly these words the name of an area? */
static bool is_area(const struct reading *r, size_t first, size_t last)
{
	const struct evidence *e = evidence_in(r->evidence, first, last, "place.area");
	return e != NULL && e->first == first && e->last == last;
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
		/* "la [Crète|area]", although a place is called La Crète */
		bool apart = whole != NULL && whole->last - whole->first > m->last - m->first &&
		    (!is_area(r, m->first, m->last) || is_area(r, whole->first, whole->last));
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

/* Does such a phrase stand before the mark, perhaps with an article between ("from the UK")? */
static bool is_behind(const struct reading *r, const struct mark *m, const char *kind)
{
	enum { ARTICLE = 3 };
	const bool article = m->first > 0 && strlen(r->words->word[m->first - 1].fold) <= ARTICLE;

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, kind) && (e->last + 1 == m->first || (article && e->last + 2 == m->first)))
			return true;
	}
	return false;
}

/* "Pas celle d'Espagne": does a "not" stand before this word, at most one word between? */
static bool is_denied(const struct reading *r, size_t word)
{
	enum { BEFORE = 2 };

	for (size_t i = word; i-- > 0 && i + BEFORE >= word && r->words->word[i].kind != WORD_SIGN;)
		if (reading_not_at(r, i) != NULL)
			return true;
	return false;
}

/* May the words before the mark say something else than a start? "Of" says where the airports are ("aérodromes de France"), unless a "not" stands
 * before it. "Not far from Germany" says how near. */
static bool is_behind_other(const struct reading *r, const struct mark *m)
{
	if (m->first == 0)
		return false;
	return is_behind(r, m, "role.near") ||
	    (reading_has_evidence(r, m->first - 1, m->first - 1, "of") && !is_denied(r, m->first - 1));
}

/* Does the flight come from there, and has the message no distance or flying time, such as "30 minutes from Headcorn"? */
static bool is_start(const struct reading *r, const struct mark *m)
{
	return is_behind(r, m, "role.from") && !is_behind_other(r, m) && reading_marked(r, LABEL_RADIUS) == NULL &&
	    reading_marked(r, LABEL_REACH) == NULL;
}

/* Drop the country that the flight comes from if the message names another country, an area or a place to search: "which airports in the
 * Netherlands are ports of entry from the UK". Drop the airport that it comes from if the message names a country or an area: "a weekend in the
 * Netherlands from Headcorn". */
static void drop_starts(struct reading *r)
{
	const bool searches = r->nplans == 1 && one_of(r->plan[0].plan, "search|near");
	bool country = false, area = false, place = false;

	for (size_t i = 0; i < r->nmarks; i++) {
		country |= mark_has_label(&r->mark[i], LABEL_COUNTRY) && !is_behind(r, &r->mark[i], "role.from");
		area |= mark_has_label(&r->mark[i], LABEL_AREA);
		place |= mark_has_label(&r->mark[i], LABEL_NEAR);
	}
	for (size_t i = r->nmarks; searches && i-- > 0;) {
		const struct mark *m = &r->mark[i];
		if ((mark_has_label(m, LABEL_COUNTRY) && is_behind(r, m, "role.from") && (country || ((area || place) && !is_behind_other(r, m)))) ||
		    ((mark_has_label(m, LABEL_AT) || mark_has_label(m, LABEL_FROM)) && is_start(r, m) && (country || area)))
			reading_remove_mark(r, i);
	}
}

/* Does the message refuse these words, or more that they are a part of? */
static bool is_refused_here(const struct reading *r, const struct evidence *name)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (streq(e->kind, "refused") && e->first <= name->first && name->last <= e->last)
			return true;
	}
	return false;
}

/* "Barton is good! Has it avgas?" The last answer showed Barton, and the message names it without a mark. So the question is about Barton. This
 * does not hold if the pilot only flies to it or comes from it. */
static void mark_shown(struct reading *r)
{
	struct mark named[READING_MARKS];
	size_t n = 0;

	if (r->nplans != 1 || !one_of(r->plan[0].plan, "details|notice"))
		return;
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_is_place(&r->mark[i]) || (mark_has_label(&r->mark[i], LABEL_PICK) && !streq(r->mark[i].value, "it")))
			return;
	for (size_t i = 0; n < READING_MARKS && i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const struct mark m = { .first = e->first, .last = e->last };
		if (streq(e->kind, "place.shown") && !reading_is_marked(r, e->first, e->last) && !is_refused_here(r, e) &&
		    !is_behind(r, &m, "role.from") && !is_behind(r, &m, "role.to") && !is_behind(r, &m, "role.near") &&
		    (e->first == 0 || !reading_has_evidence(r, e->first - 1, e->first - 1, "than")))
			named[n++] = m;
	}
	for (size_t i = r->nmarks; n > 0 && i-- > 0;)
		if (mark_has_label(&r->mark[i], LABEL_PICK))
			reading_remove_mark(r, i);
	for (size_t i = 0; i < n; i++)
		reading_put_mark(r, named[i].first, named[i].last, LABEL_AT);
}

/* "10 Meilen nördlich von Kempten" says where the pilot is. It is no limit: "within" is missing, and a direction follows. The search is around
 * Kempten, and the answer says that the position was not used. */
static void forget_offset(struct reading *r)
{
	enum { FAR = 4 };

	for (size_t i = 0; i + 1 < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const struct mark *near = m + 1;
		while (near < r->mark + r->nmarks && !mark_has_label(near, LABEL_NEAR))
			near++;
		if (!mark_has_label(m, LABEL_RADIUS) || near == r->mark + r->nmarks || near->first > m->last + FAR ||
		    reading_has_evidence(r, m->first, m->last, "bound.within") || reading_has_evidence(r, m->first, m->last, "bound.max"))
			continue;
		for (size_t word = m->last + 1; word < near->first; word++)
			if (reading_has_evidence(r, word, word, "superlative") || (reading_has_evidence(r, word, word, "region") && word + 2 >= near->first)) {
				mark_set_label(m, LABEL_WISH);
				return;
			}
	}
}

void reading_amend_places(struct reading *r, bool places)
{
	forget_offset(r);
	cut_behind_names(r);
	look_nearby(r);
	reading_amend_parts(r);
	mark_shown(r);
	drop_starts(r);
	drop_no_places(r, places);
	drop_no_names(r);
	drop_joints(r);
	narrow_countries(r);
	extend_places(r);
	refuse(r);
	mark_refused(r);
	mark_only_country(r);
}
