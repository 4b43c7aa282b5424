/*
 * Evidence for names of places, gathered from the airports while the index is built.
 */
#ifndef AIRPORTS_GAZETTEER_EVIDENCE_H
#define AIRPORTS_GAZETTEER_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "airports/airindex_load.h"

/* Evidence no further apart than this is about one place. */
static const double gazetteer_same_place_nm = 40;

struct gazetteer_evidence {
	const char *key, *name;      /* name: as written, for cities */
	double weight;
	uint32_t i;                  /* airport */
	uint8_t kind;
	bool prefix;                 /* this evidence alone is not enough */
};

struct gazetteer_gatherer {
	const struct airindex_load *l;
	struct arena *mem;
	struct gazetteer_evidence *v;
	size_t n, size;
};

/* Gather what all airports and the well-known towns tell. The list v is on the heap, for the caller to
 * free. */
void gazetteer_gather(struct gazetteer_gatherer *g);
/* How much an airport counts. */
double gazetteer_weight(const struct airport *a);
/* In nautical miles. */
double gazetteer_apart(double lat, double lon, const struct airport *a);

#endif
