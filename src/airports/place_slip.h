/*
 * Names of places with slips of the finger: "Perpinan", "Biggen Hill", "Saarbruck".
 */
#ifndef AIRPORTS_PLACE_SLIP_H
#define AIRPORTS_PLACE_SLIP_H

#include <stddef.h>

struct arena;
struct db;

enum place_slips {
	PLACE_ONE_SLIP,          /* a letter changed, left out, put in or swapped with its neighbour */
	PLACE_SLIPS,             /* in a long name two of them, or an end that is left out */
};

/* The key in the gazetteer that a misspelt key (place_key.h) was probably meant for. The fewest slips win, then Europe, then weight. The first
 * three letters must be right. In the arena; NULL: nothing is like it, or it has fewer than six letters. */
const char *place_slip(struct db *db, struct arena *mem, const char *key, enum place_slips slips);

#endif
