/*
 * Places by name, from the gazetteer: one of the ways of place_resolve().
 */
#ifndef AIRPORTS_PLACE_BY_NAME_H
#define AIRPORTS_PLACE_BY_NAME_H

#include "airports/place.h"

/* `text` is trimmed, UTF-8, and at most 200 bytes; `country` as for place_resolve(). Not found:
 * out->why. out->name and out->airport_said are filled even then. */
enum errcode place_by_name(struct aircon *con, struct arena *a, const struct place_context *ctx,
    const char *text, const char *country, struct place *out, bool *found, struct err *e);

/* Turn the place into an airport. */
void place_be_airport(struct arena *a, struct place *out, enum place_source source,
    const struct airport *ap);

/* Add another place that may be meant, unless it is there already, is the place itself, or there are
 * PLACE_OTHERS; true: it was added. */
bool place_add_other(struct place *p, const struct place_other *o);

#endif
