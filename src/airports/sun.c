/*
 * The sun's position by the formulas of NOAA (sun.h): first its noon, then, from the hour angle at
 * which it has the wanted height, its rise and set. Its position changes during the day, so each
 * time is computed again with the position at the time found before.
 */
#include "airports/sun.h"

#include <math.h>

enum { ROUNDS = 5, DAY_MINUTES = 1440 };

static const double RAD = 0.017453292519943295;
/* days from 1970-01-01 0 h to 2000-01-01 12 h, and days in a century */
static const double DAYS_TO_2000 = 10957.5, CENTURY = 36525;
static const double ZENITH_RISE = 90.833, ZENITH_CIVIL = 96;

struct sun_position { double declination /* radians */, equation /* of time, in minutes */; };

/* t: centuries since 2000-01-01 12 h. */
static struct sun_position position_at(double t)
{
	const double l0 = fmod(280.46646 + t * (36000.76983 + t * 0.0003032), 360) * RAD;
	const double m = (357.52911 + t * (35999.05029 - 0.0001537 * t)) * RAD;
	const double e = 0.016708634 - t * (0.000042037 + 0.0000001267 * t);
	const double centre = sin(m) * (1.914602 - t * (0.004817 + 0.000014 * t)) +
	    sin(2 * m) * (0.019993 - 0.000101 * t) + sin(3 * m) * 0.000289;
	const double node = (125.04 - 1934.136 * t) * RAD;
	const double longitude = l0 + (centre - 0.00569 - 0.00478 * sin(node)) * RAD;
	const double mean_tilt = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60;
	const double tilt = (mean_tilt + 0.00256 * cos(node)) * RAD;
	const double y = tan(tilt / 2) * tan(tilt / 2);
	const double equation = y * sin(2 * l0) - 2 * e * sin(m) + 4 * e * y * sin(m) * cos(2 * l0) -
	    y * y / 2 * sin(4 * l0) - 1.25 * e * e * sin(2 * m);

	return (struct sun_position){ asin(sin(tilt) * sin(longitude)), 4 * equation / RAD };
}

/* Centuries at a minute of the day. */
static double century(struct day d, double minute)
{
	return ((double)day_number(d) + minute / DAY_MINUTES - DAYS_TO_2000) / CENTURY;
}

/* One crossing; sign -1: before noon, 1: after it. */
static enum sun_crosses crossing(struct day d, struct point at, double zenith, int sign, double *out)
{
	const double lat = at.lat * RAD;
	double minute = DAY_MINUTES / 2.0 - 4 * at.lon, cosine = 0;

	for (int i = 0; i < ROUNDS; i++) {
		const struct sun_position p = position_at(century(d, minute));
		const double noon = DAY_MINUTES / 2.0 - 4 * at.lon - p.equation;

		cosine = (cos(zenith * RAD) - sin(lat) * sin(p.declination)) /
		    (cos(lat) * cos(p.declination));
		minute = noon + sign * 4 * acos(fmin(fmax(cosine, -1), 1)) / RAD;
	}
	*out = fabs(cosine) <= 1 ? minute : (double)NAN;
	return fabs(cosine) <= 1 ? SUN_CROSSES : cosine < 0 ? SUN_ABOVE : SUN_BELOW;
}

static struct sun_times times_of(struct day d, struct point at, double zenith)
{
	struct sun_times t;
	const enum sun_crosses down = crossing(d, at, zenith, 1, &t.down);

	t.crosses = crossing(d, at, zenith, -1, &t.up);
	if (t.crosses == SUN_CROSSES && down != SUN_CROSSES)
		t.crosses = down;
	if (t.crosses != SUN_CROSSES)
		t.up = t.down = (double)NAN;
	return t;
}

struct sun_day sun_on(struct day d, struct point at)
{
	return (struct sun_day){ times_of(d, at, ZENITH_RISE), times_of(d, at, ZENITH_CIVIL) };
}
