/*
 * get_fuel_prices: no source of fuel prices exists here, so the tool says so, and which fuels the
 * airport has.
 */
#include "tools/airport_named.h"

static const char *has(enum tri v)
{
	return v == TRI_YES ? "yes" : v == TRI_NO ? "no" : "not recorded";
}

static void add_tri(struct json_object *o, const char *key, enum tri v)
{
	if (v == TRI_UNKNOWN)
		jsn_add(o, key, NULL);
	else
		jsn_add_bool(o, key, v == TRI_YES);
}

static struct json_object *tell(const struct tool_context *ctx, struct arena *a,
    struct json_object *args, const struct airport *airport, const struct friendly *r)
{
	enum tri avgas = airport_avgas(airport), jet = airport_jeta(airport);
	struct json_object *fuel = jsn_new(), *o;

	(void)ctx;
	(void)args;
	(void)r;
	o = airport_nothing(a, airport->ident, "no fuel prices are recorded here, of any airport",
	    arena_printf(a, "Fuel prices are not recorded here. Fuel at %s (%s): AVGAS %s, Jet A %s. Call the "
	        "airfield for the price.", airport->name, airport->ident, has(avgas), has(jet)));
	add_tri(fuel, "avgas", avgas);
	add_tri(fuel, "jet_a", jet);
	jsn_add(o, "fuel", fuel);
	return o;
}

static const struct tool_arg rows[] = { ARG_ROW_AIRPORT };

const struct tool tool_get_fuel_prices = {
	.name = "get_fuel_prices",
	.doc = "Get the fuel prices of one airport. None are recorded; it tells which fuels there are.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.result = RESULT_FUEL_PRICES,
	AIRPORT_NAMED_TOOL(tell),
};
