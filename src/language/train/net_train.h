/*
 * Training a net (net.h) on marked messages: Adam on the cross-entropy, with dropout. The same lessons in the same order give
 * the same net, on machines whose expf() is the same.
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
	bool plan_only;                       /* nobody has marked its words: they teach no tags */
};

enum { NET_MODELS = 4 };

/* Everything in the drafts is in the arena. rounds: how often all lessons are taught; 0: the usual number. ERR_CONFIG: no lesson has
 * exactly one plan, or there are too many tags or plans. */
enum errcode net_train(struct linear_draft draft[NET_MODELS], struct arena *a, const struct net_lesson *lesson, size_t n,
    unsigned rounds, struct err *e);

#endif
