/*
 * What an import knows of each CSV file: the insert statement, and for each of its parameters the
 * column and its kind. One file may have several rows, one for each table it fills.
 */
#ifndef AIRPORTS_IMPORT_FILES_H
#define AIRPORTS_IMPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "airports/airport.h"
#include "airports/csv.h"
#include "airports/import.h"
#include "base/clock.h"
#include "drivers/db.h"

enum { IMPORT_COLUMNS_MAX = 24 };

struct import {
	const struct import_options *o;
	progress_fn *progress;
	void *arg;
	struct db *db;
	bool types[TYPE__MAX];
	char now[CLOCK_ISO_SIZE];
	struct import_stats stats;
};

/* What a parameter is: text or number from a column, or the time of the import. */
enum what { TEXT, NUMBER, NOW };

struct import_column {
	enum what what;
	const char *name;             /* "a|b": the second column if the first is empty */
	bool needed;
};

enum verdict { TAKE, LEAVE, SKIP /* and count it */, BAD };

struct import_file {
	const char *name;
	bool needed;
	const char *sql, *create;
	size_t stat;                  /* member of struct import_stats that counts */
	enum verdict (*judge)(struct import *im, const struct csv *c, const int *at, struct err *e);
	struct import_column columns[IMPORT_COLUMNS_MAX];
};

extern const struct import_file import_files[];
extern const size_t nimport_files;
/* Its rows may lie in the folder of facts that are laid over the rest. */
extern const char import_facts_csv[];

#endif
