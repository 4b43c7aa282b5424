/*
 * Shared parts of the airport tools.
 */
#include "tools/airport_result.h"

#include <math.h>

#include "airports/notice.h"
#include "base/str.h"

enum {
	WAIT_MS = 3000,       /* wait for a connection, or for an index that is being built */
	/* with fewer airports the database is a sample, and the result says so */
	SAMPLE = 1000,
};

enum errcode airport_con(const struct tool_context *ctx, struct aircon **out, struct err *e)
{
	if (ctx->airports == NULL)
		return err_set(e, ERR_DATA, "there is no airport database");
	return airdb_get_watched(ctx->airports, WAIT_MS, ctx->watch, out, e);
}

static double hours_of(struct json_object *args)
{
	struct json_object *conditions = jsn_get(args, "filters");
	struct json_object *in_filters = jsn_get(conditions, "max_hours_notice");
	double hours = jsn_get_num(conditions, "max_hours_notice", NAN);

	if (jsn_is(in_filters, json_type_string))
		str_to_double(json_object_get_string(in_filters), &hours);
	return jsn_get_num(args, "max_hours_notice", hours);
}

/* The filters, and the argument beside them that is one too. */
static struct json_object *conditions_of(struct arena *a, struct json_object *args)
{
	struct json_object *conditions = jsn_get(args, "filters"), *notice = jsn_get(args, "max_hours_notice");
	struct json_object *all;

	if (notice == NULL)
		return conditions;
	all = jsn_object(a);
	JSN_EACH(conditions, it)
		jsn_add(all, it.key, jsn_ref(it.val));
	jsn_add(all, "max_hours_notice", jsn_ref(notice));
	return all;
}

static enum search_order order_of(const char *strategy)
{
	static const char *const names[] = {
		[ORDER_FEE] = "landing_fee", [ORDER_RUNWAY] = "longest_runway", [ORDER_DISTANCE] = "nearest",
		[ORDER_HIGHEST] = "highest", [ORDER_LOWEST] = "lowest",
	};
	for (size_t i = ORDER_FEE; i < sizeof(names) / sizeof(names[0]); i++)
		if (streq(strategy, names[i]))
			return (enum search_order)i;
	return ORDER_PRIORITY;
}

enum errcode search_call_open(struct search_call *s, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct err *e)
{
	*s = (struct search_call){
		.ctx = ctx, .mem = a, .args = args, .max_hours_notice = hours_of(args),
		.q.filters = conditions_of(a, args),
		.q.sources = ctx->sources,
		.q.persona = persona_or_standard(ctx->personas, jsn_get_str(args, "_persona_id", NULL)),
		.q.order = order_of(jsn_get_str(args, "priority_strategy", "")),
		.q.include_large = jsn_get_bool(args, "include_large_airports", false),
		.q.radius_nm = jsn_get_num(args, "max_distance_nm", 50),
		.q.max = (size_t)jsn_get_num(args, "max_results", 5),
		.q.skip = (size_t)jsn_get_num(args, "offset", 0),
	};
	return airport_con(ctx, &s->con, e);
}

enum errcode search_call_run(struct search_call *s, struct err *e)
{
	return airport_search(s->con, s->mem, &s->q, &s->hits, e);
}

struct json_object *airport_summary(const struct airport *a)
{
	struct json_object *o = jsn_new();

	jsn_add_str(o, "ident", a->ident);
	jsn_add_str(o, "name", a->name);
	jsn_add_str(o, "municipality", a->municipality);
	jsn_add_str(o, "country", a->country);
	jsn_add_str(o, "iso_country", a->country);
	jsn_add_num(o, "latitude_deg", a->lat);
	jsn_add_num(o, "longitude_deg", a->lon);
	jsn_add_num(o, "longest_runway_length_ft", a->longest_ft);
	jsn_add_bool(o, "point_of_entry", a->flags & AF_ENTRY);
	jsn_add_bool(o, "has_aip_data", a->flags & AF_AIP);
	jsn_add_bool(o, "has_procedures", a->flags & AF_PROCEDURES);
	jsn_add_bool(o, "has_hard_runway", a->flags & AF_HARD);
	if ((a->flags & AF_SOFT) != 0)
		jsn_add_bool(o, "has_soft_runway", true);
	/* These are rare in results, and a map gives them a sign of their own. */
	if (a->type == TYPE_LARGE || a->type == TYPE_SEAPLANE)
		jsn_add_str(o, "type", airport_type_name(a->type));
	if (airport_use(a) != USE_ORDINARY)
		jsn_add_str(o, "use", airport_use_name(airport_use(a)));
	return o;
}

void result_add_count(struct json_object *result, const struct search_call *s, size_t most)
{
	const size_t total = s->hits.total;

	jsn_add_int(result, "count", (int64_t)(total < most ? total : most));
	jsn_add_int(result, "total_found", (int64_t)total);
}

/* One airport of a result, with what sources know of it. A notice from
 * a text of the AIP without a readable rule is left out. */
static struct json_object *airport_object(const struct search_call *s, const struct fact_view *facts,
    const struct airport_hit *hit, struct json_object *(*object)(const struct airport_hit *))
{
	struct json_object *o = object(hit);
	const struct notice *n = notice_find(facts, hit->a.ident);

	if (n != NULL && notice_tells(n))
		jsn_add(o, "notification", notice_summary_json(n));
	if (hit->friendly != NULL)
		jsn_add(o, "friendliness", jsn_ref(hit->friendly));
	if (s->q.order == ORDER_HIGHEST || s->q.order == ORDER_LOWEST)
		jsn_add_num(o, "elevation_ft", hit->a.elevation_ft);
	return o;
}

/* Airports that may fit, but for which a wanted fact is not recorded, with the names of the filters
 * that have no data on them. */
static void add_unrecorded(struct json_object *result, const struct search_call *s,
    const struct fact_view *facts, struct json_object *(*object)(const struct airport_hit *))
{
	const struct airport_hits *hits = &s->hits;
	struct json_object *list;

	if (hits->nmaybe == 0)
		return;
	list = json_object_new_array();
	for (size_t i = 0; i < hits->nmaybe; i++) {
		struct json_object *o = airport_object(s, facts, &hits->maybe[i], object);
		struct json_object *names = json_object_new_array();

		for (const char *const *name = hits->maybe[i].unrecorded; *name != NULL; name++)
			jsn_push(names, jsn_str(*name));
		jsn_add(o, "unrecorded", names);
		jsn_push(list, o);
	}
	jsn_add(result, "unrecorded", list);
}

static struct json_object *list_of_oversized(const struct airport_hits *hits)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < hits->noversized; i++) {
		struct json_object *o = jsn_new();
		jsn_add_str(o, "ident", hits->oversized[i].ident);
		jsn_add_str(o, "name", hits->oversized[i].name);
		jsn_push(list, o);
	}
	return list;
}

static void add_report(struct json_object *result, const struct airport_hits *hits)
{
	const struct filter_report *r = &hits->report;
	struct json_object *o, *dropped, *unknown;

	if (hits->known < SAMPLE)
		jsn_add_int(result, "database_airports", hits->known);
	if (hits->sample_facts)
		jsn_add_bool(result, "sample_facts", true);
	if (r->n == 0)
		return;
	o = jsn_new();
	dropped = jsn_new();
	unknown = jsn_new();
	for (size_t i = 0; i < r->n; i++) {
		if (r->row[i].dropped > 0)
			jsn_add_int(dropped, r->row[i].name, (int64_t)r->row[i].dropped);
		if (r->row[i].unknown > 0)
			jsn_add_int(unknown, r->row[i].name, (int64_t)r->row[i].unknown);
	}
	jsn_add_int(o, "candidates", (int64_t)hits->candidates);
	jsn_add(o, "dropped", dropped);
	jsn_add(o, "unknown", unknown);
	if (hits->large.a.ident != NULL) {
		struct json_object *large = jsn_new();
		jsn_add_str(large, "ident", hits->large.a.ident);
		jsn_add_str(large, "name", hits->large.a.name);
		jsn_add_num(large, "distance_nm", hits->large.distance_nm);
		jsn_add(o, "nearest_large", large);
	}
	if (hits->noversized > 0)
		jsn_add(o, "large", list_of_oversized(hits));
	jsn_add(result, "filter_report", o);
}

void result_add_airports(struct json_object *result, const struct search_call *s,
    struct json_object *(*object)(const struct airport_hit *), struct json_object *profile)
{
	struct json_object *list = json_object_new_array();
	struct fact_view facts;

	fact_view_take(&facts, s->ctx->sources);
	for (size_t i = 0; i < s->hits.n; i++)
		jsn_push(list, airport_object(s, &facts, &s->hits.hits[i], object));
	jsn_add(result, "airports", list);
	add_unrecorded(result, s, &facts, object);
	fact_view_put(&facts);
	if (!isnan(s->max_hours_notice))
		jsn_add_num(profile, "max_hours_notice", s->max_hours_notice);
	filter_profile(s->mem, profile, s->q.filters);
	jsn_add(result, "filter_profile", profile);
	add_report(result, &s->hits);
}

void result_add_visualization(struct json_object *result, const struct search_call *s,
    const char *type, const char *place_key, struct json_object *place, const char *airports_key)
{
	struct json_object *vis = jsn_new(), *unrecorded = jsn_get(result, "unrecorded");

	jsn_add_str(vis, "type", type);
	if (place_key != NULL)
		jsn_add(vis, place_key, place);
	jsn_add(vis, airports_key, jsn_ref(jsn_get(result, "airports")));
	if (place_key != NULL)
		jsn_add_num(vis, "radius_nm", s->q.radius_nm);
	if (unrecorded != NULL)
		jsn_add(vis, "unrecorded", jsn_ref(unrecorded));
	jsn_add(result, "visualization", vis);
}
