/*
 * One airport as search, tools and place resolution see it, and the facts that are derived from its
 * runways and AIP entries when the index is built.
 */
#ifndef AIRPORTS_AIRPORT_H
#define AIRPORTS_AIRPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum tri { TRI_UNKNOWN = -1, TRI_NO = 0, TRI_YES = 1 };

enum airport_type {
	TYPE_SMALL, TYPE_MEDIUM, TYPE_LARGE, TYPE_SEAPLANE, TYPE_HELIPORT, TYPE_BALLOON,
	TYPE_CLOSED, TYPE_OTHER, TYPE__MAX
};

/* Facts packed into one integer of the index, so that filters need no second look-up. */
enum airport_flag {
	AF_ENTRY      = 1 << 0,    /* border crossing point (point of entry) */
	AF_PROCEDURES = 1 << 1,    /* any instrument procedure */
	AF_AIP        = 1 << 2,    /* any AIP entry */
	AF_HARD       = 1 << 3,    /* any open runway of that surface class */
	AF_SOFT       = 1 << 4,
	AF_WATER      = 1 << 5,
	AF_SNOW       = 1 << 6,
	AF_LIGHTED    = 1 << 7,
	AF_AVGAS      = 1 << 8,    /* known to have it */
	AF_AVGAS_KNOWN = 1 << 9,   /* known either way: it has it or not */
	AF_JETA       = 1 << 10,
	AF_JETA_KNOWN = 1 << 11,
	AF_RUNWAYS    = 1 << 12,   /* it has a runway, perhaps a closed one */
	AF_ICAO4      = 1 << 13,   /* the ident has exactly four characters: searches use it */
	AF_SCHEDULED  = 1 << 14,   /* scheduled service */
	AF_SEAPLANES  = 1 << 15,   /* only for them: airport_use() */
	AF_MOUNTAIN   = 1 << 16,
	AF_MILITARY   = 1 << 17,
	AF_ENTRY_UNLISTED = 1 << 18,    /* no airport of its country is a point of entry: the lists leave that country out */
	AF_SURFACE_UNKNOWN = 1 << 19,   /* at least one open runway has no surface that is known */
};

/* Strings live in the arena of the call that filled it; a missing text is NULL. */
struct airport {
	/* its place in the source table, in which every scan is ordered */
	int64_t row;
	const char *ident, *name, *municipality, *country /* ISO-2 */, *region, *iata;
	double lat, lon;           /* degrees */
	double elevation_ft;       /* NaN: unknown */
	double longest_ft;         /* longest open runway; NaN: unknown */
	enum airport_type type;
	unsigned flags;
	/* how many it has; 0 in a visit of the index */
	int nrunways, nprocedures, nentries;
};

/* What belongs to an airport. Numbers are NaN and texts NULL where they are unknown. */
struct runway_end {
	double lat, lon, elevation_ft, heading_true /* degrees */, displaced_ft;
};
struct runway {
	const char *le_ident, *he_ident, *surface;
	double length_ft, width_ft;
	bool lighted, closed;
	struct runway_end le, he;
	const char *created;          /* when the row was made, ISO 8601; as everywhere below */
};
struct frequency {
	const char *type, *description;   /* "TWR", "Lille Approach" */
	double mhz;
};
struct procedure {
	/* "RWY13 ILS LOC", "approach", "ILS", "13" */
	const char *name, *type, *approach_type, *runway;
	const char *runway_number, *runway_letter;
	const char *source, *authority, *raw_name, *created, *updated;
};
struct airport_codes {
	const char *icao, *iata, *local, *home_link;
};
struct aip_entry {
	const char *section, *field, *value, *std_field;
	int std_field_id;             /* 0: none */
	double mapping_score;         /* how well `field` fits `std_field`, 0 to 1 */
	const char *alt_field, *alt_value;    /* in the local language */
	const char *source, *created;
};
/* The row of an airport in the source: what struct airport leaves out. Sources are the names in
 * `sources`, separated by commas. */
struct airport_record {
	const char *type, *continent, *scheduled_service, *gps_code, *iata_code, *local_code;
	const char *home_link, *wikipedia_link, *keywords, *sources, *created, *updated;
};

enum tri airport_avgas(const struct airport *a);
enum tri airport_jeta(const struct airport *a);
const char *airport_type_name(enum airport_type t);          /* "small_airport", … */
enum airport_type airport_type_of(const char *name);

/* Airports that are not for every pilot: water without a runway on land, glaciers and altiports for trained
 * pilots, military airfields, of which many take civil traffic but most ask for permission. One with
 * scheduled service is open to all. */
enum airport_use { USE_ORDINARY, USE_WATER, USE_MOUNTAIN, USE_MILITARY, USE__MAX };

enum airport_use airport_use(const struct airport *a);
/* "water", "mountain", "military"; NULL for an ordinary one. */
const char *airport_use_name(enum airport_use use);

/* Surface text to AF_HARD, AF_SOFT, AF_WATER, AF_SNOW, or 0. */
unsigned surface_class(const char *surface);
/* Fuel text (AIP field 402): is AVGAS or Jet A known to be there, or known not to be there? "AVGAS:
 * NIL" is no, "100 LL" is yes. NULL or blank: unknown. */
enum tri fuel_avgas(const char *value);
enum tri fuel_jeta(const char *value);

#endif
