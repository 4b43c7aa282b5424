/*
 * Days of the calendar. They are counted from 1 March of a year, so that the leap day is the last
 * one of its year.
 */
#include "airports/day.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"

enum { YEAR_FIRST = 1901, YEAR_LAST = 2099, WEEK = 7, EPOCH_WEEKDAY = 3 /* 1970-01-01: Thursday */,
	DAYS_400 = 146097, DAYS_TO_1970 = 719468 };

static const char *const months[] = { "January", "February", "March", "April", "May", "June", "July",
	"August", "September", "October", "November", "December" };
static const char *const weekdays[] = { "monday", "tuesday", "wednesday", "thursday", "friday",
	"saturday", "sunday" };

int64_t day_number(struct day d)
{
	const int64_t year = d.month > 2 ? d.year : d.year - 1;
	const int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
	const int64_t month = (d.month + 9) % 12, of_year = (153 * month + 2) / 5 + d.day - 1;

	return era * DAYS_400 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - DAYS_TO_1970;
}

struct day day_of_number(int64_t n)
{
	const int64_t z = n + DAYS_TO_1970;
	const int64_t era = (z >= 0 ? z : z - (DAYS_400 - 1)) / DAYS_400, of_era = z - era * DAYS_400;
	const int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / (DAYS_400 - 1)) / 365;
	const int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
	const int64_t month = (5 * of_year + 2) / 153;
	const int m = (int)(month < 10 ? month + 3 : month - 9);

	return (struct day){ (int)(years + era * 400) + (m <= 2), m,
		(int)(of_year - (153 * month + 2) / 5 + 1) };
}

struct day day_today(void)
{
	return day_of_number(clock_wall_us() / 1000000 / 86400);
}

static int weekday_of(int64_t n)
{
	return (int)(((n + EPOCH_WEEKDAY) % WEEK + WEEK) % WEEK);
}

const char *day_weekday(struct day d)
{
	return weekdays[weekday_of(day_number(d))];
}

static int length_of(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

enum errcode day_check(struct day d, struct err *e)
{
	if (d.year < YEAR_FIRST || d.year > YEAR_LAST)
		return err_set(e, ERR_INPUT, "The year must be from %d to %d, not %d.", YEAR_FIRST,
		    YEAR_LAST, d.year);
	if (d.month < 1 || d.month > 12)
		return err_set(e, ERR_INPUT, "There is no month %d: a year has twelve.", d.month);
	if (d.day < 1 || d.day > length_of(d.year, d.month))
		return err_set(e, ERR_INPUT, "There is no %d %s %d: that month has %d days.", d.day,
		    months[d.month - 1], d.year, length_of(d.year, d.month));
	return OK;
}

/* "2026-12-24" and nothing else. */
static bool parse_iso(const char *s, struct day *out)
{
	static const char shape[] = "dddd-dd-dd";
	size_t i = 0;

	for (; shape[i] != '\0'; i++)
		if (shape[i] == 'd' ? s[i] < '0' || s[i] > '9' : s[i] != shape[i])
			return false;
	if (s[i] != '\0')
		return false;
	*out = (struct day){ (s[0] - '0') * 1000 + (s[1] - '0') * 100 + (s[2] - '0') * 10 + s[3] - '0',
		(s[5] - '0') * 10 + s[6] - '0', (s[8] - '0') * 10 + s[9] - '0' };
	return true;
}

enum errcode day_parse(const char *text, struct day today, struct day *out, struct err *e)
{
	static const struct { const char *word; int days; } near[] = {
		{ "today", 0 }, { "tonight", 0 }, { "tomorrow", 1 },
	};
	const struct str s = str_trim(str_of(text));
	const int64_t now = day_number(today);
	char iso[DAY_TEXT];

	for (size_t i = 0; i < sizeof(near) / sizeof(near[0]); i++)
		if (str_ieq(s, near[i].word)) {
			*out = day_of_number(now + near[i].days);
			return OK;
		}
	for (int i = 0; i < WEEK; i++)
		if (str_ieq(s, weekdays[i])) {
			*out = day_of_number(now + (i - weekday_of(now) + WEEK) % WEEK);
			return OK;
		}
	snprintf(iso, sizeof(iso), "%.*s", (int)(s.n < sizeof(iso) ? s.n : sizeof(iso) - 1), s.p);
	if (!parse_iso(iso, out))
		return err_set(e, ERR_INPUT, "\"%.*s\" is not a date: write it like 2026-12-24, or "
		    "today, tomorrow, or a weekday.", (int)utf8_cut(s.p, s.n, 40), s.p);
	return day_check(*out, e);
}

void day_iso(char out[DAY_TEXT], struct day d)
{
	snprintf(out, DAY_TEXT, "%04d-%02d-%02d", d.year % 10000, d.month % 100, d.day % 100);
}

void day_said(char out[DAY_TEXT], struct day d)
{
	const char *month = d.month >= 1 && d.month <= 12 ? months[d.month - 1] : "?";

	snprintf(out, DAY_TEXT, "%d %s %d", d.day % 100, month, d.year % 10000);
}

int day_month(const char *name)
{
	enum { SHORT = 3 };

	for (int i = 0; i < 12; i++)
		if (strieq(name, months[i]) ||
		    (strlen(name) == SHORT && str_ieq(str_of(name),
		        (char[SHORT + 1]){ months[i][0], months[i][1], months[i][2], '\0' })))
			return i + 1;
	return 0;
}
