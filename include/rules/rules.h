/*
 * Country rules as a service: the file, what is built from it, and the services that help to search
 * it.
 *
 * The rules in memory at one time are a struct rules_snapshot: immutable, counted, shared by all
 * threads. A call checks the files, but at most every few seconds. When a file has changed, a
 * thread of its own loads it beside the old set, and the new set replaces the old one when it is
 * complete. A file that is missing or broken leaves the old set in use, with one line in the log
 * until it changes again.
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
struct encoder;
struct general_vectors;
struct llm;
struct rules;

/* Borrowed as long as the service lives. */
struct rules_config {
	const char *path;                 /* RULES_JSON */
	bool named;                       /* … was set, so the file should exist */
	/* the built-in vectors are used, and neither of the next two; NULL: they are not */
	const struct encoder *encoder;
	const char *vectors;              /* our own vector file, VECTOR_DB_PATH; may not exist */
	struct chroma *chroma;            /* VECTOR_DB_URL: used instead of the file; NULL: none */
	struct llm *llm;                  /* embeddings and reformulation; NULL: neither */
	int64_t llm_first_ms;             /* the site's limit for a reply's first byte; 0: none */
	struct cohere *cohere;            /* reranking; NULL: no key */
	const struct rules_options *options;
};

struct rules_snapshot {
	const struct rulebase *base;
	struct lexical *lexical;
	/* NULL: search by words only; rules_status() gives the reason */
	struct vector_store *vectors;
	/* of the general rules; NULL: there are no built-in vectors, or they are not made yet */
	const struct general_vectors *general;
};

/* Open and begin to load. Built-in vectors are made after the words are in use, so that nobody waits
 * for them. A file that cannot be used is no error: it is logged, and tried again
 * when it changes. ERR_INTERNAL. */
enum errcode rules_open(struct rules **out, const struct rules_config *c, struct err *e);
/* NULL is allowed; no set may be in use. A load that is running is cut short. */
void rules_close(struct rules *r);
const struct rules_config *rules_config(const struct rules *r);

/* The present set, kept until the arena ends. NULL: there is none, or r is NULL. Never loads; waits
 * for the very first load, up to five seconds after rules_open(). */
const struct rules_snapshot *rules_use(struct rules *r, struct arena *a);
/* The rules of one turn. The first call takes the set in use, and the turn keeps that set until it
 * ends, even when a new file is loaded meanwhile. Set the first two members, and the rest to zero.
 * For one thread. */
struct rules_view {
	struct rules *rules;              /* may be NULL */
	struct arena *mem;                /* the turn's arena, which keeps the set */
	bool taken;
	const struct rules_snapshot *set;
};
const struct rules_snapshot *rules_view(struct rules_view *v);
/* Check the files now, whenever they were last checked, and wait until their content is in use, with
 * its vectors. */
void rules_refresh(struct rules *r);

/* For people and for /health; does not wait. Texts are in the arena. Counts are those of the rules
 * that pilots see. r NULL: nothing is loaded. */
struct rules_status {
	bool loading;             /* the very first load is running */
	bool loaded, vectors;
	const char *rules;        /* "57 questions, 19 countries, 877 answers", or why there are none */
	/* a file, of rules or vectors, has changed and cannot be used: the reason; NULL: no such
	 * fault */
	const char *stale;
	/* "text-embedding-3-small, 57 questions", or why there are no vectors */
	const char *index;
	/* what makes the vectors in use: "builtin", "text-embedding-3-small"; NULL: there are none */
	const char *model;
	/* the rules are in a language that the built-in vectors do not know */
	bool strange;
	/* there is an index, but it is damaged, unfinished, or of another model */
	bool index_bad;
	size_t countries, answers;
};
struct rules_status rules_status(struct rules *r, struct arena *a);

#endif
