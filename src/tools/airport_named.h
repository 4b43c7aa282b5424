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

/* The result on an airport; `r` is what is recorded of its friendliness, or NULL. */
typedef struct json_object *airport_tell(const struct tool_context *ctx, struct arena *a,
    struct json_object *args, const struct airport *airport, const struct friendly *r);

/* What the rows of these tools share. The call looks the airport up and lets the row's own function
 * tell the result; an airport that is not known gives {found: false, icao, reason, pretty}. */
struct airport_named {
	airport_tell *tell;
};
enum errcode airport_named_call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e);
#define AIRPORT_NAMED_TOOL(tell)							\
	.self = &(struct airport_named){ tell }, .call = airport_named_call,			\
	.persona = true, .open = true, .older = true, .domain = TOOL_AIRPORTS, .ui = TOOL_UI_AIRPORT

/* {found: false, icao, reason, pretty}: `pretty` is the reason as a sentence with the airport's name. */
struct json_object *airport_nothing(struct arena *a, const char *icao, const char *reason,
    const char *pretty);

#endif
