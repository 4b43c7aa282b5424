/*
 * The local gazetteer: names of places, worked out from the airports when the index is built.
 *
 * Table place(key, n, kind, weight, name, country, region, lat, lon, row), key (key, n):
 * `key` is a normalised name, see place_key(); the rows of a key are numbered by n. `row` is
 * the airport itself, or the main one of a city, region or country. An airport's own names have
 * no name, lat and lon: those are in table airport.
 */
#ifndef AIRPORTS_GAZETTEER_H
#define AIRPORTS_GAZETTEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "airports/airdb.h"
#include "airports/airindex_load.h"

struct db;

enum gaz_kind { GAZ_CITY, GAZ_AIRPORT, GAZ_REGION, GAZ_COUNTRY };

struct gaz_hit {
	enum gaz_kind kind;
	double weight;                /* size of what is known by that name there */
	const char *name, *country, *region;
	double lat, lon;              /* NaN for GAZ_AIRPORT */
	int64_t row;
};

enum { PLACE_KEY_MAX = 160, GAZ_HITS = 64 };

/*
 * A name as it is looked up: folded, punctuation to blanks, "st" to "saint", words such as airport,
 * aerodrome, international left out (unless nothing else is there; *said, may be NULL, tells
 * whether there was one). "St. Gallen-Altenrhein Airport" gives "saint gallen altenrhein".
 * `spelt`: umlauts as two letters ("muenchen"). Empty when nothing is left or it is too long.
 */
void place_key(char out[PLACE_KEY_MAX], const char *text, bool spelt, bool *said);

/* The key with "ae", "oe", "ue" as one letter: "muenchen" gives "munchen". */
void place_unspelt(char out[PLACE_KEY_MAX], const char *key);

/* Well-known cities: where their middle is. */
struct city {
	char country[3];
	const char *name;
	double lat, lon;
};
extern const struct city cities[];
extern const size_t ncities;

/* A word that is also a place somewhere, but in a sentence is nearly always the word: "most", "field". */
bool place_common(const char *key);

/* Fill table place of an index being built. */
enum errcode gazetteer_write(struct db *db, const struct airindex_load *l, struct err *e);

/* What is known by that key, heaviest first within a kind; at most GAZ_HITS. Arena. */
enum errcode gazetteer_find(struct aircon *con, struct arena *a, const char *key,
    struct gaz_hit **hits, size_t *n, struct err *e);
bool gazetteer_has(struct aircon *con, const char *key);

/* Names of one city in several languages: the i-th other name of `key` in `country`. */
bool exonym(const char *key, const char *country, size_t i, char out[PLACE_KEY_MAX]);

#endif
