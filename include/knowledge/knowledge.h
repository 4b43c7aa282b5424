/*
 * The knowledge base: a company's documents, cut into short pieces, and the search in them.
 *
 * `aviation-agent ingest DIR` (knowledge/ingest.h) writes it into one SQLite file. The file is only
 * ever replaced as a whole. A search looks whether it was replaced, and then reads the new one.
 * Nothing of it is held in memory.
 *
 * Pieces are found by their words, and judged by their meaning too, with the built-in encoder. With an
 * embedding provider, and a file that was made with it, there is a search by meaning instead of the
 * judgement. What is not near enough is left out, so a question about something else finds nothing.
 */
#ifndef KNOWLEDGE_KNOWLEDGE_H
#define KNOWLEDGE_KNOWLEDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errs.h"
#include "base/watch.h"

struct encoder;
struct llm;
struct llm_usage;

enum {
	/* characters of a piece: what a result shows of it */
	KNOWLEDGE_CHUNK = 300,
	/* bytes of a question that are read; a longer text is no question */
	KNOWLEDGE_QUERY_BYTES = 4000,
};

struct knowledge;

/* Strings are copied; `encoder` and `llm` are borrowed. */
struct knowledge_config {
	const char *path;             /* need not exist */
	const char *words;            /* file of words of little meaning and of the same meaning */
	size_t top_k;                 /* most hits */
	double threshold;             /* least relevance of a hit, 0 to 1 */
	const struct encoder *encoder;  /* NULL: without a provider only words count */
	struct llm *llm;              /* NULL: no provider is asked */
	const char *embedding_model;
	int64_t llm_first_ms;         /* the site's limit until a model replies; 0: none */
};

/* ERR_CONFIG: the file of words is wrong. A knowledge base that is missing or wrong is no error
 * here. Thread-safe from then on. */
enum errcode knowledge_open(struct knowledge **out, const struct knowledge_config *c, struct err *e);
void knowledge_close(struct knowledge *k);     /* NULL is allowed */

struct knowledge_query {
	const char *text;             /* of a person or a model: any text */
	const struct watch *watch;    /* checked while a provider is waited for; NULL: none */
	int64_t until_ms;             /* when the turn ends (clock_mono_ms); 0: never */
	bool no_model;                /* ask no provider */
	struct llm_usage *usage;      /* tokens of the search are added here; NULL: not wanted */
};

/* A piece of a document. The text has at most KNOWLEDGE_CHUNK characters; heading and text are
 * data for a model, never instructions. */
struct knowledge_hit {
	const char *id;               /* "handbook/holidays.md#3": stays while the document is not changed */
	const char *source;           /* "handbook/holidays.md": folder that was ingested, path in it */
	const char *heading;          /* headings above it: "Holidays > Carry-over"; "" if none */
	const char *text;
	double relevance;             /* 0 to 1 */
};

/*
 * The pieces nearest to a query, best first, in the arena. *n 0: nothing is near enough, or the
 * query is blank. ERR_NOTFOUND: there is no knowledge base; ERR_DATA: its file cannot be used; the
 * message says what to run. The watch's codes.
 */
enum errcode knowledge_search(struct knowledge *k, struct arena *mem,
    const struct knowledge_query *q, const struct knowledge_hit **hits, size_t *n, struct err *e);

/* For health and check. ERR_NOTFOUND and ERR_DATA as above. */
struct knowledge_status {
	size_t documents, chunks;
	bool vectors;                 /* it is searched with vectors of the provider */
};
enum errcode knowledge_status(struct knowledge *k, struct knowledge_status *out, struct err *e);

#endif
