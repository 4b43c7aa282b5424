/*
 * get_airport_statistics: how many airports of a country, or of all, have customs, fuel, procedures.
 *
 * A share counts airports of which the fact is recorded among all airports. Fuel is recorded for few,
 * so the result says for how many.
 */
#include "airports/airport_counts.h"
#include "tools/airport_country.h"
#include "tools/airport_result.h"

static double share(int64_t n, int64_t of)
{
	return of > 0 ? num_round((double)n / (double)of * 100, 1) : 0;
}

static struct json_object *stats_of(struct arena *a, const struct airport_counts *c)
{
	const struct { const char *name; int64_t n; } rows[] = {
		{ "with_customs", c->entries }, { "with_avgas", c->avgas }, { "with_jet_a", c->jeta },
		{ "with_procedures", c->procedures }, { "with_hard_runway", c->hard },
		{ "with_lighted_runway", c->lighted }, { "with_aip_data", c->aip },
		{ "with_fuel_data", c->fuel_known },
	};
	const size_t n = sizeof(rows) / sizeof(rows[0]);
	struct json_object *o = jsn_new();

	jsn_add_int(o, "total_airports", c->airports);
	for (size_t i = 0; i < n; i++)
		jsn_add_int(o, rows[i].name, rows[i].n);
	for (size_t i = 0; i < n; i++)
		jsn_add_num(o, arena_printf(a, "%s_pct", rows[i].name), share(rows[i].n, c->airports));
	return o;
}

static struct json_object *result_of(struct arena *a, const char *country,
    const struct airport_counts *c)
{
	struct json_object *o = jsn_object(a);

	jsn_add_bool(o, "found", c->airports > 0);
	jsn_add_str(o, "country", country);
	jsn_add(o, "stats", stats_of(a, c));
	jsn_add_str(o, "pretty", arena_printf(a, "%lld airports%s: %lld with customs, %lld with "
	    "instrument procedures, %lld with a hard runway. Fuel is recorded for %lld of them: %lld have "
	    "AVGAS, %lld have Jet A.", (long long)c->airports, country_in(a, country),
	    (long long)c->entries, (long long)c->procedures, (long long)c->hard,
	    (long long)c->fuel_known, (long long)c->avgas, (long long)c->jeta));
	return o;
}

static enum errcode tell(struct aircon *con, struct arena *a, const char *country,
    struct json_object **result, struct err *e)
{
	struct airport_counts counts;
	enum errcode rc = airport_count(con, country, &counts, e);

	if (rc == OK)
		*result = result_of(a, country, &counts);
	return rc;
}

const struct tool tool_get_airport_statistics = {
	.name = "get_airport_statistics",
	.doc = "Count the airports of one country, or of all, and those with customs, fuel, instrument "
	    "procedures, hard runways and lights.",
	.result = RESULT_AIRPORT_STATISTICS,
	AIRPORT_COUNTRY_TOOL(tell),
};
