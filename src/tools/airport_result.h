/*
 * What the airport tools share: arguments, and the parts of their results.
 */
#ifndef TOOLS_AIRPORT_RESULT_H
#define TOOLS_AIRPORT_RESULT_H

#include "airports/airdb.h"
#include "airports/filter.h"
#include "airports/search.h"
#include "tools/tool.h"

/* The most airports that a search returns, and leaves out before. */
enum { AIRPORTS_MAX = 100, OFFSET_MAX = 1000 };

/* Rows that several tools share, in the order of the original service. */
#define ARG_ROW_DISTANCE(text)								\
	{ .name = "max_distance_nm", .type = ARG_NUMBER, .def = "50.0", .min = 0.1, .max = 1000,	\
	    .doc = text }
#define ARG_ROWS_SEARCH									\
	{ .name = "max_results", .type = ARG_INTEGER, .def = "5", .min = 1, .max = AIRPORTS_MAX,	\
	    .doc = "1 to 100." },						\
	{ .name = "filters", .type = ARG_OBJECT, .schema = filter_schema, .check = filter_check,	\
	    .doc = "All must hold." },	\
	{ .name = "include_large_airports", .type = ARG_BOOLEAN, .def = "false",	\
	    .doc = "Airline airports too." },				\
	{ .name = "priority_strategy", .type = ARG_STRING, .def = "\"persona_optimized\"",	\
	    .doc = "What comes first: landing_fee, longest_runway, nearest, highest or lowest." },	\
	{ .name = "offset", .type = ARG_INTEGER, .def = "0", .min = 0, .max = OFFSET_MAX, .programs = true,	\
	    .doc = "So many of the first are left out." }
#define ARG_ROW_NOTICE									\
	{ .name = "max_hours_notice", .type = ARG_INTEGER, .min = 0, .max = 8760,	\
	    .doc = "Longest customs notice, in hours." }

/* Get a handle; free it with airdb_put(). Waits a while for an index that is being built; the
 * turn's watch can end the wait, with its code. ERR_DATA: there is no airport database.
 * ERR_PREPARING: there is no index yet. */
enum errcode airport_con(const struct tool_context *ctx, struct aircon **out, struct err *e);

/*
 * One call of a search tool. search_call_open() gets the handle, which the tool frees with airdb_put(),
 * and reads into the query the arguments that all searches have. The tool sets the query's kind and
 * what it is about, and calls search_call_run().
 */
struct search_call {
	const struct tool_context *ctx;
	struct arena *mem;
	struct json_object *args;
	double max_hours_notice;      /* NaN: not asked; may also be one of the filters */
	struct aircon *con;
	struct airport_query q;
	struct airport_hits hits;
};
enum errcode search_call_open(struct search_call *s, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct err *e);
enum errcode search_call_run(struct search_call *s, struct err *e);

/* The original service's summary of an airport, a fresh reference; a large airport has "type" too. */
struct json_object *airport_summary(const struct airport *a);

/* The members of a search result, in the order in which these functions are called. */

/* `total_found`, and before it `count`, which is the same but at most `most`. */
void result_add_count(struct json_object *result, const struct search_call *s, size_t most);
/*
 * What was found, and what was asked for:
 * - `airports`, each made by `object`, with `friendliness` where something is recorded;
 * - `unrecorded`, when there are airports that may fit, but for which a wanted fact is not recorded;
 *   the names of the filters without data are added to each of those;
 * - `filter_profile`: `profile`, whose reference is taken, and the filters;
 * - `database_airports` if the database is only a sample;
 * - `sample_facts` (true) if some of its facts are a sample;
 * - `filter_report` if a filter dropped an airport or had no data on one.
 */
void result_add_airports(struct json_object *result, const struct search_call *s,
    struct json_object *(*object)(const struct airport_hit *), struct json_object *profile);
/* `visualization` of a type: `place`, whose reference is taken, under `place_key` (NULL: none), the
 * result's airports under `airports_key`, the radius if there is a place, and the result's
 * `unrecorded` airports, so that pages can draw them. */
void result_add_visualization(struct json_object *result, const struct search_call *s,
    const char *type, const char *place_key, struct json_object *place, const char *airports_key);

#endif
