/*
 * What a chooser sees of a message, as hashed features: its words, what they may be (evidence), what
 * they were found to be (marks), and what the talk was about before. Training and reading use the same
 * ones, so a change here wants the models trained again.
 */
#ifndef LANGUAGE_CHOOSER_FEATURES_H
#define LANGUAGE_CHOOSER_FEATURES_H

#include <stdint.h>

#include "language/reading.h"

struct arena;

struct net_reading;

struct chooser_view {
	const struct words *words;
	const struct evidences *evidence;
	const struct net_reading *net;     /* NULL: no net reads it */
	const struct mark *mark;           /* NULL: the first chooser, which works before marks are found */
	size_t nmarks;
	const struct reading_before *before;     /* NULL: nothing was spoken of */
};

/* A view, prepared for asking about its parts again and again. In the arena. */
struct chooser_text;
struct chooser_text *chooser_text_of(struct arena *a, const struct chooser_view *view);

/* Lists of features; an array grows in the arena as it must. */
struct chooser_features {
	struct arena *mem;
	size_t n, room;
	uint64_t *at;
};

/* A clause is the words first to last: all of a message, or a part. It has the features of each of its words and those of
 * the clause as a whole. A message without words has only the latter. */
void chooser_features_clause(struct chooser_features *out, const struct chooser_text *t, size_t first, size_t last);

/* The features of the word i of a clause that begins with the word `first`. They also look at up to CHOOSER_NEIGHBOURS words of
 * the clause before word i, and at none after it. */
enum { CHOOSER_NEIGHBOURS = 2 };
void chooser_features_word(struct chooser_features *out, const struct chooser_text *t, size_t first, size_t i);

/* Further ones of a message that goes on from something: how it is related to that. */
void chooser_features_follow(struct chooser_features *out, const struct chooser_text *t);

/* The features of the place before word `at`, where one clause may end and another begin. */
void chooser_features_cut(struct chooser_features *out, const struct chooser_text *t, size_t at);

/* What the plans of two clauses and of both as one look like: the likeliest, hashed, and its probability. */
struct chooser_side {
	uint64_t plan;
	double sure;
};

/* The features of that cut, when both sides have been looked at. score: what the cut got without that. */
void chooser_features_sides(struct chooser_features *out, struct chooser_side whole, struct chooser_side left,
    struct chooser_side right, double score);

#endif
