/*
 * Weights under training: for each feature one for each class, learned by steps along the gradient that become
 * smaller for features that had many (AdaGrad). Everything happens in a fixed order, so the same lessons give
 * the same weights.
 */
#ifndef LANGUAGE_TRAIN_ADAGRAD_H
#define LANGUAGE_TRAIN_ADAGRAD_H

#include <stddef.h>
#include <stdint.h>

#include "language/train/linear_write.h"

struct arena;
struct adagrad;

/* For so many classes, on the heap. */
struct adagrad *adagrad_new(size_t classes);
void adagrad_free(struct adagrad *w);            /* NULL is allowed */

/* First the authors of all features are counted, one author after the other; then the features that `least` authors have get
 * their weights. */
void adagrad_count(struct adagrad *w, const uint64_t *feature, size_t n, uint32_t author);
void adagrad_keep(struct adagrad *w, unsigned least);

/* The features that have weights, as numbers, in `id` with room for n; how many they are. */
size_t adagrad_ids(const struct adagrad *w, const uint64_t *feature, size_t n, uint32_t *id);

/* Add the weights of these features to score[classes]. */
void adagrad_score(const struct adagrad *w, const uint32_t *id, size_t n, float *score);

/* One step against gradient[classes], whose small parts are left out. decay: how strongly weights are drawn to 0,
 * where most of them stay. */
void adagrad_step(struct adagrad *w, const uint32_t *id, size_t n, const float *gradient, float rate, float decay);

/* Weights of less than `least` are 0 from now on; the others go on learning. */
void adagrad_settle(struct adagrad *w, float least);

/* All weights of at least `least`, `scale` times as whole numbers, for a draft; in the arena. */
struct linear_entry *adagrad_entries(const struct adagrad *w, struct arena *a, float scale, float least, size_t *n);

/* The next number of a row of random ones; any start. */
uint64_t adagrad_random(uint64_t *state);

/* Numbers 0 to n - 1 in a random order. */
void adagrad_shuffle(size_t *order, size_t n, uint64_t *state);

#endif
