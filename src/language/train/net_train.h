/*
 * Training a net (net.h) on marked messages: steps by Adam against the logarithm of what was wrong, with parts of the net left out at random. The
 * same lessons in the same order give the same net.
 */
#ifndef LANGUAGE_TRAIN_NET_TRAIN_H
#define LANGUAGE_TRAIN_NET_TRAIN_H

#include "language/net.h"
#include "language/train/linear_write.h"

struct net_lesson {
	const struct reading *gold;           /* words, evidence, the right plans and marks */
	const char *const *value;             /* of each mark, as it was marked; NULL: none */
	const struct reading_before *before;
	unsigned author;                      /* whose message it is */
};

enum { NET_MODELS = 4 };

/* Everything in the drafts is in the arena. rounds: over all lessons; 0: as many as usual. ERR_CONFIG: too many tags or plans. */
enum errcode net_train(struct linear_draft draft[NET_MODELS], struct arena *a, const struct net_lesson *lesson, size_t n, unsigned rounds,
    struct err *e);

#endif
