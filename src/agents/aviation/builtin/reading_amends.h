/*
 * What exact knowledge corrects in a reading before frames are made of it: a distance that is marked as a runway, a
 * flying time that is marked as notice, a country that is not wanted, a place that is none, the letters of a code.
 *
 * This is for what a table or a grammar knows for certain. Where the trained reader misunderstands a sentence, it is
 * taught.
 */
#ifndef AGENTS_AVIATION_BUILTIN_READING_AMENDS_H
#define AGENTS_AVIATION_BUILTIN_READING_AMENDS_H

#include "language/frame.h"
#include "language/reading.h"

/* Change the marks and plans of a reading. places: a database was asked for places, so what is not found is none. */
void reading_amend(struct reading *r, const struct dialogue *before, bool places);

/* After a list, the pilot asked only for distances, and now goes on with the list. Remove those questions from `before`, and take the plan of the
 * list (reading_ways.c). */
void reading_skip_distances(struct reading *r, struct dialogue *before);

#endif
