/*
 * The local gazetteer: the places that a name may mean, of the airport database and imported ones. gazetteer_build.h describes how it is made.
 */
#ifndef AIRPORTS_GAZETTEER_H
#define AIRPORTS_GAZETTEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "airports/airdb.h"
#include "airports/gazetteer_build.h"

struct gaz_hit {
	enum gaz_kind kind;
	double weight;                /* importance of the place with that name */
	const char *name, *country, *region;
	double lat, lon;              /* NaN for GAZ_AIRPORT */
	int64_t row;                  /* 0: imported */
};

/* The places with that key, the most important first within a kind; at most GAZ_HITS. Arena. */
enum errcode gazetteer_find(struct aircon *con, struct arena *a, const char *key,
    struct gaz_hit **hits, size_t *n, struct err *e);
bool gazetteer_has(struct aircon *con, const char *key);

#endif
