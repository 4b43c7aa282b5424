/*
 * The words of documents and questions in the form in which they are compared, and what a question
 * asks for: its words that mean something, each with other words of the same meaning.
 */
#ifndef KNOWLEDGE_STEMS_H
#define KNOWLEDGE_STEMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/errs.h"

enum {
	PHRASE_WORDS = 3,             /* most words of a phrase of the file: "time off" has two */
	QUERY_TERMS = 24,             /* of a question; further ones are ignored */
};

/* Stems in their order, separated by blanks: what the full-text index gets. */
char *stems_of(struct arena *a, const char *text);

/* -- the file of words -- */

/*
 * Rows "skip; a, the, …": words that tell nothing, and rows "same; holiday, vacation, time off":
 * words and phrases of the same meaning. A word may stand in one row only.
 */
struct word_file;

enum errcode word_file_open(struct word_file **out, const char *path, struct err *e);
void word_file_close(struct word_file *f);     /* NULL is allowed */

/* -- a question -- */

/* A word of a question with all that may stand for it: each a phrase of stems and blanks. */
struct query_term {
	const char *own;              /* as the question says it */
	const char *const *phrases;
	size_t n;
};
/* The terms of a question, each meaning once. Returns how many, at most QUERY_TERMS. */
size_t query_terms(struct arena *a, const struct word_file *f, const char *text,
    struct query_term terms[QUERY_TERMS]);

#endif
