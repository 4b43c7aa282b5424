#include "agents/aviation/builtin/reading_amends.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "agents/aviation/builtin/labels.h"
#include "agents/aviation/builtin/reading_marks.h"
#include "airports/icao_prefix.h"
#include "airports/countries.h"
#include "base/str.h"

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
		if (evidence_is_place(e->kind) || one_of(e->kind, "airport|role.at"))
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

/* Pilots ask for the same supported things again and again. Requests for anything else differ each time, so the lessons hold few like
 * them, and the reader thinks them less likely than they are. */
static void suspect_other(struct reading *r)
{
	static const double LIKELIER = 1.8;
	const size_t plan = frame_plan_named(&aviation_schema, r->plan[0].plan);
	const bool looks_up = plan < PLAN__MAX && aviation_schema.plan[plan].labels != 0;

	const size_t other = reading_other_at(r, PLAN_OTHER);

	if (looks_up && r->nplans == 1 && r->plan[0].kind == NULL && other < r->nothers && LIKELIER * r->other[other].sure > r->sure)
		reading_take_other(r, other);
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

/* "Tell me about ZQXX": a code names an airport and no country, even if there is no such airport. */
static void read_code_as_airport(struct reading *r)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const bool code = reading_has_evidence(r, m->first, m->last, "place.code") ||
		    reading_has_evidence(r, m->first, m->last, "place.code_shape");
		if (!code || !mark_has_label(m, LABEL_COUNTRY) || m->first != m->last || reading_has_evidence(r, m->first, m->last, "country"))
			continue;
		for (size_t k = 0; k < r->nplans; k++)
			if ((r->nplans == 1 || m->plans == 1u << k) && streq(r->plan[k].plan, aviation_schema.plan[PLAN_SEARCH].name)) {
				r->plan[k].plan = aviation_schema.plan[PLAN_DETAILS].name;
				mark_set_label(m, LABEL_AT);
			}
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

	if (last == 0 || !one_of(r->plan[last].plan, "details|search") ||
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

/* Does the mark belong to this plan? A mark without plans belongs to the first one. A mark whose plans are all routes belongs to every plan,
 * because a route has no facts of airports. */
static bool belongs(const struct reading *r, const struct mark *m, size_t plan)
{
	bool routes = true;
	for (size_t i = 0; i < r->nplans; i++)
		routes &= (m->plans >> i & 1) == 0 || streq(r->plan[i].plan, aviation_schema.plan[PLAN_ROUTE].name);
	return m->plans == 0 ? plan == 0 : (m->plans >> plan & 1) != 0 || routes;
}

/* "Has Morlaix got customs, and how far is it from Cork?": one airport is named, and facts are asked. That is a question about this
 * airport and no search. A route has no such facts. */
static void ask_of_one_airport(struct reading *r)
{
	for (size_t plan = 0; plan < r->nplans; plan++) {
		size_t airports = 0, facts = 0, others = 0;
		for (size_t i = 0; i < r->nmarks; i++) {
			const struct mark *m = &r->mark[i];
			const bool own = m->plans == 0 ? plan == 0 : (m->plans >> plan & 1) != 0;
			const size_t label = frame_label_named(&aviation_schema, m->label);
			const bool can = label < LABEL__MAX && (aviation_schema.plan[PLAN_SEARCH].labels >> label & 1) != 0;
			facts += mark_asks_of_airport(m) && belongs(r, m, plan);
			airports += own && mark_has_label(m, LABEL_AT);
			others += own && can && !mark_asks_of_airport(m) && !mark_has_label(m, LABEL_AT) && !(r->nplans > 1 && mark_asks_how_far(m));
		}
		if (airports != 1 || facts == 0 || others > 0 || !streq(r->plan[plan].plan, aviation_schema.plan[PLAN_SEARCH].name))
			continue;
		r->plan[plan].plan = aviation_schema.plan[PLAN_DETAILS].name;
		for (size_t i = 0; r->nplans > 1 && i < r->nmarks; i++)
			if (mark_asks_of_airport(&r->mark[i]) && belongs(r, &r->mark[i], plan))
				r->mark[i].plans = 1u << plan;
	}
}

/* "Thanks, and airfields in Ireland with AVGAS": thanks and a greeting want no answer of their own beside a question. */
static void drop_manners(struct reading *r)
{
	for (size_t i = r->nplans; r->nplans > 1 && i-- > 0;) {
		const size_t plan = frame_plan_named(&aviation_schema, r->plan[i].plan);
		if (plan == PLAN_THANKS || plan == PLAN_HELLO)
			reading_remove_plan(r, i);
	}
}

/* Does the plan search without a place of its own? */
static bool plan_searches_nowhere(const struct reading *r, size_t plan)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if ((r->mark[i].plans >> plan & 1) != 0 && (mark_is_place(&r->mark[i]) || mark_has_label(&r->mark[i], LABEL_COUNTRY) ||
		    mark_has_label(&r->mark[i], LABEL_PICK) || mark_has_label(&r->mark[i], LABEL_ORDER)))
			return false;
	return one_of(r->plan[plan].plan, "near|search");
}

/* "How far is Cork from Kerry, and which fields with Jet A are on the way?" A question about "on the way" belongs to the route before it, if the
 * question names no place. */
static void join_routes(struct reading *r)
{
	for (size_t i = r->nplans; r->nplans > 1 && i-- > 1;) {
		const bool route = streq(r->plan[i - 1].plan, aviation_schema.plan[PLAN_ROUTE].name);
		bool empty = route && streq(r->plan[i].plan, r->plan[i - 1].plan);
		for (size_t k = 0; k < r->nmarks; k++)
			empty &= (r->mark[k].plans & 1u << i) == 0;
		const size_t end = i + 1 < r->nplans ? r->start[i + 1] : r->words->n;
		const bool on_the_way = route && plan_searches_nowhere(r, i) && reading_says_on_the_way(r, r->start[i], end);
		for (size_t k = 0; on_the_way && k < r->nmarks; k++)
			if ((r->mark[k].plans >> i & 1) != 0)
				r->mark[k].plans = 1u << (i - 1);
		if (empty || on_the_way)
			reading_remove_plan(r, i);
	}
}

/* The only airport that a message names by its code; else the only place behind an "at". NULL: there is none, or there are several. */
static const struct evidence *only_airport(const struct reading *r)
{
	const struct evidence *code = NULL, *place = NULL;
	size_t codes = 0, places = 0;

	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (reading_is_marked(r, e->first, e->last))
			continue;
		if (streq(e->kind, "place.code")) {
			code = e;
			codes++;
		} else if (one_of(e->kind, "place.name|place.town|place.part") && e->first > 0 &&
		    reading_has_evidence(r, e->first - 1, e->first - 1, "role.at") && (place == NULL || e->first != place->first)) {
			place = e;
			places++;
		}
	}
	return codes == 1 ? code : codes == 0 && places == 1 ? place : NULL;
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

/* "Servus, I look for a field in Zagreb": a greeting does not hide a search. */
static void search_besides_hello(struct reading *r)
{
	const struct evidence *place = streq(r->plan[0].plan, aviation_schema.plan[PLAN_HELLO].name) && r->nplans == 1 && reading_says(r, "airport")
	    ? only_airport(r) : NULL;

	if (place != NULL && reading_put_mark(r, place->first, place->last, LABEL_NEAR) != NULL)
		r->plan[0] = (struct reading_plan){ NULL, aviation_schema.plan[PLAN_NEAR].name };
}

/* "NOTAMs for EGTE, and how long are its runways?", "book me a slot at Lydd, and what is the fee?": the airport that is asked about. */
static void mark_airport(struct reading *r)
{
	bool asked = false;

	for (size_t i = 0; i < r->nplans; i++) {
		const size_t plan = frame_plan_named(&aviation_schema, r->plan[i].plan);
		asked |= (plan == PLAN_DETAILS || plan == PLAN_NOTICE) && r->plan[i].kind == NULL;
	}
	for (size_t i = 0; i < r->nmarks; i++)
		asked &= !mark_is_place(&r->mark[i]) && !mark_has_label(&r->mark[i], LABEL_PICK);
	const struct evidence *airport = asked ? only_airport(r) : NULL;
	if (airport != NULL)
		reading_put_mark(r, airport->first, airport->last, LABEL_AT);
}

/* "I return from England to Normandy. Where can I clear customs?" asks for airports of an area, and for no rule. */
static void search_for_customs(struct reading *r)
{
	struct mark *customs = NULL;
	bool area = false;

	if (r->nplans != 1 || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_ANSWER].name) || !reading_says(r, "ask=where"))
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const bool clears = reading_has_evidence(r, m->first, m->last, "point_of_entry");
		if (mark_has_label(m, LABEL_TOPIC) && !clears)
			return;
		customs = clears && (mark_has_label(m, LABEL_TOPIC) || mark_has_label(m, LABEL_ENTRY)) ? m : customs;
		area |= mark_has_label(m, LABEL_AREA);
	}
	if (!area || customs == NULL)
		return;
	r->plan[0].plan = aviation_schema.plan[PLAN_SEARCH].name;
	mark_set_label(customs, LABEL_ENTRY);
}

/* ---- places of a question about rules ---------------------------------------------------------- */

/* "Do I need a flight plan from Lyon to Geneva?" is about France and Switzerland, which nothing else in it says. "A flight plan from
 * Lübeck to Sweden" crosses a border. */
static void place_rules(struct reading *r)
{
	const struct words *w = r->words;
	size_t answer = 0;
	bool country = false;

	while (answer < r->nplans && !streq(r->plan[answer].plan, aviation_schema.plan[PLAN_ANSWER].name))
		answer++;
	if (answer == r->nplans || r->plan[answer].kind != NULL)
		return;
	const size_t from = answer > 0 ? r->start[answer] : 0, end = answer + 1 < r->nplans ? r->start[answer + 1] : w->n;
	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		if (m->first < from || m->last >= end)
			continue;
		if (mark_is_place(m) || mark_has_label(m, LABEL_PICK))
			return;
		country |= mark_has_label(m, LABEL_COUNTRY);
	}
	for (size_t i = 0; i < r->evidence->n && r->nmarks < READING_MARKS; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const bool named = one_of(e->kind, "place.town|place.name|place.code") && e->first > from && e->last < end && !w->shouted;
		if (!named || !w->word[e->first].title || reading_is_marked(r, e->first, e->last) ||
		    (country && !reading_has_evidence(r, e->first - 1, e->first - 1, "role.from")))
			continue;
		reading_put_mark(r, e->first, e->last, LABEL_AT)->plans = r->nplans > 1 ? 1u << answer : 0;
	}
}

/* "The flight plan to Corsica": an area that is marked as a country. The rules are those of the country in which it lies. */
static void know_areas(struct reading *r)
{
	const bool rules = one_of(r->plan[0].plan, "answer|browse|compare");

	for (size_t i = 0; r->nplans == 1 && i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		if (!mark_has_label(m, LABEL_COUNTRY) || m->value != NULL || reading_has_evidence(r, m->first, m->last, "country") ||
		    reading_has_evidence(r, m->first, m->last, "country.code") || reading_has_evidence(r, m->first, m->last, "~country") ||
		    !reading_has_evidence(r, m->first, m->last, "place.area"))
			continue;
		mark_set_label(m, rules ? LABEL_AT : LABEL_AREA);
	}
}

/* "Fields in dk": the reader marked the word as a country. In small letters, the code of a country is often an ordinary word ("de", "es"), so
 * nothing but such a mark makes it a code. */
static void know_small_codes(struct reading *r)
{
	enum { LETTERS = 2 };

	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const char *word = r->words->word[m->first].fold;
		const struct country *c = mark_has_label(m, LABEL_COUNTRY) && m->value == NULL && m->first == m->last && strlen(word) == LETTERS &&
		    !reading_has_evidence(r, m->first, m->last, "country") ? country_by_code(word) : NULL;
		if (c != NULL)
			m->value = c->code;
	}
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

/* "Which is the cheapest?" about a list: the pilot picks the best airport of the list. The reader marked an order instead. */
static void pick_best(struct reading *r)
{
	if (r->nplans != 1 || r->plan[0].kind == NULL || !streq(r->plan[0].plan, aviation_schema.plan[PLAN_DETAILS].name) || reading_names_place(r))
		return;
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const char *value = m->value;
		if (!mark_has_label(m, LABEL_ORDER) || value == NULL || !one_of(value, "fee|runway|distance"))
			continue;
		mark_set_label(m, LABEL_PICK);
		m->value = value;
		return;
	}
}

enum { BEFORE_LENGTH = 3 };   /* words, from the last one of "the one with" */

/* The length behind "the one with", as the message may say it of a list; NULL: there is none. A limit ("at least 800 m") is no such length. */
static const struct evidence *length_of_one(const struct reading *r)
{
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (!one_of(e->kind, "length.m|length.ft") || e->first == 0)
			continue;
		const size_t from = e->first > BEFORE_LENGTH ? e->first - BEFORE_LENGTH : 0;
		const size_t behind = e->last + 1 < r->words->n ? e->last + 1 : e->last;
		if (reading_has_evidence(r, from, behind, "bound.min") || reading_has_evidence(r, from, behind, "bound.max"))
			continue;
		for (size_t k = 0; k < r->evidence->n; k++)
			if (streq(r->evidence->at[k].kind, "pick") && r->evidence->at[k].last < e->first && r->evidence->at[k].last >= from)
				return evidence_in(r->evidence, e->first, e->last, "length");
	}
	return NULL;
}

/* Is it a length that people set as a limit: 800 m, 2500 ft? */
static bool is_round(const char *length)
{
	enum { STEP = 100 };          /* of either unit */

	return strtol(length, NULL, 10) % STEP == 0;
}

/* May the message be about one airport of a list? It names no place, and wishes for nothing but the length; a question for facts may name
 * these too. */
static bool only_says_length(const struct reading *r, const struct evidence *length, bool asks)
{
	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		const bool beside = m->first <= length->last && m->last + BEFORE_LENGTH >= length->first;
		if (mark_is_place(m) || (!beside && (!asks || mark_has_label(m, LABEL_PICK))))
			return false;
	}
	return true;
}

/* "Which is the one with 1820 m?", "der mit den 1820 Metern": the airport of the list whose runway has this length. The reader may have taken it
 * for a limit of a search, which it is if it is round. */
static void pick_by_length(struct reading *r, const struct dialogue *before)
{
	const struct evidence *length = length_of_one(r);
	const char *const details = aviation_schema.plan[PLAN_DETAILS].name;
	const bool asks = streq(r->plan[0].plan, details);
	bool listed = false;

	if (length == NULL || length->value == NULL || r->nplans != 1 || r->plan[0].kind == NULL || (!asks && (!reading_searches(r) || is_round(length->value))))
		return;
	for (size_t i = 0; i < before->n; i++)
		listed |= frame_is_list(before->frame[i]);
	if (!listed || !only_says_length(r, length, asks))
		return;
	for (size_t i = r->nmarks; i-- > 0;)
		if (mark_has_label(&r->mark[i], LABEL_PICK))
			reading_remove_mark(r, i);
	struct mark *m = reading_put_mark(r, length->first, length->last, LABEL_PICK);
	if (m == NULL)
		return;
	m->value = length->value;
	r->plan[0] = (struct reading_plan){ "pick", details };
}

/* "With a hotel, and in Denmark too": the search is not limited to Denmark. */
static void open_to_country(struct reading *r)
{
	const bool around = r->nplans == 1 && one_of(r->plan[0].plan, "near|route");

	for (size_t i = r->nmarks; around && i-- > 0;) {
		const struct mark *m = &r->mark[i];
		const size_t before = m->first > 1 && reading_is_behind(r, m, "role.in") ? m->first - 1 : m->first;
		if (mark_has_label(m, LABEL_COUNTRY) && before > 0 && reading_has_evidence(r, before - 1, before - 1, "also") &&
		    !reading_has_evidence(r, before - 1, before - 1, "only") && !reading_has_evidence(r, before - 1, before - 1, "and"))
			reading_remove_mark(r, i);
	}
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
	const bool others = one && read == kind &&
	    last->slot[LABEL_PICK].n > 0 && r->nmarks == 0 && reading_says(r, "follow.more");

	if (last == NULL || kind > PLAN_NOTICE || r->nplans != 1 || names_something(r) || !(others || compares(r, read)))
		return;
	r->plan[0] = (struct reading_plan){ "pick", aviation_schema.plan[one ? kind : PLAN_DETAILS].name };
	r->nmarks = 0;
}

/* "Rather grass" in a follow-up is a wish, even if the reader did not mark it. "Grass is fine too" is not a wish. */
static void mark_surface(struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const struct evidence *grass = NULL;

	if (last == NULL || r->nplans != 1 || r->plan[0].kind == NULL || !reading_searches(r) || r->nmarks == READING_MARKS ||
	    frame_has(last, LABEL_HARD, "false") || (!reading_says(r, "follow.instead") && !reading_says(r, "only")))
		return;
	for (size_t i = 0; i < r->nmarks; i++)
		if (mark_has_label(&r->mark[i], LABEL_HARD))
			return;
	for (size_t i = 0; i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		if (one_of(e->kind, "lift|also|any_surface|not"))
			return;
		if (streq(e->kind, "surface.grass") && !reading_is_marked(r, e->first, e->last))
			grass = e;
	}
	if (grass != NULL)
		reading_put_mark(r, grass->first, grass->last, LABEL_HARD)->value = "false";
}

/* "Does it need a GAR form, and how long before?": beside a question about rules, a notice without an airport is a part of that
 * question; and so it is right after one. */
static void ask_rules_of_notice(struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const char *const notice = aviation_schema.plan[PLAN_NOTICE].name, *const answer = aviation_schema.plan[PLAN_ANSWER].name;
	bool named = false;
	size_t answers = 0, notices = 0;

	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		named |= mark_has_label(m, LABEL_COUNTRY) || mark_has_label(m, LABEL_AREA);
		if (mark_has_label(m, LABEL_PICK) || (mark_is_place(m) && !mark_has_label(m, LABEL_AREA)))
			return;
	}
	for (size_t i = 0; i < r->nplans; i++) {
		answers += streq(r->plan[i].plan, answer);
		notices += streq(r->plan[i].plan, notice);
	}
	if (notices == 0 || answers + notices != r->nplans)
		return;
	if (answers > 0) {
		for (size_t i = r->nplans; i-- > 0;)
			if (streq(r->plan[i].plan, notice))
				reading_remove_plan(r, i);
	} else if (r->nplans == 1 && !named && last != NULL && frame_plan_kind(last) == PLAN_ANSWER) {
		r->plan[0] = (struct reading_plan){ "refine", answer };
		reading_put_mark(r, 0, r->words->n - 1, LABEL_TOPIC);
	}
}

/* Does an answer about notice leave this fact out? */
static bool is_no_notice(const struct mark *m)
{
	return mark_asks_of_airport(m) && m->value != NULL && !one_of(m->value, "customs|ppr|hours");
}

static bool is_topic(const struct mark *m)
{
	return mark_has_label(m, LABEL_TOPIC);
}

/* Make one more plan for such marks, which shares the places with the others. */
static void ask_besides(struct reading *r, bool (*belongs_to_it)(const struct mark *m), const struct reading_plan *plan)
{
	const unsigned bit = 1U << r->nplans;
	bool any = false;

	for (size_t i = 0; i < r->nmarks; i++) {
		if (!any && belongs_to_it(&r->mark[i]))
			r->start[r->nplans] = r->mark[i].first;
		any |= belongs_to_it(&r->mark[i]);
	}
	if (!any || r->nplans == READING_PLANS)
		return;
	r->plan[r->nplans++] = *plan;
	for (size_t i = 0; i < r->nmarks; i++) {
		struct mark *m = &r->mark[i];
		const bool shared = mark_is_place(m) || mark_has_label(m, LABEL_COUNTRY) || mark_has_label(m, LABEL_PICK);
		m->plans = belongs_to_it(m) ? bit : (m->plans == 0 ? 1 : m->plans) | (shared ? bit : 0);
	}
}

/* "Do I need customs or a flight plan for Venice Lido?": a matter of rules beside a question about one airport is a question of its own.
 * "How much notice for customs at Dinard, and is there AVGAS?": an answer about notice does not tell the fuel, so the fuel is one too. */
static void ask_others_besides(struct reading *r)
{
	if (r->nplans != 1 || !one_of(r->plan[0].plan, "details|notice"))
		return;
	if (streq(r->plan[0].plan, "notice"))
		ask_besides(r, is_no_notice, &(struct reading_plan){ r->plan[0].kind, aviation_schema.plan[PLAN_DETAILS].name });
	ask_besides(r, is_topic, &(struct reading_plan){ NULL, aviation_schema.plan[PLAN_ANSWER].name });
}

/* "Only those in Austria" after a route, "and Elba, is there an airfield?" after rules: no matter of rules is named. The message goes
 * on with the airports of the last list, or asks for new ones. */
static void leave_rules(struct reading *r, const struct dialogue *before)
{
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const bool listed = last != NULL && frame_is_list(last);
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

void reading_amend(struct reading *r, const struct dialogue *before, bool places)
{
	if (r->words->n == 0)
		return;
	suspect_other(r);
	drop_manners(r);
	join_routes(r);
	reading_amend_values(r, before);
	reading_amend_taken_back(r);
	reading_amend_exclusions(r, before);
	reading_amend_places(r, places);
	reading_amend_wishes(r);
	reading_amend_fuel_taken_back(r);
	read_patterns(r);
	read_code_as_airport(r);
	read_lone_code(r, before);
	while (r->nplans > 1) {
		const size_t plans = r->nplans;
		join_airports(r);
		if (r->nplans == plans)
			break;
	}
	ask_of_one_airport(r);
	search_for_customs(r);
	know_areas(r);
	know_small_codes(r);
	place_rules(r);
	doubt(r, before);
	ask_besides_thanks(r);
	search_besides_hello(r);
	mark_airport(r);
	ask_rules_of_notice(r, before);
	reading_amend_comparison(r);
	ask_others_besides(r);
	leave_rules(r, before);
	reading_amend_corrections(r, before);
	reading_amend_lists(r, before);
	pick_best(r);
	pick_by_length(r, before);
	open_to_country(r);
	mark_surface(r, before);
	reading_amend_route(r);
	reading_amend_legs(r, before);
	reading_amend_distances(r, before);
	reading_amend_lifts(r, before);
	read_list(r, before);
}
