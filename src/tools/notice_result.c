/*
 * Days in questions, and what a notice says about them.
 */
#include "tools/notice_result.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/str.h"

enum { DAY_TEXT = 80, DAY_S = 86400 };

/* Days since 1970-01-01, which was a Thursday. */
static unsigned weekday_of(int64_t days)
{
	return (unsigned)(((days + 3) % 7 + 7) % 7);
}

static int days_in(int month, int year)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

/* "2026-11-29": its day since 1970; false: it is no date, or one that does not exist. */
static bool read_date(const char *text, int64_t *days)
{
	int year, month, day, n = 0;

	if (sscanf(text, " %4d-%2d-%2d %n", &year, &month, &day, &n) != 3 || text[n] != '\0')
		return false;
	if (year < 1970 || month < 1 || month > 12 || day < 1 || day > days_in(month, year))
		return false;
	*days = day - 1;
	for (int y = 1970; y < year; y++)
		*days += 337 + days_in(2, y);
	for (int m = 1; m < month; m++)
		*days += days_in(m, year);
	return true;
}

struct notice_days notice_asked_days(const char *text)
{
	static const struct {
		const char *word;
		int ahead;
	} words[] = { { "day after tomorrow", 2 }, { "tomorrow", 1 }, { "today", 0 }, { "tonight", 0 }, { "now", 0 } };
	const int64_t today = clock_wall_us() / 1000000 / DAY_S;
	char lower[DAY_TEXT];
	size_t n = utf8_cut(text, strlen(text), DAY_TEXT - 1);
	int64_t date;

	memcpy(lower, text, n);
	lower[n] = '\0';
	str_lower(lower);
	if (read_date(lower, &date))
		return (struct notice_days){ .mask = 1U << weekday_of(date) };
	if (isdigit((unsigned char)str_trim(str_of(lower)).p[0]))
		return (struct notice_days){ 0 };
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(lower, words[i].word) != NULL)
			return (struct notice_days){ .mask = 1U << weekday_of(today + words[i].ahead) };
	return notice_days_of(lower);
}

/* The rules for the days, each once. */
static size_t rules_for(const struct notice *n, struct notice_days days,
    const struct notice_day_rule *rule[8])
{
	size_t count = 0;

	for (unsigned day = 0; day <= 7; day++) {
		const struct notice_day_rule *r = day < 7
		    ? days.mask & 1U << day ? notice_rule_for_day(n, day) : NULL
		    : days.holidays ? notice_rule_for_holidays(n) : NULL;
		bool again = r == NULL;

		for (size_t i = 0; i < count; i++)
			again |= rule[i] == r;
		if (!again)
			rule[count++] = r;
	}
	return count;
}

const char *notice_said_for(struct arena *a, const struct notice *n, struct notice_days days)
{
	const struct notice_day_rule *rule[8];
	const size_t count = rules_for(n, days, rule);
	const char *text = count == 0 ? NULL : count == 1 ? rule[0]->text : "";

	for (size_t i = 0; i < count && count > 1; i++)
		text = arena_printf(a, "%s%s%s: %s", text, i > 0 ? "; " : "", rule[i]->key, rule[i]->text);
	return text;
}

double notice_hours_for(const struct notice *n, struct notice_days days)
{
	const struct notice_day_rule *rule[8];

	return rules_for(n, days, rule) == 1 ? rule[0]->hours : (double)NAN;
}

const char *notice_line(struct arena *a, const struct notice *n, struct notice_days days)
{
	const char *said = notice_said_for(a, n, days);

	if (said != NULL)
		return said;
	said = notice_text(a, n);
	if (*said != '\0')
		return said;
	return isnan(n->hours) ? "" : arena_printf(a, "%gh notice", n->hours);
}
