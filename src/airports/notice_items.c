/*
 * At each token the readers of this file are tried in a fixed order; the first that understands it takes
 * one token or more. What none understands is an NI_WORD.
 */
#include "airports/notice_items.h"

#include <ctype.h>
#include <math.h>

#include "airports/notice_days.h"

enum { NEAR = 3, LONGEST_PHRASE = 12, LONGEST_PARENTHESES = 60 };

struct building {
	const struct notice_token *t;
	size_t n;
	const char *text;
	struct notice_item *item;
	size_t nitems;
	bool demanded;                /* this sentence has a demand */
	bool lower;                   /* the text has no capital letters */
	size_t close;                 /* the end of the parentheses at work: no sentence ends before it */
};

static bool means(const struct building *b, size_t i, uint64_t what)
{
	return i < b->n && notice_means(&b->t[i], what);
}

static bool mark(const struct building *b, size_t i, const char *marks)
{
	return i < b->n && notice_mark(&b->t[i], marks);
}

static bool number(const struct building *b, size_t i)
{
	return i < b->n && (b->t[i].kind == NT_NUMBER || means(b, i, NW(NUMBER)));
}

static bool clock_at(const struct building *b, size_t i)
{
	return i < b->n && b->t[i].kind == NT_CLOCK;
}

static bool blank_before(const struct building *b, size_t i)
{
	return i == 0 || b->t[i].start > b->t[i - 1].end;
}

static bool blank_after(const struct building *b, size_t i)
{
	return i + 1 >= b->n || b->t[i + 1].start > b->t[i].end;
}

/* ---- times of day ---------------------------------------------------------------------- */

/* "(0400)" after a time of day, "(0400-2100)" after two, are the times in summer. */
static size_t skip_summer(const struct building *b, size_t i)
{
	size_t at = i + 1, clocks = 0;

	if (!mark(b, i, "("))
		return i;
	for (; at < i + LONGEST_PHRASE && at < b->n && !mark(b, at, ")"); at++) {
		clocks += clock_at(b, at);
		if (!clock_at(b, at) && !mark(b, at, "-/,") && !means(b, at, NW(TO) | NW(AND) | NW(UNTIL) | NW(SMALL)))
			return i;
	}
	return clocks > 0 && mark(b, at, ")") ? at + 1 : i;
}

/* "0700-1900", "0500 (0400) - 2100 (2000)", "0700 to 1900": where it ends, or i. */
static size_t read_time(const struct building *b, size_t i, int *from, int *to)
{
	size_t at = i;

	if (!clock_at(b, at))
		return i;
	*from = (int)b->t[at].value;
	at = skip_summer(b, at + 1);
	if (!clock_at(b, at + 1) || !(mark(b, at, "-/") || means(b, at, NW(TO) | NW(AND) | NW(UNTIL))))
		return i;
	*to = (int)b->t[at + 1].value;
	return skip_summer(b, at + 2);
}

/* "0800-1200 and 1400-1800": the tokens taken, or 0. */
static size_t read_times(const struct building *b, size_t i, struct notice_times *out)
{
	size_t at = i, next = i, end;
	int from, to;

	out->n = 0;
	while (out->n < NOTICE_TIMES && (end = read_time(b, next, &from, &to)) > next) {
		out->at[out->n].from = from;
		out->at[out->n++].to = to;
		at = next = end;
		while (mark(b, next, ",/+&") || means(b, next, NW(AND)))
			next++;
	}
	return at - i;
}

/* ---- hours of notice --------------------------------------------------------------------- */

/* Is a word of these kinds near, with no mark between? */
static bool near_before(const struct building *b, size_t i, uint64_t what)
{
	for (size_t k = 1; k <= NEAR && k <= i && (b->t[i - k].kind == NT_WORD || mark(b, i - k, "(")); k++)
		if (means(b, i - k, what))
			return true;
	return false;
}

static bool near_after(const struct building *b, size_t i, uint64_t what)
{
	for (size_t k = i; k < i + NEAR && k < b->n && b->t[k].kind == NT_WORD; k++)
		if (means(b, k, what))
			return true;
	return false;
}

/* "24", "one (1)", "24 to 48" (the greater counts), "1.5": where it ends, or i. */
static size_t read_amount(const struct building *b, size_t i, double *value)
{
	size_t at = i;

	if (!number(b, at))
		return i;
	*value = b->t[at].value;
	if (mark(b, at + 1, ".,") && number(b, at + 2) && b->t[at + 2].digits == 1 && !blank_before(b, at + 1) &&
	    !blank_after(b, at + 1)) {
		*value += b->t[at + 2].value / 10;
		return at + 3;
	}
	if (mark(b, at + 1, "(") && number(b, at + 2) && mark(b, at + 3, ")") && b->t[at + 2].value == *value)
		at += 3;
	if ((mark(b, at + 1, "-/") || means(b, at + 1, NW(TO) | NW(AND))) && number(b, at + 2)) {
		at += 2;
		*value = fmax(*value, b->t[at].value);
	}
	return at + 1;
}

static const uint64_t units = NW(HOURS) | NW(MINUTES) | NW(DAYS) | NW(WORKING_DAYS);

/* "H-24", "D-2": hours or days before the flight. */
static size_t read_countdown(const struct building *b, size_t i, struct notice_demand *d)
{
	bool days = b->t[i].end - b->t[i].start == 1 && strchr("DdJj", b->text[b->t[i].start]) != NULL;

	if (!(days || (means(b, i, NW(HOURS)) && b->t[i].end - b->t[i].start == 1)) || !mark(b, i + 1, "-") ||
	    !number(b, i + 2) || b->t[i + 2].start != b->t[i + 1].end)
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
static bool is_bare_hours(const struct building *b, size_t i, double n)
{
	return i > 0 && means(b, i - 1, NW(DEMAND)) && n >= 12 && n <= 72 && (int)n % 12 == 0 &&
	    (i + 1 >= b->n || mark(b, i + 1, ",.;:()\n"));
}

/* "24 HR", "MNM 2 hours", "2 days", "3 working days": the tokens, or 0. */
static size_t read_hours(const struct building *b, size_t i, struct notice_demand *d)
{
	const uint64_t evidence = NW(DEMAND) | NW(LEAST);
	double n = 0;
	size_t at = read_countdown(b, i, d);

	if (at > 0)
		return at;
	at = read_amount(b, i, &n);
	if (at == i)
		return 0;
	while (mark(b, at, "-"))       /* "24-hour" */
		at++;
	*d = (struct notice_demand){ .kind = NOTICE_HOURS, .hours = n, .working_days = 1, .before = -1 };
	if (at == i + 1 && is_bare_hours(b, i, n)) {
		d->sure = d->guessed = true;
		return 1;
	}
	if (!means(b, at, units) || n < 0)
		return 0;
	if (means(b, at, NW(MINUTES))) {
		d->hours = n / 60;
	} else if (means(b, at, NW(WORKING_DAYS))) {
		d->kind = NOTICE_BUSINESS_DAY;
		d->hours = (double)NAN;
		d->working_days = n >= 1 ? (int)n : 1;
	} else if (means(b, at, NW(DAYS))) {
		d->hours = 24 * n;
	}
	d->sure = near_before(b, i, evidence) || near_after(b, at + 1, evidence);
	return at + 1 - i;
}

/* ---- the hours of the aerodrome, and what is left ------------------------------------------- */

/*
 * "as AD", "AD OPR HR", "HR AD", "within the published hours of operation of the aerodrome": any order of
 * words for the aerodrome, its hours and its operation. Returns the tokens taken, or 0.
 */
static size_t read_ad_hours(const struct building *b, size_t i)
{
	bool like = false, within = false, ad = false, hours = false, operating = false;
	size_t at = i, end = i;

	if (means(b, i, NW(AD_HOURS)))
		return 1;
	for (; at < b->n && at < i + LONGEST_PHRASE; at++) {
		const struct notice_token *t = &b->t[at];

		/* "HOR. AD" */
		if (at > i && mark(b, at, ".") && means(b, at - 1, NW(ABBREVIATION)))
			continue;
		if (t->kind != NT_WORD)
			break;

		if (t->means & NW(AD_HOURS))
			ad = hours = true;
		else if (t->means & NW(AERODROME))
			ad = true;
		else if (t->means & (NW(HOURS) | NW(TIMES)) && !number(b, at))
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

/* "outside 0800-1800", "outside the opening hours of the AD": the tokens taken, or 0. */
static size_t read_outside(const struct building *b, size_t i)
{
	const uint64_t between = NW(OPERATING) | NW(AS) | NW(AERODROME) | NW(CUSTOMS) | NW(PRESENT) |
	    NW(SMALL) | NW(SUBJECT);
	struct notice_times times;
	struct notice_days d;
	size_t at = i + 1, taken;

	if (!means(b, i, NW(OUTSIDE)))
		return 0;
	for (; at < b->n && at < i + LONGEST_PHRASE; at++) {
		if (means(b, at, NW(HOURS) | NW(TIMES) | NW(AD_HOURS))) {
			at++;
			taken = read_ad_hours(b, at - 1);
			at += taken > 1 ? taken - 1 : 0;
			taken = read_times(b, at, &times);
			return at + taken - i;
		}
		taken = notice_read_days(b->t, b->n, at, &d);
		if (taken > 0 && read_times(b, at + taken, &times) == 0)
			return 0;
		taken += read_times(b, at + taken, &times);
		if (taken > 0)
			return at + taken - i;
		if (!means(b, at, between))
			break;
	}
	if (at != i + 1 || !means(b, i, NW(CONDITION)))
		return 0;
	/* "outside: PN 2 HR", "outside PN 2 HR" */
	return at >= b->n || b->t[at].kind == NT_MARK || number(b, at) ||
	    means(b, at, NW(DEMAND) | NW(REQUEST) | NW(NONE) | NW(REFUSED) |
	    NW(BUSINESS_DAY) | NW(DAY_BEFORE) | NW(LEAST) | NW(AHEAD) | NW(AGREED)) ? 1 : 0;
}

/* "other hours and days", "all other flights": the tokens taken, or 0. */
static size_t read_remaining(const struct building *b, size_t i)
{
	const uint64_t what = NW(TIMES) | NW(HOURS) | NW(DAYS) | NW(SUBJECT);
	size_t end = i;

	if (!means(b, i, NW(REMAINING)))
		return 0;
	for (size_t at = i + 1; at < b->n && at < i + LONGEST_PHRASE; at++) {
		if (means(b, at, what))
			end = at + 1;
		else if (!means(b, at, NW(REMAINING) | NW(SMALL) | NW(AND)) && !mark(b, at, "/"))
			break;
	}
	return end - i;
}

static size_t read_other(const struct building *b, size_t i)
{
	size_t taken = read_outside(b, i);

	if (taken == 0)
		taken = read_remaining(b, i);
	return taken > 0 ? taken : means(b, i, NW(OTHER)) ? 1 : 0;
}

/* ---- other demands ---------------------------------------------------------------------------- */

/* "after prior agreement with customs": the tokens taken, or 0. */
static size_t read_agreed(const struct building *b, size_t i)
{
	size_t at = i + 1;

	if (!means(b, i, NW(UNDER)))
		return 0;
	while (at < i + 4 && means(b, at, NW(PRIOR) | NW(SMALL)) && !means(b, at, NW(AGREED)))
		at++;
	return means(b, at, NW(AGREED)) ? at + 1 - i : 0;
}

/* "without PNR", "no prior notice", "notice is not required": the tokens, or 0. */
static size_t read_no_notice(const struct building *b, size_t i)
{
	bool no = means(b, i, NW(NO));
	const uint64_t wanted = no ? NW(DEMAND) : NW(NEEDLESS), between = NW(SMALL) | (no ? NW(PRIOR) : 0);
	size_t at = i + 1;

	if (!no && !means(b, i, NW(DEMAND)))
		return 0;
	while (at < i + NEAR && means(b, at, between) && !means(b, at, wanted))
		at++;
	return means(b, at, wanted) ? at + 1 - i : 0;
}

/* "NO CUST", "no customs control", "no non-Schengen flights": the tokens, or 0. */
static size_t read_none(const struct building *b, size_t i)
{
	size_t at = i + 1;

	if (!means(b, i, NW(NO)))
		return 0;
	if (means(b, at, NW(SCHENGEN)) || (means(b, at, NW(OUTSIDE)) && (means(b, at + 1, NW(SCHENGEN)) ||
	    (mark(b, at + 1, "-") && means(b, at + 2, NW(SCHENGEN))))))
		return 1;
	while (at < i + LONGEST_PHRASE && means(b, at, NW(CUSTOMS) | NW(IMMIGRATION) | NW(SUBJECT)))
		at += mark(b, at + 1, "/") || means(b, at + 1, NW(AND)) ? 2 : 1;
	return at > i + 1 && !(at < b->n && b->t[at].kind == NT_WORD &&
	    (b->t[at].means == 0 || means(b, at, NW(SERVICE) | NW(TOPIC)))) ? at - i : 0;
}

/* "working day immediately preceding", "preceding day": the tokens, or 0. */
static size_t read_day_before(const struct building *b, size_t i, enum notice_kind *kind)
{
	bool before = false, work = false, day = false;
	size_t end = i;

	if (i > 0 && means(b, i - 1, NW(BUSINESS_DAY) | NW(DAY_BEFORE)))
		return 0;
	for (size_t at = i; at < b->n && at < i + 8 && b->t[at].kind == NT_WORD; at++) {
		const struct notice_token *t = &b->t[at];

		if (t->means & NW(PRECEDING)) {
			/* "before" and "last" may not stand in front of "day", nor before a time */
			if ((!work && !day && t->value <= 0) || (clock_at(b, at + 1) && before))
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
	if (!before || !(work || day) || (!work && b->t[i].value > 1 && means(b, i, NW(PRECEDING))))
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
static bool goes_on(const struct building *b, size_t i)
{
	const struct notice_token *t = &b->t[i];
	bool no = t->end - t->start > 3 && (b->text[t->start] | 0x20) == 'n' &&
	    (b->text[t->start + 1] | 0x20) == 'o' && b->text[t->start + 2] == ' ';

	return no && means(b, i, NW(NONE)) && i + 1 < b->n && b->t[i + 1].kind == NT_WORD &&
	    (b->t[i + 1].means == 0 || means(b, i + 1, NW(SERVICE) | NW(TOPIC)));
}

static size_t read_demand(const struct building *b, size_t i, struct notice_demand *d)
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
	else if ((taken = read_ad_hours(b, i)) > 0)
		d->kind = NOTICE_AD_HOURS;
	else if ((taken = read_agreed(b, i)) > 0)
		d->kind = NOTICE_ON_REQUEST;
	return taken;
}

/* ---- Schengen ---------------------------------------------------------------------------------- */

/* Is it "outside" Schengen? Looks at the words before: "non-Schengen", "outside the Schengen area",
 * "except Schengen flights". */
static bool is_outside(const struct building *b, size_t i)
{
	bool outside = means(b, i, NW(OUTSIDE));

	for (size_t k = 1; k <= 5 && k <= i; k++) {
		if (means(b, i - k, NW(EXCEPT)))
			return !outside;
		if (outside)
			return true;
		outside = means(b, i - k, NW(OUTSIDE));
		if (!outside && !mark(b, i - k, "-/") && !(b->t[i - k].kind == NT_WORD &&
		    (b->t[i - k].means & ~(NW(SMALL) | NW(OPERATING) | NW(UNTIL))) == 0))
			return false;
	}
	return outside;
}

/* ---- marks ---------------------------------------------------------------------------------------- */

/* Is the stop at i one of an abbreviation: "incl. HOL", "min. 24", "24 hrs. notice"? */
static bool is_abbreviation(const struct building *b, size_t i)
{
	const uint64_t before = NW(AND) | NW(EXCEPT);
	const uint64_t begins = NW(DAY) | NW(WEEKDAYS) | NW(WEEKEND) | NW(HOLIDAY) | NW(DAILY) | NW(OUTSIDE) | NW(OTHER) |
	    NW(REMAINING) | NW(CUSTOMS) | NW(IMMIGRATION) | NW(SCHENGEN) | NW(NONE) | NW(REFUSED) | NW(SERVICE) |
	    NW(REQUEST) | NW(CONTACT);
	char next = i + 1 < b->n ? b->text[b->t[i + 1].start] : '\0';

	if (i == 0 || blank_before(b, i))
		return false;
	if (means(b, i - 1, before) && !mark(b, i + 1, "\n"))
		return true;
	if (means(b, i - 1, NW(ABBREVIATION)) && (next >= 'a' || !means(b, i - 1, units)))
		return true;
	/* "J OUVR. AV 1200" */
	if (means(b, i + 1, NW(LIMIT)) && clock_at(b, i + 2))
		return true;
	if (means(b, i - 1, NW(AHEAD) | NW(MINUTES)) && number(b, i + 1))
		return true;
	/* "TEL. 0123" */
	if (means(b, i - 1, NW(CONTACT)) && means(b, i + 1, NW(CONTACT)) &&
	    isalpha((unsigned char)b->text[b->t[i - 1].start]))
		return true;
	if (!blank_after(b, i) && next != '\n')
		return true;
	if (mark(b, i + 1, "-,:/)"))
		return true;
	/* "18 hrs. notice" */
	if (means(b, i - 1, units) && (mark(b, i + 1, "(") || means(b, i + 1, NW(NEEDLESS))))
		return true;
	if (means(b, i - 1, units) && i >= 2 && means(b, i + 1, NW(DEMAND) | NW(LEAST)) &&
	    !near_before(b, i - 2, NW(DEMAND) | NW(LEAST)))
		return true;
	return next >= 'a' && next <= 'z' && !b->lower && !means(b, i + 1, begins) && (means(b, i - 1, units | NW(DAY) | NW(SUBJECT)) ||
	    (b->t[i - 1].kind == NT_WORD && b->t[i - 1].means == 0 && b->t[i - 1].end - b->t[i - 1].start <= 5));
}

/* Where the parentheses that begin at i end; 0: they do not, or much later. */
static size_t closing(const struct building *b, size_t i)
{
	for (size_t at = i + 1; at < b->n && at < i + LONGEST_PARENTHESES; at++)
		if (mark(b, at, "()"))
			return mark(b, at, ")") ? at : 0;
	return 0;
}

static enum notice_item_kind mark_kind(const struct building *b, size_t i)
{
	switch (b->t[i].mark) {
	case ';':
	case '\n':
		return i < b->close ? NI_COMMA : NI_STOP;
	case '.':
		return is_abbreviation(b, i) ? NI_WORD : i < b->close ? NI_COMMA : NI_STOP;
	case ',':
		return NI_COMMA;
	case ':':
		return NI_COLON;
	case '(':
		return NI_OPEN;
	case ')':
		return NI_CLOSE;
	case '&':
	case '+':
		return NI_AND;
	default:
		break;
	}
	if (!blank_before(b, i) || !blank_after(b, i))
		return b->t[i].mark == '/' ? NI_AND : NI_WORD;
	/* a dash in a list begins a sentence: "PN 24 HR - Non-Schengen flights: O/R" */
	if (b->t[i].mark == '-' && b->demanded && i + 1 < b->n && b->t[i + 1].kind == NT_WORD &&
	    !means(b, i + 1, NW(DAY) | NW(DEMAND) | NW(REQUEST) | NW(NONE) | NW(REFUSED) | NW(HOLIDAY)))
		return NI_STOP;
	return NI_COMMA;
}

/* ---- all of them ------------------------------------------------------------------------------------ */

/* "Schengen and non-Schengen flights" are all flights. */
static bool joins_area(struct building *b, bool outside)
{
	bool joined = false;

	for (size_t k = b->nitems; k-- > 0;) {
		struct notice_item *p = &b->item[k];

		if (p->kind == NI_AREA && joined) {
			p->schengen |= !outside;
			p->non_schengen |= outside;
			return true;
		}
		if (p->kind != NI_WORD && p->kind != NI_AND)
			return false;
		joined |= p->kind == NI_AND;
	}
	return false;
}

/* "ETA +/- 30 MIN" */
static bool is_tolerance(const struct building *b, size_t i)
{
	return i > 1 && mark(b, i - 1, "-+/") && b->t[i - 2].kind == NT_MARK;
}

/* "by FRI 1200" names a day of the notice, which no rule can hold: the tokens, or 0. */
static size_t day_limit(const struct building *b, size_t i, size_t at)
{
	struct notice_days d;
	size_t taken = at < b->n ? notice_read_days(b->t, b->n, at, &d) : 0;

	return taken == 1 && clock_at(b, at + 1) && !mark(b, at + 2, "-") ? at + 2 - i : 0;
}

/* The same in the other order: "by 1500 on FRI". */
static size_t day_behind(const struct building *b, size_t i)
{
	struct notice_days d;

	if (!means(b, i, NW(SMALL)) || i + 1 >= b->n || notice_read_days(b->t, b->n, i + 1, &d) != 1 ||
	    clock_at(b, i + 2))
		return 0;
	return 2;
}

/* Read one item that is no mark; returns the tokens taken. */
static size_t read_item(struct building *b, size_t i, struct notice_item *it)
{
	size_t taken;

	if ((taken = read_hours(b, i, &it->demand)) > 0) {
		it->kind = NI_DEMAND;
		it->demand.before = -1;
		if (near_before(b, i, NW(MOST)) || near_after(b, i + taken, NW(MOST)) || is_tolerance(b, i))
			it->kind = NI_WORD;
		return taken;
	}
	if (means(b, i, NW(EXCEPT))) {
		size_t at = i + 1;
		while (at < i + 3 && means(b, at, NW(SMALL)))
			at++;
		if (mark(b, at, "."))
			at++;
		taken = at < b->n ? notice_read_days(b->t, b->n, at, &it->days) : 0;
		if (taken > 0) {
			it->kind = NI_EXCEPT;
			return at + taken - i;
		}
	}
	if ((taken = read_other(b, i)) > 0) {
		it->kind = NI_OTHER;
		return taken;
	}
	if ((taken = read_demand(b, i, &it->demand)) > 0) {
		it->kind = NI_DEMAND;
		return taken;
	}
	if ((taken = notice_read_days(b->t, b->n, i, &it->days)) > 0) {
		struct notice_days next;

		it->kind = NI_DAYS;
		/* "weekends and holidays excluded" */
		if (means(b, i + taken, NW(EXCEPT)) &&
		    (i + taken + 1 >= b->n || notice_read_days(b->t, b->n, i + taken + 1, &next) == 0)) {
			it->kind = NI_EXCEPT;
			taken++;
		}
		return taken;
	}
	if ((taken = read_times(b, i, &it->times)) > 0) {
		it->kind = NI_TIMES;
		return taken;
	}
	it->clock = -1;
	if (means(b, i, NW(LIMIT))) {
		size_t at = i + 1;
		while (at < i + 4 && !clock_at(b, at) && means(b, at, NW(SMALL) | NW(LIMIT) | NW(VIA)))
			at++;
		if (clock_at(b, at) && read_times(b, at, &it->times) == 0) {
			it->clock = (int)b->t[at].value;
			taken = skip_summer(b, at + 1) - i;
		} else if ((taken = day_limit(b, i, at)) > 0) {
			return taken;
		}
	} else if (clock_at(b, i)) {
		it->clock = (int)b->t[i].value;
		taken = 1;
	}
	if (it->clock >= 0) {
		taken += day_behind(b, i + taken);
		it->kind = NI_CLOCK;
		return taken;
	}
	if (means(b, i, NW(SCHENGEN))) {
		bool outside = is_outside(b, i);

		it->kind = joins_area(b, outside) ? NI_WORD : NI_AREA;
		it->schengen = !outside;
		it->non_schengen = outside;
		return 1;
	}
	it->kind = means(b, i, NW(AND)) ? NI_AND : NI_WORD;
	return 1;
}

struct notice_item *notice_items(struct arena *a, const struct notice_token *t, size_t n,
    const char *text, size_t *nitems)
{
	struct building b = { .t = t, .n = n, .text = text, .lower = true };

	for (size_t i = 0; i < n; i++)
		b.lower &= !isupper((unsigned char)text[t[i].start]);

	b.item = arena_array(a, n + 1, sizeof(*b.item));
	for (size_t i = 0, taken; i < n; i += taken) {
		struct notice_item it = { .first = i };

		taken = 1;
		if (t[i].kind == NT_MARK)
			it.kind = mark_kind(&b, i);
		else
			taken = read_item(&b, i, &it);
		if (it.kind == NI_OPEN)
			b.close = closing(&b, i);
		it.last = i + taken - 1;
		it.semicolon = t[i].kind == NT_MARK && t[i].mark == ';';
		for (size_t k = i; k < i + taken; k++)
			it.means |= t[k].kind == NT_WORD ? t[k].means : 0;
		/* "outside ATS hours" is not about ATS */
		if (it.kind != NI_WORD)
			it.means &= ~(NW(SERVICE) | NW(TOPIC) | NW(BESIDES) | NW(CONTACT));
		b.demanded = it.kind != NI_STOP && (b.demanded || it.kind == NI_DEMAND);
		b.item[b.nitems++] = it;
	}
	b.item[b.nitems++] = (struct notice_item){ .kind = NI_STOP, .first = n - 1, .last = n - 1 };
	*nitems = b.nitems;
	return b.item;
}
