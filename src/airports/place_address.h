/*
 * The text of a place as a name and where that is: "Paris, Texas, USA" is Paris, in one of the
 * meanings of Texas and of USA.
 */
#ifndef AIRPORTS_PLACE_ADDRESS_H
#define AIRPORTS_PLACE_ADDRESS_H

#include "airports/airdb.h"

enum { ADDRESS_MEANINGS = 8 };

struct place_address {
	const char *name;            /* without the rest */
	/* "in France", "in Texas": one meaning of a part. Of each part one meaning must fit. */
	struct {
		const char *country, *region;         /* one of them */
		int part;
	} meaning[ADDRESS_MEANINGS];
	size_t n;                    /* 0: anywhere */
	int parts;
	const struct area *area;     /* a part is this area, and the place is probably in it; NULL: none is */
	const char *said;            /* the parts as they were typed; NULL: none */
	const char *unread;          /* parts that are no known country or region; NULL: none */
};

/* The text as nothing but a name. */
struct place_address address_whole(const char *text);
/* Split at a comma, brackets or a word such as "in" or "im"; `*split`: a part is a known country, region or area. */
enum errcode address_split_marked(struct place_address *out, struct aircon *con, struct arena *a,
    const char *text, bool *split, struct err *e);
/* The same; where there is no such mark, the last words may be a country or region: "Cambridge UK". */
enum errcode address_split(struct place_address *out, struct aircon *con, struct arena *a,
    const char *text, bool *split, struct err *e);

/* Does the address allow a place in this country and region? */
bool address_allows(const struct place_address *p, const char *country, const char *region);
/* The only country that the address allows, ISO-2; NULL: there are several, or all. */
const char *address_country(const struct place_address *p);

/* The name without words around it that mean nothing: "the Paris area", "near Lyon". */
const char *address_plain(struct arena *a, const char *name);

#endif
