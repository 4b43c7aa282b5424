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

static void add_exact(const struct grammar *g, size_t first, size_t last, int hour, int minute, const char *kind)
{
	if (minute < 0) {
		minute += HOUR;
		hour--;
	}
	hour = (hour + DAY) % DAY;
	evidence_add(g->out, first, last, kind, arena_printf(g->out->mem, "%02d:%02d", hour, minute));
}

/* A time as it stands, and with the "pm" behind it, which may be another word ("um acht am Montag"). kind NULL: it is
 * no time without that. */
static void add_time(const struct grammar *g, size_t first, size_t last, int hour, int minute, const char *kind)
{
	const struct piece *am = piece_at(g, last + 1, PIECE_AM), *pm = piece_at(g, last + 1, PIECE_PM);

	if (kind != NULL)
		add_exact(g, first, last, hour, minute, kind);
	if (pm != NULL)
		add_exact(g, first, pm->last, hour + (hour < NOON ? NOON : 0), minute, "time");
	else if (am != NULL)
		add_exact(g, first, am->last, hour == NOON ? 0 : hour, minute, "time");
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

/* What follows "huit heures": "et quart", "et demie", "moins le quart", "moins dix", "15". */
static void add_after_oclock(const struct grammar *g, size_t first, int hour, size_t last)
{
	const struct piece *p;
	struct number m;
	int minute;

	add_time(g, first, last, hour, 0, "time");
	if (minutes_at(g, last + 1, &minute))
		add_time(g, first, last + 1, hour, minute, "time");
	if ((p = piece_at(g, last + 1, PIECE_QUARTER_PAST)) != NULL)
		add_time(g, first, p->last, hour, 15, "time");
	if ((p = piece_at(g, last + 1, PIECE_QUARTER_TO)) != NULL)
		add_time(g, first, p->last, hour, -15, "time");
	if ((p = piece_at(g, last + 1, PIECE_FRACTION)) != NULL && piece_number(p) < 1)
		add_time(g, first, p->last, hour, (int)(HOUR * piece_number(p)), "time");
	if ((p = piece_at(g, last + 1, PIECE_MINUTES_TO)) != NULL && number_read(g, p->last + 1, &m) &&
	    number_whole(&m, 1, HOUR - 1))
		add_time(g, first, m.last, hour, -(int)m.value, "time");
}

/* "1430": four digits, zeros at the beginning included. */
static void find_four_digits(const struct grammar *g, size_t i)
{
	const struct word *w = &g->w->word[i];
	const int value = (int)(w->value < 10000 ? w->value : 0);
	const struct piece *oclock = piece_at(g, i + 1, PIECE_OCLOCK);

	if (w->end - w->start != 4 || strspn(g->w->text + w->start, "0123456789") < 4 ||
	    value / 100 >= DAY || value % 100 >= HOUR)
		return;
	if (oclock != NULL)
		add_time(g, i, oclock->last, value / 100, value % 100, "time");
	else
		add_time(g, i, i, value / 100, value % 100, "time.bare");
}

/* "14:30", "14.30" */
static void find_digits(const struct grammar *g, size_t i)
{
	const struct words *w = g->w;
	const char *text = w->text + w->word[i].start;
	const size_t n = w->word[i].end - w->word[i].start, digits = strspn(text, "0123456789");
	const int hour = (int)(w->word[i].value <= DAY ? w->word[i].value : DAY + 1);
	int minute;

	if (hour > DAY)
		return;
	if (i + 2 < w->n && streq(w->word[i + 1].fold, ":") && !w->word[i + 1].gap && minutes_at(g, i + 2, &minute)) {
		const struct piece *oclock = piece_at(g, i + 3, PIECE_OCLOCK);
		add_time(g, i, oclock != NULL ? oclock->last : i + 2, hour, minute, "time");
	} else if (n == digits + 3 && digits <= 2 && text[digits] == '.' &&
	    strspn(text + digits + 1, "0123456789") >= 2) {
		const struct piece *oclock = piece_at(g, i + 1, PIECE_OCLOCK);
		minute = (text[digits + 1] - '0') * 10 + text[digits + 2] - '0';
		if (minute < HOUR && (oclock != NULL || piece_at(g, i + 1, PIECE_AM) != NULL ||
		    piece_at(g, i + 1, PIECE_PM) != NULL))
			add_time(g, i, oclock != NULL ? oclock->last : i, hour, minute, "time");
		else if (minute < HOUR)
			add_time(g, i, i, hour, minute, "time.bare");
	}
}

/* "At four" and "half past three" without more are in the afternoon, because nobody flies before six. What is open
 * "until eight" closes in the evening. */
static int awake(double hour, bool closing)
{
	const int early = closing ? 10 : 6;

	return (int)hour + (hour >= 1 && hour < early ? NOON : 0);
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
			add_time(g, i, hour.last, awake(hour.value, false), parts[k].minutes, "time");
	if (!number_whole(x, 1, HOUR - 1))
		return;
	for (int to = 0; to < 2; to++)
		if ((p = piece_at(g, x->last + 1, to ? PIECE_MINUTES_TO : PIECE_MINUTES_PAST)) != NULL &&
		    number_read(g, p->last + 1, &hour) && number_whole(&hour, 1, DAY))
			add_time(g, i, hour.last, awake(hour.value, false), to ? -(int)x->value : (int)x->value,
			    "time");
}

/* "früh um acht", "tomorrow morning 9" */
static void find_after_part_of_day(const struct grammar *g, size_t i)
{
	const struct piece *am = piece_at(g, i, PIECE_AM), *pm = piece_at(g, i, PIECE_PM);
	const struct piece *part = pm != NULL ? pm : am;
	const struct piece *at = part != NULL ? piece_at(g, part->last + 1, PIECE_AT_TIME) : NULL;
	const size_t from = at != NULL ? at->last + 1 : part != NULL ? part->last + 1 : 0;
	struct number hour;

	if (part == NULL || !number_read(g, from, &hour) || !number_whole(&hour, 0, DAY))
		return;
	const struct piece *oclock = piece_at(g, hour.last + 1, PIECE_OCLOCK);
	if (oclock == NULL && piece_at(g, hour.last + 1, PIECE_UNIT) != NULL)
		return;
	add_exact(g, i, oclock != NULL ? oclock->last : hour.last, (int)hour.value + (pm != NULL && hour.value < NOON
	    ? NOON : 0), 0, "time");
}

static void find_times(const struct grammar *g, size_t i, const struct number *x)
{
	const struct piece *clock = piece_at(g, i, PIECE_CLOCK), *at = piece_at(g, i, PIECE_AT_TIME), *p;
	struct number hour;

	if (clock != NULL && clock->value != NULL)
		add_after_oclock(g, i, (int)strtol(clock->value, NULL, 10), clock->last);
	if (at != NULL && number_read(g, at->last + 1, &hour) && number_whole(&hour, 0, DAY))
		add_time(g, hour.first, hour.last, awake(hour.value,
		    piece_at(g, i, PIECE_UNTIL) != NULL), 0, "hour");
	find_before_hour(g, i, x);
	find_after_part_of_day(g, i);
	if (x == NULL)
		return;
	if (x->digits) {
		find_four_digits(g, i);
		find_digits(g, i);
	}
	if (!number_whole(x, 0, DAY))
		return;
	if (!x->digits && number_read(g, x->last + 1, &hour) && !hour.digits && number_whole(&hour, 10, HOUR - 1) &&
	    fmod(hour.value, 5) == 0)
		add_time(g, i, hour.last, awake(x->value, false), (int)hour.value, "time");
	if ((p = piece_at(g, x->last + 1, PIECE_OCLOCK)) != NULL)
		add_after_oclock(g, i, x->digits ? (int)x->value : awake(x->value, false), p->last);
	else if (piece_at(g, x->last + 1, PIECE_AM) != NULL || piece_at(g, x->last + 1, PIECE_PM) != NULL)
		add_time(g, i, x->last, (int)x->value, 0, NULL);
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
