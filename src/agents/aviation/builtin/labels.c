/*
 * What the labels of tests/language/GUIDE.md are worth, and which plan may have which. tests/language/marks.py
 * has the same tables.
 */
#include "agents/aviation/builtin/labels.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/str.h"

#define B(x) ((uint64_t)1 << LABEL_##x)

#define NUMBERS (B(RADIUS) | B(REACH) | B(MIN_RUNWAY) | B(MAX_RUNWAY) | B(MAX_FEE) | B(MAX_NOTICE) | B(COUNT) | \
	B(SPEED) | B(AIRCRAFT))
#define WISHES (B(AVGAS) | B(JET_A) | B(FUEL) | B(HARD) | B(ENTRY) | B(PROCEDURES) | B(HOTEL) | B(RESTAURANT) | \
	B(LARGE) | B(ORDER) | B(WISH))
#define TIMES (B(DAY) | B(TIME))
#define PLACES (B(NEAR) | B(AREA) | B(AT) | B(NAME) | B(PICK))
#define AIRPORT (B(AT) | B(PICK))

/* "2500" of a runway without a unit: nobody has a runway of 1,500 m or more as a limit in round metres as
 * often as one in feet. */
static const char *runway(struct arena *a, const char *value)
{
	enum { FEET_FROM = 1500 };
	char *end;
	const double v = strtod(value, &end);
	return end == value ? NULL : *end != '\0' ? value
	    : arena_printf(a, "%s%s", value, v >= FEET_FROM ? "ft" : "m");
}

static const char *with_unit(struct arena *a, const char *value, const char *unit)
{
	char *end;
	(void)strtod(value, &end);
	return end == value ? NULL : *end != '\0' ? value : arena_printf(a, "%s%s", value, unit);
}

static const char *miles(struct arena *a, const char *value)
{
	return with_unit(a, value, "nm");
}

static const char *minutes(struct arena *a, const char *value)
{
	return with_unit(a, value, "min");
}

static const char *hours(struct arena *a, const char *value)
{
	return with_unit(a, value, "h");
}

static const char *euros(struct arena *a, const char *value)
{
	return with_unit(a, value, "eur");
}

static const char *knots(struct arena *a, const char *value)
{
	return with_unit(a, value, "kt");
}

/* "Make that ten": a number that is marked as a time. "Three" is in the afternoon, as in language/clock.c; "fourteen hundred" has
 * its minutes. */
static const char *clock_time(struct arena *a, const char *value)
{
	enum { NOON = 12, DAY = 24, HOUR = 60, HUNDRED = 100, AWAKE = 6 };
	char *end;
	const long v = strtol(value, &end, 10);
	const long hour = v > DAY ? v / HUNDRED : v, minute = v > DAY ? v % HUNDRED : 0;

	if (end == value || *end != '\0')
		return *end == ':' ? value : NULL;
	if (v < 0 || (v > DAY && v < HUNDRED) || hour > DAY || minute >= HOUR || (hour == DAY && minute > 0))
		return NULL;
	return arena_printf(a, "%02ld:%02ld", (hour >= 1 && hour < AWAKE && v <= DAY ? hour + NOON : hour) % DAY, minute);
}

enum {
	POINT = FRAME_WORDS | FRAME_PLACE,
	PLACE = POINT | FRAME_GROUND,
	FLAG = FRAME_SWITCH,
};

static const struct frame_label labels[] = {
	[LABEL_FROM] = { "from", POINT, NULL, NULL },
	[LABEL_TO] = { "to", POINT, NULL, NULL },
	[LABEL_VIA] = { "via", POINT | FRAME_SEVERAL, NULL, NULL },
	[LABEL_NEAR] = { "near", PLACE | FRAME_SEVERAL, NULL, NULL },
	[LABEL_AT] = { "at", PLACE | FRAME_SEVERAL | FRAME_CARRIED, NULL, NULL },
	[LABEL_AREA] = { "area", PLACE | FRAME_SEVERAL, NULL, NULL },
	[LABEL_COUNTRY] = { "country", FRAME_GROUND | FRAME_SEVERAL | FRAME_CARRIED, "country|country.code", NULL },
	[LABEL_NAME] = { "name", PLACE, NULL, NULL },
	[LABEL_PICK] = { "pick", FRAME_GROUND | FRAME_CARRIED, "ordinal|number", NULL },
	[LABEL_RADIUS] = { "radius", 0, "length|number", miles },
	[LABEL_REACH] = { "reach", 0, "duration|number", minutes },
	[LABEL_MIN_RUNWAY] = { "min_runway", 0, "length|number", runway },
	[LABEL_MAX_RUNWAY] = { "max_runway", 0, "length|number", runway },
	[LABEL_MAX_FEE] = { "max_fee", 0, "money|number", euros },
	[LABEL_MAX_NOTICE] = { "max_notice", 0, "duration|number", hours },
	[LABEL_COUNT] = { "count", 0, "number", NULL },
	[LABEL_SPEED] = { "speed", 0, "speed|number", knots },
	[LABEL_AIRCRAFT] = { "aircraft", 0, "aircraft|aircraft.shape", NULL },
	[LABEL_AVGAS] = { "has_avgas", FLAG, NULL, NULL },
	[LABEL_JET_A] = { "has_jet_a", FLAG, NULL, NULL },
	[LABEL_FUEL] = { "fuel", FLAG, NULL, NULL },
	[LABEL_HARD] = { "has_hard_runway", FLAG, NULL, NULL },
	[LABEL_ENTRY] = { "point_of_entry", FLAG, NULL, NULL },
	[LABEL_PROCEDURES] = { "has_procedures", FLAG, NULL, NULL },
	[LABEL_HOTEL] = { "hotel", 0, NULL, NULL },
	[LABEL_RESTAURANT] = { "restaurant", 0, NULL, NULL },
	[LABEL_LARGE] = { "large", FLAG, NULL, NULL },
	[LABEL_ORDER] = { "order", 0, NULL, NULL },
	/* bound to the places that it refuses */
	[LABEL_WISH] = { "wish", FRAME_WORDS | FRAME_SEVERAL, "refused", NULL },
	[LABEL_DAY] = { "day", FRAME_CARRIED, "day", NULL },
	[LABEL_TIME] = { "time", FRAME_CARRIED, "time|time.bare|hour|number", clock_time },
	[LABEL_TOPIC] = { "topic", FRAME_WORDS | FRAME_SEVERAL | FRAME_CARRIED, "topic", NULL },
	[LABEL_ASK] = { "ask", FRAME_SEVERAL | FRAME_FACT, NULL, NULL },
};

static const struct frame_plan plans[] = {
	[PLAN_NEAR] = { "near", B(NEAR) | B(AT) | B(COUNTRY) | B(AREA) | B(PICK) | NUMBERS | WISHES | TIMES | B(ASK),
	    PLACES | B(COUNTRY), 0 },
	[PLAN_ROUTE] = { "route", B(FROM) | B(TO) | B(VIA) | B(AT) | B(COUNTRY) | B(PICK) | NUMBERS | WISHES | TIMES |
	    B(ASK), PLACES, 0 },
	[PLAN_SEARCH] = { "search", B(AT) | B(AREA) | B(COUNTRY) | B(NAME) | B(PICK) | NUMBERS | WISHES | TIMES | B(ASK),
	    PLACES | B(COUNTRY), 0 },
	[PLAN_DETAILS] = { "details", AIRPORT | B(COUNTRY) | B(AREA) | B(AIRCRAFT) | B(WISH) | TIMES | B(ASK),
	    PLACES, AIRPORT },
	[PLAN_NOTICE] = { "notice", AIRPORT | B(COUNTRY) | B(AREA) | TIMES | B(ASK), PLACES, AIRPORT },
	[PLAN_ANSWER] = { "answer", B(COUNTRY) | B(TOPIC) | AIRPORT | B(AREA) | B(AIRCRAFT) | TIMES | B(ASK), PLACES, 0 },
	[PLAN_BROWSE] = { "browse", B(COUNTRY) | B(TOPIC) | B(AREA) | B(COUNT) | B(ASK), PLACES, 0 },
	[PLAN_COMPARE] = { "compare", B(COUNTRY) | B(TOPIC) | B(ASK), PLACES, 0 },
	[PLAN_HELLO] = { "hello", 0, 0, 0 },
	[PLAN_THANKS] = { "thanks", 0, 0, 0 },
	[PLAN_HELP] = { "help", 0, 0, 0 },
	[PLAN_UNCLEAR] = { "unclear", 0, 0, 0 },
	[PLAN_URGENT] = { "urgent", 0, 0, 0 },
	[PLAN_WEATHER] = { "cannot:weather", 0, 0, 0 },
	[PLAN_NOTAM] = { "cannot:notam", 0, 0, 0 },
	[PLAN_ACT] = { "cannot:act", 0, 0, 0 },
	[PLAN_COMPUTE] = { "cannot:compute", 0, 0, 0 },
	[PLAN_HERE] = { "cannot:here", 0, 0, 0 },
	[PLAN_INSTRUCTIONS] = { "cannot:instructions", 0, 0, 0 },
	[PLAN_OTHER] = { "cannot:other", 0, 0, 0 },
};

const struct frame_schema aviation_schema = {
	.label = labels,
	.nlabels = LABEL__MAX,
	.plan = plans,
	.nplans = PLAN__MAX,
	.it = LABEL_PICK,
	.binds = LABEL_COUNTRY,
};

enum plan_kind frame_plan_kind(const struct frame *f)
{
	return (enum plan_kind)(f->plan - plans);
}

bool frame_is_list(const struct frame *f)
{
	const enum plan_kind kind = frame_plan_kind(f);
	return kind == PLAN_NEAR || kind == PLAN_ROUTE || kind == PLAN_SEARCH;
}

bool plan_is_about_one(enum plan_kind kind)
{
	return kind == PLAN_DETAILS || kind == PLAN_NOTICE;
}

bool fact_can_be_searched(const char *fact)
{
	return fact != NULL && one_of(fact, "hotel|restaurant|fuel|customs|procedures");
}
