/*
 * Shared parts of the airport tools.
 */
#include "tools/airport_result.h"

#include <math.h>

#include "base/str.h"

enum {
	WAIT_MS = 3000,       /* wait for a connection, or for an index that is being built */
	/* with fewer airports the database is a sample, and the result says so */
	SAMPLE = 1000,
};

void search_args_read(struct search_args *out, struct json_object *args)
{
	struct json_object *in_filters;

	out->max_results = (size_t)jsn_get_num(args, "max_results", 5);
	out->max_distance_nm = jsn_get_num(args, "max_distance_nm", 50);
	out->include_large = jsn_get_bool(args, "include_large_airports", false);
	out->filters = jsn_get(args, "filters");
	in_filters = jsn_get(out->filters, "max_hours_notice");
	out->max_hours_notice = NAN;
	if (jsn_is(in_filters, json_type_string))
		str_to_double(json_object_get_string(in_filters), &out->max_hours_notice);
	else
		out->max_hours_notice = jsn_get_num(out->filters, "max_hours_notice", NAN);
	out->max_hours_notice = jsn_get_num(args, "max_hours_notice", out->max_hours_notice);
}

enum errcode airport_con(const struct tool_context *ctx, struct aircon **out, struct err *e)
{
	if (ctx->airports == NULL)
		return err_set(e, ERR_DATA, "there is no airport database");
	return airdb_get_watched(ctx->airports, WAIT_MS, ctx->watch, out, e);
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
	return o;
}

void result_add_profile(struct json_object *result, struct json_object *base,
    const struct search_args *args)
{
	if (!isnan(args->max_hours_notice))
		jsn_add_num(base, "max_hours_notice", args->max_hours_notice);
	filter_profile(base, args->filters);
	jsn_add(result, "filter_profile", base);
}

/* Airports that may fit, but for which a wanted fact is not recorded, with the names of the filters
 * that have no data on them. */
static void add_unrecorded(struct json_object *result, const struct airport_hits *hits,
    struct json_object *(*object)(const struct airport_hit *))
{
	struct json_object *list;

	if (hits->nmaybe == 0)
		return;
	list = json_object_new_array();
	for (size_t i = 0; i < hits->nmaybe; i++) {
		struct json_object *o = object(&hits->maybe[i]), *names = json_object_new_array();

		for (const char *const *name = hits->maybe[i].unrecorded; *name != NULL; name++)
			jsn_push(names, jsn_str(*name));
		jsn_add(o, "unrecorded", names);
		jsn_push(list, o);
	}
	jsn_add(result, "unrecorded", list);
}

struct json_object *result_add_airports(struct json_object *result, const struct airport_hits *hits,
    struct json_object *(*object)(const struct airport_hit *))
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < hits->n; i++)
		jsn_push(list, object(&hits->hits[i]));
	jsn_add(result, "airports", list);
	add_unrecorded(result, hits, object);
	return list;
}

void result_add_visualization(struct json_object *result, struct json_object *visualization)
{
	struct json_object *list = jsn_get(result, "unrecorded");

	if (list != NULL)
		jsn_add(visualization, "unrecorded", jsn_ref(list));
	jsn_add(result, "visualization", visualization);
}

void result_add_report(struct json_object *result, const struct airport_hits *hits)
{
	const struct filter_report *r = &hits->report;
	struct json_object *o, *dropped, *unknown;

	if (hits->known < SAMPLE)
		jsn_add_int(result, "database_airports", hits->known);
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
	jsn_add(result, "filter_report", o);
}
