/*
 * Priority: the order in which a pilot wants to see the airports that fit (strategy
 * "persona_optimized").
 *
 * First those that are not late. Then ascending by bucket, then descending by score, then ascending by
 * distance, then in table order.
 * The bucket says how well the position suits the search, the score how useful the airport itself
 * is.
 */
#ifndef AIRPORTS_PRIORITY_H
#define AIRPORTS_PRIORITY_H

#include <stdbool.h>
#include <stdint.h>

#include "airports/airport.h"

struct priority {
	int bucket;
	double score;                 /* 0 to 1 */
	double distance;
	int64_t row;
	bool late;
};

/* Near a point: rings of 15, 30, 50 and 100 NM, then everything else. */
int priority_near(double distance_nm);
/* On a route: distance from its middle, as a share of the whole. */
int priority_route(double along_nm, double total_nm);
/* A search by text, code or country has no position. Its airports with a persona's score come first,
 * in a bucket of their own. */
enum { PRIORITY_SCORED, PRIORITY_TEXT, PRIORITY_TEXTS };
/*
 * The score of an airport that no review describes, from what it offers: 0.3 to 0.8. A persona's
 * score is on the same scale, from 0 to 1.
 */
double priority_score(const struct airport *a);
/* The same for a database that has neither procedures nor points of entry for any airport:
 * the size is used instead, so that a town's airport comes before the strips around it. */
double priority_estimate(const struct airport *a);

/* Does it come after the others, because it takes another aircraft or another training? A military airfield
 * does not: many of them take civil traffic, and the name does not tell which. */
bool priority_late(const struct airport *a);

/* For sorting: negative when a comes first. Never 0 for different rows. */
int priority_cmp(const struct priority *a, const struct priority *b);

#endif
