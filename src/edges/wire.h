/*
 * The data of an event as clients see it: one row a kind, shared by every sink that shows events as
 * JSON.
 */
#ifndef EDGES_WIRE_H
#define EDGES_WIRE_H

#include "base/buf.h"
#include "runtime/event.h"

/* As JSON on one line; {} for a kind without data. Its name is event_name(ev->kind). */
void wire_print(struct buf *b, const struct event *ev);

#endif
