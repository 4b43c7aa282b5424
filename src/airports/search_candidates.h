/*
 * A search at work: it is given candidates and keeps the best.
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

/* The best few of what is offered. */
struct search_best {
	struct search_found *heap;           /* the worst on top */
	size_t n, max;
};

struct airport_search {
	const struct airport_query *q;
	struct arena *mem, *work;     /* of what is found; of the search itself */
	bool all_idents;
	bool bare;                    /* there is nothing to score by */
	bool blind;                   /* nor any distance */
	struct geo_leg leg;
	struct filter_set filters;
	struct filter_set pardoned;   /* the same with large airports let through */
	int64_t exact;                /* row that the text is the code of, 0: none */
	int bucket;                   /* of what is being visited, for text searches */
	const struct country *only;   /* the text names a country: other airports are out */
	struct search_best fit, maybe;       /* maybe: no filter says no, but some have no data */
	struct airport_hits *out;
};

/* Take a candidate in, if it may be found, lies where it should and passes the filters. */
void search_consider(struct airport_search *s, const struct airport *a);
/* The same as an airport_fn; `s` is the search. */
bool search_visit(void *s, const struct airport *a);
/* Order of those found, best first. */
int search_found_cmp(const void *a, const void *b);
/* The airport's country is that one; `code` in capitals. */
bool search_in_country(const struct airport *a, const char *code);

#endif
