/*
 * Teaching the encoder: texts of one group shall have vectors that are near, texts of different groups of the same
 * course not. The same lessons give the same bytes.
 */
#ifndef LANGUAGE_TRAIN_ENCODER_TRAIN_H
#define LANGUAGE_TRAIN_ENCODER_TRAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errs.h"
#include "language/encoder.h"

enum { ENCODER_COURSES = 8 };

struct encoder_lesson {
	const char *text;
	/* Groups of one course are compared with each other, those of different courses are not, because they may mean
	 * the same. */
	unsigned course;
	unsigned group;               /* 1 and on, in its course; 0: similar to nothing of this course */
	bool rule;                    /* a text of a rule, not a question */
};

/* What a word means, known before any lesson: words that mean similar things have vectors that are near. */
struct encoder_sense {
	const char *word;
	float vector[ENCODER_DIMS];   /* at most 1 long */
	/* An earlier word of the list with the same meaning. If this word has no row of its own, it uses that word's row.
	 * NULL: none. */
	const char *like;
};

struct encoder_study {
	size_t steps;
	unsigned share[ENCODER_COURSES];      /* how often a step is of this course, compared with the others */
	/* No rule answers its questions of group 0. The encoder learns from these and from the others what a
	 * question about rules sounds like. */
	bool asks[ENCODER_COURSES];
	/* Its lessons are phrases: two of them are put together, so that vectors learn to be sums. */
	bool composed[ENCODER_COURSES];
	const struct encoder_sense *sense;    /* the most usual words first: there is room for a part of them */
	size_t nsenses;
};

/* ERR_IO with path and reason; ERR_DATA: no course has two groups with two texts. */
enum errcode encoder_train(const struct encoder_lesson *lesson, size_t n, const struct encoder_study *study,
    const char *path, struct err *e);

#endif
