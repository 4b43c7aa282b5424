/*
 * The day that a message names: "tomorrow", "on Saturday", "2026-12-24", "24 December", "Dec 24 2027",
 * "24/12/2026", "24.12.2026".
 *
 * And the time of day: "at 1400", "14:00", "2 pm". A bare number is a time only after "at" and the like.
 *
 * A day of a month without a year is the next such day. A day that does not exist is returned too, so
 * that the answer can say so.
 */
#include "agents/aviation/builtin/day_mention.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "agents/aviation/builtin/word_lists.h"
#include "airports/day.h"
#include "airports/notice_rules.h"
#include "base/str.h"

enum { YEAR_LEAST = 1000, YEAR_MOST = 9999, CENTURY = 2000 };

static const struct token *at(const struct lexed *x, size_t i)
{
	static const struct token none = { .kind = TOK_SYMBOL, .fold = "" };

	return i < x->n ? &x->tok[i] : &none;
}

/* A whole number of digits in that range. */
static bool number_at(const struct lexed *x, size_t i, int least, int most, int *out)
{
	const struct token *t = at(x, i);

	if (t->kind != TOK_NUMBER || !(t->value >= least) || !(t->value <= most) ||
	    floor(t->value) != t->value)
		return false;
	*out = (int)t->value;
	return true;
}

/* The day as a date. Year 0, no year: this year, or the next one if the day has passed. */
static const char *day_of(struct arena *a, int year, int month, int day)
{
	struct day d = { year, month, day };
	char text[DAY_TEXT];

	if (year == 0) {
		const struct day today = day_today();
		d.year = today.year;
		if (day_number(d) < day_number(today))
			d.year++;
	}
	day_iso(text, d);
	return arena_strdup(a, text);
}

/* "2026-12-24" */
static const char *iso_at(struct arena *a, const struct lexed *x, size_t i, size_t *n)
{
	int year, month, day;

	*n = 5;
	if (!number_at(x, i, YEAR_LEAST, YEAR_MOST, &year) || !streq(at(x, i + 1)->fold, "-") ||
	    !number_at(x, i + 2, 0, 99, &month) || !streq(at(x, i + 3)->fold, "-") ||
	    !number_at(x, i + 4, 0, 99, &day))
		return NULL;
	return day_of(a, year, month, day);
}

/* "31/12/2026", "31.12.2026", "31/12/26": the day comes first. The lexer reads "31.12" as one number. */
static const char *numeric_at(struct arena *a, const struct lexed *x, size_t i, size_t *n)
{
	const struct token *t = at(x, i), *next = at(x, i + 1);
	int day, month, year;
	size_t last;
	double v;

	if (t->kind == TOK_NUMBER && streq(next->fold, ".") && strchr(t->fold, '.') != NULL) {
		const char *dot = strchr(t->fold, '.');
		if (dot - t->fold > 2 || strlen(dot + 1) < 1 || strlen(dot + 1) > 2 ||
		    !str_to_double(arena_strndup(a, t->fold, (size_t)(dot - t->fold)), &v))
			return NULL;
		day = (int)v;
		if (!str_to_double(dot + 1, &v))
			return NULL;
		month = (int)v;
		last = i + 2;
	} else if (number_at(x, i, 0, 99, &day) && streq(next->fold, "/") && number_at(x, i + 2, 0, 99, &month) &&
	    streq(at(x, i + 3)->fold, "/")) {
		last = i + 4;
	} else {
		return NULL;
	}
	/* without blanks: "runway 13 / 31" is no date */
	for (size_t k = i + 1; k <= last; k++)
		if (at(x, k)->gap)
			return NULL;
	const size_t digits = strlen(at(x, last)->fold);
	if (!number_at(x, last, 0, YEAR_MOST, &year) || (digits != 2 && digits != 4))
		return NULL;
	*n = last + 1 - i;
	return day_of(a, digits == 2 ? CENTURY + year : year, month, day);
}

/* "December 24", "December 24th, 2027": the name of the month is token i. */
static const char *day_after(struct arena *a, const struct lexed *x, size_t i, int month, size_t *n)
{
	size_t end = i + 2;
	int day, year = 0;

	if (!number_at(x, i + 1, 0, 99, &day))
		return NULL;
	end += word_listed(LIST_DAY_ENDINGS, at(x, end)->fold);
	*n = end - i;
	end += streq(at(x, end)->fold, ",");
	if (number_at(x, end, YEAR_LEAST, YEAR_MOST, &year))
		*n = end + 1 - i;
	return day_of(a, year, month, day);
}

/* "24 December", "24th of December 2027", "December 24" */
static const char *month_at(struct arena *a, const struct lexed *x, size_t i, size_t *first, size_t *n)
{
	const int month = at(x, i)->kind == TOK_WORD ? day_month(at(x, i)->fold) : 0;
	size_t before = i;
	int day, year = 0;

	*first = i;
	if (month == 0)
		return NULL;
	if (before > 0 && streq(at(x, before - 1)->fold, "of"))
		before--;
	if (before > 0 && word_listed(LIST_DAY_ENDINGS, at(x, before - 1)->fold))
		before--;
	if (before == 0 || !number_at(x, before - 1, 0, 99, &day))
		return day_after(a, x, i, month, n);
	*first = before - 1;
	*n = i + 1 - *first + number_at(x, i + 1, YEAR_LEAST, YEAR_MOST, &year);
	return day_of(a, year, month, day);
}

const char *day_mention(struct arena *a, const struct lexed *x, size_t *first, size_t *n)
{
	for (size_t i = 0; i < x->n; i++) {
		const char *day = iso_at(a, x, i, n);
		*first = i;
		if (day == NULL)
			day = numeric_at(a, x, i, n);
		if (day == NULL)
			day = month_at(a, x, i, first, n);
		if (day == NULL && word_listed(LIST_DAYS, at(x, i)->fold)) {
			day = at(x, i)->fold;
			*n = 1;
		}
		if (day != NULL)
			return day;
	}
	return NULL;
}

/* The tokens of a holiday's name that begins at token i: "Christmas", "New Year"; 0: there is none. */
static size_t holiday_at(const struct lexed *x, size_t i)
{
	if (word_listed(LIST_HOLIDAYS, at(x, i)->fold))
		return 1;
	return word_listed(LIST_HOLIDAY_BEGINS, at(x, i)->fold) &&
	    word_listed(LIST_HOLIDAY_ENDS, at(x, i + 1)->fold) ? 2 : 0;
}

bool holiday_mention(const struct lexed *x, const char *day)
{
	if (day != NULL && strlen(day) > 5 && one_of(day + 4, "-12-25|-01-01"))
		return true;
	for (size_t i = 0; i < x->n; i++) {
		size_t next = i + holiday_at(x, i);
		if (next == i)
			continue;
		while (one_of(at(x, next)->fold, "'|s|'s"))
			next++;
		if (!word_listed(LIST_HOLIDAY_EVES, at(x, next)->fold))
			return true;
	}
	return false;
}

const char *days_mention(struct arena *a, const char *text, const char *day, bool holiday)
{
	const struct notice_days d = notice_days_of(text);
	const char *list = "";

	if (day != NULL && isdigit((unsigned char)day[0]) && !holiday && !d.holidays)
		return day;
	for (unsigned i = 0; i < 7; i++)
		if (d.mask & 1U << i)
			list = arena_printf(a, "%s%s%s", list, *list != '\0' ? ", " : "", notice_day_name(i));
	if (d.mask == NOTICE_WEEKEND)
		list = "weekend";
	if (d.holidays || holiday)
		list = arena_printf(a, "%s%sholiday", list, *list != '\0' ? ", " : "");
	return *list != '\0' ? list : day;
}

/* ---- the time of day ------------------------------------------------------------------- */

static bool word_at(const struct lexed *x, size_t i, const char *words)
{
	return at(x, i)->kind != TOK_NUMBER && one_of(at(x, i)->fold, words);
}

/* "1400", four digits. */
static bool four_digits(const struct lexed *x, size_t i, int *hour, int *minute)
{
	int v;

	if (strlen(at(x, i)->fold) != 4 || !number_at(x, i, 0, 2359, &v))
		return false;
	*hour = v / 100;
	*minute = v % 100;
	return true;
}

/* The tokens of a time that begins at token i; 0: there is none. */
static size_t clock_at(const struct lexed *x, size_t i, int *hour, int *minute)
{
	const bool placed = i > 0 && word_listed(LIST_BEFORE_CLOCKS, at(x, i - 1)->fold);
	size_t n = 1;

	*minute = 0;
	if (word_listed(LIST_NOON, at(x, i)->fold)) {
		*hour = 12;
		return 1;
	}
	/* an impossible time too, so that the answer can say so */
	if (number_at(x, i, 0, 99, hour) && streq(at(x, i + 1)->fold, ":") &&
	    strlen(at(x, i + 2)->fold) == 2 && number_at(x, i + 2, 0, 99, minute)) {
		n = 3;
	} else if (four_digits(x, i, hour, minute)) {
		const bool zone = word_at(x, i + 1, "z|utc|lt|hrs|local");
		if (!(zone || (placed && !word_at(x, i + 1, "ft|feet|foot|m|metre|meter|metres|meters|nm|km"))))
			return 0;
		return 1 + zone;
	} else if (!number_at(x, i, 0, 23, hour)) {
		return 0;
	}
	if (word_at(x, i + n, "am|pm|a.m|p.m") && *hour >= 1 && *hour <= 12) {
		*hour = *hour % 12 + (at(x, i + n)->fold[0] == 'p' ? 12 : 0);
		return n + 1;
	}
	if (n == 3)
		return n + word_at(x, i + n, "z|utc|lt|hrs|h|local");
	return placed && word_at(x, i + 1, "h|hrs|o'clock") ? 2 : 0;
}

const char *clock_mention(struct arena *a, const struct lexed *x, size_t *first, size_t *n)
{
	int hour, minute;

	for (size_t i = 0; i < x->n; i++)
		if ((*n = clock_at(x, i, &hour, &minute)) > 0) {
			*first = i;
			return arena_printf(a, "%02d:%02d", hour, minute);
		}
	return NULL;
}
