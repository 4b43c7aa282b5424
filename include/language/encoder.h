/*
 * The encoder: from a text to a vector, such that texts that mean the same have vectors that are near. It was
 * taught by pairs of questions and rules about flying in English, French and German (scripts/train).
 *
 * The file is mapped read-only, so that all workers share its memory, and it is checked whole when it is opened.
 */
#ifndef LANGUAGE_ENCODER_H
#define LANGUAGE_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errs.h"
#include "language/evidence.h"

enum {
	ENCODER_DIMS = 64,
	ENCODER_BYTES = 4096,         /* of a longer text the first and the last part are read */
	ENCODER_WORDS = 400,          /* words of a text that are read */
	ENCODER_FILE_BYTES = 4 * 1024 * 1024,
};

struct encoder;

/* Open and check. ERR_CONFIG with path and reason: it cannot be read, is cut, damaged, or of another version. */
enum errcode encoder_open(struct encoder **out, const char *path, struct err *e);
void encoder_close(struct encoder *m);               /* NULL is allowed */

/* The vector of a text, of length 1. False: the text has no word, and the vector is zero. Thread-safe; the same
 * text always gives the same vector; nothing is allocated. */
bool encoder_vector(const struct encoder *m, const char *text, float vector[ENCODER_DIMS]);

/* A word by itself, so that it can be compared with the words of another text. */
struct encoder_word {
	uint64_t id;                  /* the same for the same word, whatever its accents and capitals */
	float weight;                 /* 0 to 1: how much it tells; a word that few lessons had tells much */
	int8_t direction[ENCODER_DIMS];       /* 127 is 1; words that mean the same point the same way */
};

/* The different words of a text, in their order; how many, at most ENCODER_WORDS. Thread-safe; nothing is allocated. */
size_t encoder_words(const struct encoder *m, const char *text, struct encoder_word word[ENCODER_WORDS]);

/* Does a question sound like one that a rule answers ("may I …", "how long before …"), or like something else about flying
 * ("who invented …", "which headset …")? Positive: like a rule's, by the logarithm of the odds; 0 is even. It was taught with
 * questions of both kinds, whatever their matter. Thread-safe; nothing is allocated. */
float encoder_asks_rule(const struct encoder *m, const char *text);

/* A source that tells the sound of each word (struct evidence_sound), so that a part of a message can be judged, and which words
 * mean similar things (struct evidence_clusters), and its vector. */
struct evidence_source encoder_evidence(const struct encoder *m);

/* Add to *words how many words of a text count, and to *known how many of them the lessons had. */
void encoder_count(const struct encoder *m, const char *text, size_t *words, size_t *known);

#endif
