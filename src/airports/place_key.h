/*
 * Names of places in the form in which they are compared and stored.
 */
#ifndef AIRPORTS_PLACE_KEY_H
#define AIRPORTS_PLACE_KEY_H

#include <stdbool.h>

#include "base/str.h"

struct facts;

enum { PLACE_KEY_MAX = 160 };

/*
 * The key of a name: folded, punctuation as blanks, "st" as "saint", without words such as airport,
 * aerodrome, international (unless there are no others; *said, may be NULL, tells whether there was
 * one). "St. Gallen-Altenrhein Airport" gives "saint gallen altenrhein". `spelt`: umlauts as two
 * letters ("muenchen"). Empty if nothing is left or it is too long.
 */
void place_key(char out[PLACE_KEY_MAX], const char *text, bool spelt, bool *said);
/* The same, with the words of these facts. */
void place_key_of(const struct facts *f, char out[PLACE_KEY_MAX], const char *text, bool spelt,
    bool *said);

/* Is it one of the words of a key? */
bool place_key_has(const char *key, struct str word);

/* The key with "ae", "oe", "ue" as one letter: "muenchen" gives "munchen". */
void place_unspelt(char out[PLACE_KEY_MAX], const char *key);

/* A word that is also a place somewhere, but nearly always means the word in a sentence: "most",
 * "field". */
bool place_common(const char *key);

#endif
