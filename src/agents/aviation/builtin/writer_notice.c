/*
 * The notice that an airport wants: a first sentence that answers the question, then what is recorded
 * besides, and where it comes from.
 */
#include "agents/aviation/builtin/writer.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

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
	return arena_printf(w->mem, "%g %s of notice", h, h == 1 ? "hour" : "hours");
}

/* "customs", "immigration": what the notice is for. */
static const char *office(const struct answer *w)
{
	const char *about = member(w, "rule_type");

	return one_of(about, "immigration|handling") ? about : "customs";
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
		const char *said = jsn_is(it.val, json_type_string) ? json_object_get_string(it.val)
		    : hours_said(w, jsn_get_num(jsn_get(w->result, "weekday_rules"), it.key, 0));
		if (n++ == RULES_SHOWN)
			break;
		text = arena_printf(w->mem, "%s%s%s: %s", text, *text != '\0' ? "; " : "",
		    md_text(w->mem, it.key, 30), md_text(w->mem, said, 80));
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

/* A question whether notice is needed ("Do I need …?") is answered with yes or no. "Is customs open?",
 * "Can I land without notice?" and "Do I need PPR?" ask something else, to which a yes would be wrong. */
static const char *yes_no(const struct answer *w, bool wanted)
{
	if (holidays_unsaid(w) || asks_permission(w))
		return "";
	const char *first = w->question + strspn(w->question, " ");
	const char *word = arena_strndup(w->mem, first, strcspn(first, " "));

	if (!one_of(word, "do|does|must|need|should|have") &&
	    !(one_of(word, "is|are") && strstr(w->question, "notice") != NULL))
		return "";
	return wanted ? "Yes: " : "No: ";
}

/* "Monday and Tuesday", "the weekend" as the result lists them. */
static const char *days_said(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "days");
	struct phrases p = { .n = 0 };

	for (size_t i = 0; i < jsn_len(list); i++)
		phrases_add(&p, md_text(w->mem, json_object_get_string(jsn_at(list, i)), 30));
	return p.n > 0 ? phrases_join(w, &p) : NULL;
}

static void say_wanted(const struct answer *w, const char *when, double h)
{
	buf_printf(w->out, "%s%s%s wants %s for %s.\n", yes_no(w, true), when, bold_name(w), hours_said(w, h),
	    office(w));
}

static void say_hours(const struct answer *w, const char *on, double h)
{
	const char *by_day = rules_by_day(w), *name = bold_name(w);

	if (h <= 0)
		buf_printf(w->out, "%s%s%s needs no notice for %s.\n", yes_no(w, false), on, name, office(w));
	else
		buf_printf(w->out, "%s%s%s wants %s%s for %s.\n", yes_no(w, true), on, name,
		    *by_day != '\0' && *on == '\0' ? "up to " : "", hours_said(w, h), office(w));
}

/* Opening hours and nothing else. */
static void say_open(const struct answer *w, const char *on)
{
	const char *by_day = rules_by_day(w), *hours = member(w, "operating_hours");

	if (*hours != '\0')
		buf_printf(w->out, "%sno notice period is recorded for %s at %s, only its hours: %s.\n", on, office(w),
		    bold_name(w), md_text(w->mem, hours, 40));
	else if (*by_day != '\0')
		buf_printf(w->out, "%sno notice period in hours is recorded for %s at %s. What is recorded: %s.\n",
		    on, office(w), bold_name(w), by_day);
	else
		buf_printf(w->out, "%sno notice period in hours is recorded for %s at %s.\n", on, office(w),
		    bold_name(w));
}

static void say_h24(const struct answer *w, const char *on)
{
	const double h = jsn_get_num(w->result, "hours_notice", NAN);

	if (isnan(h) || h <= 0)
		buf_printf(w->out, "%s%s%s at %s is available day and night (H24), without notice.\n",
		    yes_no(w, false), on, office(w), bold_name(w));
	else
		buf_printf(w->out, "%s%s at %s is available day and night (H24), but in some cases it wants "
		    "%s.\n", on, office(w), bold_name(w), hours_said(w, h));
}

static void say_kind(const struct answer *w, const char *on)
{
	const double h = jsn_get_num(w->result, "hours_notice", NAN);
	const char *by_day = rules_by_day(w), *name = bold_name(w);

	switch (kind_of(w)) {
	case NOTICE_H24:
		say_h24(w, on);
		return;
	case NOTICE_ON_REQUEST:
		buf_printf(w->out, "%s%s%s at %s is on request: ask before the flight. No number of hours is "
		    "given.\n", yes_no(w, true), on, office(w), name);
		return;
	case NOTICE_BUSINESS_DAY:
	case NOTICE_DAY_BEFORE:
		if (*by_day != '\0' && *on == '\0')
			buf_printf(w->out, "%s%s at %s wants notice before the day of the flight: %s.\n",
			    yes_no(w, true), office(w), name, by_day);
		else
			buf_printf(w->out, "%s%s%s at %s wants notice on the last working day before the flight.\n",
			    yes_no(w, true), on, office(w), name);
		return;
	case NOTICE_AD_HOURS:
		/* that no notice is recorded does not mean that none is wanted */
		buf_printf(w->out, "%s%s%s at %s is available while the aerodrome is open; %s.\n",
		    isnan(h) ? "" : yes_no(w, h > 0), on, office(w), name, isnan(h) ? "no notice is recorded"
		    : h > 0 ? arena_printf(w->mem, "it wants %s", hours_said(w, h)) : "no notice is needed");
		return;
	case NOTICE_NOT_AVAILABLE:
		buf_printf(w->out, "No: %s%s is not available at %s.\n", on, office(w), name);
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
		buf_printf(w->out, "%sno clear rule is recorded on the notice for %s at %s.\n", on,
		    office(w), name);
}

/* A rule names the day. */
static void say_rule(const struct answer *w, const char *days, const char *rule)
{
	const double h = jsn_get_num(w->result, "day_hours_notice", NAN);

	if (h > 0)
		say_wanted(w, arena_printf(w->mem, "on %s, ", days), h);
	else if (h <= 0)
		buf_printf(w->out, "%son %s, %s needs no notice for %s.\n", yes_no(w, false), days, bold_name(w),
		    office(w));
	else
		buf_printf(w->out, "on %s, this holds for %s at %s: %s.\n", days, office(w), bold_name(w),
		    md_notice(w, rule, TEXT_MAX));
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
	const char *when = days == NULL ? arena_printf(w->mem, "at %s, ", at)
	    : arena_printf(w->mem, "on %s at %s, ", days, at);

	if (h > 0)
		say_wanted(w, when, h);
	else if (h <= 0)
		buf_printf(w->out, "%s%s%s needs no notice for %s.\n", yes_no(w, false), when, bold_name(w),
		    office(w));
	else if (*rule != '\0')
		buf_printf(w->out, "%sthe record on %s at %s says: %s.\n", when, office(w), bold_name(w),
		    md_notice(w, rule, TEXT_MAX));
}

/* "needs no notice for customs from 08:00 to 18:00, and wants 24 hours of notice at other times". */
static void say_times(const struct answer *w, const char *days)
{
	struct json_object *list = jsn_get(w->result, "times");
	struct phrases cases = { .n = 0 };

	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *o = jsn_at(list, i);
		const double h = jsn_get_num(o, "hours_notice", NAN);
		const char *from = jsn_get_str(o, "from", NULL);
		const char *what = h > 0 ? hours_said(w, h) : h <= 0 ? "no notice"
		    : md_text(w->mem, jsn_get_str(o, "rule", ""), 80);
		phrases_add(&cases, from == NULL ? arena_printf(w->mem, "%s at other times", what)
		    : arena_printf(w->mem, "%s from %s to %s", what, md_text(w->mem, from, 5),
		    md_text(w->mem, jsn_get_str(o, "to", ""), 5)));
	}
	buf_printf(w->out, "%sfor %s at %s, it depends on the time of day: %s.\n",
	    days != NULL ? arena_printf(w->mem, "on %s, ", days) : "", office(w), bold_name(w),
	    phrases_join(w, &cases));
}

static void write_first(const struct answer *w)
{
	const char *rule = member(w, "day_specific_rule"), *days = days_said(w), *at = member(w, "time");
	size_t start = w->out->n;
	bool by_day = jsn_len(jsn_get(w->result, "weekday_rules")) > 0;

	if (holidays_unsaid(w)) {
		buf_printf(w->out, "The record for %s does not say what holds on public holidays: call before you fly. ",
		    bold_name(w));
		start = w->out->n;
		say_kind(w, "without naming holidays, it says: ");
	} else if (*at != '\0' && (jsn_has(w->result, "time_hours_notice") || *member(w, "time_rule") != '\0')) {
		say_time(w, days, md_text(w->mem, at, TEXT_MAX));
	} else if (jsn_len(jsn_get(w->result, "times")) > 0) {
		say_times(w, days);
	} else if (*rule != '\0' && days != NULL) {
		say_rule(w, days, rule);
	} else if (days != NULL && by_day && !isnan(jsn_get_num(w->result, "hours_notice", NAN))) {
		buf_printf(w->out, "no rule is recorded for %s at %s. The longest on record is %s, so plan with that.\n",
		    days, bold_name(w), hours_said(w, jsn_get_num(w->result, "hours_notice", 0)));
	} else if (days == NULL && *member(w, "day_of_week") != '\0') {
		buf_printf(w->out, "I do not know the day “%s”, so this answer is for the whole week. ",
		    md_text(w->mem, member(w, "day_of_week"), 40));
		say_kind(w, "");
	} else {
		say_kind(w, days != NULL ? arena_printf(w->mem, "on %s, ", days) : "");
	}
	capitalise(w->out, start);
	if (*at != '\0' && !jsn_has(w->result, "time_hours_notice") && *member(w, "time_rule") == '\0')
		buf_printf(w->out, "The record does not say what notice is needed at %s.\n", md_text(w->mem, at, 20));
}

/* ---- the rest --------------------------------------------------------------------------------- */

static void write_member(const struct answer *w, const char *label, const char *key)
{
	const char *v = md_text(w->mem, member(w, key), TEXT_MAX);

	if (*v != '\0')
		buf_printf(w->out, "- %s: %s\n", label, v);
}

static void write_others(const struct answer *w)
{
	struct json_object *list = jsn_get(w->result, "other_rules");

	for (size_t i = 0; i < jsn_len(list); i++) {
		struct json_object *o = jsn_at(list, i);
		const char *about = jsn_get_str(o, "rule_type", "other");
		const char *said = md_notice(w, jsn_get_str(o, "summary", ""), TEXT_MAX);
		double h = jsn_get_num(o, "hours_notice", NAN);

		if (*said == '\0')
			said = isnan(h) ? jsn_get_str(o, "notification_type", "not recorded") : hours_said(w, h);
		buf_printf(w->out, "- Also for %s: %s\n", md_text(w->mem, about, 40), said);
	}
}

/* The summary's lines that the first sentence and the other lines do not repeat. */
static void write_summary(const struct answer *w)
{
	const char *list = member(w, "summary");
	struct str line;

	for (int i = 0; i < LINES_MAX && str_part(&list, '\n', &line); i++) {
		const char *text = arena_strndup(w->mem, line.p, line.n);
		/* telephone and e-mail, which begin with these signs, have lines of their own */
		if (starts_with(text, "\xF0\x9F\x93\x9E") || starts_with(text, "\xF0\x9F\x93\xA7"))
			continue;
		text = md_notice(w, text, TEXT_MAX);
		if (*text != '\0')
			buf_printf(w->out, "- Recorded: %s\n", text);
	}
}

static void write_rest(const struct answer *w)
{
	const char *flights = member(w, "flights");

	buf_puts(w->out, "\n");
	write_summary(w);
	write_member(w, "Hours", "operating_hours");
	if (*flights != '\0')
		buf_printf(w->out, "- Only for %s flights\n", streq(flights, "schengen_only") ? "Schengen" : "non-Schengen");
	write_others(w);
	write_member(w, "Telephone", "phone");
	write_member(w, "E-mail", "email");
	write_member(w, md_sample(member(w, "aip_text")) ? "Text of the sample" : "Text of the AIP", "aip_text");
}

static void write_notice_notes(const struct answer *w)
{
	struct phrases notes = { .n = 0 };

	if (asks_permission(w))
		phrases_add(&notes, "This is the notice for customs and immigration. To see whether the "
		    "aerodrome itself wants prior permission (PPR), check its AIP entry.");
	if (*member(w, "time") != '\0')
		phrases_add(&notes, "Times are those of the record: check whether it means UTC or local time.");
	const char *unused = w->plan->unused;
	if (unused != NULL && !isdigit((unsigned char)*unused))
		phrases_add(&notes, arena_printf(w->mem, "This answer is about the notice of %s only. Please ask about %s separately.",
		    md_text(w->mem, member(w, "icao"), 20), md_text(w->mem, unused, 60)));
	else if (*member(w, "time") != '\0' && unused != NULL)
		phrases_add(&notes, arena_printf(w->mem, "This answer is for %s only. Another rule may hold at %s: please ask "
		    "for that time too.", md_text(w->mem, member(w, "time"), 20), md_text(w->mem, unused, 20)));
	if (md_sample(member(w, "aip_text")))
		phrases_add(&notes, said(w, notes_sample));
	else if (streq(member(w, "source"), "aip_text"))
		phrases_add(&notes, "This program read the notice from the text of the AIP. Please compare it with that text.");
	else if (jsn_get_num(w->result, "confidence", 1) * 100 < UNSURE)
		phrases_add(&notes, "The record is marked as uncertain: call ahead.");
	write_notes(w, &notes, true);
}

void write_airport_notice(const struct answer *w)
{
	if (jsn_get_bool(w->result, "found", false)) {
		write_first(w);
		write_rest(w);
		write_notice_notes(w);
		return;
	}
	if (*member(w, "error") != '\0')
		buf_printf(w->out, "I cannot look up notice periods: %s.", md_text(w->mem, member(w, "error"), TEXT_MAX));
	else if (jsn_get(w->result, "airport") == NULL)
		buf_printf(w->out, "I do not know the airport %s, and no notice period is recorded for it.", bold_name(w));
	else
		buf_printf(w->out, "No notice period is recorded for %s, so I cannot say whether customs wants notice "
		    "there.", bold_name(w));
	buf_puts(w->out, " Please check its AIP entry or call ahead.\n");
}
