/*
 * An area with airports in it: a region, an island, mountains, a country.
 */
#ifndef AIRPORTS_AREA_H
#define AIRPORTS_AREA_H

#include <stdbool.h>
#include <stddef.h>

#include "airports/geo.h"

struct area {
	const char *name;             /* "Black Forest" */
	bool article;                 /* in a sentence: "the Black Forest" */
	const char *const *country;   /* ISO-2, the main one first */
	size_t ncountries;
	/* ISO 3166-2 codes: the area is these regions. None: it is the shape. */
	const char *const *region;
	size_t nregions;
	/* No corner: the area is its countries. One: a circle. Else a polygon, whose sides are straight
	 * in degrees. */
	const struct point *corner;
	size_t ncorners;
	double radius_nm;             /* of the circle */
	struct point middle;
	double reach_nm;              /* from the middle to the farthest corner */
};

#endif
