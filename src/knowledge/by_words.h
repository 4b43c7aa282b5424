/*
 * Search by words: how much of a question a piece says. Only for knowledge/knowledge.c.
 */
#ifndef KNOWLEDGE_BY_WORDS_H
#define KNOWLEDGE_BY_WORDS_H

#include <stdint.h>

#include "knowledge/stems.h"

struct db;

/* A piece that was found. */
struct chunk_hit {
	int64_t id;
	double relevance;
	double order;                 /* how far ahead it stands; more than the relevance if headings say the words */
};

enum { POOL = 100 };                  /* most hits of one search */

/* Pieces that say at least `least` of the terms, best first, at most POOL. `chunks`: how many there
 * are. ERR_DATA. */
enum errcode by_words(struct db *db, struct arena *a, size_t chunks, const struct query_term *terms,
    size_t nterms, double least, struct chunk_hit hits[POOL], size_t *n, struct err *e);

#endif
