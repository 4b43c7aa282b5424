/*
 * Which days, times and flights a demand is for.
 */
#ifndef AIRPORTS_NOTICE_JOIN_H
#define AIRPORTS_NOTICE_JOIN_H

#include "airports/notice_items.h"

enum notice_scope_bits { NOTICE_HAS_DAYS = 1, NOTICE_HAS_TIMES = 2, NOTICE_HAS_AREA = 4, NOTICE_HAS_OTHER = 8 };

struct notice_scope {
	unsigned has;                 /* what was named for it */
	unsigned inherited;           /* what it has from the words before */
	struct notice_days days;
	struct notice_times times;
	bool schengen, non_schengen;
	size_t first, last;           /* tokens */
};

enum { NOTICE_VALUES = 8, NOTICE_SCOPES = 8, NOTICE_GROUPS = 48 };

/* Demands and all the scopes that each of them is for; without a scope they are for all flights. */
struct notice_group {
	struct notice_demand value[NOTICE_VALUES];
	size_t nvalues;
	struct notice_scope scope[NOTICE_SCOPES];
	size_t nscopes;
	bool condition;               /* its sentence names a condition */
	bool present;                 /* its sentence says that customs is there */
	bool spread;                  /* "Schengen flights only": for all that was said before */
	size_t sentence;
	size_t first, last;           /* tokens */
};

/* The groups of a text whose other items are muted, in its order, at most NOTICE_GROUPS. */
size_t notice_join(struct notice_group *out, const struct notice_item *item, size_t n);

#endif
