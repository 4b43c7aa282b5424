/*
 * What the encoder is taught: the questions and rules of tests/language/rules, its glossary and asides, the tuning
 * questions of tests/quality, and the phrases of conf/language/en/rule_topics.txt. The program that makes the encoder's
 * file and the one that measures it share this.
 */
#ifndef TESTS_LANGUAGE_LESSONS_H
#define TESTS_LANGUAGE_LESSONS_H

#include "base/arena.h"
#include "base/errs.h"
#include "language/train/encoder_train.h"
#include "tests/language/senses.h"

/* A line of tests/language/rules/corpus. */
struct matter_text {
	const char *author, *matter, *kind, *text;     /* "statements", "night_vfr", "title"; matter "none": no rule */
	unsigned number;              /* of the matter, 1 and on; 0: none */
	bool rule;                    /* kind title or answer */
};

struct lessons {
	struct arena *mem;
	size_t ntexts;
	struct matter_text *text;
	size_t nopen, nopen_matters;  /* texts and matters of the corpus; the rest is sealed */
	size_t nmatters;
	const char **matter;          /* by number - 1 */
	size_t n;                     /* all lessons; those of the corpus first, in the order of the texts */
	struct encoder_lesson *lesson;
	struct senses senses;
};

/* Read all of it under a source tree. vectors: the output of word_vectors.py, which is needed for training; NULL: none.
 * sealed: a folder with the lines that were kept aside, which are to be measured and never taught; NULL: none. ERR_IO,
 * ERR_CONFIG with file and line. */
enum errcode lessons_read(struct lessons *l, struct arena *a, const char *tree, const char *vectors, const char *sealed,
    struct err *e);

/* For measuring: matters, and the questions that no rule answers, are divided into folds. */
enum { LESSONS_FOLDS = 5 };
unsigned lessons_fold(const struct matter_text *text);

/* Train on all lessons that `leave` does not leave out (NULL: on all). */
typedef bool lessons_leave_fn(const void *arg, const struct matter_text *text);
enum errcode lessons_train(const struct lessons *l, lessons_leave_fn *leave, const void *arg, const char *path,
    struct err *e);

#endif
