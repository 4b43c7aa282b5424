/*
 * FTS5 over a private in-memory database.
 *
 * The index keeps no texts (content=''). A search asks which terms a document holds in which
 * columns; an auxiliary function of ours answers that for all terms at once. bm25 decides which
 * documents to take when more match than are wanted. bm25 needs positions: with detail=column it
 * would always be 0.
 */
#include "drivers/db_fts.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/heap.h"
#include "drivers/db.h"

enum { MATCH_MAX = 64 << 10 };       /* longest search expression */

struct fts {
	sqlite3 *h;
	sqlite3_stmt *add, *search;
	pthread_mutex_t lock;        /* only one search at a time */
};

static const char SQL_CREATE[] =
	"PRAGMA cache_size=-64;"
	"CREATE VIRTUAL TABLE f USING fts5(keys, c0, c1, c2, c3,"
	" content='', tokenize='ascii');";
static const char SQL_ADD[] =
	"INSERT INTO f(rowid, keys, c0, c1, c2, c3) VALUES(?1, ?2, ?3, ?4, ?5, ?6)";
static const char SQL_SEARCH[] =
	"SELECT rowid, hits(f) FROM f WHERE f MATCH ?1 ORDER BY rank LIMIT ?2";

static enum errcode fail(struct fts *f, const char *doing, struct err *e)
{
	return err_set(e, ERR_INTERNAL, "full-text index: %s: %s", doing, sqlite3_errmsg(f->h));
}

/* hits(f): one byte for each term, bit i for column i. Column 0 holds the keys and does not
 * count. */
static void hits_of(const Fts5ExtensionApi *api, Fts5Context *ctx, sqlite3_context *out, int n,
    sqlite3_value **values)
{
	unsigned char columns[FTS_TERMS] = { 0 };
	int phrases = api->xPhraseCount(ctx), rc = SQLITE_OK;

	(void)n;
	(void)values;
	if (phrases > FTS_TERMS)
		phrases = FTS_TERMS;
	for (int p = 0; p < phrases && rc == SQLITE_OK; p++) {
		Fts5PhraseIter at;
		int column;

		rc = api->xPhraseFirstColumn(ctx, p, &at, &column);
		while (rc == SQLITE_OK && column >= 0) {
			if (column > 0)
				columns[p] = (unsigned char)(columns[p] | 1U << (column - 1));
			api->xPhraseNextColumn(ctx, &at, &column);
		}
	}
	if (rc != SQLITE_OK)
		sqlite3_result_error_code(out, rc);
	else
		sqlite3_result_blob(out, columns, phrases, SQLITE_TRANSIENT);
}

/* This is how SQLite hands out FTS5's functions. NULL: it was built without FTS5. */
static fts5_api *fts5_of(sqlite3 *h)
{
	fts5_api *api = NULL;
	sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(h, "SELECT fts5(?1)", -1, &s, NULL) == SQLITE_OK) {
		sqlite3_bind_pointer(s, 1, &api, "fts5_api_ptr", NULL);
		sqlite3_step(s);
	}
	sqlite3_finalize(s);
	return api;
}

static int prepare(struct fts *f, const char *sql, sqlite3_stmt **s)
{
	return sqlite3_prepare_v3(f->h, sql, -1, SQLITE_PREPARE_PERSISTENT, s, NULL);
}

static enum errcode create(struct fts *f, const double weights[FTS_COLUMNS], struct err *e)
{
	fts5_api *api = fts5_of(f->h);
	char rank[160];

	if (api == NULL)
		return err_set(e, ERR_DATA, "full-text index: this SQLite (%s) was built without FTS5",
		    sqlite3_libversion());
	sqlite3_snprintf(sizeof(rank), rank,
	    "INSERT INTO f(f, rank) VALUES('rank', 'bm25(0.0, %!f, %!f, %!f, %!f)'); BEGIN",
	    weights[0], weights[1], weights[2], weights[3]);
	if (api->xCreateFunction(api, "hits", NULL, hits_of, NULL) != SQLITE_OK ||
	    sqlite3_exec(f->h, SQL_CREATE, NULL, NULL, NULL) != SQLITE_OK ||
	    sqlite3_exec(f->h, rank, NULL, NULL, NULL) != SQLITE_OK ||
	    prepare(f, SQL_ADD, &f->add) != SQLITE_OK ||
	    prepare(f, SQL_SEARCH, &f->search) != SQLITE_OK)
		return fail(f, "cannot be made", e);
	return OK;
}

enum errcode fts_open(struct fts **out, const double weights[FTS_COLUMNS], struct err *e)
{
	struct fts *f = heap_new(sizeof(*f));
	enum errcode rc;

	*out = NULL;
	pthread_mutex_init(&f->lock, NULL);
	db_setup();
	if (sqlite3_open_v2(":memory:", &f->h, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
	    SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL) != SQLITE_OK)
		rc = fail(f, "cannot be opened", e);
	else
		rc = create(f, weights, e);
	if (rc != OK) {
		fts_close(f);
		return rc;
	}
	*out = f;
	return OK;
}

void fts_close(struct fts *f)
{
	if (f == NULL)
		return;
	sqlite3_finalize(f->add);
	sqlite3_finalize(f->search);
	sqlite3_close(f->h);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

enum errcode fts_add(struct fts *f, int64_t id, const char *keys,
    const char *const columns[FTS_COLUMNS], struct err *e)
{
	int rc;

	sqlite3_bind_int64(f->add, 1, id);
	sqlite3_bind_text(f->add, 2, keys, -1, SQLITE_STATIC);
	for (int i = 0; i < FTS_COLUMNS; i++)
		sqlite3_bind_text(f->add, 3 + i, columns[i], -1, SQLITE_STATIC);
	rc = sqlite3_step(f->add);
	sqlite3_reset(f->add);
	return rc == SQLITE_DONE ? OK : fail(f, "a document cannot be added", e);
}

enum errcode fts_ready(struct fts *f, struct err *e)
{
	sqlite3_finalize(f->add);
	f->add = NULL;
	if (sqlite3_exec(f->h, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
		return fail(f, "cannot be finished", e);
	sqlite3_db_release_memory(f->h);
	return OK;
}

/* "a" OR "b" */
static void any_of(struct buf *match, const char *const *tokens, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_puts(match, i == 0 ? "(\"" : " OR \"");
		buf_puts(match, tokens[i]);
		buf_putc(match, '"');
	}
	buf_putc(match, ')');
}

enum errcode fts_search(struct fts *f, struct arena *a, const struct fts_search *s,
    const struct fts_hit **hits, size_t *n, struct err *e)
{
	size_t nterms = s->nterms < FTS_TERMS ? s->nterms : FTS_TERMS;
	struct fts_hit *found;
	struct buf match;
	enum errcode code = OK;
	int rc;

	*n = 0;
	*hits = NULL;
	if (nterms == 0 || s->max == 0)
		return OK;
	buf_init(&match, MATCH_MAX);
	buf_puts(&match, "{c0 c1 c2 c3} : ");
	any_of(&match, s->terms, nterms);
	if (s->nkeys > 0) {
		buf_puts(&match, " AND keys : ");
		any_of(&match, s->keys, s->nkeys);
	}
	if (match.full) {
		buf_release(&match);
		return err_set(e, ERR_INTERNAL, "full-text index: a search with %zu keys is too long",
		    s->nkeys);
	}
	found = arena_array(a, s->max, sizeof(*found));
	pthread_mutex_lock(&f->lock);
	sqlite3_bind_text(f->search, 1, match.p, (int)match.n, SQLITE_STATIC);
	sqlite3_bind_int64(f->search, 2, (sqlite3_int64)s->max);
	while ((rc = sqlite3_step(f->search)) == SQLITE_ROW && *n < s->max) {
		const void *columns = sqlite3_column_blob(f->search, 1);
		size_t bytes = (size_t)sqlite3_column_bytes(f->search, 1);

		found[*n].id = sqlite3_column_int64(f->search, 0);
		found[*n].columns = memcpy(arena_alloc(a, nterms), columns,
		    bytes < nterms ? bytes : nterms);
		++*n;
	}
	if (rc != SQLITE_DONE && rc != SQLITE_ROW)
		code = fail(f, "cannot be searched", e);
	sqlite3_reset(f->search);
	sqlite3_clear_bindings(f->search);
	pthread_mutex_unlock(&f->lock);
	buf_release(&match);
	*hits = found;
	return code;
}
