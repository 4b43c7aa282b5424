/*
 * Search by meaning: cosines with the vectors of all pieces. Only for knowledge/knowledge.c.
 */
#ifndef KNOWLEDGE_BY_MEANING_H
#define KNOWLEDGE_BY_MEANING_H

#include "knowledge/by_words.h"

/* Pieces whose cosine with the query is at least `least`, best first, at most POOL. ERR_DATA: the
 * file is damaged. */
enum errcode by_meaning(struct db *db, struct arena *a, const float *query, size_t dims,
    double least, struct chunk_hit hits[POOL], size_t *n, struct err *e);

/* Both lists in one, best first, by their ranks: their relevances are of different kinds. A piece
 * of both keeps the greater relevance. `out` has room for the pieces of both. Returns how many. */
size_t fuse_hits(struct arena *a, const struct chunk_hit *first, size_t n1,
    const struct chunk_hit *second, size_t n2, struct chunk_hit *out);

#endif
