/*
 * Numbers with their units. Every reading that is possible is evidence: "20 m" may be metres or minutes.
 */
#include "language/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "language/quantity_private.h"

static const char *const piece_names[PIECE__MAX] = {
	[PIECE_ABOUT] = "about", [PIECE_ALSO] = "also", [PIECE_AM] = "am", [PIECE_AT_TIME] = "at_time",
	[PIECE_BOUND_MAX] = "bound.max", [PIECE_BOUND_MIN] = "bound.min", [PIECE_CLOCK] = "clock", [PIECE_DATE] = "date",
	[PIECE_DATE_OF] = "date_of", [PIECE_DAY] = "day", [PIECE_FRACTION] = "fraction", [PIECE_FROM] = "role.from",
	[PIECE_HALF_PAST] = "half_past", [PIECE_HALF_TO] = "half_to", [PIECE_HELLO] = "hello", [PIECE_HOURS] = "ask=hours",
	[PIECE_MINUTES_PAST] = "minutes_past", [PIECE_MINUTES_TO] = "minutes_to", [PIECE_MONTH] = "month",
	[PIECE_NIGHT] = "ask=night", [PIECE_NUMBER] = "numeral", [PIECE_NUMBER_AND] = "number_and",
	[PIECE_NUMBER_OR] = "number_or", [PIECE_NUMBER_WORD] = "number_word", [PIECE_OCLOCK] = "oclock",
	[PIECE_ORDINAL] = "ordinal", [PIECE_ORDINAL_ENDING] = "ordinal_ending",
	[PIECE_PM] = "pm", [PIECE_QUANTITY] = "quantity", [PIECE_QUARTER_PAST] = "quarter_past",
	[PIECE_QUARTER_TO] = "quarter_to", [PIECE_QUARTER_TOWARDS] = "quarter_towards", [PIECE_SCALE] = "scale",
	[PIECE_UNIT] = "unit", [PIECE_UNTIL] = "until_time",
};

/* What a unit measures. Every other unit is a currency. */
static const struct {
	const char *unit, *kind, *unit_kind;
} measures[] = {
	{ "m", "length", "length.m" }, { "ft", "length", "length.ft" }, { "km", "length", "length.km" },
	{ "nm", "length", "length.nm" }, { "mi", "length", "length.mi" },
	{ "min", "duration", "duration.min" }, { "h", "duration", "duration.h" },
	{ "d", "duration", "duration.d" },
	{ "kt", "speed", "speed.kt" }, { "kmh", "speed", "speed.kmh" }, { "mph", "speed", "speed.mph" },
	{ "kg", "mass", "mass.kg" }, { "lb", "mass", "mass.lb" }, { "l", "volume", "volume.l" },
};

static const char *const digits_kinds[] = { "number.0", "number.1", "number.2", "number.3", "number.4",
	"number.5" };

enum { COMPOUND_BYTES = 40 };

/* ---- pieces -------------------------------------------------------------------------- */

const struct piece *piece_at(const struct grammar *g, size_t i, enum piece_kind kind)
{
	const struct piece *best = NULL;

	if (i >= g->w->n)
		return NULL;
	for (uint32_t k = g->first[i]; k != 0; k = g->piece[k].next) {
		const struct piece *p = &g->piece[k];
		if (p->kind == kind && (best == NULL || p->last > best->last))
			best = p;
	}
	return best;
}

double piece_number(const struct piece *p)
{
	double value = 0;

	str_to_double(p->value != NULL ? p->value : "", &value);
	return value;
}

size_t grammar_next(const struct grammar *g, size_t last)
{
	const size_t i = last + 1;

	return i + 1 < g->w->n && streq(g->w->word[i].fold, "-") ? i + 1 : i;
}

/* "trente milles" are miles; only "mille" is a thousand. */
static bool inflected(const struct grammar *g, const struct evidence *e)
{
	const char *fold = g->w->word[e->first].fold;

	return e->first == e->last && vocabulary_value(g->v, fold, strlen(fold), e->kind) == NULL;
}

static void collect_pieces(struct grammar *g)
{
	uint32_t n = 0;

	g->first = arena_array(g->out->mem, g->w->n + 1, sizeof(*g->first));
	g->piece = arena_array(g->out->mem, g->out->n + 1, sizeof(*g->piece));
	for (size_t i = 0; i < g->out->n; i++) {
		const struct evidence *e = &g->out->at[i];
		for (int kind = 0; kind < PIECE__MAX; kind++)
			if (streq(e->kind, piece_names[kind]) && !(kind == PIECE_SCALE && inflected(g, e))) {
				g->piece[++n] = (struct piece){ (enum piece_kind)kind, e->last, e->value,
					g->first[e->first] };
				g->first[e->first] = n;
			}
	}
}

/* ---- numbers ------------------------------------------------------------------------- */

/* Can a number be said behind another to add to it? "two hundred" + "fifty", "soixante" + "quinze". */
static bool adds(double before, double n)
{
	const double rest = fmod(before, 100);

	return n > 0 && n < 100 && n == floor(n) &&
	    ((before >= 100 && rest == 0) || (rest >= 20 && fmod(rest, 10) == 0 && n < 20));
}

/* Numbers in one word: "achthundert", "fünfundzwanzig". The longest part that is a number comes first. */
static bool compound_number(const struct grammar *g, const char *word, double *value)
{
	const size_t n = strlen(word);
	double total = 0, now = 0;
	bool and = false;
	size_t parts = 0;

	if (n < 6 || n > COMPOUND_BYTES)
		return false;
	for (size_t at = 0; at < n;) {
		const char *number = NULL, *scale = NULL;
		size_t k = n - at;
		for (; k >= 3 && number == NULL && scale == NULL; k--) {
			number = vocabulary_value(g->v, word + at, k, piece_names[PIECE_NUMBER]);
			scale = vocabulary_value(g->v, word + at, k, piece_names[PIECE_SCALE]);
		}
		const struct piece p = { .value = number != NULL ? number : scale };
		const double x = piece_number(&p);
		if (p.value == NULL)
			return false;
		if (scale != NULL && x >= 1000) {
			total += fmax(now, 1) * x;
			now = 0;
		} else if (scale != NULL) {
			now = fmax(now, 1) * x;
		} else if (now == 0 || and || adds(now, x)) {
			now += x;
		} else {
			return false;
		}
		at += k + 1;
		parts++;
		and = strncmp(word + at, "und", 3) == 0 && n - at > 3;
		if (and)
			at += 3;
	}
	*value = total + now;
	return parts > 1;
}

/* One word or phrase of a number, which is not in digits. */
static bool number_part(const struct grammar *g, size_t i, double *value, size_t *last)
{
	const struct piece *p = piece_at(g, i, PIECE_NUMBER);

	if (p != NULL) {
		*value = piece_number(p);
		*last = p->last;
		return true;
	}
	*last = i;
	return i < g->w->n && g->w->word[i].kind == WORD_LETTERS &&
	    compound_number(g, g->w->word[i].fold, value);
}

/* "2 500": a number of three digits exactly behind one of at most three. */
static bool thousands(const struct grammar *g, size_t i, double *value)
{
	const struct word *a = &g->w->word[i], *b = a + 1;

	if (i + 1 >= g->w->n || a->kind != WORD_NUMBER || b->kind != WORD_NUMBER || !b->gap ||
	    b->end - b->start != 3 || a->end - a->start > 3 || a->value < 1)
		return false;
	*value = 1000 * a->value + b->value;
	return true;
}

bool number_read(const struct grammar *g, size_t i, struct number *x)
{
	double total = 0, now = 0, n, before = 0;
	size_t at = i, last = i, before_last = i;        /* before, before_last: without the part that was added last */
	bool some = false;

	*x = (struct number){ .first = i };
	if (i >= g->w->n)
		return false;
	if (g->w->word[i].kind == WORD_NUMBER) {
		x->digits = some = true;
		now = g->w->word[i].value;
		at = i + 1;
	}
	for (;;) {
		size_t end, from = at;
		const struct piece *scale = piece_at(g, at, PIECE_SCALE);
		const struct piece *and = piece_at(g, at, PIECE_NUMBER_AND);
		/* a scale of one letter needs its number ("50k") */
		if (scale != NULL && (some || g->w->word[at].end - g->w->word[at].start > 1)) {
			/* "six hundred and nine hundred" are two numbers */
			if (now >= 100 && piece_number(scale) < 1000) {
				now = before;
				last = before_last;
				break;
			}
			x->unscaled = some ? total + now : 0;
			x->unscaled_last = last;
			now = (some && now > 0 ? now : 1) * piece_number(scale);
			if (piece_number(scale) >= 1000) {
				total += now;
				now = 0;
			}
			end = scale->last;
		} else {
			if (some && and != NULL)
				from = and->last + 1;
			else if (some && at < g->w->n && streq(g->w->word[at].fold, "-"))
				from = at + 1;
			if (x->digits || !number_part(g, from, &n, &end) ||
			    (some && !(now == 0 && total > 0) && !adds(now, n)))
				break;
			before = now;
			before_last = last;
			now += n;
		}
		some = true;
		last = end;
		at = end + 1;
	}
	x->value = total + now;
	x->last = last;
	return some;
}

bool number_whole(const struct number *x, int least, int most)
{
	return x != NULL && x->value == floor(x->value) && x->value >= least && x->value <= most;
}

bool number_is_minutes(const struct number *x)
{
	return !x->digits && number_whole(x, 10, 59) && fmod(x->value, 5) == 0;
}

static const char *number_text(const struct grammar *g, double value)
{
	return arena_printf(g->out->mem, "%.10g", round(100 * value) / 100);
}

/* ---- quantities ---------------------------------------------------------------------- */

static void add_quantity(const struct grammar *g, size_t first, size_t last, double value, const char *unit)
{
	const char *kind = "money", *unit_kind = NULL;

	for (size_t i = 0; i < sizeof(measures) / sizeof(measures[0]); i++)
		if (streq(unit, measures[i].unit)) {
			kind = measures[i].kind;
			unit_kind = measures[i].unit_kind;
		}
	/* "half an hour" is told in minutes, and so is what is no round part of an hour */
	if (streq(unit, "h") && (value < 1 || fabs(10 * value - round(10 * value)) > 1e-6)) {
		value = round(60 * value);
		unit = "min";
	}
	evidence_add(g->out, first, last, kind, arena_printf(g->out->mem, "%s%s", number_text(g, value), unit));
	if (unit_kind != NULL)
		evidence_add(g->out, first, last, unit_kind, NULL);
}

/* Does a bound with its number begin at word i: "over 25"? */
static bool bound_at(const struct grammar *g, size_t i)
{
	const struct piece *least = piece_at(g, i, PIECE_BOUND_MIN), *most = piece_at(g, i, PIECE_BOUND_MAX);
	const struct piece *bound = least != NULL ? least : most;
	const struct piece *unit = bound != NULL ? piece_at(g, bound->last + 1, PIECE_UNIT) : NULL;
	struct number x;

	return bound != NULL && number_read(g, (unit != NULL ? unit : bound)->last + 1, &x);
}

/* "half an hour", which the vocabulary knows as a whole. */
static void find_whole(const struct grammar *g, size_t i)
{
	const struct piece *p = piece_at(g, i, PIECE_QUANTITY);
	char *unit;

	if (p == NULL || p->value == NULL)
		return;
	const double value = strtod(p->value, &unit);
	/* "no fee over 25 euros" is no "no fee" */
	if (value == 0 && bound_at(g, p->last + 1))
		return;
	add_quantity(g, i, p->last, value, unit);
}

/* What stands behind a number of hours: "1h30", "two hours and 15 minutes", "deux heures et demie". */
static void add_hours(const struct grammar *g, const struct number *x, size_t last)
{
	const struct piece *half = piece_at(g, last + 1, PIECE_FRACTION);
	const struct piece *and = piece_at(g, last + 1, PIECE_NUMBER_AND);
	struct number rest;

	add_quantity(g, x->first, last, x->value, "h");
	if (half != NULL)
		add_quantity(g, x->first, half->last, x->value + piece_number(half), "h");
	if (!number_read(g, and != NULL ? and->last + 1 : last + 1, &rest) || !number_whole(&rest, 1, 59))
		return;
	const struct piece *unit = piece_at(g, grammar_next(g, rest.last), PIECE_UNIT);
	if (unit != NULL && streq(unit->value, "min"))
		add_quantity(g, x->first, unit->last, x->value + rest.value / 60, "h");
	else if (and == NULL && (rest.digits || number_is_minutes(&rest)))
		add_quantity(g, x->first, rest.last, x->value + rest.value / 60, "h");
}

static void find_with_unit(const struct grammar *g, const struct number *x)
{
	const struct piece *part = piece_at(g, x->last + 1, PIECE_FRACTION);
	struct number whole = *x;

	if (part != NULL) {
		whole.value += piece_number(part);
		whole.last = part->last;
	}
	const size_t at = grammar_next(g, whole.last);
	for (uint32_t k = at < g->w->n ? g->first[at] : 0; k != 0; k = g->piece[k].next) {
		const struct piece *unit = &g->piece[k];
		if (unit->kind != PIECE_UNIT || unit->value == NULL)
			continue;
		if (streq(unit->value, "h"))
			add_hours(g, &whole, unit->last);
		else
			add_quantity(g, x->first, unit->last, whole.value, unit->value);
	}
}

/* "£15", "CHF 20" */
static void find_money_before(const struct grammar *g, size_t i)
{
	const struct piece *unit = piece_at(g, i, PIECE_UNIT);
	struct number x;

	if (unit == NULL || unit->value == NULL || strlen(unit->value) != 3 || streq(unit->value, "min") ||
	    streq(unit->value, "kmh") || streq(unit->value, "mph") || !number_read(g, unit->last + 1, &x))
		return;
	add_quantity(g, i, x.last, x.value, unit->value);
}

static void find_ordinal(const struct grammar *g, size_t i, const struct number *x)
{
	const struct piece *word = piece_at(g, i, PIECE_NUMBER_WORD);
	struct number y;

	if (word != NULL && number_read(g, word->last + 1, &y) && number_whole(&y, 1, 99))
		evidence_add(g->out, i, y.last, "ordinal", number_text(g, y.value));
	if (x == NULL || !x->digits || !number_whole(x, 1, 99))
		return;
	const struct piece *ending = piece_at(g, x->last + 1, PIECE_ORDINAL_ENDING);
	if (ending != NULL && !g->w->word[x->last + 1].gap)
		evidence_add(g->out, i, ending->last, "ordinal", number_text(g, x->value));
}

static void add_number(const struct grammar *g, const struct number *x)
{
	size_t digits = 0;

	for (double v = fabs(x->value); v >= 1 && digits < 5; v /= 10)
		digits++;
	evidence_add(g->out, x->first, x->last, digits_kinds[digits], NULL);
	/* "one" is an article in most languages */
	if (x->digits || x->value != 1)
		evidence_add(g->out, x->first, x->last, "number", number_text(g, x->value));
}

/* "two or three", "2-3": the larger one. */
static void find_choice(const struct grammar *g, const struct number *x)
{
	const struct piece *or = piece_at(g, x->last + 1, PIECE_NUMBER_OR);
	struct number y;

	if (or != NULL && number_read(g, or->last + 1, &y) && y.value > x->value)
		evidence_add(g->out, x->first, y.last, "number", number_text(g, y.value));
}

/* ---- types of aircraft --------------------------------------------------------------- */

static bool ascii_letters(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] < 'a' || s[i] > 'z')
			return false;
	return true;
}

/* "p2008", "dr400", "PA-28" */
static void find_aircraft(const struct grammar *g, size_t i)
{
	const struct word *w = &g->w->word[i];
	const size_t letters = strspn(w->fold, "abcdefghijklmnopqrstuvwxyz");
	const size_t digits = strspn(w->fold + letters, "0123456789");
	const size_t rest = strlen(w->fold + letters + digits);

	if (w->kind != WORD_LETTERS || letters == 0 || letters > 4)
		return;
	if (digits > 0 && digits <= 4 && rest <= 3 && ascii_letters(w->fold + letters + digits, rest)) {
		evidence_add(g->out, i, i, "aircraft.shape", w->fold);
	} else if (digits == 0 && rest == 0 && i + 2 < g->w->n && streq(w[1].fold, "-") && !w[1].gap &&
	    w[2].kind == WORD_NUMBER && !w[2].gap && w[2].end - w[2].start <= 4) {
		evidence_add(g->out, i, i + 2, "aircraft.shape", arena_printf(g->out->mem, "%s%s", w->fold,
		    w[2].fold));
	}
}

static void find(void *self, const struct words *w, struct evidences *out)
{
	struct grammar g = { .v = self, .w = w, .out = out };

	collect_pieces(&g);
	for (size_t i = 0; i < w->n; i++) {
		struct number x, wide = { .first = i, .last = i + 1, .digits = true };
		const bool is_number = number_read(&g, i, &x);
		if (is_number) {
			add_number(&g, &x);
			find_choice(&g, &x);
			find_with_unit(&g, &x);
		}
		/* "50k" is 50 km too, and "trente mille" may be miles */
		if (is_number && x.unscaled > 0) {
			const struct number less = { .value = x.unscaled, .first = i, .last = x.unscaled_last };
			find_with_unit(&g, &less);
		}
		if (thousands(&g, i, &wide.value)) {
			add_number(&g, &wide);
			find_with_unit(&g, &wide);
		}
		find_whole(&g, i);
		find_money_before(&g, i);
		find_ordinal(&g, i, is_number ? &x : NULL);
		clock_find(&g, i, is_number ? &x : NULL);
		find_aircraft(&g, i);
	}
}

struct evidence_source quantity_source(const struct vocabulary *v)
{
	union { const struct vocabulary *in; void *out; } self = { .in = v };

	return (struct evidence_source){ find, self.out };
}
