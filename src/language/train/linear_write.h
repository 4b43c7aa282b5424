/*
 * Writing a file of linear models. The same models give the same bytes.
 */
#ifndef LANGUAGE_TRAIN_LINEAR_WRITE_H
#define LANGUAGE_TRAIN_LINEAR_WRITE_H

#include "language/linear.h"

struct linear_entry {
	uint64_t feature;
	unsigned class;
	int weight;                           /* of 16 bits; what does not fit is cut */
};

struct linear_draft {
	const char *name;
	size_t nclasses;
	const char *const *class_name;
	size_t nnumbers;
	const int32_t *number;
	/* in any order, which may be changed; each pair of feature and class once; those of weight 0 are left out */
	size_t n;
	struct linear_entry *entry;
};

/* ERR_IO with path and reason. The file is replaced only when all is written. */
enum errcode linear_write(const char *path, const struct linear_draft *draft, size_t n, struct err *e);

#endif
