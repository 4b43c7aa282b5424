/*
 * The net: a small network that reads each word together with its neighbours. Like the linear models it judges the
 * plan of a clause and the tag of each word. It mostly sees what words mean, and they mostly see the words themselves, so the
 * two err at different messages, and the sum of their scores is right more often than either.
 *
 *     word → its input → near layer (one word and its neighbours) → wide layer (likewise) → tags of the word
 *                                                                    the greatest of a clause's words → plan
 *
 * A word's input is its vector in the encoder, and the sum of the rows of its features (net_features()). A layer is 0 where it would be
 * negative. All numbers are whole, so that every machine finds the same.
 */
#ifndef LANGUAGE_NET_H
#define LANGUAGE_NET_H

#include "language/encoder.h"
#include "language/linear.h"
#include "language/reading.h"

enum {
	NET_MEANING = ENCODER_DIMS, NET_LEARNED = 64,
	NET_INPUT = NET_MEANING + NET_LEARNED,
	NET_NEAR = 160, NET_WIDE = 160,
	NET_SPAN = 3,                 /* words that a layer looks at: one and its neighbours */
	NET_TAGS = 256, NET_PLANS = 200, NET_ROWS = INT16_MAX,
	NET_FEATURES = 40,            /* of a word, of which further ones are left out */
	NET_PAST = 16,                /* of what was spoken of before */
	/* what 1 is: in an input, a layer and what is added to it; in what these are multiplied by */
	NET_ONE = 256, NET_BY = 4096,
};

/* The models of a file that are a net's own. "net" has the weights of both layers, "net words" the rows of features, "net tags" and "net plans"
 * what the wide layer says of them. Weights are numbers of 16 bits, two in each number of a model; those of rows are bytes. */
struct net {
	const struct linear *words, *tags, *plans;
	const int16_t *near, *near_add;       /* [NET_NEAR][NET_SPAN * NET_INPUT], [NET_NEAR] */
	const int16_t *wide, *wide_add;       /* [NET_WIDE][NET_SPAN * NET_NEAR], [NET_WIDE] */
	const int16_t *tag, *tag_all, *tag_add;     /* [tags][NET_WIDE]: of the word; of the whole message; [tags] */
	const int16_t *plan, *plan_add;       /* [plans][NET_WIDE], [plans] */
	const int8_t *row;                    /* [rows][NET_LEARNED] */
	int32_t row_one;                      /* what 1 is in a row */
};

/* False: the file has none. ERR_CONFIG: its net is of another shape. */
bool net_open(struct net *net, const struct linear_file *f, enum errcode *rc, struct err *e);

/* What the net sees in a message. */
struct net_reading {
	const struct net *net;
	size_t n;                             /* words */
	int16_t (*wide)[NET_WIDE];
	float *tag;                           /* [word][tag]: scores, logarithms of odds */
};

/* Everything in the arena. before: NULL, nothing was spoken of. */
const struct net_reading *net_read(const struct net *net, struct arena *a, const struct words *w,
    const struct evidences *e, const struct reading_before *before);

/* The scores of plans ("-|near", "refine|near") for the words first to last. */
void net_score_plans(const struct net_reading *r, size_t first, size_t last, float score[NET_PLANS]);

/* The features of each word: which row of the net they have. */
struct net_features {
	size_t n;
	uint64_t at[NET_FEATURES];
};

/* The features of word i, the first of which is the word itself. */
void net_features(const struct words *w, const struct evidences *e, size_t i, struct net_features *out);
/* Those of the message, which all of its words have: its language, and what was spoken of before; how many. */
size_t net_features_past(const struct words *w, const struct reading_before *before, uint64_t out[NET_PAST]);

#endif
