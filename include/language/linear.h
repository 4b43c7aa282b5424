/*
 * Sparse linear models, as a training program writes them into one file (train/linear_write.h).
 *
 * A model has classes, and for each feature that it knows the weights of some of these classes. The score of
 * a class is the sum over the features that a thing has. The file is mapped read-only, so that all workers
 * share its memory, and it is checked whole when it is opened.
 */
#ifndef LANGUAGE_LINEAR_H
#define LANGUAGE_LINEAR_H

#include <stddef.h>
#include <stdint.h>

#include "base/errs.h"

enum { LINEAR_NAME = 24, LINEAR_MODELS = 16, LINEAR_CLASSES = 4096, LINEAR_BYTES = 64 * 1024 * 1024 };

struct linear_weight {
	uint16_t class;
	int16_t weight;
};

struct linear {
	const char *name;
	size_t nclasses;
	const char *const *class_name;
	/* further numbers of the model, whatever they mean to its user: thresholds, a calibration */
	size_t nnumbers;
	const int32_t *number;
	/* the table of features; linear_find() reads it */
	size_t nslots;
	const struct linear_slot *slot;
	const struct linear_weight *weight;
};

struct linear_file;

/* Open and check. ERR_CONFIG with path and reason: it cannot be read, is cut, damaged, or of another version. */
enum errcode linear_open(struct linear_file **out, const char *path, struct err *e);
void linear_close(struct linear_file *f);               /* NULL is allowed */

/* A model of the file, as long as the file is open; NULL: it has none of this name. */
const struct linear *linear_get(const struct linear_file *f, const char *name);
/* How many weights a model has, of all features and classes. */
size_t linear_weights(const struct linear *m);
/* The number of a class; -1: the model has none of this name. */
int linear_class(const struct linear *m, const char *name);

/* The weights of a feature, of which there are *n; none when the model does not know it. Pure and fast. */
const struct linear_weight *linear_find(const struct linear *m, uint64_t feature, size_t *n);

/* Add the weights of n features, each times its part in `by` (NULL: 1), to the scores of the classes. Faster than to
 * find them one by one. */
void linear_add(const struct linear *m, const uint64_t *feature, const float *by, size_t n, float *score);

#endif
