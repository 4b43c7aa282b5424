/*
 * The net: a small network that reads a message from both ends, and scores the tags of each word and the plans of a
 * clause. The net mostly sees what words mean; the linear models mostly see the words themselves. They make different mistakes, so
 * the sum of their scores is right more often than either alone.
 *
 *     word → its input → near layer (the word and its neighbours) ─┬→ a state read forwards  ─┐
 *                                                                  ├→ a state read backwards ─┼→ tags of the word
 *                                                                  └→ wide layer (likewise) ──┘
 *                                                                        └→ the greatest of a clause's words → plans
 *
 * The input of a word is its vector from the encoder and the sum of the rows of its features (net_features()). A layer never
 * has negative outputs. A state is carried from word to word, and gates decide what of it stays (net_gates.h). Plans do not see the states,
 * which know of other clauses: with them, plans of talks were found less often. Weights and outputs are
 * whole numbers. What lies between them is computed by plain arithmetic, so every machine computes the same.
 */
#ifndef LANGUAGE_NET_H
#define LANGUAGE_NET_H

#include "language/encoder.h"
#include "language/linear.h"
#include "language/reading.h"

enum net_direction { NET_FORWARDS, NET_BACKWARDS, NET_DIRECTIONS };

enum {
	NET_MEANING = ENCODER_DIMS, NET_LEARNED = 64,
	NET_INPUT = NET_MEANING + NET_LEARNED,
	NET_NEAR = 160, NET_WIDE = 160,
	NET_SPAN = 3,                 /* words that a layer looks at: one and its neighbours */
	NET_STATE = 96,               /* of one direction */
	NET_GATES = 3 * NET_STATE,    /* what goes into a step of a state: of its two gates, and of its candidate */
	NET_WIDE_AT = NET_DIRECTIONS * NET_STATE,     /* outputs of a word: both states, and from here on the wide layer */
	NET_OUT = NET_WIDE_AT + NET_WIDE,
	NET_TAGS = 256, NET_PLANS = 200, NET_ROWS = INT16_MAX,
	NET_FEATURES = 40,            /* of a word, of which further ones are left out */
	NET_PAST = 16,                /* of the whole message: its language, and what was spoken of before */
	/* fixed point: an input, an output or an addend of 1.0 is stored as NET_ONE, a weight of 1.0 as NET_BY */
	NET_ONE = 256, NET_BY = 4096,
	NET_MOST = 4095,              /* of an input or an output */
};

/* The weights of the state that is carried in one direction. */
struct net_state {
	const int16_t *in, *in_add;           /* of the near layer: [NET_GATES][NET_NEAR], [NET_GATES] */
	const int16_t *before;                /* of the state before: [NET_GATES][NET_STATE] */
};

/* The net's models in a file: "net" has the weights of both layers and both states, "net words" the rows of features, "net tags" and
 * "net plans" the weights that turn outputs into scores. Two 16-bit weights share one number; the weights of rows are bytes. */
struct net {
	const struct linear *words, *tags, *plans;
	const int16_t *near, *near_add;       /* [NET_NEAR][NET_SPAN * NET_INPUT], [NET_NEAR] */
	const int16_t *wide, *wide_add;       /* [NET_WIDE][NET_SPAN * NET_NEAR], [NET_WIDE] */
	struct net_state state[NET_DIRECTIONS];
	const int16_t *tag, *tag_all, *tag_add;     /* [tags][NET_OUT]: of the word; of the whole message; [tags] */
	const int16_t *plan, *plan_add;       /* [plans][NET_WIDE], [plans] */
	const int8_t *row;                    /* [rows][NET_LEARNED] */
	int32_t row_one;                      /* a row's weight of 1.0 is stored as this */
};

/* As long as the file is open. ERR_CONFIG: the file has no net, or one of another shape. */
enum errcode net_open(struct net *net, const struct linear_file *f, struct err *e);

/* What the net sees in a message. Scores are those before a softmax. */
struct net_reading {
	const struct net *net;
	size_t n;                             /* words */
	int16_t (*out)[NET_OUT];
	float *tag;                           /* [word][tag]; the least of a word is 0 */
};

/* Everything in the arena. before: NULL, nothing was spoken of. */
const struct net_reading *net_read(const struct net *net, struct arena *a, const struct words *w,
    const struct evidences *e, const struct reading_before *before);

/* The scores of plans ("-|near", "refine|near") for the words first to last. */
void net_score_plans(const struct net_reading *r, size_t first, size_t last, float score[NET_PLANS]);

/* The features of a word. */
struct net_features {
	size_t n;
	uint64_t at[NET_FEATURES];
};

/* The features of word i, the first of which is the word itself. */
void net_features(const struct words *w, const struct evidences *e, size_t i, struct net_features *out);
/* The features of the whole message, which every word gets; how many. */
size_t net_features_past(const struct words *w, const struct reading_before *before, uint64_t out[NET_PAST]);

#endif
