/*
 * Notice periods: of one airport, of the airports that want no more than so much, and how many are known.
 */
#include "edges/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "airports/notice.h"
#include "base/jsn_put.h"
#include "base/str.h"
#include "edges/call.h"
#include "edges/params.h"
#include "edges/reply.h"
#include "tools/notice_result.h"
#include "tools/tool.h"

enum { DAY_MAX = 40, TYPE_MAX = 40, LIMIT_MAX = 1000, NAMED = 10 };

static const char no_data[] = "No notice database is set up here.";

/* ---- one airport ----------------------------------------------------------------------- */

/* The tool's result as clients of the original expect it: their members are always there, and what is for the
 * chat's map is left out. */
static void put_one(struct buf *b, struct json_object *o)
{
	static const char *const members[] = { "found", "icao", "rule_type", "notification_type", "hours_notice",
		"operating_hours", "summary", "confidence", "phone", "email", "day_specific_rule", "pretty", "error" };
	const size_t n = sizeof(members) / sizeof(members[0]);

	jsn_put_open(b, NULL, '{');
	for (size_t i = 0; i < n; i++)
		jsn_put_tree(b, members[i], jsn_get(o, members[i]));
	JSN_EACH(o, it) {
		bool told = streq(it.key, "visualization") || streq(it.key, "airport");
		for (size_t i = 0; i < n && !told; i++)
			told = streq(it.key, members[i]);
		if (!told)
			jsn_put_tree(b, it.key, it.val);
	}
	jsn_put_close(b, '}');
}

/* False: 422 was sent. An answer for the whole week would look like one for the day. */
static bool read_day(struct http_req *r, struct http_res *w, const struct param_value *day)
{
	const struct notice_days days = day->set ? notice_asked_days(day->text) : (struct notice_days){ .holidays = true };

	if (days.mask != 0 || days.holidays)
		return true;
	reply_fault(r, w, "query", "day_of_week", "value_error",
	    "Value error, a day is a weekday, 'weekend', 'holiday', 'today', 'tomorrow' or a date such as 2026-11-29",
	    day->text);
	return false;
}

void api_notification(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	static const struct param row = { "day_of_week", PARAM_TEXT, .max = DAY_MAX };
	const struct tool *tool = toolset_giving(tools_builtin, RESULT_NOTICE);
	struct json_object *args = jsn_object(r->mem), *result;
	struct param_value day;
	struct call c;

	(void)rt;
	if (!params_path(r, w, &param_code, r->arg) || !params_read(r, w, &row, 1, &day) ||
	    !read_day(r, w, &day) || !call_begin(&c, e, r, w, CALL_FACTS))
		return;
	const struct tool_context ctx = { .airports = e->parts.airports, .sources = &c.sources,
		.personas = e->parts.personas };
	jsn_add_str(args, "icao", r->arg);
	if (day.set)
		jsn_add_str(args, "day_of_week", day.text);
	const enum errcode rc = tool_call(&ctx, tool, c.mem, args, NULL, &result, &c.err);
	if (rc == OK)
		put_one(&c.text, result);
	call_end(&c, rc);
}

/* ---- airports by their notice ------------------------------------------------------------ */

enum { P_HOURS, P_TYPE, P_COUNTRY, P_LIMIT, P__MAX };

static const struct param wanted[P__MAX] = {
	[P_HOURS] = { "max_hours_notice", PARAM_INT, .min = 0, .max = 100000 },
	[P_TYPE] = { "notification_type", PARAM_TEXT, .max = TYPE_MAX },
	[P_COUNTRY] = { "country", PARAM_TEXT, .max = 3 },
	[P_LIMIT] = { "limit", PARAM_INT, .min = 1, .max = LIMIT_MAX, .absent = "20" },
};

static bool asked_for(const struct notice *n, const struct param_value *v)
{
	if (v[P_TYPE].set && (n->type == NULL || !strieq(n->type, v[P_TYPE].text)))
		return false;
	return !v[P_HOURS].set || n->kind == NOTICE_H24 || n->hours <= v[P_HOURS].number;
}

/* By hours, those without hours last. */
static int by_hours(const void *pa, const void *pb)
{
	const struct notice *a = *(const struct notice *const *)pa, *b = *(const struct notice *const *)pb;

	if (isnan(a->hours) != isnan(b->hours))
		return isnan(a->hours) ? 1 : -1;
	if (!isnan(a->hours) && a->hours != b->hours)
		return a->hours < b->hours ? -1 : 1;
	return strcmp(a->icao, b->icao);
}

static void put_found(struct call *c, const struct notice *n, const struct airport *ap)
{
	struct buf *b = &c->text;
	struct short_summary summary;

	jsn_put_open(b, NULL, '{');
	jsn_put_str(b, "icao", n->icao);
	jsn_put_str(b, "ident", n->icao);
	jsn_put_str(b, "notification_type", n->type);
	jsn_put_num(b, "hours_notice", n->hours);
	jsn_put_str(b, "summary", notice_shortened(&summary, n->summary));
	jsn_put_str(b, "name", ap->name);
	jsn_put_str(b, "municipality", ap->municipality);
	jsn_put_str(b, "country", ap->country);
	jsn_put_num(b, "latitude_deg", ap->ident != NULL ? ap->lat : (double)NAN);
	jsn_put_num(b, "longitude_deg", ap->ident != NULL ? ap->lon : (double)NAN);
	jsn_put_close(b, '}');
}

struct found {
	const struct notice *notice;
	struct airport airport;
};

/* The first airports of the list that are in the country, at most `limit`. An airport that the database does not
 * have is in no country. */
static enum errcode choose(struct call *c, const struct notice *const *list, size_t n, const struct param_value *v,
    struct found *out, size_t *nfound)
{
	enum errcode rc = OK;
	bool known;

	for (size_t i = 0; rc == OK && i < n && *nfound < (size_t)v[P_LIMIT].number; i++) {
		struct found *f = &out[*nfound];
		*f = (struct found){ .notice = list[i] };
		rc = call_airport(c, list[i]->icao, &f->airport, &known);
		if (!known)
			f->airport = (struct airport){ .ident = NULL };
		if (!v[P_COUNTRY].set || (f->airport.country != NULL && strieq(f->airport.country, v[P_COUNTRY].text)))
			(*nfound)++;
	}
	return rc;
}

static const char *said(struct arena *a, const struct found *f, size_t n)
{
	const char *text = arena_printf(a, "**%zu airport%s:**", n, n == 1 ? "" : "s");

	if (n == 0)
		return "No airport with such notice requirements is recorded.";
	for (size_t i = 0; i < n && i < NAMED; i++) {
		const struct notice *one = f[i].notice;
		text = arena_printf(a, "%s\n- **%s**%s%s: %s", text, one->icao, f[i].airport.name != NULL ? " " : "",
		    f[i].airport.name != NULL ? f[i].airport.name : "", one->kind == NOTICE_H24 ? "H24" :
		    isnan(one->hours) ? (one->type != NULL ? one->type : "not known") :
		    arena_printf(a, "%gh notice", one->hours));
	}
	return text;
}

void api_notifications(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	const struct notice *const *all;
	struct param_value v[P__MAX];
	size_t n = 0, nfound = 0;
	struct call c;

	(void)rt;
	if (!params_read(r, w, wanted, P__MAX, v) || !call_begin(&c, e, r, w, CALL_AIRPORTS | CALL_FACTS))
		return;
	const size_t nall = notices_all(&c.facts, c.mem, true, &all);
	const struct notice **list = arena_array(c.mem, nall, sizeof(*list));
	struct found *found = arena_array(c.mem, (size_t)v[P_LIMIT].number, sizeof(*found));
	for (size_t i = 0; i < nall; i++)
		if (asked_for(all[i], v))
			list[n++] = all[i];
	qsort(list, n, sizeof(*list), by_hours);
	const enum errcode rc = choose(&c, list, n, v, found, &nfound);

	jsn_put_open(&c.text, NULL, '{');
	jsn_put_bool(&c.text, "found", nfound > 0);
	jsn_put_int(&c.text, "count", (int64_t)nfound);
	jsn_put_open(&c.text, "airports", '[');
	for (size_t i = 0; i < nfound; i++)
		put_found(&c, found[i].notice, &found[i].airport);
	jsn_put_close(&c.text, ']');
	jsn_put_str(&c.text, "pretty", nall > 0 ? said(c.mem, found, nfound) : no_data);
	jsn_put_str(&c.text, "error", nall > 0 ? NULL : "there is no notice database");
	jsn_put_close(&c.text, '}');
	call_end(&c, rc);
}

/* ---- how many there are -------------------------------------------------------------------- */

enum { TYPES_MAX = 64 };

struct type_count {
	const char *name;
	int64_t n;
};

static int by_count(const void *pa, const void *pb)
{
	const struct type_count *a = pa, *b = pb;

	return a->n != b->n ? (a->n < b->n ? 1 : -1) : strcmp(a->name, b->name);
}

/* A type beyond the last place counts as unknown. */
static void count_type(struct type_count *types, size_t *n, const char *name, int64_t times)
{
	size_t i = 0;

	while (i < *n && !streq(types[i].name, name))
		i++;
	if (i == TYPES_MAX) {
		types[0].n += times;
		return;
	}
	if (i == *n)
		types[(*n)++] = (struct type_count){ .name = name };
	types[i].n += times;
}

void api_notification_stats(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct type_count types[TYPES_MAX] = { { "unknown", 0 } };
	const struct notice *const *all;
	double confidence = 0, hours = 0;
	int64_t total, known = 0;
	size_t ntypes = 1;
	struct call c;

	(void)rt;
	if (!call_begin(&c, e, r, w, CALL_FACTS))
		return;
	const size_t n = notices_all(&c.facts, c.mem, false, &all);
	total = types[0].n = (int64_t)notices_failed(&c.facts);
	for (size_t i = 0; i < n; i++)
		for (const struct notice *one = all[i]; one != NULL; one = one->next) {
			total++;
			confidence += isnan(one->confidence) ? 0 : one->confidence;
			known += !isnan(one->hours);
			hours += isnan(one->hours) ? 0 : one->hours;
			count_type(types, &ntypes, one->type != NULL ? one->type : "unknown", 1);
		}
	qsort(types, ntypes, sizeof(types[0]), by_count);

	struct buf *b = &c.text;
	jsn_put_open(b, NULL, '{');
	jsn_put_bool(b, "found", total > 0);
	jsn_put_int(b, "total", total);
	jsn_put_num(b, "avg_confidence", total > 0 ? num_round(confidence / (double)total, 3) : (double)NAN);
	jsn_put_num(b, "avg_hours_notice", known > 0 ? num_round(hours / (double)known, 1) : (double)NAN);
	jsn_put_open(b, "by_type", '{');
	for (size_t i = 0; i < ntypes; i++)
		if (types[i].n > 0) {
			jsn_put_key(b, types[i].name);
			jsn_put_int(b, NULL, types[i].n);
		}
	jsn_put_close(b, '}');
	jsn_put_str(b, "pretty", total > 0 ? arena_printf(c.mem, "**%lld notice requirements are recorded.**",
	    (long long)total) : no_data);
	jsn_put_str(b, "error", total > 0 ? NULL : "there is no notice database");
	jsn_put_close(b, '}');
	call_end(&c, OK);
}
