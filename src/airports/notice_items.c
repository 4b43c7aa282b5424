/*
 * At each token the readers of this file are tried in a fixed order; the first that understands it takes
 * one token or more. What none understands is an NI_WORD.
 */
#include "airports/notice_items.h"

#include <ctype.h>

#include "airports/notice_days.h"
#include "airports/notice_demand.h"
#include "airports/notice_scan.h"

enum { LONGEST_PARENTHESES = 60 };

struct building {
	struct notice_scan scan;
	struct notice_item *item;
	size_t nitems;
};

/* ---- times of day ---------------------------------------------------------------------- */

/* "(0400)" after a time of day, "(0400-2100)" after two, are the times in summer. */
static size_t skip_summer(const struct notice_scan *b, size_t i)
{
	size_t at = i + 1, clocks = 0;

	if (!scan_mark(b, i, "("))
		return i;
	for (; at < i + SCAN_PHRASE && at < b->n && !scan_mark(b, at, ")"); at++) {
		clocks += scan_clock(b, at);
		if (!scan_clock(b, at) && !scan_mark(b, at, "-/,:") && !scan_means(b, at, NW(TO) | NW(AND) | NW(UNTIL) | NW(SMALL) | NW(MOST)))
			return i;
	}
	return clocks > 0 && scan_mark(b, at, ")") ? at + 1 : i;
}

/* "0700-1900", "0500 (0400) - 2100 (2000)", "0700 to 1900": where it ends, or i. */
static size_t read_time(const struct notice_scan *b, size_t i, int *from, int *to)
{
	size_t at = i;

	if (!scan_clock(b, at))
		return i;
	*from = (int)b->t[at].value;
	at = skip_summer(b, at + 1);
	if (!scan_clock(b, at + 1) || !(scan_mark(b, at, "-/") || scan_means(b, at, NW(TO) | NW(AND) | NW(UNTIL))))
		return i;
	*to = (int)b->t[at + 1].value;
	return skip_summer(b, at + 2);
}

/* "0800-1200 and 1400-1800": the tokens taken, or 0. */
static size_t read_times(const struct notice_scan *b, size_t i, struct notice_times *out)
{
	size_t at = i, next = i, end;
	int from, to;

	out->n = 0;
	while (out->n < NOTICE_TIMES && (end = read_time(b, next, &from, &to)) > next) {
		out->at[out->n].from = from;
		out->at[out->n++].to = to;
		at = next = end;
		while (scan_mark(b, next, ",/+&") || scan_means(b, next, NW(AND)))
			next++;
	}
	return at - i;
}

/* "outside 0800-1800", "outside the opening hours of the AD": the tokens taken, or 0. */
static size_t read_outside(const struct notice_scan *b, size_t i)
{
	const uint64_t between = NW(OPERATING) | NW(AS) | NW(AERODROME) | NW(CUSTOMS) | NW(PRESENT) |
	    NW(SMALL) | NW(SUBJECT);
	struct notice_times times;
	struct notice_days d;
	size_t at = i + 1, taken, unknown = 0;

	if (!scan_means(b, i, NW(OUTSIDE)))
		return 0;
	for (; at < b->n && at < i + SCAN_PHRASE; at++) {
		if (scan_means(b, at, NW(HOURS) | NW(TIMES) | NW(AD_HOURS))) {
			at++;
			taken = notice_read_ad_hours(b, at - 1);
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
		/* "outside the above mentioned hours" */
		if (!scan_means(b, at, between) && (b->t[at].kind != NT_WORD || b->t[at].means != 0 || unknown++ > 1))
			break;
	}
	at = unknown > 0 ? i : at;
	if (at != i + 1 || !scan_means(b, i, NW(CONDITION)))
		return 0;
	/* "outside: PN 2 HR", "outside PN 2 HR" */
	return at >= b->n || b->t[at].kind == NT_MARK || scan_number(b, at) ||
	    scan_means(b, at, NW(DEMAND) | NW(REQUEST) | NW(NONE) | NW(REFUSED) |
	    NW(BUSINESS_DAY) | NW(DAY_BEFORE) | NW(LEAST) | NW(AHEAD) | NW(AGREED)) ? 1 : 0;
}

/* "other hours and days", "all other flights": the tokens taken, or 0. */
static size_t read_remaining(const struct notice_scan *b, size_t i)
{
	const uint64_t what = NW(TIMES) | NW(HOURS) | NW(DAYS) | NW(SUBJECT) | NW(WEEKDAYS);
	size_t end = i;

	if (!scan_means(b, i, NW(REMAINING)))
		return 0;
	for (size_t at = i + 1; at < b->n && at < i + SCAN_PHRASE; at++) {
		if (scan_means(b, at, what))
			end = at + 1;
		else if (!scan_means(b, at, NW(REMAINING) | NW(SMALL) | NW(AND)) && !scan_mark(b, at, "/"))
			break;
	}
	return end - i;
}

static size_t read_other(const struct notice_scan *b, size_t i)
{
	size_t taken = read_outside(b, i);

	if (taken == 0)
		taken = read_remaining(b, i);
	return taken > 0 ? taken : scan_means(b, i, NW(OTHER)) ? 1 : 0;
}

/* ---- Schengen ---------------------------------------------------------------------------------- */

/* Is it "outside" Schengen? Looks at the words before: "non-Schengen", "outside the Schengen area",
 * "except Schengen flights". */
static bool is_outside(const struct notice_scan *b, size_t i)
{
	bool outside = scan_means(b, i, NW(OUTSIDE));

	for (size_t k = 1; k <= 5 && k <= i; k++) {
		if (scan_means(b, i - k, NW(EXCEPT)))
			return !outside;
		if (outside)
			return true;
		outside = scan_means(b, i - k, NW(OUTSIDE));
		if (!outside && !scan_mark(b, i - k, "-/") && !(b->t[i - k].kind == NT_WORD &&
		    (b->t[i - k].means & ~(NW(SMALL) | NW(OPERATING) | NW(UNTIL))) == 0))
			return false;
	}
	return outside;
}

/* ---- marks ---------------------------------------------------------------------------------------- */

/* Is the stop at i one of an abbreviation: "incl. HOL", "min. 24", "24 hrs. notice"? */
static bool is_abbreviation(const struct notice_scan *b, size_t i)
{
	const uint64_t before = NW(AND) | NW(EXCEPT);
	const uint64_t begins = NW(DAY) | NW(WEEKDAYS) | NW(WEEKEND) | NW(HOLIDAY) | NW(DAILY) | NW(OUTSIDE) | NW(OTHER) |
	    NW(REMAINING) | NW(CUSTOMS) | NW(IMMIGRATION) | NW(SCHENGEN) | NW(NONE) | NW(REFUSED) | NW(SERVICE) |
	    NW(REQUEST) | NW(CONTACT);
	char next = i + 1 < b->n ? b->text[b->t[i + 1].start] : '\0';

	if (i == 0 || scan_blank_before(b, i))
		return false;
	if (scan_means(b, i - 1, before) && !scan_mark(b, i + 1, "\n"))
		return true;
	if (scan_means(b, i - 1, NW(ABBREVIATION)) && (next >= 'a' || !scan_means(b, i - 1, SCAN_UNITS)))
		return true;
	/* "J OUVR. AV 1200" */
	if (scan_means(b, i + 1, NW(LIMIT)) && scan_clock(b, i + 2))
		return true;
	if (scan_means(b, i - 1, NW(AHEAD) | NW(MINUTES)) && scan_number(b, i + 1))
		return true;
	/* "TEL. 0123" */
	if (scan_means(b, i - 1, NW(CONTACT)) && scan_means(b, i + 1, NW(CONTACT)) &&
	    isalpha((unsigned char)b->text[b->t[i - 1].start]))
		return true;
	if (!scan_blank_after(b, i) && next != '\n')
		return true;
	if (scan_mark(b, i + 1, "-,:/)"))
		return true;
	/* "d.o.o. (MON-FRI 0600-1400)" */
	if (i > 1 && scan_mark(b, i - 2, ".") && b->t[i - 1].end - b->t[i - 1].start == 1 && scan_mark(b, i + 1, "("))
		return true;
	/* "18 hrs. notice" */
	if (scan_means(b, i - 1, SCAN_UNITS) && (scan_mark(b, i + 1, "(") || (scan_means(b, i + 1, NW(NEEDLESS)) && !scan_means(b, i + 1, NW(NONE)))))
		return true;
	if (scan_means(b, i - 1, SCAN_UNITS) && i >= 2 && scan_means(b, i + 1, NW(DEMAND) | NW(LEAST)) &&
	    !scan_near_before(b, i - 2, NW(DEMAND) | NW(LEAST)))
		return true;
	return next >= 'a' && next <= 'z' && !b->lower && !scan_means(b, i + 1, begins) && (scan_means(b, i - 1, SCAN_UNITS | NW(DAY) | NW(SUBJECT)) ||
	    (b->t[i - 1].kind == NT_WORD && b->t[i - 1].means == 0 && b->t[i - 1].end - b->t[i - 1].start <= 5));
}

/* Where the parentheses that begin at i end; 0: they do not, or much later. */
static size_t closing(const struct notice_scan *b, size_t i)
{
	for (size_t at = i + 1; at < b->n && at < i + LONGEST_PARENTHESES; at++)
		if (scan_mark(b, at, "()"))
			return scan_mark(b, at, ")") ? at : 0;
	return 0;
}

static enum notice_item_kind mark_kind(const struct notice_scan *b, size_t i)
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
	if (!scan_blank_before(b, i) || !scan_blank_after(b, i))
		return b->t[i].mark == '/' ? NI_AND : NI_WORD;
	/* a dash in a list begins a sentence: "PN 24 HR - Non-Schengen flights: O/R" */
	if (b->t[i].mark == '-' && b->demanded && i + 1 < b->n && b->t[i + 1].kind == NT_WORD &&
	    !scan_means(b, i + 1, NW(DAY) | NW(DEMAND) | NW(REQUEST) | NW(NONE) | NW(REFUSED) | NW(HOLIDAY)))
		return NI_STOP;
	return NI_COMMA;
}

/* "during this period": the times named last, if a demand was read for them already; NULL: none. */
static const struct notice_times *same_times(const struct building *b, size_t i)
{
	const struct notice_scan *s = &b->scan;
	bool demanded = false;

	if (!scan_means(s, i, NW(SAME_TIMES)) || i == 0 || !scan_means(s, i - 1, NW(AS) | NW(VIA) | NW(SMALL)) ||
	    scan_near_before(s, i, NW(OUTSIDE) | NW(EXCEPT) | NW(REMAINING)))
		return NULL;
	for (size_t k = b->nitems; k-- > 0;) {
		demanded |= b->item[k].kind == NI_DEMAND;
		if (b->item[k].kind == NI_TIMES)
			return demanded ? &b->item[k].times : NULL;
	}
	return NULL;
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
static bool is_tolerance(const struct notice_scan *b, size_t i)
{
	return i > 1 && scan_mark(b, i - 1, "-+/") && b->t[i - 2].kind == NT_MARK;
}

/* "within 15 MIN of landing" is the time for something else; "within 24 HR before landing" is a notice. */
static bool is_within(const struct notice_scan *b, size_t i, size_t taken)
{
	const uint64_t notice = NW(DEMAND) | NW(LEAST) | NW(AHEAD);

	return i > 0 && scan_means(b, i - 1, NW(AS)) && b->t[i - 1].value <= 0 && !scan_near_before(b, i, notice) &&
	    !scan_near_after(b, i + taken, notice);
}

/* "by FRI 1200" names a day of the notice, which no rule can hold: the tokens, or 0. */
static size_t day_limit(const struct notice_scan *b, size_t i, size_t at)
{
	struct notice_days d;
	size_t taken = at < b->n ? notice_read_days(b->t, b->n, at, &d) : 0;

	return taken == 1 && scan_clock(b, at + 1) && !scan_mark(b, at + 2, "-") ? at + 2 - i : 0;
}

/* The same in the other order: "by 1500 on FRI". */
static size_t day_behind(const struct notice_scan *b, size_t i)
{
	struct notice_days d;

	if (!scan_means(b, i, NW(SMALL)) || i + 1 >= b->n || notice_read_days(b->t, b->n, i + 1, &d) != 1 ||
	    scan_clock(b, i + 2))
		return 0;
	/* "avant 1600 le jour ouvrable précédant le vol" */
	if (scan_means(b, i + 1, NW(WORKING_DAYS)) && scan_means(b, i + 2, NW(PRECEDING)))
		return 0;
	return 2;
}

/* Read one item that is no mark; returns the tokens taken. */
static size_t read_item(const struct notice_scan *b, size_t i, struct notice_item *it)
{
	size_t taken;

	if ((taken = notice_read_hours(b, i, &it->demand)) > 0) {
		it->kind = NI_DEMAND;
		it->demand.before = -1;
		if (scan_near_before(b, i, NW(MOST)) || scan_near_after(b, i + taken, NW(MOST)) || is_tolerance(b, i) ||
		    is_within(b, i, taken))
			it->kind = NI_WORD;
		return taken;
	}
	if (scan_means(b, i, NW(EXCEPT))) {
		size_t at = i + 1;
		while (at < i + 3 && scan_means(b, at, NW(SMALL)))
			at++;
		if (scan_mark(b, at, "."))
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
	if ((taken = notice_read_demand(b, i, &it->demand)) > 0) {
		it->kind = NI_DEMAND;
		return taken;
	}
	if ((taken = notice_read_days(b->t, b->n, i, &it->days)) > 0) {
		struct notice_days next;

		it->kind = NI_DAYS;
		/* "weekends and holidays excluded" */
		if (scan_means(b, i + taken, NW(EXCEPT)) && b->t[i + taken].value > 0 &&
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
	if (scan_means(b, i, NW(LIMIT))) {
		size_t at = i + 1;
		while (at < i + 4 && !scan_clock(b, at) && scan_means(b, at, NW(SMALL) | NW(LIMIT) | NW(VIA)))
			at++;
		if (scan_clock(b, at) && read_times(b, at, &it->times) == 0) {
			it->clock = (int)b->t[at].value;
			taken = skip_summer(b, at + 1) - i;
		} else if ((taken = day_limit(b, i, at)) > 0) {
			return taken;
		}
	} else if (scan_clock(b, i)) {
		it->clock = (int)b->t[i].value;
		taken = 1;
		while (scan_means(b, i + taken, NW(LIMIT)) && !scan_clock(b, i + taken + 1))
			taken++;
	}
	if (it->clock >= 0) {
		taken += day_behind(b, i + taken);
		it->kind = NI_CLOCK;
		return taken;
	}
	if (scan_means(b, i, NW(SCHENGEN))) {
		bool outside = is_outside(b, i);

		it->kind = NI_AREA;
		it->schengen = !outside;
		it->non_schengen = outside;
		return 1;
	}
	it->kind = scan_means(b, i, NW(AND)) ? NI_AND : NI_WORD;
	return 1;
}

struct notice_item *notice_items(struct arena *a, const struct notice_token *t, size_t n,
    const char *text, size_t *nitems)
{
	struct building b = { .scan = { .t = t, .n = n, .text = text, .lower = true } };
	struct notice_scan *scan = &b.scan;

	for (size_t i = 0; i < n; i++)
		scan->lower &= !isupper((unsigned char)text[t[i].start]);
	b.item = arena_array(a, n + 1, sizeof(*b.item));
	for (size_t i = 0, taken; i < n; i += taken) {
		struct notice_item it = { .first = i };

		const struct notice_times *same = same_times(&b, i);

		taken = 1;
		if (t[i].kind == NT_MARK) {
			it.kind = mark_kind(scan, i);
		} else if (same != NULL) {
			it.kind = NI_TIMES;
			it.times = *same;
		} else {
			taken = read_item(scan, i, &it);
		}
		if (it.kind == NI_OPEN)
			scan->close = closing(scan, i);
		if (it.kind == NI_AREA && joins_area(&b, it.non_schengen))
			it.kind = NI_WORD;
		it.last = i + taken - 1;
		it.semicolon = t[i].kind == NT_MARK && t[i].mark == ';';
		for (size_t k = i; k < i + taken; k++)
			it.means |= t[k].kind == NT_WORD ? t[k].means : 0;
		/* "outside ATS hours" is not about ATS */
		if (it.kind != NI_WORD)
			it.means &= ~(NW(SERVICE) | NW(TOPIC) | NW(BESIDES) | NW(CONTACT));
		scan->demanded = it.kind != NI_STOP && (scan->demanded || it.kind == NI_DEMAND);
		b.item[b.nitems++] = it;
	}
	b.item[b.nitems++] = (struct notice_item){ .kind = NI_STOP, .first = n - 1, .last = n - 1 };
	*nitems = b.nitems;
	return b.item;
}
