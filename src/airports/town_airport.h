/*
 * Airports around a point.
 */
#ifndef AIRPORTS_TOWN_AIRPORT_H
#define AIRPORTS_TOWN_AIRPORT_H

#include "airports/place.h"
#include "airports/towns.h"

/* The airport within 25 NM that has the name of the town or has it as its municipality, by the rule
 * of place_airport(). The town's name is a key; its country may be NULL. */
enum errcode town_airport(struct aircon *con, struct arena *a, const struct town *t,
    enum place_wish wish, struct airport *out, double *distance_nm, bool *found, struct err *e);

/* Is it a type of airport for aeroplanes? */
bool town_flown_to(const struct airport *a);

#endif
