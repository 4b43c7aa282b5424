/*
 * Makes the local gazetteer: names of places, which are found from the airports when the index is
 * built.
 *
 * Table place(key, n, kind, weight, name, country, region, lat, lon, row), key (key, n): `key` is a
 * normalised name, see place_key(); the rows of a key are numbered by n. `row` is the airport
 * itself, or the main one of a city, region or country. An airport's own names have no name, lat
 * and lon, because those are in table airport.
 */
#ifndef AIRPORTS_GAZETTEER_BUILD_H
#define AIRPORTS_GAZETTEER_BUILD_H

#include "airports/airindex_load.h"

struct db;

enum gaz_kind { GAZ_CITY, GAZ_AIRPORT, GAZ_REGION, GAZ_COUNTRY };

enum { GAZ_HITS = 64 };               /* most rows of a key */

/* Fill table place of an index being built. */
enum errcode gazetteer_build(struct db *db, const struct airindex_load *l, struct err *e);

#endif
