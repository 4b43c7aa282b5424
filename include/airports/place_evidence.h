/*
 * Evidence of places for the reader of language: codes, coordinates, countries, areas, towns, airports by name.
 *
 * Kinds, and what their values look like:
 *   country            "FR"         a name, an adjective or a word for people
 *   country.code       "FR"         its code in capitals, or the letters with which its idents begin ("LF")
 *   place.area         its key      an area of conf/facts/areas.txt, or a region of the database
 *   place.town         its key      a well-known town
 *   place.name         its key      another town, or an airport by name
 *   place.common       its key      as the two above, but nearly always an ordinary word ("Nice", "Most")
 *   place.part         as typed     the first words of a longer name in Europe ("Lydd" of "Lydd London Ashford")
 *   place.slip         the right key      a name with a slip of the finger
 *   place.code         "EGTF"       an ident of the database
 *   place.code_small   "EGTF"       the same in small letters, or in a text all of capitals
 *   place.iata         "LYS"
 *   place.code_shape   "LFZZ"       not in the database, but its first letters stand for a country
 *   place.code_unknown "QQQQ"       four capitals
 *   coords             as typed
 *   refused            that of the place, for "not in Switzerland" (place_refused.h)
 */
#ifndef AIRPORTS_PLACE_EVIDENCE_H
#define AIRPORTS_PLACE_EVIDENCE_H

#include "airports/airdb.h"
#include "language/evidence.h"

/*
 * To be asked after the source of the vocabulary, which tells what is an ordinary word. `con` may be NULL:
 * then the facts alone are asked, and towns and codes that only a database knows are not found. The source
 * borrows the connection of `con` and leaves it to the caller to rest or put it.
 *
 * A trainer opens a database as every program does: airdb_open() with `source` naming a file that
 * "aviation-agent import" made, airdb_index(), airdb_get().
 */
struct evidence_source place_evidence(struct aircon *con);

#endif
