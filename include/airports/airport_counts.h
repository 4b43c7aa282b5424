/*
 * What the database holds of a country, or of all: how many airports have what, and which ones are
 * points of entry. Counted are the airports that searches look at.
 */
#ifndef AIRPORTS_AIRPORT_COUNTS_H
#define AIRPORTS_AIRPORT_COUNTS_H

#include "airports/airdb.h"

struct airport_counts {
	int64_t airports, entries, procedures, aip, hard, lighted;
	int64_t fuel_known, avgas, jeta;      /* of how many airports the fuel is recorded, and which */
};

/* country: ISO-2 in capitals; NULL: all. */
enum errcode airport_count(struct aircon *con, const char *country, struct airport_counts *out,
    struct err *e);
/* The points of entry by country, in the order of the source; at most `max`. *total: how many there
 * are. */
enum errcode airport_entries(struct aircon *con, struct arena *a, const char *country, size_t max,
    struct airport **out, size_t *n, size_t *total, struct err *e);

#endif
