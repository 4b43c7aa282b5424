/*
 * The bytes of an encoder's file, in the order of this machine: head, slots, rows. The sum (linear_sum())
 * covers the whole file but for itself.
 */
#ifndef LANGUAGE_ENCODER_FORMAT_H
#define LANGUAGE_ENCODER_FORMAT_H

#include <stdint.h>

#include "language/encoder.h"
#include "language/linear_format.h"

/* Raise it when the bytes, or the features, get another meaning. */
enum { ENCODER_VERSION = 4 };
#define ENCODER_MAGIC "encoder"

struct encoder_head {
	char magic[8];
	uint32_t version, dims;
	uint64_t bytes;                       /* of the whole file */
	uint64_t sum;
	uint32_t nslots, nrows;
	float strange;                        /* the length of a feature that has no row */
	float asks;                           /* what encoder_asks_rule() says of a text without a row */
};

static_assert(offsetof(struct encoder_head, sum) == LINEAR_SUM_AT, "the sum stands elsewhere");

/* A hash table with linear probing: a feature's slot is found by its lower half. A slot with tag 0 is empty. Words that
 * mean the same may share a row. */
struct encoder_slot {
	uint32_t tag;                         /* the upper half of the feature, and 1 instead of 0 */
	uint32_t row;                         /* with ENCODER_UNTAUGHT: no lesson had the feature */
};
enum { ENCODER_UNTAUGHT = 1 << 30 };

/* What 1 is in a row. */
enum { ENCODER_ASKS_ONE = 2048, ENCODER_RARE_ONE = UINT16_MAX };

/* The vector of a feature: `scale` times these numbers. */
struct encoder_row {
	float scale;
	int16_t asks;                         /* what it adds to encoder_asks_rule() */
	uint16_t rare;                        /* how few lessons had the one who owns the row: 0 if all, 1 if one or none */
	struct evidence_clusters clusters;    /* of a word */
	uint16_t unused;                      /* 0 */
	int8_t v[ENCODER_DIMS];
};

static inline uint32_t encoder_tag(uint64_t feature)
{
	return feature >> 32 != 0 ? (uint32_t)(feature >> 32) : 1;
}

#endif
