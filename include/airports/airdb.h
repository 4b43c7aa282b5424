/*
 * The airport database: a euro_aip SQLite file, which is never written, and beside it an index file
 * (derived values, R*Tree, FTS5, places). The index is built once, atomically, shared by all
 * processes through the page cache, and built again when the source changes.
 *
 * A struct airdb is made once per process and used by all threads; a thread takes a handle for one
 * tool call. Nothing is loaded into memory at start.
 */
#ifndef AIRPORTS_AIRDB_H
#define AIRPORTS_AIRDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "airports/airport.h"
#include "base/arena.h"
#include "base/errs.h"
#include "base/progress.h"
#include "base/watch.h"

struct airdb;
struct row_bits;
struct aircon;            /* a handle on the database: one thread, one tool call */

struct airdb_config {
	const char *path;         /* AIRPORTS_DB */
	const char *index_path;   /* NULL: path + ".index", or in cache_dir where that folder can't be written */
	const char *cache_dir;    /* NULL: no other place */
	const char *places_path;  /* imported places, used when the file is there; NULL: none */
	bool all_idents;          /* searches use every ident, not only those of four characters */
	int connections;          /* most connections in the pool; 0: 8 */
};

enum airdb_state { AIRDB_READY, AIRDB_INDEXING, AIRDB_FAILED };

/*
 * Open. Returns at once: a missing index is built by a background thread (one process builds it,
 * others wait for the file). A source that is missing, empty, not SQLite, or lacks a needed table
 * or column is no error here. The log then says what is wrong and what to do, and the state is
 * AIRDB_FAILED. As long as there are calls, the source is checked again every five seconds.
 * ERR_INTERNAL: out of memory.
 */
enum errcode airdb_open(struct airdb **out, const struct airdb_config *c, struct err *e);
void airdb_close(struct airdb *db);
/* For health and check: state, airports in the index, reason when failed. */
enum airdb_state airdb_state(struct airdb *db, int64_t *nairports, struct err *why);

/* Build the index now, in this thread (import, check). Does nothing if it is current. `progress`
 * may be NULL. */
enum errcode airdb_index(const struct airdb_config *c, progress_fn *progress, void *arg,
    struct err *e);

/*
 * Get a handle; waits up to wait_ms for an index that is being built. Notices a changed source (at
 * most every two seconds) and has it re-indexed in the background, serving the old index
 * meanwhile. ERR_DATA: there is no usable source or index; ERR_PREPARING: the index is being built.
 *
 * A handle costs little. Its first look-up borrows one of the pool's few connections and waits up
 * to wait_ms for it. The handle keeps the connection until aircon_rest() or airdb_put(). When no
 * connection becomes free, that look-up and all later ones of this handle fail with the same error
 * (ERR_OVERLOAD: all are in use); the later ones do not wait.
 */
enum errcode airdb_get(struct airdb *db, int wait_ms, struct aircon **out, struct err *e);
/* The same, but a watch (may be NULL) can end every wait of the handle; then the result is the
 * watch's code. */
enum errcode airdb_get_watched(struct airdb *db, int wait_ms, const struct watch *w,
    struct aircon **out, struct err *e);
void airdb_put(struct aircon *con);              /* ends the handle; NULL is allowed */
/*
 * Give the connection back while nothing is looked up. Call it before waiting for the network and
 * before long computing. The next look-up borrows a connection again, perhaps to a newer index, so
 * rows from before the rest (airport.row, gaz_hit.row) must not be used after it. Do not call it
 * inside a visit or between the steps of a statement. NULL and a resting handle are allowed.
 */
void aircon_rest(struct aircon *con);
/* OK, or why a look-up of this handle got no connection. For look-ups that return only true or
 * false. */
enum errcode aircon_lost(const struct aircon *con);

/* Which kinds of data does this database have at all? Used for notes in answers. */
struct airdb_facts {
	int64_t airports, with_aip, with_procedures, with_fuel, entries /* points of entry */;
	int64_t listed_entries;   /* without sample facts: 0: other airports may be points of entry too */
	const char *provenance;   /* model_metadata 'provenance' or NULL; arena */
};
enum errcode airdb_facts(struct aircon *con, struct arena *a, struct airdb_facts *out,
    struct err *e);

/* By ident, any length, case-insensitive; then by IATA code; then by icao/gps code in that
 * order. OK with *found false when there is none. */
enum errcode airdb_by_code(struct aircon *con, struct arena *a, const char *code,
    struct airport *out, bool *found, struct err *e);
/* The idents of four characters that begin with `prefix` (any case), in their order, at most `max`. */
enum errcode airdb_idents(struct aircon *con, struct arena *a, const char *prefix, size_t max,
    const char ***out, size_t *n, struct err *e);
/* By the index's row numbers; n airports in the order given. */
enum errcode airdb_by_rows(struct aircon *con, struct arena *a, const int64_t *rows, size_t n,
    struct airport *out, struct err *e);

/*
 * Look-ups in the source, for get_airport_details. A database may lack a table or column that only
 * a few programs write (frequencies, ends of runways, codes): then the fact is unknown.
 */
enum errcode airdb_runways(struct aircon *con, struct arena *a, const char *ident,
    struct runway **out, size_t *n, struct err *e);
/* Merged as in the original service: the later value of one section and field wins. */
enum errcode airdb_aip(struct aircon *con, struct arena *a, const char *ident,
    struct aip_entry **out, size_t *n, struct err *e);
/*
 * The airports of which an AIP entry says something: one of this standard field (name or number) or
 * with this wording of the field, whose value contains, equals, starts_with or ends_with the text, in
 * any case and with or without accents, or is not_empty. Bit r - 1 of the result is airport row r; in
 * the arena.
 */
enum errcode airdb_aip_says(struct aircon *con, struct arena *a, const char *field, const char *operator,
    const char *text, const struct row_bits **out, struct err *e);
struct row_bits {
	uint8_t *bits;
	size_t n;                     /* bytes */
};
bool row_bits_has(const struct row_bits *b, int64_t row);
/* Each name and type once; a later row adds what it knows. */
enum errcode airdb_procedures(struct aircon *con, struct arena *a, const char *ident,
    struct procedure **out, size_t *n, struct err *e);
enum errcode airdb_frequencies(struct aircon *con, struct arena *a, const char *ident,
    struct frequency **out, size_t *n, struct err *e);
enum errcode airdb_codes(struct aircon *con, struct arena *a, const char *ident,
    struct airport_codes *out, struct err *e);
/* The rest of an airport's row. An ident that is not there gives a row without facts. */
enum errcode airdb_record(struct aircon *con, struct arena *a, const char *ident,
    struct airport_record *out, struct err *e);

#endif
