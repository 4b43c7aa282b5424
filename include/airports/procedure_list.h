/*
 * The instrument procedures of all airports.
 */
#ifndef AIRPORTS_PROCEDURE_LIST_H
#define AIRPORTS_PROCEDURE_LIST_H

#include "airports/airdb.h"

/* What is wanted; NULL: any. Texts are compared without regard to case. */
struct procedure_wish {
	const char *type, *approach_type, *runway, *authority, *source;
	const char *airport;          /* an ident */
	size_t offset, limit;
};

struct listed_procedure {
	struct procedure procedure;
	const char *ident, *name;     /* of the airport */
};

/* Procedures of the airports that searches look at, by ident and then in the order of the source; of one airport each
 * name and type once. Arena memory. */
enum errcode procedure_list(struct aircon *con, struct arena *a, const struct procedure_wish *wish,
    struct listed_procedure **out, size_t *n, struct err *e);

#endif
