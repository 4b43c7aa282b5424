/*
 * Places: from what a pilot types to a point on the map.
 *
 * A code in small letters or as a name ("Faro", "lima", "pau") means the city of that name, if
 * there is one.
 *
 * Order: ident → IATA code → coordinates ("48.85, 2.29", "48°51'N 2°17'E", "N4851 E00217") →
 * geocoder if one is configured → local gazetteer (municipalities, airport names, regions and
 * countries of the database). A country that the user named has priority over the geocoder's
 * preferred countries.
 */
#ifndef AIRPORTS_PLACE_H
#define AIRPORTS_PLACE_H

#include "airports/airdb.h"
#include "base/watch.h"

enum place_source { PLACE_IDENT, PLACE_IATA, PLACE_COORDS, PLACE_GEOCODER, PLACE_GAZETTEER };

struct place {
	enum place_source source;
	double lat, lon;
	const char *label;            /* "Fairoaks Airport (EGTF)", "Paris, France" */
	const char *country;          /* ISO-2 or NULL */
	bool is_airport;              /* airport is filled */
	struct airport airport;
	/* key of the name in the text, without its area; NULL: there is none */
	const char *name;
	bool airport_said;            /* the text says airport, aerodrome or the like */
	double distance_nm;           /* place_airport(): distance from the place to the airport */
	const char *why;              /* not found: the reason, for the answer */
};

/* A geocoder behind one function (Geoapify in production, fixed answers in tests). It may wait for
 * the network; the watch (may be NULL) can end that wait. OK with *found false: it does not know
 * the place. ERR_UPSTREAM: it could not answer. All other codes come from the watch. */
struct geocoder {
	enum errcode (*look)(struct geocoder *g, struct arena *a, const char *text,
	    const char *country /* ISO-2 or NULL */, const struct watch *w, struct place *out,
	    bool *found, struct err *e);
};

/* How one turn uses the geocoder. */
struct geocoding {
	struct geocoder *geocoder;    /* NULL: there is none */
	const struct watch *watch;
};

/*
 * Resolve `text`, with an optional country hint (ISO-2) from the context. A country inside the text
 * counts too: "Paris, France", "Lyon (FR)", "Cambridge UK", "Paris in Texas" (region name).
 * The geocoder, if there is one, is asked before the gazetteer. The connection rests meanwhile
 * (aircon_rest()), so rows from before the call are invalid after it.
 * OK with *found false and out->why when nothing fits. ERR_DATA: the database failed. Other codes:
 * no connection was free, or the watch ended the wait.
 */
enum errcode place_resolve(struct aircon *con, struct arena *a, const struct geocoding *g,
    const char *text, const char *country, struct place *out, bool *found, struct err *e);

/* Is this folded text exactly a place of the gazetteer (municipality, airport name with or without
 * "airport"/"aerodrome", region)? For planners that look for places in a sentence: common words that
 * also name a place ("most", "field", "along") are not. Exact, indexed, < 50 µs. */
bool place_known(struct aircon *con, const char *folded);

/* Parse coordinates in any of the forms above. */
bool place_coords(const char *text, double *lat, double *lon);

/* The purpose of the airport. */
enum place_wish {
	PLACE_MAIN,                   /* "tell me about Munich": the one the town is known for */
	PLACE_END,                    /* "from Munich": the nearest of those with its name */
};

/*
 * The airport that a text means: place_resolve(); if the place is not an airport, the airport that
 * stands for it. Airports within 25 NM that serve civil traffic come first, in this order: one that
 * is called like the place ("Munich Airport"; in any of its languages), one with the place's name
 * in its own, one whose municipality it is. PLACE_MAIN, and a text that says airport, consider size
 * and scheduled service as much as the name; PLACE_END takes the nearest. Then come military ones
 * with the name, then place_nearest() within max_nm. Heliports, balloonports and seaplane bases are
 * used only if there is nothing else, or by their full name.
 *
 * OK with *found false and out->why if nothing fits; else out is the place as resolved, with its
 * airport and the distance to it.
 */
enum errcode place_airport(struct aircon *con, struct arena *a, const struct geocoding *g,
    const char *text, enum place_wish wish, double max_nm, struct place *out, bool *found,
    struct err *e);

/* The nearest airport within max_nm, preferably in `country` (ISO-2 or NULL). Military ones only if
 * there is no other; heliports, balloonports and seaplane bases only if there is nothing else. */
enum errcode place_nearest(struct aircon *con, struct arena *a, double lat, double lon,
    const char *country, double max_nm, struct airport *out, double *distance_nm, bool *found,
    struct err *e);

#endif
