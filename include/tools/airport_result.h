/*
 * What the airport tools have in common: arguments, and the parts of their results.
 */
#ifndef TOOLS_AIRPORT_RESULT_H
#define TOOLS_AIRPORT_RESULT_H

#include "airports/airdb.h"
#include "airports/filter.h"
#include "airports/search.h"
#include "tools/tool.h"

/* No search returns more than this many, whatever is asked for. */
enum { AIRPORTS_MAX = 100 };

/* Rows that several tools share, in the order of the contract. */
#define ARG_ROW_DISTANCE(text)                                                           \
	{ "max_distance_nm", ARG_NUMBER, false, "50.0", text, 0.1, 1000, NULL, NULL }
#define ARG_ROWS_SEARCH                                                                  \
	{ "max_results", ARG_INTEGER, false, "5",                                        \
	    "How many airports to list, 1 to 100.", 1, AIRPORTS_MAX, NULL, NULL },       \
	{ "filters", ARG_OBJECT, false, NULL,                                            \
	    "What the airports must have or be; leave out what the pilot did not ask "   \
	    "for. All given conditions must hold.", 0, 0, filter_schema, filter_check }, \
	{ "include_large_airports", ARG_BOOLEAN, false, "false",                         \
	    "true: list large airline airports too. They are left out by default, as "   \
	    "most private pilots avoid them.", 0, 0, NULL, NULL },                       \
	{ "priority_strategy", ARG_STRING, false, "\"persona_optimized\"",               \
	    "How to rank the airports; there is one way.", 0, 0, NULL, NULL }
#define ARG_ROW_NOTICE                                                                   \
	{ "max_hours_notice", ARG_INTEGER, false, NULL,                                  \
	    "Longest acceptable customs notice in hours; airports whose notice is not "  \
	    "known stay.", 0, 8760, NULL, NULL }

/* Arguments as searches use them: defaults filled in, numbers within their bounds. */
struct search_args {
	size_t max_results;
	double max_distance_nm;
	bool include_large;
	struct json_object *filters;
	double max_hours_notice;      /* NaN: not asked; may also stand among the filters */
};
void search_args_read(struct search_args *out, struct json_object *args);

/* Get a handle; waits a while, under the turn's watch, for an index that is being built. ERR_DATA:
 * there is no airport database; ERR_PREPARING: no index yet; the watch's codes. Ends with
 * airdb_put(). */
enum errcode airport_con(const struct tool_context *ctx, struct aircon **out, struct err *e);

/* The contract's airport summary, a fresh reference. */
struct json_object *airport_summary(const struct airport *a);

/* Members every search result has, added in the order they are called. */
void result_add_profile(struct json_object *result, struct json_object *base,
    const struct search_args *args);
/* `unrecorded`, where there are any: airports of which it is not recorded whether they fit, made by
 * `object` as those that do, each with the names of the filters that know nothing of it. */
void result_add_unrecorded(struct json_object *result, const struct airport_hits *hits,
    struct json_object *(*object)(const struct airport_hit *));
/* `database_airports`, when the database is but a sample; `filter_report`, when the filters dropped
 * something or knew nothing. */
void result_add_report(struct json_object *result, const struct airport_hits *hits);
/* The visualization, with what is `unrecorded` for pages that draw it; takes the reference. */
void result_add_visualization(struct json_object *result, struct json_object *visualization);

#endif
