/*
 * What the airport tools share: arguments, and the parts of their results.
 */
#ifndef TOOLS_AIRPORT_RESULT_H
#define TOOLS_AIRPORT_RESULT_H

#include "airports/airdb.h"
#include "airports/filter.h"
#include "airports/search.h"
#include "tools/tool.h"

/* The most airports that a search returns. */
enum { AIRPORTS_MAX = 100 };

/* Rows that several tools share, in the order of the original service. */
#define ARG_ROW_DISTANCE(text)								\
	{ .name = "max_distance_nm", .type = ARG_NUMBER, .def = "50.0", .min = 0.1, .max = 1000,	\
	    .doc = text }
#define ARG_ROWS_SEARCH									\
	{ .name = "max_results", .type = ARG_INTEGER, .def = "5", .min = 1, .max = AIRPORTS_MAX,	\
	    .doc = "How many, 1 to 100." },						\
	{ .name = "filters", .type = ARG_OBJECT, .schema = filter_schema, .check = filter_check,	\
	    .doc = "What the airports must have or be; all given conditions must hold." },	\
	{ .name = "include_large_airports", .type = ARG_BOOLEAN, .def = "false",	\
	    .doc = "true: large airline airports too." },				\
	{ .name = "priority_strategy", .type = ARG_STRING, .def = "\"persona_optimized\"",	\
	    .doc = "How to rank the airports; there is one way." }
#define ARG_ROW_NOTICE									\
	{ .name = "max_hours_notice", .type = ARG_INTEGER, .min = 0, .max = 8760,	\
	    .doc = "Longest customs notice, in hours." }

/* Arguments in the form that searches use: defaults filled in, numbers within their bounds. */
struct search_args {
	size_t max_results;
	double max_distance_nm;
	bool include_large;
	struct json_object *filters;
	double max_hours_notice;      /* NaN: not asked; may also be one of the filters */
};
void search_args_read(struct search_args *out, struct json_object *args);

/* Get a handle; free it with airdb_put(). Waits a while for an index that is being built; the
 * turn's watch can end the wait, with its code. ERR_DATA: there is no airport database.
 * ERR_PREPARING: there is no index yet. */
enum errcode airport_con(const struct tool_context *ctx, struct aircon **out, struct err *e);

/* The original service's summary of an airport, a fresh reference. */
struct json_object *airport_summary(const struct airport *a);

/* Members of every search result, in the order in which they are called. */
void result_add_profile(struct json_object *result, struct json_object *base,
    const struct search_args *args);
/* Add `airports`, each made by `object`, and `unrecorded` when there are airports that may fit, but for
 * which a wanted fact is not recorded; the names of the filters without data are added to each of
 * those. Returns the list of airports, borrowed. */
struct json_object *result_add_airports(struct json_object *result, const struct airport_hits *hits,
    struct json_object *(*object)(const struct airport_hit *));
/* Add `database_airports` if the database is only a sample, and `filter_report` if a filter dropped
 * an airport or had no data on one. */
void result_add_report(struct json_object *result, const struct airport_hits *hits);
/* Add the visualization, and to it the `unrecorded` airports, so that pages can draw them. Takes the
 * reference. */
void result_add_visualization(struct json_object *result, struct json_object *visualization);

#endif
