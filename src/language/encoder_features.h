/*
 * What an encoder sees of a text: its words, pairs of neighbours, and the pieces of words, each as a 64-bit number.
 * The pieces make "Transponderpflicht" similar to "transponder", and stand for stems in every language.
 */
#ifndef LANGUAGE_ENCODER_FEATURES_H
#define LANGUAGE_ENCODER_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#include "language/encoder.h"

enum { ENCODER_FEATURES = 64 };       /* of one word, at most */

enum encoder_kind { ENCODER_WORD, ENCODER_PAIR, ENCODER_PIECE };

struct encoder_feature {
	uint64_t feature;
	float part;                           /* how much of it counts */
	enum encoder_kind kind;
};

/* The features of each word of a text, one call for a word; the first is the word itself. Of a text that is longer than ENCODER_BYTES the middle is
 * left out. */
typedef void encoder_word_fn(void *arg, const struct encoder_feature *feature, size_t n);
void encoder_features(const char *text, encoder_word_fn *fn, void *arg);

/* The vector of a feature that no lesson had: `length` in a direction that depends on its number only, so that the same
 * unknown word of two texts still makes them similar. It is added `part` times. */
void encoder_strange(uint64_t feature, float length, float vector[ENCODER_DIMS]);

#endif
