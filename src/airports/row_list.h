/*
 * Numbers of airports in ascending order as bytes: each is stored as its distance from the one
 * before, seven bits a byte, the lowest first. Most take one byte.
 */
#ifndef AIRPORTS_ROW_LIST_H
#define AIRPORTS_ROW_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/* Add `row`, which comes after `last` (0: it is the first). */
void row_list_put(struct buf *b, uint32_t last, uint32_t row);

struct row_list {
	const uint8_t *p, *end;
	uint32_t row;                 /* the one read last; 0: none */
};

struct row_list row_list_of(const void *bytes, size_t n);
/* Read the next row. False: there is none, or the bytes are no such list. */
bool row_list_next(struct row_list *l);

#endif
