/*
 * Codes that a pilot may have meant by one that no airport has.
 */
#ifndef AIRPORTS_SIMILAR_CODES_H
#define AIRPORTS_SIMILAR_CODES_H

#include "airports/airdb.h"

enum { SIMILAR_CODES = 3 };

/* Airports whose code of four characters differs from `code` in its third or its fourth, or has the two the other way
 * round; larger airports first. *n: 0 if there is none, or if `code` has another length. */
enum errcode similar_codes(struct aircon *con, struct arena *a, const char *code, struct airport out[SIMILAR_CODES],
    size_t *n, struct err *e);

#endif
