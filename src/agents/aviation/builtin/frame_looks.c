/*
 * A frame may ask the same of several airports, places or countries: each is a look-up of its own.
 */
#include "agents/aviation/builtin/frame_looks.h"

#include <string.h>

#include "agents/aviation/builtin/frame_nearest.h"
#include "agents/aviation/builtin/frame_topics.h"
#include "agents/aviation/builtin/reading_marks.h"
#include "airports/place.h"
#include "base/str.h"
#include "rules/rules.h"

enum { COUNTRIES = 12 };

const char *look_text(const struct look *l, enum label label)
{
	const struct frame_slot *slot = &l->f->slot[label];
	return slot->n > 0 ? place_text(l->p, &slot->value[slot->n - 1]) : NULL;
}

/* "Not Bolzano. Which of the others has the longest runway?": the best of the list without the airports that the message refuses. */
static const char *best_of_others(const struct planning *p, const char *pick, bool *several)
{
	const struct evidences *e = p->reading->evidence;
	struct talk *left = arena_alloc(p->mem, sizeof(*left));

	*left = *p->talk;
	for (size_t i = 0; i < e->n; i++) {
		size_t n = 0;
		for (size_t k = 0; streq(e->at[i].kind, "refused") && k < left->n; k++)
			if (!streq(left->list[k].ident, e->at[i].value))
				left->list[n++] = left->list[k];
		left->n = streq(e->at[i].kind, "refused") ? n : left->n;
	}
	return talk_pick(left, pick, several);
}

const char *frame_picked(const struct planning *p, const struct frame *f, bool *several)
{
	const struct dialogue *before = &p->talk->dialogue;
	const char *pick = frame_get(f, LABEL_PICK);
	const char *ident = pick != NULL && one_of(pick, "runway|fee|distance") ? best_of_others(p, pick, several) : talk_pick(p->talk, pick, several);

	/* If the last answer does not say which airport "it" is: the airport that was asked about last. Without one: the centre of
	 * the last search, or for customs the end of the last route. */
	for (size_t i = before->n; ident == NULL && streq(pick, "it") && i-- > 0;) {
		const struct look one = { .p = p, .f = before->frame[i] };
		const char *at = look_text(&one, LABEL_AT), *near = look_text(&one, LABEL_NEAR);
		if (near == NULL && frame_plan_kind(one.f) == PLAN_ROUTE && frame_plan_kind(f) == PLAN_NOTICE)
			near = look_text(&one, LABEL_TO);
		if (at != NULL && one.f->slot[LABEL_AT].n == 1)
			ident = at;
		else if (near != NULL && place_is_ident(p, near))
			ident = near;
		else if (near != NULL && airport_is_shown(p->talk, place_ident(p, near)))
			ident = place_ident(p, near);
		else if (frame_get(one.f, LABEL_PICK) == NULL)
			break;
	}
	*several = *several && ident == NULL;
	return ident;
}

/* Do both texts mean the same airport? */
static bool is_same_airport(const struct planning *p, const char *x, const char *y)
{
	return p->con != NULL && strieq(place_ident(p, x), place_ident(p, y));
}

/* "Elba, LIRJ": a name, and its own code right behind it. The name alone is unknown, or means the same airport. */
static bool is_name_of_next(const struct planning *p, const struct frame_slot *at, size_t i)
{
	if (p->con == NULL || i + 1 >= at->n || at->value[i].words == NULL || at->value[i + 1].words == NULL)
		return false;
	const char *text = place_text(p, &at->value[i]), *next = place_text(p, &at->value[i + 1]);
	const char *behind = strstr(p->message, at->value[i].words);
	if (behind == NULL || place_is_ident(p, text) || !place_is_ident(p, next))
		return false;
	behind += strlen(at->value[i].words);
	behind += strspn(behind, " ,(-/");
	return strncmp(behind, at->value[i + 1].words, strlen(at->value[i + 1].words)) == 0 &&
	    (is_same_airport(p, text, next) || !place_is_ident(p, place_ident(p, text)));
}

static struct look *add_look(struct looks *all, struct look one)
{
	if (all->n == LOOKS)
		return &all->look[LOOKS - 1];
	all->look[all->n] = one;
	return &all->look[all->n++];
}

/* "Three Norwegians look for a field on Sardinia": the area is known, and no part of it lies in this country. */
static bool lies_elsewhere(const struct look *l, const char *code)
{
	struct place place;
	bool found = false;

	if (l->ground == NULL || l->p->con == NULL || l->f->slot[LABEL_AREA].n == 0 ||
	    place_resolve(l->p->con, l->p->mem, NULL, l->ground, NULL, &place, &found, NULL) != OK || !found || place.area == NULL)
		return false;
	for (size_t i = 0; i < place.area->ncountries; i++)
		if (streq(place.area->country[i], code))
			return false;
	return place.area->ncountries > 0;
}

/* "In Switzerland or Italy, within 80 NM of Annecy": a look for each country, because a search is limited to one. */
static void add_by_country(struct looks *all, struct look one)
{
	const struct frame_slot *country = &one.f->slot[LABEL_COUNTRY];
	size_t n = 0;

	for (size_t i = 0; i < country->n; i++) {
		if (country_is_bound(one.p, one.f, country->value[i].text) || lies_elsewhere(&one, country->value[i].text))
			continue;
		one.country = country->value[i].text;
		add_look(all, one);
		n++;
	}
	one.country = NULL;
	if (n == 0)
		add_look(all, one);
}

/* Codes and names as one text, which the search takes as a list. */
static const char *idents(const struct planning *p, const struct frame_slot *slot)
{
	const char *list = "";
	for (size_t i = 0; i < slot->n; i++)
		list = arena_printf(p->mem, "%s%s%s", list, i > 0 ? " " : "",
		    place_ident(p, place_text(p, &slot->value[i])));
	return list;
}

/* The airports of the last answer that "compare the two" or "and the others?" means; how many. */
static size_t meant_of_list(const struct planning *p, const struct frame *f, struct looks *all)
{
	const struct talk *t = p->talk;
	const struct dialogue *before = &t->dialogue;
	const bool compares = reading_says(p->reading, "compare");
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;

	if (p->reading->nmarks > 0 || !frame_has(f, LABEL_PICK, "it") || (!compares && !reading_says(p->reading, "follow.more")))
		return 0;
	for (size_t i = 0; compares && last != NULL && last->slot[LABEL_AT].n > 1 && i < last->slot[LABEL_AT].n; i++)
		add_look(all, (struct look){ .p = p, .f = f, .at = place_text(p, &last->slot[LABEL_AT].value[i]) });
	for (size_t i = 0; all->n < (compares ? 2 : LOOKS) && i < t->n && t->n > 1; i++)
		if (compares || !streq(t->list[i].ident, t->current))
			add_look(all, (struct look){ .p = p, .f = f, .at = t->list[i].ident });
	return all->n;
}

/* The ident of the airport in the last answer, if the text is a part of its name ("Gamston"). Else the text itself. */
static const char *shown_or_named(const struct planning *p, const char *text)
{
	const char *shown = !place_is_ident(p, text) ? airport_shown(p, text) : NULL;
	return shown != NULL ? shown : text;
}

/* "On Saturday, is it the same notice?" after a notice and a distance in one message: the airport of the last question about notice. */
static const char *airport_of_last_notice(const struct planning *p, const struct frame *f)
{
	const struct dialogue *before = &p->talk->dialogue;

	for (size_t i = before->n; f->kind != NULL && i-- > 0;)
		if (before->frame[i]->plan == f->plan && before->frame[i]->slot[LABEL_AT].n == 1)
			return place_text(p, &before->frame[i]->slot[LABEL_AT].value[0]);
	return frame_nearest(p);
}

static void look_at_airports(const struct planning *p, const struct frame *f, const char *picked, struct looks *all)
{
	const struct frame_slot *at = &f->slot[LABEL_AT];
	for (size_t i = 0; i < at->n; i++)
		if (!is_name_of_next(p, at, i))
			add_look(all, (struct look){ .p = p, .f = f, .at = shown_or_named(p, place_text(p, &at->value[i])) });
	if (at->n == 0 && meant_of_list(p, f, all) == 0)
		add_look(all, (struct look){ .p = p, .f = f, .at = picked != NULL || frame_plan_kind(f) != PLAN_NOTICE ? picked
		    : airport_of_last_notice(p, f) });
}

static void look_around(const struct planning *p, const struct frame *f, const char *picked, struct looks *all)
{
	const struct frame_slot *near = &f->slot[LABEL_NEAR], *area = &f->slot[LABEL_AREA], *at = &f->slot[LABEL_AT];
	struct look one = { .p = p, .f = f, .at = picked };

	for (size_t i = 0; i < near->n; i++) {
		one.ground = place_text(p, &near->value[i]);
		add_by_country(all, one);
	}
	for (size_t i = 0; near->n == 0 && picked == NULL && i < at->n; i++) {
		one.at = place_text(p, &at->value[i]);
		add_by_country(all, one);
	}
	if (all->n == 0) {
		one.ground = one.at == NULL && area->n > 0 ? place_text(p, &area->value[area->n - 1]) : NULL;
		add_by_country(all, one);
	}
}

/* "And then on to Redhill", "is that far from Lyon?": the message names one end of the route. The other end is the place that the talk
 * was about last; NULL: there is none. */
static const char *last_place(const struct planning *p)
{
	const struct dialogue *before = &p->talk->dialogue;
	const struct look last = { .p = p, .f = before->n > 0 ? before->frame[before->n - 1] : NULL };
	const enum plan_kind kind = last.f != NULL ? frame_plan_kind(last.f) : PLAN__MAX;

	const char *current = *p->talk->current != '\0' ? p->talk->current : NULL;

	if (kind == PLAN_ROUTE) {
		const char *to = look_text(&last, LABEL_TO), *from = look_text(&last, LABEL_FROM);
		return to != NULL || from != NULL ? to : current;
	}
	if (kind == PLAN_NEAR)
		return look_text(&last, LABEL_NEAR);
	return kind != PLAN_DETAILS && kind != PLAN_NOTICE ? NULL : current != NULL ? current : look_text(&last, LABEL_AT);
}

/* "How far is it between them?": the two airports that the talk was about last, in one message or in two. Both ends stay as they are if there
 * are no such two. */
static void find_last_two_airports(const struct planning *p, const char **from, const char **to)
{
	const struct dialogue *before = &p->talk->dialogue;
	const struct frame *last = before->n > 0 ? before->frame[before->n - 1] : NULL;
	const struct frame *older = before->n > 1 ? before->frame[before->n - 2] : NULL;
	const struct frame_slot *at = last != NULL ? &last->slot[LABEL_AT] : NULL;

	if (at != NULL && at->n == 2) {
		*from = place_text(p, &at->value[0]);
		*to = place_text(p, &at->value[1]);
	} else if (at != NULL && at->n == 1 && older != NULL && older->slot[LABEL_AT].n == 1 && reading_says(p->reading, "both")) {
		*from = place_text(p, &older->slot[LABEL_AT].value[0]);
		*to = place_text(p, &at->value[0]);
	}
}

/* A route over other places is looked at leg by leg. */
static void look_along(const struct planning *p, const struct frame *f, const char *picked, struct looks *all)
{
	const struct frame_slot *via = &f->slot[LABEL_VIA];
	const struct tool *tool = toolset_giving(p->ctx->offered, RESULT_AIRPORTS_ROUTE);
	struct look one = { .p = p, .f = f };
	const char *from = look_text(&one, LABEL_FROM), *to = look_text(&one, LABEL_TO);

	one.at = picked != NULL ? picked : look_text(&one, LABEL_AT);
	/* "the second one" of an empty list is told */
	const bool picks = frame_get(f, LABEL_PICK) != NULL;
	const bool asks_flight = frame_has(f, LABEL_ASK, "distance") || frame_has(f, LABEL_ASK, "time");
	const bool how_far = !picks && asks_flight;
	if (one.at == NULL && (from == NULL) != (to == NULL) && ((from == NULL && f->kind != NULL) || how_far))
		one.at = last_place(p);
	if (one.at != NULL && how_far && is_same_airport(p, one.at, from != NULL ? from : to))
		one.at = NULL;
	const bool both = from == NULL && to == NULL && asks_flight && reading_says(p->reading, "both");
	if (both || (from == NULL && to == NULL && how_far && picked == NULL)) {
		find_last_two_airports(p, &from, &to);
		one.from = from;
		one.to = to;
		/* "how far is it from home?": one end is the place that the talk was about last, and the other end has to be asked for */
		if (from == NULL && to == NULL && one.at == NULL && f->kind != NULL)
			one.at = last_place(p);
	}
	from = from != NULL ? from : one.at;
	to = to != NULL ? to : one.at;
	if (from == NULL || to == NULL || tool == NULL || tool_arg_find(tool, "via") != NULL) {
		add_look(all, one);
		return;
	}
	for (size_t i = 0; i <= via->n; i++) {
		const char *stop = i < via->n ? place_text(p, &via->value[i]) : to;
		/* "Grimbergen to Texel, so EBGB to EHTX" names each end twice */
		if (i < via->n && (is_same_airport(p, stop, from) || is_same_airport(p, stop, to)))
			continue;
		if (via->n > 0) {
			one.from = from;
			one.to = stop;
		}
		/* legs times countries would be more look-ups than one answer can have */
		if (via->n > 0 && f->slot[LABEL_COUNTRY].n > 1)
			add_look(all, one);
		else
			add_by_country(all, one);
		from = stop;
	}
}

static void look_for_airports(const struct planning *p, const struct frame *f, const char *picked, struct looks *all)
{
	const struct frame_slot *at = &f->slot[LABEL_AT], *area = &f->slot[LABEL_AREA];
	const struct frame_slot *country = &f->slot[LABEL_COUNTRY], *name = &f->slot[LABEL_NAME];
	struct look one = { .p = p, .f = f, .at = picked };

	if (at->n > 0)
		one.at = idents(p, at);
	if (name->n > 0)
		one.ground = name->value[name->n - 1].text;
	if (one.ground != NULL || one.at != NULL) {
		add_by_country(all, one);
		return;
	}
	for (size_t i = 0; i < area->n; i++) {
		one.ground = place_text(p, &area->value[i]);
		add_by_country(all, one);
	}
	for (size_t i = 0; area->n == 0 && i < country->n; i++) {
		one.country = country->value[i].text;
		add_look(all, one);
	}
	if (all->n == 0)
		add_look(all, one);
}

/* An area that is known by its shape is looked at as a place, because most of them are no region of the airport
 * database. */
static bool in_area(const struct planning *p, const struct look *l)
{
	struct place place;
	bool found = false;

	return l->ground != NULL && l->f->slot[LABEL_AREA].n > 0 && p->con != NULL &&
	    toolset_giving(p->ctx->offered, RESULT_AIRPORTS_NEAR) != NULL &&
	    place_resolve(p->con, p->mem, NULL, l->ground, NULL, &place, &found, NULL) == OK && found &&
	    place.area != NULL;
}

/* Nothing but the points of entry of a country. */
static bool only_entries(const struct frame *f)
{
	size_t filled = 0;
	for (size_t i = 0; i < LABEL__MAX; i++)
		filled += f->slot[i].n > 0;
	return filled == 2 && f->slot[LABEL_COUNTRY].n > 0 && frame_has(f, LABEL_ENTRY, "true");
}

static bool has_rules(const struct planning *p, const char *code)
{
	for (size_t i = 0; p->set != NULL && i < p->set->base->ncountries; i++)
		if (streq(p->set->base->countries[i].code, code))
			return true;
	return false;
}

/* Does the message name its countries one after the other: "in Albania and France"? In "over Denmark with a microlight from Germany" each has a
 * part of its own. */
static bool lists_countries(const struct reading *r)
{
	const struct mark *last = NULL;

	for (size_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->mark[i];
		if (!mark_has_label(m, LABEL_COUNTRY))
			continue;
		for (size_t word = last != NULL ? last->last + 1 : m->first; word < m->first; word++)
			if (r->words->word[word].kind != WORD_SIGN && !reading_has_evidence(r, word, word, "and"))
				return false;
		last = m;
	}
	return true;
}

/* How many of these countries have rules. If the countries are a list, those with rules are moved to its front. */
static size_t with_rules(const struct planning *p, const char **code, size_t n)
{
	const bool list = lists_countries(p->reading);
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		const char *one = code[i];
		if (!has_rules(p, one))
			continue;
		if (list) {
			memmove(code + known + 1, code + known, (i - known) * sizeof(*code));
			code[known] = one;
		}
		known++;
	}
	return known;
}

/* several: a look-up for each of its questions. */
static void look_at_country(const struct planning *p, const struct frame *f, bool several, const char *country, struct looks *all)
{
	struct topic_question question[TOPIC_QUESTIONS];
	const size_t n = several ? frame_topics(p, f, question) : 0;

	for (size_t i = 0; i < n; i++)
		add_look(all, (struct look){ .p = p, .f = f, .country = country, .topic = question[i].topic, .asks = question[i].text });
	if (n == 0)
		add_look(all, (struct look){ .p = p, .f = f, .country = country });
}

/* "A flight plan in France, and a transponder in Germany?": each question is about its own country. False: not every question names exactly one. */
static bool look_at_each(const struct planning *p, const struct frame *f, struct looks *all)
{
	const struct frame_slot *named = &f->slot[LABEL_COUNTRY];
	struct topic_question question[TOPIC_QUESTIONS];
	const char *country[TOPIC_QUESTIONS] = { NULL };
	const size_t n = frame_topics(p, f, question);

	for (size_t i = 0; i < n; i++) {
		size_t countries = 0;
		for (size_t k = 0; k < named->n; k++)
			if (named->value[k].words != NULL && strstr(question[i].text, named->value[k].words) != NULL) {
				country[i] = named->value[k].text;
				countries++;
			}
		if (countries != 1)
			return false;
	}
	for (size_t i = 0; i < n; i++)
		add_look(all, (struct look){ .p = p, .f = f, .country = country[i], .topic = question[i].topic, .asks = question[i].text });
	return n > 1;
}

/* "A flight plan from Kassel to Austria": there are no rules of Austria, but Germany has one about crossing its border. Adds
 * the other country to `code`, and returns how many there are. */
static size_t add_other_end(const struct planning *p, const struct frame *f, const char *code[COUNTRIES], size_t n)
{
	const struct look whole = { .p = p, .f = f };
	const struct frame_slot *at = &f->slot[LABEL_AT];

	if (n != 1 || p->set == NULL || has_rules(p, code[0]) || !look_crosses_border(&whole))
		return n;
	for (size_t i = 0; n == 1 && i < at->n; i++) {
		const char *other = place_country(p, place_text(p, &at->value[i]));
		if (other != NULL && has_rules(p, other))
			code[n++] = other;
	}
	return n;
}

static void look_at_rules(const struct planning *p, const struct frame *f, bool compare, enum act *act,
    struct looks *all)
{
	const char *code[COUNTRIES];
	const size_t named = frame_rules_countries(p, f, code, COUNTRIES), n = *act == ACT_ANSWER ? add_other_end(p, f, code, named) : named;
	const struct look whole = { .p = p, .f = f };
	const bool answers = toolset_giving(p->ctx->offered, RESULT_RULES_ANSWER) != NULL;
	size_t tags;

	/* Rules are listed by tag. Without a tag the list would have all rules, which answers nothing, so the matter is searched. */
	if (*act == ACT_BROWSE && answers && n <= 1 && !f->more && p->set != NULL && f->slot[LABEL_TOPIC].n > 0 && look_tags(&whole, &tags) == NULL)
		*act = ACT_ANSWER;
	if (n > 1 && *act == ACT_ANSWER && look_at_each(p, f, all))
		return;
	const size_t known = n > 1 ? with_rules(p, code, n) : n;
	if (n > 1 && p->set != NULL && known <= 1) {
		/* nothing to compare: what is known is answered, and of the others it is said that there are none */
		*act = *act == ACT_BROWSE ? ACT_BROWSE : ACT_ANSWER;
		for (size_t i = 0; i < n; i++)
			look_at_country(p, f, has_rules(p, code[i]) && *act == ACT_ANSWER, code[i], all);
		return;
	}
	if (n > 1 && *act == ACT_ANSWER)
		*act = ACT_COMPARE;
	for (size_t i = 0; *act == ACT_BROWSE && i < n; i++)
		add_look(all, (struct look){ .p = p, .f = f, .country = code[i] });
	if (*act == ACT_ANSWER && n == 1)
		look_at_country(p, f, true, code[0], all);
	if (all->n == 0)
		add_look(all, (struct look){ .p = p, .f = f, .country = n > 0 && !compare ? code[0] : NULL });
}

enum act frame_looks(const struct planning *p, const struct frame *f, const char *picked, struct looks *all)
{
	const bool counts = frame_has(f, LABEL_ASK, "how_many") && f->slot[LABEL_AREA].n == 0;
	enum act act = ACT__MAX;

	all->n = 0;
	switch (frame_plan_kind(f)) {
	case PLAN_NEAR:
		look_around(p, f, picked, all);
		return ACT_NEAR;
	case PLAN_ROUTE:
		look_along(p, f, picked, all);
		return ACT_ROUTE;
	case PLAN_SEARCH:
		look_for_airports(p, f, picked, all);
		if (!counts && in_area(p, &all->look[0]))
			return ACT_NEAR;
		return counts && toolset_giving(p->ctx->offered, RESULT_AIRPORT_STATISTICS) != NULL ? ACT_STATISTICS
		    : only_entries(f) && toolset_giving(p->ctx->offered, RESULT_POINTS_OF_ENTRY) != NULL ? ACT_ENTRIES
		    : ACT_SEARCH;
	case PLAN_DETAILS:
		look_at_airports(p, f, picked, all);
		return ACT_DETAILS;
	case PLAN_NOTICE:
		look_at_airports(p, f, picked, all);
		return ACT_NOTICE;
	case PLAN_ANSWER:
		act = f->more ? ACT_BROWSE : ACT_ANSWER;
		break;
	case PLAN_BROWSE:
		act = ACT_BROWSE;
		break;
	case PLAN_COMPARE:
		act = ACT_COMPARE;
		break;
	case PLAN_HELLO:
	case PLAN_THANKS:
	case PLAN_HELP:
	case PLAN_UNCLEAR:
	case PLAN_URGENT:
	case PLAN_WEATHER:
	case PLAN_NOTAM:
	case PLAN_ACT:
	case PLAN_COMPUTE:
	case PLAN_HERE:
	case PLAN_INSTRUCTIONS:
	case PLAN_OTHER:
	case PLAN__MAX:
		return ACT__MAX;
	}
	look_at_rules(p, f, act == ACT_COMPARE, &act, all);
	return act;
}
