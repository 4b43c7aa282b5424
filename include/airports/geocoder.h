/*
 * The production geocoder behind place_resolve(): Geoapify's results, chosen by country.
 */
#ifndef AIRPORTS_GEOCODER_H
#define AIRPORTS_GEOCODER_H

#include "airports/place.h"
#include "services/geoapify.h"

struct geocoder_geoapify {
	struct geocoder geocoder;
	struct geoapify *service;
};

void geocoder_geoapify_init(struct geocoder_geoapify *g, struct geoapify *service);

/* The preferred countries for geoapify_new(). */
const char *geocoder_preferred(struct arena *a);

/* Choose one of the hits (pure): one in the likely country (NULL: none is), else in a preferred country
 * (countries.h), else the first. Returns an index. */
size_t geocoder_choose(const struct geoapify_hit *hits, size_t n, const char *likely);

#endif
