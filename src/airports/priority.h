/*
 * Priority: the order in which a pilot wants to see the airports that fit (strategy
 * "persona_optimized").
 *
 * Ascending by bucket, then descending by score, then ascending by distance, then in table order.
 * The bucket says how well the position suits the search, the score how useful the airport itself
 * is.
 */
#ifndef AIRPORTS_PRIORITY_H
#define AIRPORTS_PRIORITY_H

#include <stdint.h>

#include "airports/airport.h"

struct priority {
	int bucket, score;
	double distance;
	int64_t row;
};

/* Near a point: rings of 15, 30, 50 and 100 NM, then everything else. */
int priority_near(double distance_nm);
/* On a route: distance from its middle, as a share of the whole. */
int priority_route(double along_nm, double total_nm);
/* A search by text, code or country has no position, so there is one bucket for all. */
enum { PRIORITY_TEXT = 2 };
/*
 * 30 to 80, from what the airport offers. Scores are compared only within one bucket and must all
 * be on this scale: a persona's score in [0,1] must be multiplied by 100.
 */
int priority_score(const struct airport *a);
/* The same scale for a database that has neither procedures nor points of entry for any airport:
 * the size is used instead, so that a town's airport comes before the strips around it. */
int priority_estimate(const struct airport *a);

/* For sorting: negative when a comes first. Never 0 for different rows. */
int priority_cmp(const struct priority *a, const struct priority *b);

#endif
