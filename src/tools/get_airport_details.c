/*
 * get_airport_details: everything that is known about one airport.
 */
#include <ctype.h>

#include "airports/friendliness.h"
#include "airports/notice.h"
#include "airports/similar_codes.h"
#include "base/str.h"
#include "tools/airport_facts.h"
#include "tools/airport_result.h"

enum { CODE_MAX = 12 };

struct details {
	struct airport airport;
	struct airport_codes codes;
	struct variation variation;
	struct runway *runways;
	struct aip_entry *aip;
	struct procedure *procedures;
	struct frequency *frequencies;
	size_t nrunways, naip, nprocedures, nfrequencies;
};

static enum errcode load(struct aircon *con, struct arena *a, struct details *d, struct err *e)
{
	const char *ident = d->airport.ident;
	enum errcode rc = airdb_runways(con, a, ident, &d->runways, &d->nrunways, e);

	if (rc == OK)
		rc = airdb_aip(con, a, ident, &d->aip, &d->naip, e);
	if (rc == OK)
		rc = airdb_procedures(con, a, ident, &d->procedures, &d->nprocedures, e);
	if (rc == OK)
		rc = airdb_frequencies(con, a, ident, &d->frequencies, &d->nfrequencies, e);
	if (rc == OK)
		rc = airdb_codes(con, a, ident, &d->codes, e);
	if (rc == OK)
		rc = airport_variation(con, a, &d->airport, d->aip, d->naip, &d->variation, e);
	return rc;
}

/* "zzzz", "us-0123" become capitals; a name stays as it was typed, even one of four letters
 * ("Bern"). */
static bool is_code(struct str s)
{
	bool digit = false, small = false;

	for (size_t i = 0; i < s.n; i++) {
		if (!isascii((unsigned char)s.p[i]) || (!isalnum((unsigned char)s.p[i]) && s.p[i] != '-'))
			return false;
		digit |= !isalpha((unsigned char)s.p[i]);
		small |= islower((unsigned char)s.p[i]) != 0;
	}
	if (digit)
		return s.n <= CODE_MAX;
	return s.n <= 4 && !(s.n > 1 && isupper((unsigned char)s.p[0]) && small);
}

static struct json_object *not_found(struct arena *a, const char *code, const struct airport *similar, size_t nsimilar)
{
	struct json_object *o = jsn_object(a);
	struct str trimmed = str_trim(str_of(code));
	char *said = arena_strndup(a, trimmed.p, trimmed.n);

	if (is_code(trimmed))
		str_upper(said);
	jsn_add_bool(o, "found", false);
	jsn_add_str(o, "pretty", arena_printf(a, "Airport %s not found.", said));
	if (nsimilar == 0)
		return o;
	struct json_object *list = json_object_new_array();
	for (size_t i = 0; i < nsimilar; i++) {
		struct json_object *one = jsn_new();
		jsn_add_str(one, "ident", similar[i].ident);
		jsn_add_str(one, "name", similar[i].name);
		jsn_push(list, one);
	}
	jsn_add(o, "similar", list);
	return o;
}

/* A summary of the runways in use: closed runways are listed, but do not count. */
static struct json_object *runway_summary(const struct details *d)
{
	struct json_object *o = jsn_new();
	int64_t open = 0;

	for (size_t i = 0; i < d->nrunways; i++)
		open += !d->runways[i].closed;
	jsn_add_int(o, "count", open);
	jsn_add_num(o, "longest_ft", d->airport.longest_ft);
	jsn_add_bool(o, "has_hard_surface", d->airport.flags & AF_HARD);
	return o;
}

static struct json_object *aip_of(const struct details *d)
{
	struct json_object *arr = json_object_new_array();

	for (size_t i = 0; i < d->naip; i++) {
		const struct aip_entry *entry = &d->aip[i];
		struct json_object *o;

		if (entry->std_field_id == 0 || entry->std_field == NULL || entry->value == NULL
		    || *entry->value == '\0')
			continue;
		o = jsn_new();
		jsn_add_str(o, "field", entry->std_field);
		jsn_add_str(o, "value", entry->value);
		jsn_push(arr, o);
	}
	return arr;
}

static void add_tri(struct json_object *o, const char *key, enum tri v)
{
	if (v == TRI_UNKNOWN)
		jsn_add(o, key, NULL);
	else
		jsn_add_bool(o, key, v == TRI_YES);
}

static struct json_object *marker_of(const struct airport *airport)
{
	struct json_object *vis = jsn_new(), *marker = jsn_new();

	jsn_add_str(marker, "ident", airport->ident);
	jsn_add_num(marker, "lat", airport->lat);
	jsn_add_num(marker, "lon", airport->lon);
	jsn_add_int(marker, "zoom", 12);
	if (airport_use(airport) != USE_ORDINARY)
		jsn_add_str(marker, "use", airport_use_name(airport_use(airport)));
	jsn_add_str(vis, "type", "marker_with_details");
	jsn_add(vis, "marker", marker);
	return vis;
}

static struct json_object *result_of(struct arena *a, const struct details *d, struct day day)
{
	struct json_object *o = jsn_object(a), *fuel = jsn_new();
	struct json_object *airport = airport_summary(&d->airport);
	struct json_object *variation = variation_json(&d->variation), *sun = sun_json(day, &d->airport);

	jsn_add_bool(o, "found", true);
	jsn_add_num(airport, "elevation_ft", d->airport.elevation_ft);
	jsn_add_str(airport, "type", airport_type_name(d->airport.type));
	if (d->codes.home_link != NULL)
		jsn_add_str(airport, "home_link", d->codes.home_link);
	jsn_add(o, "airport", airport);
	jsn_add(o, "runways", runways_json(d->runways, d->nrunways, &d->variation));
	jsn_add(o, "runway_summary", runway_summary(d));
	jsn_add(o, "procedures", procedures_json(d->procedures, d->nprocedures));
	jsn_add(o, "aip_data", aip_of(d));
	add_tri(fuel, "avgas", airport_avgas(&d->airport));
	add_tri(fuel, "jet_a", airport_jeta(&d->airport));
	jsn_add(o, "fuel", fuel);
	jsn_add(o, "codes", codes_json(d->airport.ident, &d->codes));
	jsn_add(o, "frequencies", frequencies_json(d->frequencies, d->nfrequencies));
	if (variation != NULL)
		jsn_add(o, "magnetic_variation", variation);
	if (sun != NULL)
		jsn_add(o, "sun", sun);
	jsn_add(o, "visualization", marker_of(&d->airport));
	return o;
}

/* What other sources hold of the airport: notice periods, reviews, fees. */
static void add_from_sources(struct json_object *result, const struct tool_context *ctx,
    struct arena *a, struct json_object *args, const char *ident)
{
	struct fact_view view;
	const struct friendly *r;
	const struct notice *notice;

	fact_view_take(&view, ctx->sources);
	notice = notice_find(&view, ident);
	if (notice != NULL)
		jsn_add(result, "notification", notice_summary_json(notice));
	r = fact_find(&view, FACTS_FRIENDLINESS, ident);
	if (r != NULL)
		jsn_add(result, "friendliness", jsn_ref(friendly_details(a, ident, r,
		    persona_or_standard(ctx->personas, jsn_get_str(args, "_persona_id", NULL)),
		    notice != NULL ? notice->summary : NULL)));
	fact_view_put(&view);
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	const char *code = jsn_get_str(args, "icao_code", "");
	struct details d = { .nrunways = 0 };
	struct aircon *con;
	struct day day;
	struct airport similar[SIMILAR_CODES];
	size_t nsimilar = 0;
	bool found = false;
	enum errcode rc = day_parse(jsn_get_str(args, "date", "today"), day_today(), &day, e);
	(void)self;

	if (rc == OK)
		rc = airport_con(ctx, &con, e);
	if (rc != OK)
		return rc;
	rc = airdb_by_code(con, a, code, &d.airport, &found, e);
	if (rc == OK && found)
		rc = load(con, a, &d, e);
	if (rc == OK && !found)
		rc = similar_codes(con, a, code, similar, &nsimilar, e);
	airdb_put(con);
	if (rc != OK)
		return rc;
	*result = found ? result_of(a, &d, day) : not_found(a, code, similar, nsimilar);
	if (found)
		add_from_sources(*result, ctx, a, args, d.airport.ident);
	return OK;
}

static enum errcode check_date(struct json_object *v, struct err *e)
{
	struct day day;

	return day_parse(json_object_get_string(v), day_today(), &day, e);
}

static const struct tool_arg rows[] = {
	{ .name = "icao_code", .type = ARG_STRING, .required = true,
	    .doc = "Its ICAO, IATA or local code." },
	{ .name = "date", .type = ARG_STRING, .check = check_date,
	    .doc = "Day for sun times: tomorrow, sunday." },
};

const struct tool tool_get_airport_details = {
	.name = "get_airport_details",
	.doc = "Gets all that is known of one airport: runways, radio, procedures, fuel, "
	    "customs, hours, fees, reviews, sunset.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.persona = true,
	.open = true,
	.domain = TOOL_AIRPORTS,
	.ui = TOOL_UI_AIRPORT,
	.result = RESULT_AIRPORT,
	.call = call,
};
