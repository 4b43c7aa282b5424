/*
 * The look-ups of a frame, and what they lack.
 */
#ifndef AGENTS_AVIATION_BUILTIN_FRAME_LOOKS_H
#define AGENTS_AVIATION_BUILTIN_FRAME_LOOKS_H

#include "agents/aviation/builtin/frame_plans.h"

enum act {
	ACT_ROUTE, ACT_NEAR, ACT_SEARCH, ACT_STATISTICS, ACT_ENTRIES, ACT_DETAILS, ACT_NOTICE, ACT_ANSWER, ACT_BROWSE,
	ACT_COMPARE, ACT__MAX
};

enum { LOOKS = 8 };

struct looks {
	struct look look[LOOKS];
	size_t n;
};

/* The look-ups that a frame becomes, all of one kind. picked: the airport of the last answer that it means; NULL: none.
 * ACT__MAX: it is talk. */
enum act frame_looks(const struct planning *p, const struct frame *f, const char *picked, struct looks *all);

/* The last place of this label, as a tool takes it; NULL: there is none. */
const char *look_text(const struct look *l, enum label label);

/* ---- frame_lacks.c ---------------------------------------------------------------------------- */

/* What a look-up lacks: a reply that asks for it; REPLY__MAX: nothing. */
typedef enum reply lack_fn(const struct look *l);
lack_fn look_lacks_route, look_lacks_place, look_lacks_airport, look_lacks_notice, look_lacks_country,
    look_lacks_list, look_lacks_countries;

/* Is a place of the message meant as coordinates, and lies on no Earth? A mark may hold the first of the numbers only,
 * because nothing known stands there. */
bool look_has_wrong_coordinates(const struct look *l);

#endif
