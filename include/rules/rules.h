/*
 * Country rules as a service: the file, what was built from it, and who helps searching it.
 *
 * What is in memory at one time is a struct rules_snapshot: immutable, counted, shared by all threads.
 * A call checks the files, but at most every few seconds. A changed file is loaded by a thread of
 * its own beside the old set, and replaces it when all of it is there. A file
 * that is missing or broken leaves the old set in place, with one line in the log until it changes
 * again.
 */
#ifndef RULES_RULES_H
#define RULES_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "rules/options.h"
#include "base/errs.h"
#include "rules/lexical.h"
#include "rules/rulebase.h"
#include "rules/vector_store.h"

struct chroma;
struct cohere;
struct llm;
struct rules;

/* Everything borrowed for the life of the service. */
struct rules_config {
	const char *path;                 /* RULES_JSON */
	bool named;                       /* … was set: then it should be there */
	const char *vectors;              /* our own vector file, VECTOR_DB_PATH; may not exist */
	struct chroma *chroma;            /* VECTOR_DB_URL: takes its place; NULL: none */
	struct llm *llm;                  /* embeddings and reformulation; NULL: neither */
	int64_t llm_first_ms;             /* most it may take to begin a reply; 0: no limit of the site's */
	struct cohere *cohere;            /* reranking; NULL: no key */
	const struct rules_options *options;
};

struct rules_snapshot {
	const struct rulebase *base;
	struct lexical *lexical;
	struct vector_store *vectors;         /* NULL: search by words alone; why: rules_status() */
};

/* Opens and begins to load. A file that cannot be used is no error: it is logged, and tried again
 * when it changes. ERR_INTERNAL. */
enum errcode rules_open(struct rules **out, const struct rules_config *c, struct err *e);
/* NULL is allowed; no set may be in use. A load that goes on is cut short. */
void rules_close(struct rules *r);
const struct rules_config *rules_config(const struct rules *r);

/* The present set, held until the arena ends; NULL: there is none (r NULL: the same). Never loads;
 * waits for the very first load, up to five seconds after rules_open(). */
const struct rules_snapshot *rules_use(struct rules *r, struct arena *a);
/* The rules as one turn sees them. The first call takes the set in use, and the turn keeps that set
 * to its end, even when a new file is loaded meanwhile. Set the first two members, and the rest to
 * zero; for one thread. */
struct rules_view {
	struct rules *rules;              /* may be NULL */
	struct arena *mem;                /* of the turn: holds the set */
	bool taken;
	const struct rules_snapshot *set;
};
const struct rules_snapshot *rules_view(struct rules_view *v);
/* Look at the files at once, whenever they were looked at last, and wait until what they say is in
 * use. */
void rules_refresh(struct rules *r);

/* For people and for /health, at once; texts in the arena. What pilots see is counted. r NULL:
 * nothing is loaded. */
struct rules_status {
	bool loading;             /* the very first load goes on */
	bool loaded, vectors;
	const char *rules;        /* "57 questions, 19 countries, 877 answers", or why there are none */
	/* a file, of rules or vectors, has changed and cannot be used: why; NULL: all as loaded */
	const char *stale;
	const char *index;        /* "text-embedding-3-small, 57 questions", or why no vectors are used */
	bool index_bad;           /* there is an index and it is of no use: damaged, unfinished, another model's */
	size_t countries, answers;
};
struct rules_status rules_status(struct rules *r, struct arena *a);

#endif
