/*
 * The index file: searches read their candidates from it, and not one SQL row for each airport.
 *
 * Airports are packed in groups of 80 to a blob. They are stored three times: in the order of the table
 * (`page`), by the length of the longest runway (`ranked`), and in the order of a space-filling curve
 * (`spot`; `tile` is an R*Tree of the boxes of those groups). A search decodes a whole group in C and tests each airport in it. It loads the names
 * of the few that are left with airdb_by_rows(). The only way to the groups is by the visitors below.
 * airindex_build.h describes how the file is made.
 *
 * The groups make searches fast. With one row for each airport in tables of SQLite (an R*Tree entry
 * each, an index by country, instr() for short texts) a search that passes many airports takes 6 to 18
 * times the processor time. Measured on all airports of OurAirports: a route across the United States
 * takes 4.3 ms with rows and 0.6 ms with groups, a large country 7.2 ms and 0.7 ms.
 *
 * A visited airport is valid during the call. Filled: row, ident, country, lat, lon, longest_ft,
 * type, flags. NULL or NaN: name, municipality, region, iata, elevation_ft. Rows are numbered 1..n
 * in the order of the source table, without gaps.
 *
 * Every airport of the source is in the index except those of type closed. Heliports and idents
 * without AF_ICAO4 are there too, so the search must leave them out. Airports without a usable
 * position (lat, lon NaN) are not visited by airindex_boxes().
 *
 * Tables of the index file (schema "main" of aircon_db()); the file is replaced as a whole by
 * rename, never changed:
 *   meta(key PRIMARY KEY, value)       version, stamps of source and facts, counts, provenance
 *   airport(row INTEGER PRIMARY KEY, ident, name, municipality, country, region, iata, gps,
 *           lat, lon, elevation_ft, longest_ft, type INTEGER, flags INTEGER, runways, procedures,
 *           entries); index by region
 *   code(code, kind, rank, row)        key all four; code in capitals; kind 0 ident, 1 IATA,
 *                                      2 gps code; rank: large airports first
 *   page(n INTEGER PRIMARY KEY, data)  records of rows 80 * n + 1 … 80 * n + 80
 *   ranked(n INTEGER PRIMARY KEY, data)  records by length of the longest runway, longest first
 *   tile                               R*Tree(n, south, north, west, east). The records are not in
 *                                      it, because SQLite prepares a statement for each search to
 *                                      read an extra column
 *   spot(tile PRIMARY KEY, data)       the records of each tile
 *   words                              FTS5, trigram, contentless, rowid = row; columns ident, name,
 *                                      municipality, iata, all folded with str_fold()
 *   short(page, ends, data)            the same folded texts, four lines an airport, to be read
 *                                      from end to end; ends: where those of each airport end
 *   often(text PRIMARY KEY, rows)      the airports (row_list.h) of every text of one and two
 *                                      characters and of frequent words, folded
 *   totals(name PRIMARY KEY, json)     counts of the whole database, see airindex_totals.h
 *   place, …                           the gazetteer, see gazetteer_build.h
 */
#ifndef AIRPORTS_AIRINDEX_H
#define AIRPORTS_AIRINDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "airports/airdb.h"

/* Degrees; west > east crosses the 180th meridian. */
struct airbox {
	double south, north, west, east;
};

/* Return false to stop. May use airdb_by_rows(), but start no other visit on the connection. */
typedef bool airport_fn(void *arg, const struct airport *a);

/* Every airport, in table order. */
enum errcode airindex_all(struct aircon *con, airport_fn *fn, void *arg, struct err *e);
/* Every airport that lists show and that has a position, the longest runway first; those of one length,
 * and those of unknown length at the end, in table order. */
enum errcode airindex_ranked(struct aircon *con, airport_fn *fn, void *arg, struct err *e);
/* Airports of a country (ISO-2, any case), in table order. */
enum errcode airindex_country(struct aircon *con, const char *country, airport_fn *fn, void *arg,
    struct err *e);
/* Airports of a country, and those of which a text of one or two characters is part (airindex_text()),
 * each once, in table order. Two visits would read the airports of the world twice. */
enum errcode airindex_code_text(struct aircon *con, const char *country, const char *folded,
    airport_fn *fn, void *arg, struct err *e);
/* Airports of a region (ISO 3166-2, as in the source), in table order. */
enum errcode airindex_region(struct aircon *con, const char *region, airport_fn *fn, void *arg,
    struct err *e);
/* Airports whose folded ident, name, municipality or IATA code contains `folded`
 * (from str_fold()), in table order. Nothing for empty text. */
enum errcode airindex_text(struct aircon *con, const char *folded, airport_fn *fn, void *arg,
    struct err *e);
/* At least all airports within any of the boxes, each once, in no particular order; also some
 * outside them. For a route: one box for every piece of a few degrees. */
enum errcode airindex_boxes(struct aircon *con, const struct airbox *boxes, size_t n,
    airport_fn *fn, void *arg, struct err *e);

#endif
