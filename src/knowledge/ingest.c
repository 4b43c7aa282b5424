/*
 * The new file is written beside the old one. Documents of other folders are copied from the old
 * file; their pieces and vectors are the same.
 *
 * A vector is taken from the old file if a piece with the same text has one. The provider is asked
 * for the others, a hundred at a time. If it fails, the file holds the vectors that were made until
 * then; the other pieces are only found by their words, and the next run continues.
 */
#include "knowledge/ingest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/heap.h"
#include "base/replace_file.h"
#include "base/str.h"
#include "drivers/db.h"
#include "knowledge/documents.h"
#include "knowledge/knowledge_file.h"
#include "knowledge/stems.h"
#include "services/vectors.h"

enum { BATCH = 100, DIMS_MAX = 8192 };

struct ingest {
	const struct ingest_options *o;
	struct ingest_stats *stats;
	char *root;
	struct db *db, *old;          /* old NULL: there is none */
	struct knowledge_facts facts, old_facts;
	struct arena *mem;
	int64_t document;             /* the one that is being written */
	int64_t place;                /* of its last piece */
	const char *source;
};

static const char SQL_DOCUMENT[] = "INSERT INTO documents (id, root, source, hash) VALUES (?1, ?2, ?3, ?4)";
static const char SQL_CHUNK[] = "INSERT INTO chunks (id, document, place, heading, text, hash) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
static const char SQL_WORDS[] = "INSERT INTO words (rowid, text, heading) VALUES (?1, ?2, ?3)";
static const char SQL_VECTOR[] = "INSERT OR REPLACE INTO vectors (id, vector) VALUES (?1, ?2)";
static const char SQL_OLD_DOCUMENT[] = "SELECT hash FROM documents WHERE root = ?1 AND source = ?2";
static const char SQL_OLD_COUNT[] = "SELECT count(*) FROM documents WHERE root = ?1";
static const char SQL_OTHERS[] = "SELECT id, root, source, hash FROM documents WHERE root <> ?1 ORDER BY id";
static const char SQL_OTHER_CHUNKS[] = "SELECT heading, text FROM chunks WHERE document = ?1 ORDER BY id";
static const char SQL_OLD_VECTOR[] = "SELECT v.vector FROM chunks c JOIN vectors v ON v.id = c.id "
    "WHERE c.hash = ?1 LIMIT 1";
static const char SQL_TO_EMBED[] = "SELECT id, hash, heading, text FROM chunks "
    "WHERE id NOT IN (SELECT id FROM vectors) ORDER BY id LIMIT ?1";
static const char SQL_HASHES[] = "SELECT id, hash FROM chunks ORDER BY id";

/* -- documents and pieces -- */

static enum errcode put_chunk(void *arg, const struct chunk *c, struct err *e)
{
	struct ingest *x = arg;
	struct arena *a = arena_new();
	const struct text_hash hash = text_hash_of(arena_printf(a, "%s\n%s", c->heading, c->text));
	int64_t id = (int64_t)++x->facts.chunks;
	enum errcode rc = OK;
	if (x->facts.chunks > KNOWLEDGE_CHUNKS)
		rc = err_set(e, ERR_INPUT, "%s: with this document there are more than %d pieces, which is "
		    "the most that a knowledge base can hold: ingest fewer documents", x->source, KNOWLEDGE_CHUNKS);
	if (rc == OK)
		rc = db_put(x->db, SQL_CHUNK, e, DB_INT(id), DB_INT(x->document), DB_INT(++x->place),
		    DB_TEXT(c->heading), DB_TEXT(c->text), DB_BLOB(hash.b, sizeof(hash.b)));
	if (rc == OK)
		rc = db_put(x->db, SQL_WORDS, e, DB_INT(id), DB_TEXT(stems_of(a, c->text)),
		    DB_TEXT(stems_of(a, arena_printf(a, "%s %s", x->source, c->heading))));
	arena_free(a);
	return rc;
}

static enum errcode begin_document(struct ingest *x, const char *root, const char *source,
    const void *hash, struct err *e)
{
	if (x->facts.documents >= KNOWLEDGE_DOCUMENTS)
		return err_set(e, ERR_INPUT, "there are more than %d documents, which is the most that a "
		    "knowledge base can hold: ingest fewer documents", KNOWLEDGE_DOCUMENTS);
	x->document = (int64_t)++x->facts.documents;
	x->place = 0;
	x->source = source;
	return db_put(x->db, SQL_DOCUMENT, e, DB_INT(x->document), DB_TEXT(root), DB_TEXT(source),
	    DB_BLOB(hash, sizeof(struct text_hash)));
}

/* Was it there, and is it the same? */
static enum errcode compare_with_old(struct ingest *x, const struct document *d, struct err *e)
{
	if (x->old == NULL) {
		x->stats->added++;
		return OK;
	}
	struct db_stmt *s = db_query(x->old, SQL_OLD_DOCUMENT, e, DB_TEXT(x->root), DB_TEXT(d->source));
	enum db_step step = db_step(s, e);
	if (step != DB_ROW)
		x->stats->added++;
	else if (db_bytes(s, 0) == sizeof(d->hash) && memcmp(db_blob(s, 0), d->hash.b, sizeof(d->hash)) == 0)
		x->stats->unchanged++;
	else
		x->stats->changed++;
	return db_end(s, step, e);
}

static enum errcode take_document(void *arg, const struct document *d, struct err *e)
{
	struct ingest *x = arg;
	enum errcode rc = compare_with_old(x, d, e);
	if (rc == OK)
		rc = begin_document(x, x->root, d->source, d->hash.b, e);
	if (rc == OK)
		rc = cut_document(d->text, d->kind, put_chunk, x, e);
	if (x->o->progress != NULL)
		x->o->progress(x->o->arg, "reading documents", (int64_t)x->facts.documents, 0);
	return rc;
}

static void left_out(void *arg, const char *source, const char *why)
{
	struct ingest *x = arg;
	x->stats->left_out++;
	if (x->o->left_out != NULL)
		x->o->left_out(x->o->arg, source, why);
}

/* -- documents of other folders -- */

static enum errcode copy_chunks(struct ingest *x, int64_t document, struct err *e)
{
	struct db_stmt *s = db_query(x->old, SQL_OTHER_CHUNKS, e, DB_INT(document));
	enum errcode rc = OK;
	enum db_step step;
	while (rc == OK && (step = db_step(s, e)) == DB_ROW) {
		const struct chunk c = { db_text(s, 0), db_text(s, 1) };
		rc = put_chunk(x, &c, e);
	}
	if (rc != OK) {
		db_done(s);
		return rc;
	}
	return db_end(s, step, e);
}

static enum errcode copy_others(struct ingest *x, struct err *e)
{
	if (x->old == NULL)
		return OK;
	struct db_stmt *s = db_query(x->old, SQL_OTHERS, e, DB_TEXT(x->root));
	enum errcode rc = OK;
	enum db_step step;
	while (rc == OK && (step = db_step(s, e)) == DB_ROW) {
		if (db_bytes(s, 3) != sizeof(struct text_hash))
			rc = err_set(e, ERR_DATA, "%s is damaged: remove it and " KNOWLEDGE_RUN, x->o->path);
		if (rc == OK)
			rc = begin_document(x, db_text(s, 1), arena_strdup(x->mem, db_text(s, 2)), db_blob(s, 3), e);
		if (rc == OK)
			rc = copy_chunks(x, db_int_at(s, 0), e);
	}
	if (rc != OK) {
		db_done(s);
		return rc;
	}
	return db_end(s, step, e);
}

static size_t old_count(struct ingest *x)
{
	struct db_stmt *s = x->old == NULL ? NULL : db_query(x->old, SQL_OLD_COUNT, NULL, DB_TEXT(x->root));
	size_t n = s != NULL && db_step(s, NULL) == DB_ROW ? (size_t)db_int_at(s, 0) : 0;
	db_done(s);
	return n;
}

/* -- vectors -- */

static enum errcode keep_vector(struct ingest *x, int64_t id, const void *hash, struct err *e)
{
	struct db_stmt *s = db_query(x->old, SQL_OLD_VECTOR, e, DB_BLOB(hash, sizeof(struct text_hash)));
	enum db_step step = db_step(s, e);
	enum errcode rc = OK;
	if (step == DB_ROW && db_bytes(s, 0) == x->old_facts.dims * sizeof(float)) {
		rc = db_put(x->db, SQL_VECTOR, e, DB_INT(id), DB_BLOB(db_blob(s, 0), db_bytes(s, 0)));
		x->stats->kept++;
	}
	if (rc != OK) {
		db_done(s);
		return rc;
	}
	return db_end(s, step, e);
}

/* Take what the old file has, if it is of the same model. */
static enum errcode keep_vectors(struct ingest *x, struct err *e)
{
	if (x->old == NULL || x->old_facts.dims == 0 || !streq(x->old_facts.model, x->o->model))
		return OK;
	struct db_stmt *s = db_prepare(x->db, SQL_HASHES, e);
	enum errcode rc = OK;
	enum db_step step;
	while (rc == OK && (step = db_step(s, e)) == DB_ROW)
		rc = keep_vector(x, db_int_at(s, 0), db_blob(s, 1), e);
	x->facts.dims = x->stats->kept > 0 ? x->old_facts.dims : 0;
	if (rc != OK) {
		db_done(s);
		return rc;
	}
	return db_end(s, step, e);
}

struct batch {
	int64_t id[BATCH];
	const char *text[BATCH];
	size_t n;
};

static enum errcode next_batch(struct ingest *x, struct arena *a, struct batch *b, struct err *e)
{
	struct db_stmt *s = db_query(x->db, SQL_TO_EMBED, e, DB_INT(BATCH));
	enum db_step step;
	b->n = 0;
	while ((step = db_step(s, e)) == DB_ROW && b->n < BATCH) {
		b->id[b->n] = db_int_at(s, 0);
		b->text[b->n++] = arena_printf(a, "%s\n%s", db_text(s, 2), db_text(s, 3));
	}
	return db_end(s, step, e);
}

static enum errcode put_vectors(struct ingest *x, struct arena *a, const struct batch *b,
    float *vectors, size_t dims, struct err *e)
{
	unsigned char *blob = arena_alloc(a, dims * sizeof(float));
	if (dims == 0 || dims > DIMS_MAX || (x->facts.dims != 0 && dims != x->facts.dims))
		return err_set(e, ERR_UPSTREAM, "%s: its vectors have %zu numbers, which cannot be used: is it an "
		    "embedding model (rag.embedding_model)?", x->o->model, dims);
	for (size_t i = 0; i < b->n; i++) {
		float *v = vectors + i * dims;
		vector_unit(v, dims);
		if (!(fabs(vector_dot(v, v, dims) - 1) < 1e-3))
			return err_set(e, ERR_UPSTREAM, "%s: a vector is zero or not finite: is it an embedding model "
			    "(rag.embedding_model)?", x->o->model);
		vector_encode(blob, v, dims);
		if (db_put(x->db, SQL_VECTOR, e, DB_INT(b->id[i]), DB_BLOB(blob, dims * sizeof(float))) != OK)
			return e->code;
	}
	x->facts.dims = dims;
	x->stats->embedded += b->n;
	return OK;
}

static enum errcode embed_batch(struct ingest *x, struct arena *a, const struct batch *b,
    struct err *e)
{
	struct llm_usage used = { 0 };
	float *vectors;
	size_t dims;
	const struct llm_embed_request req = { .model = x->o->model, .texts = b->text, .n = b->n,
		.ungated = true };
	enum errcode rc = llm_embed(x->o->llm, a, &req, x->o->watch, &vectors, &dims, &used, e);
	llm_usage_add(&x->stats->usage, &used);
	return rc == OK ? put_vectors(x, a, b, vectors, dims, e) : rc;
}

static enum errcode embed_all(struct ingest *x, struct err *e)
{
	struct batch b;
	enum errcode rc;
	do {
		struct arena *a = arena_new();
		rc = next_batch(x, a, &b, e);
		if (rc == OK && b.n > 0)
			rc = embed_batch(x, a, &b, e);
		arena_free(a);
		if (x->o->progress != NULL)
			x->o->progress(x->o->arg, "embedding", (int64_t)(x->stats->kept + x->stats->embedded),
			    (int64_t)x->facts.chunks);
	} while (rc == OK && b.n > 0);
	return rc;
}

/* If the provider fails, only vectors are missing. If somebody stops the program, nothing is written. */
static enum errcode vectors(struct ingest *x, struct err *e)
{
	enum errcode rc = keep_vectors(x, e);
	if (rc == OK && x->o->llm != NULL)
		rc = embed_all(x, e);
	x->facts.model = x->facts.dims > 0 ? x->o->model : NULL;
	if (rc != ERR_UPSTREAM && rc != ERR_TIMEOUT && rc != ERR_CONFIG)
		return rc;
	x->stats->no_vectors = *e;
	return OK;
}

/* -- the whole -- */

static enum errcode fill(struct ingest *x, struct err *e)
{
	const struct document_reader reader = { take_document, left_out, x };
	size_t before = old_count(x);
	enum errcode rc = knowledge_file_create(x->db, e);
	if (rc == OK)
		rc = db_exec(x->db, "BEGIN", e);
	if (rc == OK)
		rc = copy_others(x, e);
	if (rc == OK && !x->o->remove)
		rc = documents_read(x->o->dir, &reader, e);
	size_t now = x->stats->added + x->stats->changed + x->stats->unchanged;
	x->stats->removed = before - x->stats->changed - x->stats->unchanged;
	if (rc == OK && x->o->remove && before == 0)
		rc = err_set(e, ERR_INPUT, "%s: the knowledge base holds no documents of this folder", x->o->dir);
	if (rc == OK && !x->o->remove && now == 0)
		rc = err_set(e, ERR_INPUT, "%s: there is no document in it that can be read (.md, .txt, .pdf)%s",
		    x->o->dir, before > 0 ? ": to remove its documents from the knowledge base use --remove" : "");
	if (rc == OK)
		rc = vectors(x, e);
	if (rc == OK)
		rc = knowledge_file_set(x->db, &x->facts, e);
	return rc == OK ? db_exec(x->db, "COMMIT", e) : rc;
}

static enum errcode open_old(struct ingest *x, struct err *e)
{
	enum errcode rc = knowledge_file_open(&x->old, x->o->path, e);
	if (rc == ERR_NOTFOUND)
		return OK;
	return rc == OK ? knowledge_file_facts(x->old, x->mem, &x->old_facts, e) : rc;
}

enum errcode ingest(const struct ingest_options *o, struct ingest_stats *stats, struct err *e)
{
	char *tmp = heap_printf("%s.new", o->path);
	struct ingest x = { .o = o, .stats = stats, .mem = arena_new(), .root = documents_root(o->dir) };
	struct err local;
	int fd = -1;
	if (e == NULL)
		e = &local;
	*stats = (struct ingest_stats){ 0 };
	enum errcode rc = replace_begin(tmp, &fd, e);
	if (rc == OK)
		rc = open_old(&x, e);
	if (rc == OK)
		rc = db_open(&x.db, tmp, DB_CREATE, e);
	if (rc == OK)
		rc = fill(&x, e);
	db_close(x.db);
	db_close(x.old);
	if (rc == OK)
		rc = replace_file(tmp, o->path, e);
	if (rc != OK && fd >= 0)
		unlink(tmp);
	if (fd >= 0)
		close(fd);
	stats->documents = x.facts.documents;
	stats->chunks = x.facts.chunks;
	arena_free(x.mem);
	free(x.root);
	free(tmp);
	return rc;
}
