/*
 * One connection serves all threads, one search after the other: a search takes some milliseconds. The provider is asked before, without the lock.
 */
#include "knowledge/knowledge.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/files.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"
#include "drivers/db.h"
#include "knowledge/by_encoder.h"
#include "knowledge/by_meaning.h"
#include "knowledge/by_words.h"
#include "knowledge/knowledge_file.h"
#include "knowledge/stems.h"
#include "services/llm.h"
#include "services/timebox.h"

struct knowledge {
	struct knowledge_config c;
	struct word_file *words;
	pthread_mutex_t lock;         /* guards what follows */
	struct db *db;                /* NULL: there is none */
	struct arena *mem;            /* of facts */
	struct knowledge_facts facts;
	struct file_stamp stamp;      /* of the file that is open, or could not be opened */
	struct err why;               /* why there is no db */
};

static const char SQL_CHUNK[] = "SELECT d.source, c.place, c.heading, c.text FROM chunks c "
    "JOIN documents d ON d.id = c.document WHERE c.id = ?1";

enum errcode knowledge_open(struct knowledge **out, const struct knowledge_config *c, struct err *e)
{
	struct word_file *words;
	enum errcode rc = word_file_open(&words, c->words, e);
	*out = NULL;
	if (rc != OK)
		return rc;
	struct knowledge *k = heap_new(sizeof(*k));
	k->c = *c;
	k->c.path = heap_dup(c->path);
	k->c.words = NULL;
	k->c.embedding_model = heap_dup(c->embedding_model);
	k->words = words;
	k->why.code = ERR_NOTFOUND;
	k->mem = arena_new();
	pthread_mutex_init(&k->lock, NULL);
	*out = k;
	return OK;
}

static void free_text(const char *text)
{
	char *p;
	memcpy(&p, &text, sizeof(p));         /* it is ours */
	free(p);
}

void knowledge_close(struct knowledge *k)
{
	if (k == NULL)
		return;
	db_close(k->db);
	arena_free(k->mem);
	word_file_close(k->words);
	pthread_mutex_destroy(&k->lock);
	free_text(k->c.path);
	free_text(k->c.embedding_model);
	free(k);
}

/* -- the file -- */

/* Open the file again if it was replaced. With the lock held. */
static enum errcode look(struct knowledge *k, struct err *e)
{
	struct file_stamp now = file_stamp(k->c.path);
	if (k->db != NULL && file_stamp_same(&now, &k->stamp))
		return OK;
	if (k->db == NULL && now.there && file_stamp_same(&now, &k->stamp))
		return err_set(e, k->why.code, "%s", k->why.msg);
	db_close(k->db);
	arena_free(k->mem);
	k->db = NULL;
	k->mem = arena_new();
	k->stamp = now;
	enum errcode rc = knowledge_file_open(&k->db, k->c.path, &k->why);
	if (rc == OK)
		rc = knowledge_file_facts(k->db, k->mem, &k->facts, &k->why);
	if (rc == OK && k->facts.chunks > KNOWLEDGE_CHUNKS)
		rc = err_set(&k->why, ERR_DATA, "%s is damaged: " KNOWLEDGE_RUN, k->c.path);
	if (rc == OK) {
		log_msg(LOG_INFO, "knowledge", "read path=%s documents=%zu chunks=%zu vectors=%d",
		    k->c.path, k->facts.documents, k->facts.chunks, k->facts.model != NULL);
		return OK;
	}
	if (rc != ERR_NOTFOUND)
		log_msg(LOG_ERROR, "knowledge", "why=\"%s\"", k->why.msg);
	db_close(k->db);
	k->db = NULL;
	k->why.code = rc == ERR_NOTFOUND ? rc : ERR_DATA;
	return err_set(e, k->why.code, "%s", k->why.msg);
}

static bool has_vectors(const struct knowledge *k)
{
	return k->facts.dims > 0 && streq(k->facts.model, k->c.embedding_model);
}

enum errcode knowledge_status(struct knowledge *k, struct knowledge_status *out, struct err *e)
{
	*out = (struct knowledge_status){ 0 };
	pthread_mutex_lock(&k->lock);
	enum errcode rc = look(k, e);
	if (rc == OK)
		*out = (struct knowledge_status){ k->facts.documents, k->facts.chunks,
			k->c.llm != NULL && has_vectors(k) };
	pthread_mutex_unlock(&k->lock);
	return rc;
}

/* -- a search -- */

struct search {
	struct knowledge *k;
	struct arena *mem;
	const struct knowledge_query *q;
	const char *text;             /* trimmed and bounded */
	float *vector;                /* NULL: no search by meaning */
	size_t dims;
};

/* Ask the provider for the vector of the query. If it gives none, words must do. */
static enum errcode embed(struct search *s, struct err *e)
{
	struct llm_usage used = { 0 };
	struct timebox step;
	float *vector;
	size_t dims;
	bool done;
	if (s->q->no_model || s->k->c.llm == NULL || !llm_embeds(s->k->c.llm) ||
	    !timebox_begin(&step, TIMEBOX_KNOWLEDGE, s->q->watch, s->q->until_ms, s->k->c.llm_first_ms))
		return OK;
	const struct llm_embed_request req = { .model = s->k->c.embedding_model, .texts = &s->text,
		.n = 1, .first_ms = step.first_ms };
	enum errcode rc = llm_embed(s->k->c.llm, s->mem, &req, &step.watch, &vector, &dims, &used, e);
	if (s->q->usage != NULL)
		llm_usage_add(s->q->usage, &used);
	rc = timebox_end(&step, rc, &done, e);
	if (rc == OK && done) {
		s->vector = vector;
		s->dims = dims;
	}
	return rc;
}

static enum errcode read_hit(struct search *s, const struct chunk_hit *h, struct knowledge_hit *out,
    struct err *e)
{
	struct db_stmt *q = db_query(s->k->db, SQL_CHUNK, e, DB_INT(h->id));
	enum db_step step = db_step(q, e);
	if (step == DB_ROW) {
		*out = (struct knowledge_hit){
			.source = arena_strdup(s->mem, db_text(q, 0)),
			.heading = arena_strdup(s->mem, db_text(q, 2)),
			.text = arena_strdup(s->mem, db_text(q, 3)),
			.relevance = h->relevance,
		};
		out->id = arena_printf(s->mem, "%s#%lld", out->source, (long long)db_int_at(q, 1));
	}
	return db_end(q, step, e);
}

/* With the lock held, and the file open. */
static enum errcode find(struct search *s, const struct knowledge_hit **hits, size_t *n,
    struct err *e)
{
	struct knowledge *k = s->k;
	struct query_term terms[QUERY_TERMS];
	struct chunk_hit words[POOL], near[POOL], all[2 * POOL];
	size_t nwords = 0, nnear = 0, nterms = query_terms(s->mem, k->words, s->text, terms);
	const bool meaning = s->vector != NULL && has_vectors(k) && s->dims == k->facts.dims;
	const struct encoder *encoder = meaning ? NULL : k->c.encoder;
	enum errcode rc = by_words(k->db, s->mem, k->facts.chunks, terms, nterms,
	    encoder != NULL ? 0 : k->c.threshold, words, &nwords, e);
	if (rc == OK && encoder != NULL)
		rc = by_encoder(k->db, s->mem, encoder, s->text, k->c.threshold, words, &nwords, e);
	if (rc == OK && meaning)
		rc = by_meaning(k->db, s->mem, s->vector, s->dims, k->c.threshold, near, &nnear, e);
	if (rc != OK)
		return rc;
	size_t found = fuse_hits(s->mem, near, nnear, words, nwords, all);
	if (found > k->c.top_k)
		found = k->c.top_k;
	struct knowledge_hit *out = arena_array(s->mem, found, sizeof(*out));
	for (size_t i = 0; i < found && rc == OK; i++)
		if ((rc = read_hit(s, &all[i], &out[*n], e)) == OK && out[*n].text != NULL)
			(*n)++;
	*hits = out;
	return rc;
}

enum errcode knowledge_search(struct knowledge *k, struct arena *mem,
    const struct knowledge_query *q, const struct knowledge_hit **hits, size_t *n, struct err *e)
{
	struct str text = str_trim(str_of(q->text));
	struct search s = { .k = k, .mem = mem, .q = q };
	*hits = NULL;
	*n = 0;
	s.text = arena_strndup(mem, text.p, utf8_cut(text.p, text.n, KNOWLEDGE_QUERY_BYTES));
	if (*s.text == '\0')
		return OK;
	pthread_mutex_lock(&k->lock);
	enum errcode rc = look(k, e);
	bool meaning = rc == OK && has_vectors(k);
	pthread_mutex_unlock(&k->lock);
	if (rc == OK && meaning)
		rc = embed(&s, e);
	if (rc != OK)
		return rc;
	pthread_mutex_lock(&k->lock);
	rc = look(k, e);
	if (rc == OK)
		rc = find(&s, hits, n, e);
	pthread_mutex_unlock(&k->lock);
	log_msg(LOG_DEBUG, "knowledge_search", "found=%zu vectors=%d", *n, s.vector != NULL);
	return rc;
}
