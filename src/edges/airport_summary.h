/*
 * What the lists of airports share: parameters that filter, and the summary of an airport.
 */
#ifndef EDGES_AIRPORT_SUMMARY_H
#define EDGES_AIRPORT_SUMMARY_H

#include "edges/call.h"
#include "edges/params.h"

/* Parameters of every list, with the most and the usual number of airports; a handler's own ones follow from
 * P_OWN on. Those before P_LIMIT are filters of airports/filter.h, with the same names. P_FUEL is another way to say has_avgas or has_jet_a: newer versions of the
 * original's page send it. */
enum {
	P_COUNTRY, P_PROCEDURES, P_AIP, P_HARD, P_ENTRY, P_AVGAS, P_JET_A, P_ANY_FUEL, P_MIN_RUNWAY, P_MAX_RUNWAY, P_MAX_FEE,
	P_FEE_CURRENCY, P_FEE_AIRCRAFT, P_HOTEL, P_RESTAURANT, P_MAX_NOTICE, P_AIP_FIELD, P_AIP_VALUE,
	P_AIP_OPERATOR,
	P_EXCLUDE,
	P_LIMIT, P_FUEL, P_LARGE, P_GA, P_NOTICE,
	P_OWN
};

#define LIST_PARAMS(most, usual)                                                       \
	[P_COUNTRY] = { "country", PARAM_TEXT, .max = 3 },                             \
	[P_PROCEDURES] = { .name = "has_procedures", .type = PARAM_BOOL },             \
	[P_AIP] = { .name = "has_aip_data", .type = PARAM_BOOL },                      \
	[P_HARD] = { .name = "has_hard_runway", .type = PARAM_BOOL },                  \
	[P_ENTRY] = { .name = "point_of_entry", .type = PARAM_BOOL },                  \
	[P_AVGAS] = { .name = "has_avgas", .type = PARAM_BOOL },                       \
	[P_JET_A] = { .name = "has_jet_a", .type = PARAM_BOOL },                       \
	[P_ANY_FUEL] = { .name = "has_fuel", .type = PARAM_BOOL },                     \
	[P_MIN_RUNWAY] = { "min_runway_length_ft", PARAM_NUMBER, .max = 1e6 },         \
	[P_MAX_RUNWAY] = { "max_runway_length_ft", PARAM_NUMBER, .max = 1e6 },         \
	[P_MAX_FEE] = { "max_landing_fee", PARAM_NUMBER, .max = 1e6 },                 \
	[P_FEE_CURRENCY] = { "fee_currency", PARAM_TEXT, .min = 3, .max = 3 },         \
	[P_FEE_AIRCRAFT] = { "fee_aircraft", PARAM_TEXT, .max = 100 },                 \
	[P_HOTEL] = { "hotel", PARAM_TEXT, .choices = "at_airport|vicinity|any" },     \
	[P_RESTAURANT] = { "restaurant", PARAM_TEXT, .choices = "at_airport|vicinity|any" }, \
	[P_MAX_NOTICE] = { "max_hours_notice", PARAM_NUMBER, .max = 8760 },            \
	[P_AIP_FIELD] = { "aip_field", PARAM_TEXT, .max = 100 },                       \
	[P_AIP_VALUE] = { "aip_value", PARAM_TEXT, .max = 100 },                       \
	[P_AIP_OPERATOR] = { "aip_operator", PARAM_TEXT,                               \
	    .choices = "contains|equals|not_empty|starts_with|ends_with" },            \
	[P_EXCLUDE] = { "exclude", PARAM_TEXT, .max = 200 },                           \
	[P_LIMIT] = { "limit", PARAM_INT, .min = 1, .max = (most), .absent = (usual) },          \
	[P_FUEL] = { "fuel_type", PARAM_TEXT, .choices = "avgas|jet_a" },             \
	[P_LARGE] = { "include_large_airports", PARAM_BOOL, .absent = "true" },        \
	[P_GA] = { "include_ga", PARAM_BOOL, .absent = "true" },                       \
	[P_NOTICE] = { "include_notification", PARAM_BOOL, .absent = "true" }

/* The filters that are set, as the tools have them. Owned by the arena. False: one is not acceptable, and
 * 422 was sent. */
bool filters_read(struct http_req *r, struct http_res *w, const struct param_value v[P_OWN],
    struct json_object **out);

/* The members of the summary of an airport, in an object that the caller has opened and closes. `ga` and
 * `notification` are null if nothing is recorded or the parameters say so. */
void airport_summary_put(struct call *c, const struct airport *a, const struct param_value v[P_OWN]);

#endif
