/*
 * Words with what they mean, for the training of the encoder: English words from vectors that were learned from billions of
 * words (tests/language/word_vectors.py), French and German ones by the dictionary of tests/language/rules, and names of things by its
 * list of names.
 */
#ifndef TESTS_LANGUAGE_SENSES_H
#define TESTS_LANGUAGE_SENSES_H

#include "base/arena.h"
#include "base/errs.h"
#include "language/train/encoder_train.h"

struct senses {
	size_t n;
	struct encoder_sense *sense;
};

/* What words are read from. */
struct senses_files {
	const char *vectors;                  /* the output of word_vectors.py */
	const char *dictionary, *names;
};

/* ERR_IO; ERR_CONFIG with file and line. */
enum errcode senses_read(struct senses *s, struct arena *a, const struct senses_files *from, struct err *e);

#endif
