/*
 * Sunrise, sunset and civil twilight.
 *
 * The algorithm is that of the Solar Calculator of the US National Oceanic and Atmospheric
 * Administration (https://gml.noaa.gov/grad/solcalc/calcdetails.html), which follows J. Meeus,
 * "Astronomical Algorithms". Sunrise and sunset are the moments when the centre of the sun is
 * 0.833° below a level horizon at sea level; civil twilight begins and ends at 6°. Between 72° south
 * and 72° north the times are right to about a minute, nearer to the poles to about ten. Hills and
 * the height of the place are not taken into account.
 */
#ifndef AIRPORTS_SUN_H
#define AIRPORTS_SUN_H

#include "airports/day.h"
#include "airports/geo.h"

/* Does the sun cross the height in question on that day, or is it above or below all day? */
enum sun_crosses { SUN_CROSSES, SUN_ABOVE, SUN_BELOW };

/* When it rises above and sinks below one height, in minutes after 0 h UTC of the day. The day is
 * that of the place, so the minutes may be below 0 or above 1440. */
struct sun_times {
	enum sun_crosses crosses;
	double up, down;              /* NaN if it does not cross */
};
struct sun_day {
	struct sun_times sun;         /* sunrise and sunset */
	struct sun_times light;       /* begin and end of civil twilight */
};
struct sun_day sun_on(struct day d, struct point at);

#endif
