/*
 * The argument `country` of the tools that count and list the airports of a country.
 */
#ifndef TOOLS_AIRPORT_COUNTRY_H
#define TOOLS_AIRPORT_COUNTRY_H

#include "tools/tool.h"

#define ARG_ROW_COUNTRY									\
	{ .name = "country", .type = ARG_STRING, .doc = "ISO-2 code or name; default all countries." }

/* *out: its code, or NULL for all countries. If no such country is known, *result is the answer. */
enum errcode country_arg(struct arena *a, struct json_object *args, const char **out,
    struct json_object **result);
/* " in France"; "" for NULL */
const char *country_in(struct arena *a, const char *code);

#endif
