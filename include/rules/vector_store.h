/*
 * Vectors of questions and answers. They come from one of three sources: the encoder that ships with
 * the program (language/encoder.h), our own file of a provider's vectors (rules/vector_file.h), or a
 * Chroma server (rules/vector_store_chroma.c). Cosines are exact.
 */
#ifndef RULES_VECTOR_STORE_H
#define RULES_VECTOR_STORE_H

#include <stdatomic.h>

#include "base/watch.h"
#include "rules/lexical.h"
#include "rules/rulebase.h"
#include "services/vectors.h"

/* Collections of a Chroma server. */
#define CHROMA_QUESTIONS "aviation_rules"
#define CHROMA_ANSWERS   "aviation_rules_answers"

struct chroma;
struct encoder;
struct vector_store;

/* What is looked for: a text and its vector, of any length. */
struct vector_query {
	const char *text;
	const float *vector;
	size_t dims;
};

struct vector_store_ops {
	/* The questions nearest to a query, best first, at most max; only questions that one of the countries answers
	 * (n 0: any). The similarity is the cosine (0 to 1, negative ones 0). That of the built-in vectors is a sum of
	 * the cosine and of a comparison word by word (rules/word_match.h), and may be above 1. ERR_DATA: the index
	 * does not fit the query (another model), with what to run; ERR_UPSTREAM; the watch's codes. */
	enum errcode (*search)(struct vector_store *v, struct arena *a, const struct vector_query *query,
	    const char *const *countries, size_t ncountries, const struct watch *w,
	    struct rule_hit *hits, size_t max, size_t *n, struct err *e);
	/* Unit vectors of answers: out[i] for entries[i], NULL where there is none, all of *dims.
	 * ERR_DATA, ERR_IO, ERR_UPSTREAM, ERR_NOTFOUND; the watch's codes. */
	enum errcode (*answers)(struct vector_store *v, struct arena *a,
	    const struct rule_entry *const *entries, size_t n, const struct watch *w,
	    const float **out, size_t *dims, struct err *e);
	void (*close)(struct vector_store *v);
};
/* Embedded first in each source. Thread-safe. */
struct vector_store {
	const struct vector_store_ops *ops;
	const char *about;        /* for people: "text-embedding-3-small, 57 of 57 questions" */
	/* it makes the vector of a pilot's question; NULL: the model of the provider does */
	const struct encoder *encoder;
};

/* The file's vectors of `model` for a base, which must outlive them. ERR_NOTFOUND: there is no file;
 * ERR_DATA: unfinished, damaged, or of another model: the message says what to run. */
enum errcode vector_store_open_file(struct vector_store **out, const char *path, const char *model,
    const struct rulebase *b, struct err *e);
/*
 * Make the vectors of a base, which must outlive them, as must the encoder. ERR_NOTFOUND with
 * VECTOR_STORE_STRANGE: the base is in a language that the encoder was not taught. ERR_HUP: *stop
 * became true.
 */
#define VECTOR_STORE_STRANGE "the rules are in a language that the built-in vectors do not know; search is by words"
enum errcode vector_store_open_builtin(struct vector_store **out, const struct encoder *encoder,
    const struct rulebase *b, const atomic_bool *stop, struct err *e);
/* The vector of a question of the base, of length 1; NULL: it has no word. v: of vector_store_open_builtin(). */
const float *vector_store_builtin_of(const struct vector_store *v, const struct rule_question *q);
/* The vectors of a server; no request is made yet. Chroma is borrowed. */
enum errcode vector_store_open_chroma(struct vector_store **out, struct chroma *c,
    const struct rulebase *b, struct err *e);
void vector_store_close(struct vector_store *v);         /* NULL is allowed */

/* Does one of the countries (any case) answer it? n 0: does any country? */
bool vector_store_answered(const struct rule_question *q, const char *const *countries, size_t n);
/* Best first; equal ones in the file's order. */
void vector_store_sort(struct rule_hit *hits, size_t n);

/*
 * Cosines (0 to 1, negative ones count as 0) of a query of any length with the unit vectors of a
 * base's questions, by the question's index, NULL if there is none. Best first, equal ones in the
 * file's order, at most max. Only questions that one of the countries (any case) answers; n 0: any
 * country. Returns how many.
 */
size_t vector_store_scan(struct arena *a, const struct rulebase *b, const float *const *vectors,
    const float *query, size_t dims, const char *const *countries, size_t ncountries,
    struct rule_hit *hits, size_t max);

#endif
