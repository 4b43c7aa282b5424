/* Geometry: the original service's reference route, and cases where a sphere surprises. */
#include "airports/geo.h"

#include <math.h>

#include "base/jsn.h"
#include "tests/unit/test.h"

static const struct point EGTF = { 51.348099, -0.558889 };
static const struct point LFMD = { 43.547998, 6.955176 };

static const struct golden {
	const char *ident;
	struct point at;
	double segment, enroute;
} golden[] = {
	{ "LFPT", { 49.096064, 2.035543 }, 4.34, 167.95 },
	{ "EGLL", { 51.4706, -0.461941 }, 8.2, 8.2 },
	{ "EGLF", { 51.275799, -0.776333 }, 9.24, 9.24 },
	{ "EGKA", { 50.835602, -0.297222 }, 10.0, 32.31 },
	{ "EGKB", { 51.3307991028, 0.0324999988079 }, 17.41, 22.21 },
	{ "LFAT", { 50.518284, 1.621656 }, 38.9, 96.38 },
	{ "LFAQ", { 49.970049, 2.693939 }, 54.78, 148.89 },
	{ "EGBJ", { 51.8941993713379, -2.16722011566162 }, 68.33, 68.33 },
	{ "LFQA", { 49.208698, 4.15658 }, 77.79, 221.82 },
	{ "LFLX", { 46.860221, 1.728326 }, 81.02, 284.02 },
	{ "LFMD", { 43.547998, 6.955176 }, 0.0, 558.28 },
	{ "EGTF", { 51.348099, -0.558889 }, 0.0, 0.0 },
};

static struct geo_place seen_from(struct point p, struct point a, struct point b)
{
	struct geo_leg leg;

	geo_leg_init(&leg, a, b);
	return geo_leg_place(&leg, p);
}

TEST(geo, golden_route)
{
	cr_expect_eq(geo_distance_nm(EGTF, LFMD), 558.281314890592);
	cr_expect_eq(geo_bearing_deg(EGTF, LFMD), 144.08361998756345);
	for (size_t i = 0; i < sizeof(golden) / sizeof(golden[0]); i++) {
		const struct golden *g = &golden[i];
		double segment = num_round(seen_from(g->at, EGTF, LFMD).segment, 2);
		double enroute = num_round(geo_distance_nm(EGTF, g->at), 2);

		cr_expect_eq(segment, g->segment, "%s: segment %.17g", g->ident, segment);
		cr_expect_eq(enroute, g->enroute, "%s: enroute %.17g", g->ident, enroute);
	}
}

TEST(geo, along_is_the_projection)
{
	/* On the line the two measures agree, beside it the projection is shorter. */
	struct point lflx = { 46.860221, 1.728326 };
	double straight = geo_distance_nm(EGTF, lflx), across = seen_from(lflx, EGTF, LFMD).segment;
	double along = seen_from(lflx, EGTF, LFMD).along;

	cr_expect_lt(along, straight);
	/* Napier: cos c = cos a cos b in a right spherical triangle. */
	cr_expect_float_eq(cos(straight / 3440.065),
	    cos(along / 3440.065) * cos(across / 3440.065), 1e-12);
	cr_expect_eq(seen_from((struct point){ 53, -2 }, EGTF, LFMD).along, 0.0);
	cr_expect_eq(seen_from((struct point){ 42, 9 }, EGTF, LFMD).along, geo_distance_nm(EGTF, LFMD));
}

TEST(geo, beyond_the_ends)
{
	struct point behind = { 53, -2 }, past = { 42, 9 };

	cr_expect_eq(seen_from(behind, EGTF, LFMD).segment, geo_distance_nm(EGTF, behind));
	cr_expect_eq(seen_from(past, EGTF, LFMD).segment, geo_distance_nm(LFMD, past));
}

TEST(geo, point_segment)
{
	struct point p = { 50, 1 }, close = { 51.3485, -0.5589 };

	cr_expect_eq(seen_from(p, EGTF, EGTF).segment, geo_distance_nm(EGTF, p));
	cr_expect_eq(seen_from(p, EGTF, close).segment,
	    fmin(geo_distance_nm(EGTF, p), geo_distance_nm(close, p)));
	cr_expect_eq(seen_from(p, EGTF, EGTF).along, 0.0);
}

static const struct span {
	struct point a, b;
	double nm;
} spans[] = {
	{ { 0, 179.5 }, { 0, -179.5 }, 60.0405 },          /* across the date line */
	{ { 89.5, 0 }, { 89.5, 180 }, 60.0405 },           /* across the pole */
	{ { 0, 0 }, { 0, 180 }, 10807.2829 },              /* antipodes */
	{ { 90, 0 }, { -90, 120 }, 10807.2829 },
	{ { 12, 34 }, { 12, 34 }, 0 },
	{ { 12, 34 }, { 12, 394 }, 0 },                    /* a whole turn */
};

TEST(geo, distances)
{
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		cr_expect_float_eq(geo_distance_nm(spans[i].a, spans[i].b), spans[i].nm, 1e-3,
		    "row %zu", i);
		cr_expect_float_eq(geo_distance_nm(spans[i].b, spans[i].a), spans[i].nm, 1e-3,
		    "row %zu, reversed", i);
	}
}

TEST(geo, destination_and_back)
{
	static const struct point from[] = {
		{ 51.3, -0.6 }, { 0, 179.9 }, { 0, -179.9 }, { 89, 10 }, { -89.9, -170 }, { -33, 151 },
	};

	for (size_t i = 0; i < sizeof(from) / sizeof(from[0]); i++) {
		for (double brg = 0; brg < 360; brg += 37) {
			struct point to = geo_destination(from[i], brg, 300);
			double turn = fabs(geo_bearing_deg(from[i], to) - brg);

			cr_expect_float_eq(geo_distance_nm(from[i], to), 300, 1e-6);
			cr_expect_leq(fabs(to.lon), 180.0);
			cr_expect_lt(fmin(turn, 360 - turn), 1e-6, "%zu %g: %g", i, brg, turn);
		}
	}
}

/* A cheap generator: the same points on every machine. */
static double spread(unsigned *seed, double low, double high)
{
	*seed = *seed * 1664525u + 1013904223u;
	return low + (high - low) * (*seed >> 8) / 16777216.0;
}

TEST(geo, leg_agrees_with_the_plain_formula)
{
	static const struct point ends[][2] = {
		{ { 51.348099, -0.558889 }, { 43.547998, 6.955176 } },
		{ { 40.6, -73.8 }, { 33.9, -118.4 } },
		{ { 65, 170 }, { 60, -150 } },             /* date line */
		{ { 80, 0 }, { 80, 179 } },                /* over the pole */
		{ { 0, 0 }, { 0, 180 } },                  /* antipodes */
		{ { 10, 10 }, { 10.0001, 10 } },           /* too short to point anywhere */
	};
	unsigned seed = 1;
	size_t inside = 0;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct geo_leg leg;
		geo_leg_init(&leg, ends[i][0], ends[i][1]);
		for (int k = 0; k < 20000; k++) {
			struct point p = { spread(&seed, -90, 90), spread(&seed, -180, 180) };
			double limit = spread(&seed, 0.1, 1000);
			struct geo_place at;
			double want = seen_from(p, ends[i][0], ends[i][1]).segment;
			int near = geo_leg_near(&leg, p, limit, &at);

			cr_assert_eq(near, want <= limit, "%zu %g,%g", i, p.lat, p.lon);
			if (!near)
				continue;
			inside++;
			cr_assert_eq(at.segment, want);
			cr_assert_eq(at.start, geo_distance_nm(ends[i][0], p));
			cr_assert_eq(at.along, seen_from(p, ends[i][0], ends[i][1]).along);
		}
	}
	cr_expect_gt(inside, 1000);
}

static int in_box(const struct geo_box *b, struct point p)
{
	int lon = b->west <= b->east ? p.lon >= b->west && p.lon <= b->east
	                             : p.lon >= b->west || p.lon <= b->east;

	return lon && p.lat >= b->south && p.lat <= b->north;
}

TEST(geo, box_holds_the_circle)
{
	static const struct point centres[] = {
		{ 0, 0 }, { 51, 0 }, { -33, 151 }, { 65, 179.9 }, { 65, -179.9 }, { 84, 20 },
		{ 89.9, 20 }, { -89.9, 20 }, { 90, 0 },
	};

	for (size_t i = 0; i < sizeof(centres) / sizeof(centres[0]); i++) {
		for (double nm = 1; nm <= 1000; nm *= 3) {
			struct geo_box box = geo_circle_box(centres[i], nm);
			for (double brg = 0; brg < 360; brg += 0.5) {
				struct point p = geo_destination(centres[i], brg, nm);
				cr_assert(in_box(&box, p), "%zu: %g NM on %g", i, nm, brg);
			}
		}
	}
}

TEST(geo, box_is_not_the_world)
{
	struct geo_box paris = geo_circle_box((struct point){ 48.85, 2.35 }, 50);
	struct geo_box fiji = geo_circle_box((struct point){ -17, 179.9 }, 50);

	cr_expect_float_eq(paris.north - paris.south, 100 / 60.04, 1e-3);
	cr_expect_lt(paris.east - paris.west, 100 / 60.04 / cos(48.85 * M_PI / 180) * 1.01);
	cr_expect_gt(fiji.west, fiji.east);
	cr_expect_lt(fiji.east + 360 - fiji.west, 2);
}
