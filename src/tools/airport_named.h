/*
 * What the older tools on one airport share: the airport of their argument, and an answer that
 * nothing is recorded.
 */
#ifndef TOOLS_AIRPORT_NAMED_H
#define TOOLS_AIRPORT_NAMED_H

#include "airports/friendliness.h"
#include "tools/airport_result.h"

/* The argument that names it. */
#define ARG_ROW_AIRPORT									\
	{ .name = "icao_code", .type = ARG_STRING, .required = true, .doc = "Its ICAO or IATA code." }

/* Look the airport up and ask `tell` for the result; `r` is what is recorded of its friendliness, or
 * NULL. An airport that is not known gives {found: false, icao, reason, pretty}. */
enum errcode airport_named(const struct tool_context *ctx, struct arena *a, struct json_object *args,
    struct json_object *(*tell)(const struct tool_context *ctx, struct arena *a,
        struct json_object *args, const struct airport *airport, const struct friendly *r),
    struct json_object **result, struct err *e);

/* {found: false, icao, reason, pretty}: `pretty` is the reason as a sentence with the airport's name. */
struct json_object *airport_nothing(struct arena *a, const char *icao, const char *reason,
    const char *pretty);

#endif
