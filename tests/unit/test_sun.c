/*
 * Days, sunrise, sunset and civil twilight: against times that almanacs publish, at the edges where
 * the sun neither rises nor sets, and dates that do not exist.
 */
#include "airports/day.h"
#include "airports/sun.h"

#include <math.h>

#include "tests/unit/test.h"

/* Minutes of a time of day in UTC; day -1, 0 or 1 from the day of the place. */
#define AT(day, hour, minute) ((day) * 1440 + (hour) * 60 + (minute))
#define NONE (-9999)

/* Published times of sunrise and sunset in UTC. Almanacs round to a minute and differ by one. */
static const struct published {
	const char *place;
	double lat, lon;
	struct day day;
	int rise, set;
} published[] = {
	{ "London", 51.5074, -0.1278, { 2024, 6, 21 }, AT(0, 3, 43), AT(0, 20, 21) },
	{ "London", 51.5074, -0.1278, { 2024, 12, 21 }, AT(0, 8, 4), AT(0, 15, 53) },
	{ "New York", 40.7128, -74.006, { 2024, 6, 21 }, AT(0, 9, 25), AT(1, 0, 31) },
	{ "New York", 40.7128, -74.006, { 2024, 12, 21 }, AT(0, 12, 17), AT(0, 21, 32) },
	{ "Sydney", -33.8688, 151.2093, { 2024, 6, 21 }, AT(-1, 21, 0), AT(0, 6, 54) },
	{ "Sydney", -33.8688, 151.2093, { 2024, 12, 21 }, AT(-1, 18, 41), AT(0, 9, 5) },
	{ "Stockholm", 59.3293, 18.0686, { 2024, 6, 21 }, AT(0, 1, 31), AT(0, 20, 8) },
	{ "Stockholm", 59.3293, 18.0686, { 2024, 12, 21 }, AT(0, 7, 43), AT(0, 13, 48) },
	{ "Reykjavik", 64.1466, -21.9426, { 2024, 6, 21 }, AT(0, 2, 55), AT(1, 0, 3) },
	{ "Reykjavik", 64.1466, -21.9426, { 2024, 12, 21 }, AT(0, 11, 22), AT(0, 15, 29) },
	{ "Helsinki", 60.1699, 24.9384, { 2024, 6, 21 }, AT(0, 0, 54), AT(0, 19, 50) },
	{ "Helsinki", 60.1699, 24.9384, { 2024, 12, 21 }, AT(0, 7, 24), AT(0, 13, 12) },
	{ "Paris", 48.8566, 2.3522, { 2024, 6, 21 }, AT(0, 3, 47), AT(0, 19, 58) },
	{ "Paris", 48.8566, 2.3522, { 2024, 12, 21 }, AT(0, 7, 41), AT(0, 15, 56) },
	{ "Berlin", 52.52, 13.405, { 2024, 6, 21 }, AT(0, 2, 43), AT(0, 19, 33) },
	{ "Berlin", 52.52, 13.405, { 2024, 12, 21 }, AT(0, 7, 15), AT(0, 14, 54) },
	{ "Washington", 38.9072, -77.0369, { 2024, 6, 21 }, AT(0, 9, 43), AT(1, 0, 37) },
	{ "Rome", 41.9028, 12.4964, { 2024, 12, 21 }, AT(0, 6, 34), AT(0, 15, 42) },
	{ "Singapore", 1.3521, 103.8198, { 2024, 3, 20 }, AT(-1, 23, 10), AT(0, 11, 16) },
};

enum { TOLERANCE = 2 };

TEST(sun, published_times)
{
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		const struct published *p = &published[i];
		const struct sun_day s = sun_on(p->day, (struct point){ p->lat, p->lon });

		cr_expect_leq(fabs(s.sun.up - p->rise), TOLERANCE, "%s %d: rises at %.1f, not %d",
		    p->place, p->day.month, s.sun.up, p->rise);
		cr_expect_leq(fabs(s.sun.down - p->set), TOLERANCE, "%s %d: sets at %.1f, not %d",
		    p->place, p->day.month, s.sun.down, p->set);
	}
}

/* Civil twilight of a summer night in Helsinki is short, and in Reykjavik it never ends. */
TEST(sun, civil_twilight)
{
	struct sun_day s = sun_on((struct day){ 2024, 12, 21 }, (struct point){ 51.5074, -0.1278 });

	cr_expect_leq(fabs(s.light.up - AT(0, 7, 24)), TOLERANCE);
	cr_expect_leq(fabs(s.light.down - AT(0, 16, 33)), TOLERANCE);
	s = sun_on((struct day){ 2024, 6, 21 }, (struct point){ 60.1699, 24.9384 });
	cr_expect_eq(s.light.crosses, SUN_CROSSES);
	cr_expect(s.light.up < s.sun.up && s.light.down > s.sun.down);
	s = sun_on((struct day){ 2024, 6, 21 }, (struct point){ 64.1466, -21.9426 });
	cr_expect_eq(s.sun.crosses, SUN_CROSSES);
	cr_expect_eq(s.light.crosses, SUN_ABOVE);
	cr_expect(isnan(s.light.up) && isnan(s.light.down));
}

static const struct {
	double lat, lon;
	struct day day;
	enum sun_crosses sun, light;
} polar[] = {
	/* Tromsø: the sun is down from late November to mid January, but there is twilight */
	{ 69.6492, 18.9553, { 2024, 12, 21 }, SUN_BELOW, SUN_CROSSES },
	{ 69.6492, 18.9553, { 2025, 1, 10 }, SUN_BELOW, SUN_CROSSES },
	{ 69.6492, 18.9553, { 2025, 1, 22 }, SUN_CROSSES, SUN_CROSSES },
	{ 69.6492, 18.9553, { 2024, 6, 21 }, SUN_ABOVE, SUN_ABOVE },
	/* Longyearbyen: not even twilight in December */
	{ 78.2232, 15.6267, { 2024, 12, 21 }, SUN_BELOW, SUN_BELOW },
	{ 78.2232, 15.6267, { 2024, 6, 21 }, SUN_ABOVE, SUN_ABOVE },
	{ 78.2232, 15.6267, { 2024, 3, 20 }, SUN_CROSSES, SUN_CROSSES },
	/* the poles themselves */
	{ 90, 0, { 2024, 6, 21 }, SUN_ABOVE, SUN_ABOVE },
	{ 90, 0, { 2024, 12, 21 }, SUN_BELOW, SUN_BELOW },
	{ -90, 0, { 2024, 12, 21 }, SUN_ABOVE, SUN_ABOVE },
	{ -90, 0, { 2024, 6, 21 }, SUN_BELOW, SUN_BELOW },
};

TEST(sun, polar_day_and_night)
{
	for (size_t i = 0; i < sizeof(polar) / sizeof(polar[0]); i++) {
		const struct sun_day s = sun_on(polar[i].day,
		    (struct point){ polar[i].lat, polar[i].lon });

		cr_expect_eq(s.sun.crosses, polar[i].sun, "row %zu: sun %d", i, s.sun.crosses);
		cr_expect_eq(s.light.crosses, polar[i].light, "row %zu: light %d", i, s.light.crosses);
		cr_expect_eq(isnan(s.sun.up), polar[i].sun != SUN_CROSSES, "row %zu", i);
	}
}

/* Every day of two years at every latitude gives an order that makes sense. */
TEST(sun, order_of_times)
{
	const int64_t first = day_number((struct day){ 2023, 12, 30 });

	for (int lat = -90; lat <= 90; lat += 3)
		for (int64_t n = first; n < first + 740; n += 7) {
			const struct sun_day s = sun_on(day_of_number(n), (struct point){ lat, 179 });
			if (s.sun.crosses == SUN_CROSSES)
				cr_assert(s.sun.up <= s.sun.down && s.light.crosses != SUN_BELOW,
				    "%d %lld", lat, (long long)n);
			if (s.sun.crosses == SUN_CROSSES && s.light.crosses == SUN_CROSSES)
				cr_assert(s.light.up < s.sun.up && s.sun.down < s.light.down, "%d %lld",
				    lat, (long long)n);
			if (s.sun.crosses == SUN_ABOVE)
				cr_assert_eq(s.light.crosses, SUN_ABOVE);
		}
}

/* ---- days ------------------------------------------------------------------------------- */

TEST(sun, days_count)
{
	char text[DAY_TEXT];

	cr_expect_eq(day_number((struct day){ 1970, 1, 1 }), 0);
	cr_expect_eq(day_number((struct day){ 2000, 3, 1 }), 11017);
	cr_expect_eq(day_number((struct day){ 2024, 2, 29 }) + 1, day_number((struct day){ 2024, 3, 1 }));
	cr_expect_str_eq(day_weekday((struct day){ 2026, 11, 22 }), "sunday");
	cr_expect_str_eq(day_weekday((struct day){ 1969, 12, 31 }), "wednesday");
	for (int64_t n = -30000; n < 50000; n += 13)
		cr_assert_eq(day_number(day_of_number(n)), n);
	day_said(text, (struct day){ 2026, 9, 3 });
	cr_expect_str_eq(text, "3 September 2026");
}

static const struct {
	const char *text;
	struct day want;              /* year 0: refused */
	const char *why;
} dates[] = {
	{ "2026-12-24", { 2026, 12, 24 }, NULL },
	{ " 2028-02-29 ", { 2028, 2, 29 }, NULL },
	{ "today", { 2026, 11, 22 }, NULL },
	{ "Tonight", { 2026, 11, 22 }, NULL },
	{ "tomorrow", { 2026, 11, 23 }, NULL },
	{ "sunday", { 2026, 11, 22 }, NULL },
	{ "Saturday", { 2026, 11, 28 }, NULL },
	{ "2026-02-30", { 0, 0, 0 }, "There is no 30 February 2026: that month has 28 days." },
	{ "2100-02-28", { 0, 0, 0 }, "The year must be from 1901 to 2099, not 2100." },
	{ "0000-01-01", { 0, 0, 0 }, "The year must be" },
	{ "2026-13-01", { 0, 0, 0 }, "There is no month 13" },
	{ "2026-00-10", { 0, 0, 0 }, "There is no month 0" },
	{ "2026-04-31", { 0, 0, 0 }, "that month has 30 days" },
	{ "2026-04-00", { 0, 0, 0 }, "There is no 0 April 2026" },
	{ "2026-4-1", { 0, 0, 0 }, "\"2026-4-1\" is not a date" },
	{ "2026-04-011", { 0, 0, 0 }, "is not a date" },
	{ "Christmas", { 0, 0, 0 }, "\"Christmas\" is not a date: write it like 2026-12-24" },
	{ "", { 0, 0, 0 }, "is not a date" },
	{ "99999999999999999999999999999999999999999999999999", { 0, 0, 0 }, "is not a date" },
};

TEST(sun, dates_are_read_or_refused_with_a_sentence)
{
	const struct day today = { 2026, 11, 22 };

	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
		struct err e = { OK, "" };
		struct day d = { 0, 0, 0 };
		const enum errcode rc = day_parse(dates[i].text, today, &d, &e);

		cr_expect_eq(rc, dates[i].why == NULL ? OK : ERR_INPUT, "%s", dates[i].text);
		if (dates[i].why != NULL)
			cr_expect_not_null(strstr(e.msg, dates[i].why), "%s: %s", dates[i].text, e.msg);
		else
			cr_expect_eq(day_number(d), day_number(dates[i].want), "%s", dates[i].text);
	}
}
