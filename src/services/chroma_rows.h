/*
 * Rows of numbers out of JSON text, without building a tree of them. Pure, but for the arena.
 *
 * A vector has 1,536 numbers. A thousand vectors as JSON objects would take some 200 MB for a
 * moment; as floats they take six.
 */
#ifndef SERVICES_CHROMA_ROWS_H
#define SERVICES_CHROMA_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * Read the member `key` of the object that the text is: a list of at most `max` rows, each a list
 * of finite numbers, all of one length, or null. rows[i] is NULL for null. What was read is
 * replaced in the text by a number and blanks, so that the rest can be parsed. False: there is no
 * such member, or it is something else.
 */
bool chroma_rows(struct arena *a, char *text, size_t n, const char *key, size_t max, float **rows,
    size_t *nrows, size_t *dims);

#endif
