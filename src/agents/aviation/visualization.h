/*
 * The part of a result that a page can draw on its map.
 *
 * A page says "shown on the map" whenever it gets a visualization. So a visualization that would
 * show nothing, or that lacks a member that its type needs, is left out.
 */
#ifndef AGENTS_AVIATION_VISUALIZATION_H
#define AGENTS_AVIATION_VISUALIZATION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/jsn.h"

/* The result's `visualization`, or the part of it that can be drawn; NULL: nothing can.
 * beside_others: the turn also shows rules or other airports. Parts of the result are shared, not
 * copied. */
struct json_object *visualization_of(struct arena *a, struct json_object *result,
    bool beside_others);

#endif
