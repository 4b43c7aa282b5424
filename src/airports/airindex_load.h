/*
 * A whole euro_aip database in memory, derived values included, for as long as the index is built.
 */
#ifndef AIRPORTS_AIRINDEX_LOAD_H
#define AIRPORTS_AIRINDEX_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "airports/airport.h"
#include "base/arena.h"
#include "base/errs.h"

struct db;

struct loaded {
	struct airport a;             /* row is the index in the array + 1 */
	const char *gps;              /* gps code if it differs from the ident, or NULL */
	const char *keywords;         /* other names, separated by commas, or NULL */
};

struct region {
	const char *code, *name;      /* "US-TX", "Texas" */
};

struct airindex_load {
	struct arena *mem;            /* holds everything below */
	struct loaded *airports;      /* in source order, without type closed */
	size_t n;
	struct region *regions;       /* by code; empty if the source has no such table */
	size_t nregions;
	const char *provenance;       /* or NULL */
	int64_t listed_entries;       /* points of entry that are not sample facts */
};

/* Does the file have every table and column that is read? ERR_DATA names the first one that is
 * missing, and the file. */
enum errcode airindex_load_check(struct db *src, const char *path, struct err *e);

/* Called now and then during long work: true ends it with ERR_HUP. */
typedef bool stop_fn(void *arg);

/* Read it in one transaction; `stop` may be NULL. */
enum errcode airindex_load(struct airindex_load *l, struct arena *mem, struct db *src,
    stop_fn *stop, void *arg, struct err *e);

/* A region by its code. */
/* its name, or NULL */
const char *airindex_load_region(const struct airindex_load *l, const char *code);

#endif
