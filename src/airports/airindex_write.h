/*
 * Writing the tables of the sidecar index (airindex.h) from what was loaded.
 */
#ifndef AIRPORTS_AIRINDEX_WRITE_H
#define AIRPORTS_AIRINDEX_WRITE_H

#include <stdint.h>

#include "airports/airindex_load.h"
#include "airports/airindex_totals.h"
#include "base/progress.h"

struct db;

struct airindex_write {
	struct db *db;                /* the new file, empty */
	const struct airindex_load *load;
	const struct airindex_total *totals;   /* airindex_totals.h */
	size_t ntotals;
	const char *version, *source, *facts;  /* written to table meta */
	progress_fn *progress;        /* may be NULL, as stop */
	stop_fn *stop;
	void *arg;                    /* of both */
};
/* One transaction, committed. ERR_IO, ERR_HUP (stopped). */
enum errcode airindex_write(const struct airindex_write *w, struct err *e);

/* A packed airport, as in the blobs of `page` and `spot`. */
enum { AIRREC_IDENT = 12, AIRRECS = 80 };
struct airrec {
	double lat, lon;                  /* NaN: unknown */
	float longest_ft, elevation_ft;
	uint32_t row, flags;
	char ident[AIRREC_IDENT];         /* "": it is too long, see table airport */
	char country[3];                  /* "": unknown */
	uint8_t type;
};
_Static_assert(sizeof(struct airrec) == 48, "records are stored as they are");

#endif
