/*
 * What the tools share that count and list the airports of a country, or of all countries.
 */
#ifndef TOOLS_AIRPORT_COUNTRY_H
#define TOOLS_AIRPORT_COUNTRY_H

#include "tools/tool.h"

struct aircon;

/* The result on a country; NULL: on all of them. */
typedef enum errcode country_tell(struct aircon *con, struct arena *a, const char *country,
    struct json_object **result, struct err *e);

/* What the rows of these tools share. The call reads the country and lets the row's own function tell
 * the result; a country that is not known gives {found: false, count: 0, pretty}. */
struct airport_country {
	country_tell *tell;
};
enum errcode airport_country_call(void *self, const struct tool_context *ctx, struct arena *a,
    struct json_object *args, struct json_object **result, struct err *e);
extern const struct tool_arg airport_country_args[1];
#define AIRPORT_COUNTRY_TOOL(tell)							\
	.args = airport_country_args, .nargs = 1,						\
	.self = &(struct airport_country){ tell }, .call = airport_country_call,		\
	.open = true, .older = true, .domain = TOOL_AIRPORTS, .ui = TOOL_UI_AIRPORT

/* " in France"; "" for NULL */
const char *country_in(struct arena *a, const char *code);

#endif
