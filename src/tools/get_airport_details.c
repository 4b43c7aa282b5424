/*
 * get_airport_details: everything that is known about one airport.
 */
#include <ctype.h>

#include "base/str.h"
#include "tools/airport_result.h"

enum { CODE_MAX = 12 };

struct details {
	struct airport airport;
	struct runway *runways;
	size_t nrunways;
	struct aip_entry *aip;
	size_t naip;
	int64_t nprocedures;
};

static enum errcode load(struct aircon *con, struct arena *a, struct details *d, struct err *e)
{
	const char *ident = d->airport.ident;
	enum errcode rc = airdb_runways(con, a, ident, &d->runways, &d->nrunways, e);

	if (rc == OK)
		rc = airdb_aip(con, a, ident, &d->aip, &d->naip, e);
	if (rc == OK)
		rc = airdb_procedure_count(con, ident, &d->nprocedures, e);
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

static struct json_object *not_found(struct arena *a, const char *code)
{
	struct json_object *o = jsn_object(a);
	struct str trimmed = str_trim(str_of(code));
	char *said = arena_strndup(a, trimmed.p, trimmed.n);

	if (is_code(trimmed))
		str_upper(said);
	jsn_add_bool(o, "found", false);
	jsn_add_str(o, "pretty", arena_printf(a, "Airport %s not found.", said));
	return o;
}

static struct json_object *runways_of(const struct details *d)
{
	struct json_object *arr = json_object_new_array();

	for (size_t i = 0; i < d->nrunways; i++) {
		const struct runway *r = &d->runways[i];
		struct json_object *o = jsn_new();

		jsn_add_str(o, "le_ident", r->le_ident);
		jsn_add_str(o, "he_ident", r->he_ident);
		jsn_add_num(o, "length_ft", r->length_ft);
		jsn_add_num(o, "width_ft", r->width_ft);
		jsn_add_str(o, "surface", r->surface);
		jsn_add_bool(o, "lighted", r->lighted);
		if (r->closed)
			jsn_add_bool(o, "closed", true);
		jsn_push(arr, o);
	}
	return arr;
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

static struct json_object *result_of(struct arena *a, const struct details *d)
{
	struct json_object *o = jsn_object(a), *procedures = jsn_new();
	struct json_object *fuel = jsn_new(), *vis = jsn_new();
	struct json_object *marker = jsn_new(), *airport = airport_summary(&d->airport);

	jsn_add_bool(o, "found", true);
	jsn_add_num(airport, "elevation_ft", d->airport.elevation_ft);
	jsn_add(o, "airport", airport);
	jsn_add(o, "runways", runways_of(d));
	jsn_add(o, "runway_summary", runway_summary(d));
	jsn_add_int(procedures, "count", d->nprocedures);
	jsn_add(o, "procedures", procedures);
	jsn_add(o, "aip_data", aip_of(d));
	add_tri(fuel, "avgas", airport_avgas(&d->airport));
	add_tri(fuel, "jet_a", airport_jeta(&d->airport));
	jsn_add(o, "fuel", fuel);
	jsn_add_str(marker, "ident", d->airport.ident);
	jsn_add_num(marker, "lat", d->airport.lat);
	jsn_add_num(marker, "lon", d->airport.lon);
	jsn_add_int(marker, "zoom", 12);
	jsn_add_str(vis, "type", "marker_with_details");
	jsn_add(vis, "marker", marker);
	jsn_add(o, "visualization", vis);
	return o;
}

static enum errcode call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e)
{
	const char *code = jsn_get_str(args, "icao_code", "");
	struct details d = { .nrunways = 0 };
	struct aircon *con;
	bool found = false;
	enum errcode rc = airport_con(ctx, &con, e);
	(void)self;

	if (rc != OK)
		return rc;
	rc = airdb_by_code(con, a, code, &d.airport, &found, e);
	if (rc == OK && found)
		rc = load(con, a, &d, e);
	airdb_put(con);
	if (rc == OK)
		*result = found ? result_of(a, &d) : not_found(a, code);
	return rc;
}

static const struct tool_arg rows[] = {
	{ .name = "icao_code", .type = ARG_STRING, .required = true,
	    .doc = "Its ICAO, IATA or local code." },
};

const struct tool tool_get_airport_details = {
	.name = "get_airport_details",
	.doc = "Get all that is known of one airport given by its code: elevation, runways with length, "
	    "width and surface, number of instrument procedures, fuel, and what its AIP entry says of "
	    "customs, hours, handling and services.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.persona = true,
	.open = true,
	.domain = TOOL_AIRPORTS,
	.ui = TOOL_UI_AIRPORT,
	.result = RESULT_AIRPORT,
	.call = call,
};
