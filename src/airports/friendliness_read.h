/*
 * The content of the database of friendliness in memory.
 */
#ifndef AIRPORTS_FRIENDLINESS_READ_H
#define AIRPORTS_FRIENDLINESS_READ_H

#include "airports/fact_file.h"
#include "airports/friendliness.h"

enum { FRIENDLY_SIEVE = 1 << 16 };

struct friendly_content {
	struct fact_content content;
	struct friendly *list;        /* in the order of the table */
	size_t n;
	uint32_t *slot;               /* hash table: index + 1; 0: free */
	size_t nslots;                /* a power of two */
	/* a bit for the first letters of each code: a search asks of tens of thousands of airports, and
	 * nearly all of them have no record */
	uint8_t sieve[FRIENDLY_SIEVE / 8];
};

/* A fact_read_fn; `self` is a const struct personas. */
enum errcode friendliness_read(void *self, struct db *db, struct arena *mem,
    struct fact_content **out, struct err *e);

const struct friendly *friendly_find(const struct friendly_content *c, const char *icao);

#endif
