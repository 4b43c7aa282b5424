/*
 * Words with what they mean, for the training of the encoder: English words from vectors that were learned from billions of
 * words (tests/language/word_vectors.py), French and German ones by the dictionary of tests/language/rules.
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

/* vectors: the output of word_vectors.py. ERR_IO; ERR_CONFIG with file and line. */
enum errcode senses_read(struct senses *s, struct arena *a, const char *vectors, const char *dictionary, struct err *e);

#endif
