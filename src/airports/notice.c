/*
 * What one notice means for a flight.
 */
#include "airports/notice.h"

#include <math.h>
#include <string.h>

#include "airports/friendliness.h"
#include "base/jsn_put.h"
#include "base/str.h"

/* ---- days -------------------------------------------------------------------------- */

static int count_days(unsigned mask)
{
	int n = 0;

	for (; mask != 0; mask &= mask - 1)
		n++;
	return n;
}

/* The rule with the fewest days says most about a day: "Sun" before "Sat-Sun" before "daily". */
static const struct notice_day_rule *closest(const struct notice *n, unsigned mask, bool holidays,
    bool hours)
{
	const struct notice_day_rule *best = NULL;

	for (size_t i = 0; i < n->nrules; i++) {
		const struct notice_day_rule *r = &n->rule[i];

		if (!(r->days.mask & mask) && !(holidays && r->days.holidays))
			continue;
		if (hours && isnan(r->hours))
			continue;
		if (best == NULL || count_days(r->days.mask) < count_days(best->days.mask))
			best = r;
	}
	return best;
}

double notice_for_day(const struct notice *n, unsigned day)
{
	const struct notice_day_rule *r;

	if (n->kind == NOTICE_H24)
		return 0;
	if (n->kind == NOTICE_ON_REQUEST)
		return (double)NAN;
	r = closest(n, 1U << day % 7, false, true);
	return r != NULL ? r->hours : n->hours;
}

const struct notice_day_rule *notice_rule_for_day(const struct notice *n, unsigned day)
{
	return closest(n, 1U << day % 7, false, false);
}

const struct notice_day_rule *notice_rule_for_holidays(const struct notice *n)
{
	return closest(n, 0, true, false);
}

static double most_hours(const struct notice *n)
{
	double most = n->hours;

	for (size_t i = 0; i < n->nrules; i++)
		if (!isnan(n->rule[i].hours) && !(n->rule[i].hours <= most))
			most = n->rule[i].hours;
	return most;
}

double notice_max(const struct notice *n)
{
	if (n->kind == NOTICE_H24)
		return 0;
	return n->kind == NOTICE_ON_REQUEST ? (double)NAN : most_hours(n);
}

/* ---- how easy, and does it fit --------------------------------------------------------- */

double notice_easiness(const struct notice *n)
{
	static const double steps[][2] = { { 0, 100 }, { 2, 90 }, { 12, 80 }, { 24, 60 }, { 48, 40 },
		{ 72, 20 } };
	const double most = notice_max(n);

	if (n->kind == NOTICE_H24)
		return 100;
	if (n->kind == NOTICE_NOT_AVAILABLE)
		return 0;
	if (n->kind == NOTICE_ON_REQUEST)
		return 70;
	if (n->kind == NOTICE_BUSINESS_DAY)
		return 55;
	if (isnan(most))
		return n->kind == NOTICE_HOURS ? 85 : 50;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (most <= steps[i][0])
			return steps[i][1];
	return 10;
}

/* A notice in days depends on the calendar, and nothing is known of one of an unknown kind. An
 * airport that is H24 may still want notice of some flights. */
enum filter_fit notice_fit(const struct notice *n, double max_hours)
{
	double most;

	if (n == NULL)
		return FIT_UNKNOWN;
	most = most_hours(n);
	switch (n->kind) {
	case NOTICE_NOT_AVAILABLE:
		return FIT_NO;
	case NOTICE_ON_REQUEST:
		return FIT_YES;
	case NOTICE_H24:
		return isnan(most) || most <= max_hours ? FIT_YES : FIT_UNKNOWN;
	case NOTICE_HOURS:
	case NOTICE_AD_HOURS:
		return isnan(most) || most <= max_hours ? FIT_YES : FIT_NO;
	case NOTICE_BUSINESS_DAY:
	case NOTICE_DAY_BEFORE:
	case NOTICE_UNKNOWN:
	case NOTICE_KIND__MAX:
		break;
	}
	return isnan(most) || most <= max_hours ? FIT_UNKNOWN : FIT_NO;
}

bool notice_matches(const struct notice *n, double max_hours, const char *type, double min_easiness)
{
	if (type != NULL && !strieq(n->type != NULL ? n->type : "", type))
		return false;
	if (!isnan(max_hours) && notice_fit(n, max_hours) == FIT_NO)
		return false;
	return isnan(min_easiness) || notice_easiness(n) >= min_easiness;
}

/* ---- JSON --------------------------------------------------------------------------------- */

bool notice_tells(const struct notice *n)
{
	return n->origin == NOTICE_FROM_DATABASE || n->kind != NOTICE_UNKNOWN;
}

const char *notice_shortened(struct short_summary *out, const char *s)
{
	size_t n = strlen(s), cut = 0;

	for (int i = 0; i < NOTICE_SHORT && cut < n; i++) {
		size_t one = utf8_len(s + cut, n - cut);
		cut += one > 0 ? one : 1;
	}
	if (cut == n)
		return s;
	memcpy(out->text, s, cut);
	memcpy(out->text + cut, "...", 4);
	return out->text;
}

struct json_object *notice_summary_json(const struct notice *n)
{
	struct json_object *o = jsn_new();
	struct short_summary s;

	jsn_add_str(o, "notification_type", n->type);
	jsn_add_num(o, "hours_notice", n->hours);
	jsn_add_str(o, "summary", notice_shortened(&s, n->summary));
	jsn_add_num(o, "easiness_score", num_round(notice_easiness(n), 1));
	jsn_add_bool(o, "is_h24", n->kind == NOTICE_H24);
	return o;
}

void notice_put(struct buf *b, const char *name, const struct notice *n)
{
	struct short_summary s;

	if (n == NULL || !notice_tells(n)) {
		jsn_put_null(b, name);
		return;
	}
	jsn_put_open(b, name, '{');
	jsn_put_str(b, "notification_type", n->type);
	jsn_put_num(b, "hours_notice", n->hours);
	jsn_put_bool(b, "is_h24", n->kind == NOTICE_H24);
	jsn_put_bool(b, "is_on_request", n->kind == NOTICE_ON_REQUEST);
	jsn_put_num(b, "easiness_score", num_round(notice_easiness(n), 1));
	jsn_put_str(b, "summary", notice_shortened(&s, n->summary));
	jsn_put_close(b, '}');
}

static struct json_object *day_rules_json(const struct notice *n)
{
	struct json_object *o = jsn_new();

	for (size_t i = 0; i < n->nrules; i++) {
		if (n->rule[i].number)
			jsn_add_num(o, n->rule[i].key, n->rule[i].hours);
		else
			jsn_add_str(o, n->rule[i].key, n->rule[i].text);
	}
	return o;
}

struct json_object *notice_detail_json(const struct notice *n)
{
	struct json_object *o = jsn_new();

	jsn_add_str(o, "icao", n->icao);
	jsn_add_str(o, "notification_type", n->type);
	jsn_add_num(o, "hours_notice", n->hours);
	jsn_add(o, "weekday_rules", day_rules_json(n));
	jsn_add_str(o, "summary", n->summary);
	jsn_add_num(o, "confidence", n->confidence);
	jsn_add_str(o, "rule_type", n->about);
	jsn_add_num(o, "easiness_score", num_round(notice_easiness(n), 1));
	jsn_add_num(o, "max_notice_hours", notice_max(n));
	jsn_add_bool(o, "is_h24", n->kind == NOTICE_H24);
	jsn_add_bool(o, "is_on_request", n->kind == NOTICE_ON_REQUEST);
	return o;
}

const char *notice_text(struct arena *a, const struct notice *n)
{
	const char *text = notice_cleaned(a, n->summary);

	return text != NULL ? text : "";
}
