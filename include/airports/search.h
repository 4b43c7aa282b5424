/*
 * Airport search: candidates → filters → priority sort → cut.
 *
 * All searches leave out closed airports, heliports and balloonports, and also idents without
 * exactly four characters, unless aircon_all_idents() is true for the connection.
 */
#ifndef AIRPORTS_SEARCH_H
#define AIRPORTS_SEARCH_H

#include "airports/airdb.h"
#include "airports/area.h"
#include "airports/filter.h"
#include "airports/geo.h"
#include "airports/persona.h"

enum search_kind { SEARCH_TEXT, SEARCH_CODES, SEARCH_COUNTRY, SEARCH_NEAR, SEARCH_ROUTE, SEARCH_AREA };

/* What comes first: what is best placed and suits the persona, or the lowest recorded landing fee, the longest runway, the
 * least distance. */
enum search_order { ORDER_PRIORITY, ORDER_FEE, ORDER_RUNWAY, ORDER_DISTANCE, ORDER_HIGHEST, ORDER_LOWEST };

struct airport_query {
	enum search_kind kind;
	const char *text;                     /* TEXT: as typed */
	const char *const *codes;             /* CODES: idents; large ones are always included */
	size_t ncodes;
	const char *country;                  /* COUNTRY: ISO-2 */
	struct point from, to;                /* NEAR and AREA use from */
	const struct area *area;              /* AREA */
	double radius_nm;                     /* NEAR, ROUTE */
	bool halfway;                         /* ROUTE: only beside its middle third */
	struct json_object *filters;          /* the caller's filter object, or NULL */
	bool include_large;
	const struct fact_sources *sources;   /* beside the airports' own rows, or NULL */
	const struct persona *persona;        /* its weights order the airports; NULL: there is none */
	enum search_order order;
	size_t max;                           /* most results */
	size_t skip;                          /* so many of the first are left out, and as many lists of those that may fit */
};

/* The most airports that are listed although they only may fit, because a wanted fact is not
 * recorded; the most large airports that are named although the list leaves them out. */
enum { UNRECORDED_MAX = 10, OVERSIZED_MAX = 5 };

struct airport_hit {
	struct airport a;
	double distance_nm;                   /* NEAR, AREA: rounded to 2 decimals, as all of them */
	double segment_nm, enroute_nm;        /* ROUTE; enroute: straight from the start */
	double along_nm;                      /* ROUTE: projection on the route */
	/* names of the filters without data on it, NULL-terminated; NULL if it is known to fit */
	const char *const *unrecorded;
	struct json_object *friendly; /* friendly_brief(), in the arena; NULL: nothing is recorded */
};

struct airport_hits {
	struct airport_hit *hits;
	size_t n;                             /* shown, after the cut */
	size_t total;                         /* all that passed the filters */
	/* the best of those that may fit, in the same order; not counted in total */
	struct airport_hit *maybe;
	size_t nmaybe;
	size_t candidates;                    /* candidates before the filters */
	int64_t known;                        /* airports in the whole database */
	bool sample_facts;                    /* it holds facts of a sample: see import.h */
	/* SEARCH_NEAR by distance: a large airport nearer than the first hit, which no filter but the one on size leaves out (facts
	 * may be missing); ident NULL: there is none */
	struct airport_hit large;
	/* the best of the large airports that no filter but the one on size leaves out, in the order of the list; on the first page only */
	struct airport *oversized;
	size_t noversized;
	struct filter_report report;
};

/*
 * Results in the arena. Text is compared folded: as a substring of ident, IATA code, name or
 * municipality, or as a country code. If no airport contains the whole text, all its words must
 * occur, and a country at its end ("cannes, france") limits the search. A text that is exactly an
 * airport's code finds that airport even if it is large.
 */
enum errcode airport_search(struct aircon *con, struct arena *a, const struct airport_query *q,
    struct airport_hits *out, struct err *e);

/* Search for what q->text means: airports with these codes, those of an area or a country, or those whose
 * name or town contains it. Sets q->kind and what belongs to it; of a list of codes all are returned, even
 * more than q->max. */
enum errcode airport_find(struct aircon *con, struct arena *a, struct airport_query *q,
    struct airport_hits *out, struct err *e);

#endif
