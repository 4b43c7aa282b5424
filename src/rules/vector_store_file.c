/*
 * Vectors from our own file. Those of questions are in memory, a few hundred kilobytes, because
 * every search reads all of them. Those of answers stay in the file until a comparison needs them;
 * their rows were looked up when the file was opened.
 *
 * An index run may end while this has the file open. So rows are read with model and hash as
 * conditions: a row that belongs to another text by now counts as missing, and because the file has
 * changed, it will be opened again.
 */
#include "rules/vector_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "drivers/db.h"
#include "rules/vector_file.h"

struct vector_store_file {
	struct vector_store vectors;           /* first */
	struct arena *mem;
	const char *path, *model;
	const struct rulebase *base;
	struct rule_texts texts;
	size_t dims;
	int64_t *row;                     /* of a text, by its place in `texts`; 0: none */
	const float **of_question;        /* by its index; NULL: none */
	pthread_mutex_t reading;          /* guards db */
	struct db *db;
};

static const char SQL_BUILD[] = "SELECT dims FROM builds WHERE model = ?1";
static const char SQL_OTHER[] = "SELECT model FROM builds LIMIT 1";
static const char SQL_ROWS[] = "SELECT id, hash FROM vectors WHERE model = ?1";
static const char SQL_VECTOR[] = "SELECT vector FROM vectors WHERE id = ?1 AND model = ?2 AND "
    "hash = ?3";

static enum errcode damaged(const struct vector_store_file *f, struct err *e)
{
	return err_set(e, ERR_DATA, "%s is damaged: " VECTOR_FILE_RUN " --rebuild", f->path);
}

/* *v NULL: the row is gone. */
static enum errcode read_vector(struct vector_store_file *f, struct arena *a, size_t text,
    const float **v, struct err *e)
{
	const struct text_hash *h = &f->texts.text[text].hash;
	struct db_stmt *s = db_query(f->db, SQL_VECTOR, e, DB_INT(f->row[text]), DB_TEXT(f->model),
	    DB_BLOB(h->b, sizeof(h->b)));
	enum db_step step = db_step(s, e);
	*v = NULL;
	if (step == DB_ROW) {
		float *out = arena_array(a, f->dims, sizeof(*out));
		if (!vector_decode(out, db_blob(s, 0), db_bytes(s, 0), f->dims)) {
			damaged(f, e);
			step = DB_FAIL;
		}
		*v = out;
	}
	return db_end(s, step, e);
}

/* -- look-ups of a turn -- */

static enum errcode search(struct vector_store *v, struct arena *a, const struct vector_query *query,
    const char *const *countries, size_t ncountries, const struct watch *w,
    struct rule_hit *hits, size_t max, size_t *n, struct err *e)
{
	const struct vector_store_file *f = (const struct vector_store_file *)v;
	(void)w;
	*n = 0;
	if (query->dims != f->dims)
		return err_set(e, ERR_DATA, "%s has vectors of %zu numbers, %s gives %zu now: "
		    VECTOR_FILE_RUN " --rebuild", f->path, f->dims, f->model, query->dims);
	*n = vector_store_scan(a, f->base, f->of_question, query->vector, query->dims, countries, ncountries, hits,
	    max);
	return OK;
}

struct vector_store_wanted {
	int64_t row;
	size_t text;
};

static int by_row(const void *pa, const void *pb)
{
	const struct vector_store_wanted *a = pa, *b = pb;
	return (a->row > b->row) - (a->row < b->row);
}

/* The places of the entries' texts; T->n: there is none. */
static void places(const struct vector_store_file *f, const struct rule_entry *const *entries,
    size_t n, size_t *text)
{
	for (size_t i = 0; i < n; i++) {
		const struct rule_question *q = entries[i]->question;
		uint32_t at = f->texts.of_answer[q->index][entries[i] - q->entries];
		text[i] = at == 0 ? f->texts.n : at - 1;
	}
}

/* Read each text once, in the order they have in the file. */
static enum errcode read_texts(struct vector_store_file *f, struct arena *a,
    const struct vector_store_wanted *wanted, size_t n, const float **of_text, struct err *e)
{
	/* in one transaction, so that the file is locked once and not for each row */
	enum errcode rc = db_exec(f->db, "BEGIN", e);
	for (size_t i = 0; rc == OK && i < n; i++)
		rc = read_vector(f, a, wanted[i].text, &of_text[wanted[i].text], e);
	db_exec(f->db, "COMMIT", &(struct err){ 0 });
	return rc;
}

static enum errcode answers(struct vector_store *v, struct arena *a,
    const struct rule_entry *const *entries, size_t n, const struct watch *w, const float **out,
    size_t *dims, struct err *e)
{
	struct vector_store_file *f = (struct vector_store_file *)v;
	struct arena *scratch = arena_new();
	size_t *text = arena_array(scratch, n, sizeof(*text)), nwanted = 0;
	struct vector_store_wanted *wanted = arena_array(scratch, n, sizeof(*wanted));
	const float **of_text = arena_array(scratch, f->texts.n + 1, sizeof(*of_text));
	bool *seen = arena_array(scratch, f->texts.n + 1, sizeof(*seen));
	(void)w;
	*dims = f->dims;
	places(f, entries, n, text);
	seen[f->texts.n] = true;
	for (size_t i = 0; i < n; i++) {
		if (!seen[text[i]] && f->row[text[i]] != 0)
			wanted[nwanted++] = (struct vector_store_wanted){ f->row[text[i]], text[i] };
		seen[text[i]] = true;
	}
	qsort(wanted, nwanted, sizeof(*wanted), by_row);
	pthread_mutex_lock(&f->reading);
	enum errcode rc = read_texts(f, a, wanted, nwanted, of_text, e);
	pthread_mutex_unlock(&f->reading);
	/* the file is locked by another process; this is not the time-out that ends a turn */
	if (rc == ERR_TIMEOUT)
		rc = err_set(e, ERR_IO, "%s", e->msg);
	for (size_t i = 0; i < n; i++)
		out[i] = rc == OK ? of_text[text[i]] : NULL;
	arena_free(scratch);
	return rc;
}

static void file_close(struct vector_store *v)
{
	struct vector_store_file *f = (struct vector_store_file *)v;
	db_close(f->db);
	pthread_mutex_destroy(&f->reading);
	arena_free(f->mem);
}

static const struct vector_store_ops file_ops = { search, answers, file_close };

/* -- opening -- */

static enum errcode no_build(const struct vector_store_file *f, struct err *e)
{
	struct db_stmt *s = db_prepare(f->db, SQL_OTHER, e);
	enum db_step step = db_step(s, e);
	enum errcode rc = step == DB_FAIL ? e->code : step == DB_ROW ?
	    err_set(e, ERR_DATA, "%s was built with %.100s, rag.embedding_model is %.100s: "
	    VECTOR_FILE_RUN, f->path, db_text(s, 0), f->model) :
	    err_set(e, ERR_DATA, "%s is not finished: " VECTOR_FILE_RUN, f->path);
	db_done(s);
	return rc;
}

static enum errcode read_build(struct vector_store_file *f, struct err *e)
{
	struct db_stmt *s = db_query(f->db, SQL_BUILD, e, DB_TEXT(f->model));
	enum db_step step = db_step(s, e);
	int64_t dims = step == DB_ROW ? db_int_at(s, 0) : 0;
	db_done(s);
	if (step != DB_ROW)
		return step == DB_FAIL ? e->code : no_build(f, e);
	if (dims < 1 || dims > VECTOR_FILE_DIMS)
		return damaged(f, e);
	f->dims = (size_t)dims;
	return OK;
}

static enum errcode read_rows(struct vector_store_file *f, struct err *e)
{
	struct db_stmt *s = db_query(f->db, SQL_ROWS, e, DB_TEXT(f->model));
	enum db_step step;
	while ((step = db_step(s, e)) == DB_ROW) {
		size_t at = f->texts.n;
		if (db_bytes(s, 1) == sizeof(struct text_hash))
			at = rule_texts_find(&f->texts, db_blob(s, 1));
		if (at < f->texts.n)
			f->row[at] = db_int_at(s, 0);
	}
	return db_end(s, step, e);
}

static enum errcode read_questions(struct vector_store_file *f, struct err *e)
{
	const float **of_text = arena_array(f->mem, f->texts.n, sizeof(*of_text));
	for (size_t i = 0; i < f->base->nquestions; i++) {
		uint32_t at = f->texts.of_question[i];
		if (at == 0 || f->row[at - 1] == 0)
			continue;
		if (of_text[at - 1] == NULL &&
		    read_vector(f, f->mem, at - 1, &of_text[at - 1], e) != OK)
			return e->code;
		f->of_question[i] = of_text[at - 1];
	}
	return OK;
}

/* The index does not change together with the rules, so report what it lacks. */
static enum errcode tell(struct vector_store_file *f, struct err *e)
{
	const struct rulebase *b = f->base;
	size_t have = 0, questions = 0, answered = 0;
	for (size_t i = 0; i < b->nquestions; i++) {
		questions += f->texts.of_question[i] != 0;
		have += f->of_question[i] != NULL;
		for (size_t k = 0; k < b->questions[i].nentries; k++) {
			uint32_t at = f->texts.of_answer[i][k];
			answered += at != 0 && f->row[at - 1] != 0;
		}
	}
	if (have == 0)
		return err_set(e, ERR_DATA, "%s was built for other rules: " VECTOR_FILE_RUN, f->path);
	f->vectors.about = have == questions && answered == f->texts.answers ?
	    arena_printf(f->mem, "%s, %zu questions", f->model, questions) :
	    arena_printf(f->mem, "%s, %zu of %zu questions and %zu of %zu answers: "
	    VECTOR_FILE_RUN, f->model, have, questions, answered, f->texts.answers);
	return OK;
}

enum errcode vector_store_open_file(struct vector_store **out, const char *path, const char *model,
    const struct rulebase *b, struct err *e)
{
	struct arena *mem = arena_new();
	struct vector_store_file *f = arena_alloc(mem, sizeof(*f));
	struct err local;
	if (e == NULL)
		e = &local;
	*f = (struct vector_store_file){ .vectors = { .ops = &file_ops }, .mem = mem, .base = b,
		.path = arena_strdup(mem, path), .model = arena_strdup(mem, model),
		.of_question = arena_array(mem, b->nquestions, sizeof(*f->of_question)) };
	pthread_mutex_init(&f->reading, NULL);
	enum errcode rc = rule_texts_of(&f->texts, mem, b, e);
	f->row = arena_array(mem, f->texts.n, sizeof(*f->row));
	if (rc == OK)
		rc = vector_file_open(&f->db, path, false, e);
	/* one transaction, because an index run may end between two of the reads */
	if (rc == OK)
		rc = db_exec(f->db, "BEGIN", e);
	if (rc == OK)
		rc = read_build(f, e);
	if (rc == OK)
		rc = read_rows(f, e);
	if (rc == OK)
		rc = read_questions(f, e);
	if (rc == OK)
		rc = db_exec(f->db, "COMMIT", e);
	if (rc == OK)
		rc = tell(f, e);
	if (rc != OK) {
		file_close(&f->vectors);
		return rc;
	}
	*out = &f->vectors;
	return OK;
}
