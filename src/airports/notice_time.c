/*
 * What a notice says of a time of day.
 *
 * A text of the AIP is read again, because its rules with their times are not kept. Of the rules for the
 * days one that names them is preferred, then one that names the time. Where two of them disagree, or a
 * rule is only for some flights, no number of hours is told.
 */
#include "airports/notice.h"

#include <math.h>

static bool within(int clock, int from, int to)
{
	return from <= to ? clock >= from && clock <= to : clock >= from || clock <= to;
}

static bool names_days(const struct notice_days *d)
{
	return d->mask != 0 || d->holidays;
}

/* How well a rule fits the days: 2 it names all of them, 1 it holds on any day, 0 it does not fit. */
static int day_fit(const struct notice_rule *r, struct notice_days days)
{
	if (!names_days(&r->days))
		return 1;
	return names_days(&days) && (r->days.mask & days.mask) == days.mask &&
	    (r->days.holidays || !days.holidays) ? 2 : 0;
}

/* One rule in words: "no notice (08:00-18:00)". */
static const char *said(struct arena *a, const struct notice_rule *r)
{
	struct notice_rule one = *r;
	const struct notice_reading alone = { .rule = &one, .n = 1, .from = -1, .to = -1 };

	return notice_reading_summary(a, &alone);
}

static bool agree(const struct notice_rule *a, const struct notice_rule *b)
{
	return a->kind == b->kind && (a->hours == b->hours || (isnan(a->hours) && isnan(b->hours)));
}

static void of_text(struct notice_at *out, struct arena *a, const char *text, struct notice_days days,
    int clock)
{
	const struct notice_rule *best = NULL;
	struct notice_reading r;
	const char *outside = "";
	int most = 0;
	bool clash = false;

	notice_read(&r, a, text);
	for (size_t i = 0; i < r.n; i++) {
		const struct notice_rule *rule = &r.rule[i];
		const bool timed = rule->from >= 0 && rule->to >= 0;
		const int fit = rule->obligatory ? 2 * day_fit(rule, days) + timed : 0;

		if (fit < 2)
			continue;
		if (timed && !within(clock, rule->from, rule->to)) {
			outside = arena_printf(a, "%s%s%s", outside, *outside != '\0' ? "; " : "", said(a, rule));
			continue;
		}
		clash = fit == most ? clash || !agree(rule, best) : fit < most && clash;
		if (fit > most) {
			best = rule;
			most = fit;
		}
	}
	if (best == NULL && *outside != '\0')
		out->rule = arena_printf(a, "outside its times (%s)", outside);
	if (best == NULL || clash)
		return;
	out->rule = said(a, best);
	if (best->schengen || best->non_schengen)
		return;
	if (best->kind == NOTICE_HOURS)
		out->hours = best->hours;
	else if (best->kind == NOTICE_H24 && isnan(best->hours))
		out->hours = 0;
}

static int number_of(const char *clock)
{
	int v = -1;

	return clock != NULL && sscanf(clock, "%4d", &v) == 1 && v >= 0 && v <= 2400 ? v : -1;
}

struct notice_at notice_at_time(struct arena *a, const struct notice *n, struct notice_days days, int clock)
{
	struct notice_at out = { .hours = (double)NAN };
	const int from = number_of(n->opens), to = number_of(n->closes);

	if (n->raw != NULL)
		of_text(&out, a, n->raw, days, clock);
	else if (n->kind == NOTICE_H24 && isnan(n->hours) && n->nrules == 0)
		out.hours = 0;
	else if (isnan(n->hours) && n->nrules == 0 && from >= 0 && to >= 0)
		out.rule = arena_printf(a, "%s its hours %s-%s; no notice period is given",
		    within(clock, from, to) ? "within" : "outside", n->opens, n->closes);
	return out;
}

/* ---- the times of a day ------------------------------------------------------------------ */

static bool timed(const struct notice_rule *r)
{
	return r->from >= 0 && r->to >= 0;
}

/* How well the best rule of that kind fits the days. */
static int best_fit(const struct notice_reading *r, struct notice_days days, bool with_times)
{
	int best = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->rule[i].obligatory && timed(&r->rule[i]) == with_times && day_fit(&r->rule[i], days) > best)
			best = day_fit(&r->rule[i], days);
	return best;
}

/* Are there rules for certain flights only, or, if no day was asked for, for certain days only? A list of times
 * cannot say that. */
static bool too_much(const struct notice_reading *r, struct notice_days days)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->rule[i].schengen || r->rule[i].non_schengen ||
		    (names_days(&r->rule[i].days) && !names_days(&days)))
			return true;
	return false;
}

size_t notice_times(struct arena *a, const struct notice *n, struct notice_days days,
    const struct notice_time **out)
{
	struct notice_reading r = { .n = 0 };
	const struct notice_rule *first = NULL;
	bool differ = false;
	size_t count = 0;

	if (n->raw != NULL)
		notice_read(&r, a, n->raw);
	struct notice_time *list = arena_array(a, r.n + 1, sizeof(*list));
	const int most = best_fit(&r, days, true), other = best_fit(&r, days, false);
	*out = list;
	if (most == 0 || other > most || too_much(&r, days))
		return 0;
	/* first the times, then what holds at all others */
	for (size_t i = 0; i < 2 * r.n; i++) {
		const struct notice_rule *rule = &r.rule[i % r.n];
		const bool with_times = i < r.n;
		const int fit = with_times ? most : other;

		if (!rule->obligatory || timed(rule) != with_times || fit == 0 || day_fit(rule, days) != fit)
			continue;
		differ |= first != NULL && !agree(first, rule);
		first = first == NULL ? rule : first;
		list[count++] = (struct notice_time){ .from = with_times ? rule->from : -1,
			.to = with_times ? rule->to : -1, .hours = rule->hours, .text = notice_rule_text(a, rule) };
		/* two rules for the same other times: one of them was misread */
		if (count > 1 && list[count - 1].from < 0 && list[count - 2].from < 0)
			return 0;
	}
	/* if the text gives more hours than the row of the database, the text was misread */
	for (size_t i = 0; i < count && n->origin == NOTICE_FROM_DATABASE; i++)
		differ &= isnan(list[i].hours) || isnan(n->hours) || list[i].hours <= n->hours;
	return differ ? count : 0;
}
