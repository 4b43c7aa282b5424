/*
 * Two things are counted. The words are a rule base with its index. A set is words and, if there
 * are any, vectors for them. So a new vector file needs no new index, and one that becomes unusable
 * does not change the set that uses the old one.
 *
 * A thread that finds the last check of the files older than LOOK_MS checks again, one thread at a
 * time; the others continue with the present set. A file is identified by its stamp. A file that
 * could not be used is tried again when its stamp has changed, and only then the log has a new
 * line. A check is cheap and done by the caller. A load takes tens of milliseconds, and seconds
 * with the largest file, so a thread is made for it, which ends when it is done: neither a turn nor
 * the start of the program loads. Callers wait only while there has been no load at all.
 */
#include "rules/rules.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/files.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/str.h"
#include "base/thread.h"
#include "rules/general_vectors.h"

enum {
	LOOK_MS = 2000,
	/* longest wait for the first load, counted from rules_open() */
	FIRST_MS = 5000,
};

struct rules_words {
	struct rulebase *base;
	struct lexical *lexical;
	atomic_int refs;
};

struct rules_set {
	struct rules_snapshot set;           /* first: what others see of it */
	struct rules_words *words;
	atomic_int refs;
};

struct rules {
	struct rules_config config;
	int64_t opened_ms;
	atomic_llong looked_ms;
	atomic_bool loading;          /* the loader is running; it clears this itself */
	atomic_bool stop;             /* the loader need not finish */

	pthread_mutex_t looking;      /* only for the thread that checks the files: */
	struct file_stamp rules, vectors;  /* their stamps when they were last tried */
	bool tried;
	bool new_rules, new_vectors;  /* the loader's task; only the loader uses it while it runs */
	pthread_t loader;
	bool has_loader;              /* the loader must be joined */

	struct arena *mem;            /* the memory of `general`, which the first load makes */
	struct general_vectors *general;      /* NULL: not made yet, or no encoder is configured */

	pthread_mutex_t lock;         /* guards what follows; held for moments only */
	pthread_cond_t tried_once;
	bool first;                   /* no load has ended yet */
	struct rules_set *now;              /* NULL: none; only the loader changes it */
	/* why the present file is not in use; "": it is in use */
	char rules_why[sizeof(((struct err *)0)->msg)];
	char vectors_why[sizeof(((struct err *)0)->msg)];
	/* … because it cannot be used, and not because it does not exist */
	bool vectors_bad;
	bool strange;                 /* … because the built-in vectors do not know its language */
};

/* ---- sets -------------------------------------------------------------------------- */

static void words_put(struct rules_words *w)
{
	if (w == NULL || atomic_fetch_sub(&w->refs, 1) > 1)
		return;
	lexical_close(w->lexical);
	rulebase_free(w->base);
	free(w);
}

/* ERR_HUP: the load was told to stop. */
static enum errcode words_load(struct rules_words **out, const char *path, const atomic_bool *stop,
    struct err *e)
{
	struct rules_words *w = heap_new(sizeof(*w));
	w->refs = 1;
	enum errcode rc = path == NULL ? err_set(e, ERR_IO, "RULES_JSON is not set") :
	    rulebase_load(&w->base, path, e);
	if (rc == OK && atomic_load(stop))
		rc = err_set(e, ERR_HUP, "stopped");
	if (rc == OK && (rc = lexical_open(&w->lexical, w->base, e)) != OK)
		w->lexical = NULL;
	if (rc != OK) {
		words_put(w);
		w = NULL;
	}
	*out = w;
	return rc;
}

static void set_put(void *p)
{
	struct rules_set *s = p;
	if (s == NULL || atomic_fetch_sub(&s->refs, 1) > 1)
		return;
	vector_store_close(s->set.vectors);
	words_put(s->words);
	free(s);
}

static struct rules_set *set_new(struct rules_words *w, struct vector_store *v, const struct general_vectors *general)
{
	struct rules_set *s = heap_new(sizeof(*s));
	s->set = (struct rules_snapshot){ .base = w->base, .lexical = w->lexical, .vectors = v, .general = general };
	s->words = w;
	s->refs = 1;
	return s;
}

/* ---- files ------------------------------------------------------------------------- */

/* The source of a base's vectors; NULL with the reason if there is none. */
static struct vector_store *open_vectors(const struct rules *r, const struct rulebase *b,
    struct err *e)
{
	const struct rules_config *c = &r->config;
	struct vector_store *v = NULL;
	enum errcode rc;
	if (c->encoder != NULL)
		rc = vector_store_open_builtin(&v, c->encoder, b, &r->stop, e);
	else if (c->llm == NULL || c->options == NULL)
		rc = err_set(e, ERR_CONFIG, "no embedding provider is set; search is by words");
	else if (c->chroma != NULL)
		rc = vector_store_open_chroma(&v, c->chroma, b, e);
	else if (c->vectors == NULL)
		rc = err_set(e, ERR_CONFIG, "VECTOR_DB_PATH is not set; search is by words");
	else
		rc = vector_store_open_file(&v, c->vectors, c->options->embedding_model, b, e);
	return rc == OK ? v : NULL;
}

/* ---- loading: by the loader ---------------------------------------------------------- */

static void say_rules(const struct rules *r, const struct rules_words *w)
{
	const struct rule_facts *f = &w->base->facts;
	log_msg(LOG_INFO, "rules", "questions=%zu countries=%zu answers=%zu blank=%zu ignored=%zu "
	    "faults=%zu path=%s", f->questions, w->base->ncountries, f->answers, f->blank,
	    f->ignored, f->faults, r->config.path);
}

/* Remember why something is not in use, and log it if it is new. */
static void say_why(struct rules *r, char *why, size_t size, const struct err *e,
    enum log_level level, const char *event)
{
	bool news = strncmp(why, e->msg, size - 1) != 0;
	pthread_mutex_lock(&r->lock);
	snprintf(why, size, "%s", e->msg);
	pthread_mutex_unlock(&r->lock);
	if (news)
		log_msg(level, event, "why=\"%s\"", e->msg);
}

static void no_rules(struct rules *r, const struct err *e)
{
	/* a site may have no rules, but a file that exists should be readable */
	say_why(r, r->rules_why, sizeof(r->rules_why), e, e->code != ERR_IO ? LOG_ERROR :
	    r->config.named || r->now != NULL ? LOG_WARN : LOG_INFO,
	    r->now == NULL ? "rules_unavailable" : "rules_stale");
}

static void no_vectors(struct rules *r, const struct err *e)
{
	/* a site may have no index and no provider, but an index that exists should be readable */
	bool none = e->code == ERR_NOTFOUND || e->code == ERR_CONFIG;
	pthread_mutex_lock(&r->lock);
	r->vectors_bad = !none;
	r->strange = r->config.encoder != NULL && e->code == ERR_NOTFOUND;
	pthread_mutex_unlock(&r->lock);
	say_why(r, r->vectors_why, sizeof(r->vectors_why), e, none ? LOG_INFO : LOG_WARN,
	    "rule_vectors");
}

/* Takes over one reference of the words, and the vectors. */
static void replace(struct rules *r, struct rules_words *w, struct vector_store *v, bool fresh)
{
	struct rules_set *s = set_new(w, v, r->general);
	pthread_mutex_lock(&r->lock);
	struct rules_set *old = r->now;
	r->now = s;
	if (fresh)
		*r->rules_why = '\0';
	if (v != NULL) {
		*r->vectors_why = '\0';
		r->strange = false;
	}
	pthread_mutex_unlock(&r->lock);
	set_put(old);
}

/* Nobody needs to wait for a first load any more. */
static void wake(struct rules *r, bool first)
{
	pthread_mutex_lock(&r->lock);
	r->first = first;
	pthread_cond_broadcast(&r->tried_once);
	pthread_mutex_unlock(&r->lock);
}

/* The first rules serve while their vectors are made. */
static void begin_with_words(struct rules *r, struct rules_words *w)
{
	atomic_fetch_add(&w->refs, 1);
	replace(r, w, NULL, true);
	wake(r, false);
}

static void load(struct rules *r)
{
	struct rules_words *w = NULL;
	struct err e = { 0 };

	if (r->new_rules && words_load(&w, r->config.path, &r->stop, &e) != OK) {
		if (e.code == ERR_HUP)
			return;
		no_rules(r, &e);
	}
	bool fresh = w != NULL;
	if (!fresh && r->new_vectors && r->now != NULL) {
		w = r->now->words;    /* new vectors for the present words */
		atomic_fetch_add(&w->refs, 1);
	}
	if (w == NULL)
		return;
	if (fresh && r->now == NULL && r->config.encoder != NULL)
		begin_with_words(r, w);
	if (fresh)
		say_rules(r, w);
	struct vector_store *v = open_vectors(r, w->base, &e);
	if (v == NULL && e.code == ERR_HUP) {
		words_put(w);
		return;
	}
	if (r->general == NULL && r->config.encoder != NULL)
		r->general = general_vectors_new(r->mem, r->config.encoder);
	if (v == NULL)
		no_vectors(r, &e);
	else
		log_msg(LOG_INFO, "rule_vectors", "about=\"%s\"", v->about);
	if (fresh || v != NULL)
		replace(r, w, v, fresh);
	else
		words_put(w);
}

static void *loader_main(void *arg)
{
	struct rules *r = arg;
	load(r);
	wake(r, false);
	(void)malloc_trim(0);     /* a file's tree and an old set are some megabytes */
	atomic_store(&r->loading, false);
	return NULL;
}

/* ---- looking: by the thread that holds r->looking ------------------------------------ */

static void end_loader(struct rules *r)
{
	if (r->has_loader)
		pthread_join(r->loader, NULL);
	r->has_loader = false;
}

/* False: no thread could be made. */
static bool start_loader(struct rules *r)
{
	atomic_store(&r->loading, true);
	r->has_loader = thread_start(&r->loader, loader_main, r) == 0;
	if (!r->has_loader) {
		struct err e;
		err_set(&e, ERR_INTERNAL, "no thread to load the rules with; tried again soon");
		no_rules(r, &e);
		atomic_store(&r->loading, false);
		wake(r, r->first);
	}
	return r->has_loader;
}

/* After a running load has ended, because it may have read what has changed since. */
static void look_now(struct rules *r)
{
	const struct rules_config *c = &r->config;
	bool file = c->encoder == NULL && c->llm != NULL && c->chroma == NULL;    /* only our own vectors are a file */
	struct file_stamp rules = file_stamp(c->path), vectors = file_stamp(file ? c->vectors : NULL);

	end_loader(r);
	atomic_store(&r->looked_ms, clock_mono_ms());
	r->new_rules = !r->tried || !file_stamp_same(&rules, &r->rules);
	r->new_vectors = !file_stamp_same(&vectors, &r->vectors);
	/* the stamps from before reading, so that a change during the read is seen next time */
	r->rules = rules;
	r->vectors = vectors;
	if (r->new_rules || r->new_vectors)
		r->tried = start_loader(r);
}

/* Wait for a running load first; then see what has changed meanwhile. */
static bool due(struct rules *r)
{
	return clock_mono_ms() - atomic_load(&r->looked_ms) >= LOOK_MS && !atomic_load(&r->loading);
}

static void look(struct rules *r)
{
	if (!due(r) || pthread_mutex_trylock(&r->looking) != 0)
		return;
	if (due(r))
		look_now(r);
	pthread_mutex_unlock(&r->looking);
}

/* ---- the service ------------------------------------------------------------------- */

enum errcode rules_open(struct rules **out, const struct rules_config *c, struct err *e)
{
	struct rules *r = *out = heap_new(sizeof(*r));
	(void)e;
	r->config = *c;
	r->mem = arena_new();
	r->opened_ms = clock_mono_ms();
	r->first = true;
	pthread_mutex_init(&r->looking, NULL);
	pthread_mutex_init(&r->lock, NULL);
	clock_cond_init(&r->tried_once);
	pthread_mutex_lock(&r->looking);
	look_now(r);
	pthread_mutex_unlock(&r->looking);
	return OK;
}

void rules_close(struct rules *r)
{
	if (r == NULL)
		return;
	atomic_store(&r->stop, true);
	end_loader(r);
	set_put(r->now);
	pthread_cond_destroy(&r->tried_once);
	pthread_mutex_destroy(&r->looking);
	pthread_mutex_destroy(&r->lock);
	arena_free(r->mem);
	free(r);
}

const struct rules_config *rules_config(const struct rules *r)
{
	return &r->config;
}

void rules_refresh(struct rules *r)
{
	pthread_mutex_lock(&r->looking);
	look_now(r);
	end_loader(r);
	pthread_mutex_unlock(&r->looking);
}

/* With r->lock held: wait for the first load, but not for ever. */
static void wait_first(struct rules *r)
{
	const struct timespec end = clock_at(r->opened_ms + FIRST_MS);
	while (r->first && atomic_load(&r->loading))
		if (pthread_cond_timedwait(&r->tried_once, &r->lock, &end) != 0)
			return;
}

/* With r->lock held: the present set, kept until the arena ends. */
static const struct rules_snapshot *hold(struct rules *r, struct arena *a)
{
	struct rules_set *s = r->now;
	if (s == NULL)
		return NULL;
	atomic_fetch_add(&s->refs, 1);
	arena_defer(a, set_put, s);
	return &s->set;
}

const struct rules_snapshot *rules_use(struct rules *r, struct arena *a)
{
	if (r == NULL)
		return NULL;
	look(r);
	pthread_mutex_lock(&r->lock);
	wait_first(r);
	const struct rules_snapshot *set = hold(r, a);
	pthread_mutex_unlock(&r->lock);
	return set;
}

const struct rules_snapshot *rules_view(struct rules_view *v)
{
	if (!v->taken)
		v->set = rules_use(v->rules, v->mem);
	v->taken = true;
	return v->set;
}

struct rules_status rules_status(struct rules *r, struct arena *a)
{
	struct rules_status st = { .rules = "rules are not in use", .index = "rules are not in use" };
	if (r == NULL)
		return st;
	look(r);
	pthread_mutex_lock(&r->lock);
	const struct rules_snapshot *set = hold(r, a);
	const char *rules_why = arena_strdup(a, r->rules_why);
	const char *vectors_why = arena_strdup(a, r->vectors_why);
	st.index_bad = *vectors_why != '\0' && r->vectors_bad;
	st.loading = r->first && atomic_load(&r->loading);
	st.strange = r->strange;
	const bool making = r->config.encoder != NULL && atomic_load(&r->loading);
	pthread_mutex_unlock(&r->lock);

	const struct rulebase *b = set != NULL ? set->base : NULL;
	st.loaded = b != NULL;
	st.rules = st.loading ? "being loaded" : rules_why;
	st.index = *vectors_why != '\0' ? vectors_why : st.loading ? "the rules are being loaded" :
	    making ? "the vectors are being made" : "there are no rules to index";
	if (b == NULL)
		return st;
	st.countries = b->ncountries;
	st.answers = b->nanswers;
	st.rules = arena_printf(a, "%zu questions, %zu countries, %zu answers", b->nquestions,
	    b->ncountries, b->nanswers);
	st.vectors = set->vectors != NULL;
	if (st.vectors) {
		st.index = arena_strdup(a, set->vectors->about);
		st.model = set->vectors->encoder != NULL ? RULES_BUILTIN : r->config.options->embedding_model;
	}
	if (*rules_why != '\0')
		st.stale = rules_why;
	else if (st.vectors && *vectors_why != '\0')
		st.stale = vectors_why;
	return st;
}
