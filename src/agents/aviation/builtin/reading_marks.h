/*
 * The marks of a reading, for the files that set them right by exact knowledge (reading_amends.h).
 */
#ifndef AGENTS_AVIATION_BUILTIN_READING_MARKS_H
#define AGENTS_AVIATION_BUILTIN_READING_MARKS_H

#include "agents/aviation/builtin/labels.h"
#include "language/reading.h"

/* A mark that takes its label away has none. */
bool mark_has_label(const struct mark *m, enum label label);
/* The value goes. */
void mark_set_label(struct mark *m, enum label label);
bool mark_is_place(const struct mark *m);

void reading_remove_mark(struct reading *r, size_t i);

/* Is there evidence of this kind within these words? */
bool reading_has_evidence(const struct reading *r, size_t first, size_t last, const char *kind);

/* Is the kind that of a slip of the finger, or of a part of a word? */
bool evidence_is_guessed(const char *kind);

/* ---- what these files set right ------------------------------------------------------------- */

/* The ends of a route, and the places between them (reading_route.c). */
void reading_amend_route(struct reading *r);

/* Which wish of the frame before is taken away (reading_lifts.c). */
void reading_amend_lifts(struct reading *r, const struct dialogue *before);

#endif
