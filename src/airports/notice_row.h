/*
 * The rows of scopes and demands in a sentence, and which scopes stand around which demand.
 */
#ifndef AIRPORTS_NOTICE_ROW_H
#define AIRPORTS_NOTICE_ROW_H

#include "airports/notice_join.h"

enum { NOTICE_CELLS = 96, NOTICE_DETACHED = 8 };
enum { NOTICE_PART = 2 };         /* the gap of a comma */

struct notice_cell {
	bool demand;
	struct notice_demand d;
	struct notice_scope s;        /* one piece of a scope */
	int gap;                      /* to the cell before: 0 nothing, 1 "and", NOTICE_PART a comma */
	bool colon;                   /* a colon stands before it */
	bool and;                     /* "and", "or" stands directly before it */
	size_t first, last;           /* tokens */
};

struct notice_range {
	size_t from, end;
};

struct notice_block {
	struct notice_range cells;           /* its demands */
	struct notice_range before, behind;  /* its scopes */
};

/* One sentence. */
struct notice_row {
	const struct notice_item *item;
	struct notice_cell cell[NOTICE_CELLS + 1];
	size_t ncells;
	struct notice_block block[NOTICE_CELLS];
	size_t nblocks;
	bool condition;               /* a condition is named */
	bool other_flights;           /* "other flights", which are not those of the heading */
};

/* Read the sentence item[from] to item[end]. Parentheses that are sentences of their own are left out and
 * noted in detached, which has room for NOTICE_DETACHED; NULL: there are none. Returns their number. */
size_t notice_row_read(struct notice_row *j, const struct notice_item *item, size_t from, size_t end,
    struct notice_range *detached);
/* The kinds of scopes in some cells: bits of enum notice_scope_bits. */
unsigned notice_kinds_in(const struct notice_row *j, struct notice_range r);

#endif
