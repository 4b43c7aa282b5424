/*
 * Second pass: numbers.
 *
 * The meaning of a number comes from its unit, the comparison before or after it, and the nearest
 * word that tells what is measured. Lengths become feet, distances nautical miles. A lower limit is
 * rounded down and an upper one up, so that a runway of exactly 800 m passes "at least 800 m"
 * although databases hold whole feet.
 */
#include "agents/aviation/builtin/query.h"

#include <math.h>
#include <string.h>

#include "base/jsn.h"
#include "base/str.h"

enum { LOOK_BACK = 4, LOOK_AHEAD = 5, MOST_RESULTS = 50 };
/* Lengths without a unit below this are metres: nobody plans with a runway of 900 ft. */
static const double BARE_METRES = 1500;
static const double SLOWEST_KT = 20, FASTEST_KT = 700;
static const double LONGEST_KM = 6;      /* no runway is longer */

struct quantity {
	double value, upper;         /* upper: NaN unless a range */
	enum unit unit;
	const char *currency;        /* ISO code, of money; NULL: not said */
	enum compare compare;
	enum dim dim;
	/* the items of the number and of all words that belong to it */
	size_t number, first, last;
	bool negative;               /* a minus sign is written before it */
};

static const struct { enum unit unit; double feet, nm; } lengths[] = {
	{ UNIT_FT, 1, 1 / 6076.115 }, { UNIT_M, 3.28083990, 1 / 1852.0 },
	{ UNIT_KM, 3280.83990, 1 / 1.852 }, { UNIT_NM, 6076.115, 1 },
	{ UNIT_MI, 5280, 0.868976 },
};

double quantity_feet(double v, enum unit u)
{
	if (u == UNIT_NONE)
		u = v < BARE_METRES ? UNIT_M : UNIT_FT;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		if (lengths[i].unit == u)
			return v * lengths[i].feet;
	return v;
}

static double to_nm(double v, enum unit u)
{
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		if (lengths[i].unit == u)
			return num_round(v * lengths[i].nm, 1);
	return v;
}

/* NaN: it is no speed, or none of an aircraft. */
static double to_kt(double v, enum unit u)
{
	const double kt = u == UNIT_KT ? v : u == UNIT_KMH ? v / 1.852 : u == UNIT_MPH ? v * 0.868976 : NAN;

	return kt >= SLOWEST_KT && kt <= FASTEST_KT ? num_round(kt, 0) : NAN;
}

static double to_kg(double v, enum unit u)
{
	return u == UNIT_TONNE ? v * 1000 : u == UNIT_LB ? num_round(v * 0.45359237, 0) : v;
}

static bool skippable(const struct reading *r, size_t i)
{
	return r->item[i].class == LX_FILLER || r->item[i].class == LX_BREAK ||
	    r->item[i].class == LX_DIM || r->item[i].class == LX_NOUN ||
	    item_is(r, i, LX_ROLE, ROLE_OF) || item_is(r, i, LX_CUE, CUE_ASK) ||
	    item_is(r, i, LX_UNIT, UNIT_MONEY);
}

/* The comparison in the words of item i; elsewhere "over" and "around" belong to places. */
static enum compare compare_at(const struct reading *r, size_t i)
{
	size_t used;
	if (r->item[i].class == LX_COMPARE)
		return (enum compare)r->item[i].value;
	const struct lex_row *row = lexicon_match(r->lexicon, &r->x, r->item[i].first, LX_COMPARE,
	    &used);
	return row != NULL && used == r->item[i].last - r->item[i].first + 1
	    ? (enum compare)row->value : CMP_NONE;
}

static enum unit unit_at(struct reading *r, size_t *i)
{
	size_t at = *i;
	if (item_mark(r, at, "-"))
		at++;
	if (at >= r->n || r->item[at].class != LX_UNIT)
		return UNIT_NONE;
	*i = at + 1;
	return (enum unit)r->item[at].value;
}

/* The comparison for the number at i, looking back over words without meaning. */
static enum compare compare_before(const struct reading *r, struct quantity *q)
{
	for (size_t k = 1; k <= LOOK_BACK && k <= q->first; k++) {
		size_t i = q->first - k;
		enum compare c = compare_at(r, i);
		if (c != CMP_NONE && c != CMP_MIN_AFTER && c != CMP_MAX_AFTER &&
		    !((c == CMP_TOP || c == CMP_SHOW) && k > 1)) {
			q->first = i;
			/* "not longer away than 40 km" */
			bool not = i > 0 && r->item[i - 1].class == LX_NOT;
			return !not ? c : c == CMP_MIN ? CMP_MAX : c == CMP_MAX ? CMP_MIN : c;
		}
		if (!skippable(r, i) && !item_mark(r, i, "=:"))
			break;
	}
	return CMP_NONE;
}

static enum compare compare_after(const struct reading *r, struct quantity *q)
{
	size_t i = q->last + 1;
	if (i >= r->n)
		return CMP_NONE;
	enum compare c = compare_at(r, i);
	if (c == CMP_MIN_AFTER || c == CMP_MAX_AFTER) {
		q->last = i;
		return c == CMP_MIN_AFTER ? CMP_MIN : CMP_MAX;
	}
	/* "800 m minimum", but not "800 m, minimum 20 m wide" */
	if ((c == CMP_MIN || c == CMP_MAX) && r->item[i].class == LX_COMPARE &&
	    !(i + 1 < r->n && r->item[i + 1].class == LX_NUMBER)) {
		q->last = i;
		return c;
	}
	return CMP_NONE;
}

/* Words that end the search for the word that tells what a number measures. */
static bool wall(const struct reading *r, size_t i, const char *marks)
{
	return r->item[i].class == LX_NUMBER || r->item[i].class == LX_PLACE ||
	    item_mark(r, i, marks);
}

/* Is it the airport's own height? The word for it also asks for it, so it is not an LX_DIM. */
static bool of_height(const struct reading *r, size_t i)
{
	return item_is(r, i, LX_CUE, CUE_ASPECT) && streq(r->item[i].row->phrase, "elevation");
}

/* The nearest word that tells what is measured: after the number, before it, or a place, from which
 * only a distance can be measured. */
static enum dim dim_near(const struct reading *r, const struct quantity *q)
{
	for (size_t i = q->last + 1; i < r->n && i <= q->last + LOOK_AHEAD; i++) {
		if (r->item[i].class == LX_DIM)
			return (enum dim)r->item[i].value;
		if (of_height(r, i))
			return DIM_HEIGHT;
		if (wall(r, i, ",.;?") || r->item[i].class == LX_AND || r->item[i].class == LX_ROLE)
			break;
	}
	for (size_t k = 1; k <= LOOK_AHEAD && k <= q->number; k++) {
		size_t i = q->number - k;
		if (r->item[i].class == LX_DIM)
			return (enum dim)r->item[i].value;
		if (item_is(r, i, LX_WISH, WISH_HARD))
			return DIM_RUNWAY;
		if (item_is(r, i, LX_CUE, CUE_NOTIFY))
			return DIM_NOTICE;
		if (of_height(r, i))
			return DIM_HEIGHT;
		if (wall(r, i, ".;?"))
			break;
	}
	if (q->unit == UNIT_NONE)
		return DIM_NONE;
	for (size_t i = q->last + 1; i < r->n && i <= q->last + LOOK_AHEAD; i++) {
		if (item_is(r, i, LX_ROLE, ROLE_ALONG) || item_is(r, i, LX_ROLE, ROLE_NEAR))
			return DIM_DISTANCE;
		if (item_is(r, i, LX_ROLE, ROLE_OF) || item_is(r, i, LX_ROLE, ROLE_FROM))
			return i == q->last + 1 ? DIM_DISTANCE : DIM_NONE;
		if (wall(r, i, ",.;?"))
			break;
	}
	return DIM_NONE;
}

/* Does the number count airports? "five airports", "10 grass strips", "top 3". */
static bool counts(const struct reading *r, const struct quantity *q)
{
	for (size_t k = 1; k <= LOOK_AHEAD && q->last + k < r->n; k++) {
		const struct item *it = &r->item[q->last + k];
		if (it->class == LX_NOUN || (it->class == LX_DIM && it->value == DIM_COUNT))
			return true;
		if (it->class != LX_FILLER && it->class != LX_WISH && it->class != LX_COUNTRY &&
		    it->class != LX_LARGE && !item_is(r, q->last + k, LX_ROLE, ROLE_OF) &&
		    !item_is(r, q->last + k, LX_CUE, CUE_MORE) &&
		    !item_is(r, q->last + k, LX_ROLE, ROLE_NEAR) &&
		    !(it->class == LX_NONE && !item_mark(r, q->last + k, NULL)))
			return false;
	}
	return false;
}

static enum dim dim_of(const struct reading *r, const struct quantity *q)
{
	enum dim near = dim_near(r, q);
	switch (q->unit) {
	case UNIT_MONEY:
		return DIM_FEE;
	case UNIT_HOURS:
	case UNIT_DAYS:
		return near == DIM_NOTICE ? DIM_NOTICE : DIM_NONE;
	case UNIT_NM:
	case UNIT_MI:
		return DIM_DISTANCE;
	case UNIT_KM:
		if (q->value > LONGEST_KM)
			return DIM_DISTANCE;
		return near == DIM_RUNWAY && q->compare != CMP_WITHIN ? DIM_RUNWAY
		    : q->compare == CMP_MIN && near == DIM_NONE ? DIM_RUNWAY : DIM_DISTANCE;
	case UNIT_M:
	case UNIT_FT:
		if (near == DIM_HEIGHT)
			return near;
		return near == DIM_DISTANCE && q->compare == CMP_WITHIN ? DIM_DISTANCE : DIM_RUNWAY;
	case UNIT_KT:
	case UNIT_KMH:
	case UNIT_MPH:
		return isnan(to_kt(q->value, q->unit)) ? DIM_NONE : DIM_SPEED;
	case UNIT_KG:
	case UNIT_TONNE:
	case UNIT_LB:
		return DIM_WEIGHT;
	case UNIT_NONE:
	case UNIT_THOUSAND:
		break;
	}
	if (counts(r, q) || q->compare == CMP_TOP || q->compare == CMP_SHOW)
		return DIM_COUNT;
	if (near == DIM_NOTICE)
		return near;
	if (q->compare == CMP_WITHIN)
		return DIM_DISTANCE;
	if (near == DIM_NONE && q->compare == CMP_MAX && q->value <= MOST_RESULTS)
		return DIM_COUNT;
	return near == DIM_RUNWAY && q->value < 100 ? DIM_NONE : near;    /* "3 runways" */
}

static void set_limit(struct query *q, enum wish w, double v)
{
	q->want[w].state = WANT_SET;
	q->want[w].number = v;
	q->limit = w;
}

/* Use the quantity for what it means. False: it has no meaning of its own. */
static bool apply(struct arena *a, struct query *q, const struct quantity *v)
{
	switch (v->dim) {
	case DIM_RUNWAY:
		if (v->unit != UNIT_NONE)
			q->unit = v->unit;
		else
			q->unit = v->value < BARE_METRES ? UNIT_M : UNIT_FT;
		if (!isnan(v->upper)) {
			set_limit(q, WISH_MAX, ceil(quantity_feet(v->upper, v->unit) - 1e-6));
			set_limit(q, WISH_MIN, floor(quantity_feet(v->value, v->unit) + 1e-6));
		} else if (v->compare == CMP_MAX) {
			set_limit(q, WISH_MAX, ceil(quantity_feet(v->value, v->unit) - 1e-6));
		} else {
			set_limit(q, WISH_MIN, floor(quantity_feet(v->value, v->unit) + 1e-6));
		}
		return true;
	case DIM_DISTANCE:
		if (!isnan(q->distance_nm))
			q->other_nm = q->distance_nm;
		q->distance_nm = to_nm(isnan(v->upper) ? v->value : v->upper, v->unit);
		if (v->negative)
			q->distance_nm = -q->distance_nm;
		return true;
	case DIM_FEE:
		set_limit(q, WISH_FEE, isnan(v->upper) ? v->value : v->upper);
		if (v->currency != NULL) {
			q->want[WISH_CURRENCY].state = WANT_SET;
			q->want[WISH_CURRENCY].text = v->currency;
		}
		return true;
	case DIM_NOTICE:
		q->notice_h = v->unit == UNIT_DAYS ? v->value * 24 : v->value;
		return true;
	case DIM_COUNT:
		q->results = v->value;
		return true;
	case DIM_HEIGHT:
		if (q->lack == LACK_NONE)
			q->lack = LACK_RANK;
		return true;
	case DIM_SPEED:
		q->speed_kt = to_kt(v->value, v->unit);
		return true;
	case DIM_WEIGHT:
		/* the aircraft whose fee is meant */
		q->want[WISH_AIRCRAFT].state = WANT_SET;
		q->want[WISH_AIRCRAFT].text = arena_printf(a, "%.0f kg", to_kg(v->value, v->unit));
		return true;
	case DIM_NONE:
		break;
	}
	return false;
}

/* A range: "500-900 m", "between 500 and 900 m", "from 500 to 900 m". */
static void read_range(struct reading *r, struct quantity *q, size_t *next)
{
	size_t i = *next;
	bool between = q->first > 0 && item_is(r, q->first - 1, LX_ROLE, ROLE_BETWEEN);
	if (i + 1 >= r->n || r->item[i + 1].class != LX_NUMBER ||
	    !(item_mark(r, i, "-") || item_is(r, i, LX_ROLE, ROLE_TO) ||
	        (between && r->item[i].class == LX_AND)))
		return;
	double upper = r->item[i + 1].number;
	size_t after = i + 2;
	enum unit u = unit_at(r, &after);
	if (u == UNIT_NONE && q->unit == UNIT_NONE)
		return;
	if (q->unit == UNIT_NONE)
		q->unit = u;
	q->upper = upper > q->value ? upper : q->value;
	if (upper < q->value)
		q->value = upper;
	if (q->first > 0 && (between || item_is(r, q->first - 1, LX_ROLE, ROLE_FROM)))
		q->first--;
	*next = after;
}

/* "eight hundred", "twenty five", "2 thousand five hundred", "3k". */
static double read_value(const struct reading *r, size_t i, size_t *next)
{
	double sum = 0, v = r->item[i].number;
	for (*next = i + 1; *next < r->n; ++*next) {
		const struct item *it = &r->item[*next];
		bool word = it->class == LX_NUMBER && it->row != NULL;
		if (it->class == LX_UNIT && it->value == UNIT_THOUSAND) {
			sum += v * 1000;
			v = 0;
		} else if (word && it->number >= 100) {
			v *= it->number;
		} else if (word && (sum > 0 || (v >= 20 && it->number < 10))) {
			v += it->number;
		} else {
			break;
		}
	}
	return sum + v;
}

static bool word_is(const struct reading *r, size_t i, const char *word)
{
	return r->item[i].first == r->item[i].last && streq(r->x.tok[r->item[i].first].fold, word);
}

static void read_number(struct reading *r, size_t i)
{
	struct quantity q = { .upper = NAN, .number = i, .first = i };
	size_t next;
	q.value = read_value(r, i, &next);
	/* "one" is a number only before a noun, otherwise a pronoun. */
	if (r->item[i].row != NULL && q.value <= 1 &&
	    !(next < r->n && (r->item[next].class == LX_NOUN || r->item[next].class == LX_UNIT)))
		return;
	/* "tell me about #3", "number 3" */
	if (i > 0 && (item_mark(r, i - 1, "#") || word_is(r, i - 1, "number") ||
	    word_is(r, i - 1, "no")) && next >= r->n && q.value >= 1 && q.value <= MOST_RESULTS) {
		r->q->ordinal = (int)q.value;
		r->item[i].used = true;
		return;
	}
	/* "list 3", and nothing after it */
	if (i > 0 && next >= r->n && q.value >= 1 && q.value <= MOST_RESULTS &&
	    (word_is(r, i - 1, "list") || word_is(r, i - 1, "show") || word_is(r, i - 1, "top"))) {
		r->q->results = q.value;
		r->item[i].used = true;
		return;
	}
	/* "5 more", "show 5 others" */
	if (next < r->n && r->item[next].row != NULL && (item_is(r, next, LX_CUE, CUE_MORE) ||
	    streq(r->item[next].row->phrase, "more"))) {
		r->q->results = q.value;
		r->q->cues |= CUE_MORE;
		r->item[i].used = true;
		return;
	}
	q.unit = unit_at(r, &next);
	if (i > 0 && item_is(r, i - 1, LX_UNIT, UNIT_MONEY)) {
		q.unit = UNIT_MONEY;
		q.first = i - 1;
	}
	/* "within -5 NM", but not "30 - 50 NM" */
	q.negative = q.first > 0 && item_mark(r, q.first - 1, "-") && !r->x.tok[r->item[i].first].gap &&
	    r->x.tok[r->item[q.first - 1].first].gap && (q.first < 2 || r->item[q.first - 2].class != LX_NUMBER);
	if (q.negative)
		q.first--;
	read_range(r, &q, &next);
	if (q.unit == UNIT_NM || q.unit == UNIT_HOURS)      /* "nautical miles", "h notice" */
		while (next < r->n && r->item[next].class == LX_UNIT &&
		    (r->item[next].value == UNIT_MI || r->item[next].value == UNIT_NM))
			next++;
	q.last = next - 1;
	for (size_t k = q.first; k <= q.last; k++)
		if (item_is(r, k, LX_UNIT, UNIT_MONEY))
			q.currency = r->item[k].row->text;
	q.compare = compare_after(r, &q);
	if (q.compare == CMP_NONE)
		q.compare = compare_before(r, &q);
	q.dim = dim_of(r, &q);
	/* "TAS 120 kt" does not mean the airport of Tashkent */
	if (q.dim == DIM_SPEED && q.first > 0 && word_is(r, q.first - 1, "tas"))
		q.first--;
	if (!apply(r->mem, r->q, &q)) {
		if (q.unit == UNIT_NONE && isnan(r->q->bare))
			r->q->bare = q.value;
		if (q.unit == UNIT_HOURS || q.unit == UNIT_DAYS)
			r->q->hours = q.unit == UNIT_DAYS ? q.value * 24 : q.value;
		return;
	}
	for (size_t k = q.first; k <= q.last; k++)
		if (r->item[k].class != LX_NOUN && r->item[k].class != LX_WISH)
			r->item[k].used = true;
	/* The word for what was measured is not a question. */
	for (size_t k = q.first > 2 ? q.first - 2 : 0; k <= q.last + 2 && k < r->n; k++)
		if (item_is(r, k, LX_DIM, (int)q.dim))
			r->item[k].used = true;
	r->item[i].value = q.dim;      /* a distance before "from X" makes X a centre */
}

void read_quantities(struct reading *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->item[i].class == LX_NUMBER && !r->item[i].used && !isnan(r->item[i].number))
			read_number(r, i);
}
