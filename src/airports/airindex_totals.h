/*
 * Counts of a whole database, made when its index is built: what the calls under /api/filters and /api/statistics and
 * /api/procedures/statistics answer, as finished JSON. They are kept in the index (table totals), so that no request
 * counts anything.
 */
#ifndef AIRPORTS_AIRINDEX_TOTALS_H
#define AIRPORTS_AIRINDEX_TOTALS_H

#include "airports/airindex_load.h"
#include "base/arena.h"
#include "base/errs.h"

struct airindex_total {
	/* "filters/all"; with "*" in front: of all idents, and not only of those of four characters */
	const char *name;
	const char *json;
};

/* Count in the open source what was loaded from it. Arena memory. ERR_DATA, ERR_HUP. */
enum errcode airindex_totals_count(struct arena *mem, struct db *src, const struct airindex_load *l, stop_fn *stop,
    void *arg, struct airindex_total **out, size_t *n, struct err *e);

#endif
