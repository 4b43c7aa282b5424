/*
 * The names and types of the members are those of the original service. Its clients treat a missing member
 * and null in different ways, so every member is always there.
 */
#include "edges/airport_summary.h"

#include <math.h>

#include "airports/filter.h"
#include "airports/friendliness.h"
#include "airports/notice.h"
#include "base/jsn_put.h"
#include "edges/reply.h"

bool filters_read(struct http_req *r, struct http_res *w, const struct param_value v[P_OWN],
    struct json_object **out)
{
	static const struct param rows[P_OWN] = { LIST_PARAMS(1, NULL) };
	struct json_object *o = jsn_object(r->mem);
	struct err err;

	for (size_t i = 0; i < P_LIMIT; i++) {
		/* the original's page always sends the operator */
		if (!v[i].set || ((i == P_AIP_OPERATOR || i == P_AIP_VALUE) && !v[P_AIP_FIELD].set))
			continue;
		switch (rows[i].type) {
		case PARAM_BOOL:
			jsn_add_bool(o, rows[i].name, v[i].flag);
			break;
		case PARAM_INT:
		case PARAM_NUMBER:
			jsn_add_num(o, rows[i].name, v[i].number);
			break;
		case PARAM_TEXT:
			jsn_add_str(o, rows[i].name, v[i].text);
			break;
		}
	}
	if (v[P_FUEL].set)
		jsn_add_bool(o, streq(v[P_FUEL].text, "avgas") ? "has_avgas" : "has_jet_a", true);
	*out = o;
	if (filter_check(o, &err) == OK)
		return true;
	reply_fault(r, w, "query", NULL, "value_error", arena_printf(r->mem, "Value error, %s", err.msg), NULL);
	return false;
}

void airport_summary_put(struct call *c, const struct airport *a, const struct param_value v[P_OWN])
{
	static const struct {
		const char *name;
		unsigned flag;
	} flags[] = {
		{ "has_procedures", AF_PROCEDURES },
		{ "has_runways", AF_RUNWAYS }, { "has_aip_data", AF_AIP }, { "has_hard_runway", AF_HARD },
		{ "has_lighted_runway", AF_LIGHTED }, { "has_soft_runway", AF_SOFT },
		{ "has_water_runway", AF_WATER }, { "has_snow_runway", AF_SNOW },
	};
	struct buf *b = &c->text;

	jsn_put_str(b, "ident", a->ident);
	jsn_put_str(b, "name", a->name);
	jsn_put_num(b, "latitude_deg", a->lat);
	jsn_put_num(b, "longitude_deg", a->lon);
	jsn_put_str(b, "iso_country", a->country);
	jsn_put_str(b, "municipality", a->municipality);
	/* a list of points of entry does not say that other airports are none */
	jsn_put_text(b, "point_of_entry", a->flags & AF_ENTRY ? "true" : "null");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		jsn_put_bool(b, flags[i].name, (a->flags & flags[i].flag) != 0);
	jsn_put_num(b, "longest_runway_length_ft", round(a->longest_ft));
	jsn_put_str(b, "use", airport_use_name(airport_use(a)));
	jsn_put_int(b, "procedure_count", a->nprocedures);
	jsn_put_int(b, "runway_count", a->nrunways);
	jsn_put_int(b, "aip_entry_count", a->nentries);
	friendly_put(b, "ga", v[P_GA].flag ? fact_find(&c->facts, FACTS_FRIENDLINESS, a->ident) : NULL,
	    c->edge->parts.personas);
	notice_put(b, "notification", v[P_NOTICE].flag ? notice_find(&c->facts, a->ident) : NULL);
}
