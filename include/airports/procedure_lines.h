/*
 * Lines along which the instrument approaches of an airport come in, for a map.
 */
#ifndef AIRPORTS_PROCEDURE_LINES_H
#define AIRPORTS_PROCEDURE_LINES_H

#include <stddef.h>

#include "airports/airport.h"
#include "airports/geo.h"
#include "base/arena.h"

struct procedure_line {
	const char *runway_end;       /* "09L" */
	struct point start, end;      /* the runway end, and where the line begins out there */
	const char *approach_type;    /* of the most precise approach to that end, in capitals */
	const char *procedure;        /* its name */
	const char *category;         /* "precision", "rnp", "non-precision" */
};

/* A line for each end of an open runway that has an approach of a known type, a position and a direction, in the
 * order of the runways. It is `nm` nautical miles long. Arena memory. */
size_t procedure_lines(struct arena *a, const struct runway *runways, size_t nrunways,
    const struct procedure *procedures, size_t nprocedures, double nm, struct procedure_line **out);

enum { APPROACH_UNRANKED = 999 };

/* How precise an approach of this type is: 1 (ILS) to 8 (SDF), in the order of the euro_aip library;
 * APPROACH_UNRANKED for another type and for NULL. */
int approach_precision(const char *type);
/* The most precise approach to a runway end; of two equal ones the first. NULL: there is none. */
const struct procedure *approach_best(const struct procedure *v, size_t n, const char *runway_end);

#endif
