/*
 * Databases out of public files: airports (euro_aip) from the OurAirports CSV files, and friendliness
 * (ga_persona) from an airport database.
 */
#ifndef AIRPORTS_IMPORT_H
#define AIRPORTS_IMPORT_H

#include "base/errs.h"
#include "base/progress.h"

/* Facts of facts.csv have a source that begins so; the day they were gathered follows. Such facts are
 * known of a few airports only: they say nothing about the others. */
#define FACTS_SOURCE "sample of "
/* What the provenance of a database says that holds such facts. */
#define FACTS_PROVENANCE "Some customs, fuel and fees: a sample."

struct notice_model;

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

struct import_places {
	const char *file;         /* GeoNames text format; "-": standard input */
	const char *out;          /* database to make; replaced as a whole */
	int64_t least;            /* towns with fewer inhabitants are left out */
	int64_t places, names, skipped;       /* what was done */
};
/* Places for airdb_config.places_path. The facts must be open. ERR_DATA (file missing, or a malformed
 * line: file and line), ERR_IO (disk). After a failure the old file stays. */
enum errcode import_places(struct import_places *o, progress_fn *progress, void *arg,
    struct err *e);

/* Write what the airport database says of hotels, restaurants, IFR and fees into the database `out`,
 * which is made when it is missing; reviews and fees that it holds are kept. It is replaced as a
 * whole. *n: airfields. The facts must be open. ERR_DATA (no airport database), ERR_IO. */
enum errcode import_friendliness(const char *airports_db, const char *out, int64_t *n,
    struct err *e);

/* Write what can be read from the customs texts of the airport database into the notice database `out`,
 * which is made when it is missing and replaced as a whole. Rows that others wrote are kept; an airport
 * with such a row gets no further row. `model` reads difficult texts; NULL: no model does. *n: rows written. The
 * facts must be open. ERR_DATA, ERR_IO. */
enum errcode import_notices(const char *airports_db, const char *out, struct notice_model *model,
    int64_t *n, struct err *e);

#endif
