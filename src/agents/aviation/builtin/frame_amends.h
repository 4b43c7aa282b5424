/*
 * What a message says of its frames beyond its marks: a route the other way round, one fuel instead of another, a
 * number without its unit.
 */
#ifndef AGENTS_AVIATION_BUILTIN_FRAME_AMENDS_H
#define AGENTS_AVIATION_BUILTIN_FRAME_AMENDS_H

#include "language/frame.h"
#include "language/reading.h"

/* The frames of a reading, which this amends (reading_amends.h) before and whose frames it amends behind frames_of(). New
 * values are in the arena. places: a database was asked for places. */
void frames_mean(struct arena *a, struct reading *r, const struct dialogue *before, bool places, struct frames *out);

/* Like frames_mean(), but the marks are taken as they are. */
void frames_of_marks(struct arena *a, const struct reading *r, const struct dialogue *before, struct frames *out);

#endif
