/*
 * Parts of what get_airport_details says of one airport, as JSON.
 */
#ifndef TOOLS_AIRPORT_FACTS_H
#define TOOLS_AIRPORT_FACTS_H

#include "airports/airport.h"
#include "airports/day.h"
#include "airports/sun.h"
#include "airports/variation.h"
#include "base/jsn.h"

/* All of them fresh references. A member that is not recorded is left out, unless the original
 * service always has it. */

/* `variation` turns true headings into magnetic ones, if it is known. */
struct json_object *runways_json(const struct runway *v, size_t n, const struct variation *variation);
/* {"count", "by_type": {"approach": 6}, "list": [...]} */
struct json_object *procedures_json(const struct procedure *v, size_t n);
struct json_object *frequencies_json(const struct frequency *v, size_t n);
struct json_object *codes_json(const char *ident, const struct airport_codes *codes);
/* NULL: it is not recorded. */
struct json_object *variation_json(const struct variation *v);
/* NULL: the airport has no position. */
struct json_object *sun_json(struct day d, const struct airport *airport);

#endif
