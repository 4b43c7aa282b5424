/*
 * The parts of an airport: runways and AIP entries, with the original service's rules for rows that
 * name the same thing twice. The index builder and the detail look-ups share this.
 */
#ifndef AIRPORTS_AIRPORT_PARTS_H
#define AIRPORTS_AIRPORT_PARTS_H

#include <stddef.h>

#include "airports/airport.h"
#include "base/arena.h"

struct db_stmt;

enum {
	PARTS_MAX = 400,          /* runways or entries of one airport; further rows are ignored */
	PARTS_TEXT_MAX = 4096,    /* bytes of one text; longer ones are cut */
};

/* Text of a column; NULL for null, empty and "nan" in any case, and for column -1. Valid until the next
 * step. */
const char *part_text(struct db_stmt *s, int i);
/* The same, copied and cut. */
const char *part_copy(struct arena *a, struct db_stmt *s, int i);
/* The same for a column that not every database has, by its name. */
const char *part_named(struct arena *a, struct db_stmt *s, const char *column);

/* Columns le_ident, he_ident, length_ft, width_ft, surface, lighted, closed of a row, from column
 * `at` on, go into v[0..*n) of PARTS_MAX elements. A row with the same pair of ends is merged, and
 * its known values are used. Returns that runway; NULL: there are too many. */
struct runway *runway_add(struct arena *a, struct runway *v, size_t *n, struct db_stmt *s, int at);
/* The same for what not every database tells of a runway: positions, elevations and true headings of its
 * ends, and when the row was made. The columns are found by their names. */
void runway_add_more(struct arena *a, struct runway *r, struct db_stmt *s);
/* The same for columns section, field, value, std_field, std_field_id: the later value of a section
 * and field is used, in the place of the first. Returns that entry; NULL: there are too many. */
struct aip_entry *aip_add(struct arena *a, struct aip_entry *v, size_t *n, struct db_stmt *s, int at);
/* The same for the other columns of an entry, which are found by their names. */
void aip_add_more(struct arena *a, struct aip_entry *t, struct db_stmt *s);
/* A row of `procedures`: rows with the same name and type are merged. Columns are found by their names. */
void procedure_add(struct arena *a, struct procedure *v, size_t *n, struct db_stmt *s);

/* Length, surface classes and lights of the open runways, as flags and *longest_ft (NaN: unknown). */
unsigned runway_flags(const struct runway *v, size_t n, double *longest_ft);
/* AF_AIP, and what field 402 says about fuel. */
unsigned aip_flags(const struct aip_entry *v, size_t n);

#endif
