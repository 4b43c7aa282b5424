/*
 * One airport: its details, runways, procedures and AIP entries, and the lines of its approaches; also of
 * hundreds of airports at once.
 */
#include "edges/api.h"

#include <string.h>

#include "airports/friendliness.h"
#include "airports/procedure_lines.h"
#include "base/jsn_put.h"
#include "base/str.h"
#include "edges/airport_json.h"
#include "edges/body_text.h"
#include "edges/call.h"
#include "edges/kept.h"
#include "edges/params.h"
#include "edges/reply.h"

/* ---- details ------------------------------------------------------------------------- */

struct parts {
	struct airport_record record;
	struct runway *runways;
	struct procedure *procedures;
	struct aip_entry *aip;
	size_t nrunways, nprocedures, naip;
};

static void put_runways(struct call *c, const char *name, const char *ident, const struct parts *p)
{
	jsn_put_open(&c->text, name, '[');
	for (size_t i = 0; i < p->nrunways; i++)
		runway_put(c->mem, &c->text, ident, &p->runways[i]);
	jsn_put_close(&c->text, ']');
}

static void put_tri(struct buf *b, const char *name, enum tri v)
{
	if (v == TRI_UNKNOWN)
		jsn_put_null(b, name);
	else
		jsn_put_bool(b, name, v == TRI_YES);
}

/* Names separated by commas, as a list. */
static void put_sources(struct call *c, const char *list)
{
	struct str one;

	jsn_put_open(&c->text, "sources", '[');
	while (list != NULL && str_part(&list, ',', &one)) {
		one = str_trim(one);
		if (one.n > 0)
			jsn_put_str(&c->text, NULL, arena_strndup(c->mem, one.p, one.n));
	}
	jsn_put_close(&c->text, ']');
}

static void put_flags(struct buf *b, unsigned flags)
{
	static const struct {
		const char *name;
		unsigned flag;
	} rows[] = {
		{ "has_hard_runway", AF_HARD }, { "has_lighted_runway", AF_LIGHTED },
		{ "has_soft_runway", AF_SOFT }, { "has_water_runway", AF_WATER },
		{ "has_snow_runway", AF_SNOW },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		jsn_put_bool(b, rows[i].name, (flags & rows[i].flag) != 0);
}

static void put_detail(struct call *c, const struct airport *ap, const struct parts *p)
{
	const struct airport_record *more = &p->record;
	const struct notice *notice = notice_find(&c->facts, ap->ident);
	struct buf *b = &c->text;

	jsn_put_open(b, NULL, '{');
	jsn_put_str(b, "ident", ap->ident);
	jsn_put_str(b, "name", ap->name);
	jsn_put_str(b, "type", more->type != NULL ? more->type : airport_type_name(ap->type));
	jsn_put_str(b, "use", airport_use_name(airport_use(ap)));
	jsn_put_num(b, "latitude_deg", ap->lat);
	jsn_put_num(b, "longitude_deg", ap->lon);
	jsn_put_num(b, "elevation_ft", ap->elevation_ft);
	jsn_put_str(b, "continent", more->continent);
	jsn_put_str(b, "iso_country", ap->country);
	jsn_put_str(b, "iso_region", ap->region);
	jsn_put_str(b, "municipality", ap->municipality);
	jsn_put_str(b, "scheduled_service", more->scheduled_service);
	jsn_put_str(b, "gps_code", more->gps_code);
	jsn_put_str(b, "iata_code", more->iata_code);
	jsn_put_str(b, "local_code", more->local_code);
	jsn_put_str(b, "home_link", web_link(more->home_link));
	jsn_put_str(b, "wikipedia_link", web_link(more->wikipedia_link));
	jsn_put_str(b, "keywords", more->keywords);
	put_tri(b, "point_of_entry", ap->flags & AF_ENTRY ? TRI_YES : TRI_UNKNOWN);
	put_tri(b, "avgas", airport_avgas(ap));
	put_tri(b, "jet_a", airport_jeta(ap));
	put_flags(b, ap->flags);
	jsn_put_num(b, "longest_runway_length_ft", ap->longest_ft);
	put_sources(c, more->sources);
	put_runways(c, "runways", ap->ident, p);
	jsn_put_open(b, "procedures", '[');
	for (size_t i = 0; i < p->nprocedures; i++)
		procedure_put(b, &p->procedures[i]);
	jsn_put_close(b, ']');
	jsn_put_open(b, "aip_entries", '[');
	for (size_t i = 0; i < p->naip; i++)
		aip_entry_put(c->mem, b, ap->ident, &p->aip[i], notice);
	jsn_put_close(b, ']');
	jsn_put_str(b, "created_at", more->created);
	jsn_put_str(b, "updated_at", more->updated);
	jsn_put_close(b, '}');
}

void api_airport(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct parts p = { .nrunways = 0 };
	struct airport ap;
	struct call c;

	(void)rt;
	if (!call_begin(&c, e, r, w, CALL_AIRPORTS | CALL_FACTS) || !call_path_airport(&c, &ap))
		return;
	enum errcode rc = airdb_record(c.con, c.mem, ap.ident, &p.record, &c.err);
	if (rc == OK)
		rc = airdb_runways(c.con, c.mem, ap.ident, &p.runways, &p.nrunways, &c.err);
	if (rc == OK)
		rc = airdb_procedures(c.con, c.mem, ap.ident, &p.procedures, &p.nprocedures, &c.err);
	if (rc == OK)
		rc = airdb_aip(c.con, c.mem, ap.ident, &p.aip, &p.naip, &c.err);
	if (rc == OK)
		put_detail(&c, &ap, &p);
	call_end(&c, rc);
}

/* ---- its parts ----------------------------------------------------------------------- */

void api_airport_runways(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct parts p = { .nrunways = 0 };
	struct airport ap;
	struct call c;

	(void)rt;
	if (!call_begin(&c, e, r, w, CALL_AIRPORTS) || !call_path_airport(&c, &ap))
		return;
	const enum errcode rc = airdb_runways(c.con, c.mem, ap.ident, &p.runways, &p.nrunways, &c.err);
	put_runways(&c, NULL, ap.ident, &p);
	call_end(&c, rc);
}

/* A filter that is not set fits everything. */
static bool fits(const struct param_value *wanted, const char *text)
{
	return !wanted->set || (text != NULL && strieq(text, wanted->text));
}

void api_airport_procedures(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	enum { P_TYPE, P_RUNWAY, P__MAX };
	static const struct param rows[P__MAX] = {
		[P_TYPE] = { "procedure_type", PARAM_TEXT, .max = 50 },
		[P_RUNWAY] = { "runway", PARAM_TEXT, .max = 10 },
	};
	struct param_value v[P__MAX];
	struct procedure *list = NULL;
	struct airport ap;
	struct call c;
	size_t n = 0;

	(void)rt;
	if (!params_read(r, w, rows, P__MAX, v) || !call_begin(&c, e, r, w, CALL_AIRPORTS) ||
	    !call_path_airport(&c, &ap))
		return;
	const enum errcode rc = airdb_procedures(c.con, c.mem, ap.ident, &list, &n, &c.err);
	jsn_put_open(&c.text, NULL, '[');
	for (size_t i = 0; i < n; i++)
		if (fits(&v[P_TYPE], list[i].type) && fits(&v[P_RUNWAY], list[i].runway))
			procedure_put(&c.text, &list[i]);
	jsn_put_close(&c.text, ']');
	call_end(&c, rc);
}

void api_airport_aip_entries(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	enum { P_SECTION, P_FIELD, P__MAX };
	static const struct param rows[P__MAX] = {
		[P_SECTION] = { "section", PARAM_TEXT, .max = 100 },
		[P_FIELD] = { "std_field", PARAM_TEXT, .max = 100 },
	};
	struct param_value v[P__MAX];
	struct aip_entry *list = NULL;
	struct airport ap;
	struct call c;
	size_t n = 0;

	(void)rt;
	if (!params_read(r, w, rows, P__MAX, v) || !call_begin(&c, e, r, w, CALL_AIRPORTS | CALL_FACTS) ||
	    !call_path_airport(&c, &ap))
		return;
	const enum errcode rc = airdb_aip(c.con, c.mem, ap.ident, &list, &n, &c.err);
	const struct notice *notice = notice_find(&c.facts, ap.ident);
	jsn_put_open(&c.text, NULL, '[');
	for (size_t i = 0; i < n; i++)
		if (fits(&v[P_SECTION], list[i].section) && fits(&v[P_FIELD], list[i].std_field))
			aip_entry_put(c.mem, &c.text, ap.ident, &list[i], notice);
	jsn_put_close(&c.text, ']');
	call_end(&c, rc);
}

/* ---- lines of approaches --------------------------------------------------------------- */

#define LINE_LEAST 0.1
#define LINE_MOST 100.0
#define LINE_USUAL 10.0

enum { BULK_MAX = 2000, FAULTS_MAX = 20 };

static void put_lines(struct call *c, const char *ident, const struct procedure_line *v, size_t n, double nm)
{
	struct buf *b = &c->text;

	jsn_put_open(b, NULL, '{');
	jsn_put_str(b, "airport_ident", ident);
	jsn_put_open(b, "procedure_lines", '[');
	for (size_t i = 0; i < n; i++) {
		jsn_put_open(b, NULL, '{');
		jsn_put_str(b, "runway_end", v[i].runway_end);
		jsn_put_num(b, "start_lat", v[i].start.lat);
		jsn_put_num(b, "start_lon", v[i].start.lon);
		jsn_put_num(b, "end_lat", num_round(v[i].end.lat, 6));
		jsn_put_num(b, "end_lon", num_round(v[i].end.lon, 6));
		jsn_put_str(b, "approach_type", v[i].approach_type);
		jsn_put_str(b, "procedure_name", v[i].procedure);
		jsn_put_str(b, "precision_category", v[i].category);
		jsn_put_num(b, "distance_nm", nm);
		jsn_put_close(b, '}');
	}
	jsn_put_close(b, ']');
	jsn_put_close(b, '}');
}

/* Its lists live in an arena of their own, because a request may name two thousand airports. */
static enum errcode add_lines(struct call *c, const struct airport *ap, double nm)
{
	struct arena *mem = arena_new();
	struct parts p = { .nrunways = 0 };
	struct procedure_line *lines = NULL;
	enum errcode rc = OK;
	size_t n = 0;

	if ((ap->flags & AF_PROCEDURES) != 0) {
		rc = airdb_runways(c->con, mem, ap->ident, &p.runways, &p.nrunways, &c->err);
		if (rc == OK)
			rc = airdb_procedures(c->con, mem, ap->ident, &p.procedures, &p.nprocedures, &c->err);
		if (rc == OK)
			n = procedure_lines(mem, p.runways, p.nrunways, p.procedures, p.nprocedures, nm, &lines);
	}
	put_lines(c, ap->ident, lines, n, nm);
	arena_free(mem);
	return rc;
}

void api_airport_lines(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	static const struct param row = { "distance_nm", PARAM_NUMBER, .min = LINE_LEAST, .max = LINE_MOST,
		.absent = "10" };
	struct param_value nm;
	struct airport ap;
	struct call c;

	(void)rt;
	if (!params_read(r, w, &row, 1, &nm) || !call_begin(&c, e, r, w, CALL_AIRPORTS) ||
	    !call_path_airport(&c, &ap))
		return;
	call_end(&c, add_lines(&c, &ap, nm.number));
}

/* The body of the call for many airports. False: it has a fault, and 422 was sent. */
static bool read_bulk(struct http_req *r, struct http_res *w, struct json_object **airports, double *nm)
{
	struct json_object *o, *distance;

	if (!body_object(r, w, false, &o))
		return false;
	*airports = jsn_get(o, "airports");
	distance = jsn_get(o, "distance_nm");
	*nm = jsn_get_num(o, "distance_nm", LINE_USUAL);
	if (!jsn_has(o, "airports")) {
		reply_fault_value(r, w, "body", "airports", "missing", "Field required", o);
	} else if (!jsn_is(*airports, json_type_array)) {
		reply_fault_value(r, w, "body", "airports", "list_type", "Input should be a valid list", *airports);
	} else if (jsn_len(*airports) == 0) {
		reply_fault_value(r, w, "body", "airports", "too_short",
		    "List should have at least 1 item after validation, not 0", *airports);
	} else if (jsn_len(*airports) > BULK_MAX) {
		reply_fault_value(r, w, "body", "airports", "too_long", arena_printf(r->mem,
		    "List should have at most %d items after validation, not %zu", BULK_MAX,
		    jsn_len(*airports)), *airports);
	} else if (distance != NULL && !jsn_is(distance, json_type_int) && !jsn_is(distance, json_type_double)) {
		reply_fault_value(r, w, "body", "distance_nm", "float_type", "Input should be a valid number",
		    distance);
	} else if (!(*nm >= LINE_LEAST) || !(*nm <= LINE_MOST)) {
		reply_fault_value(r, w, "body", "distance_nm",
		    *nm < LINE_LEAST ? "greater_than_equal" : "less_than_equal", arena_printf(r->mem,
		    "Input should be %s than or equal to %g", *nm < LINE_LEAST ? "greater" : "less",
		    *nm < LINE_LEAST ? LINE_LEAST : LINE_MOST), distance);
	} else {
		struct json_object *faults = jsn_array(r->mem), *fault;
		for (size_t i = 0; i < jsn_len(*airports) && jsn_len(faults) < FAULTS_MAX; i++)
			if (!jsn_is(jsn_at(*airports, i), json_type_string)) {
				fault = reply_fault_add(r->mem, faults, "body", "airports", "string_type",
				    "Input should be a valid string", jsn_at(*airports, i));
				jsn_push(jsn_get(fault, "loc"), json_object_new_int64((int64_t)i));
			}
		if (jsn_len(faults) > 0) {
			reply_faults(r, w, faults);
			return false;
		}
		return true;
	}
	return false;
}

/* The member of one airport, under its code as the client sent it. */
static enum errcode add_bulk(struct call *c, const char *code, double nm)
{
	struct airport ap;
	bool found;
	const enum errcode rc = call_airport(c, code, &ap, &found);

	if (rc != OK)
		return rc;
	jsn_put_key(&c->text, code);
	if (found)
		return add_lines(c, &ap, nm);
	jsn_put_text(&c->text, NULL, "{\"procedure_lines\":[],\"error\":\"Airport not found\"}");
	return OK;
}

void api_bulk_lines(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct json_object *airports, *seen = jsn_object(r->mem);
	enum errcode rc = OK;
	struct call c;
	double nm;

	(void)rt;
	if (!read_bulk(r, w, &airports, &nm) || !call_begin(&c, e, r, w, CALL_AIRPORTS))
		return;
	jsn_put_open(&c.text, NULL, '{');
	for (size_t i = 0; rc == OK && i < jsn_len(airports); i++) {
		const char *code = json_object_get_string(jsn_at(airports, i));
		if (jsn_has(seen, code))
			continue;
		jsn_add_bool(seen, code, true);
		rc = add_bulk(&c, code, nm);
	}
	jsn_put_close(&c.text, '}');
	call_end(&c, rc);
}

/* ---- presets of AIP filters ------------------------------------------------------------ */

static const struct {
	const char *id, *name, *description, *field, *operator, *value, *icon;
} presets[] = {
	{ "hotels", "Hotel", "Airports whose AIP names a hotel", "Hotels", "not_empty", NULL, "🏨" },
	{ "restaurants", "Restaurant", "Airports whose AIP names a restaurant", "Restaurants", "not_empty", NULL,
	    "🍽️" },
	{ "avgas", "AVGAS", "Airports with AVGAS", "Fuel and oil types", "contains", "avgas", "⛽" },
	{ "jet_a", "Jet A", "Airports with Jet A", "Fuel and oil types", "contains", "jet a", "✈️" },
	{ "customs", "Customs", "Airports with customs or immigration", "Customs and immigration", "not_empty",
	    NULL, "🛂" },
	{ "deicing", "De-icing", "Airports that can remove ice from aircraft", "De-icing facilities", "not_empty",
	    NULL, "❄️" },
	{ "hangar", "Hangar", "Airports with hangar space for visitors", "Hangar space for visiting aircraft",
	    "not_empty", NULL, "🏭" },
	{ "medical", "Medical help", "Airports with medical facilities", "Medical facilities", "not_empty", NULL,
	    "🏥" },
};

void api_aip_presets(struct edge *e, const struct route *rt, struct http_req *r, struct http_res *w)
{
	struct call c;

	(void)rt;
	if (!call_begin(&c, e, r, w, 0))
		return;
	jsn_put_open(&c.text, NULL, '[');
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		jsn_put_open(&c.text, NULL, '{');
		jsn_put_str(&c.text, "id", presets[i].id);
		jsn_put_str(&c.text, "name", presets[i].name);
		jsn_put_str(&c.text, "description", presets[i].description);
		jsn_put_str(&c.text, "field", presets[i].field);
		jsn_put_str(&c.text, "operator", presets[i].operator);
		jsn_put_str(&c.text, "value", presets[i].value);
		jsn_put_str(&c.text, "icon", presets[i].icon);
		jsn_put_close(&c.text, '}');
	}
	jsn_put_close(&c.text, ']');
	call_end(&c, OK);
}
