/*
 * Rules in words, as JSON, and what they amount to.
 */
#include "airports/notice_rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { FIELD_CUSTOMS = 302 };

static const char *const names[NOTICE_KIND__MAX] = {
	[NOTICE_UNKNOWN] = "unknown",
	[NOTICE_H24] = "h24",
	[NOTICE_HOURS] = "hours",
	[NOTICE_BUSINESS_DAY] = "business_day",
	[NOTICE_DAY_BEFORE] = "day_before",
	[NOTICE_ON_REQUEST] = "on_request",
	[NOTICE_AD_HOURS] = "as_ad_hours",
	[NOTICE_NOT_AVAILABLE] = "not_available",
};

const char *notice_kind_name(enum notice_kind k)
{
	return names[k];
}

enum notice_kind notice_kind_of(const char *name)
{
	for (int k = 0; name != NULL && k < NOTICE_KIND__MAX; k++)
		if (strieq(names[k], name))
			return (enum notice_kind)k;
	return NOTICE_UNKNOWN;
}

/* ---- in words --------------------------------------------------------------------- */

static bool all_are(const struct notice_reading *r, enum notice_kind kind)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->rule[i].kind != kind)
			return false;
	return r->n > 0;
}

bool notice_rule_for_all(const struct notice_rule *r)
{
	return r->days.mask == 0 && !r->days.holidays && r->from < 0 && !r->schengen && !r->non_schengen;
}

static const char *label(struct arena *a, struct notice_days d)
{
	if (d.mask == 0 && !d.holidays)
		return "";
	if (!d.holidays && d.mask == NOTICE_WEEKDAYS)
		return "weekdays: ";
	if (!d.holidays && d.mask == NOTICE_WEEKEND)
		return "weekends: ";
	const char *days = notice_days_text(a, d);
	return arena_printf(a, "%s: ", str_upper_copy(a, days, strlen(days)));
}

static const char *hhmm(struct arena *a, int clock)
{
	return arena_printf(a, "%02d:%02d", clock / 100, clock % 100);
}

static const char *rule_said(struct arena *a, const struct notice_rule *r)
{
	const char *by = r->before >= 0 ? arena_printf(a, " before %s", hhmm(a, r->before)) : "";

	switch (r->kind) {
	case NOTICE_H24:
		return "H24";
	case NOTICE_HOURS:
		return r->hours > 0 ? arena_printf(a, "PPR %gh", r->hours) : "no notice";
	case NOTICE_BUSINESS_DAY:
		return r->working_days > 1 ? arena_printf(a, "%d working days before%s", r->working_days, by)
		    : arena_printf(a, "Last business day%s", by);
	case NOTICE_DAY_BEFORE:
		return arena_printf(a, "Day before%s", by);
	case NOTICE_ON_REQUEST:
		return "O/R";
	case NOTICE_AD_HOURS:
		return "aerodrome hours";
	case NOTICE_NOT_AVAILABLE:
		return "not available";
	case NOTICE_UNKNOWN:
	case NOTICE_KIND__MAX:
		break;
	}
	return "see details";
}

static const char *rule_line(struct arena *a, const struct notice_rule *r)
{
	const char *at = r->from >= 0 ? arena_printf(a, " (%s-%s)", hhmm(a, r->from), hhmm(a, r->to)) : "";
	const char *who = r->schengen ? " (Schengen flights)" : r->non_schengen ? " (non-Schengen flights)" : "";
	const char *about = one_of(r->about, "immigration|handling") ? arena_printf(a, " (%s)", r->about) : "";

	return arena_printf(a, "%s%s%s%s%s%s", label(a, r->days), rule_said(a, r), at, who, about,
	    r->obligatory ? "" : " (recommended)");
}

/* Does a rule without days or times stand beside one for a time: "0800-1800, outside PN 24 HR"? Alone it
 * would read as a contradiction. */
static bool at_other_times(const struct notice_reading *r, size_t i)
{
	const struct notice_rule *rule = &r->rule[i];

	if (!notice_rule_for_all(rule) || !rule->obligatory)
		return false;
	for (size_t k = 0; k < r->n; k++)
		if (r->rule[k].from >= 0 && r->rule[k].obligatory && !r->rule[k].schengen && !r->rule[k].non_schengen)
			return true;
	return false;
}

const char *notice_reading_summary(struct arena *a, const struct notice_reading *r)
{
	const char *text = "";

	if (r->n == 0)
		return "No notice rule could be read";
	if (r->n == 1 && r->rule[0].kind == NOTICE_H24 && r->rule[0].days.mask == 0)
		return "H24, no notice required";
	if (r->n == 1 && notice_rule_for_all(&r->rule[0])) {
		if (r->rule[0].kind == NOTICE_NOT_AVAILABLE)
			return "Not available";
		if (r->rule[0].kind == NOTICE_AD_HOURS)
			return "As aerodrome hours";
		if (r->rule[0].kind == NOTICE_ON_REQUEST)
			return "On request";
	}
	for (size_t i = 0; i < r->n; i++)
		text = arena_printf(a, "%s%s%s%s", text, i > 0 ? "; " : "", rule_line(a, &r->rule[i]),
		    at_other_times(r, i) ? " at other times" : "");
	return text;
}

/* ---- as JSON ------------------------------------------------------------------------ */

static void add_clock(struct json_object *o, const char *key, int clock)
{
	char text[8];

	if (clock < 0) {
		jsn_add(o, key, NULL);
		return;
	}
	snprintf(text, sizeof(text), "%04d", clock);
	jsn_add_str(o, key, text);
}

/* Days in one run as the original's pair; others only as a list. */
static void add_days(struct json_object *o, struct notice_days d)
{
	int first = -1, last = -1, runs = 0;
	struct json_object *list = json_object_new_array();

	for (int day = 0; day < 7; day++) {
		if (!(d.mask & 1U << day))
			continue;
		jsn_push(list, jsn_strn(notice_day_name((unsigned)day), 3));
		if (!(d.mask & 1U << (day + 6) % 7)) {
			first = day;
			runs++;
		}
		if (!(d.mask & 1U << (day + 1) % 7))
			last = day;
	}
	if (d.mask == NOTICE_ALL_DAYS) {
		first = 0;
		last = 6;
		runs = 1;
	}
	jsn_add(o, "weekday_start", runs == 1 ? jsn_num(first) : NULL);
	jsn_add(o, "weekday_end", runs == 1 && last != first ? jsn_num(last) : NULL);
	jsn_add(o, "days", list);
	jsn_add_bool(o, "includes_holidays", d.holidays);
}

static struct json_object *rule_json(const struct notice_rule *r)
{
	struct json_object *o = jsn_new();

	jsn_add_str(o, "rule_type", r->about);
	jsn_add_str(o, "notification_type", notice_kind_name(r->kind));
	jsn_add_num(o, "hours_notice", r->hours);
	add_days(o, r->days);
	jsn_add(o, "business_day_offset", r->kind == NOTICE_BUSINESS_DAY ? jsn_num(-r->working_days) : NULL);
	add_clock(o, "specific_time", r->before);
	add_clock(o, "hours_start", r->from);
	add_clock(o, "hours_end", r->to);
	jsn_add_bool(o, "is_obligatory", r->obligatory);
	jsn_add_bool(o, "schengen_only", r->schengen);
	jsn_add_bool(o, "non_schengen_only", r->non_schengen);
	jsn_add_str(o, "raw_text", r->raw);
	jsn_add_num(o, "confidence", r->confidence);
	jsn_add_str(o, "extraction_method", r->by_model ? "llm" : "rules");
	return o;
}

struct json_object *notice_reading_json(struct arena *a, const char *icao, const char *text,
    const struct notice_reading *r)
{
	struct json_object *o = jsn_object(a), *rules = json_object_new_array();
	struct json_object *warnings = json_object_new_array(), *hassle = jsn_new();
	const struct notice_hassle h = notice_hassle_of(r);

	jsn_add_str(o, "icao", icao);
	for (size_t i = 0; i < r->n; i++)
		jsn_push(rules, rule_json(&r->rule[i]));
	jsn_add(o, "rules", rules);
	add_clock(o, "operating_hours_start", r->from);
	add_clock(o, "operating_hours_end", r->to);
	jsn_add_str(o, "summary", notice_reading_summary(a, r));
	jsn_add_str(hassle, "level", h.level);
	jsn_add_num(hassle, "score", num_round(h.score, 2));
	jsn_add_num(hassle, "max_hours_notice", h.max_hours);
	jsn_add_bool(hassle, "has_weekend_rules", h.weekend);
	jsn_add_bool(hassle, "has_schengen_rules", h.schengen);
	jsn_add(o, "hassle", hassle);
	jsn_add_str(o, "raw_text", text);
	jsn_add_int(o, "source_std_field_id", FIELD_CUSTOMS);
	if (r->warning != NULL)
		jsn_push(warnings, jsn_str(r->warning));
	jsn_add(o, "parse_warnings", warnings);
	return o;
}

const char *notice_rule_text(struct arena *a, const struct notice_rule *r)
{
	const char *by = r->before >= 0
	    ? arena_printf(a, " before %02d:%02d", r->before / 100, r->before % 100) : "";

	switch (r->kind) {
	case NOTICE_H24:
		return "H24";
	case NOTICE_HOURS:
		return r->hours > 0 ? arena_printf(a, "%gh notice", r->hours) : "no notice";
	case NOTICE_BUSINESS_DAY:
		return arena_printf(a, "last working day%s", by);
	case NOTICE_DAY_BEFORE:
		return arena_printf(a, "previous day%s", by);
	case NOTICE_ON_REQUEST:
		return "on request";
	case NOTICE_AD_HOURS:
		return "while the aerodrome is open";
	case NOTICE_NOT_AVAILABLE:
		return "not available";
	case NOTICE_UNKNOWN:
	case NOTICE_KIND__MAX:
		break;
	}
	return "see the text";
}

/* ---- hassle ---------------------------------------------------------------------------- */

static struct notice_hassle hassle_by_hours(const struct notice_reading *r)
{
	static const struct {
		double hours;
		const char *level;
		double score;
	} steps[] = {
		{ 2, "low", 0.15 }, { 12, "low", 0.25 }, { 24, "moderate", 0.4 }, { 48, "high", 0.6 },
		{ 72, "high", 0.75 }, { INFINITY, "very_high", 0.9 },
	};
	struct notice_hassle h = { "high", 0.7, (double)NAN, false, false };
	size_t i = 0;

	for (size_t k = 0; k < r->n; k++) {
		const struct notice_rule *rule = &r->rule[k];

		if (!isnan(rule->hours) && !(rule->hours <= h.max_hours))
			h.max_hours = rule->hours;
		h.weekend |= rule->days.holidays || (rule->days.mask & 1U << 5 && !(rule->days.mask & 1U << 4));
		h.schengen |= rule->schengen || rule->non_schengen;
	}
	if (!isnan(h.max_hours)) {
		while (h.max_hours > steps[i].hours)
			i++;
		h.level = steps[i].level;
		h.score = steps[i].score;
	}
	if (h.weekend)
		h.score = fmin(1, h.score + 0.1);
	return h;
}

struct notice_hassle notice_hassle_of(const struct notice_reading *r)
{
	bool h24 = false;

	for (size_t i = 0; i < r->n; i++)
		h24 |= r->rule[i].kind == NOTICE_H24;
	if (r->n == 0)
		return (struct notice_hassle){ "moderate", 0.5, (double)NAN, false, false };
	if (h24)
		return (struct notice_hassle){ "none", 0, (double)NAN, false, false };
	if (all_are(r, NOTICE_ON_REQUEST))
		return (struct notice_hassle){ "low", 0.2, (double)NAN, false, false };
	if (all_are(r, NOTICE_AD_HOURS))
		return (struct notice_hassle){ "low", 0.15, (double)NAN, false, false };
	if (all_are(r, NOTICE_NOT_AVAILABLE) && notice_rule_for_all(&r->rule[0]))
		return (struct notice_hassle){ "not_available", 1, (double)NAN, false, false };
	return hassle_by_hours(r);
}
