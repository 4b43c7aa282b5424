/*
 * The weights of a model while it learns: for each feature those of some classes, with what averages them.
 * In an arena. No pointer into it outlives the next call that adds to it.
 */
#ifndef LANGUAGE_TRAIN_WEIGHTS_H
#define LANGUAGE_TRAIN_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "language/train/linear_write.h"

struct weights_cell {
	uint32_t class;
	float now;
	float squares;                        /* sum of the squares of the gradients that it followed */
	double past;                          /* sum of its changes, each times the step in which it was made */
};

struct weights_row {
	uint64_t feature;
	uint32_t n, room;
	struct weights_cell *cell;
};

struct weights {
	struct arena *mem;
	size_t n, room;
	struct weights_row *row;
	size_t nslots;                        /* a power of two */
	uint32_t *slot;                       /* index of a row and 1; 0: empty */
	bool settled;                         /* no row and no cell is added any more */
};

void weights_init(struct weights *w, struct arena *a);

/* The row of a feature, which is made when there is none. UINT32_MAX: they are settled, and there is none. */
uint32_t weights_row(struct weights *w, uint64_t feature);
/* UINT32_MAX: there is none. */
uint32_t weights_find(const struct weights *w, uint64_t feature);

/* The cell of a class, which is made when there is none. NULL: they are settled, and there is none. */
struct weights_cell *weights_cell(struct weights *w, uint32_t row, unsigned class);

/* Change a weight by so much in this step. */
void weights_add(struct weights *w, uint32_t row, unsigned class, float by, double step);
/* Change a weight along its gradient, by a step that becomes smaller with each change (AdaGrad: Duchi, Hazan and Singer,
 * JMLR 12, 2011). */
void weights_learn(struct weights *w, uint32_t row, unsigned class, float gradient, float rate, double step);
/* Remove the cells whose average over `steps` steps is less than `least` where the largest is `most`. From then on no
 * other ones are added: the rest goes on learning. */
void weights_settle(struct weights *w, double steps, int most, int least);
/* Add a row, times `by`, to the scores of the classes. */
static inline void weights_score(const struct weights *w, uint32_t row, float by, float *score)
{
	const struct weights_row *r = &w->row[row];
	for (uint32_t i = 0; i < r->n; i++)
		score[r->cell[i].class] += by * r->cell[i].now;
}

/* The averages over `steps` steps, the largest of which becomes `most`; those that are less than `least` are left out.
 * In the arena; *n: how many. */
struct linear_entry *weights_average(const struct weights *w, struct arena *a, double steps, int most, int least,
    size_t *n);

#endif
