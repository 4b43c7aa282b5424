/*
 * A sentence is cut into clauses at commas, colons and parentheses, and each clause is judged by the
 * words in it:
 *
 *   "Fuel O/R, PN 2 HR"               another service, until customs or immigration is named
 *   "TEL 0123 (manned MON-FRI)"       what follows a telephone is when it is answered
 *   "via TEL 0123", "to the tower"    behind such a word it is only the way to customs
 *   "delays of 30 MIN"                a change of plans
 *   "smoking prohibited"              only flights and services are "not available"
 *   "takes 2 HR"                      a number that is no notice
 */
#include "airports/notice_clauses.h"

#include <math.h>

#include "base/str.h"

struct judging {
	struct notice_item *item;
	size_t n;

	/* of the sentence */
	bool cue;                     /* a number of hours in it can be notice */
	bool other;                   /* it is about another service now */
	bool contact;                 /* a telephone came last */
	const char *about;
};

static bool says(const struct notice_item *it, uint64_t what)
{
	return (it->means & what) != 0;
}

static void mute(struct notice_item *it)
{
	it->kind = NI_WORD;
}

static bool is_scope(const struct notice_item *it)
{
	return it->kind == NI_DAYS || it->kind == NI_TIMES || it->kind == NI_OTHER || it->kind == NI_EXCEPT ||
	    it->kind == NI_AREA;
}

static bool ends_clause(const struct notice_item *it)
{
	return it->kind == NI_COMMA || it->kind == NI_COLON || it->kind == NI_OPEN || it->kind == NI_CLOSE ||
	    it->kind == NI_STOP;
}

/* Is the item at i only named as the way or the addressee: "via handling agent", "to the tower"? */
static bool is_way(const struct judging *j, size_t from, size_t i)
{
	for (size_t k = i; k > from && i - k < 6; k--) {
		const struct notice_item *p = &j->item[k - 1];

		if (p->kind != NI_WORD && p->kind != NI_AND)
			return false;
		if (says(p, NW(VIA)))
			return true;
	}
	return false;
}

static size_t find(const struct judging *j, size_t from, size_t end, uint64_t what)
{
	size_t i = from;

	while (i < end && !(says(&j->item[i], what) && !is_way(j, from, i)))
		i++;
	return i;
}

/* "H24" and "not manned" may be said of a telephone, other demands are not. */
static bool is_ours(const struct notice_item *it)
{
	return it->kind == NI_DEMAND && it->demand.kind != NOTICE_H24 && !it->demand.refused;
}

static bool has_demand(const struct judging *j, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++)
		if (is_ours(&j->item[i]))
			return true;
	return false;
}

static size_t first_demand(const struct judging *j, size_t from, size_t end)
{
	size_t i = from;

	while (i < end && j->item[i].kind != NI_DEMAND)
		i++;
	return i;
}

/* ---- other services ------------------------------------------------------------------------- */

static void mute_range(struct judging *j, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++)
		if (!ends_clause(&j->item[i]))
			mute(&j->item[i]);
}

/* "PPR 12 HR for handling" */
static bool is_for_other(const struct judging *j, size_t from, size_t end)
{
	for (size_t i = from; i + 1 < end; i++)
		if (j->item[i].kind == NI_WORD && says(&j->item[i], NW(CONDITION)) && says(&j->item[i], NW(SMALL)) &&
		    j->item[i + 1].kind == NI_WORD && says(&j->item[i + 1], NW(SERVICE) | NW(TOPIC)))
			return true;
	return false;
}

/* Is the clause about something else? A service and a change of plans stay until customs is named again. */
static bool other_service(struct judging *j, size_t from, size_t end)
{
	const uint64_t ours = NW(CUSTOMS) | NW(IMMIGRATION), lasting = NW(SERVICE) | NW(BESIDES);
	size_t demand = first_demand(j, from, end);
	size_t own = find(j, from, end, ours), other = find(j, from, demand, lasting);
	size_t topic = find(j, from, demand, NW(TOPIC));

	/* "the handling company (room 24) shall file the request with customs" */
	for (size_t i = from; i < demand && j->other && other == demand && own == end; i++)
		if (says(&j->item[i], ours))
			own = i;
	if (other < demand && says(&j->item[other], NW(BESIDES)) && other < own)
		j->other = true;
	else if (own < end)
		j->other = false;
	else if (other < demand)
		j->other = true;
	/* "Dogs: at least 21 days" */
	if (topic < demand && own == end && end < j->n && j->item[end].kind == NI_COLON)
		j->other = true;
	return j->other || (topic < demand && own == end) || (own == end && is_for_other(j, demand, end));
}

/* ---- telephones -------------------------------------------------------------------------------- */

/* "by TEL 0123 between 0800-1600", "by phone MON-FRI 0800-1600": when the telephone is answered. */
static void mute_answered(struct judging *j, size_t from, size_t end)
{
	bool contact = false;

	for (size_t i = from; i < end; i++) {
		struct notice_item *it = &j->item[i];
		bool days = it->kind == NI_DAYS && i + 1 < end && j->item[i + 1].kind == NI_TIMES;

		if (it->kind == NI_WORD) {
			contact |= says(it, NW(CONTACT));
		} else if (contact && days) {
			mute(it);
		} else {
			if (contact && it->kind == NI_TIMES)
				mute(it);
			contact = false;
		}
	}
}

static void mute_contact(struct judging *j, size_t from, size_t end)
{
	bool contact = false;
	size_t with = end;

	/* "TEL 0123, other days: PN 12 HR" */
	if (end < j->n && j->item[end].kind == NI_COLON)
		while (with + 1 < j->n && !ends_clause(&j->item[with + 1]))
			with++;
	for (size_t i = from; i < end; i++)
		contact |= says(&j->item[i], NW(CONTACT));
	if (has_demand(j, from, end) || find(j, from, end, NW(CUSTOMS)) < end ||
	    (!contact && has_demand(j, end, with + 1)) ||
	    (!contact && first_demand(j, from, end) < end && j->item[first_demand(j, from, end)].demand.refused))
		j->contact = false;
	for (size_t i = from; i < end; i++) {
		struct notice_item *it = &j->item[i];

		if (says(it, NW(CONTACT)) && it->kind == NI_WORD && !is_way(j, from, i))
			j->contact = true;
		else if (is_ours(it))
			j->contact = false;
		else if (j->contact && ((is_scope(it) && it->kind != NI_AREA) || it->kind == NI_DEMAND))
			mute(it);
	}
}

/* "through the operator of the aerodrome (MON-FRI 0600-1400)": when that one can be reached. */
static void mute_office_hours(struct judging *j, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		bool way = false, named = false, times = false;
		size_t k = i, close = i + 1;

		if (j->item[i].kind != NI_OPEN)
			continue;
		while (k > from && (j->item[k - 1].kind == NI_WORD || j->item[k - 1].kind == NI_AND)) {
			const struct notice_item *p = &j->item[--k];

			/* the word for the way stands before the name */
			way |= named && says(p, NW(VIA));
			named |= p->means == 0 || says(p, NW(AERODROME) | NW(CUSTOMS) | NW(IMMIGRATION) | NW(CONTACT) | NW(SERVICE));
		}
		while (close < end && (j->item[close].kind == NI_WORD || is_scope(&j->item[close])))
			times |= j->item[close++].kind == NI_TIMES;
		if (way && times && close < end && j->item[close].kind == NI_CLOSE && has_demand(j, from, i))
			mute_range(j, i, close);
	}
}

/* ---- what is refused ------------------------------------------------------------------------------ */

static bool refuses_us(const struct judging *j, size_t from, size_t at)
{
	const uint64_t us = NW(CUSTOMS) | NW(IMMIGRATION) | NW(SUBJECT) | NW(PRESENT) | NW(SCHENGEN);
	bool ours = false, unknown = false;

	for (size_t i = from; i < at; i++) {
		const struct notice_item *it = &j->item[i];

		/* "notice by radio is not accepted", "flights without PN are not permitted" */
		if (it->kind == NI_DEMAND && !it->demand.refused && it->demand.kind != NOTICE_NOT_AVAILABLE)
			return false;
		if (says(it, NW(AHEAD) | NW(CONTACT) | NW(SERVICE) | NW(TOPIC)) && !ours)
			return false;
		/* "flights announced later are not accepted" */
		if (says(it, NW(ASIDE)))
			return false;
		ours |= says(it, us);
		unknown |= it->kind == NI_WORD && it->means == 0;
	}
	return ours || !unknown;
}

static void mute_refused(struct judging *j, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		struct notice_item *it = &j->item[i];

		if (it->kind != NI_DEMAND || !it->demand.refused || refuses_us(j, from, i))
			continue;
		mute(it);
		/* "visits are prohibited between 2200 and 0400" */
		for (size_t k = from; k < end && first_demand(j, from, end) == end; k++)
			if (is_scope(&j->item[k]))
				mute(&j->item[k]);
		for (size_t k = from; k < i; k++) {
			struct notice_item *p = &j->item[k];
			/* "flights without PN are not permitted" demands PN */
			if (p->kind == NI_DEMAND && p->demand.no_notice) {
				p->demand.kind = NOTICE_ON_REQUEST;
				p->demand.no_notice = false;
				p->demand.weak = true;
			}
		}
	}
}

/* "not available without 24 HR notice", "no customs unless requested": that is a demand. */
static void mute_unless(struct judging *j, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		struct notice_demand *d;
		bool unless = false;
		size_t k = i + 1;

		if (j->item[i].kind != NI_DEMAND || j->item[i].demand.kind != NOTICE_NOT_AVAILABLE)
			continue;
		for (; k < end && j->item[k].kind != NI_DEMAND && !ends_clause(&j->item[k]); k++)
			unless |= j->item[k].kind == NI_WORD && says(&j->item[k], NW(UNLESS));
		d = &j->item[k].demand;
		if (k >= end || j->item[k].kind != NI_DEMAND || !(unless || d->no_notice))
			continue;
		mute(&j->item[i]);
		if (d->no_notice) {
			d->kind = NOTICE_ON_REQUEST;
			d->hours = (double)NAN;
			d->no_notice = d->sure = false;
			d->weak = true;
		}
	}
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

/* "EU flights 2 HR": nothing but flights before the number. */
static bool is_for_flights(const struct judging *j, size_t from, size_t i)
{
	bool flights = false;

	for (; i > from; i--) {
		const struct notice_item *p = &j->item[i - 1];

		if (p->kind != NI_WORD || !says(p, NW(SUBJECT) | NW(CONDITION) | NW(SMALL)))
			return false;
		flights |= says(p, NW(SUBJECT)) && !says(p, NW(PRESENT));
	}
	return flights;
}

static void judge_hours(struct judging *j, size_t from, size_t end)
{
	bool aside = false, past = false, demanded = false;

	/* "Response time: 45 MIN" */
	if (from > 0 && j->item[from - 1].kind == NI_COLON)
		for (size_t i = from - 1; i > 0 && !ends_clause(&j->item[i - 1]); i--)
			aside |= says(&j->item[i - 1], NW(ASIDE)) && !says(&j->item[i - 1], NW(DEMAND) | NW(AHEAD));
	for (size_t i = from; i < end; i++) {
		const struct notice_item *it = &j->item[i];

		aside |= says(it, NW(ASIDE));
		past |= says(it, NW(PAST));
		demanded |= it->kind == NI_DEMAND && says(it, NW(DEMAND));
	}
	for (size_t i = from; i < end; i++) {
		struct notice_item *it = &j->item[i];
		bool behind_scope = i > 0 && (is_scope(&j->item[i - 1]) ||
		    (i > 1 && ends_clause(&j->item[i - 1]) && is_scope(&j->item[i - 2])));

		if (it->kind != NI_DEMAND)
			continue;
		if (past)
			mute(it);
		else if (it->demand.weak && aside && !j->cue)
			mute(it);
		else if (it->demand.kind == NOTICE_HOURS && !it->demand.sure && aside && !demanded)
			mute(it);
		else if (it->demand.kind == NOTICE_HOURS && !it->demand.sure && !j->cue && !behind_scope &&
		    !is_for_flights(j, from, i))
			mute(it);
	}
}

/* "24 HR, 48 HR recommended" is said of the demand before it, "it is recommended that …" of what follows. */
static void note_advice(struct judging *j, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		size_t k = i;

		if (!says(&j->item[i], NW(ADVICE)) || j->item[i].kind == NI_STOP)
			continue;
		while (k > from && j->item[k].kind != NI_DEMAND)
			k--;
		if (j->item[k].kind == NI_DEMAND) {
			j->item[k].demand.advice = true;
			continue;
		}
		for (k = i; k < end; k++)
			if (j->item[k].kind == NI_DEMAND)
				j->item[k].demand.advice = true;
	}
}

/* Who demands it: "PPR 6 HR (passport control)", or the one named before. */
static const char *about_at(const struct judging *j, size_t i)
{
	bool customs = false, immigration = false;

	if (i + 1 >= j->n || j->item[i + 1].kind != NI_OPEN)
		return j->about;
	for (i += 2; i < j->n && (j->item[i].kind == NI_WORD || j->item[i].kind == NI_AND); i++) {
		customs |= says(&j->item[i], NW(CUSTOMS));
		immigration |= says(&j->item[i], NW(IMMIGRATION));
	}
	if (!(customs || immigration) || i >= j->n || j->item[i].kind != NI_CLOSE)
		return j->about;
	return customs ? NULL : "immigration";
}

static void note_about(struct judging *j, size_t from, size_t end)
{
	bool customs = false, immigration = false;

	for (size_t i = from; i < end; i++) {
		struct notice_item *it = &j->item[i];

		if (it->kind == NI_DEMAND) {
			it->demand.about = about_at(j, i);
			continue;
		}
		if (is_way(j, from, i))
			continue;
		customs |= says(it, NW(CUSTOMS));
		immigration |= says(it, NW(IMMIGRATION));
		if (says(it, NW(CUSTOMS) | NW(IMMIGRATION)))
			j->about = immigration && !customs ? "immigration" : NULL;
	}
}

/* ---- sentences --------------------------------------------------------------------------------------- */

static void clause(struct judging *j, size_t from, size_t end)
{
	if (other_service(j, from, end)) {
		mute_range(j, from, end);
		return;
	}
	mute_contact(j, from, end);
	mute_answered(j, from, end);
	mute_refused(j, from, end);
	mute_unless(j, from, end);
	judge_hours(j, from, end);
	note_advice(j, from, end);
	note_about(j, from, end);
}

/* Is there nothing in the sentence but numbers of hours, days, times and flights? */
static bool only_flights(const struct judging *j, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++)
		if (j->item[i].kind == NI_WORD && !says(&j->item[i], NW(SUBJECT) | NW(CONDITION) | NW(SMALL)))
			return false;
	return true;
}

static void sentence(struct judging *j, size_t from, size_t end)
{
	size_t elsewhere = from;

	/* "PN 2 HR for arrivals; 1 HR for departures" */
	j->cue = j->cue && from > 0 && j->item[from - 1].semicolon && only_flights(j, from, end);
	j->contact = false;
	while (elsewhere < end && !says(&j->item[elsewhere], NW(ELSEWHERE)))
		elsewhere++;
	mute_range(j, elsewhere, end);
	/* "PN 4 HR. AD hours: 0600-2000" says when the aerodrome is open */
	if (from > 0 && from + 2 < end && j->item[from].kind == NI_DEMAND && j->item[from].demand.kind == NOTICE_AD_HOURS &&
	    j->item[from + 1].kind == NI_COLON && is_scope(&j->item[from + 2]))
		mute_range(j, from, end);
	mute_office_hours(j, from, elsewhere);
	for (size_t i = from; i < elsewhere; i++)
		j->cue |= says(&j->item[i], NW(DEMAND) | NW(AHEAD) | NW(REQUEST) | NW(AGREED));
	for (size_t i = from; i < elsewhere;) {
		size_t stop = i;

		while (stop < elsewhere && !ends_clause(&j->item[stop]))
			stop++;
		clause(j, i, stop);
		i = stop + 1;
	}
}

void notice_mute(struct notice_item *item, size_t n)
{
	struct judging j = { .item = item, .n = n };

	for (size_t i = 0; i < n;) {
		size_t end = i;

		while (end < n && item[end].kind != NI_STOP)
			end++;
		/* "Fuelling:" on a line of its own is a heading for the next line */
		if (i < 2 || item[i - 2].kind != NI_COLON) {
			j.other = false;
			j.about = NULL;
		}
		sentence(&j, i, end);
		i = end + 1;
	}
}
