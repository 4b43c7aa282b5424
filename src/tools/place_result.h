/*
 * The member `resolved` of a search result: how each place of the question was understood, and what
 * else it could have been.
 */
#ifndef TOOLS_PLACE_RESULT_H
#define TOOLS_PLACE_RESULT_H

#include "airports/place.h"
#include "base/jsn.h"

/* Add a place to the result's list. `role`: "location", "departure", "destination"; `query`: as the
 * caller wrote it. If an airport was taken for the place, it is named too. */
void result_add_resolved(struct json_object *result, const char *role, const char *query,
    const struct place *p);

/* The member `area`: the airports are those in this area. */
void result_add_area(struct json_object *result, const struct area *a);

#endif
