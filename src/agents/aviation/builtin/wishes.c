/*
 * Third pass: filters, each with the words that negate it, and the words that tell what the pilot
 * wants.
 */
#include "agents/aviation/builtin/query.h"

#include <math.h>
#include <string.h>

#include "airports/landing_fee.h"
#include "base/str.h"

enum { NOT_REACH = 5, SITE_REACH = 4 };

const struct wish_filter wish_filters[WISH__MAX] = {
	[WISH_COUNTRY] = { "country", WISH_TEXT },
	[WISH_AVGAS] = { "has_avgas", WISH_FLAG },
	[WISH_JET] = { "has_jet_a", WISH_FLAG },
	[WISH_FUEL] = { "has_fuel", WISH_FLAG },
	[WISH_CUSTOMS] = { "point_of_entry", WISH_FLAG },
	[WISH_IFR] = { "has_procedures", WISH_FLAG },
	[WISH_HARD] = { "has_hard_runway", WISH_FLAG },
	[WISH_MIN] = { "min_runway_length_ft", WISH_NUMBER },
	[WISH_MAX] = { "max_runway_length_ft", WISH_NUMBER },
	[WISH_FEE] = { "max_landing_fee", WISH_NUMBER },
	[WISH_HOTEL] = { "hotel", WISH_SITE },
	[WISH_RESTAURANT] = { "restaurant", WISH_SITE },
	[WISH_CURRENCY] = { "fee_currency", WISH_TEXT },
	[WISH_AIRCRAFT] = { "fee_aircraft", WISH_TEXT },
};

/* The negation before item i that reaches it, across "or", adjectives and other filters. */
static bool negated(const struct reading *r, size_t i, enum lex_not *how)
{
	for (size_t k = 1; k <= NOT_REACH && k <= i; k++) {
		const struct item *it = &r->item[i - k];
		if (it->class == LX_NOT && it->value != NOT_WAIVE_BEFORE) {
			*how = (enum lex_not)it->value;
			return true;
		}
		if (it->class == LX_WISH && !(i - k + 1 < r->n &&
		    (r->item[i - k + 1].class == LX_OR || r->item[i - k + 1].class == LX_NOT)))
			return false;
		if (it->class != LX_FILLER && it->class != LX_BREAK && it->class != LX_WISH &&
		    it->class != LX_OR && !item_is(r, i - k, LX_CUE, CUE_ASK) &&
		    !item_is(r, i - k, LX_ROLE, ROLE_FOR))
			return false;
	}
	return false;
}

/* "customs not needed", "without the customs requirement": the filter is removed. */
static bool waived_after(const struct reading *r, size_t i)
{
	size_t j = i + 1;
	if (j < r->n && item_is(r, j, LX_CUE, CUE_ASK))
		j++;
	if (item_is(r, j, LX_NOT, NOT_WAIVE_BEFORE))
		return true;
	return j + 1 < r->n && r->item[j].class == LX_NOT &&
	    r->item[j + 1].class == LX_BREAK && starts_with(r->item[j + 1].row->phrase, "need");
}

/* "the customs requirement", "no customs needed" */
static bool requirement_after(const struct reading *r, size_t i)
{
	if (i + 1 >= r->n || r->item[i + 1].class != LX_BREAK)
		return item_is(r, i + 1, LX_CUE, CUE_FOLLOW);
	const char *phrase = r->item[i + 1].row->phrase;
	return starts_with(phrase, "need") || starts_with(phrase, "require");
}

/* Must the hotel or restaurant be on the field? A word for it is near. */
static const char *site(const struct reading *r, size_t i, const char *def)
{
	for (size_t k = 1; k <= SITE_REACH; k++) {
		if (i + k < r->n && r->item[i + k].class == LX_SITE)
			return r->item[i + k].value ? "at_airport" : "vicinity";
		if (i >= k && r->item[i - k].class == LX_SITE)
			return r->item[i - k].value ? "at_airport" : "vicinity";
	}
	return def;
}

static void read_wish(struct reading *r, size_t i)
{
	const struct item *it = &r->item[i];
	struct want *w = &r->q->want[it->value];
	enum lex_not how = NOT_NEGATE;
	bool no = negated(r, i, &how);
	bool lift = (no && (how == NOT_WAIVE || requirement_after(r, i))) || waived_after(r, i);
	bool text = it->value == WISH_HOTEL || it->value == WISH_RESTAURANT;

	if (lift || (no && text)) {
		w->state = WANT_LIFT;
		return;
	}
	if (text) {
		const char *where = site(r, i, it->row->text);
		if (w->state != WANT_SET || streq(where, "at_airport"))
			w->text = where;
		w->state = WANT_SET;
		return;
	}
	bool on = it->row->on != no;
	/* "grass or hard": both are accepted, so there is no filter */
	if (w->state == WANT_SET && w->on != on && i > 0 && r->item[i - 1].class == LX_OR) {
		w->state = WANT_LIFT;
		return;
	}
	w->state = WANT_SET;
	w->on = on;
}

static bool leads(const struct reading *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct item *it = &r->item[i];
		if (it->class == LX_AND || item_is(r, i, LX_CUE, CUE_FOLLOW) ||
		    item_is(r, i, LX_CUE, CUE_MORE) ||
		    (it->class == LX_CUE && (it->value & CUE_CORRECT) != 0))
			return true;
		/* "no, I meant Paris", "not Lyon, I meant Nice" */
		if (it->used)
			continue;
		if (it->class == LX_NOT && i + 1 < r->n && (item_mark(r, i + 1, NULL) ||
		    r->item[i + 1].class == LX_CUE))
			continue;
		if (it->class != LX_FILLER && it->class != LX_BREAK && !item_mark(r, i, NULL) &&
		    !item_is(r, i, LX_NOT, NOT_WAIVE_BEFORE))
			return false;
	}
	return false;
}

/* Something that cannot be told, unless it is only mentioned: "not the largest", "including the
 * biggest". */
static void read_lack(struct reading *r, size_t i)
{
	struct query *q = r->q;
	enum lack lack = (enum lack)r->item[i].value;
	enum lex_not how = NOT_NEGATE;
	size_t k = i;
	while (k > 0 && r->item[k - 1].class == LX_FILLER)
		k--;
	bool included = k > 0 && item_is(r, k - 1, LX_CUE, CUE_FOLLOW) &&
	    starts_with(r->item[k - 1].row->phrase, "includ");
	if (lack == LACK_RANK && (included || negated(r, i, &how)))
		q->large = included;
	else if (q->lack == LACK_NONE || q->lack == LACK_RANK)
		q->lack = lack;
}

/* "Fuel is not needed", "no need for fuel": whichever was asked for. */
static bool lifts_fuel(const struct reading *r, size_t i)
{
	enum lex_not how;

	return starts_with(r->item[i].row->phrase, "fuel") &&
	    ((negated(r, i, &how) && how == NOT_WAIVE) || waived_after(r, i));
}

static bool wanted(const struct query *q, enum wish w)
{
	return q->want[w].state == WANT_SET && q->want[w].on;
}

void settle_fuel(struct query *q)
{
	if (wanted(q, WISH_AVGAS) || wanted(q, WISH_JET))
		q->want[WISH_FUEL].state = WANT_NOTHING;
}

/* "Any fuel will do": a fuel that was named before is no longer wanted. */
static void free_fuel(struct reading *r, size_t i)
{
	struct want *want = r->q->want;

	if (!item_is(r, i, LX_WISH, WISH_FUEL) || !starts_with(r->item[i].row->phrase, "any ") || !wanted(r->q, WISH_FUEL))
		return;
	for (int w = WISH_AVGAS; w <= WISH_JET; w++)
		if (want[w].state == WANT_NOTHING)
			want[w].state = WANT_LIFT;
}

/* A limit, or a fuel that is recorded, still makes it a search. */
static void settle_lack(struct query *q)
{
	bool limit = q->limit == WISH_MIN || q->limit == WISH_MAX;
	bool fuel = q->want[WISH_AVGAS].state == WANT_SET || q->want[WISH_JET].state == WANT_SET;
	if ((q->lack == LACK_RANK && limit) || (q->lack == LACK_FUEL && fuel))
		q->lack = LACK_NONE;
}

/* "under 20 euros for an SR22", "in my Cessna 172": the aircraft whose fee is meant. Only where a fee
 * is asked for, because "archer" and "baron" are names of much else. */
static void read_aircraft(struct reading *r)
{
	struct want *w = &r->q->want[WISH_AIRCRAFT];
	double kg;

	for (size_t i = 0; i < r->n && w->state != WANT_SET; i++)
		for (size_t more = 2; more-- > 0;) {
			const char *name = i + more < r->n ? item_fold(r, i, i + more) : "";
			/* a bare number is the fee, and a place is a place */
			if (ascii_upper(*name) == ascii_lower(*name) || r->item[i].class == LX_PLACE ||
			    !aircraft_mass(name, &kg))
				continue;
			w->state = WANT_SET;
			w->text = name;
			for (size_t k = i; k <= i + more; k++)
				r->item[k].used = true;
			break;
		}
}

/* "The cheapest avgas": prices of fuel are not recorded. */
static void read_cheapest(struct reading *r, size_t i)
{
	const bool fuel = item_is(r, i + 1, LX_WISH, WISH_AVGAS) || item_is(r, i + 1, LX_WISH, WISH_JET) ||
	    item_is(r, i + 1, LX_CUE, CUE_ASPECT) || item_is(r, i + 1, LX_LACK, LACK_FUEL);

	if (!fuel)
		r->q->cheapest = true;
	else
		r->q->unused = "cheapest";
}

/* "Airports that do not need notice", not "regardless of notice". */
static bool needs_none(const struct reading *r, size_t i)
{
	for (size_t k = 1; k <= NOT_REACH && k <= i; k++)
		if (r->item[i - k].class == LX_NOT && r->item[i - k].row != NULL &&
		    strstr(r->item[i - k].row->phrase, "need") != NULL)
			return true;
	return false;
}

void read_wishes(struct reading *r)
{
	struct query *q = r->q;
	enum lex_not how = NOT_NEGATE;
	q->leads = leads(r);
	q->empty = true;
	for (size_t i = 0; i < r->n; i++) {
		const struct item *it = &r->item[i];
		q->empty &= item_mark(r, i, NULL);
		if (item_is(r, i, LX_COMPARE, CMP_SHOW))
			q->cues |= CUE_SHOW;
		if (it->used)
			continue;
		if (item_is(r, i, LX_CUE, CUE_CHEAPEST))
			read_cheapest(r, i);
		else if (it->class == LX_WISH) {
			read_wish(r, i);
			free_fuel(r, i);
		} else if (item_is(r, i, LX_CUE, CUE_ASPECT) && lifts_fuel(r, i))
			for (int w = WISH_AVGAS; w <= WISH_FUEL; w++)
				q->want[w].state = WANT_LIFT;
		else if (it->class == LX_CUE)
			q->cues |= (unsigned)it->value;
		else if (it->class == LX_LACK)
			read_lack(r, i);
		else if (it->class == LX_SITE)
			q->site = it->value ? "at_airport" : "vicinity";
		else if (it->class == LX_LARGE)
			q->large = !negated(r, i, &how);
		else if (it->class == LX_ORDINAL)
			q->ordinal = it->value;
		else if (it->class == LX_DIM && it->value == DIM_RUNWAY)
			q->cues |= CUE_ASPECT;
		else if (it->class == LX_DIM && it->value == DIM_FEE && negated(r, i, &how)) {
			q->want[WISH_FEE].state = how == NOT_WAIVE ? WANT_LIFT : WANT_SET;
			q->want[WISH_FEE].number = 0;
		} else if (it->class == LX_DIM && it->value == DIM_FEE && !q->cheapest &&
		    q->want[WISH_FEE].state == WANT_NOTHING) {
			q->cues |= CUE_ASPECT;
		} else if (it->class == LX_DIM && it->value == DIM_NOTICE && isnan(q->notice_h) &&
		    negated(r, i, &how) && (how != NOT_WAIVE || needs_none(r, i))) {
			/* only notice is recorded, not whether permission is needed */
			if (strstr(it->row->phrase, "noti") != NULL)
				q->notice_h = 0;
			else
				q->unused = lex_slice(r->mem, &r->x, it->first, it->last);
		} else if (item_is(r, i, LX_ROLE, ROLE_ALONG))
			q->along = true;
	}
	settle_fuel(q);
	settle_lack(q);
	if (q->want[WISH_FEE].state == WANT_SET)
		read_aircraft(r);
}
