/*
 * A full-text index in memory: SQLite's FTS5, without a file and without keeping the texts.
 *
 * A document is a number, a list of keys, and some columns of tokens separated by blanks. A token
 * is lower-case letters and digits; a byte beyond ASCII counts as a letter. The caller brings words
 * to this form, for documents and for searches.
 *
 * One thread fills the index. Then any number of threads may search; searches take turns.
 */
#ifndef DRIVERS_DB_FTS_H
#define DRIVERS_DB_FTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"

enum {
	FTS_COLUMNS = 4,             /* beside the keys */
	FTS_TERMS = 64,              /* of one search; further ones are ignored */
};

struct fts;

/* `weights`: of each column, in the order of `hits` (bm25). Free with fts_close(). ERR_INTERNAL;
 * ERR_DATA: this SQLite was built without FTS5. */
enum errcode fts_open(struct fts **out, const double weights[FTS_COLUMNS], struct err *e);
void fts_close(struct fts *f);                 /* NULL is allowed */

/* Add a document; each id only once. A NULL column is empty. */
enum errcode fts_add(struct fts *f, int64_t id, const char *keys,
    const char *const columns[FTS_COLUMNS], struct err *e);
/* Call once, after the last document. */
enum errcode fts_ready(struct fts *f, struct err *e);

struct fts_search {
	const char *const *terms;    /* each a token; a document matches if it holds any of them */
	size_t nterms;
	const char *const *keys;     /* only documents with any of these keys; n 0: all documents */
	size_t nkeys;
	size_t max;                  /* the most hits wanted */
};
struct fts_hit {
	int64_t id;
	/* One byte for each term of the search: bit i says that column i holds the term. */
	const unsigned char *columns;
};
/* The hits in the arena, best first. ERR_INTERNAL: a term or key is no token, or there are too many
 * keys. */
enum errcode fts_search(struct fts *f, struct arena *a, const struct fts_search *s,
    const struct fts_hit **hits, size_t *n, struct err *e);

#endif
