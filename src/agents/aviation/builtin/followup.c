/*
 * A message that depends on the conversation changes one thing and keeps the rest. There are three
 * kinds of change: a new place in the role of the old one, a filter or limit that is set or
 * removed, and a turn ("and back?", "more"). A message that names its place and says what it looks
 * for is a new question.
 */
#include "agents/aviation/builtin/followup.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/str.h"

enum { DEFAULT_RESULTS = 5, MORE_RESULTS = 5, MOST_RESULTS = 50,
	SHORTEST = 100 /* a smaller number without a unit is not a length */ };

static bool placed(const struct query *q)
{
	return (q->from.text != NULL && q->to.text != NULL) || q->near.text != NULL ||
	    q->subject.text != NULL || q->ncodes > 0 || q->country != NULL;
}

/* "within 60 nm of it", "airports there": the centre is the place that was named last. */
static bool around(const struct query *n)
{
	return n->nearest || n->noun || !isnan(n->distance_nm) || (n->cues & CUE_HERE) != 0;
}

static bool changes(const struct query *q)
{
	bool any = q->site != NULL || q->lack != LACK_NONE || !isnan(q->distance_nm) || !isnan(q->results) || !isnan(q->notice_h) ||
	    !isnan(q->speed_kt) || q->cheapest || !isnan(q->bare) || !isnan(q->hours) || q->large >= 0 || q->from.text != NULL || q->to.text != NULL;
	for (int w = 0; w < WISH__MAX; w++)
		any |= q->want[w].state != WANT_NOTHING;
	return any;
}

/* A day or a time of day. */
static bool names_when(const struct query *q)
{
	return q->days != NULL || q->clock != NULL;
}

/* "Sunday?", "and at 14:00?", "what about Le Touquet at noon?", "the second?": a day, a time or a place, and
 * nothing else. */
static bool only_where_or_when(const struct query *q)
{
	static const unsigned beside = CUE_ASK | CUE_FOLLOW | CUE_THERE | CUE_ABOUT | CUE_INSTEAD | CUE_CORRECT |
	    CUE_NOTIFY;
	struct query rest = *q;

	rest.want[WISH_CUSTOMS].state = WANT_NOTHING;
	return (names_when(q) || q->subject.text != NULL || q->near.text != NULL || q->ordinal != 0) && q->ncodes == 0 &&
	    q->country == NULL && !q->noun && !q->nearest && !changes(&rest) && (q->cues & ~beside) == 0;
}

bool query_leans(const struct query *q)
{
	if ((q->cues & CUE_FRESH) || q->lack == LACK_COORDS)
		return false;
	if (q->leads || q->ordinal != 0)
		return true;
	if (!placed(q))
		return changes(q) || q->along || q->notice || only_where_or_when(q) ||
		    (q->cues & (CUE_FOLLOW | CUE_THERE | CUE_MORE | CUE_BACK | CUE_ASPECT)) != 0;
	if (q->noun)
		return false;
	/* "near Lyon", "LFMD to Nice instead": a place alone continues the conversation; a question
	 * does not. */
	if (q->cues & (CUE_FOLLOW | CUE_BACK))
		return true;
	return (q->near.text != NULL || q->country != NULL) && !changes(q) &&
	    (q->cues & (CUE_SHOW | CUE_LOOKUP | CUE_TELL | CUE_ASK | CUE_TRAVEL | CUE_ASPECT)) == 0;
}

bool query_bare_place(const struct query *q)
{
	return q->subject.text != NULL && q->from.text == NULL && q->to.text == NULL && q->near.text == NULL &&
	    q->ncodes == 0 && !q->noun && !changes(q) && (q->cues & ~(unsigned)(CUE_TRAVEL | CUE_CORRECT)) == 0;
}

static void clear_places(struct query *q)
{
	const struct place_mention none = { .text = NULL };
	q->from = q->to = q->near = q->subject = none;
	q->ncodes = 0;
}

/* A question about one airport gives no filters for the airports around it. */
static void forget_wants(struct query *q)
{
	memset(q->want, 0, sizeof(q->want));
	q->distance_nm = q->other_nm = q->results = q->notice_h = q->speed_kt = NAN;
	q->large = -1;
	q->limit = WISH__MAX;
}

/* "Jet A instead" replaces the other fuel, "I meant a hotel" replaces the restaurant. */
static void take_instead(struct query *q, const struct query *n)
{
	static const struct { enum wish a, b; unsigned cues; } pairs[] = {
		{ WISH_AVGAS, WISH_JET, CUE_INSTEAD | CUE_CORRECT },
		{ WISH_JET, WISH_AVGAS, CUE_INSTEAD | CUE_CORRECT },
		{ WISH_HOTEL, WISH_RESTAURANT, CUE_CORRECT },
		{ WISH_RESTAURANT, WISH_HOTEL, CUE_CORRECT },
		{ WISH_MIN, WISH_MAX, CUE_CORRECT }, { WISH_MAX, WISH_MIN, CUE_CORRECT },
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const struct want *said = &n->want[pairs[i].a];
		bool flag = pairs[i].a == WISH_AVGAS || pairs[i].a == WISH_JET;
		if ((n->cues & pairs[i].cues) != 0 && said->state == WANT_SET && (said->on || !flag) &&
		    n->want[pairs[i].b].state == WANT_NOTHING)
			q->want[pairs[i].b].state = WANT_NOTHING;
	}
}

static void take_wants(struct query *q, const struct query *n)
{
	take_instead(q, n);
	for (int w = 0; w < WISH__MAX; w++) {
		struct want *have = &q->want[w];
		const struct want *said = &n->want[w];
		bool flag = w == WISH_AVGAS || w == WISH_JET || w == WISH_FUEL || w == WISH_CUSTOMS || w == WISH_IFR;
		if (said->state == WANT_NOTHING)
			continue;
		/* "without customs" after "with customs" removes the filter and does not ask for
		 * airports without */
		if (flag && !said->on && have->state == WANT_SET && have->on)
			have->state = WANT_NOTHING;
		else if (said->state == WANT_LIFT)
			have->state = WANT_NOTHING;
		else
			*have = *said;
	}
	settle_fuel(q);
	/* "at the airport only", after a hotel was asked for */
	for (int w = WISH_HOTEL; n->site != NULL && w <= WISH_RESTAURANT; w++)
		if (q->want[w].state == WANT_SET && n->want[w].state == WANT_NOTHING)
			q->want[w].text = n->site;
	if (!isnan(n->distance_nm)) {
		q->distance_nm = n->distance_nm;
		q->other_nm = n->other_nm;
	}
	if (!isnan(n->results))
		q->results = n->results;
	if (!isnan(n->notice_h))
		q->notice_h = n->notice_h;
	else if (!isnan(n->hours) && !isnan(q->notice_h))
		q->notice_h = n->hours;      /* "and less than 12 hours?" */
	if (!isnan(n->speed_kt))
		q->speed_kt = n->speed_kt;
	if (n->large >= 0)
		q->large = n->large;
	if (n->limit != WISH__MAX) {
		q->limit = n->limit;
		q->unit = n->unit;
	}
	if (!isnan(n->bare) && isnan(n->distance_nm) && n->limit == WISH__MAX) {
		bool length = q->limit == WISH_MIN || q->limit == WISH_MAX;
		if (q->limit != WISH__MAX && !(length && n->bare < SHORTEST)) {
			q->want[q->limit].state = WANT_SET;
			q->want[q->limit].number = q->limit == WISH_FEE ? n->bare
			    : floor(quantity_feet(n->bare, q->unit) + 1e-6);
		} else if (!isnan(q->distance_nm)) {
			q->distance_nm = n->bare;
		} else if (n->bare <= MOST_RESULTS) {
			q->results = n->bare;
		}
	}
}

static bool searched_country(const struct query *q)
{
	return q->country != NULL && q->from.text == NULL && q->to.text == NULL &&
	    q->near.text == NULL && q->subject.text == NULL;
}

/* A country: either the new place to search, or a limit on the present search. */
static void take_country(struct query *q, const struct query *n)
{
	bool limits = (q->from.text != NULL || q->near.text != NULL) && !(n->cues & CUE_ABOUT) &&
	    (n->adjective || (n->cues & CUE_FOLLOW) || !n->leads);
	if (!limits)
		clear_places(q);
	q->country = n->country;
	q->adjective = n->adjective;
}

/* How many letters two names share at their beginning. */
static size_t alike(const char *a, const char *b)
{
	size_t n = 0;
	while (a[n] != '\0' && tolower((unsigned char)a[n]) == tolower((unsigned char)b[n]))
		n++;
	return n;
}

/* A place without a preposition: "and LFMN?", "what about Lyon?", or the missing end of a route. */
static void take_subject(struct query *q, const struct query *n)
{
	bool asks = (n->cues & (CUE_TELL | CUE_ASPECT | CUE_ASK | CUE_LOOKUP)) != 0;
	if (!asks && (n->cues & CUE_CORRECT) && q->from.text != NULL && q->to.text != NULL) {
		/* replaces the end that it resembles, else the end that was named last */
		bool from = alike(q->from.text, n->subject.text) > alike(q->to.text, n->subject.text);
		*(from ? &q->from : &q->to) = n->subject;
	} else if (!asks && q->to.text != NULL && q->from.text == NULL) {
		q->from = n->subject;
	} else if (!asks && q->from.text != NULL && q->to.text == NULL) {
		q->to = n->subject;
	} else if (asks || q->subject.text != NULL || (n->subject.code && q->near.text == NULL)) {
		clear_places(q);
		q->subject = n->subject;
	} else {
		clear_places(q);
		q->near = n->subject;
	}
}

static void take_places(struct query *q, const struct query *n)
{
	const struct place_mention near = q->near.text != NULL ? q->near : q->subject;
	bool country = searched_country(q);
	bool fresh = n->near.text != NULL || n->subject.text != NULL ||
	    (n->from.text != NULL && n->to.text != NULL);
	if (n->from.text != NULL && n->to.text != NULL) {
		clear_places(q);
		q->from = n->from;
		q->to = n->to;
	} else if (n->near.text != NULL) {
		clear_places(q);
		q->near = n->near;
	} else if (n->from.text != NULL) {
		q->from = n->from;
		q->near = q->subject = (struct place_mention){ .text = NULL };
	} else if (n->to.text != NULL) {
		if (q->from.text == NULL)
			q->from = near;
		q->to = n->to;
		q->near = q->subject = (struct place_mention){ .text = NULL };
	} else if (n->ncodes > 0) {
		clear_places(q);
		memcpy(q->codes, n->codes, sizeof(q->codes));
		q->ncodes = n->ncodes;
	} else if (n->subject.text != NULL) {
		take_subject(q, n);
	} else if ((n->cues & CUE_THERE) && near.text != NULL && around(n)) {
		clear_places(q);
		q->near = near;
	}
	/* The country of the last search does not limit a place that is named after it. */
	if (fresh && country)
		q->country = NULL;
	if (n->country != NULL) {
		if (fresh)
			q->country = n->country;
		else
			take_country(q, n);
	}
}

/* "What is the elevation?" is about one airport, "which have fuel?" about several. */
static bool singular(struct arena *a, const char *said)
{
	static const char *const rows[] = { " is the ", " is its ", "what's the ", "whats the ",
		"does it " };
	const char *fold = str_fold(a, said);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strstr(fold, rows[i]) != NULL)
			return strstr(fold, "which") == NULL;
	return false;
}

/* Does it only ask for a fact about one airport: "what is the elevation there?" */
static bool asks_aspect(struct arena *a, const struct query *n, const struct listing *list)
{
	struct query rest = *n;

	/* the fee "for a 2 ton aircraft" */
	rest.want[WISH_AIRCRAFT].state = WANT_NOTHING;
	if ((n->cues & CUE_ASPECT) == 0 || around(n) || changes(&rest))
		return false;
	return (n->cues & CUE_THERE) || (list->numbered && (n->cues & CUE_ASK) && !n->leads &&
	    !(n->cues & (CUE_FOLLOW | CUE_MORE | CUE_SHOW)) && singular(a, n->said));
}

/* "The second one"; or a question about one airport of a list, which is clear if the list has only
 * one. `q` is the meaning so far. */
static void pick(const struct reader *rd, struct query *q, const struct query *before,
    const struct query *next, const struct listing *list)
{
	const struct query *search = q->search;
	bool nth = next->ordinal != 0, free = before->subject.text == NULL && !placed(next);
	bool aspect = free && (asks_aspect(rd->mem, next, list) || next->notice);
	bool one = free && !nth && ((next->cues & CUE_THERE) || aspect);
	if (!nth && !one)
		return;
	const struct listing found = list->numbered ? *list : listing_of_codes(rd, list);
	const char *ident = listing_nth(&found, nth ? next->ordinal : 1);
	bool several = one && listing_nth(&found, 2) != NULL;
	if (nth && ident == NULL && list->numbered)
		q->lack = LACK_PICK;
	if (aspect && q->near.code && (several || ident == NULL)) {
		ident = q->near.text;
	} else if (several) {
		q->lack = aspect ? LACK_WHICH : q->lack;
		ident = NULL;
	}
	/* "near it" means around the one airport of the list, "airports there" where the search
	 * was */
	bool centre = nth ? next->nearest || !isnan(next->distance_nm) : around(next);
	if (ident == NULL || (centre && one && !(next->cues & CUE_HERE) && q->near.text != NULL))
		return;
	/* The filters of the search do not apply to the airport that was picked. */
	if (nth || !centre)
		*q = *next;
	else
		q->country = next->country;
	q->search = search;
	q->leads = false;
	q->vague = false;
	q->noun = centre && next->noun;
	q->cues &= ~(unsigned)CUE_HERE;
	clear_places(q);
	*(centre ? &q->near : &q->subject) =
	    (struct place_mention){ .text = ident, .code = true, .known = true };
}

/* After a look at one airport of a search: "which ones have customs?", "only with AVGAS" and "the others"
 * mean the airports that were found before. */
static bool of_search(const struct query *next)
{
	if (next->noun || (next->cues & (CUE_MORE | CUE_BACK)))
		return !((next->cues & CUE_THERE) && around(next));
	return changes(next) && (next->cues & (CUE_FOLLOW | CUE_ABOUT | CUE_THERE)) == CUE_FOLLOW;
}

/* Does it ask for the sun of a day? */
static bool of_sun(struct arena *a, const struct query *q)
{
	static const char *const rows[] = { "sunset", "sunrise", "sun set", "sun rise", "sun up", "sun down", "dusk",
		"dawn", "dark", "night", "twilight", "daylight" };
	const char *fold = str_fold(a, q->said);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strstr(fold, rows[i]) != NULL)
			return true;
	return false;
}

/* After a question for the notice of one airport, a day, a time or a place changes that question. After
 * "Which airport do you mean?" an airport completes it. */
static void take_notice(const struct reader *rd, struct query *q, const struct query *before, const struct query *next)
{
	q->noticed = (before->cues & CUE_NOTIFY) != 0 || before->noticed;
	if (placed(next) && q->subject.text != NULL && !strieq(q->subject.text, before->subject.text))
		q->noticed = false;
	/* "PPR?", "and the landing fee?", "Sunday?": the day is of the notice, unless the sun was asked for */
	const bool again = before->noticed && !placed(next) && next->ordinal == 0 && names_when(next) &&
	    !of_sun(rd->mem, before) && !of_sun(rd->mem, next);
	if (((before->cues & CUE_NOTIFY) == 0 && !again) || !only_where_or_when(next))
		return;
	/* "the second" without a list */
	if (next->ordinal != 0 && !placed(next) && q->subject.text == before->subject.text)
		q->lack = LACK_PICK;
	if (q->subject.text == NULL)
		q->subject = q->near;
	q->near = (struct place_mention){ .text = NULL };
	q->cues |= CUE_NOTIFY;
	if (next->days == NULL) {
		q->day = before->day;
		q->days = before->days;
		q->holiday = before->holiday;
	}
	if (next->clock == NULL)
		q->clock = before->clock;
}

struct query *query_follow(const struct reader *rd, const struct query *before,
    const struct query *next, const struct listing *list)
{
	struct query *q = arena_alloc(rd->mem, sizeof(*q));
	if (before->subject.text != NULL && before->search != NULL && !placed(next) && of_search(next))
		before = before->search;
	*q = *before;
	if (before->subject.text == NULL)
		q->search = before;
	else if (!before->noun && (next->cues & CUE_THERE) && around(next))
		forget_wants(q);
	q->said = next->said;
	q->day = next->day;
	q->days = next->days;
	q->clock = next->clock;
	q->holiday = next->holiday;
	q->unused = next->unused;
	q->cheapest |= next->cheapest;
	q->cues = next->cues;
	if (next->notice)
		q->cues |= CUE_NOTIFY;
	q->lack = next->lack;
	/* "near here" after a place was named means that place */
	if ((next->cues & CUE_THERE) && placed(before))
		q->cues &= ~(unsigned)CUE_HERE;
	q->leads = false;
	q->noun = next->noun;
	q->along |= next->along;
	take_places(q, next);
	take_wants(q, next);
	/* "how much notice for customs?" is no search for airports with customs */
	if (q->cues & CUE_NOTIFY)
		q->want[WISH_CUSTOMS] = before->want[WISH_CUSTOMS];
	if (list->answer != NULL)
		pick(rd, q, before, next, list);
	take_notice(rd, q, before, next);
	if ((next->cues & CUE_BACK) && q->from.text != NULL &&
	    !(next->from.text != NULL && next->to.text != NULL)) {
		struct place_mention from = q->from;
		q->from = q->to;
		q->to = from;
	}
	/* Nothing in the message was understood: an answer to the old question would be a guess. */
	if (!placed(next) && !changes(next) && before->subject.text == NULL &&
	    q->subject.text == NULL && q->lack == LACK_NONE && !next->noun &&
	    (next->ordinal == 0 || list->answer != NULL) &&
	    (next->cues & (CUE_MORE | CUE_BACK | CUE_FOLLOW | CUE_SHOW | CUE_HERE)) == 0)
		q->lack = next->ordinal != 0 && (next->cues & (CUE_TELL | CUE_ASPECT)) ? LACK_WHICH :
		    LACK_SENSE;
	/* "other airports near it" does not mean "more of the same" */
	if ((next->cues & CUE_MORE) && !((next->cues & CUE_THERE) && around(next)))
		q->results = (isnan(before->results) ? DEFAULT_RESULTS : before->results) +
		    (isnan(next->results) ? MORE_RESULTS : next->results);
	return q;
}
