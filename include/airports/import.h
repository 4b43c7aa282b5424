/*
 * Build a euro_aip database from the public OurAirports CSV files.
 */
#ifndef AIRPORTS_IMPORT_H
#define AIRPORTS_IMPORT_H

#include "base/errs.h"
#include "base/progress.h"

/* Facts of facts.csv have a source that begins so; the day they were gathered follows. Such facts are
 * known of a few airports only: they say nothing about the others. */
#define FACTS_SOURCE "sample of "

struct import_options {
	const char *dir;          /* holds airports.csv, runways.csv, and optionally navaids.csv,
	                             airport-frequencies.csv, countries.csv, regions.csv, facts.csv; each
	                             plain or .gz */
	const char *facts;        /* holds facts.csv to be laid over; NULL: `dir`, where there is one */
	const char *out;          /* database to make; replaced atomically, readers keep the old one */
	const char *types;        /* comma-separated; NULL: small_airport,medium_airport,large_airport,seaplane_base */
};
struct import_stats {
	int64_t airports, runways, frequencies, navaids, variations, countries, regions, facts, skipped;
};

/* ERR_INPUT (unknown type), ERR_DATA (file missing, column missing, malformed row: file and line),
 * ERR_IO (disk). After a failure there is no new file. The index is not built here. */
enum errcode import_ourairports(const struct import_options *o, progress_fn *progress, void *arg,
    struct import_stats *out, struct err *e);

#endif
