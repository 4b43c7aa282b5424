/*
 * The one place that knows what a text about days means: keys of the notice database ("Mon-Fri"),
 * words of publications ("SAT, SUN and HOL"), days in questions ("on Sundays").
 */
#include "airports/notice_days.h"

#include "base/buf.h"

static bool joins(const struct notice_token *t)
{
	return notice_mark(t, "-,/+&") || notice_means(t, NW(AND) | NW(TO) | NW(UNTIL));
}

/* A word that is a month and nothing else. */
static bool is_month(const struct notice_token *t, size_t n, size_t at)
{
	return at < n && notice_means(&t[at], NW(MONTH)) && !notice_means(&t[at], NW(MONTH_OR_DAY));
}

/* "MAR" is March, unless a day or a time stands beside it: "MAR - VEN", "Sa 0900-1200". */
static bool month_is_day(const struct notice_token *t, size_t n, size_t i)
{
	size_t next = i + 1 < n && joins(&t[i + 1]) ? i + 2 : i + 1;
	size_t last = i > 0 && joins(&t[i - 1]) ? i - 1 : i;
	const uint64_t days = NW(DAY) | NW(MONTH_OR_DAY) | NW(HOLIDAY);

	/* "Sa from 0900" */
	if (next == i + 1 && next + 1 < n && notice_means(&t[next], NW(SMALL)) && t[next + 1].kind == NT_CLOCK)
		next++;
	if (i > 0 && t[i - 1].kind == NT_NUMBER)
		return false;
	/* "NOV-MAR" */
	if ((next == i + 2 && is_month(t, n, next)) || (last > 0 && last < i && is_month(t, n, last - 1)))
		return false;
	/* "SA: 0800", "SA closed", ", SA 2 HR" */
	if (next == i + 1 && next < n && (notice_mark(&t[next], ":") || notice_means(&t[next], NW(REFUSED) | NW(NONE) | NW(H24)) ||
	    (t[next].kind == NT_NUMBER && (i == 0 || t[i - 1].kind == NT_MARK))))
		return true;
	/* a mark must stand between: "do Saturday flights …?" names one day */
	if (next < n && (!joins(&t[next - 1]) ? t[next].kind == NT_CLOCK : notice_means(&t[next], days)))
		return true;
	return last > 0 && last < i && notice_means(&t[last - 1], days);
}

/* "WE" is Wednesday where the text has other days of two letters, and else the week-end. */
static bool is_short_day(const struct notice_token *t, size_t n, size_t i)
{
	const uint64_t days = NW(DAY) | NW(MONTH_OR_DAY);

	for (size_t k = 0; k < n; k++)
		if (k != i && notice_means(&t[k], NW(MONTH_OR_DAY)) && month_is_day(t, n, k))
			return true;
	return (i + 2 < n && joins(&t[i + 1]) && notice_means(&t[i + 2], days)) ||
	    (i > 1 && joins(&t[i - 1]) && notice_means(&t[i - 2], days));
}

/* One word: a day, or a word for several. *single: a day that may begin a range. */
static bool read_one(const struct notice_token *t, size_t n, size_t i, struct notice_days *out,
    int *single)
{
	*out = (struct notice_days){ 0 };
	*single = -1;
	if (i >= n || t[i].kind != NT_WORD)
		return false;
	bool month_or_day = t[i].means & NW(MONTH_OR_DAY), is_day = month_or_day && month_is_day(t, n, i);

	if (month_or_day && !is_day)
		return false;
	if (is_day && t[i].means & NW(WEEKEND) && !is_short_day(t, n, i)) {
		out->mask = NOTICE_WEEKEND;
	} else if (t[i].means & NW(DAY) || is_day) {
		*single = (int)t[i].value;
		out->mask = 1U << *single;
	} else if (t[i].means & NW(WEEKDAYS)) {
		out->mask = NOTICE_WEEKDAYS;
	} else if (t[i].means & NW(WEEKEND)) {
		out->mask = NOTICE_WEEKEND;
	} else if (t[i].means & NW(DAILY)) {
		out->mask = NOTICE_ALL_DAYS;
	} else if (t[i].means & NW(HOLIDAY)) {
		out->holidays = true;
	} else {
		return false;
	}
	return true;
}

static unsigned range(int from, int to)
{
	unsigned mask = 1U << from;

	while (from != to) {
		from = (from + 1) % 7;
		mask |= 1U << from;
	}
	return mask;
}

/* Words between the days of a list: "," "and" ", and" "/" "+", or nothing. */
static size_t list_gap(const struct notice_token *t, size_t n, size_t i)
{
	size_t at = i;

	if (at < n && notice_mark(&t[at], ",/+&"))
		at++;
	if (at < n && notice_means(&t[at], NW(AND))) {
		at++;
		/* "SAT, SUN and on HOL" */
		if (at < n && notice_means(&t[at], NW(SMALL)))
			at++;
	}
	if (at > i && at < n && notice_mark(&t[at], "."))      /* "incl. HOL" */
		at++;
	return at;
}

/* The end of a list of days, from a gap in it. */
static size_t list_end(const struct notice_token *t, size_t n, size_t at)
{
	struct notice_days one;
	size_t next;
	int day;

	while (at < n) {
		bool dash = notice_mark(&t[at], "-") || notice_means(&t[at], NW(TO) | NW(UNTIL));

		next = dash ? at + 1 : list_gap(t, n, at);
		if (!read_one(t, n, next, &one, &day))
			break;
		at = next + 1;
	}
	return at;
}

/* "3 HR MON-FRI, SAT/SUN 24 HR", "0700-1500 MON-FRI, SAT/SUN PN 24 HR": does the comma at `at` part the days
 * of two demands? */
static bool parts_demands(const struct notice_token *t, size_t n, size_t i, size_t at)
{
	const uint64_t units = NW(HOURS) | NW(MINUTES), demands = NW(REQUEST) | NW(NONE) | NW(H24);
	bool range = at > i + 2 && !notice_mark(&t[at - 2], ",/") && t[at - 2].kind != NT_WORD;
	size_t end;

	while (i > 0 && notice_means(&t[i - 1], NW(SMALL) | NW(DEMAND)))
		i--;
	if (i == 0 || !notice_mark(&t[at], ",") ||
	    !(notice_means(&t[i - 1], units | demands) || (range && t[i - 1].kind == NT_CLOCK)))
		return false;
	end = list_end(t, n, at);
	while (end < n && (notice_mark(&t[end], ":-") || notice_means(&t[end], NW(DEMAND) | NW(LEAST) | NW(SMALL) | NW(VIA))))
		end++;
	return end < n && (notice_means(&t[end], demands) || ((t[end].kind == NT_NUMBER ||
	    notice_means(&t[end], NW(NUMBER))) && end + 1 < n && notice_means(&t[end + 1], units)));
}

size_t notice_read_days(const struct notice_token *t, size_t n, size_t i, struct notice_days *out)
{
	struct notice_days one;
	int from, to;
	size_t at = i;

	if (!read_one(t, n, at, out, &from))
		return 0;
	for (at++; at < n;) {
		bool dash = notice_mark(&t[at], "-") || (notice_means(&t[at], NW(TO) | NW(UNTIL)) && !notice_means(&t[at], NW(AND)));
		size_t next = dash ? at + 1 : list_gap(t, n, at);

		if (!read_one(t, n, next, &one, &to) || parts_demands(t, n, i, at))
			break;
		if (dash && from >= 0 && to >= 0)
			one.mask = range(from, to);
		out->mask |= one.mask;
		out->holidays |= one.holidays;
		from = to;
		at = next + 1;
	}
	return at - i;
}

struct notice_days notice_days_of(const char *text)
{
	struct arena *work = arena_new();
	struct notice_days all = { 0 }, d;
	size_t n;
	bool cut;
	struct notice_token *t = notice_tokens(work, text, &n, &cut);

	for (size_t i = 0, taken; i < n; i += taken > 0 ? taken : 1) {
		taken = notice_read_days(t, n, i, &d);
		if (taken == 0)
			continue;
		all.mask |= d.mask;
		all.holidays |= d.holidays;
	}
	arena_free(work);
	return all;
}

const char *notice_day_name(unsigned day)
{
	static const char *const names[] = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
		"Saturday", "Sunday" };

	return names[day % 7];
}

/* Where the days form one run, also over the end of the week, its first day; else -1. */
static int only_run(unsigned mask)
{
	int first = -1;

	for (int d = 0; d < 7; d++)
		if (mask & 1U << d && !(mask & 1U << (d + 6) % 7)) {
			if (first >= 0)
				return -1;
			first = d;
		}
	return first;
}

static const char *days_from(struct arena *a, unsigned mask, int first)
{
	const char *text = "";

	for (int i = 0; i < 7; i++) {
		int d = (first + i) % 7, last = d;

		if (!(mask & 1U << d))
			continue;
		while (i < 6 && mask & 1U << (last + 1) % 7) {
			last = (last + 1) % 7;
			i++;
		}
		text = arena_printf(a, "%s%s%.3s", text, *text != '\0' ? ", " : "",
		    notice_day_name((unsigned)d));
		if (last != d)
			text = arena_printf(a, "%s-%.3s", text, notice_day_name((unsigned)last));
	}
	return text;
}

const char *notice_days_text(struct arena *a, struct notice_days d)
{
	int first = only_run(d.mask);
	const char *text = d.mask == NOTICE_ALL_DAYS ? "Mon-Sun" : days_from(a, d.mask, first > 0 ? first : 0);

	if (!d.holidays)
		return text;
	return arena_printf(a, "%s%sHOL", text, *text != '\0' ? "/" : "");
}
