/*
 * Places: from what a pilot types to a point on the map.
 *
 * A code in small letters or as a name ("Faro", "lima", "pau") means the city of that name, if
 * there is one.
 *
 * Order: ident → IATA code → coordinates ("48.85, 2.29", "48°51'N 2°17'E", "N4851 E00217") → areas
 * (conf/facts/areas.txt) → geocoder if one is configured → local gazetteer (municipalities, airport
 * names, regions and countries of the database, imported places). A country that the user named has
 * priority over preferred countries.
 */
#ifndef AIRPORTS_PLACE_H
#define AIRPORTS_PLACE_H

#include "airports/airdb.h"
#include "airports/area.h"
#include "base/watch.h"

enum place_source {
	PLACE_IDENT, PLACE_IATA, PLACE_COORDS, PLACE_AREA, PLACE_GEOCODER, PLACE_GAZETTEER,
};

/* Another place that the text may mean. */
struct place_other {
	const char *label, *country;
	double lat, lon;
};

enum { PLACE_OTHERS = 4 };

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
	bool nearest;                 /* place_airport(): no airport has the name of the place, and this is the nearest one */
	const struct area *area;      /* the place is an area, lat and lon are its middle; NULL: a point */
	struct place_other other[PLACE_OTHERS];      /* the likeliest first */
	size_t nothers;
	/* the part of the text that was not understood, "Texas" where no such region is known; NULL: none */
	const char *ignored;
	bool unsure;                  /* the first of them is nearly as likely */
	const char *why;              /* not found: the reason, for the answer */
};

/* What a geocoder is asked for. Countries are ISO-2 or NULL. */
struct place_said {
	const char *text;
	const char *country;          /* the place is in this one */
	const char *likely;           /* it is probably in this one */
};

/* A geocoder behind one function (Geoapify in production, fixed answers in tests). It may wait for
 * the network; the watch (may be NULL) can end that wait. OK with *found false: it does not know
 * the place. ERR_UPSTREAM: it could not answer. All other codes come from the watch. */
struct geocoder {
	enum errcode (*look)(struct geocoder *g, struct arena *a, const struct place_said *said,
	    const struct watch *w, struct place *out, bool *found, struct err *e);
};

/* What helps to resolve a place. */
struct place_context {
	struct geocoder *geocoder;    /* NULL: there is none */
	const struct watch *watch;
	/* The place is probably in this country (ISO-2, NULL: nothing is known), and not far from this
	 * point: the other end of a flight. */
	const char *country;
	const struct point *near;     /* NULL: nothing is known */
};

/* A pilot of a light aircraft hardly flies farther than this. If a place is farther away, the pilot probably means another place with the same
 * name. */
enum { PLACE_OVERSEAS_NM = 1500 };

/*
 * Resolve `text`, with an optional country hint (ISO-2) from the context. A country inside the text
 * counts too: "Paris, France", "Lyon (FR)", "Cambridge UK", "Paris in Texas" (region name). `ctx` may be
 * NULL.
 * The geocoder, if there is one, is asked before the gazetteer. The connection rests meanwhile
 * (aircon_rest()), so rows from before the call are invalid after it.
 * OK with *found false and out->why when nothing fits. ERR_DATA: the database failed. Other codes:
 * no connection was free, or the watch ended the wait.
 */
enum errcode place_resolve(struct aircon *con, struct arena *a, const struct place_context *ctx,
    const char *text, const char *country, struct place *out, bool *found, struct err *e);

/* Is this folded text exactly a place of the gazetteer (municipality, airport name with or without
 * "airport"/"aerodrome", region)? For planners that look for places in a sentence: common words that
 * also name a place ("most", "field", "along") are not. Exact, indexed, < 50 µs. */
bool place_known(struct aircon *con, const char *folded);

/* Is the text one of the towns that everybody knows (conf/facts/towns.txt), by any of its names? */
bool place_well_known(const char *text);

/* The area of conf/facts/areas.txt that a text means: "the Black Forest", "Limburg, Belgium". NULL: none.
 */
enum errcode place_area(struct aircon *con, struct arena *a, const char *text,
    const struct area **area, struct err *e);
/* Is this folded text the name of such an area? */
bool place_names_area(const char *folded);
/* "Black Forest, Germany", "Alps". */
const char *place_area_label(struct arena *mem, const struct area *a);

/* Parse coordinates in any of the forms of place_coords.c. */
bool place_coords(const char *text, double *lat, double *lon);

enum coords { COORDS_NONE, COORDS_VALID, COORDS_WRONG };
/* The same; COORDS_WRONG: the text is meant as coordinates but no place on Earth has them, and *why is
 * the reason as a clause. */
enum coords place_coords_read(const char *text, double *lat, double *lon, const char **why);

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
enum errcode place_airport(struct aircon *con, struct arena *a, const struct place_context *ctx,
    const char *text, enum place_wish wish, double max_nm, struct place *out, bool *found,
    struct err *e);

/* The nearest airport within max_nm, preferably in `country` (ISO-2 or NULL). Military ones only if
 * there is no other; heliports, balloonports and seaplane bases only if there is nothing else. */
enum errcode place_nearest(struct aircon *con, struct arena *a, double lat, double lon,
    const char *country, double max_nm, struct airport *out, double *distance_nm, bool *found,
    struct err *e);

#endif
