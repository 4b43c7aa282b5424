/*
 * What the files that train a net share.
 */
#ifndef LANGUAGE_TRAIN_NET_TRAIN_OWN_H
#define LANGUAGE_TRAIN_NET_TRAIN_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "language/net.h"
#include "language/train/adagrad.h"
#include "language/train/weights.h"

enum { NET_NO_PLAN = -1 };

/* A matrix or row of weights under training. */
struct part {
	size_t n;
	float *weight, *gradient, *step, *square, *mean;     /* mean: of the weight after each step of the last quarter */
};

/* IN, IN_ADD and STATE are the parts of the first direction; IN + NET_BACKWARDS and so on are those of the second. The layers and states lie
 * in the file in this order. */
enum part_name {
	NEAR, NEAR_ADD, WIDE, WIDE_ADD, IN, IN_ADD = IN + NET_DIRECTIONS, STATE = IN_ADD + NET_DIRECTIONS,
	LAYERS_END = STATE + NET_DIRECTIONS, TAGS = LAYERS_END, TAGS_ALL, TAGS_ADD, PLANS, PLANS_ADD, PARTS
};

/* What a word has: the rows of its features, the first of which is the word itself. */
struct word_rows {
	uint32_t n, row[NET_FEATURES + NET_PAST];
	bool itself;
	const int8_t *meaning;
	uint16_t tag;
};

struct example {
	size_t n;
	struct word_rows *word;
	uint32_t npast, past[NET_PAST];
	int plan;                     /* NET_NO_PLAN: it has several */
	bool plan_only;
};

struct trainer {
	struct arena *mem;
	size_t ntags, nplans, nrows, n;
	const char *tag[NET_TAGS], *plan[NET_PLANS];
	struct weights seen;          /* for each feature, the authors that have it */
	uint32_t *row_of;             /* for each entry of `seen`, its row in the net; 0: too few authors */
	float (*row)[NET_LEARNED], *row_square;
	struct part part[PARTS];
	struct example *example;
	uint64_t random;
	float first, second;          /* FIRST and SECOND to the power of the number of steps */
	bool last;                    /* the last quarter of the rounds, of whose weights the mean is kept */
	size_t nmeans;                /* steps in it */
};

/* From 0 to 1. */
static inline float net_chance(struct trainer *t)
{
	return (float)(adagrad_random(&t->random) >> 40) / (float)(1 << 24);
}

/* Teach one example: the gradients of the parts grow, and the rows of its features take a step. */
void net_learn_from(struct trainer *t, const struct example *x, float row_rate);

#endif
