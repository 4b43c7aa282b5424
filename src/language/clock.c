/*
 * Times of day and dates, as pilots of three languages write them: "14h30", "2 pm", "halb drei", "quarter past
 * nine", "1430z", "le 14 juillet", "25.12.".
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/quantity_private.h"

enum { NOON = 12, DAY = 24, HOUR = 60, MONTHS = 12, MONTH_DAYS = 31 };

/* What a number says of the hour. "Four" and "half past three" without more are in the afternoon, because nobody flies
 * before six; "14h30" and "8 Uhr" are what they say. */
enum said { SAID_EXACTLY, SAID_LOOSELY };

struct clock {
	int hour, minute;
	enum said said;
};

static void add_exact(const struct grammar *g, size_t first, size_t last, struct clock c, const char *kind)
{
	if (c.minute < 0) {
		c.minute += HOUR;
		c.hour--;
	}
	evidence_add(g->out, first, last, kind, arena_printf(g->out->mem, "%02d:%02d", (c.hour + DAY) % DAY, c.minute));
}

/* Does a piece of this kind end right before word i? */
static bool ends_before(const struct grammar *g, size_t i, enum piece_kind kind)
{
	enum { WORDS = 3 };

	for (size_t k = i; k-- > 0 && i - k <= WORDS;) {
		const struct piece *p = piece_at(g, k, kind);
		if (p != NULL && p->last + 1 == i)
			return true;
	}
	return false;
}

/* "Open until six", "is it open on Sundays after six": this hour is in the evening. "Open from eight" is not. */
static bool is_closing(const struct grammar *g, size_t first)
{
	enum { FAR = 4 };

	if (ends_before(g, first, PIECE_UNTIL))
		return true;
	/* "after" begins an hour, like "at", and also counts minutes ("ten after six"), unlike "at" */
	if (first == 0 || piece_at(g, first - 1, PIECE_AT_TIME) == NULL || piece_at(g, first - 1, PIECE_MINUTES_PAST) == NULL ||
	    piece_at(g, first - 1, PIECE_FROM) != NULL)
		return false;
	for (size_t k = first - 1; k-- > 0 && first - k <= FAR + 1;)
		if (piece_at(g, k, PIECE_HOURS) != NULL)
			return true;
	return false;
}

/* The hour that is meant if nothing says which half of the day. Nobody flies before six, and what is open "until eight" closes in the
 * evening. */
static int awake(const struct grammar *g, size_t first, int hour)
{
	enum { FLIES_FROM = 6, CLOSES_FROM = 10 };
	const int least = is_closing(g, first) ? CLOSES_FROM : FLIES_FROM;

	return hour + (hour >= 1 && hour < least ? NOON : 0);
}

/* The hour that is meant, if it is in this part of the day. */
static struct clock meant(const struct grammar *g, size_t first, struct clock c, enum part_of_day part)
{
	if (part != PART_NONE)
		c.hour = part_hour(part, c.hour);
	else if (c.said == SAID_LOOSELY)
		c.hour = awake(g, first, c.hour);
	return c;
}

/* The "pm" that begins with word i, which the words of a time end with; NULL: none does. */
static const struct piece *half_of_day_at(const struct grammar *g, size_t i)
{
	static const enum piece_kind kinds[] = { PIECE_PM, PIECE_AM, PIECE_NIGHT };
	const struct piece *best = NULL;

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		const struct piece *p = piece_at(g, i, kinds[k]);
		if (p != NULL && (best == NULL || p->last > best->last) &&
		    (p->kind != PIECE_NIGHT || part_at(g, i).is == PART_NIGHT))
			best = p;
	}
	return best;
}

static enum part_of_day half_of_day(const struct grammar *g, size_t i, const struct piece *p)
{
	const struct day_part part = part_at(g, i);

	return part.is != PART_NONE ? part.is : p->kind == PIECE_PM ? PART_PM : p->kind == PIECE_AM ? PART_AM : PART_NIGHT;
}

/* A time as it stands, and with the "pm" behind it. kind NULL: it is no time without that. In "um acht am Montag" the "am" is no "am" of
 * the clock, so the time without it is kept too. */
static void add_time(const struct grammar *g, size_t first, size_t last, struct clock c, const char *kind)
{
	const size_t next = last + 1;
	const struct piece *half = half_of_day_at(g, next);
	/* "one night" is no time; "zwei Uhr nachts" is */
	if (half != NULL && half->kind == PIECE_NIGHT && half->last == next && !streq(kind, "time"))
		half = NULL;
	const bool is_half = half != NULL && (half->last > next || piece_at(g, next, PIECE_AT_TIME) == NULL);
	enum part_of_day part = is_half ? half_of_day(g, next, half) : part_behind(g, last);

	if (part == PART_NONE)
		part = part_before(g, first);
	if (kind != NULL)
		add_exact(g, first, last, meant(g, first, c, part), kind);
	if (half == NULL)
		return;
	part = half_of_day(g, next, half);
	if (part == PART_AM && c.hour == NOON)
		c.hour = 0;
	add_exact(g, first, half->last, meant(g, first, c, part), "time");
}

/* Minutes in digits directly at word i: "30" of "14h30". */
static bool minutes_at(const struct grammar *g, size_t i, int *minute)
{
	if (i >= g->w->n || g->w->word[i].kind != WORD_NUMBER || g->w->word[i].value >= HOUR ||
	    g->w->word[i].end - g->w->word[i].start != 2)
		return false;
	*minute = (int)g->w->word[i].value;
	return true;
}

static void add_minutes(const struct grammar *g, size_t first, size_t last, struct clock c, int minute)
{
	c.minute = minute;
	add_time(g, first, last, c, "time");
}

/* What follows "huit heures": "trente", "et quart", "et demie", "moins le quart", "moins dix", "15". */
static void add_after_oclock(const struct grammar *g, size_t first, struct clock c, size_t last)
{
	const struct piece *p;
	struct number m;
	int minute;

	add_minutes(g, first, last, c, 0);
	if (minutes_at(g, last + 1, &minute))
		add_minutes(g, first, last + 1, c, minute);
	else if (number_read(g, last + 1, &m) && number_is_minutes(&m))
		add_minutes(g, first, m.last, c, (int)m.value);
	if ((p = piece_at(g, last + 1, PIECE_QUARTER_PAST)) != NULL)
		add_minutes(g, first, p->last, c, 15);
	if ((p = piece_at(g, last + 1, PIECE_QUARTER_TO)) != NULL)
		add_minutes(g, first, p->last, c, -15);
	if ((p = piece_at(g, last + 1, PIECE_FRACTION)) != NULL && piece_number(p) < 1)
		add_minutes(g, first, p->last, c, (int)(HOUR * piece_number(p)));
	if ((p = piece_at(g, last + 1, PIECE_MINUTES_TO)) != NULL && number_read(g, p->last + 1, &m) &&
	    number_whole(&m, 1, HOUR - 1))
		add_minutes(g, first, m.last, c, -(int)m.value);
}

/* "1430": four digits, zeros at the beginning included. */
static void find_four_digits(const struct grammar *g, size_t i)
{
	const struct word *w = &g->w->word[i];
	const int value = (int)(w->value < 10000 ? w->value : 0);
	const struct clock c = { value / 100, value % 100, SAID_EXACTLY };
	const struct piece *oclock = piece_at(g, i + 1, PIECE_OCLOCK);

	if (w->end - w->start != 4 || strspn(g->w->text + w->start, "0123456789") < 4 ||
	    c.hour >= DAY || c.minute >= HOUR)
		return;
	if (oclock != NULL)
		add_time(g, i, oclock->last, c, "time");
	else
		add_time(g, i, i, c, "time.bare");
}

/* "14:30", "14.30" */
static void find_digits(const struct grammar *g, size_t i)
{
	const struct words *w = g->w;
	const char *text = w->text + w->word[i].start;
	const size_t n = w->word[i].end - w->word[i].start, digits = strspn(text, "0123456789");
	const int hour = (int)(w->word[i].value <= DAY ? w->word[i].value : DAY + 1);
	struct clock c = { hour, 0, SAID_EXACTLY };
	int minute;

	if (hour > DAY)
		return;
	if (i + 2 < w->n && streq(w->word[i + 1].fold, ":") && !w->word[i + 1].gap && minutes_at(g, i + 2, &minute)) {
		const struct piece *oclock = piece_at(g, i + 3, PIECE_OCLOCK);
		c.minute = minute;
		add_time(g, i, i + 2, c, "time");
		if (oclock != NULL)
			add_time(g, i, oclock->last, c, "time");
	} else if (n == digits + 3 && digits <= 2 && text[digits] == '.' &&
	    strspn(text + digits + 1, "0123456789") >= 2) {
		const struct piece *oclock = piece_at(g, i + 1, PIECE_OCLOCK);
		c.minute = (text[digits + 1] - '0') * 10 + text[digits + 2] - '0';
		if (c.minute < HOUR && (oclock != NULL || piece_at(g, i + 1, PIECE_AM) != NULL ||
		    piece_at(g, i + 1, PIECE_PM) != NULL))
			add_time(g, i, oclock != NULL ? oclock->last : i, c, "time");
		else if (c.minute < HOUR)
			add_time(g, i, i, c, "time.bare");
	}
}

static struct clock loosely(const struct number *hour)
{
	return (struct clock){ (int)hour->value, 0, SAID_LOOSELY };
}

/* "half past six", "halb drei", "viertel nach acht", "zehn vor acht", "viertel acht" */
static void find_before_hour(const struct grammar *g, size_t i, const struct number *x)
{
	static const struct {
		enum piece_kind kind;
		int minutes;
	} parts[] = {
		{ PIECE_HALF_PAST, 30 }, { PIECE_HALF_TO, -30 }, { PIECE_QUARTER_PAST, 15 },
		{ PIECE_QUARTER_TO, -15 }, { PIECE_QUARTER_TOWARDS, -45 },
	};
	const struct piece *p;
	struct number hour;

	for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++)
		if ((p = piece_at(g, i, parts[k].kind)) != NULL && number_read(g, p->last + 1, &hour) &&
		    number_whole(&hour, 1, DAY))
			add_minutes(g, i, hour.last, loosely(&hour), parts[k].minutes);
	if (!number_whole(x, 1, HOUR - 1))
		return;
	for (int to = 0; to < 2; to++)
		if ((p = piece_at(g, x->last + 1, to ? PIECE_MINUTES_TO : PIECE_MINUTES_PAST)) != NULL &&
		    number_read(g, p->last + 1, &hour) && number_whole(&hour, 1, DAY))
			add_minutes(g, i, hour.last, loosely(&hour), to ? -(int)x->value : (int)x->value);
}

/* "früh um acht", "tomorrow morning 9", "nachts um zwei", "Mittag gegen eins" */
static void find_after_part_of_day(const struct grammar *g, size_t i)
{
	const struct day_part part = part_at(g, i);
	const struct piece *at = part.is != PART_NONE ? piece_at(g, part.last + 1, PIECE_AT_TIME) : NULL;
	struct number hour;

	if (part.is == PART_NONE || !number_read(g, (at != NULL ? at->last : part.last) + 1, &hour) ||
	    !number_whole(&hour, 0, DAY))
		return;
	const struct piece *oclock = piece_at(g, hour.last + 1, PIECE_OCLOCK);
	if (oclock == NULL && piece_at(g, hour.last + 1, PIECE_UNIT) != NULL)
		return;
	if (part.is == PART_NIGHT && at == NULL && oclock == NULL)
		return;
	const struct clock c = { part_hour(part.is, (int)hour.value), 0, SAID_EXACTLY };
	add_exact(g, i, oclock != NULL ? oclock->last : hour.last, c, "time");
	if (at == NULL && oclock == NULL)
		add_exact(g, hour.first, hour.last, c, "hour");
}

/* "at nine", "um acht" */
static void find_bare_hour(const struct grammar *g, size_t i)
{
	const struct piece *at = piece_at(g, i, PIECE_AT_TIME);
	struct number hour;

	if (at != NULL && number_read(g, at->last + 1, &hour) && number_whole(&hour, 0, DAY))
		add_time(g, hour.first, hour.last, loosely(&hour), "hour");
}

/* "8 o'clock", "huit heures et quart", "eleven thirty", "2 pm" */
static void find_hour(const struct grammar *g, const struct number *x)
{
	const struct piece *oclock = piece_at(g, x->last + 1, PIECE_OCLOCK);
	struct clock c = loosely(x);
	struct number minutes;

	if (!x->digits && number_read(g, x->last + 1, &minutes) && number_is_minutes(&minutes))
		add_minutes(g, x->first, minutes.last, c, (int)minutes.value);
	if (x->digits)
		c.said = SAID_EXACTLY;
	if (oclock != NULL)
		add_after_oclock(g, x->first, c, oclock->last);
	else
		add_time(g, x->first, x->last, c, NULL);
}

static void find_times(const struct grammar *g, size_t i, const struct number *x)
{
	const struct piece *clock = piece_at(g, i, PIECE_CLOCK);

	if (clock != NULL && clock->value != NULL)
		add_after_oclock(g, i, (struct clock){ (int)strtol(clock->value, NULL, 10), 0, SAID_EXACTLY }, clock->last);
	find_bare_hour(g, i);
	find_before_hour(g, i, x);
	find_after_part_of_day(g, i);
	if (x != NULL && x->digits) {
		find_four_digits(g, i);
		find_digits(g, i);
	}
	if (number_whole(x, 0, DAY))
		find_hour(g, x);
}

/* ---- dates --------------------------------------------------------------------------- */

static bool is_year(const struct word *w)
{
	return w->end - w->start == 4 && w->value >= 1900 && w->value < 2200;
}

/* A date, and with the year behind it. */
static void add_date(const struct grammar *g, size_t first, size_t last, int day, int month)
{
	const char *text;

	if (day < 1 || day > MONTH_DAYS || month < 1 || month > MONTHS)
		return;
	text = arena_printf(g->out->mem, "%02d-%02d", day, month);
	evidence_add(g->out, first, last, "day", text);
	if (last + 1 < g->w->n && g->w->word[last + 1].kind == WORD_NUMBER && is_year(&g->w->word[last + 1]))
		evidence_add(g->out, first, last + 1, "day", text);
}

/* "2026-12-24" */
static void find_iso_date(const struct grammar *g, size_t i)
{
	const struct word *w = &g->w->word[i];

	if (i + 4 < g->w->n && is_year(w) && streq(w[1].fold, "-") && streq(w[3].fold, "-") && !w[1].gap &&
	    w[2].kind == WORD_NUMBER && !w[2].gap && !w[3].gap && w[4].kind == WORD_NUMBER && !w[4].gap &&
	    w[2].value <= MONTHS)
		add_date(g, i, i + 4, (int)fmin(w[4].value, MONTH_DAYS + 1), (int)w[2].value);
}

/* "25.12.", "25/12" */
static void find_numeric_date(const struct grammar *g, size_t i)
{
	const struct words *w = g->w;
	const char *text = w->text + w->word[i].start;
	const char *end = w->text + w->word[i].end;
	char *rest;

	if (w->word[i].end - w->word[i].start > 5)
		return;
	const int day = (int)strtol(text, &rest, 10);
	if (rest < end && *rest == '.')
		add_date(g, i, i + 1 < w->n && streq(w->word[i + 1].fold, ".") && !w->word[i + 1].gap ? i + 1 : i,
		    day, (int)strtol(rest + 1, NULL, 10));
	else if (i + 2 < w->n && streq(w->word[i + 1].fold, "/") && !w->word[i + 1].gap &&
	    w->word[i + 2].kind == WORD_NUMBER && w->word[i + 2].value <= 12)
		add_date(g, i, i + 2, day, (int)w->word[i + 2].value);
}

static void find_dates(const struct grammar *g, size_t i, const struct number *x)
{
	const struct piece *date = piece_at(g, i, PIECE_DATE), *ordinal = piece_at(g, i, PIECE_ORDINAL), *p;
	const struct piece *month = piece_at(g, i, PIECE_MONTH);
	struct number day;

	if (date != NULL && date->value != NULL && strchr(date->value, '-') != NULL)
		add_date(g, i, date->last, (int)strtol(date->value, NULL, 10),
		    (int)strtol(strchr(date->value, '-') + 1, NULL, 10));
	if (month != NULL && number_read(g, month->last + 1, &day) && number_whole(&day, 1, 31)) {
		p = piece_at(g, day.last + 1, PIECE_ORDINAL_ENDING);
		add_date(g, i, day.last, (int)day.value, (int)piece_number(month));
		if (p != NULL && !g->w->word[day.last + 1].gap)
			add_date(g, i, p->last, (int)day.value, (int)piece_number(month));
	}
	if (x != NULL && x->digits) {
		find_numeric_date(g, i);
		find_iso_date(g, i);
	}
	if (ordinal == NULL && !number_whole(x, 1, 31))
		return;
	size_t at = (ordinal != NULL ? ordinal->last : x->last) + 1;
	if (ordinal == NULL && (p = piece_at(g, at, PIECE_ORDINAL_ENDING)) != NULL)
		at = p->last + 1;
	if ((p = piece_at(g, at, PIECE_DATE_OF)) != NULL)
		at = p->last + 1;
	if ((p = piece_at(g, at, PIECE_MONTH)) != NULL)
		add_date(g, i, p->last, ordinal != NULL ? (int)piece_number(ordinal) : (int)x->value,
		    (int)piece_number(p));
}

void clock_find(const struct grammar *g, size_t i, const struct number *x)
{
	find_times(g, i, x);
	find_dates(g, i, x);
}
