/*
 * Strict reader of comma-separated values, plain or gzipped.
 *
 * The first line names the columns. Text may be in double quotes, a quote inside is doubled; lines
 * end in LF or CRLF; a byte order mark is skipped. What is not like that is an error that names file and
 * line: a quote in the middle of a bare value, text after a closing quote, a missing or surplus
 * value, a NUL, broken UTF-8, a value over CSV_FIELD_MAX bytes, a quote that never closes.
 */
#ifndef AIRPORTS_CSV_H
#define AIRPORTS_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errs.h"

struct csv;

enum { CSV_FIELD_MAX = 16384, CSV_COLUMNS_MAX = 100 };
enum csv_next { CSV_FAIL = -1, CSV_END = 0, CSV_ROW = 1 };

/* Open dir/name or, where that is missing, dir/name.gz, and read the header. ERR_DATA. */
enum errcode csv_open(struct csv **out, const char *dir, const char *name, struct err *e);
/* Is dir/name or dir/name.gz there? */
bool csv_exists(const char *dir, const char *name);
void csv_close(struct csv *c);                              /* NULL is allowed */

int csv_find(const struct csv *c, const char *column);      /* -1: no such column */
/* The same for a column that must be there. ERR_DATA. */
enum errcode csv_need(const struct csv *c, const char *column, int *out, struct err *e);

enum csv_next csv_next(struct csv *c, struct err *e);
/* Value of the row read last; NULL for an empty one and for column -1. Valid until csv_next(). */
const char *csv_text(const struct csv *c, int column);
/* The same as a number, NaN when empty; ERR_DATA when it is none. */
enum errcode csv_number(const struct csv *c, int column, double *out, struct err *e);

/* An error at the row read last: "<file>:<line>: <text>". */
enum errcode csv_error(const struct csv *c, struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* For progress: bytes of the file read so far, and in all. */
void csv_progress(const struct csv *c, int64_t *done, int64_t *total);

#endif
