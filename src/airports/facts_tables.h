/*
 * The tables made from the files of facts, for the modules that look things up in them, and the
 * function that reads each file.
 */
#ifndef AIRPORTS_FACTS_TABLES_H
#define AIRPORTS_FACTS_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "airports/key_table.h"
#include "base/datafile.h"

struct area;
struct country;
struct country_name;
struct notice_words;
struct town;

struct fact_words {
	char **word;
	size_t n;
};

enum place_words {
	WORDS_GENERIC, WORDS_COMMON, WORDS_WATER, WORDS_MOUNTAIN, WORDS_MILITARY, WORDS_GLIDING, WORDS_ARTICLE, WORDS_OWN_ARTICLE, WORDS_INSIDE,
	WORDS_BEFORE, WORDS_BEHIND, WORDS__MAX
};

enum { ICAO_LETTERS = 4 };

struct facts {
	struct arena *mem;
	struct arena *scratch;                /* only while the files are read */
	const char *dir;
	uint64_t stamp;

	struct country *country;              /* in order of their codes */
	size_t ncountries;
	struct country_name *names;           /* hash table: names, aliases and adjectives */
	struct country_name *people;          /* the same for words for inhabitants */
	size_t nslots, npeople;               /* powers of two */

	struct icao_prefix {
		char letters[ICAO_LETTERS + 1];
		const char *country;
	} *prefix;
	size_t nprefixes;

	struct town *town;                    /* in the file's order, as the next tables */
	size_t ntowns;
	struct key_table town_names;
	struct exonym {
		const char *country;
		struct fact_words names;           /* keys of one place */
	} *exonym;
	size_t nexonyms;
	struct key_table exonym_names;

	struct fact_words place_words[WORDS__MAX];
	struct short_form {
		struct fact_words from;            /* "st", "sankt" */
		const char *to;               /* "saint" */
	} *short_form;
	size_t nshort_forms;

	struct area *area;
	size_t nareas;
	struct key_table area_names;

	struct surface {
		unsigned class;               /* AF_HARD and the like */
		enum { SURFACE_IS, SURFACE_HOLDS, SURFACE_BEGINS } how;
		struct fact_words words;
	} *surface;
	size_t nsurfaces;

	struct aircraft {
		const char *type;             /* folded */
		const char *called;           /* for people: "Cessna 172" */
		double mtow_kg, cruise_kt;
		struct fact_words names;
	} *aircraft;
	size_t naircraft;

	struct fact_words *currency;               /* codes of ISO 4217 in small letters, a list for each continent */
	size_t ncurrencies;

	struct notice_words *notice_words;    /* notice_words.h */
};

/* The tables of the process; aborts if there are none. */
const struct facts *facts_in_use(void);

/* One function for each file, in this order: what a later file needs has been read before. */
typedef enum errcode facts_reader(struct facts *f, struct datafile *d, struct err *e);
facts_reader countries_read, neighbours_read, preferred_countries_read, icao_prefixes_read,
    place_words_read, towns_read, exonyms_read, areas_read, surfaces_read,
    aircraft_read, currencies_read, notice_words_read;

/* The country of a field that must be an ISO code. NULL: it is not one, which is a fault. */
struct country *facts_country(const struct facts *f, const struct datafile *d,
    const struct datafile_row *r, const char *code, struct err *e);
/* A list of words, folded, in memory of the facts. */
enum errcode facts_words(struct facts *f, const struct datafile *d, const struct datafile_row *r,
    size_t field, struct fact_words *out, struct err *e);
bool fact_words_have(const struct fact_words *w, const char *word);

#endif
