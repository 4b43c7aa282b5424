/*
 * Learning to tag from marked messages: a structured perceptron with margins, AdaGrad steps and averaged weights.
 * The same examples in the same order give the same models.
 */
#ifndef LANGUAGE_TRAIN_TAGGER_TRAIN_H
#define LANGUAGE_TRAIN_TAGGER_TRAIN_H

#include "language/tagger.h"
#include "language/train/linear_write.h"

struct tagger_example {
	const struct reading *gold;           /* words, evidence, the right plans and marks */
	const char *const *value;             /* of each mark, as it was marked; NULL: none */
	const struct tagger_hint *hint;
	size_t nhints;
	unsigned author;                      /* whose message it is: any number but UINT32_MAX */
};

/* How to learn. */
struct tagger_training {
	const char *names;                    /* labels whose words are names: "from|to|near" */
	unsigned rounds;                      /* over all examples; 0: as many as usual */
	unsigned seed;
};

enum { TAGGER_DRAFTS = 3 };

/* Everything in the drafts is in the arena. ERR_CONFIG: too many tags. */
enum errcode tagger_train(struct linear_draft draft[TAGGER_DRAFTS], struct arena *a, const struct tagger_example *example,
    size_t n, const struct tagger_training *how, struct err *e);

#endif
