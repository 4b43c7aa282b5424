/*
 * What the search by words builds: the two full-text indexes and the weights of their terms. Only
 * for rules/lexical.c.
 */
#ifndef RULES_LEXICAL_INDEX_H
#define RULES_LEXICAL_INDEX_H

#include <stdint.h>

#include "drivers/db_fts.h"
#include "rules/rulebase.h"
#include "rules/terms.h"

/* Columns of a question's document: what it says, what it hints at, its tags, its category. */
enum { COL_SAID, COL_NEAR, COL_TAGS, COL_CATEGORY };

enum {
	ANSWER_BITS = 16,            /* an answer's id: its question's index, then its own */
	KEY_SIZE = 2 * RULE_CODE + 1,
};

/* A tag of the base, by the concepts of its name. */
struct lexical_tag {
	const char *tag;
	struct terms terms;
};

/* The concepts of "must" and "subject" rows that a rule mentions: bit k - 1 for the one with number k. */
struct lexical_musts {
	uint64_t question;           /* its question, tags and category */
	uint64_t *answer;            /* each of its answers */
};

struct lexical {
	const struct rulebase *base;
	struct arena *mem;
	struct fts *questions;       /* by index; keys: the countries that answer */
	struct fts *answers;         /* one column; key: the country */
	const char **said;           /* terms of questions, sorted, once for each that has it */
	size_t nsaid;
	const char **near;           /* what questions hint at and their tags say, likewise */
	size_t nnear;
	double *weight;              /* all that a question says, weighed */
	bool *topic;                 /* by index: a question names a topic */
	size_t ntopics;              /* how many do */
	struct lexical_musts *musts; /* by index */
	struct lexical_tag *tags;
	size_t ntags;
};

/* Build all of it for a base, which must outlive it. ERR_DATA, ERR_INTERNAL. */
enum errcode lexical_index_build(struct lexical **out, const struct rulebase *b, struct err *e);
void lexical_index_free(struct lexical *l);    /* NULL is allowed */

/* The weight of a term: by its kind, and by how few questions have it. */
double lexical_weight(const struct lexical *l, const char *term, enum term_kind kind);

/* The bit of a term in a set of concepts of "must" and "subject" rows; 0: it is none of them. */
uint64_t lexical_must_bit(struct term_how how);

/* A country code as a key of the indexes. */
void lexical_key(char out[KEY_SIZE], const char *code);

#endif
