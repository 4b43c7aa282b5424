/*
 * The data of an event as clients see it: one row a kind, shared by every sink that shows events as
 * JSON.
 */
#ifndef EDGES_WIRE_H
#define EDGES_WIRE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/errs.h"
#include "runtime/event.h"

/* As JSON on one line; {} for a kind without data. Its name is event_name(ev->kind). */
void wire_print(struct buf *b, const struct event *ev);
/* An event as wire_print() wrote it, for a sink that is given it later. In the arena. ERR_DATA: the name or
 * the JSON is none that wire_print() writes. */
enum errcode wire_read(struct arena *a, const char *name, const char *json, size_t n, struct event *ev,
    struct err *e);

#endif
