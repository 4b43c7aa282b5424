/*
 * What learning an encoder (encoder_train.c) and writing its file (encoder_write.c) share.
 */
#ifndef LANGUAGE_TRAIN_ENCODER_TRAIN_OWN_H
#define LANGUAGE_TRAIN_ENCODER_TRAIN_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "language/train/encoder_train.h"

enum {
	SLOTS = 131072,
	SLOTS_USED = SLOTS / 5 * 4,   /* a fuller table is slow */
	LEAST = 2,                    /* lessons that a feature needs for a row of its own */
	NO_ROW = UINT32_MAX,
};

/* The length of a feature that has no row. */
static const float STRANGE = 0.6F;

struct train_feature {
	uint64_t feature;
	uint32_t lessons, last;       /* how many have it; the last that did */
	uint32_t row;
	uint32_t sense;               /* its number and 1; 0: none */
	bool used, word;
	bool owns;                    /* the row is its own, not that of a word it is like */
};

struct train_use {
	uint32_t at;                  /* of train.feature */
	float part;
	uint8_t kind;
	bool begins;                  /* a word */
};

struct train_text {
	struct train_use *use;
	size_t n;
};

struct train_group {
	uint32_t *question, *rule;    /* numbers of lessons */
	size_t nquestions, nrules;
};

struct train_course {
	struct train_group *group;    /* with two lessons at least */
	size_t ngroups;
	uint32_t *alone;
	size_t nalone;
};

struct train {
	struct arena *mem;
	const struct encoder_lesson *lesson;
	size_t n;
	size_t nslots;
	struct train_feature *feature;        /* a hash table */
	struct train_text *text;
	struct train_course course[ENCODER_COURSES];
	size_t nrows;
	float (*row)[ENCODER_DIMS];
	float *seen;
	const struct encoder_sense *sense;
	size_t nsenses;
	struct train_feature **sensed;        /* the word of each sense */
	float (*turn)[ENCODER_DIMS];  /* row k: the direction that the k-th number of a sense has among the rows */
	float *turned;                /* like seen */
	float *asks, asks_always;     /* by row, and of every text */
	uint64_t chance;
};

/* 0 if all lessons have the feature, 1 if one or none has. */
float encoder_rareness(const struct train *t, const struct train_feature *f);

/* Add to a vector what a sense is in the space of the rows. */
void encoder_turn(const struct train *t, const float sense[ENCODER_DIMS], float *vector);

/* Write the file of models. Training is over. ERR_DATA: there are too many features; ERR_IO. */
enum errcode encoder_write(const struct train *t, const char *path, struct err *e);

#endif
