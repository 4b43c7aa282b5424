/*
 * A file of GeoNames as a database of places, which the gazetteer asks beside the towns of the airport
 * database.
 *
 * Tables: meta(key, value); place(id, name, country, region, lat, lon, weight); name(key, rank, id),
 * one row for each name of a place: `key` as in place_key.h, `rank` is the weight with its sign
 * changed, so that the most important place of a name comes first.
 */
#ifndef AIRPORTS_PLACES_IMPORT_H
#define AIRPORTS_PLACES_IMPORT_H

/* Raise it when a table or a column changes its meaning. */
#define PLACES_VERSION "1"

#endif
