/*
 * ICAO location indicators: which country their first letters stand for.
 */
#ifndef AIRPORTS_ICAO_PREFIX_H
#define AIRPORTS_ICAO_PREFIX_H

/*
 * The country (ISO-2) of a location indicator or of its beginning, in capitals: "LFMD", "LF" and
 * "LFxx" are FR, "EGJJ" is JE. What decides is the longest beginning that is assigned; one letter
 * alone counts only where all of it belongs to one country ("K"). NULL: not assigned, or not known.
 * Airports of a database know better: some carry a neighbour's letters.
 */
const char *icao_prefix_country(const char *text);

#endif
