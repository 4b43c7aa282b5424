/*
 * A full-text index in memory: SQLite's FTS5, without a file and without the texts.
 *
 * A document is a number, a list of keys, and some columns of tokens separated by blanks. Tokens
 * are lower-case letters and digits (a byte beyond ASCII counts as a letter); words are brought
 * to that form by the caller, for documents and searches alike.
 *
 * Filled by one thread, then searched by any number: searches take turns.
 */
#ifndef DRIVERS_DB_FTS_H
#define DRIVERS_DB_FTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"

enum {
	FTS_COLUMNS = 4,             /* beside the keys */
	FTS_TERMS = 64,              /* of one search, at most; more are passed over */
};

struct fts;

/* Weights: of each column in the order of hits (bm25). Free with fts_close().
 * ERR_INTERNAL; ERR_DATA: this SQLite has no FTS5. */
enum errcode fts_open(struct fts **out, const double weights[FTS_COLUMNS], struct err *e);
void fts_close(struct fts *f);                 /* NULL is allowed */

/* Each id once. NULL: nothing in that column. */
enum errcode fts_add(struct fts *f, int64_t id, const char *keys,
    const char *const columns[FTS_COLUMNS], struct err *e);
/* After the last document, once. */
enum errcode fts_ready(struct fts *f, struct err *e);

struct fts_search {
	const char *const *terms;    /* a token each; any of them */
	size_t nterms;
	const char *const *keys;     /* any of these; n 0: all documents */
	size_t nkeys;
	size_t max;                  /* hits wanted */
};
struct fts_hit {
	int64_t id;
	/* A byte for each term of the search: bit i says that column i holds it. */
	const unsigned char *columns;
};
/* Hits in the arena, best first. ERR_INTERNAL: a term or key that is no token, or too many keys. */
enum errcode fts_search(struct fts *f, struct arena *a, const struct fts_search *s,
    const struct fts_hit **hits, size_t *n, struct err *e);

#endif
