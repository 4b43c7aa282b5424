/*
 * What a message says of its frames beyond its marks: a route the other way round, one fuel instead of another, a
 * number without its unit.
 */
#ifndef AGENTS_AVIATION_BUILTIN_FRAME_AMENDS_H
#define AGENTS_AVIATION_BUILTIN_FRAME_AMENDS_H

#include "language/frame.h"
#include "language/reading.h"

/* Change the frames of a reading, which frames_of() has made. New values are in the arena. */
void frames_amend(struct arena *a, struct frames *f, const struct reading *r, const struct dialogue *before);

#endif
