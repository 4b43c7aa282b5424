/*
 * Countries of the world: ISO-2 codes, English names and adjectives.
 */
#ifndef AIRPORTS_COUNTRIES_H
#define AIRPORTS_COUNTRIES_H

#include <stdbool.h>
#include <stddef.h>

struct country {
	char code[3];
	const char *name;         /* "United Kingdom" */
	const char *adjectives;   /* "|"-separated, folded: "british|english|scottish|welsh" */
	const char *aliases;      /* "|"-separated, folded: "uk|great britain|england|scotland|wales" */
};

extern const struct country countries[];
extern const size_t ncountries;

const struct country *country_by_code(const char *code);     /* any case; NULL: none */
/* Folded text equal to a name, an alias or an adjective ("france", "uk", "french"). */
const struct country *country_by_name(const char *folded);
/* Does the geocoder prefer this country when the text names several places (contract §5)? */
bool country_preferred(const char *code);

#endif
