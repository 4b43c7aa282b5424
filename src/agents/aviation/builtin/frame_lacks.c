/*
 * What a look-up needs and does not have.
 */
#include "agents/aviation/builtin/frame_looks.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "airports/day.h"
#include "airports/place.h"
#include "base/str.h"
#include "rules/retrieve.h"

enum reply look_lacks_route(const struct look *l)
{
	const bool from = l->f->slot[LABEL_FROM].n > 0 || l->from != NULL, to = l->f->slot[LABEL_TO].n > 0 || l->to != NULL;
	const int ends = from + to + (l->at != NULL);
	return ends >= 2 ? REPLY__MAX : ends == 0 ? REPLY_UNPLACED : from ? REPLY_HALF_ROUTE : REPLY_HALF_ROUTE_TO;
}

enum reply look_lacks_place(const struct look *l)
{
	return l->f->slot[LABEL_NEAR].n > 0 || l->at != NULL || l->ground != NULL || l->country != NULL
	    ? REPLY__MAX : REPLY_UNPLACED;
}

static bool no_such_day(const struct look *l)
{
	const char *date = frame_date(l->p, l->f);
	struct day d;
	/* 29 February comes again */
	return date != NULL && isdigit((unsigned char)*date) && strstr(date, "-02-29") == NULL &&
	    day_parse(date, day_today(), &d, NULL) != OK;
}

static bool no_such_time(const struct look *l)
{
	const char *text = frame_get(l->f, LABEL_TIME);
	int hour, minute;
	return text != NULL && sscanf(text, "%2d:%2d", &hour, &minute) == 2 && (hour > 23 || minute > 59);
}

enum reply look_lacks_airport(const struct look *l)
{
	return l->at == NULL ? REPLY_PICK_WHICH : no_such_day(l) ? REPLY_NO_DAY : REPLY__MAX;
}

enum reply look_lacks_notice(const struct look *l)
{
	return l->at == NULL ? REPLY_NOTIFY_WHERE : no_such_day(l) ? REPLY_NO_DAY
	    : no_such_time(l) ? REPLY_NO_TIME : REPLY__MAX;
}

/* No rule of any country answers the question, so the country need not be asked for. */
static bool is_answered_nowhere(const struct look *l)
{
	return frame_plan_kind(l->f) == PLAN_ANSWER && rules_none_near(l->p->ctx->rules, l->p->set, l->p->mem, frame_question(l));
}

enum reply look_lacks_country(const struct look *l)
{
	return l->p->set == NULL ? REPLY_RULES_NONE : l->country != NULL ? REPLY__MAX
	    : !is_answered_nowhere(l) ? REPLY_RULES
	    : rules_general(l->p->set, frame_question(l)) != NULL ? REPLY_RULES_GENERAL : REPLY_RULES_NOWHERE;
}

enum reply look_lacks_list(const struct look *l)
{
	const bool nothing = l->country == NULL && l->f->slot[LABEL_TOPIC].n == 0;
	return l->p->set != NULL && nothing ? REPLY_RULES_COUNTRIES : look_lacks_country(l);
}

enum reply look_lacks_countries(const struct look *l)
{
	const char *code[2];
	const size_t n = frame_rules_countries(l->p, l->f, code, 2);
	return l->p->set == NULL ? REPLY_RULES_NONE : l->f->more ? REPLY_RULES_REST
	    : n == 1 ? REPLY_RULES_COMPARE_WITH
	    /* "which countries want a flight plan?": all of them */
	    : n == 0 && l->f->slot[LABEL_TOPIC].n == 0 ? REPLY_RULES_COMPARE : REPLY__MAX;
}

bool look_has_wrong_coordinates(const struct look *l)
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
