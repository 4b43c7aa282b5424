/*
 * get_notification_for_airport: the notice that one airport wants, on a given day and at a given time if
 * they are asked for.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "tools/airport_result.h"
#include "tools/notice_result.h"

enum { IDENT_MAX = 12 };

struct asked {
	struct arena *mem;
	struct airport airport;       /* ident NULL: not in the airport database */
	const char *icao;             /* capitals */
	const char *day;              /* as given; NULL: none */
	struct notice_days days;
	const char *time;             /* "14:00"; NULL: none */
	int clock;                    /* the same as 1400 */
};

static void add_optional(struct json_object *o, const char *key, const char *v)
{
	if (v != NULL)
		jsn_add_str(o, key, v);
}

/* ---- the Markdown text of the original service ------------------------------------------- */

static const char *kind_said(enum notice_kind kind)
{
	static const char *const said[NOTICE_KIND__MAX] = {
		[NOTICE_H24] = "H24: available day and night",
		[NOTICE_HOURS] = "notice in hours",
		[NOTICE_ON_REQUEST] = "on request: ask before the flight",
		[NOTICE_BUSINESS_DAY] = "notice on the last working day before",
	};

	return said[kind];
}

static const char *day_said(const struct asked *q, const struct notice *n, const char *rule)
{
	if (rule != NULL)
		return arena_printf(q->mem, "\n**For %s:** %s", q->day, rule);
	if (q->days.mask == 0 && !q->days.holidays)
		return arena_printf(q->mem, "\n\"%s\" is not a day that I know, so this holds for the week.", q->day);
	if (!isnan(n->hours))
		return arena_printf(q->mem, "\n**For %s:** %gh notice required", q->day, n->hours);
	return "";
}

static const char *clock_said(struct arena *a, int clock)
{
	return arena_printf(a, "%02d:%02d", clock / 100, clock % 100);
}

static const char *time_said(const struct asked *q, const struct notice_at *at)
{
	const char *said = !isnan(at->hours) ? arena_printf(q->mem, "%gh notice required", at->hours) : at->rule;

	return q->time == NULL || said == NULL ? "" : arena_printf(q->mem, "\n**At %s:** %s", q->time, said);
}

/* "no notice 08:00-18:00; 24h notice at other times" */
static const char *times_said(const struct asked *q, const struct notice *n)
{
	const struct notice_time *t;
	const size_t count = notice_times(q->mem, n, q->days, &t);
	const char *text = "";

	for (size_t i = 0; i < count; i++)
		text = t[i].from < 0 ? arena_printf(q->mem, "%s%s%s at other times", text, i > 0 ? "; " : "", t[i].text)
		    : arena_printf(q->mem, "%s%s%s %s-%s", text, i > 0 ? "; " : "", t[i].text,
		    clock_said(q->mem, t[i].from), clock_said(q->mem, t[i].to));
	return *text == '\0' ? text : arena_printf(q->mem, "\n**By time of day:** %s", text);
}

static const char *pretty_of(const struct asked *q, const struct notice *n, const char *rule,
    const struct notice_at *at)
{
	const char *text = arena_printf(q->mem, "**Notification requirements for %s**\n", n->icao);
	const char *summary = notice_text(q->mem, n), *kind = kind_said(n->kind);

	if (q->day != NULL)
		text = arena_printf(q->mem, "%s%s", text, day_said(q, n, rule));
	text = arena_printf(q->mem, "%s%s%s", text, time_said(q, at), times_said(q, n));
	if (*summary != '\0')
		text = arena_printf(q->mem, "%s\n\n**Full requirements:**\n%s", text, summary);
	if (kind != NULL)
		text = arena_printf(q->mem, "%s\n\n**Type:** %s", text, kind);
	return text;
}

/* ---- the result ---------------------------------------------------------------------------- */

static struct json_object *marker_of(const struct asked *q)
{
	struct json_object *vis = jsn_new(), *marker = jsn_new();

	jsn_add_str(marker, "ident", q->airport.ident);
	jsn_add_str(marker, "name", q->airport.name);
	jsn_add_num(marker, "lat", q->airport.lat);
	jsn_add_num(marker, "lon", q->airport.lon);
	jsn_add_int(marker, "zoom", 10);
	jsn_add_bool(marker, "highlight", true);
	jsn_add_str(marker, "style", "notification");
	if (airport_use(&q->airport) != USE_ORDINARY)
		jsn_add_str(marker, "use", airport_use_name(airport_use(&q->airport)));
	jsn_add_str(vis, "type", "marker_with_details");
	jsn_add(vis, "marker", marker);
	return vis;
}

/* What the airport's other rows say: immigration beside customs. */
static void add_others(struct json_object *o, const struct notice *n)
{
	struct json_object *list;

	if (n->next == NULL)
		return;
	list = json_object_new_array();
	for (n = n->next; n != NULL; n = n->next) {
		struct json_object *other = jsn_new();

		jsn_add_str(other, "rule_type", n->about);
		jsn_add_str(other, "notification_type", n->type);
		jsn_add_num(other, "hours_notice", n->hours);
		jsn_add_str(other, "summary", n->summary);
		jsn_push(list, other);
	}
	jsn_add(o, "other_rules", list);
}

/* Each with `from` and `to`; both null: at all other times. */
static void add_times(const struct asked *q, struct json_object *o, const struct notice *n)
{
	const struct notice_time *t;
	const size_t count = notice_times(q->mem, n, q->days, &t);
	struct json_object *list;

	if (count == 0)
		return;
	list = json_object_new_array();
	for (size_t i = 0; i < count; i++) {
		struct json_object *one = jsn_new();

		jsn_add_str(one, "from", t[i].from < 0 ? NULL : clock_said(q->mem, t[i].from));
		jsn_add_str(one, "to", t[i].from < 0 ? NULL : clock_said(q->mem, t[i].to));
		jsn_add_num(one, "hours_notice", t[i].hours);
		jsn_add_str(one, "rule", t[i].text);
		jsn_push(list, one);
	}
	jsn_add(o, "times", list);
}

/* Members that the original does not have. */
static void add_more(const struct asked *q, struct json_object *o, const struct notice *n)
{
	struct json_object *detail = jsn_own(q->mem, notice_detail_json(n)), *days;
	static const char *const members[] = { "weekday_rules", "easiness_score", "max_notice_hours",
		"is_h24", "is_on_request" };

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		jsn_add(o, members[i], jsn_ref(jsn_get(detail, members[i])));
	if (n->schengen || n->non_schengen)
		jsn_add_str(o, "flights", n->schengen ? "schengen_only" : "non_schengen_only");
	jsn_add_str(o, "source", n->origin == NOTICE_FROM_AIP ? "aip_text" : "database");
	add_optional(o, "aip_text", n->raw);
	add_times(q, o, n);
	add_others(o, n);
	if (q->day == NULL)
		return;
	jsn_add_str(o, "day_of_week", q->day);
	if (!isnan(notice_hours_for(n, q->days)))
		jsn_add_num(o, "day_hours_notice", notice_hours_for(n, q->days));
	days = json_object_new_array();
	for (unsigned day = 0; day < 7; day++)
		if (q->days.mask & 1U << day)
			jsn_push(days, jsn_str(notice_day_name(day)));
	if (q->days.holidays)
		jsn_push(days, jsn_str("public holidays"));
	jsn_add(o, "days", days);
}

static struct json_object *found(const struct asked *q, const struct notice *n)
{
	struct json_object *o = jsn_object(q->mem);
	const char *rule = q->day != NULL ? notice_said_for(q->mem, n, q->days) : NULL;
	const struct notice_at at = q->time == NULL ? (struct notice_at){ (double)NAN, NULL }
	    : notice_at_time(q->mem, n, q->days, q->clock);

	jsn_add_bool(o, "found", true);
	jsn_add_str(o, "icao", n->icao);
	jsn_add_str(o, "rule_type", n->about);
	jsn_add_str(o, "notification_type", n->type);
	jsn_add_num(o, "hours_notice", n->hours);
	jsn_add_str(o, "operating_hours", n->opens == NULL ? NULL
	    : arena_printf(q->mem, "%s-%s", n->opens, n->closes != NULL ? n->closes : ""));
	jsn_add_str(o, "summary", n->summary);
	jsn_add_num(o, "confidence", n->confidence);
	if (n->contact) {
		jsn_add_str(o, "phone", n->phone);
		jsn_add_str(o, "email", n->email);
	}
	add_optional(o, "day_specific_rule", rule);
	jsn_add_str(o, "pretty", pretty_of(q, n, rule, &at));
	add_optional(o, "time", q->time);
	if (!isnan(at.hours))
		jsn_add_num(o, "time_hours_notice", at.hours);
	add_optional(o, "time_rule", at.rule);
	add_more(q, o, n);
	return o;
}

/* error NULL: nothing went wrong, there is just nothing. */
static struct json_object *missing(const struct asked *q, const char *error, const char *pretty)
{
	struct json_object *o = jsn_object(q->mem);

	jsn_add_bool(o, "found", false);
	jsn_add_str(o, "icao", q->icao);
	add_optional(o, "error", error);
	jsn_add_str(o, "pretty", pretty);
	return o;
}

static struct json_object *result_of(const struct asked *q, const struct fact_view *facts)
{
	const struct notice *n = notice_find(facts, q->icao);
	struct json_object *o;

	if (n != NULL)
		o = found(q, n);
	else if (facts->facts[FACTS_NOTICE] == NULL)
		o = missing(q, "there is no notice database",
		    "No notice database is set up here (GA_NOTIFICATIONS_DB).");
	else
		o = missing(q, NULL, arena_printf(q->mem, "No notification requirements are recorded for %s.",
		    q->icao));
	if (q->airport.ident == NULL)
		return o;
	jsn_add(o, "airport", airport_summary(&q->airport));
	if (n != NULL && isfinite(q->airport.lat) && isfinite(q->airport.lon))
		jsn_add(o, "visualization", marker_of(q));
	return o;
}

/* ---- the time of day ------------------------------------------------------------------------ */

/* "14:00", "1400", "9:30Z": the time as 1400. */
static bool read_time(const char *text, int *clock)
{
	const struct str s = str_trim(str_of(text));
	int hour = -1, minute = -1, end = 0;

	if (s.n < 4 || s.n > 6)
		return false;
	if (memchr(s.p, ':', s.n) == NULL ? sscanf(s.p, "%2d%2d%n", &hour, &minute, &end) != 2 || end != 4
	    : sscanf(s.p, "%2d:%2d%n", &hour, &minute, &end) != 2)
		return false;
	end += (size_t)end < s.n && (s.p[end] == 'Z' || s.p[end] == 'z');
	*clock = 100 * hour + minute;
	return (size_t)end == s.n && hour >= 0 && hour < 24 && minute >= 0 && minute < 60;
}

static enum errcode check_time(struct json_object *v, struct err *e)
{
	int clock;

	return read_time(json_object_get_string(v), &clock) ? OK
	    : err_set(e, ERR_INPUT, "time must be a time of day such as 14:00");
}

/* ---- the call ------------------------------------------------------------------------------- */

/* The airport's ident, if it is known; a notice may be known of an airport that is not. */
static enum errcode find_airport(struct asked *q, const struct tool_context *ctx, const char *code,
    struct err *e)
{
	struct str s = str_trim(str_of(code));
	struct aircon *con;
	bool known = false;
	enum errcode rc;

	q->icao = str_upper_copy(q->mem, s.p, s.n < IDENT_MAX ? s.n : utf8_cut(s.p, s.n, IDENT_MAX));
	rc = airport_con(ctx, &con, e);
	if (rc != OK)
		return rc == ERR_HUP ? rc : OK;
	rc = airdb_by_code(con, q->mem, q->icao, &q->airport, &known, e);
	airdb_put(con);
	if (!known)
		q->airport = (struct airport){ .ident = NULL };
	else
		q->icao = q->airport.ident;
	return rc;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	struct asked q = { .mem = a, .day = jsn_get_str(args, "day_of_week", NULL) };
	struct fact_view facts;
	enum errcode rc = find_airport(&q, ctx, jsn_get_str(args, "icao", ""), e);

	(void)self;
	if (rc != OK)
		return rc;
	if (q.day != NULL && *q.day == '\0')
		q.day = NULL;
	if (q.day != NULL)
		q.days = notice_asked_days(q.day);
	if (read_time(jsn_get_str(args, "time", ""), &q.clock))
		q.time = clock_said(a, q.clock);
	fact_view_take(&facts, ctx->sources);
	*result = result_of(&q, &facts);
	fact_view_put(&facts);
	return OK;
}

static const struct tool_arg rows[] = {
	{ .name = "icao", .type = ARG_STRING, .required = true, .doc = "ICAO code." },
	{ .name = "day_of_week", .type = ARG_STRING,
	    .doc = "Sunday, holiday, a date." },
	{ .name = "time", .type = ARG_STRING, .check = check_time, .doc = "14:00." },
};

const struct tool tool_get_notification_for_airport = {
	.name = "get_notification_for_airport",
	.doc = "Gets how much notice one airport wants for customs or PPR.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.open = true,
	.domain = TOOL_NOTIFICATIONS,
	.ui = TOOL_UI_AIRPORT,
	.result = RESULT_NOTICE,
	.call = call,
};
