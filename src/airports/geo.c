/*
 * Spherical geometry.
 *
 * The formulas and their order of operations are fixed: results are compared with reference values
 * down to the last digit, so "simplifying" one of them changes behaviour. Two peculiarities are
 * kept on purpose. A point behind the start of a segment is as far away as the start itself, and
 * likewise for the end. A segment shorter than a tenth of a mile is treated as its two ends.
 */
#include "airports/geo.h"

#include <math.h>

static const double EARTH_NM = 3440.065;
static const double SHORT_NM = 0.1;            /* below this a segment has no direction */
static const double RAD = M_PI / 180.0, DEG = 180.0 / M_PI;

double geo_distance_nm(struct point a, struct point b)
{
	double lat1 = a.lat * RAD, lat2 = b.lat * RAD;
	double dlat = lat2 - lat1, dlon = b.lon * RAD - a.lon * RAD;
	double s = sin(dlat / 2), t = sin(dlon / 2);
	double h = s * s + cos(lat1) * cos(lat2) * (t * t);

	/* Rounding can push h a hair past 1 for antipodes. */
	return EARTH_NM * (2 * atan2(sqrt(h), sqrt(fmax(0.0, 1 - h))));
}

double geo_bearing_deg(struct point a, struct point b)
{
	double lat1 = a.lat * RAD, lat2 = b.lat * RAD;
	double dlon = b.lon * RAD - a.lon * RAD;
	double y = sin(dlon) * cos(lat2);
	double x = cos(lat1) * sin(lat2) - sin(lat1) * cos(lat2) * cos(dlon);

	return fmod(atan2(y, x) * DEG + 360.0, 360.0);
}

static void unit_vector(double v[3], struct point p)
{
	double lat = p.lat * RAD, lon = p.lon * RAD;

	v[0] = cos(lat) * cos(lon);
	v[1] = cos(lat) * sin(lon);
	v[2] = sin(lat);
}

void geo_leg_init(struct geo_leg *leg, struct point a, struct point b)
{
	double u[3], v[3], n[3], size;

	unit_vector(u, a);
	unit_vector(v, b);
	n[0] = u[1] * v[2] - u[2] * v[1];
	n[1] = u[2] * v[0] - u[0] * v[2];
	n[2] = u[0] * v[1] - u[1] * v[0];
	size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
	*leg = (struct geo_leg){ .a = a, .b = b, .nm = geo_distance_nm(a, b),
		.bearing = geo_bearing_deg(a, b) };
	/* Ends (nearly) equal or opposite: there is no single great circle. */
	for (int i = 0; i < 3 && size >= 1e-4; i++)
		leg->normal[i] = n[i] / size;
}

/* p seen from the start of a leg: signed position along it, distance across it. */
struct offset {
	double along, across;
};

static struct offset offset_of(const struct geo_leg *leg, struct point p, double ap)
{
	double delta = ap / EARTH_NM;
	double to_p = geo_bearing_deg(leg->a, p);
	double xt = asin(sin(delta) * sin((to_p - leg->bearing) * RAD));
	double cosine = cos(xt);
	double turn = fabs(to_p - leg->bearing);
	struct offset o;

	o.across = EARTH_NM * xt;
	if (fabs(o.across) < 0.001)
		cosine = fmax(cosine, 0.0001);
	o.along = EARTH_NM * acos(fmax(-1.0, fmin(1.0, cos(delta) / cosine)));
	if (turn > 180)
		turn = 360 - turn;
	if (turn > 90)
		o.along = -o.along;
	return o;
}

struct geo_place geo_leg_place(const struct geo_leg *leg, struct point p)
{
	struct geo_place at = { .start = geo_distance_nm(leg->a, p) };
	struct offset o;

	if (leg->nm < SHORT_NM) {
		at.segment = fmin(at.start, geo_distance_nm(leg->b, p));
		return at;
	}
	o = offset_of(leg, p, at.start);
	at.segment = o.along < 0 ? at.start :
	    o.along > leg->nm ? geo_distance_nm(leg->b, p) : fabs(o.across);
	at.along = fmax(0, fmin(leg->nm, o.along));
	return at;
}

/* The exact formula costs a dozen sines. Most candidates of a long route are far from its great
 * circle. One scalar product shows that, with a margin well above its rounding error. */
static bool leg_misses(const struct geo_leg *leg, struct point p, double limit_nm)
{
	const double *n = leg->normal;
	double v[3];

	unit_vector(v, p);
	return fabs(v[0] * n[0] + v[1] * n[1] + v[2] * n[2])
	    > sin(fmin((limit_nm + 0.01) / EARTH_NM, M_PI / 2));
}

bool geo_leg_near(const struct geo_leg *leg, struct point p, double limit_nm, struct geo_place *at)
{
	if (leg_misses(leg, p, limit_nm))
		return false;
	*at = geo_leg_place(leg, p);
	return at->segment <= limit_nm;
}

static double wrap(double lon)
{
	if (lon > 180)
		return lon - 360;
	return lon < -180 ? lon + 360 : lon;
}

struct point geo_destination(struct point a, double bearing_deg, double nm)
{
	double lat1 = a.lat * RAD, brg = bearing_deg * RAD, delta = nm / EARTH_NM;
	double s = sin(lat1) * cos(delta) + cos(lat1) * sin(delta) * cos(brg);
	double lat2 = asin(fmax(-1.0, fmin(1.0, s)));
	double dlon = atan2(sin(brg) * sin(delta) * cos(lat1), cos(delta) - sin(lat1) * s);
	double lon = a.lon + dlon * DEG;

	return (struct point){ lat2 * DEG, wrap(lon) };
}

struct geo_box geo_circle_box(struct point centre, double nm)
{
	double delta = nm / EARTH_NM, reach = delta * DEG + 1e-6;
	double lat = centre.lat * RAD;
	struct geo_box box = { centre.lat - reach, centre.lat + reach, -180, 180 };

	if (box.south > -90 && box.north < 90) {
		/* The circle's easternmost point is not due east of the centre but poleward. */
		double dlon = asin(fmin(1.0, sin(delta) / cos(lat))) * DEG + 1e-6;
		box.west = wrap(centre.lon - dlon);
		box.east = wrap(centre.lon + dlon);
	}
	box.south = fmax(box.south, -90);
	box.north = fmin(box.north, 90);
	return box;
}
