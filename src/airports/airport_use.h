/*
 * Finding out, when the index is built, who can use an airport (airports/airport.h).
 */
#ifndef AIRPORTS_AIRPORT_USE_H
#define AIRPORTS_AIRPORT_USE_H

#include "airports/airport.h"

/* AF_SEAPLANES, AF_MOUNTAIN and AF_MILITARY, from its name, its type and the flags of its runways. Memory
 * is only used during the call. */
unsigned airport_use_flags(struct arena *a, const struct airport *ap);

/* Does its name say that it is a field for gliders? Memory as above. */
bool airport_for_gliders(struct arena *a, const struct airport *ap);

#endif
