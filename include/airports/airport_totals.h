/*
 * Counts of the whole database: what there is to filter by, and statistics. They were made with the index.
 */
#ifndef AIRPORTS_AIRPORT_TOTALS_H
#define AIRPORTS_AIRPORT_TOTALS_H

#include "airports/airdb.h"

/* A document as JSON, in the arena: "filters/all", "statistics/overview" and the like, by the names of their calls
 * (airindex_totals.c has them all). Counted are the airports that searches look at. ERR_NOTFOUND: there is no such
 * document. */
enum errcode airport_totals(struct aircon *con, struct arena *a, const char *name, const char **json,
    struct err *e);

#endif
