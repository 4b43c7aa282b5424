/*
 * The data of an event as clients see it (contract http_api.md §8): one row a kind, shared by
 * every sink that shows events as JSON.
 */
#ifndef EDGES_WIRE_H
#define EDGES_WIRE_H

#include "base/arena.h"
#include "base/jsn.h"
#include "runtime/event.h"

/* Owned by the arena, or borrowed from the event; {} for a kind without data. Its name is
 * event_name(ev->kind). */
struct json_object *wire_data(struct arena *a, const struct event *ev);

#endif
