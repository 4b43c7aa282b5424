/*
 * Countries of the world: ISO-2 codes, English names and adjectives (conf/facts/countries.txt).
 */
#ifndef AIRPORTS_COUNTRIES_H
#define AIRPORTS_COUNTRIES_H

#include <stdbool.h>
#include <stddef.h>

struct country {
	char code[3];
	size_t index;             /* of country_at() */
	const char *name;         /* "United Kingdom" */
	/* folded lists, separated by "|"; "" when empty */
	const char *adjectives;   /* "british|english|scottish|welsh" */
	const char *aliases;      /* "uk|great britain|england|scotland|wales" */
	const char *people;       /* "brit|brits" */
	const char *neighbours;   /* codes: "FR|IE" */
	/* if several places have one name, one in these countries is meant */
	bool preferred;
};

size_t country_count(void);
const struct country *country_at(size_t i);                  /* in order of their codes */
const struct country *country_by_code(const char *code);     /* any case; NULL: none */
/* Folded text equal to a name, an alias or an adjective ("france", "uk", "french"). */
const struct country *country_by_name(const char *folded);
/* A folded word for people of a country ("brits"). */
const struct country *country_by_people(const char *folded);
/* Does the geocoder prefer this country when the text names several places? */
bool country_preferred(const char *code);

#endif
