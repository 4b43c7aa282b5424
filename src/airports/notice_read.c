/*
 * A text becomes tokens (notice_tokens.c), these become items (notice_items.c), what is not about notice
 * is put aside (notice_clauses.c), and the demands get their days and times (notice_join.c). Here the
 * groups become rules, and what other rules outweigh is left out.
 *
 * Groups with times but without a demand are opening hours. A later demand without a scope of its own is
 * for them ("0700-1900. PN 24 HR"); if there is none, customs is there at these times without notice.
 */
#include "airports/notice_rules.h"

#include <math.h>
#include <string.h>

#include "airports/notice_clauses.h"
#include "airports/notice_join.h"
#include "airports/notice_judge.h"
#include "base/str.h"

enum { RAW_BYTES = 300 };

struct reading {
	struct arena *mem;
	const char *text;
	const struct notice_token *t;
	struct notice_reading *out;
	struct notice_group *waiting[NOTICE_GROUPS];
	size_t nwaiting;
	bool served;                  /* a demand was found for those that wait: later ones are not for them */
	struct {                      /* kept beside out->rule[i] */
		bool weak, condition, other;
		size_t sentence;
	} note[NOTICE_RULES_MAX];
};

/* ---- rules ------------------------------------------------------------------------------ */

static const char *raw_of(const struct reading *r, const struct notice_group *g)
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

static bool is_period(enum notice_kind kind, double hours)
{
	return (kind == NOTICE_HOURS && hours > 0) || kind == NOTICE_BUSINESS_DAY || kind == NOTICE_DAY_BEFORE;
}

static const char *about_of(const struct notice_demand *d)
{
	bool period = d->kind == NOTICE_HOURS || is_period(d->kind, d->hours);

	return d->about != NULL ? d->about : period ? "ppr" : "customs";
}

static void add_rule(struct reading *r, const struct notice_group *g, const struct notice_scope *s,
    const struct notice_demand *d, int from, int to)
{
	size_t n = r->out->n;
	bool day = d->kind == NOTICE_BUSINESS_DAY || d->kind == NOTICE_DAY_BEFORE;

	if (n == NOTICE_RULES_MAX)
		return;
	/* "0400-2100 permanent" */
	bool hours = d->kind == NOTICE_H24 && from >= 0 && from % 2400 != to % 2400;
	r->note[n].weak = d->weak;
	r->note[n].condition = g->condition;
	r->note[n].other = s->has & NOTICE_HAS_OTHER;
	r->note[n].sentence = g->sentence;
	r->out->rule[r->out->n++] = (struct notice_rule){
		.kind = hours ? NOTICE_HOURS : d->kind, .about = about_of(d), .hours = hours ? 0 : d->hours, .days = s->days,
		.from = from, .to = to, .before = day ? d->before : -1, .working_days = d->working_days,
		.schengen = s->schengen && !s->non_schengen, .non_schengen = s->non_schengen && !s->schengen,
		.obligatory = !d->advice, .raw = raw_of(r, g), .confidence = d->guessed ? 0.5 : confidence_of(d->kind),
	};
}

static void add_rules(struct reading *r, const struct notice_group *g, const struct notice_scope *s,
    const struct notice_demand *d)
{
	if (!(s->has & NOTICE_HAS_TIMES)) {
		add_rule(r, g, s, d, -1, -1);
		return;
	}
	for (size_t i = 0; i < s->times.n; i++)
		add_rule(r, g, s, d, s->times.at[i].from, s->times.at[i].to);
}

/* A demand that names a time of notice says more than "on request" beside it. */
static bool says_less(const struct notice_group *g, const struct notice_demand *d)
{
	/* "H24, no PN required": the time says it */
	if (d->kind == NOTICE_HOURS && !is_period(d->kind, d->hours)) {
		for (size_t i = 0; i < g->nvalues; i++)
			if (g->value[i].kind != NOTICE_HOURS || g->value[i].hours > 0)
				return true;
		return false;
	}
	if (d->kind != NOTICE_ON_REQUEST && d->kind != NOTICE_AD_HOURS && d->kind != NOTICE_H24)
		return false;
	for (size_t i = 0; i < g->nvalues; i++) {
		const struct notice_demand *o = &g->value[i];

		/* "H24 (police), PN 12 HR (customs)" */
		if (d->kind == NOTICE_H24 && (d->about == NULL) != (o->about == NULL))
			continue;
		if (!o->advice && (is_period(o->kind, o->hours) ||
		    (d->weak && !o->weak && o->kind == NOTICE_ON_REQUEST)))
			return true;
	}
	return false;
}

static void give(struct reading *r, const struct notice_group *g)
{
	static const struct notice_scope all = { 0 };

	for (size_t i = 0; i < g->nvalues; i++) {
		if (says_less(g, &g->value[i]))
			continue;
		if (g->nscopes == 0)
			add_rules(r, g, &all, &g->value[i]);
		for (size_t k = 0; k < g->nscopes; k++)
			add_rules(r, g, &g->scope[k], &g->value[i]);
	}
}

/* ---- opening hours ------------------------------------------------------------------------ */

static unsigned has_any(const struct notice_group *g)
{
	unsigned has = 0;

	for (size_t i = 0; i < g->nscopes; i++)
		has |= g->scope[i].has;
	return has;
}

/* Does a demand without a scope hold for the opening hours that were named before it? */
static bool is_for_waiting(const struct reading *r, const struct notice_group *g)
{
	if (r->nwaiting == 0 || r->served || g->condition ||
	    has_any(g) & (NOTICE_HAS_DAYS | NOTICE_HAS_TIMES | NOTICE_HAS_OTHER))
		return false;
	for (size_t i = 0; i < g->nvalues; i++)
		if (g->value[i].kind == NOTICE_H24 || g->value[i].kind == NOTICE_NOT_AVAILABLE ||
		    g->value[i].kind == NOTICE_AD_HOURS || g->value[i].advice || g->value[i].about != NULL)
			return false;
	return true;
}

static void serve_waiting(struct reading *r, const struct notice_group *g)
{
	for (size_t i = 0; i < r->nwaiting; i++) {
		struct notice_group w = *r->waiting[i];

		for (size_t k = 0; k < w.nscopes && g->nscopes > 0; k++) {
			w.scope[k].schengen |= g->scope[0].schengen;
			w.scope[k].non_schengen |= g->scope[0].non_schengen;
		}
		w.nvalues = g->nvalues;
		memcpy(w.value, g->value, sizeof(w.value));
		w.last = g->last;
		give(r, &w);
	}
	r->served = true;
}

/* "Non-Schengen flights only." is about all that was said. */
static void spread(struct reading *r, const struct notice_scope *s)
{
	for (size_t i = 0; i < r->out->n && s->schengen != s->non_schengen; i++) {
		struct notice_rule *rule = &r->out->rule[i];

		if (rule->schengen || rule->non_schengen)
			continue;
		rule->schengen = s->schengen;
		rule->non_schengen = s->non_schengen;
	}
}

/* "Customs is present on TUE and THU" */
static bool names_days(const struct notice_group *g)
{
	return has_any(g) & NOTICE_HAS_DAYS && !(has_any(g) & NOTICE_HAS_OTHER) && g->scope[0].days.mask != 0 &&
	    g->scope[0].days.mask != NOTICE_ALL_DAYS;
}

static void take_group(struct reading *r, struct notice_group *g)
{
	if (g->nvalues == 0 && g->spread) {
		spread(r, &g->scope[0]);
	} else if (g->nvalues == 0) {
		if (!(has_any(g) & NOTICE_HAS_TIMES) && !(names_days(g) && g->present))
			return;
		if (r->served)
			r->nwaiting = 0;
		r->served = false;
		r->waiting[r->nwaiting++] = g;
	} else if (is_for_waiting(r, g)) {
		serve_waiting(r, g);
	} else {
		give(r, g);
	}
}

/* "PN 24 HR. MON-FRI 0800-1800": the hours are those of the demand before them. */
static bool demand_before(const struct reading *r)
{
	const struct notice_rule *rule = r->out->rule;

	for (size_t i = 0; i < r->out->n; i++)
		if (!is_period(rule[i].kind, rule[i].hours) || rule[i].days.mask != 0 || rule[i].days.holidays ||
		    rule[i].from >= 0 || r->note[i].other || r->note[i].condition)
			return false;
	return r->out->n == 1;
}

static void give_waiting(struct reading *r)
{
	struct notice_demand d = { .kind = NOTICE_HOURS, .hours = 0, .working_days = 1, .before = -1 };

	if (r->nwaiting == 0 || r->served)
		return;
	if (demand_before(r)) {
		const struct notice_rule *rule = &r->out->rule[0];

		d = (struct notice_demand){ .kind = rule->kind, .hours = rule->hours, .before = rule->before,
			.working_days = rule->working_days, .advice = !rule->obligatory };
		r->out->n = 0;
	} else if (r->out->n == 0) {
		const struct notice_times *first = &r->waiting[0]->scope[0].times;
		const struct notice_times *last = &r->waiting[r->nwaiting - 1]->scope[0].times;

		if (first->n > 0 && last->n > 0) {
			r->out->from = first->at[0].from;
			r->out->to = last->at[last->n - 1].to;
		}
	}
	for (size_t i = 0; i < r->nwaiting; i++) {
		struct notice_group *w = r->waiting[i];

		w->nvalues = 1;
		w->value[0] = d;
		give(r, w);
	}
}

/* ---- what outweighs what -------------------------------------------------------------------- */

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

/* Is notice demanded on each day of the week, though not by one rule? */
static bool all_days_have_notice(const struct reading *r)
{
	unsigned mask = 0;

	for (size_t i = 0; i < r->out->n; i++) {
		const struct notice_rule *rule = &r->out->rule[i];

		if (rule->obligatory && is_period(rule->kind, rule->hours) && rule->from < 0 && !rule->schengen &&
		    !rule->non_schengen)
			mask |= rule->days.mask;
	}
	return mask == NOTICE_ALL_DAYS;
}

static bool outweighed(const struct reading *r, size_t i)
{
	const struct notice_rule *a = &r->out->rule[i];
	bool bare = a->days.mask == 0 && !a->days.holidays && a->from < 0 && !r->note[i].other;

	if (a->kind == NOTICE_ON_REQUEST && bare && all_days_have_notice(r))
		return true;
	for (size_t k = 0; k < r->out->n; k++) {
		const struct notice_rule *b = &r->out->rule[k];
		int wa = weight(a, r->note[i].weak), wb = weight(b, r->note[k].weak);
		bool scoped = r->note[i].condition || r->note[k].condition || r->note[i].other || r->note[k].other;

		if (k == i || !b->obligatory)
			continue;
		/* "PN shall be sent to …" says no more than the numbers do */
		if (r->note[i].weak && bare && !r->note[k].weak && wb >= 3)
			return true;
		if (k < i && same(a, b))
			return true;
		if (a->kind == NOTICE_HOURS && wa == 0 && wb > 0 && same_scope(a, b) && !scoped)
			return true;
		if (same_scope(a, b) && same_about(a, b) && wb > wa && wb >= 2 && !scoped)
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

/* ---- the whole text -------------------------------------------------------------------------- */

static void read_tokens(struct reading *r, struct arena *work, size_t n)
{
	size_t nitems, ngroups;
	struct notice_item *item = notice_items(work, r->t, n, r->text, &nitems);
	struct notice_group *group = arena_array(work, NOTICE_GROUPS, sizeof(*group));

	notice_mute(item, nitems);
	ngroups = notice_join(group, item, nitems);
	for (size_t i = 0; i < ngroups; i++)
		take_group(r, &group[i]);
	give_waiting(r);
	drop_outweighed(r);
}

void notice_read(struct notice_reading *out, struct arena *a, const char *text)
{
	struct arena *work = arena_new();
	struct reading r = { .mem = a, .text = text, .out = out };
	size_t n;
	bool cut;

	*out = (struct notice_reading){ .from = -1, .to = -1 };
	out->rule = arena_array(a, NOTICE_RULES_MAX, sizeof(*out->rule));
	r.t = notice_tokens(work, text, &n, &cut);
	if (n > 0)
		read_tokens(&r, work, n);
	notice_judge(out, a, text, r.t, n, cut);
	arena_free(work);
}
