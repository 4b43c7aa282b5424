/*
 * The notice that an airport wants: a first sentence that answers the question, then what is recorded
 * besides, and where it comes from.
 */
#include "agents/aviation/builtin/writer.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agents/aviation/builtin/writer_facts.h"
#include "airports/notice_rules.h"
#include "base/str.h"

enum { NAME_MAX_BYTES = 100, TEXT_MAX = 400, LINES_MAX = 8, RULES_SHOWN = 8, UNSURE = 70 };

static const char *member(const struct answer *w, const char *key)
{
	return jsn_get_str(w->result, key, "");
}

static const char *bold_name(const struct answer *w)
{
	struct json_object *a = jsn_get(w->result, "airport");
	const char *icao = md_text(w->mem, member(w, "icao"), 20);
	const char *name = md_text(w->mem, jsn_get_str(a, "name", ""), NAME_MAX_BYTES);

	return *name != '\0' ? arena_printf(w->mem, "**%s** (%s)", name, icao)
	    : arena_printf(w->mem, "**%s**", icao);
}

static const char *hours_said(const struct answer *w, double h)
{
	return said_n(w, notice_hours, h, "hours", wording_number(w->wording, w->mem, h));
}

/* "customs", "immigration": what the notice is for; NULL: not one that has a name here. */
static const char *office_named(const struct answer *w, const char *about)
{
	static const struct { const char *type; enum saying name; } offices[] = {
		{ "customs", SAY_office_customs }, { "immigration", SAY_office_immigration },
		{ "handling", SAY_office_handling },
	};

	for (size_t i = 0; i < sizeof(offices) / sizeof(offices[0]); i++)
		if (streq(about, offices[i].type))
			return said_as(w, offices[i].name);
	return NULL;
}

static const char *office(const struct answer *w)
{
	const char *name = office_named(w, member(w, "rule_type"));

	return name != NULL ? name : said(w, office_customs);
}

static enum notice_kind kind_of(const struct answer *w)
{
	return notice_kind_of(jsn_get_str(w->result, "notification_type", NULL));
}

/* "Mon-Fri: 12h notice; Sat-Sun/HOL: 24h notice"; "" without such rules. */
static const char *rules_by_day(const struct answer *w)
{
	const char *text = "";
	int n = 0;

	JSN_EACH(jsn_get(w->result, "weekday_rules"), it) {
		const char *rule = jsn_is(it.val, json_type_string) ? record_said(w, json_object_get_string(it.val))
		    : hours_said(w, jsn_get_num(jsn_get(w->result, "weekday_rules"), it.key, 0));
		if (n++ == RULES_SHOWN)
			break;
		text = arena_printf(w->mem, "%s%s%s: %s", text, *text != '\0' ? "; " : "",
		    md_text(w->mem, record_said(w, it.key), 30), md_text(w->mem, rule, 80));
	}
	return text;
}

/* ---- the first sentence ------------------------------------------------------------------- */

/* Are public holidays asked for, of which the record says nothing? What it says of other days is then no
 * answer. H24 holds on all days. */
static bool holidays_unsaid(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "days");
	bool asked = false;

	for (size_t i = 0; i < jsn_len(list); i++)
		asked |= streq(json_object_get_string(jsn_at(list, i)), "public holidays");
	return asked && *member(w, "day_specific_rule") == '\0' && kind_of(w) != NOTICE_H24;
}

/* Does the question ask for the permission of the aerodrome, while the record is about an office? */
static bool asks_permission(const struct answer *w)
{
	return md_asks(w, " ppr | prior permission") && !streq(member(w, "rule_type"), "ppr");
}

/* Is there a rule about the permission of the aerodrome beside the one that is shown? */
static bool tells_permission(const struct answer *w)
{
	struct json_object *others = jsn_get(w->result, "other_rules");
	for (size_t i = 0; i < jsn_len(others); i++)
		if (streq(jsn_get_str(jsn_at(others, i), "rule_type", ""), "ppr"))
			return true;
	return false;
}

/* A question whether notice is needed ("Do I need …?") is answered with yes or no. "Is customs open?",
 * "Can I land without notice?" and "Do I need PPR?" ask something else, to which a yes would be wrong. */
static const char *yes_no(const struct answer *w, bool wanted)
{
	if (holidays_unsaid(w) || asks_permission(w))
		return "";
	if (!md_asks(w, " need "))
		return "";
	return wanted ? said(w, notice_yes) : said(w, notice_no);
}

/* "Monday and Tuesday": the days that are asked for; NULL: none are. */
static const char *days_said(const struct answer *w)
{
	static const struct { const char *name; enum saying day; } days[] = {
		{ "Monday", SAY_day_monday }, { "Tuesday", SAY_day_tuesday }, { "Wednesday", SAY_day_wednesday },
		{ "Thursday", SAY_day_thursday }, { "Friday", SAY_day_friday }, { "Saturday", SAY_day_saturday },
		{ "Sunday", SAY_day_sunday }, { "public holidays", SAY_day_holidays },
	};
	struct json_object *list = jsn_get(w->result, "days");
	struct phrases p = { .n = 0 };

	for (size_t i = 0; i < jsn_len(list); i++)
		for (size_t k = 0; k < sizeof(days) / sizeof(days[0]); k++)
			if (streq(json_object_get_string(jsn_at(list, i)), days[k].name))
				phrases_add(&p, said_as(w, days[k].day));
	return p.n > 0 ? phrases_join(w, &p) : NULL;
}

/* Write a sentence of the answer, about the office at the airport. */
#define tell(w, key, ...) put_line(w, key, "office", office(w), "airport", bold_name(w), __VA_ARGS__)

static void say_hours(const struct answer *w, const char *on, double h)
{
	const char *by_day = rules_by_day(w);

	if (h <= 0)
		tell(w, notice_needs_none, "answer", yes_no(w, false), "when", on);
	else if (*by_day != '\0' && *on == '\0')
		tell(w, notice_wants_up_to, "answer", yes_no(w, true), "when", on, "notice", hours_said(w, h));
	else
		tell(w, notice_wants, "answer", yes_no(w, true), "when", on, "notice", hours_said(w, h));
}

/* Opening hours and nothing else. */
static void say_open(const struct answer *w, const char *on)
{
	const char *by_day = rules_by_day(w);

	if (*member(w, "operating_hours") != '\0')
		tell(w, notice_only_hours, "when", on, "hours", md_text(w->mem, member(w, "operating_hours"), 40));
	else if (*by_day != '\0')
		tell(w, notice_only_rules, "when", on, "rules", by_day);
	else
		tell(w, notice_no_hours, "when", on);
}

static void say_h24(const struct answer *w, const char *on)
{
	const double h = jsn_get_num(w->result, "hours_notice", NAN);

	if (isnan(h) || h <= 0)
		tell(w, notice_h24, "answer", yes_no(w, false), "when", on);
	else
		tell(w, notice_h24_but, "when", on, "notice", hours_said(w, h));
}

static void say_kind(const struct answer *w, const char *on)
{
	const double h = jsn_get_num(w->result, "hours_notice", NAN);
	const char *by_day = rules_by_day(w);

	switch (kind_of(w)) {
	case NOTICE_H24:
		say_h24(w, on);
		return;
	case NOTICE_ON_REQUEST:
		tell(w, notice_on_request, "answer", yes_no(w, true), "when", on);
		return;
	case NOTICE_BUSINESS_DAY:
	case NOTICE_DAY_BEFORE:
		if (*by_day != '\0' && *on == '\0')
			tell(w, notice_day_before_rules, "answer", yes_no(w, true), "rules", by_day);
		else
			tell(w, notice_day_before, "answer", yes_no(w, true), "when", on);
		return;
	case NOTICE_AD_HOURS:
		/* that no notice is recorded does not mean that none is wanted */
		if (isnan(h))
			tell(w, notice_ad_hours, "answer", "", "when", on);
		else if (h > 0)
			tell(w, notice_ad_hours_wants, "answer", yes_no(w, true), "when", on,
			    "notice", hours_said(w, h));
		else
			tell(w, notice_ad_hours_none, "answer", yes_no(w, false), "when", on);
		return;
	case NOTICE_NOT_AVAILABLE:
		tell(w, notice_not_available, "answer", said(w, notice_no), "when", on);
		return;
	case NOTICE_HOURS:
	case NOTICE_UNKNOWN:
	case NOTICE_KIND__MAX:
		break;
	}
	if (!isnan(h))
		say_hours(w, on, h);
	else if (kind_of(w) == NOTICE_HOURS)
		say_open(w, on);
	else
		tell(w, notice_unclear, "when", on);
}

/* A rule names the day. */
static void say_rule(const struct answer *w, const char *days, const char *rule)
{
	const double h = jsn_get_num(w->result, "day_hours_notice", NAN);
	const char *when = said(w, notice_when_days, "days", days);

	if (h > 0)
		tell(w, notice_wants, "answer", yes_no(w, true), "when", when, "notice", hours_said(w, h));
	else if (h <= 0)
		tell(w, notice_needs_none, "answer", yes_no(w, false), "when", when);
	else
		tell(w, notice_holds, "when", when, "rule", md_notice(w, rule, TEXT_MAX));
}

/* The first letter as a capital, when the sentence begins with the office's name. */
static void capitalise(struct buf *b, size_t at)
{
	if (at < b->n && b->p[at] >= 'a' && b->p[at] <= 'z')
		b->p[at] = ascii_upper(b->p[at]);
}

/* What holds at the time of day that was asked for. */
static void say_time(const struct answer *w, const char *days, const char *at)
{
	const double h = jsn_get_num(w->result, "time_hours_notice", NAN);
	const char *rule = member(w, "time_rule");
	const char *when = days == NULL ? said(w, notice_when_time, "time", at)
	    : said(w, notice_when_days_time, "days", days, "time", at);

	if (h > 0)
		tell(w, notice_wants, "answer", yes_no(w, true), "when", when, "notice", hours_said(w, h));
	else if (h <= 0)
		tell(w, notice_needs_none, "answer", yes_no(w, false), "when", when);
	else if (*rule != '\0')
		tell(w, notice_says, "when", when, "rule", md_notice(w, rule, TEXT_MAX));
}

/* "on Monday, ", or "" if no day is asked for. */
static const char *on_days(const struct answer *w, const char *days)
{
	return days != NULL ? said(w, notice_when_days, "days", days) : "";
}

/* "no notice from 08:00 to 18:00 and 24 hours of notice at other times" */
static void say_times(const struct answer *w, const char *days)
{
	struct json_object *list = jsn_get(w->result, "times");
	struct phrases cases = { .n = 0 };

	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *o = jsn_at(list, i);
		const double h = jsn_get_num(o, "hours_notice", NAN);
		const char *from = jsn_get_str(o, "from", NULL);
		const char *what = h > 0 ? hours_said(w, h) : h <= 0 ? said(w, notice_case_none)
		    : md_text(w->mem, record_said(w, jsn_get_str(o, "rule", "")), 80);
		phrases_add(&cases, from == NULL ? said(w, notice_case_else, "what", what)
		    : said(w, notice_case_between, "what", what, "from", md_text(w->mem, from, 5),
		    "to", md_text(w->mem, jsn_get_str(o, "to", ""), 5)));
	}
	tell(w, notice_by_time, "when", on_days(w, days), "cases", phrases_join(w, &cases));
}

/* Minutes since midnight of "0730" or "07:30"; -1: it is no time. */
static int minutes_of(const char *text)
{
	int hour = 0, minute = 0;

	if (sscanf(text, "%2d:%2d", &hour, &minute) != 2 && sscanf(text, "%2d%2d", &hour, &minute) != 2)
		return -1;
	return hour * 60 + minute;
}

/* Is this time outside the recorded hours, such as "0700-1800"? False if the record writes the hours in another way. */
static bool is_outside_hours(const char *hours, const char *time)
{
	const char *dash = strchr(hours, '-');
	const int at = minutes_of(time), opens = minutes_of(hours), closes = dash != NULL ? minutes_of(dash + 1) : -1;

	return at >= 0 && opens >= 0 && closes > opens && (at < opens || at > closes);
}

/* The pilot asks for a time that no rule names. If the notice is the same at all times, it holds at that time too, but only within the
 * recorded hours of the office. */
static void say_of_time(const struct answer *w, const char *at)
{
	const char *time = md_text(w->mem, at, 20), *hours = member(w, "operating_hours");
	const bool always = jsn_len(jsn_get(w->result, "times")) == 0 &&
	    (!isnan(jsn_get_num(w->result, "day_hours_notice", NAN)) || !isnan(jsn_get_num(w->result, "hours_notice", NAN)));

	if (!always)
		put_line(w, notice_time_unsaid, "time", time);
	else if (is_outside_hours(hours, at))
		tell(w, notice_time_outside, "time", time, "hours", md_text(w->mem, hours, 20));
}

static void write_first(const struct answer *w)
{
	const char *rule = member(w, "day_specific_rule"), *days = days_said(w), *at = member(w, "time");
	size_t start = w->out->n;
	bool by_day = jsn_len(jsn_get(w->result, "weekday_rules")) > 0;

	if (holidays_unsaid(w)) {
		say(w, notice_holidays_unsaid, "airport", bold_name(w));
		start = w->out->n;
		say_kind(w, said(w, notice_when_no_holidays));
	} else if (*at != '\0' && (jsn_has(w->result, "time_hours_notice") || *member(w, "time_rule") != '\0')) {
		say_time(w, days, md_text(w->mem, at, TEXT_MAX));
	} else if (jsn_len(jsn_get(w->result, "times")) > 0) {
		say_times(w, days);
	} else if (*rule != '\0' && days != NULL) {
		say_rule(w, days, rule);
	} else if (days != NULL && by_day && !isnan(jsn_get_num(w->result, "hours_notice", NAN))) {
		put_line(w, notice_no_day_rule, "days", days, "airport", bold_name(w),
		    "notice", hours_said(w, jsn_get_num(w->result, "hours_notice", 0)));
	} else if (days == NULL && *member(w, "day_of_week") != '\0') {
		say(w, notice_day_unknown, "day", md_text(w->mem, member(w, "day_of_week"), 40));
		say_kind(w, "");
	} else {
		say_kind(w, on_days(w, days));
	}
	capitalise(w->out, start);
	if (*at != '\0' && !jsn_has(w->result, "time_hours_notice") && *member(w, "time_rule") == '\0')
		say_of_time(w, at);
}

/* ---- the rest --------------------------------------------------------------------------------- */

static void write_member(const struct answer *w, enum saying line, const char *key)
{
	const char *v = md_text(w->mem, member(w, key), TEXT_MAX);

	if (*v != '\0')
		buf_printf(w->out, "%s\n", said_as(w, line, "text", v));
}

static void write_others(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "other_rules");

	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *o = jsn_at(list, i);
		const char *about = jsn_get_str(o, "rule_type", "other"), *name = office_named(w, about);
		const char *rule = md_notice(w, jsn_get_str(o, "summary", ""), TEXT_MAX);
		double h = jsn_get_num(o, "hours_notice", NAN);

		if (*rule == '\0')
			rule = isnan(h) ? jsn_get_str(o, "notification_type", said(w, is_unknown)) : hours_said(w, h);
		put_line(w, notice_line_also, "office", name != NULL ? name : md_text(w->mem, about, 40), "rule", rule);
	}
}

/* The summary's lines that the first sentence and the other lines do not repeat. */
static void write_summary(const struct answer *w)
{
	const char *list = member(w, "summary");
	struct str line;

	for (int i = 0; i < LINES_MAX && str_part(&list, '\n', &line); i++) {
		const char *text = arena_strndup(w->mem, line.p, line.n);
		/* telephone and e-mail, which begin with these signs, and the hours have lines of their own */
		if (starts_with(text, "\xF0\x9F\x93\x9E") || starts_with(text, "\xF0\x9F\x93\xA7") ||
		    (starts_with(text, "Hours:") && *member(w, "operating_hours") != '\0'))
			continue;
		text = md_notice(w, text, TEXT_MAX);
		if (*text != '\0')
			put_line(w, notice_line_recorded, "text", text);
	}
}

static void write_rest(const struct answer *w, bool hours_told)
{
	const char *flights = member(w, "flights");

	buf_puts(w->out, "\n");
	write_summary(w);
	if (!hours_told)
		write_member(w, SAY_notice_line_hours, "operating_hours");
	if (streq(flights, "schengen_only"))
		put_line(w, notice_line_schengen);
	else if (*flights != '\0')
		put_line(w, notice_line_non_schengen);
	write_others(w);
	if (!md_dummy_phone(member(w, "phone")))
		write_member(w, SAY_notice_line_phone, "phone");
	write_member(w, SAY_notice_line_email, "email");
	write_member(w, md_sample(member(w, "aip_text")) ? SAY_notice_line_sample : SAY_notice_line_aip, "aip_text");
}

static void write_notice_notes(const struct answer *w)
{
	struct phrases notes = { .n = 0 };

	if (*member(w, "time") != '\0')
		phrases_add(&notes, said(w, notice_note_clock));
	const char *unused = w->plan->unused;
	if (unused != NULL && !isdigit((unsigned char)*unused))
		phrases_add(&notes, said(w, notice_note_others, "code", md_text(w->mem, member(w, "icao"), 20),
		    "others", md_text(w->mem, unused, 60)));
	else if (*member(w, "time") != '\0' && unused != NULL)
		phrases_add(&notes, said(w, notice_note_time, "time", md_text(w->mem, member(w, "time"), 20),
		    "other", md_text(w->mem, unused, 20)));
	if (md_sample(member(w, "aip_text")))
		phrases_add(&notes, said(w, notes_sample));
	else if (streq(member(w, "source"), "aip_text"))
		phrases_add(&notes, said(w, notice_note_read));
	else if (jsn_get_num(w->result, "confidence", 1) * 100 < UNSURE)
		phrases_add(&notes, said(w, notice_note_unsure));
	write_notes(w, &notes, true);
}

void write_airport_notice(const struct answer *w)
{
	if (jsn_get(w->result, "airport") != NULL || jsn_get_bool(w->result, "found", false))
		answer_stands_in(w, bold_name(w));
	if (jsn_get_bool(w->result, "found", false)) {
		if (asks_permission(w) && !tells_permission(w)) {
			put_line(w, notice_permission_customs, "airport", bold_name(w), "code", md_text(w->mem, member(w, "icao"), 20));
			buf_puts(w->out, "\n");
		}
		const size_t start = w->out->n;
		const char *hours = md_text(w->mem, member(w, "operating_hours"), TEXT_MAX);
		write_first(w);
		write_rest(w, strstr(w->out->p + start, hours) != NULL);
		write_notice_notes(w);
		return;
	}
	const char *why = md_text(w->mem, tool_said(w, "error"), TEXT_MAX);
	if (*member(w, "error") != '\0')
		put_line(w, notice_refused, "why", *why != '\0' ? arena_printf(w->mem, ": %s", why) : "");
	else if (jsn_get(w->result, "airport") == NULL)
		put_line(w, notice_no_airport, "airport", bold_name(w));
	else if (asks_permission(w))
		put_line(w, notice_permission_unknown, "airport", bold_name(w));
	else if (jsn_get_bool(jsn_get(w->result, "airport"), "point_of_entry", false))
		put_line(w, notice_none_entry, "airport", bold_name(w));
	else
		put_line(w, notice_none, "airport", bold_name(w));
}
