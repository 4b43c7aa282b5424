/*
 * Areas by name, and the airports in them.
 */
#ifndef AIRPORTS_AREAS_H
#define AIRPORTS_AREAS_H

#include "airports/airindex.h"
#include "airports/area.h"

/* The i-th area with this name, which is a key (place_key.h); NULL: there are not so many. */
const struct area *area_named(const char *key, size_t i);
/* All of the file, in its order; NULL at its end. */
const struct area *area_at(size_t i);
bool area_in(const struct area *a, const char *country);
/* Is the point inside the shape? */
bool area_holds(const struct area *a, struct point at);

/* Visit the airports of an area. */
enum errcode area_visit(struct aircon *con, const struct area *a, airport_fn *fn, void *arg,
    struct err *e);
/* The airports that an area is known for: large ones, with scheduled service and long runways, come
 * first, military ones last. At most `most`, of which there are *n. */
enum errcode area_airports(struct aircon *con, struct arena *mem, const struct area *a, size_t most,
    struct airport *out, size_t *n, struct err *e);

/* An area without a shape: a region of the database, or a country (region NULL). */
const struct area *area_of(struct arena *mem, const char *name, const char *country,
    const char *region, struct point middle);

#endif
