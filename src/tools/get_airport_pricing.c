/*
 * get_airport_pricing: the landing fees of one airport.
 */
#include "tools/airport_named.h"

#include <math.h>

#include "airports/aircraft.h"
#include "base/str.h"

static struct json_object *nothing(struct arena *a, const struct airport *airport)
{
	return airport_nothing(a, airport->ident, "no landing fee is recorded for this airport",
	    arena_printf(a, "No landing fee is recorded for %s (%s). Call the airfield before you fly.",
	        airport->name, airport->ident));
}

static struct json_object *tell(const struct tool_context *ctx, struct arena *a,
    struct json_object *args, const struct airport *airport, const struct friendly *r)
{
	const char *aircraft = jsn_get_str(args, "aircraft", FEE_AIRCRAFT);
	struct json_object *o = jsn_object(a), *fees = friendly_fees(r), *fee;
	double kg = NAN;
	char amount[32];

	(void)ctx;
	if (fees == NULL)
		return nothing(a, airport);
	aircraft_mass(aircraft, &kg);
	fee = friendly_fee(r, kg);
	jsn_add_bool(o, "found", true);
	jsn_add_str(o, "icao", airport->ident);
	jsn_add_str(o, "name", airport->name);
	jsn_add_num(o, "mtow_kg", kg);
	jsn_add(o, "landing_fee", fee);
	jsn_add(o, "landing_fees", fees);
	num_print(amount, jsn_get_num(fee, "fee", NAN));
	jsn_add_str(o, "pretty", fee == NULL
	    ? arena_printf(a, "No landing fee of %s (%s) is recorded for %g kg.", airport->name,
	          airport->ident, kg)
	    : arena_printf(a, "Landing fee of %s (%s) for %g kg: %s %s.", airport->name, airport->ident, kg,
	          amount, r->currency != NULL ? r->currency : "(currency not recorded)"));
	return o;
}

static enum errcode check_aircraft(struct json_object *v, struct err *e)
{
	double kg;

	if (aircraft_mass(json_object_get_string(v), &kg))
		return OK;
	return err_set(e, ERR_INPUT, "aircraft must be a type such as SR22, or its mass such as 1633 kg");
}

static const struct tool_arg rows[] = {
	ARG_ROW_AIRPORT,
	{ .name = "aircraft", .type = ARG_STRING, .check = check_aircraft,
	    .doc = "Type (SR22) or mass (1633 kg); C172 if absent." },
};

const struct tool tool_get_airport_pricing = {
	.name = "get_airport_pricing",
	.doc = "Get the landing fees of one airport, for a type of aircraft.",
	.args = rows,
	.nargs = sizeof(rows) / sizeof(rows[0]),
	.result = RESULT_FEES,
	AIRPORT_NAMED_TOOL(tell),
};
