/*
 * The bytes of a file of linear models, in the order of this machine.
 *
 *     head, one section for each model, then the tables of the models in any order
 *
 * A table begins at a multiple of eight bytes. The sum covers the whole file but for itself.
 */
#ifndef LANGUAGE_LINEAR_FORMAT_H
#define LANGUAGE_LINEAR_FORMAT_H

#include <assert.h>
#include <stddef.h>

#include "language/linear.h"

/* Raise it when the bytes, or the features of a model, get another meaning. */
enum { LINEAR_VERSION = 4 };
#define LINEAR_MAGIC "linear\n"

struct linear_head {
	char magic[8];
	uint32_t version, nmodels;
	uint64_t bytes;                       /* of the whole file */
	uint64_t sum;
};

struct linear_section {
	char name[LINEAR_NAME];
	uint32_t nclasses, nnumbers, nslots, nweights;
	/* where they begin: the names of the classes, each ended by NUL; and the tables */
	uint32_t names, names_bytes, numbers, slots, weights, zero;
};

/* A hash table with linear probing. The weights of a slot end where those of the next begin, so there is one
 * slot more than nslots. A slot with tag 0 is empty. */
struct linear_slot {
	uint32_t tag;                         /* the upper half of the feature, and 1 instead of 0 */
	uint32_t first;                       /* its first weight */
};

static inline uint32_t linear_tag(uint64_t feature)
{
	return feature >> 32 != 0 ? (uint32_t)(feature >> 32) : 1;
}

/* The slot where a feature is looked for first. */
static inline size_t linear_place(uint64_t feature, size_t nslots)
{
	return (size_t)((feature & UINT32_MAX) * nslots >> 32);
}

/* The sum of a whole file, in which the eight bytes where it stands itself count as zeros. Every change of one word changes
 * it. n is a multiple of eight. */
enum { LINEAR_SUM_AT = 24 };
static_assert(offsetof(struct linear_head, sum) == LINEAR_SUM_AT, "the sum stands elsewhere");

static inline uint64_t linear_sum(const void *p, size_t n)
{
	const unsigned char *b = p;
	uint64_t sum = n, word;
	for (size_t i = 0; i + sizeof(word) <= n; i += sizeof(word)) {
		if (i == LINEAR_SUM_AT)
			continue;
		__builtin_memcpy(&word, b + i, sizeof(word));
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum;
}

#endif
