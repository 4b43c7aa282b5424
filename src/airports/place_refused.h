/*
 * Places that a message does not want: "not in Switzerland", "except LSGG", "ohne Salzburg".
 *
 *   refused      "CH", "LSGG", "salzburg", "military"      from the "not" to the place; the value is that of the place's own evidence
 */
#ifndef AIRPORTS_PLACE_REFUSED_H
#define AIRPORTS_PLACE_REFUSED_H

#include "language/evidence.h"

/* To be asked after the vocabulary, which knows the words for "not", and after the places are found. Of "not Madrid or Paris"
 * both are refused; the evidence for the second begins at its own first word. */
void place_refused_find(const struct words *w, struct evidences *out);

#endif
