/*
 * What is demanded: a number of hours, "on request", "H24", the hours of the aerodrome, "NIL". Fixed phrases
 * stand in the words file; what can be said in many ways is put together here from words of one kind.
 */
#include "airports/notice_demand.h"

#include <math.h>

/* ---- hours of notice --------------------------------------------------------------------- */

/* "24", "one (1)", "24 to 48" (the greater counts), "1.5": where it ends, or i. */
static size_t read_amount(const struct notice_scan *b, size_t i, double *value)
{
	size_t at = i;

	if (!scan_number(b, at))
		return i;
	*value = b->t[at].value;
	if (scan_mark(b, at + 1, ".,") && scan_number(b, at + 2) && b->t[at + 2].digits == 1 && !scan_blank_before(b, at + 1) &&
	    !scan_blank_after(b, at + 1)) {
		*value += b->t[at + 2].value / 10;
		return at + 3;
	}
	if (scan_mark(b, at + 1, "(") && scan_number(b, at + 2) && scan_mark(b, at + 3, ")") && b->t[at + 2].value == *value)
		at += 3;
	if ((scan_mark(b, at + 1, "-/") || scan_means(b, at + 1, NW(TO) | NW(AND))) && scan_number(b, at + 2)) {
		at += 2;
		*value = fmax(*value, b->t[at].value);
	}
	return at + 1;
}

/* "H-24", "D-2": hours or days before the flight. */
static size_t read_countdown(const struct notice_scan *b, size_t i, struct notice_demand *d)
{
	bool days = b->t[i].end - b->t[i].start == 1 && strchr("DdJj", b->text[b->t[i].start]) != NULL;

	if (!(days || (scan_means(b, i, NW(HOURS)) && b->t[i].end - b->t[i].start == 1)) || !scan_mark(b, i + 1, "-") ||
	    !scan_number(b, i + 2) || b->t[i + 2].start != b->t[i + 1].end)
		return 0;
	*d = (struct notice_demand){ .kind = NOTICE_HOURS, .sure = true,
		.hours = b->t[i + 2].value * (days ? 24 : 1) };
	if (days && b->t[i + 2].value == 1) {
		d->kind = NOTICE_DAY_BEFORE;
		d->hours = (double)NAN;
	}
	return 3;
}

/* "PPR 24": a number that can only be hours, directly behind the demand and with nothing behind it. */
static bool is_bare_hours(const struct notice_scan *b, size_t i, double n)
{
	return i > 0 && scan_means(b, i - 1, NW(DEMAND)) && n >= 12 && n <= 72 && (int)n % 12 == 0 &&
	    (i + 1 >= b->n || scan_mark(b, i + 1, ",.;:()\n"));
}

/* "ETA - 2 HR" */
static bool is_before_eta(const struct notice_scan *b, size_t i)
{
	const char *eta;

	if (i < 2 || !scan_mark(b, i - 1, "-") || b->t[i - 2].kind != NT_WORD || b->t[i - 2].end - b->t[i - 2].start != 3)
		return false;
	eta = b->text + b->t[i - 2].start;
	return strchr("EeSs", eta[0]) != NULL && (eta[1] | 0x20) == 't' && strchr("AaDd", eta[2]) != NULL;
}

/* "24 HR", "MNM 2 hours", "2 days", "3 working days": the tokens, or 0. */
size_t notice_read_hours(const struct notice_scan *b, size_t i, struct notice_demand *d)
{
	const uint64_t evidence = NW(DEMAND) | NW(LEAST);
	double n = 0;
	size_t at = read_countdown(b, i, d);

	if (at > 0)
		return at;
	at = read_amount(b, i, &n);
	if (at == i)
		return 0;
	while (scan_mark(b, at, "-"))       /* "24-hour" */
		at++;
	if (scan_means(b, at, NW(OPERATING)) && scan_means(b, at + 1, NW(HOURS)))     /* "4 working hours" */
		at++;
	*d = (struct notice_demand){ .kind = NOTICE_HOURS, .hours = n, .working_days = 1, .before = -1 };
	/* "1 hour and 30 minutes" */
	if (scan_means(b, at, NW(HOURS)) && b->t[i].kind == NT_NUMBER) {
		size_t next = scan_means(b, at + 1, NW(AND)) ? at + 2 : at + 1;

		if (scan_number(b, next) && scan_means(b, next + 1, NW(MINUTES)) && b->t[next].value < 60) {
			d->hours += b->t[next].value / 60;
			d->sure = scan_near_before(b, i, evidence) || scan_near_after(b, next + 2, evidence);
			return next + 2 - i;
		}
	}
	if (at == i + 1 && is_bare_hours(b, i, n)) {
		d->sure = d->guessed = true;
		return 1;
	}
	if (!scan_means(b, at, SCAN_UNITS) || n < 0)
		return 0;
	if (scan_means(b, at, NW(MINUTES))) {
		d->hours = n / 60;
	} else if (scan_means(b, at, NW(WORKING_DAYS))) {
		d->kind = NOTICE_BUSINESS_DAY;
		d->hours = (double)NAN;
		d->working_days = n >= 1 ? (int)n : 1;
	} else if (scan_means(b, at, NW(DAYS))) {
		d->hours = 24 * n;
	}
	d->sure = scan_near_before(b, i, evidence) || scan_near_after(b, at + 1, evidence) || is_before_eta(b, i);
	return at + 1 - i;
}

/* ---- the hours of the aerodrome, and what is left ------------------------------------------- */

/*
 * "as AD", "AD OPR HR", "HR AD", "within the published hours of operation of the aerodrome": any order of
 * words for the aerodrome, its hours and its operation. Returns the tokens taken, or 0.
 */
size_t notice_read_ad_hours(const struct notice_scan *b, size_t i)
{
	bool like = false, within = false, ad = false, hours = false, operating = false;
	size_t at = i, end = i;

	if (scan_means(b, i, NW(AD_HOURS)))
		return 1;
	for (; at < b->n && at < i + SCAN_PHRASE; at++) {
		const struct notice_token *t = &b->t[at];

		/* "HOR. AD" */
		if (at > i && scan_mark(b, at, ".") && scan_means(b, at - 1, NW(ABBREVIATION)))
			continue;
		if (t->kind != NT_WORD)
			break;

		if (t->means & NW(AD_HOURS))
			ad = hours = true;
		else if (t->means & NW(AERODROME))
			ad = true;
		else if (t->means & (NW(HOURS) | NW(TIMES)) && !scan_number(b, at))
			hours = true;
		else if (t->means & NW(AS))
			(t->value > 0 ? (like = true) : (within = true));
		else if (t->means & NW(OPERATING))
			operating |= t->value > 0;
		else
			break;
		end = at + 1;
	}
	/* "see AD 2.20" */
	if (at < b->n && b->t[at].kind == NT_NUMBER && !hours)
		return 0;
	if ((ad && hours) || (like && ad) || ((like || within) && operating && hours))
		return end - i;
	return 0;
}

/* ---- other demands ---------------------------------------------------------------------------- */

/* "after prior agreement with customs": the tokens taken, or 0. */
static size_t read_agreed(const struct notice_scan *b, size_t i)
{
	size_t at = i + 1;

	if (!scan_means(b, i, NW(UNDER)))
		return 0;
	while (at < i + 4 && scan_means(b, at, NW(PRIOR) | NW(SMALL)) && !scan_means(b, at, NW(AGREED)))
		at++;
	return scan_means(b, at, NW(AGREED)) ? at + 1 - i : 0;
}

/* "without PNR", "no prior notice", "notice is not required": the tokens, or 0. */
static size_t read_no_notice(const struct notice_scan *b, size_t i)
{
	bool no = scan_means(b, i, NW(NO));
	const uint64_t wanted = no ? NW(DEMAND) : NW(NEEDLESS), between = NW(SMALL) | (no ? NW(PRIOR) : 0);
	size_t at = i + 1;

	if (!no && !scan_means(b, i, NW(DEMAND)))
		return 0;
	while (at < i + SCAN_NEAR && scan_means(b, at, between) && !scan_means(b, at, wanted))
		at++;
	return scan_means(b, at, wanted) ? at + 1 - i : 0;
}

/* "NO CUST", "no customs control", "no non-Schengen flights": the tokens, or 0. */
static size_t read_none(const struct notice_scan *b, size_t i)
{
	size_t at = i + 1;

	if (!scan_means(b, i, NW(NO)))
		return 0;
	if (scan_means(b, at, NW(SCHENGEN)) || (scan_means(b, at, NW(OUTSIDE)) && (scan_means(b, at + 1, NW(SCHENGEN)) ||
	    (scan_mark(b, at + 1, "-") && scan_means(b, at + 2, NW(SCHENGEN))))))
		return 1;
	/* "Customs: No." */
	if (i > 0 && scan_mark(b, i - 1, ":") && (at >= b->n || (scan_mark(b, at, ".,;\n") && !scan_number(b, at + 1))))
		return 1;
	while (at < i + SCAN_PHRASE && scan_means(b, at, NW(CUSTOMS) | NW(IMMIGRATION) | NW(SUBJECT)))
		at += scan_mark(b, at + 1, "/") || scan_means(b, at + 1, NW(AND)) ? 2 : 1;
	return at > i + 1 && !(at < b->n && b->t[at].kind == NT_WORD &&
	    (b->t[at].means == 0 || scan_means(b, at, NW(SERVICE) | NW(TOPIC)))) ? at - i : 0;
}

/* "working day immediately preceding", "preceding day": the tokens, or 0. */
static size_t read_day_before(const struct notice_scan *b, size_t i, enum notice_kind *kind)
{
	bool before = false, work = false, day = false;
	size_t end = i;

	if (i > 0 && scan_means(b, i - 1, NW(BUSINESS_DAY) | NW(DAY_BEFORE)))
		return 0;
	for (size_t at = i; at < b->n && at < i + 8 && b->t[at].kind == NT_WORD; at++) {
		const struct notice_token *t = &b->t[at];

		if (t->means & NW(PRECEDING)) {
			/* "before" and "last" may not stand in front of "day", nor before a time */
			if ((!work && !day && t->value <= 0) || (scan_clock(b, at + 1) && before))
				break;
			before = true;
		} else if (t->means & NW(WORKING_DAYS)) {
			work = true;
		} else if (t->means & NW(DAYS)) {
			day = true;
		} else if (at > i && t->means & NW(SMALL)) {
			continue;
		} else {
			break;
		}
		end = at + 1;
	}
	*kind = work ? NOTICE_BUSINESS_DAY : NOTICE_DAY_BEFORE;
	if (!before || !(work || day) || (!work && b->t[i].value > 1 && scan_means(b, i, NW(PRECEDING))))
		return 0;
	return end - i;
}

static bool read_phrase_demand(const struct notice_token *t, struct notice_demand *d)
{
	static const struct {
		uint64_t means;
		enum notice_kind kind;
	} of[] = {
		{ NW(H24), NOTICE_H24 }, { NW(REQUEST), NOTICE_ON_REQUEST },
		{ NW(BUSINESS_DAY), NOTICE_BUSINESS_DAY }, { NW(DAY_BEFORE), NOTICE_DAY_BEFORE },
		{ NW(NONE), NOTICE_NOT_AVAILABLE }, { NW(REFUSED), NOTICE_NOT_AVAILABLE },
		{ NW(DEMAND), NOTICE_ON_REQUEST },
	};

	*d = (struct notice_demand){ .hours = (double)NAN, .working_days = 1, .before = -1 };
	if (notice_means(t, NW(NO_NOTICE))) {
		d->kind = NOTICE_HOURS;
		d->hours = 0;
		d->sure = d->no_notice = true;
		return true;
	}
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (notice_means(t, of[i].means)) {
			d->kind = of[i].kind;
			d->weak = of[i].means == NW(DEMAND);
			d->refused = of[i].means == NW(REFUSED);
			return true;
		}
	return false;
}

/* "No customs vehicle access" goes on, and says something else. */
static bool goes_on(const struct notice_scan *b, size_t i)
{
	const struct notice_token *t = &b->t[i];
	size_t next = i + 1;
	bool no = t->end - t->start > 3 && (b->text[t->start] | 0x20) == 'n' &&
	    (b->text[t->start + 1] | 0x20) == 'o' && b->text[t->start + 2] == ' ';

	/* "No clearance of commercial goods" */
	while (next <= i + SCAN_NEAR && scan_means(b, next, NW(SMALL) | NW(CONDITION)) && !scan_means(b, next, NW(SUBJECT)))
		next++;
	if (no && next > i + 1 && scan_means(b, next, NW(SERVICE) | NW(TOPIC) | NW(ASIDE)))
		return true;
	return no && scan_means(b, i, NW(NONE)) && i + 1 < b->n && b->t[i + 1].kind == NT_WORD &&
	    (b->t[i + 1].means == 0 || scan_means(b, i + 1, NW(SERVICE) | NW(TOPIC)));
}

size_t notice_read_demand(const struct notice_scan *b, size_t i, struct notice_demand *d)
{
	size_t taken = read_no_notice(b, i);

	if (taken > 0) {
		*d = (struct notice_demand){ .kind = NOTICE_HOURS, .working_days = 1, .before = -1, .sure = true,
			.no_notice = true };
		return taken;
	}
	if (!goes_on(b, i) && read_phrase_demand(&b->t[i], d))
		return 1;
	if ((taken = read_day_before(b, i, &d->kind)) > 0)
		return taken;
	if ((taken = read_none(b, i)) > 0)
		d->kind = NOTICE_NOT_AVAILABLE;
	else if ((taken = notice_read_ad_hours(b, i)) > 0)
		d->kind = NOTICE_AD_HOURS;
	else if ((taken = read_agreed(b, i)) > 0)
		d->kind = NOTICE_ON_REQUEST;
	return taken;
}
