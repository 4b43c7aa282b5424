/*
 * Numbers are put within the bounds of the tool, and texts within its length, so that a plan is never
 * refused for a value that the pilot wrote. An argument that a tool does not have is left out.
 */
#include "agents/aviation/builtin/intent_arguments.h"

#include <math.h>
#include <string.h>

#include "agents/aviation/builtin/rules_request.h"
#include "airports/filter.h"
#include "airports/place.h"
#include "base/jsn.h"
#include "base/str.h"

enum { TEXT_LIMIT = 200, ALTERNATES_NM = 15, CLOSEST_NM = 150 };

static const struct tool_arg *arg_of(const struct tool *t, const char *name)
{
	for (size_t i = 0; i < t->nargs; i++)
		if (streq(t->args[i].name, name))
			return &t->args[i];
	return NULL;
}

static void put_text(struct arena *a, struct json_object *args, const char *name, const char *text)
{
	size_t n = strlen(text);
	jsn_add_str(args, name,
	    arena_strndup(a, text, utf8_cut(text, n, n < TEXT_LIMIT ? n : TEXT_LIMIT)));
}

/* A number, if the tool has such an argument, within the bounds that it accepts. */
static void put_number(const struct tool *t, struct json_object *args, const char *name, double v)
{
	const struct tool_arg *arg = arg_of(t, name);
	if (arg == NULL || isnan(v))
		return;
	if (arg->min < arg->max)
		v = fmin(fmax(v, arg->min), arg->max);
	if (arg->type == ARG_INTEGER)
		jsn_add_int(args, name, (int64_t)fmin(fmax(v, 0), 1e6));
	else
		jsn_add_num(args, name, v);
}

/* A currency or an aircraft without a limit on the fee, and the currency that is meant anyway. */
static bool unneeded(const struct query *q, size_t wish)
{
	if (wish != WISH_CURRENCY && wish != WISH_AIRCRAFT)
		return false;
	return q->want[WISH_FEE].state != WANT_SET ||
	    (wish == WISH_CURRENCY && streq(q->want[wish].text, "EUR"));
}

static void put_filters(struct arena *a, const struct query *q, const struct tool *t,
    struct json_object *args)
{
	struct json_object *values = jsn_object(a);
	for (size_t i = 0; i < WISH__MAX; i++) {
		const struct want *w = &q->want[i];
		const struct filter *f = filter_find(wish_filters[i].name);
		if (f == NULL)
			continue;
		if (i == WISH_COUNTRY) {
			if (q->country != NULL)
				jsn_add_str(values, f->name, q->country->code);
		} else if (w->state != WANT_SET || unneeded(q, i)) {
			continue;
		} else if (wish_filters[i].as == WISH_FLAG) {
			jsn_add_bool(values, f->name, w->on);
		} else if (wish_filters[i].as == WISH_NUMBER) {
			jsn_add_num(values, f->name, fmin(fmax(w->number, 0), 1e6));
		} else {
			jsn_add_str(values, f->name, w->text);
		}
	}
	if (arg_of(t, "filters") != NULL && jsn_len(values) > 0)
		jsn_add(args, "filters", jsn_ref(values));
}

/* If the tool has an argument for the notice, it is used; else the notice is one of the filters. */
static void put_notice(struct arena *a, const struct tool *t, struct json_object *args, double hours)
{
	struct json_object *values = jsn_get(args, "filters");

	if (isnan(hours) || arg_of(t, "max_hours_notice") != NULL || arg_of(t, "filters") == NULL) {
		put_number(t, args, "max_hours_notice", hours);
		return;
	}
	if (values == NULL) {
		values = jsn_object(a);
		jsn_add(args, "filters", jsn_ref(values));
	}
	jsn_add_num(values, "max_hours_notice", hours);
}

/* What all searches share. */
static void put_common(struct arena *a, const struct query *q, const struct tool *t,
    struct json_object *args)
{
	/* "nearest with customs" asks for one airport, even if it is farther away than usual */
	double distance = q->distance_nm > 0 ? q->distance_nm :
	    q->closest && query_wants(q) ? CLOSEST_NM : NAN;
	put_number(t, args, "max_distance_nm", distance);
	put_number(t, args, "max_results", q->results > 0 ? q->results : NAN);
	put_filters(a, q, t, args);
	if (q->cheapest && arg_of(t, "priority_strategy") != NULL)
		jsn_add_str(args, "priority_strategy", "landing_fee");
	if (q->large == 1 && arg_of(t, "include_large_airports") != NULL)
		jsn_add_bool(args, "include_large_airports", true);
	put_notice(a, t, args, q->notice_h);
}

void fill_route(struct arena *a, struct aircon *con, const struct query *q,
    const struct tool *t, struct json_object *args)
{
	(void)con;
	put_text(a, args, "from_location", q->from.text);
	put_text(a, args, "to_location", q->to.text);
	put_common(a, q, t, args);
	put_number(t, args, "cruise_kt", q->speed_kt);
}

void fill_near(struct arena *a, struct aircon *con, const struct query *q,
    const struct tool *t, struct json_object *args)
{
	(void)con;
	put_text(a, args, "location_query", q->near.text != NULL ? q->near.text : q->subject.text);
	put_common(a, q, t, args);
}

void fill_country(struct arena *a, struct aircon *con, const struct query *q,
    const struct tool *t, struct json_object *args)
{
	(void)con;
	put_text(a, args, "query", q->country->name);
	put_common(a, q, t, args);
}

void fill_counted(struct arena *a, struct aircon *con, const struct query *q,
    const struct tool *t, struct json_object *args)
{
	(void)con, (void)t;
	if (q->country != NULL)
		put_text(a, args, "country", q->country->code);
}

void fill_lookup(struct arena *a, struct aircon *con, const struct query *q,
    const struct tool *t, struct json_object *args)
{
	(void)con;
	put_text(a, args, "query", q->subject.text);
	put_common(a, q, t, args);
}

void fill_codes(struct arena *a, struct aircon *con, const struct query *q,
    const struct tool *t, struct json_object *args)
{
	const char *list = "";
	(void)con;
	for (size_t i = 0; i < q->ncodes; i++)
		list = arena_printf(a, "%s%s%s", list, i > 0 ? " " : "", q->codes[i].text);
	put_text(a, args, "query", list);
	put_common(a, q, t, args);
}

/* The ident of the airport that the pilot named; the text itself if there is none. */
static const char *ident_of(struct arena *a, struct aircon *con, const struct place_mention *s)
{
	struct airport airport;
	struct place place;
	bool found = false;
	if (con == NULL)
		return s->text;
	if (s->code)
		return airdb_by_code(con, a, s->text, &airport, &found, NULL) == OK && found
		    ? airport.ident : s->text;
	return place_airport(con, a, NULL, s->text, PLACE_MAIN, ALTERNATES_NM, &place, &found,
	    NULL) == OK && found ? place.airport.ident : s->text;
}

void fill_details(struct arena *a, struct aircon *con, const struct query *q,
    const struct tool *t, struct json_object *args)
{
	put_text(a, args, "icao_code", ident_of(a, con, &q->subject));
	if (q->day != NULL && arg_of(t, "date") != NULL)
		jsn_add_str(args, "date", q->day);
}

void fill_notify(struct arena *a, struct aircon *con, const struct query *q,
    const struct tool *t, struct json_object *args)
{
	const struct place_mention *s = q->subject.text != NULL ? &q->subject
	    : q->near.text != NULL ? &q->near : &q->to;
	if (s->text != NULL)
		put_text(a, args, "icao", ident_of(a, con, s));
	if (q->days != NULL)
		jsn_add_str(args, "day_of_week", q->days);
	if (q->clock != NULL && arg_of(t, "time") != NULL)
		jsn_add_str(args, "time", q->clock);
}

static void put_texts(struct json_object *args, const char *name, const char *const *texts,
    size_t n)
{
	struct json_object *list = json_object_new_array();
	for (size_t i = 0; i < n; i++)
		jsn_push(list, jsn_str(texts[i]));
	jsn_add(args, name, list);
}

/* What the three tools share: the question, and the tags in it. */
static void put_rules(struct json_object *args, const struct tool *t, const struct rules_request *r)
{
	if (r->question != NULL && arg_of(t, "question") != NULL)
		jsn_add_str(args, "question", r->question);
	if (r->ntags > 0 && arg_of(t, "tags") != NULL)
		put_texts(args, "tags", r->tags, r->ntags);
}

void fill_answer(struct arena *a, struct aircon *con, const struct query *q,
    const struct tool *t, struct json_object *args)
{
	(void)a, (void)con;
	jsn_add_str(args, "country_code", q->rules->countries.code[0]);
	put_rules(args, t, q->rules);
}

void fill_browse(struct arena *a, struct aircon *con, const struct query *q,
    const struct tool *t, struct json_object *args)
{
	const struct rules_request *r = q->rules;
	(void)a, (void)con;
	jsn_add_str(args, "country_code", r->countries.code[0]);
	put_rules(args, t, r);
	if (r->offset > 0)
		jsn_add_int(args, "offset", (int64_t)r->offset);
	if (r->limit > 0)
		jsn_add_int(args, "limit", (int64_t)r->limit);
}

void fill_compare(struct arena *a, struct aircon *con, const struct query *q,
    const struct tool *t, struct json_object *args)
{
	(void)a, (void)con;
	put_texts(args, "countries", q->rules->countries.code, q->rules->countries.n);
	put_rules(args, t, q->rules);
}
