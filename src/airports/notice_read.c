/*
 * From tokens to rules.
 *
 * A text is a list of sentences. A sentence names scopes (days, times of day, Schengen flights) and
 * demands (a number of hours, "on request", "H24" …), and every demand belongs to the scopes around
 * it: "MON-FRI: PN 12 HR, SAT-SUN: PN 24 HR" and "PN 12 HR MON-FRI, 24 HR SAT-SUN" say the same. A
 * scope and its demands are a group. A comma or colon tells which side a scope belongs to.
 *
 * Groups with times but without a demand wait: they are opening hours. A later demand without a
 * scope of its own is for them ("0700-1900. PN 24 HR"); if there is none, customs is there at these
 * times without notice, which is said only beside other rules.
 */
#include "airports/notice_rules.h"

#include <math.h>
#include <string.h>

#include "airports/notice_days.h"
#include "airports/notice_judge.h"
#include "airports/notice_words.h"
#include "base/str.h"

enum { VALUES = 6, TIMES = 3, WAITING = 12, RAW_BYTES = 300 };

/* A demand. */
struct value {
	enum notice_kind kind;
	double hours;
	int working_days;
	bool weak;                    /* "PPR" alone: on request, unless more is said elsewhere */
	bool advice;                  /* only recommended */
	bool sure;                    /* its form alone says that it is a notice */
	size_t part;                  /* the part of the sentence, between commas */
};

enum scope_bits { HAS_DAYS = 1, HAS_TIME = 2, HAS_SCHENGEN = 4, HAS_OTHER = 8 };

struct group {
	unsigned has;                 /* scopes that were named for it */
	struct notice_days days;
	struct {
		int from, to;
	} time[TIMES];
	size_t ntimes;
	int before;
	bool schengen, non_schengen;
	bool other;                   /* "outside these hours": for what is left */
	bool condition;               /* holds only under a condition */
	const char *about;            /* NULL: not said */
	struct value value[VALUES];
	size_t nvalues;
	size_t first, last;           /* tokens */
};

struct reading {
	struct arena *mem;
	const char *text;
	const struct notice_token *t;
	size_t n;
	struct notice_reading *out;

	struct group g;               /* the group at work */
	struct group waiting[WAITING];
	size_t nwaiting;
	bool served;                  /* a demand was found for those that wait: later ones are not for them */
	struct {                      /* kept beside out->rule[i] */
		bool weak, condition;
	} note[NOTICE_RULES_MAX];

	/* of the sentence */
	size_t end, part;
	bool cue, contact, comma;     /* comma: a mark stands between the last demand and here */
	const char *about;
	/* a heading ("Non-Schengen flights:"), which holds until the next one */
	bool head_in, head_out;
};

static bool means(const struct notice_token *t, unsigned what)
{
	return t->kind == NT_WORD && (t->means & what) != 0;
}

static bool mark(const struct notice_token *t, const char *marks)
{
	return t->kind == NT_MARK && strchr(marks, t->mark) != NULL;
}

static bool number(const struct notice_token *t)
{
	return t->kind == NT_NUMBER || means(t, NW_NUMBER);
}

/* ---- groups ----------------------------------------------------------------------- */

static struct group group_new(const struct reading *r, size_t first)
{
	return (struct group){ .before = -1, .schengen = r->head_in,
		.non_schengen = r->head_out, .about = r->about, .first = first, .last = first };
}

static const char *raw_of(const struct reading *r, const struct group *g)
{
	size_t start = r->t[g->first].start, end = r->t[g->last].end;

	return arena_strndup(r->mem, r->text + start,
	    utf8_cut(r->text + start, end - start, RAW_BYTES));
}

static double confidence_of(enum notice_kind kind)
{
	static const double of[NOTICE_KIND__MAX] = {
		[NOTICE_H24] = 0.95, [NOTICE_ON_REQUEST] = 0.9, [NOTICE_AD_HOURS] = 0.9,
		[NOTICE_NOT_AVAILABLE] = 0.9, [NOTICE_HOURS] = 0.8, [NOTICE_BUSINESS_DAY] = 0.75,
		[NOTICE_DAY_BEFORE] = 0.75,
	};

	return of[kind];
}

static const char *about_of(const struct group *g, enum notice_kind kind)
{
	if (g->about != NULL)
		return g->about;
	return kind == NOTICE_HOURS || kind == NOTICE_BUSINESS_DAY || kind == NOTICE_DAY_BEFORE ? "ppr"
	    : "customs";
}

static void add_rule_at(struct reading *r, const struct group *g, const struct value *v, int from,
    int to)
{
	bool day = v->kind == NOTICE_BUSINESS_DAY || v->kind == NOTICE_DAY_BEFORE;
	const struct notice_rule rule = {
		.kind = v->kind, .about = about_of(g, v->kind), .hours = v->hours, .days = g->days,
		.from = from, .to = to, .before = day ? g->before : -1,
		.working_days = v->working_days,
		.schengen = g->schengen && !g->non_schengen, .non_schengen = g->non_schengen && !g->schengen,
		.obligatory = !v->advice, .raw = raw_of(r, g), .confidence = confidence_of(v->kind),
	};

	if (r->out->n == NOTICE_RULES_MAX)
		return;
	r->note[r->out->n].weak = v->weak;
	r->note[r->out->n].condition = g->condition || g->other;
	r->out->rule[r->out->n++] = rule;
}

static void add_rule(struct reading *r, const struct group *g, const struct value *v)
{
	if (g->ntimes == 0)
		add_rule_at(r, g, v, -1, -1);
	for (size_t i = 0; i < g->ntimes; i++)
		add_rule_at(r, g, v, g->time[i].from, g->time[i].to);
}

/* A demand that names a time of notice says more than "on request" beside it. */
static bool says_less(const struct group *g, const struct value *v)
{
	/* "H24, no PN required": the time says it */
	if (v->kind == NOTICE_HOURS && v->hours <= 0)
		return g->nvalues > 1;
	if (v->kind != NOTICE_ON_REQUEST && v->kind != NOTICE_AD_HOURS)
		return false;
	for (size_t i = 0; i < g->nvalues; i++) {
		const struct value *o = &g->value[i];

		if (o->advice)
			continue;
		if ((o->kind == NOTICE_HOURS && o->hours > 0) || o->kind == NOTICE_BUSINESS_DAY ||
		    o->kind == NOTICE_DAY_BEFORE || (v->weak && !o->weak && o->kind == NOTICE_ON_REQUEST))
			return true;
	}
	return false;
}

static void give(struct reading *r, const struct group *g)
{
	for (size_t i = 0; i < g->nvalues; i++)
		if (!says_less(g, &g->value[i]))
			add_rule(r, g, &g->value[i]);
}

/* Does a demand without a scope hold for the opening hours that were named before it? */
static bool is_for_waiting(const struct reading *r, const struct group *g)
{
	if (r->nwaiting == 0 || r->served || g->has & (HAS_DAYS | HAS_TIME | HAS_OTHER) || g->about != r->waiting[0].about)
		return false;
	for (size_t i = 0; i < g->nvalues; i++)
		if (g->value[i].kind == NOTICE_H24 || g->value[i].kind == NOTICE_NOT_AVAILABLE ||
		    g->value[i].kind == NOTICE_AD_HOURS || g->value[i].advice)
			return false;
	return !g->condition;
}

static void flush(struct reading *r, size_t next)
{
	struct group g = r->g;

	if (g.nvalues == 0) {
		if (g.has & HAS_TIME && !r->contact && r->nwaiting < WAITING) {
			if (r->served)
				r->nwaiting = 0;
			r->served = false;
			r->waiting[r->nwaiting++] = g;
		}
	} else if (is_for_waiting(r, &g)) {
		for (size_t i = 0; i < r->nwaiting; i++) {
			struct group w = r->waiting[i];
			w.schengen |= g.schengen;
			w.non_schengen |= g.non_schengen;
			w.before = g.before;
			w.nvalues = g.nvalues;
			w.last = g.last;
			memcpy(w.value, g.value, sizeof(w.value));
			give(r, &w);
		}
		r->served = true;
	} else {
		give(r, &g);
	}
	r->g = group_new(r, next);
}

/* ---- scopes ----------------------------------------------------------------------- */

/* Does a colon or a demand follow directly? Then a scope belongs to what comes. */
static bool colon_follows(const struct reading *r, size_t i)
{
	return i < r->end && mark(&r->t[i], ":");
}

static bool belongs_back(const struct reading *r, unsigned scope, size_t after)
{
	return r->g.nvalues > 0 && !r->comma && !(r->g.has & scope) && !colon_follows(r, after);
}

/* Begin a group for a scope, unless the one at work can take it. What holds for the whole sentence
 * so far goes on: "Schengen flights: MON-FRI O/R, SAT PN 24 HR". */
static void open_scope(struct reading *r, unsigned scope, size_t at, size_t after)
{
	struct group old = r->g;
	bool full = (old.has & scope) != 0 && (scope != HAS_DAYS || old.has & HAS_TIME);

	if (old.nvalues == 0 ? !full : belongs_back(r, scope, after))
		return;
	flush(r, at);
	r->comma = false;
	if (scope & HAS_SCHENGEN)
		return;
	r->g.schengen = old.schengen;
	r->g.non_schengen = old.non_schengen;
	r->g.has |= old.has & HAS_SCHENGEN;
	if (scope == HAS_TIME && old.has & HAS_DAYS) {
		r->g.days = old.days;
		r->g.has |= HAS_DAYS;
	}
}

static void take_days(struct reading *r, size_t at, size_t taken, struct notice_days d)
{
	open_scope(r, HAS_DAYS, at, at + taken);
	if (!(r->g.has & HAS_DAYS))
		r->g.days = (struct notice_days){ 0 };   /* days from around the parentheses */
	r->g.days.mask |= d.mask;
	r->g.days.holidays |= d.holidays;
	r->g.has |= HAS_DAYS;
	r->g.last = at + taken - 1;
}

/* "(0400)" after a time of day, "(0400-2100)" after two, are the times in summer. */
static size_t skip_summer(const struct reading *r, size_t i)
{
	const struct notice_token *t = r->t;

	if (i + 2 < r->end && mark(&t[i], "(") && t[i + 1].kind == NT_CLOCK && mark(&t[i + 2], ")"))
		return i + 3;
	if (i + 4 < r->end && mark(&t[i], "(") && t[i + 1].kind == NT_CLOCK && mark(&t[i + 2], "-/") &&
	    t[i + 3].kind == NT_CLOCK && mark(&t[i + 4], ")"))
		return i + 5;
	return i;
}

/* "0700-1900", "0500 (0400) - 2100 (2000)", "0700 and 1900": where it ends, or i. */
static size_t read_time(const struct reading *r, size_t i, int *from, int *to)
{
	size_t at = i;

	if (i >= r->end || r->t[at].kind != NT_CLOCK)
		return i;
	*from = (int)r->t[at].value;
	at = skip_summer(r, at + 1);
	if (at + 1 >= r->end || r->t[at + 1].kind != NT_CLOCK ||
	    !(mark(&r->t[at], "-/") || means(&r->t[at], NW_TO | NW_AND)))
		return i;
	*to = (int)r->t[at + 1].value;
	return skip_summer(r, at + 2);
}

/* "0800-1200 and 1400-1800": the tokens taken, or 0. */
static size_t read_times(const struct reading *r, size_t i, struct group *g)
{
	size_t at = i, next = i, end;
	int from, to;

	g->ntimes = 0;
	while (g->ntimes < TIMES && (end = read_time(r, next, &from, &to)) > next) {
		g->time[g->ntimes].from = from;
		g->time[g->ntimes++].to = to;
		at = next = end;
		while (next < r->end && (mark(&r->t[next], ",/+&") || means(&r->t[next], NW_AND)))
			next++;
	}
	return at - i;
}

static void take_times(struct reading *r, size_t at, size_t taken, const struct group *times)
{
	open_scope(r, HAS_TIME, at, at + taken);
	memcpy(r->g.time, times->time, sizeof(r->g.time));
	r->g.ntimes = times->ntimes;
	r->g.has |= HAS_TIME;
	r->g.last = at + taken - 1;
}

/* Is it "outside" Schengen? Looks at the words before: "non-Schengen", "outside the Schengen area". */
static bool is_outside(const struct reading *r, size_t i)
{
	if (means(&r->t[i], NW_OUTSIDE))
		return true;
	for (size_t k = 1; k <= 4 && k <= i; k++) {
		const struct notice_token *t = &r->t[i - k];

		if (means(t, NW_OUTSIDE))
			return true;
		if (mark(t, "-/") || (t->kind == NT_WORD && t->means == 0 && t->subject == 0))
			continue;
		return false;
	}
	return false;
}

static void take_schengen(struct reading *r, size_t i)
{
	bool out = is_outside(r, i);
	struct group *g = &r->g;
	size_t after = i + 1;

	/* "Schengen flights only" */
	while (after < r->end && r->t[after].kind == NT_WORD && after < i + 5 &&
	    (r->t[after].means & ~(unsigned)NW_ONLY) == 0)
		after++;
	if (g->nvalues == 0 && (g->has & (HAS_DAYS | HAS_TIME | HAS_SCHENGEN)) != HAS_SCHENGEN)
		g->schengen = g->non_schengen = false;   /* it overrides a heading */
	else if (g->nvalues > 0)
		open_scope(r, HAS_SCHENGEN, i, after);
	if (r->g.nvalues == 0 && !(r->g.has & HAS_SCHENGEN))
		r->g.schengen = r->g.non_schengen = false;
	r->g.schengen |= !out;
	r->g.non_schengen |= out;
	r->g.has |= HAS_SCHENGEN;
	r->g.last = i;
	int depth = 0;
	for (size_t k = i + 1; k < r->end && k < i + 24; k++) {
		depth += mark(&r->t[k], "(") ? 1 : mark(&r->t[k], ")") ? -1 : 0;
		if (depth > 0)
			continue;
		if (mark(&r->t[k], ":")) {
			r->head_in = r->g.schengen;
			r->head_out = r->g.non_schengen;
			break;
		}
		if (mark(&r->t[k], ",") || (r->t[k].kind == NT_WORD && r->t[k].means & (NW_DEMAND | NW_SCHENGEN)))
			break;
	}
}

/* "O/R outside these hours" takes the demand of this part of the sentence with it; "otherwise O/R"
 * is for what follows. */
static void take_other(struct reading *r, size_t i)
{
	struct group old = r->g, mine;
	size_t keep = old.nvalues;

	while (keep > 0 && old.value[keep - 1].part == r->part)
		keep--;
	if (keep == old.nvalues || colon_follows(r, i + 1))
		keep = old.nvalues;
	r->g.nvalues = keep;
	if (keep < old.nvalues && keep == 0 && !(old.has & (HAS_DAYS | HAS_TIME)))
		r->g.has = 0;
	flush(r, i);
	mine = r->g;
	for (size_t k = keep; k < old.nvalues; k++)
		mine.value[mine.nvalues++] = old.value[k];
	mine.schengen = old.schengen;
	mine.non_schengen = old.non_schengen;
	mine.other = true;
	mine.has |= HAS_OTHER;
	mine.first = keep < old.nvalues ? old.last : i;
	mine.last = i;
	r->g = mine;
}

/* ---- demands ----------------------------------------------------------------------- */

/* Does a scope follow this demand without a comma between, which then belongs to it? */
static bool scope_follows(const struct reading *r, size_t i)
{
	struct notice_days d;

	for (; i < r->end && !mark(&r->t[i], ",:;()"); i++)
		if (notice_read_days(r->t, r->end, i, &d) > 0 || means(&r->t[i], NW_SCHENGEN))
			return true;
	return false;
}

static void take_value(struct reading *r, size_t at, size_t taken, struct value v)
{
	struct group *g = &r->g;
	bool strong = false;

	v.part = r->part;
	if (isnan(v.hours) && v.kind == NOTICE_HOURS)
		return;
	for (size_t i = 0; i < g->nvalues; i++) {
		strong |= !g->value[i].weak;
		if (v.weak && g->value[i].weak)
			return;
	}
	/* "PN 24 HR MON-FRI, 48 HR SAT-SUN" */
	if (strong && r->comma && !v.weak && g->has & (HAS_DAYS | HAS_SCHENGEN) && scope_follows(r, at + taken)) {
		flush(r, at);
		g = &r->g;
	}
	if (g->nvalues < VALUES)
		g->value[g->nvalues++] = v;
	g->last = at + taken - 1;
	r->comma = false;
}

/* A demand that is one phrase. */
static bool read_phrase_value(const struct notice_token *t, struct value *v)
{
	static const struct {
		unsigned means;
		enum notice_kind kind;
	} of[] = {
		{ NW_H24, NOTICE_H24 }, { NW_REQUEST, NOTICE_ON_REQUEST }, { NW_AD_HOURS, NOTICE_AD_HOURS },
		{ NW_BUSINESS_DAY, NOTICE_BUSINESS_DAY }, { NW_DAY_BEFORE, NOTICE_DAY_BEFORE },
		{ NW_NONE, NOTICE_NOT_AVAILABLE },
	};

	*v = (struct value){ .hours = (double)NAN, .working_days = 1 };
	if (t->kind == NT_WORD && t->subject & NS_NO_NOTICE) {
		v->kind = NOTICE_HOURS;
		v->hours = 0;
		return true;
	}
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (means(t, of[i].means)) {
			v->kind = of[i].kind;
			return true;
		}
	if (!means(t, NW_DEMAND))
		return false;
	v->kind = NOTICE_ON_REQUEST;
	v->weak = true;
	return true;
}

/* Is this number about something else: a delay, a fee, how long one may park? */
static bool is_aside(const struct reading *r, size_t i)
{
	bool aside = false;
	size_t at = i;

	while (at > 0 && !mark(&r->t[at - 1], ",;.:(\n"))
		at--;
	for (; at < r->end && !mark(&r->t[at], ",;.:)\n"); at++) {
		if (r->t[at].kind == NT_WORD && r->t[at].subject & NS_PAST)
			return true;
		if (means(&r->t[at], NW_DEMAND))
			return false;
		aside |= means(&r->t[at], NW_ASIDE);
	}
	return aside;
}

/* Does the number stand directly behind a scope, as in "MON-FRI: 24 HR"? */
static bool follows_scope(const struct reading *r)
{
	return r->g.has & HAS_DAYS && r->g.nvalues == 0;
}

/* "24 HR", "MNM 2 hours", "24 to 48 HR" (the greater counts), "2 days": the tokens, or 0. */
static size_t read_hours(const struct reading *r, size_t i, struct value *v)
{
	size_t at = i;
	double n;

	/* "H-24" */
	if (means(&r->t[at], NW_HOURS) && at + 2 < r->end && mark(&r->t[at + 1], "-") &&
	    r->t[at + 2].kind == NT_NUMBER && r->t[at + 2].start == r->t[at + 1].end) {
		*v = (struct value){ .kind = NOTICE_HOURS, .hours = r->t[at + 2].value, .working_days = 1,
			.sure = true };
		return 3;
	}
	if (!number(&r->t[at]))
		return 0;
	n = r->t[at].value;
	/* "one (1) hour" */
	if (at + 3 < r->end && mark(&r->t[at + 1], "(") && number(&r->t[at + 2]) && mark(&r->t[at + 3], ")") &&
	    r->t[at + 2].value == n)
		at += 3;
	if (at + 2 < r->end && (mark(&r->t[at + 1], "-/") || means(&r->t[at + 1], NW_TO | NW_AND)) &&
	    number(&r->t[at + 2])) {
		at += 2;
		n = fmax(n, r->t[at].value);
	}
	at++;
	while (at < r->end && mark(&r->t[at], "-"))       /* "24-hour" */
		at++;
	if (at >= r->end || n < 0 || !means(&r->t[at], NW_HOURS | NW_MINUTES | NW_DAYS | NW_WORKING_DAYS))
		return 0;
	*v = (struct value){ .kind = NOTICE_HOURS, .hours = n, .working_days = 1 };
	if (means(&r->t[at], NW_MINUTES)) {
		v->hours = n / 60;
	} else if (means(&r->t[at], NW_WORKING_DAYS)) {
		v->kind = NOTICE_BUSINESS_DAY;
		v->hours = (double)NAN;
		v->working_days = n >= 1 ? (int)n : 1;
	} else if (means(&r->t[at], NW_DAYS)) {
		v->hours = 24 * n;
	}
	return at + 1 - i;
}

/* ---- a sentence ---------------------------------------------------------------------- */

static bool is_stop(const struct reading *r, size_t i)
{
	const struct notice_token *t = r->t;

	if (mark(&t[i], ".") && i > 0 && means(&t[i - 1], NW_AND | NW_EXCEPT))
		return false;                 /* "incl. HOL" */
	if (mark(&t[i], ".;\n"))
		return true;
	/* a dash with blanks around it, before a word that is no day and no time: a list */
	return mark(&t[i], "-") && i + 1 < r->n && t[i + 1].kind == NT_WORD && t[i + 1].means == 0 &&
	    t[i + 1].start > t[i].end && (i == 0 || t[i].start > t[i - 1].end);
}

static size_t sentence_end(const struct reading *r, size_t i)
{
	while (i < r->n && !is_stop(r, i))
		i++;
	return i;
}

/* What the whole sentence is about, and whether numbers of hours in it can be notice. */
static void look_ahead(struct reading *r, size_t start, bool inherited)
{
	bool customs = false, immigration = false, handling = false;

	r->cue = inherited;
	for (size_t i = start; i < r->end; i++) {
		const struct notice_token *t = &r->t[i];

		r->cue |= means(t, NW_DEMAND | NW_AHEAD | NW_REQUEST);
		if (t->kind == NT_WORD && t->subject != 0 && !r->cue) {
			customs |= (t->subject & NS_CUSTOMS) != 0;
			immigration |= (t->subject & NS_IMMIGRATION) != 0;
			handling |= (t->subject & NS_HANDLING) != 0;
		}
	}
	r->about = customs ? NULL : immigration ? "immigration" : handling ? "handling" : NULL;
}

static void take_advice(struct reading *r, size_t i)
{
	struct group *g = &r->g;

	r->g.last = i;
	for (size_t k = g->nvalues; k-- > 0;)
		if (g->value[k].part == r->part) {
			g->value[k].advice = true;
			return;
		}
}

/* "recommended 48 HR": the advice stands before its demand. */
static bool advised(const struct reading *r, size_t i)
{
	for (size_t k = 1; k <= 3 && k <= i; k++) {
		if (r->t[i - k].kind == NT_MARK)
			return false;
		if (means(&r->t[i - k], NW_ADVICE))
			return true;
	}
	return false;
}

/* "MON-FRI except HOL", "daily except SUN". With a demand behind it ("except HOL: O/R") it is a scope
 * of its own. Returns the tokens taken. */
static size_t take_exception(struct reading *r, size_t i)
{
	struct notice_days d;
	size_t at = i + 1, taken;
	struct value v;

	while (at < r->end && at < i + 3 && r->t[at].kind == NT_WORD && r->t[at].means == 0)
		at++;
	taken = at < r->end ? notice_read_days(r->t, r->end, at, &d) : 0;
	if (taken == 0)
		return 1;
	size_t next = at + taken;
	bool of_days = r->g.has & HAS_DAYS && r->g.nvalues == 0;
	if (!of_days && next < r->end && (mark(&r->t[next], ":") || read_phrase_value(&r->t[next], &v) ||
	    read_hours(r, next, &v) > 0)) {
		r->comma = true;
		return 1;
	}
	if (r->g.has & HAS_DAYS || d.mask != 0)
		r->g.days.mask = (r->g.has & HAS_DAYS ? r->g.days.mask : (unsigned)NOTICE_ALL_DAYS) & ~d.mask;
	if (r->g.days.mask != 0)
		r->g.has |= HAS_DAYS;
	r->g.last = next - 1;
	return next - i;
}

/* "outside" alone, or before words for the opening hours: what is left. */
static size_t other_taken(const struct reading *r, size_t i)
{
	const struct notice_token *t = r->t;

	if (means(&t[i], NW_OTHER))
		return 1;
	if (!means(&t[i], NW_OUTSIDE) || !means(&t[i], NW_CONDITION))
		return 0;
	for (size_t k = i + 1; k < r->end && k < i + 6; k++) {
		if (means(&t[k], NW_HOURS | NW_AD_HOURS))
			return k + 1 - i;
		if (t[k].kind != NT_WORD || t[k].means != 0)
			return mark(&t[k], ",:") && k == i + 1 ? 1 : 0;
	}
	return i + 1 == r->end ? 1 : 0;
}

/* "No customs vehicle access": the phrase goes on and says something else. */
static bool is_of_other(const struct reading *r, size_t i)
{
	const struct notice_token *t = &r->t[i], *next = &r->t[i + 1];

	return means(t, NW_NONE) && t->subject == 0 && i + 1 < r->end && next->kind == NT_WORD &&
	    next->means == 0 && next->subject == 0 && t->end - t->start >= 9 && t->end - t->start <= 10 &&
	    (r->text[t->start] | 0x20) == 'n' && (r->text[t->start + 1] | 0x20) == 'o' &&
	    r->text[t->start + 2] == ' ' && (r->text[t->start + 3] | 0x20) == 'c';
}

static bool about_elsewhere(const struct reading *r, size_t start, size_t end)
{
	for (size_t i = start; i < end; i++)
		if (r->t[i].kind == NT_WORD && r->t[i].subject & NS_ELSEWHERE)
			return true;
	return false;
}

static void sentence(struct reading *r, size_t start, size_t end, bool cue);

/* Does the text in parentheses hold a demand? Then it is read by itself. */
static size_t own_parentheses(const struct reading *r, size_t i)
{
	size_t close = i + 1;
	bool demand = false;
	struct value v;

	while (close < r->end && !mark(&r->t[close], "()")) {
		demand |= read_phrase_value(&r->t[close], &v) || read_hours(r, close, &v) > 0;
		close++;
	}
	return demand && close < r->end && mark(&r->t[close], ")") ? close : 0;
}

/* "(phone answered MON-FRI 0830-1630)" is no scope: where it ends, or 0. */
static size_t contact_parentheses(const struct reading *r, size_t i)
{
	bool contact = false;

	for (i++; i < r->end && !mark(&r->t[i], "()"); i++)
		contact |= r->t[i].kind == NT_WORD && r->t[i].subject & NS_CONTACT;
	return contact && i < r->end && mark(&r->t[i], ")") ? i : 0;
}

static void parentheses(struct reading *r, size_t i, size_t close)
{
	struct group outer = r->g;
	size_t end = r->end;
	bool contact = r->contact, cue = r->cue;
	const char *about = r->about;

	r->part++;
	r->g = group_new(r, i + 1);
	r->g.days = outer.days;
	r->g.schengen = outer.schengen;
	r->g.non_schengen = outer.non_schengen;
	r->g.about = outer.about;
	/* days of its own replace those around it */
	sentence(r, i + 1, close, r->cue);
	r->g = outer;
	r->g.last = close;
	r->end = end;
	r->contact = contact;
	r->cue = cue;
	r->about = about;
	r->part++;
}

/* Take what stands at i; returns the tokens taken, at least 1. */
static size_t take(struct reading *r, size_t i)
{
	const struct notice_token *t = &r->t[i];
	struct notice_days d;
	struct value v;
	struct group times;
	size_t taken;

	if (mark(t, ",:")) {
		r->part += t->mark == ',';
		r->comma = true;
		return 1;
	}
	if (mark(t, "(") && (taken = own_parentheses(r, i)) > 0) {
		parentheses(r, i, taken);
		return taken + 1 - i;
	}
	if (mark(t, "(") && (taken = contact_parentheses(r, i)) > 0)
		return taken + 1 - i;
	if ((taken = read_hours(r, i, &v)) > 0) {
		if ((r->cue || v.sure || follows_scope(r)) && !is_aside(r, i)) {
			v.advice = advised(r, i);
			take_value(r, i, taken, v);
		}
		return taken;
	}
	if (means(t, NW_EXCEPT))
		return take_exception(r, i);
	if ((taken = other_taken(r, i)) > 0) {
		take_other(r, i);
		return taken;
	}
	if (read_phrase_value(t, &v)) {
		if (!is_of_other(r, i))
			take_value(r, i, 1, v);
		return 1;
	}
	if ((taken = notice_read_days(r->t, r->end, i, &d)) > 0) {
		take_days(r, i, taken, d);
		return taken;
	}
	if ((taken = read_times(r, i, &times)) > 0) {
		take_times(r, i, taken, &times);
		return taken;
	}
	if (means(t, NW_LIMIT) && i + 1 < r->end && r->t[i + 1].kind == NT_CLOCK) {
		r->g.before = (int)r->t[i + 1].value;
		r->g.last = i + 1;
		return 2;
	}
	/* "last business day 1600" */
	if (t->kind == NT_CLOCK && r->g.nvalues > 0 && r->g.before < 0)
		r->g.before = (int)t->value;
	if (means(t, NW_SCHENGEN))
		take_schengen(r, i);
	if (means(t, NW_ADVICE))
		take_advice(r, i);
	r->g.condition |= means(t, NW_CONDITION);
	r->contact |= t->kind == NT_WORD && t->subject & NS_CONTACT && !(r->g.has & HAS_TIME);
	return 1;
}

static void sentence(struct reading *r, size_t start, size_t end, bool cue)
{
	r->end = end;
	look_ahead(r, start, cue);
	r->contact = r->comma = false;
	if (r->g.about == NULL)
		r->g.about = r->about;
	for (size_t i = start; i < end;)
		i += take(r, i);
	flush(r, end < r->n ? end : r->n - 1);
}

/* ---- the whole text -------------------------------------------------------------------- */

static bool same_scope(const struct notice_rule *a, const struct notice_rule *b)
{
	return a->days.mask == b->days.mask && a->days.holidays == b->days.holidays &&
	    a->from == b->from && a->to == b->to && a->schengen == b->schengen &&
	    a->non_schengen == b->non_schengen;
}

static bool same_about(const struct notice_rule *a, const struct notice_rule *b)
{
	static const char *const customs = "customs|ppr";

	return streq(a->about, b->about) || (one_of(a->about, customs) && one_of(b->about, customs));
}

static bool same(const struct notice_rule *a, const struct notice_rule *b)
{
	return a->kind == b->kind && same_scope(a, b) && same_about(a, b) && a->before == b->before &&
	    a->obligatory == b->obligatory && (a->hours == b->hours || (isnan(a->hours) && isnan(b->hours)));
}

/* Which of two demands for the same case says more? "H24" is no contradiction to "PN 24 HR": customs
 * comes day and night, with notice. */
static int weight(const struct notice_rule *r, bool weak)
{
	switch (r->kind) {
	case NOTICE_HOURS:
		return r->hours > 0 ? 4 : 0;
	case NOTICE_BUSINESS_DAY:
	case NOTICE_DAY_BEFORE:
		return 4;
	case NOTICE_ON_REQUEST:
		return weak ? 2 : 3;
	case NOTICE_H24:
	case NOTICE_AD_HOURS:
		return 1;
	case NOTICE_NOT_AVAILABLE:
	case NOTICE_UNKNOWN:
	case NOTICE_KIND__MAX:
		break;
	}
	return 0;
}

static bool outweighed(const struct reading *r, size_t i)
{
	const struct notice_rule *a = &r->out->rule[i];

	for (size_t k = 0; k < r->out->n; k++) {
		const struct notice_rule *b = &r->out->rule[k];
		int wa = weight(a, r->note[i].weak), wb = weight(b, r->note[k].weak);

		if (k == i || !b->obligatory)
			continue;
		if (r->note[i].weak && !r->note[k].weak && wb >= 3)
			return true;
		if (k < i && same(a, b))
			return true;
		if (a->kind == NOTICE_HOURS && wa == 0 && wb > 0 && same_scope(a, b))
			return true;
		if (same_scope(a, b) && same_about(a, b) && wb > wa && wb >= 2 && !r->note[k].condition &&
		    !r->note[i].condition)
			return true;
	}
	return false;
}

static void drop_outweighed(struct reading *r)
{
	bool drop[NOTICE_RULES_MAX];
	size_t n = 0;

	for (size_t i = 0; i < r->out->n; i++)
		drop[i] = outweighed(r, i);
	for (size_t i = 0; i < r->out->n; i++)
		if (!drop[i])
			r->out->rule[n++] = r->out->rule[i];
	r->out->n = n;
}

/* Opening hours that no demand was for: without notice, if the text has rules for other times. */
static void give_waiting(struct reading *r)
{
	const struct value none = { .kind = NOTICE_HOURS, .hours = 0, .working_days = 1 };

	if (r->nwaiting == 0 || r->served)
		return;
	if (r->out->n == 0) {
		r->out->from = r->waiting[0].time[0].from;
		r->out->to = r->waiting[0].time[r->waiting[0].ntimes - 1].to;
		return;
	}
	for (size_t i = 0; i < r->nwaiting; i++)
		add_rule(r, &r->waiting[i], &none);
}

/* A last sentence without a demand, "Non-Schengen flights only", is about all that was said. */
static void spread_schengen(struct reading *r, const struct group *last, size_t rules_before)
{
	if (last->nvalues > 0 || !(last->has & HAS_SCHENGEN) || r->out->n != rules_before)
		return;
	if (last->schengen == last->non_schengen)
		return;
	for (size_t i = 0; i < r->out->n; i++) {
		struct notice_rule *rule = &r->out->rule[i];

		if (rule->schengen || rule->non_schengen)
			continue;
		rule->schengen = last->schengen;
		rule->non_schengen = last->non_schengen;
	}
}

static bool only_scope(const struct reading *r, size_t start, size_t end)
{
	for (size_t i = start; i < end; i++)
		if (means(&r->t[i], NW_ONLY))
			return true;
	return false;
}

static void sentences(struct reading *r)
{
	for (size_t i = 0; i < r->n;) {
		size_t end = sentence_end(r, i), before = r->out->n;
		struct group last;

		r->about = NULL;
		r->g = group_new(r, i);
		r->end = end;
		if (end > i && !about_elsewhere(r, i, end)) {
			sentence(r, i, end, false);
			/* flush() began a new group: find what this sentence said of Schengen again */
			if (r->out->n == before && only_scope(r, i, end)) {
				last = (struct group){ .nvalues = 0 };
				for (size_t k = i; k < end; k++)
					if (means(&r->t[k], NW_SCHENGEN)) {
						bool out = is_outside(r, k);
						last.has |= HAS_SCHENGEN;
						last.schengen |= !out;
						last.non_schengen |= out;
					}
				spread_schengen(r, &last, before);
			}
		}
		r->part++;
		i = end + 1;
	}
}

void notice_read(struct notice_reading *out, struct arena *a, const char *text)
{
	struct arena *work = arena_new();
	struct reading r = { .mem = a, .text = text, .out = out };
	bool cut;

	*out = (struct notice_reading){ .from = -1, .to = -1 };
	out->rule = arena_array(a, NOTICE_RULES_MAX, sizeof(*out->rule));
	r.t = notice_tokens(work, text, &r.n, &cut);
	if (r.n > 0) {
		sentences(&r);
		give_waiting(&r);
		drop_outweighed(&r);
	}
	notice_judge(out, a, text, r.t, r.n, cut);
	arena_free(work);
}
