/*
 * Each kind of plan is a row: the kind of result that it needs, how its arguments are filled in, and what is
 * said when it lacks something.
 */
#include "agents/aviation/builtin/frame_plans.h"

#include <stdio.h>
#include <string.h>

#include "agents/aviation/builtin/frame_unused.h"
#include "agents/aviation/builtin/question_back.h"
#include "airports/countries.h"
#include "airports/day.h"
#include "airports/place.h"
#include "base/str.h"
#include "rules/rules.h"

enum { LOOKS = 8, COUNTRIES = 12 };

/* What a look-up lacks: a reply that asks for it; REPLY__MAX: nothing. */
typedef enum reply lack_fn(const struct look *l);

static enum reply lacks_route(const struct look *l)
{
	const bool from = l->f->slot[LABEL_FROM].n > 0, to = l->f->slot[LABEL_TO].n > 0;
	const int ends = from + to + (l->at != NULL);
	return ends >= 2 ? REPLY__MAX : to ? REPLY_HALF_ROUTE_TO : ends == 0 ? REPLY_UNPLACED : REPLY_HALF_ROUTE;
}

static enum reply lacks_place(const struct look *l)
{
	return l->f->slot[LABEL_NEAR].n > 0 || l->at != NULL || l->ground != NULL || l->country != NULL
	    ? REPLY__MAX : REPLY_UNPLACED;
}

static bool no_such_day(const struct look *l)
{
	const char *text = frame_get(l->f, LABEL_DAY);
	struct day d = { day_today().year, 0, 0 };
	/* 29 February comes again */
	return text != NULL && sscanf(text, "%2d-%2d", &d.day, &d.month) == 2 &&
	    !(d.day == 29 && d.month == 2) && day_check(d, NULL) != OK;
}

static bool no_such_time(const struct look *l)
{
	const char *text = frame_get(l->f, LABEL_TIME);
	int hour, minute;
	return text != NULL && sscanf(text, "%2d:%2d", &hour, &minute) == 2 && (hour > 23 || minute > 59);
}

static enum reply lacks_airport(const struct look *l)
{
	return l->at == NULL ? REPLY_PICK_WHICH : no_such_day(l) ? REPLY_NO_DAY : REPLY__MAX;
}

static enum reply lacks_notice(const struct look *l)
{
	return l->at == NULL ? REPLY_NOTIFY_WHERE : no_such_day(l) ? REPLY_NO_DAY
	    : no_such_time(l) ? REPLY_NO_TIME : REPLY__MAX;
}

static enum reply lacks_country(const struct look *l)
{
	return l->p->set == NULL ? REPLY_RULES_NONE : l->country == NULL ? REPLY_RULES : REPLY__MAX;
}

static enum reply lacks_list(const struct look *l)
{
	const bool nothing = l->country == NULL && l->f->slot[LABEL_TOPIC].n == 0;
	return l->p->set != NULL && nothing ? REPLY_RULES_COUNTRIES : lacks_country(l);
}

static enum reply lacks_countries(const struct look *l)
{
	const char *code[2];
	const size_t n = frame_rules_countries(l->p, l->f, code, 2);
	return l->p->set == NULL ? REPLY_RULES_NONE : l->f->more ? REPLY_RULES_REST
	    : n == 1 ? REPLY_RULES_COMPARE_WITH
	    /* "which countries want a flight plan?": all of them */
	    : n == 0 && l->f->slot[LABEL_TOPIC].n == 0 ? REPLY_RULES_COMPARE : REPLY__MAX;
}

enum act {
	ACT_ROUTE, ACT_NEAR, ACT_SEARCH, ACT_STATISTICS, ACT_ENTRIES, ACT_DETAILS, ACT_NOTICE, ACT_ANSWER, ACT_BROWSE,
	ACT_COMPARE, ACT__MAX
};

static const struct act_row {
	enum tool_result result;
	fill_fn *fill;
	lack_fn *lack;
	enum reply absent;        /* what is said if there is no tool of this kind at all */
	const char *about;
} acts[ACT__MAX] = {
	[ACT_ROUTE] = { RESULT_AIRPORTS_ROUTE, frame_fill_route, lacks_route, REPLY_NO_TOOL, "airports" },
	[ACT_NEAR] = { RESULT_AIRPORTS_NEAR, frame_fill_near, lacks_place, REPLY_NO_TOOL, "airports" },
	[ACT_SEARCH] = { RESULT_AIRPORTS_FOUND, frame_fill_search, lacks_place, REPLY_NO_TOOL, "airports" },
	[ACT_STATISTICS] = { RESULT_AIRPORT_STATISTICS, frame_fill_counted, NULL, REPLY_NO_TOOL, "airports" },
	[ACT_ENTRIES] = { RESULT_POINTS_OF_ENTRY, frame_fill_counted, NULL, REPLY_NO_TOOL, "airports" },
	[ACT_DETAILS] = { RESULT_AIRPORT, frame_fill_details, lacks_airport, REPLY_NO_TOOL, "airports" },
	[ACT_NOTICE] = { RESULT_NOTICE, frame_fill_notice, lacks_notice, REPLY_NOTIFY, "airports" },
	[ACT_ANSWER] = { RESULT_RULES_ANSWER, frame_fill_answer, lacks_country, REPLY_RULES_OFF, "rules" },
	[ACT_BROWSE] = { RESULT_RULES_PAGE, frame_fill_browse, lacks_list, REPLY_RULES_OFF, "rules" },
	[ACT_COMPARE] = { RESULT_RULES_COMPARISON, frame_fill_compare, lacks_countries, REPLY_COMPARE_OFF, "rules" },
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

static const char *text_of(const struct look *l, enum label label)
{
	const struct frame_slot *slot = &l->f->slot[label];
	return slot->n > 0 ? place_text(l->p, &slot->value[slot->n - 1]) : NULL;
}

static bool is_code(const struct planning *p, const char *text)
{
	struct airport airport;
	bool found = false;
	return p->con != NULL && airdb_by_code(p->con, p->mem, text, &airport, &found, NULL) == OK && found;
}

/* The code of an airport that does not exist; NULL: none is named. */
static const char *unknown_code(const struct look *l)
{
	enum { LETTERS = 4 };
	return l->p->con != NULL && l->at != NULL && strlen(l->at) == LETTERS && !is_code(l->p, l->at) ? l->at : NULL;
}

static struct reply_facts facts_of(const struct look *l)
{
	const char *code[2] = { NULL, NULL };
	const char *country = frame_get(l->f, LABEL_COUNTRY), *day = frame_get(l->f, LABEL_DAY);
	struct reply_facts facts = {
		.from = text_of(l, LABEL_FROM), .to = text_of(l, LABEL_TO), .near = text_of(l, LABEL_NEAR),
		.place = l->at != NULL ? l->at : l->ground,
		.country = country != NULL ? country_by_code(country) : NULL,
		.day = day != NULL ? frame_date(l->p->mem, day) : NULL, .set = l->p->set, .topic = frame_get(l->f, LABEL_TOPIC),
		.unknown_code = unknown_code(l), .wording = l->p->wording,
	};
	if (l->f->plan->labels != 0)
		(void)frame_countries(l->p, l->f, code, 2);
	facts.asked[0] = code[0];
	facts.asked[1] = code[1];
	return facts;
}

static void reply(const struct look *l, enum reply which, struct plan *out)
{
	const struct reply_facts facts = facts_of(l);
	out->tool = NULL;
	out->reply = reply_of(l->p->mem, &facts, which);
}

/* ---- one look-up --------------------------------------------------------------------------- */

/* A place of the message that is meant as coordinates and lies on no Earth. A mark may hold the first of the numbers
 * only, because nothing known stands there. */
static bool wrong_coordinates(const struct look *l)
{
	enum { FURTHER = 4 };
	static const char *const places[] = { "from", "to", "near", "at" };
	const struct reading *r = l->p->reading;
	double lat, lon;
	const char *why;

	for (size_t i = 0; i < r->nmarks; i++)
		for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++)
			for (size_t more = 0; streq(r->mark[i].label, places[k]) && more <= FURTHER; more++)
				if (r->mark[i].last + more < r->words->n && place_coords_read(words_slice(l->p->mem,
				    r->words, r->mark[i].first, r->mark[i].last + more), &lat, &lon, &why) == COORDS_WRONG)
					return true;
	return false;
}

static void put_facts(const struct look *l, struct plan *out)
{
	const struct frame_slot *asked = &l->f->slot[LABEL_ASK], *wish = &l->f->slot[LABEL_WISH];

	out->asks = true;
	if (frame_plan_kind(l->f) == PLAN_NOTICE && reading_says(l->p->reading, "need"))
		out->asked[out->nasked++] = (struct plan_fact){ "need", NULL };
	/* not an answer of each country to one question */
	if (frame_plan_kind(l->f) == PLAN_COMPARE)
		out->asked[out->nasked++] = (struct plan_fact){ "differences", NULL };
	for (size_t i = 0; i < asked->n && out->nasked < PLAN_FACTS; i++)
		out->asked[out->nasked++] = (struct plan_fact){ asked->value[i].text, asked->value[i].words };
	/* "has it a hangar": a wish about one airport is a question */
	for (size_t i = 0; out->tool->result == RESULT_AIRPORT && i < wish->n && out->nasked < PLAN_FACTS; i++)
		out->asked[out->nasked++] = (struct plan_fact){ "wish", wish->value[i].text };
}

static void plan_look(const struct look *l, enum act act, bool last, struct plan *out)
{
	const struct act_row *row = &acts[act];
	const struct toolset offered = l->p->ctx->offered;
	const enum reply lack = wrong_coordinates(l) ? REPLY_COORDS : row->lack != NULL ? row->lack(l) : REPLY__MAX;

	*out = (struct plan){ .answer_style = "narrative_markdown", .arguments = jsn_object(l->p->mem),
		.about = row->about };
	const struct tool *tool = toolset_giving(offered, row->result);
	if (lack != REPLY__MAX) {
		reply(l, message_is_foreign(l->p->reading) ? REPLY_LANGUAGE : lack, out);
		out->open = lack == REPLY_UNPLACED;
	} else if (tool == NULL) {
		reply(l, toolset_giving(l->p->ctx->table, row->result) != NULL && row->absent != REPLY_RULES_OFF &&
		    row->absent != REPLY_COMPARE_OFF ? REPLY_NO_TOOL : row->absent, out);
	} else {
		out->tool = tool;
		row->fill(l, tool, out);
		put_facts(l, out);
		out->unused = frame_unused(l, tool, last);
		if (tool_check(tool, out->arguments, NULL) != OK)
			reply(l, row->absent, out);
	}
}

static void add(struct plans *out, const struct plan *p)
{
	if (out->n < LOOKUPS_MAX)
		out->plan[out->n++] = *p;
	else if (out->nover < LOOKUPS_OVER)
		out->over[out->nover++] = *p;
}

/* ---- the look-ups of a frame --------------------------------------------------------------- */

struct looks {
	struct look look[LOOKS];
	size_t n;
};

static struct look *add_look(struct looks *all, struct look one)
{
	if (all->n == LOOKS)
		return &all->look[LOOKS - 1];
	all->look[all->n] = one;
	return &all->look[all->n++];
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

static void look_at_airports(const struct planning *p, const struct frame *f, const char *picked, struct looks *all)
{
	const struct frame_slot *at = &f->slot[LABEL_AT];
	for (size_t i = 0; i < at->n; i++)
		add_look(all, (struct look){ .p = p, .f = f, .at = place_text(p, &at->value[i]) });
	if (at->n == 0)
		add_look(all, (struct look){ .p = p, .f = f, .at = picked });
}

static void look_around(const struct planning *p, const struct frame *f, const char *picked, struct looks *all)
{
	const struct frame_slot *near = &f->slot[LABEL_NEAR], *area = &f->slot[LABEL_AREA];
	struct look one = { .p = p, .f = f, .at = picked, .country = frame_get(f, LABEL_COUNTRY) };

	if (one.at == NULL)
		one.at = text_of(&one, LABEL_AT);
	for (size_t i = 0; i < near->n; i++) {
		one.ground = place_text(p, &near->value[i]);
		add_look(all, one);
	}
	if (near->n == 0) {
		one.ground = one.at == NULL && area->n > 0 ? place_text(p, &area->value[area->n - 1]) : NULL;
		add_look(all, one);
	}
}

static void look_for_airports(const struct planning *p, const struct frame *f, const char *picked, struct looks *all)
{
	const struct frame_slot *at = &f->slot[LABEL_AT], *area = &f->slot[LABEL_AREA];
	const struct frame_slot *country = &f->slot[LABEL_COUNTRY], *name = &f->slot[LABEL_NAME];
	struct look one = { .p = p, .f = f, .at = picked };

	if (at->n > 0)
		one.at = idents(p, at);
	for (size_t i = 0; i < country->n; i++)
		if (!country_is_bound(f, country->value[i].text))
			one.country = country->value[i].text;
	if (name->n > 0)
		one.ground = name->value[name->n - 1].text;
	if (one.ground != NULL || one.at != NULL) {
		add_look(all, one);
		return;
	}
	for (size_t i = 0; i < area->n; i++) {
		one.ground = place_text(p, &area->value[i]);
		add_look(all, one);
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

static void look_at_rules(const struct planning *p, const struct frame *f, bool compare, enum act *act,
    struct looks *all)
{
	const char *code[COUNTRIES];
	const size_t n = frame_rules_countries(p, f, code, COUNTRIES);

	if (n > 1 && *act == ACT_ANSWER)
		*act = ACT_COMPARE;
	for (size_t i = 0; *act == ACT_BROWSE && i < n; i++)
		add_look(all, (struct look){ .p = p, .f = f, .country = code[i] });
	if (all->n == 0)
		add_look(all, (struct look){ .p = p, .f = f, .country = n > 0 && !compare ? code[0] : NULL });
}

/* Which look-ups a frame becomes. */
static enum act looks_of(const struct planning *p, const struct frame *f, const char *picked, struct looks *all)
{
	const bool counts = frame_has(f, LABEL_ASK, "how_many") && f->slot[LABEL_AREA].n == 0;
	enum act act = ACT__MAX;

	switch (frame_plan_kind(f)) {
	case PLAN_NEAR:
		look_around(p, f, picked, all);
		return ACT_NEAR;
	case PLAN_ROUTE:
		add_look(all, (struct look){ .p = p, .f = f,
		    .at = picked != NULL ? picked : text_of(&(struct look){ .p = p, .f = f }, LABEL_AT) });
		return ACT_ROUTE;
	case PLAN_SEARCH:
		look_for_airports(p, f, picked, all);
		if (!counts && in_area(p, &all->look[0]))
			return ACT_NEAR;
		return counts && toolset_giving(p->ctx->offered, RESULT_AIRPORT_STATISTICS) != NULL
		    ? ACT_STATISTICS : ACT_SEARCH;
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

/* ---- all frames ------------------------------------------------------------------------------ */

static void plan_talk(const struct planning *p, const struct frame *f, struct plans *out)
{
	const enum plan_kind kind = frame_plan_kind(f);
	const struct look l = { .p = p, .f = f };
	struct plan plan = { .arguments = jsn_object(p->mem), .open = talks[kind].open, .about = "airports" };

	const bool nothing = talks[kind].reply == REPLY_NOTHING;
	reply(&l, p->reading->words->n == 0 ? REPLY_EMPTY : nothing && message_is_foreign(p->reading) ? REPLY_LANGUAGE
	    : talks[kind].reply, &plan);
	add(out, &plan);
}

const char *frame_picked(const struct planning *p, const struct frame *f, bool *several)
{
	const struct dialogue *before = &p->talk->dialogue;
	const char *pick = frame_get(f, LABEL_PICK), *ident = talk_pick(p->talk, pick, several);

	/* the airport that was asked about last, if the answer did not tell; else the one around which was
	 * looked */
	for (size_t i = before->n; ident == NULL && streq(pick, "it") && i-- > 0;) {
		const struct look one = { .p = p, .f = before->frame[i] };
		const char *at = text_of(&one, LABEL_AT), *near = text_of(&one, LABEL_NEAR);
		if (at != NULL && one.f->slot[LABEL_AT].n == 1)
			ident = at;
		else if (near != NULL && is_code(p, near))
			ident = near;
		else if (frame_get(one.f, LABEL_PICK) == NULL)
			break;
	}
	*several = *several && ident == NULL;
	return ident;
}

static void plan_frame(const struct planning *p, const struct frame *f, bool last, struct plans *out)
{
	const char *pick = frame_get(f, LABEL_PICK);
	bool several = false;
	const char *picked = pick != NULL ? frame_picked(p, f, &several) : NULL;
	struct looks all = { .n = 0 };
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
		add(out, &plan);
		return;
	}
	const enum act act = looks_of(p, f, picked, &all);
	for (size_t i = 0; i < all.n; i++) {
		if (pick != NULL && picked == NULL && acts[act].lack(&all.look[i]) != REPLY__MAX) {
			plan = (struct plan){ .arguments = jsn_object(p->mem), .about = acts[act].about };
			reply(&all.look[i], several ? REPLY_PICK_WHICH : streq(pick, "runway") ? REPLY_RANK : REPLY_PICK, &plan);
		} else {
			plan_look(&all.look[i], act, last && i + 1 == all.n, &plan);
		}
		add(out, &plan);
	}
}

void plans_of_frames(const struct planning *p, struct plans *out)
{
	*out = (struct plans){ .n = 0 };
	const bool asked = question_back(p, &out->plan[0]);
	out->n = asked;
	for (size_t i = 0; !asked && i < p->frames->n; i++)
		plan_frame(p, p->frames->frame[i], i + 1 == p->frames->n, out);
}
