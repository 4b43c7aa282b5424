/*
 * Towns as facts: where well-known towns are, and other names of towns and regions
 * (conf/facts/towns.txt, exonyms.txt).
 */
#ifndef AIRPORTS_TOWNS_H
#define AIRPORTS_TOWNS_H

#include <stdbool.h>
#include <stddef.h>

#include "airports/place_key.h"

struct town {
	const char *country;          /* ISO-2 */
	const char *name;
	double lat, lon;              /* position of its middle */
};

/* All towns, in the file's order. */
const struct town *towns(size_t *n);

/* Names of one town or region in several languages: the i-th other name of `key` in `country`. */
bool exonym(const char *key, const char *country, size_t i, char out[PLACE_KEY_MAX]);

/* Is this key a well-known town or region, by any of its names in any country? */
bool town_named(const char *key);

#endif
