/*
 * A running search: it gets candidates and keeps the best.
 */
#ifndef AIRPORTS_SEARCH_CANDIDATES_H
#define AIRPORTS_SEARCH_CANDIDATES_H

#include "airports/countries.h"
#include "airports/priority.h"
#include "airports/search.h"

struct search_found {
	struct priority key;
	double distance, segment;
	unsigned unknown;             /* bit i: filter i of the set has no data on it */
};

/* The best few candidates. */
struct search_best {
	struct search_found *heap;           /* the worst on top */
	size_t n, max;
};

struct airport_search {
	const struct airport_query *q;
	struct arena *mem, *work;     /* memory for the results; for the search itself */
	bool all_idents;
	bool bare;                    /* there is nothing to compute a score from */
	bool blind;                   /* nor any distance */
	struct geo_leg leg;
	const struct fact_view *facts;
	double mtow_kg;               /* of the aircraft whose landing fees are shown */
	struct filter_set filters;
	struct filter_set pardoned;   /* the same with large airports let through */
	int64_t exact;                /* the row whose code the text is; 0: none */
	int bucket;                   /* the present visit, in text searches */
	const struct country *only;   /* the text names a country: other countries are left out */
	struct search_found large;    /* the nearest that is left out for its size alone; row 0: none */
	struct search_best fit, maybe;       /* may fit: no filter says no, but some have no data */
	struct search_best oversized;        /* left out for their size alone */
	struct airport_hits *out;
};

/* Add a candidate, if it may be found, has an allowed position and passes the filters. */
void search_consider(struct airport_search *s, const struct airport *a);
/* The same as an airport_fn; `s` is the search. */
bool search_visit(void *s, const struct airport *a);
/* Sort those found, best first. */
int search_found_cmp(const void *a, const void *b);
/* num_round(v, 2) of a distance. */
double search_round2(double v);
/* Does a search look at such airports? `all_idents`: not only at four-character idents. */
bool search_shows(const struct airport *a, bool all_idents);
/* Is the airport in this country? `code` in capitals. */
bool search_in_country(const struct airport *a, const char *code);

#endif
