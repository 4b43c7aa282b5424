/*
 * The tagger: which pieces of a message mean what. It chooses the best sequence of marks by a linear model
 * over the words, what exact knowledge says of them, and the marks before, and by the scores of the net.
 *
 * A tag is a label with the value that belongs to it: "near", "has_avgas=false", "-has_avgas", "ask=fuel".
 */
#ifndef LANGUAGE_TAGGER_H
#define LANGUAGE_TAGGER_H

#include "language/linear.h"
#include "language/reading.h"

struct tagger;
struct net;

/* The feature of a hint that says which plan it is. A message is not tagged with labels that its plans cannot have. */
uint64_t tagger_plan_feature(const char *plan);

/* What else is known of some words of a message, "the plan is near" or "the talk was about route": a feature, and
 * how much it counts. */
struct tagger_hint {
	size_t first, last;      /* words */
	uint64_t feature;
	float weight;
};

/* The models of the file must outlive it. net: must be the net that makes the readings; NULL: none. ERR_CONFIG with a reason. */
enum errcode tagger_open(struct tagger **out, struct arena *a, const struct linear_file *f, const struct net *net, struct err *e);

/* Find r->mark and r->nmarks by r->words, r->evidence and r->net. Returns the score of these marks, which tells how well
 * different hints fit the same message. *words: what the words score without hints; NULL at first, and kept in the arena for
 * marking the same message with other hints. */
double tagger_mark(const struct tagger *t, struct arena *a, struct reading *r, const struct tagger_hint *hint,
    size_t nhints, float **words);

#endif
