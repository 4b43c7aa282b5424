/*
 * Evidence of the airports that the last answer showed. A pilot who has read an answer names them again: to pick one, to leave one
 * out ("Sion is too far east"), or in passing. From this evidence the reader learns to tell them apart.
 *
 * Kinds, and what their values are:
 *   place.shown        its ident     an airport of the last list, by its code or by words of its name or town
 *   place.current      its ident     the same for the airport that was spoken of last
 *   number.shown       none          the length of a runway, a distance or a fee that stood in the answer: "885 m is enough"
 *   refused            its ident     the pilot does not want a shown airport: "forget Barton". The list leaves it out (reading_exclusions.c), so
 *                                    this is a fixed rule beside what the reader learns
 */
#ifndef AGENTS_AVIATION_BUILTIN_SHOWN_EVIDENCE_H
#define AGENTS_AVIATION_BUILTIN_SHOWN_EVIDENCE_H

#include "agents/aviation/builtin/talk.h"
#include "airports/airdb.h"
#include "language/evidence.h"

struct shown {
	struct aircon *con;                   /* NULL: only codes are known */
	const struct talk *talk;
};

/* `s` must live as long as the source. */
struct evidence_source shown_evidence(struct shown *s);

#endif
