/*
 * The rows of a table by the keys of their names (place_key.h).
 */
#ifndef AIRPORTS_KEY_TABLE_H
#define AIRPORTS_KEY_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct key_table {
	struct key_row *row;          /* [0] is not used */
	size_t nrows, most;
	uint32_t *slot;               /* an index into `row`; 0: the slot is free */
	size_t nslots;                /* a power of two; 0: it is empty */
};

/* A table with room for at most `most` keys. */
void key_table_init(struct key_table *t, struct arena *a, size_t most);
/* The key stays the caller's. A key may have several rows; a row may have several keys. */
void key_table_put(struct key_table *t, const char *key, const void *row);
/* The i-th row of a key, in the order in which they were put; NULL: it has not so many. */
const void *key_table_row(const struct key_table *t, const char *key, size_t i);

#endif
