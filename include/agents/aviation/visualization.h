/*
 * The part of a result that a map draws, as far as a page can draw it.
 *
 * A page says "shown on the map" for whatever it is given, so what shows nothing, or lacks what its
 * type needs, is left out.
 */
#ifndef AGENTS_AVIATION_VISUALIZATION_H
#define AGENTS_AVIATION_VISUALIZATION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/jsn.h"

/* The result's `visualization`, or what can be drawn of it; NULL: nothing. beside_rules: rules are
 * shown in the same turn. Parts of the result are shared, not copied. */
struct json_object *visualization_of(struct arena *a, struct json_object *result,
    bool beside_rules);

#endif
