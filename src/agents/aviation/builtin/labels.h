/*
 * The labels and plans of the aviation agent's frames (language/frame.h); tests/language/GUIDE.md tells
 * what they mean.
 */
#ifndef AGENTS_AVIATION_BUILTIN_LABELS_H
#define AGENTS_AVIATION_BUILTIN_LABELS_H

#include "language/frame.h"

enum label {
	LABEL_FROM, LABEL_TO, LABEL_VIA, LABEL_NEAR, LABEL_AT, LABEL_AREA, LABEL_COUNTRY, LABEL_NAME, LABEL_PICK,
	LABEL_RADIUS, LABEL_REACH, LABEL_MIN_RUNWAY, LABEL_MAX_RUNWAY, LABEL_MAX_FEE, LABEL_MAX_NOTICE,
	LABEL_COUNT, LABEL_SPEED, LABEL_AIRCRAFT,
	LABEL_AVGAS, LABEL_JET_A, LABEL_FUEL, LABEL_HARD, LABEL_ENTRY, LABEL_PROCEDURES, LABEL_HOTEL,
	LABEL_RESTAURANT, LABEL_LARGE, LABEL_ORDER, LABEL_WISH,
	LABEL_DAY, LABEL_TIME, LABEL_TOPIC, LABEL_ASK,
	LABEL__MAX
};

enum plan_kind {
	PLAN_NEAR, PLAN_ROUTE, PLAN_SEARCH, PLAN_DETAILS, PLAN_NOTICE, PLAN_ANSWER, PLAN_BROWSE, PLAN_COMPARE,
	PLAN_HELLO, PLAN_THANKS, PLAN_HELP, PLAN_UNCLEAR, PLAN_URGENT,
	PLAN_WEATHER, PLAN_NOTAM, PLAN_ACT, PLAN_COMPUTE, PLAN_HERE, PLAN_INSTRUCTIONS, PLAN_OTHER,
	PLAN__MAX
};

extern const struct frame_schema aviation_schema;

/* The text of the wish for a stop in the middle of a route, in all languages. */
#define WISH_HALFWAY "halfway"

enum plan_kind frame_plan_kind(const struct frame *f);
/* Does it look for airports, of which the answer is a list: near, route or search? */
bool frame_is_list(const struct frame *f);
/* Can one search for airports that have this fact: hotel, fuel? NULL: no. */
bool fact_can_be_searched(const char *fact);
/* Is a plan of this kind about one airport: details or notice? */
bool plan_is_about_one(enum plan_kind kind);

#endif
