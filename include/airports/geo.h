/*
 * Spherical geometry in nautical miles and degrees (R = 3440.065 NM).
 */
#ifndef AIRPORTS_GEO_H
#define AIRPORTS_GEO_H

#include <stdbool.h>

struct point { double lat, lon; };                 /* degrees */

double geo_distance_nm(struct point a, struct point b);        /* haversine */
double geo_bearing_deg(struct point a, struct point b);        /* initial, [0,360) */
/* The point `nm` from a along the great circle with that initial bearing: "Lat/lon given radial and distance" of the
 * Aviation Formulary by Ed Williams, in the form that holds for any distance. */
struct point geo_destination(struct point a, double bearing_deg, double nm);

/* A segment prepared for testing thousands of points against it. */
struct geo_leg {
	struct point a, b;
	double nm, bearing;        /* of ab */
	double normal[3];          /* unit vector across the great circle; zero: there is none */
};
void geo_leg_init(struct geo_leg *leg, struct point a, struct point b);
/* A point seen from a leg. */
struct geo_place {
	double start;              /* geo_distance_nm() from the leg's start */
	double segment;            /* distance from the segment */
	double along;              /* position of its projection along the leg, clamped to [0, nm] */
};
struct geo_place geo_leg_place(const struct geo_leg *leg, struct point p);
/* Is p within limit_nm of the segment? Then *at says where. */
bool geo_leg_near(const struct geo_leg *leg, struct point p, double limit_nm, struct geo_place *at);

/*
 * A box in degrees that holds every point within `nm` of the centre. west > east crosses the
 * 180th meridian; around a pole it is the whole cap.
 */
struct geo_box { double south, north, west, east; };
struct geo_box geo_circle_box(struct point centre, double nm);

#endif
