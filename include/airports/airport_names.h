/*
 * The words by which people name an airport: those of its name and of its town, without "airport", "aerodrome" and the like.
 */
#ifndef AIRPORTS_AIRPORT_NAMES_H
#define AIRPORTS_AIRPORT_NAMES_H

#include "airports/airport.h"

enum { AIRPORT_NAMES_BYTES = 160 };

struct airport_names {
	char name[AIRPORT_NAMES_BYTES], town[AIRPORT_NAMES_BYTES];
};

void airport_names_of(struct airport_names *out, const struct airport *a);

/* Is this folded word one of them? */
bool airport_names_have(const struct airport_names *n, const char *word);
/* Are all words of a name among them? "Gamston airport" is in "Retford Gamston Airfield". False: the name has no word. */
bool airport_names_have_all(const struct airport_names *n, const char *name);

/* Does the airport's own name, without its town, have all these words? "La Teste" is in "Arcachon-La Teste-de-Buch". */
bool airport_own_name_has_all(const struct airport_names *n, const char *name);

/* A folded word that nearly always means something else in a sentence: "north", "field". */
bool airport_name_is_common(const char *word);

#endif
