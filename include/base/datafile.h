/*
 * Data files: facts and words that a person can maintain without a compiler.
 *
 *   # A line that begins with # is a comment; empty lines are skipped.
 *   DE; Germany; german, bavarian; deutschland, allemagne
 *
 * Every other line is a row. Semicolons separate its fields, commas the elements of a field that is
 * a list. Blanks around fields and elements are ignored; an element in double quotes keeps them.
 * Empty fields at the end of a row may be left out. The text is UTF-8.
 *
 * These files are installed with the program, so a fault is ERR_CONFIG with file, line and reason.
 */
#ifndef BASE_DATAFILE_H
#define BASE_DATAFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"

enum { DATAFILE_BYTES = 256 * 1024, DATAFILE_FIELDS = 8, DATAFILE_LIST = 200 };

struct datafile_row {
	size_t line;                  /* counted from 1 */
	size_t n;                     /* fields written */
	char *field[DATAFILE_FIELDS]; /* trimmed; "" for fields that were left out */
};

struct datafile {
	const char *path;
	struct datafile_row *row;
	size_t n;
	uint64_t hash;                /* of the bytes of the file */
	size_t elements;              /* about how many its lists have together */
	struct arena *mem;
	struct datafile_key *keys;    /* hash table of datafile_once() */
	size_t nkeys, nslots;
};

/* A name that may stand in a field, and what it means to the program. */
struct datafile_name {
	const char *name;
	int value;
};

/* Read a file whose rows have `least` to `most` fields. Everything lives in the arena. */
enum errcode datafile_read(struct datafile *f, struct arena *a, const char *path, size_t least,
    size_t most, struct err *e);

/* ERR_CONFIG for a row: "PATH:LINE: ...". */
enum errcode datafile_fault(const struct datafile *f, const struct datafile_row *r, struct err *e,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* The elements of a list in a field, in its order; *n is 0 for an empty field. An element that is
 * empty or comes twice is a fault. */
enum errcode datafile_list(const struct datafile *f, const struct datafile_row *r, size_t field,
    struct arena *a, char ***element, size_t *n, struct err *e);

/* The value of a word that must be one of the names; a fault lists them. */
enum errcode datafile_name(const struct datafile *f, const struct datafile_row *r, const char *word,
    const struct datafile_name *names, size_t n, int *value, struct err *e);

/* A key that comes for the second time in the file, with the same group, is a fault that names the
 * line of the first. */
enum errcode datafile_once(struct datafile *f, const struct datafile_row *r, int group,
    const char *key, struct err *e);

/* How many elements all lists in this field have together, at most. */
size_t datafile_elements(const struct datafile *f, size_t field);

#endif
