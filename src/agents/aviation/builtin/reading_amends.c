#include "agents/aviation/builtin/reading_amends.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agents/aviation/builtin/labels.h"
#include "agents/aviation/builtin/reading_marks.h"
#include "airports/icao_prefix.h"
#include "base/str.h"

/* Is there such evidence within the mark, or at most `reach` words from it? */
static bool is_near(const struct reading *r, const struct mark *m, size_t reach, const char *kind)
{
	const size_t first = m->first < reach ? 0 : m->first - reach, last = m->last + reach;
	return reading_has_evidence(r, first, last < r->words->n ? last : r->words->n - 1, kind);
}

/* The mark that covers a word, or a new one in its order; NULL: there is no room. */
static struct mark *mark_at(struct reading *r, size_t word)
{
	size_t i = 0;

	while (i < r->nmarks && r->mark[i].last < word)
		i++;
	if (i < r->nmarks && r->mark[i].first <= word)
		return &r->mark[i];
	if (r->nmarks == READING_MARKS)
		return NULL;
	memmove(r->mark + i + 1, r->mark + i, (r->nmarks++ - i) * sizeof(r->mark[0]));
	r->mark[i] = (struct mark){ .first = word, .last = word, .sure = 1 };
	return &r->mark[i];
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* No runway is longer than so many kilometres. */
static const double RUNWAY_KM = 6;

/* "Within 30 nm" is no length of a runway, and "a runway of 1.2 km" is no distance, nor is anything in feet or metres. */
static void set_length(struct reading *r, struct mark *m)
{
	const struct evidence *e = evidence_in(r->evidence, m->first, m->last, "length");
	const bool runway = mark_has_label(m, LABEL_MIN_RUNWAY) || mark_has_label(m, LABEL_MAX_RUNWAY);
	char *unit;

	if (e == NULL || e->value == NULL || (!runway && !mark_has_label(m, LABEL_RADIUS)))
		return;
	const double v = strtod(e->value, &unit);
	const bool km = streq(unit, "km");
	if (runway && (streq(unit, "nm") || (km && v > RUNWAY_KM)))
		mark_set_label(m, LABEL_RADIUS);
	else if (!runway && !is_near(r, m, 1, "bound.within") && (streq(unit, "ft") ||
	    streq(unit, "m") || (km && v <= RUNWAY_KM && is_near(r, m, 1, "runway"))))
		mark_set_label(m, reading_has_evidence(r, m->first, m->last, "bound.max") ? LABEL_MAX_RUNWAY : LABEL_MIN_RUNWAY);
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

/* "A 2 h flight" tells how far the airport may be, and not how early customs must know. */
static void set_duration(struct reading *r, struct mark *m)
{
	enum { BESIDE = 2 };
	if (mark_has_label(m, LABEL_MAX_NOTICE) && !reading_has_evidence(r, 0, r->words->n - 1, "notice") &&
	    (is_near(r, m, BESIDE, "role.route") || is_near(r, m, BESIDE, "ask=time")))
		mark_set_label(m, LABEL_REACH);
}

/* ---- what is not wanted ---------------------------------------------------------------------- */

static bool is_small(const struct reading *r, size_t word)
{
	enum { LETTERS = 3 };
	return strlen(r->words->word[word].fold) <= LETTERS || reading_has_evidence(r, word, word, "role.in") ||
	    reading_has_evidence(r, word, word, "role.at");
}

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

/* Some words say "not" only beside others, and else "also" ("noch"), or "where" in a dialect ("wo"). */
static bool says_else(const struct reading *r, const struct evidence *not, bool elsewhere)
{
	static const char sure[] = "not|lift|only|follow.add|follow.instead|follow.correct|number_word";

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (e->first == not->first && e->last == not->last && !evidence_is_guessed(e->kind) && !one_of(e->kind, sure) &&
		    !(elsewhere && streq(e->kind, "also")))
			return true;
	}
	return false;
}

/* The "not" that ends with this word; NULL: none does. */
static const struct evidence *not_at(const struct reading *r, size_t word, bool elsewhere)
{
	for (size_t i = 0; i < r->evidence->n && r->evidence->at[i].first <= word; i++)
		if (r->evidence->at[i].last == word && streq(r->evidence->at[i].kind, "not") &&
		    !says_else(r, &r->evidence->at[i], elsewhere))
			return &r->evidence->at[i];
	return NULL;
}

/* The word where "not in the" before mark i begins; the mark's first word: there is no such thing. */
static size_t refused_from(const struct reading *r, size_t i)
{
	enum { BETWEEN = 3 };
	const struct mark *m = &r->mark[i];
	const bool elsewhere = looks_elsewhere(r, i);

	for (size_t k = m->first; k-- > 0 && m->first - k <= BETWEEN + 1;) {
		const struct evidence *not = not_at(r, k, elsewhere);
		/* "not big in Germany": what is not wanted is marked already */
		if (not != NULL)
			return i > 0 && r->mark[i - 1].last > not->last ? m->first : not->first;
		if (!is_small(r, k) || r->words->word[k].kind == WORD_SIGN)
			break;
	}
	return m->first;
}

/* "and", "or", a comma */
static bool is_or(const struct reading *r, size_t word)
{
	return reading_has_evidence(r, word, word, "and") || reading_has_evidence(r, word, word, "number_or") ||
	    streq(r->words->word[word].fold, ",");
}

static bool searches(const struct reading *r)
{
	for (size_t i = 0; i < r->nplans; i++) {
		const size_t plan = frame_plan_named(&aviation_schema, r->plan[i].plan);
		if (plan == PLAN_NEAR || plan == PLAN_ROUTE || plan == PLAN_SEARCH)
			return true;
	}
	return false;
}

/* "Near Basel, but not in Germany": what a pilot does not want is no place to look at. No search can leave a country
 * out, so it is a wish, which is told. "Not in Germany or France" refuses both. */
static void refuse(struct reading *r)
{
	bool refused = false;

	for (size_t i = 0; searches(r) && i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const bool listed = refused && m->first == r->mark[i - 1].last + 2 && is_or(r, m->first - 1);
		const bool country = mark_has_label(m, LABEL_COUNTRY) ||
		    (mark_is_place(m) && reading_has_evidence(r, m->first, m->last, "country"));
		const size_t from = country ? refused_from(r, i) : m->first;

		refused = from < m->first || (listed && country);
		if (!refused)
			continue;
		mark_set_label(m, LABEL_WISH);
		m->first = from;
		/* "[not|large=false] in [Germany|country]" */
		while (i > 0 && r->mark[i - 1].last >= from)
			reading_remove_mark(r, --i);
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

static void drop_no_places(struct reading *r, bool places)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		if (m->value == NULL && (mark_has_label(m, LABEL_COUNTRY) || (places && mark_has_label(m, LABEL_AREA))) &&
		    is_no_place(r, m))
			mark_set_label(m, LABEL_WISH);
	}
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
		if (r->evidence->at[i].first <= word && word <= r->evidence->at[i].last && !streq(r->evidence->at[i].kind, "wish"))
			return true;
	return false;
}

static bool is_marked(const struct reading *r, size_t first, size_t last)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].first <= last && first <= r->mark[i].last)
			return true;
	return false;
}

/* Is something known of the word, other than that it may be a place or a matter of rules? */
static bool has_meaning(const struct reading *r, size_t word)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const char *kind = e->kind + strspn(e->kind, "~+");
		if (e->first <= word && word <= e->last && !one_of(kind, "wish|topic") && !is_place(kind))
			return true;
	}
	return false;
}

/* A wish that the program knows is said in words that it knows: "near Paris, Atlantis" is not about large airports. */
static void drop_unexplained(struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const size_t label = frame_label_named(&aviation_schema, m->label);
		bool known = m->lifted || label == LABEL__MAX || ((aviation_schema.label[label].how & FRAME_SWITCH) == 0 &&
		    label != LABEL_HOTEL && label != LABEL_RESTAURANT && label != LABEL_ORDER);
		for (size_t k = m->first; !known && k <= m->last; k++)
			known = has_meaning(r, k);
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

	for (size_t i = 1; searches(r) && i < w->n && r->nmarks < READING_MARKS; i++) {
		const struct word *word = &w->word[i];
		size_t with = i - 1;
		/* an article, but no "my": who flies along is no wish */
		while (with > 0 && i - with < BETWEEN && !adds(r, with) && (reading_has_evidence(r, with, with, "numeral") ||
		    reading_has_evidence(r, with, with, "role.at")))
			with--;
		if (!adds(r, with) || word->kind != WORD_LETTERS || strlen(word->fold) < LETTERS || word->upper ||
		    is_known(r, i) || is_marked(r, with, i))
			continue;
		mark_set_label(mark_at(r, i), LABEL_WISH);
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
		struct mark *m = country != NULL ? mark_at(r, i) : NULL;
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
	if (!code || r->nplans != 1 || (before->n > 0 && plan < PLAN__MAX && aviation_schema.plan[plan].labels != 0))
		return;
	r->plan[0] = (struct reading_plan){ NULL, aviation_schema.plan[PLAN_DETAILS].name };
	r->sure = 1;
	r->nmarks = 0;
	mark_set_label(mark_at(r, at), LABEL_AT);
}

/* ---- places of a question about rules ---------------------------------------------------------- */

/* "Do I need a flight plan from Lyon to Geneva?" is about France and Switzerland, which nothing else in it says. */
static void place_rules(struct reading *r)
{
	const struct words *w = r->words;

	if (r->nplans != 1 || r->plan[0].kind != NULL || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_ANSWER].name))
		return;
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_COUNTRY) || mark_has_label(&r->mark[i], LABEL_PICK))
			return;
	for (size_t i = 0; i < r->evidence->n && r->nmarks < READING_MARKS; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const bool named = one_of(e->kind, "place.town|place.name|place.code") && e->first > 0 && !w->shouted;
		if (!named || !w->word[e->first].title || is_marked(r, e->first, e->last))
			continue;
		struct mark *m = mark_at(r, e->first);
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
		while (and > 0 && e->first - and < BEFORE && !is_marked(r, and - 1, and - 1) && !reading_has_evidence(r, and, and, "and"))
			and--;
		const bool ends = e->first > 0 && e->last + WORDS >= n && reading_has_evidence(r, and, and, "and");
		if (streq(e->kind, kind) && (begins || ends) && !is_marked(r, e->first, e->last))
			return true;
	}
	return false;
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
	for (size_t i = 0; !cannot && searches(r) && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (r->nplans < READING_PLANS && asks_besides(r, rows[i].kind))
			r->plan[r->nplans++] = (struct reading_plan){ NULL, aviation_schema.plan[rows[i].plan].name };
}

/* ---- what was said before ---------------------------------------------------------------------- */

static bool is_said(const struct words *w, const struct mark *m, const char *text)
{
	const size_t start = w->word[m->first].start, n = w->word[m->last].end - start;
	return strlen(text) == n && strncasecmp(w->text + start, text, n) == 0;
}

/* The label that the place of a mark has in a frame; LABEL__MAX: it is not there. */
static enum label label_before(const struct reading *r, const struct mark *m, const struct frame *f)
{
	for (size_t i = 0; i < LABEL__MAX; i++)
		for (size_t k = 0; (aviation_schema.label[i].how & FRAME_PLACE) != 0 && k < f->slot[i].n; k++)
			if (is_said(r->words, m, f->slot[i].value[k].text))
				return (enum label)i;
	return LABEL__MAX;
}

/* "Redhill instead of Oxford": Oxford goes, and Redhill stands where it stood. */
static void put_instead(struct reading *r, const struct dialogue *before)
{
	enum { BESIDE = 2 };
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	size_t places = 0, new = 0;

	if (last == NULL || r->nplans != 1 || !reading_says(r, "follow.instead"))
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		places += mark_is_place(&r->mark[i]);
		new += mark_is_place(&r->mark[i]) && label_before(r, &r->mark[i], last) == LABEL__MAX;
	}
	for (size_t i = 0; places == 2 && new == 1 && i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		const enum label label = mark_is_place(m) ? label_before(r, m, last) : LABEL__MAX;
		if (label == LABEL__MAX || m->first == 0 ||
		    !reading_has_evidence(r, m->first < BESIDE ? 0 : m->first - BESIDE, m->first - 1, "follow.instead"))
			continue;
		reading_remove_mark(r, i);
		for (size_t k = 0; k < r->nmarks; k++)
			if (mark_is_place(&r->mark[k]))
				mark_set_label(&r->mark[k], label);
		r->plan[0] = (struct reading_plan){ "replace", last->plan->name };
		break;
	}
	for (size_t i = r->nmarks; i-- > 0;)
		if (mark_has_label(&r->mark[i], LABEL_WISH) && r->mark[i].first == r->mark[i].last &&
		    reading_has_evidence(r, r->mark[i].first, r->mark[i].first, "follow.instead"))
			reading_remove_mark(r, i);
}

/* "Saturday, not Friday": of two values for the same thing the refused one is what was misunderstood. */
static void correct(struct reading *r)
{
	if (r->nplans != 1 || !one_of(r->plan[0].kind != NULL ? r->plan[0].kind : "", "correct|replace"))
		return;
	for (size_t i = r->nmarks; i-- > 0;) {
		size_t same = 0;
		for (size_t k = 0; k < r->nmarks; k++)
			same += k != i && !r->mark[k].lifted && streq(r->mark[k].label, r->mark[i].label);
		if (same == 1 && !r->mark[i].lifted && r->mark[i].first > 0 && not_at(r, r->mark[i].first - 1, true) != NULL)
			reading_remove_mark(r, i);
	}
}

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
		r->plan[r->nplans++] = (struct reading_plan){ NULL, aviation_schema.plan[PLAN_NOTICE].name };
}

void reading_amend(struct reading *r, const struct dialogue *before, bool places)
{
	if (r->words->n == 0)
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		set_quantity(r, &r->mark[i]);
		set_length(r, &r->mark[i]);
		set_duration(r, &r->mark[i]);
	}
	drop_no_places(r, places);
	refuse(r);
	drop_unexplained(r);
	mark_unexplained(r);
	read_patterns(r);
	read_lone_code(r, before);
	add_cannot(r);
	add_notice(r);
	place_rules(r);
	put_instead(r, before);
	correct(r);
	reading_amend_route(r);
	reading_amend_lifts(r, before);
	read_list(r, before);
}
