/*
 * Each kind of plan is a row: the kind of result that it needs, how its arguments are filled in, and what is
 * said when it lacks something.
 */
#include "agents/aviation/builtin/frame_plans.h"

#include <string.h>

#include "agents/aviation/builtin/asked_facts.h"
#include "agents/aviation/builtin/frame_looks.h"
#include "agents/aviation/builtin/frame_unused.h"
#include "agents/aviation/builtin/question_back.h"
#include "agents/aviation/builtin/reading_marks.h"
#include "airports/countries.h"
#include "base/str.h"
#include "language/languages.h"
#include "rules/retrieve.h"

static const struct act_row {
	enum tool_result result;
	fill_fn *fill;
	lack_fn *lack;
	enum reply absent;        /* what is said if there is no tool of this kind at all */
	const char *about;
} acts[ACT__MAX] = {
	[ACT_ROUTE] = { RESULT_AIRPORTS_ROUTE, frame_fill_route, look_lacks_route, REPLY_NO_TOOL, "airports" },
	[ACT_NEAR] = { RESULT_AIRPORTS_NEAR, frame_fill_near, look_lacks_place, REPLY_NO_TOOL, "airports" },
	[ACT_SEARCH] = { RESULT_AIRPORTS_FOUND, frame_fill_search, look_lacks_place, REPLY_NO_TOOL, "airports" },
	[ACT_STATISTICS] = { RESULT_AIRPORT_STATISTICS, frame_fill_counted, NULL, REPLY_NO_TOOL, "airports" },
	[ACT_ENTRIES] = { RESULT_POINTS_OF_ENTRY, frame_fill_counted, NULL, REPLY_NO_TOOL, "airports" },
	[ACT_DETAILS] = { RESULT_AIRPORT, frame_fill_details, look_lacks_airport, REPLY_NO_TOOL, "airports" },
	[ACT_NOTICE] = { RESULT_NOTICE, frame_fill_notice, look_lacks_notice, REPLY_NOTIFY, "airports" },
	[ACT_ANSWER] = { RESULT_RULES_ANSWER, frame_fill_answer, look_lacks_country, REPLY_RULES_OFF, "rules" },
	[ACT_BROWSE] = { RESULT_RULES_PAGE, frame_fill_browse, look_lacks_list, REPLY_RULES_OFF, "rules" },
	[ACT_COMPARE] = { RESULT_RULES_COMPARISON, frame_fill_compare, look_lacks_countries, REPLY_COMPARE_OFF, "rules" },
};

/* What is said to a message that looks nothing up. `open`: a tool of somebody else may serve. */
static const struct { enum reply reply; bool open; } talks[PLAN__MAX] = {
	[PLAN_HELLO] = { REPLY_HELLO, false },
	[PLAN_THANKS] = { REPLY_THANKS, false },
	[PLAN_HELP] = { REPLY_WHO, false },
	[PLAN_UNCLEAR] = { REPLY_NOTHING, true },
	[PLAN_URGENT] = { REPLY_EMERGENCY, false },
	[PLAN_WEATHER] = { REPLY_WEATHER, true },
	[PLAN_NOTAM] = { REPLY_NOTAM, true },
	[PLAN_ACT] = { REPLY_FILE, true },
	[PLAN_COMPUTE] = { REPLY_COMPUTE, true },
	[PLAN_HERE] = { REPLY_HERE, false },
	[PLAN_INSTRUCTIONS] = { REPLY_INJECT, false },
	[PLAN_OTHER] = { REPLY_NOTHING, true },
};

/* ---- replies ------------------------------------------------------------------------------- */

/* The code of an airport that does not exist; NULL: none is named. */
static const char *unknown_code(const struct look *l)
{
	enum { LETTERS = 4 };
	return l->p->con != NULL && l->at != NULL && strlen(l->at) == LETTERS && !place_is_ident(l->p, l->at) ? l->at : NULL;
}

/* Does this name consist of common words only: "nice", "Wetter"? */
static bool is_common(const struct words *w, const struct evidence *e)
{
	for (size_t i = e->first; i <= e->last; i++)
		if (!language_has(w->word[i].fold))
			return false;
	return true;
}

/* A reply that uses no marks, such as the one about weather, proposes questions about the longest known place in the message. A name in small letters,
 * or one made of common words only, does not count. A code always does. NULL: there is none. */
static const char *place_without_mark(const struct look *l)
{
	const struct reading *r = l->p->reading;
	const struct evidence *best = NULL;

	for (size_t i = 0; l->f->plan->labels == 0 && i < r->evidence->n; i++) {
		const struct evidence *e = &r->evidence->at[i];
		const bool name = one_of(e->kind, "place.town|place.area|place.name") && r->words->word[e->first].title && !is_common(r->words, e);
		if ((name || streq(e->kind, "place.code")) && (best == NULL || e->last - e->first > best->last - best->first))
			best = e;
	}
	return best != NULL ? words_slice(l->p->mem, r->words, best->first, best->last) : NULL;
}

static struct reply_facts facts_of(const struct look *l)
{
	const char *code[2] = { NULL, NULL };
	const char *country = frame_get(l->f, LABEL_COUNTRY);
	struct reply_facts facts = {
		.from = look_text(l, LABEL_FROM), .to = look_text(l, LABEL_TO), .near = look_text(l, LABEL_NEAR),
		.place = l->at != NULL ? l->at : l->ground != NULL ? l->ground : place_without_mark(l),
		.country = country != NULL ? country_by_code(country) : NULL,
		.day = frame_date(l->p, l->f), .set = l->p->set, .topic = frame_get(l->f, LABEL_TOPIC),
		.unknown_code = unknown_code(l), .wording = l->p->wording, .brief = l->p->frames->n > 1,
	};
	if (one_of(l->f->plan->name, "answer|browse|compare"))
		(void)frame_rules_countries(l->p, l->f, code, 2);
	else if (l->f->plan->labels != 0)
		(void)frame_countries(l->p, l->f, code, 2);
	facts.asked[0] = code[0];
	facts.asked[1] = code[1];
	return facts;
}

static void reply(const struct look *l, enum reply which, struct plan *out)
{
	struct reply_facts facts = facts_of(l);
	if (which == REPLY_LANGUAGE)
		facts.wording = NULL;         /* English, which more people read than the language of the talk */
	if (which == REPLY_RULES_GENERAL)
		facts.general = rules_general(l->p->set, frame_question(l));
	out->tool = NULL;
	out->reply = reply_of(l->p->mem, &facts, which);
}

/* Only the first message of a talk may be in a foreign language. Later, unknown words are slang or typing errors. */
static bool is_foreign(const struct planning *p)
{
	return p->talk->dialogue.n == 0 && message_is_foreign(p->reading);
}

/* ---- one look-up --------------------------------------------------------------------------- */

/* Is the word part of a mark, or a sign? */
static bool is_taken(const struct reading *r, size_t word)
{
	for (size_t i = 0; i < r->nmarks; i++)
		if (r->mark[i].first <= word && word <= r->mark[i].last)
			return true;
	return r->words->word[word].kind == WORD_SIGN;
}

/* "Vendent-ils du carburant", "ils ont quoi à la pompe": French "ils" is "they". In small letters it is the landing system only within a mark
 * that asks for procedures, and not beside its verb. */
static bool is_they(const struct planning *p, const struct mark *m, size_t word)
{
	const struct reading *r = p->reading;

	if (!streq(r->words->language, "fr") || !asked_is_they(r->words, word))
		return false;
	for (size_t i = 0; i < r->evidence->n; i++)
		if (streq(r->evidence->at[i].kind, "they") && r->evidence->at[i].first <= word && word <= r->evidence->at[i].last)
			return true;
	return word < m->first || word > m->last || !streq(m->value, "procedures");
}

/* These words of the message, without each "they". */
static const char *words_said(const struct planning *p, const struct mark *m, size_t first, size_t last)
{
	const char *said = NULL;

	for (size_t i = first, from = first; i <= last + 1; i++) {
		if (i <= last && !is_they(p, m, i))
			continue;
		if (i > from) {
			const char *part = words_slice(p->mem, p->reading->words, from, i - 1);
			said = said == NULL ? part : arena_printf(p->mem, "%s %s", said, part);
		}
		from = i + 1;
	}
	return said != NULL ? said : "";
}

/* The words of a fact with those beside them, because they say more exactly what is asked: "tower" of "the tower
 * frequency". */
static const char *fact_words(const struct planning *p, const char *words)
{
	enum { BESIDE = 2 };
	const struct reading *r = p->reading;

	for (size_t i = 0; words != NULL && i < r->nmarks; i++) {
		size_t first = r->mark[i].first, last = r->mark[i].last;
		if (!streq(r->mark[i].label, "ask") || !streq(words_slice(p->mem, r->words, first, last), words))
			continue;
		for (size_t k = 0; k < BESIDE && first > 0 && !is_taken(r, first - 1); k++)
			first--;
		for (size_t k = 0; k < BESIDE && last + 1 < r->words->n && !is_taken(r, last + 1); k++)
			last++;
		return words_said(p, &r->mark[i], first, last);
	}
	return words;
}

/* The matter of this question, if the message asks several about rules; else NULL. */
static const char *matter_of(const struct look *l)
{
	const struct frame_slot *topic = &l->f->slot[LABEL_TOPIC];
	const struct frame_value *value = l->topic != NULL ? l->topic : l->p->frames->n > 1 && topic->n > 0 ? &topic->value[0] : NULL;

	return frame_plan_kind(l->f) != PLAN_ANSWER || value == NULL ? NULL : value->words != NULL ? value->words : value->text;
}

/* "Are there customs at Morlaix, and how far is it from Cork?": the message also asks for a route, whose answer gives the distance. */
static bool told_by_flight(const struct look *l, const struct tool *t, const char *fact)
{
	bool route = false;

	for (size_t i = 0; i < l->p->frames->n; i++)
		route |= frame_plan_kind(l->p->frames->frame[i]) == PLAN_ROUTE;
	return route && t->result == RESULT_AIRPORT && one_of(fact, "distance|time");
}

/* "Compare LFAT and LFRG" names no fact: these are compared. */
static void put_compared(struct plan *out)
{
	static const char *const facts[] = { "runway_length", "fuel", "customs", "fee", "restaurant", "hotel" };

	out->asks = true;
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]) && out->nasked < PLAN_FACTS; i++)
		out->asked[out->nasked++] = (struct plan_fact){ facts[i], NULL };
}

static void put_facts(const struct look *l, struct plan *out)
{
	const struct frame_slot *asked = &l->f->slot[LABEL_ASK], *wish = &l->f->slot[LABEL_WISH];

	/* of one airport, facts may be asked for that have no mark: sunset */
	out->asks = out->tool->result != RESULT_AIRPORT || asked->n + wish->n > 0;
	if (frame_plan_kind(l->f) == PLAN_NOTICE && reading_says(l->p->reading, "need"))
		out->asked[out->nasked++] = (struct plan_fact){ "need", NULL };
	/* not an answer of each country to one question */
	if (frame_plan_kind(l->f) == PLAN_COMPARE)
		out->asked[out->nasked++] = (struct plan_fact){ "differences", NULL };
	for (size_t i = 0; i < asked->n && out->nasked < PLAN_FACTS; i++)
		if (!told_by_flight(l, out->tool, asked->value[i].text))
			out->asked[out->nasked++] = (struct plan_fact){ asked->value[i].text,
				fact_words(l->p, asked->value[i].words) };
	if (out->tool->result == RESULT_AIRPORT && out->nasked == 0 && l->f->slot[LABEL_AT].n > 1 && reading_compares(l->p->reading))
		put_compared(out);
	/* "does it have a hangar": a wish about one airport is a question */
	for (size_t i = 0; out->tool->result == RESULT_AIRPORT && i < wish->n && out->nasked < PLAN_FACTS; i++)
		if (place_refused(l->p, &wish->value[i]) == NULL)
			out->asked[out->nasked++] = (struct plan_fact){ "wish", wish->value[i].text };
}

static void plan_look(const struct look *l, enum act act, bool last, struct plan *out)
{
	const struct act_row *row = &acts[act];
	const struct toolset offered = l->p->ctx->offered;
	const enum reply lack = look_has_wrong_coordinates(l) ? REPLY_COORDS : row->lack != NULL ? row->lack(l) : REPLY__MAX;

	*out = (struct plan){ .answer_style = "narrative_markdown", .arguments = jsn_object(l->p->mem),
		.about = row->about };
	const struct tool *tool = toolset_giving(offered, row->result);
	if (lack != REPLY__MAX) {
		reply(l, is_foreign(l->p) ? REPLY_LANGUAGE : lack, out);
		out->open = lack == REPLY_UNPLACED;
	} else if (tool == NULL) {
		reply(l, toolset_giving(l->p->ctx->table, row->result) != NULL && row->absent != REPLY_RULES_OFF &&
		    row->absent != REPLY_COMPARE_OFF ? REPLY_NO_TOOL : row->absent, out);
	} else {
		out->tool = tool;
		row->fill(l, tool, out);
		put_facts(l, out);
		out->unused = frame_unused(l, tool, last);
		out->matter = matter_of(l);
		if (tool_check(tool, out->arguments, NULL) != OK)
			reply(l, row->absent, out);
	}
}

static bool same_fact(const struct plan_fact *x, const struct plan_fact *y)
{
	return streq(x->name, y->name) && streq(x->words, y->words);
}

/* "Has Dieppe a café, and do they sell Avgas there?", "Shoreham, EGKA": two equal look-ups are made once. The answer gives the facts that
 * either asks for. Only one of them may name the aircraft. */
static bool joins(struct arena *a, struct plan *to, const struct plan *p)
{
	if (p->tool == NULL || to->tool != p->tool || to->asks != p->asks || !streq(to->matter, p->matter) ||
	    (to->mass != NULL && p->mass != NULL && !streq(to->mass, p->mass)) ||
	    !streq(to->distance, p->distance) || !json_object_equal(to->arguments, p->arguments))
		return false;
	if (to->mass == NULL)
		to->mass = p->mass;
	for (size_t i = 0; i < p->nasked && to->nasked < PLAN_FACTS; i++) {
		size_t k = 0;
		while (k < to->nasked && !same_fact(&to->asked[k], &p->asked[i]))
			k++;
		if (k == to->nasked)
			to->asked[to->nasked++] = p->asked[i];
	}
	if (p->unused != NULL)
		to->unused = frame_unused_joined(a, to->unused, p->unused);
	return true;
}

static void add(struct arena *a, struct plans *out, const struct plan *p)
{
	for (size_t i = 0; i < out->n; i++)
		if (joins(a, &out->plan[i], p))
			return;
	for (size_t i = 0; i < out->nover; i++)
		if (joins(a, &out->over[i], p))
			return;
	if (out->n < LOOKUPS_MAX)
		out->plan[out->n++] = *p;
	else if (out->nover < LOOKUPS_OVER)
		out->over[out->nover++] = *p;
}

/* ---- all frames ------------------------------------------------------------------------------ */

static void plan_talk(const struct planning *p, const struct frame *f, struct plans *out)
{
	const enum plan_kind kind = frame_plan_kind(f);
	const struct look l = { .p = p, .f = f };
	struct plan plan = { .arguments = jsn_object(p->mem), .open = talks[kind].open, .about = "airports" };

	const bool nothing = talks[kind].reply == REPLY_NOTHING;
	reply(&l, nothing && is_foreign(p) ? REPLY_LANGUAGE : talks[kind].reply, &plan);
	add(p->mem, out, &plan);
}

/* "How long is the runway, and do I need PPR?": the look-up of notice finds the permission. Does the message ask for it and for other
 * facts? */
static bool asks_permission_too(const struct frame *f)
{
	return frame_plan_kind(f) == PLAN_DETAILS && f->slot[LABEL_ASK].n > 1 && frame_has(f, LABEL_ASK, "ppr");
}

static struct frame *about_permission(struct arena *a, const struct frame *f)
{
	struct frame *notice = arena_alloc(a, sizeof(*notice));
	const struct frame_slot *asked = &f->slot[LABEL_ASK];
	size_t ppr = 0;

	*notice = *f;
	notice->plan = &aviation_schema.plan[PLAN_NOTICE];
	while (!streq(asked->value[ppr].text, "ppr"))
		ppr++;
	notice->slot[LABEL_ASK] = (struct frame_slot){ 1, &asked->value[ppr] };
	return notice;
}

/* ---- how far the airport of a list is -------------------------------------------------------- */

static bool is_way(const struct frame_value *asked)
{
	return one_of(asked->text, "distance|time");
}

/* The facts that are asked for. way: only distance and time; else all but these. */
static struct frame_slot asked_of(struct arena *a, const struct frame *f, bool way)
{
	const struct frame_slot *asked = &f->slot[LABEL_ASK];
	struct frame_value *value = arena_array(a, asked->n, sizeof(*value));
	size_t n = 0;

	for (size_t i = 0; i < asked->n; i++)
		if (is_way(&asked->value[i]) == way)
			value[n++] = asked->value[i];
	return (struct frame_slot){ n, value };
}

/* The place where the last list began: the place around which airports were searched, or the start of the route. *list becomes the frame of
 * that list. NULL: the list has no start, or there is no list. */
static const struct frame_value *start_of_list(const struct dialogue *before, const struct frame **list)
{
	for (size_t i = before->n; i-- > 0;) {
		const struct frame *f = before->frame[i];
		const enum plan_kind kind = frame_plan_kind(f);
		const struct frame_slot *start = &f->slot[kind == PLAN_ROUTE ? LABEL_FROM : LABEL_NEAR], *at = &f->slot[LABEL_AT];
		if (!frame_is_list(f))
			continue;
		*list = f;
		return start->n > 0 ? &start->value[0] : kind == PLAN_NEAR && at->n > 0 ? &at->value[0] : NULL;
	}
	return NULL;
}

/* "How far from the sea", "how far to town": does the message name an end that is not the airport? */
static bool names_other_end(const struct reading *r)
{
	bool to_it = false;
	for (size_t i = 0; i < r->nmarks; i++)
		to_it |= (mark_has_label(&r->mark[i], LABEL_PICK) || mark_has_label(&r->mark[i], LABEL_AT)) &&
		    reading_is_behind(r, &r->mark[i], "role.to");
	return reading_says(r, "role.from") || (reading_says(r, "role.to") && !to_it);
}

static bool is_listed(const struct talk *t, const char *ident)
{
	bool listed = false;
	for (size_t i = 0; i < t->n; i++)
		listed |= streq(t->list[i].ident, ident);
	return listed;
}

/* The pilot asks how far an airport of the list is, or how long the flight takes. The answer is a route from the place where the list began. If
 * the list has no start, the planner asks the pilot for it. NULL: this is no such question, or the airport is itself the start. "How far from
 * the sea" names another end, and is no such question. */
static const struct frame *way_to(const struct planning *p, const struct frame *f, const char *ident)
{
	static const enum label kept[] = { LABEL_SPEED, LABEL_AIRCRAFT };
	const struct frame *list = f;
	const struct frame_value *start = start_of_list(&p->talk->dialogue, &list);
	const struct frame_slot asked = asked_of(p->mem, f, true);

	const bool no_ends = frame_plan_kind(f) == PLAN_ROUTE && f->slot[LABEL_FROM].n + f->slot[LABEL_TO].n + f->slot[LABEL_VIA].n == 0;

	if ((frame_plan_kind(f) != PLAN_DETAILS && !no_ends) || f->kind == NULL || asked.n == 0 || ident == NULL || !is_listed(p->talk, ident) ||
	    names_other_end(p->reading) ||
	    (start != NULL && strieq(place_ident(p, place_text(p, start)), ident)))
		return NULL;
	struct frame *way = arena_alloc(p->mem, sizeof(*way));
	struct frame_value *end = arena_alloc(p->mem, sizeof(*end)), *begin = arena_alloc(p->mem, sizeof(*begin));
	*end = (struct frame_value){ .text = ident };
	*way = (struct frame){ .plan = &aviation_schema.plan[PLAN_ROUTE], .kind = f->kind };
	if (start != NULL) {
		*begin = *start;
		way->slot[LABEL_FROM] = (struct frame_slot){ 1, begin };
	}
	way->slot[LABEL_TO] = (struct frame_slot){ 1, end };
	way->slot[LABEL_ASK] = asked;
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		way->slot[kept[i]] = f->slot[kept[i]].n > 0 ? f->slot[kept[i]] : list->slot[kept[i]];
	return way;
}

static const struct frame *without_way(struct arena *a, const struct frame *f)
{
	struct frame *rest = arena_alloc(a, sizeof(*rest));
	*rest = *f;
	rest->slot[LABEL_ASK] = asked_of(a, f, false);
	return rest;
}

/* ---- airports that are compared, and one of them is not known ----------------------------------- */

/* "Which is longer, the runway at Galway or the one at Kerry?": no search finds both if Galway is not known. The fact is asked of each, so that
 * the answer names the one that is not known. NULL: this is no such question. */
static const struct frame *each_of_unknown(const struct planning *p, const struct frame *f)
{
	static const struct { const char *order; struct frame_value fact; } rows[] = {
		{ "runway", { .text = "runway_length" } }, { "fee", { .text = "fee" } },
	};
	const struct frame_slot *at = &f->slot[LABEL_AT];
	const struct frame_value *fact = NULL;
	bool unknown = false;

	if (frame_plan_kind(f) != PLAN_SEARCH || at->n < 2 || p->con == NULL)
		return NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		fact = frame_has(f, LABEL_ORDER, rows[i].order) ? &rows[i].fact : fact;
	for (size_t i = 0; i < at->n; i++)
		unknown |= !place_is_ident(p, place_ident(p, place_text(p, &at->value[i])));
	if (fact == NULL || !unknown)
		return NULL;
	struct frame *each = arena_alloc(p->mem, sizeof(*each));
	struct frame_value *asked = arena_alloc(p->mem, sizeof(*asked));
	*asked = *fact;
	*each = (struct frame){ .plan = &aviation_schema.plan[PLAN_DETAILS], .kind = f->kind };
	each->slot[LABEL_AT] = *at;
	each->slot[LABEL_ASK] = (struct frame_slot){ 1, asked };
	return each;
}

/* ---- a frame --------------------------------------------------------------------------------- */

static void plan_frame(const struct planning *p, const struct frame *f, bool last, struct plans *out)
{
	const char *pick = frame_get(f, LABEL_PICK);
	bool several = false;
	const char *picked = pick != NULL ? frame_picked(p, f, &several) : NULL;
	struct looks all;
	const char *either[2];
	struct plan plan;

	if (f->plan->labels == 0) {
		plan_talk(p, f, out);
		return;
	}
	if (wishes_exclude(p, f, either)) {
		const struct reply_facts facts = { .either = { either[0], either[1] }, .wording = p->wording };
		plan = (struct plan){ .arguments = jsn_object(p->mem), .about = "airports",
			.reply = reply_of(p->mem, &facts, REPLY_CONTRADICTION) };
		add(p->mem, out, &plan);
		return;
	}
	const struct frame *each = each_of_unknown(p, f);
	if (each != NULL) {
		plan_frame(p, each, last, out);
		return;
	}
	const enum act act = frame_looks(p, f, picked, &all);
	const struct frame *way = all.n == 1 ? way_to(p, f, all.look[0].at) : NULL;
	if (way != NULL) {
		const struct frame *rest = without_way(p->mem, f);
		if (rest->slot[LABEL_ASK].n == 1 && frame_has(rest, LABEL_ASK, "ppr"))
			rest = about_permission(p->mem, rest);
		if (rest->slot[LABEL_ASK].n + rest->slot[LABEL_WISH].n > 0)
			plan_frame(p, rest, false, out);
		plan_frame(p, way, last, out);
		return;
	}
	for (size_t i = 0; i < all.n; i++) {
		if (pick != NULL && picked == NULL && acts[act].lack(&all.look[i]) != REPLY__MAX) {
			plan = (struct plan){ .arguments = jsn_object(p->mem), .about = acts[act].about };
			reply(&all.look[i], several ? REPLY_PICK_WHICH : streq(pick, "runway") ? REPLY_RANK : REPLY_PICK, &plan);
		} else {
			plan_look(&all.look[i], act, last && i + 1 == all.n && !asks_permission_too(f), &plan);
		}
		add(p->mem, out, &plan);
	}
	if (asks_permission_too(f))
		plan_frame(p, about_permission(p->mem, f), last, out);
}

/* A message of signs only, or in a language that is not understood, is no question to look up. Even if some words of
 * another language are understood, one that turns their sense round may not be. */
static bool refuse(const struct planning *p, struct plan *out)
{
	const struct look l = { .p = p, .f = p->frames->frame[0] };
	const struct words *w = p->reading->words;
	const bool nothing = words_are_signs(w);

	if (!nothing && (!language_is_foreign(w) || frame_plan_kind(l.f) == PLAN_URGENT))
		return false;
	*out = (struct plan){ .arguments = jsn_object(p->mem), .about = "airports", .open = !nothing };
	reply(&l, nothing ? REPLY_EMPTY : REPLY_LANGUAGE, out);
	return true;
}

void plans_of_frames(const struct planning *p, struct plans *out)
{
	*out = (struct plans){ .n = 0 };
	const bool asked = refuse(p, &out->plan[0]) || question_back(p, &out->plan[0]);
	out->n = asked;
	for (size_t i = 0; !asked && i < p->frames->n; i++)
		plan_frame(p, p->frames->frame[i], i + 1 == p->frames->n, out);
}
